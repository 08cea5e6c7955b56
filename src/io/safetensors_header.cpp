// A strict parser of exactly the JSON that a safetensors header may hold: an object of objects with known keys. It
// reads through a small window and never goes deeper than the grammar, so that no header can make it use memory or
// stack.
#include "io/safetensors_header.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

#include "io/bytes.h"
#include "taut/io/safetensors.h"

namespace taut::io {

const char* safetensors_dtype(ScalarType t) {
  constexpr const char* names[] = {"BOOL",    "U8",          "I8",          "I16",     "I32", "I64", "F16",
                                   "BF16",    "F32",         "F64",         "",        "C64", "",    "F8_E5M2",
                                   "F8_E4M3", "F8_E5M2FNUZ", "F8_E4M3FNUZ", "F8_E8M0", "U16", "U32", "U64"};
  return names[static_cast<int>(t)];
}

namespace {

constexpr const char* kFormat = "safetensors";
constexpr size_t kShown = 100;  // bytes of a name that a message quotes

class Parser {
 public:
  Parser(const Input& in, uint64_t begin, uint64_t end, bool keep_text)
      : in_(in), at_(begin), end_(end), keep_text_(keep_text) {}

  void header(const HeaderEvents& events) {
    if (peek() != '{') fail("the header does not start with '{'");
    bool metadata_seen = false;
    object([&] {
      HeaderEntry entry;
      entry.name_at = at_;
      Text key = string();
      shown_ = key.start;
      colon();
      if (key.is_metadata) {
        if (metadata_seen) fail("__metadata__ occurs twice");
        metadata_seen = true;
        metadata(events);
      } else {
        entry.name_hash = key.hash;
        entry.name = std::move(key.text);
        tensor(entry);
        if (events.tensor) events.tensor(entry);
      }
      shown_.clear();
    });
    // Only spaces may fill up the header.
    while (at_ < end_)
      if (get() != ' ') fail("there is something after the end of the header's JSON, at byte ", at_ - 1);
  }

  std::string name() { return string().text; }

 private:
  struct Text {
    std::string text;   // when it is kept
    std::string start;  // its first bytes, for messages and keywords
    uint64_t hash = 14695981039346656037u;
    uint64_t size = 0;
    bool is_metadata = false;
  };

  template <class... Args>
  [[noreturn]] void fail(const Args&... what) {
    if (shown_.empty()) in_.fail(kFormat, what...);
    in_.fail(kFormat, "tensor '", shown_, "': ", what...);
  }

  // The stream: -1 at the end.
  int peek() {
    if (at_ >= end_) return -1;
    if (at_ < window_at_ || at_ >= window_at_ + window_size_) {
      window_at_ = at_;
      window_size_ = std::min<uint64_t>(window_.size(), end_ - at_);
      in_.read(window_at_, window_.data(), window_size_);
    }
    return window_[at_ - window_at_];
  }
  int get() {
    const int c = peek();
    if (c >= 0) ++at_;
    return c;
  }
  void space() {
    for (int c = peek(); c == ' ' || c == '\t' || c == '\n' || c == '\r'; c = peek()) ++at_;
  }
  void expect(char wanted) {
    space();
    const int c = get();
    if (c < 0) fail("the header ends where '", wanted, "' should be");
    if (c != wanted) fail("'", wanted, "' should be at byte ", at_ - 1, " of the header's JSON");
  }
  void colon() { expect(':'); }

  /// `{ member, member }`, where `member` starts at its key.
  template <class F>
  void object(F member) {
    expect('{');
    space();
    if (peek() == '}') return void(get());
    for (;;) {
      space();
      member();
      space();
      if (peek() == '}') return void(get());
      expect(',');
    }
  }
  template <class F>
  void list(F element) {
    expect('[');
    space();
    if (peek() == ']') return void(get());
    for (;;) {
      space();
      element();
      space();
      if (peek() == ']') return void(get());
      expect(',');
    }
  }

  uint32_t hex4() {
    uint32_t v = 0;
    for (int i = 0; i < 4; ++i) {
      const int c = get();
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) fail("\\u is not followed by four hexadecimal digits, at byte ", at_);
      v = v * 16 + static_cast<uint32_t>(digit);
    }
    return v;
  }

  Text string() {
    Text t;
    Utf8Check utf8;
    const uint64_t start = at_;
    auto put = [&](char c) {
      t.hash = (t.hash ^ static_cast<uint8_t>(c)) * 1099511628211u;
      ++t.size;
      if (t.start.size() < kShown) t.start.push_back(c);
      if (keep_text_) t.text.push_back(c);
    };
    if (get() != '"') fail("a string should be at byte ", start, " of the header's JSON");
    for (;;) {
      int c = get();
      if (c < 0) fail("the header ends inside a string that starts at byte ", start);
      if (c == '"') break;
      if (c < 0x20) fail("a string holds an unescaped control character at byte ", at_ - 1);
      if (c != '\\') {
        if (!utf8.feed(static_cast<uint8_t>(c))) fail("a string is not UTF-8, at byte ", at_ - 1);
        put(static_cast<char>(c));
        continue;
      }
      if (!utf8.complete()) fail("a string is not UTF-8, at byte ", at_ - 1);
      c = get();
      constexpr char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
      if (const char* simple = c > 0 ? std::strchr(from, c) : nullptr) {
        put(to[simple - from]);
      } else if (c == 'u') {
        uint32_t code = hex4();
        if (code >= 0xdc00 && code < 0xe000) fail("a string has half a surrogate pair, at byte ", at_);
        if (code >= 0xd800 && code < 0xdc00) {
          const bool escaped = get() == '\\' && get() == 'u';
          const uint32_t low = escaped ? hex4() : 0;
          if (low < 0xdc00 || low >= 0xe000) fail("a string has half a surrogate pair, at byte ", at_);
          code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        }
        put_utf8(code, put);
      } else {
        fail("a string has an unknown escape at byte ", at_ - 1);
      }
    }
    if (!utf8.complete()) fail("a string is not UTF-8, at byte ", at_ - 1);
    if (t.start.size() == kShown && t.size > kShown) {
      while (!is_utf8(t.start.data(), t.start.size())) t.start.pop_back();
    }
    t.is_metadata = t.size == t.start.size() && t.start == "__metadata__";
    return t;
  }

  uint64_t number(const char* what) {
    const uint64_t start = at_;
    uint64_t v = 0;
    size_t digits = 0;
    for (int c = peek(); c >= '0' && c <= '9'; c = peek(), ++digits) {
      const auto digit = static_cast<uint64_t>(c - '0');
      if (v > (INT64_MAX - digit) / 10) fail("a number of ", what, " is too large, at byte ", start);
      if (digits == 1 && v == 0) fail("a number of ", what, " starts with 0, at byte ", start);
      v = v * 10 + digit;
      ++at_;
    }
    const int c = peek();
    if (digits == 0 && c == '-') fail("a number of ", what, " is negative, at byte ", start);
    if (digits == 0) fail("a number of ", what, " should be at byte ", start);
    if (c == '.' || c == 'e' || c == 'E') fail("a number of ", what, " is not whole, at byte ", start);
    return v;
  }

  void metadata(const HeaderEvents& events) {
    object([&] {
      Text key = string();
      colon();
      space();
      if (peek() != '"') fail("the metadata of '", key.start, "' is not a string");
      Text value = string();
      if (events.metadata) events.metadata(key.text, value.text);
    });
  }

  ScalarType dtype() {
    const Text t = string();
    for (int i = 0; i < kDtypeCount; ++i)
      if (!t.start.empty() && t.start == safetensors_dtype(static_cast<ScalarType>(i)))
        return static_cast<ScalarType>(i);
    for (const char* name : {"F4", "F6_E2M3", "F6_E3M2"})
      check<NotImplementedError>(t.start != name, in_.name(), ": tensor '", shown_, "' has dtype ", name,
                                 ", which Taut does not have. Convert it before it is saved.");
    fail("unknown dtype '", t.start, "'");
  }

  void tensor(HeaderEntry& e) {
    bool seen[3] = {};
    auto once = [&](int i, const char* key) {
      if (std::exchange(seen[i], true)) fail(key, " occurs twice");
    };
    space();
    if (peek() != '{') fail("its description is not an object");
    object([&] {
      const Text key = string();
      colon();
      space();
      if (key.start == "dtype") {
        once(0, "dtype");
        e.dtype = dtype();
      } else if (key.start == "shape") {
        once(1, "shape");
        list([&] {
          if (e.shape.size() == kMaxDims) fail("the shape has more than ", kMaxDims, " dimensions");
          e.shape.push_back(static_cast<int64_t>(number("the shape")));
        });
      } else if (key.start == "data_offsets") {
        once(2, "data_offsets");
        size_t n = 0;
        list([&] {
          if (n == 2) fail("data_offsets has more than two numbers");
          (n == 0 ? e.begin : e.end) = number("data_offsets");
          ++n;
        });
        if (n != 2) fail("data_offsets has ", n, " numbers instead of two");
      } else {
        fail("unknown key '", key.start, "'");
      }
    });
    if (!seen[0]) fail("dtype is missing");
    if (!seen[1]) fail("shape is missing");
    if (!seen[2]) fail("data_offsets is missing");
    const auto bytes = checked_bytes(e.shape, e.dtype);
    if (!bytes) fail("the size of shape ", IntArrayRef(e.shape), " overflows");
    if (e.begin > e.end) fail("data_offsets [", e.begin, ", ", e.end, "] run backwards");
    if (e.end - e.begin != *bytes)
      fail("data_offsets [", e.begin, ", ", e.end, "] hold ", e.end - e.begin, " bytes, but shape ",
           IntArrayRef(e.shape), " of ", e.dtype, " needs ", *bytes);
  }

  const Input& in_;
  uint64_t at_, end_;
  bool keep_text_;
  std::string shown_;  // the tensor at hand
  uint64_t window_at_ = 0, window_size_ = 0;
  std::array<uint8_t, 4096> window_;
};

}  // namespace

uint64_t header_size(const Input& in) {
  if (in.size() < 8) in.fail(kFormat, "it has ", in.size(), " bytes, too few for the length of a header");
  uint8_t bytes[8];
  in.read(0, bytes, 8);
  const auto n = load_little<uint64_t>(bytes);
  if (n > kMaxHeader) in.fail(kFormat, "a header of ", n, " bytes is beyond the limit of ", kMaxHeader);
  if (n > in.size() - 8) in.fail(kFormat, "the header should have ", n, " bytes, but only ", in.size() - 8, " follow");
  return n;
}

void parse_header(const Input& in, uint64_t size, bool keep_text, const HeaderEvents& events) {
  Parser(in, 8, 8 + size, keep_text).header(events);
}

std::string name_in_header(const Input& in, uint64_t size, uint64_t at) {
  return Parser(in, at, 8 + size, true).name();
}

}  // namespace taut::io
