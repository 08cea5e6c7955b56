// Optimisers: the table (taut/optim/table.h) for Python, which keeps options and state in dicts.
#include "caster.h"

#include <nanobind/stl/tuple.h>

#include <limits>
#include <memory>

#include "taut/ops/optim.h"
#include "taut/optim/muon.h"
#include "taut/optim/table.h"

namespace taut::python {
namespace {

namespace nb = nanobind;
using optim::Number;
using optim::OptimizerInfo;
using optim::OptionInfo;
using optim::OptionValues;
using optim::StepParam;

Object key(const std::string& name) { return Object::steal(checked(PyUnicode_InternFromString(name.c_str()))); }

/// A row of the table with the keys under which Python keeps its values.
struct Row {
  const OptimizerInfo& info;
  Object params = key("params"), differentiable = key("differentiable"), step = key("step");
  std::vector<Object> options, scalars, states;
  explicit Row(const OptimizerInfo& row) : info(row) {
    for (const OptionInfo& o : info.options) options.push_back(key(o.name));
    for (const auto& s : info.scalars) scalars.push_back(key(s.name));
    for (const auto& s : info.states) states.push_back(key(s.name));
  }
};
std::vector<Row*>& rows() {
  static auto* all = new std::vector<Row*>;  // for as long as the process
  return *all;
}

PyObject* find(PyObject* dict, const Object& name) {
  PyObject* o = PyDict_GetItemWithError(dict, name.get());
  if (!o && PyErr_Occurred()) throw PythonError();
  return o;
}
PyObject* need(PyObject* dict, const Object& name) {
  PyObject* o = find(dict, name);
  if (!o) {
    PyErr_SetObject(PyExc_KeyError, name.get());
    throw PythonError();
  }
  return o;
}

double number(const Tensor& t) {
  return t.scalar_type() == kFloat && t.numel() == 1 ? *t.data_ptr<float>() : t.item<double>();
}
void set_number(const Tensor& t, double v) {
  if (t.scalar_type() == kFloat && t.numel() == 1) *t.data_ptr<float>() = static_cast<float>(v);
  else t.fill_(v);
}
double to_number(PyObject* o) {
  if (PyFloat_CheckExact(o)) return PyFloat_AS_DOUBLE(o);
  if (is_tensor(o)) return number(to_tensor(o, "an option"));
  if (o == Py_None) return -std::numeric_limits<double>::infinity();
  const double v = PyFloat_AsDouble(o);
  if (v == -1 && PyErr_Occurred()) throw PythonError();
  return v;
}

/// Calls f(index of the value, object) for every value of a group.
template <class F>
void each_option(const Row& row, PyObject* group, F f) {
  for (size_t k = 0; k < row.options.size(); ++k) {
    const OptionInfo& o = row.info.options[k];
    if (o.kind == OptionInfo::Kind::Switch) continue;
    PyObject* const value = need(group, row.options[k]);
    if (o.kind != OptionInfo::Kind::Numbers) {
      f(o, o.at, value);
      continue;
    }
    const Object list = Object::steal(checked(PySequence_Fast(value, "expected a tuple of numbers")));
    check<ValueError>(PySequence_Fast_GET_SIZE(list.get()) == static_cast<Py_ssize_t>(o.defaults.size()), o.name,
                      " should be ", o.defaults.size(), " numbers, got ", PySequence_Fast_GET_SIZE(list.get()));
    for (size_t i = 0; i < o.defaults.size(); ++i)
      f(o, o.at + i, PySequence_Fast_GET_ITEM(list.get(), static_cast<Py_ssize_t>(i)));
  }
}
OptionValues values_of(const Row& row, PyObject* group) {
  OptionValues values{};
  each_option(row, group, [&](const OptionInfo& o, size_t at, PyObject* value) {
    if (o.kind == OptionInfo::Kind::Flag) {
      const int truth = PyObject_IsTrue(value);
      checked(truth);
      values[at] = truth;
    } else {
      values[at] = to_number(value);
    }
  });
  return values;
}

Tensor scalar(double v) { return scalar_tensor(v, get_default_dtype() == kDouble ? kDouble : kFloat); }
void put(PyObject* dict, const Object& name, const Tensor& t) {
  const Object o = Object::steal(checked(wrap(t)));
  checked(PyDict_SetItem(dict, name.get(), o.get()));
}

/// The state of a parameter before its first step.
Object fresh(const Row& row, const OptionValues& values, const Tensor& p) {
  const Object own = Object::steal(checked(PyDict_New()));
  if (row.info.counts) put(own.get(), row.step, scalar(0));
  for (size_t i = 0; i < row.scalars.size(); ++i)
    put(own.get(), row.scalars[i], scalar(row.info.fresh_scalar(i, values)));
  const unsigned states = row.info.states_for(values);
  for (size_t i = 0; i < row.states.size(); ++i) {
    if (!(states >> i & 1)) continue;
    if (const Tensor s = row.info.fresh_state(i, values, p); s.defined()) put(own.get(), row.states[i], s);
  }
  return own;
}

/// One parameter with its gradient and what Python keeps for it. They hold what a step works on while the GIL is free.
struct Slot {
  Tensor param, grad, step;
  std::array<Tensor, optim::kMaxScalars> scalars;
  std::array<Tensor, optim::kMaxStates> state;
  Object own;
  bool first = false;
};

class Group {
 public:
  Group(const Row& row, PyObject* group, PyObject* state) : row_(row), group_(group), values_(values_of(row, group)) {
    PyObject* const params = need(group, row.params);
    check<TypeError>(PyList_Check(params), "the parameters of a group must be a list, not ", type_name(params));
    states_ = row.info.states_for(values_);
    slots_.reserve(static_cast<size_t>(PyList_GET_SIZE(params)));
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(params); ++i) {
      PyObject* const p = PyList_GET_ITEM(params, i);
      const Tensor& param = to_tensor(p, "a parameter");
      if (!param.grad().defined()) continue;
      Slot& slot = slots_.emplace_back();
      slot.param = param, slot.grad = param.grad();
      numel_ += param.numel();
      if (states_ != 0 || row.info.counts) find_state(slot, state, p);
    }
  }

  void run() {
    NoGradGuard no_grad;
    std::vector<StepParam> items = make_items();
    {
      const WithoutGil without(numel_ > kLargeForGil);
      optim::run_step(row_.info, values_, items.data(), items.size());
    }
    for (size_t i = 0; i < items.size(); ++i) {
      const Slot& s = slots_[i];
      if (s.step.defined()) set_number(s.step, static_cast<double>(items[i].step));
      for (size_t k = 0; k < row_.scalars.size(); ++k) set_number(s.scalars[k], items[i].scalars[k]);
    }
  }

  void record() {
    EnableGradGuard grad;
    std::array<Number, optim::kMaxOptions> options;
    std::copy(values_.begin(), values_.end(), options.begin());
    each_option(row_, group_, [&](const OptionInfo&, size_t at, PyObject* value) {
      if (is_tensor(value)) options[at] = tensor_of(value).reshape({});
    });
    std::vector<StepParam> items = make_items();
    for (size_t i = 0; i < items.size(); ++i) {
      Slot& s = slots_[i];
      const auto initial = [&](const optim::StateInfo& info) {  // the tensor that a value begins with, if it is one
        return s.first && info.initial >= 0 ? std::get_if<Tensor>(&options[static_cast<size_t>(info.initial)])
                                            : nullptr;
      };
      std::array<Number, optim::kMaxScalars> scalars{0.0, 0.0};
      for (size_t k = 0; k < row_.scalars.size(); ++k) {
        if (const Tensor* t = initial(row_.info.scalars[k])) scalars[k] = *t;
        else if (s.scalars[k].requires_grad()) scalars[k] = s.scalars[k];
        else scalars[k] = items[i].scalars[k];
      }
      for (size_t k = 0; k < row_.states.size(); ++k)
        if (const Tensor* t = initial(row_.info.states[k])) s.state[k].zero_().add_(*t);
      optim::record_step(row_.info, options, items[i], scalars);
      if (s.step.defined()) set_number(s.step, static_cast<double>(items[i].step));
      for (size_t k = 0; k < row_.scalars.size(); ++k) {
        if (const Tensor* t = std::get_if<Tensor>(&scalars[k])) put(s.own.get(), row_.scalars[k], *t);
        else set_number(s.scalars[k], std::get<double>(scalars[k]));
      }
    }
  }

 private:
  void find_state(Slot& slot, PyObject* state, PyObject* p) {
    slot.own = Object::borrow(PyDict_GetItemWithError(state, p));
    if (!slot.own && PyErr_Occurred()) throw PythonError();
    if (!slot.own || !PyDict_Check(slot.own.get()) || PyDict_GET_SIZE(slot.own.get()) == 0) {
      slot.own = fresh(row_, values_, slot.param);
      checked(PyDict_SetItem(state, p, slot.own.get()));
      slot.first = true;
    }
    PyObject* const own = slot.own.get();
    const auto tensor = [](PyObject* o, const Object& name) -> const Tensor& {
      const Tensor& t = to_tensor(o, PyUnicode_AsUTF8(name.get()));
      check<TypeError>(t.defined(), "the state ", PyUnicode_AsUTF8(name.get()), " of a parameter is None");
      return t;
    };
    if (row_.info.counts) slot.step = tensor(need(own, row_.step), row_.step);
    for (size_t k = 0; k < row_.scalars.size(); ++k)
      slot.scalars[k] = tensor(need(own, row_.scalars[k]), row_.scalars[k]);
    for (size_t k = 0; k < row_.states.size(); ++k) {
      if (!(states_ >> k & 1)) continue;
      if (PyObject* const o = find(own, row_.states[k])) {
        slot.state[k] = tensor(o, row_.states[k]);
      } else if (row_.info.states[k].condition >= 0) {  // an option that was switched on later
        slot.state[k] = row_.info.fresh_state(k, values_, slot.param);
        put(own, row_.states[k], slot.state[k]);
        slot.first = true;
      } else if (row_.info.elementwise) {
        need(own, row_.states[k]);
      }
    }
  }
  std::vector<StepParam> make_items() const {
    std::vector<StepParam> items(slots_.size());
    for (size_t i = 0; i < items.size(); ++i) {
      const Slot& s = slots_[i];
      StepParam& item = items[i];
      item.param = &s.param, item.grad = &s.grad, item.first = s.first;
      for (size_t k = 0; k < row_.states.size(); ++k)
        if (s.state[k].defined()) item.state[k] = &s.state[k];
      if (s.step.defined()) item.step = static_cast<int64_t>(number(s.step)) + 1;
      for (size_t k = 0; k < row_.scalars.size(); ++k) item.scalars[k] = number(s.scalars[k]);
    }
    return items;
  }
  const Row& row_;
  PyObject* const group_;
  OptionValues values_;
  unsigned states_ = 0;
  std::vector<Slot> slots_;
  int64_t numel_ = 0;
};

const Row& row_at(size_t i) {
  check<ValueError>(i < rows().size(), "there is no such optimiser");
  return *rows()[i];
}

}  // namespace

void init_optim(PyObject* module) {
  nb::module_ m = nb::borrow<nb::module_>(module);
  m.def("_optimizers", [] {
    nb::list names;
    for (const std::string_view name : optim::optimizer_names()) names.append(nb::str(name.data(), name.size()));
    return names;
  });
  // (number of the row, sentence, base, signature, names in the order of saving, {name: value nobody can choose},
  // eager)
  m.def("_optimizer", [](const std::string& name) {
    const OptimizerInfo& info = optim::find_optimizer(name);
    size_t at = 0;
    while (at < rows().size() && &rows()[at]->info != &info) ++at;
    if (at == rows().size()) rows().push_back(new Row(info));
    nb::dict fixed;
    for (const OptionInfo& o : info.options)
      if (o.fixed) fixed[o.name.c_str()] = nb::bool_(o.defaults[0] != 0);
    nb::list scalars;
    if (info.counts) scalars.append("step");
    for (const auto& s : info.scalars) scalars.append(s.name);
    return nb::make_tuple(at, info.doc, info.base, info.signature, info.order, fixed, scalars, info.eager);
  });
  m.def("_optimizer_wrong", [](size_t row, const nb::dict& options) {
    return row_at(row).info.wrong(values_of(row_at(row), options.ptr()));
  });
  m.def("_optimizer_fresh", [](size_t row, const nb::dict& group, const Tensor& p) {
    return nb::steal(fresh(row_at(row), values_of(row_at(row), group.ptr()), p).release());
  });
  m.def("_optimizer_step", [](size_t at, const nb::dict& group, const nb::dict& state) {
    const Row& row = row_at(at);
    Group g(row, group.ptr(), state.ptr());
    PyObject* const recorded = find(group.ptr(), row.differentiable);
    if (recorded && PyObject_IsTrue(recorded)) g.record();
    else g.run();
  });
  m.def("_muon_step", [](const Tensor& p, const Tensor& grad, const Tensor& buffer, double lr, double weight_decay,
                         double momentum, bool nesterov, std::tuple<double, double, double> ns_coefficients, double eps,
                         int64_t ns_steps, std::optional<std::string> adjust_lr_fn) {
    NoGradGuard no_grad;
    optim::MuonOptions options(lr);
    options.weight_decay(weight_decay).momentum(momentum).nesterov(nesterov).ns_coefficients(ns_coefficients);
    optim::muon_step(options.eps(eps).ns_steps(ns_steps).adjust_lr_fn(std::move(adjust_lr_fn)), p, grad, buffer);
  });
  m.def("_foreach_lerp_", [](const std::vector<Tensor>& self, const std::vector<Tensor>& tensors, double weight) {
    NoGradGuard no_grad;
    _foreach_lerp_(self, tensors, weight);
  });
}

}  // namespace taut::python
