#include "overloads.h"

#include <algorithm>
#include <array>
#include <map>

#include "taut/out.h"

namespace taut::python {

PyObject *named_tuple_maker = nullptr, *device_checker = nullptr;

namespace {

PyObject *key_out, *key_requires_grad, *key_device, *key_layout, *key_pin_memory, *key_memory_format;

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

Overload parse(const std::string& name, const OpEntry& entry) {
  const Schema schema = parse_schema(entry.schema);
  check(schema.arguments.size() <= kMaxArguments, schema.name, ": an op of too many arguments");
  Overload o;
  o.entry = &entry;
  for (const SchemaArgument& a : schema.arguments)
    o.arguments.push_back({kind_of(a.type, entry.schema), a.type.ends_with('?'), a.has_default, a.keyword_only, a.name,
                           checked(PyUnicode_InternFromString(a.name.c_str())), alias_of(a.name), a.default_value});
  const auto& arguments = o.arguments;
  const bool like = schema.name.ends_with("_like") || schema.name.starts_with("new_");
  const bool of_tensor = !arguments.empty() && arguments[0].kind == Kind::Tensor;
  o.makes_tensors = (like || !of_tensor) && std::any_of(arguments.begin(), arguments.end(), [](const Argument& a) {
                      return a.kind == Kind::Dtype && a.keyword_only;
                    });
  o.old_order = of_tensor && arguments.back().keyword_only &&
                std::all_of(arguments.begin(), arguments.end(),
                            [](const Argument& a) { return a.kind == (a.keyword_only ? Kind::Scalar : Kind::Tensor); });
  if (const auto names = result_names(schema.returns); !names.empty() && named_tuple_maker) {
    const Object list = Object::steal(checked(PyList_New(0)));
    for (const std::string& n : names) {
      const Object s = Object::steal(checked(PyUnicode_FromString(n.c_str())));
      checked(PyList_Append(list.get(), s.get()));
    }
    o.result_type = checked(PyObject_CallFunction(named_tuple_maker, "sO", name.c_str(), list.get()));
    o.out_type = checked(PyObject_CallFunction(named_tuple_maker, "sO", (name + "_out").c_str(), list.get()));
  }
  return o;
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
    case Kind::Float: return is_number(o) && !PyComplex_Check(o);
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
      if (s.is_complex()) return Value(s.toComplexDouble());
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

/// One call and one overload, while the arguments of the one find their places in the other.
class Matching {
 public:
  Matching(const Overload& o, const Call& call, std::string* reason, bool numbers_too)
      : o_(o), arguments_(o.arguments), call_(call), reason_(reason), numbers_too_(numbers_too) {}

  bool place(Extras& extras) { return place_positional() && place_named(extras) && none_is_missing(); }
  void box(Values& values) const {
    for (size_t j = 0; j < arguments_.size(); ++j) {
      const Argument& a = arguments_[j];
      if (j == gathered_) values.add(ints_of(call_.args + gathered_from_, call_.n - gathered_from_, a.name.c_str()));
      else values.add(found_[j] ? convert(a, found_[j]) : a.default_value);
    }
  }

 private:
  bool place_positional() {
    size_t at = 0;
    for (Py_ssize_t i = 0; i < call_.n; ++i, ++at) {
      if (!takes_position(at)) return refuse_count();
      if (is_gathered(at, i)) {
        gathered_ = at, gathered_from_ = i;
        found_[at] = call_.args[i];
        return true;
      }
      if (!fits_here(arguments_[at], call_.args[i])) return refuse_type(at, call_.args[i], true);
      found_[at] = call_.args[i];
    }
    return true;
  }
  bool takes_position(size_t j) const { return j < arguments_.size() && !arguments_[j].keyword_only; }
  /// view(2, 3): are the ints of a list given one by one, from positional argument i on?
  bool is_gathered(size_t at, Py_ssize_t i) const {
    if (arguments_[at].kind != Kind::Ints || at > 1 || i + 1 >= call_.n) return false;
    return std::all_of(call_.args + i, call_.args + call_.n, is_int) &&
           !(takes_position(at + 1) && arguments_[at + 1].kind == Kind::Ints);
  }
  bool fits_here(const Argument& a, PyObject* given) const {
    return fits(a, given) || (numbers_too_ && a.kind == Kind::Tensor && is_number(given));
  }

  bool place_named(Extras& extras) {
    for (Py_ssize_t k = 0; k < call_.named(); ++k) {
      PyObject *const key = call_.key(k), *const value = call_.value(k);
      size_t j = 0;
      while (j < arguments_.size() && !same(arguments_[j].key, key) && !same(arguments_[j].alias, key)) ++j;
      if (j == arguments_.size()) {
        if (!place_extra(key, value, extras)) return false;
        continue;
      }
      if (found_[j])
        return refuse([&] { return str("got multiple values for argument '", shown(arguments_[j]), "'"); });
      if (!fits_here(arguments_[j], value)) return refuse_type(j, value, false);
      found_[j] = value;
    }
    return true;
  }
  /// What no schema lists: out=, and what every function takes that makes tensors.
  bool place_extra(PyObject* key, PyObject* value, Extras& extras) {
    if (same(key_out, key) && takes_out(*o_.entry)) {
      if (value != Py_None) extras.out = value;
      return true;
    }
    if (o_.makes_tensors && same(key_requires_grad, key)) {
      if (value != Py_None && !PyBool_Check(value))
        return refuse([&] { return str("argument 'requires_grad' must be bool, not ", short_name(value)); });
      extras.requires_grad = value;
      return true;
    }
    if (o_.makes_tensors && same(key_device, key)) {
      if (value != Py_None && device_checker) Object::steal(checked(PyObject_CallOneArg(device_checker, value)));
      return true;
    }
    if (o_.makes_tensors && same(key_layout, key)) {
      if (value != Py_None) extras.layout = value;
      return true;
    }
    if (o_.makes_tensors && (same(key_pin_memory, key) || same(key_memory_format, key))) return true;
    return refuse([&] { return str("got an unexpected keyword argument '", text_of(key), "'"); });
  }

  bool none_is_missing() {
    for (size_t j = 0; j < arguments_.size(); ++j)
      if (!found_[j] && !arguments_[j].has_default)
        return refuse([&] { return str("missing 1 required positional arguments: \"", shown(arguments_[j]), "\""); });
    return true;
  }

  // The reason is put into words only where it is asked for.
  template <class F>
  bool refuse(F text) {
    if (reason_) *reason_ = text();
    return false;
  }
  bool refuse_type(size_t j, PyObject* given, bool positional) {
    return refuse([&] {
      return str("argument '", shown(arguments_[j]), "' ", positional ? str("(position ", j + 1, ") ") : std::string(),
                 "must be ", name_of(arguments_[j].kind), ", not ", short_name(given));
    });
  }
  bool refuse_count() {
    return refuse([&] {
      size_t most = 0;
      while (takes_position(most)) ++most;
      return str("takes ", most, " positional argument", most == 1 ? "" : "s", " but ", call_.n,
                 call_.n == 1 ? " was" : " were", " given");
    });
  }

  const Overload& o_;
  const std::vector<Argument>& arguments_;
  const Call& call_;
  std::string* reason_;
  bool numbers_too_;
  std::array<PyObject*, kMaxArguments> found_{};
  size_t gathered_ = kMaxArguments;  // the place of a list whose ints are given one by one,
  Py_ssize_t gathered_from_ = 0;     // from this argument on
};

}  // namespace

std::string short_name(PyObject* o) {
  const std::string name = type_name(o);
  return name.substr(name.rfind('.') + 1);
}
std::vector<Overload> parse_overloads(const std::string& name, const std::vector<const OpEntry*>& entries) {
  std::vector<Overload> all;
  for (const OpEntry* entry : entries) all.push_back(parse(name, *entry));
  // A 0-d tensor fits where a number is wanted, but is taken for a tensor first, as PyTorch does.
  std::stable_sort(all.begin(), all.end(),
                   [](const Overload& a, const Overload& b) { return numbers(a) < numbers(b); });
  return all;
}

bool match(const Overload& o, const Call& call, Values& values, Extras& extras, std::string* reason, bool numbers_too) {
  Matching matching(o, call, reason, numbers_too);
  if (!matching.place(extras)) return false;
  matching.box(values);
  return true;
}

void init_overloads() {
  key_out = PyUnicode_InternFromString("out");
  key_requires_grad = PyUnicode_InternFromString("requires_grad");
  key_device = PyUnicode_InternFromString("device");
  key_layout = PyUnicode_InternFromString("layout");
  key_pin_memory = PyUnicode_InternFromString("pin_memory");
  key_memory_format = PyUnicode_InternFromString("memory_format");
}

}  // namespace taut::python
