// Linear layers, embeddings, dropout, normalisation, resizing, shuffles and distances, against PyTorch; and what they
// refuse.
#include <cmath>
#include <limits>

#include "support/module_case.h"
#include "support/outcomes.h"
#include "taut/nn/functional.h"

namespace taut {
namespace {

namespace F = nn::functional;
using test::in_eval_mode;
using test::ModuleCase;
using test::Tensors;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Twice in training, then once in evaluation: how running statistics move and are used.
constexpr const char* kTrainThenEval = "[m(x[0]), m(x[0] * 2 + 1), m.eval()(x[0])]";
const auto train_then_eval = [](auto& m, const Tensors& x) {
  Tensors out = {m(x[0]), m(x[0] * 2 + 1)};
  m->eval();
  out.push_back(m(x[0]));
  return out;
};
const auto first = [](auto& m, const Tensors& x) { return m(x[0]); };

/// A module that calls a function: for functions that have no module of their own.
#define FUNCTION(python, inputs, ...) \
  CASE_CALL("nn.Identity()", python, inputs, nn::Identity(), [](auto&, const Tensors& x) { return __VA_ARGS__; })

const std::vector<ModuleCase> kCases = {
    // Linear layers and shapes.
    CASE("nn.Linear(3, 2)", "t(4, 3)", nn::Linear(3, 2)),
    CASE("nn.Linear(3, 2, bias=False)", "t(2, 2, 3)", nn::Linear(nn::LinearOptions(3, 2).bias(false))),
    CASE("nn.Linear(3, 5)", "t(3)", nn::Linear(3, 5)),
    CASE("nn.Linear(4, 2)", "t(0, 4)", nn::Linear(4, 2)),
    CASE("nn.Linear(20, 30)", "t(5, 20)", nn::Linear(20, 30)),
    CASE("nn.Bilinear(2, 3, 4)", "t(5, 2), t(5, 3)", nn::Bilinear(2, 3, 4)),
    CASE("nn.Bilinear(2, 3, 4, bias=False)", "t(2), t(3)", nn::Bilinear(nn::BilinearOptions(2, 3, 4).bias(false))),
    CASE("nn.Identity()", "t(2, 3)", nn::Identity()),
    CASE("nn.Flatten()", "t(2, 3, 2)", nn::Flatten()),
    CASE("nn.Flatten(0, 1)", "t(2, 3, 2)", nn::Flatten(nn::FlattenOptions().start_dim(0).end_dim(1))),
    CASE("nn.Unflatten(1, (2, 3))", "t(2, 6)", nn::Unflatten(1, std::vector<int64_t>{2, 3})),
    CASE("nn.Unflatten(0, (-1,))", "t(4)", nn::Unflatten(nn::UnflattenOptions(0, {-1}))),

    // Embeddings.
    CASE("nn.Embedding(5, 3)", "c([1, 0, 4, 1])", nn::Embedding(5, 3)),
    CASE("nn.Embedding(5, 3)", "c([[1, 0], [4, 1]])", nn::Embedding(5, 3)),
    CASE("nn.Embedding(5, 3, padding_idx=1)", "c([1, 0, 4, 1])",
         nn::Embedding(nn::EmbeddingOptions(5, 3).padding_idx(1))),
    CASE("nn.Embedding(5, 3, padding_idx=-2)", "c([3, 0, 4, 3])",
         nn::Embedding(nn::EmbeddingOptions(5, 3).padding_idx(-2))),
    CASE("nn.Embedding(5, 3, scale_grad_by_freq=True)", "c([1, 0, 4, 1, 1])",
         nn::Embedding(nn::EmbeddingOptions(5, 3).scale_grad_by_freq(true))),
    CASE("nn.Embedding(5, 3, max_norm=1.0, norm_type=1.0)", "c([1, 0, 4, 1])",
         nn::Embedding(nn::EmbeddingOptions(5, 3).max_norm(1).norm_type(1))),
    CASE("nn.Embedding(5, 3, max_norm=0.5)", "c([[1, 2]])", nn::Embedding(nn::EmbeddingOptions(5, 3).max_norm(0.5))),
    CASE("nn.Embedding.from_pretrained(torch.arange(6.0).view(3, 2))", "c([2, 0])",
         nn::Embedding::from_pretrained(arange(6.0).view({3, 2}))),
    CASE("nn.Embedding.from_pretrained(torch.arange(6.0).view(3, 2), freeze=False, padding_idx=2)", "c([2, 0])",
         nn::Embedding::from_pretrained(arange(6.0).view({3, 2}),
                                        nn::EmbeddingFromPretrainedOptions().freeze(false).padding_idx(2))),
    CASE_CALL("nn.EmbeddingBag(5, 3)", "m(x[0])", "c([[1, 0, 4], [2, 2, 3]])", nn::EmbeddingBag(5, 3), first),
    CASE_CALL("nn.EmbeddingBag(5, 3, mode='sum')", "m(x[0], x[1])", "c([1, 0, 4, 1]), c([0, 1, 1])",
              nn::EmbeddingBag(nn::EmbeddingBagOptions(5, 3).mode(kSum)),
              [](auto& m, const Tensors& x) { return m(x[0], x[1]); }),
    CASE_CALL("nn.EmbeddingBag(5, 3, mode='max')", "m(x[0], x[1])", "c([1, 0, 4, 1]), c([0, 3])",
              nn::EmbeddingBag(nn::EmbeddingBagOptions(5, 3).mode(kMax)),
              [](auto& m, const Tensors& x) { return m(x[0], x[1]); }),
    CASE_CALL("nn.EmbeddingBag(5, 3, mode='sum')", "m(x[0], x[1], x[2])", "c([1, 0, 4, 1]), c([0, 3]), t(4)",
              nn::EmbeddingBag(nn::EmbeddingBagOptions(5, 3).mode(kSum)),
              [](auto& m, const Tensors& x) { return m(x[0], x[1], x[2]); }),
    CASE_CALL("nn.EmbeddingBag(5, 3, mode='sum')", "m(x[0], per_sample_weights=x[1])", "c([[1, 0], [4, 1]]), t(2, 2)",
              nn::EmbeddingBag(nn::EmbeddingBagOptions(5, 3).mode(kSum)),
              [](auto& m, const Tensors& x) { return m(x[0], Tensor(), x[1]); }),
    CASE_CALL("nn.EmbeddingBag(5, 3, include_last_offset=True, padding_idx=1)", "m(x[0], x[1])",
              "c([1, 0, 4, 1]), c([0, 1, 4])",
              nn::EmbeddingBag(nn::EmbeddingBagOptions(5, 3).include_last_offset(true).padding_idx(1)),
              [](auto& m, const Tensors& x) { return m(x[0], x[1]); }),
    CASE_CALL("nn.EmbeddingBag(5, 3, max_norm=1.0, norm_type=3.0)", "m(x[0])", "c([[1, 0, 4], [2, 2, 3]])",
              nn::EmbeddingBag(nn::EmbeddingBagOptions(5, 3).max_norm(1).norm_type(3)), first),
    CASE_CALL(
        "nn.EmbeddingBag.from_pretrained(torch.arange(6.0).view(3, 2), mode='sum')", "m(x[0])", "c([[2, 0]])",
        nn::EmbeddingBag::from_pretrained(arange(6.0).view({3, 2}), nn::EmbeddingBagFromPretrainedOptions().mode(kSum)),
        first),

    // Dropout draws PyTorch's numbers.
    CASE("nn.Dropout()", "t(5, 7)", nn::Dropout()),
    CASE("nn.Dropout(0.2)", "t(40)", nn::Dropout(0.2)),
    CASE("nn.Dropout(0.2).eval()", "t(5, 7)", in_eval_mode(nn::Dropout(0.2))),
    CASE_CALL("nn.Dropout(0.2, inplace=True)", "m(x[0] * 2)", "t(40)",
              nn::Dropout(nn::DropoutOptions(0.2).inplace(true)),
              [](auto& m, const Tensors& x) { return m(x[0] * 2); }),
    CASE("nn.Dropout1d(0.3)", "t(4, 5, 3)", nn::Dropout1d(0.3)),
    CASE("nn.Dropout1d(0.3)", "t(8, 3)", nn::Dropout1d(0.3)),
    CASE("nn.Dropout2d()", "t(2, 5, 2, 3)", nn::Dropout2d()),
    CASE_CALL("nn.Dropout2d(inplace=True)", "m(x[0] * 2)", "t(2, 5, 2, 3)",
              nn::Dropout2d(nn::Dropout2dOptions().inplace(true)),
              [](auto& m, const Tensors& x) { return m(x[0] * 2); }),
    CASE("nn.Dropout3d(0.4)", "t(2, 5, 2, 1, 2)", nn::Dropout3d(0.4)),
    CASE("nn.Dropout3d(0.4)", "t(7, 2, 1, 2)", nn::Dropout3d(0.4)),
    CASE("nn.AlphaDropout(0.3)", "t(5, 7)", nn::AlphaDropout(0.3)),
    CASE("nn.AlphaDropout(0.3).eval()", "t(5, 7)", in_eval_mode(nn::AlphaDropout(0.3))),
    CASE("nn.FeatureAlphaDropout(0.3)", "t(4, 5, 3)", nn::FeatureAlphaDropout(0.3)),

    // Batch normalisation.
    CASE("nn.BatchNorm1d(3)", "t(5, 3)", nn::BatchNorm1d(3)),
    CASE("nn.BatchNorm1d(3)", "t(2, 3, 4)", nn::BatchNorm1d(3)),
    CASE("nn.BatchNorm1d(3).eval()", "t(5, 3)", in_eval_mode(nn::BatchNorm1d(3))),
    CASE("nn.BatchNorm2d(2)", "t(3, 2, 2, 3)", nn::BatchNorm2d(2)),
    CASE("nn.BatchNorm3d(2)", "t(3, 2, 2, 1, 3)", nn::BatchNorm3d(2)),
    CASE("nn.BatchNorm2d(2, eps=0.1, momentum=0.7)", "t(3, 2, 2, 3)",
         nn::BatchNorm2d(nn::BatchNorm2dOptions(2).eps(0.1).momentum(0.7))),
    CASE("nn.BatchNorm1d(3, affine=False)", "t(5, 3)", nn::BatchNorm1d(nn::BatchNorm1dOptions(3).affine(false))),
    CASE("nn.BatchNorm1d(3, bias=False)", "t(5, 3)", nn::BatchNorm1d(nn::BatchNorm1dOptions(3).bias(false))),
    CASE("nn.BatchNorm1d(3, track_running_stats=False)", "t(5, 3)",
         nn::BatchNorm1d(nn::BatchNorm1dOptions(3).track_running_stats(false))),
    CASE("nn.BatchNorm1d(3, track_running_stats=False).eval()", "t(5, 3)",
         in_eval_mode(nn::BatchNorm1d(nn::BatchNorm1dOptions(3).track_running_stats(false)))),
    CASE_CALL("nn.BatchNorm1d(3)", kTrainThenEval, "t(5, 3)", nn::BatchNorm1d(3), train_then_eval),
    CASE_CALL("nn.BatchNorm1d(3, momentum=None)", kTrainThenEval, "t(5, 3)",
              nn::BatchNorm1d(nn::BatchNorm1dOptions(3).momentum(std::nullopt)), train_then_eval),
    CASE_CALL("nn.BatchNorm2d(2)", kTrainThenEval, "t(3, 2, 2, 3)", nn::BatchNorm2d(2), train_then_eval),

    // Instance normalisation.
    CASE("nn.InstanceNorm1d(3)", "t(2, 3, 4)", nn::InstanceNorm1d(3)),
    CASE("nn.InstanceNorm1d(3)", "t(3, 4)", nn::InstanceNorm1d(3)),
    CASE("nn.InstanceNorm2d(2, affine=True)", "t(3, 2, 2, 3)",
         nn::InstanceNorm2d(nn::InstanceNorm2dOptions(2).affine(true))),
    CASE("nn.InstanceNorm2d(2, affine=True, bias=False)", "t(3, 2, 2, 3)",
         nn::InstanceNorm2d(nn::InstanceNorm2dOptions(2).affine(true).bias(false))),
    CASE("nn.InstanceNorm3d(2, eps=0.1)", "t(2, 2, 2, 1, 3)",
         nn::InstanceNorm3d(nn::InstanceNorm3dOptions(2).eps(0.1))),
    CASE_CALL("nn.InstanceNorm2d(2, affine=True, track_running_stats=True, momentum=0.3)", kTrainThenEval,
              "t(3, 2, 2, 3)",
              nn::InstanceNorm2d(nn::InstanceNorm2dOptions(2).affine(true).track_running_stats(true).momentum(0.3)),
              train_then_eval),

    // Layer, RMS, group and response normalisation.
    CASE("nn.LayerNorm(5)", "t(4, 5)", nn::LayerNorm(nn::LayerNormOptions({5}))),
    CASE("nn.LayerNorm((3, 4))", "t(2, 3, 4)", nn::LayerNorm(nn::LayerNormOptions({3, 4}))),
    CASE("nn.LayerNorm((3, 4), eps=0.1, elementwise_affine=False)", "t(2, 3, 4)",
         nn::LayerNorm(nn::LayerNormOptions({3, 4}).eps(0.1).elementwise_affine(false))),
    CASE("nn.LayerNorm(5, bias=False)", "t(4, 5)", nn::LayerNorm(nn::LayerNormOptions({5}).bias(false))),
    CASE("nn.LayerNorm(70)", "t(6, 70)", nn::LayerNorm(nn::LayerNormOptions({70}))),
    CASE("nn.RMSNorm(5)", "t(4, 5)", nn::RMSNorm(nn::RMSNormOptions({5}))),
    CASE("nn.RMSNorm((3, 4), eps=0.01, elementwise_affine=False)", "t(2, 3, 4)",
         nn::RMSNorm(nn::RMSNormOptions({3, 4}).eps(0.01).elementwise_affine(false))),
    CASE("nn.GroupNorm(2, 4)", "t(2, 4, 3)", nn::GroupNorm(2, 4)),
    CASE("nn.GroupNorm(1, 4)", "t(2, 4)", nn::GroupNorm(1, 4)),
    CASE("nn.GroupNorm(4, 4, eps=0.1, affine=False)", "t(2, 4, 2, 3)",
         nn::GroupNorm(nn::GroupNormOptions(4, 4).eps(0.1).affine(false))),
    CASE("nn.GroupNorm(2, 4, bias=False)", "t(2, 4, 3)", nn::GroupNorm(nn::GroupNormOptions(2, 4).bias(false))),
    CASE("nn.LocalResponseNorm(3, alpha=0.5, beta=0.6, k=2.0)", "t(2, 5, 3)",
         nn::LocalResponseNorm(nn::LocalResponseNormOptions(3).alpha(0.5).beta(0.6).k(2))),
    CASE("nn.LocalResponseNorm(2)", "t(2, 4, 2, 2)", nn::LocalResponseNorm(2)),
    // Values only: PyTorch's derivative leaves out terms at the first channel.
    CASE_CALL("nn.CrossMapLRN2d(5, alpha=0.5, beta=0.6, k=2)", "m(x[0].detach())", "t(2, 3, 2, 2)",
              nn::CrossMapLRN2d(nn::CrossMapLRN2dOptions(5).alpha(0.5).beta(0.6).k(2)),
              [](auto& m, const Tensors& x) { return m(x[0].detach()); }),
    CASE_CALL("nn.CrossMapLRN2d(3, alpha=0.5)", "m(x[0].detach())", "t(2, 6, 2, 2)",
              nn::CrossMapLRN2d(nn::CrossMapLRN2dOptions(3).alpha(0.5)),
              [](auto& m, const Tensors& x) { return m(x[0].detach()); }),
    FUNCTION("F.normalize(x[0])", "t(3, 4)", F::normalize(x[0])),
    FUNCTION("F.normalize(x[0], p=1.0, dim=-1, eps=0.5)", "t(3, 4)",
             F::normalize(x[0], F::NormalizeFuncOptions().p(1).dim(-1).eps(0.5))),

    // Resizing.
    CASE("nn.Upsample(scale_factor=(2.0,))", "t(1, 2, 3)",
         nn::Upsample(nn::UpsampleOptions().scale_factor(std::vector<double>{2}))),
    CASE("nn.Upsample(size=(4, 3))", "t(1, 2, 3, 2)",
         nn::Upsample(nn::UpsampleOptions().size(std::vector<int64_t>{4, 3}))),
    CASE("nn.Upsample(scale_factor=(1.7, 2.3), mode='bilinear')", "t(1, 2, 3, 2)",
         nn::Upsample(nn::UpsampleOptions().scale_factor(std::vector<double>{1.7, 2.3}).mode(kBilinear))),
    CASE("nn.Upsample(scale_factor=(1.7, 2.3), mode='bilinear', recompute_scale_factor=True)", "t(1, 2, 3, 2)",
         nn::Upsample(nn::UpsampleOptions()
                          .scale_factor(std::vector<double>{1.7, 2.3})
                          .mode(kBilinear)
                          .recompute_scale_factor(true))),
    CASE("nn.Upsample(size=(5, 5), mode='bicubic', align_corners=True)", "t(1, 1, 3, 4)",
         nn::Upsample(nn::UpsampleOptions().size(std::vector<int64_t>{5, 5}).mode(kBicubic).align_corners(true))),
    CASE("nn.Upsample(size=(5,), mode='linear')", "t(1, 2, 3)",
         nn::Upsample(nn::UpsampleOptions().size(std::vector<int64_t>{5}).mode(kLinear))),
    CASE("nn.Upsample(size=(3, 2, 4), mode='trilinear', align_corners=False)", "t(1, 1, 2, 3, 2)",
         nn::Upsample(nn::UpsampleOptions().size(std::vector<int64_t>{3, 2, 4}).mode(kTrilinear).align_corners(false))),
    CASE("nn.Upsample(size=(3, 2, 4))", "t(1, 1, 2, 3, 2)",
         nn::Upsample(nn::UpsampleOptions().size(std::vector<int64_t>{3, 2, 4}))),
    CASE("nn.UpsamplingNearest2d(scale_factor=(2.0, 2.0))", "t(1, 2, 3, 2)",
         nn::UpsamplingNearest2d(nn::UpsampleOptions().scale_factor(std::vector<double>{2, 2}))),
    CASE("nn.UpsamplingBilinear2d(size=(4, 5))", "t(1, 2, 3, 2)",
         nn::UpsamplingBilinear2d(nn::UpsampleOptions().size(std::vector<int64_t>{4, 5}))),
    FUNCTION("F.interpolate(x[0], size=(2, 4), mode='area')", "t(1, 2, 5, 3)",
             F::interpolate(x[0], F::InterpolateFuncOptions().size(std::vector<int64_t>{2, 4}).mode(kArea))),
    FUNCTION("F.interpolate(x[0], scale_factor=(0.5, 1.5), mode='area')", "t(1, 2, 5, 3)",
             F::interpolate(x[0], F::InterpolateFuncOptions().scale_factor(std::vector<double>{0.5, 1.5}).mode(kArea))),
    FUNCTION(
        "F.interpolate(x[0], scale_factor=(1.6,), mode='nearest-exact')", "t(1, 2, 5)",
        F::interpolate(x[0], F::InterpolateFuncOptions().scale_factor(std::vector<double>{1.6}).mode(kNearestExact))),
    FUNCTION("F.interpolate(x[0], size=(2, 3), mode='bilinear', antialias=True)", "t(1, 2, 5, 6)",
             F::interpolate(
                 x[0], F::InterpolateFuncOptions().size(std::vector<int64_t>{2, 3}).mode(kBilinear).antialias(true))),
    FUNCTION(
        "F.interpolate(x[0], scale_factor=(0.5, 0.4), mode='bicubic', antialias=True)", "t(1, 1, 7, 6)",
        F::interpolate(
            x[0],
            F::InterpolateFuncOptions().scale_factor(std::vector<double>{0.5, 0.4}).mode(kBicubic).antialias(true))),

    // Sampling and shuffles.
    FUNCTION("F.grid_sample(x[0], x[1], align_corners=False)", "t(1, 2, 3, 4), t(1, 2, 3, 2)",
             F::grid_sample(x[0], x[1])),
    FUNCTION("F.grid_sample(x[0], x[1], mode='bicubic', padding_mode='reflection', align_corners=True)",
             "t(1, 2, 3, 4), t(1, 2, 3, 2)",
             F::grid_sample(x[0], x[1],
                            F::GridSampleFuncOptions().mode(kBicubic).padding_mode(kReflection).align_corners(true))),
    FUNCTION("F.grid_sample(x[0], x[1], mode='nearest', padding_mode='border', align_corners=False)",
             "t(1, 1, 2, 3, 2), t(1, 2, 2, 1, 3)",
             F::grid_sample(x[0], x[1], F::GridSampleFuncOptions().mode(kNearest).padding_mode(kBorder))),
    FUNCTION("F.affine_grid(x[0], (2, 1, 3, 2), align_corners=False)", "t(2, 2, 3)",
             F::affine_grid(x[0], {2, 1, 3, 2})),
    FUNCTION("F.affine_grid(x[0], (1, 1, 2, 3, 2), align_corners=True)", "t(1, 3, 4)",
             F::affine_grid(x[0], {1, 1, 2, 3, 2}, true)),
    CASE("nn.PixelShuffle(2)", "t(2, 8, 2, 3)", nn::PixelShuffle(2)),
    CASE("nn.PixelUnshuffle(2)", "t(2, 2, 4, 2)", nn::PixelUnshuffle(2)),
    CASE("nn.ChannelShuffle(2)", "t(1, 6, 2, 2)", nn::ChannelShuffle(2)),

    // Similarities and distances.
    CASE("nn.CosineSimilarity()", "t(3, 4), t(3, 4)", nn::CosineSimilarity()),
    CASE("nn.CosineSimilarity(dim=0, eps=0.1)", "t(3, 4), t(3, 4)",
         nn::CosineSimilarity(nn::CosineSimilarityOptions().dim(0).eps(0.1))),
    CASE("nn.PairwiseDistance()", "t(3, 4), t(3, 4)", nn::PairwiseDistance()),
    CASE("nn.PairwiseDistance(p=1.0, eps=0.1, keepdim=True)", "t(3, 4), t(4)",
         nn::PairwiseDistance(nn::PairwiseDistanceOptions().p(1).eps(0.1).keepdim(true))),
    FUNCTION("F.pdist(x[0], 3.0)", "t(4, 3)", F::pdist(x[0], 3)),
    FUNCTION("F.linear(x[0], x[1], x[2])", "t(2, 3), t(4, 3), t(4)", F::linear(x[0], x[1], x[2])),
    FUNCTION("F.bilinear(x[0], x[1], x[2])", "t(2, 3), t(2, 2), t(4, 3, 2)", F::bilinear(x[0], x[1], x[2])),

    // In a model. One after the other: the order in which a call's arguments are made is open in C++.
    CASE("nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.Dropout(0.25), nn.LayerNorm(6), nn.Linear(6, 2))",
         "t(5, 4)",
         [] {
           nn::Sequential model;
           model->push_back(nn::Linear(4, 6));
           model->push_back(nn::BatchNorm1d(6));
           model->push_back(nn::Dropout(0.25));
           model->push_back(nn::LayerNorm(nn::LayerNormOptions({6})));
           model->push_back(nn::Linear(6, 2));
           return model;
         }()),
};

// ---- What the golden cases do not see.

TEST(BatchNormModule, AFailedCallLeavesTheStatisticsAlone) {
  nn::BatchNorm1d m(3);
  EXPECT_THROW(m(ones({1, 3})), ValueError);
  EXPECT_THROW(m(ones({4, 2})), Error);
  EXPECT_EQ(m->num_batches_tracked.item<int64_t>(), 0);
  EXPECT_TRUE(equal(m->running_mean, zeros({3})) && equal(m->running_var, ones({3})));
}
TEST(BatchNormModule, HalfTypesKeepFloatStatistics) {
  nn::BatchNorm2d m(2);
  manual_seed(0);
  const Tensor x = randn({4, 2, 3, 3}), y = m(x.to(kBFloat16));
  EXPECT_EQ(y.scalar_type(), kBFloat16);
  EXPECT_EQ(m->running_mean.scalar_type(), kFloat);
  EXPECT_TRUE(allclose(y.to(kFloat), nn::BatchNorm2d(2)(x), 0.02, 0.02));
}
TEST(Norms, ResultsDoNotDependOnTheLayoutOfTheInput) {
  manual_seed(1);
  const Tensor x = randn({3, 5, 4}, kDouble), w = randn({5}, kDouble),
               strided = x.permute({2, 0, 1}).contiguous().permute({1, 2, 0});
  ASSERT_FALSE(strided.is_contiguous());
  EXPECT_TRUE(equal(batch_norm(x, w, w, std::nullopt, std::nullopt, true, 0.1, 1e-5),
                    batch_norm(strided, w, w, std::nullopt, std::nullopt, true, 0.1, 1e-5)));
  EXPECT_TRUE(equal(layer_norm(x, {4}), layer_norm(strided, {4})));
  EXPECT_TRUE(equal(group_norm(x, 5, w, w), group_norm(strided, 5, w, w)));
}
TEST(Norms, SurviveAMeanFarFromZero) {
  manual_seed(2);
  const Tensor noise = randn({4, 3000}), x = noise + 1000;
  const Tensor want = layer_norm(x.to(kDouble), {3000}).to(kFloat);
  EXPECT_TRUE(allclose(layer_norm(x, {3000}), want, 1e-3, 1e-3));
  const Tensor images = x.view({4, 3, 1000});
  EXPECT_TRUE(
      allclose(batch_norm(images, std::nullopt, std::nullopt, std::nullopt, std::nullopt, true, 0.1, 1e-5),
               batch_norm(images.to(kDouble), std::nullopt, std::nullopt, std::nullopt, std::nullopt, true, 0.1, 1e-5)
                   .to(kFloat),
               1e-3, 1e-3));
}
/// The plain formula, twin of the kernels, at sizes that take every path: odd widths, many blocks, columns.
TEST(Norms, KernelsAgreeWithThePlainFormulaForwardAndBackward) {
  manual_seed(3);
  for (const auto& shape : std::vector<std::vector<int64_t>>{{7, 9000}, {130, 65}, {3, 17}, {64, 200}}) {
    const int64_t n = shape[1];
    const Tensor x = randn(shape, requires_grad()), w = randn({n}, requires_grad()), b = randn({n}, requires_grad());
    const Tensor g = randn(shape);
    for (const bool rows : {true, false}) {
      const Tensor y =
          rows ? layer_norm(x, {n}, w, b) : batch_norm(x, w, b, std::nullopt, std::nullopt, true, 0.1, 1e-5);
      const Tensor xd = x.detach().to(kDouble).requires_grad_(), wd = w.detach().to(kDouble).requires_grad_(),
                   bd = b.detach().to(kDouble).requires_grad_();
      const int64_t dim = rows ? 1 : 0;
      const Tensor c = xd - xd.mean(dim, true), want = c * (c.square().mean(dim, true) + 1e-5).rsqrt() * wd + bd;
      EXPECT_TRUE(allclose(y, want.to(kFloat), 1e-4, 1e-4));
      const auto got = autograd::grad({y}, {x, w, b}, {g}),
                 plain = autograd::grad({want}, {xd, wd, bd}, {g.to(kDouble)});
      for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(allclose(got[i], plain[i].to(kFloat), 1e-3, 1e-3)) << i << " of " << n;
    }
  }
}
TEST(Norms, ALargeResultHasTheBitsOfItsParts) {  // which stay in the caches; it is written past them
  for (const std::pair<int64_t, int64_t> shape : {std::pair(2100, 1024), std::pair(2100, 1021), std::pair(1100, 2048)})
    for (const ScalarType t : {kFloat, kDouble}) {
      const int64_t rows = shape.first, n = shape.second;  // clang 14 captures no structured bindings
      const Tensor w = randn({n}, t), b = randn({n}, t), x = randn({rows, n}, t), g = randn({rows, n}, t);
      const auto run = [&](const Tensor& input, const Tensor& gradient) {
        const Tensor leaf = input.detach().requires_grad_();
        const Tensor y = layer_norm(leaf, {n}, w, b);
        y.backward(gradient);
        return std::pair(y.detach(), leaf.grad());
      };
      const auto [y, dx] = run(x, g);
      for (int64_t i = 0; i < rows; i += 100) {
        const auto [part, part_dx] = run(x.narrow(0, i, 100), g.narrow(0, i, 100));
        ASSERT_TRUE(y.narrow(0, i, 100).equal(part)) << rows << 'x' << n;
        ASSERT_TRUE(dx.narrow(0, i, 100).equal(part_dx)) << rows << 'x' << n;
      }
    }
}
TEST(CrossMapLRN2d, GradientsAreThoseOfItsValues) {
  manual_seed(4);
  nn::CrossMapLRN2d m(nn::CrossMapLRN2dOptions(3).alpha(0.5));
  EXPECT_TRUE(autograd::gradcheck([&](const Tensors& x) { return Tensors{m(x[0])}; },
                                  {randn({1, 5, 2, 1}, TensorOptions(kDouble).requires_grad(true))}));
}
TEST(EmbeddingBagOp, ScalesTheGradientByHowOftenARowWasNamed) {
  const Tensor w = ones({5, 2}, requires_grad());
  std::get<0>(embedding_bag(w, tensor({1, 0, 4, 1}), tensor({0, 3}), true)).sum().backward();
  EXPECT_TRUE(equal(w.grad(), tensor({{1.0, 1.0}, {1.0, 1.0}, {0.0, 0.0}, {0.0, 0.0}, {1.0, 1.0}})));
}
TEST(EmbeddingModule, FromPretrainedIsFrozenUnlessAsked) {
  const Tensor table = rand({4, 3});
  EXPECT_FALSE(nn::Embedding::from_pretrained(table)->weight.requires_grad());
  EXPECT_TRUE(nn::Embedding::from_pretrained(table, nn::EmbeddingFromPretrainedOptions().freeze(false))
                  ->weight.requires_grad());
}
TEST(LayerCopies, AreCopiedWithValuesAndOptions) {
  nn::BatchNorm1d m(nn::BatchNorm1dOptions(3).eps(0.5));
  m(rand({4, 3}));
  const auto copy = std::dynamic_pointer_cast<nn::BatchNorm1dImpl>(m->clone());
  ASSERT_TRUE(copy);
  EXPECT_TRUE(equal(copy->running_mean, m->running_mean));
  EXPECT_FALSE(copy->running_mean.is_same(m->running_mean));
  EXPECT_EQ(copy->options.eps(), 0.5);
  nn::UpsamplingBilinear2d up(nn::UpsampleOptions().size(std::vector<int64_t>{3, 3}));
  const auto same = std::dynamic_pointer_cast<nn::UpsamplingBilinear2dImpl>(up->clone());
  ASSERT_TRUE(same);
  EXPECT_TRUE(equal(same->forward(ones({1, 1, 2, 2})), ones({1, 1, 3, 3})));
}
TEST(Dropout, DropsNothingOrEverythingAtTheEnds) {
  const Tensor x = ones({3, 4});
  EXPECT_TRUE(equal(nn::Dropout(0.0)(x), x));
  EXPECT_TRUE(equal(nn::Dropout(1.0)(x), zeros({3, 4})));
  EXPECT_TRUE(equal(nn::AlphaDropout(1.0)(x), zeros({3, 4})));
  EXPECT_TRUE(equal(nn::AlphaDropout(nn::AlphaDropoutOptions(1.0).inplace(true))(x), zeros({3, 4})));
  EXPECT_TRUE(equal(x, ones({3, 4})));  // AlphaDropout knows the option and does not look at it, as in Python
}
TEST(GridSample, KernelsAgreeWithTheSameInOps) {
  manual_seed(3);
  for (int64_t mode : {0, 1, 2})
    for (int64_t padding : {0, 1, 2})
      for (bool align : {false, true})
        for (const auto& [image, out] :
             {std::pair{Dims{2, 9, 5, 7}, Dims{2, 17, 18, 2}}, std::pair{Dims{1, 3, 4, 1, 6}, Dims{1, 5, 3, 20, 3}}}) {
          if (mode == 2 && image.size() == 5) continue;
          const Tensor x = randn(image, kDouble).requires_grad_(), grid = (randn(out, kDouble) * 1.3).requires_grad_();
          const auto sample = [&] { return grid_sampler(x, grid, mode, padding, align); };
          const Tensor y = sample(), g = randn(y.sizes(), kDouble).requires_grad_();
          const auto fast = autograd::grad({y}, {x, grid}, {g}, true);
          // With create_graph the gradients are computed in ops; that of x is linear in g, and so is its transpose in
          // x.
          const auto plain = autograd::grad({y}, {x, grid}, {g}, true, true);
          const auto again = autograd::grad({plain[0]}, {g}, {x.detach()});
          EXPECT_TRUE(allclose(y, again[0], 1e-10, 1e-10)) << mode << padding << align;
          EXPECT_TRUE(allclose(fast[0], plain[0], 1e-10, 1e-10)) << mode << padding << align;
          EXPECT_TRUE(allclose(fast[1], plain[1], 1e-10, 1e-10)) << mode << padding << align;
        }
}
TEST(GridSample, PositionsThatAreNotANumberGiveWhatTheyDoInPyTorch) {
  const Tensor x = arange(1, 10).to(kFloat).view({1, 1, 3, 3}), at = full({1, 1, 1, 2}, kNan);
  EXPECT_TRUE(std::isnan(F::grid_sample(x, at).item<double>()));
  EXPECT_EQ(F::grid_sample(x, at, F::GridSampleFuncOptions().mode(kNearest)).item<double>(), 0);
  EXPECT_EQ(F::grid_sample(x, at, F::GridSampleFuncOptions().padding_mode(kBorder)).item<double>(), 1);
}

// clang-format off
TEST(BadSettings, AreRefused) {
  using V = std::vector<int64_t>;
  using S = std::vector<double>;
  set_warning_handler([](const std::string&) {});
  test::expect_outcomes({
      OUTCOME(nn::Linear(-1, 2)), OUTCOME(nn::Linear(2, -1)), OUTCOME(nn::Linear(3, 2)(ones({2, 4}))), OUTCOME(nn::Linear(3, 2)(Tensor())),
      OUTCOME(nn::Bilinear(0, 2, 2)), OUTCOME(nn::Bilinear(2, 3, 4)(ones({2, 2}), ones({3, 3}))), OUTCOME(nn::Bilinear(2, 3, 4)(ones({2, 3}), ones({2, 3}))),
      OUTCOME(nn::Unflatten(1, V{2, 4})(ones({2, 6}))), OUTCOME(nn::Flatten(nn::FlattenOptions().start_dim(5))(ones({2}))),
      OUTCOME(nn::Embedding(-1, 2)), OUTCOME(nn::Embedding(nn::EmbeddingOptions(3, 2).padding_idx(3))), OUTCOME(nn::Embedding(nn::EmbeddingOptions(3, 2).sparse(true))),
      OUTCOME(nn::Embedding(3, 2)(tensor({3}))), OUTCOME(nn::Embedding(3, 2)(tensor({-1}))), OUTCOME(nn::Embedding(3, 2)(tensor({1.0}))),
      OUTCOME(nn::Embedding(nn::EmbeddingOptions(3, 2)._weight(ones({2, 2})))), OUTCOME(nn::Embedding::from_pretrained(ones({3}))),
      OUTCOME(nn::Embedding(nn::EmbeddingOptions(3, 2).max_norm(-1))(tensor({1}))), OUTCOME(nn::Embedding(nn::EmbeddingOptions(3, 2).max_norm(kNan))(tensor({1}))),
      OUTCOME(embedding(ones({3}), tensor({0}))), OUTCOME(embedding(ones({3, 2}), tensor({0}), -1, false, true)),
      OUTCOME(nn::EmbeddingBag(nn::EmbeddingBagOptions(3, 2).mode(kNearest))), OUTCOME(nn::EmbeddingBag(3, 2)(tensor({1, 2}))),
      OUTCOME(nn::EmbeddingBag(3, 2)(tensor({1, 2}), tensor({1}))), OUTCOME(nn::EmbeddingBag(3, 2)(tensor({1, 2}), tensor({0, 3}))),
      OUTCOME(nn::EmbeddingBag(3, 2)(tensor({1, 2, 0}), tensor({0, 2, 1}))), OUTCOME(nn::EmbeddingBag(3, 2)(tensor({{1, 2}}), tensor({0}))),
      OUTCOME(nn::EmbeddingBag(3, 2)(tensor({{1, 2}}), Tensor(), ones({1, 2}))), OUTCOME(nn::EmbeddingBag(3, 2)(tensor({1, 7}), tensor({0}))),
      OUTCOME(nn::EmbeddingBag(nn::EmbeddingBagOptions(3, 2).mode(kMax).scale_grad_by_freq(true))(tensor({{1, 2}}))),
      OUTCOME(nn::EmbeddingBag(3, 2)(ones({2, 2}))), OUTCOME(nn::EmbeddingBag(nn::EmbeddingBagOptions(3, 2).include_last_offset(true))(tensor({1}), zeros({0}, kLong))),
      OUTCOME(nn::Dropout(1.5)), OUTCOME(nn::Dropout(-0.1)), OUTCOME(nn::Dropout(kNan)), OUTCOME(nn::Dropout2d(2.0)), OUTCOME(nn::AlphaDropout(-1.0)),
      OUTCOME(nn::Dropout1d()(ones({2, 3, 4, 5}))), OUTCOME(nn::Dropout2d()(ones({3}))), OUTCOME(nn::Dropout()(tensor({1, 2}))), OUTCOME(F::dropout(Tensor())),
      OUTCOME(nn::BatchNorm1d(-1)), OUTCOME(nn::BatchNorm1d(nn::BatchNorm1dOptions(3).eps(-1))), OUTCOME(nn::BatchNorm1d(nn::BatchNorm1dOptions(3).eps(kNan))),
      OUTCOME(nn::BatchNorm1d(nn::BatchNorm1dOptions(3).momentum(kNan))), OUTCOME(nn::BatchNorm1d(3)(ones({3}))), OUTCOME(nn::BatchNorm1d(3)(ones({2, 3, 4, 5}))),
      OUTCOME(nn::BatchNorm2d(3)(ones({2, 3}))), OUTCOME(nn::BatchNorm1d(3)(ones({2, 4}))), OUTCOME(nn::BatchNorm1d(3)(ones({1, 3}))), OUTCOME(nn::BatchNorm1d(3)(ones({2, 3}, kLong))),
      OUTCOME(nn::BatchNorm1d(3)(ones({2, 3}, kDouble))), OUTCOME(batch_norm(ones({2, 3}), std::nullopt, std::nullopt, std::nullopt, std::nullopt, false, 0.1, 1e-5)),
      OUTCOME(batch_norm(ones({2, 3}), std::nullopt, std::nullopt, ones({3}), std::nullopt, true, 0.1, 1e-5)),
      OUTCOME(nn::InstanceNorm1d(3)(ones({2, 3, 1}))), OUTCOME(nn::InstanceNorm2d(3)(ones({2, 3}))), OUTCOME(nn::InstanceNorm1d(nn::InstanceNorm1dOptions(3).affine(true))(ones({2, 4, 5}))),
      OUTCOME(nn::InstanceNorm1d(3)(Tensor())), OUTCOME(nn::LayerNorm(nn::LayerNormOptions(V{}))), OUTCOME(nn::LayerNorm(nn::LayerNormOptions({-2}))),
      OUTCOME(nn::LayerNorm(nn::LayerNormOptions({3}).eps(kNan))), OUTCOME(nn::LayerNorm(nn::LayerNormOptions({3}))(ones({2, 4}))),
      OUTCOME(nn::LayerNorm(nn::LayerNormOptions({2, 3}))(ones({3}))), OUTCOME(nn::LayerNorm(nn::LayerNormOptions({3}))(ones({2, 3}, kLong))),
      OUTCOME(layer_norm(ones({2, 3}), {3}, ones({2}))), OUTCOME(layer_norm(ones({2, 3}), {3}, ones({3}), ones({4}))), OUTCOME(layer_norm(Tensor(), {3})),
      OUTCOME(nn::RMSNorm(nn::RMSNormOptions({3}).eps(kNan))), OUTCOME(nn::RMSNorm(nn::RMSNormOptions({3}))(ones({2, 4}))), OUTCOME(rms_norm(ones({2, 3}), {})),
      OUTCOME(nn::GroupNorm(0, 4)), OUTCOME(nn::GroupNorm(3, 4)), OUTCOME(nn::GroupNorm(-2, 4)), OUTCOME(nn::GroupNorm(2, 4)(ones({2, 6, 3}))), OUTCOME(nn::GroupNorm(2, 4)(ones({4}))),
      OUTCOME(group_norm(ones({2, 4}), 3)), OUTCOME(nn::LocalResponseNorm(0)(ones({1, 2, 3}))), OUTCOME(nn::LocalResponseNorm(2)(ones({2, 3}))),
      OUTCOME(nn::LocalResponseNorm(nn::LocalResponseNormOptions(2).alpha(kNan))(ones({1, 2, 3}))), OUTCOME(nn::CrossMapLRN2d(3)(ones({2, 3, 4}))), OUTCOME(nn::CrossMapLRN2d(0)(ones({1, 2, 3, 4}))),
      OUTCOME(F::normalize(ones({2, 3}), F::NormalizeFuncOptions().dim(4))),
      OUTCOME(nn::Upsample()(ones({1, 1, 2}))), OUTCOME(nn::Upsample(nn::UpsampleOptions().size(V{2}).scale_factor(S{2}))(ones({1, 1, 2}))),
      OUTCOME(nn::Upsample(nn::UpsampleOptions().size(V{2, 2}))(ones({1, 1, 2}))), OUTCOME(nn::Upsample(nn::UpsampleOptions().size(V{0}))(ones({1, 1, 2}))),
      OUTCOME(nn::Upsample(nn::UpsampleOptions().size(V{-3}))(ones({1, 1, 2}))), OUTCOME(nn::Upsample(nn::UpsampleOptions().scale_factor(S{kNan}))(ones({1, 1, 2}))),
      OUTCOME(nn::Upsample(nn::UpsampleOptions().scale_factor(S{-1}))(ones({1, 1, 2}))), OUTCOME(nn::Upsample(nn::UpsampleOptions().scale_factor(S{0.1}))(ones({1, 1, 2}))),
      OUTCOME(nn::Upsample(nn::UpsampleOptions().scale_factor(S{1e300}))(ones({1, 1, 2}))), OUTCOME(nn::Upsample(nn::UpsampleOptions().size(V{2}).mode(kSum))(ones({1, 1, 2}))),
      OUTCOME(nn::Upsample(nn::UpsampleOptions().size(V{2}).mode(kBilinear))(ones({1, 1, 2}))), OUTCOME(nn::Upsample(nn::UpsampleOptions().size(V{2}).align_corners(true))(ones({1, 1, 2}))),
      OUTCOME(nn::Upsample(nn::UpsampleOptions().size(V{2}))(ones({2, 2}))), OUTCOME(nn::Upsample(nn::UpsampleOptions().size(V{2}).mode(kLinear))(ones({1, 1, 0}))),
      OUTCOME(F::interpolate(ones({1, 1, 4}), F::InterpolateFuncOptions().size(V{2}).antialias(true))),
      OUTCOME(F::grid_sample(ones({1, 1, 2, 2}), ones({2, 1, 1, 2}))), OUTCOME(F::grid_sample(ones({1, 1, 2, 2}), ones({1, 1, 1, 3}))), OUTCOME(F::grid_sample(ones({1, 2}), ones({1, 2}))),
      OUTCOME(F::grid_sample(ones({1, 1, 2, 2}), ones({1, 1, 1, 2}, kDouble))), OUTCOME(F::grid_sample(ones({1, 1, 2, 2}), ones({1, 1, 1, 2}), F::GridSampleFuncOptions().mode(kArea))),
      OUTCOME(F::grid_sample(ones({1, 1, 0, 2}), ones({1, 1, 1, 2}))), OUTCOME(F::affine_grid(ones({1, 2, 2}), {1, 1, 2, 2})), OUTCOME(F::affine_grid(ones({1, 2, 3}), {1, 1, 0, 2})),
      OUTCOME(F::affine_grid(ones({1, 2, 3}), {1, 1, 2})), OUTCOME(nn::PixelShuffle(2)(ones({3, 2, 2}))), OUTCOME(nn::PixelShuffle(0)(ones({4, 2, 2}))), OUTCOME(nn::PixelShuffle(2)(ones({4}))),
      OUTCOME(nn::PixelUnshuffle(2)(ones({1, 3, 2}))), OUTCOME(nn::PixelUnshuffle(-1)(ones({1, 2, 2}))), OUTCOME(nn::ChannelShuffle(3)(ones({1, 4, 2}))), OUTCOME(nn::ChannelShuffle(0)(ones({1, 4, 2}))),
      OUTCOME(nn::CosineSimilarity()(ones({2, 3}), ones({2, 4}))), OUTCOME(nn::CosineSimilarity()(ones({2, 3}, kLong), ones({2, 3}, kLong))), OUTCOME(nn::CosineSimilarity(nn::CosineSimilarityOptions().dim(3))(ones({2, 3}), ones({2, 3}))),
      OUTCOME(nn::PairwiseDistance()(ones({2, 3}), ones({2, 4}))), OUTCOME(F::pdist(ones({3}))), OUTCOME(F::pdist(ones({3, 2}), -1)),
  });
  set_warning_handler({});
}
// clang-format on

}  // namespace
}  // namespace taut

MODULE_CASES(nn_norm, taut::kCases)
