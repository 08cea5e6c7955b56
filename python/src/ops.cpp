// Every op of the registry as a Python function and method. A call finds the first overload whose arguments fit, by
// PyTorch's rules, and calls it boxed. Schemas are parsed when an op is first called, so that importing stays quick.
#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <sstream>

#include "object.h"
#include "taut/out.h"

namespace taut::python {
namespace {

enum class Kind : uint8_t { Tensor, Tensors, Scalar, Int, Ints, Float, Floats, Bool, String, Dtype, Index, Generator };

struct Argument {
  Kind kind;
  bool optional, has_default, keyword_only;
  std::string name;
  PyObject* key;    // its name, interned
  PyObject* alias;  // another name it goes by (`input` for self, `axis` for dim), or null
  Value default_value;
};
struct Overload {
  const OpEntry* entry;
  bool makes_tensors = false;  // a factory: takes device, requires_grad and so on
  bool old_order = false;      // takes its factors (alpha, beta, value) among the tensors too, as PyTorch once did
  std::vector<Argument> arguments;
  PyObject *result_type = nullptr, *out_type = nullptr;  // named tuples
};
/// All overloads of one name.
struct Group {
  std::string name;
  std::vector<const OpEntry*> entries;
  std::vector<Overload> overloads;  // parsed on first use
  bool method = false;
  bool numbers_too = false;         // a number may stand for a tensor: torch.mul(2, x)
  binaryfunc of_tensors = nullptr;  // the operator that does the same for two tensors, without boxing them
};

struct OpObject {
  PyObject_HEAD vectorcallfunc call;
  Group* group;
  bool in_place;
};
PyTypeObject* op_type = nullptr;
PyObject *key_out, *key_requires_grad, *key_device, *key_layout, *key_pin_memory, *key_memory_format;
PyObject *named_tuple_maker = nullptr, *device_checker = nullptr;
constexpr size_t kMaxArguments = 24;

Kind kind_of(const std::string& type, const char* schema) {
  static const std::map<std::string, Kind> kinds = {
      {"Tensor", Kind::Tensor}, {"Tensor[]", Kind::Tensors}, {"Scalar", Kind::Scalar},  {"int", Kind::Int},
      {"int[]", Kind::Ints},    {"float", Kind::Float},      {"float[]", Kind::Floats}, {"bool", Kind::Bool},
      {"str", Kind::String},    {"ScalarType", Kind::Dtype}, {"Index[]", Kind::Index},  {"Generator", Kind::Generator}};
  std::string base = type;
  if (base.ends_with('?')) base.pop_back();
  // "int[2]" is a list of two ints, or one for both.
  if (const size_t open = base.find('['); open != base.npos) base = base.substr(0, open) + "[]";
  const auto it = kinds.find(base);
  check<ValueError>(it != kinds.end(), "the schema ", schema, " has the unknown type ", type);
  return it->second;
}

PyObject* alias_of(const std::string& name) {
  const char* alias = name == "self"      ? "input"
                      : name == "dim"     ? "axis"
                      : name == "keepdim" ? "keepdims"
                      : name == "other"   ? "x2"
                                          : nullptr;
  return alias ? PyUnicode_InternFromString(alias) : nullptr;
}

/// The names in "(Tensor values, Tensor indices)"; empty when they have none.
std::vector<std::string> result_names(const std::string& returns) {
  std::vector<std::string> names;
  if (!returns.starts_with('(')) return names;
  for (size_t at = 1; at < returns.size();) {
    const size_t end = returns.find_first_of(",)", at);
    const std::string item = returns.substr(at, end - at);
    const size_t space = item.rfind(' ');
    if (space == item.npos || space == 0) return {};
    names.push_back(item.substr(space + 1));
    at = end + 2;
  }
  return names;
}

ptrdiff_t numbers(const Overload& o) {
  return std::count_if(o.arguments.begin(), o.arguments.end(),
                       [](const Argument& a) { return a.kind == Kind::Scalar; });
}

void parse(Group& group) {
  if (!group.overloads.empty()) return;
  std::vector<Overload> all;
  for (const OpEntry* entry : group.entries) {
    const Schema schema = parse_schema(entry->schema);
    Overload o;
    o.entry = entry;
    for (const SchemaArgument& a : schema.arguments) {
      Argument b;
      b.kind = kind_of(a.type, entry->schema);
      b.optional = a.type.ends_with('?');
      b.has_default = a.has_default;
      b.keyword_only = a.keyword_only;
      b.name = a.name;
      b.key = checked(PyUnicode_InternFromString(a.name.c_str()));
      b.alias = alias_of(a.name);
      b.default_value = a.default_value;
      o.arguments.push_back(std::move(b));
    }
    const bool like = schema.name.ends_with("_like") || schema.name.starts_with("new_");
    const bool of_tensor = !o.arguments.empty() && o.arguments[0].kind == Kind::Tensor;
    o.makes_tensors =
        (like || !of_tensor) && std::any_of(o.arguments.begin(), o.arguments.end(),
                                            [](const Argument& a) { return a.kind == Kind::Dtype && a.keyword_only; });
    o.old_order = of_tensor && o.arguments.back().keyword_only &&
                  std::all_of(o.arguments.begin(), o.arguments.end(), [](const Argument& a) {
                    return a.kind == (a.keyword_only ? Kind::Scalar : Kind::Tensor);
                  });
    check(o.arguments.size() <= kMaxArguments, schema.name, ": an op of too many arguments");
    if (const auto names = result_names(schema.returns); !names.empty() && named_tuple_maker) {
      const Object list = Object::steal(checked(PyList_New(0)));
      for (const std::string& n : names) {
        const Object s = Object::steal(checked(PyUnicode_FromString(n.c_str())));
        checked(PyList_Append(list.get(), s.get()));
      }
      o.result_type = checked(PyObject_CallFunction(named_tuple_maker, "sO", group.name.c_str(), list.get()));
      o.out_type = checked(PyObject_CallFunction(named_tuple_maker, "sO", (group.name + "_out").c_str(), list.get()));
    }
    all.push_back(std::move(o));
  }
  // A 0-d tensor fits where a number is wanted, but is taken for a tensor first, as PyTorch does.
  std::stable_sort(all.begin(), all.end(),
                   [](const Overload& a, const Overload& b) { return numbers(a) < numbers(b); });
  group.overloads = std::move(all);
}

bool sequence_of(PyObject* o, bool (*fits)(PyObject*)) {
  if (!PyTuple_Check(o) && !PyList_Check(o)) return false;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(o); ++i)
    if (!fits(PySequence_Fast_GET_ITEM(o, i))) return false;
  return true;
}
bool tensor_or_none(PyObject* o) { return is_tensor(o) || o == Py_None; }

/// `int[] dims=[]`: None stands for the empty list.
bool is_empty_default(const Argument& a) {
  return a.kind == Kind::Ints && a.has_default && !a.default_value.is_none() && a.default_value.to_ints().empty();
}

bool fits(const Argument& a, PyObject* o) {
  if (o == Py_None) return a.optional || a.kind == Kind::Dtype || a.kind == Kind::Generator || is_empty_default(a);
  switch (a.kind) {
    case Kind::Tensor: return is_tensor(o);
    case Kind::Tensors: return sequence_of(o, tensor_or_none);
    case Kind::Scalar: return is_number(o);
    case Kind::Int: return is_int(o);
    case Kind::Ints: return is_int(o) || sequence_of(o, is_int);
    case Kind::Float: return is_number(o);
    case Kind::Floats: return is_number(o) || sequence_of(o, is_number);
    case Kind::Bool:
      return PyBool_Check(o) || (is_tensor(o) && tensor_of(o).scalar_type() == kBool && tensor_of(o).dim() == 0);
    case Kind::String: return PyUnicode_Check(o);
    case Kind::Dtype: return is_dtype(o) || PyType_Check(o);
    case Kind::Index: return PyTuple_Check(o) || PyList_Check(o);
    case Kind::Generator: return is_generator(o);
  }
  return false;
}

Value ints_of(PyObject* const* items, Py_ssize_t n, const char* what) {
  Value::Ints ints(static_cast<size_t>(n));
  for (Py_ssize_t i = 0; i < n; ++i) ints[static_cast<size_t>(i)] = to_int(items[i], what);
  return ints;
}
Value convert(const Argument& a, PyObject* o) {
  if (o == Py_None) return a.optional ? Value() : a.default_value;
  const char* what = a.name.c_str();
  const auto list = [&](auto one) {
    const Object items = Object::steal(checked(PySequence_Tuple(o)));  // __index__ of an item may change a list
    Value::List values;
    const Py_ssize_t n = PyTuple_GET_SIZE(items.get());
    for (Py_ssize_t i = 0; i < n; ++i) values.push_back(one(PyTuple_GET_ITEM(items.get(), i)));
    return Value(std::move(values));
  };
  switch (a.kind) {
    case Kind::Tensor: return is_tensor(o) ? tensor_of(o) : number_tensor(to_scalar(o, what));
    case Kind::Tensors: return list([&](PyObject* x) { return x == Py_None ? Value() : Value(to_tensor(x, what)); });
    case Kind::Scalar: {
      const Scalar s = to_scalar(o, what);
      if (s.is_bool()) return s.toBool();
      return s.is_floating_point() ? Value(s.toDouble()) : Value(s.toLong());
    }
    case Kind::Int: return to_int(o, what);
    case Kind::Ints: {
      if (!PyTuple_Check(o) && !PyList_Check(o)) return to_int(o, what);
      const Object items = Object::steal(checked(PySequence_Tuple(o)));
      return ints_of(&PyTuple_GET_ITEM(items.get(), 0), PyTuple_GET_SIZE(items.get()), what);
    }
    case Kind::Float: return to_double(o, what);
    case Kind::Floats:
      return PyTuple_Check(o) || PyList_Check(o) ? list([&](PyObject* x) { return Value(to_double(x, what)); })
                                                 : Value(to_double(o, what));
    case Kind::Bool: return is_tensor(o) ? tensor_of(o).item<bool>() : o == Py_True;
    case Kind::String: {
      Py_ssize_t n = 0;
      const char* text = PyUnicode_AsUTF8AndSize(o, &n);
      if (!text) throw PythonError();
      return std::string(text, static_cast<size_t>(n));
    }
    case Kind::Dtype: return to_dtype(o, what);
    case Kind::Index:
      return list([&](PyObject* x) -> Value {
        if (x == Py_None) return {};
        return is_tensor(x) ? tensor_of(x) : tensor_from(x, std::nullopt);
      });
    case Kind::Generator: return *to_generator(o);
  }
  return {};
}

struct Extras {
  PyObject *out = nullptr, *requires_grad = nullptr;
};
/// Boxed arguments, made one by one.
class Values {
 public:
  Values() = default;
  Values(const Values&) = delete;
  ~Values() {
    for (size_t i = 0; i < size_; ++i) data()[i].~Value();
  }
  void add(Value v) { new (data() + size_++) Value(std::move(v)); }
  Value* data() { return reinterpret_cast<Value*>(memory_); }
  size_t size() const { return size_; }

 private:
  alignas(Value) std::byte memory_[kMaxArguments * sizeof(Value)];
  size_t size_ = 0;
};

/// Why a call does not fit an overload; told only when no overload fits.
using Reason = std::string;

std::string short_name(PyObject* o) {
  const std::string name = type_name(o);
  return name.substr(name.rfind('.') + 1);
}
const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::Tensor: return "Tensor";
    case Kind::Tensors: return "tuple of Tensors";
    case Kind::Scalar: return "Number";
    case Kind::Int: return "int";
    case Kind::Ints: return "tuple of ints";
    case Kind::Float: return "float";
    case Kind::Floats: return "tuple of floats";
    case Kind::Bool: return "bool";
    case Kind::String: return "str";
    case Kind::Dtype: return "torch.dtype";
    case Kind::Index: return "tuple of indices";
    case Kind::Generator: return "torch.Generator";
  }
  return "";
}
std::string shown(const Argument& a) { return a.name == "self" ? "input" : a.name; }

bool same(PyObject* a, PyObject* b) { return a == b || (a && PyUnicode_Compare(a, b) == 0); }

/// Puts the arguments of a call in the places of an overload. False when they do not fit.
bool match(const Overload& o, PyObject* const* args, Py_ssize_t n, PyObject* keywords, Values& values, Extras& extras,
           Reason* reason, bool numbers_too = false) {
  const size_t count = o.arguments.size();
  const auto fits_here = [&](const Argument& a, PyObject* given) {
    return fits(a, given) || (numbers_too && a.kind == Kind::Tensor && is_number(given));
  };
  const auto wrong = [&](size_t j, PyObject* given, bool positional) {
    if (reason)
      *reason =
          str("argument '", shown(o.arguments[j]), "' ", positional ? str("(position ", j + 1, ") ") : std::string(),
              "must be ", name_of(o.arguments[j].kind), ", not ", short_name(given));
    return false;
  };
  std::array<PyObject*, kMaxArguments> found{};
  size_t at = 0;
  size_t gathered = count;  // view(2, 3): the place of a list whose ints are given one by one
  Py_ssize_t gathered_from = 0;
  for (Py_ssize_t i = 0; i < n; ++i, ++at) {
    if (at >= count || o.arguments[at].keyword_only) {
      if (reason) {
        size_t most = 0;
        while (most < count && !o.arguments[most].keyword_only) ++most;
        *reason = str("takes ", most, " positional argument", most == 1 ? "" : "s", " but ", n,
                      n == 1 ? " was" : " were", " given");
      }
      return false;
    }
    const Argument& a = o.arguments[at];
    if (a.kind == Kind::Ints && at <= 1 && i + 1 < n && is_int(args[i])) {
      bool all = true;
      for (Py_ssize_t j = i; j < n; ++j) all &= is_int(args[j]);
      if (all && (at + 1 >= count || o.arguments[at + 1].keyword_only || o.arguments[at + 1].kind != Kind::Ints)) {
        gathered = at, gathered_from = i;
        found[at++] = args[i];
        break;
      }
    }
    if (!fits_here(a, args[i])) return wrong(at, args[i], true);
    found[at] = args[i];
  }
  const Py_ssize_t named = keywords ? PyTuple_GET_SIZE(keywords) : 0;
  for (Py_ssize_t k = 0; k < named; ++k) {
    PyObject* key = PyTuple_GET_ITEM(keywords, k);
    PyObject* value = args[n + k];
    size_t j = 0;
    while (j < count && !same(o.arguments[j].key, key) && !same(o.arguments[j].alias, key)) ++j;
    if (j < count) {
      if (found[j]) {
        if (reason) *reason = str("got multiple values for argument '", shown(o.arguments[j]), "'");
        return false;
      }
      if (!fits_here(o.arguments[j], value)) return wrong(j, value, false);
      found[j] = value;
    } else if (same(key_out, key) && takes_out(*o.entry)) {
      if (value != Py_None) extras.out = value;
    } else if (o.makes_tensors && same(key_requires_grad, key)) {
      if (value != Py_None && !PyBool_Check(value)) {
        if (reason) *reason = str("argument 'requires_grad' must be bool, not ", short_name(value));
        return false;
      }
      extras.requires_grad = value;
    } else if (o.makes_tensors && same(key_device, key)) {
      if (value != Py_None && device_checker) Object::steal(checked(PyObject_CallOneArg(device_checker, value)));
    } else if (!o.makes_tensors ||
               !(same(key_layout, key) || same(key_pin_memory, key) || same(key_memory_format, key))) {
      if (reason) *reason = str("got an unexpected keyword argument '", text_of(key), "'");
      return false;
    }
  }
  for (size_t j = 0; j < count; ++j)
    if (!found[j] && !o.arguments[j].has_default) {
      if (reason) *reason = str("missing 1 required positional arguments: \"", shown(o.arguments[j]), "\"");
      return false;
    }
  for (size_t j = 0; j < count; ++j) {
    const Argument& a = o.arguments[j];
    if (j == gathered) values.add(ints_of(args + gathered_from, n - gathered_from, a.name.c_str()));
    else values.add(found[j] ? convert(a, found[j]) : a.default_value);
  }
  return true;
}

std::string described(const Overload& o) {
  const std::string schema = o.entry->schema;
  const size_t open = schema.find('(');
  return schema.substr(open, schema.rfind(") -> ") + 1 - open);
}

[[noreturn]] void throw_no_match(const Group& g, bool in_place, PyObject* const* args, Py_ssize_t n,
                                 PyObject* keywords) {
  const std::string name = g.name + (in_place ? "_" : "");
  if (g.overloads.size() == 1) {
    Reason reason;
    Values values;
    Extras extras;
    match(g.overloads[0], args, n, keywords, values, extras, &reason);
    throw TypeError(str(name, reason.starts_with("argument") ? "(): " : "() ", reason));
  }
  std::string given;
  for (Py_ssize_t i = 0; i < n; ++i) given += (given.empty() ? "" : ", ") + short_name(args[i]);
  const Py_ssize_t named = keywords ? PyTuple_GET_SIZE(keywords) : 0;
  for (Py_ssize_t k = 0; k < named; ++k)
    given += str(given.empty() ? "" : ", ", text_of(PyTuple_GET_ITEM(keywords, k)), "=", short_name(args[n + k]));
  std::string wanted;
  for (const Overload& o : g.overloads) wanted += "\n * " + described(o);
  throw TypeError(
      str(name, "() received an invalid combination of arguments - got (", given, "), but expected one of:", wanted));
}

/// out=a, or out=(a, b) for an op with several results.
std::vector<Tensor> destinations(PyObject* out) {
  if (is_tensor(out)) return {tensor_of(out)};
  if (!PyTuple_Check(out) && !PyList_Check(out))
    throw TypeError(str("argument 'out' must be Tensor or tuple of Tensors, not ", short_name(out)));
  const Object list = Object::steal(checked(PySequence_Tuple(out)));
  std::vector<Tensor> outs;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(list.get()); ++i)
    outs.push_back(to_tensor(PyTuple_GET_ITEM(list.get(), i), "out"));
  return outs;
}

/// Work worth letting other threads run: elements in all tensors of a call.
bool is_large(const Value* values, size_t n) {
  constexpr int64_t kLarge = 4096;
  int64_t elements = 0;
  for (size_t i = 0; i < n && elements <= kLarge; ++i) {
    if (auto* t = values[i].get<Tensor>()) elements += t->defined() ? std::min(t->numel(), kLarge + 1) : 0;
    else if (values[i].get<Value::List>()) elements += 1024;
    else if (auto* k = values[i].get<int64_t>()) elements += std::clamp<int64_t>(*k, 0, kLarge + 1);
  }
  return elements > kLarge;
}

PyObject* run(const Overload& o, Values& values, const Extras& extras, bool in_place) {
  const size_t n = values.size();
  if (in_place) {
    check<TypeError>(!extras.out, "an in-place op takes no out");
    const Tensor self = values.data()[0].to_tensor();
    {
      const WithoutGil without(is_large(values.data(), n));
      o.entry->in_place(*o.entry, values.data(), n);
    }
    return wrap(self);
  }
  if (extras.out) {
    const std::vector<Tensor> outs = destinations(extras.out);
    {
      const WithoutGil without(is_large(values.data(), n));
      call_into(*o.entry, values.data(), n, outs);
    }
    return o.out_type ? checked(PyObject_CallOneArg(o.out_type, extras.out)) : Py_NewRef(extras.out);
  }
  Value result;
  {
    const WithoutGil without(is_large(values.data(), n));
    result = o.entry->call(values.data(), n);
  }
  if (extras.requires_grad == Py_True) result.to_tensor().requires_grad_(true);
  if (const Tensor* t = result.get<Tensor>()) return wrap(*t);
  Object python = Object::steal(to_python(result));
  if (o.result_type) return checked(PyObject_CallOneArg(o.result_type, python.get()));
  return python.release();
}

/// A call in the order of PyTorch's old signatures, put into that of today's: add(self, alpha, other) and
/// addmm(beta, self, alpha, a, b), where a method's self stays first and alpha may be missing. Null if it is none.
PyObject* call_old(const Group& group, const Overload& o, PyObject* const* args, Py_ssize_t n, PyObject* keywords,
                   bool in_place) {
  const size_t count = o.arguments.size();
  size_t tensors = 0;
  while (!o.arguments[tensors].keyword_only) ++tensors;
  const bool two = count - tensors == 2;
  static constexpr std::array<Py_ssize_t, 2> one_factor[] = {{1, -1}};
  static constexpr std::array<Py_ssize_t, 2> two_factors[] = {{0, 2}, {0, -1}, {1, 2}, {1, -1}};
  for (const auto& places : two ? std::span<const std::array<Py_ssize_t, 2>>(two_factors) : one_factor) {
    const auto is_place = [&](Py_ssize_t i) { return i == places[0] || i == places[1]; };
    std::vector<PyObject*> ordered, factors;
    bool numbers = true;
    for (Py_ssize_t i = 0; i < n; ++i) {
      numbers = numbers && (!is_place(i) || is_number(args[i]));
      (is_place(i) ? factors : ordered).push_back(args[i]);
    }
    if (!numbers || factors.size() != (places[1] < 0 ? 1u : 2u)) continue;
    const Py_ssize_t named = keywords ? PyTuple_GET_SIZE(keywords) : 0;
    const auto given = static_cast<Py_ssize_t>(ordered.size());
    const Object names = Object::steal(checked(PyTuple_New(static_cast<Py_ssize_t>(factors.size()) + named)));
    for (size_t k = 0; k < factors.size(); ++k)
      PyTuple_SET_ITEM(names.get(), static_cast<Py_ssize_t>(k), Py_NewRef(o.arguments[tensors + k].key));
    for (Py_ssize_t k = 0; k < named; ++k)
      PyTuple_SET_ITEM(names.get(), static_cast<Py_ssize_t>(factors.size()) + k,
                       Py_NewRef(PyTuple_GET_ITEM(keywords, k)));
    ordered.insert(ordered.end(), factors.begin(), factors.end());
    ordered.insert(ordered.end(), args + n, args + n + named);
    Values values;
    Extras extras;
    if (!match(o, ordered.data(), given, names.get(), values, extras, nullptr)) continue;
    const std::string name = group.name + (in_place ? "_" : "");
    const std::string message = str("This overload of ", name, " is deprecated. Consider using one of the following ",
                                    "signatures instead:\n\t", name, described(o));
    checked(PyErr_WarnEx(PyExc_UserWarning, message.c_str(), 1));
    return run(o, values, extras, in_place);
  }
  return nullptr;
}

PyObject* call_op(PyObject* callable, PyObject* const* args, size_t flags, PyObject* keywords) {
  return guarded([&]() -> PyObject* {
    auto* op = reinterpret_cast<OpObject*>(callable);
    Group& group = *op->group;
    const Py_ssize_t n = PyVectorcall_NARGS(flags);
    if (group.of_tensors && n == 2 && !keywords && !op->in_place && is_tensor(args[0]) && is_tensor(args[1]))
      return group.of_tensors(args[0], args[1]);
    parse(group);
    for (const Overload& o : group.overloads) {
      if (op->in_place && !o.entry->in_place) continue;
      Values values;
      Extras extras;
      if (match(o, args, n, keywords, values, extras, nullptr)) return run(o, values, extras, op->in_place);
    }
    for (const Overload& o : group.overloads) {  // rarer ways to call it
      if (op->in_place && !o.entry->in_place) continue;
      Values values;
      Extras extras;
      if (group.numbers_too && !op->in_place && match(o, args, n, keywords, values, extras, nullptr, true))
        return run(o, values, extras, false);
      if (!o.old_order) continue;
      if (PyObject* result = call_old(group, o, args, n, keywords, op->in_place)) return result;
    }
    throw_no_match(group, op->in_place, args, n, keywords);
  });
}

PyObject* op_get(PyObject* self, PyObject* object, PyObject*) {
  if (!object || object == Py_None) return Py_NewRef(self);
  return PyMethod_New(self, object);
}
PyObject* op_repr(PyObject* self) {
  auto* op = reinterpret_cast<OpObject*>(self);
  return PyUnicode_FromFormat("<built-in op %s%s>", op->group->name.c_str(), op->in_place ? "_" : "");
}
PyObject* op_name(PyObject* self, void*) {
  auto* op = reinterpret_cast<OpObject*>(self);
  return PyUnicode_FromFormat("%s%s", op->group->name.c_str(), op->in_place ? "_" : "");
}
/// "(input, other, *, alpha=1)": the call as Python writes it.
std::string signature_of(const Schema& schema) {
  std::string text = "(";
  bool starred = false, optional = false;
  for (const SchemaArgument& a : schema.arguments) {
    if (text.size() > 1) text += ", ";
    if (a.keyword_only && !starred) text += "*, ", starred = true, optional = false;
    text += a.name == "self" ? "input" : a.name == "from" ? "from_" : a.name;
    // None stands for what Python cannot write here, and after an argument that may be left out.
    if (a.has_default) text += "=" + (a.type.starts_with("ScalarType") ? "None" : a.default_text);
    else if (optional) text += "=None";
    optional |= a.has_default;
  }
  return text + ")";
}
PyObject* op_doc(PyObject* self, void*) {
  return guarded([&] {
    auto* op = reinterpret_cast<OpObject*>(self);
    const std::string name = op->group->name + (op->in_place ? "_" : "");
    std::string text;
    for (const OpEntry* e : op->group->entries) {
      const Schema schema = parse_schema(e->schema);
      text += name + signature_of(schema) + " -> " + schema.returns + "\n";
    }
    std::string sentence = op->group->entries[0]->doc;
    for (size_t at; (at = sentence.find("self")) != sentence.npos;)
      sentence.replace(at, 4, "input");  // as in Python's calls
    text += "\n" + sentence;
    if (op->in_place) text += " In place.";
    return PyUnicode_FromString(text.c_str());
  });
}
PyObject* op_signature(PyObject* self, void*) {
  return guarded([&] {
    const OpEntry* first = reinterpret_cast<OpObject*>(self)->group->entries[0];
    return PyUnicode_FromString(signature_of(parse_schema(first->schema)).c_str());
  });
}
PyObject* op_reduce(PyObject* self, PyObject*) { return op_name(self, nullptr); }
PyObject* op_module(PyObject*, void*) { return PyUnicode_FromString("taut"); }
PyGetSetDef op_getters[] = {{"__name__", op_name, nullptr, nullptr, nullptr},
                            {"__text_signature__", op_signature, nullptr, nullptr, nullptr},
                            {"__qualname__", op_name, nullptr, nullptr, nullptr},
                            {"__module__", op_module, nullptr, nullptr, nullptr},
                            {"__doc__", op_doc, nullptr, nullptr, nullptr},
                            {}};
PyMemberDef op_members[] = {{"__vectorcalloffset__", T_PYSSIZET, offsetof(OpObject, call), READONLY, nullptr}, {}};

PyObject* make_op(Group* group, bool in_place) {
  auto* o = PyObject_New(OpObject, op_type);
  checked(reinterpret_cast<PyObject*>(o));
  o->call = call_op;
  o->group = group;
  o->in_place = in_place;
  return reinterpret_cast<PyObject*>(o);
}

/// Methods a tensor has of its own; an op of that name is only a function.
bool is_own(const char* name) {
  static const char* own[] = {"index",   "index_put",   "index_put_", "T",    "mT",
                              "numpy_T", "result_type", "_unique2",   "where"};
  return std::any_of(std::begin(own), std::end(own), [&](const char* o) { return std::strcmp(o, name) == 0; });
}

PyObject* set_named_tuple_maker(PyObject*, PyObject* f) {
  named_tuple_maker = Py_NewRef(f);
  Py_RETURN_NONE;
}
PyObject* schemas(PyObject*, PyObject*) {
  return guarded([] {
    Object list = Object::steal(checked(PyList_New(0)));
    for (const OpEntry* e : all_ops()) {
      const Object s = Object::steal(checked(PyUnicode_FromString(e->schema)));
      checked(PyList_Append(list.get(), s.get()));
    }
    return list.release();
  });
}
PyObject* write_result(PyObject*, PyObject* const* args, Py_ssize_t n) {
  return guarded([&] {
    check<TypeError>(n == 2, "_write_out takes a destination and a result");
    write_out(to_tensor(args[0], "out"), to_tensor(args[1], "the result"));
    return Py_NewRef(args[0]);
  });
}
PyObject* set_device_checker(PyObject*, PyObject* f) {
  device_checker = Py_NewRef(f);
  Py_RETURN_NONE;
}
PyMethodDef functions[] = {{"_set_named_tuple_maker", set_named_tuple_maker, METH_O, nullptr},
                           {"_set_device_checker", set_device_checker, METH_O, nullptr},
                           {"_write_out", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(write_result)),
                            METH_FASTCALL, "out = result, for functions made of several ops."},
                           {"_schemas", schemas, METH_NOARGS, "Every op, as its schema."},
                           {}};

}  // namespace

void init_ops(PyObject* module) {
  key_out = PyUnicode_InternFromString("out");
  key_requires_grad = PyUnicode_InternFromString("requires_grad");
  key_device = PyUnicode_InternFromString("device");
  key_layout = PyUnicode_InternFromString("layout");
  key_pin_memory = PyUnicode_InternFromString("pin_memory");
  key_memory_format = PyUnicode_InternFromString("memory_format");
  static PyMethodDef methods[] = {{"__reduce__", op_reduce, METH_NOARGS, nullptr}, {}};
  PyType_Slot slots[] = {{Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                         {Py_tp_descr_get, reinterpret_cast<void*>(op_get)},
                         {Py_tp_repr, reinterpret_cast<void*>(op_repr)},
                         {Py_tp_getset, op_getters},
                         {Py_tp_members, op_members},
                         {Py_tp_methods, methods},
                         {0, nullptr}};
  PyType_Spec spec = {"taut._C.Op", sizeof(OpObject), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR |
                          Py_TPFLAGS_DISALLOW_INSTANTIATION,
                      slots};
  op_type = reinterpret_cast<PyTypeObject*>(checked(PyType_FromSpec(&spec)));
  checked(PyModule_AddFunctions(module, functions));

  // Groups live as long as the process.
  auto* groups = new std::vector<std::unique_ptr<Group>>;
  std::map<std::string_view, Group*> by_name;
  for (const OpTable& table : op_tables()) {
    for (const OpEntry* e = table.rows; e != table.rows + table.count; ++e) {
      const std::string_view schema(e->schema);
      const std::string_view name = schema.substr(0, schema.find_first_of(".("));
      Group*& g = by_name[name];
      if (!g) {
        groups->push_back(std::make_unique<Group>());
        g = groups->back().get();
        g->name = name;
      }
      g->entries.push_back(e);
      g->method |= is_method(table, *e);
    }
  }
  for (const auto& [name, slot] :
       {std::pair("add", Py_nb_add), std::pair("sub", Py_nb_subtract), std::pair("mul", Py_nb_multiply),
        std::pair("div", Py_nb_true_divide), std::pair("matmul", Py_nb_matrix_multiply)})
    by_name.at(name)->of_tensors = reinterpret_cast<binaryfunc>(PyType_GetSlot(tensor_type, slot));
  for (const char* name : {"add", "sub", "mul", "div", "true_divide", "floor_divide"})
    by_name.at(name)->numbers_too = true;
  const Object ops = Object::steal(checked(PyDict_New()));
  /// Under its name and all others it has.
  const auto add = [&](const Group& g, const char* end, PyObject* op, bool method) {
    std::istringstream names(g.name + " " + g.entries[0]->aliases);
    for (std::string name; names >> name;) {
      checked(PyDict_SetItemString(ops.get(), (name + end).c_str(), op));
      if (method) checked(PyObject_SetAttrString(reinterpret_cast<PyObject*>(tensor_type), (name + end).c_str(), op));
    }
  };
  for (const auto& [name, g] : by_name) {
    const Object op = Object::steal(make_op(g, false));
    add(*g, "", op.get(), g->method && !is_own(g->name.c_str()));
  }
  for (const auto& [name, g] : by_name) {  // in-place twins
    const bool has_twin =
        std::any_of(g->entries.begin(), g->entries.end(), [](const OpEntry* e) { return e->in_place; });
    if (!has_twin || by_name.count(g->name + "_")) continue;
    const Object in_place = Object::steal(make_op(g, true));
    add(*g, "_", in_place.get(), g->method);
  }
  checked(PyModule_AddObjectRef(module, "ops", ops.get()));
}

}  // namespace taut::python
