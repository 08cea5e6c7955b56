// What the headers of modules include.
#pragma once
#include "taut/nn/any.h"
#include "taut/nn/arg.h"
#include "taut/nn/cloneable.h"
#include "taut/nn/enums.h"
#include "taut/nn/expanding_array.h"
#include "taut/nn/module.h"
#include "taut/nn/pimpl.h"
