// Making tensors: literals, constants, ranges, and tensors over memory of the caller. The random ones are in
// random.cpp.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/copy.h"
#include "ops/channels_last.h"
#include "ops/complex.h"
#include "ops/op.h"
#include "ops/promotion.h"
#include "ops/registry.h"
#include "ops/sparse.h"

namespace taut {

namespace {

ScalarType dtype_for(const TensorOptions& options, ScalarType otherwise, const char* op) {
  options.device().require();
  const ScalarType t = options.dtype_opt().value_or(otherwise);
  check<TypeError>(t != ScalarType::Undefined, op, ": the dtype is undefined");
  return t;
}
ScalarType dtype_for(const TensorOptions& options, const char* op) {
  return dtype_for(options, get_default_dtype(), op);
}

/// What a factory without a dtype makes of a number: numbers with a fraction become the default dtype.
ScalarType inferred(const Scalar& s) {
  if (s.is_complex()) return complex_type(get_default_dtype());
  return s.is_floating_point() ? get_default_dtype() : s.type();
}

/// The last thing every factory does: the flags that options and mode ask for.
Tensor finish(Tensor t, const TensorOptions& options) {
  if (thread_state.inference) t.impl()->inference = true;
  if (options.requires_grad()) t.set_requires_grad(true);
  return t;
}

/// A sparse tensor with no elements.
Tensor hollow(IntArrayRef size, ScalarType dtype, const TensorOptions& options, const char* op) {
  return finish(sparse::nothing(size, dtype, options.layout(), op), options);
}

Tensor filled(IntArrayRef size, const Scalar& value, ScalarType dtype, const TensorOptions& options, const char* op) {
  if (options.layout() != kStrided) [[unlikely]] {
    check(value.equal(0), op, "(...) is not implemented for sparse layout");
    return hollow(size, dtype, options, op);
  }
  const Placed placed(options);
  Tensor t = make(size, dtype, op);
  kernels::fill(view_of(t), value);
  return finish(std::move(t), options);
}

/// How many elements of memory a shape with these strides spans.
int64_t extent(IntArrayRef sizes, IntArrayRef strides, const char* op) {
  check(sizes.size() == strides.size(), op, ": dimensionality of sizes (", sizes.size(),
        ") must match dimensionality of strides (", strides.size(), ")");
  const int64_t n = checked_numel(sizes, op);
  int64_t last = 0;
  bool fits = true;
  for (size_t d = 0; d < sizes.size(); ++d) {
    check<ValueError>(strides[d] >= 0, op, ": negative strides are not supported, got ", strides);
    int64_t reach = 0;
    fits = fits && (n == 0 || (!__builtin_mul_overflow(sizes[d] - 1, strides[d], &reach) &&
                               !__builtin_add_overflow(last, reach, &last)));
  }
  check(fits && last < int64_t{1} << 59, op, ": Storage size calculation overflowed with sizes ", sizes,
        " and strides ", strides);
  return n == 0 ? 0 : last + 1;
}

Tensor over(Ref<Storage> storage, IntArrayRef sizes, IntArrayRef strides, ScalarType dtype) {
  ImplPtr impl = ImplPtr::adopt(new TensorImpl);
  impl->dtype = dtype;
  impl->data = storage->data();
  impl->storage = std::move(storage);
  impl->sizes.assign(sizes);
  impl->strides.assign(strides);
  impl->refresh();
  return Tensor::adopt(impl.detach());
}

Tensor make_strided(IntArrayRef sizes, IntArrayRef strides, ScalarType dtype, const char* op) {
  const int64_t bytes = extent(sizes, strides, op) * element_size(dtype);
  return over(Storage::create(static_cast<size_t>(bytes)), sizes, strides, dtype);
}

/// Strides that keep the memory order of `x`: its own when it is dense, else those of a dense tensor whose dimensions
/// are in the same order. The comparison that decides between equal or zero strides is PyTorch's.
Dims strides_like(const TensorImpl& x) {
  const size_t n = x.sizes.size();
  Dims order(n);
  std::iota(order.begin(), order.end(), 0);
  std::reverse(order.begin(), order.end());
  const auto after = [&](int64_t a, int64_t b) {  // 1: a is outside of b; -1: inside; 0: cannot tell
    const auto i = static_cast<size_t>(a), j = static_cast<size_t>(b);
    if (x.strides[i] == 0 || x.strides[j] == 0) return 0;
    if (x.strides[i] != x.strides[j]) return x.strides[i] > x.strides[j] ? 1 : -1;
    return x.sizes[i] > x.sizes[j] ? 1 : 0;
  };
  for (size_t i = 1; i < n; ++i) {
    size_t at = i;
    for (size_t j = i; j-- > 0;) {
      const int comparison = after(order[j], order[at]);
      if (comparison < 0) break;
      if (comparison > 0) {
        std::swap(order[j], order[at]);
        at = j;
      }
    }
  }
  Dims strides(n);
  int64_t next = 1;
  bool dense = true;
  for (int64_t o : order) {
    const auto d = static_cast<size_t>(o);
    strides[d] = next;
    if (x.sizes[d] == 1) continue;
    dense = dense && x.strides[d] == next;
    next *= std::max<int64_t>(x.sizes[d], 1);
  }
  return dense ? x.strides : strides;
}

Tensor make_like(const Tensor& self, const TensorOptions& options, std::optional<MemoryFormat> format, const char* op) {
  check_defined(self, op, "self");
  const Placed placed(options, &self);
  const ScalarType dtype = dtype_for(options, self.scalar_type(), op);
  if (is_batched(self)) [[unlikely]]
    return batching::fresh(batching::varying(self), self.sizes(), dtype, op);
  if (is_sparse(self) && !options.has_layout()) {
    const Tensor* const in[] = {&self};
    throw_no_sparse(op, in, 1);
  }
  if (!format) format = options.memory_format_opt();
  if (format && is_channels_last(*format)) {
    check_channels_last(self.sizes(), *format);
    return make_strided(self.sizes(), channels_last_strides(self.sizes()), dtype, op);
  }
  if (self.is_contiguous() || format == MemoryFormat::Contiguous) return make(self.sizes(), dtype, op);
  return make_strided(self.sizes(), strides_like(*self.impl()), dtype, op);
}
/// Where the result is to be sparse: COO with no elements, or the same places in a compressed matrix.
Tensor sparse_like(const Tensor& self, const Scalar& value, const TensorOptions& options, const char* op) {
  if (!options.has_layout() && (!self.defined() || !is_sparse(self))) return {};
  check_defined(self, op, "self");
  const Layout to = options.has_layout() ? options.layout() : self.layout();
  if (to == kStrided) return {};
  const ScalarType dtype = dtype_for(options, self.scalar_type(), op);
  if (to != self.layout() || value.equal(0)) {
    check(value.equal(0), op, "(...) is not implemented for sparse layout");
    if (self.layout() == to) return finish(sparse::nothing(sparse::Pattern::of(self), dtype), options);
    return hollow(self.sizes(), dtype, options.layout(to), op);
  }
  const Tensor* const in[] = {&self};
  if (to == kSparse) throw_no_sparse(op, in, 1);
  const Tensor values = sparse::value_part(self);
  return finish(sparse::with_values(self, full(values.sizes(), value, dtype)), options);
}
Tensor filled_like(const Tensor& self, const Scalar& value, const TensorOptions& options,
                   std::optional<MemoryFormat> format, const char* op) {
  if (Tensor t = sparse_like(self, value, options, op); t.defined()) return t;
  Tensor t = make_like(self, options, format, op);
  kernels::fill(view_of(is_batched(t) ? batching::whole(t) : t), value);
  return finish(std::move(t), options);
}

// ---- Literals.

/// The numbers of a nested list in order, and its shape.
class Literal {
 public:
  explicit Literal(const TensorData& data) {
    for (const TensorData* d = &data; d->is_list(); d = &d->list().front()) {
      sizes_.push_back(static_cast<int64_t>(d->list().size()));
      if (d->list().empty()) break;
    }
    checked_numel(sizes_, "tensor");
    collect(data);
  }
  IntArrayRef sizes() const { return sizes_; }
  const std::vector<Scalar>& values() const { return values_; }
  /// The dtype that holds all of them.
  ScalarType dtype() const {
    if (is_complex(type_)) return complex_type(get_default_dtype());
    return type_ == ScalarType::Undefined || is_floating_point(type_) ? get_default_dtype() : type_;
  }

 private:
  void collect(const TensorData& data) {
    const size_t depth = path_.size();
    if (data.type() != ScalarType::Undefined)
      type_ = type_ == ScalarType::Undefined ? data.type() : promote_types(type_, data.type());
    if (!data.is_list()) {
      check<ValueError>(depth == sizes_.size(), "tensor: expected a list of ",
                        depth < sizes_.size() ? sizes_[depth] : 0, " elements at position ", IntArrayRef(path_),
                        ", got the number ", data.value(), ". All parts of a nested list need the same shape.");
      values_.push_back(data.value());
      return;
    }
    const auto n = static_cast<int64_t>(data.list().size());
    check<ValueError>(depth < sizes_.size(), "tensor: expected a number at position ", IntArrayRef(path_),
                      ", got a list of ", n, ". All parts of a nested list need the same shape.");
    check<ValueError>(n == sizes_[depth], "tensor: expected sequence of length ", sizes_[depth], " at dim ", depth,
                      " (got ", n, "), at position ", IntArrayRef(path_),
                      ". All parts of a nested list need the same shape.");
    for (int64_t i = 0; i < n; ++i) {
      path_.push_back(i);
      collect(data.list()[static_cast<size_t>(i)]);
      path_.resize(depth);
    }
  }
  Dims sizes_, path_;
  std::vector<Scalar> values_;
  ScalarType type_ = ScalarType::Undefined;
};

/// A number of a literal as an element: an integer must fit, a float may become infinite.
template <class T>
T element(const Scalar& v) {
  if constexpr (std::is_integral_v<T>) check_converts(v, dtype_of<T>, "tensor");
  if constexpr (std::is_arithmetic_v<T>) return v.to<T>();
  else return T(static_cast<float>(v.toDouble()));
}

// ---- Ranges.

/// How many elements arange has, computed as PyTorch does: int64 exactly, everything else in double.
int64_t arange_length(const Scalar& start, const Scalar& end, const Scalar& step, ScalarType dtype) {
  check<TypeError>(dtype != kBool, "arange: not implemented for bool");
  check<NotImplementedError>(dtype < kComplexHalf, "\"arange_cpu\" not implemented for '", toString(dtype), "'");
  const double a = start.toDouble(), b = end.toDouble(), s = step.toDouble();
  const bool whole = dtype == kLong;
  for (const Scalar* v : {&start, &end, &step})
    if (dtype != kFloat && dtype != kDouble && !std::isnan(v->toDouble()))
      check_converts(*v, is_floating_point(dtype) ? kFloat : kLong, "arange");
  check<ValueError>(whole ? step.toLong() != 0 && !std::isnan(s) : s > 0 || s < 0, "arange: step must be nonzero, got ",
                    step);
  check<ValueError>(std::isfinite(a) && std::isfinite(b), "arange: unsupported range: ", start, " -> ", end);
  const bool up = whole ? step.toLong() > 0 : s > 0;
  const auto ordered = [up](auto from, auto to) { return up ? from <= to : from >= to; };
  check<ValueError>(ordered(a, b) && (!whole || ordered(start.toLong(), end.toLong())),
                    "arange: upper bound and lower bound inconsistent with step sign: from ", start, " to ", end,
                    " by ", step);
  if (dtype == kLong) {
    const auto from = static_cast<uint64_t>(start.toLong()), to = static_cast<uint64_t>(end.toLong()),
               by = static_cast<uint64_t>(step.toLong());
    const uint64_t width = up ? to - from : from - to, stride = up ? by : 0 - by;
    return static_cast<int64_t>(std::min<uint64_t>(width / stride + (width % stride != 0), INT64_MAX));
  }
  const double n = std::ceil((b - a) / s);
  check<ValueError>(n >= 0 && n < 0x1p63, "arange: invalid size, possible overflow? From ", start, " to ", end, " by ",
                    step);
  return static_cast<int64_t>(n);
}

ScalarType check_spaced(const char* op, const Scalar& start, const Scalar& end, int64_t steps,
                        const TensorOptions& options) {
  const bool complex = start.is_complex() || end.is_complex();
  const ScalarType dtype = dtype_for(options, complex ? complex_type(get_default_dtype()) : get_default_dtype(), op);
  check<ValueError>(steps >= 0, op, ": number of steps must be non-negative, got ", steps);
  check<TypeError>(dtype != kBool, op, ": not implemented for bool");
  check<NotImplementedError>(!is_limited(dtype), '"', op, "_cpu\" not implemented for '", toString(dtype), "'");
  check_converts(start, dtype, op);
  check_converts(end, dtype, op);
  return dtype;
}

/// Rows and columns of the elements on and below a diagonal of a matrix, or on and above it, row by row.
Tensor triangle(const char* op, bool upper, int64_t row, int64_t col, int64_t offset, const TensorOptions& options) {
  check<ValueError>(row >= 0, op, ": row must be non-negative, got ", row);
  check<ValueError>(col >= 0, op, ": col must be non-negative, got ", col);
  const ScalarType dtype = dtype_for(options, kLong, op);
  check<TypeError>(dtype == kLong || dtype == kInt, op, ": the dtype must be int32 or int64, got ", dtype);
  if (row == 0 || col == 0) row = col = 0;
  check(col == 0 || row <= (int64_t{1} << 48) / col, op, ": a matrix of ", row, " by ", col, " has too many elements");
  // The border between the two parts of row r is at column r + edge: after column 0 from row `first` on, at the end
  // from `full` on.
  const int64_t edge = std::clamp(offset, -row, col) + (upper ? 0 : 1);
  const int64_t first = std::clamp<int64_t>(1 - edge, 0, row), full = std::clamp(col - edge, first, row);
  const int64_t below = (first + full - 1 + 2 * edge) * (full - first) / 2 + (row - full) * col;
  const int64_t n = upper ? row * col - below : below;
  const Placed placed(options);
  Tensor t = make({2, n}, dtype, op);
  if (dry) return finish(std::move(t), options);
  visit_dtype(dtype, [&]<class T>(T) {
    T *rows = static_cast<T*>(t.data_ptr()), *cols = rows + n;
    for (int64_t r = upper ? 0 : first; r < (upper ? full : row); ++r) {
      const int64_t border = std::clamp<int64_t>(r + edge, 0, col), end = upper ? col : border;
      for (int64_t c = upper ? border : 0; c < end; ++c) *rows++ = static_cast<T>(r), *cols++ = static_cast<T>(c);
    }
  });
  return finish(std::move(t), options);
}

}  // namespace

Tensor tensor(const TensorData& data, const TensorOptions& options) {
  const Literal literal(data);
  const ScalarType dtype = dtype_for(options, literal.dtype(), "tensor");
  const Placed placed(options);
  Tensor t = make(literal.sizes(), dtype, "tensor");
  if (dry) return finish(std::move(t), options);
  if (is_complex(dtype)) {
    const Tensor wide = make(literal.sizes(), kComplexDouble, "tensor");
    auto* out = static_cast<Complex<double>*>(wide.data_ptr());
    for (const Scalar& v : literal.values()) *out++ = v.toComplexDouble();
    kernels::copy(view_of(t), view_of(wide));
    return finish(std::move(t), options);
  }
  visit_dtype(dtype, [&]<class T>(T) {
    T* out = static_cast<T*>(t.data_ptr());
    for (const Scalar& v : literal.values()) *out++ = element<T>(v);
  });
  return finish(std::move(t), options);
}
Tensor tensor(std::initializer_list<TensorData> data, const TensorOptions& options) {
  return tensor(TensorData(data), options);
}
Tensor scalar_tensor(const Scalar& value, const TensorOptions& options) {
  return filled({}, value, dtype_for(options, "scalar_tensor"), options, "scalar_tensor");
}

/// Memory as it was found, except that a bool may only be 0 or 1.
static Tensor as_found(Tensor t) {
  if (t.impl()->dtype == kBool) t.zero_();
  return t;
}
Tensor empty(IntArrayRef size, const TensorOptions& options, std::optional<MemoryFormat> format) {
  if (options.layout() != kStrided) [[unlikely]]
    return hollow(size, dtype_for(options, "empty"), options, "empty");
  if (!format) format = options.memory_format_opt();
  if (format && is_channels_last(*format)) {
    check_channels_last(size, *format);
    return empty_strided(size, channels_last_strides(size), options);
  }
  check(format != MemoryFormat::Preserve,
        "empty: unsupported memory format Preserve: there is no tensor whose format could be preserved");
  const auto made = [&] { return finish(as_found(make(size, dtype_for(options, "empty"), "empty")), options); };
  if (!options.has_device()) return made();  // where new tensors are now
  const Placed placed(options);
  return made();
}
Tensor empty_strided(IntArrayRef size, IntArrayRef stride, const TensorOptions& options) {
  const Placed placed(options);
  return finish(as_found(make_strided(size, stride, dtype_for(options, "empty_strided"), "empty_strided")), options);
}
Tensor empty_permuted(IntArrayRef size, IntArrayRef physical_layout, const TensorOptions& options) {
  const size_t n = size.size();
  check(physical_layout.size() == n,
        "empty_permuted: Number of dimensions in size does not match the length of the "
        "physical_layout; i.e. len(size) = ",
        n, " is not equal to len(physical_layout) = ", physical_layout.size());
  Dims strides(n), seen(n);
  int64_t next = 1;
  for (size_t k = n; k-- > 0;) {
    const int64_t d = physical_layout[k];
    check<IndexError>(d >= 0 && d < static_cast<int64_t>(n),
                      "empty_permuted: Dimension out of range (expected to be between 0 and ",
                      static_cast<int64_t>(n) - 1, ", but got ", d, " at index ", k, ")");
    check(!seen[static_cast<size_t>(d)], "empty_permuted: Duplicate dim not allowed: ", d);
    seen[static_cast<size_t>(d)] = 1;
    strides[static_cast<size_t>(d)] = next;
    next *= std::max<int64_t>(size[static_cast<size_t>(d)], 1);
  }
  return empty_strided(size, strides, options);
}
Tensor zeros(IntArrayRef size, const TensorOptions& options) {
  return filled(size, 0, dtype_for(options, "zeros"), options, "zeros");
}
Tensor ones(IntArrayRef size, const TensorOptions& options) {
  return filled(size, 1, dtype_for(options, "ones"), options, "ones");
}
Tensor full(IntArrayRef size, const Scalar& value, const TensorOptions& options) {
  return filled(size, value, dtype_for(options, inferred(value), "full"), options, "full");
}

Tensor eye(int64_t n, const TensorOptions& options) { return eye(n, n, options); }
Tensor eye(int64_t n, int64_t m, const TensorOptions& options) {
  check<ValueError>(n >= 0, "eye: n must be greater or equal to 0, got ", n);
  check<ValueError>(m >= 0, "eye: m must be greater or equal to 0, got ", m);
  const Placed placed(options);
  Tensor t = make({n, m}, dtype_for(options, "eye"), "eye");
  kernels::eye(view_of(t));
  return finish(std::move(t), options);
}

Tensor arange(const Scalar& end, const TensorOptions& options) { return arange(0, end, 1, options); }
Tensor arange(const Scalar& start, const Scalar& end, const TensorOptions& options) {
  return arange(start, end, 1, options);
}
Tensor arange(const Scalar& start, const Scalar& end, const Scalar& step, const TensorOptions& options) {
  const bool fraction = start.is_floating_point() || end.is_floating_point() || step.is_floating_point();
  const ScalarType dtype = dtype_for(options, fraction ? get_default_dtype() : kLong, "arange");
  const Placed placed(options);
  Tensor t = make({arange_length(start, end, step, dtype)}, dtype, "arange");
  kernels::arange(view_of(t), start, step);
  return finish(std::move(t), options);
}
Tensor range(const Scalar& start, const Scalar& end, const TensorOptions& options) {
  return range(start, end, 1, options);
}
Tensor range(const Scalar& start, const Scalar& end, const Scalar& step, const TensorOptions& options) {
  const ScalarType dtype = dtype_for(options, "range");
  const auto counted = [&](const Scalar& s) {  // in the dtype of the result
    return is_floating_point(dtype) ? s.toDouble() : std::trunc(s.toDouble());
  };
  const double from = counted(start), to = counted(end), by = counted(step);
  check<ValueError>(by > 0 || by < 0, "range: step must be nonzero, got ", step);
  check<ValueError>(std::isfinite(from) && std::isfinite(to), "range: unsupported range: ", start, " -> ", end);
  check<ValueError>(by > 0 ? to >= from : to <= from,
                    "range: upper bound and lower bound inconsistent with step sign: from ", start, " to ", end, " by ",
                    step);
  const double n = std::floor((to - from) / by) + 1;
  check<ValueError>(n < 0x1p63, "range: invalid size, possible overflow? From ", start, " to ", end, " by ", step);
  const Placed placed(options);
  Tensor t = make({static_cast<int64_t>(n)}, dtype, "range");
  kernels::arange(view_of(t), start, step);
  return finish(std::move(t), options);
}
Tensor linspace(const Scalar& start, const Scalar& end, int64_t steps, const TensorOptions& options) {
  const Placed placed(options);
  Tensor t = make({steps}, check_spaced("linspace", start, end, steps, options), "linspace");
  if (t.is_complex()) {  // each part on its own
    const Complex<double> a = start.toComplexDouble(), b = end.toComplexDouble();
    kernels::linspace(view_of(real(t)), a.real(), b.real());
    kernels::linspace(view_of(imag(t)), a.imag(), b.imag());
  } else {
    kernels::linspace(view_of(t), start, end);
  }
  return finish(std::move(t), options);
}
Tensor logspace(const Scalar& start, const Scalar& end, int64_t steps, double base, const TensorOptions& options) {
  const Placed placed(options);
  Tensor t = make({steps}, check_spaced("logspace", start, end, steps, options), "logspace");
  if (t.is_complex()) t.copy_(pow(Scalar(base), linspace(start, end, steps, t.options())));
  else kernels::logspace(view_of(t), start, end, base);
  return finish(std::move(t), options);
}

Tensor tril_indices(int64_t row, int64_t col, int64_t offset, const TensorOptions& options) {
  return triangle("tril_indices", false, row, col, offset, options);
}
Tensor triu_indices(int64_t row, int64_t col, int64_t offset, const TensorOptions& options) {
  return triangle("triu_indices", true, row, col, offset, options);
}

Tensor empty_like(const Tensor& self, const TensorOptions& options, std::optional<MemoryFormat> format) {
  if (Tensor t = sparse_like(self, 0, options, "empty_like"); t.defined()) return t;
  return finish(as_found(make_like(self, options, format, "empty_like")), options);
}
Tensor zeros_like(const Tensor& self, const TensorOptions& options, std::optional<MemoryFormat> format) {
  return filled_like(self, 0, options, format, "zeros_like");
}
Tensor ones_like(const Tensor& self, const TensorOptions& options, std::optional<MemoryFormat> format) {
  return filled_like(self, 1, options, format, "ones_like");
}
Tensor full_like(const Tensor& self, const Scalar& value, const TensorOptions& options,
                 std::optional<MemoryFormat> format) {
  return filled_like(self, value, options, format, "full_like");
}

static TensorOptions as_self(const Tensor& self, const TensorOptions& options, const char* op) {
  check_defined(self, op, "self");
  const TensorOptions like = TensorOptions(dtype_for(options, self.scalar_type(), op))
                                 .device(options.device_opt().value_or(dry ? Device(kMeta) : self.device()))
                                 .requires_grad(options.requires_grad());
  const Layout layout = options.has_layout() ? options.layout() : self.layout();
  return layout == kStrided ? like : like.layout(layout);
}
/// Of an item of many come new items.
static Tensor new_items(const Tensor& self, IntArrayRef size, const std::optional<Scalar>& value,
                        const TensorOptions& options, const char* op) {
  Tensor t = batching::fresh(batching::varying(self), size, options.dtype(), op);
  if (value) kernels::fill(view_of(batching::whole(t)), *value);
  return finish(std::move(t), options);
}
Tensor Tensor::new_empty(IntArrayRef size, TensorOptions options) const {
  if (defined() && is_batched(*this))
    return new_items(*this, size, 0, as_self(*this, options, "new_empty"), "new_empty");
  return empty(size, as_self(*this, options, "new_empty"));
}
Tensor Tensor::new_empty_strided(IntArrayRef size, IntArrayRef stride, TensorOptions options) const {
  return empty_strided(size, stride, as_self(*this, options, "new_empty_strided"));
}
Tensor Tensor::new_zeros(IntArrayRef size, TensorOptions options) const {
  if (defined() && is_batched(*this))
    return new_items(*this, size, 0, as_self(*this, options, "new_zeros"), "new_zeros");
  return zeros(size, as_self(*this, options, "new_zeros"));
}
Tensor Tensor::new_ones(IntArrayRef size, TensorOptions options) const {
  if (defined() && is_batched(*this)) return new_items(*this, size, 1, as_self(*this, options, "new_ones"), "new_ones");
  return ones(size, as_self(*this, options, "new_ones"));
}
Tensor Tensor::new_full(IntArrayRef size, const Scalar& value, TensorOptions options) const {
  if (defined() && is_batched(*this))
    return new_items(*this, size, value, as_self(*this, options, "new_full"), "new_full");
  return full(size, value, as_self(*this, options, "new_full"));
}
Tensor Tensor::new_tensor(const Tensor& data, TensorOptions options) const {
  const TensorOptions o = as_self(*this, options, "new_tensor");
  check_defined(data, "new_tensor", "data");
  const Placed placed(o);
  Tensor t = make_for(data, data.sizes(), o.dtype(), "new_tensor");
  write(t, data);
  return finish(std::move(t), o);
}

Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, std::function<void(void*)> deleter,
                 const TensorOptions& options) {
  const ScalarType dtype = dtype_for(options, "from_blob");
  const int64_t bytes = extent(sizes, strides, "from_blob") * element_size(dtype);
  check<ValueError>(data || bytes == 0, "from_blob: the memory of a tensor of shape ", sizes, " is a null pointer");
  check<ValueError>(reinterpret_cast<uintptr_t>(data) % static_cast<uintptr_t>(element_size(dtype)) == 0,
                    "from_blob: the memory is not aligned for elements of type ", dtype,
                    ". Copy it to an aligned buffer first.");
  check(!options.requires_grad() || is_differentiable(dtype),
        "from_blob: only Tensors of floating point dtype can require gradients, got ", dtype);
  return finish(over(Storage::wrap(data, static_cast<size_t>(bytes), std::move(deleter)), sizes, strides, dtype),
                options);
}
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options) {
  return from_blob(data, sizes, strides, nullptr, options);
}
Tensor from_blob(void* data, IntArrayRef sizes, std::function<void(void*)> deleter, const TensorOptions& options) {
  checked_numel(sizes, "from_blob");
  return from_blob(data, sizes, contiguous_strides(sizes), std::move(deleter), options);
}
Tensor from_blob(void* data, IntArrayRef sizes, const TensorOptions& options) {
  return from_blob(data, sizes, std::function<void(void*)>(), options);
}

ScalarType result_type(const Tensor& a, const Scalar& b) {
  check_defined(a, "result_type", "tensor");
  return result_type(a, wrapped(b, a));
}

// ---- The registry.

extern const OpEntry factory_ops[];
extern const size_t factory_ops_count;
using MaybeDtype = std::optional<ScalarType>;
const OpEntry factory_ops[] = {
    doc("A tensor of zeros.", op("zeros(int[] size, *, ScalarType? dtype=None) -> Tensor", "[2, 3]\n[]\n[0, 3]\n[4]",
                                 [](IntArrayRef size, MaybeDtype dtype) { return zeros(size, options_of(dtype)); })),
    doc("A tensor of ones.", op("ones(int[] size, *, ScalarType? dtype=None) -> Tensor", "[2, 3]\n[]\n[0, 3]\n[4]",
                                [](IntArrayRef size, MaybeDtype dtype) { return ones(size, options_of(dtype)); })),
    doc("A tensor filled with a number.", op("full(int[] size, Scalar fill_value, *, ScalarType? dtype=None) -> Tensor",
                                             "[2], 2j\n[2, 3], 2.5\n[2], 7\n[3], True\n[], -1\n[0, 2], 1.0",
                                             [](IntArrayRef size, const Scalar& value, MaybeDtype dtype) {
                                               return full(size, value, options_of(dtype));
                                             })),
    doc("A tensor whose elements are not set yet.",
        out_same(op("empty(int[] size, *, ScalarType? dtype=None) -> Tensor", "[0]\n[2, 0, 3]",
                    [](IntArrayRef size, MaybeDtype dtype) { return empty(size, options_of(dtype)); }))),
    doc("A tensor of given strides whose elements are not set yet.",
        no_out(op("empty_strided(int[] size, int[] stride, *, ScalarType? dtype=None) -> Tensor", "[0, 2], [1, 1]",
                  [](IntArrayRef size, IntArrayRef stride, MaybeDtype dtype) {
                    return empty_strided(size, stride, options_of(dtype));
                  }))),
    doc("A tensor whose elements are not set yet, with its dimensions in this order in memory, the last one closest.",
        no_out(op("empty_permuted(int[] size, int[] physical_layout, *, ScalarType? dtype=None) -> Tensor",
                  "[0, 2, 3], [0, 2, 1]\n[0, 2], [0, 0]\n[0, 2], [0]",
                  [](IntArrayRef size, IntArrayRef layout, MaybeDtype dtype) {
                    return empty_permuted(size, layout, options_of(dtype));
                  }))),
    doc("Ones on the diagonal, zeros elsewhere.",
        op("eye(int n, *, ScalarType? dtype=None) -> Tensor", "3\n1\n0",
           [](int64_t n, MaybeDtype dtype) { return eye(n, options_of(dtype)); })),
    op("eye.m(int n, int m, *, ScalarType? dtype=None) -> Tensor", "2, 3\n4, 2\n0, 3",
       [](int64_t n, int64_t m, MaybeDtype dtype) { return eye(n, m, options_of(dtype)); }),
    doc("Numbers from start (0) up to but without end, step (1) apart.",
        out<Out::Range>(op("arange(Scalar end, *, ScalarType? dtype=None) -> Tensor", "5\n2.5\n0\n17",
                           [](const Scalar& end, MaybeDtype dtype) { return arange(end, options_of(dtype)); }))),
    out<Out::Range>(op("arange.start(Scalar start, Scalar end, *, ScalarType? dtype=None) -> Tensor",
                       "1, 5\n-2, 3\n0.5, 3\n3, 3",
                       [](const Scalar& start, const Scalar& end, MaybeDtype dtype) {
                         return arange(start, end, options_of(dtype));
                       })),
    out<Out::Range>(
        op("arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None) -> Tensor",
           "1, 10, 2\n5, -5, -3\n0, 1, 0.1\n1.0, 0.0, -0.25\n0, 7, 7",
           [](const Scalar& start, const Scalar& end, const Scalar& step, MaybeDtype dtype) {
             return arange(start, end, step, options_of(dtype));
           })),
    doc("Numbers from start up to end, which is one of them where it is met, step (1) apart; arange leaves it out.",
        out<Out::Range>(op("range(Scalar start, Scalar end, *, ScalarType? dtype=None) -> Tensor",
                           "1, 5\n-2, 3\n0.5, 3\n3, 3\n3, 1",
                           [](const Scalar& start, const Scalar& end, MaybeDtype dtype) {
                             return range(start, end, options_of(dtype));
                           }))),
    out<Out::Range>(op("range.step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None) -> Tensor",
                       "1, 10, 2\n5, -5, -3\n0, 1, 0.25\n1, 2, 0",
                       [](const Scalar& start, const Scalar& end, const Scalar& step, MaybeDtype dtype) {
                         return range(start, end, step, options_of(dtype));
                       })),
    doc("`steps` numbers from start to end, evenly spaced.",
        out<Out::Range>(op("linspace(Scalar start, Scalar end, int steps, *, ScalarType? dtype=None) -> Tensor",
                           "0, 1, 5\n-1.5, 2.5, 7\n3, -3, 4\n2, 9, 1\n0, 1, 0",
                           [](const Scalar& start, const Scalar& end, int64_t steps, MaybeDtype dtype) {
                             return linspace(start, end, steps, options_of(dtype));
                           }))),
    doc("`steps` numbers from base^start to base^end, evenly spaced in their logarithm.",
        out<Out::Range>(
            op("logspace(Scalar start, Scalar end, int steps, float base=10.0, *, ScalarType? dtype=None) -> Tensor",
               "0, 2, 3\n-1, 1, 5, 2.0\n1, 1, 1\n0, 1, 0",
               [](const Scalar& start, const Scalar& end, int64_t steps, double base, MaybeDtype dtype) {
                 return logspace(start, end, steps, base, options_of(dtype));
               }))),
    doc("Rows and columns of the lower triangle of a matrix.",
        no_out(op("tril_indices(int row, int col, int offset=0, *, ScalarType? dtype=int64) -> Tensor",
                  "3, 3\n2, 4\n4, 2, 1\n3, 3, -2\n3, 0\n2, 2, 10\n2, 2, -10",
                  [](int64_t row, int64_t col, int64_t offset, MaybeDtype dtype) {
                    return tril_indices(row, col, offset, options_of(dtype));
                  }))),
    doc("Rows and columns of the upper triangle of a matrix.",
        no_out(op("triu_indices(int row, int col, int offset=0, *, ScalarType? dtype=int64) -> Tensor",
                  "3, 3\n2, 4\n4, 2, 1\n3, 3, -2\n3, 0\n2, 2, 10\n2, 2, -10",
                  [](int64_t row, int64_t col, int64_t offset, MaybeDtype dtype) {
                    return triu_indices(row, col, offset, options_of(dtype));
                  }))),
    doc("A tensor without dimensions that holds a number.",
        no_out(op("scalar_tensor(Scalar s, *, ScalarType? dtype=None) -> Tensor", "5\n2.5\nTrue",
                  [](const Scalar& s, MaybeDtype dtype) { return scalar_tensor(s, options_of(dtype)); }))),
    doc("A tensor like self whose elements are not set yet.",
        function(no_out(op("empty_like(Tensor self, *, ScalarType? dtype=None) -> Tensor", "t(0, 3)",
                           [](const Tensor& self, MaybeDtype dtype) { return empty_like(self, options_of(dtype)); })))),
    doc("Zeros in the shape and dtype of self.",
        function(no_out(op("zeros_like(Tensor self, *, ScalarType? dtype=None) -> Tensor",
                           "z(2)\nt(2, 3)\nt()\nt(0, 3)\ni(0, 5, 3)\nb(2)",
                           [](const Tensor& self, MaybeDtype dtype) { return zeros_like(self, options_of(dtype)); })))),
    doc("Ones in the shape and dtype of self.",
        function(no_out(op("ones_like(Tensor self, *, ScalarType? dtype=None) -> Tensor",
                           "z(2)\nt(2, 3)\nt()\nt(0, 3)\ni(0, 5, 3)\nb(2)",
                           [](const Tensor& self, MaybeDtype dtype) { return ones_like(self, options_of(dtype)); })))),
    doc("A number in the shape and dtype of self.",
        function(no_out(op("full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None) -> Tensor",
                           "z(2), 2.5\nz(2), 2j\nt(2, 3), 2.5\nt(), 1\nt(0, 3), 1\ni(0, 5, 3), 7\nb(2), True",
                           [](const Tensor& self, const Scalar& value, MaybeDtype dtype) {
                             return full_like(self, value, options_of(dtype));
                           })))),
    doc("A tensor of another size and self's dtype whose elements are not set yet.",
        no_out(op("new_empty(Tensor self, int[] size, *, ScalarType? dtype=None) -> Tensor", "t(2), [0, 3]",
                  [](const Tensor& self, IntArrayRef size, MaybeDtype dtype) {
                    return self.new_empty(size, options_of(dtype));
                  }))),
    doc("A tensor of given strides and self's dtype whose elements are not set yet.",
        no_out(op("new_empty_strided(Tensor self, int[] size, int[] stride, *, ScalarType? dtype=None) -> Tensor",
                  "t(2), [0, 3], [1, 1]",
                  [](const Tensor& self, IntArrayRef size, IntArrayRef stride, MaybeDtype dtype) {
                    return self.new_empty_strided(size, stride, options_of(dtype));
                  }))),
    doc("Zeros of another size in self's dtype.",
        no_out(op("new_zeros(Tensor self, int[] size, *, ScalarType? dtype=None) -> Tensor",
                  "t(2), [2, 3]\ni(0, 5, 2), [2]\nt(3), []",
                  [](const Tensor& self, IntArrayRef size, MaybeDtype dtype) {
                    return self.new_zeros(size, options_of(dtype));
                  }))),
    doc("Ones of another size in self's dtype.",
        no_out(op("new_ones(Tensor self, int[] size, *, ScalarType? dtype=None) -> Tensor",
                  "t(2), [2, 3]\ni(0, 5, 2), [2]\nt(3), []",
                  [](const Tensor& self, IntArrayRef size, MaybeDtype dtype) {
                    return self.new_ones(size, options_of(dtype));
                  }))),
    doc("A number, in another size and self's dtype.",
        no_out(op("new_full(Tensor self, int[] size, Scalar fill_value, *, ScalarType? dtype=None) -> Tensor",
                  "t(2), [2, 3], 2.5\ni(0, 5, 2), [2], 3\nt(3), [], 1",
                  [](const Tensor& self, IntArrayRef size, const Scalar& value, MaybeDtype dtype) {
                    return self.new_full(size, value, options_of(dtype));
                  }))),
    doc("The dtype that arithmetic between the two would have.",
        no_out(op("result_type.Scalar(Tensor tensor, Scalar other) -> ScalarType",
                  "t(2), 1\ni(0, 5, 2), 1.5\nb(2), 1\ni(0, 5), 2\nb(), True",
                  [](const Tensor& a, const Scalar& b) { return result_type(a, b); }))),
};
const size_t factory_ops_count = std::size(factory_ops);

}  // namespace taut
