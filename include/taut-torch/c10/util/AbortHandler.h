// See torch/torch.h.
#pragma once
#include "torch/torch.h"  // IWYU pragma: export
