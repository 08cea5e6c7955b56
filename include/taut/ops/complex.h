// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// The conjugates, sharing memory; real numbers are their own.
Tensor conj(const Tensor& self);
/// The conjugates.
Tensor conj_physical(const Tensor& self);
Tensor& conj_physical_(Tensor& self);
/// self, or a copy where it is a view of what it is the conjugate of.
Tensor resolve_conj(const Tensor& self);
/// self: there are no lazily negated tensors.
Tensor resolve_neg(const Tensor& self);
/// The real and imaginary parts along a new last dimension, sharing memory.
Tensor view_as_real(const Tensor& self);
/// The pairs along the last dimension as complex numbers, sharing memory.
Tensor view_as_complex(const Tensor& self);
/// The real parts, sharing memory.
Tensor real(const Tensor& self);
/// The imaginary parts, sharing memory.
Tensor imag(const Tensor& self);
/// Complex numbers from their parts.
Tensor complex(const Tensor& real, const Tensor& imag);
/// Complex numbers from their sizes and angles.
Tensor polar(const Tensor& abs, const Tensor& angle);
/// The angle of each complex number with the positive real numbers.
Tensor angle(const Tensor& self);

}  // namespace taut
