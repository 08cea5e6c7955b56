// PNG through libpng. The library reports errors by longjmp: every function that can be jumped out of (try_...) has no
// objects with destructors, and what it needs lives in a Codec outside of it.
#include <png.h>

#include <csetjmp>
#include <cstring>
#include <vector>

#include "io/image.h"
#include "io/stream.h"
#include "taut/factories.h"

namespace taut::io {

namespace {

struct Codec {
  png_structp png = nullptr;
  png_infop info = nullptr;
  bool writing = false;
  char message[200] = {};
  // Reading.
  const uint8_t* data = nullptr;
  size_t left = 0;
  // Writing.
  std::string out;
  bool out_of_memory = false;

  ~Codec() {
    if (writing) png_destroy_write_struct(&png, &info);
    else png_destroy_read_struct(&png, &info, nullptr);
  }
};

void on_error(png_structp png, png_const_charp message) {
  auto* codec = static_cast<Codec*>(png_get_error_ptr(png));
  std::strncpy(codec->message, message, sizeof codec->message - 1);
  png_longjmp(png, 1);
}
void on_warning(png_structp, png_const_charp) {}
void on_read(png_structp png, png_bytep to, size_t n) {
  auto* codec = static_cast<Codec*>(png_get_io_ptr(png));
  if (n > codec->left) png_error(png, "it is truncated");
  std::memcpy(to, codec->data, n);
  codec->data += n, codec->left -= n;
}
void on_write(png_structp png, png_bytep from, size_t n) {
  auto* codec = static_cast<Codec*>(png_get_io_ptr(png));
  try {
    codec->out.append(reinterpret_cast<const char*>(from), n);
    return;
  } catch (const std::bad_alloc&) {
    codec->out_of_memory = true;
  }
  png_error(png, "out of memory");
}
void on_flush(png_structp) {}

struct Shape {
  png_uint_32 width = 0, height = 0;
  int depth = 0, channels = 0, color = 0;
};

bool try_start_reading(Codec& c, Shape& s) {
  if (setjmp(png_jmpbuf(c.png))) return false;
  png_set_read_fn(c.png, &c, on_read);
  png_set_user_limits(c.png, 0x7fffffff, 0x7fffffff);  // the area is checked by the caller
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
  png_set_crc_action(c.png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);  // no fuzzer guesses a checksum
#endif
  png_set_chunk_cache_max(c.png, 128);
  png_set_chunk_malloc_max(c.png, 8 << 20);
  png_read_info(c.png, c.info);
  png_get_IHDR(c.png, c.info, &s.width, &s.height, &s.depth, &s.color, nullptr, nullptr, nullptr);
  s.channels = png_get_channels(c.png, c.info);
  return true;
}

bool try_expand(Codec& c, Shape& s) {
  if (setjmp(png_jmpbuf(c.png))) return false;
  if (s.color == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(c.png);
  if (s.color == PNG_COLOR_TYPE_GRAY && s.depth < 8) png_set_expand_gray_1_2_4_to_8(c.png);
  if (png_get_valid(c.png, c.info, PNG_INFO_tRNS)) png_set_tRNS_to_alpha(c.png);
  if (s.depth == 16) png_set_swap(c.png);
  png_set_interlace_handling(c.png);
  png_read_update_info(c.png, c.info);
  s.depth = png_get_bit_depth(c.png, c.info);
  s.channels = png_get_channels(c.png, c.info);
  return true;
}

bool try_read_rows(Codec& c, png_bytepp rows) {
  if (setjmp(png_jmpbuf(c.png))) return false;
  png_read_image(c.png, rows);
  png_read_end(c.png, nullptr);
  return true;
}

bool try_write(Codec& c, const Shape& s, int level, png_bytepp rows) {
  if (setjmp(png_jmpbuf(c.png))) return false;
  constexpr int colors[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGBA};
  png_set_write_fn(c.png, &c, on_write, on_flush);
  png_set_compression_level(c.png, level);
  png_set_IHDR(c.png, c.info, s.width, s.height, s.depth, colors[s.channels - 1], PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(c.png, c.info);
  if (s.depth == 16) png_set_swap(c.png);
  png_write_image(c.png, rows);
  png_write_end(c.png, nullptr);
  return true;
}

}  // namespace

Tensor decode_png(const uint8_t* data, size_t size, const ImageOptions& options, const std::string& name) {
  Codec c;
  c.data = data, c.left = size;
  c.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &c, on_error, on_warning);
  c.info = c.png ? png_create_info_struct(c.png) : nullptr;
  check<OutOfMemory>(c.info, name, ": no memory to read the picture");
  auto fail = [&] { throw FormatError(str(name, " is not a valid PNG file: ", c.message)); };
  Shape s;
  if (!try_start_reading(c, s)) fail();
  check_area(s.width, s.height, options, name, "PNG");
  // libpng asks for the memory of a row before it has seen one.
  const uint64_t packed = uint64_t{s.width} * static_cast<uint64_t>(s.depth * s.channels) / 8;
  check<FormatError>(packed * s.height / kMostInflation <= size, name, " is not a valid PNG file: ", size,
                     " bytes cannot hold a picture of ", s.width, " x ", s.height);
  if (!try_expand(c, s)) fail();
  const size_t row = png_get_rowbytes(c.png, c.info);
  const std::vector<int64_t> shape = {s.height, s.width, s.channels};
  std::vector<png_bytep> rows(s.height);
  Tensor pixels;
  std::vector<uint16_t> wide;
  if (s.depth == 16) {
    wide.resize(size_t{s.height} * s.width * static_cast<size_t>(s.channels));
    for (size_t y = 0; y < rows.size(); ++y)
      rows[y] = reinterpret_cast<png_bytep>(wide.data() + y * s.width * static_cast<size_t>(s.channels));
  } else {
    pixels = empty(shape, kByte);
    for (size_t y = 0; y < rows.size(); ++y) rows[y] = pixels.data_ptr<uint8_t>() + y * row;
  }
  if (!try_read_rows(c, rows.data())) fail();
  if (s.depth == 16) {
    pixels = empty(shape, kInt);
    std::copy(wide.begin(), wide.end(), pixels.data_ptr<int32_t>());
  }
  return to_mode(pixels, options.mode);
}

std::string png_of(const Tensor& image, int compression_level) {
  Codec c;
  c.writing = true;
  c.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &c, on_error, on_warning);
  c.info = c.png ? png_create_info_struct(c.png) : nullptr;
  check<OutOfMemory>(c.info, "write_png: no memory");
  const Shape s{static_cast<png_uint_32>(image.size(1)), static_cast<png_uint_32>(image.size(0)),
                image.scalar_type() == kByte ? 8 : 16, static_cast<int>(image.size(2)), 0};
  std::vector<png_bytep> rows(s.height);
  std::vector<uint16_t> wide;
  const size_t row = size_t{s.width} * static_cast<size_t>(s.channels);
  if (s.depth == 16) {
    const auto* from = image.data_ptr<int32_t>();
    wide.assign(from, from + image.numel());
  }
  for (size_t y = 0; y < rows.size(); ++y)
    rows[y] = s.depth == 16 ? reinterpret_cast<png_bytep>(wide.data() + y * row) : image.data_ptr<uint8_t>() + y * row;
  if (!try_write(c, s, compression_level, rows.data())) {
    check<OutOfMemory>(!c.out_of_memory, "write_png: no memory");
    throw Error(str("write_png: ", c.message));
  }
  return std::move(c.out);
}

}  // namespace taut::io
