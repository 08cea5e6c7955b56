// The container of PyTorch's files: a zip archive with a pickle, and one record for each storage.
#pragma once
#include <map>
#include <string>

#include "io/input.h"
#include "io/output.h"
#include "io/zip.h"
#include "taut/tensor.h"

namespace taut::io {

class TorchArchive {
 public:
  /// Checks that it is one, and whole. `modules`: may it be an archive of TorchScript modules, as libtorch's
  /// torch::save writes it?
  explicit TorchArchive(Input in, bool modules = false);
  TorchArchive(const TorchArchive&) = delete;

  const Input& input() const { return in_; }
  /// Are its values modules? The code they come with is never looked at.
  bool of_modules() const { return of_modules_; }
  std::string pickle() const;
  /// The elements of a storage, in one dimension. It is loaded once; the tensors over it share its memory.
  Tensor storage(const std::string& key, ScalarType dtype, int64_t numel);

 private:
  Input in_;
  ZipReader zip_;
  std::string top_;  // what the names of all records begin with
  bool big_endian_ = false, of_modules_ = false;
  std::map<std::string, Tensor> storages_;
};

/// Elements that one or more tensors share: a tensor of one dimension over all of them.
struct PickledStorage {
  std::string key;
  Tensor elements;
};
struct Pickled {
  std::string text;
  std::vector<PickledStorage> storages;
};
/// The archive; `name` is the directory its records stand in.
void write_archive(Output& out, const std::string& name, const Pickled& pickled, bool byte_order = true);

}  // namespace taut::io
