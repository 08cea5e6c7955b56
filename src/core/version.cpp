// The version, which CMakeLists.txt states.
#include "taut/core/version.h"

namespace taut {

const char* version() { return TAUT_VERSION; }

}  // namespace taut
