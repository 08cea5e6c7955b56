// Convolution, pooling and folding layers against PyTorch.
#include "support/module_case.h"

namespace taut::test {
namespace {

using namespace taut::nn;  // NOLINT: the list below would be all prefixes

const std::vector<ModuleCase> kCases = {
    CASE("nn.Conv1d(2, 3, 3)", "t(2, 2, 6)", Conv1d(2, 3, 3)),
    CASE("nn.Conv1d(4, 2, 2, stride=2, padding=1, dilation=2, groups=2, bias=False)", "t(4, 7)",
         Conv1d(Conv1dOptions(4, 2, 2).stride(2).padding(1).dilation(2).groups(2).bias(false))),
    CASE("nn.Conv1d(2, 3, 4, padding='same', padding_mode='circular')", "t(1, 2, 6)",
         Conv1d(Conv1dOptions(2, 3, 4).padding(kSame).padding_mode(kCircular))),
    CASE("nn.Conv2d(2, 4, 3, padding=1)", "t(1, 2, 4, 4)", Conv2d(Conv2dOptions(2, 4, 3).padding(1))),
    CASE("nn.Conv2d(2, 2, (2, 3), stride=(2, 1), padding=(0, 2), dilation=(2, 1))", "t(1, 2, 5, 4)",
         Conv2d(Conv2dOptions(2, 2, {2, 3}).stride({2, 1}).padding({0, 2}).dilation({2, 1}))),
    CASE("nn.Conv2d(3, 6, 3, padding=1, groups=3, bias=False)", "t(1, 3, 3, 4)",
         Conv2d(Conv2dOptions(3, 6, 3).padding(1).groups(3).bias(false))),
    CASE("nn.Conv2d(2, 3, 1)", "t(2, 2, 2, 3)", Conv2d(2, 3, 1)),
    CASE("nn.Conv2d(1, 2, (3, 2), padding='same')", "t(1, 1, 4, 4)",
         Conv2d(Conv2dOptions(1, 2, {3, 2}).padding(kSame))),
    CASE("nn.Conv2d(1, 2, 3, padding='valid')", "t(1, 4, 4)", Conv2d(Conv2dOptions(1, 2, 3).padding(kValid))),
    CASE("nn.Conv2d(1, 2, 3, padding=(1, 2), padding_mode='reflect')", "t(1, 1, 3, 4)",
         Conv2d(Conv2dOptions(1, 2, 3).padding({1, 2}).padding_mode(kReflect))),
    CASE("nn.Conv2d(1, 2, 3, padding=2, padding_mode='replicate')", "t(1, 1, 3, 3)",
         Conv2d(Conv2dOptions(1, 2, 3).padding(2).padding_mode(kReplicate))),
    CASE("nn.Conv2d(1, 2, (2, 3), padding='same', padding_mode='circular')", "t(1, 1, 4, 4)",
         Conv2d(Conv2dOptions(1, 2, {2, 3}).padding(kSame).padding_mode(kCircular))),
    CASE("nn.Conv3d(1, 2, 2)", "t(1, 1, 3, 3, 3)", Conv3d(1, 2, 2)),
    CASE("nn.Conv3d(2, 2, (1, 2, 3), stride=(1, 2, 1), padding=(0, 1, 1), groups=2)", "t(2, 2, 3, 4)",
         Conv3d(Conv3dOptions(2, 2, {1, 2, 3}).stride({1, 2, 1}).padding({0, 1, 1}).groups(2))),
    CASE("nn.ConvTranspose1d(2, 3, 3)", "t(2, 2, 4)", ConvTranspose1d(2, 3, 3)),
    CASE("nn.ConvTranspose1d(2, 4, 3, stride=3, padding=1, output_padding=2, groups=2, bias=False, dilation=2)",
         "t(1, 2, 3)",
         ConvTranspose1d(
             ConvTranspose1dOptions(2, 4, 3).stride(3).padding(1).output_padding(2).groups(2).bias(false).dilation(2))),
    CASE("nn.ConvTranspose2d(2, 3, 3, stride=2, padding=1, output_padding=1)", "t(1, 2, 3, 2)",
         ConvTranspose2d(ConvTranspose2dOptions(2, 3, 3).stride(2).padding(1).output_padding(1))),
    CASE_CALL("nn.ConvTranspose2d(1, 2, 3, stride=2, padding=1)", "m(x[0], output_size=[6, 5])", "t(1, 1, 3, 3)",
              ConvTranspose2d(ConvTranspose2dOptions(1, 2, 3).stride(2).padding(1)),
              [](auto& m, const Tensors& x) {
                return m(x[0], std::optional<IntArrayRef>({6, 5}));
              }),
    CASE("nn.ConvTranspose3d(1, 2, 2, stride=(1, 2, 2))", "t(1, 1, 2, 2, 2)",
         ConvTranspose3d(ConvTranspose3dOptions(1, 2, 2).stride({1, 2, 2}))),

    CASE("nn.MaxPool1d(3)", "t(2, 2, 7)", MaxPool1d(3)),
    CASE("nn.MaxPool1d(3, stride=2, padding=1, dilation=2, ceil_mode=True)", "t(2, 8)",
         MaxPool1d(MaxPool1dOptions(3).stride(2).padding(1).dilation(2).ceil_mode(true))),
    CASE("nn.MaxPool2d(2)", "t(1, 2, 4, 5)", MaxPool2d(2)),
    CASE("nn.MaxPool2d((3, 2), stride=(2, 1), padding=(1, 0))", "t(1, 5, 5)",
         MaxPool2d(MaxPool2dOptions({3, 2}).stride({2, 1}).padding({1, 0}))),
    CASE_CALL("nn.MaxPool2d(2, return_indices=True)", "m(x[0])", "t(1, 2, 4, 4)", MaxPool2d(2),
              [](auto& m, const Tensors& x) { return m->forward_with_indices(x[0]); }),
    CASE("nn.MaxPool3d((1, 2, 2), ceil_mode=True)", "t(1, 1, 2, 3, 5)",
         MaxPool3d(MaxPool3dOptions({1, 2, 2}).ceil_mode(true))),
    CASE("nn.AvgPool1d(2)", "t(2, 2, 5)", AvgPool1d(2)),
    CASE("nn.AvgPool1d(3, stride=2, padding=1, ceil_mode=True, count_include_pad=False)", "t(2, 6)",
         AvgPool1d(AvgPool1dOptions(3).stride(2).padding(1).ceil_mode(true).count_include_pad(false))),
    CASE("nn.AvgPool2d(2)", "t(1, 2, 4, 5)", AvgPool2d(2)),
    CASE("nn.AvgPool2d((3, 2), stride=(2, 1), padding=1, ceil_mode=True)", "t(1, 4, 4)",
         AvgPool2d(AvgPool2dOptions({3, 2}).stride({2, 1}).padding({1, 1}).ceil_mode(true))),
    CASE("nn.AvgPool2d(3, stride=1, padding=1, divisor_override=2)", "t(1, 1, 3, 3)",
         AvgPool2d(AvgPool2dOptions(3).stride(1).padding(1).divisor_override(2))),
    CASE("nn.AvgPool3d(2, padding=1, count_include_pad=False)", "t(1, 1, 2, 3, 3)",
         AvgPool3d(AvgPool3dOptions(2).padding(1).count_include_pad(false))),
    CASE("nn.AdaptiveAvgPool1d(3)", "t(1, 2, 7)", AdaptiveAvgPool1d(3)),
    CASE("nn.AdaptiveAvgPool2d((3, None))", "t(1, 2, 5, 2)",
         AdaptiveAvgPool2d(AdaptiveAvgPool2dOptions({3, std::nullopt}))),
    CASE("nn.AdaptiveAvgPool2d(1)", "t(1, 2, 3, 4)", AdaptiveAvgPool2d(1)),
    CASE("nn.AdaptiveAvgPool3d((2, 1, 3))", "t(1, 1, 3, 2, 4)", AdaptiveAvgPool3d(AdaptiveAvgPool3dOptions({2, 1, 3}))),
    CASE("nn.AdaptiveMaxPool1d(3)", "t(1, 2, 7)", AdaptiveMaxPool1d(3)),
    CASE("nn.AdaptiveMaxPool2d((None, 2))", "t(1, 2, 3, 5)",
         AdaptiveMaxPool2d(AdaptiveMaxPool2dOptions({std::nullopt, 2}))),
    CASE_CALL("nn.AdaptiveMaxPool2d(2, return_indices=True)", "m(x[0])", "t(1, 1, 3, 4)", AdaptiveMaxPool2d(2),
              [](auto& m, const Tensors& x) { return m->forward_with_indices(x[0]); }),
    CASE("nn.AdaptiveMaxPool3d(2)", "t(1, 1, 3, 4, 2)", AdaptiveMaxPool3d(2)),
    CASE("nn.MaxUnpool1d(2)", "t(1, 2, 3), c([[[0, 3, 5], [1, 2, 4]]])", MaxUnpool1d(2)),
    CASE("nn.MaxUnpool2d(2, stride=2)", "t(1, 1, 2, 2), c([[[[0, 3], [9, 14]]]])",
         MaxUnpool2d(MaxUnpool2dOptions(2).stride(2))),
    CASE_CALL("nn.MaxUnpool2d(2)", "m(x[0], x[1], output_size=[1, 1, 5, 5])", "t(1, 1, 2, 2), c([[[[0, 3], [9, 14]]]])",
              MaxUnpool2d(2),
              [](auto& m, const Tensors& x) { return m(x[0], x[1], std::vector<int64_t>{1, 1, 5, 5}); }),
    CASE("nn.MaxUnpool3d(2, stride=(2, 2, 1), padding=(0, 0, 0))", "t(1, 1, 1, 2, 2), c([[[[[0, 4], [9, 14]]]]])",
         MaxUnpool3d(MaxUnpool3dOptions(2).stride({2, 2, 1}))),
    CASE("nn.FractionalMaxPool2d((2, 3), output_size=(3, 2))", "t(2, 2, 5, 6)",
         FractionalMaxPool2d(FractionalMaxPool2dOptions({2, 3}).output_size(ExpandingArray<2>({3, 2})))),
    CASE("nn.FractionalMaxPool2d(2, output_ratio=0.6)", "t(2, 5, 6)",
         FractionalMaxPool2d(FractionalMaxPool2dOptions(2).output_ratio(ExpandingArray<2, double>(0.6)))),
    CASE_CALL("nn.FractionalMaxPool3d(2, output_size=(2, 2, 3), return_indices=True)", "m(x[0])", "t(1, 1, 4, 4, 5)",
              FractionalMaxPool3d(FractionalMaxPool3dOptions(2).output_size(ExpandingArray<3>({2, 2, 3}))),
              [](auto& m, const Tensors& x) { return m->forward_with_indices(x[0]); }),
    CASE("nn.LPPool1d(2, 3, stride=2)", "t(1, 2, 7)", LPPool1d(LPPool1dOptions(2, 3).stride(2))),
    CASE("nn.LPPool2d(3, (2, 3), ceil_mode=True)", "p(1, 1, 4, 5)",
         LPPool2d(LPPool2dOptions(3, {2, 3}).ceil_mode(true))),
    CASE("nn.LPPool3d(1.5, 2)", "p(1, 1, 2, 4, 4)", LPPool3d(1.5, 2)),
    CASE("nn.Fold((4, 5), (2, 3), dilation=1, padding=1, stride=2)", "t(1, 12, 9)",
         Fold(FoldOptions({4, 5}, {2, 3}).padding(1).stride(2))),
    CASE("nn.Unfold((2, 3), dilation=(1, 2), padding=2)", "t(1, 2, 3, 3)",
         Unfold(UnfoldOptions({2, 3}).dilation({1, 2}).padding(2))),
};

TEST(ConvModules, AreInitialisedWithinTheBoundOfTheirFan) {
  manual_seed(3);
  const Conv2d m(Conv2dOptions(8, 16, 3).groups(2));
  EXPECT_LE(m->weight.abs().max().item<double>(), 1.0 / 6);
  EXPECT_GT(m->weight.abs().max().item<double>(), 0.9 / 6);
  EXPECT_LE(m->bias.abs().max().item<double>(), 1.0 / 6);
}

TEST(ConvModules, CloneHasParametersOfItsOwn) {
  Conv2d m(2, 3, 2);
  const auto copy = std::dynamic_pointer_cast<Conv2dImpl>(m->clone());
  ASSERT_TRUE(copy);
  EXPECT_TRUE(copy->weight.equal(m->weight));
  {
    NoGradGuard no_grad;
    m->weight.zero_();
  }
  EXPECT_FALSE(copy->weight.equal(m->weight));
}

TEST(ConvModules, WorkInASequential) {
  Sequential net(Conv2d(Conv2dOptions(1, 2, 3).padding(1)), MaxPool2d(2), ConvTranspose2d(2, 1, 2),
                 AdaptiveAvgPool2d(2));
  EXPECT_EQ(net->forward(ones({3, 1, 4, 4})).sizes(), IntArrayRef({3, 1, 2, 2}));
}

TEST(ConvModules, RefuseBadOptions) {
  EXPECT_THROW(Conv2d(0, 2, 3), ValueError);
  EXPECT_THROW(Conv2d(2, -1, 3), ValueError);
  EXPECT_THROW(Conv2d(2, 2, 0), ValueError);
  EXPECT_THROW(Conv2d(Conv2dOptions(2, 2, 3).groups(0)), ValueError);
  EXPECT_THROW(Conv2d(Conv2dOptions(3, 2, 3).groups(2)), ValueError);
  EXPECT_THROW(Conv2d(Conv2dOptions(2, 3, 3).groups(2)), ValueError);
  EXPECT_THROW(Conv2d(Conv2dOptions(2, 2, 3).stride(0)), ValueError);
  EXPECT_THROW(Conv2d(Conv2dOptions(2, 2, 3).dilation(0)), ValueError);
  EXPECT_THROW(Conv2d(Conv2dOptions(2, 2, 3).padding(-1)), ValueError);
  EXPECT_THROW(Conv2d(Conv2dOptions(2, 2, 3).padding(kSame).stride(2)), ValueError);
  EXPECT_THROW(Conv2d(Conv2dOptions(2, 2, 3).padding(kMean)), ValueError);
  EXPECT_THROW(Conv2d(Conv2dOptions(2, 2, 3).padding_mode(kBorder)), ValueError);
  EXPECT_THROW(ConvTranspose2d(ConvTranspose2dOptions(2, 2, 3).padding_mode(kReflect)), ValueError);
  EXPECT_THROW(ConvTranspose2d(2, 2, 3)->forward(ones({1, 2, 3, 3}), IntArrayRef({9, 9})), ValueError);
  EXPECT_THROW(ConvTranspose2d(2, 2, 3)->forward(ones({1, 2, 3, 3}), IntArrayRef({5})), ValueError);
  EXPECT_THROW(FractionalMaxPool2d(2), ValueError);
  EXPECT_THROW(FractionalMaxPool2d(FractionalMaxPool2dOptions(2).output_ratio(ExpandingArray<2, double>(1.5))),
               ValueError);
  EXPECT_THROW(
      FractionalMaxPool2d(
          FractionalMaxPool2dOptions(2).output_ratio(ExpandingArray<2, double>(0.5)).output_size(ExpandingArray<2>(2))),
      ValueError);
  EXPECT_THROW(LPPool2d(0, 2)->forward(ones({1, 4, 4})), ValueError);
  EXPECT_THROW(MaxUnpool2d(2)->forward(ones({1, 1, 2, 2}), zeros({1, 1, 2, 2}, kLong), std::vector<int64_t>{9, 9}),
               ValueError);
}

}  // namespace
}  // namespace taut::test

using taut::test::kCases;
MODULE_CASES(nn_conv, kCases)
