// Walks through Python's objects and writes them down. Plain values and tensors are written here; how an object of
// another class is made again, the rules of the caller say.
#include "pickler.h"

#include <unordered_map>

#include "io/pickle_text.h"

namespace taut::python {
namespace {

constexpr size_t kBatch = 1000;  // items that are put into a list or dict at once: they all lie on the reader's stack

Object attribute(PyObject* o, const char* name) { return Object::steal(checked(PyObject_GetAttrString(o, name))); }

/// One level deeper; RecursionError where Python would raise it.
class Deeper {
 public:
  Deeper() {
    if (Py_EnterRecursiveCall(" while pickling an object")) throw PythonError();
  }
  ~Deeper() { Py_LeaveRecursiveCall(); }
  Deeper(const Deeper&) = delete;
};

[[noreturn]] void refuse(const std::string& why) {
  const Object module = Object::steal(checked(PyImport_ImportModule("pickle")));
  PyErr_SetString(attribute(module.get(), "PicklingError").get(), why.c_str());
  throw PythonError();
}

class Pickler {
 public:
  Pickler(PyObject* rules, int protocol)
      : rules_(rules),
        reduce_(attribute(rules, "reduce")),
        name_(attribute(rules, "Name")),
        layout_(attribute(rules, "Layout")),
        protocol_(protocol),
        out_(protocol) {}

  io::Pickled run(PyObject* object) {
    save(object);
    return {out_.finish(), std::move(storages_)};
  }

 private:
  void save(PyObject* o) {
    const Deeper deeper;
    if (o == Py_None) return out_.none();
    if (PyBool_Check(o)) return out_.boolean(o == Py_True);
    if (PyLong_CheckExact(o)) return integer(o);
    if (PyFloat_CheckExact(o)) return out_.real(PyFloat_AS_DOUBLE(o));
    if (const auto known = memo_.find(o); known != memo_.end()) return out_.recall(known->second);
    if (PyUnicode_CheckExact(o)) return text(o), keep(o);
    if (Py_IS_TYPE(o, tensor_type) && is_plain(o) && tensor_of(o).layout() == kStrided) {
      const Tensor t = tensor_of(o).resolve_conj();
      const Record at = record(t);
      return out_.tensor(t, at.key, at.numel, t.storage_offset()), keep(o);
    }
    if (PyDict_CheckExact(o)) return dict(o);
    if (PyList_CheckExact(o)) return list(o);
    if (PyTuple_CheckExact(o)) return tuple(o);
    if (PyBytes_CheckExact(o)) return bytes(o);
    if (protocol_ >= 4 && PyAnySet_CheckExact(o)) return set(o);
    if (is_a(o, name_)) return global(o);
    if (is_a(o, layout_)) return layout(attribute(o, "tensor").get());
    object(o);
  }

  static bool is_a(PyObject* o, const Object& type) { return reinterpret_cast<PyObject*>(Py_TYPE(o)) == type.get(); }
  /// Was nothing set on the tensor?
  static bool is_plain(PyObject* o) {
    const PyObject* dict = reinterpret_cast<TensorObject*>(o)->dict;
    return !dict || PyDict_GET_SIZE(dict) == 0;
  }
  /// What was written last can be referred to; it stays alive, so that its address stays its own.
  void keep(PyObject* o) {
    memo_.emplace(o, out_.keep());
    alive_.push_back(Object::borrow(o));
  }
  /// A container that holds itself was written while its items were: they, or the call, are forgotten.
  bool kept_meanwhile(PyObject* o, const char* forget, size_t times) {
    const auto known = memo_.find(o);
    if (known == memo_.end()) return false;
    for (size_t i = 0; i < times; ++i) out_.raw(forget);
    out_.recall(known->second);
    return true;
  }

  // ---- Plain values.

  void integer(PyObject* o) {
    int overflow = 0;
    const long long v = PyLong_AsLongLongAndOverflow(o, &overflow);
    if (!overflow) return out_.integer(v);
    const Object bits = Object::steal(checked(PyObject_CallMethod(o, "bit_length", nullptr)));
    const size_t n = PyLong_AsSize_t(bits.get()) / 8 + 1;
    const Object to_bytes = attribute(o, "to_bytes");
    const Object arguments = Object::steal(checked(Py_BuildValue("(ns)", static_cast<Py_ssize_t>(n), "little")));
    const Object options = Object::steal(checked(Py_BuildValue("{sO}", "signed", Py_True)));
    const Object digits = Object::steal(checked(PyObject_Call(to_bytes.get(), arguments.get(), options.get())));
    if (n >= INT32_MAX) refuse("an integer is too long");
    out_.op(n < 256 ? 0x8a : 0x8b);
    if (n < 256) out_.put(static_cast<uint8_t>(n));
    else out_.put(static_cast<uint32_t>(n));
    out_.raw({PyBytes_AS_STRING(digits.get()), n});
  }
  void text(PyObject* o) {
    Py_ssize_t n = 0;
    if (const char* p = PyUnicode_AsUTF8AndSize(o, &n)) return out_.text({p, static_cast<size_t>(n)});
    PyErr_Clear();  // half of a pair
    const Object encoded = Object::steal(checked(PyUnicode_AsEncodedString(o, "utf-8", "surrogatepass")));
    out_.text({PyBytes_AS_STRING(encoded.get()), static_cast<size_t>(PyBytes_GET_SIZE(encoded.get()))});
  }
  void bytes(PyObject* o) {
    const std::string_view s(PyBytes_AS_STRING(o), static_cast<size_t>(PyBytes_GET_SIZE(o)));
    if (protocol_ < 3) {  // a text with the bytes as letters
      const Object letters =
          Object::steal(checked(PyUnicode_DecodeLatin1(s.data(), static_cast<Py_ssize_t>(s.size()), nullptr)));
      out_.global("_codecs", "encode");
      text(letters.get());
      out_.text("latin1");
      out_.op(0x86);
      out_.op('R');
    } else if (s.size() < 256) {
      out_.op('C');
      out_.put(static_cast<uint8_t>(s.size()));
      out_.raw(s);
    } else {
      const bool wide = s.size() > UINT32_MAX;
      check<ValueError>(!wide || protocol_ >= 4, "save: bytes longer than 4 GiB need pickle_protocol 4");
      out_.op(wide ? 0x8e : 'B');
      if (wide) out_.put(static_cast<uint64_t>(s.size()));
      else out_.put(static_cast<uint32_t>(s.size()));
      out_.raw(s);
    }
    keep(o);
  }

  // ---- Containers.

  void tuple(PyObject* o) {
    const auto n = static_cast<size_t>(PyTuple_GET_SIZE(o));
    if (n == 0) return out_.op(')');
    if (n > 3) out_.op('(');
    for (size_t i = 0; i < n; ++i) save(PyTuple_GET_ITEM(o, i));
    if (kept_meanwhile(o, n > 3 ? "1" : "0", n > 3 ? 1 : n)) return;
    out_.op(n > 3 ? 't' : static_cast<uint8_t>(0x84 + n));
    keep(o);
  }
  void list(PyObject* o) {
    out_.op(']');
    keep(o);
    const Object items = Object::steal(checked(PyObject_GetIter(o)));
    fill(items.get(), 'e');
  }
  void dict(PyObject* o) {
    out_.op('}');
    keep(o);
    const Object items = Object::steal(checked(PyDict_Items(o)));
    const Object iterator = Object::steal(checked(PyObject_GetIter(items.get())));
    fill(iterator.get(), 'u');
  }
  void set(PyObject* o) {
    const bool frozen = PyFrozenSet_CheckExact(o);
    const Object items = Object::steal(checked(PyObject_GetIter(o)));
    if (!frozen) {
      out_.op(0x8f);
      keep(o);
      return fill(items.get(), 0x90);
    }
    out_.op('(');
    while (const Object item = next(items.get())) save(item.get());
    if (kept_meanwhile(o, "1", 1)) return;
    out_.op(0x91);
    keep(o);
  }
  static Object next(PyObject* iterator) {
    Object item = Object::steal(PyIter_Next(iterator));
    if (!item && PyErr_Occurred()) throw PythonError();
    return item;
  }
  /// Puts the items of an iterator, by `op`, into what was written last; 'u': they are pairs.
  void fill(PyObject* iterator, uint8_t op) {
    if (!PyIter_Check(iterator)) refuse("the items of a list or dict are given by an iterator");
    for (Object item = next(iterator); item;) {
      out_.op('(');
      for (size_t n = 0; item && n < kBatch; ++n, item = next(iterator)) {
        if (op != 'u') {
          save(item.get());
          continue;
        }
        if (!PyTuple_Check(item.get()) || PyTuple_GET_SIZE(item.get()) != 2) refuse("the items of a dict are no pairs");
        save(PyTuple_GET_ITEM(item.get(), 0));
        save(PyTuple_GET_ITEM(item.get(), 1));
      }
      out_.op(op);
    }
  }

  // ---- Tensors.

  struct Record {
    std::string key;
    int64_t numel;
  };
  /// All of the storage goes into the file, as in PyTorch, once for all tensors over it.
  Record record(const Tensor& t) {
    const Tensor elements = storage_elements(t, t.scalar_type());
    const void* const address = elements.numel() ? elements.data_ptr() : nullptr;
    const auto known = address ? records_.find(address) : records_.end();
    const size_t number = known == records_.end() ? storages_.size() : known->second;
    if (known == records_.end()) {
      storages_.push_back({std::to_string(number), elements});
      if (address) records_.emplace(address, number);
    }
    check(storages_[number].elements.scalar_type() == t.scalar_type(),
          "Cannot save multiple tensors or storages that view the same data as different types");
    return {storages_[number].key, elements.numel()};
  }
  void layout(PyObject* o) {
    const Tensor t = to_tensor(o, "the tensor to save").resolve_conj();
    const Record at = record(t);
    out_.tensor_arguments(t, at.key, at.numel, t.storage_offset());
  }

  // ---- Everything else, as the rules say.

  void global(PyObject* name) { out_.global(text_of(PyTuple_GET_ITEM(name, 0)), text_of(PyTuple_GET_ITEM(name, 1))); }
  void object(PyObject* o) {
    const Object how = Object::steal(checked(PyObject_CallOneArg(reduce_.get(), o)));
    if (is_a(how.get(), name_)) return global(how.get()), keep(o);
    if (PyList_CheckExact(how.get()) && PyList_GET_SIZE(how.get()) == 1) return save(PyList_GET_ITEM(how.get(), 0));
    if (!PyTuple_CheckExact(how.get()) || PyTuple_GET_SIZE(how.get()) < 2 || PyTuple_GET_SIZE(how.get()) > 6)
      refuse("Tuple returned by " + type_name(o) + ".__reduce__ must contain 2 through 6 elements");
    call(o, how.get());
  }
  void call(PyObject* o, PyObject* how) {
    const auto part = [&](Py_ssize_t i) {
      PyObject* p = i < PyTuple_GET_SIZE(how) ? PyTuple_GET_ITEM(how, i) : Py_None;
      return p == Py_None ? nullptr : p;
    };
    PyObject *f = part(0), *arguments = part(1);
    if (!f || !(is_a(f, name_) || PyCallable_Check(f)))
      refuse("first item of the tuple returned by __reduce__ must be callable");
    if (!arguments || !PyTuple_Check(arguments))
      refuse("second item of the tuple returned by __reduce__ must be a tuple");
    const Object name = Object::steal(PyObject_GetAttrString(f, "__name__"));
    if (!name) PyErr_Clear();
    const auto is_named = [&](const char* wanted) {
      return name && PyUnicode_Check(name.get()) && PyUnicode_CompareWithASCIIString(name.get(), wanted) == 0;
    };
    if (is_named("__newobj__")) created(o, arguments);
    else if (is_named("__newobj_ex__")) created_with_keywords(arguments);
    else {
      save(f);
      save(arguments);
      out_.op('R');
    }
    if (!kept_meanwhile(o, "0", 1)) keep(o);
    if (PyObject* items = part(3)) fill(items, 'e');
    if (PyObject* items = part(4)) fill(items, 'u');
    if (PyObject* state = part(2)) {
      if (PyObject* setter = part(5)) {
        save(setter);
        save(o);
        save(state);
        out_.raw("\x86R0");
      } else {
        save(state);
        out_.op('b');
      }
    }
  }
  /// copyreg.__newobj__(cls, *arguments)
  void created(PyObject* o, PyObject* arguments) {
    if (PyTuple_GET_SIZE(arguments) == 0) refuse("__newobj__ arglist is empty");
    PyObject* cls = PyTuple_GET_ITEM(arguments, 0);
    if (attribute(o, "__class__").get() != cls) refuse("args[0] from __newobj__ args has the wrong class");
    const Object rest = Object::steal(checked(PyTuple_GetSlice(arguments, 1, PyTuple_GET_SIZE(arguments))));
    save(cls);
    save(rest.get());
    out_.op(0x81);
  }
  /// copyreg.__newobj_ex__(cls, arguments, keywords)
  void created_with_keywords(PyObject* arguments) {
    if (PyTuple_GET_SIZE(arguments) != 3) refuse("__newobj_ex__ takes a class, arguments and keywords");
    if (protocol_ < 4) {  // the items of a tuple are the arguments of the method
      const Object made = Object::steal(checked(PyObject_CallMethod(rules_, "partial_new", "O", arguments)));
      save(made.get());
      return out_.raw(")R");
    }
    for (Py_ssize_t i = 0; i < 3; ++i) save(PyTuple_GET_ITEM(arguments, i));
    out_.op(0x92);
  }

  PyObject* rules_;
  Object reduce_, name_, layout_;
  int protocol_;
  io::PickleText out_;
  std::vector<io::PickledStorage> storages_;
  std::unordered_map<const void*, size_t> records_;
  std::unordered_map<PyObject*, uint32_t> memo_;
  std::vector<Object> alive_;
};

}  // namespace

io::Pickled pickle(PyObject* object, PyObject* rules, int protocol) { return Pickler(rules, protocol).run(object); }

}  // namespace taut::python
