// Every module.
#pragma once
#include "taut/nn/modules/common.h"
#include "taut/nn/modules/container/functional.h"
#include "taut/nn/modules/container/moduledict.h"
#include "taut/nn/modules/container/modulelist.h"
#include "taut/nn/modules/container/parameterlist.h"
#include "taut/nn/modules/container/sequential.h"
#include "taut/nn/modules/conv.h"
#include "taut/nn/modules/fold.h"
#include "taut/nn/modules/pooling.h"
#include "taut/nn/modules/rnn.h"
