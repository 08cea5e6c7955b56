// Where files are written. Every save of the library goes through AtomicFile: a reader sees the old file or the new
// one, never a part of it, whenever the process or the machine stops.
#pragma once
#include <cstdint>
#include <string>

#include "taut/io/file.h"

namespace taut::io {

class Output {
 public:
  virtual ~Output() = default;
  virtual void write(const void* data, uint64_t n) = 0;
  void write(const std::string& s) { write(s.data(), s.size()); }
  uint64_t position() const { return position_; }

 protected:
  uint64_t position_ = 0;
};

/// Into a string.
class StringOutput : public Output {
 public:
  using Output::write;
  void write(const void* data, uint64_t n) override {
    text.append(static_cast<const char*>(data), n);
    position_ += n;
  }
  std::string text;
};

/// Into a temporary beside `path`, which takes its place at commit(). Without a commit nothing is left behind; what a
/// process that was killed left there, the next AtomicFile of that path removes. Links are followed, the permissions of
/// a file that is replaced are kept. What is no regular file (/dev/null, a pipe) is written to as it is.
class AtomicFile : public Output {
 public:
  explicit AtomicFile(const std::string& path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile() override;
  using Output::write;
  void write(const void* data, uint64_t n) override;
  /// Onto the disk, then under its name. With `keep_previous` the file it replaces stays as `path`.previous.
  void commit(bool keep_previous = false);

 private:
  [[noreturn]] void fail(const char* what) const;
  void open_temporary();
  void name_temporary();
  void keep_previous();
  void flush();
  void write_through(const void* data, uint64_t n);

  std::string path_, temporary_, buffer_;
  int fd_ = -1;
  bool direct_ = false;  // no regular file: there is no temporary
};

}  // namespace taut::io
