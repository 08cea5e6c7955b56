// `add_out(out, a, b)` for every op that takes `out`: boxed, through its row of the registry.
#include <string_view>
#include <unordered_map>

#include "taut/ops/out.h"
#include "taut/out.h"
#include "taut/registry.h"

namespace taut {

namespace {

Value box(const Tensor& t) { return t; }
Value box(OptionalTensor t) { return t ? Value(*t) : Value(); }
Value box(TensorList list) { return Value(Value::List(list.begin(), list.end())); }
Value box(const Scalar& s) {
  if (s.is_complex()) return Value(s.toComplexDouble());
  return s.is_bool() ? Value(s.toBool()) : s.is_floating_point() ? Value(s.toDouble()) : Value(s.toLong());
}
Value box(int64_t i) { return i; }
Value box(double d) { return d; }
Value box(bool b) { return b; }
Value box(ScalarType t) { return t; }
Value box(IntArrayRef list) { return list.vec(); }
Value box(ArrayRef<double> list) { return Value(Value::List(list.begin(), list.end())); }
Value box(OptionalIntArrayRef list) { return list ? Value(list->vec()) : Value(); }
Value box(std::string_view s) { return std::string(s); }
Value box(const Generator& g) { return g; }
template <class T>
Value box(const std::optional<T>& v) {
  return v ? box(*v) : Value();
}

/// The row whose schema begins with this.
const OpEntry& row(std::string_view key) {
  static const auto* rows = [] {
    auto* map = new std::unordered_map<std::string_view, const OpEntry*>;
    for (const OpEntry* op : all_ops()) {
      const std::string_view schema = op->schema;
      map->emplace(schema.substr(0, schema.find('(')), op);
    }
    return map;
  }();
  return *rows->at(key);
}
void put(std::string_view key, std::initializer_list<Value> args, std::initializer_list<Tensor> outs) {
  call_into(row(key), args.begin(), args.size(), TensorList(outs.begin(), outs.size()));
}

}  // namespace

#include "ops/out_functions.inc"

}  // namespace taut
