// Streams, and inflating with zlib.
#include "io/stream.h"

#define ZLIB_CONST
#include <zlib.h>

#include <algorithm>
#include <array>

namespace taut::io {

void PlainStream::read(void* to, uint64_t n) {
  check<FormatError>(n <= left_, in_.name(), " is truncated: ", n, " bytes are needed at byte ", at_, " but only ",
                     left_, " are there");
  in_.read(at_, to, n);
  at_ += n, left_ -= n;
}

struct InflateStream::State {
  const Input& in;
  uint64_t at, left;
  Kind kind;
  std::string what;
  z_stream z{};
  bool ended = false;
  std::array<uint8_t, 1 << 15> buffer;

  void fill() {
    if (z.avail_in > 0 || left == 0) return;
    const auto n = std::min<uint64_t>(left, buffer.size());
    in.read(at, buffer.data(), n);
    at += n, left -= n;
    z.next_in = buffer.data();
    z.avail_in = static_cast<unsigned>(n);
  }
  [[noreturn]] void fail(const char* why) const { throw FormatError(str(in.name(), ": ", what, " ", why)); }
};

InflateStream::InflateStream(const Input& in, uint64_t at, uint64_t n, Kind kind, std::string what)
    : state_(new State{in, at, n, kind, std::move(what), {}, false, {}}) {
  check<OutOfMemory>(inflateInit2(&state_->z, kind == Kind::Raw ? -MAX_WBITS : 16 + MAX_WBITS) == Z_OK, in.name(),
                     ": no memory to inflate ", state_->what);
}
InflateStream::~InflateStream() { inflateEnd(&state_->z); }

uint64_t InflateStream::read_some(void* to, uint64_t n) {
  State& s = *state_;
  uint64_t done = 0;
  while (done < n && !s.ended) {
    s.fill();
    const auto room = static_cast<unsigned>(std::min<uint64_t>(n - done, 1u << 30));
    s.z.next_out = static_cast<uint8_t*>(to) + done;
    s.z.avail_out = room;
    const unsigned before = s.z.avail_in;
    const int result = inflate(&s.z, Z_NO_FLUSH);
    done += room - s.z.avail_out;
    if (result == Z_STREAM_END) {
      s.fill();
      // A gzip file may be several, one after the other.
      if (s.kind == Kind::Gzip && s.z.avail_in > 0) inflateReset(&s.z);
      else s.ended = true;
    } else if (result == Z_BUF_ERROR || (result == Z_OK && before == s.z.avail_in && room == s.z.avail_out)) {
      if (s.left == 0 && s.z.avail_in == 0) s.fail("is truncated: the compressed data stops in the middle");
    } else if (result != Z_OK) {
      s.fail("is damaged: it cannot be inflated");
    }
  }
  return done;
}

void InflateStream::read(void* to, uint64_t n) {
  if (read_some(to, n) != n) state_->fail("is damaged: it inflates to fewer bytes than it should");
}

bool InflateStream::at_end() {
  uint8_t byte = 0;
  if (read_some(&byte, 1) > 0) return false;
  return state_->z.avail_in == 0 && state_->left == 0;
}

}  // namespace taut::io
