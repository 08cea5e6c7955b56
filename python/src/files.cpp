// Files that hold tensors: safetensors, npy and npz, idx and csv, images. Those of PyTorch are in torch_files.cpp.
#include "named.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>

#include "io/bytes.h"
#include "io/safetensors_header.h"
#include "path.h"
#include "taut/io.h"

namespace taut::python {
namespace {

namespace nb = nanobind;
using Free = nb::call_guard<nb::gil_scoped_release>;

/// Python's texts are UTF-8; files may hold anything.
void check_text(const std::string& name, const char* what, const Path& path) {
  check<FormatError>(io::is_utf8(name.data(), name.size()), "'", path.text, "': the name of a ", what, ", '", name,
                     "', is not UTF-8");
}
Named named_of(const OrderedDict<std::string, Tensor>& dict, const Path& path) {
  for (const auto& item : dict) check_text(item.key(), "tensor", path);
  return list_of(dict);
}

nb::bytes bytes_of(const std::string& text) { return nb::bytes(text.data(), text.size()); }

void init_tensor_files(nb::module_& m) {
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
}

std::pair<Tensor, std::vector<std::string>> read_csv(const Path& path, const std::string& delimiter, bool header,
                                                     const std::vector<std::string>& columns, ScalarType dtype,
                                                     std::optional<double> fill) {
  check<ValueError>(delimiter.size() == 1, "delimiter must be one character, got '", delimiter, "'");
  io::CsvOptions options;
  options.delimiter = delimiter[0], options.header = header, options.columns = columns;
  options.dtype = dtype, options.fill = fill;
  const io::Csv csv = io::read_csv(path.text, options);
  for (const std::string& name : csv.columns) check_text(name, "column", path);
  return {csv.values, csv.columns};
}
void init_data_files(nb::module_& m) {
  m.def(
      "_read_idx", [](const Path& path) { return io::read_idx(path.text); }, Free());
  m.def("_read_csv", &read_csv, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), Free());
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
void init_images(nb::module_& m) {
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

void init_files(PyObject* module) {
  nb::module_ m = nb::borrow<nb::module_>(module);
  init_tensor_files(m);
  init_data_files(m);
  init_images(m);
}

}  // namespace taut::python
