// AT_DISPATCH_V2 with lists of types; the types that kernels compute with and sum in; signs; names of keyword types.
#include <ATen/AccumulateType.h>
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <c10/util/TypeSafeSignMath.h>
#include <torch/torch.h>

#include <iostream>

size_t bytes(torch::ScalarType type) {
  return AT_DISPATCH_V2(type, "bytes", AT_WRAP([&] {
                          const size_t one = sizeof(scalar_t), two = 2 * one;  // a comma outside of brackets
                          return two - one;
                        }),
                        AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), torch::kHalf, torch::kBool);
}

int main() {
  for (const auto type : {torch::kByte, torch::kChar, torch::kShort, torch::kInt, torch::kLong, torch::kHalf,
                          torch::kFloat, torch::kDouble, torch::kComplexFloat, torch::kComplexDouble, torch::kBool})
    std::cout << type << ' ' << bytes(type) << ' ' << c10::isSignedType(type) << '\n';
  try {
    bytes(torch::kBFloat16);
  } catch (const c10::Error& e) {
    std::cout << e.what_without_backtrace() << '\n';
  }
  std::cout
      << std::is_same_v<
             at::opmath_type<at::Half>,
             float> << std::is_same_v<at::opmath_type<double>, double> << std::is_same_v<at::acc_type<float, false>, double> << std::is_same_v<at::acc_type<int, false>, int64_t> << '\n';
  std::cout << c10::is_negative(-1) << c10::signum(-2.5) << c10::signum(0) << c10::signs_differ(1, -1) << '\n';
  std::cout << torch::Scalar(7).toHalf() << ' ' << at::BFloat16(2.5f) << '\n';

  const torch::nn::TripletMarginWithDistanceLossOptions::reduction_t sum = torch::kSum;
  const torch::nn::MSELossOptions::reduction_t none = torch::kNone;
  std::cout << torch::enumtype::get_enum_name(sum) << ' ' << torch::enumtype::get_enum_name(none) << '\n';
}
