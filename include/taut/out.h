// `f(x, out=y)`, for bindings.
#pragma once
#include "taut/registry.h"

namespace taut {

/// Does this op take `out=`, as in PyTorch?
bool takes_out(const OpEntry& op);

/// Calls an op and puts its results into `outs`, which take their shapes. Pointwise ops compute there at once where
/// shape and dtype fit; other results are copied. Throws, and changes nothing, where PyTorch refuses a destination.
void call_into(const OpEntry& op, const Value* args, size_t n, TensorList outs);

/// out = result, for functions that are made of several ops. `casts`: may the dtype be another one?
void write_out(const Tensor& out, const Tensor& result, bool casts = false);

}  // namespace taut
