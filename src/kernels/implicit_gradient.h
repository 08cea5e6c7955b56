// How a drawn number moves with the parameter of its distribution, at a fixed quantile: -(dF/dparameter) / density.
#pragma once

namespace taut::implicit {

/// Of x drawn from the gamma distribution of this shape and rate 1.
double gamma_by_shape(double shape, double x);
/// Of x drawn from the beta distribution (alpha, total - alpha), with respect to alpha, divided by 1 - x: from these
/// the gradient of a Dirichlet distribution is put together.
template <class T>
T beta_by_alpha(T x, T alpha, T total);
extern template float beta_by_alpha(float x, float alpha, float total);
extern template double beta_by_alpha(double x, double alpha, double total);

}  // namespace taut::implicit
