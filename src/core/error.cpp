#include "taut/core/error.h"

#include <sstream>

namespace taut::detail {

std::string join(std::initializer_list<Piece> pieces) {
  std::ostringstream out;
  for (const Piece& p : pieces) p.write(out, p.value);
  return out.str();
}

void write_text(std::ostream& out, const void* text) { out << static_cast<const char*>(text); }

}  // namespace taut::detail
