// gradcheck and gradgradcheck: derivatives by finite differences, to compare with those of autograd.
#include <cmath>
#include <cstdio>

#include "ops/op.h"
#include "taut/core/maths.h"

namespace taut::autograd {
namespace {

using Fn = std::function<variable_list(const variable_list&)>;

/// The elements of a float64 tensor in order, as places in memory.
std::vector<double*> places(const Tensor& x) {
  std::vector<double*> list;
  const int64_t n = x.numel();
  list.reserve(static_cast<size_t>(n));
  double* base = static_cast<double*>(x.data_ptr());
  for (int64_t i = 0; i < n; ++i) {
    int64_t rest = i, at = 0;
    for (int64_t d = x.dim() - 1; d >= 0; --d) at += rest % x.size(d) * x.stride(d), rest /= x.size(d);
    list.push_back(base + at);
  }
  return list;
}

std::vector<double> values(const Tensor& x) {
  std::vector<double> list;
  const Tensor y = x.detach().to(kDouble);
  for (const double* p : places(y)) list.push_back(*p);
  return list;
}

/// One Jacobian: a row per element of the input, a column per element of the output.
struct Matrix {
  size_t rows, cols;
  std::vector<double> v;
  Matrix(size_t r, size_t c) : rows(r), cols(c), v(r * c) {}
  double& at(size_t r, size_t c) { return v[r * cols + c]; }
  std::string text() const {
    std::string s = "tensor([";
    for (size_t r = 0; r < rows; ++r) {
      s += r ? ",\n        [" : "[";
      for (size_t c = 0; c < cols; ++c) {
        char buffer[32];
        std::snprintf(buffer, sizeof buffer, "%s%.4f", c ? ", " : "", v[r * cols + c]);
        s += buffer;
      }
      s += "]";
    }
    return s + "], dtype=torch.float64)";
  }
  friend std::ostream& operator<<(std::ostream& out, const Matrix& m) { return out << m.text(); }
};

variable_list differentiable(const variable_list& outputs) {
  variable_list kept;
  for (const Tensor& y : outputs)
    if (y.defined() && y.is_floating_point() && y.requires_grad()) kept.push_back(y);
  return kept;
}

/// Jacobians of every differentiable output with respect to inputs[i].
std::vector<Matrix> numerical(const Fn& f, const variable_list& inputs, size_t i, const std::vector<bool>& chosen,
                              double eps) {
  const auto evaluate = [&] {
    std::vector<std::vector<double>> all;
    const variable_list outputs = f(inputs);
    for (size_t k = 0; k < outputs.size() && k < chosen.size(); ++k)
      if (chosen[k]) all.push_back(values(outputs[k]));
    return all;
  };
  std::vector<Matrix> result;
  const std::vector<double*> elements = places(inputs[i]);
  for (const auto& y : evaluate()) result.emplace_back(elements.size(), y.size());
  for (size_t r = 0; r < elements.size(); ++r) {
    const double x = *elements[r];
    *elements[r] = x + eps;
    const auto above = evaluate();
    *elements[r] = x - eps;
    const auto below = evaluate();
    *elements[r] = x;
    for (size_t k = 0; k < result.size(); ++k)
      for (size_t c = 0; c < result[k].cols; ++c) result[k].at(r, c) = (above[k][c] - below[k][c]) / (2 * eps);
  }
  return result;
}

/// The Jacobian of one output with respect to every input that needs a gradient, a row of ones and zeros at a time.
std::vector<Matrix> analytical(const Tensor& output, const variable_list& wanted) {
  std::vector<Matrix> result;
  const auto columns = static_cast<size_t>(output.numel());
  for (const Tensor& x : wanted) result.emplace_back(static_cast<size_t>(x.numel()), columns);
  for (size_t c = 0; c < columns; ++c) {
    const Tensor pick = zeros(output.sizes(), output.scalar_type());
    pick.view(IntArrayRef{-1}).select(0, static_cast<int64_t>(c)).fill_(1);
    const variable_list grads = grad({output}, wanted, {pick}, true, false, true);
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (!grads[i].defined()) continue;
      check(grads[i].sizes() == wanted[i].sizes(),
            "gradcheck: Analytical gradient has incorrect size: ", grads[i].sizes(), " for an input of shape ",
            wanted[i].sizes());
      const std::vector<double> g = values(grads[i]);
      for (size_t r = 0; r < g.size(); ++r) result[i].at(r, c) = g[r];
    }
  }
  return result;
}

bool close(double a, double b, double atol, double rtol) {
  if (std::isnan(a) && std::isnan(b)) return true;
  return a == b || std::abs(a - b) <= atol + rtol * std::abs(b);
}

/// The inputs that require a gradient, by their numbers.
std::vector<size_t> checked_inputs(const variable_list& inputs) {
  std::vector<size_t> wanted;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& x = inputs[i];
    if (!x.defined() || !x.requires_grad()) continue;
    check<TypeError>(x.scalar_type() == kDouble, "gradcheck: input ", i,
                     " requires gradient and is not a double precision floating point: it is ", x.scalar_type(),
                     ", where finite differences say nothing. Convert it with .to(kDouble).");
    for (int64_t d = 0; d < x.dim(); ++d)
      check(x.stride(d) != 0 || x.size(d) <= 1, "gradcheck: The ", i,
            "th input has a dimension with stride 0. gradcheck only supports inputs that are "
            "non-overlapping to be able to compute the numerical gradients correctly. You should call .contiguous on "
            "the input before passing it to gradcheck.");
    wanted.push_back(i);
  }
  check<ValueError>(
      !wanted.empty(),
      "gradcheck expects at least one input tensor to require gradient, but none of the them have requires_grad=True.");
  return wanted;
}

/// The same twice, which must give the same.
std::vector<Matrix> analytical_twice(const Tensor& output, const variable_list& wanted) {
  std::vector<Matrix> once = analytical(output, wanted);
  const std::vector<Matrix> again = analytical(output, wanted);
  for (size_t i = 0; i < wanted.size(); ++i)
    check(std::equal(again[i].v.begin(), again[i].v.end(), once[i].v.begin(),
                     [](double a, double b) { return a == b || (a != a && b != b); }),
          "gradcheck: Backward is not reentrant, i.e., running backward with same input and grad_output multiple "
          "times gives different values, "
          "although analytical gradient matches numerical gradient.");
  return once;
}

void compare(const Fn& f, const variable_list& inputs, double eps, double atol, double rtol) {
  const std::vector<size_t> position = checked_inputs(inputs);
  variable_list wanted;
  for (size_t i : position) wanted.push_back(inputs[i]);

  const variable_list outputs = f(inputs);
  std::vector<bool> chosen;
  for (const Tensor& y : outputs) chosen.push_back(y.defined() && y.is_floating_point() && y.requires_grad());
  const variable_list kept = differentiable(outputs);
  if (kept.empty()) {  // then nothing may depend on the inputs
    const std::vector<bool> all(outputs.size(), true);
    for (size_t i : position)
      for (const Matrix& m : numerical(f, inputs, i, all, eps))
        for (double v : m.v)
          check(v == 0, "gradcheck: Numerical gradient for function expected to be zero, but input ", i, " has ", v);
    return;
  }
  std::vector<std::vector<Matrix>> by_autograd;
  for (const Tensor& y : kept) by_autograd.push_back(analytical_twice(y, wanted));
  for (size_t i = 0; i < wanted.size(); ++i) {
    const std::vector<Matrix> by_differences = numerical(f, inputs, position[i], chosen, eps);
    for (size_t k = 0; k < kept.size(); ++k) {
      const Matrix &n = by_differences[k], &a = by_autograd[k][i];
      for (size_t e = 0; e < n.v.size(); ++e)
        check(close(a.v[e], n.v[e], atol, rtol), "Jacobian mismatch for output ", k, " with respect to input ",
              position[i], ",\nnumerical:", n, "\nanalytical:", a, "\n");
    }
  }
}

}  // namespace

bool gradcheck(const Fn& f, const variable_list& inputs, double eps, double atol, double rtol, bool raise_exception) {
  EnableGradGuard guard;
  try {
    compare(f, inputs, eps, atol, rtol);
    return true;
  } catch (const Error&) {
    if (raise_exception) throw;
    return false;
  }
}

bool gradgradcheck(const Fn& f, const variable_list& inputs, const variable_list& grad_outputs, double eps, double atol,
                   double rtol, bool raise_exception) {
  EnableGradGuard guard;
  variable_list all = inputs, cotangents = grad_outputs;
  if (cotangents.empty()) {
    // Any fixed numbers without a pattern will do, and the same ones every time make a failure repeatable.
    int64_t count = 0;
    for (const Tensor& y : differentiable(f(inputs))) {
      Tensor g = zeros(y.sizes(), y.scalar_type());
      for (double* p : places(g)) *p = maths::sin(static_cast<double>(++count) * 1.7) + 0.3;
      cotangents.push_back(g.requires_grad_());
    }
  }
  const size_t n = inputs.size();
  all.insert(all.end(), cotangents.begin(), cotangents.end());
  const auto gradients = [&](const variable_list& xs) {
    const variable_list first(xs.begin(), xs.begin() + static_cast<int64_t>(n)),
        seeds(xs.begin() + static_cast<int64_t>(n), xs.end());
    variable_list wanted;
    for (const Tensor& x : first)
      if (x.defined() && x.requires_grad()) wanted.push_back(x);
    variable_list kept;
    const variable_list outputs = differentiable(f(first));
    if (outputs.empty()) return kept;
    for (Tensor& g : grad(outputs, wanted, seeds, std::nullopt, true, true))
      if (g.defined()) kept.push_back(std::move(g));
    return kept;
  };
  return gradcheck(gradients, all, eps, atol, rtol, raise_exception);
}

}  // namespace taut::autograd
