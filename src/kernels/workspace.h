// Memory for the length of a kernel call, from the caching allocator.
#pragma once
#include <cstddef>
#include <cstdint>

#include "core/allocator.h"

namespace taut::kernels {

/// `count` elements, 64-byte aligned, uninitialised.
template <class T>
class Workspace {
 public:
  explicit Workspace(int64_t count)
      : bytes_(static_cast<size_t>(count) * sizeof(T)), data_(static_cast<T*>(allocate(bytes_))) {}
  ~Workspace() { deallocate(data_, bytes_); }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  T* data() const { return data_; }

 private:
  size_t bytes_;
  T* data_;
};

}  // namespace taut::kernels
