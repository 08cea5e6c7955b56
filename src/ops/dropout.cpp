// The kinds of dropout beyond the plain one (ops/random.cpp), from bernoulli_ as PyTorch draws it.
#include "taut/ops/dropout.h"

#include <cmath>

#include "ops/op.h"
#include "ops/registry.h"
#include "taut/core/runtime.h"

namespace taut {

namespace {

/// What the input is multiplied by, and what is added: undefined when nothing is.
struct Noise {
  Tensor factor, shift;
};

/// Nothing to do: the input as it is.
bool is_identity(const char* op, const Tensor& x, double p, bool train, bool feature) {
  check_defined(x, op);
  check<ValueError>(p >= 0 && p <= 1, op, ": dropout probability has to be between 0 and 1, but got ", p);
  if (p == 0 || !train || x.numel() == 0) return true;
  check<TypeError>(x.is_floating_point() || p == 1, op, ": result type Float can't be cast to the desired output type ",
                   x.scalar_type(), ". Convert the input first: x.to(taut::kFloat).");
  check<ValueError>(!feature || x.dim() >= 2 || p == 1, op,
                    ": Feature dropout requires at least 2 dimensions in the input, got shape ", x.sizes());
  return false;
}

Noise draw(const Tensor& x, double p, bool feature, bool alpha) {
  NoGradGuard guard;
  if (p == 1) return {zeros({}, x.scalar_type()), {}};
  Dims shape(x.sizes());
  for (size_t d = 2; feature && d < shape.size(); ++d) shape[d] = 1;
  const Tensor kept = bernoulli(feature ? empty(shape, x.scalar_type()) : empty_like(x), 1 - p);
  if (!alpha) return {kept.div_(1 - p), {}};
  constexpr double limit = 1.7580993408473766;  // selu tends to minus this
  const double scale = 1 / std::sqrt((limit * limit * p + 1) * (1 - p));
  const Tensor shift = kept.add(-1).mul_(limit * scale).add_(limit * scale * p);
  return {kept.mul_(scale), shift};
}

Tensor dropped(const char* op, const Tensor& x, double p, bool train, bool feature, bool alpha) {
  if (is_identity(op, x, p, train, feature)) return x;
  const Noise noise = draw(x, p, feature, alpha);
  const Tensor y = x * noise.factor;
  return noise.shift.defined() ? y + noise.shift : y;
}
Tensor& drop(const char* op, Tensor& x, double p, bool train, bool feature, bool alpha) {
  if (is_identity(op, x, p, train, feature)) return x;
  check_writable(x, op);
  const Noise noise = draw(x, p, feature, alpha);
  x.mul_(noise.factor);
  return noise.shift.defined() ? x.add_(noise.shift) : x;
}

}  // namespace

Tensor& dropout_(Tensor& self, double p, bool train) { return drop("dropout_", self, p, train, false, false); }
Tensor feature_dropout(const Tensor& input, double p, bool train) {
  return dropped("feature_dropout", input, p, train, true, false);
}
Tensor& feature_dropout_(Tensor& self, double p, bool train) {
  return drop("feature_dropout_", self, p, train, true, false);
}
Tensor alpha_dropout(const Tensor& input, double p, bool train) {
  return dropped("alpha_dropout", input, p, train, false, true);
}
Tensor& alpha_dropout_(Tensor& self, double p, bool train) {
  return drop("alpha_dropout_", self, p, train, false, true);
}
Tensor feature_alpha_dropout(const Tensor& input, double p, bool train) {
  return dropped("feature_alpha_dropout", input, p, train, true, true);
}
Tensor& feature_alpha_dropout_(Tensor& self, double p, bool train) {
  return drop("feature_alpha_dropout_", self, p, train, true, true);
}

/// dropout1d, dropout2d and dropout3d of torch.nn.functional, and what these say about the number of dimensions.
Tensor _channel_dropout(const Tensor& input, double p, bool train, bool inplace, int64_t spatial) {
  const std::string op = str("dropout", spatial, "d");
  check(input.defined(), op, ": expected a tensor, got an undefined one");
  const int64_t dims = input.dim();
  const std::string note = str(" Note that ", op, " exists to provide channel-wise dropout on inputs with ", spatial,
                               " spatial dimension", spatial == 1 ? "" : "s", ", a channel dimension, and an optional ",
                               "batch dimension (i.e. ", spatial + 1, "D or ", spatial + 2, "D inputs).");
  if (dims != spatial + 1 && dims != spatial + 2) {
    check(spatial > 1, op, ": Expected 2D or 3D input, but received a ", dims, "D input.", note);
    warn(str(op, ": Received a ", dims, "-D input to ", op, ", which is deprecated and will result in an error in a ",
             "future release. To retain the behavior and silence this warning, please use dropout instead.", note));
  }
  if (spatial == 2 && dims == 3)
    warn(
        "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is desired - "
        "input is interpreted as shape (N, C, L), where C is the channel dim. This behavior will change in a future "
        "release to interpret the input as one without a batch dimension, i.e. shape (C, H, W). To maintain the 1D "
        "channel-wise dropout behavior, please switch to using dropout1d instead.");
  Tensor x = input;
  const bool batched = spatial == 2 || dims != spatial + 1;
  if (!batched) x = inplace ? x.unsqueeze_(0) : x.unsqueeze(0);
  Tensor y = inplace ? feature_dropout_(x, p, train) : feature_dropout(x, p, train);
  return batched ? y : inplace ? y.squeeze_(0) : y.squeeze(0);
}

// Samples only where the result does not depend on the numbers drawn.
extern const OpEntry dropout_ops[];
extern const size_t dropout_ops_count;
constexpr const char* kSamples = "t(2, 3), 0.5, False\nt(4, 2), 0.0, True\nt(2, 3), 1.0, True\nt(0, 2), 0.5, True";
const OpEntry dropout_ops[] = {
    doc("Zeroes each element with probability p and scales the others by 1 / (1 - p), while training.",
        op<dropout_>("dropout_(Tensor self, float p, bool train) -> Tensor", kSamples)),
    doc("Dropout of whole channels.", op<feature_dropout, feature_dropout_>(
                                          "feature_dropout(Tensor input, float p, bool train) -> Tensor", kSamples)),
    doc("Dropout that keeps the mean and variance of what selu gives.",
        op<alpha_dropout, alpha_dropout_>("alpha_dropout(Tensor input, float p, bool train) -> Tensor", kSamples)),
    doc("alpha_dropout of whole channels.",
        op<feature_alpha_dropout, feature_alpha_dropout_>(
            "feature_alpha_dropout(Tensor input, float p, bool train) -> Tensor", kSamples)),
    doc("Dropout of whole channels of 1, 2 or 3 dimensions, with or without a batch.",
        op<_channel_dropout>(
            "_channel_dropout(Tensor input, float p, bool train, bool inplace, int spatial) -> Tensor",
            "t(2, 3), 0.5, False, False, 1\nt(2, 3), 1.0, True, False, 1\nt(2, 3, 4), 0.0, True, False, 1\n"
            "t(2, 3, 2, 2), 1.0, True, False, 2\nt(2, 3, 2, 2), 1.0, True, False, 3\nt(3), 0.5, True, False, 1")),
};
const size_t dropout_ops_count = std::size(dropout_ops);

}  // namespace taut
