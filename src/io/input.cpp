// Opening, reading and mapping files.
#include "io/input.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <vector>

#include "core/parallel.h"
#include "io/bytes.h"
#include "taut/factories.h"

namespace taut::io {

constexpr uint64_t kPart = 1 << 18;  // read at once, while it is in the cache for the checksum

struct Input::File {
  int fd = -1;
  uint64_t from = 0, size = 0;  // where the Input begins, and how much is mapped
  uint8_t* map = nullptr;
  bool tried = false;
  std::mutex mutex;
  ~File() {
    if (map) ::munmap(map, size);
    if (fd >= 0) ::close(fd);
  }
};

Input Input::of_file(int fd, uint64_t from, std::string name, LoadOptions options) {
  Input in;
  in.name_ = std::move(name);
  in.options_ = options;
  const int error = errno;
  in.file_ = std::make_shared<File>();
  in.file_->fd = fd;
  struct stat info {};
  errno = error;
  check<FileError>(fd >= 0 && ::fstat(fd, &info) == 0, "cannot open ", in.name_, ": ", std::strerror(errno));
  check<FileError>(!S_ISDIR(info.st_mode), "cannot read ", in.name_, ": it is a directory");
  check<FileError>(S_ISREG(info.st_mode), "cannot read ", in.name_, ": it is not a regular file");
  in.file_->size = static_cast<uint64_t>(info.st_size);
  in.file_->from = std::min(from, in.file_->size);
  in.size_ = in.file_->size - in.file_->from;
  return in;
}

Input Input::open(const std::string& path, LoadOptions options) {
  check_path(path);
  // A named pipe must not block us: it is refused.
  return of_file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK), 0, str('\'', path, '\''), options);
}

Input Input::descriptor(int fd, uint64_t from, std::string name, LoadOptions options) {
  return of_file(::fcntl(fd, F_DUPFD_CLOEXEC, 0), from, std::move(name), options);
}

Input Input::source(Source read, uint64_t size, std::string name) {
  Input in;
  in.name_ = std::move(name);
  in.source_ = std::move(read);
  in.size_ = size;
  return in;
}

Input Input::memory(const void* data, uint64_t size, std::string name) {
  Input in;
  in.name_ = std::move(name);
  in.data_ = static_cast<const uint8_t*>(data);
  in.size_ = size;
  return in;
}

void Input::read(uint64_t at, void* to, uint64_t n, uint32_t* crc) const {
  check<FormatError>(at <= size_ && n <= size_ - at, name_, " is truncated: ", n, " bytes are needed at byte ", at,
                     " but the file has ", size_);
  if (file_ && n > 0) {
    const FileRead done = read_at(file_->fd, file_->from + at, to, n, crc != nullptr);
    check<FileError>(!done.error, "cannot read ", name_, ": ", std::strerror(done.error));
    check<FormatError>(done.bytes == n, name_, " was truncated while it was read");
    if (crc) *crc = done.crc;
    return;
  }
  uint32_t sum = 0;
  for (uint64_t done = 0; done < n; done += kPart) {
    const uint64_t part = std::min(kPart, n - done);
    uint8_t* const here = static_cast<uint8_t*>(to) + done;
    if (source_) source_(at + done, here, part);
    else std::memcpy(here, data_ + at + done, part);
    if (crc) sum = crc32(here, part, sum);
  }
  if (crc) *crc = sum;
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
  return file_->map ? file_->map + file_->from + at : nullptr;
}

Tensor Input::tensor(uint64_t at, IntArrayRef sizes, ScalarType dtype, bool big_endian, uint32_t* crc) const {
  constexpr uint64_t kWorthMapping = 4096;  // below a page a copy is cheaper than keeping the file mapped
  const auto size = static_cast<uint64_t>(element_size(dtype));
  const auto bytes = checked_bytes(sizes, dtype);
  check<FormatError>(bytes.has_value(), name_, " holds a tensor of shape ", sizes, ", which no memory can hold");
  check<FormatError>(*bytes == 0 || (at <= size_ && *bytes <= size_ - at), name_, " is truncated: a tensor of shape ",
                     sizes, " needs ", *bytes, " bytes at byte ", at, " but the file has ", size_);
  if (*bytes >= kWorthMapping && file_ && (file_->from + at) % size == 0 && dtype != kBool && !big_endian) {
    if (uint8_t* p = mapped(at, *bytes)) {
      return from_blob(
          p, sizes, [keep = file_](void*) {}, dtype);
    }
  }
  Tensor t = empty(sizes, dtype);
  read(at, t.data_ptr(), *bytes, crc);
  if (big_endian) swap_bytes(t.data_ptr(), *bytes, dtype);
  normalize_bools(t);
  return t;
}

FileRead read_at(int fd, uint64_t at, void* to, uint64_t n, bool checksum) {
  std::vector<FileRead> parts((n + kPart - 1) / kPart);
  parallel_for(static_cast<int64_t>(parts.size()), 4, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<uint64_t>(begin); i < static_cast<uint64_t>(end); ++i) {
      auto* const data = static_cast<uint8_t*>(to) + i * kPart;
      const uint64_t wanted = std::min(kPart, n - i * kPart);
      FileRead& part = parts[i];
      for (ssize_t got = 1; part.bytes < wanted && got > 0;) {
        got = ::pread(fd, data + part.bytes, wanted - part.bytes, static_cast<off_t>(at + i * kPart + part.bytes));
        if (got > 0) part.bytes += static_cast<uint64_t>(got);
        else if (got < 0 && errno == EINTR) got = 1;
        else if (got < 0) part.error = errno;
      }
      if (checksum) part.crc = crc32(data, part.bytes);
    }
  });
  FileRead all;
  for (const FileRead& part : parts) {
    all.error = part.error;
    all.bytes += part.bytes;
    if (checksum) all.crc = static_cast<uint32_t>(crc32_combine(all.crc, part.crc, static_cast<z_off_t>(part.bytes)));
    if (part.error) break;
  }
  return all;
}

void normalize_bools(const Tensor& t) {
  if (t.scalar_type() != kBool) return;
  auto* p = static_cast<uint8_t*>(t.data_ptr());
  for (int64_t i = 0, n = t.numel(); i < n; ++i) p[i] = p[i] != 0;
}

}  // namespace taut::io
