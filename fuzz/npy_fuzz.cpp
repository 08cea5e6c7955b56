// NumPy's .npy.
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return fuzz(data, size, [](const uint8_t* bytes, size_t n) { touch(taut::io::parse_npy(bytes, n)); });
}
