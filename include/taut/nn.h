// Layers, containers, initialisation and what trains with them.
#pragma once
#include "taut/nn/any.h"
#include "taut/nn/cloneable.h"
#include "taut/nn/functional.h"
#include "taut/nn/init.h"
#include "taut/nn/module.h"
#include "taut/nn/modules.h"
#include "taut/nn/utils.h"
