#include "taut/nn/functional/normalization.h"

#include "taut/ops/norm.h"

namespace taut::nn::functional {

namespace {

void check_input(const Tensor& input, const char* op) {
  check(input.defined(), op, ": expected a tensor, got an undefined one");
  check<IndexError>(input.dim() >= 2, op, ": expected an input of at least 2 dimensions, got shape ", input.sizes());
}
int64_t spatial_size(const Tensor& input) {
  int64_t n = 1;
  for (int64_t d = 2; d < input.dim(); ++d) n *= input.size(d);
  return n;
}

}  // namespace

Tensor batch_norm(const Tensor& input, const Tensor& running_mean, const Tensor& running_var,
                  const BatchNormFuncOptions& options) {
  check_input(input, "batch_norm");
  check<ValueError>(!options.training() || input.size(0) * spatial_size(input) != 1,
                    "Expected more than 1 value per channel when training, got input size ", input.sizes());
  return taut::batch_norm(input, options.weight(), options.bias(), running_mean, running_var, options.training(),
                          options.momentum(), options.eps());
}
Tensor instance_norm(const Tensor& input, const InstanceNormFuncOptions& options) {
  check_input(input, "instance_norm");
  check<ValueError>(!options.use_input_stats() || spatial_size(input) != 1,
                    "Expected more than 1 spatial element when training, got input size ", input.sizes());
  return taut::instance_norm(input, options.weight(), options.bias(), options.running_mean(), options.running_var(),
                             options.use_input_stats(), options.momentum(), options.eps());
}
Tensor layer_norm(const Tensor& input, const LayerNormFuncOptions& options) {
  return taut::layer_norm(input, options.normalized_shape(), options.weight(), options.bias(), options.eps());
}
Tensor rms_norm(const Tensor& input, const RMSNormFuncOptions& options) {
  return taut::rms_norm(input, options.normalized_shape(), options.weight(), options.eps());
}
Tensor group_norm(const Tensor& input, const GroupNormFuncOptions& options) {
  check_input(input, "group_norm");
  const int64_t groups = options.num_groups();
  check<ValueError>(groups > 0, "group_norm: Expected num groups to be greater than 0, got ", groups);
  check<ValueError>(input.size(0) * input.size(1) / groups * spatial_size(input) != 1,
                    "Expected more than 1 value per channel when training, got input size ", input.sizes(), " and ",
                    groups, " groups");
  return taut::group_norm(input, groups, options.weight(), options.bias(), options.eps());
}
Tensor local_response_norm(const Tensor& input, const LocalResponseNormFuncOptions& options) {
  return taut::local_response_norm(input, options.size(), options.alpha(), options.beta(), options.k());
}
Tensor normalize(const Tensor& input, NormalizeFuncOptions options) {
  const Tensor y = taut::normalize(input, options.p(), options.dim(), options.eps());
  return options.out() ? options.out()->copy_(y) : y;
}

}  // namespace taut::nn::functional
