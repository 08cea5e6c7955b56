// All of Taut.
#pragma once
#include "taut/aliases.h"
#include "taut/autograd.h"
#include "taut/core/runtime.h"
#include "taut/data.h"
#include "taut/factories.h"
#include "taut/indexing.h"
#include "taut/nn.h"
#include "taut/ops.h"
#include "taut/print.h"
#include "taut/random.h"
#include "taut/random_scope.h"
#include "taut/tensor.h"
