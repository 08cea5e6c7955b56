// PyTorch's .pt: the archive and the pickle in it.
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return fuzz(data, size, [](const uint8_t* bytes, size_t n) { touch(taut::io::parse_torch(bytes, n).state_dict()); });
}
