// What every fuzzer shares: an input may be refused with one of our own exceptions, and with nothing else.
#pragma once
#include <cstdint>
#include <cstdlib>

#include "taut/taut.h"

/// `read` gets the bytes; afterwards every tensor it returns is touched.
template <class F>
int fuzz(const uint8_t* data, size_t size, F read) {
  try {
    read(data, size);
  } catch (const taut::Error&) {}
  return 0;
}

inline void require(bool ok) {
  if (!ok) std::abort();
}

/// Reads all elements, so that memory that is not there shows.
inline void touch(const taut::Tensor& t) {
  require(t.defined());
  if (t.numel() > 0 && t.numel() < (1 << 22)) require(t.contiguous().nbytes() > 0);
}
inline void touch(const taut::OrderedDict<std::string, taut::Tensor>& tensors) {
  for (const auto& item : tensors) touch(item.value());
}
