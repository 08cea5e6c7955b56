// Reading and writing NumPy's files.
#include "taut/io/numpy.h"

#include <algorithm>

#include "io/bytes.h"
#include "io/input.h"
#include "io/named.h"
#include "io/output.h"
#include "io/stream.h"
#include "io/zip.h"
#include "taut/factories.h"

namespace taut::io {

namespace {

constexpr uint64_t kMaxNpyHeader = 1 << 16;

/// What the header of an array says.
struct NpyHeader {
  ScalarType dtype = ScalarType::Undefined;
  bool big_endian = false, fortran = false;
  std::vector<int64_t> shape;
  uint64_t size = 0;  // bytes before the data
};

/// The Python literal {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}, and nothing more general.
class DictParser {
 public:
  DictParser(const Input& in, const std::string& text) : in_(in), text_(text) {}

  void parse(NpyHeader& h) {
    bool seen[3] = {};
    auto once = [&](int i, const std::string& key) {
      if (std::exchange(seen[i], true)) fail("'", key, "' occurs twice in the header");
    };
    expect('{');
    for (space(); peek() != '}';) {
      const std::string key = quoted();
      expect(':');
      space();
      if (key == "descr") {
        once(0, key);
        descr(h);
      } else if (key == "fortran_order") {
        once(1, key);
        h.fortran = boolean();
      } else if (key == "shape") {
        once(2, key);
        shape(h);
      } else {
        fail("unknown key '", shortened(key), "' in the header");
      }
      space();
      if (peek() != '}') expect(',');
      space();
    }
    ++at_;
    space();
    if (at_ != text_.size()) fail("there is something after the header's dictionary");
    if (!seen[0]) fail("'descr' is missing in the header");
    if (!seen[1]) fail("'fortran_order' is missing in the header");
    if (!seen[2]) fail("'shape' is missing in the header");
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(const Args&... what) {
    in_.fail("npy", what...);
  }
  int peek() const { return at_ < text_.size() ? static_cast<uint8_t>(text_[at_]) : -1; }
  void space() {
    while (peek() == ' ' || peek() == '\n') ++at_;
  }
  void expect(char c) {
    space();
    if (peek() != c) fail("'", c, "' should be at byte ", at_, " of the header's dictionary");
    ++at_;
  }
  std::string quoted() {
    space();
    const int quote = peek();
    if (quote != '\'' && quote != '"') fail("a string should be at byte ", at_, " of the header's dictionary");
    const size_t start = ++at_;
    while (peek() >= 0 && peek() != quote && peek() != '\\') ++at_;
    if (peek() != quote) fail("a string of the header does not end");
    return text_.substr(start, at_++ - start);
  }
  bool word(const char* w) {
    const size_t n = std::char_traits<char>::length(w);
    if (text_.compare(at_, n, w) != 0) return false;
    at_ += n;
    return true;
  }
  bool boolean() {
    if (word("True")) return true;
    if (word("False")) return false;
    fail("'fortran_order' is neither True nor False");
  }
  void shape(NpyHeader& h) {
    expect('(');
    for (space(); peek() != ')';) {
      int64_t v = 0;
      const size_t start = at_;
      for (; peek() >= '0' && peek() <= '9'; ++at_) {
        const int64_t digit = peek() - '0';
        if (v > (INT64_MAX - digit) / 10) fail("a number of the shape is too large");
        v = v * 10 + digit;
      }
      if (at_ == start) fail("the shape is not a tuple of whole numbers");
      if (h.shape.size() == kMaxDims) fail("the shape has more than ", kMaxDims, " dimensions");
      h.shape.push_back(v);
      space();
      if (peek() == ')' && h.shape.size() == 1) fail("the shape is not a tuple: it lacks a comma");
      if (peek() != ')') expect(',');
      space();
    }
    ++at_;
  }
  void descr(NpyHeader& h) {
    check<NotImplementedError>(peek() != '[', in_.name(), ": arrays of records are not supported. Save each field.");
    const std::string d = quoted();
    static constexpr std::pair<const char*, ScalarType> known[] = {
        {"b1", kBool},           {"u1", kByte},   {"i1", kChar},   {"i2", kShort},  {"i4", kInt},
        {"i8", kLong},           {"f2", kHalf},   {"f4", kFloat},  {"f8", kDouble}, {"c8", kComplexFloat},
        {"c16", kComplexDouble}, {"u2", kUInt16}, {"u4", kUInt32}, {"u8", kUInt64}};
    const std::string type = d.empty() ? "" : d.substr(1);
    const bool order = !d.empty() && std::string("<>|=").find(d[0]) != std::string::npos;
    for (const auto& [name, dtype] : known) {
      if (!order || type != name) continue;
      if (d[0] == '|' && element_size(dtype) > 1) fail("dtype '", d, "' has no byte order");
      h.big_endian = d[0] == '>' && element_size(dtype) > 1;
      h.dtype = dtype;
      return;
    }
    check<NotImplementedError>(type != "O", in_.name(),
                               ": arrays of Python objects are not supported: reading them would run code");
    const bool other = order && type.size() >= 2 && std::string("ucSUVmMf").find(type[0]) != std::string::npos;
    check<NotImplementedError>(!other, in_.name(), ": dtype '", shortened(d),
                               "' is not one that Taut has. Convert it before it is saved.");
    fail("unknown dtype '", shortened(d), "'");
  }

  const Input& in_;
  const std::string& text_;
  size_t at_ = 0;
};

/// Reads the header from a stream of `size` bytes and checks that the data fills the rest.
NpyHeader read_header(const Input& in, Stream& stream, uint64_t size) {
  uint8_t start[12];
  if (size < 10) in.fail("npy", "it has ", size, " bytes, too few for a header");
  stream.read(start, 10);
  if (std::memcmp(start, "\x93NUMPY", 6) != 0) in.fail("npy", "it does not start with \\x93NUMPY");
  const int version = start[6];
  if (version < 1 || version > 3 || start[7] != 0)
    in.fail("npy", "unknown format version ", version, ".", int{start[7]});
  NpyHeader h;
  uint64_t length = load_little<uint16_t>(start + 8);
  h.size = 10;
  if (version > 1) {
    if (size < 12) in.fail("npy", "it has ", size, " bytes, too few for a header");
    stream.read(start + 10, 2);
    length = load_little<uint32_t>(start + 8);
    h.size = 12;
  }
  if (length > size - h.size) in.fail("npy", "a header of ", length, " bytes is longer than the file");
  if (length > kMaxNpyHeader) in.fail("npy", "a header of ", length, " bytes is beyond the limit of ", kMaxNpyHeader);
  std::string text(length, '\0');
  stream.read(text.data(), length);
  h.size += length;
  DictParser(in, text).parse(h);
  const auto bytes = checked_bytes(h.shape, h.dtype);
  if (!bytes) in.fail("npy", "the size of shape ", IntArrayRef(h.shape), " overflows");
  if (*bytes > size - h.size)
    in.fail("npy", "it is truncated: shape ", IntArrayRef(h.shape), " of ", h.dtype, " needs ", *bytes, " bytes, but ",
            size - h.size, " follow the header");
  if (*bytes < size - h.size) in.fail("npy", size - h.size - *bytes, " bytes follow the data");
  if (h.fortran) std::reverse(h.shape.begin(), h.shape.end());
  return h;
}

/// The same memory with the dimensions turned round.
Tensor reversed(const Tensor& t) {
  std::vector<int64_t> dims(static_cast<size_t>(t.dim()));
  for (size_t d = 0; d < dims.size(); ++d) dims[d] = t.dim() - 1 - static_cast<int64_t>(d);
  return t.data().permute(dims).data();
}

/// A Fortran array was read as the C array of its transpose.
Tensor ordered(const NpyHeader& h, const Tensor& t) {
  if (!h.fortran || t.dim() < 2) return t;
  return reversed(t);
}

Tensor load(const Input& in, uint64_t at, uint64_t size) {
  PlainStream stream(in, at, size);
  const NpyHeader h = read_header(in, stream, size);
  return ordered(h, in.tensor(at + h.size, h.shape, h.dtype, h.big_endian));
}

Tensor load(const Input& in, Stream& stream, uint64_t size) {
  const NpyHeader h = read_header(in, stream, size);
  const Tensor t = empty(h.shape, h.dtype);
  stream.read(t.data_ptr(), t.nbytes());
  if (h.big_endian) swap_bytes(t.data_ptr(), t.nbytes(), h.dtype);
  normalize_bools(t);
  return ordered(h, t);
}

OrderedDict<std::string, Tensor> load_all(const Input& in) {
  const ZipReader zip(in, "npz");
  OrderedDict<std::string, Tensor> result("Array");
  for (const ZipEntry& e : zip.entries()) {
    if (!e.name.ends_with(".npy"))
      in.fail("npz", "entry '", shortened(e.name), "' is not an array (its name does not end in .npy)");
    zip.check_crc(e);
    try {
      const Tensor t = e.deflated ? load(in, *zip.open(e), e.size) : load(in, e.data_at, e.size);
      result.insert(e.name.substr(0, e.name.size() - 4), t);
    } catch (const FormatError& error) {
      throw FormatError(str("entry '", shortened(e.name), "': ", error.what()));
    }
  }
  return result;
}

std::string header_text(const Tensor& t, bool fortran) {
  constexpr const char* names[] = {"|b1", "|u1",  "|i1", "<i2", "<i4", "<i8", "<f2", "",    "<f4", "<f8", "",
                                   "<c8", "<c16", "",    "",    "",    "",    "",    "<u2", "<u4", "<u8"};
  const char* name = names[static_cast<int>(t.scalar_type())];
  check<TypeError>(*name, "save: NumPy has no ", t.scalar_type(),
                   ". Convert the tensor with .to(taut::kFloat), or save it as .safetensors.");
  std::string dict = str("{'descr': '", name, "', 'fortran_order': ", fortran ? "True" : "False", ", 'shape': (");
  for (int64_t d = 0; d < t.dim(); ++d)
    dict += std::to_string(t.size(d)) + (t.dim() == 1 ? "," : d + 1 < t.dim() ? ", " : "");
  dict += "), }";
  const bool wide = dict.size() + 64 > 0xffff;
  const size_t before = wide ? 12 : 10;
  dict.append(63 - (before + dict.size()) % 64, ' ');
  dict += '\n';
  std::string text = str("\x93NUMPY", wide ? '\2' : '\1', '\0');
  const auto length = static_cast<uint32_t>(dict.size());
  text.append(reinterpret_cast<const char*>(&length), wide ? 4 : 2);
  return text + dict;
}

void write(Output& out, const Tensor& t) {
  // A transposed matrix is written as it lies.
  const bool fortran = t.dim() > 1 && !t.is_contiguous() && reversed(t).is_contiguous();
  out.write(header_text(t, fortran));
  write_elements(out, fortran ? reversed(t) : t);
}

}  // namespace

Tensor load_npy(const std::string& path, LoadOptions options) {
  const Input in = Input::open(path, options);
  return load(in, 0, in.size());
}
Tensor parse_npy(const void* data, size_t size, const std::string& name) {
  return load(Input::memory(data, size, name), 0, size);
}
void save_npy(const Tensor& tensor, const std::string& path) {
  check_named_tensor("array", tensor);
  AtomicFile file(path);
  write(file, tensor);
  file.commit();
}

OrderedDict<std::string, Tensor> load_npz(const std::string& path, LoadOptions options) {
  return load_all(Input::open(path, options));
}
OrderedDict<std::string, Tensor> parse_npz(const void* data, size_t size, const std::string& name) {
  return load_all(Input::memory(data, size, name));
}
void save_npz(const OrderedDict<std::string, Tensor>& tensors, const std::string& path, bool compressed) {
  for (const auto& item : tensors) {
    check_named_tensor(item.key(), item.value());
    header_text(item.value(), false);
    check<ValueError>(is_utf8(item.key().data(), item.key().size()), "save: the name '", item.key(), "' is not UTF-8");
  }
  AtomicFile file(path);
  ZipWriter zip(file);
  for (const auto& item : tensors) {
    StringOutput array;
    write(array, item.value());
    zip.add(item.key() + ".npy", array.text.data(), array.text.size(), compressed);
  }
  zip.finish();
  file.commit();
}

}  // namespace taut::io
