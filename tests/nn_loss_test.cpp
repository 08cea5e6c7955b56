// Every loss as a module with every option, against PyTorch; and calls that must be refused.
#include <cmath>
#include <functional>
#include <limits>

#include "support/module_case.h"

using namespace taut;
using namespace taut::test;
namespace F = taut::nn::functional;

namespace {

/// Made in place: g++ 12 warns of a moved std::function in an optional when it sanitizes.
nn::TripletMarginWithDistanceLossOptions by_city_blocks() {
  nn::TripletMarginWithDistanceLossOptions options;
  options.distance_function().emplace([](const Tensor& a, const Tensor& b) { return (a - b).abs().sum(-1); });
  return options;
}
Tensor weights() { return tensor({0.5, 2.0, 1.5}); }
#define WEIGHT "torch.tensor([0.5, 2.0, 1.5])"

const std::vector<ModuleCase> kCases = {
    CASE("nn.L1Loss()", "t(2, 3), t(2, 3)", nn::L1Loss()),
    CASE("nn.L1Loss(reduction='sum')", "t(2, 3), t(2, 3)", nn::L1Loss(kSum)),
    CASE("nn.L1Loss(reduction='none')", "t(2, 3), t(2, 3)", nn::L1Loss(nn::L1LossOptions().reduction(kNone))),
    CASE("nn.MSELoss()", "t(2, 3), t(2, 3)", nn::MSELoss()),
    CASE("nn.MSELoss(reduction='sum')", "t(2, 3), t(2, 3)", nn::MSELoss(nn::MSELossOptions(kSum))),
    CASE("nn.MSELoss(reduction='none')", "t(2, 3), t(2, 3)", nn::MSELoss(kNone)),
    CASE("nn.SmoothL1Loss()", "t(2, 3), t(2, 3)", nn::SmoothL1Loss()),
    CASE("nn.SmoothL1Loss(beta=0.5)", "t(2, 3), t(2, 3)", nn::SmoothL1Loss(nn::SmoothL1LossOptions().beta(0.5))),
    CASE("nn.SmoothL1Loss(reduction='sum', beta=0.0)", "t(2, 3), t(2, 3)",
         nn::SmoothL1Loss(nn::SmoothL1LossOptions(kSum).beta(0.0))),
    CASE("nn.HuberLoss()", "t(2, 3), t(2, 3)", nn::HuberLoss()),
    CASE("nn.HuberLoss(reduction='none', delta=0.5)", "t(2, 3), t(2, 3)",
         nn::HuberLoss(nn::HuberLossOptions(kNone).delta(0.5))),
    CASE("nn.CrossEntropyLoss()", "t(4, 3), c([0, 2, 1, 1])", nn::CrossEntropyLoss()),
    CASE("nn.CrossEntropyLoss(weight=" WEIGHT ")", "t(4, 3), c([0, 2, 1, 1])",
         nn::CrossEntropyLoss(nn::CrossEntropyLossOptions().weight(weights()))),
    CASE("nn.CrossEntropyLoss(weight=" WEIGHT ", ignore_index=2, label_smoothing=0.25)", "t(4, 3), c([0, 2, 1, 1])",
         nn::CrossEntropyLoss(nn::CrossEntropyLossOptions().weight(weights()).ignore_index(2).label_smoothing(0.25))),
    CASE("nn.CrossEntropyLoss(weight=" WEIGHT ", reduction='sum', label_smoothing=0.25)", "t(4, 3), c([0, 2, 1, 1])",
         nn::CrossEntropyLoss(nn::CrossEntropyLossOptions().weight(weights()).reduction(kSum).label_smoothing(0.25))),
    CASE("nn.CrossEntropyLoss(weight=" WEIGHT ", reduction='none', label_smoothing=0.25)",
         "t(2, 3, 2), c([[0, 2], [1, -100]])",
         nn::CrossEntropyLoss(nn::CrossEntropyLossOptions().weight(weights()).reduction(kNone).label_smoothing(0.25))),
    CASE("nn.CrossEntropyLoss(weight=" WEIGHT ", reduction='none')", "t(2, 3, 2, 2), i(0, 3, 2, 2, 2)",
         nn::CrossEntropyLoss(nn::CrossEntropyLossOptions().weight(weights()).reduction(kNone))),
    CASE("nn.CrossEntropyLoss(weight=" WEIGHT ")", "t(3), c(1)",
         nn::CrossEntropyLoss(nn::CrossEntropyLossOptions().weight(weights()))),
    CASE("nn.CrossEntropyLoss(weight=" WEIGHT ")", "t(4, 3), p(4, 3)",
         nn::CrossEntropyLoss(nn::CrossEntropyLossOptions().weight(weights()))),
    CASE("nn.CrossEntropyLoss(reduction='none', label_smoothing=0.1)", "t(4, 3), p(4, 3)",
         nn::CrossEntropyLoss(nn::CrossEntropyLossOptions().reduction(kNone).label_smoothing(0.1))),
    CASE("nn.CrossEntropyLoss()", "t(40, 300), i(0, 300, 40)", nn::CrossEntropyLoss()),
    CASE("nn.CrossEntropyLoss(label_smoothing=0.1)", "t(40, 301), i(0, 301, 40)",
         nn::CrossEntropyLoss(nn::CrossEntropyLossOptions().label_smoothing(0.1))),
    CASE("nn.NLLLoss()", "t(4, 3), c([0, 2, 1, 1])", nn::NLLLoss()),
    CASE("nn.NLLLoss(weight=" WEIGHT ", ignore_index=1)", "t(4, 3), c([0, 2, 1, 1])",
         nn::NLLLoss(nn::NLLLossOptions().weight(weights()).ignore_index(1))),
    CASE("nn.NLLLoss(weight=" WEIGHT ", reduction='none')", "t(2, 3, 2), i(0, 3, 2, 2)",
         nn::NLLLoss(nn::NLLLossOptions().weight(weights()).reduction(kNone))),
    CASE("nn.NLLLoss(weight=" WEIGHT ", reduction='sum')", "t(2, 3, 2, 2), i(0, 3, 2, 2, 2)",
         nn::NLLLoss(nn::NLLLossOptions().weight(weights()).reduction(kSum))),
    CASE("nn.NLLLoss(weight=" WEIGHT ")", "t(3), c(2)", nn::NLLLoss(nn::NLLLossOptions().weight(weights()))),
    CASE("nn.BCELoss()", "c([[0.2, 0.7, 0.5]]), c([[0.0, 1.0, 0.25]])", nn::BCELoss()),
    CASE("nn.BCELoss(weight=" WEIGHT ", reduction='sum')", "c([[0.2, 0.7, 0.5]]), c([[0.0, 1.0, 0.25]])",
         nn::BCELoss(nn::BCELossOptions().weight(weights()).reduction(kSum))),
    CASE("nn.BCELoss(reduction='none')", "c([[0.2, 0.7, 0.5]]), c([[0.0, 1.0, 0.25]])",
         nn::BCELoss(nn::BCELossOptions().reduction(kNone))),
    CASE("nn.BCEWithLogitsLoss()", "t(2, 3), p(2, 3)", nn::BCEWithLogitsLoss()),
    CASE("nn.BCEWithLogitsLoss(weight=" WEIGHT ", pos_weight=torch.tensor([3.0, 1.0, 0.5]))", "t(2, 3), p(2, 3)",
         nn::BCEWithLogitsLoss(nn::BCEWithLogitsLossOptions().weight(weights()).pos_weight(tensor({3.0, 1.0, 0.5})))),
    CASE("nn.BCEWithLogitsLoss(reduction='none', pos_weight=torch.tensor([3.0, 1.0, 0.5]))", "t(2, 3), p(2, 3)",
         nn::BCEWithLogitsLoss(nn::BCEWithLogitsLossOptions().reduction(kNone).pos_weight(tensor({3.0, 1.0, 0.5})))),
    CASE("nn.KLDivLoss()", "t(2, 3), p(2, 3)", nn::KLDivLoss()),
    CASE("nn.KLDivLoss(reduction='batchmean')", "t(2, 3), p(2, 3)", nn::KLDivLoss(kBatchMean)),
    CASE("nn.KLDivLoss(reduction='sum', log_target=True)", "t(2, 3), t(2, 3)",
         nn::KLDivLoss(nn::KLDivLossOptions(kSum).log_target(true))),
    CASE("nn.KLDivLoss(reduction='none', log_target=True)", "t(2, 3), t(2, 3)",
         nn::KLDivLoss(nn::KLDivLossOptions(kNone).log_target(true))),
    CASE("nn.PoissonNLLLoss()", "t(2, 3), p(2, 3)", nn::PoissonNLLLoss()),
    CASE("nn.PoissonNLLLoss(log_input=False, full=True, eps=1e-3, reduction='none')", "p(2, 3), p(2, 3)",
         nn::PoissonNLLLoss(nn::PoissonNLLLossOptions().log_input(false).full(true).eps(1e-3).reduction(kNone))),
    CASE("nn.PoissonNLLLoss(full=True, reduction='sum')", "t(2, 3), p(2, 3)",
         nn::PoissonNLLLoss(nn::PoissonNLLLossOptions().full(true).reduction(kSum))),
    CASE("nn.GaussianNLLLoss()", "t(2, 3), t(2, 3), p(2, 3)", nn::GaussianNLLLoss()),
    CASE("nn.GaussianNLLLoss(full=True, eps=1.0, reduction='sum')", "t(2, 3), t(2, 3), p(2, 1)",
         nn::GaussianNLLLoss(nn::GaussianNLLLossOptions().full(true).eps(1.0).reduction(kSum))),
    CASE("nn.GaussianNLLLoss(reduction='none')", "t(2, 3), t(2, 3), p(2)",
         nn::GaussianNLLLoss(nn::GaussianNLLLossOptions().reduction(kNone))),
    CASE("nn.CosineEmbeddingLoss()", "t(4, 3), t(4, 3), c([1, -1, 1, -1])", nn::CosineEmbeddingLoss()),
    CASE("nn.CosineEmbeddingLoss(margin=0.25, reduction='none')", "t(4, 3), t(4, 3), c([1, -1, 1, -1])",
         nn::CosineEmbeddingLoss(nn::CosineEmbeddingLossOptions().margin(0.25).reduction(kNone))),
    CASE("nn.HingeEmbeddingLoss()", "t(2, 3), c([[1, -1, 1], [-1, -1, 1]])", nn::HingeEmbeddingLoss()),
    CASE("nn.HingeEmbeddingLoss(margin=0.5, reduction='sum')", "t(2, 3), c([[1, -1, 1], [-1, -1, 1]])",
         nn::HingeEmbeddingLoss(nn::HingeEmbeddingLossOptions().margin(0.5).reduction(kSum))),
    CASE("nn.MarginRankingLoss()", "t(5), t(5), c([1, -1, 1, -1, 1])", nn::MarginRankingLoss()),
    CASE("nn.MarginRankingLoss(margin=0.5, reduction='none')", "t(5), t(5), c([1, -1, 1, -1, 1])",
         nn::MarginRankingLoss(nn::MarginRankingLossOptions().margin(0.5).reduction(kNone))),
    CASE("nn.MultiMarginLoss()", "t(4, 3), c([0, 2, 1, 1])", nn::MultiMarginLoss()),
    CASE("nn.MultiMarginLoss(p=2, margin=0.5, weight=" WEIGHT ", reduction='none')", "t(4, 3), c([0, 2, 1, 1])",
         nn::MultiMarginLoss(nn::MultiMarginLossOptions().p(2).margin(0.5).weight(weights()).reduction(kNone))),
    CASE("nn.MultiLabelMarginLoss()", "t(3, 4), c([[0, 1, -1, 2], [3, -1, -1, -1], [-1, 0, 1, 2]])",
         nn::MultiLabelMarginLoss()),
    CASE("nn.MultiLabelMarginLoss(reduction='none')", "t(2, 3), c([[0, 1, -1], [2, -1, -1]])",
         nn::MultiLabelMarginLoss(kNone)),
    CASE("nn.MultiLabelSoftMarginLoss()", "t(2, 3), p(2, 3)", nn::MultiLabelSoftMarginLoss()),
    CASE("nn.MultiLabelSoftMarginLoss(weight=" WEIGHT ", reduction='none')", "t(2, 3), p(2, 3)",
         nn::MultiLabelSoftMarginLoss(nn::MultiLabelSoftMarginLossOptions().weight(weights()).reduction(kNone))),
    CASE("nn.SoftMarginLoss()", "t(2, 3), c([[1, -1, 1], [-1, -1, 1]])", nn::SoftMarginLoss()),
    CASE("nn.SoftMarginLoss(reduction='sum')", "t(2, 3), c([[1, -1, 1], [-1, -1, 1]])", nn::SoftMarginLoss(kSum)),
    CASE("nn.TripletMarginLoss()", "t(4, 3), t(4, 3), t(4, 3)", nn::TripletMarginLoss()),
    CASE(
        "nn.TripletMarginLoss(margin=2.0, p=1.0, eps=1e-3, swap=True, reduction='none')", "t(4, 3), t(4, 3), t(4, 3)",
        nn::TripletMarginLoss(nn::TripletMarginLossOptions().margin(2.0).p(1.0).eps(1e-3).swap(true).reduction(kNone))),
    CASE("nn.TripletMarginWithDistanceLoss()", "t(4, 3), t(4, 3), t(4, 3)", nn::TripletMarginWithDistanceLoss()),
    CASE(
        "nn.TripletMarginWithDistanceLoss(distance_function=lambda a, b: (a - b).abs().sum(-1), margin=2.0, swap=True, "
        "reduction='sum')",
        "t(4, 3), t(4, 3), t(4, 3)",
        nn::TripletMarginWithDistanceLoss(by_city_blocks().margin(2.0).swap(true).reduction(kSum))),
    CASE_CALL("nn.CTCLoss()", "m(x[0].log_softmax(2), *x[1:])", "t(5, 2, 4), c([[1, 2], [3, 3]]), c([5, 4]), c([2, 2])",
              nn::CTCLoss(), [](auto& m, const Tensors& x) { return m(x[0].log_softmax(2), x[1], x[2], x[3]); }),
    CASE_CALL("nn.CTCLoss(blank=3, reduction='none', zero_infinity=True)", "m(x[0].log_softmax(2), *x[1:])",
              "t(3, 2, 4), c([[1, 2, 0], [1, 1, 1]]), c([3, 3]), c([2, 3])",
              nn::CTCLoss(nn::CTCLossOptions().blank(3).reduction(kNone).zero_infinity(true)),
              [](auto& m, const Tensors& x) { return m(x[0].log_softmax(2), x[1], x[2], x[3]); }),
    CASE_CALL("nn.CTCLoss(reduction='sum')", "m(x[0].log_softmax(2), *x[1:])",
              "t(5, 2, 4), c([1, 2, 3]), c([5, 4]), c([2, 1])", nn::CTCLoss(nn::CTCLossOptions().reduction(kSum)),
              [](auto& m, const Tensors& x) { return m(x[0].log_softmax(2), x[1], x[2], x[3]); }),
};

/// The name of the exception, and its text.
template <class Call>
std::string thrown(Call call) {
  try {
    call();
  } catch (const IndexError& e) {
    return str("IndexError: ", e.what());
  } catch (const ValueError& e) {
    return str("ValueError: ", e.what());
  } catch (const TypeError& e) {
    return str("TypeError: ", e.what());
  } catch (const Error& e) {
    return str("Error: ", e.what());
  }
  return "nothing";
}

struct Refused {
  const char *type, *text;
  void (*call)();
};

TEST(Losses, RefuseBadCalls) {
  static const double nan = std::numeric_limits<double>::quiet_NaN();
  const Refused all[] = {
      {"IndexError", "Target 5 is out of bounds. It stands at [2] of the target of cross_entropy_loss, and 3 classes",
       [] {
         F::cross_entropy(ones({4, 3}), tensor({0, 1, 5, 2}));
       }},
      {"IndexError", "Target -1 is out of bounds. It stands at [1, 0] of the target",
       [] {
         F::cross_entropy(ones({2, 3, 2}), tensor({{0, 1}, {-1, 2}}));
       }},
      {"IndexError", "Target 3 is out of bounds",
       [] {
         F::nll_loss(ones({2, 3}), tensor({0, 3}));
       }},
      {"ValueError", "Expected input batch_size (4) to match target batch_size (3)",
       [] {
         F::cross_entropy(ones({4, 3}), tensor({0, 1, 2}));
       }},
      {"ValueError", "Expected target size [2, 4], got [2, 5]",
       [] {
         F::cross_entropy(ones({2, 3, 4}), zeros({2, 5}, kLong));
       }},
      {"TypeError", "expected target dtype to be Long (or Byte, of vectors) but got",
       [] {
         F::cross_entropy(ones({2, 3}), ones({2}));
       }},
      {"TypeError", "Expected floating point type for target with class probabilities, got",
       [] {
         F::cross_entropy(ones({2, 3}), ones({2, 3}, kLong));
       }},
      {"TypeError", "expected floating-point scores",
       [] {
         F::cross_entropy(ones({2, 3}, kLong), tensor({0, 1}));
       }},
      {"ValueError",
       "weight tensor should be defined either for all 3 classes or no classes but got weight tensor of "
       "shape: [2]",
       [] {
         F::cross_entropy(ones({2, 3}), tensor({0, 1}), F::CrossEntropyFuncOptions().weight(ones({2})));
       }},
      {"TypeError", "expected weight of scalar type",
       [] {
         F::cross_entropy(ones({2, 3}), tensor({0, 1}), F::CrossEntropyFuncOptions().weight(ones({3}, kDouble)));
       }},
      {"Error", "not differentiable with respect to argument 'weight'",
       [] {
         F::cross_entropy(ones({2, 3}), tensor({0, 1}),
                          F::CrossEntropyFuncOptions().weight(ones({3}, requires_grad())));
       }},
      {"ValueError", "label_smoothing must be between 0.0 and 1.0. Got: 1.5",
       [] {
         F::cross_entropy(ones({2, 3}), tensor({0, 1}), F::CrossEntropyFuncOptions().label_smoothing(1.5));
       }},
      {"ValueError", "ignore_index is not supported for floating point target",
       [] {
         F::cross_entropy(ones({2, 3}), ones({2, 3}), F::CrossEntropyFuncOptions().ignore_index(1));
       }},
      {"ValueError", "batchmean is not a valid value for reduction",
       [] {
         F::cross_entropy(ones({2, 3}), tensor({0, 1}), F::CrossEntropyFuncOptions().reduction(kBatchMean));
       }},
      {"Error", "cross_entropy_loss",
       [] {
         F::cross_entropy(Tensor(), tensor({0, 1}));
       }},
      {"ValueError", "reduction", [] { mse_loss(ones({2}), ones({2}), 7); }},
      {"Error", "size", [] { F::mse_loss(ones({2}), ones({3})); }},
      {"ValueError", "does not support negative values for beta, got -1",
       [] { F::smooth_l1_loss(ones({2}), ones({2}), F::SmoothL1LossFuncOptions().beta(-1.0)); }},
      {"ValueError", "expected beta not to be provided in 'options'",
       [] { F::smooth_l1_loss(ones({2}), ones({2}), F::SmoothL1LossFuncOptions().beta(1.0), 2.0); }},
      {"ValueError", "does not support non-positive values for delta, got nan",
       [] { F::huber_loss(ones({2}), ones({2}), F::HuberLossFuncOptions().delta(nan)); }},
      {"ValueError", "all elements of input should be between 0 and 1, got values from 0 to 1.5",
       [] {
         F::binary_cross_entropy(tensor({0.0, 1.5}), ones({2}));
       }},
      {"ValueError", "all elements of input should be between 0 and 1",
       [] {
         F::binary_cross_entropy(tensor({nan, 0.5}), ones({2}));
       }},
      {"ValueError", "Using a target size ([3]) that is different to the input size ([2, 3])",
       [] {
         F::binary_cross_entropy(zeros({2, 3}), ones({3}));
       }},
      {"ValueError", "Target size ([3]) must be the same as input size ([2, 3])",
       [] {
         F::binary_cross_entropy_with_logits(zeros({2, 3}), ones({3}));
       }},
      {"TypeError", "Integral inputs not supported", [] { F::kl_div(ones({2}), ones({2}, kLong)); }},
      {"ValueError", "var has negative entry/entries",
       [] {
         F::gaussian_nll_loss(ones({2}), ones({2}), tensor({1.0, -1.0}));
       }},
      {"ValueError", "var is of incorrect size",
       [] {
         F::gaussian_nll_loss(ones({2, 3}), ones({2, 3}), ones({3}));
       }},
      {"ValueError", "0D or 1D target tensor expected, multi-target not supported",
       [] {
         F::cosine_embedding_loss(ones({2, 3}), ones({2, 3}), ones({2, 3}));
       }},
      {"ValueError", "1D target tensor expects 2D input tensors, but found inputs with sizes [3] and [3]",
       [] { F::cosine_embedding_loss(ones({3}), ones({3}), ones({3})); }},
      {"Error", "All input tensors should have same dimension",
       [] {
         F::margin_ranking_loss(ones({2, 3}), ones({2, 3}), ones({3}));
       }},
      {"ValueError", "only p == 1 and p == 2 supported, got 3",
       [] {
         F::multi_margin_loss(ones({2, 3}), tensor({0, 1}), F::MultiMarginLossFuncOptions().p(3));
       }},
      {"IndexError", "Target 3 is out of bounds. It stands at [1]",
       [] {
         F::multi_margin_loss(ones({2, 3}), tensor({0, 3}));
       }},
      {"TypeError", "expected scalar type Long but found",
       [] {
         F::multi_margin_loss(ones({2, 3}), tensor({0, 1}, kInt));
       }},
      {"ValueError", "inconsistent target size: [2] for input of size: [2, 3]",
       [] {
         F::multilabel_margin_loss(ones({2, 3}), tensor({0, 1}));
       }},
      {"Error", "expected to have the same number of dimensions",
       [] {
         F::triplet_margin_loss(ones({2, 3}), ones({2, 3}), ones({3}));
       }},
      {"ValueError", "margin must be greater than 0, got 0",
       [] { F::triplet_margin_loss(ones({3}), ones({3}), ones({3}), F::TripletMarginLossFuncOptions().margin(0)); }},
      // What a layer is made with is refused when it is made.
      {"ValueError", "only p == 1 and p == 2 supported",
       [] { nn::MultiMarginLoss(nn::MultiMarginLossOptions().p(3)); }},
      {"ValueError", "MultiMarginLoss: expected weight to be None or 1D tensor, got 2D instead",
       [] {
         nn::MultiMarginLoss(nn::MultiMarginLossOptions().weight(ones({1, 2})));
       }},
      {"ValueError", "TripletMarginLoss: expected margin to be greater than 0, got -1.0 instead",
       [] { nn::TripletMarginLoss(nn::TripletMarginLossOptions().margin(-1)); }},
      {"ValueError", "Expected input_lengths to have value at most 5, but got value 6",
       [] {
         F::ctc_loss(zeros({5, 1, 3}), tensor({{1}}), tensor({6}), tensor({1}));
       }},
      {"ValueError", "target_lengths must be of size batch_size",
       [] {
         F::ctc_loss(zeros({5, 1, 3}), tensor({{1}}), tensor({5}), tensor({1, 1}));
       }},
      {"ValueError", "blank must be in label range, got 3",
       [] {
         F::ctc_loss(zeros({5, 1, 3}), tensor({{1}}), tensor({5}), tensor({1}), F::CTCLossFuncOptions().blank(3));
       }},
      {"IndexError", "Target 4 is out of bounds: it is label 0 of sequence 0",
       [] {
         F::ctc_loss(zeros({5, 1, 3}), tensor({{4}}), tensor({5}), tensor({1}));
       }},
      {"TypeError", "targets must be integral",
       [] {
         F::ctc_loss(zeros({5, 1, 3}), ones({1, 1}), tensor({5}), tensor({1}));
       }},
  };
  for (const Refused& r : all) {
    const std::string got = thrown(r.call);
    EXPECT_TRUE(got.starts_with(std::string(r.type) + ":")) << got << "\n  instead of " << r.type << ": " << r.text;
    EXPECT_NE(got.find(r.text), std::string::npos) << got << "\n  instead of " << r.type << ": " << r.text;
  }
}

TEST(Losses, CrossEntropyIsThatOfLogSoftmaxForManyShapes) {
  manual_seed(1);
  for (const ScalarType type : {kFloat, kDouble})
    for (const int64_t classes : {1, 2, 7, 8, 15, 16, 17, 33, 64, 1000, 5003}) {
      const Tensor x = randn({5, classes}, type) * 10, y = randint(classes, {5});
      const Tensor a = x.clone().requires_grad_(), b = x.clone().requires_grad_();
      const Tensor fused = F::cross_entropy(a, y), apart = F::nll_loss(b.log_softmax(1), y);
      fused.backward();
      apart.backward();
      EXPECT_TRUE(fused.allclose(apart, 1e-5, 1e-6)) << classes;
      EXPECT_TRUE(a.grad().allclose(b.grad(), 1e-4, 1e-6)) << classes;
    }
}

TEST(Losses, ByteTargetsAreClassesBeyondTheRangeOfSignedBytes) {
  const Tensor x = randn({2, 200}), bytes = tensor({156, 199}, kByte);  // 156 is -100 in eight bits
  for (const bool fused : {true, false}) {
    const auto gradient = [&](const Tensor& y, bool create_graph) {
      const Tensor leaf = x.detach().clone().requires_grad_();
      const Tensor loss = fused ? F::cross_entropy(leaf, y) : F::nll_loss(leaf, y);
      return autograd::grad({loss}, {leaf}, {}, std::nullopt, create_graph)[0].detach();
    };
    EXPECT_TRUE(gradient(bytes, false).equal(gradient(bytes.to(kLong), false)));
    EXPECT_TRUE(gradient(bytes, true).allclose(gradient(bytes.to(kLong), false), 1e-5, 1e-7));
  }
}

TEST(Losses, CrossEntropyOfLargeScoresKeepsItsDigits) {
  const Tensor x = tensor({{10000.0, 10001.0, 9999.0}}).requires_grad_();
  const Tensor near = (x - 10000).detach();
  const Tensor y = tensor({0});
  EXPECT_NEAR(F::cross_entropy(x, y).item<double>(), F::cross_entropy(near, y).item<double>(), 1e-6);
  F::cross_entropy(x, y).backward();
  EXPECT_NEAR(x.grad()[0][1].item<double>(), near.softmax(1)[0][1].item<double>(), 1e-6);
}

TEST(Losses, CrossEntropyOfANanIsNanInItsRowOnly) {
  const Tensor x = tensor({{0.0, NAN, 1.0}, {0.0, 1.0, 2.0}}).requires_grad_();
  const Tensor loss = F::cross_entropy(x, tensor({0, 1}), F::CrossEntropyFuncOptions().reduction(kNone));
  loss.sum().backward();
  EXPECT_TRUE(std::isnan(loss[0].item<double>()));
  EXPECT_FALSE(std::isnan(loss[1].item<double>()));
  EXPECT_TRUE(x.grad()[0].isnan().all().item<bool>());
  EXPECT_FALSE(x.grad()[1].isnan().any().item<bool>());
}

TEST(Losses, AMeanOverNoWeightIsNoNumberAndNeitherIsItsGradient) {
  const Tensor y = tensor({0, 1}), none = full({2}, -100, kLong), zero = zeros({3});
  for (const bool create_graph : {false, true})
    for (const bool nll : {false, true}) {
      const auto gradient = [&](const Tensor& target, const std::optional<Tensor>& weight) {
        const Tensor x = tensor({{1.0, 2.0, 3.0}, {0.0, 1.0, 0.0}}).requires_grad_();
        const Tensor loss = nll ? nll_loss(x, target, weight) : cross_entropy_loss(x, target, weight);
        EXPECT_TRUE(std::isnan(loss.item<double>()));
        return autograd::grad({loss}, {x}, {}, std::nullopt, create_graph)[0].detach();
      };
      EXPECT_TRUE(gradient(none, std::nullopt).equal(zeros({2, 3}))) << nll << create_graph;
      EXPECT_TRUE(gradient(none, zero).equal(zeros({2, 3}))) << nll << create_graph;
      const Tensor nan = gradient(y, zero).isnan(), picked = one_hot(y, 3) == 1;
      EXPECT_TRUE(nan.equal(nll ? picked : ones({2, 3}, kBool))) << nll << create_graph;
    }
}

TEST(Losses, WithWeightsHaveRightFirstAndSecondDerivatives) {
  manual_seed(3);
  const Tensor w = weights().to(kDouble);
  const auto scores = [](IntArrayRef sizes) { return randn(sizes, kDouble).requires_grad_(); };
  const Tensor y = tensor({0, 2, -100, 1}), pixels = tensor({{0, 2}, {1, -100}});
  using Call = std::function<Tensor(const Tensor&)>;
  const auto options = F::CrossEntropyFuncOptions().weight(w);
  for (const Keyword reduction : {kNone, kMean, kSum}) {
    for (const double smoothing : {0.0, 0.25}) {
      const auto how = F::CrossEntropyFuncOptions(options).reduction(reduction).label_smoothing(smoothing);
      const Call rows = [&](const Tensor& x) { return F::cross_entropy(x, y, how); };
      const Call image = [&](const Tensor& x) { return F::cross_entropy(x, pixels, how); };
      const Call one = [&](const Tensor& x) { return F::cross_entropy(x, tensor(1), how); };
      const std::pair<Call, Tensor> all[] = {{rows, scores({4, 3})}, {image, scores({2, 3, 2})}, {one, scores({3})}};
      for (const auto& [f, x] : all) {
        const auto list = [&f = f](const autograd::variable_list& in) { return autograd::variable_list{f(in[0])}; };
        EXPECT_TRUE(autograd::gradcheck(list, {x})) << reduction << smoothing;
        EXPECT_TRUE(autograd::gradgradcheck(list, {x})) << reduction << smoothing;
      }
    }
    const Call nll = [&](const Tensor& x) {
      return F::nll_loss(x.exp(), pixels, F::NLLLossFuncOptions().weight(w).reduction(reduction));
    };
    const Call bce = [&](const Tensor& x) {
      return F::binary_cross_entropy(x.sigmoid(), zeros({2, 3}, kDouble),
                                     F::BinaryCrossEntropyFuncOptions().weight(w).reduction(reduction));
    };
    const Call positive = [&](const Tensor& x) {
      return F::binary_cross_entropy_with_logits(
          x, full({2, 3}, 0.75, kDouble),
          F::BinaryCrossEntropyWithLogitsFuncOptions().pos_weight(w).reduction(reduction));
    };
    const Call margin = [&](const Tensor& x) {
      return F::multi_margin_loss(x, tensor({2, 0}),
                                  F::MultiMarginLossFuncOptions().p(2).weight(w).reduction(reduction));
    };
    const std::pair<Call, Tensor> all[] = {
        {nll, scores({2, 3, 2})}, {bce, scores({2, 3})}, {positive, scores({2, 3})}, {margin, scores({2, 3})}};
    for (const auto& [f, x] : all) {
      const auto list = [&f = f](const autograd::variable_list& in) { return autograd::variable_list{f(in[0])}; };
      EXPECT_TRUE(autograd::gradcheck(list, {x})) << reduction;
      EXPECT_TRUE(autograd::gradgradcheck(list, {x})) << reduction;
    }
  }
}

TEST(Losses, HaveTheSameBitsForAnyNumberOfThreads) {
  manual_seed(4);
  const int before = get_num_threads();
  const Tensor x = randn({300, 700}), y = randint(700, {300}), image = randn({4, 20, 33, 17});
  const Tensor pixels = randint(20, {4, 33, 17}), sound = randn({30, 6, 20}).log_softmax(2),
               text = randint(1, 20, {6, 7});
  const auto run = [&](const Tensor& input, const std::function<Tensor(const Tensor&)>& f) {
    std::vector<Tensor> results;
    for (const int threads : {1, 3}) {
      set_num_threads(threads);
      const Tensor leaf = input.detach().clone().requires_grad_();
      const Tensor loss = f(leaf);
      loss.backward();
      results.push_back(loss.detach());
      results.push_back(leaf.grad());
    }
    set_num_threads(before);
    EXPECT_TRUE(results[0].equal(results[2]));
    EXPECT_TRUE(results[1].equal(results[3]));
  };
  run(x, [&](const Tensor& t) { return F::cross_entropy(t, y); });
  run(x, [&](const Tensor& t) { return F::cross_entropy(t, y, F::CrossEntropyFuncOptions().label_smoothing(0.1)); });
  run(x, [&](const Tensor& t) { return F::nll_loss(t, y); });
  run(image, [&](const Tensor& t) { return F::cross_entropy(t, pixels); });
  run(x, [&](const Tensor& t) { return F::mse_loss(t, x.flip({0})); });
  run(sound, [&](const Tensor& t) { return F::ctc_loss(t, text, full({6}, 30, kLong), tensor({7, 6, 5, 4, 3, 0})); });
}

TEST(Losses, WeightsFollowTheModuleToAnotherDtypeAndIntoAClone) {
  nn::CrossEntropyLoss loss(nn::CrossEntropyLossOptions().weight(weights()));
  loss->to(kDouble);
  const Tensor x = randn({4, 3}, kDouble), y = tensor({0, 1, 2, 1});
  const Tensor value = loss(x, y);
  EXPECT_EQ(value.scalar_type(), kDouble);
  const auto copy = std::dynamic_pointer_cast<nn::CrossEntropyLossImpl>(loss->clone());
  ASSERT_TRUE(copy);
  EXPECT_TRUE(copy->forward(x, y).equal(value));
  copy->weight.fill_(1);
  EXPECT_TRUE(loss(x, y).equal(value));
}

TEST(AdaptiveLogSoftmaxWithLoss, GivesTheLogarithmsOfAllClasses) {
  for (const std::vector<int64_t>& cutoffs : std::vector<std::vector<int64_t>>{{2}, {2, 5}, {1, 3, 6}}) {
    manual_seed(1);
    nn::AdaptiveLogSoftmaxWithLoss layer(nn::AdaptiveLogSoftmaxWithLossOptions(4, 9, cutoffs).div_value(2));
    const Tensor x = randn({9, 4}), target = arange(9), all = layer->log_prob(x);
    ASSERT_EQ(all.sizes(), IntArrayRef({9, 9}));
    EXPECT_TRUE(allclose(all.exp().sum(1), ones({9})));
    const auto [output, loss] = layer(x, target);
    EXPECT_TRUE(allclose(output, all.gather(1, target.unsqueeze(1)).squeeze(1)));
    EXPECT_NEAR(loss, -output.mean().item<double>(), 1e-6);
    EXPECT_TRUE(equal(layer->predict(x), all.argmax(1)));
  }
}

}  // namespace

MODULE_CASES(nn_loss, kCases)
