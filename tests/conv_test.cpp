// Convolutions and pooling against plain loops: many shapes, strides, dilations and groups, every path of the kernels;
// the same bits for any number of threads; wrong arguments.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>

#include "taut/taut.h"

namespace taut {
namespace {

using autograd::variable_list;

struct Shape {
  int64_t batch, groups, in, out;  // channels of a group
  std::vector<int64_t> image, kernel, stride, padding, dilation;

  size_t dims() const { return image.size(); }
  std::vector<int64_t> result() const {
    std::vector<int64_t> size;
    for (size_t d = 0; d < dims(); ++d)
      size.push_back((image[d] + 2 * padding[d] - dilation[d] * (kernel[d] - 1) - 1) / stride[d] + 1);
    return size;
  }
  std::string text() const {
    return str(batch, " x ", groups, " groups of ", in, " -> ", out, " channels, image ", IntArrayRef(image),
               " kernel ", IntArrayRef(kernel), " stride ", IntArrayRef(stride), " padding ", IntArrayRef(padding),
               " dilation ", IntArrayRef(dilation));
  }
};

std::vector<int64_t> joined(int64_t a, int64_t b, const std::vector<int64_t>& rest) {
  std::vector<int64_t> all{a, b};
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

/// f(index of each dimension, place) over all positions of a box.
void each(const std::vector<int64_t>& size, const std::function<void(const std::vector<int64_t>&, int64_t)>& f) {
  int64_t n = 1;
  for (int64_t s : size) n *= s;
  std::vector<int64_t> at(size.size());
  for (int64_t i = 0; i < n; ++i) {
    int64_t rest = i;
    for (size_t d = size.size(); d-- > 0; rest /= size[d]) at[d] = rest % size[d];
    f(at, i);
  }
}

/// Calls f(y, x, w) with the places of every product that the convolution adds up.
template <class F>
void each_product(const Shape& s, F f) {
  const auto three = [&](const std::vector<int64_t>& list, int64_t rest) {
    std::array<int64_t, 3> all{rest, rest, rest};
    std::copy(list.begin(), list.end(), all.end() - static_cast<int64_t>(list.size()));
    return all;
  };
  const auto image = three(s.image, 1), kernel = three(s.kernel, 1), result = three(s.result(), 1),
             stride = three(s.stride, 1), padding = three(s.padding, 0), dilation = three(s.dilation, 1);
  int64_t y = 0;
  for (int64_t n = 0; n < s.batch; ++n)
    for (int64_t o = 0; o < s.groups * s.out; ++o)
      for (int64_t p = 0; p < result[0]; ++p)
        for (int64_t q = 0; q < result[1]; ++q)
          for (int64_t r = 0; r < result[2]; ++r, ++y) {
            int64_t w = o * s.in * kernel[0] * kernel[1] * kernel[2];
            for (int64_t c = 0; c < s.in; ++c)
              for (int64_t a = 0; a < kernel[0]; ++a)
                for (int64_t b = 0; b < kernel[1]; ++b)
                  for (int64_t d = 0; d < kernel[2]; ++d, ++w) {
                    const int64_t i = p * stride[0] - padding[0] + a * dilation[0],
                                  j = q * stride[1] - padding[1] + b * dilation[1],
                                  k = r * stride[2] - padding[2] + d * dilation[2];
                    if (i < 0 || i >= image[0] || j < 0 || j >= image[1] || k < 0 || k >= image[2]) continue;
                    const int64_t channel = (n * s.groups + o / s.out) * s.in + c;
                    f(y, ((channel * image[0] + i) * image[1] + j) * image[2] + k, w);
                  }
          }
}

Tensor run(const Shape& s, const Tensor& x, const Tensor& w, OptionalTensor b = std::nullopt) {
  const std::vector<int64_t> none(s.dims(), 0);
  return convolution(x, w, b, s.stride, s.padding, s.dilation, false, none, s.groups);
}

void expect_near(const Tensor& got, const Tensor& want, double tolerance, const char* what) {
  ASSERT_EQ(got.sizes(), want.sizes()) << what;
  if (got.numel() == 0) return;
  EXPECT_LT((got.to(kDouble) - want).abs().max().item<double>(), tolerance) << what;
}

void compare(const Shape& s, ScalarType dtype) {
  SCOPED_TRACE(str(s.text(), " ", dtype));
  manual_seed(5);
  const Tensor x = randn(joined(s.batch, s.groups * s.in, s.image), kDouble);
  const Tensor w = randn(joined(s.groups * s.out, s.in, s.kernel), kDouble), b = randn({s.groups * s.out}, kDouble);
  const Tensor g = randn(joined(s.batch, s.groups * s.out, s.result()), kDouble);
  const Tensor y = zeros(g.sizes(), kDouble), dx = zeros(x.sizes(), kDouble), dw = zeros(w.sizes(), kDouble);
  const double *xs = x.data_ptr<double>(), *ws = w.data_ptr<double>(), *gs = g.data_ptr<double>();
  double *ys = y.data_ptr<double>(), *dxs = dx.data_ptr<double>(), *dws = dw.data_ptr<double>();
  each_product(s, [&](int64_t i, int64_t j, int64_t k) {
    ys[i] += xs[j] * ws[k];
    dxs[j] += gs[i] * ws[k];
    dws[k] += gs[i] * xs[j];
  });
  std::vector<int64_t> ones(s.dims() + 2, 1);
  ones[1] = b.size(0);
  const double tolerance = dtype == kDouble ? 1e-10 : 5e-3;

  const Tensor xt = x.to(dtype).requires_grad_(), wt = w.to(dtype).requires_grad_(), bt = b.to(dtype).requires_grad_();
  const Tensor plain = run(s, xt, wt), with_bias = run(s, xt, wt, bt);
  expect_near(plain, y, tolerance, "without bias");
  expect_near(with_bias, y + b.view(ones), tolerance, "with bias");
  const variable_list grads = autograd::grad({with_bias}, {xt, wt, bt}, {g.to(dtype)});
  expect_near(grads[0], dx, tolerance, "gradient of the images");
  expect_near(grads[1], dw, tolerance * 4, "gradient of the weight");
  expect_near(grads[2], g.transpose(0, 1).reshape({b.size(0), -1}).sum(1), tolerance * 4, "gradient of the bias");

  // The transposed convolution is the gradient of the images.
  std::vector<int64_t> back;
  for (size_t d = 0; d < s.dims(); ++d)
    back.push_back(s.image[d] -
                   ((s.result()[d] - 1) * s.stride[d] - 2 * s.padding[d] + s.dilation[d] * (s.kernel[d] - 1) + 1));
  bool legal = true;
  for (size_t d = 0; d < s.dims(); ++d) legal &= back[d] < std::max(s.stride[d], s.dilation[d]);
  if (legal && s.batch > 0) {
    const Tensor turned = convolution(g.to(dtype), wt, {}, s.stride, s.padding, s.dilation, true, back, s.groups);
    expect_near(turned, dx, tolerance, "transposed");
  }
}

const std::vector<Shape> kShapes = {
    // batch, groups, in, out, image, kernel, stride, padding, dilation
    {1, 1, 1, 1, {1}, {1}, {1}, {0}, {1}},
    {2, 1, 3, 5, {17}, {3}, {1}, {1}, {1}},
    {1, 1, 2, 40, {300}, {5}, {3}, {2}, {2}},
    {3, 2, 4, 6, {33}, {4}, {5}, {3}, {3}},
    {1, 1, 300, 3, {9}, {3}, {1}, {1}, {1}},
    {1, 1, 1, 2, {700}, {300}, {1}, {0}, {1}},
    {1, 1, 1, 1, {5}, {5}, {7}, {2}, {1}},
    {2, 1, 1, 32, {28, 28}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
    {2, 1, 3, 20, {31, 30}, {7, 7}, {2, 2}, {3, 3}, {1, 1}},
    {2, 1, 3, 20, {70, 66}, {7, 7}, {2, 2}, {3, 3}, {1, 1}},
    {1, 1, 1, 16, {40, 132}, {4, 5}, {2, 2}, {0, 2}, {1, 1}},
    {1, 1, 4, 17, {65, 70}, {3, 8}, {2, 2}, {1, 4}, {1, 1}},
    {2, 1, 2, 24, {300, 17}, {5, 6}, {2, 2}, {2, 0}, {1, 1}},
    {2, 1, 32, 17, {14, 14}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
    {1, 1, 40, 40, {9, 9}, {3, 3}, {2, 2}, {1, 1}, {1, 1}},
    {9, 1, 16, 16, {7, 7}, {3, 3}, {1, 1}, {0, 0}, {1, 1}},
    {2, 1, 32, 48, {11, 9}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
    {2, 1, 48, 32, {12, 15}, {3, 3}, {1, 1}, {2, 0}, {1, 1}},
    {1, 1, 512, 256, {2, 3}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
    {2, 1, 32, 48, {17, 19}, {3, 3}, {2, 2}, {1, 1}, {1, 1}},
    {1, 1, 48, 32, {16, 21}, {3, 3}, {2, 2}, {1, 1}, {1, 1}},
    {2, 1, 32, 32, {20, 22}, {3, 3}, {2, 2}, {0, 2}, {1, 1}},
    {3, 1, 256, 32, {9, 10}, {3, 3}, {1, 1}, {0, 2}, {1, 1}},
    {2, 1, 20, 70, {6, 7}, {1, 1}, {1, 1}, {0, 0}, {1, 1}},
    {2, 1, 300, 20, {6, 7}, {1, 1}, {1, 1}, {0, 0}, {1, 1}},
    {1, 1, 5, 6, {9, 8}, {1, 1}, {2, 3}, {0, 0}, {1, 1}},
    {1, 1, 5, 6, {9, 8}, {1, 1}, {1, 1}, {2, 1}, {1, 1}},
    {2, 8, 1, 1, {12, 13}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
    {2, 8, 1, 1, {15, 33}, {3, 3}, {2, 2}, {1, 1}, {1, 1}},
    {2, 3, 1, 2, {9, 20}, {5, 2}, {1, 3}, {2, 1}, {2, 1}},
    {1, 3, 1, 7, {9, 9}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
    {2, 4, 5, 3, {11, 10}, {3, 2}, {1, 2}, {1, 0}, {1, 2}},
    {1, 2, 3, 17, {8, 40}, {2, 5}, {1, 1}, {4, 0}, {3, 4}},
    {1, 1, 2, 2, {3, 3}, {3, 3}, {1, 1}, {5, 5}, {1, 1}},
    {1, 1, 2, 30, {40, 3}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
    {1, 1, 2, 30, {40, 1}, {3, 1}, {1, 1}, {1, 0}, {1, 1}},
    {1, 1, 2, 3, {20, 20}, {2, 2}, {4, 5}, {0, 0}, {1, 1}},
    {1, 1, 2, 3, {20, 20}, {3, 3}, {2, 2}, {0, 0}, {4, 3}},
    {1, 1, 30, 30, {4, 5, 6}, {3, 3, 3}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
    {2, 1, 2, 3, {5, 6, 7}, {2, 3, 2}, {2, 1, 2}, {1, 0, 1}, {1, 2, 1}},
    {1, 4, 1, 1, {5, 6, 7}, {3, 3, 3}, {1, 2, 1}, {1, 1, 1}, {1, 1, 1}},
    {1, 1, 1, 2, {8, 8, 8}, {7, 7, 7}, {1, 1, 1}, {3, 3, 3}, {1, 1, 1}},
    {0, 1, 2, 3, {4, 4}, {2, 2}, {1, 1}, {0, 0}, {1, 1}},
};

TEST(Conv, EqualsPlainLoopsInFloat64) {
  for (const Shape& s : kShapes) compare(s, kDouble);
}
TEST(Conv, EqualsPlainLoopsInFloat32) {
  for (const Shape& s : kShapes) compare(s, kFloat);
}

bool same_bits(const Tensor& a, const Tensor& b) {
  const Tensor x = a.contiguous(), y = b.contiguous();
  return x.nbytes() == y.nbytes() && (x.nbytes() == 0 || std::memcmp(x.data_ptr(), y.data_ptr(), x.nbytes()) == 0);
}

/// f() with 1, 2, 3 and 7 threads.
void expect_same_bits(const std::function<variable_list()>& f) {
  const int before = get_num_threads();
  set_num_threads(1);
  const variable_list want = f();
  for (int threads : {2, 3, 7}) {
    set_num_threads(threads);
    const variable_list got = f();
    for (size_t i = 0; i < want.size(); ++i) EXPECT_TRUE(same_bits(got[i], want[i])) << threads << " threads, " << i;
  }
  set_num_threads(before);
}

TEST(Conv, HasTheSameBitsForAnyNumberOfThreads) {
  for (const Shape& s : std::vector<Shape>{{5, 1, 16, 24, {20, 20}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
                                           {1, 1, 3, 64, {64, 64}, {7, 7}, {2, 2}, {3, 3}, {1, 1}},
                                           {1, 1, 64, 64, {7, 7}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
                                           {5, 1, 64, 48, {33, 34}, {3, 3}, {2, 2}, {1, 1}, {1, 1}},
                                           {9, 1, 64, 48, {17, 18}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
                                           {16, 1, 1, 32, {28, 28}, {3, 3}, {1, 1}, {0, 0}, {1, 1}},
                                           {3, 1, 64, 96, {16, 16}, {1, 1}, {1, 1}, {0, 0}, {1, 1}},
                                           {3, 32, 1, 1, {30, 30}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
                                           {3, 32, 1, 1, {30, 30}, {3, 3}, {2, 2}, {1, 1}, {1, 1}},
                                           {2, 4, 8, 8, {24, 24}, {3, 3}, {2, 2}, {1, 1}, {1, 1}},
                                           {1, 1, 8, 8, {8, 16, 16}, {3, 3, 3}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}}) {
    SCOPED_TRACE(s.text());
    const Tensor x = randn(joined(s.batch, s.groups * s.in, s.image)).requires_grad_();
    const Tensor w = randn(joined(s.groups * s.out, s.in, s.kernel)).requires_grad_();
    const Tensor b = randn({s.groups * s.out}).requires_grad_();
    const Tensor g = randn(joined(s.batch, s.groups * s.out, s.result()));
    expect_same_bits([&] {
      const Tensor y = run(s, x, w, b);
      variable_list all = autograd::grad({y}, {x, w, b}, {g});
      all.push_back(y.detach());
      return all;
    });
  }
}

TEST(Conv, OfAnImageAndOfABatchOfItAreTheSame) {
  const Tensor x = randn({3, 9, 9}), w = randn({4, 3, 3, 3});
  EXPECT_TRUE(conv2d(x, w).equal(conv2d(x.unsqueeze(0), w).squeeze(0)));
}

TEST(Conv, OneImageOfABatchDoesNotDependOnTheOthers) {
  const Tensor x = randn({5, 8, 12, 12}), w = randn({20, 8, 3, 3});
  const Tensor all = conv2d(x, w, {}, 1, 1), one = conv2d(x.narrow(0, 3, 1), w, {}, 1, 1);
  EXPECT_TRUE(same_bits(all.narrow(0, 3, 1), one));
  // The same by way of tiles, where an image that is not finite is computed anew.
  const Tensor images = randn({3, 32, 12, 12}), weight = randn({32, 32, 3, 3});
  const Tensor lone = conv2d(images.narrow(0, 2, 1), weight, {}, 1, 1);
  images.narrow(0, 1, 1).fill_(std::numeric_limits<float>::infinity());
  EXPECT_TRUE(same_bits(conv2d(images, weight, {}, 1, 1).narrow(0, 2, 1), lone));
}

TEST(Conv, ANumberThatIsNotFiniteReachesOnlyTheWindowsThatSeeIt) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  for (float v : {inf, std::numeric_limits<float>::quiet_NaN()}) {
    const Tensor x = ones({1, 32, 12, 12}), w = ones({32, 32, 3, 3}), g = ones({1, 32, 12, 12});
    x.index_put_({0, 3, 5, 6}, full({}, v));
    g.index_put_({0, 3, 5, 6}, full({}, v));
    const Tensor wide = ones({1, 32, 16, 16});
    wide.index_put_({0, 3, 5, 5}, full({}, v));  // four windows of stride 2 see it
    EXPECT_EQ(conv2d(wide, w, {}, 2, 1).isfinite().logical_not().sum().item<int64_t>(), 32 * 4);
    const Tensor image = ones({2, 3, 80, 80});
    image.index_put_({1, 2, 41, 40}, full({}, v));  // 4 x 3 windows
    const Tensor first = conv2d(image, ones({16, 3, 7, 7}), {}, 2, 3);
    EXPECT_EQ(first.isfinite().logical_not().sum().item<int64_t>(), 16 * 4 * 3);
    EXPECT_EQ(first.isnan().any().item<bool>(), v != inf);
    const Tensor xt = x.requires_grad_(), wt = w.requires_grad_();
    const Tensor y = conv2d(xt, wt, {}, 1, 1);
    const variable_list grads = autograd::grad({y}, {xt, wt}, {g});
    for (const Tensor& t : {y.detach(), grads[0]}) {
      EXPECT_EQ(t.isfinite().logical_not().sum().item<int64_t>(), 32 * 9);
      EXPECT_EQ(t.isnan().any().item<bool>(), v != inf);
    }
    EXPECT_EQ(grads[1].isnan().any().item<bool>(), v != inf);
    EXPECT_EQ(grads[1].isfinite().logical_not().sum().item<int64_t>(), 9 * (32 + 32 - 1));
  }
}

TEST(Conv, SamePaddingKeepsTheSizeForEvenKernelsToo) {
  const Tensor x = randn({1, 2, 7, 8}, kDouble), w = randn({3, 2, 4, 2}, kDouble);
  const Tensor y = conv2d(x, w, {}, 1, "same");
  EXPECT_EQ(y.sizes(), IntArrayRef({1, 3, 7, 8}));
  expect_near(y, conv2d(pad(x, {0, 1, 1, 2}), w), 1e-12, "as with the padding before");
  EXPECT_EQ(conv2d(x, w, {}, 1, "valid").sizes(), IntArrayRef({1, 3, 4, 7}));
}

TEST(Conv, WholeNumbersAreExact) {
  const Tensor x = full({1, 1, 3, 3}, 3000000, kLong), w = full({1, 1, 3, 3}, 7, kLong);
  EXPECT_EQ(conv2d(x, w).item<int64_t>(), 9 * 3000000 * int64_t{7});
}

TEST(Conv, HigherDerivativesAreThoseOfFiniteDifferences) {
  const auto inputs = [] {
    return variable_list{randn({2, 2, 4, 5}, kDouble).requires_grad_(), randn({4, 1, 3, 2}, kDouble).requires_grad_(),
                         randn({4}, kDouble).requires_grad_()};
  };
  manual_seed(2);
  const auto f = [](const variable_list& v) { return variable_list{conv2d(v[0], v[1], v[2], {2, 1}, 1, {1, 2}, 2)}; };
  EXPECT_TRUE(autograd::gradcheck(f, inputs()));
  EXPECT_TRUE(autograd::gradgradcheck(f, inputs()));
  const auto turned = [](const variable_list& v) {
    return variable_list{conv_transpose2d(v[0], v[1].reshape({2, 2, 3, 2}), v[2], 2, 1, 1, 2)};
  };
  const variable_list small = {randn({1, 2, 3, 3}, kDouble).requires_grad_(),
                               randn({4, 1, 3, 2}, kDouble).requires_grad_(), randn({4}, kDouble).requires_grad_()};
  EXPECT_TRUE(autograd::gradgradcheck(turned, small));
  // The third order, by differentiating a gradient of a gradient.
  const auto third = [](const variable_list& v) {
    const Tensor y = conv2d(v[0], v[1], v[2], 1, 1, 1, 2).tanh();
    const Tensor g = autograd::grad({y.sum()}, {v[0]}, {}, std::nullopt, true)[0];
    return variable_list{autograd::grad({g.pow(2).sum()}, {v[1]}, {}, std::nullopt, true)[0]};
  };
  EXPECT_TRUE(autograd::gradcheck(third, inputs()));
}

// ---- pooling

struct Pool {
  int64_t planes;
  std::vector<int64_t> image, kernel, stride, padding, dilation;
  bool ceil_mode;
};

/// Calls f(position of the window, places it sees).
void each_window(const Pool& p, const std::vector<int64_t>& result,
                 const std::function<void(int64_t, const std::vector<int64_t>&)>& f) {
  each(result, [&](const std::vector<int64_t>& at, int64_t position) {
    std::vector<int64_t> places;
    each(p.kernel, [&](const std::vector<int64_t>& k, int64_t) {
      int64_t place = 0;
      for (size_t d = 0; d < p.image.size(); ++d) {
        const int64_t i = at[d] * p.stride[d] - p.padding[d] + k[d] * p.dilation[d];
        if (i < 0 || i >= p.image[d]) return;
        place = place * p.image[d] + i;
      }
      places.push_back(place);
    });
    f(position, places);
  });
}

const std::vector<Pool> kPools = {
    {3, {20, 22}, {2, 2}, {2, 2}, {0, 0}, {1, 1}, false}, {2, {40, 37}, {3, 3}, {2, 2}, {1, 1}, {1, 1}, false},
    {2, {40, 37}, {3, 3}, {2, 2}, {1, 1}, {1, 1}, true},  {2, {19, 50}, {5, 4}, {1, 1}, {2, 2}, {1, 1}, false},
    {1, {19, 50}, {3, 2}, {3, 4}, {1, 1}, {2, 3}, true},  {1, {7, 7}, {7, 7}, {1, 1}, {3, 3}, {1, 1}, false},
    {2, {6, 9}, {1, 1}, {3, 3}, {0, 0}, {1, 1}, true},
};

TEST(MaxPool, EqualsPlainLoopsAndFindsTheFirstOfEquals) {
  for (ScalarType dtype : {kFloat, kDouble, kLong})
    for (const Pool& p : kPools) {
      SCOPED_TRACE(str(IntArrayRef(p.image), IntArrayRef(p.kernel), dtype));
      manual_seed(4);
      // Few different values, so that there are equals; some of them infinite.
      Tensor x = randint(-3, 4, {p.planes, p.image[0], p.image[1]}).to(dtype);
      if (dtype != kLong) x = x.masked_fill(x == 3, -INFINITY).masked_fill(x == -3, -INFINITY);
      const auto [y, index] = max_pool2d_with_indices(x, p.kernel, p.stride, p.padding, p.dilation, p.ceil_mode);
      EXPECT_TRUE(y.equal(max_pool2d(x, p.kernel, p.stride, p.padding, p.dilation, p.ceil_mode)));
      const Tensor flat = x.reshape({p.planes, -1}).to(kDouble), values = y.reshape({p.planes, -1}).to(kDouble),
                   places = index.reshape({p.planes, -1});
      const auto from = flat.accessor<double, 2>(), got = values.accessor<double, 2>();
      const auto where = places.accessor<int64_t, 2>();
      for (int64_t plane = 0; plane < p.planes; ++plane)
        each_window(p, {y.size(1), y.size(2)}, [&](int64_t at, const std::vector<int64_t>& seen) {
          int64_t best = seen[0];
          for (int64_t place : seen)
            if (from[plane][place] > from[plane][best]) best = place;
          ASSERT_EQ(got[plane][at], from[plane][best]);
          ASSERT_EQ(where[plane][at], best);
        });
    }
}

TEST(MaxPool, PassesNanOn) {
  Tensor x = zeros({1, 4, 40});
  x[0][1][7] = NAN;
  const auto [y, index] = max_pool2d_with_indices(x, 2);
  EXPECT_TRUE(std::isnan(y[0][0][3].item<float>()));
  EXPECT_EQ(index[0][0][3].item<int64_t>(), 47);
  EXPECT_EQ(y.isnan().sum().item<int64_t>(), 1);
  EXPECT_TRUE(std::isnan(max_pool2d(x, 2)[0][0][3].item<float>()));
}

TEST(AvgPool, EqualsPlainLoops) {
  for (const Pool& p : kPools)
    for (bool count_padding : {false, true}) {
      bool spread = false;
      for (int64_t d : p.dilation) spread |= d != 1;
      if (spread) continue;
      SCOPED_TRACE(str(IntArrayRef(p.image), IntArrayRef(p.kernel), count_padding));
      const Tensor x = randn({p.planes, p.image[0], p.image[1]}, kDouble);
      const Tensor y = avg_pool2d(x, p.kernel, p.stride, p.padding, p.ceil_mode, count_padding);
      const Tensor flat = x.reshape({p.planes, -1}), values = y.reshape({p.planes, -1});
      const auto from = flat.accessor<double, 2>(), got = values.accessor<double, 2>();
      for (int64_t plane = 0; plane < p.planes; ++plane)
        each_window(p, {y.size(1), y.size(2)}, [&](int64_t at, const std::vector<int64_t>& seen) {
          double sum = 0, count = 1;
          for (int64_t place : seen) sum += from[plane][place];
          for (size_t d = 0; d < 2; ++d) {
            const int64_t begin = (d ? at % y.size(2) : at / y.size(2)) * p.stride[d] - p.padding[d];
            count *= static_cast<double>(std::min(begin + p.kernel[d], p.image[d] + p.padding[d]) - begin);
          }
          ASSERT_NEAR(got[plane][at], sum / (count_padding ? count : static_cast<double>(seen.size())), 1e-12);
        });
    }
}

TEST(Pooling, HasTheSameBitsForAnyNumberOfThreads) {
  const Tensor x = randn({8, 16, 30, 31}).requires_grad_();
  expect_same_bits([&] {
    variable_list all;
    const Tensor results[] = {max_pool2d(x, 3, 2, 1), avg_pool2d(x, 3, 2, 1), adaptive_avg_pool2d(x, {7, 5}),
                              std::get<0>(adaptive_max_pool2d(x, {7, 5})), im2col(x, 3, 1, 1, 2)};
    for (const Tensor& y : results) {
      all.push_back(y.detach());
      all.push_back(autograd::grad({(y * y).sum()}, {x})[0]);
    }
    return all;
  });
}

TEST(Pooling, SecondDerivativesAreThoseOfFiniteDifferences) {
  manual_seed(6);
  const Tensor x = randn({1, 2, 5, 6}, kDouble).requires_grad_();
  const std::function<Tensor(const Tensor&)> functions[] = {
      [](const Tensor& t) { return max_pool2d(t, 2, 1).pow(3); },
      [](const Tensor& t) { return avg_pool2d(t, 3, 2, 1, true, false).pow(3); },
      [](const Tensor& t) {
        return adaptive_avg_pool2d(t, {2, 3}).pow(3);
      },
      [](const Tensor& t) {
        return std::get<0>(adaptive_max_pool2d(t, {2, 3})).pow(3);
      },
      [](const Tensor& t) { return im2col(t, 2, 1, 0, 2).pow(3); },
      [](const Tensor& t) {
        return col2im(im2col(t, 2, 1, 0, 1).pow(3), {5, 6}, 2, 1, 0, 1).pow(2);
      }};
  for (const auto& f : functions)
    EXPECT_TRUE(autograd::gradgradcheck([&](const variable_list& v) { return variable_list{f(v[0])}; }, {x}));
}

TEST(MaxUnpool, PutsValuesBackWhereTheyWere) {
  const Tensor x = randn({2, 3, 8, 8});
  const auto [y, index] = max_pool2d_with_indices(x, 2);
  const Tensor back = max_unpool2d(y, index, {8, 8});
  EXPECT_TRUE(max_pool2d(back.masked_fill(back == 0, -INFINITY), 2).equal(y));
  EXPECT_EQ((back != 0).sum().item<int64_t>(), y.numel());
}

TEST(Unfold, AndFoldAreTransposed) {
  const Tensor x = randn({2, 3, 7, 8}, kDouble);
  const Tensor columns = im2col(x, {3, 2}, {1, 2}, {1, 0}, {2, 1});
  const Tensor u = randn(columns.sizes(), kDouble);
  const double a = (columns * u).sum().item<double>();
  const double b = (x * col2im(u, {7, 8}, {3, 2}, {1, 2}, {1, 0}, {2, 1})).sum().item<double>();
  EXPECT_NEAR(a, b, 1e-10);
}

// ---- wrong arguments

struct Bad {
  const char* what;
  std::function<void()> call;
  const char* message;  // a part of it
};

TEST(ConvAndPool, SayWhatIsWrong) {
  const Tensor x = ones({1, 2, 4, 4}), w = ones({2, 2, 2, 2}), index = zeros({1, 1, 2, 2}, kLong);
  const Tensor one = ones({1, 1, 2, 2});
  const Bad table[] = {
      {"undefined input", [&] { conv2d(Tensor(), w); }, "conv2d"},
      {"undefined weight", [&] { conv2d(x, Tensor()); }, "weight"},
      {"channels",
       [&] {
         conv2d(ones({1, 3, 4, 4}), w);
       },
       "to have 2 channels, but got 3 channels instead"},
      {"dimensions",
       [&] {
         conv2d(ones({4, 4}), w);
       },
       "Expected 3D (unbatched) or 4D (batched) input to conv2d"},
      {"weight dimensions",
       [&] {
         conv2d(x, ones({2, 2, 2}));
       },
       "expected a weight of 4 dimensions"},
      {"stride 0", [&] { conv2d(x, w, {}, 0); }, "non-positive stride"},
      {"stride -1", [&] { conv2d(x, w, {}, -1); }, "non-positive stride"},
      {"huge stride", [&] { conv2d(x, w, {}, INT64_MAX); }, "stride"},
      {"padding -1", [&] { conv2d(x, w, {}, 1, -1); }, "negative padding is not supported"},
      {"huge padding", [&] { conv2d(x, w, {}, 1, INT64_MAX / 2); }, "padding"},
      {"dilation 0", [&] { conv2d(x, w, {}, 1, 0, 0); }, "dilation should be greater than zero"},
      {"kernel too large",
       [&] {
         conv2d(x, ones({2, 2, 5, 5}));
       },
       "Kernel size can't be greater than actual input size"},
      {"kernel of size 0",
       [&] {
         conv2d(x, ones({2, 2, 0, 2}));
       },
       "kernel size should be greater than zero"},
      {"groups 0", [&] { conv2d(x, w, {}, 1, 0, 1, 0); }, "non-positive groups"},
      {"groups do not divide",
       [&] {
         conv2d(x, ones({3, 1, 2, 2}), {}, 1, 0, 1, 2);
       },
       "to be divisible by 2"},
      {"no filters",
       [&] {
         conv2d(x, ones({0, 2, 2, 2}));
       },
       "at least 1 at dimension 0"},
      {"bias length", [&] { conv2d(x, w, ones({3})); }, "expected bias to be 1-dimensional with 2 elements"},
      {"bias dimensions",
       [&] {
         conv2d(x, w, ones({2, 1}));
       },
       "expected bias to be 1-dimensional"},
      {"weight dtype", [&] { conv2d(x, w.to(kDouble)); }, "should be the same"},
      {"bias dtype", [&] { conv2d(x, w, ones({2}, kDouble)); }, "should be the same"},
      {"bool", [&] { conv2d(x.to(kBool), w.to(kBool)); }, "not implemented"},
      {"too many strides",
       [&] {
         conv2d(x, w, {}, {1, 1, 1});
       },
       "a list of 2 values"},
      {"same with stride", [&] { conv2d(x, w, {}, 2, "same"); }, "padding='same' is not supported for strided"},
      {"unknown padding", [&] { conv2d(x, w, {}, 1, "full"); }, "Invalid padding string: 'full'"},
      {"empty image",
       [&] {
         conv2d(ones({1, 2, 0, 4}), w, {}, 1, 1);
       },
       "conv2d"},
      {"output padding", [&] { conv_transpose2d(x, w, {}, 1, 0, 1); }, "output padding must be smaller than"},
      {"negative output padding", [&] { conv_transpose2d(x, w, {}, 1, 0, -1); }, "negative output_padding"},
      {"transposed channels",
       [&] {
         conv_transpose2d(ones({1, 3, 4, 4}), w);
       },
       "to have 2 channels, but got 3"},
      {"transposed too small", [&] { conv_transpose2d(x, w, {}, 1, 9); }, "Output size is too small"},
      {"convolution of a matrix",
       [&] {
         convolution(ones({2, 2}), ones({2, 2}), {}, 1, 0, 1, false, 0, 1);
       },
       "expected a weight of 3 to 5 dimensions"},
      {"pool kernel 0", [&] { max_pool2d(x, 0); }, "kernel_size should be greater than zero"},
      {"pool stride 0", [&] { max_pool2d(x, 2, 0); }, "stride should not be zero"},
      {"pool padding", [&] { max_pool2d(x, 2, 2, 2); }, "pad should be at most half of effective kernel size"},
      {"pool padding -1", [&] { avg_pool2d(x, 2, 2, -1); }, "pad must be non-negative"},
      {"pool dilation", [&] { max_pool2d(x, 2, 2, 0, 0); }, "dilation should be greater than zero"},
      {"pool kernel too large", [&] { max_pool2d(x, 5); }, "Output size is too small"},
      {"pool dimensions",
       [&] {
         max_pool2d(ones({4, 4}), 2);
       },
       "Expected 3D or 4D (batch mode) tensor"},
      {"pool without channels",
       [&] {
         max_pool2d(ones({1, 0, 4, 4}), 2);
       },
       "Expected 3D or 4D (batch mode) tensor"},
      {"pool numbers",
       [&] {
         max_pool2d(x, {2, 2, 2});
       },
       "must either be a single int"},
      {"divisor", [&] { avg_pool2d(x, 2, 2, 0, false, true, 0); }, "divisor must be not zero"},
      {"average of bools", [&] { avg_pool2d(x.to(kBool), 2); }, "not implemented"},
      {"adaptive dimensions",
       [&] {
         adaptive_avg_pool2d(ones({4, 4}), 2);
       },
       "Expected 3D or 4D tensor"},
      {"adaptive size", [&] { adaptive_avg_pool2d(x, -1); }, "must be greater than or equal to 0"},
      {"adaptive empty",
       [&] {
         adaptive_max_pool2d(ones({1, 0, 4}), 2);
       },
       "dimension 1 being empty"},
      {"unpool index",
       [&] {
         max_unpool2d(one, index + 99, {4, 4});
       },
       "Found an invalid max index: 99"},
      {"unpool negative index",
       [&] {
         max_unpool2d(one, index - 1, {4, 4});
       },
       "Found an invalid max index: -1"},
      {"unpool shapes",
       [&] {
         max_unpool2d(one, zeros({1, 1, 2, 3}, kLong), {4, 4});
       },
       "Expected shape of indices"},
      {"unpool dtype",
       [&] {
         max_unpool2d(one, one, {4, 4});
       },
       "should be type int64"},
      {"unpool size", [&] { max_unpool2d(one, index, 4); }, "exactly 2 elements"},
      {"unfold kernel", [&] { im2col(x, 5, 1, 0, 1); }, "its components must be at least one"},
      {"unfold dimensions",
       [&] {
         im2col(ones({4, 4}), 2, 1, 0, 1);
       },
       "Expected 3D or 4D"},
      {"unfold stride", [&] { im2col(x, 2, 1, 0, 0); }, "stride should be greater than zero"},
      {"unfold padding", [&] { im2col(x, 2, 1, -1, 1); }, "padding should be non-negative"},
      {"fold rows",
       [&] {
         col2im(ones({1, 5, 9}), {4, 4}, 2, 1, 0, 1);
       },
       "to be divisible by the product of kernel_size"},
      {"fold blocks",
       [&] {
         col2im(ones({1, 4, 8}), {4, 4}, 2, 1, 0, 1);
       },
       "number of sliding blocks 3 * 3 = 9"},
      {"fractional size",
       [&] {
         fractional_max_pool2d(x, 2, 4, ones({1, 2, 2}));
       },
       "too large relative to input"},
      {"fractional samples",
       [&] {
         fractional_max_pool2d(x, 2, 2, ones({1, 2, 3}));
       },
       "size(2) equals to 2"},
      {"fractional channels",
       [&] {
         fractional_max_pool2d(x, 2, 2, ones({1, 3, 2}));
       },
       "input channel size"},
  };
  for (const Bad& b : table) {
    try {
      b.call();
      ADD_FAILURE() << b.what << ": nothing was thrown";
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(b.message), std::string::npos) << b.what << ": " << e.what();
    }
  }
}

}  // namespace
}  // namespace taut
