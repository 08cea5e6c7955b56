// The version of the library.
#pragma once

namespace taut {

/// Major, minor and patch, with points between (docs/stability.md).
const char* version();

}  // namespace taut
