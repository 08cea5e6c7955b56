// See taut-torch/flags.h.
#pragma once
#include "taut-torch/flags.h"  // IWYU pragma: export
