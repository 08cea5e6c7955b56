// The library of a kind of link, beside the one that this code is in.
#pragma once
#include <string>

#include "distributed/link.h"

namespace taut::distributed {
/// Throws DistBackendError if there is none.
MakeLink load_link(const std::string& backend);
}  // namespace taut::distributed
