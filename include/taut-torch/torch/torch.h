// For programs written for libtorch: the target taut::torch makes <torch/torch.h> this file. docs/libtorch.md says what
// is covered. torch::, at:: and c10:: are namespaces of their own, to which a program may add.
#pragma once
// What libtorch's brings along.
#include <bitset>
#include <cassert>
#include <cmath>
#include <complex>
#include <condition_variable>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <list>
#include <mutex>
#include <numeric>
#include <queue>
#include <set>
#include <stack>
#include <thread>
#include <typeindex>
#include <unordered_set>

#include "taut-torch/aten.h"
#include "taut-torch/c10.h"
#include "taut-torch/check.h"
#include "taut-torch/dispatch.h"
#include "taut-torch/enums.h"
#include "taut-torch/functions.h"
#include "taut-torch/intrusive_ptr.h"
#include "taut-torch/jit.h"
#include "taut-torch/names.h"
#include "taut-torch/optim.h"
#include "taut-torch/parallel.h"
#include "taut-torch/samplers.h"
#include "taut-torch/serialize.h"
#include "taut-torch/special.h"
#include "taut/data/chunk.h"

namespace torch::fft {
using namespace taut::fft;  // NOLINT
}
namespace torch::linalg {
using namespace taut::linalg;  // NOLINT
}
namespace at::Reduction {
using namespace taut::Reduction;  // NOLINT
}

namespace torch {
using std::nullopt;
using std::optional;
namespace autograd {
using ::taut::AutoGradMode;
using ::taut::GradMode;
using ::taut::InferenceMode;
using ::taut::NoGradGuard;
}  // namespace autograd
namespace data {
namespace datasets {
using ::taut::data::datasets::ChunkDataReader;
using ::taut::data::datasets::ChunkDataset;
using ::taut::data::datasets::ChunkDatasetOptions;
}  // namespace datasets
using datasets::BatchDataset;
using datasets::Dataset;
}  // namespace data
// Programs name these although they hold nothing of their own.
namespace nn {
namespace modules {}
namespace parallel {}
}  // namespace nn
}  // namespace torch

#define TORCH_MODULE(Name) TAUT_MODULE(Name)
#define TORCH_MODULE_IMPL(Name, ImplType) TAUT_MODULE_IMPL(Name, ImplType)
#define TORCH_ARG(T, name) TAUT_ARG(T, name)
#define TORCH_API
#define TORCH_VERSION "2.13.0"
#define TORCH_VERSION_MAJOR 2
#define TORCH_VERSION_MINOR 13
#define TORCH_VERSION_PATCH 0
