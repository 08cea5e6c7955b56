// Losses element by element, over the formulas in src/ops/formulas/loss.inc, and those between vectors.
#include "taut/ops/loss.h"
#include "ops/autocast.h"

#include <algorithm>
#include <cmath>

#include "ops/formulas.h"
#include "ops/loss.h"
#include "ops/registry.h"
#include "taut/ops/pairwise.h"

namespace taut {
using namespace formula;

Tensor binary_cross_entropy_slope(const Tensor& x, const Tensor& target) {
  return pointwise(binary_cross_entropy_slope_op, x, target);
}

Tensor reduce_loss(const Tensor& loss, int64_t reduction, const char* op, const char* node) {
  check_reduction(reduction, op);
  if (node && loss.is_floating_point() && reduction != Reduction::None)
    return reduction == Reduction::Mean ? mean_as(loss, node) : sum_as(loss, node);
  return reduction == Reduction::None ? loss : reduction == Reduction::Mean ? loss.mean() : loss.sum();
}
void check_reduction(int64_t reduction, const char* op) {
  check<ValueError>(reduction >= Reduction::None && reduction <= Reduction::Sum, op, ": ", reduction,
                    " is not a valid value for reduction; use Reduction::None, Reduction::Mean or Reduction::Sum");
}
void check_constant(OptionalTensor t, const char* op, const char* argument) {
  check(!t || !t->requires_grad() || !thread_state.grad_mode, op, ": not differentiable with respect to argument '",
        argument, "'. This input cannot have requires_grad True. Pass ", argument, ".detach().");
}
/// The steps of these go on in the memory of one argument, which must have the shape of the result.
static void check_broadcast(const char* op, const Tensor& shaped, const Tensor& other) {
  check(shaped.is_complex() || !other.is_complex(), op, ": result type ", toString(other.scalar_type()),
        " can't be cast to the desired output type ", toString(shaped.scalar_type()));
  const Dims both = broadcast_shapes(shaped.sizes(), other.sizes(), op);
  check(IntArrayRef(both) == shaped.sizes(), op, ": output with shape ", shaped.sizes(),
        " doesn't match the broadcast shape ", IntArrayRef(both));
}

Tensor mse_loss(const Tensor& self, const Tensor& target, int64_t reduction) {
  AUTOCAST(mse_loss, as_wide(self), as_wide(target), reduction);
  return reduce_loss(pointwise(mse_loss_op, self, target), reduction, "mse_loss", "MseLossBackward0");
}
Tensor l1_loss(const Tensor& self, const Tensor& target, int64_t reduction) {
  AUTOCAST(l1_loss, as_wide(self), as_wide(target), reduction);
  check_defined(self, "l1_loss");
  check_defined(target, "l1_loss", "target");
  const auto plain = [](const Tensor& t) { return t.is_complex() || t.scalar_type() == kBool; };  // - refuses bools
  if (plain(self) || plain(target) || (!self.is_floating_point() && !target.is_floating_point()))
    return reduce_loss((self - target).abs(), reduction, "l1_loss");
  return reduce_loss(pointwise(l1_loss_op, self, target), reduction, "l1_loss");
}
Tensor smooth_l1_loss(const Tensor& self, const Tensor& target, int64_t reduction, double beta) {
  AUTOCAST(smooth_l1_loss, as_wide(self), as_wide(target), reduction, beta);
  check<ValueError>(beta >= 0, "smooth_l1_loss: smooth_l1_loss does not support negative values for beta, got ", beta);
  if (beta == 0)  // which takes bools
    return l1_loss(self, target.defined() && target.scalar_type() == kBool ? target.to(self.scalar_type()) : target,
                   reduction);
  return reduce_loss(pointwise(smooth_l1_loss_op, SmoothL1Loss{beta}, self, target), reduction, "smooth_l1_loss",
                     "SmoothL1LossBackward0");
}
Tensor huber_loss(const Tensor& self, const Tensor& target, int64_t reduction, double delta) {
  AUTOCAST(huber_loss, as_wide(self), as_wide(target), reduction, delta);
  check<ValueError>(delta > 0, "huber_loss: huber_loss does not support non-positive values for delta, got ", delta);
  const Tensor loss = pointwise(huber_loss_op, HuberLoss{delta}, self, target);
  check(can_cast(loss.scalar_type(), self.scalar_type()), "huber_loss: result type ", loss.scalar_type(),
        " can't be cast to the desired output type ", self.scalar_type());
  return reduce_loss(loss.to(self.scalar_type()), reduction, "huber_loss", "HuberLossBackward0");
}

Tensor binary_cross_entropy(const Tensor& self, const Tensor& target, OptionalTensor weight, int64_t reduction) {
  AUTOCAST(binary_cross_entropy, as_wide(self), as_wide(target), as_wide(weight), reduction);
  const char* op = "binary_cross_entropy";
  check_defined(self, op);
  check_defined(target, op, "target");
  check_constant(weight, op, "weight");
  const auto check_probabilities = [&](const Tensor& t, const char* name, const char* remedy) {
    if (t.numel() == 0 || !t.is_floating_point() || no_data(t)) return;
    const auto [low, high] = aminmax(batching::whole(t.detach()));
    if (low.numel() == 0) return;
    const double a = low.item().toDouble(), b = high.item().toDouble();
    check<ValueError>(a >= 0 && b <= 1, op, ": all elements of ", name, " should be between 0 and 1, got values from ",
                      a, " to ", b, remedy);
  };
  check<ValueError>(self.sizes() == target.sizes(), op, ": Using a target size (", target.sizes(),
                    ") that is different to the input size (", self.sizes(),
                    ") is deprecated. Please ensure they have the same size.");
  check(self.scalar_type() == target.scalar_type(), op, ": Found dtype ", toString(target.scalar_type()),
        " but expected ", toString(self.scalar_type()));
  if (weight) check_broadcast(op, self, *weight);
  check_probabilities(self, "input", ". Apply sigmoid first, or use binary_cross_entropy_with_logits.");
  check_probabilities(target, "target", ".");
  const Tensor loss = pointwise(binary_cross_entropy_op, self, target);
  return reduce_loss(weight ? (loss * *weight).to(loss.scalar_type()) : loss, reduction, op,
                     "BinaryCrossEntropyBackward0");
}
Tensor binary_cross_entropy_with_logits(const Tensor& self, const Tensor& target, OptionalTensor weight,
                                        OptionalTensor pos_weight, int64_t reduction) {
  AUTOCAST(binary_cross_entropy_with_logits, as_wide(self), as_wide(target), as_wide(weight), as_wide(pos_weight),
           reduction);
  const char* op = "binary_cross_entropy_with_logits";
  check_constant(weight, op, "weight");
  check_constant(pos_weight, op, "pos_weight");
  check_defined(self, op);
  check_defined(target, op, "target");
  check<NotImplementedError>(self.is_floating_point() || self.numel() == 0, "\"log_sigmoid_cpu\" not implemented for '",
                             toString(self.scalar_type()), "'");
  for (const Tensor* t : {pos_weight ? &*pos_weight : nullptr, &target})
    check(!t || t->scalar_type() != kBool, op, ": Subtraction, the `-` operator, with a bool tensor is not supported");
  const ScalarType t = target.scalar_type();
  check(can_cast(self.scalar_type(), t), op, ": result type ", toString(self.scalar_type()),
        " can't be cast to the desired output type ", toString(t));
  if (pos_weight) check_broadcast(op, self, *pos_weight);
  check_broadcast(op, target, self);
  if (weight) check_broadcast(op, target, *weight);
  const Tensor loss = pos_weight ? pointwise(binary_cross_entropy_positive_op, self, target, *pos_weight)
                                 : pointwise(binary_cross_entropy_with_logits_op, self, target);
  return reduce_loss((weight ? loss * *weight : loss).to(t), reduction, op, "BinaryCrossEntropyWithLogitsBackward0");
}

Tensor kl_div(const Tensor& self, const Tensor& target, int64_t reduction, bool log_target) {
  AUTOCAST(kl_div, as_wide(self), as_wide(target), reduction, log_target);
  check_defined(self, "kl_div");
  check_defined(target, "kl_div", "target");
  check<TypeError>(self.is_floating_point() && target.is_floating_point(),
                   "kl_div: Integral inputs not supported, got ", self.scalar_type(), " and ", target.scalar_type());
  const Tensor loss = log_target ? pointwise(kl_div_log_op, self, target) : pointwise(kl_div_op, self, target);
  return reduce_loss(loss, reduction, "kl_div");
}

Tensor _kl_div(const Tensor& self, const Tensor& target, std::string_view reduction, bool log_target) {
  const auto number = [&](std::initializer_list<std::string_view> names) {
    const auto* const at = std::find(names.begin(), names.end(), reduction);
    check<ValueError>(at != names.end(), reduction, " is not a valid value for reduction");
    return at - names.begin();
  };
  if (reduction != "batchmean") return kl_div(self, target, number({"none", "mean", "sum"}), log_target);
  const Tensor sum = kl_div(self, target, Reduction::Sum, log_target);
  return self.dim() ? sum / self.size(0) : sum;
}

Tensor poisson_nll_loss(const Tensor& input, const Tensor& target, bool log_input, bool full, double eps,
                        int64_t reduction) {
  AUTOCAST(poisson_nll_loss, as_wide(input), as_wide(target), log_input, full, eps, reduction);
  check_defined(input, "poisson_nll_loss");
  check_defined(target, "poisson_nll_loss", "target");
  check(input.scalar_type() != kBool || (log_input && target.scalar_type() != kBool),
        "poisson_nll_loss: Subtraction, the `-` operator, with a bool tensor is not supported");
  Tensor loss = log_input ? pointwise(poisson_nll_loss_log_op, input, target)
                          : pointwise(poisson_nll_loss_op, PoissonNllLoss{eps}, input, target);
  if (full) loss = loss + pointwise(stirling_op, target);
  return reduce_loss(loss, reduction, "poisson_nll_loss");
}

Tensor gaussian_nll_loss(const Tensor& input, const Tensor& target, const Tensor& var, bool full, double eps,
                         int64_t reduction) {
  const char* op = "gaussian_nll_loss";
  check_defined(input, op);
  check_defined(target, op, "target");
  check_defined(var, op, "var");
  check(var.is_floating_point(), op, ": result type Float can't be cast to the desired output type ",
        toString(var.scalar_type()));
  check(input.scalar_type() != kBool && target.scalar_type() != kBool, op,
        ": Subtraction, the `-` operator, with a bool tensor is not supported");
  // One variance for each number, or for each row.
  Tensor variance = var;
  if (var.sizes() != input.sizes() && var.dim() > 0) {
    const IntArrayRef all = input.sizes();
    const bool by_row = var.dim() + 1 == input.dim() && var.sizes() == IntArrayRef(all.data(), all.size() - 1);
    const bool kept = var.dim() == input.dim() && input.dim() > 0 && var.size(-1) == 1 &&
                      IntArrayRef(var.sizes().data(), all.size() - 1) == IntArrayRef(all.data(), all.size() - 1);
    check<ValueError>(by_row || kept, op, ": var is of incorrect size: ", var.sizes(), " for an input of shape ",
                      input.sizes(), "; it must be the same, or with one variance for the last dimension");
    if (by_row) variance = var.unsqueeze(-1);
  }
  check<ValueError>(no_data(var) || !batching::whole(var.detach() < 0).any().item().toBool(), op,
                    ": var has negative entry/entries");
  Tensor loss = pointwise(gaussian_nll_loss_op, GaussianNllLoss{eps}, input, target, variance);
  if (full) loss = loss + 0.9189385332046727;  // log(2 pi) / 2
  return reduce_loss(loss, reduction, op);
}

Tensor soft_margin_loss(const Tensor& self, const Tensor& target, int64_t reduction) {
  AUTOCAST(soft_margin_loss, as_wide(self), as_wide(target), reduction);
  check_defined(self, "soft_margin_loss");
  check_defined(target, "soft_margin_loss", "target");
  check_constant(target, "soft_margin_loss", "target");
  check_broadcast("soft_margin_loss", self, target);
  if (self.is_complex() || target.is_complex()) {
    const Tensor each = (-self * target).exp().log1p();
    return reduction == 0 ? each : reduction == 1 ? each.mean() : each.sum();
  }
  return reduce_loss(pointwise(soft_margin_loss_op, self, target), reduction, "soft_margin_loss",
                     "SoftMarginLossBackward0");
}
Tensor hinge_embedding_loss(const Tensor& self, const Tensor& target, double margin, int64_t reduction) {
  AUTOCAST(hinge_embedding_loss, as_wide(self), as_wide(target), margin, reduction);
  check_defined(self, "hinge_embedding_loss");
  check_defined(target, "hinge_embedding_loss", "target");
  // Among whole numbers the margin is one, too.
  const Tensor none = zeros_like(self), rest = (full_like(self, margin) - self).clamp_min(0);
  return reduce_loss(where(target != 1, rest, none) + where(target != -1, self, none), reduction,
                     "hinge_embedding_loss");
}
Tensor multilabel_soft_margin_loss(const Tensor& self, const Tensor& target, OptionalTensor weight, int64_t reduction) {
  const char* op = "multilabel_soft_margin_loss";
  check_defined(self, op);
  check(self.dim() > 0, op, ": expected an input with classes in its last dimension, got a 0-d tensor");
  Tensor loss =
      pointwise(binary_cross_entropy_with_logits_op, BinaryCrossEntropyWithLogits{.keeps = true}, self, target);
  if (weight) loss = loss * *weight;
  const int64_t dim = self.dim() - 1, classes = self.size(dim);  // those of self, if the target should have more
  return reduce_loss(loss.size(dim) == classes ? loss.mean(dim) : loss.sum(dim) / classes, reduction, op);
}

Tensor margin_ranking_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin,
                           int64_t reduction) {
  AUTOCAST(margin_ranking_loss, as_wide(input1), as_wide(input2), as_wide(target), margin, reduction);
  const char* op = "margin_ranking_loss";
  check_defined(input1, op, "input1");
  check_defined(input2, op, "input2");
  check_defined(target, op, "target");
  return reduce_loss((-target * (input1 - input2) + margin).clamp_min(0), reduction, op);
}

Tensor cosine_embedding_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin,
                             int64_t reduction) {
  AUTOCAST(cosine_embedding_loss, as_wide(input1), as_wide(input2), as_wide(target), margin, reduction);
  const char* op = "cosine_embedding_loss";
  check_defined(input1, op, "input1");
  check_defined(input2, op, "input2");
  check_defined(target, op, "target");
  check<ValueError>(target.dim() <= 1, op, ": 0D or 1D target tensor expected, multi-target not supported, got ",
                    target.sizes());
  const int64_t dims = target.dim() + 1;
  check<ValueError>(input1.dim() == dims && input2.dim() == dims, op, ": ", target.dim(), "D target tensor expects ",
                    dims, "D input tensors, but found inputs with sizes ", input1.sizes(), " and ", input2.sizes(),
                    ".");
  constexpr double kTiny = 1e-12;
  const int64_t dim = target.dim();
  const Tensor squares1 = (input1 * input1).sum(dim) + kTiny, squares2 = (input2 * input2).sum(dim) + kTiny;
  const Tensor cosine = (input1 * input2).sum(dim) / (squares1 * squares2).sqrt();
  const Tensor none = zeros_like(cosine);
  const Tensor loss = where(target == 1, 1 - cosine, none) + where(target == -1, (cosine - margin).clamp_min(0), none);
  return reduce_loss(loss, reduction, op);
}

static Tensor triplet(const char* op, const Tensor& anchor, const Tensor& positive, const Tensor& negative,
                      double margin, bool swap, int64_t reduction,
                      const std::function<Tensor(const Tensor&, const Tensor&)>& distance_of) {
  check_defined(anchor, op, "anchor");
  check_defined(positive, op, "positive");
  check_defined(negative, op, "negative");
  check(anchor.dim() == positive.dim() && anchor.dim() == negative.dim(), op,
        ": The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
        "anchor ",
        anchor.dim(), "D, positive ", positive.dim(), "D, and negative ", negative.dim(), "D inputs");
  check(anchor.dim() > 0, op, ": expected vectors, got 0-d tensors");
  const Tensor near = distance_of(anchor, positive);
  Tensor far = distance_of(anchor, negative);
  if (swap) far = minimum(far, distance_of(positive, negative));
  return reduce_loss((margin + near - far).clamp_min(0), reduction, op);
}
Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative, double margin,
                           double p, double eps, bool swap, int64_t reduction) {
  AUTOCAST(triplet_margin_loss, as_wide(anchor), as_wide(positive), as_wide(negative), margin, p, eps, swap, reduction);
  return triplet("triplet_margin_loss", anchor, positive, negative, margin, swap, reduction,
                 [=](const Tensor& a, const Tensor& b) { return pairwise_distance(a, b, p, eps); });
}
Tensor triplet_margin_with_distance_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative,
                                         const std::function<Tensor(const Tensor&, const Tensor&)>& distance_function,
                                         double margin, bool swap, int64_t reduction) {
  const auto euclidean = [](const Tensor& a, const Tensor& b) { return pairwise_distance(a, b); };
  return triplet("triplet_margin_with_distance_loss", anchor, positive, negative, margin, swap, reduction,
                 distance_function ? distance_function : euclidean);
}

extern const OpEntry loss_ops[];
extern const size_t loss_ops_count;
const OpEntry loss_ops[] = {
    doc("The squared differences.",
        out_casts(op<mse_loss>("mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
                               "z(2), z(2)\nt(2, 3), t(2, 3)\nt(2, 3), t(2, 3), 0\nt(2, 3), t(2, 3), 2\nt(2, 3), t(3), "
                               "0\nt(), t()\nt(0), t(0)\n"
                               "t(0), t(0), 2\nt(2), t(3)\nt(2), t(2), 3"))),
    doc("The absolute differences.", op<l1_loss>("l1_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
                                                 "z(2, 3), z(2, 3)\nt(2, 3), t(2, 3)\nt(2, 3), t(2, 3), 0\nt(2, 3), "
                                                 "t(2, 3), 2\nt(2, 3), t(3), 0\nt(), t()\nt(0), t(0)")),
    doc("The absolute differences, squared where they are below beta.",
        out_casts(op<smooth_l1_loss>(
            "smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.0) -> Tensor",
            "t(2, 3), t(2, 3)\nt(2, 3), t(2, 3), 0, 0.5\nt(2, 3), t(2, 3), 2, 2.0\nt(2, 3), t(2, 3), 1, 0.0\n"
            "t(), t()\nt(0), t(0)\nt(3), t(3), 1, -1.0"))),
    doc("Half the squared differences, growing linearly from delta on.",
        out_casts(op<huber_loss>(
            "huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.0) -> Tensor",
            "t(2, 3), t(2, 3)\nt(2, 3), t(2, 3), 0, 0.5\nt(2, 3), t(2, 3), 2, 2.0\nt(), t()\nt(0), t(0)\n"
            "t(3), t(3), 1, 0.0"))),
    doc("-(y log x + (1 - y) log(1 - x)) for probabilities x.",
        out_same(op<binary_cross_entropy>(
            "binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=1) -> Tensor",
            "c([[0.2, 0.7, 0.5], [0.9, 0.1, 0.3]]), c([[0.0, 1.0, 0.5], [1.0, 0.0, 0.25]])\n"
            "c([0.2, 0.7]), c([0.0, 1.0]), None, 0\nc([0.0, 1.0]), c([0.0, 1.0]), None, 2\nt(0), t(0)\n"
            "t(2, 3), p(2, 3)"))),
    doc("The binary cross entropy of sigmoid(x), without overflow.",
        op<binary_cross_entropy_with_logits>("binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? "
                                             "weight=None, Tensor? pos_weight=None, int "
                                             "reduction=1) -> Tensor",
                                             "t(2, 3), p(2, 3)\nt(2, 3), p(2, 3), None, None, 0\nt(), p()\nt(0), "
                                             "t(0)\nc([-800.0, 800.0, 0.0]), c([1.0, 0.0, "
                                             "1.0])")),
    doc("The divergence y (log y - x) of log-probabilities x from probabilities y.",
        op<kl_div>("kl_div(Tensor self, Tensor target, int reduction=1, *, bool log_target=False) -> Tensor",
                   "t(2, 3), p(2, 3)\nt(2, 3), p(2, 3), 0\nt(2, 3), t(2, 3), 2, log_target=True\n"
                   "t(2, 3), t(2, 3), log_target=True\nt(), p()\nt(0, 3), t(0, 3)\nt(2), i(0, 2, 2)")),
    doc("kl_div with a reduction by name: batchmean divides the sum by the size of the batch.",
        op<_kl_div>("_kl_div(Tensor self, Tensor target, str reduction, bool log_target=False) -> Tensor",
                    "t(2, 3), p(2, 3), 'batchmean'\nt(), p(), 'batchmean'\nt(2, 3), t(2, 3), 'none', True\n"
                    "t(2, 3), p(2, 3), 'least'")),
    doc("The negative log-likelihood of counts under a Poisson distribution.",
        op<poisson_nll_loss>(
            "poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, int "
            "reduction) -> Tensor",
            "t(2, 3), p(2, 3), True, False, 1e-8, 1\nt(2, 3), p(2, 3), True, True, 1e-8, 0\np(2, 3), "
            "p(2, 3), False, False, 1e-3, 2\np(2, 3), p(2, 3), False, True, 1e-8, 1\nt(0), p(0), True, "
            "True, 1e-8, 1")),
    doc("The negative log-likelihood under normal distributions of these means and variances.",
        op<gaussian_nll_loss>(
            "gaussian_nll_loss(Tensor input, Tensor target, Tensor var, bool full=False, float eps=1e-06, "
            "int reduction=1) -> Tensor",
            "t(2, 3), t(2, 3), p(2, 3)\nt(2, 3), t(2, 3), p(2, 1), True\nt(2, 3), t(2, 3), p(2), False, "
            "1e-6, 0\nt(2, 3), t(2, 3), p(2, 3), reduction=2\nt(2, 3), t(2, 3), p(3)\nt(3), t(3), "
            "c([1.0, -1.0, 2.0])")),
    doc("log(1 + exp(-y x)) for y of 1 or -1.",
        out_same(op<soft_margin_loss>(
            "soft_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
            "t(2, 3), i(0, 2, 2, 3)\nt(2, 3), i(-1, 2, 2, 3), 0\nt(3), i(-1, 2, 3), 2\nt(0), i(0, 1, 0)"))),
    doc("x where y is 1, max(0, margin - x) where y is -1.",
        op<hinge_embedding_loss>(
            "hinge_embedding_loss(Tensor self, Tensor target, float margin=1.0, int reduction=1) -> Tensor",
            "t(2, 3), c([[1, -1, 1], [-1, -1, 1]])\nt(4), c([1, -1, 0, 1]), 0.5, 0\nt(3), c([-1, 1, -1]), 2.0, "
            "2\nt(0), "
            "i(0, 1, 0)")),
    doc("The binary cross entropy with logits, averaged over the classes.",
        op<multilabel_soft_margin_loss>(
            "multilabel_soft_margin_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1) -> Tensor",
            "t(2, 3), i(0, 2, 2, 3)\nt(2, 3), p(2, 3), None, 0\nt(3), p(3), None, 2\nt(2, 3), p(2, 3), p(3)")),
    doc("max(0, -y (x1 - x2) + margin).",
        op<margin_ranking_loss>(
            "margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, int "
            "reduction=1) -> Tensor",
            "t(5), t(5), c([1, -1, 1, -1, 1])\nt(2, 3), t(2, 3), c([[1, -1, 1], [-1, -1, 1]]), 0.5, 0\n"
            "t(4), t(4), c([1, -1, 1, 1]), 1.0, 2\nt(4), t(4), p(4), 1.5")),
    doc("1 - cos(x1, x2) where y is 1, max(0, cos(x1, x2) - margin) where y is -1.",
        op<cosine_embedding_loss>(
            "cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, int reduction=1) -> "
            "Tensor",
            "t(4, 3), t(4, 3), c([1, -1, 1, -1])\nt(4, 3), t(4, 3), c([1, -1, 1, -1]), 0.25, 0\nt(3), t(3), c(1)\nt(3, "
            "2), "
            "t(3, 2), c([-1, -1, 1]), -0.5, 2\nt(4, 3), t(4, 3), i(0, 2, 4, 3)\nt(3), t(3), i(0, 2, 3)")),
    doc("max(0, |anchor - positive| - |anchor - negative| + margin).",
        op<triplet_margin_loss>(
            "triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1.0, float p=2.0, float "
            "eps=1e-06, bool swap=False, int reduction=1) -> Tensor",
            "t(4, 3), t(4, 3), t(4, 3)\nt(4, 3), t(4, 3), t(4, 3), 0.5, 1.0, 1e-6, True, 0\nt(2, 4, 3), t(2, 4, 3), "
            "t(2, "
            "4, "
            "3), 2.0, 3.0, 1e-6, True, 2\nt(3), t(3), t(3)\nt(4, 3), t(4, 3), t(3)")),
};
const size_t loss_ops_count = std::size(loss_ops);

}  // namespace taut
