// The parts of the door that are the same for every op.
#include "ops/op.h"

#include <algorithm>
#include <cmath>

#include "kernels/copy.h"
#include "ops/complex.h"
#include "ops/sparse.h"
#include "taut/registry.h"

namespace taut {

bool any_tracked(const Tensor* const* in, size_t n) {
  return std::any_of(in, in + n, [](const Tensor* t) { return tracked(t->impl()); });
}

[[gnu::noinline]] static void note_cut_slowly(const char* op, bool differentiable, const Tensor* const* in, size_t n,
                                              Tensor* out, size_t m) {
  if (thread_state.inference)
    for (size_t k = 0; k < m; ++k)
      if (out[k].defined() && !out[k].impl()->base) out[k].impl()->inference = true;
  for (size_t j = 0; j < n; ++j) {
    TensorImpl* x = in[j]->impl();
    if (!x) continue;
    Cut cut = x->cut;
    const char* by = x->cut_by;
    uint64_t step = x->cut_step;
    if (tracked(x)) {  // the graph ends here
      cut = !differentiable ? Cut::NotDifferentiable : thread_state.inference ? Cut::Inference : Cut::NoGrad;
      by = op;
      step = thread_state.step;
      if (autograd::AutogradMeta* meta = autograd::find_meta(x)) meta->note_cut(cut, op);
    }
    if (cut == Cut::None) continue;
    for (size_t k = 0; k < m; ++k) {
      TensorImpl* y = out[k].impl();
      if (y && y != x) y->cut = cut, y->cut_by = by, y->cut_step = step;
    }
    return;
  }
}

void note_cut(const char* op, bool differentiable, const Tensor* const* in, size_t n, Tensor* out, size_t m) {
  bool any = thread_state.inference;  // anything to note?
  for (size_t j = 0; j < n; ++j)
    if (const TensorImpl* x = in[j]->impl()) any |= x->cut != Cut::None || x->requires_grad || x->base || x->grad_fn;
  if (any) note_cut_slowly(op, differentiable, in, n, out, m);
}

void enter_meta(const Tensor* const* in, size_t n, bool pointwise) {
  const TensorImpl* first = nullptr;
  for (size_t j = 0; j < n; ++j) {
    const TensorImpl* t = in[j]->impl();
    if (!t) continue;
    // Single numbers may have memory; so may what a structured op reads as indices.
    if (!t->is_meta() && (t->sizes.empty() || (!pointwise && !is_differentiable(t->dtype)))) continue;
    if (!first) first = t;
    check(first->is_meta() == t->is_meta(), "Tensor on device ", t->is_meta() ? "meta" : "cpu",
          " is not on the expected device ", t->is_meta() ? "cpu" : "meta", "!");
  }
  dry = dry || (first && first->is_meta());
}

void throw_undeclared(const Node& node, const char* kind, int i) {
  throw Error(str("internal error: the derivative of `", autograd::op_name(node), "` (", node.name(), ") reads ", kind,
                  "(", i, "), which its `reads` does not list for the gradients that are wanted. Please report this."));
}

void throw_no_sparse(const char* op, const Tensor* const* in, size_t n) {
  const Tensor* const* x = std::find_if(in, in + n, [](const Tensor* t) { return t->defined() && is_sparse(*t); });
  throw NotImplementedError(str("Could not run 'aten::", op, "' with arguments from the '",
                                (*x)->is_sparse() ? "Sparse" : "SparseCsr", "CPU' backend: ", op,
                                " does not know sparse tensors. Make it dense first: x.to_dense()."));
}

void throw_index_error(const char* op, const Tensor& x, const IndexError& e) {
  const std::string text = e.what();
  const bool named = text.rfind(str(op, ":"), 0) == 0 || text.rfind(str(op, "("), 0) == 0;
  if (thread_state.raw || !x.defined() || named) throw;
  throw IndexError(
      str(text, " (", op, "). The tensor has shape ", x.sizes(), "; an index runs from -size to size - 1."));
}

static int64_t count_non_finite(const Tensor& t, bool& nan) {
  if (!is_differentiable(t.scalar_type()) || t.numel() == 0 || t.is_meta()) return 0;
  RawScope raw;
  if (is_sparse(t)) return count_non_finite(sparse::value_part(t), nan);
  if (t.is_complex()) return count_non_finite(view_as_real(resolve_conj(t)), nan);
  int64_t count = 0;
  const Tensor x = t.to(kDouble).contiguous();
  const auto* p = x.data_ptr<double>();
  for (int64_t i = 0; i < x.numel(); ++i)
    if (!std::isfinite(p[i])) ++count, nan |= std::isnan(p[i]);
  return count;
}
int64_t autograd::provided::count_non_finite(const Tensor& t, bool& nan) { return taut::count_non_finite(t, nan); }

void check_anomaly(const char* op, const Tensor* const* in, size_t n, const Tensor* out, size_t m) {
  if (!autograd::global_state.check_nan) return;
  bool nan = false;
  for (size_t k = 0; k < m; ++k) {
    const int64_t count = out[k].defined() ? count_non_finite(out[k], nan) : 0;
    if (count == 0) continue;
    bool had = false;
    for (size_t j = 0; j < n; ++j) had |= in[j]->defined() && count_non_finite(*in[j], nan) > 0;
    if (had) continue;
    throw Error(str("`", op, "` (step ", thread_state.step, ") made ", count, nan ? " nan" : " inf",
                    count == 1 ? " value" : " values", " in its ", out[k].sizes(),
                    " result, from inputs that were finite. Look at what goes into it: a log or a division of zero, a "
                    "square root of a negative number, an overflow?"));
  }
}

bool any_tangent(const Tensor* const* in, size_t n) {
  return std::any_of(in, in + n, [](const Tensor* t) { return t->defined() && autograd::tangent_of(*t).defined(); });
}

void forget_views(const Tensor* const* in, size_t n, Tensor* out, size_t m) {
  for (size_t k = 0; k < m; ++k) {
    TensorImpl* t = out[k].impl();
    if (!t || !t->base) continue;
    if (std::any_of(in, in + n, [&](const Tensor* x) { return x->defined() && x->impl()->storage == t->storage; }))
      continue;
    t->base = nullptr;
    t->view_kind = ViewKind::None;
  }
}

namespace {
struct FlatIn {
  static constexpr bool complex = true, knows_conj = true, limited = true;
  static constexpr const char* name = "flat_in";
  static constexpr const char* node = "FlatInBackward0";
  Tensor forward(const Tensor&, const Tensor& g) const { return alias(g, g.sizes(), g.strides()); }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const { return i == 1 ? g : zeros(s.sizes(0), g.scalar_type()); }
};
}  // namespace
Tensor flat_in(const Edge& edge, const Tensor& g) {
  const Tensor place = make({0}, g.scalar_type());  // stands there for the input, whose numbers nobody reads
  place.impl()->grad_fn = Ref<GraphNode>::share(edge.function.get());
  place.impl()->output_nr = edge.input_nr;
  return apply(FlatIn{}, place, g);
}

Tensor same_place(const Tensor& t) {
  ImplPtr alias = make_alias(*t.impl());
  alias->grad_fn = autograd::current_grad_fn(t.impl());
  alias->output_nr = t.impl()->output_nr;
  return Tensor::adopt(alias.detach());
}

void mark_view(const Tensor& x, Tensor& y, bool one_of_many) {
  TensorImpl* v = y.impl();
  if (v == x.impl() || !(v->storage == x.impl()->storage)) return;  // the very tensor, or a copy after all
  v->inference = x.impl()->inference;
  v->base = x.impl()->base ? x.impl()->base : ImplPtr::share(x.impl());
  v->attr_version = v->storage->version();
  v->view_kind = thread_state.inference    ? ViewKind::InferenceMade
                 : !thread_state.grad_mode ? ViewKind::NoGradMade
                 : one_of_many             ? ViewKind::MultiOutput
                 : x.impl()->base ? x.impl()->view_kind  // what may not be written may not be through a view either
                                  : ViewKind::Plain;
  if (autograd::forward_mode()) [[unlikely]]
    autograd::set_forward_root(x.impl(), v);
}

std::vector<Tensor> jvp_by_vjp(TensorFunction f, const std::vector<Tensor>& inputs,
                               const std::vector<Tensor>& tangents) {
  const bool outer = thread_state.grad_mode;
  AutoGradMode record(true);
  std::vector<Tensor> xs = inputs, sources, directions;
  // Each item has a tangent of its own: nothing may be summed over items.
  HiddenDims levels;
  for (const auto* list : {&inputs, &tangents})
    for (const Tensor& t : *list)
      if (is_batched(t))
        for (const HiddenDim& h : hidden_of(*t.impl())) levels.add({h.level, h.size, 0});
  for (size_t j = 0; j < xs.size(); ++j) {
    if (!levels.empty() && xs[j].defined()) xs[j] = batching::lifted_in_graph(xs[j], levels);
    if (!tangents[j].defined()) continue;
    if (xs[j].requires_grad()) {
      xs[j] = xs[j].expand(xs[j].sizes());  // one input may have been made from another: each gets a node of its own
    } else {
      xs[j] = xs[j].detach();
      xs[j].set_requires_grad(true);
    }
    sources.push_back(xs[j]);
    directions.push_back(tangents[j]);
  }
  const std::vector<Tensor> ys = f(xs);
  std::vector<Tensor> roots, seeds, result(ys.size());
  for (const Tensor& y : ys) {
    if (!y.defined() || !y.requires_grad()) continue;
    roots.push_back(y);
    seeds.push_back(batching::lifted(zeros(y.sizes(), y.scalar_type()), levels));
    seeds.back().set_requires_grad(true);
  }
  if (roots.empty()) return result;
  const std::vector<Tensor> v = autograd::grad(roots, sources, seeds, true, true, true);
  std::vector<Tensor> from, along;
  for (size_t j = 0; j < v.size(); ++j)
    if (v[j].defined() && v[j].requires_grad()) from.push_back(v[j]), along.push_back(directions[j]);
  std::vector<Tensor> t(seeds.size());
  if (!from.empty()) t = autograd::grad(from, seeds, along, true, outer, true);
  for (size_t i = 0, k = 0; i < ys.size(); ++i)
    if (ys[i].defined() && ys[i].requires_grad()) result[i] = t[k++];
  return result;
}

void give_tangent(const Tensor& y, uint32_t nr, const Tensor& t) {
  if (!t.defined()) return;
  autograd::set_tangent(y, t);
  if (const auto& fn = y.impl()->grad_fn) static_cast<Node*>(fn.get())->set_saved_tangent(nr, t);
}

void set_tangents(const Tensor* const* in, size_t n, const Tensor* out, size_t m, bool linear, TensorFunction again) {
  std::vector<Tensor> primals, tangents, t(m);
  for (size_t j = 0; j < n; ++j)
    primals.push_back(*in[j]), tangents.push_back(in[j]->defined() ? autograd::tangent_of(*in[j]) : Tensor());
  {
    NoForwardScope scope;
    if (linear) {
      for (size_t j = 0; j < n; ++j) {
        if (!tangents[j].defined()) continue;
        std::vector<Tensor> inputs = primals;
        inputs[j] = tangents[j];
        const std::vector<Tensor> part = again(inputs);
        for (size_t k = 0; k < m; ++k) t[k] = t[k].defined() ? t[k] + part[k] : part[k];
      }
    } else {
      t = jvp_by_vjp(again, primals, tangents);
    }
  }
  for (size_t k = 0; k < m; ++k)
    if (is_differentiable(out[k].scalar_type())) give_tangent(out[k], static_cast<uint32_t>(k), t[k]);
}

void vjps_of(TensorFunction f, std::vector<Tensor> inputs, const Tensor* grads, const Saved& saved, Tensor* out) {
  const bool outer = thread_state.grad_mode;
  AutoGradMode record(true);
  // Aliases: the gradient must not flow on through an input into another one that it was computed from.
  std::vector<Tensor> sources;
  for (size_t j = 0; j < inputs.size(); ++j)
    if (saved.wants(static_cast<int>(j))) sources.push_back(inputs[j] = inputs[j].view_as(inputs[j]));
  const std::vector<Tensor> ys = f(inputs);
  std::vector<Tensor> roots, seeds;
  for (size_t k = 0; k < ys.size(); ++k)
    if (grads[k].defined() && ys[k].requires_grad()) roots.push_back(ys[k]), seeds.push_back(grads[k]);
  if (roots.empty()) return;
  const std::vector<Tensor> v = autograd::grad(roots, sources, seeds, outer, outer, true);
  for (size_t j = 0, k = 0; j < inputs.size(); ++j)
    if (saved.wants(static_cast<int>(j))) out[j] = v[k++];
}

void check_writable(const Tensor& self, const char* op) {
  const TensorImpl& t = *self.impl();
  if (!t.contiguous)
    for (size_t d = 0; d < t.sizes.size(); ++d)
      check(t.strides[d] != 0 || t.sizes[d] <= 1, op,
            ": unsupported operation: more than one element of the written-to tensor refers to a single memory "
            "location. Please clone() the "
            "tensor before performing the operation. It has shape ",
            self.sizes(), " and strides ", self.strides());
  autograd::check_inplace(self.impl(), op);
}

bool shares_memory(const Tensor& self, const Tensor* const* others, size_t n, const char* op) {
  const auto range = [](const TensorImpl& t) {
    int64_t last = 0;
    for (size_t d = 0; d < t.sizes.size(); ++d) last += (t.sizes[d] - 1) * t.strides[d];
    for (const HiddenDim& h : hidden_of(t)) last += (h.size - 1) * h.stride;
    const auto* p = static_cast<const char*>(t.data);
    return std::pair{p, p + (std::max<int64_t>(last, 0) + 1) * element_size(t.dtype)};
  };
  const TensorImpl& a = *self.impl();
  for (size_t j = 0; j < n; ++j) {
    const TensorImpl& b = *others[j]->impl();
    if (&a == &b || a.storage->data() != b.storage->data() || a.numel == 0 || b.numel == 0) continue;
    if (a.data == b.data && a.sizes == b.sizes && a.strides == b.strides) continue;
    const auto [a0, a1] = range(a);
    const auto [b0, b1] = range(b);
    if (a0 >= b1 || b0 >= a1) continue;
    if (is_batched(&a) || is_batched(&b)) return true;
    const bool dense = a1 - a0 == a.numel * element_size(a.dtype) && b1 - b0 == b.numel * element_size(b.dtype);
    check(!dense, op,
          ": unsupported operation: some elements of the input tensor and the written-to tensor refer to a single "
          "memory location. Please clone() the tensor before performing the operation.");
    return true;
  }
  return false;
}

Tensor before_write(const Tensor& self) {
  Tensor copy;
  {
    RawScope raw;
    copy = self.clone();
  }
  if (Edge edge = autograd::gradient_edge(self.impl()); edge.function) {
    copy.impl()->grad_fn = Ref<GraphNode>::share(edge.function.get());
    copy.impl()->output_nr = edge.input_nr;
  }
  if (Tensor tangent = autograd::tangent_of(self); tangent.defined()) autograd::set_tangent(copy, tangent);
  return copy;
}

Tensor& assign_(const char* op, const Tensor& self, const Tensor& value) {
  check(value.sizes() == self.sizes(), op, ": output with shape ", self.sizes(), " doesn't match the broadcast shape ",
        value.sizes());
  check(can_cast(value.scalar_type(), self.scalar_type()), op, ": result type ", value.scalar_type(),
        " can't be cast to the desired output type ", self.scalar_type(),
        ". Convert the tensor first, or use the op without the underscore.");
  check_writable(self, op);
  if (is_batched(value)) [[unlikely]]
    batching::check_holds(op, self, batching::varying(value));
  Tensor source = value;
  const AsDry as(self);
  if (value.scalar_type() != self.scalar_type()) source = value.to(self.scalar_type());
  if (thread_state.grad_mode && !thread_state.raw && tracked(self.impl()) && !tracked(source.impl()))
    source = apply(Overwritten{"CopyBackwards"}, source, self);
  if (thread_state.grad_mode && tracked(source.impl())) autograd::check_rebase(self.impl(), op);
  write(self, source);
  self.impl()->storage->bump(op, thread_state.step);
  take_history(self, source);
  return const_cast<Tensor&>(self);
}

void take_history(const Tensor& self, const Tensor& value) {
  if (thread_state.grad_mode && tracked(value.impl())) {
    autograd::Edge edge = autograd::gradient_edge(value.impl());
    autograd::rebase_history(self.impl(), edge.function, edge.input_nr);
  }
  if (autograd::forward_mode()) set_inplace_tangent(self, autograd::tangent_of(value));
}

void set_inplace_tangent(const Tensor& self, const Tensor& tangent) {
  const bool had = autograd::tangent_of(self).defined();
  if (!tangent.defined() && !had) return;
  const Tensor t = tangent.defined() ? tangent : zeros(self.sizes(), self.scalar_type());
  if (TensorImpl* impl = autograd::forward_root(self.impl())) {  // the tensor it is a view of has changed too
    const Tensor root = Tensor::adopt(Ref<TensorImpl>::share(impl).detach());
    Tensor before = autograd::tangent_of(root);
    NoForwardScope scope;
    if (!before.defined()) before = zeros(root.sizes(), root.scalar_type());
    autograd::set_tangent(root, autograd::provided::with_part(before, t, impl, self.impl()));
  }
  autograd::set_tangent(self, t);
}

Tensor alias(const Tensor& x, IntArrayRef sizes, IntArrayRef strides, int64_t offset) {
  const TensorImpl& t = *x.impl();
  return Tensor::adopt(
      make_alias(t, sizes, strides, static_cast<char*>(t.data) + offset * element_size(t.dtype)).detach());
}

int64_t wrap_dim(int64_t dim, int64_t n, const char* op) {
  const int64_t m = std::max<int64_t>(n, 1);
  check<IndexError>(dim >= -m && dim < m, "Dimension out of range (expected to be in range of [", -m, ", ", m - 1,
                    "], but got ", dim, ") in ", op);
  return dim < 0 ? dim + m : dim;
}

Dims wrap_dims(OptionalIntArrayRef dims, int64_t n, const char* op) {
  Dims result;
  if (!dims || dims->empty()) {
    for (int64_t d = 0; d < n; ++d) result.push_back(d);
    return result;
  }
  for (int64_t d : *dims) result.push_back(wrap_dim(d, n, op));
  std::sort(result.begin(), result.end());
  for (size_t i = 1; i < result.size(); ++i)
    check(result[i] != result[i - 1], op, ": dim ", result[i], " appears multiple times in the list of dims");
  if (n == 0) result.resize(0);
  return result;
}

Dims broadcast_shapes(IntArrayRef a, IntArrayRef b, const char* op) {
  Dims result(a.size() >= b.size() ? a : b);
  const IntArrayRef shorter = a.size() >= b.size() ? b : a;
  const size_t skip = result.size() - shorter.size();
  for (size_t d = shorter.size(); d-- > 0;) {
    int64_t& r = result[skip + d];
    if (r == shorter[d]) continue;
    if (r == 1) r = shorter[d];
    else if (shorter[d] != 1)
      throw Error(str("The size of tensor a (", a.size() >= b.size() ? r : shorter[d],
                      ") must match the size of tensor b (", a.size() >= b.size() ? shorter[d] : r,
                      ") at non-singleton dimension ", skip + d, " in ", op, ": the shapes are ", a, " and ", b,
                      ". Sizes must be equal, or 1, counted from the right."));
  }
  return result;
}

Tensor wrapped(const Scalar& s, const Tensor& like) {
  const DryScope computed(false);                                                       // it has memory everywhere
  ScalarType t = like.defined() ? wide_type(like.scalar_type()) : get_default_dtype();  // the op will refuse that
  if (is_float8(t)) t = kFloat;
  if (s.is_complex()) t = complex_type(is_differentiable(t) ? t : get_default_dtype());
  else if (!is_differentiable(t)) t = s.is_floating_point() ? get_default_dtype() : s.type();
  if (is_complex(t)) {
    Tensor z = full({}, s, t == kComplexHalf ? kComplexFloat : t);
    z.impl()->wrapped_number = true;
    return z;
  }
  Tensor x = make({}, t);
  visit_dtype(t, [&](auto e) {
    *x.data_ptr<decltype(e)>() =
        static_cast<decltype(e)>(s.to<std::conditional_t<std::is_arithmetic_v<decltype(e)>, decltype(e), float>>());
  });
  x.impl()->wrapped_number = true;
  return x;
}

Tensor number_tensor(const Scalar& s) {
  const DryScope computed(false);
  Tensor x = full({}, s, s.type());
  x.impl()->wrapped_number = true;
  return x;
}

void check_converts(const Scalar& s, ScalarType t, const char* op) {
  check(kernels::holds(s, t), op, ": value cannot be converted to type ", t, " without overflow: ", s);
}

void throw_undefined(const char* op, const char* argument) {
  throw Error(str(op, ": the argument '", argument, "' is an undefined tensor"));
}

void Tensor::retain(TensorImpl* p) { p->retain(); }
void Tensor::release(TensorImpl* p) { p->release(); }
bool OptionalTensor::has_value() const { return tensor_ && tensor_->defined(); }

}  // namespace taut
