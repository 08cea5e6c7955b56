// Safetensors: whatever is accepted must survive being written and read again.
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return fuzz(data, size, [](const uint8_t* bytes, size_t n) {
    const auto file = taut::io::parse_safetensors(bytes, n);
    touch(file.tensors);
    const std::string text = taut::io::format_safetensors(file.tensors, file.metadata);
    const auto again = taut::io::parse_safetensors(text.data(), text.size());
    require(again.metadata == file.metadata && again.tensors.keys() == file.tensors.keys());
    require(taut::io::format_safetensors(again.tensors, again.metadata) == text);
  });
}
