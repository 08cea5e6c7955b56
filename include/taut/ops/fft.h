// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// The discrete Fourier transform along a dimension.
Tensor fft_fft(const Tensor& self, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
               std::optional<std::string_view> norm = std::nullopt);
/// The inverse of the discrete Fourier transform along a dimension.
Tensor fft_ifft(const Tensor& self, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                std::optional<std::string_view> norm = std::nullopt);
/// The first half of the Fourier transform of real numbers along a dimension.
Tensor fft_rfft(const Tensor& self, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                std::optional<std::string_view> norm = std::nullopt);
/// The n real numbers of whose Fourier transform this is the first half.
Tensor fft_irfft(const Tensor& self, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                 std::optional<std::string_view> norm = std::nullopt);
/// The Fourier transform, which is real, of numbers with conjugate symmetry, given their first half.
Tensor fft_hfft(const Tensor& self, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                std::optional<std::string_view> norm = std::nullopt);
/// The first half of the inverse Fourier transform of real numbers.
Tensor fft_ihfft(const Tensor& self, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                 std::optional<std::string_view> norm = std::nullopt);
/// The discrete Fourier transform along several dimensions.
Tensor fft_fftn(const Tensor& self, OptionalIntArrayRef s = std::nullopt, OptionalIntArrayRef dim = std::nullopt,
                std::optional<std::string_view> norm = std::nullopt);
/// The inverse of the discrete Fourier transform along several dimensions.
Tensor fft_ifftn(const Tensor& self, OptionalIntArrayRef s = std::nullopt, OptionalIntArrayRef dim = std::nullopt,
                 std::optional<std::string_view> norm = std::nullopt);
/// The Fourier transform of real numbers along several dimensions, the first half of the last one.
Tensor fft_rfftn(const Tensor& self, OptionalIntArrayRef s = std::nullopt, OptionalIntArrayRef dim = std::nullopt,
                 std::optional<std::string_view> norm = std::nullopt);
/// The real numbers whose Fourier transform along several dimensions this is half of.
Tensor fft_irfftn(const Tensor& self, OptionalIntArrayRef s = std::nullopt, OptionalIntArrayRef dim = std::nullopt,
                  std::optional<std::string_view> norm = std::nullopt);
/// The Fourier transform along several dimensions, which is real, given one half along the last.
Tensor fft_hfftn(const Tensor& self, OptionalIntArrayRef s = std::nullopt, OptionalIntArrayRef dim = std::nullopt,
                 std::optional<std::string_view> norm = std::nullopt);
/// One half of the inverse Fourier transform of real numbers along several dimensions.
Tensor fft_ihfftn(const Tensor& self, OptionalIntArrayRef s = std::nullopt, OptionalIntArrayRef dim = std::nullopt,
                  std::optional<std::string_view> norm = std::nullopt);
/// The discrete Fourier transform along two dimensions.
Tensor fft_fft2(const Tensor& self, OptionalIntArrayRef s = std::nullopt, IntArrayRef dim = {-2, -1},
                std::optional<std::string_view> norm = std::nullopt);
/// The inverse of the discrete Fourier transform along two dimensions.
Tensor fft_ifft2(const Tensor& self, OptionalIntArrayRef s = std::nullopt, IntArrayRef dim = {-2, -1},
                 std::optional<std::string_view> norm = std::nullopt);
/// The Fourier transform of real numbers along two dimensions, the first half of the last one.
Tensor fft_rfft2(const Tensor& self, OptionalIntArrayRef s = std::nullopt, IntArrayRef dim = {-2, -1},
                 std::optional<std::string_view> norm = std::nullopt);
/// The real numbers whose Fourier transform along two dimensions this is half of.
Tensor fft_irfft2(const Tensor& self, OptionalIntArrayRef s = std::nullopt, IntArrayRef dim = {-2, -1},
                  std::optional<std::string_view> norm = std::nullopt);
/// The Fourier transform along two dimensions, which is real, given one half along the last.
Tensor fft_hfft2(const Tensor& self, OptionalIntArrayRef s = std::nullopt, IntArrayRef dim = {-2, -1},
                 std::optional<std::string_view> norm = std::nullopt);
/// One half of the inverse Fourier transform of real numbers along two dimensions.
Tensor fft_ihfft2(const Tensor& self, OptionalIntArrayRef s = std::nullopt, IntArrayRef dim = {-2, -1},
                  std::optional<std::string_view> norm = std::nullopt);
/// The numbers with those of frequency 0 moved to the middle.
Tensor fft_fftshift(const Tensor& self, OptionalIntArrayRef dim = std::nullopt);
/// The inverse of fftshift, which it is not where there is an odd number.
Tensor fft_ifftshift(const Tensor& self, OptionalIntArrayRef dim = std::nullopt);
/// The spectra of overlapping windows of a signal: frequencies by windows.
Tensor stft(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length = std::nullopt,
            std::optional<int64_t> win_length = std::nullopt, OptionalTensor window = std::nullopt, bool center = true,
            std::string_view pad_mode = "reflect", bool normalized = false, std::optional<bool> onesided = std::nullopt,
            std::optional<bool> return_complex = std::nullopt, std::optional<bool> align_to_window = std::nullopt);
/// The signal whose overlapping windows have these spectra.
Tensor istft(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length = std::nullopt,
             std::optional<int64_t> win_length = std::nullopt, OptionalTensor window = std::nullopt, bool center = true,
             bool normalized = false, std::optional<bool> onesided = std::nullopt,
             std::optional<int64_t> length = std::nullopt, bool return_complex = false);

}  // namespace taut
