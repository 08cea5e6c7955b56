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

/// What stands for a bound that was left open.
inline constexpr int64_t INDEX_MIN = INT64_MIN / 2, INDEX_MAX = -(INDEX_MIN + 1);

/// start:stop:step
struct Slice {
  Slice(std::optional<int64_t> start = None, std::optional<int64_t> stop = None, std::optional<int64_t> step = None)
      : from(start), to(stop), by(step) {
    check<ValueError>(by != 0, "slice step cannot be zero");
  }
  int64_t step() const { return by.value_or(1); }
  int64_t start() const { return from.value_or(step() < 0 ? INDEX_MAX : 0); }
  int64_t stop() const { return to.value_or(step() < 0 ? INDEX_MIN : INDEX_MAX); }
  std::optional<int64_t> from, to, by;  // as given
};
/// "1:5:2"
std::ostream& operator<<(std::ostream& out, const Slice& slice);

/// One entry of an index: None, "...", a number, a bool, a slice or a tensor.
class TensorIndex {
 public:
  enum class Kind : uint8_t { None, Ellipsis, Integer, Boolean, Slice, Tensor };
  TensorIndex(std::nullopt_t) : kind_(Kind::None) {}
  TensorIndex(EllipsisIndexType) : kind_(Kind::Ellipsis) {}
  TensorIndex(const char* s) : kind_(Kind::Ellipsis) {
    check<IndexError>(std::string_view(s) == "...", "index: expected \"...\", got \"", s, '"');
  }
  template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) TensorIndex(T i)
      : kind_(Kind::Integer), integer_(static_cast<int64_t>(i)) {}
  template <class T>
  requires std::is_same_v<T, bool> TensorIndex(T b) : kind_(Kind::Boolean), integer_(b) {}
  TensorIndex(indexing::Slice s) : kind_(Kind::Slice), slice_(s) {}
  TensorIndex(taut::Tensor t) : kind_(Kind::Tensor), tensor_(std::move(t)) {}

  Kind kind() const { return kind_; }
  bool is_none() const { return kind_ == Kind::None; }
  bool is_ellipsis() const { return kind_ == Kind::Ellipsis; }
  bool is_integer() const { return kind_ == Kind::Integer; }
  bool is_boolean() const { return kind_ == Kind::Boolean; }
  bool is_slice() const { return kind_ == Kind::Slice; }
  bool is_tensor() const { return kind_ == Kind::Tensor; }
  int64_t integer() const { return integer_; }
  bool boolean() const { return integer_ != 0; }
  const indexing::Slice& slice() const { return slice_; }
  const taut::Tensor& tensor() const { return tensor_; }

 private:
  Kind kind_;
  int64_t integer_ = 0;
  indexing::Slice slice_;
  taut::Tensor tensor_;
};
/// "None", "...", a number, a slice or the tensor.
std::ostream& operator<<(std::ostream& out, const TensorIndex& index);
/// "(1, ..., 0:5:1)"
std::ostream& operator<<(std::ostream& out, const std::vector<TensorIndex>& indices);

}  // namespace taut::indexing
