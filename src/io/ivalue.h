// The values of archives as the plain values of a .pt file, and back.
#pragma once
#include "taut/autograd/ivalue.h"
#include "taut/io/object.h"

namespace taut::io {

/// Throws TypeError for a type that no file can hold.
Object object_of(const IValue& value);
IValue value_of(const Object& object);

}  // namespace taut::io
