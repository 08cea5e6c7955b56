// The atomic writer.
#include "io/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace taut::io {

namespace {

constexpr size_t kBuffer = 1 << 16;

/// Links are followed, so that saving to one does not replace it by a file.
std::string resolved(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0 || !S_ISLNK(info.st_mode)) return path;
  char* real = ::realpath(path.c_str(), nullptr);
  if (!real) return path;
  std::string result = real;
  std::free(real);
  return result;
}

std::string directory_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == path.npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

std::string temporary_name(const std::string& path) {
  static std::atomic<unsigned> counter = 0;
  return str(path, ".tmp.", ::getpid(), '.', counter++);
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : path_(resolved(path)) {
  struct stat info {};
  const bool exists = ::stat(path_.c_str(), &info) == 0;
  check<FileError>(!exists || S_ISREG(info.st_mode), "cannot save to '", path, "': it is ",
                   exists && S_ISDIR(info.st_mode) ? "a directory" : "not a regular file");
  // A file without a name where the system has them: nothing stays behind when the process is killed.
  if (::access("/proc/self/fd", X_OK) == 0)
    fd_ = ::open(directory_of(path_).c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  unnamed_ = fd_ >= 0;
  if (!unnamed_) do {
      temporary_ = temporary_name(path_);
      fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (fd_ < 0 && errno == EEXIST);  // left behind by a process of the same number that was killed
  if (fd_ < 0) fail("open");
  if (exists && ::fchmod(fd_, info.st_mode & 07777) != 0) fail("set the mode of");
  buffer_.reserve(kBuffer);
}

AtomicFile::~AtomicFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::fail(const char* what) const {
  throw FileError(str("cannot ", what, " '", path_, "': ", std::strerror(errno)));
}

void AtomicFile::write_through(const void* data, uint64_t n) {
  auto* p = static_cast<const char*>(data);
  while (n > 0) {
    const ssize_t done = ::write(fd_, p, n < (1u << 30) ? n : 1u << 30);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail("write");
    p += done, n -= static_cast<uint64_t>(done);
  }
}

void AtomicFile::flush() {
  write_through(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void AtomicFile::write(const void* data, uint64_t n) {
  if (buffer_.size() + n > kBuffer) flush();
  if (n >= kBuffer) write_through(data, n);
  else buffer_.append(static_cast<const char*>(data), n);
  position_ += n;
}

void AtomicFile::commit(bool keep_previous) {
  flush();
  if (::fsync(fd_) != 0) fail("write");
  if (unnamed_) {
    const std::string self = str("/proc/self/fd/", fd_);
    int result = 0;
    do {
      temporary_ = temporary_name(path_);
      result = ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW);
    } while (result != 0 && errno == EEXIST);
    if (result != 0) {
      const int error = errno;
      temporary_.clear();
      errno = error;
      fail("write");
    }
  }
  if (keep_previous) {
    // A second name first, so that `path` exists at every moment. File systems without hard links get a rename.
    const std::string previous = path_ + ".previous", name = temporary_ + ".previous";
    ::unlink(name.c_str());
    if (::link(path_.c_str(), name.c_str()) == 0) {
      if (::rename(name.c_str(), previous.c_str()) != 0) fail("keep the previous");
      ::unlink(name.c_str());  // still there when both names were the same file already
    } else if (errno != ENOENT) {
      if (::rename(path_.c_str(), previous.c_str()) != 0) fail("keep the previous");
    }
  }
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("replace");
  ::close(std::exchange(fd_, -1));
  const int directory = ::open(directory_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;  // written and named; a directory that may not be read cannot be synced
  ::fsync(directory);
  ::close(directory);
}

}  // namespace taut::io
