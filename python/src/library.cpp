// What is no op of the registry: the steps of optimisers, memory shared by tensors, random streams of threads, files.
#include "caster.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <tuple>

#include "core/tensor_impl.h"
#include "io/bytes.h"
#include "io/input.h"
#include "io/output.h"
#include "taut/core/maths.h"
#include "taut/fingerprint.h"
#include "taut/io.h"
#include "taut/ops/optim.h"
#include "taut/random_scope.h"

namespace taut::python {
namespace {
/// The name of a file as the system takes it, of a str or bytes.
struct Path {
  std::string text;
};
}  // namespace
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

namespace taut::python {
namespace {

namespace nb = nanobind;

// ---- Optimisers.

double number(const Tensor& t) {
  return t.scalar_type() == kFloat && t.numel() == 1 ? *t.data_ptr<float>() : t.item<double>();
}
void set_number(const Tensor& t, double v) {
  if (t.scalar_type() == kFloat && t.numel() == 1) *t.data_ptr<float>() = static_cast<float>(v);
  else t.fill_(v);
}

/// One parameter with its gradient and what Python keeps for it. They hold what a step works on while the GIL is free.
struct Slot {
  Tensor param, grad, step, mu, eta;
  std::array<Tensor, 3> state;
  bool first = false;
};

/// The step of a group. `state` maps a parameter to a dict of tensors; fresh(p) makes the dict of a parameter that is
/// seen for the first time. The tensors of `names` become FusedParam::state, those named step, mu and eta the numbers.
class Group {
 public:
  using Names = std::vector<const char*>;
  Group(const nb::list& params, const nb::dict& state, const nb::object& fresh, const Names& names,
        const char* step = "step", const char* mu = nullptr, const char* eta = nullptr) {
    std::vector<Object> keys;
    for (const char* name : names) keys.push_back(key(name));
    const Object step_key = key(step), mu_key = key(mu), eta_key = key(eta);
    slots_.reserve(static_cast<size_t>(PyList_GET_SIZE(params.ptr())));
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(params.ptr()); ++i) {
      const Object p = Object::borrow(PyList_GET_ITEM(params.ptr(), i));  // the list may change under fresh()
      const Tensor& param = to_tensor(p.get(), "a parameter");
      if (!param.grad().defined()) continue;
      Slot& slot = slots_.emplace_back();
      slot.param = param, slot.grad = param.grad();
      numel_ += param.numel();
      if (keys.empty() && !step) continue;
      Object own = Object::borrow(PyDict_GetItemWithError(state.ptr(), p.get()));
      if (!own && PyErr_Occurred()) throw PythonError();
      if (!own || !PyDict_Check(own.get()) || PyDict_GET_SIZE(own.get()) == 0) {
        own = Object::steal(checked(PyObject_CallOneArg(fresh.ptr(), p.get())));
        check<TypeError>(PyDict_Check(own.get()), "the state of a parameter must be a dict, not ",
                         type_name(own.get()));
        checked(PyDict_SetItem(state.ptr(), p.get(), own.get()));
        slot.first = true;
      }
      for (size_t k = 0; k < keys.size(); ++k) slot.state[k] = find(own.get(), keys[k].get());
      if (step) slot.step = find(own.get(), step_key.get());
      if (mu) slot.mu = find(own.get(), mu_key.get());
      if (eta) slot.eta = find(own.get(), eta_key.get());
    }
  }

  /// `fused` runs for all parameters at once, then `done` for each.
  template <class Fused, class Done>
  void run(Fused fused, Done done) {
    NoGradGuard no_grad;
    std::vector<FusedParam> items(slots_.size());
    for (size_t i = 0; i < items.size(); ++i) {
      const Slot& s = slots_[i];
      FusedParam& item = items[i];
      item.param = &s.param, item.grad = &s.grad;
      for (size_t k = 0; k < 3; ++k) item.state[k] = &s.state[k];
      item.step = s.step.defined() ? static_cast<int64_t>(number(s.step)) + 1 : s.first ? 1 : 2;
      if (s.mu.defined()) item.mu = number(s.mu);
      if (s.eta.defined()) item.eta = number(s.eta);
    }
    {
      const WithoutGil without(numel_ > 4096);
      fused(FusedParams(items));
    }
    for (size_t i = 0; i < items.size(); ++i) {
      if (slots_[i].step.defined()) set_number(slots_[i].step, static_cast<double>(items[i].step));
      done(slots_[i], items[i]);
    }
  }
  template <class Fused>
  void run(Fused fused) {
    run(fused, [](const Slot&, const FusedParam&) {});
  }

 private:
  static Object key(const char* name) {
    return name ? Object::steal(checked(PyUnicode_InternFromString(name))) : Object();
  }
  static Tensor find(PyObject* own, PyObject* key) {
    PyObject* o = PyDict_GetItemWithError(own, key);
    if (!o) {
      if (!PyErr_Occurred()) PyErr_SetObject(PyExc_KeyError, key);
      throw PythonError();
    }
    const Tensor& t = to_tensor(o, PyUnicode_AsUTF8(key));
    check<TypeError>(t.defined(), "the state ", PyUnicode_AsUTF8(key), " of a parameter is None");
    return t;
  }
  std::vector<Slot> slots_;
  int64_t numel_ = 0;
};

void init_optim(nb::module_& m) {
  using List = const nb::list&;
  using Dict = const nb::dict&;
  using Fresh = const nb::object&;
  m.def("_sgd_step", [](List params, Dict state, Fresh fresh, double weight_decay, double momentum, double lr,
                        double dampening, bool nesterov, bool maximize) {
    const auto fused = [&](FusedParams p) {
      _fused_sgd_(p, weight_decay, momentum, lr, dampening, nesterov, maximize);
    };
    if (momentum == 0) Group(params, state, fresh, {}, nullptr).run(fused);
    else Group(params, state, fresh, {"momentum_buffer"}, nullptr).run(fused);
  });
  const auto adam = [&](const char* name,
                        void (*step)(FusedParams, double, double, double, double, double, bool, bool)) {
    m.def(name, [step](List params, Dict state, Fresh fresh, double lr, double beta1, double beta2, double weight_decay,
                       double eps, bool amsgrad, bool maximize) {
      Group::Names names = {"exp_avg", "exp_avg_sq"};
      if (amsgrad) names.push_back("max_exp_avg_sq");
      Group(params, state, fresh, names).run([&](FusedParams p) {
        step(p, lr, beta1, beta2, weight_decay, eps, amsgrad, maximize);
      });
    });
  };
  adam("_adam_step", &_fused_adam_);
  adam("_adamw_step", &_fused_adamw_);
  m.def("_rmsprop_step", [](List params, Dict state, Fresh fresh, double lr, double alpha, double eps,
                            double weight_decay, double momentum, bool centered, bool maximize) {
    Group::Names names = {"square_avg"};
    if (centered) names.push_back("grad_avg");
    if (momentum != 0) names.push_back("momentum_buffer");
    Group(params, state, fresh, names).run([&](FusedParams p) {
      _fused_rmsprop_(p, lr, alpha, eps, weight_decay, momentum, centered, maximize);
    });
  });
  m.def("_adagrad_step", [](List params, Dict state, Fresh fresh, double lr, double lr_decay, double weight_decay,
                            double eps, bool maximize) {
    Group(params, state, fresh, {"sum"}).run([&](FusedParams p) {
      _fused_adagrad_(p, lr, lr_decay, weight_decay, eps, maximize);
    });
  });
  m.def("_adadelta_step", [](List params, Dict state, Fresh fresh, double lr, double rho, double eps,
                             double weight_decay, bool maximize) {
    Group(params, state, fresh, {"square_avg", "acc_delta"}).run([&](FusedParams p) {
      _fused_adadelta_(p, lr, rho, eps, weight_decay, maximize);
    });
  });
  m.def("_adamax_step", [](List params, Dict state, Fresh fresh, double lr, double beta1, double beta2, double eps,
                           double weight_decay, bool maximize) {
    Group(params, state, fresh, {"exp_avg", "exp_inf"}).run([&](FusedParams p) {
      _fused_adamax_(p, lr, beta1, beta2, eps, weight_decay, maximize);
    });
  });
  m.def("_nadam_step", [](List params, Dict state, Fresh fresh, double lr, double beta1, double beta2, double eps,
                          double weight_decay, double momentum_decay, bool decoupled_weight_decay, bool maximize) {
    Group(params, state, fresh, {"exp_avg", "exp_avg_sq"}, "step", "mu_product")
        .run(
            [&](FusedParams p) {
              _fused_nadam_(p, lr, beta1, beta2, eps, weight_decay, momentum_decay, decoupled_weight_decay, maximize);
            },
            [&](const Slot& slot, const FusedParam& item) {
              const double mu = 1 - 0.5 * maths::pow(0.96, static_cast<double>(item.step) * momentum_decay);
              set_number(slot.mu, item.mu * (beta1 * mu));
            });
  });
  m.def("_radam_step", [](List params, Dict state, Fresh fresh, double lr, double beta1, double beta2, double eps,
                          double weight_decay, bool decoupled_weight_decay, bool maximize) {
    Group(params, state, fresh, {"exp_avg", "exp_avg_sq"}).run([&](FusedParams p) {
      _fused_radam_(p, lr, beta1, beta2, eps, weight_decay, decoupled_weight_decay, maximize);
    });
  });
  m.def("_rprop_step", [](List params, Dict state, Fresh fresh, double etaminus, double etaplus, double step_size_min,
                          double step_size_max, bool maximize) {
    Group(params, state, fresh, {"prev", "step_size"}).run([&](FusedParams p) {
      _fused_rprop_(p, etaminus, etaplus, step_size_min, step_size_max, maximize);
    });
  });
  m.def("_asgd_step", [](List params, Dict state, Fresh fresh, double lr, double lambd, double alpha, double t0,
                         double weight_decay, bool maximize) {
    Group(params, state, fresh, {"ax"}, "step", "mu", "eta")
        .run([&](FusedParams p) { _fused_asgd_(p, lambd, weight_decay, maximize); },
             [&](const Slot& slot, const FusedParam& item) {
               const auto step = static_cast<double>(item.step);
               set_number(slot.eta, lr / maths::pow(1 + lambd * lr * step, alpha));
               set_number(slot.mu, 1 / std::max(1.0, step - t0));
             });
  });
  m.def("_foreach_lerp_", [](const std::vector<Tensor>& self, const std::vector<Tensor>& tensors, double weight) {
    NoGradGuard no_grad;
    _foreach_lerp_(self, tensors, weight);
  });
}

// ---- Memory behind tensors, for files that keep what is shared.

void init_storage(nb::module_& m) {
  m.def("_storage", [](const Tensor& t) {
    check<TypeError>(t.defined(), "_storage: expected a tensor");
    const Storage& s = *t.impl()->storage;
    return std::pair(reinterpret_cast<uintptr_t>(s.data()), static_cast<uint64_t>(s.nbytes()));
  });
  m.def("_storage_bytes", [](const Tensor& t) {
    check<TypeError>(t.defined(), "_storage_bytes: expected a tensor");
    const Storage& s = *t.impl()->storage;
    const auto n = static_cast<int64_t>(s.nbytes());
    const ImplPtr y = make_alias(*t.impl(), {n}, {1}, s.data());
    y->dtype = kByte;
    return Tensor::adopt(ImplPtr(y).detach());
  });
  m.def("_from_storage", [](const Tensor& bytes, ScalarType dtype, int64_t offset, const std::vector<int64_t>& sizes,
                            const std::vector<int64_t>& strides) {
    check<TypeError>(bytes.defined(), "_from_storage: expected a tensor");
    const Storage& s = *bytes.impl()->storage;
    check<ValueError>(sizes.size() == strides.size(), "a tensor of ", sizes.size(), " sizes and ", strides.size(),
                      " strides");
    check(sizes.size() <= kMaxDims, "a tensor has at most ", kMaxDims, " dimensions, got ", sizes.size());
    const int64_t item = element_size(dtype);
    int64_t end = offset, numel = 1;
    bool fits = offset >= 0;
    for (size_t d = 0; d < sizes.size(); ++d) {
      fits = fits && sizes[d] >= 0 && strides[d] >= 0 && !__builtin_mul_overflow(numel, sizes[d], &numel);
      int64_t reach = 0;
      fits = fits && (sizes[d] == 0 || (!__builtin_mul_overflow(sizes[d] - 1, strides[d], &reach) &&
                                        !__builtin_add_overflow(end, reach, &end)));
    }
    const int64_t have = static_cast<int64_t>(s.nbytes()) / item;
    check(fits && (numel == 0 ? offset <= have : end < have), "a tensor of size ", IntArrayRef(sizes), ", strides ",
          IntArrayRef(strides), " and offset ", offset, " is out of bounds for storage of ", s.nbytes(), " bytes");
    check(reinterpret_cast<uintptr_t>(s.data()) % static_cast<uintptr_t>(item) == 0, "the storage is not aligned for ",
          dtype);
    const ImplPtr y = make_alias(*bytes.impl(), {0}, {1}, s.data());
    y->dtype = dtype;
    y->data = static_cast<char*>(s.data()) + offset * item;
    y->sizes = Dims(IntArrayRef(sizes)), y->strides = Dims(IntArrayRef(strides));
    y->refresh();
    return Tensor::adopt(ImplPtr(y).detach());
  });
}

// ---- Random streams of threads.

void init_random(nb::module_& m) {
  static thread_local std::vector<std::unique_ptr<RandomScope>> scopes;
  m.def("_push_random_scope", [](uint64_t seed) { scopes.push_back(std::make_unique<RandomScope>(seed)); });
  m.def("_pop_random_scope", [] {
    check(!scopes.empty(), "_pop_random_scope: this thread has no scope");
    scopes.pop_back();
  });
}

// ---- Fingerprints and files.

using Named = std::vector<std::pair<std::string, Tensor>>;
Named list_of(const OrderedDict<std::string, Tensor>& dict) {
  Named list;
  for (const auto& item : dict) list.push_back(item.pair());
  return list;
}
/// Python's texts are UTF-8; files may hold anything.
void check_text(const std::string& name, const char* what, const Path& path) {
  check<FormatError>(io::is_utf8(name.data(), name.size()), "'", path.text, "': the name of a ", what, ", '", name,
                     "', is not UTF-8");
}
Named named_of(const OrderedDict<std::string, Tensor>& dict, const Path& path) {
  for (const auto& item : dict) check_text(item.key(), "tensor", path);
  return list_of(dict);
}
OrderedDict<std::string, Tensor> dict_of(const Named& list) {
  OrderedDict<std::string, Tensor> dict;
  for (const auto& [name, tensor] : list) dict.insert(name, tensor.detach());
  return dict;
}
io::ImageOptions image_options(const std::string& mode) {
  io::ImageOptions options;
  for (const auto& [name, value] : {std::pair("UNCHANGED", io::ImageMode::Unchanged),
                                    {"GRAY", io::ImageMode::Gray},
                                    {"GRAY_ALPHA", io::ImageMode::GrayAlpha},
                                    {"RGB", io::ImageMode::RGB},
                                    {"RGB_ALPHA", io::ImageMode::RGBA}})
    if (mode == name) {
      options.mode = value;
      return options;
    }
  throw ValueError(str("mode must be UNCHANGED, GRAY, GRAY_ALPHA, RGB or RGB_ALPHA, got ", mode));
}
nb::bytes bytes_of(const std::string& text) { return nb::bytes(text.data(), text.size()); }

using Free = nb::call_guard<nb::gil_scoped_release>;

void init_fingerprint(nb::module_& m) {
  m.def(
      "_fingerprint", [](const Tensor& t) { return fingerprint(t); }, Free());
  m.def(
      "_fingerprint_named", [](const Named& tensors) { return fingerprint(dict_of(tensors)); }, Free());
  m.def("_logs_steps", [] { return logs_steps(); });
  m.def("_log_step", &log_step, Free());
}

/// A file that is being saved, for writers in Python: write() what is in it, then commit(), and in any case close().
class Saving {
 public:
  explicit Saving(const Path& path) : file_(std::make_unique<io::AtomicFile>(path.text)) {}
  void write(const nb::object& data) {
    Py_buffer view;
    checked(PyObject_GetBuffer(data.ptr(), &view, PyBUF_SIMPLE));
    const std::unique_ptr<Py_buffer, void (*)(Py_buffer*)> release(&view, PyBuffer_Release);
    const WithoutGil without;
    file().write(view.buf, static_cast<uint64_t>(view.len));
  }
  void commit() {
    const WithoutGil without;
    file().commit();
  }
  void close() { file_ = nullptr; }

 private:
  io::AtomicFile& file() {
    check<ValueError>(file_ != nullptr, "I/O operation on closed file.");
    return *file_;
  }
  std::unique_ptr<io::AtomicFile> file_;
};

void init_files(nb::module_& m) {
  nb::class_<Saving>(m, "_Saving")
      .def(nb::init<const Path&>(), Free())
      .def("write", &Saving::write)
      .def("commit", &Saving::commit)
      .def("close", &Saving::close);
  using Result = std::pair<Named, io::Metadata>;
  const auto result = [](const io::Safetensors& file) { return Result(list_of(file.tensors), file.metadata); };
  m.def(
      "_load_safetensors",
      [result](const Path& path, bool map) { return result(io::load_safetensors(path.text, {map})); }, Free());
  m.def("_parse_safetensors",
        [result](const nb::bytes& data) { return result(io::parse_safetensors(data.c_str(), data.size())); });
  m.def(
      "_save_safetensors",
      [](const Named& tensors, const Path& path, const io::Metadata& metadata) {
        io::save_safetensors(dict_of(tensors), path.text, metadata);
      },
      Free());
  m.def("_format_safetensors", [](const Named& tensors, const io::Metadata& metadata) {
    return bytes_of(io::format_safetensors(dict_of(tensors), metadata));
  });
  m.def(
      "_load_npy", [](const Path& path, bool map) { return io::load_npy(path.text, {map}); }, Free());
  m.def(
      "_save_npy", [](const Tensor& t, const Path& path) { io::save_npy(t, path.text); }, Free());
  m.def(
      "_load_npz", [](const Path& path, bool map) { return named_of(io::load_npz(path.text, {map}), path); }, Free());
  m.def(
      "_save_npz",
      [](const Named& tensors, const Path& path, bool compressed) {
        io::save_npz(dict_of(tensors), path.text, compressed);
      },
      Free());
  m.def(
      "_crc32", [](const Tensor& t, uint32_t crc) { return io::crc32(t.data_ptr(), t.nbytes(), crc); }, Free());
  m.def(
      "_read_at",
      [](int fd, uint64_t at, const Tensor& to) {
        const io::FileRead done = io::read_at(fd, at, to.data_ptr(), to.nbytes(), /*checksum=*/true);
        return std::tuple(done.error, done.bytes, done.crc);
      },
      Free());
  m.def(
      "_read_idx", [](const Path& path) { return io::read_idx(path.text); }, Free());
  m.def(
      "_read_csv",
      [](const Path& path, const std::string& delimiter, bool header, const std::vector<std::string>& columns,
         ScalarType dtype, std::optional<double> fill) {
        check<ValueError>(delimiter.size() == 1, "delimiter must be one character, got '", delimiter, "'");
        io::CsvOptions options;
        options.delimiter = delimiter[0], options.header = header, options.columns = columns;
        options.dtype = dtype, options.fill = fill;
        const io::Csv csv = io::read_csv(path.text, options);
        for (const std::string& name : csv.columns) check_text(name, "column", path);
        return std::pair(csv.values, csv.columns);
      },
      nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), Free());
  m.def(
      "_read_image",
      [](const Path& path, const std::string& mode) { return io::read_image(path.text, image_options(mode)); }, Free());
  m.def("_decode_image", [](const nb::bytes& data, const std::string& mode) {
    return io::decode_image(data.c_str(), data.size(), image_options(mode));
  });
  m.def(
      "_write_png", [](const Tensor& t, const Path& path, int level) { io::write_png(t, path.text, level); }, Free());
  m.def(
      "_write_jpeg", [](const Tensor& t, const Path& path, int quality) { io::write_jpeg(t, path.text, quality); },
      Free());
  m.def("_encode_png", [](const Tensor& t, int level) { return bytes_of(io::encode_png(t, level)); });
  m.def("_encode_jpeg", [](const Tensor& t, int quality) { return bytes_of(io::encode_jpeg(t, quality)); });
}

}  // namespace

void init_library(PyObject* module) {
  nb::module_ m = nb::borrow<nb::module_>(module);
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const Error&) {
      set_exception();
    }
  });
  init_optim(m);
  init_storage(m);
  init_random(m);
  init_fingerprint(m);
  init_files(m);
}

}  // namespace taut::python
