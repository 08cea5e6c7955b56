// JPEG through libjpeg-turbo. As with PNG, functions that errors jump out of (try_...) hold nothing that needs a
// destructor.
#include <cstddef>
#include <cstdio>
// after <cstdio>, which it needs but does not include
#include <jpeglib.h>
// after <jpeglib.h>
#include <jerror.h>

#include <csetjmp>
#include <cstdlib>
#include <cstring>

#include "io/image.h"
#include "taut/factories.h"

namespace taut::io {

namespace {

constexpr int kMaxScans = 500;  // a progressive file may repeat itself for hours

struct Errors {
  jpeg_error_mgr manager{};
  std::jmp_buf jump;
  char message[JMSG_LENGTH_MAX] = {};
};

[[noreturn]] void on_error(j_common_ptr info) {
  auto* errors = reinterpret_cast<Errors*>(info->err);
  info->err->format_message(info, errors->message);
  std::longjmp(errors->jump, 1);
}
void on_message(j_common_ptr) {}
// Half a picture is no picture; stray bytes between markers, which cameras leave, are harmless.
void on_emit(j_common_ptr info, int level) {
  const int code = info->err->msg_code;
  const bool damage = code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER || code == JWRN_HUFF_BAD_CODE ||
                      code == JWRN_ARITH_BAD_CODE || code == JWRN_MUST_RESYNC;
  if (level < 0 && damage) on_error(info);
}
void on_progress(j_common_ptr info) {
  auto* decompress = reinterpret_cast<j_decompress_ptr>(info);
  if (decompress->input_scan_number <= kMaxScans) return;
  auto* errors = reinterpret_cast<Errors*>(info->err);
  std::strcpy(errors->message, "it has too many scans");
  std::longjmp(errors->jump, 1);
}

void prepare(Errors& errors) {
  jpeg_std_error(&errors.manager);
  errors.manager.error_exit = on_error;
  errors.manager.output_message = on_message;
  errors.manager.emit_message = on_emit;
}

struct Reader {
  jpeg_decompress_struct info{};
  Errors errors;
  jpeg_progress_mgr progress{};
  Reader() {
    prepare(errors);
    info.err = &errors.manager;
  }
  ~Reader() { jpeg_destroy_decompress(&info); }
};

bool try_start(Reader& r, const uint8_t* data, size_t size, bool gray) {
  if (setjmp(r.errors.jump)) return false;
  jpeg_create_decompress(&r.info);
  r.progress.progress_monitor = on_progress;
  r.info.progress = &r.progress;
  jpeg_mem_src(&r.info, data, static_cast<unsigned long>(size));
  jpeg_read_header(&r.info, TRUE);
  const bool four = r.info.jpeg_color_space == JCS_CMYK || r.info.jpeg_color_space == JCS_YCCK;
  if (four) r.info.out_color_space = JCS_CMYK;
  else if (r.info.num_components == 1 || (gray && r.info.jpeg_color_space == JCS_YCbCr))
    r.info.out_color_space = JCS_GRAYSCALE;
  else r.info.out_color_space = JCS_RGB;
  return true;
}

bool try_read(Reader& r, uint8_t* pixels) {
  if (setjmp(r.errors.jump)) return false;
  jpeg_start_decompress(&r.info);
  const size_t row = size_t{r.info.output_width} * static_cast<size_t>(r.info.output_components);
  while (r.info.output_scanline < r.info.output_height) {
    JSAMPROW line = pixels + r.info.output_scanline * row;
    jpeg_read_scanlines(&r.info, &line, 1);
  }
  jpeg_finish_decompress(&r.info);
  return true;
}

/// Ink to light, for the files that printers' programs write.
Tensor from_cmyk(const Tensor& pixels, bool inverted) {
  const Tensor rgb = empty({pixels.size(0), pixels.size(1), 3}, kByte);
  const uint8_t* from = pixels.data_ptr<uint8_t>();
  uint8_t* to = rgb.data_ptr<uint8_t>();
  for (int64_t i = 0, n = pixels.size(0) * pixels.size(1); i < n; ++i, from += 4, to += 3) {
    const int k = inverted ? from[3] : 255 - from[3];
    for (int c = 0; c < 3; ++c) to[c] = static_cast<uint8_t>((inverted ? from[c] : 255 - from[c]) * k / 255);
  }
  return rgb;
}

struct Writer {
  jpeg_compress_struct info{};
  Errors errors;
  unsigned char* out = nullptr;
  unsigned long size = 0;
  Writer() {
    prepare(errors);
    info.err = &errors.manager;
  }
  ~Writer() {
    jpeg_destroy_compress(&info);
    std::free(out);
  }
};

bool try_write(Writer& w, const uint8_t* pixels, unsigned width, unsigned height, int channels, int quality) {
  if (setjmp(w.errors.jump)) return false;
  jpeg_create_compress(&w.info);
  jpeg_mem_dest(&w.info, &w.out, &w.size);
  w.info.image_width = width;
  w.info.image_height = height;
  w.info.input_components = channels;
  w.info.in_color_space = channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&w.info);
  jpeg_set_quality(&w.info, quality, TRUE);
  jpeg_start_compress(&w.info, TRUE);
  while (w.info.next_scanline < height) {
    auto* line = const_cast<JSAMPROW>(pixels + size_t{w.info.next_scanline} * width * static_cast<size_t>(channels));
    jpeg_write_scanlines(&w.info, &line, 1);
  }
  jpeg_finish_compress(&w.info);
  return true;
}

}  // namespace

Tensor decode_jpeg(const uint8_t* data, size_t size, const ImageOptions& options, const std::string& name) {
  Reader r;
  auto fail = [&] { throw FormatError(str(name, " is not a valid JPEG file: ", r.errors.message)); };
  const bool gray = options.mode == ImageMode::Gray || options.mode == ImageMode::GrayAlpha;
  if (!try_start(r, data, size, gray)) fail();
  check_area(r.info.image_width, r.info.image_height, options, name, "JPEG");
  // Even an empty block of 8 x 8 takes some bits of each component's first scan; this is far below any real file.
  check<FormatError>(uint64_t{r.info.image_width} * r.info.image_height / 16384 <= size, name,
                     " is not a valid JPEG file: ", size, " bytes cannot hold a picture of ", r.info.image_width, " x ",
                     r.info.image_height);
  const int64_t channels = r.info.out_color_space == JCS_GRAYSCALE ? 1 : r.info.out_color_space == JCS_RGB ? 3 : 4;
  Tensor pixels =
      empty({static_cast<int64_t>(r.info.image_height), static_cast<int64_t>(r.info.image_width), channels}, kByte);
  if (!try_read(r, pixels.data_ptr<uint8_t>())) fail();
  if (channels == 4) pixels = from_cmyk(pixels, r.info.saw_Adobe_marker);
  return to_mode(pixels, options.mode);
}

std::string jpeg_of(const Tensor& image, int quality) {
  Writer w;
  if (!try_write(w, image.data_ptr<uint8_t>(), static_cast<unsigned>(image.size(1)),
                 static_cast<unsigned>(image.size(0)), static_cast<int>(image.size(2)), quality))
    throw Error(str("write_jpeg: ", w.errors.message));
  return {reinterpret_cast<const char*>(w.out), w.size};
}

}  // namespace taut::io
