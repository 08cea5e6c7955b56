// Pictures: PNG and JPEG to tensors [channels, height, width] and back.
#pragma once
#include <string>

#include "taut/io/file.h"
#include "taut/tensor.h"

namespace taut::io {

/// What the channels shall be; Unchanged takes those of the file (a palette becomes RGB or RGBA).
enum class ImageMode { Unchanged, Gray, GrayAlpha, RGB, RGBA };

struct ImageOptions {
  ImageMode mode = ImageMode::Unchanged;
  int64_t max_pixels = int64_t{1} << 27;  // a larger picture is refused before memory is asked for
};

/// A PNG or JPEG file, told apart by its first bytes. uint8; a PNG of 16 bits gives int32 with values up to 65535.
Tensor read_image(const std::string& path, const ImageOptions& options = {});
Tensor decode_image(const void* data, size_t size, const ImageOptions& options = {},
                    const std::string& name = "the buffer");

/// uint8 [C, H, W] with 1 to 4 channels (or [H, W]) as a PNG; int32 values up to 65535 are written with 16 bits.
void write_png(const Tensor& image, const std::string& path, int compression_level = 6);
std::string encode_png(const Tensor& image, int compression_level = 6);
/// uint8 with 1 or 3 channels as a JPEG of quality 1 to 100.
void write_jpeg(const Tensor& image, const std::string& path, int quality = 75);
std::string encode_jpeg(const Tensor& image, int quality = 75);

}  // namespace taut::io
