// The link by MPI, where a cluster has one. Of MPI only messages between two ranks are used.
#define OMPI_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#include <mpi.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "distributed/link.h"

namespace taut::distributed {
namespace {

void check(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int n = 0;
  MPI_Error_string(code, text, &n);
  throw std::runtime_error(std::string(what) + ": " + text);
}

/// Starts MPI, unless the program has, and ends it with the program.
void start() {
  static const bool started = [] {
    int already = 0, level = 0;
    MPI_Initialized(&already);
    if (already) {
      MPI_Query_thread(&level);
    } else {
      check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level), "MPI_Init_thread");
      std::atexit([] {
        int ended = 0;
        MPI_Finalized(&ended);
        if (!ended) MPI_Finalize();
      });
    }
    if (level < MPI_THREAD_MULTIPLE) throw std::runtime_error("this MPI does not let several threads call it at once");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    return true;
  }();
  (void)started;
}

/// So many bytes, as one element: a count is an int.
class Bytes {
 public:
  explicit Bytes(size_t n) : count_(static_cast<int>(n)) {
    if (n <= INT_MAX) return;
    constexpr size_t kBlock = 1 << 20;
    MPI_Datatype block;
    MPI_Type_contiguous(kBlock, MPI_BYTE, &block);
    const int lengths[] = {static_cast<int>(n / kBlock), static_cast<int>(n % kBlock)};
    const MPI_Aint places[] = {0, static_cast<MPI_Aint>(n / kBlock * kBlock)};
    const MPI_Datatype types[] = {block, MPI_BYTE};
    MPI_Type_create_struct(2, lengths, places, types, &type_);
    MPI_Type_commit(&type_);
    MPI_Type_free(&block);
    count_ = 1;
  }
  ~Bytes() {
    if (type_ != MPI_BYTE) MPI_Type_free(&type_);
  }
  Bytes(const Bytes&) = delete;
  int count() const { return count_; }
  MPI_Datatype type() const { return type_; }

 private:
  int count_;
  MPI_Datatype type_ = MPI_BYTE;
};

class MpiTransfer final : public Link::Transfer {
 public:
  explicit MpiTransfer(bool receives) : receives_(receives) {}
  ~MpiTransfer() override {
    if (request == MPI_REQUEST_NULL) return;
    if (receives_) MPI_Cancel(&request);
    MPI_Request_free(&request);
  }
  bool wait(int* source) override {
    for (int turns = 0;; ++turns) {
      int done = 0;
      MPI_Status status;
      check(MPI_Test(&request, &done, &status), "MPI_Test");
      if (done) {
        if (source) *source = status.MPI_SOURCE;
        return true;
      }
      if (woken_.exchange(false)) return false;
      if (turns > 1000) std::this_thread::sleep_for(std::chrono::microseconds(50));
      else std::this_thread::yield();
    }
  }
  void wake() override { woken_ = true; }
  MPI_Request request = MPI_REQUEST_NULL;

 private:
  bool receives_;
  std::atomic<bool> woken_{false};
};

class MpiLink final : public Link {
 public:
  explicit MpiLink(const Rendezvous& at) {
    start();
    int mine = 0;
    check(MPI_Comm_rank(MPI_COMM_WORLD, &mine), "MPI_Comm_rank");
    at.set("mpi/" + std::to_string(at.rank), std::to_string(mine));
    std::vector<int> ranks;
    for (int r = 0; r < at.size; ++r) ranks.push_back(std::stoi(at.get("mpi/" + std::to_string(r))));
    MPI_Group world, group;
    check(MPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
    check(MPI_Group_incl(world, at.size, ranks.data(), &group), "MPI_Group_incl");
    check(MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &comm_), "MPI_Comm_create_group");
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  }
  // Freeing a communicator waits for all its ranks, of which one may be dead: MPI's end frees it.
  std::unique_ptr<Transfer> send(int to, uint64_t slot, const void* data, size_t bytes) override {
    auto transfer = std::make_unique<MpiTransfer>(false);
    const Bytes size(bytes);
    check(MPI_Isend(data, size.count(), size.type(), to, tag(slot), comm_, &transfer->request), "MPI_Isend");
    return transfer;
  }
  std::unique_ptr<Transfer> receive(const std::vector<int>& from, uint64_t slot, void* data, size_t bytes) override {
    auto transfer = std::make_unique<MpiTransfer>(true);
    const Bytes size(bytes);
    const int source = from.size() == 1 ? from[0] : MPI_ANY_SOURCE;
    check(MPI_Irecv(data, size.count(), size.type(), source, tag(slot), comm_, &transfer->request), "MPI_Irecv");
    return transfer;
  }

 private:
  /// A tag has 30 bits to use: those of messages and those of collectives, which come round after four million.
  static int tag(uint64_t slot) { return static_cast<int>((slot & ((1u << 29) - 1)) | (slot >> 63 ? 1u << 29 : 0u)); }
  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace
}  // namespace taut::distributed

extern "C" [[gnu::visibility("default")]] taut::distributed::Link* taut_link(const taut::distributed::Rendezvous& at) {
  return new taut::distributed::MpiLink(at);
}
extern "C" [[gnu::visibility("default")]] void taut_world(int* rank, int* size) {
  taut::distributed::start();
  taut::distributed::check(MPI_Comm_rank(MPI_COMM_WORLD, rank), "MPI_Comm_rank");
  taut::distributed::check(MPI_Comm_size(MPI_COMM_WORLD, size), "MPI_Comm_size");
}
extern "C" [[gnu::visibility("default")]] void taut_tell(char* text, int n) {
  taut::distributed::check(MPI_Bcast(text, n, MPI_CHAR, 0, MPI_COMM_WORLD), "MPI_Bcast");
}
