// Telling pictures apart, and what the codecs share.
#include "io/image.h"

#include "io/input.h"
#include "taut/factories.h"

namespace taut::io {

void check_area(uint64_t width, uint64_t height, const ImageOptions& options, const std::string& name,
                const char* format) {
  check<FormatError>(width > 0 && height > 0, name, " is not a valid ", format, " file: a picture of ", width, " x ",
                     height, " pixels");
  check<ValueError>(options.max_pixels > 0, "read_image: max_pixels must be positive, got ", options.max_pixels);
  check<FormatError>(height <= static_cast<uint64_t>(options.max_pixels) / width, name, ": a picture of ", width, " x ",
                     height, " pixels is larger than max_pixels = ", options.max_pixels);
}

Tensor to_mode(const Tensor& pixels, ImageMode mode) {
  const int64_t channels = pixels.size(2);
  const Tensor planes = pixels.permute({2, 0, 1});
  const bool color = channels >= 3, alpha = channels % 2 == 0;
  const int64_t wanted = mode == ImageMode::Unchanged ? channels : static_cast<int64_t>(mode);
  if (wanted == channels) return planes.contiguous();
  Tensor light = planes.narrow(0, 0, color ? 3 : 1);
  if (color && wanted < 3) {
    // The luma of BT.601 in integers, as libjpeg and Pillow round it.
    const Tensor wide = light.to(kLong);
    light = ((wide[0] * 19595 + wide[1] * 38470 + wide[2] * 7471 + 32768).bitwise_right_shift(16))
                .to(pixels.scalar_type())
                .unsqueeze(0);
  } else if (!color && wanted >= 3) {
    light = light.expand({3, -1, -1});
  }
  if (wanted % 2 != 0) return light.contiguous();
  const int64_t opaque = pixels.scalar_type() == kByte ? 255 : 65535;
  const Tensor cover = alpha ? planes.narrow(0, channels - 1, 1) : full_like(planes.narrow(0, 0, 1), opaque);
  return cat({light, cover}, 0);
}

namespace {

/// [H, W, C] of an image to be written, contiguous.
Tensor pixels_of(const Tensor& image, const char* who, bool wide_allowed) {
  check<ValueError>(image.defined() && (image.dim() == 2 || image.dim() == 3), who,
                    ": expected an image of shape [C, H, W] or [H, W]");
  check<TypeError>(image.scalar_type() == kByte || (wide_allowed && image.scalar_type() == kInt), who,
                   ": expected uint8", wide_allowed ? " (or int32 for 16 bits)" : "", ", got ", image.scalar_type());
  const Tensor planes = image.dim() == 2 ? image.data().unsqueeze(0) : image.data();
  const int64_t c = planes.size(0);
  check<ValueError>(wide_allowed ? c >= 1 && c <= 4 : c == 1 || c == 3, who, ": an image cannot have ", c,
                    " channels (shape ", image.sizes(), ")");
  check<ValueError>(planes.numel() > 0 && planes.size(1) <= 65535 && planes.size(2) <= 65535, who,
                    ": an image of shape ", image.sizes(), " cannot be written");
  if (image.scalar_type() == kInt)
    check<ValueError>(planes.min().item<int64_t>() >= 0 && planes.max().item<int64_t>() <= 65535, who,
                      ": int32 values must be in 0 ... 65535");
  return planes.permute({1, 2, 0}).contiguous();
}

}  // namespace

Tensor decode_image(const void* data, size_t size, const ImageOptions& options, const std::string& name) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  if (size >= 8 && std::string_view(static_cast<const char*>(data), 8) == "\x89PNG\r\n\x1a\n")
    return decode_png(bytes, size, options, name);
  if (size >= 3 && bytes[0] == 0xff && bytes[1] == 0xd8 && bytes[2] == 0xff)
    return decode_jpeg(bytes, size, options, name);
  throw FormatError(str(name, " is neither a PNG nor a JPEG file"));
}

Tensor read_image(const std::string& path, const ImageOptions& options) {
  const Input in = Input::open(path);
  const std::string bytes = in.read_all();
  return decode_image(bytes.data(), bytes.size(), options, in.name());
}

std::string encode_png(const Tensor& image, int compression_level) {
  check<ValueError>(compression_level >= 0 && compression_level <= 9,
                    "write_png: the compression level must be in 0 ... 9, got ", compression_level);
  return png_of(pixels_of(image, "write_png", true), compression_level);
}
void write_png(const Tensor& image, const std::string& path, int compression_level) {
  save_bytes(encode_png(image, compression_level), path);
}
std::string encode_jpeg(const Tensor& image, int quality) {
  check<ValueError>(quality >= 1 && quality <= 100, "write_jpeg: the quality must be in 1 ... 100, got ", quality);
  return jpeg_of(pixels_of(image, "write_jpeg", false), quality);
}
void write_jpeg(const Tensor& image, const std::string& path, int quality) {
  save_bytes(encode_jpeg(image, quality), path);
}

}  // namespace taut::io
