// Lists as Python prints tuples: "(2, 3)", "(6,)".
#pragma once
#include <ostream>
#include <vector>

namespace taut::nn::detail {

template <class T>
std::ostream& print_tuple(std::ostream& out, const std::vector<T>& list) {
  out << '(';
  for (size_t i = 0; i < list.size(); ++i) out << (i ? ", " : "") << list[i];
  return out << (list.size() == 1 ? ",)" : ")");
}

}  // namespace taut::nn::detail
