// Pointwise ops of three operands, and limits, which are of two or three.
#include "ops/complex.h"
#include "ops/expanded.h"
#include "ops/pointwise_functions.h"
#include "ops/promotion.h"
#include "taut/registry.h"

namespace taut {

TAUT_RENAMED(clamp_number, ClampNumber, clamp, Clamp, 3, "clamp", "ClampBackward1")
TAUT_RENAMED(clamp_low, ClampLow, clamp_min_number, ClampMinNumber, 2, "clamp", "ClampBackward1")
TAUT_RENAMED(clamp_high, ClampHigh, clamp_max_number, ClampMaxNumber, 2, "clamp", "ClampBackward1")
TAUT_RENAMED(lerp_number, LerpNumber, lerp, Lerp, 3, "lerp", "LerpBackward0")
TAUT_RENAMED(masked_fill, MaskedFill, where, Where, 3, "masked_fill", "MaskedFillBackward1")
TAUT_RENAMED(masked_fill_number, MaskedFillNumber, where, Where, 3, "masked_fill", "MaskedFillBackward0")
using namespace formula;

DEFINE_BINARY(maximum)
DEFINE_BINARY(minimum)
// clang-format off
DEFINE_BINARY(clamp_min)
DEFINE_BINARY_INPLACE(clamp_min)
DEFINE_BINARY(clamp_max)
DEFINE_BINARY_INPLACE(clamp_max)
// clang-format on
static Tensor limit(const char* op, const Tensor& self, const Scalar& bound) {
  check_defined(self, op, "self");
  Tensor b = wrapped(bound, self);
  check_converts(bound, result_type(self, b), op);
  return b;
}
#define TAUT_LIMIT(f)                                                                                                  \
  Tensor f(const Tensor& self, const Scalar& bound) { return pointwise(f##_number_op, self, limit(#f, self, bound)); } \
  Tensor& f##_(Tensor& self, const Scalar& bound) {                                                                    \
    return pointwise_(#f "_", f##_number_op, self, limit(#f "_", self, bound));                                        \
  }
TAUT_LIMIT(clamp_min)
TAUT_LIMIT(clamp_max)
#undef TAUT_LIMIT
Tensor clamp(const Tensor& self, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  check(min || max, "clamp: At least one of 'min' or 'max' must not be None");
  if (!max) return pointwise(clamp_low_op, self, limit("clamp", self, *min));
  if (!min) return pointwise(clamp_high_op, self, limit("clamp", self, *max));
  return pointwise(clamp_number_op, self, limit("clamp", self, *min), limit("clamp", self, *max));
}
Tensor& clamp_(Tensor& self, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  check(min || max, "clamp_: At least one of 'min' or 'max' must not be None");
  if (!max) return clamp_min_(self, *min);
  if (!min) return clamp_max_(self, *max);
  return pointwise_("clamp_", clamp_op, self, limit("clamp_", self, *min), limit("clamp_", self, *max));
}
Tensor clamp(const Tensor& self, OptionalTensor min, OptionalTensor max) {
  check(min || max, "clamp: At least one of 'min' or 'max' must not be None");
  if (!max) return clamp_min(self, *min);
  if (!min) return clamp_max(self, *max);
  return pointwise(clamp_op, self, *min, *max);
}
Tensor& clamp_(Tensor& self, OptionalTensor min, OptionalTensor max) {
  check(min || max, "clamp_: At least one of 'min' or 'max' must not be None");
  if (!max) return clamp_min_(self, *min);
  if (!min) return clamp_max_(self, *max);
  return pointwise_("clamp_", clamp_op, self, *min, *max);
}
Tensor where(const Tensor& condition, const Tensor& self, const Tensor& other) {
  check_defined(condition, "where", "condition");
  check(condition.scalar_type() == kBool || condition.scalar_type() == kByte,
        "where: expected condition to be a boolean tensor, but got a tensor with dtype ", condition.scalar_type());
  return pointwise(where_op, condition.scalar_type() == kBool ? condition : condition.to(kBool), self, other);
}
static Tensor choice(const Scalar& s, const Tensor& like) {
  check_defined(like, "where");
  Tensor number = wrapped(s, like);
  if (const ScalarType t = result_type(like, number); t == wide_type(t)) check_converts(s, t, "where");
  return number;  // half precision may become infinite
}
Tensor where(const Tensor& condition, const Scalar& self, const Tensor& other) {
  return where(condition, choice(self, other), other);
}
Tensor where(const Tensor& condition, const Tensor& self, const Scalar& other) {
  return where(condition, self, choice(other, self));
}
Tensor where(const Tensor& condition, const Scalar& self, const Scalar& other) {
  const ScalarType t = self.is_floating_point() || other.is_floating_point() ? get_default_dtype()
                                                                             : promote_types(self.type(), other.type());
  return where(condition, full({}, self, wide_type(t)).to(t), full({}, other, wide_type(t)).to(t));  // may be infinite
}
Tensor masked_fill(const Tensor& self, const Tensor& mask, const Tensor& value) {
  check_defined(self, "masked_fill", "self");
  check_defined(mask, "masked_fill", "mask");
  check_defined(value, "masked_fill", "value");
  check(mask.scalar_type() == kBool, "masked_fill: only supports boolean masks, but got mask with dtype ",
        mask.scalar_type());
  check(value.dim() == 0, "masked_fill: only supports a 0-dimensional value tensor, but got tensor with ", value.dim(),
        " dimension(s).");
  if (!no_data(value) && !is_batched(value)) check_converts(value.item(), self.scalar_type(), "masked_fill");
  const Tensor v = value.scalar_type() == self.scalar_type() ? value : value.to(self.scalar_type());
  return value.requires_grad() ? pointwise(masked_fill_op, mask, v, self)
                               : pointwise(masked_fill_number_op, mask, v, self);
}
Tensor masked_fill(const Tensor& self, const Tensor& mask, const Scalar& value) {
  check_defined(self, "masked_fill", "self");
  check_converts(value, self.scalar_type(), "masked_fill");  // a single number may become infinite in full
  return masked_fill(self, mask, full({}, value, self.scalar_type()));
}
bool is_expanded(const Tensor& t) {
  for (int64_t d = 0; t.defined() && d < t.dim(); ++d)
    if (t.stride(d) == 0 && t.size(d) > 1) return true;
  return false;
}
Tensor& fill_expanded_(Tensor& self, const Tensor& mask, const Tensor& value) {
  Tensor once = self, picked = mask;
  for (int64_t d = 0; d < self.dim(); ++d)
    if (self.stride(d) == 0 && self.size(d) > 1) once = once.narrow(d, 0, 1), picked = picked.any(d, true);
  masked_fill_(once, picked, value);
  return self;
}
/// The mask as fill_expanded_ takes it.
static Tensor whole_mask(const Tensor& self, const Tensor& mask) {
  check_defined(mask, "masked_fill_", "mask");
  check(mask.scalar_type() == kBool, "masked_fill_: only supports boolean masks, but got mask with dtype ",
        mask.scalar_type());
  return mask.expand(self.sizes());
}
Tensor& masked_fill_(Tensor& self, const Tensor& mask, const Scalar& value) {
  if (is_expanded(self)) {
    check_converts(value, self.scalar_type(), "masked_fill_");
    return fill_expanded_(self, whole_mask(self, mask), full({}, value, self.scalar_type()));
  }
  return in_place("masked_fill_", self, [&](const Tensor& x) { return masked_fill(x, mask, value); });
}
Tensor& masked_fill_(Tensor& self, const Tensor& mask, const Tensor& value) {
  if (is_expanded(self)) return fill_expanded_(self, whole_mask(self, mask), value);
  return in_place("masked_fill_", self, [&](const Tensor& x) { return masked_fill(x, mask, value); });
}
static void check_ends(const char* op, const Tensor& self, const Tensor& end) {
  check_defined(self, op);
  check_defined(end, op, "end");
  check<TypeError>(is_differentiable(self.scalar_type()), op, ": not implemented for ", self.scalar_type(),
                   ": it takes floating-point tensors. Convert first: x.to(torch.float32).");
  check(self.scalar_type() == end.scalar_type(), op, ": expected dtype ", self.scalar_type(),
        " for `end` but got dtype ", end.scalar_type());
}
static const Tensor& weight_of(const char* op, const Tensor& self, const Tensor& end, const Tensor& weight) {
  check_ends(op, self, end);
  check_defined(weight, op, "weight");
  check(weight.dim() == 0 || weight.scalar_type() == self.scalar_type(), op, ": expected dtype ", self.scalar_type(),
        " for `weight` but got dtype ", weight.scalar_type());
  return weight;
}
static Tensor weight_of(const char* op, const Tensor& self, const Tensor& end, const Scalar& weight) {
  check_ends(op, self, end);
  check_converts(weight, wide_type(self.scalar_type()), op);
  return wrapped(weight, self);
}
Tensor lerp(const Tensor& self, const Tensor& end, const Tensor& weight) {
  return pointwise(lerp_op, self, end, weight_of("lerp", self, end, weight));
}
Tensor lerp(const Tensor& self, const Tensor& end, const Scalar& weight) {
  return pointwise(lerp_number_op, self, end, weight_of("lerp", self, end, weight));
}
Tensor& lerp_(Tensor& self, const Tensor& end, const Tensor& weight) {
  return pointwise_("lerp_", lerp_op, self, end, weight_of("lerp_", self, end, weight));
}
Tensor& lerp_(Tensor& self, const Tensor& end, const Scalar& weight) {
  return pointwise_("lerp_", lerp_op, self, end, weight_of("lerp_", self, end, weight));
}
/// A factor in the dtype of the result, which need not be that of self. Half precision takes it as float32.
static Attribute factor(const char* op, const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& value) {
  check_defined(self, op);
  Promotion promotion;
  for (const Tensor* t : {&self, &a, &b})
    if (t->defined()) promotion.add(*t);
  return attribute(op, value, wide_type(promotion.result()));
}
Tensor addcmul(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& value) {
  if (is_turned(value)) return factor("addcmul", self, a, b, value), self + a * b * value;
  return pointwise(addcmul_op, Addcmul{factor("addcmul", self, a, b, value)}, self, a, b);
}
Tensor& addcmul_(Tensor& self, const Tensor& a, const Tensor& b, const Scalar& value) {
  if (is_turned(value)) return factor("addcmul_", self, a, b, value), self.add_(a * b * value);
  return pointwise_("addcmul_", addcmul_op, Addcmul{factor("addcmul_", self, a, b, value)}, self, a, b);
}
static void check_addcdiv(const char* op, const Tensor& a, const Tensor& b) {
  check_defined(a, op, "tensor1");
  check_defined(b, op, "tensor2");
  check(is_differentiable(a.scalar_type()) || is_differentiable(b.scalar_type()), op,
        ": Integer division with addcdiv is no longer supported, got ", a.scalar_type(), " and ", b.scalar_type(),
        ". Write self + value * tensor1 / tensor2, or torch.trunc of the quotient.");
}
Tensor addcdiv(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& value) {
  check_addcdiv("addcdiv", a, b);
  if (is_turned(value)) return factor("addcdiv", self, a, b, value), self + a / b * value;
  return pointwise(addcdiv_op, Addcdiv{factor("addcdiv", self, a, b, value).real}, self, a, b);
}
Tensor& addcdiv_(Tensor& self, const Tensor& a, const Tensor& b, const Scalar& value) {
  check_addcdiv("addcdiv_", a, b);
  if (is_turned(value)) return factor("addcdiv_", self, a, b, value), self.add_(a / b * value);
  return pointwise_("addcdiv_", addcdiv_op, Addcdiv{factor("addcdiv_", self, a, b, value).real}, self, a, b);
}

}  // namespace taut
