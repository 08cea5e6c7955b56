// Reading and writing zip archives.
#include "io/zip.h"

#include <zlib.h>

#include <algorithm>

#include "io/bytes.h"
#include "io/named.h"
#include "taut/factories.h"

namespace taut::io {

namespace {

constexpr uint32_t kLocal = 0x04034b50, kCentral = 0x02014b50, kEnd = 0x06054b50, kEnd64 = 0x06064b50,
                   kLocator64 = 0x07064b50, kFollowing = 0x08074b50;
constexpr size_t kLocalSize = 30, kCentralSize = 46, kEndSize = 22, kEnd64Size = 56, kLocator64Size = 20;
constexpr uint64_t kMaxEntries = 1 << 24;
constexpr uint64_t kPart = 1 << 18;  // written at once, while it is in the cache for the checksum

uint16_t u16(const std::string& s, size_t at) { return load_little<uint16_t>(s.data() + at); }
uint32_t u32(const std::string& s, size_t at) { return load_little<uint32_t>(s.data() + at); }
uint64_t u64(const std::string& s, size_t at) { return load_little<uint64_t>(s.data() + at); }

template <class T>
void put(std::string& out, T v) {
  out.append(reinterpret_cast<const char*>(&v), sizeof v);
}

/// Names are UTF-8; the checksum stands before the content or follows it.
uint16_t flags_of(const ZipEntry& e) { return e.crc_follows ? 0x0808 : 0x0800; }

}  // namespace

ZipReader::ZipReader(const Input& in, const char* format) : in_(in), format_(format) { read_directory(); }

std::string ZipReader::read_end(uint64_t end_at, Directory& d) const {
  const std::string end = in_.read_string(end_at, kEndSize);
  d = {u32(end, 16), u32(end, 12), u16(end, 10)};
  if (u16(end, 4) != 0 || u16(end, 6) != 0 || u16(end, 8) != d.count)
    return "archives of several parts are not supported";
  if (end_at >= kLocator64Size) {
    const std::string locator = in_.read_string(end_at - kLocator64Size, kLocator64Size);
    if (u32(locator, 0) == kLocator64) {
      const uint64_t end64_at = u64(locator, 8);
      if (end64_at > end_at - kLocator64Size || end_at - kLocator64Size - end64_at < kEnd64Size)
        return "its zip64 end record lies outside the file";
      const std::string end64 = in_.read_string(end64_at, kEnd64Size);
      if (u32(end64, 0) != kEnd64) return "its zip64 end record is damaged";
      d = {u64(end64, 48), u64(end64, 40), u64(end64, 32)};
      end_at = end64_at;
    }
  }
  if (d.at <= end_at && d.size == end_at - d.at) return "";
  return str("its directory should be at byte ", d.at, " with ", d.size, " bytes, but must end at byte ", end_at);
}

bool ZipReader::find_first_end(Directory& d) const {
  constexpr uint64_t kChunk = 1 << 20;
  const std::string mark = "PK\5\6";
  for (uint64_t from = 0; from + kEndSize <= in_.size(); from += kChunk) {
    const std::string part = in_.read_string(from, std::min(kChunk + mark.size() - 1, in_.size() - from));
    for (size_t i = part.find(mark); i != part.npos; i = part.find(mark, i + 1))
      if (from + i + kEndSize <= in_.size() && read_end(from + i, d).empty()) return true;
  }
  return false;
}

ZipReader::Directory ZipReader::find_directory() const {
  if (in_.size() < kEndSize) in_.fail(format_, "it has ", in_.size(), " bytes, too few for a zip archive");
  // The end record is the last thing in the file, up to a comment; unless something was written after the archive.
  const uint64_t tail_size = std::min<uint64_t>(in_.size(), kEndSize + 0xffff);
  const std::string tail = in_.read_string(in_.size() - tail_size, tail_size);
  std::string why = "it does not end as a zip archive does (truncated, or of another format)";
  Directory d{};
  for (size_t i = tail.size() - kEndSize + 1; i-- > 0;) {
    if (u32(tail, i) != kEnd || i + kEndSize + u16(tail, i + 20) != tail.size()) continue;
    why = read_end(in_.size() - tail_size + i, d);
    break;
  }
  if (!why.empty() && !find_first_end(d)) in_.fail(format_, why);
  return d;
}

void ZipReader::read_directory() {
  const auto [at, size, count] = find_directory();
  if (count > size / kCentralSize || count > kMaxEntries)
    in_.fail(format_, "its directory claims ", count, " entries in ", size, " bytes");
  const std::string directory = in_.read_string(at, size);
  entries_.reserve(count);
  size_t next = 0;
  for (uint64_t n = 0; n < count; ++n) read_entry(directory, next, at);
  if (next != directory.size()) in_.fail(format_, "its directory holds more than the ", count, " entries it claims");
  place_entries(at);
  std::sort(entries_.begin(), entries_.end(), [](const ZipEntry& a, const ZipEntry& b) { return a.name < b.name; });
  for (size_t k = 1; k < entries_.size(); ++k)
    if (entries_[k].name == entries_[k - 1].name)
      in_.fail(format_, "entry '", shortened(entries_[k].name), "' occurs twice");
}

void ZipReader::read_entry(const std::string& d, size_t& at, uint64_t) {
  if (d.size() - at < kCentralSize || u32(d, at) != kCentral)
    in_.fail(format_, "entry ", entries_.size(), " of its directory is damaged");
  ZipEntry e;
  const unsigned flags = u16(d, at + 8), method = u16(d, at + 10);
  e.crc = u32(d, at + 16);
  e.compressed = u32(d, at + 20), e.size = u32(d, at + 24), e.header_at = u32(d, at + 42);
  const size_t name = u16(d, at + 28), extra = u16(d, at + 30), comment = u16(d, at + 32);
  const size_t whole = kCentralSize + name + extra + comment;
  if (d.size() - at < whole) in_.fail(format_, "entry ", entries_.size(), " of its directory is damaged");
  e.name = d.substr(at + kCentralSize, name);
  const std::string shown = shortened(e.name);
  // Numbers that did not fit are in the zip64 field, in this order.
  for (size_t x = at + kCentralSize + name, end = x + extra; end - x >= 4;) {
    const size_t id = u16(d, x), length = u16(d, x + 2);
    if (length > end - x - 4) in_.fail(format_, "entry '", shown, "' has a damaged extra field");
    if (id == 1) {
      size_t from = x + 4;
      const size_t stop = from + length;
      for (uint64_t* field : {&e.size, &e.compressed, &e.header_at}) {
        if (*field != 0xffffffff) continue;
        if (stop - from < 8) in_.fail(format_, "entry '", shown, "' has a damaged zip64 field");
        *field = u64(d, from);
        from += 8;
      }
    }
    x += 4 + length;
  }
  if (flags & 1) in_.fail(format_, "entry '", shown, "' is encrypted");
  if (method != 0 && method != 8)
    in_.fail(format_, "entry '", shown, "' is compressed by method ", method, "; stored and deflated are supported");
  e.deflated = method == 8;
  if (!e.deflated && e.compressed != e.size)
    in_.fail(format_, "entry '", shown, "' is stored, but ", e.compressed, " bytes stand for ", e.size);
  if (e.deflated && e.size / kMostInflation > e.compressed)
    in_.fail(format_, "entry '", shown, "' claims that ", e.compressed, " bytes inflate to ", e.size);
  entries_.push_back(std::move(e));
  at += whole;
}

void ZipReader::place_entries(uint64_t end) {
  std::sort(entries_.begin(), entries_.end(),
            [](const ZipEntry& a, const ZipEntry& b) { return a.header_at < b.header_at; });
  for (size_t i = 0; i < entries_.size(); ++i) {
    ZipEntry& e = entries_[i];
    // Entries may not overlap: a small file could otherwise stand for any number of large ones.
    const uint64_t limit = i + 1 < entries_.size() ? entries_[i + 1].header_at : end;
    const std::string shown = shortened(e.name);
    if (e.header_at > end || end - e.header_at < kLocalSize)
      in_.fail(format_, "entry '", shown, "' starts at byte ", e.header_at, ", outside of its place");
    const std::string local =
        in_.read_string(e.header_at, std::min<uint64_t>(kLocalSize + e.name.size(), end - e.header_at));
    const size_t name = u16(local, 26), extra = u16(local, 28);
    if (u32(local, 0) != kLocal || name != e.name.size())
      in_.fail(format_, "entry '", shown, "' has no header at byte ", e.header_at);
    e.data_at = e.header_at + kLocalSize + name + extra;
    if (e.data_at > limit || e.compressed > limit - e.data_at)
      in_.fail(format_, "entry '", shown, "' of ", e.compressed, " bytes runs into what follows it at byte ", limit,
               e.data_at > in_.size() || e.compressed > in_.size() - e.data_at ? "; the file ends before it" : "");
    if (local.compare(kLocalSize, local.npos, e.name) != 0)
      in_.fail(format_, "entry '", shown, "' has another name in its header");
  }
}

const ZipEntry* ZipReader::find(const std::string& name) const {
  const auto i = std::lower_bound(entries_.begin(), entries_.end(), name,
                                  [](const ZipEntry& e, const std::string& n) { return e.name < n; });
  return i != entries_.end() && i->name == name ? &*i : nullptr;
}

std::unique_ptr<Stream> ZipReader::open(const ZipEntry& e) const {
  if (!e.deflated) return std::make_unique<PlainStream>(in_, e.data_at, e.size);
  return std::make_unique<InflateStream>(in_, e.data_at, e.compressed, InflateStream::Kind::Raw,
                                         str("entry '", shortened(e.name), "'"));
}

std::string ZipReader::read(const ZipEntry& e, uint64_t most) const {
  if (e.size > most)
    in_.fail(format_, "entry '", shortened(e.name), "' has ", e.size, " bytes; at most ", most, " are read");
  std::string s(e.size, '\0');
  open(e)->read(s.data(), s.size());
  compare_crc(e, io::crc32(s.data(), s.size()));
  return s;
}

Tensor ZipReader::tensor(const ZipEntry& e, IntArrayRef sizes, ScalarType dtype, bool big_endian) const {
  uint32_t crc = e.crc;
  Tensor t;
  if (e.deflated) {
    t = empty(sizes, dtype);
    open(e)->read(t.data_ptr(), t.nbytes());
    crc = io::crc32(t.data_ptr(), t.nbytes());
    if (big_endian) swap_bytes(t.data_ptr(), t.nbytes(), dtype);
    normalize_bools(t);
  } else {
    t = in_.tensor(e.data_at, sizes, dtype, big_endian && element_size(dtype) > 1, &crc);
  }
  compare_crc(e, crc);
  return t;
}

void ZipReader::check_crc(const ZipEntry& e) const {
  const auto stream = open(e);
  std::string buffer(std::min<uint64_t>(e.size, 1 << 16), '\0');
  uint32_t crc = 0;
  for (uint64_t left = e.size; left > 0;) {
    const auto n = std::min<uint64_t>(left, buffer.size());
    stream->read(buffer.data(), n);
    crc = io::crc32(buffer.data(), n, crc);
    left -= n;
  }
  compare_crc(e, crc);
}

void ZipReader::compare_crc(const ZipEntry& e, uint32_t crc) const {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
  crc = e.crc;  // no fuzzer guesses a checksum
#endif
  if (crc != e.crc) in_.fail(format_, "entry '", shortened(e.name), "' is damaged: its checksum is wrong");
}

// ---- Writing.

namespace {

std::string deflated(const std::string& name, const void* data, uint64_t size) {
  z_stream z{};
  check<OutOfMemory>(deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK,
                     "save: no memory to compress '", shortened(name), "'");
  std::string packed, buffer(1 << 16, '\0');
  auto* from = static_cast<const uint8_t*>(data);
  uint64_t left = size;
  int result = Z_OK;
  while (result != Z_STREAM_END) {
    const auto n = std::min<uint64_t>(left, 1u << 30);
    z.next_in = const_cast<uint8_t*>(from);
    z.avail_in = static_cast<unsigned>(n);
    do {
      z.next_out = reinterpret_cast<uint8_t*>(buffer.data());
      z.avail_out = static_cast<unsigned>(buffer.size());
      result = ::deflate(&z, n == left ? Z_FINISH : Z_NO_FLUSH);
      packed.append(buffer.data(), buffer.size() - z.avail_out);
    } while (z.avail_out == 0 && result != Z_STREAM_END);
    from += n, left -= n;
  }
  deflateEnd(&z);
  return packed;
}
/// What an entry has both in front of its data and in the list at the end. Sizes that are `wide` stand in `extra`.
void put_entry(std::string& out, const ZipEntry& e, bool zip64, bool wide, const std::string& extra) {
  put<uint16_t>(out, zip64 ? 45 : 20);
  put<uint16_t>(out, flags_of(e));
  put<uint16_t>(out, e.deflated ? 8 : 0);
  put<uint16_t>(out, 0);       // no time: equal content gives equal files
  put<uint16_t>(out, 0x0021);  // 1980-01-01, the first day there is
  put<uint32_t>(out, e.crc);
  put<uint32_t>(out, wide ? 0xffffffff : static_cast<uint32_t>(e.compressed));
  put<uint32_t>(out, wide ? 0xffffffff : static_cast<uint32_t>(e.size));
  put<uint16_t>(out, static_cast<uint16_t>(e.name.size()));
  put<uint16_t>(out, static_cast<uint16_t>(extra.size()));
}
/// The field for what does not fit: the sizes, and where the entry is.
std::string wide_field(const ZipEntry& e, bool wide, bool far) {
  std::string field;
  if (!wide && !far) return field;
  put<uint16_t>(field, 1);
  put<uint16_t>(field, static_cast<uint16_t>((wide ? 16 : 0) + (far ? 8 : 0)));
  if (wide) put<uint64_t>(field, e.size), put<uint64_t>(field, e.compressed);
  if (far) put<uint64_t>(field, e.header_at);
  return field;
}

}  // namespace

void ZipWriter::add(const std::string& name, const void* data, uint64_t size, bool deflate) {
  check<ValueError>(name.size() <= 0xffff, "save: a name of ", name.size(), " bytes is too long for a zip archive");
  ZipEntry e;
  e.name = name;
  e.size = e.compressed = size;
  e.crc_follows = !deflate && size > kPart;
  if (!e.crc_follows) e.crc = io::crc32(data, size);
  e.header_at = out_.position();
  std::string packed;
  if (deflate) {
    packed = deflated(name, data, size);
    e.deflated = true;
    e.compressed = packed.size();
    data = packed.data();
  }

  const bool wide = e.size >= zip64_from_ || e.compressed >= zip64_from_;
  std::string extra = wide_field(e, wide, false);
  // A field of any content fills up to the next multiple of 64; PyTorch's own files call it "FB".
  const uint64_t start = e.header_at + kLocalSize + name.size() + extra.size() + 4;
  const auto fill = static_cast<uint16_t>((64 - start % 64) % 64);
  put<uint16_t>(extra, 0x4246);
  put<uint16_t>(extra, fill);
  extra.append(fill, 'Z');

  std::string header;
  put<uint32_t>(header, kLocal);
  put_entry(header, e, wide, wide, extra);
  out_.write(header + name + extra);
  if (e.crc_follows) {
    for (uint64_t at = 0; at < size; at += kPart) {
      const auto* part = static_cast<const uint8_t*>(data) + at;
      const uint64_t n = std::min(kPart, size - at);
      e.crc = io::crc32(part, n, e.crc);
      out_.write(part, n);
    }
    std::string record;
    put<uint32_t>(record, kFollowing);
    put<uint32_t>(record, e.crc);
    for (const uint64_t n : {e.compressed, e.size}) {
      if (wide) put<uint64_t>(record, n);
      else put<uint32_t>(record, static_cast<uint32_t>(n));
    }
    out_.write(record);
  } else {
    out_.write(data, e.compressed);
  }
  entries_.push_back(std::move(e));
}

void ZipWriter::finish() {
  const uint64_t at = out_.position();
  for (const ZipEntry& e : entries_) {
    const bool wide = e.size >= zip64_from_ || e.compressed >= zip64_from_, far = e.header_at >= zip64_from_;
    const std::string extra = wide_field(e, wide, far);
    std::string record;
    put<uint32_t>(record, kCentral);
    put<uint16_t>(record, 3 << 8 | 45);  // made on Unix
    put_entry(record, e, wide || far, wide, extra);
    put<uint16_t>(record, 0);                        // comment
    put<uint16_t>(record, 0);                        // part of the archive
    put<uint16_t>(record, 0);                        // internal attributes
    put<uint32_t>(record, uint32_t{0100644} << 16);  // a plain file, rw-r--r--
    put<uint32_t>(record, far ? 0xffffffff : static_cast<uint32_t>(e.header_at));
    out_.write(record + e.name + extra);
  }
  const uint64_t end = out_.position(), count = entries_.size();
  std::string record;
  if (end >= zip64_from_ || count >= 0xffff) {
    put<uint32_t>(record, kEnd64);
    put<uint64_t>(record, kEnd64Size - 12);
    put<uint16_t>(record, 3 << 8 | 45);
    put<uint16_t>(record, 45);
    put<uint32_t>(record, 0);
    put<uint32_t>(record, 0);
    put<uint64_t>(record, count);
    put<uint64_t>(record, count);
    put<uint64_t>(record, end - at);
    put<uint64_t>(record, at);
    put<uint32_t>(record, kLocator64);
    put<uint32_t>(record, 0);
    put<uint64_t>(record, end);
    put<uint32_t>(record, 1);
  }
  const bool wide = !record.empty();
  put<uint32_t>(record, kEnd);
  put<uint16_t>(record, 0);
  put<uint16_t>(record, 0);
  put<uint16_t>(record, wide ? 0xffff : static_cast<uint16_t>(count));
  put<uint16_t>(record, wide ? 0xffff : static_cast<uint16_t>(count));
  put<uint32_t>(record, wide ? 0xffffffff : static_cast<uint32_t>(end - at));
  put<uint32_t>(record, wide ? 0xffffffff : static_cast<uint32_t>(at));
  put<uint16_t>(record, 0);
  out_.write(record);
}

}  // namespace taut::io
