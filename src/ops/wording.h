// What the checks of functions share whose messages are those of PyTorch's Python: shapes and lists as that shows them,
// written out only when a check fails.
#pragma once
#include <ostream>

#include "taut/core/array_ref.h"
#include "taut/core/assertion_error.h"

namespace taut {

template <class... A>
void assert_that(bool ok, const A&... message) {
  check<AssertionError>(ok, message...);
}
/// A shape: "torch.Size([2, 3])" in Python.
struct Shown {
  IntArrayRef sizes;
  friend std::ostream& operator<<(std::ostream& out, const Shown& s) { return out << "taut::Size(" << s.sizes << ')'; }
};
inline Shown shown(IntArrayRef sizes) { return {sizes}; }
/// "(2, 3)", "(2,)".
template <class T>
struct Tuple {
  ArrayRef<T> list;
  friend std::ostream& operator<<(std::ostream& out, const Tuple& t) {
    out << '(';
    for (size_t i = 0; i < t.list.size(); ++i) out << (i ? ", " : "") << t.list[i];
    return out << (t.list.size() == 1 ? ",)" : ")");
  }
};
template <class T>
Tuple<T> tuple(ArrayRef<T> list) {
  return {list};
}
inline Tuple<int64_t> tuple(const std::initializer_list<int64_t>& list) { return {{list.begin(), list.size()}}; }

}  // namespace taut
