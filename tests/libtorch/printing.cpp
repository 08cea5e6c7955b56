// Tensors, types and options as text.
#include <torch/torch.h>

#include <iostream>
#include <limits>

int main() {
  std::cout << torch::arange(6).reshape({2, 3}) << '\n';
  std::cout << torch::arange(4, torch::kFloat) / 3 << '\n';
  std::cout << torch::tensor(3.25) << '\n' << torch::tensor(7) << '\n' << torch::tensor(true) << '\n';
  for (double v : {1.0 / 3, 1e-5, 1e20, 123456789.0, -2.5e-7}) std::cout << torch::tensor(v) << '\n';
  std::cout << torch::tensor(0.1f) << '\n' << torch::tensor(0.1, torch::kFloat64) << '\n';
  std::cout << torch::tensor({1234567, 89, -3}) << '\n';
  std::cout << torch::tensor({{1e6, 2.5}, {3.0, -4.25}}) << '\n';
  std::cout << torch::tensor({1.5e-5, 2.5e-5}) << '\n';
  std::cout << torch::tensor({{123456.5, 234567.25}, {345678.0, 456789.75}}) << '\n';
  std::cout << torch::tensor({{1.5e-120, 2.0}}, torch::kDouble) << '\n';
  std::cout << torch::tensor({1e12, 2e12}) << '\n';
  std::cout << torch::tensor({0.001, 0.002}) << '\n';
  std::cout << torch::tensor({0.5, 0.25, 0.125}) << '\n';
  const double inf = std::numeric_limits<double>::infinity();
  std::cout << torch::tensor({inf, 1.0, -inf, std::nan("")}) << '\n' << torch::tensor({inf, 1.5}) << '\n';
  std::cout << torch::tensor({inf, inf}) << '\n';
  std::cout << torch::arange(24, torch::kDouble).reshape({2, 3, 4}) / 8 << '\n';
  std::cout << torch::arange(16, torch::kShort).reshape({2, 2, 2, 2}) << '\n';
  std::cout << torch::arange(60, torch::kFloat).reshape({2, 30}) / 7 << '\n';
  std::cout << torch::arange(60, torch::kFloat).reshape({1, 2, 30}) * 1000 / 7 << '\n';
  std::cout << torch::arange(60).reshape({1, 60}) << '\n';
  std::cout << torch::empty({0}) << '\n' << torch::empty({0, 3}) << '\n' << torch::zeros({2, 0, 3}) << '\n';
  std::cout << torch::tensor({{true, false}}) << '\n' << torch::ones({2}, torch::kHalf) << '\n';
  std::cout << torch::tensor({1, 2}, torch::kByte) << '\n' << torch::Tensor() << '\n';
  std::cout << torch::tensor({1.0, 2.0}, torch::requires_grad()) * 2 << '\n';
  std::cout << std::setprecision(2) << torch::tensor({0.123456}) << 0.123456 << '\n';
  at::print(std::cout, torch::arange(40, torch::kFloat).reshape({2, 20}), 60);
  std::cout << '\n';

  const auto t = torch::zeros({2, 3});
  std::cout << t.sizes() << ' ' << t.strides() << ' ' << t.scalar_type() << ' ' << t.dtype() << ' ' << t.device() << ' '
            << t.layout() << ' ' << t.toString() << '\n';
  for (auto type : {torch::kBool, torch::kByte, torch::kChar, torch::kShort, torch::kInt, torch::kLong, torch::kHalf,
                    torch::kBFloat16, torch::kFloat, torch::kDouble})
    std::cout << type << ' ' << torch::zeros({1}, type).dtype() << ' ' << torch::zeros({1}, type).dtype().itemsize()
              << '\n';
  std::cout << t.options() << '\n' << torch::TensorOptions() << '\n';
  std::cout << torch::TensorOptions().dtype(torch::kLong).requires_grad(false).device(torch::kCPU) << '\n';
  std::cout << torch::Device(torch::kCUDA) << ' ' << torch::Device("cuda:1") << ' ' << torch::Device(torch::kCPU, 0)
            << ' ' << torch::kCPU << ' ' << torch::kCUDA << ' ' << torch::kStrided << ' '
            << torch::MemoryFormat::ChannelsLast << '\n';
  std::cout << torch::Scalar(2.5) << ' ' << torch::Scalar(3) << ' ' << torch::Scalar(true) << ' ' << t.sum().item()
            << '\n';
  using namespace torch::indexing;
  std::cout << Slice() << ' ' << Slice(1, None, 2) << ' ' << Slice(None, 3) << ' ' << TensorIndex("...") << ' '
            << TensorIndex(None) << ' ' << TensorIndex(4) << ' ' << TensorIndex(false) << ' '
            << std::vector<TensorIndex>({1, Slice(0, 2), "..."}) << '\n';
}
