// See taut-torch/tempfile.h.
#pragma once
#include "taut-torch/tempfile.h"  // IWYU pragma: export
