// A child process with its three streams; one poll loop feeds and drains them, so neither side can block the other.
#include "report/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "taut/core/error.h"

extern char** environ;

namespace taut::report {

namespace {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& o) noexcept : fd_(std::exchange(o.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& o) noexcept {
    std::swap(fd_, o.fd_);
    return *this;
  }
  ~Descriptor() { close(); }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  int get() const { return fd_; }

 private:
  int fd_ = -1;
};

/// Sockets, not pipes: a write to a child that is gone is then an error and no signal.
std::pair<Descriptor, Descriptor> channel() {
  int fds[2];
  check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0,
        "no channel to a child process: ", std::strerror(errno));
  return {Descriptor(fds[0]), Descriptor(fds[1])};
}

/// Reads what is there; closes at the end of the stream.
void drain(Descriptor& fd, std::string& into) {
  char buffer[16384];
  const ssize_t n = read(fd.get(), buffer, sizeof buffer);
  if (n > 0) into.append(buffer, static_cast<size_t>(n));
  else if (n == 0 || errno != EINTR) fd.close();
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& arguments, const std::string& input,
                          std::chrono::milliseconds patience) {
  auto [in, child_in] = channel();
  auto [out, child_out] = channel();
  auto [err, child_err] = channel();
  std::vector<char*> argv;
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, child_in.get(), 0);
  posix_spawn_file_actions_adddup2(&actions, child_out.get(), 1);
  posix_spawn_file_actions_adddup2(&actions, child_err.get(), 2);
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ProcessResult result;
  if (error == ENOENT || error == EACCES) return result;
  check(error == 0, "cannot start '", arguments[0], "': ", std::strerror(error));
  result.found = true;
  child_in.close();
  child_out.close();
  child_err.close();

  const auto end = std::chrono::steady_clock::now() + patience;
  size_t sent = 0;
  if (input.empty()) in.close();
  while (out.get() >= 0 || err.get() >= 0) {
    pollfd fds[] = {{in.get(), POLLOUT, 0}, {out.get(), POLLIN, 0}, {err.get(), POLLIN, 0}};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
      result.timed_out = true;
      kill(pid, SIGKILL);
      break;
    }
    const int ready = poll(fds, 3, static_cast<int>(left.count()));
    if (ready < 0 && errno != EINTR) break;
    if (ready <= 0) continue;
    if (fds[0].revents) {
      const ssize_t n = send(in.get(), input.data() + sent, input.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n > 0) sent += static_cast<size_t>(n);
      if ((n < 0 && errno != EINTR && errno != EAGAIN) || sent == input.size()) in.close();
    }
    if (fds[1].revents) drain(out, result.out);
    if (fds[2].revents) drain(err, result.err);
  }
  in.close();
  while (waitpid(pid, &result.status, 0) < 0 && errno == EINTR) continue;
  return result;
}

}  // namespace taut::report
