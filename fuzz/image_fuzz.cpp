// PNG and JPEG: a picture that is accepted must come back the same from a PNG of our own.
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return fuzz(data, size, [](const uint8_t* bytes, size_t n) {
    const taut::io::ImageOptions options{.max_pixels = 1 << 16};
    const taut::Tensor image = taut::io::decode_image(bytes, n, options);
    touch(image);
    const std::string png = taut::io::encode_png(image, 1);
    require(taut::io::decode_image(png.data(), png.size(), options).equal(image));
    touch(taut::io::decode_image(bytes, n, {.mode = taut::io::ImageMode::GrayAlpha, .max_pixels = 1 << 16}));
  });
}
