// The name of a file as the system takes it.
#pragma once
#include "caster.h"

namespace taut::python {
/// Of a str or bytes.
struct Path {
  std::string text;
};
}  // namespace taut::python

template <>
struct nanobind::detail::type_caster<taut::python::Path> {
  NB_TYPE_CASTER(taut::python::Path, const_name("str | bytes"))
  bool from_python(handle source, uint8_t, cleanup_list*) noexcept {
    using taut::python::Object;
    const bool text = PyUnicode_Check(source.ptr());
    if (!text && !PyBytes_Check(source.ptr())) return false;
    const Object bytes = text ? Object::steal(PyUnicode_EncodeFSDefault(source.ptr())) : Object::borrow(source.ptr());
    if (!bytes) {
      PyErr_Clear();
      return false;
    }
    value.text.assign(PyBytes_AS_STRING(bytes.get()), static_cast<size_t>(PyBytes_GET_SIZE(bytes.get())));
    return true;
  }
};
