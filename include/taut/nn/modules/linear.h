// Linear layers, and layers that only change the shape.
#pragma once
#include "taut/nn/modules/common.h"
#include "taut/nn/options/linear.h"

namespace taut::nn {

/// Passes its input on.
class IdentityImpl : public Cloneable<IdentityImpl> {
 public:
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input) { return input; }
};
TAUT_MODULE(Identity);

// Written by tools/layers.py from src/nn/layers/linear.txt; do not edit.
// clang-format off
/// y = x W^T + b.
class LinearImpl : public detail::LayerImpl<LinearImpl, LinearOptions> {
 public:
  LinearImpl(int64_t in_features, int64_t out_features) : LinearImpl(LinearOptions(in_features, out_features)) {}
  explicit LinearImpl(LinearOptions options_) : LayerImpl(std::move(options_)) { LinearImpl::reset(); }
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
  Tensor weight, bias;
};
TAUT_MODULE(Linear);

/// y = x1^T W x2 + b.
class BilinearImpl : public detail::LayerImpl<BilinearImpl, BilinearOptions> {
 public:
  BilinearImpl(int64_t in1_features, int64_t in2_features, int64_t out_features)
      : BilinearImpl(BilinearOptions(in1_features, in2_features, out_features)) {}
  explicit BilinearImpl(BilinearOptions options_) : LayerImpl(std::move(options_)) { BilinearImpl::reset(); }
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input1, const Tensor& input2);
  Tensor weight, bias;
};
TAUT_MODULE(Bilinear);

/// Makes one dimension of those from start_dim to end_dim.
class FlattenImpl : public detail::LayerImpl<FlattenImpl, FlattenOptions> {
 public:
  using LayerImpl::LayerImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(Flatten);

/// Makes several dimensions of one.
class UnflattenImpl : public detail::LayerImpl<UnflattenImpl, UnflattenOptions> {
 public:
  UnflattenImpl(int64_t dim, std::vector<int64_t> sizes) : UnflattenImpl(UnflattenOptions(dim, sizes)) {}
  explicit UnflattenImpl(UnflattenOptions options_) : LayerImpl(std::move(options_)) {}
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(Unflatten);
// clang-format on

}  // namespace taut::nn
