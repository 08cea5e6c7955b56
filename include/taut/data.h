// Loading data: datasets, transforms, samplers, loaders.
#pragma once
#include "taut/data/batch_loader.h"
#include "taut/data/dataloader.h"
#include "taut/data/datasets.h"
#include "taut/data/example.h"
#include "taut/data/mnist.h"
#include "taut/data/orders.h"
#include "taut/data/samplers.h"
#include "taut/data/transforms.h"
