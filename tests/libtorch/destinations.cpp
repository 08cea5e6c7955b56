// Results that go where they are told, of functions that have no out= in Python: name_out and name_outf.
#include <torch/torch.h>

#include <iostream>

int main() {
  const auto x = torch::arange(6, torch::kFloat).reshape({1, 2, 3}) - 2, y = torch::ones({1, 2, 3});
  auto out = torch::empty({0});
  std::cout << at::reflection_pad1d_outf(x, at::IntArrayRef({1, 1}), out) << '\n';
  std::cout << at::replication_pad1d_out(out, x, at::IntArrayRef({1, 1})).sizes() << '\n';
  std::cout << at::relu_outf(x, out).sum() << '\n';
  std::cout << at::clone_outf(x, torch::MemoryFormat::Contiguous, out).sum() << '\n';
  std::cout << at::special_erf_outf(x, out).sum() << '\n';
  std::cout << at::tanh_backward_out(out, y, x.tanh()).sizes() << at::threshold_backward_outf(y, x, 0, out).sum()
            << '\n';
  std::cout << at::fill_outf(x, torch::Scalar(3), out).sum() << at::zero_out(out, x).sum() << '\n';
  auto truth = torch::empty({0}, torch::kBool);
  std::cout << at::isnan_outf(x, truth).dtype() << '\n';
  try {
    at::isnan_outf(x, out);
  } catch (const c10::Error& e) {
    std::cout << e.what_without_backtrace() << '\n';
  }
  auto square = torch::eye(3);
  std::cout << at::trace_outf(square, out) << at::dist_outf(x, y, 2, out) << '\n';
  const c10::List<std::optional<at::Tensor>> rows({std::optional<at::Tensor>(torch::tensor({0, 2}))});
  std::cout << at::index(square, rows) << at::index_put(square, rows, torch::zeros({2, 3})) << '\n';
  torch::manual_seed(0);
  const auto drawn = at::uniform(square, 1, 2);
  std::cout << (drawn > 1).all().item<bool>() << square.sum() << '\n';
}
