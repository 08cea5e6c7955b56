// Between two kinds of boxes: those of programs may hold anything and be changed, those of files are plain and fixed.
#include "io/ivalue.h"

namespace taut::io {

namespace {
constexpr int kDeepest = 500;

Object::List objects_of(const ivalue::List& values, int depth);
Object object_of(const IValue& v, int depth) {
  check<ValueError>(depth <= kDeepest, "save: the value is nested more than ", kDeepest, " deep");
  if (v.isNone()) return {};
  if (v.isTensor()) return v.toTensor();
  if (v.isBool()) return v.toBool();
  if (v.isInt()) return v.toInt();
  if (v.isDouble()) return v.toDouble();
  if (v.isString()) return v.toStringRef();
  if (v.isDevice()) return v.toDevice().str();
  if (v.isTuple()) return Object::tuple(objects_of(v.elements(), depth));
  if (v.isList()) return objects_of(*v.list(), depth);
  check<TypeError>(v.isGenericDict(), "save: a value is of a type that no file can hold");
  Object::Dict dict;
  for (const auto& [key, value] : *v.dict()) dict.emplace_back(object_of(key, depth + 1), object_of(value, depth + 1));
  return dict;
}
Object::List objects_of(const ivalue::List& values, int depth) {
  Object::List list;
  for (const IValue& v : values) list.push_back(object_of(v, depth + 1));
  return list;
}
}  // namespace

Object object_of(const IValue& value) { return object_of(value, 0); }

IValue value_of(const Object& o) {
  switch (o.kind()) {
    case Object::Kind::None: return {};
    case Object::Kind::Bool: return o.to_bool();
    case Object::Kind::Int: return o.to_int();
    case Object::Kind::Float: return o.to_double();
    case Object::Kind::String: return o.to_string();
    case Object::Kind::Tensor: return o.to_tensor();
    case Object::Kind::Dtype: return static_cast<int64_t>(o.to_dtype());
    case Object::Kind::List:
    case Object::Kind::Tuple: {
      ivalue::List list;
      for (const Object& item : o.to_list()) list.push_back(value_of(item));
      if (o.kind() == Object::Kind::Tuple) return ivalue::Tuple::create(std::move(list));
      return list;
    }
    case Object::Kind::Dict: break;
  }
  auto dict = std::make_shared<ivalue::Dict>();
  for (const auto& [key, value] : o.to_dict()) dict->emplace_back(value_of(key), value_of(value));
  return dict;
}

}  // namespace taut::io
