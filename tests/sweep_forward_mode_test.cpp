// Every sample of every op that autograd records, in forward mode: tangents are the transpose of gradients, and second
// derivatives are the same whichever way the two modes are nested.
#include <cmath>

#include "support/sweep.h"

namespace taut::test {
namespace {

class ForwardMode : public Sweep {};

/// Finite and of one dtype: at edges inf - inf says nothing.
bool usable(const Function& f) { return f.all_of(kDouble) && !f.sample().has_float_literal() && f.is_finite(); }

bool close(double a, double b, double tolerance) {
  return a == b || std::abs(a - b) <= tolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

Tensors zeros_where_undefined(Tensors t, const Tensors& like) {
  for (size_t i = 0; i < t.size(); ++i)
    if (!t[i].defined()) t[i] = zeros(like[i].sizes(), like[i].scalar_type());
  return t;
}

TEST_P(ForwardMode, TangentsAreTheTransposeOfGradients) {
  each_function({}, [](const Function& f) -> std::string {
    if (!usable(f)) return {};
    const Tensors x = f.leaves(), v = f.tangents(), w = f.cotangents();
    const auto [values, tangents] = autograd::jvp(f, x, v);
    for (size_t k = 0; k < tangents.size(); ++k)
      if (tangents[k].defined() && tangents[k].sizes() != f.outputs()[k].sizes())
        return str("a tangent has shape ", tangents[k].sizes(), ", its result ", f.outputs()[k].sizes());
    const double forward = dot(w, tangents), reverse = dot(f.gradients(x, w), v);
    if (!close(forward, reverse, 1e-9)) return str("<w, J v> = ", forward, ", <J^T w, v> = ", reverse);
    return {};
  });
}

TEST_P(ForwardMode, OverReverseAndUnderReverseGiveTheSameSecondDerivatives) {
  each_function({}, [](const Function& f) -> std::string {
    if (!usable(f) || f.sample().is_hermitian()) return {};
    const Tensors x = f.leaves(), v = f.tangents(), w = f.cotangents();
    // Reverse over reverse.
    Tensors first, seeds, want(x.size());
    const Tensors g = f.gradients(x, w, true);
    for (size_t i = 0; i < g.size(); ++i)
      if (g[i].requires_grad()) first.push_back(g[i]), seeds.push_back(v[i]);
    if (!first.empty()) want = autograd::grad(first, x, seeds, std::nullopt, false, true);
    want = zeros_where_undefined(want, x);
    // Forward over reverse.
    const auto [values, over] = autograd::jvp([&](const Tensors& duals) { return f.gradients(duals, w, true); }, x, v);
    if (const std::string d = difference(zeros_where_undefined(over, x), want, {1e-8, 1e-9}); !d.empty())
      return "forward over reverse: " + d;
    // Reverse over forward.
    const auto [same, tangents] = autograd::jvp(f, x, v);
    Tensors followed, weights;
    for (size_t k = 0; k < tangents.size(); ++k)
      if (tangents[k].defined() && tangents[k].requires_grad())
        followed.push_back(tangents[k]), weights.push_back(w[k]);
    Tensors under(x.size());
    if (!followed.empty()) under = autograd::grad(followed, x, weights, std::nullopt, false, true);
    if (const std::string d = difference(zeros_where_undefined(under, x), want, {1e-8, 1e-9}); !d.empty())
      return "reverse over forward: " + d;
    return {};
  });
}

TAUT_SWEEP(ForwardMode);

}  // namespace
}  // namespace taut::test
