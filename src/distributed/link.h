// What carries bytes between the ranks of a group. Each kind is a library of its own beside Taut's, which knows nothing
// of Taut and is loaded when a group of its kind is made; what goes wrong comes as a std::runtime_error.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace taut::distributed {

class Link {
 public:
  /// Bytes under way.
  class Transfer {
   public:
    virtual ~Transfer() = default;
    /// True when all are there, false when wake() came first. `source`: of a receive, from whom.
    virtual bool wait(int* source) = 0;
    /// Lets a wait() return; from another thread.
    virtual void wake() = 0;
  };
  virtual ~Link() = default;
  /// `slot` tells messages between two ranks from each other.
  virtual std::unique_ptr<Transfer> send(int to, uint64_t slot, const void* data, size_t bytes) = 0;
  virtual std::unique_ptr<Transfer> receive(const std::vector<int>& from, uint64_t slot, void* data, size_t bytes) = 0;
};

/// How a link finds its peers.
struct Rendezvous {
  std::function<void(const std::string& key, const std::string& value)> set;
  std::function<std::string(const std::string& key)> get;  // waits
  std::string address;                                     // of this host, for its peers
  int rank, size;
  std::chrono::milliseconds timeout;
};
/// The function that such a library shows, by the name `taut_link`.
using MakeLink = Link* (*)(const Rendezvous&);
/// A library whose processes know each other from the start (MPI) has two more: `taut_world` says which rank this is,
/// of how many, and `taut_tell` gives to all what rank 0 has in `text`.
using FindWorld = void (*)(int* rank, int* size);
using TellAll = void (*)(char* text, int n);

}  // namespace taut::distributed
