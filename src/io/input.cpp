// Opening, reading and mapping files.
#include "io/input.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>

#include "io/bytes.h"
#include "taut/factories.h"

namespace taut::io {

struct Input::File {
  int fd = -1;
  uint64_t size = 0;
  uint8_t* map = nullptr;
  bool tried = false;
  std::mutex mutex;
  ~File() {
    if (map) ::munmap(map, size);
    if (fd >= 0) ::close(fd);
  }
};

Input Input::open(const std::string& path, LoadOptions options) {
  Input in;
  in.name_ = str('\'', path, '\'');
  in.options_ = options;
  in.file_ = std::make_shared<File>();
  // A named pipe must not block us: it is refused below.
  in.file_->fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat info {};
  check<FileError>(in.file_->fd >= 0 && ::fstat(in.file_->fd, &info) == 0, "cannot open ", in.name_, ": ",
                   std::strerror(errno));
  check<FileError>(!S_ISDIR(info.st_mode), "cannot read ", in.name_, ": it is a directory");
  check<FileError>(S_ISREG(info.st_mode), "cannot read ", in.name_, ": it is not a regular file");
  in.size_ = in.file_->size = static_cast<uint64_t>(info.st_size);
  return in;
}

Input Input::memory(const void* data, uint64_t size, std::string name) {
  Input in;
  in.name_ = std::move(name);
  in.data_ = static_cast<const uint8_t*>(data);
  in.size_ = size;
  return in;
}

void Input::read(uint64_t at, void* to, uint64_t n) const {
  check<FormatError>(at <= size_ && n <= size_ - at, name_, " is truncated: ", n, " bytes are needed at byte ", at,
                     " but the file has ", size_);
  if (n == 0) return;
  if (!file_) {
    std::memcpy(to, data_ + at, n);
    return;
  }
  auto* p = static_cast<uint8_t*>(to);
  while (n > 0) {
    const ssize_t got = ::pread(file_->fd, p, n, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    check<FileError>(got >= 0, "cannot read ", name_, ": ", std::strerror(errno));
    check<FormatError>(got > 0, name_, " was truncated while it was read");
    p += got, at += static_cast<uint64_t>(got), n -= static_cast<uint64_t>(got);
  }
}

std::string Input::read_string(uint64_t at, uint64_t n) const {
  check<FormatError>(at <= size_ && n <= size_ - at, name_, " is truncated: ", n, " bytes are needed at byte ", at,
                     " but the file has ", size_);
  std::string s(n, '\0');
  read(at, s.data(), n);
  return s;
}

uint8_t* Input::mapped(uint64_t at, uint64_t n) const {
  if (!file_ || !options_.map || at > size_ || n > size_ - at) return nullptr;
  std::lock_guard lock(file_->mutex);
  if (!file_->tried) {
    file_->tried = true;  // once: where mapping does not work, reading does
    void* p =
        ::mmap(nullptr, file_->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, file_->fd, /*offset=*/0);
    if (p != MAP_FAILED) file_->map = static_cast<uint8_t*>(p);
  }
  return file_->map ? file_->map + at : nullptr;
}

Tensor Input::tensor(uint64_t at, IntArrayRef sizes, ScalarType dtype, bool big_endian) const {
  constexpr uint64_t kWorthMapping = 4096;  // below a page a copy is cheaper than keeping the file mapped
  const auto size = static_cast<uint64_t>(element_size(dtype));
  const auto bytes = checked_bytes(sizes, dtype);
  check<FormatError>(bytes.has_value(), name_, " holds a tensor of shape ", sizes, ", which no memory can hold");
  check<FormatError>(*bytes == 0 || (at <= size_ && *bytes <= size_ - at), name_, " is truncated: a tensor of shape ",
                     sizes, " needs ", *bytes, " bytes at byte ", at, " but the file has ", size_);
  if (*bytes >= kWorthMapping && at % size == 0 && dtype != kBool && !big_endian) {
    if (uint8_t* p = mapped(at, *bytes)) {
      return from_blob(
          p, sizes, [keep = file_](void*) {}, dtype);
    }
  }
  Tensor t = empty(sizes, dtype);
  read(at, t.data_ptr(), *bytes);
  if (big_endian) swap_bytes(t.data_ptr(), *bytes / size, element_size(dtype));
  normalize_bools(t);
  return t;
}

void normalize_bools(const Tensor& t) {
  if (t.scalar_type() != kBool) return;
  auto* p = static_cast<uint8_t*>(t.data_ptr());
  for (int64_t i = 0, n = t.numel(); i < n; ++i) p[i] = p[i] != 0;
}

}  // namespace taut::io
