// Views and rearrangements beyond what the sweep over the registry sees: shared memory, in-place shapes, writes through
// views, names in the graph, and bad arguments.
#include <gtest/gtest.h>

#include <climits>

#include "taut/taut.h"

namespace taut {
namespace {

using autograd::gradcheck;
using autograd::gradgradcheck;
using autograd::variable_list;

constexpr int64_t kHuge = INT64_MAX, kTiny = INT64_MIN;

std::vector<double> values(const Tensor& t) {
  const Tensor d = t.detach().to(kDouble).contiguous();
  return {d.data_ptr<double>(), d.data_ptr<double>() + d.numel()};
}
using V = std::vector<double>;
using Shape = std::vector<int64_t>;
Shape shape(const Tensor& t) { return t.sizes().vec(); }
Shape strides(const Tensor& t) { return t.strides().vec(); }
/// 0, 1, 2, ...
Tensor counted(IntArrayRef sizes, ScalarType dtype = kDouble) {
  const Tensor t = empty(sizes, kDouble);
  for (int64_t i = 0; i < t.numel(); ++i) t.data_ptr<double>()[i] = static_cast<double>(i);
  return t.to(dtype);
}
Tensor leaf(IntArrayRef sizes) {
  Tensor t = counted(sizes) * 0.37 + 0.11;
  return t.sin().detach().requires_grad_();
}
std::string made_by(const Tensor& t) { return t.grad_fn() ? t.grad_fn()->name() : "none"; }
bool check_both(const std::function<variable_list(const variable_list&)>& f, const variable_list& x) {
  return gradcheck(f, x) && gradgradcheck(f, x);
}

// ---- Memory and geometry.

TEST(Views, ShareMemoryWithTheirBase) {
  const Tensor x = counted({2, 3, 4});
  const Tensor y = x.transpose(0, 2).select(1, 2).unsqueeze(0).narrow(1, 1, 2);
  EXPECT_TRUE(y.is_alias_of(x));
  EXPECT_TRUE(y.is_view());
  EXPECT_TRUE(y._base().is_same(x));
  y.fill_(-1);
  EXPECT_EQ(values(x.sum()), V{24 * 23 / 2 - (9 + 10 + 21 + 22) - 4.0});
}

TEST(Views, HaveTheStridesOfPyTorch) {
  const Tensor x = counted({2, 3, 4});
  EXPECT_EQ(strides(x.transpose(0, 1).reshape({3, 2, 2, 2})), (Shape{4, 12, 2, 1}));
  EXPECT_EQ(strides(x.expand({5, 2, 3, 4})), (Shape{0, 12, 4, 1}));
  EXPECT_EQ(strides(counted({3}).expand({1, 3})), (Shape{3, 1}));
  EXPECT_EQ(strides(counted({1, 3}).expand({0, 3})), (Shape{0, 1}));
  EXPECT_EQ(strides(x.diagonal(1, 0, -1)), (Shape{4, 13}));
  EXPECT_EQ(strides(x.unfold(2, 2, 1)), (Shape{12, 4, 1, 1}));
  EXPECT_EQ(strides(x.unsqueeze(0)), (Shape{24, 12, 4, 1}));
  EXPECT_EQ(strides(x.rot90(-1)), (Shape{4, 12, 1}));
}

TEST(Views, ReshapeCopiesOnlyWhenStridesDemandIt) {
  const Tensor x = counted({2, 3, 4});
  EXPECT_TRUE(x.transpose(0, 1).reshape({3, 2, 2, 2}).is_alias_of(x));
  const Tensor copy = x.transpose(0, 1).reshape({-1});
  EXPECT_FALSE(copy.is_alias_of(x));
  EXPECT_FALSE(copy.is_view());
  EXPECT_EQ(values(copy), values(x.transpose(0, 1)));
  EXPECT_TRUE(x.expand({2, 3, 4}).reshape({6, 4}).is_alias_of(x));
  EXPECT_EQ(shape(zeros({0, 3}).view({-1, 3})), (Shape{0, 3}));
}

TEST(Views, DtypeReinterpretationChangesTheLastDimension) {
  const Tensor x = tensor({1.0, 2.0, 3.0, 4.0}, kFloat);
  const Tensor bits = x.view(kInt);
  EXPECT_EQ(values(bits), (V{1065353216, 1073741824, 1077936128, 1082130432}));
  EXPECT_EQ(shape(x.view(kByte)), (Shape{16}));
  EXPECT_EQ(shape(x.view(kDouble)), (Shape{2}));
  bits.zero_();
  EXPECT_EQ(values(x), (V{0, 0, 0, 0}));
  EXPECT_TRUE(x.view(kFloat).is_same(x));
  EXPECT_FALSE(leaf({2}).view(kLong).requires_grad());
  EXPECT_THROW(counted({3}, kFloat).view(kDouble), Error);
  EXPECT_THROW(counted({}, kFloat).view(kByte), Error);
  EXPECT_THROW(counted({2, 4}, kFloat).t().view(kHalf), Error);
  EXPECT_THROW(counted({2, 3}, kFloat).narrow(1, 1, 2).view(kDouble), Error);
}

TEST(Views, SliceFollowsPythonsRules) {
  const Tensor x = counted({7});
  EXPECT_EQ(values(x.slice(0, -3)), (V{4, 5, 6}));
  EXPECT_EQ(values(x.slice(0, 1, -1, 2)), (V{1, 3, 5}));
  EXPECT_EQ(values(x.slice(0, kTiny, kHuge, 3)), (V{0, 3, 6}));
  EXPECT_EQ(values(x.slice(0, 5, 2)), V{});
  EXPECT_EQ(values(x.slice(0, 2, kHuge, kHuge)), V{2});
}

TEST(Views, BracketIsSelectAndCanBeAssigned) {
  const Tensor x = counted({2, 3});
  EXPECT_EQ(values(x[-1]), (V{3, 4, 5}));
  x[0] = tensor({7.0, 8.0, 9.0}, kDouble);
  EXPECT_EQ(values(x), (V{7, 8, 9, 3, 4, 5}));
  EXPECT_THROW(x[2], IndexError);
  EXPECT_THROW(counted({})[0], IndexError);
}

TEST(Views, NothingToDoReturnsTheSameTensor) {
  const Tensor x = counted({2, 3});
  EXPECT_TRUE(atleast_2d(x).is_same(x));
  EXPECT_TRUE(x.flatten(1).is_same(x));
  EXPECT_TRUE(broadcast_tensors({x, counted({3})})[0].is_same(x));
}

// ---- The graph.

TEST(ViewGraph, NodesHaveTheNamesOfPyTorch) {
  const Tensor x = leaf({2, 3, 4});
  const std::pair<const char*, Tensor> cases[] = {
      {"ViewBackward0", x.view({6, 4})},
      {"ViewBackward0", x.reshape({-1})},
      {"ReshapeAliasBackward0", x.transpose(0, 1).reshape({3, 2, 2, 2})},
      {"UnsafeViewBackward0", x.transpose(0, 1).reshape({-1})},
      {"SqueezeBackward0", x.squeeze()},
      {"SqueezeBackward1", x.squeeze(0)},
      {"SqueezeBackward2", x.squeeze(IntArrayRef{0, 1})},
      {"UnsqueezeBackward0", x.unsqueeze(0)},
      {"TransposeBackward0", x.mT()},
      {"TBackward0", x[0].t()},
      {"PermuteBackward0", x[0].T()},
      {"PermuteBackward0", x.movedim(0, 1)},
      {"ExpandBackward0", x.broadcast_to({5, 2, 3, 4})},
      {"SliceBackward0", x.narrow(1, 0, 2)},
      {"SelectBackward0", x[0]},
      {"SplitBackward0", x.chunk(2)[0]},
      {"SplitWithSizesBackward0", x.split({1, 1})[1]},
      {"SliceBackward0", x.tensor_split(2)[0]},
      {"UnbindBackward0", x.unbind()[1]},
      {"DiagonalBackward0", x.diagonal()},
      {"AsStridedBackward0", x.as_strided({2, 2}, {1, 1})},
      {"UnfoldBackward0", x.unfold(2, 2, 1)},
      {"SelectScatterBackward0", x.select_scatter(x[0], 0, 1)},
      {"AsStridedScatterBackward0", x.as_strided_scatter(x[0], {3, 4}, {4, 1})},
      {"CatBackward0", cat({x, x})},
      {"StackBackward0", stack({x, x})},
      {"RepeatBackward0", x.tile({2})},
      {"FlipBackward0", x.flip({0})},
      {"RollBackward0", x.roll({1})},
      {"Rot90Backward0", x.rot90()},
      {"TrilBackward0", x.tril()},
      {"TriuBackward0", x.triu()},
      {"DiagonalBackward0_copy", x[0].diag()},
      {"DiagEmbedBackward0", x.diag_embed()},
      {"BlockDiagBackward0", block_diag({x[0], x[1]})},
      {"ConstantPadNdBackward0", pad(x, {1, 1})},
      {"ReflectionPad1DBackward0", pad(x, {1, 1}, "reflect")},
      {"ReplicationPad2DBackward0", pad(x, {1, 1, 0, 1}, "replicate")},
  };
  for (const auto& [name, y] : cases) EXPECT_EQ(made_by(y), name);
}

TEST(ViewGraph, GradientsOfOverlappingStridesAreSummed) {
  const Tensor x = leaf({6});
  const Tensor y = x.as_strided({4, 3}, {1, 1});
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), (V{1, 2, 3, 3, 2, 1}));
  const auto f = [](const variable_list& v) {
    return variable_list{v[0].as_strided({3, 2, 2}, {2, 1, 1}).pow(2), v[0].as_strided({2, 3}, {1, 0}, 1).pow(3)};
  };
  EXPECT_TRUE(check_both(f, {leaf({8})}));
}

TEST(ViewGraph, AsStridedOfATransposedOrExpandedInputGoesBackToItsElements) {
  const auto f = [](const variable_list& v) {
    const Tensor t = (v[0] * 2).t();
    return variable_list{t.as_strided({2, 2}, {1, 3}, 1).pow(2)};
  };
  EXPECT_TRUE(check_both(f, {leaf({2, 3})}));
  const Tensor x = leaf({2});
  (x * 3).unsqueeze(1).expand({2, 4}).as_strided({2}, {1}).sum().backward();
  EXPECT_EQ(values(x.grad()), (V{3, 3}));
}

TEST(ViewGraph, UnfoldSumsOverlappingWindowsHoweverItLoops) {
  for (const auto& [size, step] : {std::pair<int64_t, int64_t>{3, 1}, {6, 1}, {4, 2}, {2, 3}}) {
    const auto f = [size = size, step = step](const variable_list& v) {
      return variable_list{v[0].unfold(1, size, step).pow(2)};
    };
    EXPECT_TRUE(check_both(f, {leaf({2, 7})}));
  }
}

TEST(ViewGraph, UnusedPiecesOfASplitCountAsZero) {
  const Tensor x = leaf({5});
  const auto pieces = x.split({2, 2, 1});
  (pieces[1] * 2).sum().backward();
  EXPECT_EQ(values(x.grad()), (V{0, 0, 2, 2, 0}));
  const Tensor y = leaf({3, 2});
  y.unbind()[1].sum().backward();
  EXPECT_EQ(values(y.grad()), (V{0, 0, 1, 1, 0, 0}));
}

TEST(ViewGraph, CatCastsGradientsToEachInput) {
  const Tensor a = counted({2}, kFloat).requires_grad_(), b = counted({2}, kDouble).requires_grad_(),
               none = zeros({0}).requires_grad_();
  const Tensor y = cat({a, none, b, counted({1}, kLong)});
  EXPECT_EQ(y.scalar_type(), kDouble);
  (y * tensor({1.0, 2.0, 3.0, 4.0, 5.0}, kDouble)).sum().backward();
  EXPECT_EQ(a.grad().scalar_type(), kFloat);
  EXPECT_EQ(values(a.grad()), (V{1, 2}));
  EXPECT_EQ(values(b.grad()), (V{3, 4}));
}

// ---- Shapes changed in place.

TEST(InPlaceShape, TakesTheViewsShapeAndHistory) {
  const Tensor x = leaf({2, 1, 3});
  Tensor y = x.clone();
  y.squeeze_(1);
  EXPECT_EQ(made_by(y), "SqueezeBackward4");
  y.t_();
  EXPECT_EQ(made_by(y), "TBackward1");
  y.unsqueeze_(0);
  EXPECT_EQ(made_by(y), "UnsqueezeBackward1");
  y.transpose_(0, 2);
  EXPECT_EQ(made_by(y), "TransposeBackward1");
  EXPECT_EQ(shape(y), (Shape{2, 3, 1}));
  EXPECT_EQ(y._version(), 4u);
  EXPECT_FALSE(y.is_view());
  (y * counted({2, 3, 1})).sum().backward();
  EXPECT_EQ(values(x.grad()), (V{0, 1, 2, 3, 4, 5}));
}

TEST(InPlaceShape, OfATensorOutsideTheGraphIsPlain) {
  Tensor x = counted({2, 3});
  x.t_();
  EXPECT_EQ(shape(x), (Shape{3, 2}));
  EXPECT_EQ(values(x), (V{0, 3, 1, 4, 2, 5}));
  EXPECT_FALSE(x.is_contiguous());
  x.as_strided_({2}, {2}, 1);
  EXPECT_EQ(values(x), (V{1, 3}));
}

TEST(InPlaceShape, IsForbiddenOnLeavesAndTheirViewsAndOnPiecesOfASplit) {
  Tensor x = leaf({2, 3});
  EXPECT_THROW(x.t_(), Error);
  Tensor row = x[0];
  EXPECT_THROW(row.unsqueeze_(0), Error);
  Tensor piece = (x * 2).unbind()[0];
  EXPECT_THROW(piece.unsqueeze_(0), Error);
  EXPECT_EQ(shape(x), (Shape{2, 3}));
  EXPECT_EQ(shape(piece), Shape{3});
}

TEST(InPlaceShape, OfALeafUnderNoGradKeepsItsGradientsRight) {
  Tensor x = leaf({2, 3});
  x.sum().backward();
  {
    NoGradGuard guard;
    x.t_();
  }
  x.mutable_grad().reset();
  (x * counted({3, 2})).sum().backward();
  EXPECT_EQ(values(x.grad()), (V{0, 1, 2, 3, 4, 5}));
}

TEST(InPlaceShape, ASavedTensorIsNoticed) {
  const Tensor x = leaf({2, 3});
  Tensor y = x.exp();
  y.transpose_(0, 1);
  EXPECT_THROW(y.sum().backward(), Error);
}

TEST(InPlaceShape, OfAViewLeavesItsBaseAlone) {
  const Tensor x = leaf({2, 3, 2});
  const Tensor base = x.clone();
  Tensor y = base[1];
  y.t_();
  EXPECT_EQ(made_by(y), "TBackward1");
  EXPECT_EQ(made_by(base), "CloneBackward0");
  y.mul_(counted({2, 3}));  // a write through the view in its new shape
  EXPECT_EQ(made_by(base), "CopySlices");
  base.sum().backward();
  EXPECT_EQ(values(x.grad()), (V{1, 1, 1, 1, 1, 1, 0, 3, 1, 4, 2, 5}));
}

// ---- Writes through views.

TEST(WritesThroughViews, AreSeenByTheBaseAndByOtherViews) {
  const Tensor x = leaf({3, 2});
  const Tensor base = x.clone(), other = base.t();
  base[1].mul_(5);
  EXPECT_EQ(made_by(base), "CopySlices");
  EXPECT_EQ(made_by(other), "AsStridedBackward0");
  other.sum().backward();
  EXPECT_EQ(values(x.grad()), (V{1, 1, 5, 5, 1, 1}));
}

TEST(WritesThroughViews, OfABaseOutsideTheGraphBringItIn) {
  const Tensor x = leaf({2}), base = zeros({3, 2}, kDouble);
  base[0] = x * 2;
  base.select(1, 1).add_(x.sum());
  EXPECT_TRUE(base.requires_grad());
  base.sum().backward();
  EXPECT_EQ(values(x.grad()), (V{5, 5}));
}

TEST(WritesThroughViews, AreDifferentiableTwice) {
  const auto write = [](const Tensor& base, const Tensor& v) {
    base.slice(0, 0, 3, 2).mul_(v);
    base.diagonal().add_(v * v);
    base.t().select(0, 1).pow_(2);
    return base * base;
  };
  EXPECT_TRUE(check_both([&](const variable_list& x) { return variable_list{write(x[0] * 1, x[1])}; },
                         {leaf({3, 2}), leaf({2})}));
  // A base whose own memory is not in row order.
  const auto transposed = [&](const variable_list& x) {
    Tensor base = x[0] * 1;
    base.t_();
    return variable_list{write(base, x[1])};
  };
  EXPECT_TRUE(check_both(transposed, {leaf({2, 3}), leaf({2})}));
}

TEST(WritesThroughViews, KeepTheRestOfABaseWithGaps) {
  const auto f = [](const variable_list& x) {
    Tensor base = x[0] * 1;
    base.as_strided_({2, 2}, {4, 2}, 1);  // every second element of each row, gaps between
    base[1].mul_(x[1]);
    return variable_list{base, base.t() * 3};
  };
  EXPECT_TRUE(check_both(f, {leaf({2, 4}), leaf({2})}));
}

TEST(WritesThroughViews, CastTheValue) {
  using namespace indexing;
  Tensor x = zeros({2, 3});
  x.index_put_({0}, tensor({1, 2, 3}));
  x.index_put_({Slice(1, None), "..."}, tensor({true, false, true}));
  EXPECT_EQ(values(x), (V{1, 2, 3, 1, 0, 1}));
  Tensor whole = zeros({2}, kLong);
  whole.index_put_({"..."}, tensor({1.5, -2.5}));
  EXPECT_EQ(values(whole), (V{1, -2}));
  x.index_put_({true}, tensor({4, 5, 6}));
  x.index_put_({false}, tensor({7, 8}));
  EXPECT_EQ(values(x), (V{4, 5, 6, 4, 5, 6}));
}

TEST(WritesThroughViews, MayCopyAPartToTheWhole) {
  using namespace indexing;
  Tensor x = counted({2, 3});
  x.index_put_({1}, x[1][0]);
  x.index_put_({Slice(), Slice(1, None)}, x[0].index({Slice(0, 2)}));
  EXPECT_EQ(values(x), (V{0, 0, 1, 3, 0, 1}));
  x.index_put_({Slice()}, x[1]);
  EXPECT_EQ(values(x), (V{3, 0, 1, 3, 0, 1}));
}

TEST(WritesThroughViews, OfAnExpandedTensorMayWriteOneElement) {
  const Tensor x = zeros({3}).expand({2, 3});
  x.index_put_({0, 1}, 5);
  x.index_put_({tensor({1}), tensor({0})}, 6);
  EXPECT_EQ(values(x), (V{6, 5, 0, 6, 5, 0}));
  EXPECT_THROW(x.index_put_({indexing::Slice()}, 1), Error);
}

TEST(WritesThroughViews, TakeZeroDimensionalTensorsAsNumbersAndMasks) {
  Tensor x = counted({2, 3});
  EXPECT_TRUE(x.index({tensor(1)}).is_view());
  EXPECT_EQ(shape(x.index({tensor(1, kByte)})), (Shape{1, 2, 3}));
  EXPECT_EQ(shape(x.index({tensor(0, kByte)})), (Shape{0, 2, 3}));
  x.index_put_({tensor(1, kByte), 0}, 7);
  x.index_put_({tensor(1)}, tensor({1, 2, 3}));
  EXPECT_EQ(values(x), (V{7, 7, 7, 1, 2, 3}));
}

TEST(WritesThroughViews, InPiecesAreForbidden) {
  const Tensor y = leaf({4}) * 2;
  EXPECT_THROW(y.chunk(2)[0].mul_(2), Error);
  EXPECT_THROW(y.expand({2, 4}).mul_(2), Error);
  Tensor quiet;
  {
    NoGradGuard guard;
    quiet = y[0];
  }
  EXPECT_THROW(quiet.mul_(2), Error);
}

// ---- Out of the graph.

TEST(Detach, SharesMemoryAndVersionButNoGraph) {
  const Tensor x = leaf({3});
  const Tensor y = x.exp(), d = y.detach();
  EXPECT_FALSE(d.requires_grad());
  EXPECT_FALSE(d.is_view());
  d.mul_(2);
  EXPECT_EQ(y._version(), 1u);
  EXPECT_THROW(y.sum().backward(), Error);
  try {
    d.sum().backward();
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("detach"), std::string::npos) << e.what();
  }
}

TEST(Detach, DataIsNotNoticed) {
  const Tensor x = leaf({3});
  const Tensor y = x.exp();
  y.data().fill_(2);
  EXPECT_EQ(y._version(), 0u);
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), (V{2, 2, 2}));
}

TEST(Detach, InPlaceMakesALeafAndRefusesViews) {
  const Tensor x = leaf({3});
  const Tensor y = x * 2;
  y.detach_();
  EXPECT_TRUE(y.is_leaf());
  EXPECT_FALSE(y.requires_grad());
  EXPECT_THROW((x * 2)[0].detach_(), Error);
}

// ---- Joining and rearranging.

TEST(Joining, PromotesAndSkipsEmptyVectors) {
  EXPECT_EQ(cat({zeros({0}), counted({2, 3}, kLong)}).scalar_type(), kFloat);
  EXPECT_EQ(shape(cat({zeros({0}), counted({2, 3, 4})}, 2)), (Shape{2, 3, 4}));
  EXPECT_EQ(shape(cat({zeros({0}), zeros({0})}, 1)), Shape{0});
  EXPECT_EQ(stack({counted({}, kLong), counted({}, kFloat)}).scalar_type(), kFloat);
  EXPECT_EQ(shape(block_diag({})), (Shape{1, 0}));
}

TEST(Joining, DoesNotAliasItsInputs) {
  const Tensor x = counted({3});
  for (const Tensor& y :
       {cat({x}), x.repeat({1}), x.flip(IntArrayRef{}), x.roll({3}), pad(x, IntArrayRef{}), counted({2, 2}).rot90(4)})
    EXPECT_FALSE(y.is_alias_of(x) || y.is_view());
}

TEST(Joining, CatOfAnyLayoutIsACopyInOrder) {
  const Tensor a = counted({3, 2}).t(), b = counted({2, 1}).expand({2, 3});
  EXPECT_EQ(values(cat({a, b}, 1)), (V{0, 2, 4, 0, 0, 0, 1, 3, 5, 1, 1, 1}));
  EXPECT_EQ(values(cat({a, b.to(kHalf), b.to(kInt)}, 0)), (V{0, 2, 4, 1, 3, 5, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1}));
}

TEST(Padding, ReadsTheBorderThatPyTorchReads) {
  const Tensor x = counted({1, 4});
  EXPECT_EQ(values(pad(x, {2, 3}, "reflect")), (V{2, 1, 0, 1, 2, 3, 2, 1, 0}));
  EXPECT_EQ(values(pad(x, {1, 2}, "replicate")), (V{0, 0, 1, 2, 3, 3, 3}));
  EXPECT_EQ(values(pad(x, {4, 1}, "circular")), (V{0, 1, 2, 3, 0, 1, 2, 3, 0}));
  EXPECT_EQ(values(pad(x, {-1, 2}, "reflect")), (V{1, 2, 3, 2, 1}));
  EXPECT_EQ(values(pad(x, {-1, 1}, "constant", 9.0)), (V{1, 2, 3, 9}));
  EXPECT_EQ(values(pad(counted({2}, kLong), {1, 0}, "constant", 2.5)), (V{2, 0, 1}));
}

TEST(Triangles, InPlaceAreRecorded) {
  const Tensor x = leaf({2, 2});
  Tensor y = x * 3;
  y.tril_();
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), (V{3, 0, 3, 3}));
  Tensor b = ones({2, 2}, kBool);
  b.triu_(1);
  EXPECT_EQ(values(b), (V{0, 1, 0, 0}));
}

TEST(ForwardMode, TangentsFollowViewsWhateverTheirLayout) {
  const Tensor x = counted({2, 3}), t = counted({3, 2}).t();
  const auto [y, dy] = autograd::jvp(
      [](const variable_list& v) {
        return variable_list{v[0].view({-1}), v[0].as_strided({2, 2}, {1, 3}, 1), cat({v[0], v[0][0].unsqueeze(0)}),
                             v[0].unfold(1, 2, 1), pad(v[0], {1, 0}, "constant", 5.0)};
      },
      {x}, {t});
  EXPECT_EQ(values(dy[0]), values(t));
  EXPECT_EQ(values(dy[1]), (V{2, 3, 4, 5}));
  EXPECT_EQ(values(dy[2]), (V{0, 2, 4, 1, 3, 5, 0, 2, 4}));
  EXPECT_EQ(values(dy[3]), (V{0, 2, 2, 4, 1, 3, 3, 5}));
  EXPECT_EQ(values(dy[4]), (V{0, 0, 2, 4, 0, 1, 3, 5}));
}

// ---- Bad arguments: a typed error, and nothing has changed.

template <class E, class F>
void rejects(const char* what, F f, const char* phrase = "") {
  try {
    f();
    ADD_FAILURE() << what << " was accepted";
  } catch (const E& e) {
    EXPECT_NE(std::string(e.what()).find(phrase), std::string::npos) << what << ": " << e.what();
  } catch (const std::exception& e) {
    ADD_FAILURE() << what << " threw another exception: " << e.what();
  }
}
#define REJECTS(E, call, ...) rejects<E>(#call, [&] { (void)(call); } __VA_OPT__(, ) __VA_ARGS__)

class BadArguments : public ::testing::Test {
 protected:
  Tensor x = counted({2, 3, 4}), z = counted({}), none, i = counted({2, 3}, kLong);
  void TearDown() override { EXPECT_EQ(values(x), values(counted({2, 3, 4}))); }
};

TEST_F(BadArguments, Shapes) {
  REJECTS(Error, x.view({5, 5}), "is invalid for input of size 24");
  REJECTS(Error, x.view({-1, -1}), "only one dimension can be inferred");
  REJECTS(Error, x.view({-2, 12}), "invalid shape dimension -2");
  REJECTS(Error, x.view({kHuge, kHuge}), "invalid");
  REJECTS(Error, x.view({kTiny}), "invalid");
  REJECTS(Error, x.view(Shape(99, 1)), "invalid");
  REJECTS(Error, zeros({0, 3}).view({-1, 0}), "ambiguous");
  REJECTS(Error, x.view({0, -1}), "invalid");
  REJECTS(Error, x.transpose(0, 1).view({-1}), "Use .reshape(...) instead");
  REJECTS(Error, x.reshape({7, -1}), "invalid");
  REJECTS(Error, none.view({1}), "undefined");
  REJECTS(Error, reshape(none, {1}), "undefined");
  REJECTS(Error, x.view_as(none), "undefined");
  REJECTS(Error, x.flatten(2, 1), "start_dim cannot come after end_dim");
  REJECTS(IndexError, x.flatten(kTiny), "Dimension out of range");
  REJECTS(Error, x.unflatten(2, {2, 3}), "don't multiply up");
  REJECTS(Error, x.unflatten(2, {kHuge, kHuge}), "don't multiply up");
  REJECTS(Error, x.unflatten(2, IntArrayRef{}), "non-empty");
  REJECTS(IndexError, x.squeeze(5), "Dimension out of range");
  REJECTS(Error, x.squeeze(IntArrayRef{0, -3}), "appears multiple times");
  REJECTS(IndexError, x.unsqueeze(4), "expected to be in range of [-4, 3], but got 4");
  REJECTS(IndexError, x.unsqueeze_(kHuge), "Dimension out of range");
  REJECTS(Error, ones(Shape(64, 1)).unsqueeze(0), "at most 64");
  REJECTS(Error, none.squeeze_(), "undefined");
}

TEST_F(BadArguments, OrdersOfDimensions) {
  REJECTS(IndexError, x.transpose(0, 3), "Dimension out of range");
  REJECTS(IndexError, x.transpose_(kTiny, 0), "Dimension out of range");
  REJECTS(IndexError, x.swapaxes(0, kHuge), "Dimension out of range");
  REJECTS(Error, x.t(), "t() expects a tensor with <= 2 dimensions, but self is 3D");
  REJECTS(Error, x.t_(), "t() expects");
  REJECTS(Error, none.t(), "undefined");
  REJECTS(Error, counted({3}).adjoint(), "only supported on matrices");
  REJECTS(Error, counted({3}).mT(), "only supported on matrices");
  REJECTS(Error, x.permute({0, 1}), "does not match the length");
  REJECTS(Error, x.permute({0, 0, 1}), "duplicate dims");
  REJECTS(IndexError, x.permute({0, 1, kHuge}), "Dimension out of range");
  REJECTS(Error, x.movedim({0, 1}, IntArrayRef{0}), "same number of dims");
  REJECTS(Error, x.movedim({0, 0}, {0, 1}), "repeated dim in `source`");
  REJECTS(Error, x.movedim({0, 1}, {1, -2}), "repeated dim in `destination`");
  REJECTS(IndexError, x.movedim(0, kTiny), "Dimension out of range");
}

TEST_F(BadArguments, Expansions) {
  REJECTS(Error, x.expand({3, 4}), "must be greater or equal to the number of dimensions");
  REJECTS(Error, x.expand({2, 3, 5}), "must match the existing size (4) at non-singleton dimension 2");
  REJECTS(Error, x.expand({-1, 2, 3, 4}), "leading, non-existing dimension");
  REJECTS(Error, x.expand({-2, 3, 4}));
  REJECTS(Error, z.expand({kHuge, kHuge}), "overflow");
  REJECTS(Error, z.expand({kTiny}));
  REJECTS(Error, z.expand(Shape(65, 1)), "at most 64");
  REJECTS(Error, x.expand_as(none), "undefined");
  REJECTS(Error, broadcast_to(none, {1}), "undefined");
  REJECTS(Error, broadcast_tensors({x, counted({5})}), "must match");
  REJECTS(Error, broadcast_tensors({x, none}), "undefined");
}

TEST_F(BadArguments, Parts) {
  REJECTS(Error, x.narrow(0, 0, 3), "exceeds dimension size (2)");
  REJECTS(Error, x.narrow(0, 1, kHuge), "exceeds dimension size");
  REJECTS(IndexError, x.narrow(0, kTiny, 1), "start out of range");
  REJECTS(Error, x.narrow(0, 0, -1), "length must be non-negative");
  REJECTS(Error, z.narrow(0, 0, 1), "0-dim");
  REJECTS(Error, x.narrow(0, counted({1}, kLong), 1), "0-dim integral");
  REJECTS(Error, x.narrow(0, z, 1), "0-dim integral");
  REJECTS(IndexError, x.select(0, 2), "select(): index 2 out of range");
  REJECTS(IndexError, x.select(0, kTiny));
  REJECTS(IndexError, x.select(kHuge, 0));
  REJECTS(IndexError, z.select(0, 0), "0-dim");
  REJECTS(IndexError, x[kHuge], "out of bounds");
  REJECTS(Error, none[0], "undefined");
  REJECTS(ValueError, x.slice(0, 0, 1, 0), "step must be positive");
  REJECTS(ValueError, x.slice(0, 0, 1, kTiny), "step must be positive");
  REJECTS(IndexError, x.slice(3));
  REJECTS(IndexError, z.slice(0));
  REJECTS(Error, x.diagonal(0, 1, -2), "cannot be identical");
  REJECTS(IndexError, z.diagonal());
  REJECTS(IndexError, x.diagonal(0, kTiny, 0));
  REJECTS(Error, x.unfold(0, 3, 1), "maximum size for tensor at dimension 0 is 2 but size is 3");
  REJECTS(Error, x.unfold(0, 1, 0), "must be > 0");
  REJECTS(Error, x.unfold(0, kTiny, 1), "must be >= 0");
  REJECTS(Error, x.unfold(0, 1, kTiny), "must be > 0");
  EXPECT_EQ(shape(x.unfold(2, 2, kHuge)), (Shape{2, 3, 1, 2}));
  EXPECT_EQ(shape(x.diagonal(kHuge)), (Shape{4, 0}));
  EXPECT_EQ(shape(x.diagonal(kTiny)), (Shape{4, 0}));
}

TEST_F(BadArguments, Pieces) {
  REJECTS(Error, x.split(-1), "non-negative");
  REJECTS(Error, x.split(kTiny), "non-negative");
  REJECTS(Error, x.split(0), "can only be 0 if dimension size is 0");
  REJECTS(Error, z.split(1), "at least a 1-dimensional");
  REJECTS(Error, x.split({1, 2}), "sum exactly to 2");
  REJECTS(Error, x.split({kHuge, kHuge, 4}), "sum exactly to 2");
  REJECTS(Error, x.split({3, -1}), "non-negative entries");
  REJECTS(IndexError, x.split(1, 3));
  REJECTS(Error, x.chunk(0), "greater than 0");
  REJECTS(Error, z.chunk(1), "at least a 1-dimensional");
  REJECTS(Error, zeros({0}).chunk(kHuge), "too many");
  REJECTS(Error, x.tensor_split(0), "larger than 0");
  REJECTS(Error, x.tensor_split(kHuge), "too many");
  REJECTS(Error, z.tensor_split(1), "at least a 1-dimensional");
  REJECTS(Error, x.tensor_split(counted({1, 1}, kLong)), "zero-dimensional or one-dimensional");
  REJECTS(TypeError, x.tensor_split(z), "dtype of long");
  REJECTS(Error, z.hsplit(1), "at least 1 dimension");
  REJECTS(Error, x.hsplit(2), "not divisible");
  REJECTS(Error, x.vsplit(0), "not divisible");
  REJECTS(Error, counted({4}).vsplit(2), "at least 2 dimension");
  REJECTS(IndexError, z.unbind(), "no dimensions");
  REJECTS(IndexError, x.unbind(kTiny));
  REJECTS(Error, none.unbind(), "undefined");
  EXPECT_EQ(x.split(kHuge, 1).size(), 1u);
  EXPECT_EQ(x.chunk(kHuge, 2).size(), 4u);
}

TEST_F(BadArguments, Strides) {
  REJECTS(Error, x.as_strided({2}, {1, 1}), "mismatch in length");
  REJECTS(Error, x.as_strided({2}, {-1}), "Negative strides");
  REJECTS(Error, x.as_strided({25}, {1}), "out of bounds for storage");
  REJECTS(Error, x.as_strided({2}, {1}, 23), "out of bounds for storage");
  REJECTS(Error, x.as_strided({2}, {1}, -1), "invalid storage offset");
  REJECTS(Error, x.as_strided({1}, {1}, kHuge), "out of bounds");
  REJECTS(Error, x.as_strided({-2}, {1}), "negative dimension");
  REJECTS(Error, x.as_strided({3, 3}, {kHuge, kHuge}), "out of bounds");
  REJECTS(Error, x.as_strided({kHuge, kHuge}, {0, 0}), "overflow");
  REJECTS(Error, x.as_strided_({99}, {1}), "out of bounds");
  REJECTS(Error, none.as_strided({1}, {1}), "undefined");
  REJECTS(Error, x.as_strided_scatter(x, {2}, {1}), "size equal to the slice");
  REJECTS(Error, x.as_strided_scatter(ones({2, 2}), {2, 2}, {1, 1}), "single memory location");
  REJECTS(Error, x.select_scatter(x, 0, 0), "size equal to the slice");
  REJECTS(Error, x.slice_scatter(x, 0, 0, 1), "size equal to the slice");
  REJECTS(Error, x.diagonal_scatter(x), "size equal to the slice");
  REJECTS(IndexError, x.select_scatter(x, 0, kHuge));
  REJECTS(Error, x.slice_scatter(none), "undefined");
}

TEST_F(BadArguments, Joins) {
  REJECTS(ValueError, cat(TensorList{}), "expected a non-empty list of Tensors");
  REJECTS(Error, cat({z, z}), "zero-dimensional tensor (at position 0)");
  REJECTS(Error, cat({x, none}), "undefined");
  REJECTS(Error, cat({x, x[0]}), "same number of dimensions: got 3 and 2");
  REJECTS(Error, cat({x, x.narrow(1, 0, 2)}), "Expected size 3 but got size 2 for tensor number 1");
  REJECTS(IndexError, cat({x, x}, kTiny));
  REJECTS(ValueError, stack(TensorList{}), "non-empty");
  REJECTS(Error, stack({x, x[0]}), "equal size");
  REJECTS(IndexError, stack({z, z}, 2));
  REJECTS(Error, stack({none}), "undefined");
  REJECTS(ValueError, hstack(TensorList{}), "non-empty");
  REJECTS(Error, vstack({x, z}), "same number of dimensions");
  REJECTS(Error, dstack({none}), "undefined");
  REJECTS(Error, block_diag({x}), "2 or fewer dimensions");
  REJECTS(Error, meshgrid(TensorList{}), "non-empty");
  REJECTS(Error, meshgrid({x}), "0D or 1D");
  REJECTS(Error, meshgrid({z}, "zz"), "must be one of");
  REJECTS(TypeError, meshgrid({z, counted({2}, kLong)}, "xy"), "same dtype");
  REJECTS(Error, cartesian_prod({z}), "1D vector");
}

TEST_F(BadArguments, Repetitions) {
  REJECTS(Error, x.repeat({2}), "can not be smaller");
  REJECTS(Error, x.repeat({2, -1, 1}), "negative dimension");
  REJECTS(Error, x.repeat({kHuge, 1, 1}), "overflow");
  REJECTS(Error, x.repeat({1, kTiny, 1}), "negative");
  REJECTS(Error, x.tile({kHuge}), "overflow");
  REJECTS(Error, z.repeat(Shape(65, 1)), "at most 64");
  REJECTS(Error, none.repeat({1}), "undefined");
  REJECTS(Error, repeat_interleave(tensor({1, -2})), "can not be negative");
  REJECTS(Error, repeat_interleave(i), "1D vector");
  REJECTS(TypeError, repeat_interleave(counted({2})), "Long or Int");
  REJECTS(Error, repeat_interleave(tensor({1, 2}), std::optional<int64_t>(4)), "does not match required size");
  REJECTS(Error, repeat_interleave(full({2}, kHuge, kLong)), "overflow");
  REJECTS(Error, x.repeat_interleave(tensor({1, 2, 3}), 0), "same size as input along dim");
  REJECTS(Error, x.repeat_interleave(-1), "non-negative");
  REJECTS(Error, x.repeat_interleave(kHuge), "overflow");
  REJECTS(IndexError, x.repeat_interleave(2, kTiny));
  REJECTS(Error, x.repeat_interleave(2, 0, 5), "expected 4 but got 5");
}

TEST_F(BadArguments, Rearrangements) {
  REJECTS(Error, x.flip({0, -3}), "appears multiple times");
  REJECTS(IndexError, x.flip({kHuge}));
  REJECTS(Error, counted({3}).fliplr(), ">= 2-d");
  REJECTS(Error, z.flipud(), ">= 1-d");
  REJECTS(Error, x.roll(IntArrayRef{}), "`shifts` required");
  REJECTS(Error, x.roll({1, 2}, {0}), "must align");
  REJECTS(IndexError, x.roll({1}, {5}));
  REJECTS(IndexError, z.roll({1}, {0}), "no dimensions");
  REJECTS(Error, x.rot90(1, IntArrayRef{0}), "rotation dims == 2");
  REJECTS(Error, counted({3}).rot90(), "total dims >= 2");
  REJECTS(Error, x.rot90(1, {0, -3}), "to be different");
  REJECTS(IndexError, x.rot90(1, {0, kHuge}));
  REJECTS(Error, counted({3}).tril(), "at least 2 dimensions");
  REJECTS(Error, none.triu(), "undefined");
  REJECTS(Error, x.diag(), "Supports 1D or 2D");
  REJECTS(IndexError, z.diag_embed());
  REJECTS(Error, counted({3}).diag_embed(0, 1, -1), "cannot be identical");
  REJECTS(Error, counted({3}).diag_embed(kTiny), "overflow");
  REJECTS(Error, counted({3}).diag(int64_t{1} << 40), "overflow");
  EXPECT_EQ(values(counted({3}).roll({kTiny})), values(counted({3}).roll({-2})));
  EXPECT_EQ(values(x.tril(kHuge)), values(x));
  EXPECT_EQ(values(x.triu(kTiny)), values(x));
  EXPECT_EQ(values(x.rot90(kTiny)), values(x));
}

TEST_F(BadArguments, Paddings) {
  REJECTS(Error, pad(x, {1}), "divisible by 2");
  REJECTS(Error, pad(x, {1, 1, 1, 1, 1, 1, 1, 1}), "two times the input dimension");
  REJECTS(Error, pad(x, {-5, 3}), "negative output size");
  REJECTS(Error, pad(x, {kHuge, 0}), "overflow");
  REJECTS(Error, pad(x, {0, kTiny}), "overflow");
  REJECTS(Error, pad(x, {int64_t{1} << 59, 0}), "overflow");
  REJECTS(NotImplementedError, pad(x, {1, 1}, "foo"), "Unrecognised padding mode");
  REJECTS(Error, pad(x, {1, 1}, "reflect", 1.0), "doesn't take in value argument");
  REJECTS(NotImplementedError, pad(x, {1, 1, 1, 1, 1, 1}, "reflect"), "not supported for 3D");
  REJECTS(Error, pad(x, {4, 0}, "reflect"), "less than the corresponding input dimension");
  REJECTS(Error, pad(x, {5, 0}, "circular"), "wrapping around more than once");
  REJECTS(Error, pad(x, {-5, 0}, "replicate"), "too small");
  REJECTS(Error, pad(zeros({3, 0}), {1, 1}, "replicate"), "non-zero dimensions");
  REJECTS(Error, pad(none, {1, 1}), "undefined");
  REJECTS(TypeError, one_hot(x), "LongTensor");
  REJECTS(ValueError, one_hot(i, 2), "smaller than num_classes");
  REJECTS(ValueError, one_hot(i - 1), "non-negative");
  REJECTS(ValueError, one_hot(zeros({0}, kLong)), "empty tensor");
  REJECTS(Error, one_hot(full({1}, kHuge, kLong)), "overflow");
  REJECTS(ValueError, one_hot(i, kTiny));
}

}  // namespace
}  // namespace taut
