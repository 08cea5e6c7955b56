// Convolution layers.
#pragma once
#include "taut/nn/modules/common.h"
#include "taut/nn/options/conv.h"

namespace taut::nn {

template <size_t D, class Derived>
class ConvNdImpl : public Cloneable<Derived> {
 public:
  explicit ConvNdImpl(const detail::ConvNdOptions<D>& options);
  void reset() override;
  /// Uniform within 1 / sqrt(fan_in), weight and bias alike.
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;
  detail::ConvNdOptions<D> options;
  Tensor weight, bias;

 protected:
  /// The sizes of padding as taut::pad takes them: the last dimension first, before and behind.
  std::vector<int64_t> reversed_padding() const;
};

template <size_t D, class Derived>
class ConvImpl : public ConvNdImpl<D, Derived> {
 public:
  ConvImpl(int64_t in_channels, int64_t out_channels, ExpandingArray<D> kernel_size)
      : ConvImpl(ConvOptions<D>(in_channels, out_channels, kernel_size)) {}
  explicit ConvImpl(const ConvOptions<D>& options);
  Tensor forward(const Tensor& input);
};

template <size_t D, class Derived>
class ConvTransposeImpl : public ConvNdImpl<D, Derived> {
 public:
  ConvTransposeImpl(int64_t in_channels, int64_t out_channels, ExpandingArray<D> kernel_size)
      : ConvTransposeImpl(ConvTransposeOptions<D>(in_channels, out_channels, kernel_size)) {}
  explicit ConvTransposeImpl(const ConvTransposeOptions<D>& options);
  /// Where several sizes are possible, output_size chooses.
  Tensor forward(const Tensor& input, const std::optional<IntArrayRef>& output_size = std::nullopt);

 protected:
  FORWARD_HAS_DEFAULT_ARGS({1, AnyValue(std::optional<IntArrayRef>())})

 private:
  ExpandingArray<D> output_padding(const Tensor& input, const std::optional<IntArrayRef>& output_size) const;
};

class Conv1dImpl : public ConvImpl<1, Conv1dImpl> {
 public:
  using ConvImpl<1, Conv1dImpl>::ConvImpl;
};
TAUT_MODULE(Conv1d);
class Conv2dImpl : public ConvImpl<2, Conv2dImpl> {
 public:
  using ConvImpl<2, Conv2dImpl>::ConvImpl;
};
TAUT_MODULE(Conv2d);
class Conv3dImpl : public ConvImpl<3, Conv3dImpl> {
 public:
  using ConvImpl<3, Conv3dImpl>::ConvImpl;
};
TAUT_MODULE(Conv3d);
class ConvTranspose1dImpl : public ConvTransposeImpl<1, ConvTranspose1dImpl> {
 public:
  using ConvTransposeImpl<1, ConvTranspose1dImpl>::ConvTransposeImpl;
};
TAUT_MODULE(ConvTranspose1d);
class ConvTranspose2dImpl : public ConvTransposeImpl<2, ConvTranspose2dImpl> {
 public:
  using ConvTransposeImpl<2, ConvTranspose2dImpl>::ConvTransposeImpl;
};
TAUT_MODULE(ConvTranspose2d);
class ConvTranspose3dImpl : public ConvTransposeImpl<3, ConvTranspose3dImpl> {
 public:
  using ConvTransposeImpl<3, ConvTranspose3dImpl>::ConvTransposeImpl;
};
TAUT_MODULE(ConvTranspose3d);

}  // namespace taut::nn
