// Pooling layers.
#pragma once
#include <tuple>

#include "taut/nn/modules/common.h"
#include "taut/nn/options/pooling.h"

namespace taut::nn {

/// A layer with options and without parameters.
template <class Options, class Derived>
class PoolImpl : public Cloneable<Derived> {
 public:
  explicit PoolImpl(const Options& o) : options(o) {}
  void reset() override {}
  Options options;
};

template <size_t D, class Derived>
class AvgPoolImpl : public PoolImpl<AvgPoolOptions<D>, Derived> {
 public:
  AvgPoolImpl(ExpandingArray<D> kernel_size) : AvgPoolImpl(AvgPoolOptions<D>(kernel_size)) {}
  explicit AvgPoolImpl(const AvgPoolOptions<D>& o) : PoolImpl<AvgPoolOptions<D>, Derived>(o) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};

template <size_t D, class Derived>
class MaxPoolImpl : public PoolImpl<MaxPoolOptions<D>, Derived> {
 public:
  MaxPoolImpl(ExpandingArray<D> kernel_size) : MaxPoolImpl(MaxPoolOptions<D>(kernel_size)) {}
  explicit MaxPoolImpl(const MaxPoolOptions<D>& o) : PoolImpl<MaxPoolOptions<D>, Derived>(o) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
  /// Also where the values were, for MaxUnpool.
  std::tuple<Tensor, Tensor> forward_with_indices(const Tensor& input);
};

template <size_t D, class Size, class Derived>
class AdaptiveMaxPoolImpl : public PoolImpl<AdaptiveMaxPoolOptions<Size>, Derived> {
 public:
  AdaptiveMaxPoolImpl(Size output_size) : AdaptiveMaxPoolImpl(AdaptiveMaxPoolOptions<Size>(output_size)) {}
  explicit AdaptiveMaxPoolImpl(const AdaptiveMaxPoolOptions<Size>& o)
      : PoolImpl<AdaptiveMaxPoolOptions<Size>, Derived>(o) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
  std::tuple<Tensor, Tensor> forward_with_indices(const Tensor& input);
};

template <size_t D, class Size, class Derived>
class AdaptiveAvgPoolImpl : public PoolImpl<AdaptiveAvgPoolOptions<Size>, Derived> {
 public:
  AdaptiveAvgPoolImpl(Size output_size) : AdaptiveAvgPoolImpl(AdaptiveAvgPoolOptions<Size>(output_size)) {}
  explicit AdaptiveAvgPoolImpl(const AdaptiveAvgPoolOptions<Size>& o)
      : PoolImpl<AdaptiveAvgPoolOptions<Size>, Derived>(o) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};

template <size_t D, class Derived>
class MaxUnpoolImpl : public PoolImpl<MaxUnpoolOptions<D>, Derived> {
 public:
  MaxUnpoolImpl(ExpandingArray<D> kernel_size) : MaxUnpoolImpl(MaxUnpoolOptions<D>(kernel_size)) {}
  explicit MaxUnpoolImpl(const MaxUnpoolOptions<D>& o) : PoolImpl<MaxUnpoolOptions<D>, Derived>(o) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input, const Tensor& indices,
                 const std::optional<std::vector<int64_t>>& output_size = std::nullopt);

 protected:
  FORWARD_HAS_DEFAULT_ARGS({2, AnyValue(std::optional<std::vector<int64_t>>())})
};

template <size_t D, class Derived>
class FractionalMaxPoolImpl : public Cloneable<Derived> {
 public:
  FractionalMaxPoolImpl(ExpandingArray<D> kernel_size)
      : FractionalMaxPoolImpl(FractionalMaxPoolOptions<D>(kernel_size)) {}
  explicit FractionalMaxPoolImpl(const FractionalMaxPoolOptions<D>& o) : options(o) { FractionalMaxPoolImpl::reset(); }
  void reset() override;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
  std::tuple<Tensor, Tensor> forward_with_indices(const Tensor& input);
  FractionalMaxPoolOptions<D> options;
  Tensor _random_samples;
};

template <size_t D, class Derived>
class LPPoolImpl : public PoolImpl<LPPoolOptions<D>, Derived> {
 public:
  LPPoolImpl(double norm_type, ExpandingArray<D> kernel_size) : LPPoolImpl(LPPoolOptions<D>(norm_type, kernel_size)) {}
  explicit LPPoolImpl(const LPPoolOptions<D>& o) : PoolImpl<LPPoolOptions<D>, Derived>(o) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};

class AvgPool1dImpl : public AvgPoolImpl<1, AvgPool1dImpl> {
 public:
  using AvgPoolImpl<1, AvgPool1dImpl>::AvgPoolImpl;
};
TAUT_MODULE(AvgPool1d);
class AvgPool2dImpl : public AvgPoolImpl<2, AvgPool2dImpl> {
 public:
  using AvgPoolImpl<2, AvgPool2dImpl>::AvgPoolImpl;
};
TAUT_MODULE(AvgPool2d);
class AvgPool3dImpl : public AvgPoolImpl<3, AvgPool3dImpl> {
 public:
  using AvgPoolImpl<3, AvgPool3dImpl>::AvgPoolImpl;
};
TAUT_MODULE(AvgPool3d);
class MaxPool1dImpl : public MaxPoolImpl<1, MaxPool1dImpl> {
 public:
  using MaxPoolImpl<1, MaxPool1dImpl>::MaxPoolImpl;
};
TAUT_MODULE(MaxPool1d);
class MaxPool2dImpl : public MaxPoolImpl<2, MaxPool2dImpl> {
 public:
  using MaxPoolImpl<2, MaxPool2dImpl>::MaxPoolImpl;
};
TAUT_MODULE(MaxPool2d);
class MaxPool3dImpl : public MaxPoolImpl<3, MaxPool3dImpl> {
 public:
  using MaxPoolImpl<3, MaxPool3dImpl>::MaxPoolImpl;
};
TAUT_MODULE(MaxPool3d);
class MaxUnpool1dImpl : public MaxUnpoolImpl<1, MaxUnpool1dImpl> {
 public:
  using MaxUnpoolImpl<1, MaxUnpool1dImpl>::MaxUnpoolImpl;
};
TAUT_MODULE(MaxUnpool1d);
class MaxUnpool2dImpl : public MaxUnpoolImpl<2, MaxUnpool2dImpl> {
 public:
  using MaxUnpoolImpl<2, MaxUnpool2dImpl>::MaxUnpoolImpl;
};
TAUT_MODULE(MaxUnpool2d);
class MaxUnpool3dImpl : public MaxUnpoolImpl<3, MaxUnpool3dImpl> {
 public:
  using MaxUnpoolImpl<3, MaxUnpool3dImpl>::MaxUnpoolImpl;
};
TAUT_MODULE(MaxUnpool3d);
class LPPool1dImpl : public LPPoolImpl<1, LPPool1dImpl> {
 public:
  using LPPoolImpl<1, LPPool1dImpl>::LPPoolImpl;
};
TAUT_MODULE(LPPool1d);
class LPPool2dImpl : public LPPoolImpl<2, LPPool2dImpl> {
 public:
  using LPPoolImpl<2, LPPool2dImpl>::LPPoolImpl;
};
TAUT_MODULE(LPPool2d);
class LPPool3dImpl : public LPPoolImpl<3, LPPool3dImpl> {
 public:
  using LPPoolImpl<3, LPPool3dImpl>::LPPoolImpl;
};
TAUT_MODULE(LPPool3d);
class FractionalMaxPool2dImpl : public FractionalMaxPoolImpl<2, FractionalMaxPool2dImpl> {
 public:
  using FractionalMaxPoolImpl<2, FractionalMaxPool2dImpl>::FractionalMaxPoolImpl;
};
TAUT_MODULE(FractionalMaxPool2d);
class FractionalMaxPool3dImpl : public FractionalMaxPoolImpl<3, FractionalMaxPool3dImpl> {
 public:
  using FractionalMaxPoolImpl<3, FractionalMaxPool3dImpl>::FractionalMaxPoolImpl;
};
TAUT_MODULE(FractionalMaxPool3d);
class AdaptiveMaxPool1dImpl : public AdaptiveMaxPoolImpl<1, ExpandingArray<1>, AdaptiveMaxPool1dImpl> {
 public:
  using AdaptiveMaxPoolImpl<1, ExpandingArray<1>, AdaptiveMaxPool1dImpl>::AdaptiveMaxPoolImpl;
};
TAUT_MODULE(AdaptiveMaxPool1d);
class AdaptiveMaxPool2dImpl : public AdaptiveMaxPoolImpl<2, ExpandingArrayWithOptionalElem<2>, AdaptiveMaxPool2dImpl> {
 public:
  using AdaptiveMaxPoolImpl<2, ExpandingArrayWithOptionalElem<2>, AdaptiveMaxPool2dImpl>::AdaptiveMaxPoolImpl;
};
TAUT_MODULE(AdaptiveMaxPool2d);
class AdaptiveMaxPool3dImpl : public AdaptiveMaxPoolImpl<3, ExpandingArrayWithOptionalElem<3>, AdaptiveMaxPool3dImpl> {
 public:
  using AdaptiveMaxPoolImpl<3, ExpandingArrayWithOptionalElem<3>, AdaptiveMaxPool3dImpl>::AdaptiveMaxPoolImpl;
};
TAUT_MODULE(AdaptiveMaxPool3d);
class AdaptiveAvgPool1dImpl : public AdaptiveAvgPoolImpl<1, ExpandingArray<1>, AdaptiveAvgPool1dImpl> {
 public:
  using AdaptiveAvgPoolImpl<1, ExpandingArray<1>, AdaptiveAvgPool1dImpl>::AdaptiveAvgPoolImpl;
};
TAUT_MODULE(AdaptiveAvgPool1d);
class AdaptiveAvgPool2dImpl : public AdaptiveAvgPoolImpl<2, ExpandingArrayWithOptionalElem<2>, AdaptiveAvgPool2dImpl> {
 public:
  using AdaptiveAvgPoolImpl<2, ExpandingArrayWithOptionalElem<2>, AdaptiveAvgPool2dImpl>::AdaptiveAvgPoolImpl;
};
TAUT_MODULE(AdaptiveAvgPool2d);
class AdaptiveAvgPool3dImpl : public AdaptiveAvgPoolImpl<3, ExpandingArrayWithOptionalElem<3>, AdaptiveAvgPool3dImpl> {
 public:
  using AdaptiveAvgPoolImpl<3, ExpandingArrayWithOptionalElem<3>, AdaptiveAvgPool3dImpl>::AdaptiveAvgPoolImpl;
};
TAUT_MODULE(AdaptiveAvgPool3d);

}  // namespace taut::nn
