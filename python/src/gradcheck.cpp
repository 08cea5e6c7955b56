// gradcheck for Python: the function under test is the callback.
#include "caster.h"

#include "taut/autograd/gradcheck.h"

namespace taut::python {
namespace {

namespace nb = nanobind;
using autograd::DifferentiableFunction;
using autograd::variable_list;

/// `f` takes all inputs, None for those that are no tensors, and gives a tuple of tensors.
DifferentiableFunction function_of(const nb::object& f) {
  return [f](const variable_list& inputs) {
    nb::list arguments;
    for (const Tensor& x : inputs) arguments.append(nb::steal(checked(wrap(x))));
    const Object result = Object::steal(checked(PyObject_CallOneArg(f.ptr(), arguments.ptr())));
    variable_list outputs;
    for (const nb::handle y : nb::borrow<nb::tuple>(result.get())) outputs.push_back(to_tensor(y.ptr(), "an output"));
    return outputs;
  };
}

/// What is wrong with the gradients of f, or of its gradients where there are grad_outputs; None if nothing.
std::optional<std::string> problem(const nb::object& f, variable_list inputs,
                                   const std::optional<variable_list>& grad_outputs, double eps, double atol,
                                   double rtol, double nondet_tol, bool undefined_grad, bool grad_dtypes, bool backward,
                                   bool forward) {
  DifferentiableFunction g = function_of(f);
  if (grad_outputs) {
    g = autograd::gradients_of(g, grad_outputs->size());
    inputs.insert(inputs.end(), grad_outputs->begin(), grad_outputs->end());
  }
  try {
    autograd::check_gradients(g, inputs, {eps, atol, rtol, nondet_tol, undefined_grad, grad_dtypes, backward, forward});
  } catch (const autograd::GradcheckError& e) {
    return e.what();
  }
  return std::nullopt;
}

}  // namespace

void init_gradcheck(PyObject* object) {
  using nb::arg;
  nb::borrow<nb::module_>(object).def("_gradcheck", problem, arg("f"), arg("inputs"), arg("grad_outputs").none(),
                                      arg("eps"), arg("atol"), arg("rtol"), arg("nondet_tol"), arg("undefined_grad"),
                                      arg("grad_dtypes"), arg("backward"), arg("forward"));
}

}  // namespace taut::python
