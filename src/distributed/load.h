// The library of a kind of link, beside the one that this code is in.
#pragma once
#include <string>

#include "distributed/link.h"

namespace taut::distributed {
/// Throws DistBackendError if there is none.
MakeLink load_link(const std::string& backend);
/// Asks MPI which rank this is, of how many; `tell` is what rank 0 calls to let all know where it is.
void find_world(int& rank, int& size, TellAll& tell);
}  // namespace taut::distributed
