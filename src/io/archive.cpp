// Archives: dictionaries whose names say how they are nested.
#include "taut/serialize/archive.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <istream>
#include <iterator>
#include <ostream>
#include <unordered_map>
#include <variant>

#include "io/ivalue.h"
#include "taut/autograd.h"
#include "taut/io/safetensors.h"
#include "taut/io/torch_file.h"
#include "taut/serialize.h"

namespace taut::serialize {

namespace {

using io::Object;

constexpr const char* kByName[] = {".safetensors", ".npz", ".npy"};

/// Does the name ask for another format than PyTorch's?
bool by_name(const std::string& path) {
  return std::any_of(std::begin(kByName), std::end(kByName), [&](const char* end) { return path.ends_with(end); });
}

void put(const Object& object, const std::string& path) {
  if (!by_name(path)) return io::save_torch(object, path);
  if (object.is_tensor()) return save(object.to_tensor(), path);
  const auto tensors = object.state_dict();
  check<ValueError>(!object.is_dict() || tensors.size() == object.size(), "save: '", path,
                    "' holds tensors alone; an archive with other values is written as a .pt file");
  save(tensors, path);
}
void put(const Object& object, const Writer& writer) {
  const std::string bytes = io::format_torch(object);
  const size_t taken = writer(bytes.data(), bytes.size());
  check<FileError>(taken == bytes.size(), "save: the writer took ", taken, " of ", bytes.size(), " bytes");
}
void put(const Object& object, std::ostream& stream) {
  put(object, [&](const void* data, size_t n) {
    stream.write(static_cast<const char*>(data), static_cast<std::streamsize>(n));
    return stream.good() ? n : 0;
  });
}

}  // namespace

// ---- Writing.

struct OutputArchive::Node {
  using Entry = std::variant<IValue, std::shared_ptr<Node>>;
  std::vector<std::pair<std::string, Entry>> entries;

  void set(const std::string& key, Entry entry) {
    const auto same = std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.first == key; });
    if (same != entries.end()) same->second = std::move(entry);
    else entries.emplace_back(key, std::move(entry));
  }
  void add_to(Object::Dict& dict, const std::string& prefix) const {
    for (const auto& [key, entry] : entries) {
      const auto* nested = std::get_if<std::shared_ptr<Node>>(&entry);
      if (!nested) dict.emplace_back(prefix + key, io::object_of(std::get<IValue>(entry)));
      else if ((*nested)->entries.empty()) dict.emplace_back(prefix + key, Object::Dict());
      else (*nested)->add_to(dict, prefix + key + '.');
    }
  }
  Object object() const {
    Object::Dict dict;
    add_to(dict, "");
    return dict;
  }
};

OutputArchive::OutputArchive(std::shared_ptr<CompilationUnit> unit)
    : unit_(unit ? std::move(unit) : std::make_shared<CompilationUnit>()), node_(std::make_shared<Node>()) {}
void OutputArchive::write(const std::string& key, const IValue& value) { node_->set(key, value); }
void OutputArchive::write(const std::string& key, const Tensor& tensor, bool) { node_->set(key, IValue(tensor)); }
void OutputArchive::write(const std::string& key, OutputArchive& nested) { node_->set(key, nested.node_); }
bool OutputArchive::is_empty() const { return node_->entries.empty(); }
void OutputArchive::save_to(const std::string& path) { put(node_->object(), path); }
void OutputArchive::save_to(std::ostream& stream) { put(node_->object(), stream); }
void OutputArchive::save_to(const Writer& writer) { put(node_->object(), writer); }

void save_value(const IValue& value, const std::string& path) { put(io::object_of(value), path); }
void save_value(const IValue& value, std::ostream& stream) { put(io::object_of(value), stream); }
void save_value(const IValue& value, const Writer& writer) { put(io::object_of(value), writer); }

// ---- Reading.

struct InputArchive::Contents {
  OrderedDict<std::string, Object> items{"Key"};

  Contents() = default;
  explicit Contents(const Object& object) {
    if (object.is_dict()) {
      for (const auto& [key, value] : object.to_dict())
        if (key.is_string()) add(key.to_string(), value);
        else if (key.kind() == Object::Kind::Int) add(std::to_string(key.to_int()), value);
    } else if (object.is_list()) {
      for (size_t i = 0; i < object.size(); ++i) add(std::to_string(i), object[i]);
    } else {
      add("0", object);
    }
  }
  explicit Contents(const OrderedDict<std::string, Tensor>& tensors) {
    for (const auto& item : tensors) add(item.key(), item.value());
  }
  void add(const std::string& key, const Object& value) {
    if (Object* known = items.find(key)) *known = value;
    else items.insert(key, value);
  }
};

namespace {
/// What is no .pt file may be a safetensors file.
OrderedDict<std::string, Tensor> no_zip(const char* data, size_t size) {
  try {
    return io::parse_safetensors(data, size, "the archive").tensors;
  } catch (const Error& e) {
    constexpr size_t kSmallestZip = 22;
    throw FormatError(str("PytorchStreamReader failed reading zip archive: ",
                          size < kSmallestZip ? "not a ZIP archive" : "failed finding central directory",
                          ". Nor is it safetensors: ", e.what()));
  }
}
}  // namespace

InputArchive::InputArchive() : contents_(std::make_shared<Contents>()) {}

bool InputArchive::try_read(const std::string& key, IValue& value) {
  const Object* found = contents_->items.find(within_ + key);
  if (found) value = io::value_of(*found);
  return found != nullptr;
}
void InputArchive::read(const std::string& key, IValue& value) {
  check(try_read(key, value), "No such serialized value '", hierarchy_, key, "'");
}

bool InputArchive::try_read(const std::string& key, Tensor& tensor, bool) {
  const Object* found = contents_->items.find(within_ + key);
  if (!found || !found->is_tensor()) return false;
  if (!tensor.defined()) {
    tensor = found->to_tensor();
    return true;
  }
  const NoGradGuard no_grad;
  tensor.set_data(found->to_tensor());
  return true;
}
void InputArchive::read(const std::string& key, Tensor& tensor, bool is_buffer) {
  check(try_read(key, tensor, is_buffer), "No such serialized tensor '", hierarchy_, key, "'");
}

bool InputArchive::try_read(const std::string& key, InputArchive& archive) {
  const std::string name = within_ + key, prefix = name + '.';
  InputArchive nested;
  if (const Object* found = contents_->items.find(name)) {
    if (!found->is_dict()) return false;
    nested.contents_ = std::make_shared<Contents>(*found);
  } else {
    const auto& items = contents_->items;
    if (std::none_of(items.begin(), items.end(), [&](const auto& item) { return item.key().starts_with(prefix); }))
      return false;
    nested.contents_ = contents_;
    nested.within_ = prefix;
  }
  nested.hierarchy_ = hierarchy_ + key + '.';
  archive = std::move(nested);
  return true;
}
void InputArchive::read(const std::string& key, InputArchive& archive) {
  check(try_read(key, archive), "No such serialized submodule: '", hierarchy_, key, "'");
}

std::vector<std::string> InputArchive::keys() {
  std::vector<std::string> keys;
  for (const auto& item : contents_->items) {
    if (!item.key().starts_with(within_)) continue;
    std::string key = item.key().substr(within_.size());
    key = key.substr(0, key.find('.'));
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  }
  return keys;
}

OrderedDict<std::string, Tensor> InputArchive::tensors() const {
  OrderedDict<std::string, Tensor> found("Tensor");
  for (const auto& item : contents_->items) {
    if (!item.key().starts_with(within_)) continue;
    const std::string name = item.key().substr(within_.size());
    if (item.value().is_tensor()) found.insert(name, item.value().to_tensor());
    else
      for (const auto& below : item.value().is_dict() ? item.value().state_dict() : OrderedDict<std::string, Tensor>())
        found.insert(name + '.' + below.key(), below.value());
  }
  return found;
}

void InputArchive::load_from(const std::string& path, std::optional<Device> device) {
  if (device) device->require();
  if (::access(path.c_str(), R_OK) != 0) {
    const int error = errno;
    throw FileError(
        str("open file failed because of errno ", error, " on fopen: ", std::strerror(error), ", file path: ", path));
  }
  within_ = hierarchy_ = "";
  if (by_name(path) || !io::is_torch_file(path)) contents_ = std::make_shared<Contents>(load(path));
  else contents_ = std::make_shared<Contents>(io::load_torch(path));
}
void InputArchive::load_from(const char* data, size_t size, std::optional<Device> device) {
  if (device) device->require();
  within_ = hierarchy_ = "";
  if (size >= 2 && data[0] == 'P' && data[1] == 'K')
    contents_ = std::make_shared<Contents>(io::parse_torch(data, size, "the archive"));
  else contents_ = std::make_shared<Contents>(no_zip(data, size));
}
void InputArchive::load_from(std::istream& stream, std::optional<Device> device) {
  const std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  load_from(bytes.data(), bytes.size(), device);
}
void InputArchive::load_from(const Reader& read, const std::function<size_t()>& size, std::optional<Device> device) {
  std::string bytes(size(), '\0');
  for (size_t at = 0; at < bytes.size();) {
    const size_t n = read(at, bytes.data() + at, bytes.size() - at);
    check<FileError>(n > 0, "load: the reader ended after ", at, " of ", bytes.size(), " bytes");
    at += n;
  }
  load_from(bytes.data(), bytes.size(), device);
}

}  // namespace taut::serialize

namespace taut {

std::vector<char> pickle_save(const IValue& value) {
  const std::string bytes = io::format_torch(io::object_of(value));
  return {bytes.begin(), bytes.end()};
}
IValue pickle_load(const std::vector<char>& data) {
  return io::value_of(io::parse_torch(data.data(), data.size(), "the pickle"));
}

serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const Tensor& tensor) {
  archive.write("0", tensor);
  return archive;
}
serialize::InputArchive& operator>>(serialize::InputArchive& archive, Tensor& tensor) {
  archive.read("0", tensor);
  return archive;
}

}  // namespace taut
