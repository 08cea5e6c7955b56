// Gradients of sample calls, finite differences, comparisons.
#include "support/sweep.h"

#include <cmath>

namespace taut::test {

std::optional<Function> Function::of(const Sample& sample, const Make& make) {
  const std::vector<Value> arguments = sample.arguments(make);
  return of(sample, arguments, tensors_in(arguments));
}

std::optional<Function> Function::of(const Sample& sample, const std::vector<Value>& arguments,
                                     const Tensors& tensors) {
  Function f(sample);
  f.arguments_ = arguments;
  f.tensors_ = tensors;
  for (size_t i = 0; i < tensors.size(); ++i)
    if (is_differentiable(tensors[i].scalar_type())) f.floats_.push_back(i);
  if (f.floats_.empty()) return std::nullopt;
  const Tensors leaves = f.leaves();
  Tensors all = f.tensors_;
  for (size_t i = 0; i < leaves.size(); ++i) all[f.floats_[i]] = leaves[i];
  Tensors outputs;
  try {
    outputs = sample.tensors(with_tensors(arguments, all));
  } catch (const Error&) {
    return std::nullopt;  // the golden data say whether it should
  }
  for (size_t k = 0; k < outputs.size(); ++k)
    if (outputs[k].defined() && outputs[k].requires_grad())
      f.kept_.push_back(k), f.outputs_.push_back(outputs[k].detach());
  if (f.kept_.empty()) return std::nullopt;
  return f;
}

Tensors Function::leaves() const {
  Tensors list;
  for (size_t i : floats_) list.push_back(tensors_[i].detach().requires_grad_());
  return list;
}

Tensors Function::operator()(const Tensors& floats) const {
  Tensors all = tensors_;
  for (size_t i = 0; i < floats.size(); ++i) all[floats_[i]] = floats[i];
  const Tensors outputs = sample_.tensors(with_tensors(arguments_, all));
  Tensors list;
  for (size_t k : kept_) list.push_back(outputs.at(k));
  return list;
}

Tensors Function::gradients(const Tensors& floats, const Tensors& cotangents, bool create_graph) const {
  Tensors grads = autograd::grad((*this)(floats), floats, cotangents, std::nullopt, create_graph, true);
  for (size_t i = 0; i < grads.size(); ++i)
    if (!grads[i].defined()) grads[i] = zeros(floats[i].sizes(), floats[i].scalar_type());
  return grads;
}

Tensors Function::cotangents(int seed) const {
  Tensors list;
  for (size_t k = 0; k < kept_.size(); ++k)
    list.push_back(
        numbers(Kind::Any, seed + static_cast<int>(kept_[k]), outputs_[k].sizes(), outputs_[k].scalar_type()));
  return list;
}
Tensors Function::tangents(int seed) const {
  Tensors list;
  for (size_t i : floats_)
    list.push_back(numbers(Kind::Any, seed + static_cast<int>(i), tensors_[i].sizes(), tensors_[i].scalar_type()));
  return list;
}

bool Function::all_of(ScalarType dtype) const {
  for (size_t i : floats_)
    if (value_type(tensors_[i].scalar_type()) != dtype) return false;
  for (const Tensor& y : outputs_)
    if (value_type(y.scalar_type()) != dtype) return false;
  return true;
}

bool Function::is_finite() const {
  for (const Tensor& y : outputs_)
    for (double v : values_of(y))
      if (!std::isfinite(v)) return false;
  return true;
}

double dot(const Tensors& a, const Tensors& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!a[i].defined() || !b[i].defined()) continue;
    const std::vector<double> x = values_of(a[i]), y = values_of(b[i]);
    for (size_t k = 0; k < x.size(); ++k) sum += x[k] * y[k];
  }
  return sum;
}

std::string difference(const Tensor& got, const Tensor& want, Tolerance tolerance, bool same_dtype) {
  const auto both = [&](const char* what) {
    return str(what, "\n    got  ", describe(got), "\n    want ", describe(want));
  };
  if (got.defined() != want.defined()) return both("one is undefined");
  if (!got.defined()) return {};
  if (got.sizes() != want.sizes()) return both("shapes differ");
  if (same_dtype && got.scalar_type() != want.scalar_type()) return both("dtypes differ");
  const std::vector<double> a = values_of(got), b = values_of(want);
  double largest = 0.1;  // so that a zero need not be one exactly
  for (double v : b)
    if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
  for (size_t k = 0; k < a.size(); ++k) {
    if (a[k] == b[k] || (std::isnan(a[k]) && std::isnan(b[k]))) continue;
    if (!(std::abs(a[k] - b[k]) <= tolerance.relative * std::abs(b[k]) + tolerance.absolute * largest) ||
        std::isinf(b[k]))
      return both(str("values differ at ", k).c_str());
  }
  return {};
}
std::string difference(const Tensors& got, const Tensors& want, Tolerance tolerance) {
  if (got.size() != want.size()) return str("got ", got.size(), " tensors, want ", want.size());
  for (size_t i = 0; i < got.size(); ++i)
    if (const std::string d = difference(got[i], want[i], tolerance); !d.empty()) return str("tensor ", i, ": ", d);
  return {};
}

Tensors finite_differences(const std::function<Tensors(const Tensors&)>& f, const Tensors& x, const Tensors& weights) {
  constexpr double h = 1e-5;
  Tensors result;
  Tensors moved;
  for (const Tensor& t : x) moved.push_back(t.detach().clone().requires_grad_(t.requires_grad()));
  for (size_t i = 0; i < x.size(); ++i) {
    const Tensor slope = zeros(x[i].sizes(), x[i].options());
    const std::vector<double> values = values_of(x[i]);
    auto* out = static_cast<double*>(slope.data_ptr());  // of complex numbers first the real part, then the imaginary
    for (size_t k = 0; k < values.size(); ++k) {
      const Tensor before = moved[i];
      const auto at = [&](double v) {
        const Tensor t = empty(x[i].sizes(), x[i].options());
        auto* const elements = static_cast<double*>(t.data_ptr());
        std::copy(values.begin(), values.end(), elements);
        elements[k] = v;
        moved[i] = t.requires_grad_();
        return dot(f(moved), weights);
      };
      out[k] = (at(values[k] + h) - at(values[k] - h)) / (2 * h);
      moved[i] = before;
    }
    result.push_back(slope);
  }
  return result;
}

bool among(const std::string& name, std::initializer_list<const char*> names) {
  const std::string base = name.substr(0, name.find('.'));
  for (const char* n : names)
    if (name == n || base == n) return true;
  return false;
}

namespace {

std::vector<double> counts(const Sample& s, int64_t scale) {
  const std::vector<Value> arguments = s.arguments({.dtype = kFloat, .scale = scale});
  std::vector<double> n;
  for (const Tensor& t : tensors_in(arguments)) n.push_back(static_cast<double>(t.numel()));
  for (const Tensor& t : s.tensors(arguments)) n.push_back(static_cast<double>(t.numel()));
  return n;
}
}  // namespace

/// Doubling all sizes shows with which power each tensor grows.
int64_t scale_of(const Sample& s, double most) {
  const std::vector<double> once = counts(s, 1), twice = counts(s, 2);
  double scale = most;
  for (size_t i = 0; i < std::min(once.size(), twice.size()); ++i)
    if (once[i] > 0 && twice[i] > once[i])
      scale = std::min(scale, std::pow(most / once[i], 1 / std::log2(twice[i] / once[i])));
  return scale == most ? 1 : static_cast<int64_t>(scale);
}

void spoil_memory() {
  Tensors blocks;  // of every size that samples are likely to ask for
  for (int64_t n = 4; n <= 4096; n += (n + 3) / 4)
    for (int i = 0; i < 2; ++i) blocks.push_back(full({n}, std::numeric_limits<double>::quiet_NaN(), kFloat));
}

}  // namespace taut::test
