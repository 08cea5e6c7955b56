// See taut-torch/dispatch_v2.h.
#pragma once
#include "taut-torch/dispatch_v2.h"  // IWYU pragma: export
