// Zip archives, as .npz and .pt files are: stored or deflated entries, zip64, no encryption.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "io/input.h"
#include "io/output.h"
#include "io/stream.h"

namespace taut::io {

struct ZipEntry {
  std::string name;
  bool deflated = false, crc_follows = false;
  uint32_t crc = 0;
  uint64_t compressed = 0, size = 0;  // bytes in the file, and of the content
  uint64_t header_at = 0, data_at = 0;
};

class ZipReader {
 public:
  /// Checks the directory and every entry's place: all inside the file, none over another.
  ZipReader(const Input& in, const char* format);
  const std::vector<ZipEntry>& entries() const { return entries_; }
  const ZipEntry* find(const std::string& name) const;
  std::unique_ptr<Stream> open(const ZipEntry& entry) const;
  /// The whole content, which has its checksum; FormatError when it is longer than `most`.
  std::string read(const ZipEntry& entry, uint64_t most) const;
  /// The content as the elements of a tensor, as many as there are. Its checksum is compared unless it is mapped.
  Tensor tensor(const ZipEntry& entry, IntArrayRef sizes, ScalarType dtype, bool big_endian) const;
  /// Throws when the content does not have the checksum the directory says.
  void check_crc(const ZipEntry& entry) const;

 private:
  /// Where the list of entries is, and how many it has.
  struct Directory {
    uint64_t at, size, count;
  };
  /// What the end record at this place says of the directory; why that cannot be, or nothing.
  std::string read_end(uint64_t end_at, Directory& d) const;
  /// The end of the first of several archives in a row.
  bool find_first_end(Directory& d) const;
  Directory find_directory() const;
  void read_directory();
  void read_entry(const std::string& directory, size_t& at, uint64_t end);
  void place_entries(uint64_t end);
  void compare_crc(const ZipEntry& entry, uint32_t crc) const;
  const Input& in_;
  const char* format_;
  std::vector<ZipEntry> entries_;  // by name
};

class ZipWriter {
 public:
  /// Sizes and places from `zip64_from` on are written as zip64.
  explicit ZipWriter(Output& out, uint64_t zip64_from = 0xffffffff) : out_(out), zip64_from_(zip64_from) {}
  /// The content starts at a multiple of 64 in the file, so that a reader can use it in place. The checksum of a long
  /// one follows it, so that memory is read once.
  void add(const std::string& name, const void* data, uint64_t size, bool deflate = false);
  void add(const std::string& name, const std::string& data) { add(name, data.data(), data.size()); }
  void finish();

 private:
  Output& out_;
  uint64_t zip64_from_;
  std::vector<ZipEntry> entries_;
};

}  // namespace taut::io
