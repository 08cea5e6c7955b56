// What acts on the parameters of modules and their gradients.
#pragma once
#include "taut/nn/utils/clip_grad.h"
#include "taut/nn/utils/convert_parameters.h"
#include "taut/nn/utils/rnn.h"
#include "taut/nn/utils/spectral_norm.h"
#include "taut/nn/utils/weight_norm.h"
