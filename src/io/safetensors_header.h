// The header of a safetensors file: a JSON text of fixed shape, parsed as a stream.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "io/input.h"

namespace taut::io {

constexpr uint64_t kMaxHeader = 100'000'000;  // the format's own limit

/// What the header says about one tensor.
struct HeaderEntry {
  std::string name;  // empty unless names were asked for
  uint64_t name_hash = 0;
  uint64_t name_at = 0;  // where the name's text starts in the file
  ScalarType dtype = ScalarType::Undefined;
  std::vector<int64_t> shape;
  uint64_t begin = 0, end = 0;  // in the data that follows the header
};

struct HeaderEvents {
  std::function<void(HeaderEntry&)> tensor;
  std::function<void(std::string& key, std::string& value)> metadata;  // empty strings unless names were asked for
};

/// Where the header's text lies: [8, 8 + result). Checks its length against the file and the limit.
uint64_t header_size(const Input& in);
/// Reads the header from start to end and reports what it finds; throws FormatError at the first thing that is wrong.
/// With `keep_text` false, names and metadata are checked and hashed but not kept, so that no memory is needed.
void parse_header(const Input& in, uint64_t size, bool keep_text, const HeaderEvents& events);
/// The name whose text starts at `at`.
std::string name_in_header(const Input& in, uint64_t size, uint64_t at);

}  // namespace taut::io
