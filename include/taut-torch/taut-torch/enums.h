// torch::kMean and its kin. An option is a taut::Keyword; each word is a type of its own here, as in libtorch, so that
// std::get_if<torch::enumtype::kMean>(&options.reduction()) and std::variants of one's own work.
#pragma once
#include <string>
#include <type_traits>
#include <variant>

#include "taut-torch/check.h"
#include "taut/nn/enums.h"

#define TAUT_TORCH_WORD(word, text)                            \
  namespace torch {                                            \
  namespace enumtype {                                         \
  struct word : ::taut::Keyword {                              \
    constexpr word() : ::taut::Keyword(text) {}                \
    static constexpr const char* enum_name() { return #word; } \
  };                                                           \
  }                                                            \
  inline constexpr enumtype::word word{};                      \
  }
// clang-format off
#define TAUT_TORCH_WORDS(X)                                                                                            \
  X(kLinear, "linear")                                                                                                 \
  X(kConv1D, "conv1d") X(kConv2D, "conv2d") X(kConv3D, "conv3d") X(kConvTranspose1D, "conv_transpose1d")               \
      X(kConvTranspose2D, "conv_transpose2d") X(kConvTranspose3D, "conv_transpose3d") X(kSigmoid, "sigmoid")           \
          X(kTanh, "tanh") X(kReLU, "relu") X(kGELU, "gelu") X(kSiLU, "silu") X(kMish, "mish")                         \
              X(kLeakyReLU, "leaky_relu") X(kSELU, "selu") X(kFanIn, "fan_in") X(kFanOut, "fan_out")                   \
                  X(kConstant, "constant") X(kReflect, "reflect") X(kReplicate, "replicate") X(kCircular, "circular")  \
                      X(kNearest, "nearest") X(kBilinear, "bilinear") X(kBicubic, "bicubic")                           \
                          X(kTrilinear, "trilinear") X(kArea, "area") X(kNearestExact, "nearest-exact") X(kSum, "sum") \
                              X(kMean, "mean") X(kMax, "max") X(kNone, "none") X(kBatchMean, "batchmean")              \
                                  X(kZeros, "zeros") X(kBorder, "border") X(kReflection, "reflection")                 \
                                      X(kRNN_TANH, "RNN_TANH") X(kRNN_RELU, "RNN_RELU") X(kLSTM, "LSTM")               \
                                          X(kGRU, "GRU") X(kValid, "valid") X(kSame, "same")
// clang-format on
TAUT_TORCH_WORDS(TAUT_TORCH_WORD)

namespace torch::enumtype {

template <class T>
concept Word = std::is_base_of_v<taut::Keyword, T> && !std::is_same_v<T, taut::Keyword>;

/// "kMean"
inline std::string get_enum_name(const taut::Keyword& word) {
#define TAUT_TORCH_NAME(kWord, text) \
  if (word.name() == text) return #kWord;
  TAUT_TORCH_WORDS(TAUT_TORCH_NAME)
#undef TAUT_TORCH_NAME
  return std::string(word.name());
}
template <class... T>
std::string get_enum_name(const std::variant<T...>& v) {
  return std::visit([](const taut::Keyword& word) { return get_enum_name(word); }, v);
}
inline taut::Reduction::Reduction reduction_get_enum(const taut::Keyword& word) {
  if (word == taut::kNone) return taut::Reduction::None;
  if (word == taut::kMean) return taut::Reduction::Mean;
  if (word == taut::kSum) return taut::Reduction::Sum;
  TORCH_CHECK(false, get_enum_name(word), " is not a valid value for reduction");
}
template <class... T>
taut::Reduction::Reduction reduction_get_enum(const std::variant<T...>& v) {
  return std::visit([](const taut::Keyword& word) { return reduction_get_enum(word); }, v);
}

/// The word of this type, whose only value there is.
template <Word T>
inline constexpr T the{};

}  // namespace torch::enumtype

// An option asked as if it were the variant that libtorch has.
namespace std {
template <torch::enumtype::Word T>
constexpr const T* get_if(const taut::Keyword* word) {
  return word && *word == torch::enumtype::the<T> ? &torch::enumtype::the<T> : nullptr;
}
template <torch::enumtype::Word T>
constexpr bool holds_alternative(const taut::Keyword& word) {
  return word == torch::enumtype::the<T>;
}
template <torch::enumtype::Word T>
constexpr const T& get(const taut::Keyword& word) {
  if (!(word == torch::enumtype::the<T>)) throw bad_variant_access();
  return torch::enumtype::the<T>;
}
}  // namespace std
