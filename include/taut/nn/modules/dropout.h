// Dropout: in training elements, or whole channels, become zero at random; in evaluation the input passes unchanged.
#pragma once
#include "taut/nn/modules/common.h"
#include "taut/nn/options/dropout.h"

namespace taut::nn {

namespace detail {

void check_dropout_probability(double p);
void print_dropout(std::ostream& stream, const char* name, const DropoutOptions& options);

template <class Derived>
class _DropoutNd : public Cloneable<Derived> {
 public:
  _DropoutNd(double p) : _DropoutNd(DropoutOptions(p)) {}
  explicit _DropoutNd(const DropoutOptions& options_ = {}) : options(options_) { _DropoutNd::reset(); }
  void reset() override { check_dropout_probability(options.p()); }

  DropoutOptions options;
};

}  // namespace detail

class DropoutImpl : public detail::_DropoutNd<DropoutImpl> {
 public:
  using _DropoutNd::_DropoutNd;
  Tensor forward(Tensor input);
  void pretty_print(std::ostream& stream) const override;
};
TAUT_MODULE(Dropout);

/// Drops channels of [batch, channels, length], or without a batch [channels, length].
class Dropout1dImpl : public detail::_DropoutNd<Dropout1dImpl> {
 public:
  using _DropoutNd::_DropoutNd;
  Tensor forward(Tensor input);
  void pretty_print(std::ostream& stream) const override;
};
TAUT_MODULE(Dropout1d);

class Dropout2dImpl : public detail::_DropoutNd<Dropout2dImpl> {
 public:
  using _DropoutNd::_DropoutNd;
  Tensor forward(Tensor input);
  void pretty_print(std::ostream& stream) const override;
};
TAUT_MODULE(Dropout2d);

class Dropout3dImpl : public detail::_DropoutNd<Dropout3dImpl> {
 public:
  using _DropoutNd::_DropoutNd;
  Tensor forward(Tensor input);
  void pretty_print(std::ostream& stream) const override;
};
TAUT_MODULE(Dropout3d);

/// Keeps mean and variance of what selu gives.
class AlphaDropoutImpl : public detail::_DropoutNd<AlphaDropoutImpl> {
 public:
  using _DropoutNd::_DropoutNd;
  Tensor forward(const Tensor& input);
  void pretty_print(std::ostream& stream) const override;
};
TAUT_MODULE(AlphaDropout);

class FeatureAlphaDropoutImpl : public detail::_DropoutNd<FeatureAlphaDropoutImpl> {
 public:
  using _DropoutNd::_DropoutNd;
  Tensor forward(const Tensor& input);
  void pretty_print(std::ostream& stream) const override;
};
TAUT_MODULE(FeatureAlphaDropout);

}  // namespace taut::nn
