// Drawing the autograd graph of a tensor.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "taut/tensor.h"

namespace taut::graph {

/// Tensors and what to call them: a list of pairs, a map, or what Module::named_parameters() gives.
class Names {
 public:
  Names() = default;
  template <class Items>
  Names(const Items& items) {
    for (const auto& item : items) {
      if constexpr (requires { item.key(); }) list_.emplace_back(item.key(), item.value());
      else list_.emplace_back(item.first, item.second);
    }
  }
  Names(std::initializer_list<std::pair<std::string, Tensor>> items) : list_(items) {}
  const std::vector<std::pair<std::string, Tensor>>& list() const { return list_; }

 private:
  std::vector<std::pair<std::string, Tensor>> list_;
};

struct Options {
  size_t max_nodes = 400;      // what is farther from the tensor is left out, and the drawing says so
  bool left_to_right = false;  // data flows from top to bottom otherwise
};

/// The graph as text for Graphviz: ops with the shapes they gave, leaves with their names, the result last.
std::string to_dot(const Tensor& tensor, const Names& names = {}, const Options& options = {});
/// The graph as a picture. Runs Graphviz's `dot`, which must be installed.
std::string to_svg(const Tensor& tensor, const Names& names = {}, const Options& options = {});

}  // namespace taut::graph
