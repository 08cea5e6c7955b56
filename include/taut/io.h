// All of the files Taut reads and writes.
#pragma once
#include "taut/io/checkpoint.h"
#include "taut/io/csv.h"
#include "taut/io/idx.h"
#include "taut/io/image.h"
#include "taut/io/numpy.h"
#include "taut/io/object.h"
#include "taut/io/safetensors.h"
#include "taut/io/torch_file.h"
#include "taut/serialize.h"
