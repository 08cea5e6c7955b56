#include "ops/promotion.h"

#include <algorithm>
#include <numeric>

#include "taut/autograd.h"
#include "taut/factories.h"

namespace taut {

ImplPtr make_result(const Tensor* const* in, int n, IntArrayRef sizes, ScalarType dtype, const char* op) {
  ImplPtr y = make_impl(sizes, dtype, op);
  const TensorImpl* like = nullptr;
  for (int j = 0; j < n && !like; ++j) {
    const TensorImpl* t = in[j]->impl();
    if (!(IntArrayRef(t->sizes) == sizes)) continue;
    if (t->contiguous) return y;
    like = t;
  }
  if (!like) return y;
  // The order of like's dimensions by stride, filled densely.
  int order[kMaxDims];
  std::iota(order, order + sizes.size(), 0);
  for (int64_t s : like->strides)
    if (s == 0) return y;
  std::stable_sort(order, order + sizes.size(), [&](int a, int b) {
    return like->strides[static_cast<size_t>(a)] > like->strides[static_cast<size_t>(b)];
  });
  int64_t stride = 1;
  for (size_t k = sizes.size(); k-- > 0;) {
    const auto d = static_cast<size_t>(order[k]);
    y->strides[d] = stride;
    stride *= std::max<int64_t>(sizes[d], 1);
  }
  y->refresh();
  return y;
}

ScalarType result_type(const Tensor& a, const Tensor& b) {
  Promotion p;
  p.add(a);
  p.add(b);
  return p.result();
}

void check_whole_result(const Tensor& self, std::optional<ScalarType> dtype, const char* op) {
  check(!dtype || is_differentiable(*dtype) || !GradMode::is_enabled() || !self.requires_grad(), op,
        ": Autograd not support dtype: ", dtype.value_or(kLong), ". Detach the input, or leave dtype out.");
}

}  // namespace taut
