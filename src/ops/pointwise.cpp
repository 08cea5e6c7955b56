// Running a pointwise op: which dtype and shape come out, and the kernel for them.
#include "ops/pointwise.h"

#include <algorithm>

#include "autograd/engine.h"
#include "core/parallel.h"
#include "kernels/pointwise_convert.h"
#include "ops/complex.h"
#include "ops/promotion.h"
#include "ops/sparse.h"
#include "taut/registry.h"

namespace taut {

namespace {
// Threading an elementwise op pays from about this many elements on.
constexpr int64_t kGrain = 1 << 15, kSerial = 1 << 16;
}  // namespace

Attribute attribute(const char* op, const Scalar& s, ScalarType t) {
  check_converts(s, t, op);
  if (s.is_complex()) return {s.toComplexDouble().real(), 0};  // of an op that has made sure that this is all of it
  double real = s.toDouble();
  if (t == kBool) return {real != 0 ? 1.0 : 0.0, real != 0};  // -1 among bools is True
  if (t == kHalf) real = Half(static_cast<float>(real));
  if (t == kBFloat16) real = BFloat16(static_cast<float>(real));
  return {real, t == kByte ? s.to<uint8_t>() : s.toLong()};  // a negative number wraps
}

namespace detail {

PointwisePlan plan_pointwise(const PointwiseOp& info, const Tensor* const* in) {
  PointwisePlan plan;
  Promotion promotion;
  for (int j = 0; j < info.arity; ++j) {
    check_defined(*in[j], info.name, j == 0 ? "input" : "other");
    promotion.add(*in[j]);
    if (j == 0) plan.sizes.assign(in[0]->impl()->sizes);
    else if (!(in[j]->impl()->sizes == plan.sizes))
      plan.sizes = broadcast_shapes(plan.sizes, in[j]->impl()->sizes, info.name);
  }
  ScalarType t = promotion.result();
  if (is_complex(t) && !info.complex) [[unlikely]]
    throw_no_complex(info.name, in, static_cast<size_t>(info.arity));
  switch (info.rule) {
    case Rule::floating:
      if (!is_differentiable(t)) t = get_default_dtype();
      break;
    case Rule::float_only:
      check<TypeError>(is_differentiable(t), info.name, ": not implemented for '", t,
                       "': it takes floating-point tensors. Convert first: x.to(taut::kFloat).");
      break;
    case Rule::integer_only:
      check<TypeError>(!is_floating_point(t), info.name, ": not implemented for '", t, "': it takes integers and bool");
      break;
    default: break;
  }
  plan.compute = t;
  plan.result = info.rule == Rule::compare || info.rule == Rule::logical ? kBool : t;
  return plan;
}

PointwisePlan plan_in_place(const char* name, const PointwiseOp& info, const Tensor* const* in) {
  const Tensor& self = *in[0];
  PointwisePlan plan = plan_pointwise(info, in);
  check(IntArrayRef(plan.sizes) == self.sizes(), name, ": output with shape ", self.sizes(),
        " doesn't match the broadcast shape ", IntArrayRef(plan.sizes));
  check(can_cast(plan.result, self.scalar_type()), name, ": result type ", plan.result,
        " can't be cast to the desired output type ", self.scalar_type(), ". Use the op without the underscore.");
  check_writable(self, name);
  return plan;
}

/// What the loops on complex numbers take: operands in one dtype, contiguous or single numbers, out of the graph.
class ComplexOperands {
 public:
  ComplexOperands(ScalarType type, IntArrayRef sizes)
      : type_(type == kComplexHalf ? kComplexFloat : type), sizes_(sizes) {}
  ScalarType type() const { return type_; }
  void add(const Tensor& t) {
    Tensor x = resolve_conj(t).to(type_);
    const bool single = x.numel() == 1;
    if (!single) x = (x.sizes() == sizes_ ? x : x.expand(sizes_)).contiguous();
    data_[count_] = x.impl()->data, step_[count_] = single ? 0 : 1;
    held_[count_++] = std::move(x);
  }
  void run(ComplexKernels::Loop loop, const void* op, void* const* out, int n_out, int64_t n, size_t out_bytes) const {
    const auto bytes = static_cast<size_t>(element_size(type_));
    parallel_for(n, kGrain / 8, [&](int64_t begin, int64_t end) {
      const void* x[kMaxOperands + 2];
      void* y[kMaxOperands];
      const auto skip = static_cast<size_t>(begin);
      for (int k = 0; k < count_; ++k) x[k] = static_cast<const char*>(data_[k]) + (step_[k] ? skip * bytes : 0);
      for (int k = 0; k < n_out; ++k) y[k] = out[k] ? static_cast<char*>(out[k]) + skip * out_bytes : nullptr;
      loop(op, x, step_, y, end - begin);
    });
  }

 private:
  ScalarType type_;
  IntArrayRef sizes_;
  int count_ = 0;
  Tensor held_[kMaxOperands + 2];
  const void* data_[kMaxOperands + 2];
  int64_t step_[kMaxOperands + 2];
};

static void run_complex_into(const PointwiseOp& info, const void* op, const Tensor* const* in, const Tensor& out,
                             const PointwisePlan& plan) {
  RawScope raw;
  ComplexOperands operands(plan.compute, plan.sizes);
  for (int j = 0; j < info.arity; ++j) operands.add(*in[j]);
  const ScalarType type = plan.result == kBool ? kBool : operands.type();
  const bool direct = out.impl()->dtype == type && out.impl()->contiguous && !out.impl()->conj;
  const Tensor y = direct ? out : make(plan.sizes, type, info.name);
  void* const data[] = {y.impl()->data};
  operands.run(info.complex->forward[operands.type() == kComplexDouble], op, data, 1, y.numel(),
               static_cast<size_t>(element_size(type)));
  if (!direct) write(out, y);
}
static void run_complex_backward(const PointwiseOp& info, const void* op, const Tensor& g, const Tensor* in,
                                 const Tensor& result, unsigned wanted, Tensor* dx) {
  RawScope raw;
  ComplexOperands operands(g.scalar_type(), g.sizes());
  operands.add(g);
  for (int j = 0; j < info.arity; ++j) operands.add(in[j].defined() ? in[j] : g);
  operands.add(result.defined() ? result : g);
  void* out[kMaxOperands];
  for (int j = 0; j < info.arity; ++j) {
    if (wanted >> j & 1) dx[j] = make(g.sizes(), operands.type(), info.name);
    out[j] = wanted >> j & 1 ? dx[j].impl()->data : nullptr;
  }
  operands.run(info.complex->backward[operands.type() == kComplexDouble], op, out, info.arity, g.numel(),
               static_cast<size_t>(element_size(operands.type())));
}

/// Does a number of dtype `from`, loaded as kernels load it, have the value it has in the dtype `compute`? Those that
/// are computed in wider numbers than their own have less range: 300 among uint8 is 44, 70000 among float16 inf.
static bool keeps_values(ScalarType from, ScalarType compute) {
  if (from == compute || from == kBool || compute == kLong || compute == kFloat || compute == kDouble) return true;
  return is_floating_point(compute) && element_size(from) == 1;
}
/// A 0-d operand in the dtype that is computed in.
static View narrowed(const View& v, ScalarType compute, Number number, int64_t* place) {
  const Conversions& convert = conversions();
  int64_t wide;
  convert.load[static_cast<int>(v.dtype)][static_cast<int>(number)](v.data, &wide, 1);
  convert.store[static_cast<int>(compute)][static_cast<int>(number)](&wide, place, 1);
  return {place, compute, {}, {}};
}

/// Is there nothing to compute, because an operand is meta or somebody asks for shapes alone?
static bool is_dry(const PointwiseOp& info, const Tensor* const* in) {
  if (!meta_used()) [[likely]]
    return false;
  const DryScope as_it_is(dry);
  enter_meta(in, static_cast<size_t>(info.arity), true);
  return dry;
}

/// Note [Limited dtypes]. Is this op among the few that PyTorch computes for the type?
static bool takes(const PointwiseOp& info, ScalarType limited) {
  static constexpr std::string_view both = " eq ne where isnan ", floats = " abs isinf isfinite ",
                                    whole =
                                        " mul bitwise_and bitwise_or bitwise_xor floor ceil trunc round nan_to_num "
                                        "isinf isfinite isposinf isneginf signbit positive logical_and logical_or ";
  const std::string name = str(" ", info.name, " ");
  const auto among = [&](std::string_view list) { return list.find(name) != list.npos; };
  return among(both) || (is_float8(limited) ? among(floats) : info.rule == Rule::floating || among(whole));
}
/// Is an operand of a limited dtype? Then the op runs on numbers that hold them, and the result is converted back.
static bool is_limited_call(const PointwiseOp& info, const Tensor* const* in) {
  bool any = false;
  for (int j = 0; j < info.arity; ++j) any |= is_limited(in[j]->impl()->dtype);
  return any;
}
// ---- Note [Batching]: the loop runs once on what holds all items, the plan is that of an item.

/// The operands aligned to the dimensions of an item of the result, and those that are hidden in front.
struct Aligned {
  HiddenDims levels, same;  // where something varies, and where nothing does
  size_t dims;              // of an item
  Tensor held[kMaxOperands + 2];
  const Tensor* in[kMaxOperands + 2];
  int count = 0;

  Aligned(const Tensor* const* operands, int n, size_t dims)
      : levels(batching::varying(operands, static_cast<size_t>(n), &same)), dims(dims) {}
  void add(const Tensor& t) {
    held[count] = is_batched(t) ? batching::aligned(t, levels, dims) : t;
    in[count] = &held[count], ++count;
  }
  Dims sizes(IntArrayRef item) const {
    Dims all;
    for (const HiddenDim& h : levels) all.push_back(h.size);
    for (int64_t s : item) all.push_back(s);
    return all;
  }
};

/// Single numbers that differ from item to item are no single numbers any more, but count as such: in the dtype that is
/// computed in.
static void narrow_singles(const PointwiseOp& info, const Tensor* const* in, Aligned& whole, ScalarType compute) {
  for (int j = 0; j < info.arity; ++j) {
    const TensorImpl& t = *in[j]->impl();
    const bool kept = keeps_values(t.dtype, compute) || (bit(info.wide, j) && is_floating_point(compute));
    if (t.sizes.empty() && is_batched(&t) && !kept) whole.held[j] = whole.held[j].to(compute);
  }
}
static Tensor run_batched(const PointwiseOp& info, const void* op, const Tensor* const* in) {
  RawScope raw;
  const PointwisePlan plan = plan_pointwise(info, in);
  Aligned whole(in, info.arity, plan.sizes.size());
  bool one_dtype = true;
  for (int j = 0; j < info.arity; ++j) whole.add(*in[j]), one_dtype &= in[j]->impl()->dtype == plan.compute;
  if (one_dtype) return batching::hide(run_pointwise(info, op, whole.in), whole.levels, whole.same);
  narrow_singles(info, in, whole, plan.compute);
  const PointwisePlan all{plan.compute, plan.result, whole.sizes(plan.sizes)};
  Tensor y = Tensor::adopt(make_result(whole.in, info.arity, all.sizes, all.result, info.name).detach());
  run_pointwise_into(info, op, whole.in, y, all);
  return batching::hide(y, whole.levels, whole.same);
}
static void run_batched_into(const PointwiseOp& info, const void* op, const Tensor* const* in, const Tensor& out,
                             const PointwisePlan& plan) {
  RawScope raw;
  const Tensor* all[kMaxOperands + 1] = {&out};
  std::copy_n(in, info.arity, all + 1);
  batching::check_holds("inplace arithmetic", out, batching::varying(in, static_cast<size_t>(info.arity)));
  Aligned whole(all, info.arity + 1, plan.sizes.size());
  for (int j = 0; j < info.arity; ++j) whole.add(*in[j]);
  narrow_singles(info, in, whole, plan.compute);
  run_pointwise_into(info, op, whole.in, is_batched(out) ? batching::aligned(out, whole.levels, whole.dims) : out,
                     {plan.compute, plan.result, whole.sizes(plan.sizes)});
}
static void run_batched_backward(const PointwiseOp& info, const void* op, const Tensor& g, const Tensor* in,
                                 const Tensor& result, unsigned wanted, Tensor* dx) {
  RawScope raw;
  const Tensor* all[kMaxOperands + 2] = {&g, &result};
  for (int j = 0; j < info.arity; ++j) all[j + 2] = &in[j];
  Aligned whole(all, info.arity + 2, g.sizes().size());
  for (int j = 0; j < info.arity; ++j) whole.add(in[j]);
  whole.add(result);
  whole.add(g);
  const Dims sizes = whole.sizes(g.sizes());
  Tensor& grad = whole.held[info.arity + 1];
  if (!(grad.sizes() == IntArrayRef(sizes))) grad = grad.expand(sizes);
  run_pointwise_backward(info, op, grad, whole.held, whole.held[info.arity], wanted, dx);
  for (int j = 0; j < info.arity; ++j)
    if (wanted >> j & 1) dx[j] = batching::hide(dx[j], whole.levels, whole.same);
}

static Tensor run_limited(const PointwiseOp& info, const void* op, const Tensor* const* in) {
  RawScope raw;
  Promotion promotion;
  for (int j = 0; j < info.arity; ++j)
    if (in[j]->scalar_type() != kBool || info.arity == 1) promotion.add(*in[j]);
  const ScalarType t = promotion.result();
  if (is_limited(t) && !takes(info, t)) throw_no_complex(info.name, in, static_cast<size_t>(info.arity));
  const ScalarType compute = !is_limited(t)                ? t
                             : is_float8(t)                ? kFloat
                             : info.rule == Rule::floating ? get_default_dtype()
                                                           : kLong;
  Tensor held[kMaxOperands];
  const Tensor* operands[kMaxOperands];
  for (int j = 0; j < info.arity; ++j) {
    if (is_limited(in[j]->scalar_type())) held[j] = in[j]->to(compute), operands[j] = &held[j];
    else operands[j] = in[j];
  }
  const Tensor y = run_pointwise(info, op, operands);
  const bool back = is_limited(t) && y.scalar_type() == compute && (is_float8(t) || compute == kLong);
  return back ? y.to(t) : y;
}

void run_pointwise_into(const PointwiseOp& info, const void* op, const Tensor* const* in, const Tensor& out,
                        const PointwisePlan& plan) {
  const Tensor* const result = &out;
  if (any_special(&result, 1) || any_special(in, static_cast<size_t>(info.arity))) [[unlikely]] {
    if (is_batched(out) || any_batched(in, static_cast<size_t>(info.arity)))
      return run_batched_into(info, op, in, out, plan);
    if (is_sparse(out) || any_sparse(in, static_cast<size_t>(info.arity)))
      return sparse::pointwise_into(info, op, in, out);
    if (is_limited_call(info, in) || is_limited(out.scalar_type()))
      return is_dry(info, in) || out.is_meta() ? void() : write(out, run_pointwise(info, op, in));
  }
  if (is_dry(info, in) || out.is_meta()) return;
  if (is_complex(plan.compute)) [[unlikely]]
    return run_complex_into(info, op, in, out, plan);
  View views[kMaxOperands];
  int64_t numbers[kMaxOperands];
  Tensor converted[kMaxOperands];
  const Number number = number_of(plan.compute);
  for (int j = 0; j < info.arity; ++j) {
    View& v = views[j] = view_of(*in[j]);
    if (keeps_values(v.dtype, plan.compute)) continue;
    const bool real = is_floating_point(plan.compute);
    if (v.sizes.empty() && !(bit(info.wide, j) && real)) v = narrowed(v, plan.compute, number, &numbers[j]);
    else if (!v.sizes.empty() && real) v = view_of(converted[j] = in[j]->to(plan.compute));
  }
  pointwise_forward(info.kernels(), op, number, view_of(out), views, info.arity);
}

/// Contiguous operands of one shape and of a dtype that kernels compute in: the loop can be called as it is.
static bool are_plain(const Tensor* const* in, int n) {
  const TensorImpl& a = *in[0]->impl();
  if (!a.contiguous || (a.dtype != kFloat && a.dtype != kDouble)) return false;
  for (int j = 1; j < n; ++j) {
    const TensorImpl& b = *in[j]->impl();
    if (!b.contiguous || b.dtype != a.dtype || !(b.sizes == a.sizes)) return false;
  }
  return true;
}

static void run_loop(Loop loop, const void* op, const void* const* in, int n_in, void* const* out, int n_out, int64_t n,
                     size_t bytes) {
  if (n < kSerial) return loop(op, in, out, n);
  parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
    const size_t skip = static_cast<size_t>(begin) * bytes;
    const void* x[kMaxOperands + 2];
    void* y[kMaxOperands];
    for (int j = 0; j < n_in; ++j) x[j] = in[j] ? static_cast<const char*>(in[j]) + skip : nullptr;
    for (int j = 0; j < n_out; ++j) y[j] = out[j] ? static_cast<char*>(out[j]) + skip : nullptr;
    loop(op, x, y, end - begin);
  });
}

bool run_plain_in_place(const char* name, const PointwiseOp& info, const void* op, const Tensor* const* in) {
  for (int j = 0; j < info.arity; ++j) check_defined(*in[j], name);
  TensorImpl& self = *in[0]->impl();
  const bool unseen = !self.inference && !self.base && autograd::global_state.dual_level < 0 &&
                      !autograd::global_state.anomaly && !should_record(in, static_cast<size_t>(info.arity));
  if (!unseen || info.rule > Rule::float_only || !are_plain(in, info.arity) || is_dry(info, in)) return false;
  const void* x[kMaxOperands] = {self.data};
  for (int j = 1; j < info.arity; ++j) {
    const TensorImpl& other = *in[j]->impl();
    if (other.data != self.data && other.storage->data() == self.storage->data()) return false;  // may overlap
    x[j] = other.data;
  }
  void* out[] = {self.data};
  autograd::leave_copies(*self.storage);
  run_loop(info.kernels().forward[self.dtype == kDouble], op, x, info.arity, out, 1, self.numel,
           static_cast<size_t>(element_size(self.dtype)));
  self.storage->bump(name, thread_state.step);
  return true;
}

Tensor run_pointwise(const PointwiseOp& info, const void* op, const Tensor* const* in) {
  for (int j = 0; j < info.arity; ++j) check_defined(*in[j], info.name, j == 0 ? "input" : "other");
  if (is_dry(info, in)) [[unlikely]] {
    if (any_batched(in, static_cast<size_t>(info.arity))) return run_batched(info, op, in);
    const DryScope scope;
    const PointwisePlan plan = plan_pointwise(info, in);
    return Tensor::adopt(make_result(in, info.arity, plan.sizes, plan.result, info.name).detach());
  }
  if (info.rule <= Rule::float_only && are_plain(in, info.arity)) {
    const TensorImpl& a = *in[0]->impl();
    Tensor y = make(a.sizes, a.dtype, info.name);
    const void* x[kMaxOperands];
    for (int j = 0; j < info.arity; ++j) x[j] = in[j]->impl()->data;
    void* out[] = {y.impl()->data};
    run_loop(info.kernels().forward[a.dtype == kDouble], op, x, info.arity, out, 1, a.numel,
             static_cast<size_t>(element_size(a.dtype)));
    return y;
  }
  if (any_special(in, static_cast<size_t>(info.arity))) [[unlikely]] {
    if (any_sparse(in, static_cast<size_t>(info.arity))) return sparse::pointwise(info, op, in);
    if (is_limited_call(info, in)) return run_limited(info, op, in);
    if (any_batched(in, static_cast<size_t>(info.arity))) return run_batched(info, op, in);
  }
  const PointwisePlan plan = plan_pointwise(info, in);
  Tensor y = Tensor::adopt(make_result(in, info.arity, plan.sizes, plan.result, info.name).detach());
  run_pointwise_into(info, op, in, y, plan);
  return y;
}

void run_pointwise_backward(const PointwiseOp& info, const void* op, const Tensor& g, const Tensor* in,
                            const Tensor& result, unsigned wanted, Tensor* dx) {
  const TensorImpl& gi = *g.impl();
  if ((dry || gi.is_meta()) && !is_batched(&gi)) [[unlikely]] {
    const DryScope scope;
    for (int j = 0; j < info.arity; ++j)
      if (wanted >> j & 1) dx[j] = make(gi.sizes, gi.dtype, info.name);
    return;
  }
  bool plain = gi.contiguous && (gi.dtype == kFloat || gi.dtype == kDouble);
  const auto fits = [&](const Tensor& t) {
    return !t.defined() || (t.impl()->contiguous && t.impl()->dtype == gi.dtype && t.impl()->sizes == gi.sizes);
  };
  for (int j = 0; j < info.arity; ++j) plain = plain && fits(in[j]);
  plain = plain && fits(result);
  if (!plain) {
    const auto batched = [](const Tensor& t) { return is_batched(t); };
    if (is_batched(&gi) || std::any_of(in, in + info.arity, batched) || batched(result)) [[unlikely]]
      return run_batched_backward(info, op, g, in, result, wanted, dx);
    const auto sparse = [](const Tensor& t) { return t.defined() && is_sparse(t); };
    if (is_sparse(&gi) || std::any_of(in, in + info.arity, sparse) || sparse(result)) [[unlikely]]
      return sparse::pointwise_backward(info, op, g, in, result, wanted, dx);
    if (is_complex(gi.dtype)) [[unlikely]]
      return run_complex_backward(info, op, g, in, result, wanted, dx);
    if (is_limited(gi.dtype)) [[unlikely]] {
      const Tensor* const gradient = &g;
      throw_no_complex(info.name, &gradient, 1);
    }
  }
  bool reuse = plain && autograd::is_ours(g);  // the kernel reads an element of g before it writes there
  for (int j = 0; j < info.arity; ++j)
    if (wanted >> j & 1) dx[j] = std::exchange(reuse, false) ? g : make(gi.sizes, gi.dtype, info.name);
  const auto wanted_dx = [&](int j) { return wanted >> j & 1; };
  // The kernel computes all partials together. What was not saved, because only unwanted ones read it, is read as g.
  if (plain) {
    const void* x[kMaxOperands + 2] = {gi.data};
    void* out[kMaxOperands];
    for (int j = 0; j < info.arity; ++j)
      x[j + 1] = in[j].defined() ? in[j].impl()->data : gi.data, out[j] = wanted_dx(j) ? dx[j].impl()->data : nullptr;
    x[info.arity + 1] = result.defined() ? result.impl()->data : gi.data;
    return run_loop(info.kernels().backward[gi.dtype == kDouble], op, x, info.arity + 2, out, info.arity, gi.numel,
                    static_cast<size_t>(element_size(gi.dtype)));
  }
  View views[kMaxOperands], d[kMaxOperands];
  for (int j = 0; j < info.arity; ++j) {
    views[j] = view_of(in[j].defined() ? in[j] : g);
    if (wanted_dx(j)) d[j] = view_of(dx[j]);
  }
  pointwise_backward(info.kernels(), op, number_of(gi.dtype), view_of(g), views, view_of(result.defined() ? result : g),
                     d, info.arity);
}

Tensor fit_tangent(const Tensor& t, const Tensor& primal) {
  Tensor r = t.scalar_type() == primal.scalar_type() ? t : t.to(primal.scalar_type());
  return r.sizes() == primal.sizes() ? r : r.expand(primal.sizes());
}

}  // namespace detail
}  // namespace taut
