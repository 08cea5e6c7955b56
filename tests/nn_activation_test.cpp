// Every activation and every padding layer with every option, against PyTorch; and calls that must be refused.
#include <limits>

#include "support/module_case.h"

using namespace taut;
using namespace taut::test;
namespace F = taut::nn::functional;

namespace {

/// In-place layers are given a copy: a leaf must not be overwritten.
const auto on_a_copy = [](auto& m, const Tensors& x) { return m(x[0] * 1); };
#define COPY_CASE(text, inputs, ...) CASE_CALL(text, "m(x[0] * 1)", inputs, (__VA_ARGS__), on_a_copy)

const std::vector<ModuleCase> kCases = {
    CASE("nn.ReLU()", "t(2, 3)", nn::ReLU()),
    COPY_CASE("nn.ReLU(True)", "t(2, 3)", nn::ReLU(true)),
    COPY_CASE("nn.ReLU(inplace=True)", "t(2, 3)", nn::ReLU(nn::ReLUOptions().inplace(true))),
    CASE("nn.ReLU6()", "t(2, 3)", nn::ReLU6()),
    COPY_CASE("nn.ReLU6(True)", "t(2, 3)", nn::ReLU6(true)),
    CASE("nn.LeakyReLU()", "t(2, 3)", nn::LeakyReLU()),
    COPY_CASE("nn.LeakyReLU(0.2, True)", "t(2, 3)",
              nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.2).inplace(true))),
    CASE("nn.PReLU()", "t(2, 3)", nn::PReLU()),
    CASE("nn.PReLU(3, 0.1)", "t(2, 3, 4)", nn::PReLU(nn::PReLUOptions().num_parameters(3).init(0.1))),
    CASE("nn.RReLU().eval()", "t(2, 3)", in_eval_mode(nn::RReLU())),
    CASE("nn.RReLU(0.1, 0.4).eval()", "t(2, 3)", in_eval_mode(nn::RReLU(nn::RReLUOptions().lower(0.1).upper(0.4)))),
    CASE("nn.RReLU()", "t(2, 3)", nn::RReLU()),
    COPY_CASE("nn.RReLU(0.25, 0.25, True)", "t(2, 3)",
              nn::RReLU(nn::RReLUOptions().lower(0.25).upper(0.25).inplace(true))),
    CASE("nn.ELU()", "t(2, 3)", nn::ELU()),
    COPY_CASE("nn.ELU(0.5, True)", "t(2, 3)", nn::ELU(nn::ELUOptions().alpha(0.5).inplace(true))),
    CASE("nn.SELU()", "t(2, 3)", nn::SELU()),
    COPY_CASE("nn.SELU(True)", "t(2, 3)", nn::SELU(true)),
    CASE("nn.CELU()", "t(2, 3)", nn::CELU()),
    COPY_CASE("nn.CELU(0.5, True)", "t(2, 3)", nn::CELU(nn::CELUOptions().alpha(0.5).inplace(true))),
    CASE("nn.GELU()", "t(2, 3)", nn::GELU()),
    CASE("nn.GELU('tanh')", "t(2, 3)", nn::GELU(nn::GELUOptions().approximate("tanh"))),
    CASE("nn.SiLU()", "t(2, 3)", nn::SiLU()),
    COPY_CASE("nn.SiLU(True)", "t(2, 3)", nn::SiLU(true)),
    CASE("nn.Mish()", "t(2, 3)", nn::Mish()),
    COPY_CASE("nn.Mish(True)", "t(2, 3)", nn::Mish(true)),
    CASE("nn.Sigmoid()", "t(2, 3)", nn::Sigmoid()),
    CASE("nn.Tanh()", "t(2, 3)", nn::Tanh()),
    CASE("nn.Hardtanh()", "t(2, 3)", nn::Hardtanh()),
    COPY_CASE("nn.Hardtanh(-0.5, 1.5, True)", "t(2, 3)",
              nn::Hardtanh(nn::HardtanhOptions().min_val(-0.5).max_val(1.5).inplace(true))),
    CASE("nn.Hardsigmoid()", "t(2, 3)", nn::Hardsigmoid()),
    COPY_CASE("nn.Hardsigmoid(True)", "t(2, 3)", nn::Hardsigmoid(true)),
    CASE("nn.Hardswish()", "t(2, 3)", nn::Hardswish()),
    COPY_CASE("nn.Hardswish(True)", "t(2, 3)", nn::Hardswish(true)),
    CASE("nn.Hardshrink()", "t(2, 3)", nn::Hardshrink()),
    CASE("nn.Hardshrink(0.3)", "t(2, 3)", nn::Hardshrink(0.3)),
    CASE("nn.Softshrink()", "t(2, 3)", nn::Softshrink()),
    CASE("nn.Softshrink(0.3)", "t(2, 3)", nn::Softshrink(nn::SoftshrinkOptions(0.3))),
    CASE("nn.Tanhshrink()", "t(2, 3)", nn::Tanhshrink()),
    CASE("nn.Softplus()", "t(2, 3)", nn::Softplus()),
    CASE("nn.Softplus(2.0, 1.0)", "t(2, 3)", nn::Softplus(nn::SoftplusOptions().beta(2).threshold(1))),
    CASE("nn.Softsign()", "t(2, 3)", nn::Softsign()),
    CASE("nn.Softmax(1)", "t(2, 3)", nn::Softmax(1)),
    CASE("nn.Softmax(dim=-2)", "t(2, 3, 4)", nn::Softmax(nn::SoftmaxOptions(-2))),
    CASE("nn.Softmax2d()", "t(2, 3, 2, 2)", nn::Softmax2d()),
    CASE("nn.Softmax2d()", "t(3, 2, 2)", nn::Softmax2d()),
    CASE("nn.Softmin(1)", "t(2, 3)", nn::Softmin(1)),
    CASE("nn.LogSoftmax(1)", "t(2, 3)", nn::LogSoftmax(1)),
    CASE("nn.LogSigmoid()", "t(2, 3)", nn::LogSigmoid()),
    CASE("nn.Threshold(0.1, 20.0)", "t(2, 3)", nn::Threshold(0.1, 20)),
    COPY_CASE("nn.Threshold(0.1, -1e-05, True)", "t(2, 3)",
              nn::Threshold(nn::ThresholdOptions(0.1, -1e-5).inplace(true))),
    CASE("nn.GLU()", "t(2, 4)", nn::GLU()),
    CASE("nn.GLU(1)", "t(2, 4, 3)", nn::GLU(1)),
    // The functions alone, by way of a layer that does nothing.
    CASE_CALL("nn.ReLU()", "F.softmax(x[0], 0, dtype=torch.float64)", "t(2, 3)", nn::ReLU(),
              [](auto&, const Tensors& x) { return F::softmax(x[0], F::SoftmaxFuncOptions(0).dtype(kDouble)); }),
    CASE_CALL("nn.ReLU()", "F.log_softmax(x[0], 0, dtype=torch.float64)", "t(2, 3)", nn::ReLU(),
              [](auto&, const Tensors& x) { return F::log_softmax(x[0], F::LogSoftmaxFuncOptions(0).dtype(kDouble)); }),
    CASE_CALL("nn.ReLU()", "F.softmin(x[0], 0, dtype=torch.float64)", "t(2, 3)", nn::ReLU(),
              [](auto&, const Tensors& x) { return F::softmin(x[0], F::SoftminFuncOptions(0).dtype(kDouble)); }),
    CASE_CALL("nn.ReLU()", "F.gumbel_softmax(x[0])", "t(2, 3)", nn::ReLU(),
              [](auto&, const Tensors& x) { return F::gumbel_softmax(x[0]); }),
    CASE_CALL("nn.ReLU()", "F.gumbel_softmax(x[0], tau=0.5, hard=True, dim=0)", "t(2, 3)", nn::ReLU(),
              [](auto&, const Tensors& x) {
                return F::gumbel_softmax(x[0], F::GumbelSoftmaxFuncOptions().tau(0.5).hard(true).dim(0));
              }),
    CASE_CALL("nn.ReLU()", "F.rrelu(x[0], 0.1, 0.3, training=True)", "t(2, 3)", nn::ReLU(),
              [](auto&, const Tensors& x) {
                return F::rrelu(x[0], F::RReLUFuncOptions().lower(0.1).upper(0.3).training(true));
              }),
    CASE_CALL("nn.ReLU()", "F.pad(x[0], (1, 2), value=3.0)", "t(2, 3)", nn::ReLU(),
              [](auto&, const Tensors& x) {
                return F::pad(x[0], F::PadFuncOptions({1, 2}).value(3));
              }),
    CASE_CALL("nn.ReLU()", "F.pad(x[0], (1, -1, 0, 2))", "t(2, 3)", nn::ReLU(),
              [](auto&, const Tensors& x) {
                return F::pad(x[0], F::PadFuncOptions({1, -1, 0, 2}));
              }),
    CASE_CALL("nn.ReLU()", "F.pad(x[0], (1, 2), mode='reflect')", "t(2, 3, 4)", nn::ReLU(),
              [](auto&, const Tensors& x) {
                return F::pad(x[0], F::PadFuncOptions({1, 2}).mode(kReflect));
              }),
    CASE_CALL("nn.ReLU()", "F.pad(x[0], (1, 2), mode='replicate')", "t(2, 3, 4)", nn::ReLU(),
              [](auto&, const Tensors& x) {
                return F::pad(x[0], F::PadFuncOptions({1, 2}).mode(kReplicate));
              }),
    CASE_CALL("nn.ReLU()", "F.pad(x[0], (1, 2), mode='circular')", "t(2, 3, 4)", nn::ReLU(),
              [](auto&, const Tensors& x) {
                return F::pad(x[0], F::PadFuncOptions({1, 2}).mode(kCircular));
              }),
    // Padding.
    CASE("nn.ConstantPad1d(2, 3.5)", "t(2, 3)", nn::ConstantPad1d(2, 3.5)),
    CASE("nn.ConstantPad1d((1, 2), 3.0)", "t(2, 2, 3)", nn::ConstantPad1d(nn::ConstantPad1dOptions({1, 2}, 3))),
    CASE("nn.ConstantPad2d((1, 0, 2, 1), 0.5)", "t(2, 2, 3)",
         nn::ConstantPad2d(nn::ConstantPad2dOptions({1, 0, 2, 1}, 0.5))),
    CASE("nn.ConstantPad3d(1, 0.5)", "t(1, 2, 1, 2)", nn::ConstantPad3d(nn::ConstantPad3dOptions(1, 0.5))),
    CASE("nn.ZeroPad1d(1)", "t(2, 3)", nn::ZeroPad1d(1)),
    CASE("nn.ZeroPad2d((1, 2, 0, 1))", "t(1, 2, 2, 3)", nn::ZeroPad2d(nn::ZeroPad2dOptions({1, 2, 0, 1}))),
    CASE("nn.ZeroPad2d((-1, 1, 1, 0))", "t(1, 2, 2, 3)", nn::ZeroPad2d(nn::ZeroPad2dOptions({-1, 1, 1, 0}))),
    CASE("nn.ZeroPad3d(1)", "t(1, 1, 2, 2)", nn::ZeroPad3d(1)),
    CASE("nn.ReflectionPad1d(2)", "t(2, 4)", nn::ReflectionPad1d(2)),
    CASE("nn.ReflectionPad1d((2, 1))", "t(1, 2, 4)", nn::ReflectionPad1d(nn::ReflectionPad1dOptions({2, 1}))),
    CASE("nn.ReflectionPad2d((1, 0, 2, 1))", "t(1, 2, 3, 3)",
         nn::ReflectionPad2d(nn::ReflectionPad2dOptions({1, 0, 2, 1}))),
    CASE("nn.ReflectionPad3d(1)", "t(1, 2, 2, 2)", nn::ReflectionPad3d(1)),
    CASE("nn.ReplicationPad1d((2, 1))", "t(1, 2, 3)", nn::ReplicationPad1d(nn::ReplicationPad1dOptions({2, 1}))),
    CASE("nn.ReplicationPad2d(1)", "t(2, 2, 3)", nn::ReplicationPad2d(1)),
    CASE("nn.ReplicationPad3d((1, 0, 0, 1, 2, 0))", "t(1, 1, 2, 2, 2)",
         nn::ReplicationPad3d(nn::ReplicationPad3dOptions({1, 0, 0, 1, 2, 0}))),
    CASE("nn.CircularPad1d((2, 1))", "t(1, 2, 3)", nn::CircularPad1d(nn::CircularPad1dOptions({2, 1}))),
    CASE("nn.CircularPad2d((1, 0, 1, 2))", "t(1, 1, 3, 2)", nn::CircularPad2d(nn::CircularPad2dOptions({1, 0, 1, 2}))),
    CASE("nn.CircularPad3d(1)", "t(1, 2, 2, 2)", nn::CircularPad3d(1)),
};

template <class Call>
std::string thrown(Call call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing";
}

TEST(Activations, RefuseBadCalls) {
  struct Refused {
    const char* text;
    void (*call)();
  };
  const Refused all[] = {
      {"approximate argument must be either none or tanh, got 'erf'",
       [] { nn::GELU(nn::GELUOptions().approximate("erf"))(ones({2})); }},
      {"alpha cannot be 0", [] { nn::CELU(nn::CELUOptions().alpha(0))(ones({2})); }},
      {"max_val (1.0) must be greater than min_val (2.0)", [] { nn::Hardtanh(nn::HardtanhOptions().min_val(2)); }},
      {"min_val cannot be greater than max_val", [] { F::hardtanh(ones({2}), F::HardtanhFuncOptions().min_val(2)); }},
      {"lambda must be greater or equal to 0", [] { nn::Softshrink(-1.0)(ones({2})); }},
      {"num_parameters must be positive, got 0", [] { nn::PReLU(nn::PReLUOptions().num_parameters(0)); }},
      {"Found parameter numbers = 3 and channel size = 4",
       [] {
         nn::PReLU(nn::PReLUOptions().num_parameters(3))(ones({2, 4}));
       }},
      {"Softmax2d: expected input to be 3D or 4D, got 2D instead",
       [] {
         nn::Softmax2d()(ones({2, 4}));
       }},
      {"Halving dimension must be even, but dimension 1 is size 3",
       [] {
         nn::GLU()(ones({2, 3}));
       }},
      {"Dimension out of range",
       [] {
         nn::Softmax(2)(ones({2, 3}));
       }},
      {"a leaf Variable that requires grad", [] { nn::ReLU(true)(ones({2}, requires_grad())); }},
      {"Unrecognised padding mode border",
       [] {
         F::pad(ones({2, 3}), F::PadFuncOptions({1, 1}).mode(kBorder));
       }},
      {"doesn't take in value argument",
       [] {
         F::pad(ones({1, 2, 3}), F::PadFuncOptions({1, 1}).mode(kReflect).value(1));
       }},
      {"Expected 4 values, but instead got 3",
       [] {
         nn::ZeroPad2d(nn::ZeroPad2dOptions({1, 2, 3}));
       }},
      {"Padding size 2 is not supported for 4D input tensor",
       [] {
         nn::ReflectionPad1d(1)(ones({1, 1, 2, 3}));
       }},
      {"expected 3D or 4D input (got 2D input)",
       [] {
         nn::CircularPad2d(1)(ones({2, 3}));
       }},
      {"Padding size should be less than the corresponding input dimension",
       [] {
         nn::ReflectionPad1d(3)(ones({1, 2, 3}));
       }},
  };
  for (const Refused& r : all) {
    const std::string got = thrown(r.call);
    EXPECT_NE(got.find(r.text), std::string::npos) << got << "\n  instead of " << r.text;
  }
}

TEST(Activations, InPlaceWritesIntoTheInput) {
  const Tensor x = tensor({-1.0, 2.0});
  const Tensor y = nn::ReLU(true)(x);
  EXPECT_TRUE(y.is_same(x) || y.is_alias_of(x));
  EXPECT_TRUE(x.equal(tensor({0.0, 2.0})));
}

}  // namespace

MODULE_CASES(nn_activation, kCases)
