// Pointwise ops on the host: one function for all of them, and the formulas evaluated on tensors for derivatives of
// derivatives and for forward mode.
#pragma once
#include <array>
#include <bit>

#include "core/cpu.h"
#include "kernels/pointwise.h"
#include "ops/expr.h"
#include "ops/op.h"

namespace taut {

/// What the host knows of a pointwise op.
struct PointwiseOp {
  const char* name;  // "mul"
  const char* node;  // "MulBackward0"
  int arity;
  Rule rule;
  unsigned wide;       // bit i: among half-precision numbers a single one as operand i stays float32
  unsigned gradients;  // bit i: operand i has a gradient
  const PointwiseKernels& (*kernels)();
  const ComplexKernels* complex;  // null where the op does not take complex numbers
};

/// A number as an attribute of a formula: of the dtype t, which must hold it.
Attribute attribute(const char* op, const Scalar& s, ScalarType t);

/// The description of the op with these formulas; src/ops/formulas.h defines it for each.
template <class Op>
constexpr const PointwiseOp* info_of = nullptr;

namespace detail {

constexpr int kMaxOperands = 3;
constexpr bool bit(unsigned mask, int i) { return mask >> i & 1; }

struct PointwisePlan {
  ScalarType compute, result;
  Dims sizes;
};
/// Checks the operands and says which dtype and shape come out.
PointwisePlan plan_pointwise(const PointwiseOp& info, const Tensor* const* in);
/// The same for a result that is written to in[0]; checks that it may be.
PointwisePlan plan_in_place(const char* name, const PointwiseOp& info, const Tensor* const* in);
Tensor run_pointwise(const PointwiseOp& info, const void* op, const Tensor* const* in);
void run_pointwise_into(const PointwiseOp& info, const void* op, const Tensor* const* in, const Tensor& out,
                        const PointwisePlan& plan);
/// in[0] = op(in...) where nothing is in the way: operands of one shape and layout, and no graph that must know of it.
/// False, and nothing is done, where that is not so.
bool run_plain_in_place(const char* name, const PointwiseOp& info, const void* op, const Tensor* const* in);
/// dx[i] = g * partial i for every i in `wanted`.
void run_pointwise_backward(const PointwiseOp& info, const void* op, const Tensor& g, const Tensor* in,
                            const Tensor& result, unsigned wanted, Tensor* dx);
/// An operand of a formula, in the dtype the op computes in; a mask stays one, and so does a plain number.
inline Expr operand(const Tensor& t, ScalarType dtype) {
  const bool fits = !t.defined() || t.scalar_type() == dtype || t.scalar_type() == kBool || t.impl()->wrapped_number;
  return Expr(fits ? t : t.to(dtype));
}
/// A tangent made to have the shape and dtype of its primal.
Tensor fit_tangent(const Tensor& t, const Tensor& primal);

template <class Op, int N>
constexpr int saved_inputs = std::popcount(reads_any<Op, N>&((1u << N) - 1));

/// The recorded call of a pointwise op. Room is made only for what the partials read. (Hidden, as other templates with
/// many instances: their names would take a tenth of the library.)
template <class Op, int N>
class [[gnu::visibility("hidden")]] PointwiseNode final : public Node {
 public:
  static constexpr unsigned kReads = reads_any<Op, N>, kGradients = gradient_mask<Op, N>;
  static constexpr bool kReadsResult = bit(kReads, N);
  explicit PointwiseNode(const Op& op) : Node(1, room_, N), op_(op) {}
  const char* name() const override { return info_of<Op>->node; }
  Edge& edge(int j) { return room_[j]; }

  void save(const Tensor* const* in, const Tensor& result) {
    unsigned mask = 0;
    for (int j = 0; j < N; ++j)
      if (room_[j].function) mask |= reads<Op, N>[static_cast<size_t>(j)];
    for (int j = 0, k = 0; j < N; ++j) {
      if (!bit(kReads, j)) continue;
      if (mask >> j & 1) saved_[static_cast<size_t>(k)] = SavedValue(*in[j], false);
      ++k;
    }
    if constexpr (kReadsResult)
      if (mask >> N & 1) saved_[saved_inputs<Op, N>] = SavedValue(result, true);
    if constexpr (requires { op_.keeps; })
      if (op_.keeps)
        for (SavedValue& s : saved_) s.keep();
  }

  void backward(Tensor * grads, Tensor * out) override {
    if (!grads[0].defined()) return;
    unsigned wanted = 0, mask = 0;
    for (int j = 0; j < N; ++j)
      if (wants(static_cast<uint32_t>(j)) && bit(kGradients, j))
        wanted |= 1u << j, mask |= reads<Op, N>[static_cast<size_t>(j)];
    Tensor in[N], result;
    for (int j = 0, k = 0; j < N; ++j) {
      if (!bit(kReads, j)) continue;
      if (mask >> j & 1) in[j] = saved_[static_cast<size_t>(k)].unpack(this, &room_[j]);
      ++k;
    }
    if constexpr (kReadsResult)
      if (mask >> N & 1) result = saved_[saved_inputs<Op, N>].unpack(this, nullptr);
    if (!thread_state.grad_mode && !autograd::forward_mode()) {
      unsigned computed = wanted;
      pass_through(grads[0], computed, out, std::make_index_sequence<N>());
      if (computed) run_pointwise_backward(*info_of<Op>, &op_, grads[0], in, result, computed, out);
    } else {
      products(grads[0], in, result, wanted, out, std::make_index_sequence<N>());
    }
  }
  void release_variables() override {
    for (SavedValue& s : saved_) s.reset();
  }
  void set_saved_tangent(uint32_t, const Tensor& tangent) override {
    if constexpr (kReadsResult) saved_[saved_inputs<Op, N>].set_tangent(tangent);
  }

 private:
  using PartialTypes = decltype(probe_partials<Op>(std::make_index_sequence<N>()));
  /// Where the partial is 1 the gradient is passed on as it is.
  template <size_t... I>
  void pass_through(const Tensor& g, unsigned& computed, Tensor* out, std::index_sequence<I...>) {
    ((is_one<I> && computed >> I & 1 ? (out[I] = g, computed &= ~(1u << I)) : 0u), ...);
  }
  template <size_t I>
  static constexpr bool is_one =
      std::is_same_v<std::remove_cvref_t<decltype(partial<I>(std::declval<PartialTypes&>()))>, One>;

  template <size_t... I>
  [[gnu::cold]] void products(const Tensor& g, const Tensor* in, const Tensor& result, unsigned wanted, Tensor* out,
                              std::index_sequence<I...>) {
    const auto p = op_.partials(operand(in[I], g.scalar_type())..., Expr(result));
    ((wanted >> I & 1 ? void(out[I] = times(g, conjugate(partial<I>(p)))) : void()), ...);
    if constexpr (requires { Op::bends; })
      if (wanted & 1 && thread_state.grad_mode && !tracked(out[0].impl())) out[0] = flat_in(room_[0], out[0]);
  }

  [[no_unique_address]] Op op_;
  Edge room_[N];
  std::array<SavedValue, saved_inputs<Op, N> + (kReadsResult ? 1 : 0)> saved_;
};

template <class Op, int N>
[[gnu::visibility("hidden")]] void record_pointwise(const PointwiseOp& info, const Op& op, const Tensor* const* in,
                                                    Tensor& y) {
  auto* const made = new PointwiseNode<Op, N>(op);
  const Ref<Node> node = Ref<Node>::adopt(made);
  for (int j = 0; j < N; ++j) {
    TensorImpl* x = in[j]->impl();
    if (is_differentiable(x->dtype) && tracked(x) && info.gradients >> j & 1)
      made->edge(j) = autograd::gradient_edge(x);
    else if (x->cut != Cut::None) made->cut_by = x->cut_by;
  }
  autograd::set_history(y.impl(), node, 0);
  made->save(in, y);
}

/// The tangent of y = op(in...): the sum of partials times tangents.
template <class Op, int N, size_t... I>
[[gnu::visibility("hidden"), gnu::cold]] Tensor pointwise_tangent(const Op& op, const Tensor* const* in,
                                                                  const Tensor& y, std::index_sequence<I...>) {
  Tensor tangents[] = {autograd::tangent_of(*in[I])...};
  NoForwardScope scope;
  const auto p = op.partials(operand(*in[I], y.scalar_type())..., Expr(y));
  Tensor sum;
  const auto add_part = [&](const Tensor& t, const auto& partial) {
    if (!t.defined()) return;
    const Tensor part = times(t, partial);
    if (part.defined()) sum = sum.defined() ? sum + part : part;
  };
  (add_part(tangents[I], partial<I>(p)), ...);
  return sum.defined() ? fit_tangent(sum, y) : Tensor();
}

}  // namespace detail

/// y = op(x...), recorded when an input requires grad.
template <class Op, class... T>
[[gnu::visibility("hidden")]] Tensor pointwise(const PointwiseOp& info, const Op& op, const T&... inputs) {
  constexpr int N = sizeof...(T);
  const Tensor* const in[] = {&inputs...};
  detail::enter();
  Tensor y = detail::run_pointwise(info, &op, in);
  if constexpr (differentiable<Op, N>)
    detail::leave(
        info.name, is_differentiable(y.impl()->dtype), in, N, &y, 1,
        [&] { detail::record_pointwise<Op, N>(info, op, in, y); },
        [&] { give_tangent(y, 0, detail::pointwise_tangent<Op, N>(op, in, y, std::make_index_sequence<N>())); });
  else detail::leave(info.name, in, N, &y, 1);
  return y;
}

/// self = op(self, x...), in the memory of self. `name` is the in-place name, for messages.
template <class Op, class... T>
[[gnu::visibility("hidden")]] Tensor& pointwise_(const char* name, const PointwiseOp& info, const Op& op, Tensor& self,
                                                 const T&... others) {
  constexpr int N = sizeof...(T) + 1;
  const Tensor* in[] = {&self, &others...};
  detail::enter();
  if (detail::run_plain_in_place(name, info, &op, in)) return self;
  const detail::PointwisePlan plan = detail::plan_in_place(name, info, in);
  // An op without a derivative still leaves nothing of the gradient of self; a comparison also has one, of zeros, for
  // what self is compared with.
  const bool record = !thread_state.raw && is_differentiable(self.impl()->dtype) &&
                      should_record(in, differentiable<Op, N> || Op::rule == Rule::compare ? N : 1);
  const bool tangents = autograd::forward_mode() && any_tangent(in, N);
  if (shares_memory(self, in + 1, N - 1, name) || record || tangents || autograd::global_state.anomaly) {
    // Compute beside self, then write; the derivative, or a check, may read what is about to be overwritten.
    bool reads_self = false;
    if constexpr (differentiable<Op, N>) reads_self = reads_any<Op, N> & 1;
    // An operand over the same memory is saved as a stand-in: self itself would hang on its own node for ever.
    [[maybe_unused]] const auto stand_in = [&](const Tensor& t) {
      return record && t.impl()->storage == self.impl()->storage ? same_place(t) : t;
    };
    const Tensor source = record && reads_self ? before_write(self) : self;
    Tensor value = pointwise(info, op, source, stand_in(others)...);
    if (!differentiable<Op, N> && record)
      value = apply(Overwritten{info.node}, value.to(self.scalar_type()), self, others...);
    return assign_(name, self, value);
  }
  detail::run_pointwise_into(info, &op, in, self, plan);
  self.impl()->storage->bump(name, thread_state.step);
  return self;
}

}  // namespace taut
