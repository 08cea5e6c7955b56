// Text for HTML and SVG.
#pragma once
#include <string>
#include <string_view>

namespace taut::report {

/// With <, >, & and quotes as entities, and no control characters.
std::string escape(std::string_view text);
/// Four significant digits, without trailing zeros: "0.0123", "1.2e-05".
std::string format(double value);
/// A coordinate: two decimals at most.
std::string coordinate(double value);
/// A file as an address that carries it: "data:image/png;base64,...".
std::string data_address(std::string_view type, std::string_view data);

}  // namespace taut::report
