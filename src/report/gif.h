// Films as GIF files: a fixed palette of 6 x 6 x 7 colours, frames packed by LZW.
#pragma once
#include <cstdint>
#include <string>

namespace taut::report {

/// `pixels`: uint8 [frames, height, width, 3], without gaps.
std::string encode_gif(const uint8_t* pixels, int64_t frames, int64_t height, int64_t width, double fps);

}  // namespace taut::report
