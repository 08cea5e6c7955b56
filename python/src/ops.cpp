// Every op of the registry as a Python function and method. A call finds the first overload whose arguments fit, by
// PyTorch's rules, and calls it boxed. Schemas are parsed when an op is first called, so that importing stays quick.
#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <sstream>

#include "overloads.h"
#include "overrides.h"
#include "taut/out.h"

namespace taut::python {
namespace {

/// One of torch.strided, torch.sparse_coo and so on.
Layout layout_of(PyObject* wanted) {
  const Object number = Object::steal(checked(PyObject_GetAttrString(wanted, "_number")));
  const long to = PyLong_AsLong(number.get());
  check<NotImplementedError>(to >= 0,
                             "this layout is not supported: there are strided, sparse_coo, sparse_csr, sparse_csc, "
                             "sparse_bsr and sparse_bsc");
  return static_cast<Layout>(to);
}
/// A tensor that was made in the layout that was asked for.
Tensor in_layout(const Tensor& t, Layout wanted) {
  switch (wanted) {
    case Layout::Strided: return to_dense(t);
    case Layout::Sparse: return to_sparse(t);
    case Layout::SparseCsr: return to_sparse_csr(t);
    case Layout::SparseCsc: return to_sparse_csc(t);
    default:
      throw Error(str("zeros_sparse_compressed expected sparse compressed (non-block) tensor layout but got ", wanted));
  }
}
/// zeros() or empty() of a sparse layout, which take no memory for what is not there.
bool makes_hollow(const Overload& o, const Extras& extras) {
  const std::string_view schema = o.entry->schema;
  return extras.layout && (schema.starts_with("zeros(") || schema.starts_with("empty(")) &&
         layout_of(extras.layout) != Layout::Strided;
}

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
  PyObject* name;  // its own, where an op has several
  bool in_place, method;
};
PyTypeObject* op_type = nullptr;
PyObject *all_ops_by_name = nullptr, *op_finder = nullptr;
thread_local bool default_meta = false;  // does what makes tensors make them meta, unless told where?
std::string described(const Overload& o) {
  const std::string schema = o.entry->schema;
  const size_t open = schema.find('(');
  return schema.substr(open, schema.rfind(") -> ") + 1 - open);
}

[[noreturn]] void throw_no_match(const Group& g, bool in_place, const Call& call) {
  // A row of the library's own serves a function of Python, which has its name without the underscore.
  const std::string name = g.name.substr(g.name.starts_with("_")) + (in_place ? "_" : "");
  if (g.overloads.size() == 1) {
    std::string reason;
    Values values;
    Extras extras;
    match(g.overloads[0], call, values, extras, &reason);
    throw TypeError(str(name, reason.starts_with("argument") ? "(): " : "() ", reason));
  }
  std::string given;
  for (Py_ssize_t i = 0; i < call.n; ++i) given += (given.empty() ? "" : ", ") + short_name(call.args[i]);
  for (Py_ssize_t k = 0; k < call.named(); ++k)
    given += str(given.empty() ? "" : ", ", text_of(call.key(k)), "=", short_name(call.value(k)));
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

/// Is a call worth letting other threads run, by the elements in all its tensors? A number may be a size.
bool is_large(const Value* values, size_t n) {
  constexpr int64_t kMost = kLargeForGil + 1, kElementsOfList = 1024;  // a guess: lists are not looked into
  int64_t elements = 0;
  for (size_t i = 0; i < n && elements <= kLargeForGil; ++i) {
    if (auto* t = values[i].get<Tensor>()) elements += t->defined() ? std::min(t->numel(), kMost) : 0;
    else if (values[i].get<Value::List>()) elements += kElementsOfList;
    else if (auto* k = values[i].get<int64_t>()) elements += std::clamp<int64_t>(*k, 0, kMost);
  }
  return elements > kLargeForGil;
}

/// Is the result to be meta: by the device that the call names, by its arguments, or by default?
bool is_meta_call(const Overload& o, Values& values, const Extras& extras) {
  if (extras.meta) return *extras.meta;
  if (any_meta(values.data(), values.size())) return true;
  return default_meta && o.makes_tensors && !extras.out &&
         std::none_of(values.data(), values.data() + values.size(), [](const Value& v) { return v.get<Tensor>(); });
}

/// f(), naming the op where it asked for numbers that a meta tensor has not.
template <class F>
void named(const Overload& o, F f) {
  try {
    f();
  } catch (const NotImplementedError& e) {
    const std::string text = e.what(), schema = o.entry->schema;
    if (!text.starts_with("attempted to run this operator")) throw;
    throw NotImplementedError(str("aten::", schema.substr(0, schema.find('(')), ": ", text));
  }
}

/// A result that a factory made, in the order of memory that the call asks for.
Tensor in_format(const Tensor& made, PyObject* format, const Overload& o) {
  const Object name = Object::steal(checked(PyObject_Repr(format)));
  const std::string text = text_of(name.get());
  if (text == "torch.channels_last") return made.contiguous(MemoryFormat::ChannelsLast);
  if (text == "torch.channels_last_3d") return made.contiguous(MemoryFormat::ChannelsLast3d);
  if (text == "torch.contiguous_format") return made.contiguous();
  check(o.arguments[0].kind == Kind::Tensor, "unsupported memory format Preserve");
  return made;
}

PyObject* run_plainly(const Overload& o, Values& values, const Extras& extras, bool in_place) {
  const size_t n = values.size();
  const MetaScope scope(is_meta_call(o, values, extras), extras.meta.has_value());
  if (in_place) {
    check<TypeError>(!extras.out, "an in-place op takes no out");
    const Tensor self = values.data()[0].to_tensor();
    {
      const WithoutGil without(is_large(values.data(), n));
      named(o, [&] { o.entry->in_place(*o.entry, values.data(), n); });
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
  if (makes_hollow(o, extras)) [[unlikely]] {
    const Value &sizes = values.data()[0], &dtype = values.data()[1];
    result = zeros(sizes.to_ints(), TensorOptions()
                                        .dtype(dtype.is_none() ? get_default_dtype() : dtype.to_dtype())
                                        .layout(layout_of(extras.layout)));
  } else {
    {
      const WithoutGil without(is_large(values.data(), n));
      named(o, [&] { result = o.entry->call(values.data(), n); });
    }
    if (extras.layout) result = in_layout(result.to_tensor(), layout_of(extras.layout));
  }
  if (extras.memory_format) result = in_format(result.to_tensor(), extras.memory_format, o);
  if (extras.requires_grad == Py_True) result.to_tensor().requires_grad_(true);
  if (const Tensor* t = result.get<Tensor>()) return wrap(*t);
  Object python = Object::steal(to_python(result));
  if (o.result_type) return checked(PyObject_CallOneArg(o.result_type, python.get()));
  return python.release();
}

/// A call as those see it who watch ops: aten's op, arguments in their places without those at the end that are as by
/// default, and by name what only a name may give.
PyObject* run_watched(const Overload& o, Values& values, const Extras& extras, bool in_place) {
  if (!op_finder) {
    const Object module = Object::steal(checked(PyImport_ImportModule("taut._ops")));
    op_finder = checked(PyObject_GetAttrString(module.get(), "_watched"));
  }
  const Object positional = Object::steal(checked(PyList_New(0))), named = Object::steal(checked(PyDict_New()));
  const auto shown = [&](const Argument& a, const Value& v) -> Object {
    if (a.kind != Kind::Ints || v.is_none()) {
      Object value = Object::steal(to_python(v));
      return PyTuple_CheckExact(value.get()) ? Object::steal(checked(PySequence_List(value.get()))) : value;
    }
    Object list = Object::steal(checked(PyList_New(0)));
    for (const int64_t i : v.to_ints()) checked(PyList_Append(list.get(), Object::steal(PyLong_FromLongLong(i)).get()));
    return list;
  };
  size_t count = 0;
  std::vector<Object> given;
  for (size_t j = 0; j < o.arguments.size(); ++j) {
    const Argument& a = o.arguments[j];
    given.push_back(shown(a, values.data()[j]));
    if (a.has_default && !values.data()[j].get<Tensor>()) {
      const int same = PyObject_RichCompareBool(given[j].get(), shown(a, a.default_value).get(), Py_EQ);
      checked(same);
      if (same) continue;
    }
    if (!a.keyword_only) count = j + 1;
    else checked(PyDict_SetItem(named.get(), a.key, given[j].get()));
  }
  for (size_t j = 0; j < count; ++j) checked(PyList_Append(positional.get(), given[j].get()));
  if (o.makes_tensors) {
    const bool alone = o.arguments[0].kind != Kind::Tensor;
    if (alone || extras.meta)
      checked(
          PyDict_SetItemString(named.get(), "device", extras.meta.value_or(default_meta) ? meta_device : cpu_device));
    checked(PyDict_SetItemString(named.get(), "pin_memory", Py_False));
  }
  if (extras.out) checked(PyDict_SetItemString(named.get(), "out", extras.out));
  if (extras.layout) checked(PyDict_SetItemString(named.get(), "layout", extras.layout));
  if (extras.memory_format) checked(PyDict_SetItemString(named.get(), "memory_format", extras.memory_format));
  const Object args = Object::steal(checked(PyList_AsTuple(positional.get())));
  PyObject* result = checked(PyObject_CallFunction(op_finder, "sOOOO", o.entry->schema, in_place ? Py_True : Py_False,
                                                   extras.out ? Py_True : Py_False, args.get(), named.get()));
  if (extras.requires_grad == Py_True && is_tensor(result)) tensor_of(result).requires_grad_(true);
  if (o.result_type && PyTuple_CheckExact(result)) {
    const Object plain = Object::steal(result);
    return checked(PyObject_CallOneArg(o.result_type, plain.get()));
  }
  return result;
}

/// A call with some arguments by name that were given by position.
class Reordered {
 public:
  Reordered(std::vector<PyObject*> positional, const std::vector<PyObject*>& factors, const Argument* names,
            const Call& call)
      : n_(static_cast<Py_ssize_t>(positional.size())), args_(std::move(positional)) {
    const auto count = static_cast<Py_ssize_t>(factors.size());
    keywords_ = Object::steal(checked(PyTuple_New(count + call.named())));
    for (Py_ssize_t k = 0; k < count; ++k) PyTuple_SET_ITEM(keywords_.get(), k, Py_NewRef(names[k].key));
    for (Py_ssize_t k = 0; k < call.named(); ++k) PyTuple_SET_ITEM(keywords_.get(), count + k, Py_NewRef(call.key(k)));
    args_.insert(args_.end(), factors.begin(), factors.end());
    args_.insert(args_.end(), call.args + call.n, call.args + call.n + call.named());
  }
  Call call() const { return {args_.data(), n_, keywords_.get()}; }

 private:
  Py_ssize_t n_;
  std::vector<PyObject*> args_;
  Object keywords_;
};

/// A call in the order of PyTorch's old signatures, put into that of today's: add(self, alpha, other) and
/// addmm(beta, self, alpha, a, b), where a method's self stays first and alpha may be missing. Null if it is none.
PyObject* call_old(const Group& group, const Overload& o, const Call& call, bool in_place) {
  size_t tensors = 0;
  while (!o.arguments[tensors].keyword_only) ++tensors;
  const bool two = o.arguments.size() - tensors == 2;
  // Where the factors may stand; -1: the second one is missing.
  using Places = std::array<Py_ssize_t, 2>;
  static constexpr Places one_factor[] = {{1, -1}};
  static constexpr Places two_factors[] = {{0, 2}, {0, -1}, {1, 2}, {1, -1}};
  for (const Places& places : two ? std::span<const Places>(two_factors) : one_factor) {
    std::vector<PyObject*> positional, factors;
    bool numbers = true;
    for (Py_ssize_t i = 0; i < call.n; ++i) {
      const bool factor = i == places[0] || i == places[1];
      numbers = numbers && (!factor || is_number(call.args[i]));
      (factor ? factors : positional).push_back(call.args[i]);
    }
    if (!numbers || factors.size() != (places[1] < 0 ? 1u : 2u)) continue;
    const Reordered today(std::move(positional), factors, &o.arguments[tensors], call);
    Values values;
    Extras extras;
    if (!match(o, today.call(), values, extras, nullptr)) continue;
    const std::string name = group.name + (in_place ? "_" : "");
    const std::string message = str("This overload of ", name, " is deprecated. Consider using one of the following ",
                                    "signatures instead:\n\t", name, described(o));
    checked(PyErr_WarnEx(PyExc_UserWarning, message.c_str(), 1));
    return run_plainly(o, values, extras, in_place);
  }
  return nullptr;
}

PyObject* call_op(PyObject* callable, PyObject* const* args, size_t flags, PyObject* keywords) {
  return guarded([&]() -> PyObject* {
    auto* op = reinterpret_cast<OpObject*>(callable);
    Group& group = *op->group;
    const Call call{args, PyVectorcall_NARGS(flags), keywords};
    bool watched = false;
    if (is_taken(args, call.n + call.named())) [[unlikely]] {
      if (PyObject * result; take_over({nullptr, nullptr, callable}, args, call.n, keywords, result)) return result;
      watched = is_dispatched(args, call.n + call.named());
    }
    if (group.of_tensors && call.n == 2 && !keywords && !op->in_place && is_tensor(args[0]) && is_tensor(args[1]) &&
        !watched)
      return group.of_tensors(args[0], args[1]);
    const auto run = watched ? run_watched : run_plainly;
    if (group.overloads.empty()) group.overloads = parse_overloads(group.name, group.entries);
    for (const Overload& o : group.overloads) {
      if (op->in_place && !o.entry->in_place) continue;
      Values values;
      Extras extras;
      if (match(o, call, values, extras, nullptr)) return run(o, values, extras, op->in_place);
    }
    for (const Overload& o : group.overloads) {  // rarer ways to call it
      if (op->in_place && !o.entry->in_place) continue;
      Values values;
      Extras extras;
      if (group.numbers_too && !op->in_place && match(o, call, values, extras, nullptr, true))
        return run(o, values, extras, false);
      if (!o.old_order) continue;
      if (PyObject* result = call_old(group, o, call, op->in_place)) return result;
    }
    throw_no_match(group, op->in_place, call);
  });
}

PyObject* op_get(PyObject* self, PyObject* object, PyObject*) {
  if (!object || object == Py_None) return Py_NewRef(self);
  return PyMethod_New(self, object);
}
PyObject* op_repr(PyObject* self) {
  auto* op = reinterpret_cast<OpObject*>(self);
  if (op->method) return PyUnicode_FromFormat("<method '%U' of 'torch._C.TensorBase' objects>", op->name);
  return PyUnicode_FromFormat("<built-in method %U of type object at %p>", op->name, static_cast<void*>(op_type));
}
PyObject* op_name(PyObject* self, void*) { return Py_NewRef(reinterpret_cast<OpObject*>(self)->name); }
PyObject* op_qualified_name(PyObject* self, void*) {
  auto* op = reinterpret_cast<OpObject*>(self);
  return op->method ? PyUnicode_FromFormat("Tensor.%U", op->name) : Py_NewRef(op->name);
}
PyObject* op_row_name(PyObject* self, void*) {
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
    const std::string name = text_of(op->name);
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
/// By the name under which the module has it.
PyObject* op_reduce(PyObject* self, PyObject*) {
  auto* op = reinterpret_cast<OpObject*>(self);
  if (!op->method && !text_of(op->name).starts_with("special_")) return op_row_name(self, nullptr);
  if (!op->method) {  // torch.special's own
    const Object module = Object::steal(PyImport_ImportModule("taut.special"));
    const Object get = Object::steal(module ? PyObject_GetAttrString(module.get(), "_named") : nullptr);
    return get ? Py_BuildValue("(O(O))", get.get(), op->name) : nullptr;
  }
  const Object module = Object::steal(PyImport_ImportModule("taut._pickling"));
  const Object get = Object::steal(module ? PyObject_GetAttrString(module.get(), "_method") : nullptr);
  return get ? Py_BuildValue("(O(O))", get.get(), op->name) : nullptr;
}
PyObject* op_module(PyObject*, void*) { return PyUnicode_FromString("taut"); }
PyGetSetDef op_getters[] = {{"__name__", op_name, nullptr, nullptr, nullptr},
                            {"__text_signature__", op_signature, nullptr, nullptr, nullptr},
                            {"__qualname__", op_qualified_name, nullptr, nullptr, nullptr},
                            {"__module__", op_module, nullptr, nullptr, nullptr},
                            {"__doc__", op_doc, nullptr, nullptr, nullptr},
                            {"_row", op_row_name, nullptr, "What the registry calls it.", nullptr},
                            {}};
PyMemberDef op_members[] = {{"__vectorcalloffset__", T_PYSSIZET, offsetof(OpObject, call), READONLY, nullptr}, {}};

PyObject* make_op(Group* group, const std::string& name, bool in_place, bool method) {
  auto* o = PyObject_New(OpObject, op_type);
  checked(reinterpret_cast<PyObject*>(o));
  o->call = call_op;
  o->group = group;
  o->name = checked(PyUnicode_InternFromString(name.c_str()));
  o->in_place = in_place;
  o->method = method;
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
/// _renamed(op, name): the same op as a function of another name.
PyObject* renamed(PyObject*, PyObject* arguments) {
  PyObject* op = nullptr;
  const char* name = nullptr;
  if (!PyArg_ParseTuple(arguments, "O!s", op_type, &op, &name)) return nullptr;
  return guarded([&] {
    auto* of = reinterpret_cast<OpObject*>(op);
    return make_op(of->group, name, of->in_place, false);
  });
}
PyObject* set_default_meta(PyObject*, PyObject* on) {
  return PyBool_FromLong(std::exchange(default_meta, on == Py_True));
}
PyObject* get_default_meta(PyObject*, PyObject*) { return PyBool_FromLong(default_meta); }
PyObject* set_dry(PyObject*, PyObject* on) { return PyBool_FromLong(set_meta_scope(on == Py_True)); }
PyObject* set_device_checker(PyObject*, PyObject* f) {
  device_checker = Py_NewRef(f);
  Py_RETURN_NONE;
}
PyMethodDef functions[] = {{"_set_named_tuple_maker", set_named_tuple_maker, METH_O, nullptr},
                           {"_set_device_checker", set_device_checker, METH_O, nullptr},
                           {"_renamed", renamed, METH_VARARGS, nullptr},
                           {"_set_default_meta", set_default_meta, METH_O, nullptr},
                           {"_default_meta", get_default_meta, METH_NOARGS, nullptr},
                           {"_set_dry", set_dry, METH_O, nullptr},
                           {"_write_out", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(write_result)),
                            METH_FASTCALL, "out = result, for functions made of several ops."},
                           {"_schemas", schemas, METH_NOARGS, "Every op, as its schema."},
                           {}};

PyTypeObject* make_op_type() {
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
  return reinterpret_cast<PyTypeObject*>(checked(PyType_FromSpec(&spec)));
}

using Groups = std::map<std::string_view, Group*>;

/// The rows of the registry by their names. Groups live as long as the process.
Groups make_groups() {
  Groups groups;
  for (const OpTable& table : op_tables())
    for (const OpEntry* e = table.rows; e != table.rows + table.count; ++e) {
      const std::string_view schema(e->schema);
      const std::string_view name = schema.substr(0, schema.find_first_of(".("));
      Group*& g = groups[name];
      if (!g) {
        static auto* const all = new std::vector<std::unique_ptr<Group>>;
        g = all->emplace_back(std::make_unique<Group>()).get();
        g->name = name;
      }
      g->entries.push_back(e);
      g->method |= is_method(table, *e);
    }
  for (const auto& [name, slot] :
       {std::pair("add", Py_nb_add), std::pair("sub", Py_nb_subtract), std::pair("mul", Py_nb_multiply),
        std::pair("div", Py_nb_true_divide), std::pair("matmul", Py_nb_matrix_multiply)})
    groups.at(name)->of_tensors = reinterpret_cast<binaryfunc>(PyType_GetSlot(tensor_type, slot));
  for (const char* name : {"add", "sub", "mul", "div", "true_divide", "floor_divide"})
    groups.at(name)->numbers_too = true;
  return groups;
}

/// Adds an op to `ops`, and to Tensor as a method, under all its names.
void add_op(PyObject* ops, Group& g, bool in_place, bool method) {
  std::istringstream names(g.name + " " + g.entries[0]->aliases);
  for (std::string name; names >> name;) {
    if (in_place) name += "_";
    const Object op = Object::steal(make_op(&g, name, in_place, false));
    checked(PyDict_SetItemString(ops, name.c_str(), op.get()));
    if (!method) continue;
    const Object as_method = Object::steal(make_op(&g, name, in_place, true));
    checked(PyObject_SetAttrString(reinterpret_cast<PyObject*>(tensor_type), name.c_str(), as_method.get()));
  }
}

}  // namespace

PyObject* through_ops(const char* name, PyObject* a, PyObject* b) {
  const std::string_view wanted = name;
  const auto call = [](const char* op, PyObject* x, PyObject* y) {
    PyObject* f = PyDict_GetItemString(all_ops_by_name, op);
    check(f != nullptr, "there is no op ", op);
    return checked(PyObject_CallFunctionObjArgs(f, x, y, nullptr));
  };
  if (is_tensor(a)) return call(name, a, b);
  // A number comes first.
  if (wanted == "sub") return call("rsub", b, a);
  if (wanted == "div") return call("mul", Object::steal(call("reciprocal", b, nullptr)).get(), a);
  if (wanted == "add" || wanted == "mul" || wanted == "bitwise_and" || wanted == "bitwise_or" ||
      wanted == "bitwise_xor")
    return call(name, b, a);
  return call(name, a, b);
}

void init_ops(PyObject* module) {
  init_overloads();
  op_type = make_op_type();
  checked(PyModule_AddFunctions(module, functions));
  const Groups groups = make_groups();
  const Object ops = Object::steal(checked(PyDict_New()));
  for (const auto& [name, g] : groups) add_op(ops.get(), *g, false, g->method && !is_own(g->name.c_str()));
  for (const auto& [name, g] : groups) {
    const bool has_twin =
        std::any_of(g->entries.begin(), g->entries.end(), [](const OpEntry* e) { return e->in_place; });
    if (has_twin && !groups.count(g->name + "_")) add_op(ops.get(), *g, true, g->method);
  }
  all_ops_by_name = Py_NewRef(ops.get());
  checked(PyModule_AddObjectRef(module, "ops", ops.get()));
}

}  // namespace taut::python
