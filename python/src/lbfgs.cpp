// One step of L-BFGS for Python, which keeps options and state in dicts.
#include "caster.h"

#include "taut/factories.h"
#include "taut/optim/lbfgs.h"

namespace taut::python {
namespace {

namespace nb = nanobind;

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

/// Takes over the entries of a dict that have the names of these fields; others stay as they are.
void read(const nb::dict& dict, const optim::Fields& fields, ScalarType dtype) {
  for (const optim::Field& field : fields) {
    if (!dict.contains(field.name)) continue;
    const nb::object value = dict[field.name];
    if (value.is_none()) continue;
    std::visit(Overloaded{[&](Tensor* p) {
                            *p = is_tensor(value.ptr()) ? tensor_of(value.ptr())
                                                        : full({}, to_double(value.ptr(), field.name), dtype);
                          },
                          [&](std::deque<Tensor>* p) {
                            p->clear();
                            for (const nb::handle t : value) p->push_back(nb::cast<Tensor>(t));
                          },
                          [&](double* p) { *p = to_double(value.ptr(), field.name); },
                          [&](int64_t* p) { *p = to_int(value.ptr(), field.name); },
                          [&](std::optional<int64_t>* p) { *p = to_int(value.ptr(), field.name); },
                          [&](std::optional<std::string>* p) { *p = nb::cast<std::string>(value); }, [](auto*) {}},
               field.value);
  }
}
/// Before the first iteration there is nothing but the counts.
void write(nb::dict& dict, optim::LBFGSParamState& state) {
  dict["func_evals"] = state.func_evals();
  dict["n_iter"] = state.n_iter();
  for (const optim::Field& field : state.n_iter() ? state.fields() : optim::Fields())
    std::visit(
        Overloaded{[&](Tensor* p) {
                     if (p->defined()) dict[field.name] = nb::cast(*p);
                   },
                   [&](std::deque<Tensor>* p) {
                     nb::list list;
                     for (const Tensor& t : *p) list.append(nb::cast(t));
                     dict[field.name] = list;
                   },
                   [&](double* p) { dict[field.name] = *p; }, [&](int64_t* p) { dict[field.name] = *p; }, [](auto*) {}},
        field.value);
}

/// The optimiser, whose two steps may be Python's: None, or what a subclass has in their place.
struct Stepper : optim::LBFGS {
  nb::object gather, add;
  Stepper(std::vector<Tensor> params, nb::object gather, nb::object add)
      : LBFGS(std::move(params)), gather(std::move(gather)), add(std::move(add)) {}
  Tensor plain_flat_grad() const { return LBFGS::flat_grad(); }
  void plain_move(double step_size, const Tensor& direction) const { LBFGS::move(step_size, direction); }

 private:
  Tensor flat_grad() const override { return gather.is_none() ? LBFGS::flat_grad() : nb::cast<Tensor>(gather()); }
  void move(double step_size, const Tensor& direction) const override {
    if (add.is_none()) LBFGS::move(step_size, direction);
    else add(step_size, direction);
  }
};

/// `evaluate` computes the loss anew and gives it as a float. What an iteration has learnt is kept even if the next
/// one fails.
void step(const std::vector<Tensor>& params, const nb::dict& options, nb::dict state, const nb::object& evaluate,
          const nb::object& gather, const nb::object& add) {
  Stepper optimizer(params, gather, add);
  const ScalarType dtype = params[0].scalar_type();
  read(options, optimizer.param_groups()[0].options().fields(), dtype);
  auto own = std::make_unique<optim::LBFGSParamState>();
  read(state, own->fields(), dtype);
  optim::LBFGSParamState& kept = *own;
  optimizer.state()[params[0].impl()] = std::move(own);
  const auto& group = optimizer.param_groups()[0];
  check<IndexError>(static_cast<const optim::LBFGSOptions&>(group.options()).history_size() > 0,
                    "LBFGS: history_size must be positive");
  kept.check_loaded(group);
  const auto closure = [&]() -> Tensor {
    const Object loss = Object::steal(checked(PyObject_CallNoArgs(evaluate.ptr())));
    return full({}, to_double(loss.get(), "the loss"), kDouble);
  };
  try {
    optimizer.iterate(closure);
  } catch (...) {
    write(state, kept);
    throw;
  }
  write(state, kept);
}

}  // namespace

void init_lbfgs(PyObject* object) {
  auto module = nb::borrow<nb::module_>(object);
  module.def("_lbfgs_step", step, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none());
  module.def("_lbfgs_flat_grad", [](const std::vector<Tensor>& params) {
    return Stepper(params, nb::none(), nb::none()).plain_flat_grad();
  });
  module.def("_lbfgs_move", [](const std::vector<Tensor>& params, double step_size, const Tensor& direction) {
    NoGradGuard no_grad;
    Stepper(params, nb::none(), nb::none()).plain_move(step_size, direction);
  });
}

}  // namespace taut::python
