// Writes the pickle of a plain value, and collects the storages of its tensors.
#pragma once
#include <string>
#include <vector>

#include "taut/io/object.h"

namespace taut::io {

/// Elements that one or more tensors share: a tensor of one dimension over all of them.
struct PickledStorage {
  std::string key;
  Tensor elements;
};
struct Pickled {
  std::string text;
  std::vector<PickledStorage> storages;
};
Pickled pickle(const Object& object);

}  // namespace taut::io
