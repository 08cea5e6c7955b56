// torch::save and torch::load, by way of archives.
#pragma once
#include <utility>
#include <vector>

#include "taut-torch/names.h"
#include "taut/serialize.h"
#include "taut/serialize/archive.h"

namespace torch {

/// Whatever has an operator<< for archives: modules, optimisers, samplers, datasets, types of the program's own. `to`
/// is a path, a stream or a function.
template <class Value, class... To>
void save(const Value& value, To&&... to) {
  if constexpr (requires(serialize::OutputArchive & archive) { archive << value; }) {
    serialize::OutputArchive archive;
    archive << value;
    archive.save_to(std::forward<To>(to)...);
  } else {
    taut::save(value, std::forward<To>(to)...);
  }
}
// As Python's torch.save writes them: not in a dictionary.
template <class... To>
void save(const taut::Tensor& tensor, To&&... to) {
  taut::serialize::save_value(tensor, std::forward<To>(to)...);
}
template <class... To>
void save(const std::vector<taut::Tensor>& tensors, To&&... to) {
  taut::serialize::save_value(tensors, std::forward<To>(to)...);
}

/// `from` is a path, a stream, memory and its size, or a function that reads and one that says how much there is.
template <class Value, class... From>
void load(Value& value, From&&... from) {
  if constexpr (requires(serialize::InputArchive & archive) { archive >> value; }) {
    serialize::InputArchive archive;
    archive.load_from(std::forward<From>(from)...);
    archive >> value;
  } else {
    taut::load(value, std::forward<From>(from)...);
  }
}
template <class... From>
void load(std::vector<taut::Tensor>& tensors, From&&... from) {
  serialize::InputArchive archive;
  archive.load_from(std::forward<From>(from)...);
  for (taut::Tensor t; archive.try_read(std::to_string(tensors.size()), t); t = taut::Tensor()) tensors.push_back(t);
}

}  // namespace torch
