// Every sample of every op that autograd records: first and second derivatives against finite differences, and that
// they do not depend on memory layouts, on the precision, or on one tensor being passed twice.
#include <cmath>

#include "support/sweep.h"

namespace taut::test {
namespace {

constexpr Tolerance kDifferences{1e-6, 1e-7};
constexpr Tolerance kExact{1e-11, 1e-12};

/// The absolute part of a tolerance for finite differences: relative to 1 at least, as their noise is.
std::string near(const Tensors& got, const Tensors& want) {
  if (got.size() != want.size()) return str("got ", got.size(), " tensors, want ", want.size());
  for (size_t i = 0; i < got.size(); ++i) {
    const std::vector<double> a = values_of(got[i]), b = values_of(want[i]);
    double largest = 1;
    for (double v : b)
      if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
    for (size_t k = 0; k < a.size(); ++k)
      if (!(std::abs(a[k] - b[k]) <= kDifferences.relative * std::abs(b[k]) + 10 * kDifferences.absolute * largest))
        return str("input ", i, ", element ", k, "\n    autograd    ", describe(got[i]), "\n    differences ",
                   describe(want[i]));
  }
  return {};
}

/// Not at an edge, where a finite difference would say something else than the derivative.
bool smooth(const Function& f) {
  return !f.sample().has_float_literal() && !f.sample().is_symmetric() && f.all_of(kDouble) && f.is_finite();
}

enum class Layout { Transposed, Strided, Expanded };
constexpr std::pair<Layout, const char*> kLayouts[] = {
    {Layout::Transposed, "transposed"}, {Layout::Strided, "strided"}, {Layout::Expanded, "expanded"}};

/// The same values (for Expanded: values repeated) in another order of memory.
Tensor laid_out(const Tensor& x, Layout layout) {
  std::vector<int64_t> sizes = x.sizes().vec(), strides(sizes.size());
  if (layout == Layout::Expanded) {
    for (size_t d = 0; d < sizes.size(); ++d)
      if (sizes[d] > 1) return x.narrow(static_cast<int64_t>(d), 0, 1).contiguous().expand(sizes);
    return x;
  }
  int64_t n = 1;
  const bool strided = layout == Layout::Strided;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const size_t d = strided ? sizes.size() - 1 - i : i;  // transposed: the first dimension is the densest
    strides[d] = strided ? 2 * n : n;
    n *= std::max<int64_t>(sizes[d], 1) * (strided ? 2 : 1);
  }
  const Tensor y = zeros({n + 1}, x.scalar_type()).as_strided(sizes, strides, strided ? 1 : 0);
  y.copy_(x);
  return y;
}
bool changes(const Tensor& x, Layout layout) {
  return x.numel() > 0 && (layout == Layout::Strided || x.dim() > (layout == Layout::Transposed ? 1 : 0));
}

/// Ops whose meaning depends on the memory of their input.
bool reads_memory(const std::string& name) {
  return among(name, {"as_strided", "as_strided_", "as_strided_copy", "as_strided_scatter", "view", "view_as",
                      "view_as_complex", "view_copy"});
}

class Gradients : public Sweep {};

TEST_P(Gradients, MatchFiniteDifferences) {
  each_function({}, [](const Function& f) -> std::string {
    if (!smooth(f)) return {};
    if (f.sample().name().starts_with("ctc_loss")) return {};  // as PyTorch's: that of a log_softmax before it
    const Tensors x = f.leaves(), w = f.cotangents();
    return near(f.gradients(x, w), finite_differences(f, x, w));
  });
}

TEST_P(Gradients, AreTheSameWhenTheyAreRecorded) {
  each_function({}, [](const Function& f) -> std::string {
    const Tensors x = f.leaves(), w = f.cotangents();
    return difference(f.gradients(x, w, true), f.gradients(x, w), kExact);
  });
}

TEST_P(Gradients, OfGradientsMatchFiniteDifferences) {
  each_function({}, [](const Function& f) -> std::string {
    if (!smooth(f)) return {};
    const Tensors x = f.leaves(), v = f.tangents();
    Tensors all = x;
    for (const Tensor& w : f.cotangents()) all.push_back(Tensor(w).requires_grad_());
    const auto gradients = [&](const Tensors& xw, bool create_graph) {
      const auto split = xw.begin() + static_cast<int64_t>(x.size());
      return f.gradients({xw.begin(), split}, {split, xw.end()}, create_graph);
    };
    Tensors first, seeds;
    const Tensors g = gradients(all, true);
    for (size_t i = 0; i < g.size(); ++i)
      if (g[i].requires_grad()) first.push_back(g[i]), seeds.push_back(v[i]);
    if (first.empty()) return {};
    Tensors second = autograd::grad(first, all, seeds, std::nullopt, false, true);
    for (size_t i = 0; i < second.size(); ++i)
      if (!second[i].defined()) second[i] = zeros(all[i].sizes(), all[i].options());
    return near(second, finite_differences([&](const Tensors& xw) { return gradients(xw, false); }, all, v));
  });
}

TEST_P(Gradients, DoNotDependOnTheLayoutOfInputs) {
  each([](const Sample& s) -> std::string {
    if (reads_memory(s.name())) return {};
    const std::vector<Value> arguments = s.arguments();
    const Tensors inputs = tensors_in(arguments);
    for (const auto& [layout, name] : kLayouts) {
      bool any = false;
      Tensors moved, plain;
      for (const Tensor& x : inputs) {
        any |= changes(x, layout);
        moved.push_back(changes(x, layout) ? laid_out(x, layout) : x);
        plain.push_back(moved.back().contiguous());
      }
      if (!any) continue;
      Tensors want, got;
      try {
        want = s.tensors(with_tensors(arguments, plain));
      } catch (const Error&) {
        continue;  // repeated values may be no legal input
      }
      got = s.tensors(with_tensors(arguments, moved));
      if (unpredictable(s.name())) continue;
      if (const std::string d = difference(got, want, kExact); !d.empty()) return str("values, inputs ", name, ": ", d);
      const auto f = Function::of(s, arguments, plain), g = Function::of(s, arguments, moved);
      if (!f != !g) return str("recorded for one layout only, inputs ", name);
      if (!f) continue;
      if (const std::string d = difference(g->gradients(g->leaves(), f->cotangents()),
                                           f->gradients(f->leaves(), f->cotangents()), kExact);
          !d.empty())
        return str("gradients, inputs ", name, ": ", d);
    }
    return {};
  });
}

TEST_P(Gradients, DoNotDependOnTheLayoutOfTheIncomingGradient) {
  each_function({}, [](const Function& f) -> std::string {
    const Tensors x = f.leaves(), w = f.cotangents();
    for (const auto& [layout, name] : kLayouts) {
      Tensors moved, plain;
      for (const Tensor& t : w) {
        if (layout == Layout::Expanded && t.numel() > 0)
          moved.push_back(full({}, 1.25, t.scalar_type()).expand(t.sizes()));
        else moved.push_back(changes(t, layout) ? laid_out(t, layout) : t);
        plain.push_back(moved.back().contiguous());
      }
      if (const std::string d = difference(f.gradients(x, moved), f.gradients(x, plain), kExact); !d.empty())
        return str("gradient of the result ", name, ": ", d);
    }
    return {};
  });
}

TEST_P(Gradients, ExistForEachOutputAlone) {
  each_function({}, [](const Function& f) -> std::string {
    if (f.outputs().size() < 2) return {};
    const Tensors x = f.leaves(), w = f.cotangents();
    const Tensors want = f.gradients(x, w);
    Tensors sum(x.size());
    for (size_t k = 0; k < w.size(); ++k) {
      const Tensors part = autograd::grad({f(x)[k]}, x, {w[k]}, std::nullopt, false, true);
      for (size_t i = 0; i < x.size(); ++i)
        if (part[i].defined()) sum[i] = sum[i].defined() ? sum[i] + part[i] : part[i];
    }
    for (size_t i = 0; i < x.size(); ++i)
      if (!sum[i].defined()) sum[i] = zeros(x[i].sizes(), x[i].scalar_type());
    return difference(sum, want, {1e-9, 1e-10});
  });
}

TEST_P(Gradients, InFloat32AgreeWithFloat64) {
  each_function({.dtype = kFloat}, [](const Function& f) -> std::string {
    const std::vector<Value> arguments = f.sample().arguments({.dtype = kFloat});
    Tensors doubles;
    for (const Tensor& t : tensors_in(arguments))
      doubles.push_back(value_type(t.scalar_type()) == kFloat ? t.to(t.is_complex() ? kComplexDouble : kDouble) : t);
    const auto g = Function::of(f.sample(), arguments, doubles);
    if (!g) return "not recorded for float64";
    const Tensors got = f.gradients(f.leaves(), f.cotangents()), want = g->gradients(g->leaves(), g->cotangents());
    for (size_t i = 0; i < got.size(); ++i)
      if (const std::string d = difference(got[i], want[i], {1e-4, 1e-5}, false); !d.empty())
        return str("input ", i, ": ", d);
    return {};
  });
}

TEST_P(Gradients, AddUpWhenATensorIsPassedTwice) {
  each_function({}, [](const Function& f) -> std::string {
    if (f.sample().in_place()) return {};
    const Tensors x = f.leaves();
    for (size_t i = 0; i < x.size(); ++i)
      for (size_t j = i + 1; j < x.size(); ++j) {
        if (x[i].sizes() != x[j].sizes() || x[i].scalar_type() != x[j].scalar_type()) continue;
        Tensors apart = x, same = x;
        apart[j] = x[i].detach().clone().requires_grad_();
        same[j] = same[i];
        Tensors want;
        try {
          want = f.gradients(apart, f.cotangents());
        } catch (const Error&) {
          continue;  // equal values may be no legal input
        }
        Tensors wanted_inputs{same[i]};
        Tensors got = autograd::grad(f(same), wanted_inputs, f.cotangents(), std::nullopt, false, true);
        if (!got[0].defined()) got[0] = zeros(x[i].sizes(), x[i].scalar_type());
        if (const std::string d = difference(got[0], want[i] + want[j], {1e-9, 1e-10}); !d.empty())
          return str("inputs ", i, " and ", j, " the same: ", d);
      }
    return {};
  });
}

TAUT_SWEEP(Gradients);

// A sweep that skips everything would pass: most ops have a derivative, and most of their samples are compared.
TEST(SweepItself, ComparesMostSamplesWithFiniteDifferences) {
  size_t ops = 0, all = 0, compared = 0;
  for (const OpEntry* op : all_ops()) {
    bool any = false;
    for (const Sample& s : samples_of(*op)) {
      const auto f = Function::of(s);
      if (!f) continue;
      any = true;
      ++all;
      compared += smooth(*f);
    }
    ops += any;
  }
  EXPECT_GT(ops, all_ops().size() / 2);
  EXPECT_GT(compared, all * 7 / 10);
}

}  // namespace
}  // namespace taut::test
