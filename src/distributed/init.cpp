// How processes meet, and the group of all of them.
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>

#include "distributed/load.h"
#include "taut/distributed.h"

namespace taut::distributed {
namespace {

std::shared_ptr<ProcessGroup>& world() {
  static auto* group = new std::shared_ptr<ProcessGroup>;
  return *group;
}

std::string variable(const char* name, const char* what) {
  const char* value = std::getenv(name);
  check<ValueError>(value != nullptr && *value,
                    "Error initializing torch.distributed using env:// rendezvous: environment variable ", name,
                    " expected, but not set: ", what, ". Start the program with taut-run, or set it");
  return value;
}
int64_t number(const std::string& text, const char* what) {
  size_t end = 0;
  int64_t n = -1;
  try {
    n = std::stoll(text, &end);
  } catch (const std::exception&) {
    end = 0;
  }
  check<ValueError>(end == text.size() && end > 0, what, ": '", text, "' is no number");
  return n;
}
/// rank=1&world_size=2 behind a '?'.
void read_query(std::string& method, int& rank, int& world_size) {
  const size_t mark = method.find('?');
  if (mark == std::string::npos) return;
  std::string query = method.substr(mark + 1);
  method.resize(mark);
  while (!query.empty()) {
    const size_t end = std::min(query.find('&'), query.size()), equals = query.find('=');
    check<ValueError>(equals < end, "the address '", method, "?", query, "' ends in something that is no name=value");
    const std::string name = query.substr(0, equals), value = query.substr(equals + 1, end - equals - 1);
    if (name == "rank" && rank < 0) rank = static_cast<int>(number(value, "rank"));
    if (name == "world_size" && world_size < 0) world_size = static_cast<int>(number(value, "world_size"));
    query.erase(0, end + 1);
  }
}

/// Was this started by mpirun and its kin, with nothing said of ranks or of where to meet?
bool started_by_mpi() {
  if (std::getenv("RANK") || std::getenv("MASTER_ADDR")) return false;
  return std::getenv("OMPI_COMM_WORLD_RANK") || std::getenv("PMI_RANK") || std::getenv("PMIX_RANK");
}
/// MPI knows who is who; the store is on rank 0.
std::shared_ptr<Store> meet_by_mpi(int& rank, int& world_size, Milliseconds timeout) {
  TellAll tell = nullptr;
  find_world(rank, world_size, tell);
  char text[HOST_NAME_MAX + 16] = "";
  std::shared_ptr<TCPStore> store;
  if (rank == 0) {
    const char* here = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    char host[HOST_NAME_MAX + 1] = "127.0.0.1";
    if (!here || number(here, "OMPI_COMM_WORLD_LOCAL_SIZE") != world_size) gethostname(host, sizeof host);
    store = std::make_shared<TCPStore>(host, 0, world_size, true, timeout, false);
    std::snprintf(text, sizeof text, "%s %d", host, store->port());
  }
  tell(text, sizeof text);
  if (store) return store;
  const std::string place = text;
  const size_t space = place.rfind(' ');
  return std::make_shared<TCPStore>(place.substr(0, space),
                                    static_cast<uint16_t>(number(place.substr(space + 1), "port")), world_size, false,
                                    timeout);
}

}  // namespace

std::shared_ptr<Store> rendezvous(const std::string& init_method, int& rank, int& world_size, Milliseconds timeout) {
  std::string method = init_method;
  read_query(method, rank, world_size);
  const auto need = [&](int value, const char* name) {
    check<ValueError>(value >= 0, "Error initializing torch.distributed using ", method.substr(0, method.find(':') + 3),
                      " rendezvous: ", name, " parameter missing");
  };
  if (method == "env://" || method == "env:") {
    if (rank < 0 && started_by_mpi()) return meet_by_mpi(rank, world_size, timeout);
    if (rank < 0) rank = static_cast<int>(number(variable("RANK", "which of the processes this is"), "RANK"));
    if (world_size < 0)
      world_size = static_cast<int>(number(variable("WORLD_SIZE", "how many processes there are"), "WORLD_SIZE"));
    const std::string host = variable("MASTER_ADDR", "the host of rank 0");
    const int64_t port = number(variable("MASTER_PORT", "a port of that host that is free"), "MASTER_PORT");
    check<ValueError>(port > 0 && port < 65536, "MASTER_PORT: ", port, " is no port");
    // A launcher that holds the store itself says so.
    const char* agent = std::getenv("TORCHELASTIC_USE_AGENT_STORE");
    const bool held = agent && std::string(agent) == "True";
    auto store =
        std::make_shared<TCPStore>(host, static_cast<uint16_t>(port), world_size, rank == 0 && !held, timeout, !held);
    if (!held) return store;
    const char* attempt = std::getenv("TORCHELASTIC_RESTART_COUNT");
    return std::make_shared<PrefixStore>(str("attempt ", attempt ? attempt : "0"), store);
  }
  if (method.starts_with("tcp://")) {
    need(rank, "rank"), need(world_size, "world_size");
    const size_t colon = method.rfind(':');
    check<ValueError>(colon > 5, "init_method: ", method, " has no port: write tcp://host:port");
    std::string host = method.substr(6, colon - 6);
    if (host.size() > 1 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
    const int64_t port = number(method.substr(colon + 1), "port");
    check<ValueError>(port > 0 && port < 65536 && !host.empty(), "init_method: ", method,
                      " names no port of a host: write tcp://host:port");
    return std::make_shared<TCPStore>(host, static_cast<uint16_t>(port), world_size, rank == 0, timeout);
  }
  if (method.starts_with("file://")) {
    need(rank, "rank"), need(world_size, "world_size");
    check<ValueError>(method.size() > 7, "Error initializing torch.distributed using file:// rendezvous: path missing");
    return std::make_shared<FileStore>(method.substr(7), world_size, timeout);
  }
  throw Error(str("No rendezvous handler for ", method.substr(0, method.find("://") + 3),
                  ": there are env://, tcp:// and file://"));
}

void init_process_group(const std::string& backend, std::shared_ptr<Store> store, int rank, int world_size,
                        Milliseconds timeout) {
  check<ValueError>(!world(), "trying to initialize the default process group twice!");
  check<ValueError>(rank >= 0 && world_size > 0, "init_process_group: with a store, rank and world_size must be given");
  world() = std::make_shared<ProcessGroup>(backend, std::move(store), rank, world_size, timeout);
}
void init_process_group(const std::string& backend, const std::string& init_method, int rank, int world_size,
                        Milliseconds timeout) {
  check<ValueError>(!world(), "trying to initialize the default process group twice!");
  auto store = rendezvous(init_method, rank, world_size, timeout);
  init_process_group(backend, std::move(store), rank, world_size, timeout);
}
void destroy_process_group() {
  check<ValueError>(world() != nullptr,
                    "Default process group has not been initialized, please make sure to call init_process_group.");
  world().reset();
}
bool is_initialized() { return world() != nullptr; }
const std::shared_ptr<ProcessGroup>& default_group() {
  check<ValueError>(world() != nullptr,
                    "Default process group has not been initialized, please make sure to call init_process_group.");
  return world();
}
int get_rank() { return default_group()->rank(); }
int get_world_size() { return default_group()->size(); }
void all_reduce(const Tensor& tensor, ReduceOp op) { default_group()->allreduce(tensor, op)->wait(); }
void broadcast(const Tensor& tensor, int src) { default_group()->broadcast(tensor, src)->wait(); }
void barrier() { default_group()->barrier()->wait(); }

}  // namespace taut::distributed
