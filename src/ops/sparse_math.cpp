// Computing with sparse tensors.
#include <algorithm>
#include <cstring>

#include "kernels/sparse.h"
#include "ops/registry.h"
#include "ops/sparse.h"
#include "ops/view_ops.h"

namespace taut {
namespace sparse {

// ---- Other shapes.

/// The layout of the transpose.
static Layout turned(Layout layout) {
  switch (layout) {
    case Layout::SparseCsr: return Layout::SparseCsc;
    case Layout::SparseCsc: return Layout::SparseCsr;
    case Layout::SparseBsr: return Layout::SparseBsc;
    default: return Layout::SparseBsr;
  }
}
static Tensor permuted_compressed(const Tensor& x, IntArrayRef dims, IntArrayRef sizes) {
  Pattern at = Pattern::of(x);
  const int64_t batch = at.batch();
  static constexpr const char* kinds[] = {"Batch", "Sparse", "Dense"};
  const auto kind = [&](int64_t d) { return d < batch ? 0 : d < batch + 2 ? 1 : 2; };
  bool moved = false;
  Dims front, order;
  for (int64_t d = 0; d < x.dim(); ++d) {
    const int64_t from = dims[ix(d)];
    check(kind(d) == kind(from),
          "transpose(): can only transpose dimensions of the same type (Batch, Sparse, Dense), got ", d, "(",
          kinds[kind(d)], ") and ", from, "(", kinds[kind(from)], ")");
    moved |= d != from;
    if (d < batch) front.push_back(from);
  }
  if (!moved) return with_values(x, value_part(x));
  check(x.dim() == batch + 2, "transpose(): hybrid sparse compressed tensors with dense dimensions are not supported");
  order = front, front.push_back(batch), order.push_back(batch);
  const bool turns = dims[ix(batch)] != batch;
  for (size_t d = 0; d < at.block.size(); ++d) order.push_back(batch + 1 + static_cast<int64_t>(turns ? 1 - d : d));
  at.indices = at.indices.permute(front), at.others = at.others.permute(front);
  at.sizes = sizes;
  if (turns) at.layout = turned(at.layout);
  if (turns && !at.block.empty()) std::swap(at.block[0], at.block[1]);
  return at.with(value_part(x).permute(order));
}

Tensor permuted(const Tensor& x, IntArrayRef dims) {
  RawScope raw;
  Dims sizes;
  for (const int64_t d : dims) sizes.push_back(x.sizes()[ix(d)]);
  if (is_compressed(x)) return permuted_compressed(x, dims, sizes);
  const int64_t front = x.sparse_dim();
  Dims among{0};
  Pattern at = Pattern::of(x);
  for (size_t d = 0; d < dims.size(); ++d) {
    check(
        (static_cast<int64_t>(d) < front) == (dims[d] < front),
        "permute(sparse_coo): transpositions between sparse and dense dimensions are not allowed. Only transpositions "
        "within sparse and dense dimensions are supported.");
    if (dims[d] >= front) among.push_back(dims[d] - front + 1);
    else if (dims[d] != static_cast<int64_t>(d)) at.coalesced = false;
  }
  at.sizes = sizes;
  at.indices = front > 0 ? at.indices.index_select(0, tensor(dims.slice(0, ix(front)))) : at.indices;
  return at.with(value_part(x).permute(among));
}

Tensor unsqueezed(const Tensor& x, int64_t dim) {
  RawScope raw;
  check(is_coo(x), "unsqueeze: not supported for the ", x.layout(), " layout. Use .to_sparse() first.");
  Pattern at = Pattern::of(x);
  const int64_t front = at.dims();
  at.sizes.insert(ix(dim), 1);
  if (dim > front) return at.with(value_part(x).unsqueeze(dim - front + 1));
  at.indices = cat(
      {at.indices.narrow(0, 0, dim), zeros({1, at.indices.size(1)}, kLong), at.indices.narrow(0, dim, front - dim)});
  return at.with(value_part(x));
}

static Tensor as_coo(const Tensor& x, const char* op) { return converted(x, Layout::Sparse, std::nullopt, op); }
/// The indices without those of one dimension.
static Tensor without(const Tensor& indices, int64_t dim) {
  return cat({indices.narrow(0, 0, dim), indices.narrow(0, dim + 1, indices.size(0) - dim - 1)});
}
/// The indices with others in one dimension.
static Tensor replaced(const Tensor& indices, int64_t dim, const Tensor& by) {
  const Tensor y = indices.clone();
  y.select(0, dim).copy_(by);
  return y;
}

Tensor selected(const Tensor& x, int64_t dim, int64_t at) {
  RawScope raw;
  if (Pattern p = Pattern::of(x); p.batch() > 0) {
    check(dim < p.batch(),
          "select(): selecting sparse dimensions is not supported for batched sparse compressed tensors.");
    p.indices = p.indices.select(dim, at), p.others = p.others.select(dim, at);
    p.sizes.erase(ix(dim));
    return p.with(value_part(x).select(dim, at));
  }
  const Tensor from = as_coo(x, "select");
  Pattern p = Pattern::of(from);
  const int64_t front = p.dims();
  p.sizes.erase(ix(dim));
  if (dim >= front) return p.with(value_part(from).select(dim - front + 1, at));
  const Tensor hit = (p.indices.select(0, dim) == at).nonzero().select(1, 0),
               value = value_part(from).index_select(0, hit);
  if (front == 1) return value.sum(IntArrayRef{0}, false, value.scalar_type());
  p.indices = without(p.indices, dim).index_select(1, hit);
  p.coalesced |= hit.numel() < 2;
  return p.with(value);
}

Tensor narrowed(const Tensor& x, int64_t dim, int64_t start, int64_t length) {
  RawScope raw;
  const Tensor from = as_coo(x, "narrow_copy");
  Pattern p = Pattern::of(from);
  const int64_t front = p.dims();
  p.sizes[ix(dim)] = length;
  if (dim >= front) return p.with(value_part(from).narrow(dim - front + 1, start, length));
  const Tensor along = p.indices.select(0, dim);
  const Tensor hit = ((along >= start) & (along < start + length)).nonzero().select(1, 0);
  p.indices = replaced(p.indices, dim, along - start).index_select(1, hit);
  return p.with(value_part(from).index_select(0, hit));
}

namespace {
/// Elements sorted by a key in [0, count): those of key k are order[begins[k]] up to order[begins[k + 1]].
struct Groups {
  Tensor begins, order;
  Groups(const Tensor& keys, int64_t count) : begins(make({count + 1}, kLong)), order(make({keys.numel()}, kLong)) {
    const Tensor key = keys.contiguous();
    kernels::bucket(key.data_ptr<int64_t>(), key.numel(), count, begins.data_ptr<int64_t>(), order.data_ptr<int64_t>());
  }
  /// For each wanted key all its elements: which of `wanted`, and which element.
  std::pair<Tensor, Tensor> all_of(const Tensor& wanted) const {
    const Tensor first = begins.index_select(0, wanted), n = begins.index_select(0, wanted + 1) - first;
    const Tensor who = repeat_interleave(n), before = n.cumsum(0) - n;
    const Tensor at = arange(who.numel(), kLong) + (first - before).index_select(0, who);
    return {who, order.index_select(0, at)};
  }
};
}  // namespace

Tensor index_selected(const Tensor& x, int64_t dim, const Tensor& index) {
  RawScope raw;
  const Tensor from = as_coo(x, "index_select"), wanted = index.reshape({-1}).to(kLong);
  Pattern p = Pattern::of(from);
  const int64_t front = p.dims(), size = x.size(dim);
  if (wanted.numel() > 0) {
    const auto [low, high] = wanted.aminmax();
    check<IndexError>(low.item().toLong() >= 0 && high.item().toLong() < size,
                      "index_select(): index contains values out of range for tensor of size ", x.sizes(),
                      " at dimension ", dim);
  }
  p.sizes[ix(dim)] = wanted.numel();
  if (dim >= front) return p.with(value_part(from).index_select(dim - front + 1, wanted));
  const auto [who, element] = Groups(p.indices.select(0, dim), size).all_of(wanted);
  p.indices = replaced(p.indices.index_select(1, element), dim, who);
  p.coalesced = false;
  return p.with(value_part(from).index_select(0, element));
}

Tensor joined(TensorList tensors, int64_t dim, IntArrayRef sizes, ScalarType dtype) {
  RawScope raw;
  std::vector<Tensor> places, value;
  int64_t start = 0, front = -1;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& t = tensors[i];
    check(is_sparse(t), "Concatenating sparse tensors, but a dense tensor was found at position ", i, ".");
    check(is_coo(t), "cat: not supported for the ", t.layout(), " layout. Use .to_sparse() first.");
    check(front < 0 || front == t.sparse_dim(), "All tensors must have the same shape: ", front,
          " sparse dimensions, but tensor at position ", i, " has ", t.sparse_dim());
    front = t.sparse_dim();
    const Tensor own = index_part(t);
    const Tensor v = value_part(t).to(dtype);
    if (dim < front) {
      places.push_back(replaced(own, dim, own.select(0, dim) + start));
      value.push_back(v);
    } else {
      places.push_back(own);
      Dims shape = v.impl()->sizes;
      shape[ix(dim - front + 1)] = sizes[ix(dim)];
      value.push_back(zeros(shape, dtype));
      value.back().narrow(dim - front + 1, start, t.size(dim)).copy_(v);
    }
    start += t.size(dim);
  }
  return Pattern{Layout::Sparse, cat(places, 1), {}, sizes}.with(cat(value));
}

// ---- Products and sums.

Tensor product(const Tensor& a, const Tensor& b) {
  RawScope raw;
  if (!is_sparse(a)) return product(permuted(b, {1, 0}), a.t()).t().contiguous();
  const Layout layout = a.layout();
  if (is_compressed(a) && (a.dim() > 2 || of_blocks(layout))) {
    check(!is_sparse(b), "zeros_sparse_compressed expected sparse compressed (non-block) tensor layout but got ",
          layout, ". Use .to_sparse() first.");
    return product(as_coo(a, "mm"), b);
  }
  const ScalarType dtype = a.scalar_type();
  const int64_t m = a.size(0), k = a.size(1), n = b.size(-1);
  if (a.dim() == 3) {  // a batch of COO matrices is one, of blocks along the diagonal
    check(is_coo(a) && !is_sparse(b), "bmm: expected a sparse COO and a dense tensor, got ", layout, " and ",
          b.layout());
    const int64_t count = a.size(0), rows = a.size(1), inner = a.size(2);
    const Tensor places = index_part(a), block = places.select(0, 0);
    const Tensor flat = stack({block * rows + places.select(0, 1), block * inner + places.select(0, 2)});
    const Pattern whole{Layout::Sparse, flat, {}, {count * rows, count * inner}, impl(a).coalesced};
    return product(whole.with(value_part(a)), b.reshape({count * inner, b.size(2)})).reshape({count, rows, b.size(2)});
  }
  if (is_sparse(b)) {
    const Tensor left = as_coo(coalesced(a), "mm"), right = as_coo(coalesced(b), "mm"), places = index_part(left);
    const auto [who, element] = Groups(index_part(right).select(0, 0), k).all_of(places.select(0, 1));
    const Tensor at =
        stack({places.select(0, 0).index_select(0, who), index_part(right).select(0, 1).index_select(0, element)});
    const Tensor value = value_part(left).index_select(0, who) * value_part(right).index_select(0, element);
    return converted(coalesced(Pattern{Layout::Sparse, at, {}, {m, n}}.with(value)), layout, std::nullopt, "mm");
  }
  if (element_size(dtype) == 2 && is_floating_point(dtype))
    return product(with_values(a, value_part(a).to(kFloat)), b.to(kFloat)).to(dtype);
  if (dtype != kFloat && dtype != kDouble) {
    const Tensor places = coordinates(Pattern::of(a));
    return zeros({m, n}, dtype)
        .index_add_(0, places.select(0, 0), value_part(a).unsqueeze(1) * b.index_select(0, places.select(0, 1)));
  }
  Tensor begins, columns, value = value_part(a);
  if (layout == Layout::SparseCsr) {
    begins = index_part(a).to(kLong), columns = other_part(a).to(kLong);
  } else {
    const Tensor places = coordinates(Pattern::of(a));
    const Groups rows(places.select(0, 0), m);
    begins = rows.begins, columns = places.select(0, 1);
    if (!impl(a).coalesced) columns = columns.index_select(0, rows.order), value = value.index_select(0, rows.order);
  }
  begins = begins.contiguous(), columns = columns.contiguous(), value = value.contiguous();
  const Tensor y = make({m, n}, dtype, "mm"), right = b.contiguous();
  kernels::sparse_product(view_of(y), begins.data_ptr<int64_t>(), columns.data_ptr<int64_t>(), value.data_ptr(),
                          view_of(right));
  return y;
}

Tensor add_product(const Tensor& c, const Tensor& a, const Tensor& b, const Scalar& beta, const Scalar& alpha) {
  RawScope raw;
  Tensor y = product(a, b);
  if (!alpha.equal(1)) y = y * alpha;
  if (beta.equal(0)) return y;
  const Tensor add = beta.equal(1) ? c : c * beta;
  return is_sparse(y) && !is_sparse(add) ? add.expand(y.sizes()) + y : y + add;
}

Tensor sum(const Tensor& given, IntArrayRef dims, bool keepdim, ScalarType dtype) {
  RawScope raw;
  const Tensor x = dims.empty() ? given : coalesced(given);
  const auto has = [&](int64_t d) { return dims.empty() || std::find(dims.begin(), dims.end(), d) != dims.end(); };
  if (dims.empty() && !keepdim) return value_part(x).sum(dtype);
  if (is_compressed(x)) {
    check(!of_blocks(x.layout()),
          "Currently the only compressed sparse format supported for sum.dim_IntList is CSR, but got layout ",
          x.layout());
    check(keepdim, "reduction operations on CSR tensors with keepdim=False is unsupported");
    check(x.dim() == 2, "sum: sparse compressed tensors with batches are not supported. Use .to_sparse() first.");
    return converted(sum(as_coo(x, "sum"), dims, keepdim, dtype), x.layout(), std::nullopt, "sum");
  }
  Pattern p = Pattern::of(x);
  const int64_t front = p.dims();
  Dims dense_dims, sizes, all;
  std::vector<Tensor> rows;
  bool reduced = false;
  for (int64_t d = 0; d < x.dim(); ++d) {
    if (!has(d) || keepdim) sizes.push_back(has(d) ? 1 : x.size(d));
    if (d >= front && has(d)) dense_dims.push_back(d - front + 1);
    if (d >= front) continue;
    reduced |= has(d);
    const Tensor row = p.indices.select(0, d);
    if (!has(d)) rows.push_back(row);
    else if (keepdim) rows.push_back(zeros_like(row));
    if (has(d)) all.push_back(d);
  }
  const Tensor value = dense_dims.empty() ? value_part(x).to(dtype) : value_part(x).sum(dense_dims, keepdim, dtype);
  if (static_cast<int64_t>(all.size()) == front) {
    const Tensor y = value.sum(IntArrayRef{0}, false, dtype);
    return keepdim ? as_coo(y.reshape(sizes), "sum") : y;
  }
  p.sizes = sizes;
  if (!reduced) return p.with(value);
  p.indices = stack(rows);
  p.coalesced = false;
  return coalesced(p.with(value));
}

// ---- Pointwise ops.

static bool named(const PointwiseOp& info, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* n) { return std::strcmp(n, info.name) == 0; });
}
static Tensor run(const PointwiseOp& info, const void* op, const Tensor& a, const Tensor& b = {}) {
  const Tensor* const in[] = {&a, &b};
  return detail::run_pointwise(info, op, in);
}
/// Is every operand but one a number?
static bool alone(const PointwiseOp& info, const Tensor* const* in, int& which) {
  int count = 0;
  for (int j = 0; j < info.arity; ++j) {
    if (is_sparse(*in[j])) which = j, ++count;
    else if (in[j]->dim() > 0) return false;
  }
  return count == 1;
}

/// What `b` adds: numbers of the result's dtype, with the sign and the factor of the op.
static Tensor addend(const PointwiseOp& info, const void* op, const Tensor& b, ScalarType dtype) {
  return run(info, op, zeros({}, dtype), numbers_of(b).to(dtype));
}
static void add_at(const Tensor& y, const Pattern& at, const Tensor& value) {
  Dims shape{-1};
  for (size_t d = ix(at.dims()); d < at.sizes.size(); ++d) shape.push_back(at.sizes[d]);
  if (y.numel() > 0) y.view(shape).index_add_(0, keys(at), value);
}
static void check_same_size(const Tensor& a, const Tensor& b) {
  if (is_sparse(a) && is_sparse(b))
    check(a.sizes() == b.sizes(), "add: expected sizes of 'self' and 'other' to match, but ", a.sizes(),
          " != ", b.sizes());
  check(a.sizes() == b.sizes(), "add: expected 'self' and 'other' to have same size, but self has size ", a.sizes(),
        " while other has size ", b.sizes(), " (FYI: dense-sparse addition does not currently support broadcasting)");
}
static Tensor added(const PointwiseOp& info, const void* op, const Tensor& a, const Tensor& b, ScalarType dtype) {
  check(!is_coo(a) || is_sparse(b), "add(sparse, dense) is not supported. Use add(dense, sparse) instead.");
  check_same_size(a, b);
  if (!is_sparse(a)) {
    const Tensor y = a.to(dtype, false, true).contiguous();
    add_at(y, Pattern::of(b), addend(info, op, b, dtype));
    return y;
  }
  if (!is_sparse(b)) {
    const Tensor y = run(info, op, zeros({}, dtype), b.to(dtype)).contiguous();
    add_at(y, Pattern::of(a), numbers_of(a).to(dtype));
    return y;
  }
  check(a.layout() == b.layout(), info.name, ": expected both tensors to have the same layout, got ", a.layout(),
        " and ", b.layout());
  if (is_compressed(a)) {
    const Pattern at = Pattern::of(a), other = Pattern::of(b);
    check(at.block == other.block && at.batch() == other.batch(), info.name,
          ": expected both tensors to have the same blocks and batches");
    if (at.indices.sizes() == other.indices.sizes() && at.others.sizes() == other.others.sizes() &&
        at.indices.equal(other.indices) && at.others.equal(other.others))
      return at.with_numbers(run(info, op, numbers_of(a).to(dtype), numbers_of(b).to(dtype)));
    return converted_like(added(info, op, coalesced(as_coo(a, info.name)), coalesced(as_coo(b, info.name)), dtype), at,
                          info.name);
  }
  check(a.sparse_dim() == b.sparse_dim(), "add: expected 'self' and 'other' to have same number of sparse dimensions, ",
        a.sparse_dim(), " != ", b.sparse_dim());
  const Tensor va = value_part(a).to(dtype), vb = addend(info, op, b, dtype);
  if (!value_part(a).is_contiguous() || !value_part(b).is_contiguous())
    return Pattern{Layout::Sparse, cat({index_part(a), index_part(b)}, 1), {}, a.sizes()}.with(cat({va, vb}));
  const Tensor ka = keys(Pattern::of(a)), kb = keys(Pattern::of(b));
  const Tensor to_a = make({ka.numel()}, kLong), to_b = make({kb.numel()}, kLong);
  const int64_t n = kernels::merge(ka.data_ptr<int64_t>(), ka.numel(), kb.data_ptr<int64_t>(), kb.numel(),
                                   to_a.data_ptr<int64_t>(), to_b.data_ptr<int64_t>());
  const Tensor places = make({a.sparse_dim(), n}, kLong);
  places.index_copy_(1, to_a, index_part(a)).index_copy_(1, to_b, index_part(b));
  Dims shape = va.impl()->sizes;
  shape[0] = n;
  const Tensor value = zeros(shape, dtype).index_copy_(0, to_a, va).index_add_(0, to_b, vb);
  return Pattern{Layout::Sparse, places, {}, a.sizes(), impl(a).coalesced && impl(b).coalesced}.with(value);
}

static Tensor multiplied(const PointwiseOp& info, const void* op, const Tensor& a, const Tensor& b, ScalarType dtype) {
  if (!is_sparse(a) || !is_sparse(b)) {
    const Tensor& x = is_sparse(a) ? a : b;
    const Pattern at = Pattern::of(x);
    const Tensor other = values_at(is_sparse(a) ? b : a, at).to(dtype), own = numbers_of(x).to(dtype);
    return at.with_numbers(is_sparse(a) ? run(info, op, own, other) : run(info, op, other, own));
  }
  check(
      a.sizes() == b.sizes() && a.sparse_dim() == b.sparse_dim(), info.name,
      ": expects sparse inputs with equal dimensionality, number of sparse dimensions, and shape of sparse dimensions: "
      "got ",
      a.sizes(), " and ", b.sizes());
  const Tensor left = coalesced(as_coo(a, info.name)), right = coalesced(as_coo(b, info.name));
  const Pattern at = Pattern::of(left);
  const Tensor ka = keys(at), kb = keys(Pattern::of(right));
  if (ka.numel() == 0 || kb.numel() == 0) return nothing(Pattern::of(a), dtype);
  const Tensor place = searchsorted(kb, ka).clamp_max(kb.numel() - 1);
  const Tensor hit = (kb.index_select(0, place) == ka).nonzero().select(1, 0);
  const Tensor value = run(info, op, value_part(left).index_select(0, hit).to(dtype),
                           value_part(right).index_select(0, place.index_select(0, hit)).to(dtype));
  return converted_like(Pattern{at.layout, at.indices.index_select(1, hit), {}, at.sizes, true}.with(value),
                        Pattern::of(a), info.name);
}

Tensor pointwise(const PointwiseOp& info, const void* op, const Tensor* const* in) {
  RawScope raw;
  const bool adds = named(info, {"add", "sub", "add_scaled", "sub_scaled"}), multiplies = named(info, {"mul"});
  if (adds && in[0]->dim() > 0 && in[1]->dim() > 0) check_same_size(*in[0], *in[1]);
  const detail::PointwisePlan plan = detail::plan_pointwise(info, in);
  int which = 0;
  if (alone(info, in, which) && !adds) {
    const Tensor &given = *in[which], zero = zeros({}, given.scalar_type());
    const bool compares = info.arity > 1 && plan.result == kBool && given.scalar_type() != kBool;
    const Tensor x = multiplies || named(info, {"neg", "div"}) ? given : coalesced(given), value = value_part(x);
    const auto with = [&](const Tensor& t) {
      const Tensor* operands[detail::kMaxOperands];
      for (int j = 0; j < info.arity; ++j) operands[j] = j == which ? &t : in[j];
      return detail::run_pointwise(info, op, operands);
    };
    if (!compares && with(zero).ne(0).item<bool>() == false) return with_values(x, with(value));
    throw_no_sparse(info.name, in, static_cast<size_t>(info.arity));
  }
  if (adds) return added(info, op, *in[0], *in[1], plan.result);
  const Tensor& x = is_sparse(*in[0]) ? *in[0] : *in[info.arity - 1];
  if (multiplies && IntArrayRef(plan.sizes) == x.sizes()) return multiplied(info, op, *in[0], *in[1], plan.result);
  check(!named(info, {"div"}) || !is_sparse(*in[0]),
        "Sparse division requires a scalar or zero-dim dense tensor divisor (got shape ", in[1]->sizes(),
        " for divisor)");
  throw_no_sparse(info.name, in, static_cast<size_t>(info.arity));
}

void pointwise_into(const PointwiseOp& info, const void* op, const Tensor* const* in, const Tensor& out) {
  RawScope raw;
  if (!is_sparse(out) && in[0]->is_same(out) && named(info, {"add", "sub", "add_scaled", "sub_scaled"}) &&
      out.is_contiguous()) {
    check_same_size(out, *in[1]);
    return add_at(out, Pattern::of(*in[1]), addend(info, op, *in[1], out.scalar_type()));
  }
  check(info.arity > 1 || !is_coo(out) || impl(out).coalesced || named(info, {"neg"}), info.name,
        "_ requires coalesced input. Call .coalesce() first.");
  const Tensor y = pointwise(info, op, in);
  check(y.layout() == out.layout(), info.name, ": the result is ", y.layout(),
        " and cannot be written to a tensor whose layout is ", out.layout());
  assign(out, y);
}

void pointwise_backward(const PointwiseOp& info, const void* op, const Tensor& g, const Tensor* in,
                        const Tensor& result, unsigned wanted, Tensor* dx) {
  RawScope raw;
  if (named(info, {"mul"}) && info.arity == 2) {
    for (int j = 0; j < 2; ++j)
      if (wanted >> j & 1) dx[j] = g * in[1 - j].conj();
    return;
  }
  const Tensor* shape = nullptr;  // what says where elements are
  for (const Tensor* t : {&result, &in[0], &in[info.arity - 1], &g})
    if (!shape && t->defined() && is_sparse(*t)) shape = t;
  const bool unread = shape == &g;
  const Pattern at = Pattern::of(unread ? g : coalesced(*shape));
  const auto part = [&](const Tensor& t) {
    if (!t.defined() || (!is_sparse(t) && t.dim() == 0)) return t;
    return unread && t.is_same(g) ? numbers_of(g) : values_at(t, at);
  };
  Tensor operands[detail::kMaxOperands], parts[detail::kMaxOperands];
  for (int j = 0; j < info.arity; ++j) operands[j] = part(in[j]);
  detail::run_pointwise_backward(info, op, part(g), operands, part(result), wanted, parts);
  for (int j = 0; j < info.arity; ++j) {
    if (!(wanted >> j & 1)) continue;
    const bool number = in[j].defined() && !is_sparse(in[j]) && in[j].dim() == 0;
    dx[j] = number ? parts[j].sum() : at.with_numbers(parts[j]);
  }
}

// ---- Products with gradients of the layout of what is sparse.

namespace {

/// The products of rows of a and columns of b at the places of a pattern.
Tensor sampled(const Pattern& at, const Tensor& a, const Tensor& b) {
  const Tensor places = coordinates(at);
  return (a.index_select(0, places.select(0, 0)) * b.mT().index_select(0, places.select(0, 1))).sum(1);
}

struct SparseMm {
  static constexpr bool complex = true, linear = true;
  static constexpr unsigned reads[] = {kInput(1), kInput(0)};
  Pattern at, at_b;  // of what is sparse of a and b
  bool both;
  const char* op_name() const { return both ? "_sparse_sparse_matmul" : "_sparse_mm"; }
  const char* node_name() const { return both ? "SparseSparseMatmulBackward0" : "SparseAddmmBackward0"; }
  Tensor forward(const Tensor& a, const Tensor& b) const { return product(a, b); }
  Tensor forward_sparse(const Tensor& a, const Tensor& b) const { return product(a, b); }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    if (i == 1) {
      const Tensor d = matmul(s.input(0).mH(), g);
      return both ? masked(d, distinct(at_b)) : d;
    }
    const Tensor b = s.input(1).mH();
    const Pattern places = distinct(at);
    return both || is_sparse(g) ? masked(matmul(g, b), places) : made(places, places.shaped(sampled(places, g, b)));
  }
};

struct SparseSum {
  static constexpr bool linear = true;
  static constexpr const char* name = "_sparse_sum";
  static constexpr const char* node = "SparseSumBackward0";
  Dims dims;
  Pattern at;
  ScalarType dtype;
  Tensor forward(const Tensor& x) const { return x; }
  Tensor forward_sparse(const Tensor& x) const { return sum(x, dims, false, dtype); }
  Tensor vjp(int, const Tensor& g, const Saved& s) const {
    Tensor whole = to_dense(g);
    for (const int64_t d : dims) whole = whole.unsqueeze(d);
    return masked(whole.expand(s.sizes(0)), at);
  }
};

}  // namespace
}  // namespace sparse

using sparse::is_coo;

static void check_matrices(const Tensor& a, const Tensor& b, const char* op) {
  check_defined(a, op, "mat1");
  check_defined(b, op, "mat2");
  check(a.dim() == 2 && a.dense_dim() % 2 == 0, op, ": matrices expected, got ", a.dim(), "D tensor");
  check(b.dim() == 2, op, ": matrices expected, got ", b.dim(), "D tensor");
  check(a.scalar_type() == b.scalar_type(), op, ": expected scalar type ", toString(a.scalar_type()), " but found ",
        toString(b.scalar_type()));
  check(a.size(1) == b.size(0), op, ": Argument #3 (dense): Expected dim 0 size ", a.size(1), ", got ", b.size(0));
}
Tensor _sparse_mm(const Tensor& self, const Tensor& mat2) {
  check_matrices(self, mat2, "addmm");
  if (!is_sparse(self)) return matmul(self, mat2);
  const bool both = is_sparse(mat2);
  return apply(sparse::SparseMm{sparse::Pattern::of(self), both ? sparse::Pattern::of(mat2) : sparse::Pattern(), both},
               self, mat2);
}
Tensor _sparse_addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta,
                     const Scalar& alpha) {
  const Tensor y = _sparse_mm(mat1, mat2), scaled = alpha.equal(1) ? y : y * alpha;
  if (beta.equal(0)) return scaled;
  return add(beta.equal(1) ? self : self * beta, scaled);
}
Tensor sparse_sampled_addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta,
                            const Scalar& alpha) {
  check_defined(self, "sampled_addmm", "self");
  check_matrices(mat1, mat2, "sampled_addmm");
  check(is_sparse(self), "sampled_addmm: Expected self to have sparse layout, but got ", self.layout());
  check(!is_sparse(mat1) && !is_sparse(mat2), "sampled_addmm: Expected mat1 and mat2 to have strided layout");
  check(self.dim() == 2 && self.size(0) == mat1.size(0) && self.size(1) == mat2.size(1),
        "sampled_addmm: self.shape must match the product of mat1 and mat2, got ", self.sizes(), ", ", mat1.sizes(),
        " and ", mat2.sizes());
  const sparse::Pattern at = sparse::Pattern::of(self);
  const Tensor y = at.shaped(sparse::sampled(at, mat1, mat2)), scaled = alpha.equal(1) ? y : y * alpha;
  return sparse::made(at, beta.equal(0) ? scaled : scaled + sparse::values_of(self) * beta);
}
Tensor hspmm(const Tensor& mat1, const Tensor& mat2) {
  check_matrices(mat1, mat2, "hspmm");
  check(is_coo(mat1), "hspmm: Argument #2: sparse tensor expected");
  const Tensor rows = std::get<0>(unique(sparse::index_part(mat1).select(0, 0)));
  return sparse::made({Layout::Sparse, rows.unsqueeze(0), {}, {mat1.size(0), mat2.size(1)}},
                      _sparse_mm(mat1, mat2).index_select(0, rows));
}
Tensor sspaddmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta, const Scalar& alpha) {
  check_defined(self, "sspaddmm", "self");
  check_matrices(mat1, mat2, "sspaddmm");
  check(is_coo(self) && is_coo(mat1), "sspaddmm: expected self and mat1 to be sparse COO tensors");
  return add(self * beta, to_sparse(_sparse_mm(mat1, mat2) * alpha));
}
Tensor smm(const Tensor& self, const Tensor& mat2) {
  check_matrices(self, mat2, "smm");
  check(is_coo(self), "smm: expected self to be a sparse COO tensor");
  return to_sparse(_sparse_mm(self, mat2));
}
Tensor _sparse_sum(const Tensor& self, OptionalIntArrayRef dim, std::optional<ScalarType> dtype) {
  const Tensor x = coalesce(dtype ? self.to(*dtype) : self);
  if (!dim) return sum(sparse::values_of(x));
  const ScalarType to = x.scalar_type();
  return apply(sparse::SparseSum{wrap_dims(dim, x.dim(), "sum"), sparse::Pattern::of(x), to}, x);
}

static Tensor softmax_of(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype, bool log, const char* op) {
  check_defined(self, op, "self");
  check<NotImplementedError>(is_coo(self), "Could not run 'aten::", op, "' with arguments from the '",
                             is_sparse(self) ? "SparseCsr" : "", "CPU' backend: it takes sparse COO tensors");
  const Tensor x = coalesce(dtype ? self.to(*dtype) : self), elements = sparse::values_of(x);
  const int64_t at = wrap_dim(dim, x.dim(), op), front = x.sparse_dim();
  const sparse::Pattern places = sparse::Pattern::of(x);
  if (at >= front) {
    const int64_t d = at - front + 1;
    return sparse::made(places, log ? log_softmax(elements, d) : softmax(elements, d));
  }
  if (elements.size(0) == 0) return x;
  // Elements that differ in this dimension alone are a group.
  sparse::Pattern lines = places;
  lines.sizes[ix(at)] = 1;
  lines.indices = places.indices.clone();
  lines.indices.select(0, at).zero_();
  const auto [groups, group] = unique(sparse::keys(lines), true, true);
  Dims shape = elements.impl()->sizes;
  shape[0] = groups.numel();
  const Tensor none = zeros(shape, elements.scalar_type());
  const Tensor top = none.index_reduce(0, group, elements.detach(), "amax", false).index_select(0, group);
  const Tensor below = elements - top, power = below.exp(), total = none.index_add(0, group, power);
  return sparse::made(places, log ? below - total.log().index_select(0, group) : power / total.index_select(0, group));
}
Tensor _sparse_softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  return softmax_of(self, dim, dtype, false, "_sparse_softmax");
}
Tensor _sparse_log_softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  return softmax_of(self, dim, dtype, true, "_sparse_log_softmax");
}

Tensor _spdiags(const Tensor& diagonals, const Tensor& offsets, IntArrayRef shape) {
  check_defined(diagonals, "spdiags", "diagonals");
  check_defined(offsets, "spdiags", "offsets");
  const Tensor rows = diagonals.dim() == 1 ? diagonals.unsqueeze(0) : diagonals;
  const Tensor shift = offsets.dim() == 0 ? offsets.unsqueeze(0) : offsets;
  check(rows.dim() == 2, "Diagonals must be vector or matrix");
  check(shape.size() == 2, "Output shape must be 2d");
  check(shift.dim() == 1, "Offsets must be scalar or vector");
  check(shift.scalar_type() == kLong, "Offset Tensor must have dtype Long but got ", toString(shift.scalar_type()));
  check(rows.size(0) == shift.size(0), "Number of diagonals (", rows.size(0),
        ") does not match the number of offsets (", shift.size(0), ")");
  check(std::get<0>(unique(shift)).numel() == shift.numel(), "Offset tensor contains duplicate values");
  // Element j of a diagonal is in column j.
  const Tensor column = arange(rows.size(1), kLong).expand(rows.sizes()), row = column - shift.unsqueeze(1);
  const Tensor within = ((row >= 0) & (row < shape[0]) & (column < shape[1])).reshape({-1}).nonzero().select(1, 0);
  const Tensor places = stack({row.reshape({-1}), column.reshape({-1})}).index_select(1, within);
  return sparse::made({Layout::Sparse, places, {}, shape}, rows.reshape({-1}).index_select(0, within));
}

// ---- The registry.

extern const OpEntry sparse_math_ops[];
extern const size_t sparse_math_ops_count;
const OpEntry sparse_math_ops[] = {
    doc("The product of a sparse matrix and another; the gradient of what is sparse is sparse.",
        op<_sparse_mm>(
            "_sparse_mm(Tensor self, Tensor mat2) -> Tensor",
            "sp(3, 4), t(4, 2)\ncsr(3, 4), t(4, 2)\nsp(3, 4), sp(4, 2)\nsp(3, 4), t(4, 19)\nt(3, 4), t(4, 2)")),
    doc("beta self + alpha mat1 mat2, where mat1 is sparse.",
        op<_sparse_addmm>("_sparse_addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> "
                          "Tensor",
                          "t(3, 2), sp(3, 4), t(4, 2)\nt(3, 2), csr(3, 4), t(4, 2), beta=0.5, alpha=2")),
    doc("beta self + alpha mat1 mat2 at the places where self has elements.",
        op<sparse_sampled_addmm>("sparse_sampled_addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar "
                                 "alpha=1) -> Tensor",
                                 "csr(3, 4), t(3, 2), t(2, 4)\ncsr(3, 4), t(3, 2), t(2, 4), beta=0, alpha=2")),
    doc("The product of a sparse matrix and a dense one, with the rows that are not zero.",
        op<hspmm>("hspmm(Tensor mat1, Tensor mat2) -> Tensor", "sp(3, 4), t(4, 2)")),
    doc("beta self + alpha mat1 mat2, all but mat2 sparse.",
        op<sspaddmm>("sspaddmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
                     "sp(3, 2), sp(3, 4), t(4, 2)")),
    doc("The product of a sparse matrix and a dense one as a sparse matrix.",
        op<smm>("smm(Tensor self, Tensor mat2) -> Tensor", "sp(3, 4), t(4, 2)")),
    doc("The sum of a sparse tensor; its gradient is sparse.",
        op<_sparse_sum>("_sparse_sum(Tensor self, int[]? dim=None, *, ScalarType? dtype=None) -> Tensor",
                        "sp(3, 4)\nsp(3, 4), [0]\nsp(2, 3, 4), [0, 2]\nsp(3, 4), [0, 1]")),
    doc("softmax over the elements that a sparse tensor has.",
        op<_sparse_softmax>("_sparse_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
                            "sp(3, 4), 1\nsp(3, 4), 0\nsp(2, 3, 4), 2")),
    doc("log_softmax over the elements that a sparse tensor has.",
        op<_sparse_log_softmax>("_sparse_log_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
                                "sp(3, 4), 1\nsp(3, 4), 0")),
    doc("A sparse matrix from its diagonals.",
        op<_spdiags>("_spdiags(Tensor diagonals, Tensor offsets, int[] shape) -> Tensor",
                     "t(2, 3), c([0, 1]), [3, 4]\nt(3), c(-1), [4, 3]")),
};
const size_t sparse_math_ops_count = std::size(sparse_math_ops);

}  // namespace taut
