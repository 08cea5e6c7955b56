// The only test source that is compiled with a path of this clone.
#include "support/paths.h"

namespace taut::test {

std::string golden_path(const std::string& name) { return TAUT_GOLDEN_DIR "/" + name; }

}  // namespace taut::test
