// The registry: the tables of all op files in one list, boxed values, and schemas.
#include "ops/registry.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>

#include "core/fork.h"
#include "ops/op.h"

namespace taut {

// One table per op file, whether its ops are methods of Tensor too, and what their `out=` may be.
#define TAUT_TABLES(X)        \
  X(elementwise, true, Casts) \
  X(sort, true, Same)         \
  X(indexing, true, Same)     \
  X(index_along, true, Same)  \
  X(gather, true, Same)       \
  X(masked, true, Same)       \
  X(factory, true, Casts)     \
  X(random, true, Casts)      \
  X(activation, false, Same)  \
  X(loss, false, None)        \
  X(class_loss, false, Same)  \
  X(ctc, false, None)         \
  X(special, false, Casts)    \
  X(numbers, true, Casts)     \
  X(calculus, false, None)    \
  X(composites, true, None)   \
  X(histogram, true, Same)    \
  X(view_copy, false, Same)   \
  X(window, false, Casts)     \
  X(fft, false, Parts)        \
  X(frequency, false, Range)  \
  X(stft, true, None)         \
  X(reduce, true, Same)       \
  X(scan, true, Same)         \
  X(linalg, true, Same)       \
  X(einsum, true, None)       \
  X(factor, false, Same)      \
  X(orthogonal, false, Same)  \
  X(spectral, false, Same)    \
  X(ldl, false, Same)         \
  X(matrices, false, Same)    \
  X(norm, false, None)        \
  X(embedding, false, None)   \
  X(dropout, false, None)     \
  X(pairwise, false, None)    \
  X(resample, false, Same)    \
  X(vision, false, None)      \
  X(view, true, None)         \
  X(complex, true, None)      \
  X(part, true, None)         \
  X(strided, true, None)      \
  X(join, true, Casts)        \
  X(shape, true, None)        \
  X(attention, false, None)   \
  X(rnn, false, None)         \
  X(conv, false, None)        \
  X(pool, false, Same)        \
  X(multi_head, false, None)  \
  X(resize, false, None)      \
  X(pool_rules, false, None)  \
  X(lookup, false, None)      \
  X(packing, false, None)     \
  X(gumbel, false, None)      \
  X(likelihood, false, None)  \
  X(gamma_draw, false, None)  \
  X(recurrent, false, None)   \
  X(segment, true, None)      \
  X(weight_norm, false, None) \
  X(sparse, true, None)       \
  X(sparse_math, true, None)
#define TAUT_DECLARE(name, methods, out) \
  extern const OpEntry name##_ops[];     \
  extern const size_t name##_ops_count;
TAUT_TABLES(TAUT_DECLARE)
#undef TAUT_DECLARE

const std::vector<OpTable>& op_tables() {
#define TAUT_TABLE(name, methods, out) {#name, name##_ops, name##_ops_count, methods, OpEntry::Out::out},
  static const std::vector<OpTable> tables = {TAUT_TABLES(TAUT_TABLE)};
#undef TAUT_TABLE
  return tables;
}
bool is_method(const OpTable& table, const OpEntry& op) {
  if (op.form == OpEntry::Form::ByTable && !table.methods) return false;
  return op.form != OpEntry::Form::Function && std::strstr(op.schema, "(Tensor self") != nullptr;
}

bool set_meta_scope(bool on) {
  if (on) meta_seen.store(true, std::memory_order_relaxed);
  return std::exchange(dry, on);
}
static thread_local bool told = false;
MetaScope::MetaScope(bool on, bool is_told) : before_(set_meta_scope(on)), told_before_(std::exchange(told, is_told)) {}
MetaScope::~MetaScope() {
  told = told_before_;
  set_meta_scope(before_);
}
TensorOptions options_of(std::optional<ScalarType> dtype) {
  const TensorOptions options = dtype ? TensorOptions(*dtype) : TensorOptions();
  return told ? options.device(dry ? kMeta : kCPU) : options;
}
bool any_meta(const Value* args, size_t n) {
  return meta_used() && std::any_of(args, args + n, [](const Value& v) {
           if (const Tensor* t = v.get<Tensor>()) return t->defined() && t->is_meta();
           const Value::List* list = v.get<Value::List>();
           return list && any_meta(list->data(), list->size());
         });
}

const std::vector<const OpEntry*>& all_ops() {
  static const std::vector<const OpEntry*> all = [] {
    std::vector<const OpEntry*> list;
    for (const OpTable& table : op_tables())
      for (size_t i = 0; i < table.count; ++i) list.push_back(&table.rows[i]);
    return list;
  }();
  return all;
}

namespace {
[[noreturn]] void wrong(const Value& v, const char* wanted) {
  const char* got = v.is_none()                ? "None"
                    : v.get<bool>()            ? "a bool"
                    : v.get<int64_t>()         ? "an int"
                    : v.get<double>()          ? "a float"
                    : v.get<Complex<double>>() ? "a complex number"
                    : v.get<std::string>()     ? "a string"
                    : v.get<Tensor>()          ? "a Tensor"
                    : v.get<ScalarType>()      ? "a dtype"
                                               : "a list";
  throw TypeError(str("expected ", wanted, ", got ", got));
}
}  // namespace

void assign_in_place(const OpEntry& op, const Value* args, size_t n) {
  // Names in the graph must last; there are as many as there are ops.
  static ForkSafeMutex mutex;
  static std::map<const OpEntry*, std::string> names;
  const char* name = nullptr;
  {
    const std::lock_guard lock(mutex);
    std::string& lasting = names[&op];
    if (lasting.empty()) lasting = parse_schema(op.schema).name + "_";
    name = lasting.c_str();
  }
  in_place(name, args[0].to_tensor(), [&](const Tensor& x) {
    std::vector<Value> others(args, args + n);
    others[0] = x;
    return op.call(others.data(), n).to_tensor();
  });
}

void* python_object(const Tensor& t) { return t.impl()->python; }
void set_python_object(const Tensor& t, void* object) { t.impl()->python = object; }

bool Value::to_bool() const {
  if (auto* b = get<bool>()) return *b;
  if (auto* i = get<int64_t>()) return *i != 0;
  wrong(*this, "a bool");
}
int64_t Value::to_int() const {
  if (auto* i = get<int64_t>()) return *i;
  if (auto* b = get<bool>()) return *b;
  wrong(*this, "an int");
}
double Value::to_double() const {
  if (auto* d = get<double>()) return *d;
  return static_cast<double>(to_int());
}
Scalar Value::to_scalar() const {
  if (auto* d = get<double>()) return *d;
  if (auto* b = get<bool>()) return *b;
  if (auto* i = get<int64_t>()) return *i;
  if (auto* z = get<Complex<double>>()) return *z;
  wrong(*this, "a number");
}
const std::string& Value::to_string() const {
  if (auto* s = get<std::string>()) return *s;
  wrong(*this, "a string");
}
const Tensor& Value::to_tensor() const {
  if (auto* t = get<Tensor>()) return *t;
  wrong(*this, "a Tensor");
}
ScalarType Value::to_dtype() const {
  if (auto* t = get<ScalarType>()) return *t;
  wrong(*this, "a dtype");
}
const Generator& Value::to_generator() const {
  if (auto* g = get<Generator>()) return *g;
  wrong(*this, "a Generator");
}
const Value::List& Value::to_list() const {
  if (auto* l = get<List>()) return *l;
  wrong(*this, "a list");
}
Value::Ints Value::to_ints() const {
  if (auto* l = get<Ints>()) return *l;
  if (!get<List>()) return {to_int()};
  std::vector<int64_t> r;
  for (const Value& v : to_list()) r.push_back(v.to_int());
  return r;
}
std::vector<Tensor> Value::to_tensors() const {
  if (auto* t = get<Tensor>()) return {*t};
  std::vector<Tensor> r;
  for (const Value& v : to_list()) r.push_back(v.is_none() ? Tensor() : v.to_tensor());
  return r;
}

namespace {
/// A default as the schema writes it.
Value parse_default(std::string_view text, const std::string& type) {
  if (text == "None") return {};
  if (text == "True") return true;
  if (text == "False") return false;
  if (text.starts_with('\'') || text.starts_with('"')) return std::string(text.substr(1, text.size() - 2));
  if (text.starts_with('[')) {
    Value::List list;
    for (size_t at = 1; at + 1 < text.size();) {
      const size_t end = std::min(text.find(',', at), text.size() - 1);
      list.push_back(parse_default(text.substr(at, end - at), type));
      at = end + 1;
      while (at < text.size() && text[at] == ' ') ++at;
    }
    return list;
  }
  int64_t i = 0;
  const auto [p, error] = std::from_chars(text.data(), text.data() + text.size(), i);
  if (error == std::errc() && p == text.data() + text.size()) return i;
  for (int t = 0; t < kDtypeCount; ++t)
    if (text == dtype_name(static_cast<ScalarType>(t))) return static_cast<ScalarType>(t);
  return std::stod(std::string(text));
}
}  // namespace

Schema parse_schema(const char* text) {
  Schema s;
  const std::string_view all(text);
  const size_t open = all.find('('), arrow = all.rfind(") -> ");
  check<ValueError>(open != all.npos && arrow != all.npos, "not a schema: ", text);
  s.name = all.substr(0, open);
  if (const size_t dot = s.name.find('.'); dot != s.name.npos) s.overload = s.name.substr(dot + 1), s.name.erase(dot);
  s.returns = all.substr(arrow + 5);
  bool keyword_only = false;
  const std::string_view list = all.substr(open + 1, arrow - open - 1);
  for (size_t at = 0; at < list.size();) {
    size_t end = at, depth = 0;
    while (end < list.size() && (list[end] != ',' || depth)) {
      if (list[end] == '[') ++depth;
      if (list[end] == ']') --depth;
      ++end;
    }
    std::string_view item = list.substr(at, end - at);
    at = std::min(end + 2, list.size());
    if (item == "*") {
      keyword_only = true;
      continue;
    }
    SchemaArgument a;
    a.keyword_only = keyword_only;
    const size_t equals = item.find('=');
    const std::string_view typed = item.substr(0, equals);
    const size_t space = typed.rfind(' ');
    check<ValueError>(space != typed.npos, "an argument of this schema has no type: ", text);
    a.type = typed.substr(0, space);
    a.name = typed.substr(space + 1);
    if (equals != item.npos) {
      a.has_default = true, a.default_text = item.substr(equals + 1);
      a.default_value = parse_default(a.default_text, a.type);
    }
    s.arguments.push_back(std::move(a));
  }
  return s;
}

}  // namespace taut
