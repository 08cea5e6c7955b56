// Reading and writing safetensors files.
#include "taut/io/safetensors.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "io/bytes.h"
#include "io/input.h"
#include "io/named.h"
#include "io/output.h"
#include "io/safetensors_header.h"
#include "io/safetensors_write.h"

namespace taut::io {

namespace {

constexpr const char* kFormat = "safetensors";
constexpr uint64_t kSlack = 1 << 20;
constexpr uint64_t kMetadataNode = 160;  // bytes that one entry of the metadata map costs

/// As many entries of metadata as fit into the memory a file of this size may cost; a header of empty texts could
/// otherwise ask for twenty times its own size.
bool metadata_fits(uint64_t entries, uint64_t file_size) { return entries <= (file_size + kSlack) / kMetadataNode; }

// Compact, since a hostile header may hold millions: smaller than the shortest entry.
struct Range {
  uint64_t begin, end, hash, name_at;
};

/// The ranges of the data must follow each other from the first byte to the last, and no name may occur twice.
void check_ranges(const Input& in, uint64_t header, std::vector<Range>& ranges) {
  const uint64_t data = in.size() - 8 - header;
  auto name = [&](const Range& r) { return shortened(name_in_header(in, header, r.name_at)); };
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
    return std::tie(a.begin, a.end, a.name_at) < std::tie(b.begin, b.end, b.name_at);
  });
  uint64_t at = 0;
  for (size_t i = 0; i < ranges.size(); ++i) {
    const Range& r = ranges[i];
    if (r.end > data)
      in.fail(kFormat, "tensor '", name(r), "' ends at byte ", r.end, " of the data, which has only ", data);
    if (r.begin < at) in.fail(kFormat, "tensors '", name(ranges[i - 1]), "' and '", name(r), "' overlap");
    if (r.begin > at)
      in.fail(kFormat, "bytes ", at, " to ", r.begin, " before tensor '", name(r), "' belong to no tensor");
    at = r.end;
  }
  if (at != data) in.fail(kFormat, data - at, " bytes after the last tensor belong to no tensor");

  std::sort(ranges.begin(), ranges.end(),
            [](const Range& a, const Range& b) { return std::tie(a.hash, a.name_at) < std::tie(b.hash, b.name_at); });
  for (size_t i = 0; i < ranges.size(); ++i) {
    // Equal hashes are nearly always equal names, and then this ends at the first.
    for (size_t j = i + 1; j < ranges.size() && ranges[j].hash == ranges[i].hash; ++j) {
      check<FormatError>(j - i < 4, in.name(), " is not a valid safetensors file: its names are made to collide");
      if (name_in_header(in, header, ranges[i].name_at) == name_in_header(in, header, ranges[j].name_at))
        in.fail(kFormat, "tensor '", name(ranges[i]), "' occurs twice");
    }
  }
}

Safetensors load(const Input& in) {
  const uint64_t header = header_size(in);
  // First only look, in constant memory; then the ranges, in less than the header's; then the tensors.
  uint64_t entries = 0, metadata = 0;
  parse_header(in, header, /*keep_text=*/false,
               {[&](HeaderEntry&) { ++entries; }, [&](std::string&, std::string&) { ++metadata; }});
  if (!metadata_fits(metadata, in.size()))
    in.fail(kFormat, "it has ", metadata, " entries of metadata, too many for its size");
  {
    std::vector<Range> ranges;
    ranges.reserve(entries);
    parse_header(in, header, false,
                 {[&](HeaderEntry& e) {
                    ranges.push_back({e.begin, e.end, e.name_hash, e.name_at});
                  },
                  {}});
    check_ranges(in, header, ranges);
  }
  Safetensors file;
  file.tensors = TensorDict("Tensor");
  file.tensors.reserve(entries);
  parse_header(in, header, /*keep_text=*/true,
               {[&](HeaderEntry& e) {
                  file.tensors.insert(std::move(e.name), in.tensor(8 + header + e.begin, e.shape, e.dtype));
                },
                [&](std::string& key, std::string& value) {
                  if (file.metadata.contains(key))
                    in.fail(kFormat, "the metadata of '", shortened(key), "' occurs twice");
                  file.metadata.emplace(std::move(key), std::move(value));
                }});
  return file;
}

// ---- Writing.

void put_json(std::string& out, const std::string& s) {
  out += '"';
  for (char c : s) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr char hex[] = "0123456789abcdef";
      out += "\\u00";
      out += hex[c >> 4];
      out += hex[c & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

std::string header_text(const TensorDict& tensors, const std::vector<size_t>& order, const Metadata& metadata) {
  std::vector<uint64_t> begin(tensors.size());
  uint64_t at = 0;
  for (size_t i : order) begin[i] = std::exchange(at, at + tensors[i].value().nbytes());
  std::string text = "{";
  auto comma = [&] {
    if (text.size() > 1) text += ',';
  };
  if (!metadata.empty()) {
    text += "\"__metadata__\":{";
    bool first = true;
    for (const auto& [key, value] : metadata) {
      check<ValueError>(is_utf8(key.data(), key.size()) && is_utf8(value.data(), value.size()),
                        "save: the metadata of '", shortened(key), "' is not UTF-8");
      if (!std::exchange(first, false)) text += ',';
      put_json(text, key);
      text += ':';
      put_json(text, value);
    }
    text += '}';
  }
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& t = tensors[i].value();
    comma();
    put_json(text, tensors[i].key());
    check<TypeError>(*safetensors_dtype(t.scalar_type()), "save: the format safetensors has no ", t.scalar_type(),
                     ": tensor '", tensors[i].key(), "'. Convert it with .to(taut::kComplexFloat), or save it as .pt.");
    text += str(":{\"dtype\":\"", safetensors_dtype(t.scalar_type()), "\",\"shape\":[");
    for (int64_t d = 0; d < t.dim(); ++d) text += (d ? "," : "") + std::to_string(t.size(d));
    text += "],\"data_offsets\":[" + std::to_string(begin[i]) + ',' + std::to_string(begin[i] + t.nbytes()) + "]}";
  }
  text += '}';
  // The data starts at a multiple of 64 in the file, so that a reader can use it in place.
  text.append((64 - (text.size() + 8) % 64) % 64, ' ');
  return text;
}

}  // namespace

void write_safetensors(Output& out, const TensorDict& tensors, const Metadata& metadata) {
  for (const auto& item : tensors) {
    check_named_tensor(item.key(), item.value());
    check<ValueError>(item.key() != "__metadata__", "save: a tensor cannot be called '__metadata__'");
    check<ValueError>(is_utf8(item.key().data(), item.key().size()), "save: the name '", item.key(), "' is not UTF-8");
    check<ValueError>(item.value().dim() <= static_cast<int64_t>(kMaxDims), "save: tensor '", item.key(), "' has ",
                      item.value().dim(), " dimensions; at most ", kMaxDims, " can be saved");
  }
  // Large elements first, so that every tensor is aligned for its own.
  std::vector<size_t> order(tensors.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return tensors[a].value().element_size() > tensors[b].value().element_size();
  });
  const std::string header = header_text(tensors, order, metadata);
  uint64_t size = 8 + header.size();
  for (const auto& item : tensors) size += item.value().nbytes();
  check<ValueError>(header.size() <= kMaxHeader, "save: the names, shapes and metadata take ", header.size(),
                    " bytes; the format allows ", kMaxHeader);
  check<ValueError>(metadata_fits(metadata.size(), size), "save: ", metadata.size(),
                    " entries of metadata are too many for a file of ", size, " bytes");
  const uint64_t length = header.size();
  out.write(&length, sizeof length);
  out.write(header);
  for (size_t i : order) write_elements(out, tensors[i].value());
}

Safetensors load_safetensors(const std::string& path, LoadOptions options) { return load(Input::open(path, options)); }

Safetensors parse_safetensors(const void* data, size_t size, const std::string& name) {
  return load(Input::memory(data, size, name));
}

void save_safetensors(const TensorDict& tensors, const std::string& path, const Metadata& metadata) {
  AtomicFile file(path);
  write_safetensors(file, tensors, metadata);
  file.commit();
}

std::string format_safetensors(const TensorDict& tensors, const Metadata& metadata) {
  StringOutput out;
  write_safetensors(out, tensors, metadata);
  return std::move(out.text);
}

}  // namespace taut::io
