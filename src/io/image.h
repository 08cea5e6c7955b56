// The two codecs behind taut/io/image.h.
#pragma once
#include <string>

#include "io/input.h"
#include "taut/io/image.h"

namespace taut::io {

/// [C, H, W] from the bytes of a file; `name` is how messages call it.
Tensor decode_png(const uint8_t* data, size_t size, const ImageOptions& options, const std::string& name);
Tensor decode_jpeg(const uint8_t* data, size_t size, const ImageOptions& options, const std::string& name);
/// [H, W, C], contiguous, checked.
std::string png_of(const Tensor& image, int compression_level);
std::string jpeg_of(const Tensor& image, int quality);

/// Refuses pictures without an area or with too large a one.
void check_area(uint64_t width, uint64_t height, const ImageOptions& options, const std::string& name,
                const char* format);
/// Turns [H, W, C] of 1 to 4 channels (gray, gray and alpha, RGB, RGBA) into [C, H, W] of the channels asked for.
Tensor to_mode(const Tensor& pixels, ImageMode mode);

}  // namespace taut::io
