// What gradcheck and gradgradcheck of both languages compute.
#pragma once
#include "taut/autograd.h"

namespace taut::autograd {

/// A gradient that is wrong.
class GradcheckError : public Error {
 public:
  using Error::Error;
};

struct GradcheckOptions {
  double eps = 1e-6, atol = 1e-5, rtol = 1e-3;
  double nondet_tol = 0;       // by how much a second backward may differ
  bool undefined_grad = true;  // may gradients of outputs be absent?
  bool grad_dtypes = false;    // must gradients have the dtypes of their inputs?
  bool backward = true, forward = false;
};

using DifferentiableFunction = std::function<variable_list(const variable_list&)>;

/// Compares the derivatives of `f` by autograd with finite differences, element by element; throws GradcheckError with
/// both matrices where they differ. An undefined input stands for something that is no tensor.
void check_gradients(const DifferentiableFunction& f, const variable_list& inputs,
                     const GradcheckOptions& options = {});
/// The gradients of `f` as a function of its inputs and of as many gradients of its outputs.
DifferentiableFunction gradients_of(const DifferentiableFunction& f, size_t grad_outputs);

}  // namespace taut::autograd
