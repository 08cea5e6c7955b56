// PyTorch's files for Python: the library's archive and pickle machine, with Python's objects as values.
#include "path.h"

#include <map>

#include "io/pickle_machine.h"
#include "io/torch_archive.h"
#include "io/unpickler.h"
#include "pickler.h"

namespace taut::python {
namespace {

namespace nb = nanobind;

constexpr Py_ssize_t kLargestKey = 1000;  // values in a key of a dict

[[noreturn]] void refuse(const std::string& why) {
  const nb::object type = nb::module_::import_("pickle").attr("UnpicklingError");
  PyErr_SetString(type.ptr(), why.c_str());
  throw PythonError();
}

/// Hashing a tuple walks through all of it, again wherever a part comes again: a few bytes may be years of work.
void check_key(PyObject* key) {
  if (!PyTuple_Check(key) && !PyFrozenSet_Check(key)) return;
  std::vector<Object> todo = {Object::borrow(key)};
  for (Py_ssize_t left = kLargestKey; !todo.empty();) {
    const Object item = std::move(todo.back());
    todo.pop_back();
    --left;
    if (!PyTuple_Check(item.get()) && !PyFrozenSet_Check(item.get())) continue;
    const Object parts = Object::steal(checked(PySequence_Tuple(item.get())));
    if (PyTuple_GET_SIZE(parts.get()) > left) refuse(str("a key made of more than ", kLargestKey, " values"));
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(parts.get()); ++i)
      todo.push_back(Object::borrow(PyTuple_GET_ITEM(parts.get(), i)));
  }
}

/// torch.FloatStorage and its kin, and the memory of tensors, both only while a file is read.
struct StorageType {
  ScalarType dtype;
};
struct Loaded {
  Tensor elements;
};

std::vector<int64_t> ints_of(PyObject* o, const char* what) {
  check<ValueError>(PyTuple_Check(o) || PyList_Check(o), what, " of a tensor is not a tuple");
  const Object items = Object::steal(checked(PySequence_Tuple(o)));
  std::vector<int64_t> list;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items.get()); ++i)
    list.push_back(to_int(PyTuple_GET_ITEM(items.get(), i), what));
  return list;
}

/// _rebuild_tensor_v2(storage, offset, size, stride, requires_grad, hooks, metadata); the older one has the first four.
Tensor rebuild_tensor(const nb::args& a) {
  check<ValueError>(a.size() >= 4 && a.size() <= 8, "a tensor is not described by a storage and its layout");
  Loaded* storage = nullptr;
  check<ValueError>(nb::try_cast(a[0], storage) && storage, "a tensor is not described by a storage and its layout");
  const int64_t offset = to_int(a[1].ptr(), "the offset");
  const std::vector<int64_t> size = ints_of(a[2].ptr(), "the size"), stride = ints_of(a[3].ptr(), "the stride");
  const bool bytes = a.size() > 6 && is_dtype(a[6].ptr());  // _rebuild_tensor_v3 has the dtype there
  const Tensor elements = bytes ? io::elements_of(storage->elements, to_dtype(a[6].ptr(), "dtype")) : storage->elements;
  const std::string why = io::misfit(elements, size, stride, offset);
  check<ValueError>(why.empty(), why);
  Tensor t = io::over_storage(elements, size, stride, offset);
  if (a.size() > 4 && nb::cast<bool>(a[4])) t.requires_grad_();
  return t;
}

/// A file of Python as an Input, from where it stands.
io::Input input_of(const nb::object& file, const std::string& name, bool map) {
  const auto from = nb::cast<uint64_t>(file.attr("tell")());
  const nb::module_ io = nb::module_::import_("io");
  if (nb::isinstance(file, io.attr("BufferedReader")) && nb::isinstance(file.attr("raw"), io.attr("FileIO")))
    return io::Input::descriptor(nb::cast<int>(file.attr("fileno")()), from, name, {map});
  file.attr("seek")(0, 2);
  const auto end = nb::cast<uint64_t>(file.attr("tell")());
  const bool into = nb::hasattr(file, "readinto");
  const auto read = [file = shared(file.ptr()), from, into, name](uint64_t at, void* to, uint64_t n) {
    const WithGil gil;
    const nb::handle f = file.get();
    f.attr("seek")(from + at);
    for (uint64_t got = 0; got < n;) {
      char* const here = static_cast<char*>(to) + got;
      const auto left = static_cast<Py_ssize_t>(n - got);
      uint64_t more = 0;
      if (into) {
        const nb::object view = nb::steal(checked(PyMemoryView_FromMemory(here, left, PyBUF_WRITE)));
        more = nb::cast<uint64_t>(f.attr("readinto")(view));
        view.attr("release")();
      } else {
        const auto part = nb::cast<nb::bytes>(f.attr("read")(left));
        more = part.size();
        if (more <= n - got) std::memcpy(here, part.c_str(), more);
      }
      check<FormatError>(more > 0 && more <= n - got, name, " was truncated while it was read");
      got += more;
    }
  };
  return io::Input::source(read, end > from ? end - from : 0, name);
}

/// f(), with the words PyTorch has for a damaged archive.
template <class F>
auto reading(F&& f) {
  const WithoutGil without;
  try {
    return f();
  } catch (const FormatError& e) {
    throw FormatError(str("PytorchStreamReader failed reading zip archive: ", e.what()));
  }
}

class TorchFile {
 public:
  /// `place(location, storage)` is asked about every storage.
  TorchFile(const nb::object& file, const Path& name, bool map, nb::object place)
      : place_(std::move(place)), archive_([&] {
          io::Input in = input_of(file, name.text, map);
          return reading([&] { return std::make_unique<io::TorchArchive>(std::move(in)); });
        }()) {}

  nb::bytes pickle() const {
    const std::string text = this->text();
    return nb::bytes(text.data(), text.size());
  }
  std::string text() const {
    return reading([&] { return archive_->pickle(); });
  }
  /// The storage with this identity: ("storage", its class, key, location, length).
  nb::object storage(const nb::object& id) {
    StorageType* type = nullptr;
    if (!PyTuple_Check(id.ptr()) || nb::len(id) != 5 || !nb::isinstance<nb::str>(id[0]) ||
        nb::cast<std::string>(id[0]) != "storage" || !nb::try_cast(nb::object(id[1]), type) || !type ||
        !PyUnicode_Check(nb::object(id[2]).ptr()) || !PyLong_CheckExact(nb::object(id[4]).ptr()))
      refuse("a storage with an identity of an unknown kind");
    const std::string key = text_of(nb::object(id[2]).ptr());
    const auto known = storages_.find(key);
    const int64_t numel = to_int(nb::object(id[4]).ptr(), "the length of a storage");
    if (numel < 0) refuse(str("a storage of ", numel, " elements"));
    const Tensor elements = reading([&] { return archive_->storage(key, type->dtype, numel); });
    if (known != storages_.end()) return known->second;
    const nb::object made = nb::cast(Loaded{elements});
    place_(id[3], made);
    return storages_.emplace(key, made).first->second;
  }

 private:
  nb::object place_;
  std::unique_ptr<io::TorchArchive> archive_;
  std::map<std::string, nb::object> storages_;
};

/// Builds plain values and tensors; what goes beyond, `rules` decides: find_class, call, create and build.
class Unpickler : public io::PickleMachine<Unpickler, Object> {
 public:
  static constexpr int kProtocol = 5;
  Unpickler(std::string_view text, TorchFile& file, nb::object rules, std::string encoding, std::string errors)
      : PickleMachine(text),
        file_(file),
        rules_(std::move(rules)),
        rebuild_(nb::object(rules_.attr("rebuild_tensor"))),
        ordered_(nb::module_::import_("collections").attr("OrderedDict")),
        encoding_(std::move(encoding)),
        errors_(std::move(errors)) {}

 private:
  friend class io::PickleMachine<Unpickler, Object>;
  [[noreturn]] void refuse(const std::string& why) { python::refuse("the pickle in it is damaged: " + why); }
  static Object of(const nb::object& o) { return Object::borrow(o.ptr()); }
  static Py_ssize_t size(uint64_t n) { return static_cast<Py_ssize_t>(n); }
  static const char* chars(const uint8_t* p) { return reinterpret_cast<const char*>(p); }

  Object none() { return Object::borrow(Py_None); }
  Object boolean(bool b) { return Object::borrow(b ? Py_True : Py_False); }
  Object integer(int64_t i) { return Object::steal(checked(PyLong_FromLongLong(i))); }
  Object long_integer(const uint8_t* p, uint64_t n) {
    const nb::handle type = reinterpret_cast<PyObject*>(&PyLong_Type);
    return of(type.attr("from_bytes")(nb::bytes(p, n), "little", nb::arg("signed") = true));
  }
  Object real(double d) { return Object::steal(checked(PyFloat_FromDouble(d))); }
  Object text(const char* p, uint64_t n) {
    Object s = Object::steal(PyUnicode_DecodeUTF8(p, size(n), "surrogatepass"));
    if (s) return s;
    PyErr_Clear();
    fail("a text is not UTF-8");
  }
  Object bytes(const uint8_t* p, uint64_t n) {
    return Object::steal(checked(PyBytes_FromStringAndSize(chars(p), size(n))));
  }
  Object byte_array(const uint8_t* p, uint64_t n) {
    return Object::steal(checked(PyByteArray_FromStringAndSize(chars(p), size(n))));
  }
  Object string(const uint8_t* p, uint64_t n) {
    if (encoding_ == "bytes") return bytes(p, n);
    return Object::steal(checked(PyUnicode_Decode(chars(p), size(n), encoding_.c_str(), errors_.c_str())));
  }

  Object new_list() { return Object::steal(checked(PyList_New(0))); }
  Object new_dict() { return Object::steal(checked(PyDict_New())); }
  Object new_set() { return Object::steal(checked(PySet_New(nullptr))); }
  Object tuple(std::vector<Object> items) {
    Object made = Object::steal(checked(PyTuple_New(size(items.size()))));
    for (size_t i = 0; i < items.size(); ++i) PyTuple_SET_ITEM(made.get(), size(i), items[i].release());
    return made;
  }
  Object frozen_set(std::vector<Object> items) {
    for (const Object& item : items) check_key(item.get());
    return Object::steal(checked(PyFrozenSet_New(tuple(std::move(items)).get())));
  }
  void append(Object& list, Object item) {
    if (PyList_CheckExact(list.get())) return checked(PyList_Append(list.get(), item.get()));
    nb::handle(list.get()).attr("append")(nb::handle(item.get()));
  }
  void add(Object& set, Object item) {
    check_key(item.get());
    if (PySet_Check(set.get())) return checked(PySet_Add(set.get(), item.get()));
    nb::handle(set.get()).attr("add")(nb::handle(item.get()));
  }
  void set_item(Object& dict, Object key, Object value) {
    check_key(key.get());
    if (PyDict_CheckExact(dict.get())) checked(PyDict_SetItem(dict.get(), key.get(), value.get()));
    else checked(PyObject_SetItem(dict.get(), key.get(), value.get()));
  }

  std::string name_in(const Object& o) {
    if (!PyUnicode_Check(o.get())) fail("the name of a class is no text");
    return text_of(o.get());
  }
  Object global(const std::string& module, const std::string& name) {
    return of(rules_.attr("find_class")(nb::handle(text(module.data(), module.size()).get()),
                                        nb::handle(text(name.data(), name.size()).get())));
  }
  Object call(Object f, Object arguments) {
    if (!PyTuple_CheckExact(arguments.get())) fail("the arguments of a call are not a tuple");
    const bool known = f.get() == rebuild_.ptr();
    if (known) return Object::steal(checked(wrap(rebuild_tensor(nb::borrow<nb::args>(arguments.get())))));
    if (f.get() == ordered_.ptr() && PyTuple_GET_SIZE(arguments.get()) == 0)
      return Object::steal(checked(PyObject_CallNoArgs(f.get())));
    return of(rules_.attr("call")(nb::handle(f.get()), nb::handle(arguments.get())));
  }
  Object create(Object cls, Object arguments, Object keywords) {
    if (!keywords) keywords = new_dict();
    return of(rules_.attr("create")(nb::handle(cls.get()), nb::handle(arguments.get()), nb::handle(keywords.get())));
  }
  void build(Object& made, Object state) { rules_.attr("build")(nb::handle(made.get()), nb::handle(state.get())); }
  Object persistent(Object id) { return of(file_.storage(nb::borrow(id.get()))); }
  Object finish(Object value) { return value; }

  TorchFile& file_;
  nb::object rules_, rebuild_, ordered_;
  std::string encoding_, errors_;
};

/// A file of Python that is written to.
class FileOutput : public io::Output {
 public:
  explicit FileOutput(const nb::object& file) : write_(file.attr("write")) {}
  using Output::write;
  void write(const void* data, uint64_t n) override {
    write_(nb::bytes(data, n));
    position_ += n;
  }

 private:
  nb::object write_;
};

}  // namespace

void init_torch_files(PyObject* module) {
  nb::module_ m = nb::borrow<nb::module_>(module);
  nb::class_<StorageType>(m, "_StorageType").def_ro("dtype", &StorageType::dtype);
  nb::class_<Loaded>(m, "_Loaded")
      .def_prop_ro("dtype", [](const Loaded& s) { return s.elements.scalar_type(); })
      .def("cpu", [](const nb::object& self) { return self; });
  m.def("_storage_types", [] {
    nb::dict types;
    for (int i = 0; i < kDtypeCount; ++i) {
      const auto dtype = static_cast<ScalarType>(i);
      types[io::storage_name(dtype)] = StorageType{dtype};
    }
    types["UntypedStorage"] = StorageType{kByte};
    return types;
  });
  m.def("_rebuild_tensor", &rebuild_tensor);
  m.def(
      "_check_key", [](const nb::object& key) { check_key(key.ptr()); }, nb::arg("key").none());
  nb::class_<TorchFile>(m, "_TorchFile")
      .def(nb::init<const nb::object&, const Path&, bool, nb::object>())
      .def("pickle", &TorchFile::pickle)
      .def("storage", &TorchFile::storage)
      .def("unpickle", [](TorchFile& file, nb::object rules, std::string encoding, std::string errors) {
        const std::string text = file.text();
        return nb::steal(
            Unpickler(text, file, std::move(rules), std::move(encoding), std::move(errors)).run().release());
      });
  nb::class_<io::Pickled>(m, "_Pickled").def_prop_ro("text", [](const io::Pickled& p) {
    return nb::bytes(p.text.data(), p.text.size());
  });
  m.def(
      "_pickle",
      [](const nb::object& object, const nb::object& rules, int protocol) {
        return pickle(object.ptr(), rules.ptr(), protocol);
      },
      nb::arg("object").none(), nb::arg("rules"), nb::arg("protocol"));
  m.def("_save_archive", [](const io::Pickled& pickled, const Path& path, const std::string& name, bool byte_order) {
    const WithoutGil without;
    io::AtomicFile file(path.text);
    io::write_archive(file, name, pickled, byte_order);
    file.commit();
  });
  m.def("_write_archive",
        [](const io::Pickled& pickled, const nb::object& f, const std::string& name, bool byte_order) {
          FileOutput out(f);
          io::write_archive(out, name, pickled, byte_order);
        });
}

}  // namespace taut::python
