// taut::nn::functional: layers as functions, with their options.
#pragma once
#include "taut/nn/functional/activation.h"
#include "taut/nn/functional/conv.h"
#include "taut/nn/functional/fold.h"
#include "taut/nn/functional/loss.h"
#include "taut/nn/functional/padding.h"
#include "taut/nn/functional/pooling.h"
