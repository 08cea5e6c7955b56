// Connectionist temporal classification.
#include "kernels/ctc.h"
#include "ops/autocast.h"

#include <algorithm>
#include <cmath>

#include "ops/batch_rules.h"
#include "ops/loss.h"
#include "ops/registry.h"
#include "taut/ops/loss.h"

namespace taut {
namespace {

/// Which part of the targets belongs to which sequence.
struct Sequences {
  std::vector<int64_t> input_lengths, target_lengths, offsets;
  int64_t longest = 0;  // target
};

struct CtcLoss {
  static constexpr const char* name = "ctc_loss";
  static constexpr const char* node = "CtcLossBackward0";
  static constexpr unsigned reads[] = {kInput(0) | kInput(1) | kResult(1)};
  Sequences q;
  int64_t blank;
  bool zero_infinity;

  int64_t states() const { return 2 * q.longest + 1; }
  kernels::Ctc problem(const Tensor& x, const Tensor& y) const {
    return {view_of(x), static_cast<int64_t*>(y.data_ptr()), q.offsets, q.input_lengths, q.target_lengths, blank};
  }
  /// The sequences of all items as those of one batch.
  std::array<Tensor, 2> batch(const Batch& b, const Tensor& log_probs, const Tensor& targets) const {
    const Tensor x = b.all(0, log_probs).movedim(0, 1);
    CtcLoss all = *this;
    all.q = {{}, {}, {}, q.longest};
    const int64_t step = b.has(1) && b.size > 0 ? targets.numel() / b.size : 0;
    for (int64_t i = 0; i < b.size; ++i)
      for (size_t k = 0; k < q.offsets.size(); ++k) {
        all.q.input_lengths.push_back(q.input_lengths[k]), all.q.target_lengths.push_back(q.target_lengths[k]);
        all.q.offsets.push_back(q.offsets[k] + i * step);
      }
    auto r = apply(all, x.flatten(1, 2), b.has(1) ? targets.reshape({-1}) : targets);
    for (Tensor& t : r) t = unfold_items(t, b.size, x.size(2));
    return r;
  }
  /// Costs, and what the gradient needs of the way forwards.
  std::array<Tensor, 2> forward(const Tensor& log_probs, const Tensor& targets) const {
    const Tensor x = log_probs.contiguous(), y = targets.contiguous();
    const int64_t n = x.size(1);
    Tensor cost = make({n}, kDouble, name), alpha = make({n, x.size(0), states()}, kDouble, name);
    kernels::ctc(static_cast<double*>(cost.data_ptr()), static_cast<double*>(alpha.data_ptr()), states(),
                 problem(x, y));
    if (zero_infinity) cost = cost.masked_fill(cost == INFINITY, 0);
    return {cost.to(x.scalar_type()), alpha};
  }
  Tensor vjp(int, const Tensor* grads, const Saved& s) const {
    if (!grads[0].defined()) return {};
    if (must_record() && !is_batched(s.input(1))) return by_ops(grads[0], s.input(0), s.input(1));
    if (must_record())
      return by_items(name, {grads[0], s.input(0), s.input(1)}, [this](const std::vector<Tensor>& in) {
        return std::vector<Tensor>{by_ops(in[0], in[1], in[2])};
      })[0];
    const Tensor x = s.input(0).contiguous(), y = s.input(1).contiguous(), g = grads[0].to(kDouble).contiguous();
    const Tensor dx = make(x.sizes(), x.scalar_type(), name);
    kernels::ctc_backward(view_of(dx), static_cast<double*>(g.data_ptr()), static_cast<double*>(s.result(1).data_ptr()),
                          states(), problem(x, y), zero_infinity);
    return dx;
  }
  /// The same in ops, to be differentiated again.
  Tensor by_ops(const Tensor& g, const Tensor& x, const Tensor& targets) const {
    std::vector<Tensor> parts;
    const Tensor y = targets.contiguous();
    for (int64_t n = 0; n < x.size(1); ++n) {
      const size_t k = static_cast<size_t>(n);
      const int64_t steps = q.input_lengths[k];
      const Tensor rest = zeros({x.size(0) - steps, x.size(2)}, x.scalar_type());
      const Tensor mine = x.select(1, n).narrow(0, 0, steps);
      parts.push_back(steps ? cat({gradient(mine, y.data_ptr<int64_t>() + q.offsets[k], q.target_lengths[k]), rest})
                            : rest);
    }
    return stack(parts, 1) * g.unsqueeze(1);
  }
  /// exp(x) - posterior of one sequence: the posterior of a state is all paths to it times all paths from it.
  Tensor gradient(const Tensor& x, const int64_t* target, int64_t length) const {
    const int64_t count = 2 * length + 1, ends = std::min<int64_t>(2, count);
    const Tensor label = full({count}, blank, kLong);
    for (int64_t i = 0; i < length; ++i) label.data_ptr<int64_t>()[2 * i + 1] = target[i];
    const Tensor scores = x.index_select(1, label);
    const Tensor alpha = paths(scores, label), beta = paths(scores.flip({0, 1}), label.flip({0})).flip({0, 1});
    const Tensor cost = alpha[-1].narrow(0, count - ends, ends).logsumexp(IntArrayRef{0}).neg();
    const Tensor posterior =
        zeros(x.sizes(), x.scalar_type()).index_add(1, label, (alpha + beta - scores + cost).exp());
    const double nothing = zero_infinity ? 0 : NAN;
    return (x.exp() - posterior) * where(cost.detach() < kFar / 2, 1.0, nothing);
  }
  /// [steps, states]: the logarithm of the sum over all paths that end there. -kFar stands for -inf, whose logsumexp
  /// has no derivative.
  static Tensor paths(const Tensor& scores, const Tensor& label) {
    const int64_t count = label.numel(), first = std::min<int64_t>(2, count);
    const auto never = [&](int64_t n) { return full({n}, -kFar, scores.scalar_type()); };
    // Straight to the next label, over the blank between, unless it is the same one.
    const Tensor before = cat({full({first}, -1, kLong), label.narrow(0, 0, count - first)});
    const Tensor skip = (before >= 0) & (before != label) & (arange(count) % 2 == 1);
    std::vector<Tensor> a{cat({scores[0].narrow(0, 0, first), never(count - first)})};
    for (int64_t t = 1; t < scores.size(0); ++t) {
      const Tensor padded = cat({never(2), a.back()});
      const Tensor leap = where(skip, padded.narrow(0, 0, count), never(1));
      const Tensor reached = stack({a.back(), padded.narrow(0, 1, count), leap}).logsumexp(IntArrayRef{0});
      a.push_back(reached + scores[t]);
    }
    return stack(a);
  }
  static constexpr double kFar = 1e30;
};

std::vector<int64_t> lengths_of(const char* what, const Tensor& t) {
  check<TypeError>(t.defined() && is_integral(t.scalar_type(), false), "ctc_loss: ", what, " must be integral, got ",
                   t.defined() ? str(t.scalar_type()) : "an undefined tensor");
  const Tensor flat = t.detach().to(kLong).contiguous();
  return {flat.data_ptr<int64_t>(), flat.data_ptr<int64_t>() + flat.numel()};
}

void check_lengths(const char* what, IntArrayRef lengths, int64_t batch) {
  check<ValueError>(static_cast<int64_t>(lengths.size()) == batch, "ctc_loss: ", what,
                    " must be of size batch_size, got ", lengths.size(), " for a batch of ", batch);
  for (int64_t l : lengths)
    check<ValueError>(l >= 0, "ctc_loss: Expected ", what, " to have value at least 0, but got value ", l);
}

/// Finds each sequence's part of the targets, which are [N, S] (`rows`), or one after the other.
Sequences find_sequences(IntArrayRef input_lengths, IntArrayRef target_lengths, const Tensor& targets, bool rows) {
  Sequences q{input_lengths.vec(), target_lengths.vec(), {}, 0};
  int64_t sum = 0;  // or more than any tensor has
  for (int64_t l : target_lengths) q.longest = std::max(q.longest, l), sum = std::min(sum, INT64_MAX - l) + l;
  const auto n = static_cast<int64_t>(target_lengths.size());
  if (rows) {
    check<ValueError>(targets.size(0) == n && targets.size(1) >= q.longest,
                      "ctc_loss: Expected tensor to have size at least ", q.longest, " at dimension 1, but got size ",
                      targets.size(1), " for argument 'targets': it has shape ", targets.sizes(), " for a batch of ",
                      n);
  } else {
    check<ValueError>(targets.dim() <= 2 && targets.numel() == sum, "ctc_loss: Expected tensor to have size ", sum,
                      " at dimension 0, but got size ", targets.numel(),
                      " for argument 'targets': the target_lengths add up to ", sum);
  }
  int64_t at = 0;
  for (int64_t k = 0; k < n; ++k) {
    q.offsets.push_back(rows ? k * targets.size(1) : at);
    at += target_lengths[static_cast<size_t>(k)];
  }
  return q;
}
void check_labels(const Sequences& q, const int64_t* targets, int64_t classes) {
  for (size_t k = 0; k < q.offsets.size(); ++k)
    for (int64_t i = 0; i < q.target_lengths[k]; ++i) {
      const int64_t label = targets[q.offsets[k] + i];
      check<IndexError>(label >= 0 && label < classes, "ctc_loss: Target ", label, " is out of bounds: it is label ", i,
                        " of sequence ", k, ", and ", classes, " classes run from 0 to ", classes - 1);
    }
}

}  // namespace

Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths, IntArrayRef target_lengths,
                int64_t blank, int64_t reduction, bool zero_infinity) {
  AUTOCAST(ctc_loss, as_wide(log_probs), as_wide(targets), input_lengths, target_lengths, blank, reduction,
           zero_infinity);
  check_defined(log_probs, "ctc_loss", "log_probs");
  check_defined(targets, "ctc_loss", "targets");
  check_reduction(reduction, "ctc_loss");
  check<TypeError>(log_probs.is_floating_point(), "ctc_loss: expected floating-point log_probs, got ",
                   log_probs.scalar_type());
  check<TypeError>(is_integral(targets.scalar_type(), false), "ctc_loss: targets must be integral, got ",
                   targets.scalar_type());
  check<ValueError>(log_probs.dim() == 2 || log_probs.dim() == 3,
                    "ctc_loss: expected log_probs of shape [T, N, C] or [T, C], got ", log_probs.sizes());
  const bool batched = log_probs.dim() == 3;
  const Tensor x = batched ? log_probs : log_probs.unsqueeze(1);
  const int64_t steps = x.size(0), classes = x.size(2);
  check<ValueError>(blank >= 0 && blank < classes, "ctc_loss: blank must be in label range, got ", blank, " for ",
                    classes, " classes");
  check_lengths("input_lengths", input_lengths, x.size(1));
  check_lengths("target_lengths", target_lengths, x.size(1));
  for (int64_t l : input_lengths)
    check<ValueError>(l <= steps, "ctc_loss: Expected input_lengths to have value at most ", steps, ", but got value ",
                      l, "; log_probs has shape ", log_probs.sizes());
  const Sequences q = find_sequences(input_lengths, target_lengths, targets, targets.dim() == 2 && batched);
  const Tensor y = targets.to(kLong).contiguous();
  if (is_batched(y)) {
    const Tensor rows = batching::whole(y).contiguous();
    for (int64_t at = 0, n = std::max<int64_t>(y.numel(), 1); at < rows.numel(); at += n)
      check_labels(q, rows.data_ptr<int64_t>() + at, classes);
  } else if (!no_data(y)) {
    check_labels(q, y.data_ptr<int64_t>(), classes);
  }

  const ScalarType type = x.scalar_type();
  const Tensor wide = type == kFloat || type == kDouble ? x : x.to(kFloat);
  Tensor cost = apply(CtcLoss{q, blank, zero_infinity}, wide, y)[0];
  if (wide.scalar_type() != type) cost = cost.to(type);
  if (reduction == Reduction::Mean) {
    const AsDry as(x);
    const Tensor per = tensor(TensorData(q.target_lengths), kLong).clamp_min(1).to(type);
    return (cost / per).mean();
  }
  if (reduction == Reduction::Sum) return cost.sum();
  return batched ? cost : cost.squeeze(0);
}
Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                const Tensor& target_lengths, int64_t blank, int64_t reduction, bool zero_infinity) {
  AUTOCAST(ctc_loss, as_wide(log_probs), as_wide(targets), as_wide(input_lengths), as_wide(target_lengths), blank,
           reduction, zero_infinity);
  return ctc_loss(log_probs, targets, lengths_of("input_lengths", input_lengths),
                  lengths_of("target_lengths", target_lengths), blank, reduction, zero_infinity);
}

extern const OpEntry ctc_ops[];
extern const size_t ctc_ops_count;
const OpEntry ctc_ops[] = {
    doc("The negative log-probability of all alignments of a sequence with its label, with blanks between.",
        op("ctc_loss.IntList(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank=0, "
           "int "
           "reduction=1, bool zero_infinity=False) -> Tensor",
           "t(5, 2, 4), c([[1, 2], [3, 3]]), [5, 4], [2, 2]\nt(5, 2, 4), c([1, 2, 3]), [5, 4], [2, 1], 0, 0\n"
           "t(5, 2, 4), c([[1, 2], [0, 1]]), [5, 3], [2, 1], 3, 2\nt(5, 4), c([1, 2]), [5], [2]\nt(4, 4), c([1, 2]), "
           "[3], "
           "[2], 0, 0\nt(5, 2, 4), c([[1, 2], [3, 1]]), [5, 5], [2, 0], 0, 0\nt(3, 2, 4), c([[1, 1, 1], [3, 1, 2]]), "
           "[3, "
           "3], "
           "[3, 3], 0, 0, True\nt(5, 2, 4), c([[1, 2], [3, 1]]), [5, 6], [2, 1]\nt(5, 2, 4), c([[1, 2], [3, 1]]), [5], "
           "[2, "
           "1]\nt(5, 2, 4), c([[1, 2], [3, 1]]), [5, 4], [2, 3]\nt(5, 2, 4), c([1, 2, 3]), [5, 4], [2, 2]\nt(5, 2, 4), "
           "c([[1, 2], [3, 1]]), [5, 4], [2, 1], 4\nt(5, 2, 4), c([[1, 2], [3, 1]]), [5, -1], [2, 1]",
           [](const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths, IntArrayRef target_lengths,
              int64_t blank, int64_t reduction, bool zero_infinity) {
             return ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity);
           })),
    op("ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank=0, "
       "int "
       "reduction=1, bool zero_infinity=False) -> Tensor",
       "t(5, 2, 4), c([[1, 2], [3, 1]]), c([5, 4]), c([2, 1])\nt(5, 2, 4), c([1, 2, 3]), c([5, 4]), c([1, 2]), 0, 0",
       [](const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths, const Tensor& target_lengths,
          int64_t blank, int64_t reduction, bool zero_infinity) {
         return ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity);
       }),
};
const size_t ctc_ops_count = std::size(ctc_ops);

}  // namespace taut
