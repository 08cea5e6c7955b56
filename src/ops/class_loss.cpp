// Losses of scores [C], [N, C] or [N, C, d1, ...] against classes.
#include "kernels/cross_entropy.h"
#include "ops/autocast.h"

#include <algorithm>
#include <cmath>

#include "ops/batch_rules.h"
#include "ops/loss.h"
#include "ops/registry.h"
#include "ops/view_ops.h"
#include "taut/ops/loss.h"

namespace taut {
namespace {

/// Where the classes are.
int64_t class_dim(const Tensor& x) { return x.dim() == 1 ? 0 : 1; }
constexpr int64_t kNothingIgnored = INT64_MIN;
ScalarType compute_type(ScalarType t) { return t == kDouble ? kDouble : kFloat; }

/// What the two ops on class indices have in common.
struct ClassTargets {
  int64_t reduction, ignore;
  bool weighted;

  static Tensor plain(const Tensor& t, ScalarType dtype) { return t.to(dtype).contiguous(); }
  static View no_weight(ScalarType dtype) { return View{nullptr, dtype, {}, {}}; }

  /// The target as the kernels read it, checked.
  Tensor indices(const char* op, const Tensor& target, int64_t classes) const {
    const Tensor y = plain(target, kLong);
    kernels::check_targets(op, view_of(y), target.sizes(), classes, ignore);
    return y;
  }
  /// Losses, in the order of `y`, as the result that was asked for.
  Tensor reduced(const Tensor& loss, const Tensor& y, const View& weight, ScalarType dtype) const {
    if (reduction == Reduction::None) return loss.to(dtype);
    double sum = kernels::sum_in_order(view_of(loss));
    if (reduction == Reduction::Mean) sum /= kernels::total_weight(view_of(y), weight, ignore);
    return full({}, sum, dtype);
  }
  /// The gradient of each loss from that of the result, in the shape of the target: of a mean, its part.
  Tensor spread(const Tensor& g, const Tensor& target, const Tensor& factors) const {
    if (reduction == Reduction::None) return g;
    if (reduction == Reduction::Sum) return g.expand(target.sizes());
    return (g / factors.sum()).expand(target.sizes());
  }
  /// What `part` gives each target, nothing to those that are ignored, even where the gradient is no number.
  Tensor unless_ignored(const Tensor& part, const Tensor& target) const {
    return part.masked_fill((target == ignore).view(part.sizes()), 0);
  }
  /// The weight of each target, 0 where it is ignored.
  Tensor factors(const Tensor& target, const Tensor& weight, ScalarType dtype) const {
    const Tensor ignored = target == ignore;
    if (!weighted) return ignored.logical_not().to(dtype);
    const Tensor y = target.masked_fill(ignored, 0);
    return weight.index_select(0, y.reshape({-1})).view(y.sizes()).masked_fill(ignored, 0);
  }
  /// The loss of each target of all items, made into the results that were asked for.
  Tensor items_reduced(const Batch& b, const Tensor& losses, const Tensor& weights) const {
    if (reduction == Reduction::None) return losses;
    const auto total = [&](const Tensor& t) { return t.reshape({b.size, b.size > 0 ? t.numel() / b.size : 1}).sum(1); };
    return reduction == Reduction::Mean ? total(losses) / total(weights) : total(losses);
  }
  /// One index for each score that is picked, with the class dimension in place.
  Tensor picks(const Tensor& target, int64_t dim) const {
    const Tensor y = target.masked_fill(target == ignore, 0);
    return dim == 0 ? y.reshape({1}) : y.unsqueeze(dim);
  }
};

struct NllLoss : ClassTargets {
  static constexpr const char* name = "nll_loss";
  static constexpr bool linear = true;
  static constexpr unsigned reads[] = {kInput(1) | kInput(2)}, bends = kInput(0);
  bool spatial;
  const char* node_name() const { return spatial ? "NllLoss2DBackward0" : "NllLossBackward0"; }

  Tensor batch(const Batch& b, const Tensor& x, const Tensor& target, const Tensor& weight) const {
    if (weighted && b.has(2)) return each_item(*this, b, x, target, weight);
    const Tensor scores = b.all(0, x), y = b.all(1, target);
    const bool single = scores.dim() == 2;  // an item is one row
    NllLoss each = *this;
    each.reduction = Reduction::None;
    const Tensor classes = single ? y.reshape({b.size}) : fold_items(y);
    const Tensor found = apply(each, single ? scores : fold_items(scores), classes, weight);
    const Tensor losses = single ? found : found.view(y.sizes());
    return items_reduced(b, losses, factors(y.to(kLong), weight, x.scalar_type())).to(x.scalar_type());
  }
  Tensor forward(const Tensor& x, const Tensor& target, const Tensor& weight) const {
    const ScalarType t = compute_type(x.scalar_type());
    const int64_t classes = x.size(class_dim(x)), batch = x.dim() == 1 ? 1 : x.size(0);
    const Tensor y = indices(name, target, classes), w = weighted ? plain(weight, t) : Tensor();
    const View wv = weighted ? view_of(w) : no_weight(t);
    const Tensor scores = plain(x, t).view({batch, classes, batch ? y.numel() / batch : 0});
    const Tensor loss = make(x.dim() == 1 ? IntArrayRef() : target.sizes(), t, name);
    kernels::nll(view_of(loss), {view_of(scores), view_of(y), wv, ignore});
    if (x.dim() == 1) loss.add_(0);  // a sum of one, never -0
    return reduced(loss, y, wv, x.scalar_type());
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const {
    const Tensor target = s.input(1).to(kLong);
    const Tensor f = factors(target, weighted ? s.input(2) : Tensor(), g.scalar_type());
    const int64_t dim = s.sizes(0).size() == 1 ? 0 : 1;
    const Tensor part = unless_ignored((spread(g, target, f) * f).neg(), target);
    return zeros(s.sizes(0), g.scalar_type())
        .scatter(dim, picks(target, dim), dim == 0 ? part.reshape({1}) : part.unsqueeze(dim));
  }
};

/// Softmax and the loss in one pass over the scores; the result beside the loss is the logarithm of the sum of
/// exponentials of each row, from which one more pass gives the gradient.
struct CrossEntropy : ClassTargets {
  static constexpr const char* name = "cross_entropy_loss";
  static constexpr unsigned reads[] = {kInput(0) | kInput(1) | kInput(2) | kResult(1)}, keeps = kInput(0);
  double smoothing;
  bool spatial;
  /// PyTorch ends in nll_loss, or adds the smoothed part to that.
  const char* node_name() const {
    return smoothing > 0 ? "AddBackward0" : spatial ? "NllLoss2DBackward0" : "NllLossBackward0";
  }

  /// [rows, classes], contiguous.
  static Tensor rows(const Tensor& x, int64_t count) {
    const Tensor r = x.dim() > 2 ? x.movedim(1, -1) : x;
    return plain(r, compute_type(x.scalar_type())).view({count, x.size(class_dim(x))});
  }
  std::array<Tensor, 2> batch(const Batch& b, const Tensor& x, const Tensor& target, const Tensor& weight) const {
    if (weighted && b.has(2)) return each_item(*this, b, x, target, weight);
    const Tensor scores = b.all(0, x), y = b.all(1, target);
    const bool single = scores.dim() == 2;
    CrossEntropy each = *this;
    each.reduction = Reduction::None;
    const Tensor classes = single ? y.reshape({b.size}) : fold_items(y);
    const auto found = apply(each, single ? scores : fold_items(scores), classes, weight);
    const Tensor rows = found[1].reshape({b.size, b.size > 0 ? found[1].numel() / b.size : 0});
    return {
        items_reduced(b, single ? found[0] : found[0].view(y.sizes()), factors(y.to(kLong), weight, x.scalar_type())),
        rows};
  }
  std::array<Tensor, 2> forward(const Tensor& x, const Tensor& target, const Tensor& weight) const {
    const ScalarType t = compute_type(x.scalar_type());
    const Tensor y = indices(name, target, x.size(class_dim(x))), w = weighted ? plain(weight, t) : Tensor();
    const View wv = weighted ? view_of(w) : no_weight(t);
    const Tensor scores = rows(x, y.numel());
    const Tensor loss = make(x.dim() == 1 ? IntArrayRef() : target.sizes(), t, name);
    const Tensor lse = make({y.numel()}, kDouble, name);
    kernels::cross_entropy(view_of(loss), view_of(lse), {view_of(scores), view_of(y), wv, ignore, smoothing});
    return {reduced(loss, y, wv, x.scalar_type()), lse};
  }
  Tensor vjp(int, const Tensor* grads, const Saved& s) const {
    const Tensor& g = grads[0];
    if (!g.defined()) return {};
    const Tensor x = s.input(0), target = s.input(1).to(kLong), weight = weighted ? s.input(2) : Tensor();
    return must_record() ? by_ops(g, x, target, weight) : by_kernel(g, x, target, weight, s.result(1));
  }
  Tensor by_kernel(const Tensor& g, const Tensor& x, const Tensor& target, const Tensor& weight,
                   const Tensor& lse) const {
    const ScalarType t = compute_type(x.scalar_type());
    const Tensor y = plain(target, kLong), w = weighted ? plain(weight, t) : Tensor();
    const View wv = weighted ? view_of(w) : no_weight(t);
    Tensor scale = plain(g, kDouble);
    if (reduction == Reduction::Mean) scale = scale / kernels::total_weight(view_of(y), wv, ignore);
    const Tensor scores = rows(x, y.numel()), dx = make(scores.sizes(), t, name);
    kernels::cross_entropy_backward(view_of(dx), view_of(scale), view_of(lse),
                                    {view_of(scores), view_of(y), wv, ignore, smoothing});
    if (x.dim() <= 2) return dx.view(x.sizes());
    std::vector<int64_t> moved = x.sizes().vec();
    moved.erase(moved.begin() + 1);
    moved.push_back(x.size(1));
    return dx.view(moved).movedim(-1, 1).contiguous();
  }
  /// The same in ops that autograd can follow: g (softmax(x) sum(q) - q), q what the target asks of each class.
  Tensor by_ops(const Tensor& g, const Tensor& x, const Tensor& target, const Tensor& weight) const {
    const ScalarType t = x.scalar_type();
    const int64_t dim = class_dim(x), classes = x.size(dim);
    const auto widened = [&](const Tensor& v) { return dim == 0 ? v.reshape({1}) : v.unsqueeze(dim); };
    const Tensor f = factors(target, weight, t);
    Tensor q = zeros(x.sizes(), t).scatter(dim, picks(target, dim), widened(f * (1 - smoothing)));
    if (smoothing > 0) {
      std::vector<int64_t> shape(static_cast<size_t>(x.dim()), 1);
      shape[static_cast<size_t>(dim)] = classes;
      const Tensor share = weighted ? weight.view(shape) : ones(shape, t);
      q = q + share * widened((target != ignore).to(t) * (smoothing / static_cast<double>(classes)));
    }
    return widened(unless_ignored(spread(g, target, f), target)) * (x.softmax(dim) * q.sum(dim, true) - q);
  }
};

/// The checks of scores against class indices.
void check_classes(const char* op, const Tensor& x, const Tensor& target, OptionalTensor weight) {
  check<TypeError>(x.is_floating_point(), op, ": expected floating-point scores, got ", x.scalar_type(),
                   ". Convert first: x.to(taut::kFloat).");
  check<TypeError>(target.scalar_type() == kLong || (target.scalar_type() == kByte && x.dim() <= 2), op,
                   ": expected target dtype to be Long (or Byte, of vectors) but got ", target.scalar_type(),
                   ". Class indices are whole numbers: target.to(taut::kLong).");
  check<ValueError>(x.dim() > 0, op, ": Expected 1 or more dimensions (got 0)");
  if (x.dim() == 1) {
    check<ValueError>(target.numel() == 1 && target.dim() <= 1, op, ": size mismatch (got input: ", x.sizes(),
                      ", target: ", target.sizes(), "): scores without a batch have one target");
  } else {
    check<ValueError>(target.dim() > 0 && x.size(0) == target.size(0), "Expected input batch_size (", x.size(0),
                      ") to match target batch_size (", target.dim() ? target.size(0) : 0, ") in ", op,
                      ": the input has shape ", x.sizes(), ", the target ", target.sizes());
    std::vector<int64_t> wanted = x.sizes().vec();
    wanted.erase(wanted.begin() + 1);
    check<ValueError>(target.sizes() == IntArrayRef(wanted), op, ": Expected target size ", IntArrayRef(wanted),
                      ", got ", target.sizes(), " for an input of shape ", x.sizes());
  }
  const int64_t classes = x.size(class_dim(x));
  if (!weight) return;
  check_constant(weight, op, "weight");
  check<ValueError>(weight->dim() == 1 && weight->numel() == classes, op,
                    ": weight tensor should be defined either for all ", classes,
                    " classes or no classes but got weight tensor of shape: ", weight->sizes());
  check<TypeError>(weight->scalar_type() == x.scalar_type(), op, ": expected weight of scalar type ", x.scalar_type(),
                   " but found ", weight->scalar_type(), ". Convert it: weight.to(x.scalar_type()).");
}

Tensor nll(const char* op, const Tensor& x, const Tensor& target, OptionalTensor weight, int64_t reduction,
           int64_t ignore) {
  check_reduction(reduction, op);
  check_classes(op, x, target, weight);
  const bool spatial = x.dim() > 2;
  return apply(NllLoss{{reduction, ignore, weight.has_value()}, spatial}, x, target, weight ? *weight : Tensor());
}

/// What a score lacks to its margin; where that is no number, nothing.
Tensor lacking(const Tensor& z) { return z.masked_fill(z.detach().isnan(), 0).relu(); }

void check_both(const char* op, const Tensor& x, const Tensor& target) {
  check_defined(x, op);
  check_defined(target, op, "target");
}

/// Against a probability for each class.
Tensor soft_cross_entropy(const Tensor& x, const Tensor& target, OptionalTensor weight, int64_t reduction,
                          double smoothing) {
  const int64_t dim = class_dim(x), classes = x.size(dim);
  Tensor q = target, w;
  if (smoothing > 0) q = q * (1 - smoothing) + smoothing / static_cast<double>(classes);
  if (weight) {
    check<ValueError>(weight->dim() == 1 && weight->numel() == classes,
                      "cross_entropy_loss: weight tensor should be defined either for all ", classes,
                      " classes or no classes but got weight tensor of shape: ", weight->sizes());
    std::vector<int64_t> shape(static_cast<size_t>(x.dim()), 1);
    shape[static_cast<size_t>(dim)] = classes;
    w = weight->view(shape);
  }
  Tensor product = x.log_softmax(dim) * q;
  if (w.defined()) product = product * w;
  if (reduction == Reduction::None) return product.sum(dim).neg();
  if (reduction == Reduction::Sum) return product.sum().neg();
  return product.sum() / (-static_cast<double>(x.numel()) / static_cast<double>(classes));
}

}  // namespace

Tensor cross_entropy_loss(const Tensor& self, const Tensor& target, OptionalTensor weight, int64_t reduction,
                          int64_t ignore_index, double label_smoothing) {
  AUTOCAST(cross_entropy_loss, as_wide(self), as_wide(target), as_wide(weight), reduction, ignore_index,
           label_smoothing);
  const char* op = "cross_entropy_loss";
  check_both(op, self, target);
  check_reduction(reduction, op);
  check<ValueError>(!(label_smoothing > 1), op,
                    ": label_smoothing must be between 0.0 and 1.0. Got: ", label_smoothing);
  label_smoothing = std::max(label_smoothing, 0.0);  // PyTorch takes a negative one for none
  if (self.sizes() == target.sizes()) {
    check<TypeError>(target.is_floating_point(), op,
                     ": Expected floating point type for target with class probabilities, got ", target.scalar_type(),
                     ". A target of class indices has no class dimension; both have shape ", self.sizes());
    check<TypeError>(self.is_floating_point(), op, ": expected floating-point scores, got ", self.scalar_type());
    check<ValueError>(ignore_index < 0, op, ": ignore_index is not supported for floating point target, got ",
                      ignore_index);
    check<ValueError>(self.dim() > 0, op, ": Expected 1 or more dimensions (got 0)");
    return soft_cross_entropy(self, target, weight, reduction, label_smoothing);
  }
  check_classes(op, self, target, weight);
  const CrossEntropy loss{{reduction, ignore_index, weight.has_value()}, label_smoothing, self.dim() > 2};
  return apply(loss, self, target, weight ? *weight : Tensor())[0];
}

Tensor nll_loss_nd(const Tensor& self, const Tensor& target, OptionalTensor weight, int64_t reduction,
                   int64_t ignore_index) {
  AUTOCAST(nll_loss_nd, as_wide(self), as_wide(target), as_wide(weight), reduction, ignore_index);
  check_both("nll_loss_nd", self, target);
  return nll("nll_loss_nd", self, target, weight, reduction, ignore_index);
}
Tensor nll_loss(const Tensor& self, const Tensor& target, OptionalTensor weight, int64_t reduction,
                int64_t ignore_index) {
  AUTOCAST(nll_loss, as_wide(self), as_wide(target), as_wide(weight), reduction, ignore_index);
  check_both("nll_loss", self, target);
  check<ValueError>(self.dim() == 1 || self.dim() == 2, "nll_loss: input tensor should be 1D or 2D, got shape ",
                    self.sizes(), "; use nll_loss_nd");
  return nll("nll_loss", self, target, weight, reduction, ignore_index);
}
Tensor nll_loss2d(const Tensor& self, const Tensor& target, OptionalTensor weight, int64_t reduction,
                  int64_t ignore_index) {
  AUTOCAST(nll_loss2d, as_wide(self), as_wide(target), as_wide(weight), reduction, ignore_index);
  check_both("nll_loss2d", self, target);
  check<ValueError>(target.dim() == 3,
                    "nll_loss2d: only batches of spatial targets supported (3D tensors) but got "
                    "targets of dimension: ",
                    target.dim());
  check<ValueError>(self.dim() == 4,
                    "nll_loss2d: only batches of spatial inputs supported (4D tensors), but got input "
                    "of dimension: ",
                    self.dim());
  return nll("nll_loss2d", self, target, weight, reduction, ignore_index);
}

Tensor multi_margin_loss(const Tensor& self, const Tensor& target, const Scalar& p, const Scalar& margin,
                         OptionalTensor weight, int64_t reduction) {
  AUTOCAST(multi_margin_loss, as_wide(self), as_wide(target), p, margin, as_wide(weight), reduction);
  const AsDry as(self);
  const char* op = "multi_margin_loss";
  check_both(op, self, target);
  const auto power = static_cast<int64_t>(p.toDouble());  // PyTorch cuts it off, too
  check<ValueError>(power == 1 || power == 2, op, ": only p == 1 and p == 2 supported, got ", p.toDouble());
  check<ValueError>(self.dim() <= 2 && (self.dim() == 0 || self.size(-1) > 0), op,
                    ": Expected non-empty vector or matrix with optional 0-dim batch size, but got: ", self.sizes());
  check<TypeError>(target.scalar_type() == kLong, op, ": expected scalar type Long but found ", target.scalar_type());
  const int64_t batch = self.dim() == 2 ? self.size(0) : 1;
  check<ValueError>(target.dim() <= 1 && target.numel() == batch, op,
                    ": target tensor should be 1-D with size equal to the number of input samples (batch size). "
                    "Expected target size [",
                    batch, "], but got ", target.sizes(), ". Input has shape ", self.sizes());
  const Tensor x = self.dim() == 2 ? self : self.reshape({1, -1});
  const int64_t classes = x.size(1);
  if (weight) {
    check_constant(weight, op, "weight");
    check<ValueError>(weight->dim() <= 1 && weight->numel() == classes, op, ": inconsistent weight size, expected ",
                      classes, " but got ", weight->sizes());
    check<TypeError>(weight->scalar_type() == self.scalar_type(), op, ": expected scalar type ",
                     toString(self.scalar_type()), " but found ", toString(weight->scalar_type()));
  }
  const Tensor flat = target.contiguous(), checked = batching::whole(flat).contiguous();
  kernels::check_targets(op, view_of(checked), checked.sizes(), classes, kNothingIgnored);
  const Tensor y = flat.reshape({batch, 1});
  Tensor z = lacking(x - x.gather(1, y) + margin.toDouble());
  if (power == 2) z = z * z;
  if (weight) z = z * weight->index_select(0, y.squeeze(1)).unsqueeze(1);
  const Tensor loss = z.scatter(1, y, 0).sum(1) / static_cast<double>(classes);
  return reduce_loss(reduction == Reduction::None && target.dim() == 0 ? own_result(loss.squeeze(0), self) : loss,
                     reduction, op, "MultiMarginLossBackward0");
}

Tensor multilabel_margin_loss(const Tensor& self, const Tensor& target, int64_t reduction) {
  AUTOCAST(multilabel_margin_loss, as_wide(self), as_wide(target), reduction);
  const AsDry as(self);
  const char* op = "multilabel_margin_loss";
  check_both(op, self, target);
  check<ValueError>(self.dim() <= 2 && (self.dim() == 0 || self.size(-1) > 0), op,
                    ": Expected non-empty vector or matrix with optional 0-dim batch size, but got: ", self.sizes());
  check<ValueError>(self.sizes() == target.sizes(), op, ": inconsistent target size: ", target.sizes(),
                    " for input of size: ", self.sizes());
  check<TypeError>(target.scalar_type() == kLong, op, ": expected scalar type Long but found ", target.scalar_type());
  const Tensor x = self.dim() == 2 ? self : self.reshape({1, -1});
  const int64_t classes = x.size(1);
  const Tensor labels = target.contiguous(), checked = batching::whole(labels).contiguous();
  kernels::check_targets(op, view_of(checked), checked.sizes(), classes, -1);
  const Tensor y = labels.view(x.sizes());
  const Tensor listed = (y >= 0).to(kLong).cumprod(1).to(kBool), index = y.masked_fill(listed.logical_not(), 0);
  const Tensor wanted = zeros(y.sizes(), kLong).scatter_add(1, index, listed.to(kLong)) > 0;
  // [N, label, class]: what a class that is not wanted lacks to be a margin below one that is.
  const Tensor z = lacking(x.unsqueeze(1) - x.gather(1, index).unsqueeze(2) + 1);
  const Tensor counts = listed.unsqueeze(2) & wanted.logical_not().unsqueeze(1);
  const Tensor loss = z.masked_fill(counts.logical_not(), 0).sum({1, 2}) / static_cast<double>(classes);
  return reduce_loss(reduction == Reduction::None && self.dim() < 2 ? own_result(loss.squeeze(0), self) : loss,
                     reduction, op, "MultilabelMarginLossBackward0");
}

extern const OpEntry class_loss_ops[];
extern const size_t class_loss_ops_count;
const OpEntry class_loss_ops[] = {
    doc("The negative logarithm of the softmax of each row at its class; targets may be probabilities too.",
        no_out(op<cross_entropy_loss>(
            "cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, int "
            "ignore_index=-100, "
            "float label_smoothing=0.0) -> Tensor",
            "t(4, 3), c([0, 2, 1, 1])\nt(4, 3), c([0, 2, 1, 1]), None, 0\nt(4, 3), c([0, 2, 1, 1]), None, 2\n"
            "t(4, 3), c([0, -100, 1, 1])\nt(4, 3), c([0, 2, 1, 1]), None, 1, 1\nt(4, 3), c([0, 2, 1, 1]), None, 1, 1, "
            "0.25\n"
            "t(4, 3), c([0, 2, 1, 1]), None, 0, 2, 0.25\nt(4, 3), c([0, 2, 1, 1]), None, 2, -100, 0.5\n"
            "t(2, 3, 4), i(0, 3, 2, 4)\nt(2, 3, 2, 2), i(0, 3, 2, 2, 2), None, 0\nt(2, 3, 2), i(0, 3, 2, 2), None, 2, "
            "1, "
            "0.1\n"
            "t(3), c(1)\nt(3), c(1), None, 0\nt(3), c([1])\nt(2, 37), c([36, 5])\nt(0, 3), i(0, 1, 0)\nt(0, 3), i(0, "
            "1, "
            "0), "
            "None, 2\nt(0, 3), i(0, 1, 0), None, 0\nt(2, 3), c([-100, -100])\nt(2, 3), c([-100, -100]), None, 2\n"
            "t(4, 3), p(4, 3)\nt(4, 3), p(4, 3), None, 0\nt(4, 3), p(4, 3), p(3), 2, -100, 0.1\nt(2, 3, 2), p(2, 3, "
            "2), "
            "p(3)\nt(3), p(3)\nc([[1000.0, 999.0, 998.0]]), c([1])\nt(4, 3), c([0, 3, 1, 1])\nt(4, 3), c([0, -1, 1, "
            "1])\n"
            "t(4, 3), c([0, 1, 1])\nt(4, 3), i(0, 3, 4, 3)\nt(2, 3, 4), i(0, 3, 2, 5)\n"
            "t(2, 3), p(2, 3), None, 1, 1\nt(2, 3), c([0, 1]), None, 1, -100, 1.5\nt(2, 3), p(2)\nt(), c(0)"))),
    doc("The negative log-probability at the class of each row.",
        op<nll_loss>(
            "nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, int ignore_index=-100) -> "
            "Tensor",
            "t(4, 3), c([0, 2, 1, 1])\nt(4, 3), c([0, 2, 1, 1]), None, 0\nt(4, 3), c([0, 2, 1, 1]), None, 2, 1\n"
            "t(4, 3), c([0, -100, 1, 1])\nt(3), c(1)\nt(3), c([2]), None, 0\nt(0, 3), i(0, 1, 0)\nt(2, 3), c([5, "
            "0])\nt(2, 3), c([0, 1, 2])\nt(2, 3, 4), i(0, 3, 2, 4)")),
    doc("The negative log-probability at the class of each pixel.",
        op<nll_loss2d>(
            "nll_loss2d(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, int "
            "ignore_index=-100) -> Tensor",
            "t(2, 3, 2, 2), i(0, 3, 2, 2, 2)\nt(2, 3, 2, 2), i(0, 3, 2, 2, 2), None, 0, 1\nt(2, 3, 2, 2), i(0, 3, "
            "2, 2, 2), None, 2\nt(2, 3, 2), i(0, 3, 2, 2)")),
    doc("nll_loss for any number of dimensions.",
        no_out(op<nll_loss_nd>(
            "nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, int "
            "ignore_index=-100) -> Tensor",
            "t(4, 3), c([0, 2, 1, 1])\nt(2, 3, 4), i(0, 3, 2, 4)\nt(2, 3, 4), i(0, 3, 2, 4), None, 0, 1\nt(2, 3, "
            "2, 2, 2), i(0, 3, 2, 2, 2, 2), None, 2\nt(3), c(1)\nt(0, 3, 2), i(0, 1, 0, 2)\nt(2, 3), c([0, 1, "
            "2])\nt(2, 3, 4), i(0, 3, 2, 5)\nt(), c(0)"))),
    doc("How far the scores of other classes come within margin of the right one.",
        op<multi_margin_loss>(
            "multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? "
            "weight=None, int reduction=1) -> Tensor",
            "t(4, 3), c([0, 2, 1, 1])\nt(4, 3), c([0, 2, 1, 1]), 2, 0.5\nt(4, 3), c([0, 2, 1, 1]), 1, 2.0, "
            "None, 0\nt(4, 3), c([0, 2, 1, 1]), 2, 1, None, 2\nt(3), c(1)\nt(3), c([1]), 1, 1, None, 0\n"
            "t(4, 3), c([0, 2, 1, 3])\nt(4, 3), c([0, 2])\nt(4, 3), c([0, 2, 1, 1]), 3")),
    doc("How far the scores of other classes come within 1 of any right one; the list of right ones ends at -1.",
        op<multilabel_margin_loss>(
            "multilabel_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
            "t(3, 4), c([[0, 1, -1, 2], [3, -1, -1, -1], [-1, 0, 1, 2]])\nt(2, 3), c([[0, 1, 2], [2, "
            "0, -1]]), 0\nt(2, 3), c([[1, -1, -1], [2, 0, -1]]), 2\nt(3), c([1, -1, 0])\nt(3), c([1, "
            "0, -1]), 0\nt(2, 3), c([[1, 3, -1], [2, 0, -1]])\nt(2, 3), c([1, 0])")),
};
const size_t class_loss_ops_count = std::size(class_loss_ops);

}  // namespace taut
