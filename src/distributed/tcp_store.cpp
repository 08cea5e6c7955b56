// The store over TCP. A message is its length and texts, each preceded by theirs. The server is one thread; whoever
// waits for a key is answered when it comes, or when the time is over.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <thread>

#include "core/interrupt.h"
#include "distributed/table.h"

namespace taut::distributed {
namespace {

using Clock = std::chrono::steady_clock;
constexpr uint32_t kLongest = 1u << 30;
constexpr auto kAnswers = Milliseconds(5000);  // a server that has not answered by then is dead or frozen
constexpr char kHello[] = "taut store 1";

enum Request : char {
  Hello = 'h',
  Set = 's',
  Get = 'g',
  Add = 'a',
  Compare = 'c',
  Append = 'p',
  Delete = 'd',
  Check = 'k',
  Count = 'n',
  Wait = 'w'
};
enum Answer : char { Ok = 'o', TimedOut = 't', Failed = 'f' };

std::string packed(char what, const std::vector<std::string>& texts) {
  std::string body(1, what);
  for (const std::string& text : texts) {
    const auto n = static_cast<uint32_t>(text.size());
    body.append(reinterpret_cast<const char*>(&n), sizeof n).append(text);
  }
  const auto n = static_cast<uint32_t>(body.size());
  return std::string(reinterpret_cast<const char*>(&n), sizeof n) + body;
}
std::vector<std::string> unpacked(std::string_view body) {
  std::vector<std::string> texts;
  for (size_t at = 1; at < body.size();) {
    uint32_t n;
    check<DistNetworkError>(at + sizeof n <= body.size(), "a message of a store is damaged");
    std::memcpy(&n, body.data() + at, sizeof n);
    at += sizeof n;
    check<DistNetworkError>(n <= body.size() - at, "a message of a store is damaged");
    texts.emplace_back(body.substr(at, n));
    at += n;
  }
  return texts;
}

void configure(int socket) {
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

struct Addresses {
  addrinfo* list = nullptr;
  ~Addresses() {
    if (list) freeaddrinfo(list);
  }
};

std::string address_of(const sockaddr_storage& address) {
  char text[INET6_ADDRSTRLEN] = {};
  if (address.ss_family == AF_INET)
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in&>(address).sin_addr, text, sizeof text);
  else inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6&>(address).sin6_addr, text, sizeof text);
  const std::string found = text;
  return found.starts_with("::ffff:") ? found.substr(7) : found;
}

}  // namespace

class StoreServer {
 public:
  explicit StoreServer(uint16_t port) {
    check<DistNetworkError>(pipe2(wake_, O_CLOEXEC | O_NONBLOCK) == 0, "TCPStore: no pipe: ", std::strerror(errno));
    listen_ = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_storage address{};
    socklen_t length = 0;
    const int on = 1, off = 0;
    if (listen_ >= 0) {
      setsockopt(listen_, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
      auto& six = reinterpret_cast<sockaddr_in6&>(address);
      six.sin6_family = AF_INET6, six.sin6_addr = in6addr_any, six.sin6_port = htons(port), length = sizeof six;
    } else {  // a host without IPv6
      listen_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      auto& four = reinterpret_cast<sockaddr_in&>(address);
      four.sin_family = AF_INET, four.sin_addr.s_addr = INADDR_ANY, four.sin_port = htons(port), length = sizeof four;
    }
    setsockopt(listen_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (listen_ < 0 || bind(listen_, reinterpret_cast<sockaddr*>(&address), length) != 0 ||
        listen(listen_, 1024) != 0) {
      const std::string reason = std::strerror(errno);
      close_all();
      throw DistNetworkError(str("The server socket has failed to listen on any local network address. port: ", port,
                                 ", useIpv6: false, code: ", -errno, ", name: EADDRINUSE, message: ", reason,
                                 ". Another program, or a run of this one that has not ended, may hold the port: "
                                 "choose another MASTER_PORT."));
    }
    length = sizeof address;
    getsockname(listen_, reinterpret_cast<sockaddr*>(&address), &length);
    port_ = ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(address).sin6_port
                                                : reinterpret_cast<sockaddr_in&>(address).sin_port);
    thread_ = std::thread([this] { run(); });
  }
  ~StoreServer() {
    stop_ = true;
    [[maybe_unused]] const auto n = write(wake_[1], "x", 1);
    thread_.join();
    close_all();
  }
  uint16_t port() const { return port_; }

 private:
  struct Client {
    int socket = -1;
    std::string in, out;
    bool greeted = false, gone = false;
    std::vector<std::string> awaited;  // the keys it waits for
    bool wants_value = false;          // of the first of them
    Clock::time_point until{};
  };
  void close_all() {
    for (const Client& client : clients_) close(client.socket);
    for (const int file : {listen_, wake_[0], wake_[1]})
      if (file >= 0) close(file);
  }
  void run() {
    while (!stop_) {
      std::vector<pollfd> files{{wake_[0], POLLIN, 0}, {listen_, POLLIN, 0}};
      auto patience = Milliseconds(60000);
      const auto now = Clock::now();
      for (const Client& c : clients_) {
        files.push_back({c.socket, static_cast<short>(POLLIN | (c.out.empty() ? 0 : POLLOUT)), 0});
        if (!c.awaited.empty()) patience = std::min(patience, std::chrono::ceil<Milliseconds>(c.until - now));
      }
      if (poll(files.data(), files.size(), static_cast<int>(std::max<int64_t>(patience.count(), 0))) < 0 &&
          errno != EINTR)
        return;
      for (size_t i = 0; i < clients_.size(); ++i) serve(clients_[i], files[i + 2].revents);
      if (files[1].revents) accept_one();
      answer_waiting();
      std::erase_if(clients_, [](const Client& c) {
        if (c.gone) close(c.socket);
        return c.gone;
      });
    }
  }
  void accept_one() {
    const int socket = accept4(listen_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket < 0) return;
    configure(socket);
    clients_.emplace_back().socket = socket;
  }
  void serve(Client& c, short events) {
    if (events & POLLOUT) flush(c);
    if (!(events & (POLLIN | POLLHUP | POLLERR))) return;
    char buffer[1 << 16];
    for (;;) {
      const ssize_t n = recv(c.socket, buffer, sizeof buffer, 0);
      if (n > 0) {
        c.in.append(buffer, static_cast<size_t>(n));
        continue;
      }
      if (n == 0 || (errno != EAGAIN && errno != EINTR)) c.gone = true;
      break;
    }
    size_t at = 0;
    while (c.in.size() - at >= sizeof(uint32_t)) {
      uint32_t n;
      std::memcpy(&n, c.in.data() + at, sizeof n);
      if (n == 0 || n > kLongest || (!c.greeted && n != sizeof kHello + 4)) {  // no client of ours
        c.gone = true;
        break;
      }
      if (c.in.size() - at - sizeof n < n) break;
      handle(c, std::string_view(c.in).substr(at + sizeof n, n));
      at += sizeof n + n;
    }
    c.in.erase(0, at);
    flush(c);
  }
  void handle(Client& c, std::string_view body) {
    try {
      const std::vector<std::string> a = unpacked(body);
      const auto need = [&](size_t n) { check<DistStoreError>(a.size() == n, "a request of a store is damaged"); };
      const char what = body[0];
      if (!c.greeted) {
        if (what != Hello || a.empty() || a[0] != kHello) c.gone = true;
        c.greeted = true;
        return reply(c, Ok, "");
      }
      switch (what) {
        case Set: return need(2), table_.set(a[0], a[1]), reply(c, Ok, "");
        case Add: return need(2), reply(c, Ok, std::to_string(table_.add(a[0], std::stoll(a[1]))));
        case Compare: return need(3), reply(c, Ok, table_.compare_set(a[0], a[1], a[2]));
        case Append: return need(2), table_.append(a[0], a[1]), reply(c, Ok, "");
        case Delete: return need(1), reply(c, Ok, table_.erase(a[0]) ? "1" : "0");
        case Check: return reply(c, Ok, table_.holds(a) ? "1" : "0");
        case Count: return reply(c, Ok, std::to_string(table_.size()));
        case Get:
        case Wait:
          check<DistStoreError>(a.size() >= 1, "a request of a store is damaged");
          c.until = Clock::now() + Milliseconds(std::stoll(a[0]));
          c.wants_value = what == Get;
          c.awaited.assign(a.begin() + 1, a.end());
          if (c.awaited.empty()) reply(c, Ok, "");
          return;
        default: throw DistStoreError("a request of a store is damaged");
      }
    } catch (const std::exception& e) {
      reply(c, Failed, e.what());
    }
  }
  void answer_waiting() {
    for (Client& c : clients_) {
      if (c.awaited.empty()) continue;
      if (table_.holds(c.awaited)) reply(c, Ok, c.wants_value ? *table_.find(c.awaited[0]) : "");
      else if (Clock::now() >= c.until) reply(c, TimedOut, "");
      else continue;
      c.awaited.clear();
      flush(c);
    }
  }
  void reply(Client& c, Answer answer, const std::string& text) { c.out += packed(answer, {text}); }
  void flush(Client& c) {
    while (!c.out.empty()) {
      const ssize_t n = ::send(c.socket, c.out.data(), c.out.size(), MSG_NOSIGNAL);
      if (n < 0) {
        if (errno == EINTR) continue;
        if (errno != EAGAIN) c.gone = true;
        return;
      }
      c.out.erase(0, static_cast<size_t>(n));
    }
  }

  int listen_ = -1, wake_[2] = {-1, -1};
  uint16_t port_ = 0;
  std::atomic<bool> stop_{false};
  std::vector<Client> clients_;
  Table table_;
  std::thread thread_;
};

namespace {
/// Connects within the time; others may not have started their server yet.
int connect_to(const std::string& host, uint16_t port, Milliseconds timeout) {
  const auto end = Clock::now() + timeout;
  std::string reason;
  for (auto pause = Milliseconds(10);; pause = std::min(pause * 2, Milliseconds(500))) {
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    Addresses found;
    const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found.list);
    if (error) reason = gai_strerror(error);
    for (addrinfo* a = found.list; a; a = a->ai_next) {
      const int s = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, a->ai_protocol);
      if (s < 0) continue;
      int result = connect(s, a->ai_addr, a->ai_addrlen);
      if (result != 0 && errno == EINPROGRESS) {
        pollfd file{s, POLLOUT, 0};
        const auto left =
            std::clamp(std::chrono::ceil<Milliseconds>(end - Clock::now()), Milliseconds(1), Milliseconds(5000));
        int code = ETIMEDOUT;
        socklen_t length = sizeof code;
        if (poll(&file, 1, static_cast<int>(left.count())) == 1) getsockopt(s, SOL_SOCKET, SO_ERROR, &code, &length);
        result = code ? -1 : 0;
        errno = code;
      }
      if (result == 0) {
        fcntl(s, F_SETFL, fcntl(s, F_GETFL) & ~O_NONBLOCK);
        configure(s);
        return s;
      }
      reason = std::strerror(errno);
      close(s);
    }
    if (Clock::now() + pause > end)
      throw DistNetworkError(str("The client socket has timed out after ", timeout.count(),
                                 "ms while trying to connect to (", host, ", ", port, "): ", reason,
                                 ". Does rank 0 run, on that host, and is MASTER_PORT the same everywhere?"));
    std::this_thread::sleep_for(pause);
  }
}
}  // namespace

TCPStore::TCPStore(std::string host, uint16_t port, int64_t world_size, bool is_master, Milliseconds timeout,
                   bool wait_for_workers, std::shared_ptr<StoreServer> server)
    : Store(timeout), host_(std::move(host)), port_(port), server_(std::move(server)) {
  if (is_master) {
    server_ = std::make_shared<StoreServer>(port);
    port_ = server_->port();
  }
  socket_ = connect_to(is_master ? "localhost" : host_, port_, timeout);
  try {
    ask(Hello, {kHello}, Milliseconds(0));
    if (wait_for_workers && world_size >= 0) {
      add("\1workers", 1);
      const auto end = Clock::now() + timeout;
      while (is_master && add("\1workers", 0) < world_size) {
        if (Clock::now() > end)
          throw DistStoreError(str("Timed out after ", timeout.count() / 1000, " seconds waiting for clients. ",
                                   add("\1workers", 0), "/", world_size, " clients joined."));
        std::this_thread::sleep_for(Milliseconds(5));
      }
    }
  } catch (...) {
    close(socket_);
    throw;
  }
}
TCPStore::~TCPStore() {
  if (socket_ >= 0) close(socket_);
}

std::optional<std::string> TCPStore::ask(char what, const std::vector<std::string>& arguments, Milliseconds patience) {
  const std::lock_guard lock(mutex_);
  const auto lost = [&](const std::string& why) {
    if (socket_ >= 0) close(socket_);
    socket_ = -1;
    throw DistNetworkError(str("the store at ", host_, ":", port_, " is lost: ", why,
                               ". Has the process that holds it (rank 0, or the launcher) ended?"));
  };
  if (socket_ < 0) lost("the connection was closed before");
  const std::string message = packed(what, arguments);
  for (size_t done = 0; done < message.size();) {
    const ssize_t n = ::send(socket_, message.data() + done, message.size() - done, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) lost(std::strerror(errno));
    done += static_cast<size_t>(n);
  }
  // Longer than the server waits itself.
  const auto end = Clock::now() + patience + kAnswers;
  std::string in;
  const auto receive = [&](size_t wanted) {
    while (in.size() < wanted) {
      pollfd file{socket_, POLLIN, 0};
      const auto left = std::chrono::ceil<Milliseconds>(end - Clock::now());
      const int ready = poll(&file, 1, static_cast<int>(std::clamp<int64_t>(left.count(), 0, 1 << 30)));
      if (ready < 0 && errno == EINTR) continue;
      if (ready <= 0) lost("it does not answer");
      char buffer[1 << 14];
      const ssize_t n = recv(socket_, buffer, std::min(sizeof buffer, wanted - in.size()), 0);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) lost(n == 0 ? "it closed the connection" : std::strerror(errno));
      in.append(buffer, static_cast<size_t>(n));
    }
  };
  uint32_t length;
  receive(sizeof length);
  std::memcpy(&length, in.data(), sizeof length);
  if (length < 1 || length > kLongest) lost("its answer is damaged");
  in.clear();
  receive(length);
  const std::vector<std::string> texts = unpacked(in);
  const std::string text = texts.empty() ? "" : texts[0];
  if (in[0] == TimedOut) return std::nullopt;
  if (in[0] != Ok) throw DistStoreError(text);
  return text;
}

void TCPStore::set(const std::string& key, const std::string& value) { ask(Set, {key, value}, Milliseconds(0)); }
std::string TCPStore::get(const std::string& key) { return wait_for(Get, {key}, timeout_); }
int64_t TCPStore::add(const std::string& key, int64_t amount) {
  return std::stoll(*ask(Add, {key, std::to_string(amount)}, Milliseconds(0)));
}
std::string TCPStore::compare_set(const std::string& key, const std::string& expected, const std::string& desired) {
  return *ask(Compare, {key, expected, desired}, Milliseconds(0));
}
void TCPStore::append(const std::string& key, const std::string& value) { ask(Append, {key, value}, Milliseconds(0)); }
bool TCPStore::delete_key(const std::string& key) { return *ask(Delete, {key}, Milliseconds(0)) == "1"; }
bool TCPStore::check(const std::vector<std::string>& keys) { return *ask(Check, keys, Milliseconds(0)) == "1"; }
int64_t TCPStore::num_keys() { return std::stoll(*ask(Count, {}, Milliseconds(0))); }
void TCPStore::wait(const std::vector<std::string>& keys, Milliseconds timeout) { wait_for(Wait, keys, timeout); }
/// In short waits: other threads use the connection between them, and Ctrl-C is heard.
std::string TCPStore::wait_for(char what, const std::vector<std::string>& keys, Milliseconds timeout) {
  const auto end = Clock::now() + timeout;
  for (;;) {
    const auto left =
        std::clamp(std::chrono::ceil<Milliseconds>(end - Clock::now()), Milliseconds(0), Milliseconds(100));
    std::vector<std::string> arguments{std::to_string(left.count())};
    arguments.insert(arguments.end(), keys.begin(), keys.end());
    if (auto answer = ask(what, arguments, left)) return *answer;
    if (Clock::now() >= end) throw_store_timeout(*this, keys, timeout);
    poll_interrupt();
  }
}
std::shared_ptr<Store> TCPStore::clone() {
  return std::make_shared<TCPStore>(server_ ? "localhost" : host_, port_, -1, false, timeout_, false, server_);
}
std::string TCPStore::local_address() const {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  if (getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &length) != 0) return {};
  // The master reaches itself by the loopback; others must be told where it is.
  if (server_) {
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    Addresses found;
    if (getaddrinfo(host_.c_str(), nullptr, &wanted, &found.list) == 0 && found.list) {
      std::memcpy(&address, found.list->ai_addr, found.list->ai_addrlen);
      return address_of(address);
    }
  }
  return address_of(address);
}
std::string TCPStore::description() const { return str("TCPStore at ", host_, ":", port_); }

}  // namespace taut::distributed
