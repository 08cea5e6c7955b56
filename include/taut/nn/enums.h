// The words that options are given: `MSELossOptions().reduction(taut::kSum)`. All are of one type; an option that does
// not know a word says so when it is used.
#pragma once
#include <ostream>
#include <string_view>

namespace taut {

class Keyword {
 public:
  constexpr explicit Keyword(std::string_view name) : name_(name) {}
  /// As Python spells it: "mean".
  constexpr std::string_view name() const { return name_; }
  friend constexpr bool operator==(Keyword a, Keyword b) { return a.name_ == b.name_; }
  friend std::ostream& operator<<(std::ostream& out, Keyword k) { return out << k.name_; }

 private:
  std::string_view name_;
};

// Reductions of a loss.
inline constexpr Keyword kNone{"none"}, kMean{"mean"}, kSum{"sum"}, kBatchMean{"batchmean"};
// Padding.
inline constexpr Keyword kZeros{"zeros"}, kConstant{"constant"}, kReflect{"reflect"}, kReplicate{"replicate"},
    kCircular{"circular"}, kBorder{"border"}, kReflection{"reflection"}, kValid{"valid"}, kSame{"same"};
// Resampling, and the bags of EmbeddingBag (with kSum and kMean).
inline constexpr Keyword kNearest{"nearest"}, kNearestExact{"nearest-exact"}, kLinear{"linear"}, kBilinear{"bilinear"},
    kBicubic{"bicubic"}, kTrilinear{"trilinear"}, kArea{"area"}, kMax{"max"};
// Activations and recurrent cells.
inline constexpr Keyword kReLU{"relu"}, kGELU{"gelu"}, kTanh{"tanh"}, kSigmoid{"sigmoid"}, kLeakyReLU{"leaky_relu"},
    kSELU{"selu"}, kLSTM{"LSTM"}, kGRU{"GRU"}, kRNN_TANH{"RNN_TANH"}, kRNN_RELU{"RNN_RELU"};
// Initialisation.
inline constexpr Keyword kFanIn{"fan_in"}, kFanOut{"fan_out"}, kConv1D{"conv1d"}, kConv2D{"conv2d"}, kConv3D{"conv3d"},
    kConvTranspose1D{"conv_transpose1d"}, kConvTranspose2D{"conv_transpose2d"}, kConvTranspose3D{"conv_transpose3d"};

}  // namespace taut
