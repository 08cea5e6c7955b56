// Reading idx files and lines of text, both plain or through gzip.
#include "taut/io/idx.h"

#include <algorithm>

#include "io/bytes.h"
#include "io/input.h"
#include "io/stream.h"
#include "taut/factories.h"

namespace taut::io {

namespace {

bool is_gzip(const Input& in) {
  uint8_t start[2] = {};
  if (in.size() < 18) return false;
  in.read(0, start, 2);
  return start[0] == 0x1f && start[1] == 0x8b;
}

struct IdxHeader {
  ScalarType dtype = ScalarType::Undefined;
  std::vector<int64_t> shape;
  uint64_t size = 0, bytes = 0;  // of the header and of the data
};

IdxHeader read_header(const Input& in, Stream& stream) {
  uint8_t magic[4];
  stream.read(magic, 4);
  if (magic[0] != 0 || magic[1] != 0) in.fail("idx", "it does not start with two zero bytes");
  IdxHeader h;
  switch (magic[2]) {
    case 0x08: h.dtype = kByte; break;
    case 0x09: h.dtype = kChar; break;
    case 0x0b: h.dtype = kShort; break;
    case 0x0c: h.dtype = kInt; break;
    case 0x0d: h.dtype = kFloat; break;
    case 0x0e: h.dtype = kDouble; break;
    default: in.fail("idx", "unknown type of elements ", int{magic[2]});
  }
  if (magic[3] > kMaxDims) in.fail("idx", "it has ", int{magic[3]}, " dimensions; at most ", kMaxDims, " are read");
  for (int d = 0; d < magic[3]; ++d) {
    uint8_t size[4];
    stream.read(size, 4);
    h.shape.push_back(load_big<uint32_t>(size));
  }
  h.size = 4 + 4 * uint64_t{magic[3]};
  const auto bytes = checked_bytes(h.shape, h.dtype);
  if (!bytes) in.fail("idx", "the size of shape ", IntArrayRef(h.shape), " overflows");
  h.bytes = *bytes;
  return h;
}

Tensor load(const Input& in) {
  if (is_gzip(in)) {
    InflateStream stream(in, 0, in.size(), InflateStream::Kind::Gzip, "its gzip stream");
    const IdxHeader h = read_header(in, stream);
    if (h.bytes / kMostInflation > in.size())
      in.fail("idx", "shape ", IntArrayRef(h.shape), " needs ", h.bytes, " bytes, more than the file can inflate to");
    const Tensor t = empty(h.shape, h.dtype);
    stream.read(t.data_ptr(), h.bytes);
    if (!stream.at_end()) in.fail("idx", "bytes follow the data");
    swap_bytes(t.data_ptr(), t.nbytes(), t.scalar_type());
    return t;
  }
  if (in.size() < 4) in.fail("idx", "it has ", in.size(), " bytes, too few for a header");
  PlainStream stream(in, 0, in.size());
  const IdxHeader h = read_header(in, stream);
  if (h.bytes > in.size() - h.size)
    in.fail("idx", "it is truncated: shape ", IntArrayRef(h.shape), " needs ", h.bytes, " bytes, but ",
            in.size() - h.size, " follow the header");
  if (h.bytes < in.size() - h.size) in.fail("idx", in.size() - h.size - h.bytes, " bytes follow the data");
  return in.tensor(h.size, h.shape, h.dtype, element_size(h.dtype) > 1);
}

std::string text_of(const Input& in) {
  if (!is_gzip(in)) return in.read_all();
  InflateStream stream(in, 0, in.size(), InflateStream::Kind::Gzip, "its gzip stream");
  std::string text, part(1 << 16, '\0');
  while (const uint64_t n = stream.read_some(part.data(), part.size())) text.append(part.data(), n);
  return text;
}

}  // namespace

Tensor read_idx(const std::string& path, LoadOptions options) { return load(Input::open(path, options)); }
Tensor parse_idx(const void* data, size_t size, const std::string& name) {
  return load(Input::memory(data, size, name));
}

std::vector<std::string> read_lines(const std::string& path) {
  const std::string text = text_of(Input::open(path));
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    const size_t next = end + 1;
    if (end > at && text[end - 1] == '\r') --end;
    lines.push_back(text.substr(at, end - at));
    at = next;
  }
  return lines;
}

}  // namespace taut::io
