// Indices as text.
#include <ostream>

#include "taut/indexing.h"

namespace taut::indexing {

std::ostream& operator<<(std::ostream& out, const Slice& s) {
  return out << s.start() << ':' << s.stop() << ':' << s.step();
}
std::ostream& operator<<(std::ostream& out, const TensorIndex& i) {
  switch (i.kind()) {
    case TensorIndex::Kind::None: return out << "None";
    case TensorIndex::Kind::Ellipsis: return out << "...";
    case TensorIndex::Kind::Integer: return out << i.integer();
    case TensorIndex::Kind::Boolean: return out << (i.boolean() ? "true" : "false");
    case TensorIndex::Kind::Slice: return out << i.slice();
    case TensorIndex::Kind::Tensor: return out << i.tensor();
  }
  return out;
}
std::ostream& operator<<(std::ostream& out, const std::vector<TensorIndex>& indices) {
  out << '(';
  for (size_t i = 0; i < indices.size(); ++i) out << (i ? ", " : "") << indices[i];
  return out << ')';
}

}  // namespace taut::indexing
