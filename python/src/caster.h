// Lets nanobind take and return taut::Tensor; std::vector and std::optional of it work with nanobind's own headers.
#pragma once
#include "object.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nanobind::detail {

template <>
struct type_caster<taut::Tensor> {
  NB_TYPE_CASTER(taut::Tensor, const_name("torch.Tensor"))
  bool from_python(handle source, uint8_t, cleanup_list*) noexcept {
    if (source.is_none()) return true;
    if (!taut::python::is_tensor(source.ptr())) return false;
    value = taut::python::tensor_of(source.ptr());
    return true;
  }
  static handle from_cpp(const taut::Tensor& t, rv_policy, cleanup_list*) noexcept {
    return taut::python::guarded([&] { return taut::python::wrap(t); });
  }
};

template <>
struct type_caster<taut::ScalarType> {
  NB_TYPE_CASTER(taut::ScalarType, const_name("torch.dtype"))
  bool from_python(handle source, uint8_t, cleanup_list*) noexcept {
    if (!taut::python::is_dtype(source.ptr())) return false;
    value = taut::python::to_dtype(source.ptr(), "dtype");
    return true;
  }
  static handle from_cpp(taut::ScalarType t, rv_policy, cleanup_list*) noexcept { return taut::python::wrap_dtype(t); }
};

}  // namespace nanobind::detail
