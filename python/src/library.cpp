// What is no op of the registry: memory shared by tensors, random streams of threads, files that hold tensors.
#include "path.h"

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
#include "taut/fingerprint.h"
#include "taut/io.h"
#include "taut/random_scope.h"

namespace taut::python {
namespace {

namespace nb = nanobind;

// ---- Memory behind tensors.

void init_storage(nb::module_& m) {
  m.def("_storage", [](const Tensor& t) {
    check<TypeError>(t.defined(), "_storage: expected a tensor");
    const Storage& s = *t.impl()->storage;
    return std::pair(reinterpret_cast<uintptr_t>(s.data()), static_cast<uint64_t>(s.nbytes()));
  });
  m.def("_storage_elements", &storage_elements);
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

void init_files(nb::module_& m) {
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
  m.def("_safetensors_dtype", &io::safetensors_dtype);
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

Tensor storage_elements(const Tensor& t, ScalarType dtype) {
  check<TypeError>(t.defined(), "_storage_elements: expected a tensor");
  const Storage& s = *t.impl()->storage;
  const ImplPtr y = make_alias(*t.impl(), {static_cast<int64_t>(s.nbytes()) / element_size(dtype)}, {1}, s.data());
  y->dtype = dtype;
  return Tensor::adopt(ImplPtr(y).detach());
}

void init_library(PyObject* module) {
  nb::module_ m = nb::borrow<nb::module_>(module);
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const Error&) {
      set_exception();
    }
  });
  init_optim(module);
  init_storage(m);
  init_random(m);
  init_fingerprint(m);
  init_files(m);
  init_torch_files(module);
  init_samples(module);
}

}  // namespace taut::python
