#include "taut/nn/modules/pooling.h"

#include <cmath>
#include <ostream>

#include "taut/nn/functional/pooling.h"

namespace taut::nn {
namespace {

namespace F = functional;

/// One number when all are the same, as Python prints what it was given.
template <class Array>
struct Short {
  const Array& sizes;
  friend std::ostream& operator<<(std::ostream& out, const Short& s) {
    for (size_t d = 1; d < s.sizes.size(); ++d)
      if (s.sizes[d] != s.sizes[0]) return out << s.sizes;
    return out << *s.sizes[0];
  }
};
template <size_t D>
struct Short<ExpandingArray<D>> {
  const ExpandingArray<D>& sizes;
  friend std::ostream& operator<<(std::ostream& out, const Short& s) {
    for (size_t d = 1; d < D; ++d)
      if (s.sizes[d] != s.sizes[0]) return out << s.sizes;
    return out << s.sizes[0];
  }
};
template <class Array>
Short(const Array&) -> Short<Array>;

const char* python(bool b) { return b ? "True" : "False"; }

}  // namespace

template <size_t D, class Derived>
void AvgPoolImpl<D, Derived>::pretty_print(std::ostream& stream) const {
  const auto& o = this->options;
  stream << "AvgPool" << D << "d(kernel_size=";
  if constexpr (D == 1) stream << o.kernel_size() << ", stride=" << o.stride() << ", padding=" << o.padding() << ')';
  else
    stream << Short{o.kernel_size()} << ", stride=" << Short{o.stride()} << ", padding=" << Short{o.padding()} << ')';
}
template <size_t D, class Derived>
Tensor AvgPoolImpl<D, Derived>::forward(const Tensor& input) {
  if constexpr (D == 1) return F::avg_pool1d(input, this->options);
  else if constexpr (D == 2) return F::avg_pool2d(input, this->options);
  else return F::avg_pool3d(input, this->options);
}

template <size_t D, class Derived>
void MaxPoolImpl<D, Derived>::pretty_print(std::ostream& stream) const {
  const auto& o = this->options;
  stream << "MaxPool" << D << "d(kernel_size=" << Short{o.kernel_size()} << ", stride=" << Short{o.stride()}
         << ", padding=" << Short{o.padding()} << ", dilation=" << Short{o.dilation()}
         << ", ceil_mode=" << python(o.ceil_mode()) << ')';
}
template <size_t D, class Derived>
Tensor MaxPoolImpl<D, Derived>::forward(const Tensor& input) {
  if constexpr (D == 1) return F::max_pool1d(input, this->options);
  else if constexpr (D == 2) return F::max_pool2d(input, this->options);
  else return F::max_pool3d(input, this->options);
}
template <size_t D, class Derived>
std::tuple<Tensor, Tensor> MaxPoolImpl<D, Derived>::forward_with_indices(const Tensor& input) {
  if constexpr (D == 1) return F::max_pool1d_with_indices(input, this->options);
  else if constexpr (D == 2) return F::max_pool2d_with_indices(input, this->options);
  else return F::max_pool3d_with_indices(input, this->options);
}

template <size_t D, class Size, class Derived>
void AdaptiveMaxPoolImpl<D, Size, Derived>::pretty_print(std::ostream& stream) const {
  stream << "AdaptiveMaxPool" << D << "d(output_size=" << Short{this->options.output_size()} << ')';
}
template <size_t D, class Size, class Derived>
Tensor AdaptiveMaxPoolImpl<D, Size, Derived>::forward(const Tensor& input) {
  if constexpr (D == 1) return F::adaptive_max_pool1d(input, this->options);
  else if constexpr (D == 2) return F::adaptive_max_pool2d(input, this->options);
  else return F::adaptive_max_pool3d(input, this->options);
}
template <size_t D, class Size, class Derived>
std::tuple<Tensor, Tensor> AdaptiveMaxPoolImpl<D, Size, Derived>::forward_with_indices(const Tensor& input) {
  if constexpr (D == 1) return F::adaptive_max_pool1d_with_indices(input, this->options);
  else if constexpr (D == 2) return F::adaptive_max_pool2d_with_indices(input, this->options);
  else return F::adaptive_max_pool3d_with_indices(input, this->options);
}

template <size_t D, class Size, class Derived>
void AdaptiveAvgPoolImpl<D, Size, Derived>::pretty_print(std::ostream& stream) const {
  stream << "AdaptiveAvgPool" << D << "d(output_size=" << Short{this->options.output_size()} << ')';
}
template <size_t D, class Size, class Derived>
Tensor AdaptiveAvgPoolImpl<D, Size, Derived>::forward(const Tensor& input) {
  if constexpr (D == 1) return F::adaptive_avg_pool1d(input, this->options);
  else if constexpr (D == 2) return F::adaptive_avg_pool2d(input, this->options);
  else return F::adaptive_avg_pool3d(input, this->options);
}

template <size_t D, class Derived>
void MaxUnpoolImpl<D, Derived>::pretty_print(std::ostream& stream) const {
  const auto& o = this->options;
  stream << "MaxUnpool" << D << "d(kernel_size=" << o.kernel_size() << ", stride=" << o.stride()
         << ", padding=" << o.padding() << ')';
}
template <size_t D, class Derived>
Tensor MaxUnpoolImpl<D, Derived>::forward(const Tensor& input, const Tensor& indices,
                                          const std::optional<std::vector<int64_t>>& output_size) {
  const auto& o = this->options;
  const auto options =
      F::MaxUnpoolFuncOptions<D>(o.kernel_size()).stride(o.stride()).padding(o.padding()).output_size(output_size);
  if constexpr (D == 1) return F::max_unpool1d(input, indices, options);
  else if constexpr (D == 2) return F::max_unpool2d(input, indices, options);
  else return F::max_unpool3d(input, indices, options);
}

template <size_t D, class Derived>
void FractionalMaxPoolImpl<D, Derived>::reset() {
  check<ValueError>(options.output_size() || options.output_ratio(), "FractionalMaxPool", D,
                    "d requires specifying either an output size, or a pooling ratio");
  check<ValueError>(!options.output_size() || !options.output_ratio(),
                    "only one of output_size and output_ratio may be specified");
  if (options.output_ratio())
    for (double ratio : **options.output_ratio())
      check<ValueError>(ratio > 0 && ratio < 1, "output_ratio must be between 0 and 1 (got ", *options.output_ratio(),
                        ")");
  _random_samples = this->register_buffer("_random_samples", options._random_samples());
}
template <size_t D, class Derived>
void FractionalMaxPoolImpl<D, Derived>::pretty_print(std::ostream& stream) const {
  stream << "FractionalMaxPool" << D << "d()";
}
template <size_t D, class Derived>
std::tuple<Tensor, Tensor> FractionalMaxPoolImpl<D, Derived>::forward_with_indices(const Tensor& input) {
  FractionalMaxPoolOptions<D> o = options;
  o._random_samples(_random_samples);
  if constexpr (D == 2) return F::fractional_max_pool2d_with_indices(input, o);
  else return F::fractional_max_pool3d_with_indices(input, o);
}
template <size_t D, class Derived>
Tensor FractionalMaxPoolImpl<D, Derived>::forward(const Tensor& input) {
  return std::get<0>(forward_with_indices(input));
}

template <size_t D, class Derived>
void LPPoolImpl<D, Derived>::pretty_print(std::ostream& stream) const {
  const auto& o = this->options;
  stream << "LPPool" << D << "d(norm_type=" << o.norm_type() << ", kernel_size=" << Short{o.kernel_size()}
         << ", stride=";
  if (o.stride() == o.kernel_size()) stream << "None";
  else stream << Short{o.stride()};
  stream << ", ceil_mode=" << python(o.ceil_mode()) << ')';
}
template <size_t D, class Derived>
Tensor LPPoolImpl<D, Derived>::forward(const Tensor& input) {
  if constexpr (D == 1) return F::lp_pool1d(input, this->options);
  else if constexpr (D == 2) return F::lp_pool2d(input, this->options);
  else return F::lp_pool3d(input, this->options);
}

template class AvgPoolImpl<1, AvgPool1dImpl>;
template class AvgPoolImpl<2, AvgPool2dImpl>;
template class AvgPoolImpl<3, AvgPool3dImpl>;
template class MaxPoolImpl<1, MaxPool1dImpl>;
template class MaxPoolImpl<2, MaxPool2dImpl>;
template class MaxPoolImpl<3, MaxPool3dImpl>;
template class MaxUnpoolImpl<1, MaxUnpool1dImpl>;
template class MaxUnpoolImpl<2, MaxUnpool2dImpl>;
template class MaxUnpoolImpl<3, MaxUnpool3dImpl>;
template class LPPoolImpl<1, LPPool1dImpl>;
template class LPPoolImpl<2, LPPool2dImpl>;
template class LPPoolImpl<3, LPPool3dImpl>;
template class FractionalMaxPoolImpl<2, FractionalMaxPool2dImpl>;
template class FractionalMaxPoolImpl<3, FractionalMaxPool3dImpl>;
template class AdaptiveMaxPoolImpl<1, ExpandingArray<1>, AdaptiveMaxPool1dImpl>;
template class AdaptiveMaxPoolImpl<2, ExpandingArrayWithOptionalElem<2>, AdaptiveMaxPool2dImpl>;
template class AdaptiveMaxPoolImpl<3, ExpandingArrayWithOptionalElem<3>, AdaptiveMaxPool3dImpl>;
template class AdaptiveAvgPoolImpl<1, ExpandingArray<1>, AdaptiveAvgPool1dImpl>;
template class AdaptiveAvgPoolImpl<2, ExpandingArrayWithOptionalElem<2>, AdaptiveAvgPool2dImpl>;
template class AdaptiveAvgPoolImpl<3, ExpandingArrayWithOptionalElem<3>, AdaptiveAvgPool3dImpl>;

}  // namespace taut::nn
