// The atomic writer.
#include "io/output.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

#include "io/bytes.h"

namespace taut::io {

namespace {

constexpr size_t kBuffer = 1 << 16;

std::string directory_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == path.npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

/// The end of a chain of links, which need not exist yet: saving to a link does not replace it by a file.
std::string resolved(std::string path) {
  char target[PATH_MAX];
  for (int links = 0; links < 40; ++links) {
    const ssize_t n = ::readlink(path.c_str(), target, sizeof target);
    if (n < 0 || n == sizeof target) return path;
    const std::string to(target, static_cast<size_t>(n));
    path = to.starts_with('/') ? to : directory_of(path) + '/' + to;
  }
  return path;
}

std::string temporary_prefix(const std::string& path) { return path + ".tmp."; }
std::string temporary_name(const std::string& path) {
  static std::atomic<unsigned> counter = 0;
  return str(temporary_prefix(path), ::getpid(), '.', counter++);
}

bool same_file(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

/// Whoever writes a temporary holds its lock. One that can be locked belongs to nobody any more.
void remove_if_dead(const std::string& temporary) {
  const int fd = ::open(temporary.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return;
  struct stat locked {
  }, named{};
  if (::fstat(fd, &locked) == 0 && S_ISREG(locked.st_mode) && ::flock(fd, LOCK_EX | LOCK_NB) == 0 &&
      ::stat(temporary.c_str(), &named) == 0 && same_file(locked, named))
    ::unlink(temporary.c_str());
  ::close(fd);
}

void remove_dead_temporaries(const std::string& path) {
  const std::string directory = directory_of(path), prefix = temporary_prefix(path.substr(path.rfind('/') + 1));
  const std::unique_ptr<DIR, int (*)(DIR*)> list(::opendir(directory.c_str()), ::closedir);
  if (!list) return;
  while (const dirent* entry = ::readdir(list.get()))
    if (std::strncmp(entry->d_name, prefix.c_str(), prefix.size()) == 0)
      remove_if_dead(directory + '/' + entry->d_name);
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : path_(path) {
  check_path(path);
  struct stat info {
  }, target{};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  check<FileError>(!exists || !S_ISDIR(info.st_mode), "cannot save to '", path, "': it is a directory");
  path_ = resolved(path);
  // Names in /proc may lead to files that have no other name.
  direct_ = exists && (!S_ISREG(info.st_mode) || ::stat(path_.c_str(), &target) != 0 || !same_file(info, target));
  if (direct_) {
    path_ = path;
    fd_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | (S_ISREG(info.st_mode) ? O_TRUNC : 0));
    if (fd_ < 0) fail("open");
  } else {
    if (exists && ::faccessat(AT_FDCWD, path_.c_str(), W_OK, AT_EACCESS) != 0) fail("write");  // it shall stay
    open_temporary();
    if (exists) {
      [[maybe_unused]] const int owner = ::fchown(fd_, info.st_uid, info.st_gid);  // where we may
      if (::fchmod(fd_, info.st_mode & 07777) != 0) fail("set the mode of");
    }
    remove_dead_temporaries(path_);
  }
  buffer_.reserve(kBuffer);
}

AtomicFile::~AtomicFile() {
  if (fd_ < 0) return;
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  ::close(fd_);
}

void AtomicFile::fail(const char* what) const {
  throw FileError(str("cannot ", what, " '", path_, "': ", std::strerror(errno)));
}

void AtomicFile::open_temporary() {
  // A file without a name where the system has them: nothing stays behind when the process is killed.
  if (::access("/proc/self/fd", X_OK) == 0)
    fd_ = ::open(directory_of(path_).c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  if (fd_ >= 0) return void(::flock(fd_, LOCK_EX | LOCK_NB));
  for (;;) {
    temporary_ = temporary_name(path_);
    fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd_ < 0 && errno == EEXIST) continue;  // left behind by a process of the same number that was killed
    if (fd_ < 0) {
      const int error = errno;
      temporary_.clear();
      errno = error;
      fail("open");
    }
    // Somebody may have taken it for dead before it was locked. (Without locks nobody can.)
    struct stat info {};
    const bool locked = ::flock(fd_, LOCK_EX | LOCK_NB) == 0;
    if (locked ? ::fstat(fd_, &info) == 0 && info.st_nlink > 0 : errno != EWOULDBLOCK) return;
    ::close(std::exchange(fd_, -1));
  }
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

void AtomicFile::name_temporary() {
  const std::string self = str("/proc/self/fd/", fd_);
  for (;;) {
    const std::string name = temporary_name(path_);
    if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      temporary_ = name;
      return;
    }
    if (errno != EEXIST) fail("write");
  }
}

/// The new file and the old one change names at once, so that `path` exists at every moment and no file has both names.
/// Where the system cannot do that, `path` is missing for a moment.
void AtomicFile::keep_previous() {
  const std::string previous = path_ + ".previous";
  if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), RENAME_EXCHANGE) == 0) {
    const std::string old = std::exchange(temporary_, {});
    // Another save may have taken the old file for dead; the one before it stays then.
    if (::rename(old.c_str(), previous.c_str()) != 0 && errno != ENOENT) fail("keep the previous");
  } else if (errno == EINVAL || errno == ENOSYS) {
    if (::rename(path_.c_str(), previous.c_str()) != 0 && errno != ENOENT) fail("keep the previous");
  } else if (errno != ENOENT) {
    fail("keep the previous");
  }
}

void AtomicFile::commit(bool keep) {
  flush();
  if (::fsync(fd_) != 0 && !(direct_ && (errno == EINVAL || errno == EROFS))) fail("write");
  if (!direct_) {
    if (temporary_.empty()) name_temporary();
    if (keep) keep_previous();
    if (!temporary_.empty() && ::rename(temporary_.c_str(), path_.c_str()) != 0) fail("replace");
  }
  ::close(std::exchange(fd_, -1));
  const int directory = direct_ ? -1 : ::open(directory_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;  // written and named; a directory that may not be read cannot be synced
  ::fsync(directory);
  ::close(directory);
}

void save_bytes(const std::string& bytes, const std::string& path) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace taut::io
