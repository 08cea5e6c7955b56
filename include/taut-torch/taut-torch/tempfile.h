// c10/util/tempfile.h: files that go when their object goes.
#pragma once
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include "torch/torch.h"

namespace c10 {

struct TempFile {
  TempFile(std::string name, int fd) : fd(fd), name(std::move(name)) {}
  TempFile(TempFile&& o) noexcept : fd(std::exchange(o.fd, -1)), name(std::move(o.name)) {}
  TempFile(const TempFile&) = delete;
  TempFile& operator=(TempFile&& o) noexcept {
    std::swap(fd, o.fd);
    std::swap(name, o.name);
    return *this;
  }
  ~TempFile() {
    if (fd < 0) return;
    ::unlink(name.c_str());
    ::close(fd);
  }
  int fd;
  std::string name;
};
struct TempDir {
  explicit TempDir(std::string name) : name(std::move(name)) {}
  TempDir(TempDir&& o) noexcept : name(std::exchange(o.name, {})) {}
  TempDir(const TempDir&) = delete;
  ~TempDir() {
    if (!name.empty()) ::rmdir(name.c_str());
  }
  std::string name;
};

inline std::optional<TempFile> try_make_tempfile(std::string_view prefix = "torch-file-") {
  std::string path = (std::filesystem::temp_directory_path() / (std::string(prefix) + "XXXXXX")).string();
  const int fd = ::mkstemp(path.data());
  if (fd < 0) return std::nullopt;
  return TempFile(path, fd);
}
inline TempFile make_tempfile(std::string_view prefix = "torch-file-") {
  auto file = try_make_tempfile(prefix);
  TORCH_CHECK(file, "Error generating temporary file: ", std::strerror(errno));
  return std::move(*file);
}
inline std::optional<TempDir> try_make_tempdir(std::string_view prefix = "torch-dir-") {
  std::string path = (std::filesystem::temp_directory_path() / (std::string(prefix) + "XXXXXX")).string();
  if (!::mkdtemp(path.data())) return std::nullopt;
  return TempDir(path);
}
inline TempDir make_tempdir(std::string_view prefix = "torch-dir-") {
  auto directory = try_make_tempdir(prefix);
  TORCH_CHECK(directory, "Error generating temporary directory: ", std::strerror(errno));
  return std::move(*directory);
}

}  // namespace c10
