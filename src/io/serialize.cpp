// save and load: choosing the format by the name, and fitting one tensor, a list or a dictionary into it.
#include "taut/serialize.h"

#include <algorithm>
#include <istream>
#include <iterator>
#include <ostream>

#include "io/named.h"
#include "taut/io/numpy.h"
#include "taut/io/safetensors.h"
#include "taut/io/torch_file.h"

namespace taut {

using io::TensorDict;

namespace {

enum class Format { Safetensors, Npy, Npz, Torch };

Format format_of(const std::string& path) {
  const size_t dot = path.rfind('.');
  if (dot == path.npos) return Format::Safetensors;
  std::string end = path.substr(dot);
  std::transform(end.begin(), end.end(), end.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
  if (end == ".npy") return Format::Npy;
  if (end == ".npz") return Format::Npz;
  if (end == ".pt" || end == ".pth") return Format::Torch;
  return Format::Safetensors;
}

/// A list by number, as libtorch names them.
TensorDict numbered(const std::vector<Tensor>& tensors, const std::string& prefix = "") {
  TensorDict dict("Tensor");
  for (size_t i = 0; i < tensors.size(); ++i) dict.insert(prefix + std::to_string(i), tensors[i]);
  return dict;
}

std::vector<Tensor> as_list(const TensorDict& dict, const std::string& from) {
  std::vector<Tensor> list;
  for (size_t i = 0; i < dict.size(); ++i) {
    const Tensor* t = dict.find(std::to_string(i));
    if (!t) t = dict.find("arr_" + std::to_string(i));  // as np.savez names them
    check<ValueError>(t, "load: ", from, " holds named tensors, not a list: there is no tensor '", i,
                      "'. Load an OrderedDict instead.");
    list.push_back(*t);
  }
  return list;
}

Tensor as_single(const TensorDict& dict, const std::string& from) {
  check<ValueError>(dict.size() == 1, "load: ", from, " holds ", dict.size(),
                    " tensors, not one. Load an OrderedDict instead.");
  return dict[size_t{0}].value();
}

std::string quoted(const std::string& path) { return str('\'', path, '\''); }

void write(std::ostream& stream, const TensorDict& tensors) {
  const std::string bytes = io::format_safetensors(tensors);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  check<FileError>(stream.good(), "save: the stream does not take ", bytes.size(), " bytes");
}

}  // namespace

void save(const Tensor& tensor, const std::string& path) {
  io::check_named_tensor("0", tensor);
  switch (format_of(path)) {
    case Format::Npy: return io::save_npy(tensor, path);
    case Format::Npz: return io::save_npz(numbered({tensor}, "arr_"), path);
    case Format::Torch: return io::save_torch(tensor, path);
    case Format::Safetensors: return io::save_safetensors(numbered({tensor}), path);
  }
}

void save(const std::vector<Tensor>& tensors, const std::string& path) {
  switch (format_of(path)) {
    case Format::Npy: throw ValueError(str("save: '", path, "': an .npy file holds one tensor, not a list. Use .npz."));
    case Format::Npz: return io::save_npz(numbered(tensors, "arr_"), path);
    case Format::Torch: return io::save_torch(tensors, path);
    case Format::Safetensors: return io::save_safetensors(numbered(tensors), path);
  }
}

void save(const TensorDict& tensors, const std::string& path) {
  switch (format_of(path)) {
    case Format::Npy:
      throw ValueError(str("save: '", path, "': an .npy file holds one tensor, not named ones. Use .npz."));
    case Format::Npz: return io::save_npz(tensors, path);
    case Format::Torch: return io::save_torch(tensors, path);
    case Format::Safetensors: return io::save_safetensors(tensors, path);
  }
}

void save(const Tensor& tensor, std::ostream& stream) { write(stream, numbered({tensor})); }
void save(const std::vector<Tensor>& tensors, std::ostream& stream) { write(stream, numbered(tensors)); }
void save(const TensorDict& tensors, std::ostream& stream) { write(stream, tensors); }

TensorDict load(const std::string& path, io::LoadOptions options) {
  switch (format_of(path)) {
    case Format::Npy: return numbered({io::load_npy(path, options)});
    case Format::Npz: return io::load_npz(path, options);
    case Format::Torch: {
      const io::Object o = io::load_torch(path, options);
      if (o.is_tensor()) return numbered({o.to_tensor()});
      return o.state_dict();
    }
    case Format::Safetensors: break;
  }
  return io::load_safetensors(path, options).tensors;
}

TensorDict load(std::istream& stream) {
  const std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  return io::parse_safetensors(bytes.data(), bytes.size(), "the stream").tensors;
}

void load(Tensor& tensor, const std::string& path) { tensor = as_single(load(path), quoted(path)); }
void load(std::vector<Tensor>& tensors, const std::string& path) { tensors = as_list(load(path), quoted(path)); }
void load(TensorDict& tensors, const std::string& path) { tensors = load(path); }
void load(Tensor& tensor, std::istream& stream) { tensor = as_single(load(stream), "the stream"); }
void load(std::vector<Tensor>& tensors, std::istream& stream) { tensors = as_list(load(stream), "the stream"); }
void load(TensorDict& tensors, std::istream& stream) { tensors = load(stream); }

}  // namespace taut
