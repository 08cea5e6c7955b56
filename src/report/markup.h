// Text for HTML and SVG.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace taut::report {

/// With <, >, & and quotes as entities, and no control characters.
std::string escape(std::string_view text);
/// Four significant digits, without trailing zeros: "0.0123", "1.2e-05".
std::string format(double value);
/// A coordinate: two decimals at most.
std::string coordinate(double value);
/// The markup of a PNG file with these pixels (1 or 3 bytes each), as a data: address.
std::string png_address(const unsigned char* pixels, int64_t height, int64_t width, int channels);

}  // namespace taut::report
