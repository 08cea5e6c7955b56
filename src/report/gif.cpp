#include "report/gif.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "taut/core/error.h"

namespace taut::report {

namespace {

constexpr int kRed = 6, kGreen = 7, kBlue = 6;  // shades of each colour: 252 in all

void put16(std::string& out, int64_t v) {
  out.push_back(static_cast<char>(v & 0xff));
  out.push_back(static_cast<char>(v >> 8 & 0xff));
}

/// Codes of growing width, lowest bits first, in blocks of up to 255 bytes.
class Codes {
 public:
  explicit Codes(std::string& out) : out_(out) {}
  void put(unsigned code, int width) {
    bits_ |= static_cast<uint64_t>(code) << have_;
    for (have_ += width; have_ >= 8; have_ -= 8, bits_ >>= 8) byte(static_cast<char>(bits_ & 0xff));
  }
  void end() {
    if (have_ > 0) byte(static_cast<char>(bits_ & 0xff));
    flush();
    out_.push_back(0);
  }

 private:
  void byte(char b) {
    block_.push_back(b);
    if (block_.size() == 255) flush();
  }
  void flush() {
    if (block_.empty()) return;
    out_.push_back(static_cast<char>(block_.size()));
    out_ += block_;
    block_.clear();
  }
  std::string& out_;
  std::string block_;
  uint64_t bits_ = 0;
  int have_ = 0;
};

void compress(std::string& out, const std::vector<uint8_t>& indices) {
  constexpr int kBits = 8;
  constexpr unsigned kClear = 1u << kBits, kEnd = kClear + 1, kMost = 4096;
  out.push_back(kBits);
  Codes codes(out);
  std::unordered_map<uint32_t, unsigned> known;  // (code of what came before, next index): its code
  unsigned next = kEnd + 1, current = indices[0];
  int width = kBits + 1;
  codes.put(kClear, width);
  for (size_t i = 1; i < indices.size(); ++i) {
    const uint32_t longer = current << 8 | indices[i];
    if (const auto found = known.find(longer); found != known.end()) {
      current = found->second;
      continue;
    }
    codes.put(current, width);
    if (next < kMost) {
      if (next == 1u << width) ++width;
      known.emplace(longer, next++);
    } else {
      codes.put(kClear, width);
      known.clear();
      next = kEnd + 1, width = kBits + 1;
    }
    current = indices[i];
  }
  codes.put(current, width);
  if (next == 1u << width && width < 12) ++width;  // the reader has noted one more by now
  codes.put(kEnd, width);
  codes.end();
}

int shade(int value, int shades) { return (value * (shades - 1) + 127) / 255; }

}  // namespace

std::string encode_gif(const uint8_t* pixels, int64_t frames, int64_t height, int64_t width, double fps) {
  check<ValueError>(frames > 0 && height > 0 && width > 0 && height < 65536 && width < 65536 && fps > 0,
                    "a GIF has at least one frame, sides from 1 to 65535 and a positive number of frames a second");
  std::string out = "GIF89a";
  put16(out, width), put16(out, height);
  out += std::string("\xf7\0\0", 3);  // a palette of 256 colours follows
  for (int i = 0; i < 256; ++i) {
    const int r = i / (kGreen * kBlue), g = i / kBlue % kGreen, b = i % kBlue;
    out.push_back(static_cast<char>(std::min(r, kRed - 1) * 255 / (kRed - 1)));
    out.push_back(static_cast<char>(g * 255 / (kGreen - 1)));
    out.push_back(static_cast<char>(b * 255 / (kBlue - 1)));
  }
  out += std::string("\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", 19);  // again and again
  const auto delay = static_cast<int64_t>(std::lround(100 / fps));
  std::vector<uint8_t> indices(static_cast<size_t>(height * width));
  for (int64_t f = 0; f < frames; ++f) {
    out += std::string("\x21\xf9\x04\0", 4);
    put16(out, delay);
    out += std::string("\0\0\x2c\0\0\0\0", 7);
    put16(out, width), put16(out, height);
    out.push_back(0);
    for (uint8_t& index : indices) {
      index = static_cast<uint8_t>((shade(pixels[0], kRed) * kGreen + shade(pixels[1], kGreen)) * kBlue +
                                   shade(pixels[2], kBlue));
      pixels += 3;
    }
    compress(out, indices);
  }
  out.push_back(';');
  return out;
}

}  // namespace taut::report
