// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// The sum of the elements, of all or along dim.
Tensor sum(const Tensor& self, std::optional<ScalarType> dtype = std::nullopt);
Tensor sum(const Tensor& self, OptionalIntArrayRef dim, bool keepdim = false,
           std::optional<ScalarType> dtype = std::nullopt);
/// The sum of the elements that are not nan.
Tensor nansum(const Tensor& self, OptionalIntArrayRef dim = std::nullopt, bool keepdim = false,
              std::optional<ScalarType> dtype = std::nullopt);
/// The mean of the elements, of all or along dim.
Tensor mean(const Tensor& self, std::optional<ScalarType> dtype = std::nullopt);
Tensor mean(const Tensor& self, OptionalIntArrayRef dim, bool keepdim = false,
            std::optional<ScalarType> dtype = std::nullopt);
/// The mean of the elements that are not nan.
Tensor nanmean(const Tensor& self, OptionalIntArrayRef dim = std::nullopt, bool keepdim = false,
               std::optional<ScalarType> dtype = std::nullopt);
/// The product of the elements, of all or along dim.
Tensor prod(const Tensor& self, std::optional<ScalarType> dtype = std::nullopt);
Tensor prod(const Tensor& self, int64_t dim, bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt);
/// The variance: squared distances from the mean, divided by the count less correction (1).
Tensor var(const Tensor& self, OptionalIntArrayRef dim = std::nullopt,
           const std::optional<Scalar>& correction = std::nullopt, bool keepdim = false);
Tensor var(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim = false);
/// The standard deviation, the root of var.
Tensor std(const Tensor& self, OptionalIntArrayRef dim = std::nullopt,
           const std::optional<Scalar>& correction = std::nullopt, bool keepdim = false);
Tensor std(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim = false);
/// Variance and mean.
std::tuple<Tensor, Tensor> var_mean(const Tensor& self, OptionalIntArrayRef dim = std::nullopt,
                                    const std::optional<Scalar>& correction = std::nullopt, bool keepdim = false);
std::tuple<Tensor, Tensor> var_mean(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim = false);
/// Standard deviation and mean.
std::tuple<Tensor, Tensor> std_mean(const Tensor& self, OptionalIntArrayRef dim = std::nullopt,
                                    const std::optional<Scalar>& correction = std::nullopt, bool keepdim = false);
std::tuple<Tensor, Tensor> std_mean(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim = false);
/// The largest element; along dim also where it stands; or the larger of two tensors' elements.
Tensor max(const Tensor& self);
Tensor max(const Tensor& self, const Tensor& other);
std::tuple<Tensor, Tensor> max(const Tensor& self, int64_t dim, bool keepdim = false);
/// The smallest element; along dim also where it stands; or the smaller of two tensors' elements.
Tensor min(const Tensor& self);
Tensor min(const Tensor& self, const Tensor& other);
std::tuple<Tensor, Tensor> min(const Tensor& self, int64_t dim, bool keepdim = false);
/// The largest element along dims; equal ones share the gradient.
Tensor amax(const Tensor& self, IntArrayRef dim = IntArrayRef{}, bool keepdim = false);
/// The smallest element along dims; equal ones share the gradient.
Tensor amin(const Tensor& self, IntArrayRef dim = IntArrayRef{}, bool keepdim = false);
/// The smallest and the largest element.
std::tuple<Tensor, Tensor> aminmax(const Tensor& self, std::optional<int64_t> dim = std::nullopt, bool keepdim = false);
/// Where the largest element stands.
Tensor argmax(const Tensor& self, std::optional<int64_t> dim = std::nullopt, bool keepdim = false);
/// Where the smallest element stands.
Tensor argmin(const Tensor& self, std::optional<int64_t> dim = std::nullopt, bool keepdim = false);
/// The p-norm: the p-th root of the sum of p-th powers; inf for the largest, 0 for the count of non-zeros.
Tensor norm(const Tensor& self, const Scalar& p = 2);
Tensor norm(const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim = false);
/// Whether any element is true (not 0).
Tensor any(const Tensor& self);
Tensor any(const Tensor& self, int64_t dim, bool keepdim = false);
Tensor any(const Tensor& self, OptionalIntArrayRef dim, bool keepdim = false);
/// Whether all elements are true (not 0).
Tensor all(const Tensor& self);
Tensor all(const Tensor& self, int64_t dim, bool keepdim = false);
Tensor all(const Tensor& self, OptionalIntArrayRef dim, bool keepdim = false);
/// How many elements are not 0.
Tensor count_nonzero(const Tensor& self, OptionalIntArrayRef dim = std::nullopt);
/// log(sum(exp(x))) along dim, without overflow.
Tensor logsumexp(const Tensor& self, IntArrayRef dim, bool keepdim = false);
/// exp(x) divided by its sum along dim.
Tensor softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt);
/// The logarithm of softmax, without overflow.
Tensor log_softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt);
/// The sum of the diagonal.
Tensor trace(const Tensor& self);
/// The p-norm of self - other.
Tensor dist(const Tensor& self, const Tensor& other, const Scalar& p = 2);

}  // namespace taut
