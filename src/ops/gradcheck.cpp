// gradcheck and gradgradcheck: derivatives by finite differences, to compare with those of autograd.
#include "taut/autograd/gradcheck.h"

#include "ops/op.h"
#include "taut/core/maths.h"
#include "taut/print.h"

namespace taut::autograd {
namespace {

using Fn = DifferentiableFunction;
/// One matrix: a row per element of the input, a column per element of the output. Undefined when it has none.
using Matrix = Tensor;

Matrix stacked(const variable_list& parts, int64_t dim) { return parts.empty() ? Matrix() : stack(parts, dim); }

bool is_wanted(const Tensor& x) { return x.defined() && x.requires_grad(); }

/// Element `n` of a tensor, as a view without dimensions.
Tensor element(Tensor x, int64_t n) {
  for (int64_t left = x.numel(); x.dim() > 0;) {
    left /= x.size(0);
    x = x.select(0, n / left);
    n %= left;
  }
  return x;
}
Tensor one_hot_like(const Tensor& x, int64_t n) {
  const Tensor made = zeros(x.sizes(), x.scalar_type());
  element(made, n).fill_(1);
  return made;
}

/// Jacobians of the outputs in `which` with respect to inputs[i], by central differences.
std::vector<Matrix> numerical(const Fn& f, const variable_list& inputs, size_t i, const std::vector<size_t>& which,
                              double eps) {
  const auto evaluate = [&] {
    variable_list all;
    const variable_list outputs = f(inputs);
    for (const size_t o : which) all.push_back(outputs.at(o).detach().clone());
    return all;
  };
  std::vector<variable_list> rows(which.size());
  // .data(): the functions under test must not see that their input was written.
  const Tensor x = inputs[i].data();
  for (int64_t n = 0; n < x.numel(); ++n) {
    const Tensor place = element(x, n), kept = place.clone();
    struct Restore {
      const Tensor &place, &kept;
      ~Restore() { place.copy_(kept); }
    } restore{place, kept};
    place.copy_(kept + eps);
    const variable_list above = evaluate();
    place.copy_(kept - eps);
    const variable_list below = evaluate();
    for (size_t k = 0; k < which.size(); ++k) rows[k].push_back(((above[k] - below[k]) / (2 * eps)).reshape({-1}));
  }
  std::vector<Matrix> result;
  for (const variable_list& r : rows) result.push_back(stacked(r, 0));
  return result;
}

/// The Jacobians of one output with respect to inputs, by a backward for each of its elements.
std::vector<Matrix> analytical(const Tensor& output, const variable_list& wanted, bool* wrong_dtype = nullptr) {
  std::vector<variable_list> columns(wanted.size());
  for (int64_t n = 0; n < output.numel(); ++n) {
    const variable_list grads = grad({output}, wanted, {one_hot_like(output, n)}, true, false, true);
    for (size_t i = 0; i < wanted.size(); ++i) {
      const Tensor &g = grads[i], &x = wanted[i];
      if (g.defined()) {
        check<GradcheckError>(g.sizes() == x.sizes(), "gradcheck: Analytical gradient has incorrect size: ", g.sizes(),
                              " for an input of shape ", x.sizes());
        if (wrong_dtype && g.scalar_type() != x.scalar_type()) *wrong_dtype = true;
      }
      columns[i].push_back((g.defined() ? g.detach() : zeros(x.sizes(), x.scalar_type())).reshape({-1}));
    }
  }
  std::vector<Matrix> result;
  for (const variable_list& c : columns) result.push_back(stacked(c, 1));
  return result;
}

/// The same as numerical() by forward mode.
std::vector<Matrix> forward_columns(const Fn& f, const variable_list& inputs, size_t i,
                                    const std::vector<size_t>& which) {
  std::vector<variable_list> rows(which.size());
  for (int64_t n = 0; n < inputs[i].numel(); ++n) {
    const forward_ad::DualLevel level;
    variable_list duals = inputs;
    for (Tensor& x : duals)
      if (x.defined()) x = x.detach().requires_grad_(x.requires_grad());
    duals[i] = forward_ad::make_dual(duals[i], one_hot_like(duals[i], n));
    const variable_list outputs = f(duals);
    for (size_t k = 0; k < which.size(); ++k) {
      const auto [primal, tangent] = forward_ad::unpack_dual(outputs.at(which[k]));
      const Tensor row = tangent.defined() ? tangent : zeros(primal.sizes(), primal.scalar_type());
      rows[k].push_back(row.detach().reshape({-1}));
    }
  }
  std::vector<Matrix> result;
  for (const variable_list& r : rows) result.push_back(stacked(r, 0));
  return result;
}

void compare(const Matrix& a, const Matrix& n, size_t output, size_t input, const GradcheckOptions& o,
             const char* how = "") {
  if (!a.defined() || !n.defined()) return;
  check<GradcheckError>(a.sizes() == n.sizes() && a.to(kDouble).allclose(n.to(kDouble), o.rtol, o.atol), "Jacobian ",
                        how, "mismatch for output ", output, " with respect to input ", input, ",\nnumerical:", repr(n),
                        "\nanalytical:", repr(a), "\n");
}

void check_again(const Tensor& output, const variable_list& wanted, const std::vector<Matrix>& first,
                 double tolerance) {
  const std::vector<Matrix> again = analytical(output, wanted);
  for (size_t i = 0; i < wanted.size(); ++i)
    check<GradcheckError>(!first[i].defined() || ((first[i] - again[i]).abs() <= tolerance).all().item<bool>() ||
                              first[i].allclose(again[i], 0, tolerance, /*equal_nan=*/true),
                          "Backward is not reentrant, i.e., running backward with same input and grad_output multiple "
                          "times gives different values, although analytical gradient matches numerical gradient.The "
                          "tolerance for nondeterminism was ",
                          tolerance, ".");
}

/// A backward must cope with outputs whose gradient is not there, and take that for zeros.
void check_undefined(const variable_list& outputs, const variable_list& wanted) {
  for (size_t skip = 0; skip < outputs.size() && outputs.size() > 1; ++skip) {
    variable_list rest, nothing;
    for (size_t k = 0; k < outputs.size(); ++k)
      if (k != skip) rest.push_back(outputs[k]), nothing.push_back(zeros(outputs[k].sizes(), outputs[k].scalar_type()));
    for (const Tensor& g : grad(rest, wanted, nothing, true, false, true))
      check<GradcheckError>(!g.defined() || !(g != 0).any().item<bool>(),
                            "Expected all inputs to have zero gradient when the gradients of the outputs are zero or "
                            "undefined");
  }
}

/// The numbers of the inputs that require a gradient.
std::vector<size_t> checked_inputs(const variable_list& inputs) {
  std::vector<size_t> wanted;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& x = inputs[i];
    if (!is_wanted(x)) continue;
    for (int64_t d = 0; d < x.dim(); ++d)
      check(x.stride(d) != 0 || x.size(d) <= 1, "The ", i,
            "th input has a dimension with stride 0. gradcheck only supports inputs that are non-overlapping to be "
            "able to compute the numerical gradients correctly. You should call .contiguous on the input before "
            "passing it to gradcheck.");
    wanted.push_back(i);
  }
  check<ValueError>(!wanted.empty(),
                    "gradcheck expects at least one input tensor to require gradient, but none of them have "
                    "requires_grad=True.");
  return wanted;
}

/// The same function of real numbers: complex inputs and outputs as the pairs of their parts, whose Jacobian has all
/// there is to know.
Fn on_parts(const Fn& f, const variable_list& inputs) {
  std::vector<bool> joined;
  for (const Tensor& x : inputs) joined.push_back(x.defined() && x.is_complex());
  return [=](const variable_list& parts) {
    variable_list xs = parts;
    for (size_t i = 0; i < xs.size(); ++i)
      if (joined[i]) xs[i] = view_as_complex(parts[i]);
    variable_list ys = f(xs);
    for (Tensor& y : ys)
      if (y.defined() && y.is_complex()) y = view_as_real(resolve_conj(y));
    return ys;
  };
}
bool any_complex(const variable_list& list) {
  return std::any_of(list.begin(), list.end(), [](const Tensor& t) { return t.defined() && t.is_complex(); });
}

variable_list differentiable(const variable_list& outputs) {
  variable_list kept;
  for (const Tensor& y : outputs)
    if (is_wanted(y)) kept.push_back(y);
  return kept;
}

}  // namespace

void check_gradients(const Fn& f, const variable_list& inputs, const GradcheckOptions& o) {
  EnableGradGuard guard;
  const std::vector<size_t> positions = checked_inputs(inputs);
  variable_list wanted, outputs = f(inputs);
  if (any_complex(inputs) || any_complex(outputs)) {
    variable_list parts = inputs;
    for (Tensor& x : parts)
      if (x.defined() && x.is_complex()) x = view_as_real(resolve_conj(x.detach())).requires_grad_(x.requires_grad());
    return check_gradients(on_parts(f, inputs), parts, o);
  }
  for (const size_t i : positions) wanted.push_back(inputs[i]);
  std::vector<size_t> which, constant;
  for (size_t k = 0; k < outputs.size(); ++k) {
    if (is_wanted(outputs[k])) which.push_back(k);
    else if (outputs[k].defined() && outputs[k].is_floating_point()) constant.push_back(k);
  }
  if (which.empty()) {  // then nothing may depend on the inputs
    for (const size_t i : positions)
      for (const Matrix& m : numerical(f, inputs, i, constant, o.eps))
        check<GradcheckError>(!m.defined() || !(m.abs() > 1e-5).any().item<bool>(),
                              "Numerical gradient for function expected to be zero");
    return;
  }
  std::vector<std::vector<Matrix>> by_differences;
  for (const size_t i : positions) by_differences.push_back(numerical(f, inputs, i, which, o.eps));
  outputs = f(inputs);  // again: the inputs were written meanwhile
  for (size_t k = 0; k < which.size() && o.backward; ++k) {
    const Tensor& output = outputs.at(which[k]);
    bool wrong_dtype = false;
    const std::vector<Matrix> by_autograd = analytical(output, wanted, &wrong_dtype);
    for (size_t i = 0; i < wanted.size(); ++i) compare(by_autograd[i], by_differences[i][k], which[k], positions[i], o);
    check<GradcheckError>(!wrong_dtype || !o.grad_dtypes, "Gradient has dtype mismatch");
    check_again(output, wanted, by_autograd, o.nondet_tol);
  }
  if (o.backward && o.undefined_grad) check_undefined(differentiable(outputs), wanted);
  for (size_t i = 0; i < positions.size() && o.forward; ++i) {
    const std::vector<Matrix> by_forward_mode = forward_columns(f, inputs, positions[i], which);
    for (size_t k = 0; k < which.size(); ++k)
      compare(by_forward_mode[k], by_differences[i][k], which[k], positions[i], o, "computed with forward mode ");
  }
}

Fn gradients_of(const Fn& f, size_t grad_outputs) {
  return [=](const variable_list& all) {
    variable_list inputs(all.begin(), all.end() - static_cast<int64_t>(grad_outputs)), wanted, kept;
    const variable_list seeds(all.end() - static_cast<int64_t>(grad_outputs), all.end());
    for (Tensor& x : inputs)
      if (is_wanted(x)) wanted.push_back(x = x.view_as(x));
    const variable_list outputs = differentiable(f(inputs));
    if (outputs.empty()) return kept;
    for (Tensor& g : grad(outputs, wanted, seeds, true, true, true))
      if (g.defined()) kept.push_back(std::move(g));
    return kept;
  };
}

bool gradcheck(const Fn& f, const variable_list& inputs, double eps, double atol, double rtol, bool raise_exception) {
  try {
    for (size_t i = 0; i < inputs.size(); ++i)
      check<TypeError>(!is_wanted(inputs[i]) || value_type(inputs[i].scalar_type()) == kDouble, "gradcheck: input ", i,
                       " requires gradient and is not a double precision floating point: it is ",
                       is_wanted(inputs[i]) ? inputs[i].scalar_type() : kDouble,
                       ", where finite differences say nothing. Convert it with .to(kDouble).");
    check_gradients(f, inputs, {.eps = eps, .atol = atol, .rtol = rtol});
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
      const Tensor g = zeros(y.sizes(), y.scalar_type());
      const Tensor parts = g.is_complex() ? view_as_real(g) : g;
      for (int64_t n = 0; n < parts.numel(); ++n)
        element(parts, n).fill_(maths::sin(static_cast<double>(++count) * 1.7) + 0.3);
      cotangents.push_back(g.requires_grad_());
    }
  }
  all.insert(all.end(), cotangents.begin(), cotangents.end());
  return gradcheck(gradients_of(f, cotangents.size()), all, eps, atol, rtol, raise_exception);
}

}  // namespace taut::autograd
