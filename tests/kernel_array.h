// A strided array for the tests of the raw kernels: any layout and element type, read and written as long double.
#pragma once
#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "core/view.h"

namespace taut {

enum class Layout { Contiguous, Reversed, Sliced, Expanded };
constexpr Layout kLayouts[] = {Layout::Contiguous, Layout::Reversed, Layout::Sliced, Layout::Expanded};
constexpr ScalarType kFloats[] = {kHalf, kBFloat16, kFloat, kDouble};
constexpr ScalarType kDtypes[] = {kBool, kByte, kChar, kShort, kInt, kLong, kHalf, kBFloat16, kFloat, kDouble};

using Sizes = std::vector<int64_t>;

class Array {
 public:
  Array(ScalarType dtype, Sizes sizes, Layout layout = Layout::Contiguous)
      : dtype_(dtype), sizes_(std::move(sizes)), strides_(sizes_.size()) {
    const int rank = static_cast<int>(sizes_.size());
    int64_t step = layout == Layout::Sliced ? 2 : 1;
    for (int i = 0; i < rank; ++i) {
      const int d = layout == Layout::Reversed ? i : rank - 1 - i;
      if (layout == Layout::Expanded && d == rank / 2) continue;  // this one repeats
      strides_[d] = step;
      step *= sizes_[d] + (layout == Layout::Sliced ? 1 : 0);
    }
    bytes_.resize(static_cast<size_t>((step + 1) * element_size(dtype)));
    data_ = bytes_.data();
  }
  Array(const Array&) = delete;

  View view() { return {data_, dtype_, sizes_, strides_}; }
  View null_view() { return {nullptr, dtype_, sizes_, strides_}; }
  const Sizes& sizes() const { return sizes_; }
  ScalarType dtype() const { return dtype_; }
  int64_t numel() const {
    int64_t n = 1;
    for (int64_t s : sizes_) n *= s;
    return n;
  }
  int64_t offset(const Sizes& at) const {
    int64_t o = 0;
    for (size_t d = 0; d < at.size(); ++d) o += (sizes_[d] == 1 ? 0 : at[d]) * strides_[d];
    return o;
  }
  long double get(const Sizes& at) {
    return visit_dtype(dtype_, [&]<class T>(T) {
      const T x = reinterpret_cast<T*>(data_)[offset(at)];
      if constexpr (std::is_arithmetic_v<T>) return static_cast<long double>(x);
      else return static_cast<long double>(static_cast<float>(x));
    });
  }
  void set(const Sizes& at, long double x) {
    visit_dtype(dtype_, [&]<class T>(T) {
      T& to = reinterpret_cast<T*>(data_)[offset(at)];
      if constexpr (std::is_arithmetic_v<T>) to = static_cast<T>(x);
      else to = T(static_cast<float>(x));
    });
  }
  /// f for every index.
  void each(const std::function<void(const Sizes&)>& f) const {
    if (numel() == 0) return;
    Sizes at(sizes_.size());
    for (;;) {
      f(at);
      int d = static_cast<int>(at.size()) - 1;
      while (d >= 0 && ++at[d] == sizes_[d]) at[d--] = 0;
      if (d < 0) return;
    }
  }
  /// Small numbers with many ties: multiples of 1/4, or integers.
  Array& randomize(unsigned seed, int range = 8) {
    std::mt19937 random(seed);
    const bool positive = dtype_ == kBool || dtype_ == kByte;
    each([&](const Sizes& at) {
      const int r = static_cast<int>(random() % static_cast<unsigned>(2 * range)) - (positive ? 0 : range);
      set(at, is_floating_point(dtype_) ? r / 4.0L : dtype_ == kBool ? r % 2 : r);
    });
    return *this;
  }
  std::vector<char> bytes() const { return bytes_; }

 private:
  ScalarType dtype_;
  Sizes sizes_, strides_;
  std::vector<char> bytes_;
  char* data_;
};

/// Half a unit in the last place, near 1.
inline long double epsilon(ScalarType t) {
  return t == kDouble ? 0x1p-53L : t == kFloat ? 0x1p-24L : t == kHalf ? 0x1p-11L : t == kBFloat16 ? 0x1p-8L : 0;
}

}  // namespace taut
