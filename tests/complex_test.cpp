// Complex numbers where they are not numbers like any other: dtypes, views that share memory, gradients by PyTorch's
// convention, optimisers, files. The sweep has the ops.
#include <gtest/gtest.h>

#include <complex>
#include <sstream>

#include "support/files.h"
#include "taut/taut.h"

namespace taut::test {
namespace {

using Z = Complex<double>;

Tensor numbers() { return tensor({Z(1, 2), Z(3, -1), Z(0, 0.5)}); }
std::string text(const Tensor& t) {
  std::ostringstream out;
  out << t;
  return out.str();
}
/// All parts in order.
std::vector<double> parts(const Tensor& t) {
  const Tensor x = (t.is_complex() ? view_as_real(t.detach().resolve_conj()) : t.detach()).to(kDouble).contiguous();
  return {x.data_ptr<double>(), x.data_ptr<double>() + x.numel()};
}
using Doubles = std::vector<double>;

TEST(Complex, LiteralsAreOfTheDefaultComplexDtype) {
  EXPECT_EQ(numbers().scalar_type(), kComplexFloat);
  EXPECT_EQ(tensor(std::vector<std::complex<float>>{{1, 2}}).scalar_type(), kComplexFloat);
  EXPECT_EQ(full({2}, Z(0, 1)).scalar_type(), kComplexFloat);
  set_default_dtype(kDouble);
  EXPECT_EQ(numbers().scalar_type(), kComplexDouble);
  set_default_dtype(kFloat);
}

TEST(Complex, PromotionIsPyTorchs) {
  EXPECT_EQ(promote_types(kComplexFloat, kDouble), kComplexDouble);
  EXPECT_EQ(promote_types(kComplexHalf, kBFloat16), kComplexFloat);
  EXPECT_EQ(promote_types(kHalf, kComplexHalf), kComplexHalf);
  EXPECT_EQ(promote_types(kLong, kComplexFloat), kComplexFloat);
  EXPECT_EQ(result_type(ones({2}), tensor(Z(0, 1), kComplexDouble)), kComplexFloat);
  EXPECT_EQ(result_type(ones({2}, kDouble), Z(0, 1)), kComplexDouble);
  EXPECT_EQ(result_type(ones({2}, kLong), tensor(Z(0, 1), kComplexDouble)), kComplexDouble);
  EXPECT_EQ(result_type(ones({2}, kLong), Z(0, 1)), kComplexFloat);
  EXPECT_EQ(result_type(ones({2}, kComplexFloat), ones({}, kDouble)), kComplexFloat);
  EXPECT_FALSE(can_cast(kComplexFloat, kDouble));
  EXPECT_TRUE(can_cast(kFloat, kComplexFloat));
}

TEST(Complex, PrintsAsPyTorch) {
  EXPECT_EQ(text(tensor({Z(1, 2), Z(3, -1), Z(0, 0)})), "tensor([1.+2.j, 3.-1.j, 0.+0.j])");
  EXPECT_EQ(text(tensor(Z(1.5, -2))), "tensor(1.5000-2.j)");
  EXPECT_EQ(text(tensor({Z(1, 2), Z(3, -1), Z(0, 0)}).conj()), "tensor([1.-2.j, 3.+1.j, 0.-0.j])");
  EXPECT_EQ(text(zeros({0}, kComplexFloat)), "tensor([], dtype=torch.complex64)");
  EXPECT_EQ(text(tensor({Z(1e-10, 1), Z(1e5, 3)})), "tensor([1.0000e-10+1.j, 1.0000e+05+3.j])");
  EXPECT_EQ(text(tensor({Z(1, 1)}, kComplexDouble)), "tensor([1.+1.j], dtype=torch.complex128)");
  std::ostringstream scalar;
  scalar << Scalar(Z(1, 2));
  EXPECT_EQ(scalar.str(), "(1,2)");
}

TEST(Complex, ItemsConvertAndThoseOffTheAxisDoNotBecomeReal) {
  const Tensor z = numbers();
  EXPECT_EQ(z[0].item<Complex<float>>(), Complex<float>(1, 2));
  EXPECT_EQ(std::complex<float>(z[1].item<Complex<float>>()), std::complex<float>(3, -1));
  EXPECT_EQ(z[0].conj().item().toComplexDouble(), Z(1, -2));
  EXPECT_THROW(z[0].item<double>(), Error);
  EXPECT_EQ(tensor(Z(4, 0)).item<int64_t>(), 4);
}

TEST(Complex, PartsAreViewsThatWrite) {
  Tensor z = numbers();
  real(z).fill_(7);
  imag(z).mul_(10);
  EXPECT_EQ(parts(z), (Doubles{7, 20, 7, -10, 7, 5}));
  view_as_real(z).zero_();
  EXPECT_EQ(parts(z), (Doubles{0, 0, 0, 0, 0, 0}));
}

TEST(Complex, ConjugateViewsShareMemoryBothWays) {
  Tensor z = numbers(), c = z.conj();
  EXPECT_TRUE(c.is_conj());
  EXPECT_FALSE(c.conj().is_conj());
  EXPECT_TRUE(c.is_alias_of(z));
  EXPECT_EQ(parts(c), (Doubles{1, -2, 3, 1, 0, -0.5}));
  c.mul_(Z(0, 1));  // conj(z) i
  EXPECT_EQ(parts(z), (Doubles{2, -1, -1, -3, 0.5, 0}));
  c.copy_(numbers());
  EXPECT_EQ(parts(z), (Doubles{1, -2, 3, 1, 0, -0.5}));
  c.fill_(Z(1, 1));
  EXPECT_EQ(parts(z), (Doubles{1, -1, 1, -1, 1, -1}));
  EXPECT_TRUE(c.view({3, 1}).is_conj());
  EXPECT_FALSE((c + 0).is_conj());
  EXPECT_FALSE(c.clone().is_conj());
  EXPECT_THROW(view_as_real(c), Error);
}

TEST(Complex, ConversionsDropOrAddAnImaginaryPart) {
  const Tensor z = tensor({Z(1, 2), Z(0, 3), Z(0, 0)});
  EXPECT_EQ(parts(z.to(kFloat)), (Doubles{1, 0, 0}));
  EXPECT_EQ(parts(z.to(kBool)), (Doubles{1, 1, 0}));
  EXPECT_EQ(parts(z.conj().to(kComplexDouble)), (Doubles{1, -2, 0, -3, 0, 0}));
  EXPECT_EQ(parts(z.to(kComplexHalf).to(kComplexFloat)), parts(z));
  EXPECT_EQ(parts(tensor({1, 2}).to(kComplexFloat)), (Doubles{1, 0, 2, 0}));
}

TEST(Complex, GradientsPointTheWayUp) {
  Tensor z = numbers().requires_grad_();
  z.abs().square().sum().backward();  // |z|^2 grows by 2 z
  EXPECT_EQ(parts(z.grad()), (Doubles{2, 4, 6, -2, 0, 1}));
  z.mutable_grad().reset();
  (z * z).sum().backward(tensor(Z(1, 0)));
  EXPECT_EQ(parts(z.grad()), (Doubles{2, -4, 6, 2, 0, -1}));
  EXPECT_THROW((z * z).sum().backward(), Error);  // no loss
}

TEST(Complex, RealInputsOfComplexFunctionsGetRealGradients) {
  Tensor x = tensor({1.0, 2.0}).requires_grad_();
  const Tensor z = tensor({Z(0, 1), Z(2, 1)});
  real(x * z * z).sum().backward();
  EXPECT_EQ(x.grad().scalar_type(), kFloat);
  EXPECT_EQ(parts(x.grad()), (Doubles{-1, 3}));
}

TEST(Complex, NothingChangesAtZero) {
  for (const auto f : {+[](const Tensor& z) { return abs(z); }, +[](const Tensor& z) { return angle(z); },
                       +[](const Tensor& z) { return real(sgn(z)); }}) {
    Tensor z = zeros({1}, kComplexFloat).requires_grad_();
    f(z).sum().backward();
    EXPECT_EQ(parts(z.grad()), (Doubles{0, 0}));
  }
}

TEST(Complex, WritesThroughPartsAndConjugatesReachTheGraph) {
  const auto written = [](const std::function<void(const Tensor&, const Tensor&)>& write) {
    Tensor z = numbers().requires_grad_(), x = tensor({2.0, 3.0, 4.0}).requires_grad_();
    const Tensor y = z * 1;
    write(y, x);
    real(y * y).sum().backward();
    return std::pair{parts(z.grad()), parts(x.grad())};
  };
  // y = x + i imag(z)
  const auto [gz, gx] = written([](const Tensor& y, const Tensor& x) { real(y).copy_(x); });
  EXPECT_EQ(gz, (Doubles{0, -4, 0, 2, 0, -1}));
  EXPECT_EQ(gx, (Doubles{4, 6, 8}));
  // conj(y) = conj(z) x, so y = z x: the real part of y^2 is (a^2 - b^2) x^2
  const auto [hz, hx] = written([](const Tensor& y, const Tensor& x) { y.conj().mul_(x); });
  EXPECT_EQ(hz, (Doubles{8, -16, 54, 18, 0, -16}));
  EXPECT_EQ(hx, (Doubles{-12, 48, -2}));
}

TEST(Complex, GradcheckKnowsThem) {
  const Tensor z = tensor({Z(1, 2), Z(-0.5, 0.3)}, kComplexDouble).requires_grad_();
  const Tensor x = tensor({0.3, -1.2}, kDouble).requires_grad_();
  using List = autograd::variable_list;
  EXPECT_TRUE(
      autograd::gradcheck([](const List& in) -> List { return {exp(in[0]) * in[1].to(kComplexDouble)}; }, {z, x}));
  EXPECT_TRUE(autograd::gradgradcheck([](const List& in) -> List { return {in[0] * in[0].conj() * in[1]}; }, {z, x}));
  EXPECT_FALSE(autograd::gradcheck([](const List& in) -> List { return {in[0].detach() * in[0]}; }, {z}, 1e-6, 1e-5,
                                   1e-3, false));
}

TEST(Complex, OpsWithoutAMeaningRefuseThem) {
  const Tensor z = numbers();
  for (const auto f : {+[](const Tensor& t) { return t < t; }, +[](const Tensor& t) { return t.floor(); },
                       +[](const Tensor& t) { return t.max(); }, +[](const Tensor& t) { return relu(t); },
                       +[](const Tensor& t) { return std::get<0>(t.sort()); },
                       +[](const Tensor& t) { return t.softmax(0); }, +[](const Tensor& t) { return erf(t); },
                       +[](const Tensor& t) { return t.argmax(); }, +[](const Tensor& t) { return t.clamp(0); }})
    EXPECT_THROW(f(z), Error);
  EXPECT_THROW(ones({3}).mul_(Z(0, 1)), Error);
}

TEST(Complex, ParametersAreOptimisedAsTheirParts) {
  for (const char* which : {"SGD", "Adam"}) {
    Tensor z = numbers().requires_grad_(), pairs = view_as_real(numbers()).clone().requires_grad_();
    const auto train = [&](const Tensor& p, auto&& loss) {
      std::unique_ptr<optim::Optimizer> optimizer;
      if (which[0] == 'S')
        optimizer = std::make_unique<optim::SGD>(std::vector{p}, optim::SGDOptions(0.1).momentum(0.9));
      else optimizer = std::make_unique<optim::Adam>(std::vector{p}, optim::AdamOptions(0.1));
      for (int i = 0; i < 3; ++i) {
        optimizer->zero_grad();
        loss(p).backward();
        optimizer->step();
      }
    };
    train(z, [](const Tensor& p) { return (p - Scalar(Z(1, 1))).abs().square().sum(); });
    train(pairs, [](const Tensor& p) { return (p - 1).square().sum(); });
    const Doubles got = parts(z), want = parts(pairs);
    for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], want[i], 1e-5) << which;
  }
}

TEST(Complex, FilesKeepThem) {
  const TempDir directory;
  const Tensor z = numbers(), wide = z.to(kComplexDouble);
  const std::string npy = directory / "z.npy", named = directory / "z.safetensors", pt = directory / "z.pt";
  io::save_npy(wide.conj(), npy);
  EXPECT_EQ(parts(io::load_npy(npy)), parts(wide.conj()));
  OrderedDict<std::string, Tensor> tensors;
  tensors.insert("z", z);
  io::save_safetensors(tensors, named);
  EXPECT_EQ(parts(io::load_safetensors(named).tensors["z"]), parts(z));
  tensors.insert("wide", wide);
  EXPECT_THROW(io::save_safetensors(tensors, named), Error);  // the format has no complex128
  save(wide, pt);
  Tensor back;
  load(back, pt);
  EXPECT_EQ(back.scalar_type(), kComplexDouble);
  EXPECT_EQ(parts(back), parts(wide));
}

TEST(Complex, RandomNumbersAreThoseOfTheirParts) {
  manual_seed(0);
  const Tensor pairs = randn({2, 2});
  manual_seed(0);
  const Tensor z = randn({2}, kComplexFloat);
  for (size_t i = 0; i < 4; ++i) EXPECT_FLOAT_EQ(parts(z)[i], parts(pairs)[i] * 0.70710678);
  manual_seed(1);
  const Tensor u = rand({2, 2});
  manual_seed(1);
  EXPECT_EQ(parts(rand({2}, kComplexFloat)), parts(u));
}

}  // namespace
}  // namespace taut::test
