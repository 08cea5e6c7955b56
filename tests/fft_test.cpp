// Fourier transforms beyond the samples of the sweep: many lengths by their definition, the same bits however a
// transform is laid out and shared out, and what is refused before memory is taken.
#include "taut/fft.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <thread>

#include "support/sample.h"
#include "taut/taut.h"

namespace taut {
namespace {

using Long = std::complex<long double>;

/// Numbers with spread-out parts.
Tensor numbers(IntArrayRef sizes, ScalarType type, int seed = 0) {
  const ScalarType part = is_complex(type) ? (type == kComplexDouble ? kDouble : kFloat) : type;
  const Tensor re = test::numbers(test::Kind::Any, seed, sizes).to(part);
  return is_complex(type) ? taut::complex(re, test::numbers(test::Kind::Any, seed + 1, sizes).to(part)) : re;
}
/// The largest distance of y from the sums that define the transform of the row x, in roundings of their usual size. Of
/// long rows a few sums are looked at.
double error(const Tensor& x, const Tensor& y, bool inverse = false) {
  const int64_t n = x.size(0), count = y.size(0);
  const Tensor from = x.to(kComplexDouble), to = y.to(kComplexDouble);
  const auto* a = static_cast<const std::complex<double>*>(from.data_ptr());
  const auto* b = static_cast<const std::complex<double>*>(to.data_ptr());
  std::vector<Long> roots;
  const long double circle = 2 * std::acos(-1.0L) * (inverse ? 1 : -1);
  for (int64_t k = 0; k < n; ++k)
    roots.push_back(std::polar(1.0L, circle * static_cast<long double>(k) / static_cast<long double>(n)));
  long double worst = 0, size = 0;
  for (int64_t j = 0; j < n; ++j) size += std::norm(Long(a[j]));
  for (int64_t k = 0; k < count; k += n < 200 ? 1 : 1 + count / 20) {
    Long sum = 0;
    for (int64_t j = 0; j < n; ++j) sum += Long(a[j]) * roots[static_cast<size_t>(j * k % n)];
    worst = std::max(worst, std::abs(sum - Long(b[k])));
  }
  const double eps = y.scalar_type() == kComplexDouble ? 0x1p-53 : 0x1p-24;
  return static_cast<double>(worst / std::sqrt(size)) / eps;
}
std::string message(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing was thrown";
}
std::vector<int64_t> lengths() {
  std::vector<int64_t> all;
  for (int64_t n = 1; n <= 140; ++n) all.push_back(n);
  for (const int64_t n : {169,  210,  211,  243,  255,  256,  257,  343,  360,  500,  509,   512,   729,   1000,
                          1009, 1024, 1331, 2048, 2187, 3721, 4096, 4099, 6000, 8192, 16384, 30030, 32768, 65537})
    all.push_back(n);
  return all;
}

class Fft : public testing::TestWithParam<ScalarType> {};
INSTANTIATE_TEST_SUITE_P(OfBothPrecisions, Fft, testing::Values(kComplexFloat, kComplexDouble));

TEST_P(Fft, OfEveryLengthIsWhatItsDefinitionSays) {
  for (const int64_t n : lengths()) {
    const Tensor x = numbers({n}, GetParam());
    const double most = 6 + 1.5 * std::log2(static_cast<double>(n));
    EXPECT_LT(error(x, fft::fft(x)), most) << n;
    EXPECT_LT(error(x, fft::ifft(x, std::nullopt, -1, "forward"), true), most) << n;
  }
}
TEST_P(Fft, OfRealNumbersIsThatOfComplexOnes) {
  for (const int64_t n : lengths()) {
    const Tensor x = numbers({n}, GetParam() == kComplexFloat ? kFloat : kDouble), y = fft::rfft(x);
    const double most = 6 + 1.5 * std::log2(static_cast<double>(n));
    ASSERT_EQ(y.size(0), n / 2 + 1);
    EXPECT_LT(error(x, y), most) << n;
    EXPECT_LT(error(x, fft::fft(x)), most) << n;
    const double left = (fft::irfft(y, n) - x).abs().max().item<double>();
    EXPECT_LT(left, (GetParam() == kComplexFloat ? 0x1p-24 : 0x1p-53) * 4 * most) << n;
    // Parts that the symmetry of a spectrum forbids are not looked at.
    Tensor odd = y.clone();
    view_as_real(odd).index_put_({0, 1}, 3.0);
    if (n % 2 == 0) view_as_real(odd).index_put_({n / 2, 1}, NAN);
    EXPECT_TRUE(fft::irfft(odd, n).equal(fft::irfft(y, n))) << n;
  }
}
TEST_P(Fft, HasTheSameBitsHoweverItIsLaidOutAndSharedOut) {
  for (const int64_t n : {5, 16, 64, 67, 100, 128, 256, 400, 1000, 1009, 4096, 40000, 65536}) {
    const int64_t rows = n > 4096 ? 3 : 37;
    const Tensor x = numbers({rows, n}, GetParam()), y = fft::fft(x), h = fft::rfft(real(x));
    EXPECT_TRUE(fft::fft(x.t().contiguous(), std::nullopt, 0).t().equal(y)) << n;
    for (const int64_t i : {int64_t{0}, rows / 2, rows - 1}) {
      EXPECT_TRUE(fft::fft(x[i]).equal(y[i])) << n << ' ' << i;
      EXPECT_TRUE(fft::rfft(real(x[i])).equal(h[i])) << n << ' ' << i;
    }
    EXPECT_TRUE(fft::fft2(x).equal(fft::fft(y, std::nullopt, 0))) << n;
    const int before = get_num_threads();
    set_num_threads(3);
    EXPECT_TRUE(fft::fft(x).equal(y)) << n;
    EXPECT_TRUE(fft::rfft(real(x)).equal(h)) << n;
    set_num_threads(before);
  }
}
TEST_P(Fft, KeepsNaNsToTheirRow) {
  Tensor x = numbers({40, 24}, GetParam()), clean = fft::fft(x);
  x.index_put_({3, 5}, NAN);
  const Tensor y = fft::fft(x);
  EXPECT_TRUE(y[3].isnan().all().item<bool>());
  EXPECT_TRUE(y.index({indexing::Slice(4, indexing::None)}).equal(clean.index({indexing::Slice(4, indexing::None)})));
}
TEST(FftThreads, MakeTheSamePlansAtOnce) {
  const Tensor x = numbers({2, 1500}, kComplexDouble), want = fft::fft(x);
  std::vector<std::thread> threads;
  std::vector<int> right(4);
  for (size_t i = 0; i < right.size(); ++i)
    threads.emplace_back([&, i] {
      bool all = true;
      for (int64_t n = 200; n < 300; ++n) {
        const Tensor z = numbers({n}, kComplexFloat);
        all = all && fft::fft(z).equal(fft::fft(z)) && fft::fft(x).equal(want);
      }
      right[i] = all;
    });
  for (std::thread& t : threads) t.join();
  for (const int r : right) EXPECT_TRUE(r);
}

TEST(FftResults, LieInMemoryAsPyTorchLaysThemOut) {
  const Tensor x = numbers({3, 2, 2}, kComplexFloat);
  EXPECT_EQ(fft::fft(x, std::nullopt, 1).strides(), IntArrayRef({4, 1, 2}));
  EXPECT_EQ(fft::fftn(x, std::nullopt, {{2, 0}}).strides(), IntArrayRef({2, 6, 1}));
  EXPECT_EQ(fft::rfftn(real(x), std::nullopt, {{2, 0}}).strides(), IntArrayRef({1, 4, 2}));
  EXPECT_EQ(fft::irfftn(x, std::nullopt, {{2, 0}}).strides(), IntArrayRef({1, 8, 4}));
  EXPECT_TRUE(fft::ihfft(real(x)).is_conj());
  EXPECT_FALSE(fft::ihfftn(real(x)).is_conj());
}
TEST(FftResults, OfNothingAreNothing) {
  EXPECT_EQ(fft::fft(zeros({0, 4})).sizes(), IntArrayRef({0, 4}));
  EXPECT_EQ(fft::rfft(zeros({0, 4})).sizes(), IntArrayRef({0, 3}));
  EXPECT_TRUE(fft::fft(zeros({2, 0}), 3).equal(zeros({2, 3}, kComplexFloat)));
}
TEST(FftArguments, ThatAreWrongAreNamed) {
  const Tensor x = ones({3, 4}), z = x.to(kComplexFloat), scalar = ones({});
  const auto begins = [](const std::string& text, const char* with) { return text.starts_with(with); };
  EXPECT_PRED2(begins, message([&] { fft::fft(x, 0); }), "Invalid number of data points (0) specified");
  EXPECT_PRED2(begins, message([&] { fft::irfft(x.narrow(1, 0, 1)); }), "Invalid number of data points (0) specified");
  EXPECT_PRED2(begins, message([&] { fft::fft(x, 4, -1, "both"); }), "Invalid normalization mode: \"both\"");
  EXPECT_PRED2(begins, message([&] { fft::fft(scalar); }), "Dimension specified as -1 but tensor has no dimensions");
  EXPECT_PRED2(begins, message([&] { fft::rfft(z); }), "rfft expects a real input tensor, but got ComplexFloat");
  EXPECT_PRED2(begins, message([&] { fft::fft(x.to(kHalf)); }), "Unsupported dtype Half");
  EXPECT_PRED2(begins, message([&] { fft::fftn(x, std::nullopt, {{0, -2}}); }), "FFT dims must be unique");
  EXPECT_PRED2(begins, message([&] {
                 fft::fftn(x, IntArrayRef{2}, {{0, 1}});
               }),
               "When given, dim and shape arguments must have the same length");
  EXPECT_PRED2(begins, message([&] {
                 fft::fftn(x, {{2, 3, 4}});
               }),
               "Got shape with 3 values but input tensor only has 2 dimensions.");
  EXPECT_PRED2(begins, message([&] { fft::rfftn(scalar); }), "rfftn must transform at least one axis");
  EXPECT_THROW(fft::fft(x, std::nullopt, 2), IndexError);
  Tensor out = empty({0});
  EXPECT_PRED2(begins, message([&] { fft_rfft2_out(out, x); }), "rfftn expects a complex output tensor, but got Float");
}
TEST(FftArguments, OfHostileSizeTakeNoMemory) {
  const Tensor x = ones({3, 4}), signal = ones({32}), window = ones({8});
  for (const int64_t n : {int64_t{1} << 62, INT64_MAX}) {
    EXPECT_THROW(fft::fft(x, n), Error);
    EXPECT_THROW(fft::rfft(x, n), Error);
    EXPECT_THROW(fft::irfft(x, n), Error);
    EXPECT_THROW(fft::fftn(x, {{n, n}}), Error);
    EXPECT_THROW(fft::irfft2(x, {{n, n}}), Error);
    EXPECT_THROW(fft::fftfreq(n), Error);
    EXPECT_THROW(stft(signal, n, 1, 8, window), Error);
    EXPECT_THROW(stft(signal, 8, n, n, window), Error);
    EXPECT_THROW(istft(stft(signal, 8, 2, 8, window, true, "reflect", false, true, true), n), Error);
  }
  EXPECT_EQ(stft(signal, 8, INT64_MAX, 8, window, false, "reflect", false, true, true).size(1), 1);
  EXPECT_THROW(fft::fft(x, std::nullopt, INT64_MIN), IndexError);
}

TEST(Stft, IsUndoneByIstft) {
  for (const int64_t width : {8, 11, 16})
    for (const bool normalized : {false, true}) {
      const Tensor x = numbers({2, 100}, kDouble), window = hann_window(width, kDouble) + 0.1;
      const Tensor s = stft(x, 16, 3, width, window, true, "reflect", normalized, true, true);
      EXPECT_EQ(s.sizes(), IntArrayRef({2, 9, 34}));
      EXPECT_LT((istft(s, 16, 3, width, window, true, normalized, true, 100) - x).abs().max().item<double>(), 1e-13);
    }
}
TEST(Stft, AlignedWindowsBeginWithTheSignal) {
  const Tensor x = numbers({20}, kDouble), window = hann_window(6, kDouble) + 0.1;
  const Tensor s = stft(x, 9, 3, 6, window, false, "reflect", false, true, true, true);
  EXPECT_EQ(s.sizes(), IntArrayRef({5, 5}));
  const Tensor second = fft::rfft(pad(x.narrow(0, 3, 6) * window, {1, 2}));
  EXPECT_LT((s.select(1, 1) - second).abs().max().item<double>(), 1e-14);
}

}  // namespace
}  // namespace taut
