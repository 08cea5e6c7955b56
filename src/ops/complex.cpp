// Complex numbers: their parts, conjugates, sizes and angles. What treats them as numbers like any other is with the
// other ops. Gradients are those of PyTorch: with respect to a complex number, the derivative by its real part plus i
// times that by its imaginary part.
#include "ops/complex.h"
#include "ops/autocast.h"
#include "ops/batch_rules.h"

#include "core/parallel.h"
#include "kernels/complex_number.h"
#include "kernels/copy.h"
#include "ops/registry.h"
#include "ops/sparse.h"
#include "ops/view_ops.h"

namespace taut {

bool any_conj(const Tensor* const* in, size_t n) {
  return std::any_of(in, in + n, [](const Tensor* t) { return t->defined() && t->impl()->conj; });
}
void throw_no_complex(const char* op, const Tensor* const* in, size_t n) {
  const Tensor* const* z =
      std::find_if(in, in + n, [](const Tensor* t) { return t->defined() && t->scalar_type() >= kComplexHalf; });
  throw NotImplementedError(str('"', op, "\" not implemented for '", toString((*z)->scalar_type()), "'"));
}

void write(const Tensor& to, const Tensor& from) {
  if (is_sparse(to)) [[unlikely]]
    return sparse::assign(to, from);
  if (is_batched(to) || is_batched(from)) [[unlikely]]
    return batching::write(to, from);
  check<NotImplementedError>(to.is_meta() || !from.is_meta() || dry, "Cannot copy out of meta tensor; no data!");
  kernels::copy(view_of(to), view_of(from));
  if (no_data(to)) return;
  if (to.impl()->conj != (from.impl()->conj && to.is_complex()) && from.is_complex()) kernels::conjugate(view_of(to));
}

ScalarType limited_type(const Tensor* const* in, size_t n) {
  for (size_t j = 0; j < n; ++j)
    if (in[j]->defined() && is_limited(in[j]->scalar_type())) return in[j]->scalar_type();
  return ScalarType::Undefined;
}
static Tensor as_dtype(const Tensor& t, ScalarType dtype) {
  ImplPtr y = make_alias(*t.impl());
  y->dtype = dtype;
  return Tensor::adopt(y.detach());
}
Tensor bits_of(const Tensor& t) {
  return t.defined() && is_limited(t.scalar_type()) ? as_dtype(t, bits_type(t.scalar_type())) : t;
}
Tensor from_bits(const Tensor& t, ScalarType dtype) {
  return t.defined() && t.scalar_type() == bits_type(dtype) ? as_dtype(t, dtype) : t;
}

Tensor parts_of(const Tensor& t, Parts how) {
  if (!t.defined()) return t;
  if (t.is_complex()) {
    const Tensor pairs = view_as_real(t.dim() == 0 ? t.unsqueeze(0) : t);
    return how == Parts::First ? pairs.movedim(-1, 0) : pairs;
  }
  if (how != Parts::Aligned) return t;
  Dims sizes = t.impl()->sizes;
  if (sizes.empty()) sizes.push_back(1);
  sizes.push_back(2);
  return t.unsqueeze(-1).expand(sizes);
}
Tensor from_parts(const Tensor& t, Parts how, bool single) {
  // A copy has the strides of its shape even where a dimension of one element, or of none, may have any.
  const Tensor pairs = how == Parts::First ? t.movedim(0, -1) : t;
  const bool copies = how == Parts::First || t.numel() == 0;
  const Tensor z = view_as_complex(copies ? pairs.clone(MemoryFormat::Contiguous) : pairs.contiguous());
  return single ? z.squeeze(0) : z;
}
bool is_single(const Tensor* const* in, size_t n, Parts how) {
  return std::all_of(in, in + n, [&](const Tensor* t) {
    return !t->defined() || t->dim() == 0 || (how != Parts::Aligned && !t->is_complex());
  });
}

namespace {

struct Conj {
  static constexpr const char* name = "conj";
  static constexpr const char* node = "ConjBackward0";
  static constexpr bool linear = true, view = true;
  Tensor forward(const Tensor& x) const {
    ImplPtr y = make_alias(*x.impl());
    y->conj = !y->conj;
    return Tensor::adopt(y.detach());
  }
  Tensor forward_sparse(const Tensor& x) const {
    const RawScope raw;
    return sparse::with_values(x, sparse::value_part(x).conj());
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return g.conj(); }
};

/// Another memory, with the conjugates or with what they stand for.
struct ConjCopy {
  static constexpr bool limited = true;
  static constexpr const char* name = "conj_physical";
  static constexpr bool linear = true, complex = true, knows_conj = true;
  bool conjugate;
  const char* node_name() const { return conjugate ? "ConjPhysicalBackward0" : "CloneBackward0"; }
  static constexpr bool leading = true;
  Tensor forward(const Tensor& x) const {
    Tensor y = empty_like(x);
    write(y, x);
    if (conjugate) kernels::conjugate(view_of(y));
    return y;
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return conjugate ? g.conj() : g; }
};

struct ViewAsReal {
  static constexpr const char* name = "view_as_real";
  static constexpr const char* node = "ViewAsRealBackward0";
  static constexpr bool linear = true, view = true;
  Tensor forward(const Tensor& x) const {
    const Tensor z = resolve_conj(x);  // a tangent may be conjugated where its primal is not
    Dims sizes = z.impl()->sizes, strides = z.impl()->strides;
    for (int64_t& s : strides) s *= 2;
    sizes.push_back(2), strides.push_back(1);
    ImplPtr y = make_alias(*z.impl(), sizes, strides, z.impl()->data);
    batching::rescale(*y, 2, 1);
    y->dtype = value_type(y->dtype);
    return Tensor::adopt(y.detach());
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return view_as_complex(g.contiguous()); }
};

struct ViewAsComplex {
  static constexpr const char* name = "view_as_complex";
  static constexpr const char* node = "ViewAsComplexBackward0";
  static constexpr bool linear = true, view = true;
  Tensor forward(const Tensor& x) const {
    const Tensor pairs =
        fits(x) ? x : x.clone(MemoryFormat::Contiguous);  // a tangent that is laid out in another way than its primal
    Dims sizes = pairs.impl()->sizes, strides = pairs.impl()->strides;
    sizes.resize(sizes.size() - 1), strides.resize(strides.size() - 1);
    for (int64_t& s : strides) s /= 2;
    ImplPtr y = make_alias(*pairs.impl(), sizes, strides, pairs.impl()->data);
    batching::rescale(*y, 1, 2);
    y->dtype = complex_type(y->dtype);
    return Tensor::adopt(y.detach());
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return view_as_real(resolve_conj(g)); }
  /// Can the pairs of the last dimension be complex numbers where they are?
  static bool fits(const Tensor& x) {
    const TensorImpl& t = *x.impl();
    if (t.strides.back() != 1) return false;
    bool even = t.offset() % 2 == 0 && batching::divides(t, 2);
    for (size_t d = 0; d + 1 < t.strides.size(); ++d) even &= t.strides[d] % 2 == 0;
    return even;
  }
};

struct ComplexOf {
  static constexpr const char* name = "complex";
  static constexpr const char* node = "ComplexBackward0";
  Tensor batch(const Batch& b, const Tensor& x, const Tensor& y) const { return broadcast_items(*this, b, x, y); }
  Tensor forward(const Tensor& re, const Tensor& im) const {
    const Dims sizes = broadcast_shapes(re.sizes(), im.sizes(), name);
    const Tensor y = make(sizes, complex_type(re.scalar_type()), name);
    kernels::copy(view_of(real(y)), view_of(re.expand(sizes)));
    kernels::copy(view_of(imag(y)), view_of(im.expand(sizes)));
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved&) const { return i == 0 ? real(g) : imag(g); }
};

/// f(z) of each element, a real number.
template <class F>
Tensor real_function(const Tensor& z, const char* op, F f) {
  const Tensor x = z.to(kComplexDouble).contiguous(), y = make(z.sizes(), kDouble, op);
  const auto* from = static_cast<const Complex<double>*>(x.data_ptr());
  auto* to = static_cast<double*>(y.data_ptr());
  parallel_for(dry ? 0 : x.numel(), 8192, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) to[i] = f(from[i]);
  });
  return y.to(value_type(z.scalar_type()));
}

struct AbsComplex {
  static constexpr const char* name = "abs";
  static constexpr const char* node = "AbsBackward0";
  static constexpr bool complex = true;
  static constexpr unsigned reads[] = {kInput(0)};
  static constexpr bool leading = true;
  Tensor forward(const Tensor& z) const { return real_function(z, name, plain::functions::abs); }
  Tensor vjp(int, const Tensor& g, const Saved& s) const { return g * sgn(s.input(0)); }
};

/// Of a real number 0 or pi, which has no slope.
struct Angle {
  static constexpr const char* name = "angle";
  static constexpr const char* node = "AngleBackward0";
  static constexpr bool complex = true;
  static constexpr unsigned reads[] = {kInput(0)};
  static constexpr bool leading = true;
  Tensor forward(const Tensor& x) const {
    if (x.is_complex())
      return real_function(x, name, [](plain::Z z) { return plain::functions::atan2(z.imag(), z.real()); });
    return where(x.isnan(), x, where(x < 0, full({}, 3.141592653589793, x.options()), zeros({}, x.options())));
  }
  /// The direction in which the angle grows is i z, and the farther away, the slower; no gradient at 0.
  Tensor vjp(int, const Tensor& g, const Saved& s) const {
    const Tensor z = s.input(0);
    if (!z.is_complex()) return zeros_like(z);
    const Tensor size = abs(z), zero = size == 0, away = size.masked_fill(zero, 1);
    return where(zero, zeros({}, z.options()), g * (z / away / away) * Scalar(Complex<double>(0, 1)));
  }
};

void check_parts(const Tensor& a, const Tensor& b, const char* op) {
  check_defined(a, op, "input");
  check_defined(b, op, "other");
  const auto fits = [](ScalarType t) { return t == kHalf || t == kFloat || t == kDouble; };
  check(fits(a.scalar_type()) && fits(b.scalar_type()), op,
        ": Expected both inputs to be Half, Float or Double tensors but got ", toString(a.scalar_type()), " and ",
        toString(b.scalar_type()));
  check(a.scalar_type() == b.scalar_type(), op, ": Expected object of scalar type ", toString(a.scalar_type()),
        " but got scalar type ", toString(b.scalar_type()), " for second argument");
}

}  // namespace

bool Tensor::is_conj() const { return defined() && impl_->conj; }
Tensor conj(const Tensor& self) {
  check_defined(self, "conj");
  return self.is_complex() ? apply(Conj{}, self) : self;
}
Tensor conj_physical(const Tensor& self) {
  check_defined(self, "conj_physical");
  return self.is_complex() ? apply(ConjCopy{true}, self) : self;
}
Tensor& conj_physical_(Tensor& self) {
  return in_place("conj_physical_", self, [](const Tensor& x) { return conj_physical(x); });
}
/// Also of an argument that is not there.
Tensor resolve_conj(const Tensor& self) { return self.is_conj() ? apply(ConjCopy{false}, self) : self; }
Tensor resolve_neg(const Tensor& self) { return self; }

Tensor view_as_real(const Tensor& self) {
  check_defined(self, "view_as_real");
  check(self.is_complex(), "view_as_real is only supported for complex tensors");
  check(!self.is_conj(),
        "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate tensor so you can view "
        "it as real, use self.resolve_conj(); however, be warned that the resulting tensor will NOT alias the "
        "original.");
  check_room_for_dim(self, "view_as_real");
  return apply(ViewAsReal{}, self);
}
Tensor view_as_complex(const Tensor& self) {
  AUTOCAST(view_as_complex, as_wide(self));
  check_defined(self, "view_as_complex");
  const ScalarType t = self.scalar_type();
  check(t == kHalf || t == kFloat || t == kDouble,
        "view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: ",
        toString(t));
  check(self.dim() > 0, "Input tensor must have one or more dimensions");
  check(self.size(-1) == 2, "Tensor must have a last dimension of size 2");
  check(self.stride(-1) == 1, "Tensor must have a last dimension with stride 1");
  for (int64_t d = 0; d + 1 < self.dim(); ++d)
    check(self.stride(d) % 2 == 0, "Tensor must have a stride divisible by 2 for all but last dimension");
  check(self.storage_offset() % 2 == 0, "Tensor must have a storage_offset divisible by 2");
  return apply(ViewAsComplex{}, self);
}
Tensor real(const Tensor& self) {
  check_defined(self, "real");
  if (!self.is_complex()) return self;
  return view_as_real(self.is_conj() ? self.conj() : self).select(-1, 0);
}
Tensor imag(const Tensor& self) {
  check_defined(self, "imag");
  check(self.is_complex(), "imag is not implemented for tensors with non-complex dtypes.");
  if (self.is_conj()) return imag(self.conj()).neg();
  return view_as_real(self).select(-1, 1);
}
Tensor complex(const Tensor& re, const Tensor& im) {
  check_parts(re, im, "complex");
  return apply(ComplexOf{}, re, im);
}
Tensor polar(const Tensor& size, const Tensor& angle) {
  AUTOCAST(polar, as_wide(size), as_wide(angle));
  check_parts(size, angle, "polar");
  const Tensor r = size.clone(), a = angle.clone();  // a program may overwrite its arguments before backward
  return complex(r * a.cos(), r * a.sin());
}

Tensor complex_abs(const Tensor& self) {
  if (!is_sparse(self)) return apply(AbsComplex{}, self);
  const Tensor x = self.is_sparse() ? coalesce(self) : self;
  return sparse::made(sparse::Pattern::of(x), complex_abs(sparse::values_of(x)));
}
Tensor complex_sgn(const Tensor& self) {
  const Tensor size = abs(self), zero = size == 0;
  return where(zero, zeros({}, self.options()), self / size.masked_fill(zero, 1));
}
Tensor angle(const Tensor& self) {
  check_defined(self, "angle");
  return apply(Angle{}, is_differentiable(self.scalar_type()) ? self : self.to(get_default_dtype()));
}
Tensor Tensor::mH() const { return adjoint(); }
Tensor Tensor::H() const {
  check(dim() == 2 || dim() == 0, "tensor.H is only supported on matrices (2-D tensors). Got ", dim(), "-D tensor.");
  return dim() == 0 ? *this : transpose(0, 1).conj();
}

static const Tensor& defined_one(const Tensor& x, const char* op) {
  check_defined(x, op);
  return x;
}
extern const OpEntry complex_ops[];
extern const size_t complex_ops_count;
const OpEntry complex_ops[] = {
    doc("The conjugates, sharing memory; real numbers are their own.",
        op<conj>("conj(Tensor self) -> Tensor", "z(2, 3)\nz()\nz(0, 3)\nt(2)")),
    doc("The conjugates.", out_same(op<conj_physical, conj_physical_>("conj_physical(Tensor self) -> Tensor",
                                                                      "z(2, 3)\nz()\nz(0, 3)\nt(2)"))),
    doc("self, or a copy where it is a view of what it is the conjugate of.",
        op("resolve_conj(Tensor self) -> Tensor", "z(2, 3)\nt(2)",
           [](const Tensor& x) { return defined_one(x, "resolve_conj").resolve_conj(); })),
    doc("self: there are no lazily negated tensors.",
        op("resolve_neg(Tensor self) -> Tensor", "z(2, 3)\nt(2)",
           [](const Tensor& x) { return defined_one(x, "resolve_neg"); })),
    doc("The real and imaginary parts along a new last dimension, sharing memory.",
        function(op<view_as_real>("view_as_real(Tensor self) -> Tensor", "z(2, 3)\nz()\nz(0, 3)"))),
    doc("The pairs along the last dimension as complex numbers, sharing memory.",
        function(op<view_as_complex>("view_as_complex(Tensor self) -> Tensor", "t(2, 3, 2)\nt(2)\nt(0, 2)"))),
    doc("The real parts, sharing memory.", function(op<real>("real(Tensor self) -> Tensor", "z(2, 3)\nz()\nt(2)"))),
    doc("The imaginary parts, sharing memory.", function(op<imag>("imag(Tensor self) -> Tensor", "z(2, 3)\nz()"))),
    doc("Complex numbers from their parts.",
        function(out_same(
            op<complex>("complex(Tensor real, Tensor imag) -> Tensor", "t(2, 3), t(2, 3)\nt(2, 1), t(3)\nt(), t()")))),
    doc("Complex numbers from their sizes and angles.",
        function(out_same(
            op<polar>("polar(Tensor abs, Tensor angle) -> Tensor", "p(2, 3), t(2, 3)\np(2, 1), t(3)\np(), t()")))),
    doc("The angle of each complex number with the positive real numbers.",
        out_casts(op<angle>("angle(Tensor self) -> Tensor",
                            "z(2, 3)\nz()\nt(2, 3)\ni(-3, 4, 5)\nc([0.0, -0.0, inf, -inf, nan])"))),
};
const size_t complex_ops_count = std::size(complex_ops);

}  // namespace taut
