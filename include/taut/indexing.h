// What goes between the brackets: `x.index({Slice(1, None), "...", None, mask, idx, 0})`.
#pragma once
#include <cstring>
#include <optional>
#include <string_view>

#include "taut/tensor.h"

namespace taut::indexing {

enum class EllipsisIndexType { Ellipsis };
inline constexpr EllipsisIndexType Ellipsis = EllipsisIndexType::Ellipsis;
inline constexpr std::nullopt_t None = std::nullopt;

/// start:stop:step
struct Slice {
  Slice(std::optional<int64_t> start = None, std::optional<int64_t> stop = None, std::optional<int64_t> step = None)
      : start(start), stop(stop), step(step) {}
  std::optional<int64_t> start, stop, step;
};

/// One entry of an index: None, "...", a number, a bool, a slice or a tensor.
class TensorIndex {
 public:
  enum class Kind : uint8_t { None, Ellipsis, Integer, Boolean, Slice, Tensor };
  TensorIndex(std::nullopt_t) : kind(Kind::None) {}
  TensorIndex(EllipsisIndexType) : kind(Kind::Ellipsis) {}
  TensorIndex(const char* s) : kind(Kind::Ellipsis) {
    check<IndexError>(std::string_view(s) == "...", "index: expected \"...\", got \"", s, '"');
  }
  template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) TensorIndex(T i)
      : kind(Kind::Integer), integer(static_cast<int64_t>(i)) {}
  template <class T>
  requires std::is_same_v<T, bool> TensorIndex(T b) : kind(Kind::Boolean), integer(b) {}
  TensorIndex(indexing::Slice s) : kind(Kind::Slice), slice(s) {}
  TensorIndex(taut::Tensor t) : kind(Kind::Tensor), tensor(std::move(t)) {}

  Kind kind;
  int64_t integer = 0;
  indexing::Slice slice;
  taut::Tensor tensor;
};

}  // namespace taut::indexing
