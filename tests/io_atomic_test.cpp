// The atomic writer: what the system is asked for and in which order, and what is left when it refuses.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "io/output.h"
#include "support/files.h"

// The program's own versions of the system's functions note that they were called, and fail when they are told to.
namespace {
std::vector<std::string> calls;
std::string failing;  // the one that fails, with EIO
bool exchange_missing = false, unnamed_missing = false;

bool noted(const std::string& name) {
  calls.push_back(name);
  if (name != failing) return true;
  errno = EIO;
  return false;
}
}  // namespace

extern "C" {
int fsync(int fd) {
  struct stat info {};
  ::fstat(fd, &info);
  const char* name = S_ISDIR(info.st_mode) ? "fsync directory" : "fsync";
  return noted(name) ? static_cast<int>(::syscall(SYS_fsync, fd)) : -1;
}
int rename(const char* from, const char* to) noexcept {
  return noted("rename") ? static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0)) : -1;
}
int renameat2(int from_dir, const char* from, int to_dir, const char* to, unsigned flags) noexcept {
  if (exchange_missing) {
    errno = EINVAL;
    return -1;
  }
  return noted("exchange") ? static_cast<int>(::syscall(SYS_renameat2, from_dir, from, to_dir, to, flags)) : -1;
}
int access(const char* path, int mode) noexcept {
  if (unnamed_missing && std::string(path) == "/proc/self/fd") {
    errno = ENOENT;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_faccessat, AT_FDCWD, path, mode));
}
}

namespace taut::test {

using Calls = std::vector<std::string>;

struct AtomicFile : testing::TestWithParam<bool> {  // with temporaries that have a name from the start?
  void SetUp() override {
    calls.clear();
    failing.clear();
    exchange_missing = false;
    unnamed_missing = GetParam();
  }
  void save(const std::string& text, bool keep = false) {
    io::AtomicFile file(path);
    file.write(text);
    file.commit(keep);
  }
  TempDir dir;
  std::string path = dir / "x";
};
INSTANTIATE_TEST_SUITE_P(Both, AtomicFile, testing::Bool());

TEST_P(AtomicFile, IsOnTheDiskBeforeItHasItsName) {
  save("one");
  EXPECT_EQ(calls, (Calls{"fsync", "rename", "fsync directory"}));
  EXPECT_EQ(read_file(path), "one");
  EXPECT_EQ(dir.count(), 1u);
}

TEST_P(AtomicFile, AFailureLeavesTheFileThatWasThere) {
  save("one");
  for (const char* call : {"fsync", "rename"}) {
    failing = call;
    expect_error<FileError>([&] { save("two"); }, {path, "Input/output error"}, call);
    EXPECT_EQ(read_file(path), "one") << call;
    EXPECT_EQ(dir.count(), 1u) << call;
  }
}

TEST_P(AtomicFile, ThePreviousOneIsNeverTheCurrentOne) {
  const auto same = [&] { return std::filesystem::equivalent(path, path + ".previous"); };
  save("one", true);
  EXPECT_EQ(dir.count(), 1u);
  calls.clear();
  save("two", true);
  EXPECT_EQ(calls, (Calls{"fsync", "exchange", "rename", "fsync directory"}));
  for (bool missing : {false, true}) {
    exchange_missing = missing;
    save("three", true);
    EXPECT_EQ(read_file(path), "three");
    EXPECT_EQ(read_file(path + ".previous"), missing ? "three" : "two");
    EXPECT_FALSE(same());
    EXPECT_EQ(dir.count(), 2u);
  }
  exchange_missing = false;
  std::filesystem::remove(path + ".previous");
  std::filesystem::create_hard_link(path, path + ".previous");  // as an older version may have left them
  save("four", true);
  EXPECT_EQ(read_file(path), "four");
  EXPECT_EQ(read_file(path + ".previous"), "three");
  EXPECT_FALSE(same());
  // A process that ends between the two steps: the old file lies under a name that the next save removes.
  failing = "rename";
  expect_error<FileError>([&] { save("five", true); }, {"previous"});
  failing.clear();
  EXPECT_EQ(read_file(path), "five");
  EXPECT_EQ(read_file(path + ".previous"), "three");
  save("six", true);
  EXPECT_EQ(read_file(path + ".previous"), "five");
  EXPECT_EQ(dir.count(), 2u);
}

TEST_P(AtomicFile, RemovesTheTemporariesOfTheDeadButNotOfTheLiving) {
  const std::string dead = path + ".tmp.1.0", other = dir / "y.tmp.1.0", living = path + ".tmp.2.0";
  for (const std::string& name : {dead, other, living}) write_file(name, "half");
  const int fd = ::open(living.c_str(), O_RDONLY);
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);
  {
    io::AtomicFile first(path), second(path);
    first.write("first"), second.write("second");
    second.commit();
    first.commit();
  }
  EXPECT_EQ(read_file(path), "first");
  EXPECT_FALSE(std::filesystem::exists(dead));
  EXPECT_TRUE(std::filesystem::exists(living) && std::filesystem::exists(other));
  ::close(fd);
  save("again");
  EXPECT_FALSE(std::filesystem::exists(living));
  EXPECT_EQ(dir.count(), 2u);
}

TEST_P(AtomicFile, WhatOnlyHasTheNameOfATemporaryStays) {
  write_file(dir / "target", "whole");
  ASSERT_EQ(::mkfifo((path + ".tmp.1.0").c_str(), 0600), 0);
  std::filesystem::create_symlink(dir / "target", path + ".tmp.1.1");
  std::filesystem::create_directory(path + ".tmp.1.2");
  save("one");
  EXPECT_EQ(dir.count(), 5u);
  EXPECT_EQ(read_file(dir / "target"), "whole");
}

TEST_P(AtomicFile, TakesMoreThanOneGibibyteAtOnce) {
  // Pages that nobody ever reads, since they go nowhere.
  const size_t n = (size_t{1} << 30) + (1 << 20);
  void* const pages = ::mmap(nullptr, n, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  io::AtomicFile file("/dev/null");
  file.write(pages, n);
  EXPECT_EQ(file.position(), n);
  file.commit();
  ::munmap(pages, n);
}

TEST_P(AtomicFile, WorksInAProcessThatClosedItsStandardInput) {
  const std::string dead = path + ".tmp.1.0";
  write_file(dead, "half");
  const int kept = ::dup(0);
  ::close(0);
  save("one");
  const bool closed = ::fcntl(0, F_GETFD) == -1;
  if (kept >= 0) ::dup2(kept, 0), ::close(kept);
  EXPECT_TRUE(closed);
  EXPECT_EQ(read_file(path), "one");
  EXPECT_EQ(dir.count(), 1u);
}

TEST_P(AtomicFile, KeepsModesAndFollowsLinks) {
  save("one");
  ::chmod(path.c_str(), 0640);
  ASSERT_EQ(::symlink("x", (dir / "link").c_str()), 0);
  ASSERT_EQ(::symlink("later", (dir / "dangling").c_str()), 0);
  io::save_bytes("two", dir / "link");
  io::save_bytes("three", dir / "dangling");
  struct stat info {};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0640u);
  EXPECT_EQ(read_file(path), "two");
  EXPECT_EQ(read_file(dir / "later"), "three");
  EXPECT_TRUE(std::filesystem::is_symlink(dir / "link") && std::filesystem::is_symlink(dir / "dangling"));
  io::save_bytes("four", "/dev/null");
  expect_error<FileError>([&] { io::save_bytes("four", "/dev/full"); }, {"/dev/full", "No space"});
  expect_error<FileError>([&] { io::save_bytes("four", dir.path()); }, {"directory"});
}

TEST_P(AtomicFile, AZeroByteInANameIsAnError) {
  const std::string name = path + std::string("\0b", 2);
  expect_error<ValueError>([&] { io::save_bytes("one", name); }, {"null byte"});
  expect_error<ValueError>([&] { io::load_npy(name); }, {"null byte"});
  EXPECT_EQ(dir.count(), 0u);
}

}  // namespace taut::test
