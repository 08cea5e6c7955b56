// See taut-torch/logging.h.
#pragma once
#include "taut-torch/logging.h"  // IWYU pragma: export
