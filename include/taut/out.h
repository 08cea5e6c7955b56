// For bindings: `f(x, out=y)`.
#pragma once
#include "taut/registry.h"

namespace taut {

/// Calls an op and puts its result into `out`, which takes its shape. The loop of a pointwise op writes it there at
/// once where shape, dtype and layout fit; other results are copied.
void call_into(const OpEntry& op, const Value* args, size_t n, const Tensor& out);

/// out = result, as an op with out=... does it.
void write_out(const Tensor& out, const Tensor& result);

}  // namespace taut
