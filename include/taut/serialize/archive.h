// Archives, as libtorch has them: named tensors, values and further archives, in a file that PyTorch's torch.load
// opens.
#pragma once
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "taut/autograd/containers.h"
#include "taut/tensor_dict.h"

namespace taut::serialize {

/// Nothing; libtorch's archives share one.
struct CompilationUnit {};

/// Takes n bytes and says how many it took.
using Writer = std::function<size_t(const void* data, size_t n)>;
/// Puts up to n bytes from `at` on to a place, and says how many.
using Reader = std::function<size_t(uint64_t at, void* to, size_t n)>;

/// What is written is a dictionary; the names in a nested archive have its name and a dot before them, so the archive
/// of a module is its state_dict. By the ending .safetensors, .npz or .npy tensors are written as such a file.
class OutputArchive {
 public:
  explicit OutputArchive(std::shared_ptr<CompilationUnit> unit = nullptr);
  OutputArchive(OutputArchive&&) = default;
  OutputArchive& operator=(OutputArchive&&) = default;

  void write(const std::string& key, const IValue& value);
  void write(const std::string& key, const Tensor& tensor, bool is_buffer = false);
  /// What is added to `nested` later counts too.
  void write(const std::string& key, OutputArchive& nested);
  template <class... T>
  void operator()(T&&... args) {
    write(std::forward<T>(args)...);
  }
  bool is_empty() const;
  std::shared_ptr<CompilationUnit> compilation_unit() const { return unit_; }

  void save_to(const std::string& path);
  void save_to(std::ostream& stream);
  void save_to(const Writer& writer);

 private:
  struct Node;
  std::shared_ptr<CompilationUnit> unit_;
  std::shared_ptr<Node> node_;
};

/// Reads whatever torch.save, torch::save or save() wrote. A tensor alone has the name "0", those of a list their
/// number.
class InputArchive {
 public:
  InputArchive();
  InputArchive(InputArchive&&) = default;
  InputArchive& operator=(InputArchive&&) = default;

  /// read() throws when there is no such thing, try_read() returns false. A tensor that is defined keeps being the
  /// same, and gets the data.
  void read(const std::string& key, IValue& value);
  bool try_read(const std::string& key, IValue& value);
  void read(const std::string& key, Tensor& tensor, bool is_buffer = false);
  bool try_read(const std::string& key, Tensor& tensor, bool is_buffer = false);
  void read(const std::string& key, InputArchive& archive);
  bool try_read(const std::string& key, InputArchive& archive);
  template <class... T>
  void operator()(T&&... args) {
    read(std::forward<T>(args)...);
  }
  std::vector<std::string> keys();
  /// All tensors, those of nested archives too, by their full names.
  OrderedDict<std::string, Tensor> tensors() const;

  void load_from(const std::string& path, std::optional<Device> device = std::nullopt);
  void load_from(std::istream& stream, std::optional<Device> device = std::nullopt);
  void load_from(const char* data, size_t size, std::optional<Device> device = std::nullopt);
  void load_from(const Reader& read, const std::function<size_t()>& size, std::optional<Device> device = std::nullopt);

 private:
  struct Contents;
  std::shared_ptr<const Contents> contents_;
  std::string within_;     // what the names begin with that are in this archive
  std::string hierarchy_;  // where it stands in the file, for messages
};

/// A tensor, or several, or plain values: what Python's torch.load then gives.
void save_value(const IValue& value, const std::string& path);
void save_value(const IValue& value, std::ostream& stream);
void save_value(const IValue& value, const Writer& writer);

}  // namespace taut::serialize

namespace taut {

/// A value as torch.save writes it, and back.
std::vector<char> pickle_save(const IValue& value);
IValue pickle_load(const std::vector<char>& data);

serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const Tensor& tensor);
serialize::InputArchive& operator>>(serialize::InputArchive& archive, Tensor& tensor);

}  // namespace taut
