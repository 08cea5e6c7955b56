// What can go wrong with a file, and how files are opened.
#pragma once
#include <cstdint>
#include <string>

#include "taut/core/error.h"

namespace taut {

/// A file that cannot be opened, read or written. The message names the file and what the system says.
class FileError : public Error {
 public:
  using Error::Error;
};
/// A file whose content is damaged or is not of the format it should be. The message names the file and the place.
class FormatError : public FileError {
 public:
  using FileError::FileError;
};

namespace io {

struct LoadOptions {
  /// Let big tensors share the memory of the mapped file instead of copying it (private: writing to the tensor does not
  /// change the file). The file must then not be changed in place while they live; Taut's own saves replace it instead.
  bool map = true;
};

/// Replaces the file `path` at once, when all is on the disk: a reader sees the old one or the new one, whenever the
/// process or the machine stops. Every save of the library is done this way.
void save_bytes(const std::string& bytes, const std::string& path);

/// The CRC-32 of zip files and of zlib, going on from that of what came before.
uint32_t crc32(const void* data, uint64_t size, uint32_t crc = 0);

}  // namespace io
}  // namespace taut
