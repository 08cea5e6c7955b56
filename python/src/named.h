// Tensors by name, as Python passes them: a list of pairs.
#pragma once
#include "caster.h"
#include "taut/ordered_dict.h"

namespace taut::python {

using Named = std::vector<std::pair<std::string, Tensor>>;
inline Named list_of(const OrderedDict<std::string, Tensor>& dict) {
  Named list;
  for (const auto& item : dict) list.push_back(item.pair());
  return list;
}
inline OrderedDict<std::string, Tensor> dict_of(const Named& list) {
  OrderedDict<std::string, Tensor> dict;
  for (const auto& [name, tensor] : list) dict.insert(name, tensor.detach());
  return dict;
}

}  // namespace taut::python
