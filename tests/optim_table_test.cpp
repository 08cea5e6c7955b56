// The table of optimisers, row by row: whoever is in it has golden data, and its step holds for every dtype, layout and
// group, when maximising, recorded, and saved in mid-run. python/tests/test_optim_table.py does the same in Python, and
// both have the bits of tests/golden/optim_bits.txt.
#include "taut/optim/table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "support/certificate.h"
#include "support/paths.h"
#include "taut/taut.h"

namespace taut {
namespace {

using namespace optim;

// ---- An optimiser of any row, made of the table alone.

struct AnyOptions : OptimizerCloneableOptions<AnyOptions, TableOptions> {
  AnyOptions(double = 0) {}
  explicit AnyOptions(const OptimizerInfo& row) : row_(&row), own_(row.defaults()) {}
  AnyOptions& set(const std::string& name, double v) {
    for (const OptionInfo& o : row_->options)
      if (o.name == name) own_[o.at] = v;
    return *this;
  }
  double lr() const { return own_[0]; }
  void lr(double v) { own_[0] = v; }
  OptionValues values() const override { return own_; }
  const OptimizerInfo& info() const override { return *row_; }
  bool records() const override { return recorded; }
  Fields fields() override { return {{"lr", &own_[0]}}; }
  bool recorded = false;

 private:
  const OptimizerInfo* row_ = nullptr;
  OptionValues own_{};
};
struct AnyState : OptimizerCloneableParamState<AnyState, TableState> {
  explicit AnyState(const OptimizerInfo& row) : row_(&row) {}
  Fields fields() override {
    Fields all;
    if (row_->counts) all.push_back({"step", &step_});
    for (size_t i = 0; i < row_->scalars.size(); ++i) all.push_back({row_->scalars[i].name.c_str(), &scalars_[i]});
    for (size_t i = 0; i < row_->states.size(); ++i)
      all.push_back({row_->states[i].name.c_str(), &states_[i], false, row_->elementwise});
    return all;
  }

 private:
  const OptimizerInfo* row_;
};
struct AnyOptimizer : TableOptimizer {
  AnyOptimizer(const std::vector<OptimizerParamGroup>& groups, const AnyOptions& options)
      : TableOptimizer(groups, std::make_unique<AnyOptions>(options)), info(options.info()) {}
  AnyOptimizer(std::vector<Tensor> params, const AnyOptions& options)
      : TableOptimizer(std::move(params), std::make_unique<AnyOptions>(options)), info(options.info()) {}
  std::unique_ptr<OptimizerParamState> new_state() const override { return std::make_unique<AnyState>(info); }
  const OptimizerInfo& info;
};

/// A row with its defaults, with each option that is off by default switched on, and with all of them.
struct Variant {
  std::string text;  // "Adam amsgrad"
  AnyOptions options;
};
std::vector<Variant> variants() {
  std::vector<Variant> found;
  for (const std::string_view name : optimizer_names()) {
    const OptimizerInfo& row = find_optimizer(name);
    const auto add = [&](const std::string& what, const AnyOptions& options) {
      if (!row.wrong(options.values())) found.push_back({row.name + what, options});
    };
    AnyOptions all(row);
    add("", all);
    for (const OptionInfo& o : row.options) {
      if (o.fixed || o.defaults != std::vector<double>{0}) continue;
      const double on = o.kind == OptionInfo::Kind::Flag ? 1 : 0.125;
      add(" " + o.name, AnyOptions(row).set(o.name, on));
      all.set(o.name, on);
    }
    add(" everything", all);
  }
  return found;
}

/// Small fractions, exact in every dtype.
Tensor numbers(IntArrayRef sizes, int seed, ScalarType dtype) {
  const int64_t n = zeros(sizes).numel();
  return (((arange(n, kDouble) * 7 + seed * 5).remainder(11) - 5) / 8).reshape(sizes).to(dtype);
}
void set_grads(const std::vector<Tensor>& params, int step) {
  for (size_t i = 0; i < params.size(); ++i)
    params[i].mutable_grad() = numbers(params[i].sizes(), 3 * step + static_cast<int>(i), params[i].scalar_type());
}
void run(Optimizer& o, const std::vector<Tensor>& params, int begin, int end) {
  for (int step = begin; step < end; ++step) set_grads(params, step), o.step();
}
std::vector<Tensor> leaves(std::initializer_list<Tensor> values) {
  std::vector<Tensor> all;
  for (const Tensor& t : values) all.push_back(t.detach().clone().requires_grad_());
  return all;
}

TEST(OptimTable, EveryRowHasGoldenDataOrAReference) {
  std::ifstream in(test::golden_path("optim.txt"));
  std::set<std::string> golden;
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("optim ")) {
      const size_t open = line.find('('), space = line.rfind(' ', open);
      golden.insert(line.substr(space + 1, open - space - 1));
    }
  const std::set<std::string> references = {"Adan", "Lion"};  // of which PyTorch knows nothing; see below
  for (const std::string_view name : optimizer_names())
    EXPECT_TRUE(golden.count(std::string(name)) != references.count(std::string(name))) << name;
}

TEST(OptimTable, DefaultsAreAllowedAndNanIsNot) {
  for (const std::string_view name : optimizer_names()) {
    const OptimizerInfo& row = find_optimizer(name);
    EXPECT_FALSE(row.wrong(row.defaults())) << name;
    EXPECT_FALSE(row.doc.empty()) << name;
    for (const RangeInfo& range : row.ranges) {
      OptionValues values = row.defaults();
      values[row.options[range.option].at] = std::nan("");
      const auto text = row.wrong_text(values);
      ASSERT_TRUE(text) << name << ' ' << row.options[range.option].name;
      EXPECT_NE(text->find("nan"), std::string::npos) << *text;
    }
  }
  EXPECT_THROW(find_optimizer("Adamm"), ValueError);
}

TEST(OptimTable, EveryRowHasTheseBits) {
  std::ifstream in(test::golden_path("optim_bits.txt"));
  std::map<std::string, std::string> want;
  for (std::string bits, name; in >> bits && std::getline(in >> std::ws, name);) want[name] = bits;
  if (!test::certifies()) GTEST_SKIP() << "bits are those of processors with fused multiply-add";
  for (const Variant& v : variants()) {
    const auto params = leaves({numbers({2, 3}, 1, kFloat), numbers({5}, 2, kDouble)});
    AnyOptimizer o(params, v.options);
    run(o, params, 0, 12);
    EXPECT_EQ(fingerprint(o), want[v.text]) << v.text;
  }
}

TEST(OptimTable, MaximizeIsAStepAlongTheNegatedGradient) {
  for (const Variant& v : variants()) {
    const auto a = leaves({numbers({3, 4}, 1, kFloat)}), b = leaves({a[0]});
    AnyOptions up = v.options;
    if (v.text.find("maximize") != v.text.npos || v.text.find("everything") != v.text.npos) continue;
    AnyOptimizer o(a, v.options), p(b, up.set("maximize", 1));
    for (int step = 0; step < 5; ++step) {
      set_grads(a, step);
      b[0].mutable_grad() = -a[0].grad();
      o.step(), p.step();
    }
    EXPECT_TRUE(equal(a[0], b[0])) << v.text;
  }
}

TEST(OptimTable, LayoutsDtypesEmptyOnesAndMissingGradients) {
  for (const Variant& v : variants()) {
    SCOPED_TRACE(v.text);
    for (const ScalarType dtype : {kFloat, kDouble, kHalf, kBFloat16}) {
      auto params = leaves({numbers({4, 3}, 1, dtype), zeros({0, 2}, dtype), ones({2}, dtype)});
      Tensor strided = numbers({3, 4}, 9, dtype).t();
      strided.copy_(params[0].detach());
      strided.requires_grad_();
      ASSERT_FALSE(strided.is_contiguous());
      AnyOptimizer o(params, v.options), p({strided}, v.options);
      for (int step = 0; step < 4; ++step) {
        set_grads(params, step);
        params[2].mutable_grad().reset();
        strided.mutable_grad() = params[0].grad();
        o.step(), p.step();
      }
      EXPECT_TRUE(v.options.info().elementwise ? equal(params[0], strided) : allclose(params[0], strided, 1e-2, 1e-2));
      EXPECT_FALSE(equal(params[0].detach(), numbers({4, 3}, 1, dtype)));
      EXPECT_TRUE(equal(params[2].detach(), ones({2}, dtype)) && !o.state().count(params[2].impl()));
    }
  }
}

TEST(OptimTable, GroupsStepAsOptimizersOfTheirOwn) {
  for (const Variant& v : variants()) {
    const auto a = leaves({numbers({2, 3}, 1, kFloat), numbers({5}, 2, kFloat)}), b = leaves({a[0], a[1]});
    AnyOptions slow = v.options;
    slow.lr(v.options.lr() / 4);
    AnyOptimizer o({OptimizerParamGroup({a[0]}), OptimizerParamGroup({a[1]}, std::make_unique<AnyOptions>(slow))},
                   v.options);
    AnyOptimizer p({b[0]}, v.options), q({b[1]}, slow);
    for (int step = 0; step < 5; ++step) {
      set_grads(a, step), set_grads(b, step);
      o.step(), p.step(), q.step();
    }
    EXPECT_TRUE(equal(a[0], b[0]) && equal(a[1], b[1])) << v.text;
  }
}

TEST(OptimTable, SavingInMidRunContinuesWithEqualBits) {
  for (const Variant& v : variants()) {
    const auto a = leaves({numbers({2, 3}, 1, kFloat), numbers({5}, 2, kFloat)});
    AnyOptimizer o(a, v.options);
    run(o, a, 0, 4);
    const auto b = leaves({a[0], a[1]});
    AnyOptimizer p(b, v.options);
    p.load_state_dict(o.state_dict());
    run(o, a, 4, 8), run(p, b, 4, 8);
    EXPECT_EQ(fingerprint(o), fingerprint(p)) << v.text;
  }
}

TEST(OptimTable, RecordedStepsAreTheSameAndCanBeDifferentiated) {
  for (const Variant& v : variants()) {
    if (!v.options.info().elementwise) continue;
    SCOPED_TRACE(v.text);
    AnyOptions recorded = v.options;
    recorded.recorded = true;
    // Three steps along the gradients of a function, which differ from element to element and never vanish.
    const auto steps = [&](const Tensor& start) {
      const Tensor p = start.clone();
      AnyOptimizer o({p}, recorded);
      for (int i = 0; i < 3; ++i) {
        const Tensor x = p.clone();
        p.mutable_grad() = x * x * x + 0.5 * x + 0.25;
        o.step();
      }
      return p;
    };
    const Tensor start = tensor({0.75, -1.25, 0.5, 1.5}, kDouble).requires_grad_();
    const Tensor plain = start.detach().clone().requires_grad_();
    AnyOptimizer fused({plain}, v.options);
    for (int i = 0; i < 3; ++i) {
      const Tensor x = plain.detach();
      plain.mutable_grad() = x * x * x + 0.5 * x + 0.25;
      fused.step();
    }
    EXPECT_TRUE(allclose(steps(start), plain, 1e-12, 1e-12));
    EXPECT_TRUE(
        autograd::gradcheck([&](const std::vector<Tensor>& in) { return std::vector<Tensor>{steps(in[0])}; }, {start}));
  }
  Tensor leaf = ones({2}).requires_grad_();
  leaf.mutable_grad() = ones({2});
  Adam o({leaf}, AdamOptions().differentiable(true));
  EXPECT_THROW(o.step(), Error) << "a leaf that requires grad cannot be written where autograd looks";
}

// ---- Those that PyTorch lacks, written down plainly.

TEST(OptimTable, LionFollowsItsPaper) {
  const auto p = leaves({tensor({0.5, -1.0, 2.0}, kDouble)});
  Lion o(p, LionOptions(0.01).betas({0.8, 0.9}).weight_decay(0.1));
  double x[] = {0.5, -1.0, 2.0}, m[3] = {};
  for (int step = 0; step < 50; ++step) {
    set_grads(p, step);
    for (int i = 0; i < 3; ++i) {
      const double g = p[0].grad().data_ptr<double>()[i], c = 0.8 * m[i] + (1 - 0.8) * g;
      x[i] -= 0.01 * ((c > 1e-15) - (c < -1e-15) + 0.1 * x[i]);
      m[i] = 0.9 * m[i] + (1 - 0.9) * g;
    }
    o.step();
    for (int i = 0; i < 3; ++i) ASSERT_NEAR(p[0].data_ptr<double>()[i], x[i], 1e-12) << step;
  }
}

TEST(OptimTable, AdanFollowsItsPaper) {
  const auto p = leaves({tensor({0.5, -1.0, 2.0}, kDouble)});
  const double b1 = 0.9, b2 = 0.8, b3 = 0.95;
  Adan o(p, AdanOptions(0.01).betas({b1, b2, b3}).eps(1e-6).weight_decay(0.1));
  double x[] = {0.5, -1.0, 2.0}, m[3] = {}, v[3] = {}, n[3] = {}, last[3] = {};
  for (int step = 1; step <= 50; ++step) {
    set_grads(p, step);
    for (int i = 0; i < 3; ++i) {
      const double g = p[0].grad().data_ptr<double>()[i], diff = step == 1 ? 0 : g - last[i];
      m[i] = b1 * m[i] + (1 - b1) * g, v[i] = b2 * v[i] + (1 - b2) * diff;
      n[i] = b3 * n[i] + (1 - b3) * (g + b2 * diff) * (g + b2 * diff);
      const double root = std::sqrt(n[i] / (1 - std::pow(b3, step))) + 1e-6;
      const double update = m[i] / (1 - std::pow(b1, step)) + b2 * v[i] / (1 - std::pow(b2, step));
      x[i] = (x[i] - 0.01 * update / root) / (1 + 0.01 * 0.1);
      last[i] = g;
    }
    o.step();
    for (int i = 0; i < 3; ++i) ASSERT_NEAR(p[0].data_ptr<double>()[i], x[i], 1e-12) << step;
  }
}

}  // namespace
}  // namespace taut
