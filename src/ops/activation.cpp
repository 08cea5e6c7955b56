// Activation functions with parameters, over the formulas in src/ops/formulas/activation.inc, and the registry rows of
// all activations.
#include <cmath>

#include "ops/autocast.h"
#include "ops/formulas.h"
#include "ops/registry.h"

namespace taut {
using namespace formula;

// gelu comes in two kinds: the exact one, and one with tanh in place of erf.
static bool gelu_uses_tanh(std::string_view approximate) {
  if (approximate == "none") return false;
  check<ValueError>(approximate == "tanh", "gelu: approximate argument must be either none or tanh, got '", approximate,
                    "'.");
  return true;
}
Tensor gelu(const Tensor& self, std::string_view approximate) {
  return gelu_uses_tanh(approximate) ? pointwise(gelu_tanh_op, self) : pointwise(gelu_op, self);
}
Tensor& gelu_(Tensor& self, std::string_view approximate) {
  return gelu_uses_tanh(approximate) ? pointwise_("gelu_", gelu_tanh_op, self) : pointwise_("gelu_", gelu_op, self);
}

/// A number that half precision takes as float32.
static double wide(const char* op, const Tensor& self, const Scalar& s) {
  check_defined(self, op);
  return attribute(op, s, wide_type(self.scalar_type())).real;
}

// Exponential units.
static Elu elu_with(const char* op, const Tensor& self, const Scalar& alpha, const Scalar& scale,
                    const Scalar& input_scale) {
  return {wide(op, self, alpha), wide(op, self, scale), wide(op, self, input_scale)};
}
Tensor elu(const Tensor& self, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale) {
  return pointwise(elu_op, elu_with("elu", self, alpha, scale, input_scale), self);
}
Tensor& elu_(Tensor& self, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale) {
  return pointwise_("elu_", elu_op, elu_with("elu_", self, alpha, scale, input_scale), self);
}
// The constants that keep mean 0 and variance 1 (Klambauer and others, 2017).
static constexpr Elu kSelu{1.6732632423543772848170429916717, 1.0507009873554804934193349852946, 1};
Tensor selu(const Tensor& self) { return pointwise(elu_op, kSelu, self); }
Tensor& selu_(Tensor& self) { return pointwise_("selu_", elu_op, kSelu, self); }
static Celu celu_with(const char* op, const Tensor& self, const Scalar& alpha) {
  check<ValueError>(alpha.toDouble() != 0, op, ": ZeroDivisionError: alpha cannot be 0 for CELU");
  return Celu{wide(op, self, alpha)};
}
Tensor celu(const Tensor& self, const Scalar& alpha) {
  return pointwise(celu_op, celu_with("celu", self, alpha), self);
}
Tensor& celu_(Tensor& self, const Scalar& alpha) {
  return pointwise_("celu_", celu_op, celu_with("celu_", self, alpha), self);
}

// Slopes below zero.
Tensor leaky_relu(const Tensor& self, const Scalar& negative_slope) {
  return pointwise(leaky_relu_op, LeakyRelu{wide("leaky_relu", self, negative_slope)}, self);
}
Tensor& leaky_relu_(Tensor& self, const Scalar& negative_slope) {
  return pointwise_("leaky_relu_", leaky_relu_op, LeakyRelu{wide("leaky_relu_", self, negative_slope)}, self);
}
Tensor prelu(const Tensor& self, const Tensor& weight) {
  AUTOCAST(prelu, as_short(self), as_short(weight));
  check_defined(self, "prelu");
  check_defined(weight, "prelu", "weight");
  check<TypeError>(self.scalar_type() == weight.scalar_type(), "prelu: Type promoting not supported. Got ",
                   self.scalar_type(), " and ", weight.scalar_type());
  check(weight.dim() <= 1, "prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = ", weight.dim());
  if (weight.numel() != 1) {
    check(self.dim() > 0, "prelu: Not allow zero-dim input tensor with ", weight.numel(), " weights; use one weight.");
    const int64_t channels = self.dim() > 1 ? self.size(1) : 1;
    check(weight.numel() == channels,
          "prelu: Mismatch of parameter numbers and input channel size. Found parameter numbers = ", weight.numel(),
          " and channel size = ", channels, " in an input of shape ", self.sizes());
  }
  // One slope per channel, and channels are dimension 1.
  std::vector<int64_t> shape(static_cast<size_t>(self.dim()), 1);
  if (shape.size() > 1) shape[1] = weight.numel();
  return pointwise(prelu_op, self, weight.dim() == self.dim() ? weight : weight.reshape(shape));
}

// Limits. An integer tensor takes its limits as integers.
static Hardtanh limits(const char* op, const Tensor& self, const Scalar& low, const Scalar& high) {
  check_defined(self, op);
  check(self.scalar_type() != kBool, op, ": Bool inputs not supported for hardtanh");
  check(self.scalar_type() != kByte || (low.toLong() >= 0 && high.toLong() >= 0), op,
        ": cannot do hardtanh on an unsigned type with negative limits");
  const auto bound = [&](const Scalar& s) {
    if (self.is_floating_point()) return attribute(op, s, self.scalar_type());
    check_converts(s, kLong, op);
    return attribute(op, s.toLong(), self.scalar_type());
  };
  return {bound(low), bound(high)};
}
Tensor hardtanh(const Tensor& self, const Scalar& min_val, const Scalar& max_val) {
  return pointwise(hardtanh_op, limits("hardtanh", self, min_val, max_val), self);
}
Tensor& hardtanh_(Tensor& self, const Scalar& min_val, const Scalar& max_val) {
  return pointwise_("hardtanh_", hardtanh_op, limits("hardtanh_", self, min_val, max_val), self);
}
Tensor relu6(const Tensor& self) { return pointwise(hardtanh_op, limits("relu6", self, 0, 6), self); }
Tensor& relu6_(Tensor& self) { return pointwise_("relu6_", hardtanh_op, limits("relu6_", self, 0, 6), self); }

// Shrinking, thresholds.
Tensor hardshrink(const Tensor& self, const Scalar& lambd) {
  check_defined(self, "hardshrink");
  return pointwise(hardshrink_op, Hardshrink{attribute("hardshrink", lambd, self.scalar_type()).real}, self);
}
Tensor softsign(const Tensor& self) {
  check_defined(self, "softsign");
  return self.is_complex() ? self / (self.abs() + 1) : pointwise(softsign_op, self);
}
Tensor tanhshrink(const Tensor& self) {
  check_defined(self, "tanhshrink");
  check<TypeError>(self.scalar_type() != kBool, "tanhshrink: not implemented for bool. Convert the input first.");
  return self.is_complex() ? self - self.tanh() : pointwise(tanhshrink_op, self);
}
Tensor softshrink(const Tensor& self, const Scalar& lambd) {
  check<ValueError>(lambd.toDouble() >= 0, "softshrink: lambda must be greater or equal to 0, but found to be ",
                    lambd.toDouble(), ".");
  check_defined(self, "softshrink");
  check<ValueError>(std::isfinite(lambd.toDouble()), "softshrink: lambda must be finite, but found to be ",
                    lambd.toDouble());
  check_converts(lambd, self.scalar_type(), "softshrink");
  return pointwise(softshrink_op, Softshrink{wide("softshrink", self, lambd)}, self);
}
Tensor softplus(const Tensor& self, const Scalar& beta, const Scalar& threshold) {
  return pointwise(softplus_op, Softplus{wide("softplus", self, beta), wide("softplus", self, threshold)}, self);
}
static Threshold threshold_at(const Tensor& self, const Scalar& threshold, const Scalar& value) {
  check_defined(self, "threshold");
  check(self.scalar_type() != kBool, "threshold: not supported for bool tensors");
  return {attribute("threshold", threshold, wide_type(self.scalar_type())),
          attribute("threshold", value, self.scalar_type())};
}
Tensor threshold(const Tensor& self, const Scalar& threshold, const Scalar& value) {
  return pointwise(threshold_op, threshold_at(self, threshold, value), self);
}
Tensor& threshold_(Tensor& self, const Scalar& threshold, const Scalar& value) {
  return pointwise_("threshold_", threshold_op, threshold_at(self, threshold, value), self);
}
Tensor log_sigmoid(const Tensor& self) { return pointwise(log_sigmoid_op, self); }

Tensor glu(const Tensor& self, int64_t dim) {
  check_defined(self, "glu");
  check(self.dim() > 0, "glu: glu does not support 0-dimensional tensors");
  check(self.is_floating_point(), "glu: not supported for ", self.scalar_type(),
        " tensors; expected a floating-point one");
  dim = wrap_dim(dim, self.dim(), "glu");
  const int64_t half = self.size(dim) / 2;
  check(self.size(dim) == 2 * half, "glu: Halving dimension must be even, but dimension ", dim, " is size ",
        self.size(dim));
  return self.narrow(dim, 0, half) * self.narrow(dim, half, half).sigmoid();
}

extern const OpEntry activation_ops[];
extern const size_t activation_ops_count;
const OpEntry activation_ops[] = {
    doc("x where it is positive, else 0.",
        method(no_out(op<relu, relu_>("relu(Tensor self) -> Tensor",
                                      "t(2, 3)\nt()\nt(0, 3)\nc([0.0, -0.0, 1.0, -1.0])\ni(-3, 4, 5)\nb(3)")))),
    doc("x held within [0, 6].",
        no_out(op<relu6, relu6_>("relu6(Tensor self) -> Tensor",
                                 "t(2, 3)\nt()\nt(0)\nc([7.5, 6.0, 0.0, -1.0, 3.0])\ni(-3, 9, 5)"))),
    doc("x times the probability that a normal number is below x; `approximate=\"tanh\"` for the formula with tanh.",
        op<gelu, gelu_>("gelu(Tensor self, *, str approximate='none') -> Tensor",
                        "t(2, 3)\nt(2, 3), approximate='tanh'\nt()\nt(0, 2)\nc([-9.0, 0.0, 9.0])\nt(2), "
                        "approximate='erf'\ni(0, 3, 2)")),
    doc("x * sigmoid(x).", op<silu, silu_>("silu(Tensor self) -> Tensor", "t(2, 3)\nt()\nt(0)\nc([-40.0, 0.0, 40.0])")),
    doc("x * tanh(softplus(x)).",
        op<mish, mish_>("mish(Tensor self) -> Tensor", "t(2, 3)\nt()\nt(0)\nc([-40.0, 0.0, 40.0])")),
    doc("x where it is positive, else alpha * (exp(x) - 1).",
        op<elu, elu_>("elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor",
                      "t(2, 3)\nt(), 0.5\nt(0)\nt(2, 3), 1.5, 2.0, 0.5\nc([0.0, -0.0, -30.0])\ni(-2, 3, 4)")),
    doc("elu with the constants that keep mean and variance.",
        no_out(op<selu, selu_>("selu(Tensor self) -> Tensor", "t(2, 3)\nt()\nt(0)\nc([0.0, -30.0])"))),
    doc("x where it is positive, else alpha * (exp(x / alpha) - 1).",
        no_out(op<celu, celu_>("celu(Tensor self, Scalar alpha=1.0) -> Tensor",
                               "t(2, 3)\nt(3), 0.5\nt(), alpha=2\nt(0)\nt(2), 0"))),
    doc("x where it is positive, else negative_slope * x.",
        op<leaky_relu, leaky_relu_>("leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor",
                                    "t(2, 3)\nt(3), 0.5\nt()\nt(0)\nc([0.0, -0.0]), 0.2\ni(0, 3, 2)")),
    doc("x where it is positive, else weight * x, with one weight or one per channel.",
        method(no_out(
            op<prelu>("prelu(Tensor self, Tensor weight) -> Tensor",
                      "t(2, 3), p(3)\nt(2, 3, 4), p(3)\nt(2, 3), p(1)\nt(3), p()\nt(), p(1)\nt(0, 3), p(3)\nt(2, 3), "
                      "p(2)\nt(3), p(3)\nt(2, 3), p(1, 3)")))),
    doc("x held within [min_val, max_val].",
        op<hardtanh, hardtanh_>("hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor",
                                "t(2, 3)\nt(5), -0.5, 1.5\nt()\nt(0)\nc([-1.0, 1.0, 0.0])\ni(-4, 5, 6), -2, 2")),
    doc("x / 6 + 1/2 held within [0, 1].",
        op<hardsigmoid, hardsigmoid_>("hardsigmoid(Tensor self) -> Tensor",
                                      "t(2, 3)\nt()\nt(0)\nc([-3.0, 3.0, 4.0, -5.0])")),
    doc("x * hardsigmoid(x).",
        op<hardswish, hardswish_>("hardswish(Tensor self) -> Tensor", "t(2, 3)\nt()\nt(0)\nc([-3.0, 3.0, 4.0, -5.0])")),
    doc("x where |x| > lambd, else 0.",
        method(op<hardshrink>("hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor",
                              "t(2, 3)\nt(5), 1.1\nt()\nt(0)\nc([0.5, -0.5, 0.0])\nt(4), -1.0"))),
    doc("x / (1 + |x|).", no_out(op<softsign>("softsign(Tensor self) -> Tensor", "t(2, 3)\nt()\nt(0, 2)\nz(2, 3)"))),
    doc("x - tanh(x).", no_out(op<tanhshrink>("tanhshrink(Tensor self) -> Tensor", "t(2, 3)\nt()\nt(0, 2)"))),
    doc("x moved towards 0 by lambd, 0 where |x| <= lambd.",
        op<softshrink>("softshrink(Tensor self, Scalar lambd=0.5) -> Tensor",
                       "t(2, 3)\nt(5), 1.1\nt()\nt(0)\nc([0.5, -0.5, 0.0])\nt(4), -1.0")),
    doc("log(1 + exp(beta x)) / beta, and x itself where beta x exceeds threshold.",
        op<softplus>("softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor",
                     "t(2, 3)\nt(3), 2.0\nt(), 2, 1\nt(0)\nc([25.0, -800.0, 0.0])\ni(0, 3, 2)")),
    doc("x where it exceeds threshold, else value.",
        out_casts(op<threshold, threshold_>(
            "threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor",
            "t(2, 3), 0.5, 9.0\nt(), 0, -1\nt(0), 0, 0\nc([0.5, 0.25]), 0.5, 2.0\ni(-3, 4, 5), 1, -2"))),
    doc("log(sigmoid(x)) without overflow.",
        op<log_sigmoid>("log_sigmoid(Tensor self) -> Tensor", "t(2, 3)\nt()\nt(0)\nc([-800.0, 800.0, 0.0])")),
    doc("The first half along dim times the sigmoid of the second half.",
        out_casts(op<glu>("glu(Tensor self, int dim=-1) -> Tensor",
                          "t(2, 4)\nt(4, 3), 0\nt(2, 4, 3), -2\nt(0, 4)\nt(2, 3)\nt()"))),
};
const size_t activation_ops_count = std::size(activation_ops);

}  // namespace taut
