// Bytes that can be read at any place: a file, or memory of the caller. Tensors may share a file's mapped memory.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "taut/io/file.h"
#include "taut/tensor.h"

namespace taut::io {

class Input {
 public:
  /// Throws FileError when it cannot be opened or is no regular file.
  static Input open(const std::string& path, LoadOptions options = {});
  /// What follows the byte `from` of a file that is open; the Input has a descriptor of its own.
  static Input descriptor(int fd, uint64_t from, std::string name, LoadOptions options = {});
  /// `size` bytes, of which read(at, to, n) puts n of those from `at` on to a place, or throws.
  using Source = std::function<void(uint64_t at, void* to, uint64_t n)>;
  static Input source(Source read, uint64_t size, std::string name);
  /// Memory that the caller keeps alive while the Input is used; tensors always copy it.
  static Input memory(const void* data, uint64_t size, std::string name);

  /// The name as messages show it: 'model.safetensors'.
  const std::string& name() const { return name_; }
  uint64_t size() const { return size_; }
  /// Exactly n bytes; a place beyond the end is a FormatError. `crc` gets their checksum.
  void read(uint64_t at, void* to, uint64_t n, uint32_t* crc = nullptr) const;
  std::string read_string(uint64_t at, uint64_t n) const;
  std::string read_all() const { return read_string(0, size_); }

  /// A contiguous tensor of the elements at `at`: over the mapping where the place is aligned, else a copy. The caller
  /// has checked that the bytes are there. `crc` gets the checksum of what is copied; what is mapped nobody has read.
  Tensor tensor(uint64_t at, IntArrayRef sizes, ScalarType dtype, bool big_endian = false,
                uint32_t* crc = nullptr) const;

  /// Throws FormatError: 'name' is not a valid <format> file: <what>.
  template <class... Args>
  [[noreturn]] void fail(const char* format, const Args&... what) const {
    throw FormatError(str(name_, " is not a valid ", format, " file: ", what...));
  }

 private:
  struct File;  // the descriptor, and the mapping once somebody wants it
  static Input of_file(int fd, uint64_t from, std::string name, LoadOptions options);
  uint8_t* mapped(uint64_t at, uint64_t n) const;

  std::shared_ptr<File> file_;
  const uint8_t* data_ = nullptr;
  Source source_;
  uint64_t size_ = 0;
  std::string name_;
  LoadOptions options_;
};

/// n bytes at `at` of a file, by several threads; if wanted, each part's checksum is taken while it is in the cache.
struct FileRead {
  int error = 0;       // what the system said when it could not
  uint64_t bytes = 0;  // fewer than n where the file ends
  uint32_t crc = 0;
};
FileRead read_at(int fd, uint64_t at, void* to, uint64_t n, bool checksum);

/// Bool elements must be 0 or 1 in memory; files may hold other bytes.
void normalize_bools(const Tensor& t);

}  // namespace taut::io
