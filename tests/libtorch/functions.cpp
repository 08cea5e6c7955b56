// Functions that ATen has beside methods: picks and statistics, destinations, gradients of single ops, overloads.
#include <torch/torch.h>

#include <iostream>

#define SHOW(...) std::cout << #__VA_ARGS__ << '\n' << (__VA_ARGS__) << '\n'

static const auto x = torch::tensor({{0.5, -1.0}, {2.0, 0.0}}), y = torch::tensor({{1.0, 2.0}, {3.0, 4.0}}),
                  g = torch::tensor({{1.0, 0.5}, {-1.0, 2.0}});

static void picks() {
  SHOW(torch::argwhere(x));
  SHOW(torch::isin(torch::arange(6).view({2, 3}), torch::tensor({1, 4})));
  SHOW(torch::isin(torch::arange(4), 2, false, true));
  SHOW(torch::isin(3, torch::arange(4)));
  SHOW(torch::cov(y));
  SHOW(y.cov(1, torch::tensor({1, 2})));
  SHOW(y.corrcoef());
  SHOW(torch::vander(torch::arange(4)));
  SHOW(torch::vander(torch::tensor({1.5, 2.0}), 3, true));
  SHOW(torch::combinations(torch::arange(4), 3));
  SHOW(torch::combinations(torch::arange(3), 2, true));
  SHOW(torch::diagflat(torch::arange(2), 1));
  SHOW(torch::column_stack({torch::arange(3), torch::ones({3, 2})}));
  SHOW(torch::isreal(x));
  SHOW(x.sum_to_size({1, 2}));
  SHOW(torch::is_same_size(x, y));
  SHOW(x.index_put({torch::tensor({0, 1}), torch::tensor({1, 0})}, torch::tensor({9.0, 8.0})));
}

static void functions() {
  auto bits = torch::tensor({6, 5});
  bits &= torch::tensor(3);
  bits |= torch::tensor({8, 16});
  bits ^= torch::tensor(1);
  SHOW(bits);
  auto z = torch::clone(x);
  torch::zero_(z);
  torch::fill_(z, 2.5);
  SHOW(z);
  SHOW(torch::fill(x, 3));
  SHOW(torch::copy(x, y));
  auto out = torch::empty({2, 2});
  SHOW(torch::special::erf_out(out, x));
  SHOW(torch::special_expit_out(out, x));
  SHOW(torch::special::multigammaln(y + 2, 2));
  SHOW(torch::roll_out(out, x, 1));
  SHOW(torch::arccos_outf(torch::full({1}, 0.5), out));
  SHOW(2.0 / torch::tensor({3.0, 7.0, 9.0}));
  const auto image = torch::zeros({1, 2, 2, 2});
  SHOW(torch::zeros_like(image, torch::TensorOptions(), torch::MemoryFormat::ChannelsLast).strides());
  SHOW(torch::randn_like(image, torch::TensorOptions(), torch::MemoryFormat::ChannelsLast).strides());
  auto s = torch::zeros({1});
  s.set_(y.storage(), 1, {2}, {2});
  SHOW(s);
  SHOW(torch::result_type(1, torch::ones({2}, torch::kInt)));
  SHOW(torch::trapz(y));
  SHOW(torch::atleast_1d({x, torch::ones({})}));
  SHOW(torch::linspace(torch::tensor(0.0), 1, 3));
  SHOW(x.is_non_overlapping_and_dense());
}

static void gradients() {
  SHOW(torch::tanh_backward(g, x));
  SHOW(torch::sigmoid_backward(g, x));
  SHOW(torch::threshold_backward(g, x, 0));
  SHOW(torch::elu_backward(g, 1, 1, 1, false, x));
  SHOW(torch::gelu_backward(g, x));
  SHOW(torch::hardtanh_backward(g, x, -0.5, 1));
  SHOW(torch::leaky_relu_backward(g, x, 0.1, false));
  SHOW(torch::softplus_backward(g, x, 1, 20));
  SHOW(torch::glu_backward(torch::ones({2, 1}), x, 1));
  SHOW(torch::hardswish_backward(g, x));
  SHOW(torch::_softmax_backward_data(g, torch::softmax(x, 1), 1, torch::kFloat));
  SHOW(torch::_log_softmax_backward_data(g, torch::log_softmax(x, 1), 1, torch::kFloat));
  SHOW(torch::mse_loss_backward(torch::ones({}), x, y, at::Reduction::Mean));
  SHOW(torch::huber_loss_backward(g, x, y, at::Reduction::None, 1.0));
  SHOW(torch::nll_loss_backward(torch::ones({}), x, torch::tensor({0, 1}), {}, at::Reduction::Mean, -100,
                                torch::full({}, 2.0)));
  const auto image = torch::arange(16, torch::kFloat).view({1, 1, 4, 4});
  const auto [pooled, places] = torch::max_pool2d_with_indices(image, {2, 2});
  SHOW(torch::max_pool2d_with_indices_backward(torch::ones_like(pooled), image, {2, 2}, {2, 2}, {0, 0}, {1, 1}, false,
                                               places));
  SHOW(torch::reflection_pad2d_backward(torch::ones({1, 1, 6, 6}), image, {1, 1, 1, 1}));
  const auto [of_image, of_weight, of_bias] =
      torch::convolution_backward(torch::ones({1, 1, 3, 3}), image, torch::ones({1, 1, 2, 2}), at::IntArrayRef{1},
                                  {1, 1}, {0, 0}, {1, 1}, false, {0, 0}, 1, {true, true, true});
  SHOW(of_image);
  SHOW(of_weight);
  SHOW(of_bias);
  const auto [normal, mean, rstd] = torch::native_layer_norm(x, {2}, y[0], y[1], 1e-5);
  const auto [of_x, of_scale, of_shift] =
      torch::native_layer_norm_backward(g, x, {2}, mean, rstd, y[0], y[1], {true, true, true});
  SHOW(of_x);
  SHOW(of_scale);
  SHOW(of_shift);
  SHOW(torch::select_backward(torch::ones({3}), {2, 3}, 0, 1));
  SHOW(torch::slice_backward(torch::ones({2, 1}), {2, 3}, 1, 0, 2, 2));
  SHOW(torch::diagonal_backward(torch::ones({2}), {2, 2}, 0, 0, 1));
}

int main() {
  picks();
  functions();
  gradients();
}
