// `out=`: every op of the registry writes its result into destinations of every layout.
#include "taut/out.h"

#include "support/sweep.h"

namespace taut::test {
namespace {

Tensor spread(const Tensor& t) {
  std::vector<int64_t> sizes = t.sizes().vec();
  if (sizes.empty()) return empty_like(t);
  sizes.back() *= 2;
  return full(sizes, 1, t.scalar_type()).slice(t.dim() - 1, 0, sizes.back(), 2);
}

class Out : public Sweep {};

TEST_P(Out, HoldsWhatTheOpReturns) {
  const OpEntry& op = *GetParam();
  each([&](const Sample& s) -> std::string {
    if (unpredictable(s.name())) return "";
    Tensors want;
    try {
      want = s.tensors(s.arguments({kFloat}));
    } catch (const Error&) {
      return "";
    }
    const auto into = [&](const Tensors& outs) {
      const std::vector<Value> arguments = s.arguments({kFloat});
      call_into(op, arguments.data(), arguments.size(), outs);
      return difference(outs, want, {0, 0});
    };
    Tensors same, apart, none;
    for (const Tensor& t : want) {
      same.push_back(full(t.sizes(), 1, t.scalar_type()));
      apart.push_back(spread(t));
      none.push_back(empty({0}, t.scalar_type()));
    }
    if (!takes_out(op)) {
      EXPECT_THROW(into(same), TypeError) << s.call_text();
      return "";
    }
    for (const Tensors& outs : {same, apart, none})
      if (std::string problem = into(outs); !problem.empty()) return problem;
    return "";
  });
}
TAUT_SWEEP(Out);

const OpEntry& row(const std::string& schema) {
  for (const OpEntry* op : all_ops())
    if (std::string(op->schema).starts_with(schema + "(")) return *op;
  throw ValueError("no row " + schema);
}

TEST(OutTest, AFailedCallLeavesTheDestinationAlone) {
  const Tensor out = full({2, 3}, 7.0), before = out.clone();
  const Value addr[] = {zeros({2, 3}), ones({2}), ones({5}), int64_t{1}, int64_t{1}};
  EXPECT_THROW(call_into(row("addr"), addr, 5, out), Error);
  const Value add[] = {ones({2, 3}, requires_grad()), ones({3}), int64_t{1}};
  EXPECT_THROW(call_into(row("add.Tensor"), add, 3, out), Error);
  EXPECT_TRUE(out.equal(before));
  EXPECT_EQ(out.requires_grad(), false);
}

TEST(OutTest, APointwiseOpNeedsNoSecondBuffer) {
  const Tensor x = ones({1 << 20}), z = empty({1 << 20}), wide = empty({1 << 20, 2});
  for (const Tensor& out : {z, wide.select(1, 0)}) {
    reset_peak_memory_stats();
    const int64_t before = memory_stats().allocated;
    const Value args[] = {x, x};
    call_into(row("mul.Tensor"), args, 2, out);
    EXPECT_LT(memory_stats().peak - before, 1 << 20);
    EXPECT_EQ(out.sum().item<double>(), 1 << 20);
  }
}

TEST(OutTest, ADestinationIsWrittenAsAnInPlaceOpWrites) {
  const Tensor w = ones({3}, requires_grad()), out = ones({3});
  const Tensor loss = (w * out).sum();
  const Value args[] = {ones({3}), ones({3})};
  call_into(row("mul.Tensor"), args, 2, out);
  EXPECT_THROW(loss.backward(), Error) << "out was saved for backward and has changed";
}

}  // namespace
}  // namespace taut::test
