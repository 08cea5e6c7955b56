// Written by tools/op_headers.py from the rows of src/ops; do not edit. taut::fft: fft_rfft is fft::rfft.
#pragma once
#include "taut/factories.h"
#include "taut/ops/fft.h"

namespace taut::fft {

inline Tensor fft(const Tensor& self, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                  std::optional<std::string_view> norm = std::nullopt) {
  return fft_fft(self, n, dim, norm);
}
inline Tensor ifft(const Tensor& self, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                   std::optional<std::string_view> norm = std::nullopt) {
  return fft_ifft(self, n, dim, norm);
}
inline Tensor rfft(const Tensor& self, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                   std::optional<std::string_view> norm = std::nullopt) {
  return fft_rfft(self, n, dim, norm);
}
inline Tensor irfft(const Tensor& self, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                    std::optional<std::string_view> norm = std::nullopt) {
  return fft_irfft(self, n, dim, norm);
}
inline Tensor hfft(const Tensor& self, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                   std::optional<std::string_view> norm = std::nullopt) {
  return fft_hfft(self, n, dim, norm);
}
inline Tensor ihfft(const Tensor& self, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                    std::optional<std::string_view> norm = std::nullopt) {
  return fft_ihfft(self, n, dim, norm);
}
inline Tensor fftn(const Tensor& self, OptionalIntArrayRef s = std::nullopt, OptionalIntArrayRef dim = std::nullopt,
                   std::optional<std::string_view> norm = std::nullopt) {
  return fft_fftn(self, s, dim, norm);
}
inline Tensor ifftn(const Tensor& self, OptionalIntArrayRef s = std::nullopt, OptionalIntArrayRef dim = std::nullopt,
                    std::optional<std::string_view> norm = std::nullopt) {
  return fft_ifftn(self, s, dim, norm);
}
inline Tensor rfftn(const Tensor& self, OptionalIntArrayRef s = std::nullopt, OptionalIntArrayRef dim = std::nullopt,
                    std::optional<std::string_view> norm = std::nullopt) {
  return fft_rfftn(self, s, dim, norm);
}
inline Tensor irfftn(const Tensor& self, OptionalIntArrayRef s = std::nullopt, OptionalIntArrayRef dim = std::nullopt,
                     std::optional<std::string_view> norm = std::nullopt) {
  return fft_irfftn(self, s, dim, norm);
}
inline Tensor hfftn(const Tensor& self, OptionalIntArrayRef s = std::nullopt, OptionalIntArrayRef dim = std::nullopt,
                    std::optional<std::string_view> norm = std::nullopt) {
  return fft_hfftn(self, s, dim, norm);
}
inline Tensor ihfftn(const Tensor& self, OptionalIntArrayRef s = std::nullopt, OptionalIntArrayRef dim = std::nullopt,
                     std::optional<std::string_view> norm = std::nullopt) {
  return fft_ihfftn(self, s, dim, norm);
}
inline Tensor fft2(const Tensor& self, OptionalIntArrayRef s = std::nullopt, IntArrayRef dim = {-2, -1},
                   std::optional<std::string_view> norm = std::nullopt) {
  return fft_fft2(self, s, dim, norm);
}
inline Tensor ifft2(const Tensor& self, OptionalIntArrayRef s = std::nullopt, IntArrayRef dim = {-2, -1},
                    std::optional<std::string_view> norm = std::nullopt) {
  return fft_ifft2(self, s, dim, norm);
}
inline Tensor rfft2(const Tensor& self, OptionalIntArrayRef s = std::nullopt, IntArrayRef dim = {-2, -1},
                    std::optional<std::string_view> norm = std::nullopt) {
  return fft_rfft2(self, s, dim, norm);
}
inline Tensor irfft2(const Tensor& self, OptionalIntArrayRef s = std::nullopt, IntArrayRef dim = {-2, -1},
                     std::optional<std::string_view> norm = std::nullopt) {
  return fft_irfft2(self, s, dim, norm);
}
inline Tensor hfft2(const Tensor& self, OptionalIntArrayRef s = std::nullopt, IntArrayRef dim = {-2, -1},
                    std::optional<std::string_view> norm = std::nullopt) {
  return fft_hfft2(self, s, dim, norm);
}
inline Tensor ihfft2(const Tensor& self, OptionalIntArrayRef s = std::nullopt, IntArrayRef dim = {-2, -1},
                     std::optional<std::string_view> norm = std::nullopt) {
  return fft_ihfft2(self, s, dim, norm);
}
inline Tensor fftshift(const Tensor& self, OptionalIntArrayRef dim = std::nullopt) { return fft_fftshift(self, dim); }
inline Tensor ifftshift(const Tensor& self, OptionalIntArrayRef dim = std::nullopt) { return fft_ifftshift(self, dim); }
inline Tensor fftfreq(int64_t n, double d = 1, const TensorOptions& options = {}) { return fft_fftfreq(n, d, options); }
inline Tensor fftfreq(int64_t n, const TensorOptions& options) { return fft_fftfreq(n, options); }
inline Tensor rfftfreq(int64_t n, double d = 1, const TensorOptions& options = {}) {
  return fft_rfftfreq(n, d, options);
}
inline Tensor rfftfreq(int64_t n, const TensorOptions& options) { return fft_rfftfreq(n, options); }

}  // namespace taut::fft
