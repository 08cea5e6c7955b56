// The one door. An op is a small struct that says how it is computed and what its derivative is; apply() checks whether
// autograd wants to know, runs it, and records it. docs/adding-an-op.md walks through an example.
#pragma once
#include <array>
#include <bit>
#include <vector>

#include "autograd/engine.h"
#include "autograd/meta.h"
#include "autograd/state.h"
#include "core/function_ref.h"
#include "core/tensor_impl.h"
#include "ops/batching.h"
#include "taut/autograd.h"
#include "taut/factories.h"
#include "taut/tensor.h"

namespace taut {

using autograd::Edge;
using autograd::Node;
using autograd::SavedValue;
using autograd::thread_state;

// What an op's derivative reads, one bit each: `static constexpr unsigned reads[] = {kInput(1), kInput(0)}` says that
// the gradient of input 0 needs input 1, and the other way round. Nothing else is saved.
// `keeps`, a mask of the same bits, lists what a program may overwrite before backward although it is read, because
// PyTorch's op does not keep it: Note [Kept values].
// `bends`, another mask, lists the inputs that PyTorch's derivative reads, so that a gradient which does not depend on
// them (that of a maximum, of a bias) has a derivative of zero there.
constexpr unsigned kInput(int i) { return 1u << i; }
constexpr unsigned kResult(int i = 0) { return 1u << (16 + i); }
constexpr unsigned kEverything = ~0u;

/// Is `t` part of the graph?
inline bool tracked(const TensorImpl* t) {
  return t && (t->requires_grad || (t->base ? autograd::requires_grad(t) : static_cast<bool>(t->grad_fn)));
}

/// Within its scope ops only compute: nothing is recorded, counted or checked. Forward kernels run inside one.
class RawScope {
 public:
  RawScope() : grad_(thread_state.grad_mode), raw_(thread_state.raw), forward_off_(thread_state.forward_off) {
    thread_state.grad_mode = false;
    thread_state.raw = true;
    thread_state.forward_off = true;
  }
  ~RawScope() {
    thread_state.grad_mode = grad_;
    thread_state.raw = raw_;
    thread_state.forward_off = forward_off_;
  }
  RawScope(const RawScope&) = delete;

 private:
  bool grad_, raw_, forward_off_;
};

/// Goes dry if one of the inputs is meta; throws where others have memory that the op would have to read.
void enter_meta(const Tensor* const* in, size_t n, bool pointwise);
/// Where forward runs: raw, and dry if one of the inputs is meta.
class ForwardScope : RawScope {
 public:
  ForwardScope(const Tensor* const* in, size_t n) : dry_(dry) {
    if (meta_used()) [[unlikely]]
      enter_meta(in, n, false);
  }
  ~ForwardScope() { dry = dry_; }

 private:
  bool dry_;
};
/// Where a factory's result is: where the options say, or else where `like` is.
class Placed : DryScope {
 public:
  explicit Placed(const TensorOptions& options, const Tensor* like = nullptr)
      : DryScope(options.has_device() ? options.device().is_meta() : dry || (like && like->is_meta())) {}
};
/// For an op made of others that makes tensors of its own: they are meta if `t` is.
class AsDry : DryScope {
 public:
  explicit AsDry(const Tensor& t) : DryScope(dry || (t.defined() && t.impl()->is_meta())) {}
};

/// Within its scope ops compute no tangents.
class NoForwardScope {
 public:
  NoForwardScope() : before_(std::exchange(thread_state.forward_off, true)) {}
  ~NoForwardScope() { thread_state.forward_off = before_; }
  NoForwardScope(const NoForwardScope&) = delete;

 private:
  bool before_;
};

bool any_tracked(const Tensor* const* in, size_t n);
/// Must this call be recorded? Otherwise notes on the outputs (and leaves) where the graph was cut, for error messages.
inline bool should_record(const Tensor* const* in, size_t n) { return thread_state.grad_mode && any_tracked(in, n); }
void note_cut(const char* op, bool differentiable, const Tensor* const* in, size_t n, Tensor* out, size_t m);
/// An index was out of range in the kernel of `op`: throws that again, with the op and the shape of `x`.
[[noreturn]] void throw_index_error(const char* op, const Tensor& x, const IndexError& e);
/// Anomaly mode: throws when an output holds a NaN or infinity that no input had.
void check_anomaly(const char* op, const Tensor* const* in, size_t n, const Tensor* out, size_t m);
bool any_tangent(const Tensor* const* in, size_t n);
/// A result that forward made as a view of something of its own is a tensor like any other.
void forget_views(const Tensor* const* in, size_t n, Tensor* out, size_t m);
/// `y` as a result of its own if it is a view of an intermediate value, which nobody else has seen, and not of an
/// input.
template <class... In>
Tensor own_result(Tensor y, const In&... inputs) {
  const std::array<const Tensor*, sizeof...(In)> in{&inputs...};
  forget_views(in.data(), in.size(), &y, 1);
  return y;
}
/// Makes `y` a view of `x` in the eyes of autograd.
void mark_view(const Tensor& x, Tensor& y, bool one_of_many);

/// `t` is the tangent of y, result number `nr` of the op that made it; undefined means zero.
void give_tangent(const Tensor& y, uint32_t nr, const Tensor& t);
using TensorFunction = FunctionRef<std::vector<Tensor>(const std::vector<Tensor>&)>;
/// Gives the outputs of an op their tangents; `again` applies the op anew. A linear op is applied to each tangent.
void set_tangents(const Tensor* const* in, size_t n, const Tensor* out, size_t m, bool linear, TensorFunction again);

/// The tangents of f(inputs) from reverse mode alone: a vjp is linear in its argument, and its transpose is the jvp.
std::vector<Tensor> jvp_by_vjp(TensorFunction f, const std::vector<Tensor>& inputs,
                               const std::vector<Tensor>& tangents);

/// A derivative reads what its op's `reads` does not list for the gradients that are wanted: a fault of the library.
[[noreturn]] void throw_undeclared(const Node& node, const char* kind, int i);

/// `g`, a gradient that does not follow from the input at `edge` although PyTorch's derivative reads that, as a
/// function of it all the same: its derivative is zero, not an error.
Tensor flat_in(const Edge& edge, const Tensor& g);

/// What a derivative may look at.
class Saved {
 public:
  Saved(Node* node, SavedValue* inputs, SavedValue* results, unsigned reads)
      : node_(node), inputs_(inputs), results_(results), reads_(reads) {}
  Tensor input(int i) const {
    if (!(reads_ & kInput(i))) [[unlikely]]
      throw_undeclared(*node_, "kInput", i);
    return inputs_[i].unpack(node_, &node_->next_edge(static_cast<uint32_t>(i)));
  }
  Tensor result(int i = 0) const {
    if (!(reads_ & kResult(i))) [[unlikely]]
      throw_undeclared(*node_, "kResult", i);
    return results_[i].unpack(node_, nullptr);
  }
  /// Shape and dtype of an input that needs a gradient; known without saving it.
  IntArrayRef sizes(int i) const {
    const Edge& e = node_->next_edge(static_cast<uint32_t>(i));
    return e.function->output_sizes(e.input_nr);
  }
  ScalarType dtype(int i) const {
    const Edge& e = node_->next_edge(static_cast<uint32_t>(i));
    return e.function->output_dtype(e.input_nr);
  }
  IntArrayRef result_sizes(int i = 0) const { return node_->output_sizes(static_cast<uint32_t>(i)); }
  bool wants(int i) const { return node_->wants(static_cast<uint32_t>(i)); }

 private:
  Node* node_;
  SavedValue *inputs_, *results_;
  unsigned reads_;  // what may be read: that of the gradients that are wanted
};

/// Must a derivative be written in public ops now, or may it call kernels that nobody can differentiate again?
inline bool must_record() { return thread_state.grad_mode || autograd::forward_mode() || thread_state.batched; }
/// out[j], for every input that wants one, from f(inputs) computed anew in public ops: the derivative of an op whose
/// backward kernel knows the first order only, where must_record().
void vjps_of(TensorFunction f, std::vector<Tensor> inputs, const Tensor* grads, const Saved& saved, Tensor* out);

namespace detail {

template <class Op>
constexpr unsigned reads_mask(size_t i) {
  if constexpr (requires { Op::reads; })
    return i < std::size(Op::reads) ? Op::reads[i] : Op::reads[std::size(Op::reads) - 1];
  else return 0;
}
/// As users call it: one struct may serve several ops.
template <class Op>
const char* name_of(const Op& op) {
  if constexpr (requires { op.op_name(); }) return op.op_name();
  else return Op::name;
}
template <class Op>
concept has_vjps = requires {
  &Op::vjps;
};
template <class Op>
concept has_vjp = has_vjps<Op> || requires {
  &Op::vjp;
};
template <class Op>
concept is_view_op = requires {
  requires Op::view;
};
template <class Op>
concept is_linear = requires {
  requires Op::linear;
};

/// N inputs; N < 0: as many as the call has.
template <int N>
struct NodeRoom {
  static constexpr size_t size = N;
  explicit NodeRoom(size_t) {}
  Edge edges[N > 0 ? N : 1];
  SavedValue inputs[N > 0 ? N : 1];
};
template <>
struct NodeRoom<-1> {
  explicit NodeRoom(size_t n) : edges(std::make_unique<Edge[]>(n)), inputs(std::make_unique<SavedValue[]>(n)) {}
  std::unique_ptr<Edge[]> edges;
  std::unique_ptr<SavedValue[]> inputs;
};

/// The recorded call of a structured op.
template <class Op, int N>
class [[gnu::visibility("hidden")]] OpNode final : private NodeRoom<N>, public Node {
 public:
  using Room = NodeRoom<N>;
  OpNode(const Op& op, size_t inputs, size_t outputs)
      : Room(inputs), Node(static_cast<uint32_t>(outputs), &Room::edges[0], static_cast<uint32_t>(inputs)), op_(op) {}
  static void* operator new(size_t bytes) { return allocate(bytes); }
  static void operator delete(void* p, size_t bytes) { deallocate(p, bytes); }
  const char* name() const override {
    if constexpr (requires { op_.node_name(); }) return op_.node_name();
    else return Op::node;
  }

  void backward(Tensor * grads, Tensor * out) override {
    bool any = false;
    for (uint32_t i = 0; i < outputs_; ++i) any |= grads[i].defined();
    if (!any) return;
    const auto saved_for = [&](unsigned reads) { return Saved(this, &Room::inputs[0], results_.data(), reads); };
    if constexpr (has_vjps<Op>) {
      unsigned reads = 0;
      for (uint32_t j = 0; j < edge_count_; ++j)
        if (wants(j)) reads |= reads_mask<Op>(j);
      op_.vjps(grads, saved_for(reads), out);
    } else {
      // The last input first, a weight: what only its gradient reads is gone before there are more.
      const bool frees = kLastReads && autograd::frees_saved();
      for (uint32_t n = 0; n < edge_count_; ++n) {
        const uint32_t j = frees ? edge_count_ - 1 - n : n;
        if (!wants(j)) continue;
        const Saved saved = saved_for(reads_mask<Op>(j));
        if constexpr (requires(const Op& op, const Tensor& g) { op.vjp(0, g, saved); })
          out[j] = op_.vjp(static_cast<int>(j), grads[0], saved);
        else out[j] = op_.vjp(static_cast<int>(j), grads, saved);
        if (frees && j == edge_count_ - 1)
          for (int i = 0; i < N; ++i)
            if (kLastReads & kInput(i)) Room::inputs[i].reset();
      }
    }
    if constexpr (requires { Op::bends; })
      if (thread_state.grad_mode) mark_flat(out);
  }
  void release_variables() override {
    for (uint32_t j = 0; j < edge_count_; ++j) Room::inputs[j].reset();
    for (SavedValue& r : results_) r.reset();
  }
  void save(const Tensor* const* in, const Tensor* out) {
    unsigned mask = 0;
    for (uint32_t j = 0; j < edge_count_; ++j)
      if (edges_[j].function) mask |= reads_mask<Op>(j);
    for (uint32_t j = 0; j < edge_count_ && j < 16; ++j)
      if (mask & kInput(static_cast<int>(j))) Room::inputs[j] = SavedValue(*in[j], false);
    for (size_t k = 0; k < results_.size(); ++k)
      if (mask & kResult(static_cast<int>(k))) results_[k] = SavedValue(out[k], out[k].impl()->grad_fn.get() == this);
    if constexpr (requires { op_.keeps; }) {
      for (uint32_t j = 0; j < edge_count_ && j < 16; ++j)
        if (op_.keeps & kInput(static_cast<int>(j))) Room::inputs[j].keep();
      for (size_t k = 0; k < results_.size(); ++k)
        if (op_.keeps & kResult(static_cast<int>(k))) results_[k].keep();
    }
  }
  void set_saved_tangent(uint32_t nr, const Tensor& tangent) override {
    if (nr < results_.size()) results_[nr].set_tangent(tangent);
  }
  Edge& edge(size_t j) { return edges_[j]; }

 private:
  void mark_flat(Tensor * out) const requires(requires { Op::bends; }) {
    for (uint32_t j = 0; j < edge_count_; ++j) {
      if (!out[j].defined() || tracked(out[j].impl())) continue;
      for (int i = 0; i < static_cast<int>(edge_count_); ++i)
        if (Op::bends & kInput(i) && edges_[i].function) out[j] = flat_in(edges_[i], out[j]);
    }
  }
  static constexpr unsigned kReads = reads_mask<Op>(0) | reads_mask<Op>(1) | reads_mask<Op>(2) | reads_mask<Op>(3);
  /// What only the gradient of the last of several inputs reads.
  static constexpr unsigned kLastReads = [] {
    unsigned others = 0;
    for (int j = 0; j + 1 < N; ++j) others |= reads_mask<Op>(static_cast<size_t>(j));
    return N > 1 ? reads_mask<Op>(N - 1) & ~others : 0;
  }();
  Op op_;
  std::array<SavedValue, std::bit_width(kReads >> 16)> results_;
};

template <class Op, int N>
void record(const Op& op, const Tensor* const* in, size_t n, Tensor* out, size_t m) {
  auto node = Ref<OpNode<Op, N>>::adopt(new OpNode<Op, N>(op, n, m));
  for (size_t j = 0; j < n; ++j)
    if (in[j]->defined() && is_differentiable(in[j]->impl()->dtype) && tracked(in[j]->impl()))
      node->edge(j) = autograd::gradient_edge(in[j]->impl());
  const Ref<Node> base = Ref<Node>::share(node.get());
  for (size_t k = 0; k < m; ++k) {
    if (!out[k].defined()) continue;
    TensorImpl* y = out[k].impl();
    if (is_differentiable(y->dtype)) {
      autograd::set_history(y, base, static_cast<uint32_t>(k));
    } else {
      autograd::set_output(*node, static_cast<uint32_t>(k), y);
      y->cut = Cut::NotDifferentiable, y->cut_by = name_of(op), y->cut_step = thread_state.step;
    }
  }
  node->save(in, out);
  for (size_t j = 0; j < n; ++j)
    if (in[j]->defined() && in[j]->impl()->cut != Cut::None && !node->edge(j).function)
      node->cut_by = in[j]->impl()->cut_by;
}

inline Tensor* outputs_of(Tensor& t) { return &t; }
template <class C>
Tensor* outputs_of(C& c) {
  return c.data();
}
inline size_t count_of(const Tensor&) { return 1; }
template <class C>
size_t count_of(const C& c) {
  return c.size();
}
inline std::vector<Tensor> as_list(const Tensor& t) { return {t}; }
template <class C>
std::vector<Tensor> as_list(const C& c) {
  return {c.begin(), c.end()};
}

/// How every op begins, structured or pointwise, in place or not.
inline void enter() {
  if (!thread_state.raw) ++thread_state.step;
}
/// How every op that made tensors ends: the graph gets a node from `record`, or a note where it was cut; under forward
/// mode `tangents` gives the results theirs; anomaly mode looks at them. `differentiable`: may they have gradients?
template <class Record, class Tangents>
void leave(const char* name, bool differentiable, const Tensor* const* in, size_t n, Tensor* out, size_t m,
           const Record& record, const Tangents& tangents) {
  if (thread_state.raw) return;
  if (differentiable && should_record(in, n)) record();
  else note_cut(name, differentiable, in, n, out, m);
  if (differentiable && autograd::forward_mode() && any_tangent(in, n)) [[unlikely]]
    tangents();
  if (autograd::global_state.anomaly) [[unlikely]]
    check_anomaly(name, in, n, out, m);
}
/// The same for an op without a derivative.
inline void leave(const char* name, const Tensor* const* in, size_t n, Tensor* out, size_t m) {
  leave(
      name, false, in, n, out, m, [] {}, [] {});
}

/// The door of structured ops. `call` runs Op::forward on the inputs; `again` applies the op anew to other inputs, for
/// tangents.
template <class Op, int N, class Call, class Again>
auto through_the_door(const Op& op, const Tensor* const* in, size_t n, Call call, Again again) {
  enter();
  auto result = [&] {
    if constexpr (is_view_op<Op>) {
      return call();  // makes aliases, which nothing records
    } else {
      try {
        ForwardScope scope(in, n);
        return call();
      } catch (const IndexError& e) {
        throw_index_error(name_of(op), *in[0], e);
      }
    }
  }();
  Tensor* out = outputs_of(result);
  const size_t m = count_of(result);
  if constexpr (!is_view_op<Op>) forget_views(in, n, out, m);
  if constexpr (is_view_op<Op>)
    for (size_t k = 0; k < m; ++k)
      mark_view(
          *in[0], out[k], m > 1 || requires { requires Op::many; });
  if constexpr (has_vjp<Op>)
    leave(
        name_of(op), true, in, n, out, m, [&] { record<Op, N>(op, in, n, out, m); },
        [&] { set_tangents(in, n, out, m, is_linear<Op>, again); });
  else leave(name_of(op), in, n, out, m);
  return result;
}

}  // namespace detail

/// `static constexpr Parts parts = Parts::Last` in an op that moves or adds numbers but never multiplies two: its
/// forward sees complex ones as pairs of real ones, along a last dimension of their own (or the first, where it counts
/// dimensions from the end). Aligned: what is not complex, an index or a mask, is given for each of the two.
enum class Parts : uint8_t { Last, Aligned, First };
Tensor parts_of(const Tensor& t, Parts how);
/// `single`: the result of a tensor without dimensions, whose parts are given as those of one with one element.
Tensor from_parts(const Tensor& t, Parts how, bool single = false);
bool is_single(const Tensor* const* in, size_t n, Parts how);
template <class Op>
constexpr bool by_parts = requires {
  Op::parts;
};
/// Does the op compute complex numbers? `static constexpr bool complex = true` in its struct says so, or `parts`; views
/// do by nature.
template <class Op>
constexpr bool takes_complex = detail::is_view_op<Op> || by_parts<Op> || requires {
  requires Op::complex;
};
/// Does it read conjugate views as they are (`knows_conj = true`)? Others get them resolved: Note [Conjugate views].
template <class Op>
constexpr bool knows_conj = requires {
  requires Op::knows_conj;
};
bool any_conj(const Tensor* const* in, size_t n);
/// Does the op compute with sparse tensors? Then it has a `forward_sparse`, which is called in the place of forward
/// when an input is one; others refuse them: Note [Sparse tensors].
template <class Op>
constexpr bool knows_sparse = requires {
  &Op::forward_sparse;
};
inline bool is_sparse(const Tensor& t) { return is_sparse(t.impl()); }
inline bool any_sparse(const Tensor* const* in, size_t n) {
  bool any = false;
  for (size_t j = 0; j < n; ++j) any |= in[j]->impl() && is_sparse(in[j]->impl());
  return any;
}
/// Complex, limited, sparse or batched: one look that nearly all calls pass by.
inline bool any_special(const Tensor* const* in, size_t n) {
  bool any = false;
  for (size_t j = 0; j < n; ++j)
    if (const TensorImpl* t = in[j]->impl()) any |= t->dtype >= kComplexHalf || t->layout != Layout::Strided;
  return any;
}
[[noreturn]] void throw_no_sparse(const char* op, const Tensor* const* in, size_t n);
/// One of the inputs is complex or limited, and the op takes no such numbers.
[[noreturn]] void throw_no_complex(const char* op, const Tensor* const* in, size_t n);

/// Note [Limited dtypes]: `static constexpr bool moves = true` in an op that only moves numbers, whose forward sees
/// limited ones as the integers of the same bits; `limited = true` in one that takes them as they are.
template <class Op>
constexpr bool moves = requires {
  requires Op::moves;
};
template <class Op>
constexpr bool takes_limited = moves<Op> || requires {
  requires Op::limited;
};
/// The dtype of the first limited input; Undefined if there is none.
ScalarType limited_type(const Tensor* const* in, size_t n);
/// `t` as the integers of the same bits, if it is limited.
Tensor bits_of(const Tensor& t);
/// What an op made of such integers, as the dtype they stand for.
Tensor from_bits(const Tensor& t, ScalarType dtype);
template <class C>
C from_bits(C list, ScalarType dtype) {
  for (Tensor& t : list) t = from_bits(t, dtype);
  return list;
}

/// Note [Batching]: `static constexpr bool sees_levels = true` in an op that is about hidden dimensions. How others are
/// called on batched tensors they say by one of
///   Op moved(int64_t items) const         the same op on tensors that all have a dimension of so many items in front;
///   static constexpr bool leading = true  it is the same op: it takes any number of dimensions in front;
///   batch(const Batch&, const Tensor&...) its results from inputs that hold all items.
template <class Op>
constexpr bool sees_levels = requires {
  requires Op::sees_levels;
};
template <class Op, class... T>
auto apply(const Op& op, const T&... inputs) -> decltype(op.forward(inputs...));
template <class Op>
auto apply_list(const Op& op, TensorList inputs) -> decltype(op.forward(inputs));
namespace detail {

template <class R>
R from_list(std::vector<Tensor>&& list) {
  if constexpr (std::is_same_v<R, Tensor>) {
    return std::move(list[0]);
  } else if constexpr (std::is_same_v<R, std::vector<Tensor>>) {
    return std::move(list);
  } else {
    R r;
    std::move(list.begin(), list.end(), r.begin());
    return r;
  }
}
/// The op on other inputs.
template <class Op, int N>
[[gnu::visibility("hidden")]] std::vector<Tensor> call_on(const void* p, const Tensor* in, size_t n) {
  const Op& op = *static_cast<const Op*>(p);
  if constexpr (N < 0) return as_list(apply_list(op, TensorList(in, n)));
  else return [&]<size_t... I>(std::index_sequence<I...>) {
      return as_list(apply(op, in[I]...));
    }
  (std::make_index_sequence<static_cast<size_t>(N < 0 ? 0 : N)>());
}
template <class Op, int N>
[[gnu::visibility("hidden")]] std::vector<Tensor> call_rule(const void* p, const Batch& b, const Tensor* in, size_t n) {
  const Op& op = *static_cast<const Op*>(p);
  if constexpr (requires { &Op::batch; }) {
    if constexpr (N < 0) return as_list(op.batch(b, TensorList(in, n)));
    else return [&]<size_t... I>(std::index_sequence<I...>) {
        return as_list(op.batch(b, in[I]...));
      }
    (std::make_index_sequence<static_cast<size_t>(N < 0 ? 0 : N)>());
  } else {
    std::vector<Tensor> xs;
    const bool raised = batching::raise(b, in, n, xs);
    std::vector<Tensor> ys;
    if constexpr (requires { op.moved(b.size); }) {
      const Op moved = op.moved(b.size);
      ys = call_on<Op, N>(&moved, xs.data(), n);
    } else {
      ys = call_on<Op, N>(p, xs.data(), n);
    }
    if (raised) batching::lower(ys);
    return ys;
  }
}
template <class Op>
constexpr bool has_rule = requires {
  &Op::batch;
}
|| requires(const Op& op) { op.moved(0); }
|| requires { requires Op::leading; };
template <class Op, int N>
batching::Callee callee(const Op& op) {
  if constexpr (has_rule<Op>) return {name_of(op), &op, call_on<Op, N>, call_rule<Op, N>};
  else return {name_of(op), &op, call_on<Op, N>, nullptr};
}

}  // namespace detail

/// Run an op on its inputs; the result is what Op::forward returns: a Tensor, or an array or vector of them.
template <class Op, class... T>
auto apply(const Op& op, const T&... inputs) -> decltype(op.forward(inputs...)) {
  constexpr int n = sizeof...(T);
  const Tensor* const in[] = {&inputs...};
  constexpr bool batches = !detail::is_view_op<Op> && !sees_levels<Op>;
  bool sparse = false, batched = false;
  ScalarType limited = ScalarType::Undefined;
  if (detail::is_view_op<Op> ? is_sparse(*in[0]) : any_special(in, n)) [[unlikely]] {
    if constexpr (batches) batched = any_batched(in, n);
    sparse = !batched && any_sparse(in, n);
    if constexpr (!knows_sparse<Op>)
      if (sparse) throw_no_sparse(detail::name_of(op), in, n);
    if (!sparse && !batched) {
      limited = limited_type(in, n);
      if (limited != ScalarType::Undefined ? !takes_limited<Op> : !takes_complex<Op>)
        throw_no_complex(detail::name_of(op), in, n);
      if constexpr (takes_complex<Op> && !knows_conj<Op>)
        if (any_conj(in, n)) return apply(op, resolve_conj(inputs)...);
    }
  }
  return detail::through_the_door<Op, n>(
      op, in, n,
      [&] {
        if constexpr (batches)
          if (batched) [[unlikely]]
            return detail::from_list<decltype(op.forward(inputs...))>(batching::run(detail::callee<Op, n>(op), in, n));
        if constexpr (knows_sparse<Op>)
          if (sparse) [[unlikely]]
            return op.forward_sparse(inputs...);
        if constexpr (moves<Op>)
          if (limited != ScalarType::Undefined) [[unlikely]]
            return from_bits(op.forward(bits_of(inputs)...), limited);
        if constexpr (by_parts<Op>)
          if (any_special(in, n)) [[unlikely]]
            return from_parts(op.forward(parts_of(inputs, Op::parts)...), Op::parts, is_single(in, n, Op::parts));
        return op.forward(inputs...);
      },
      [&op](const std::vector<Tensor>& xs) {
        return [&]<size_t... I>(std::index_sequence<I...>) { return detail::as_list(apply(op, xs[I]...)); }
        (std::make_index_sequence<n>());
      });
}

/// The same for an op on a list of tensors.
template <class Op>
auto apply_list(const Op& op, TensorList inputs) -> decltype(op.forward(inputs)) {
  std::vector<const Tensor*> in;
  for (const Tensor& t : inputs) in.push_back(&t);
  const bool batched = any_batched(in.data(), in.size()), sparse = !batched && any_sparse(in.data(), in.size());
  ScalarType limited = ScalarType::Undefined;
  if (batched) [[unlikely]] {  // what holds all items comes here again
  } else if (sparse) [[unlikely]] {
    if constexpr (!knows_sparse<Op>) throw_no_sparse(detail::name_of(op), in.data(), in.size());
  } else if (any_special(in.data(), in.size())) [[unlikely]] {
    limited = limited_type(in.data(), in.size());
    if (limited != ScalarType::Undefined ? !takes_limited<Op> : !takes_complex<Op>)
      throw_no_complex(detail::name_of(op), in.data(), in.size());
    if (any_conj(in.data(), in.size())) {
      std::vector<Tensor> plain;
      for (const Tensor& t : inputs) plain.push_back(resolve_conj(t));
      return apply_list(op, plain);
    }
  }
  return detail::through_the_door<Op, -1>(
      op, in.data(), in.size(),
      [&] {
        if (batched) [[unlikely]]
          return detail::from_list<decltype(op.forward(inputs))>(
              batching::run(detail::callee<Op, -1>(op), in.data(), in.size()));
        if constexpr (knows_sparse<Op>)
          if (sparse) [[unlikely]]
            return op.forward_sparse(inputs);
        if constexpr (moves<Op>)
          if (limited != ScalarType::Undefined) [[unlikely]] {
            std::vector<Tensor> bits;
            for (const Tensor& t : inputs) bits.push_back(bits_of(t));
            return from_bits(op.forward(bits), limited);
          }
        if constexpr (by_parts<Op>)
          if (any_special(in.data(), in.size())) [[unlikely]] {
            std::vector<Tensor> pairs;
            for (const Tensor& t : inputs) pairs.push_back(parts_of(t, Op::parts));
            return from_parts(op.forward(pairs), Op::parts);
          }
        return op.forward(inputs);
      },
      [&op](const std::vector<Tensor>& xs) { return detail::as_list(apply_list(op, xs)); });
}

[[noreturn]] void throw_undefined(const char* op, const char* argument);
inline void check_defined(const Tensor& t, const char* op, const char* argument = "input") {
  if (!t.defined()) [[unlikely]]
    throw_undefined(op, argument);
}
/// To be called before every write. Throws when two elements of `self` share memory (it was expanded), or autograd
/// forbids writing it.
void check_writable(const Tensor& self, const char* op);
/// A view of `x` with another shape over the same memory; offset in elements from x's first.
Tensor alias(const Tensor& x, IntArrayRef sizes, IntArrayRef strides, int64_t offset = 0);

/// The place in the graph of numbers that do not follow from the tensors they were made from or put in the place of
/// (drawn, or by an op without a derivative): those have a gradient of zero.
struct Overwritten {
  static constexpr bool complex = true, knows_conj = true, limited = true, sees_levels = true;
  static constexpr const char* name = "in-place op";
  const char* node;
  const char* node_name() const { return node; }
  template <class... T>
  Tensor forward(const Tensor& value, const T&...) const {
    return alias(value, value.sizes(), value.strides());
  }
  Tensor vjp(int i, const Tensor&, const Saved& s) const { return i == 0 ? Tensor() : zeros(s.sizes(i), s.dtype(i)); }
};

/// Write `value` into `self`, which thereby becomes the output of what made `value`: the in-place twin of any op is
/// `assign_("cumsum_", self, cumsum(self, dim))`.
Tensor& assign_(const char* op, const Tensor& self, const Tensor& value);

/// The last step of a write: `self` now has the place in the graph, and the tangent, of `value`.
void take_history(const Tensor& self, const Tensor& value);

/// A copy of `self` in the same place of the graph: what a derivative may read after `self` is overwritten.
Tensor before_write(const Tensor& self);
/// The same memory in the same place of the graph, under another name.
Tensor same_place(const Tensor& t);

/// The in-place twin of an op that is not pointwise: `in_place("cumsum_", self, [&](const Tensor& x) { return cumsum(x,
/// 0); })`. f sees a copy when its derivative may read what is about to be overwritten.
template <class F>
Tensor& in_place(const char* name, const Tensor& self, F&& f) {
  check_defined(self, name, "self");
  check_writable(self, name);
  const bool keep = thread_state.grad_mode && tracked(self.impl());
  Tensor value = f(keep ? before_write(self) : self);
  // The derivative with respect to another input may read self, too.
  if (!keep && thread_state.grad_mode && tracked(value.impl())) value = f(before_write(self));
  return assign_(name, self, value);
}

/// After an in-place write under forward mode: the tangent of `self` (and of its base) is now this; undefined means
/// zero.
void set_inplace_tangent(const Tensor& self, const Tensor& tangent);

/// Does a write to `self` change one of the others while it is read? False when they are the very same view. Throws as
/// PyTorch does when two dense tensors overlap in part.
bool shares_memory(const Tensor& self, const Tensor* const* others, size_t n, const char* op);

// ---- Small things every op file needs.

/// A fresh tensor with uninitialised memory, outside the graph.
inline Tensor make(IntArrayRef sizes, ScalarType dtype, const char* op = "empty") {
  return Tensor::adopt(make_impl(sizes, dtype, op).detach());
}
/// An alias of `x` where `change(sizes, strides)` makes the shape out of that of `x` and gives the offset.
template <class F>
Tensor alias(const Tensor& x, F change) {
  ImplPtr y = make_alias(*x.impl());
  const int64_t offset = change(y->sizes, y->strides);
  y->data = static_cast<char*>(y->data) + offset * element_size(y->dtype);
  y->refresh();
  return Tensor::adopt(y.detach());
}
/// A fresh tensor that varies from item to item where `like` does: Note [Batching].
inline Tensor make_for(const Tensor& like, IntArrayRef sizes, ScalarType dtype, const char* op = "empty") {
  return is_batched(like) ? batching::fresh(batching::varying(like), sizes, dtype, op) : make(sizes, dtype, op);
}
/// Zeros to be written with numbers of these tensors.
template <class... T>
Tensor zeros_for(IntArrayRef sizes, ScalarType dtype, const T&... from) {
  if (!(is_batched(from) || ...)) [[likely]]
    return zeros(sizes, dtype);
  const Tensor* const in[] = {&from...};
  return batching::zeros(batching::varying(in, sizeof...(T)), sizes, dtype);
}
/// A fresh meta tensor.
inline Tensor make_dry(IntArrayRef sizes, ScalarType dtype) {
  const DryScope scope;
  return make(sizes, dtype);
}
/// Is there nothing to read: are only shapes asked for?
inline bool no_data(const Tensor& t) { return dry || t.impl()->is_meta(); }
inline View view_of(const Tensor& t) { return t.impl()->view(); }
/// dim in [-n, n) made non-negative; a 0-d tensor counts as having one dimension.
int64_t wrap_dim(int64_t dim, int64_t n, const char* op);
/// The dims of a reduction as a sorted list without repetition; all of them when the list is empty or absent.
Dims wrap_dims(OptionalIntArrayRef dims, int64_t n, const char* op);
/// The shape both broadcast to; throws with both shapes.
Dims broadcast_shapes(IntArrayRef a, IntArrayRef b, const char* op);
/// What half precision is computed in; other dtypes are computed as they are.
constexpr ScalarType wide_type(ScalarType t) { return t == kHalf || t == kBFloat16 ? kFloat : t; }
/// A 0-d tensor that counts as a plain number in type promotion. It keeps its value: what an op computes in decides how
/// much of it is used.
Tensor wrapped(const Scalar& s, const Tensor& like);

}  // namespace taut
