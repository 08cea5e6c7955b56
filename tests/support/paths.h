// Where the tests' data are.
#pragma once
#include <string>

namespace taut::test {

/// The path of tests/golden/<name>. One small object knows it, so that all others are the same in every clone and the
/// compiler's cache serves them.
std::string golden_path(const std::string& name);

}  // namespace taut::test
