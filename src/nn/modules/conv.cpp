#include "taut/nn/modules/conv.h"

#include <cmath>
#include <ostream>

#include "taut/factories.h"
#include "taut/nn/functional/conv.h"
#include "taut/nn/init.h"

namespace taut::nn {
namespace {

namespace F = functional;

template <size_t D>
detail::ConvNdOptions<D> general(const ConvOptions<D>& o) {
  return detail::ConvNdOptions<D>(o.in_channels(), o.out_channels(), o.kernel_size())
      .stride(o.stride())
      .padding(o.padding())
      .dilation(o.dilation())
      .groups(o.groups())
      .bias(o.bias())
      .padding_mode(o.padding_mode());
}
template <size_t D>
detail::ConvNdOptions<D> general(const ConvTransposeOptions<D>& o) {
  return detail::ConvNdOptions<D>(o.in_channels(), o.out_channels(), o.kernel_size())
      .stride(o.stride())
      .padding(o.padding())
      .dilation(o.dilation())
      .transposed(true)
      .output_padding(o.output_padding())
      .groups(o.groups())
      .bias(o.bias())
      .padding_mode(o.padding_mode());
}

template <size_t D>
bool all(const ExpandingArray<D>& list, int64_t value) {
  return list == ExpandingArray<D>(value);
}
template <size_t D>
bool at_least(const ExpandingArray<D>& list, int64_t least) {
  for (size_t d = 0; d < D; ++d)
    if (list[d] < least) return false;
  return true;
}

}  // namespace

template <size_t D, class Derived>
ConvNdImpl<D, Derived>::ConvNdImpl(const detail::ConvNdOptions<D>& o) : options(o) {
  ConvNdImpl::reset();
}

template <size_t D, class Derived>
void ConvNdImpl<D, Derived>::reset() {
  const auto& o = options;
  check<ValueError>(o.in_channels() > 0 && o.groups() > 0 && o.out_channels() > 0,
                    "in_channels, groups and out_channels must be a positive integer, got ", o.in_channels(), ", ",
                    o.groups(), " and ", o.out_channels());
  check<ValueError>(o.in_channels() % o.groups() == 0, "in_channels must be divisible by groups, got ", o.in_channels(),
                    " and ", o.groups());
  check<ValueError>(o.out_channels() % o.groups() == 0, "out_channels must be divisible by groups, got ",
                    o.out_channels(), " and ", o.groups());
  check<ValueError>(at_least(o.kernel_size(), 1), "kernel_size must be positive, got ", o.kernel_size());
  check<ValueError>(at_least(o.stride(), 1), "non-positive stride is not supported, got ", o.stride());
  check<ValueError>(at_least(o.dilation(), 1), "dilation should be greater than zero, got ", o.dilation());
  check<ValueError>(at_least(o.output_padding(), 0), "negative output_padding is not supported, got ",
                    o.output_padding());
  if (const auto* name = std::get_if<Keyword>(&o.padding())) {
    check<ValueError>(*name == kSame || *name == kValid, "Invalid padding string '", *name,
                      "', should be one of 'valid', 'same'");
    check<ValueError>(*name != kSame || all(o.stride(), 1), "padding='same' is not supported for strided convolutions");
  } else {
    const auto& numbers = std::get<ExpandingArray<D>>(o.padding());
    check<ValueError>(at_least(numbers, 0), "negative padding is not supported, got ", numbers);
  }
  check<ValueError>(o.padding_mode() == kZeros || o.padding_mode() == kReflect || o.padding_mode() == kReplicate ||
                        o.padding_mode() == kCircular,
                    "padding_mode must be one of 'zeros', 'reflect', 'replicate', 'circular', but got padding_mode='",
                    o.padding_mode(), "'");

  std::vector<int64_t> sizes = {o.transposed() ? o.in_channels() : o.out_channels(),
                                (o.transposed() ? o.out_channels() : o.in_channels()) / o.groups()};
  for (size_t d = 0; d < D; ++d) sizes.push_back(o.kernel_size()[d]);
  weight = this->register_parameter("weight", taut::empty(sizes));
  if (o.bias()) bias = this->register_parameter("bias", taut::empty({o.out_channels()}));
  else this->register_parameter("bias", Tensor(), false);
  reset_parameters();
}

template <size_t D, class Derived>
void ConvNdImpl<D, Derived>::reset_parameters() {
  init::kaiming_uniform_(weight, std::sqrt(5.0));
  if (!bias.defined()) return;
  const double bound = 1 / std::sqrt(static_cast<double>(std::get<0>(init::_calculate_fan_in_and_fan_out(weight))));
  init::uniform_(bias, -bound, bound);
}

template <size_t D, class Derived>
std::vector<int64_t> ConvNdImpl<D, Derived>::reversed_padding() const {
  std::vector<int64_t> list;
  for (size_t d = D; d-- > 0;) {
    int64_t before = 0, behind = 0;
    if (const auto* numbers = std::get_if<ExpandingArray<D>>(&options.padding())) {
      before = behind = (*numbers)[d];
    } else if (std::get<Keyword>(options.padding()) == kSame) {
      const int64_t total = options.dilation()[d] * (options.kernel_size()[d] - 1);
      before = total / 2, behind = total - before;
    }
    list.push_back(before);
    list.push_back(behind);
  }
  return list;
}

template <size_t D, class Derived>
void ConvNdImpl<D, Derived>::pretty_print(std::ostream& stream) const {
  const auto& o = options;
  stream << (o.transposed() ? "ConvTranspose" : "Conv") << D << "d(" << o.in_channels() << ", " << o.out_channels()
         << ", kernel_size=" << o.kernel_size() << ", stride=" << o.stride();
  if (const auto* name = std::get_if<Keyword>(&o.padding())) stream << ", padding=" << *name;
  else if (const auto& numbers = std::get<ExpandingArray<D>>(o.padding()); !all(numbers, 0))
    stream << ", padding=" << numbers;
  if (!all(o.dilation(), 1)) stream << ", dilation=" << o.dilation();
  if (!all(o.output_padding(), 0)) stream << ", output_padding=" << o.output_padding();
  if (o.groups() != 1) stream << ", groups=" << o.groups();
  if (!o.bias()) stream << ", bias=False";
  if (o.padding_mode() != kZeros) stream << ", padding_mode=" << o.padding_mode();
  stream << ')';
}

template <size_t D, class Derived>
ConvImpl<D, Derived>::ConvImpl(const ConvOptions<D>& o) : ConvNdImpl<D, Derived>(general(o)) {}

template <size_t D, class Derived>
Tensor ConvImpl<D, Derived>::forward(const Tensor& input) {
  const auto& o = this->options;
  auto f = F::ConvFuncOptions<D>().bias(this->bias).stride(o.stride()).dilation(o.dilation()).groups(o.groups());
  Tensor x = input;
  if (o.padding_mode() == kZeros) f.padding(o.padding());
  else x = pad(input, this->reversed_padding(), o.padding_mode().name());
  if constexpr (D == 1) return F::conv1d(x, this->weight, f);
  else if constexpr (D == 2) return F::conv2d(x, this->weight, f);
  else return F::conv3d(x, this->weight, f);
}

template <size_t D, class Derived>
ConvTransposeImpl<D, Derived>::ConvTransposeImpl(const ConvTransposeOptions<D>& o)
    : ConvNdImpl<D, Derived>(general(o)) {
  check<ValueError>(o.padding_mode() == kZeros, "Only \"zeros\" padding mode is supported for ConvTranspose", D,
                    "d, got '", o.padding_mode(), "'");
}

template <size_t D, class Derived>
ExpandingArray<D> ConvTransposeImpl<D, Derived>::output_padding(const Tensor& input,
                                                                const std::optional<IntArrayRef>& output_size) const {
  const auto& o = this->options;
  if (!output_size) return o.output_padding();
  check(input.defined(), "ConvTranspose", D, "d: the input is an undefined tensor");
  const auto extra = static_cast<size_t>(input.dim()) - D;  // dimensions before those of the image
  check<ValueError>(
      input.dim() > static_cast<int64_t>(D) && (output_size->size() == D || output_size->size() == D + extra),
      "ConvTranspose", D, "d: for ", input.dim(), "D input, output_size must have ", D, " or ", input.dim(),
      " elements (got ", output_size->size(), ")");
  const IntArrayRef wanted = output_size->slice(output_size->size() - D, D);
  const auto& padding = std::get<ExpandingArray<D>>(o.padding());
  ExpandingArray<D> result(0);
  for (size_t d = 0; d < D; ++d) {
    const int64_t least = (input.size(static_cast<int64_t>(extra + d)) - 1) * o.stride()[d] - 2 * padding[d] +
                          o.dilation()[d] * (o.kernel_size()[d] - 1) + 1,
                  most = least + o.stride()[d] - 1;
    check<ValueError>(wanted[d] >= least && wanted[d] <= most, "requested an output size of ", wanted,
                      ", but valid sizes range from ", least, " to ", most, " in dimension ", d, " (for an input of ",
                      input.sizes(), ")");
    (*result)[d] = wanted[d] - least;
  }
  return result;
}

template <size_t D, class Derived>
Tensor ConvTransposeImpl<D, Derived>::forward(const Tensor& input, const std::optional<IntArrayRef>& output_size) {
  const auto& o = this->options;
  const auto f = F::ConvTransposeFuncOptions<D>()
                     .bias(this->bias)
                     .stride(o.stride())
                     .padding(std::get<ExpandingArray<D>>(o.padding()))
                     .output_padding(output_padding(input, output_size))
                     .groups(o.groups())
                     .dilation(o.dilation());
  if constexpr (D == 1) return F::conv_transpose1d(input, this->weight, f);
  else if constexpr (D == 2) return F::conv_transpose2d(input, this->weight, f);
  else return F::conv_transpose3d(input, this->weight, f);
}

template class ConvNdImpl<1, Conv1dImpl>;
template class ConvImpl<1, Conv1dImpl>;
template class ConvNdImpl<2, Conv2dImpl>;
template class ConvImpl<2, Conv2dImpl>;
template class ConvNdImpl<3, Conv3dImpl>;
template class ConvImpl<3, Conv3dImpl>;
template class ConvNdImpl<1, ConvTranspose1dImpl>;
template class ConvTransposeImpl<1, ConvTranspose1dImpl>;
template class ConvNdImpl<2, ConvTranspose2dImpl>;
template class ConvTransposeImpl<2, ConvTranspose2dImpl>;
template class ConvNdImpl<3, ConvTranspose3dImpl>;
template class ConvTransposeImpl<3, ConvTranspose3dImpl>;

}  // namespace taut::nn
