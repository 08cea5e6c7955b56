// The table of numeric kernels: linked in, or (TAUT_NUMERIC_LIBRARY is the name of a file) found in the library beside
// this one.
#include "kernels/numeric.h"

#include "taut/core/error.h"

#ifdef TAUT_NUMERIC_LIBRARY
#include <dlfcn.h>

#include <string>

namespace taut::kernels {
namespace {
const Numeric& load() {
  Dl_info self;
  check(dladdr(reinterpret_cast<const void*>(&load), &self) != 0, "Taut does not find the file of its own library");
  const std::string here = self.dli_fname;
  const std::string path = here.substr(0, here.rfind('/') + 1) + TAUT_NUMERIC_LIBRARY;
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw Error(str("linear algebra and transforms are in a library of their own, which was not found beside ", here,
                    ": ", dlerror(), ". Install ", TAUT_NUMERIC_LIBRARY, " there too, or link Taut statically"));
  const auto table = reinterpret_cast<const Numeric* (*)()>(dlsym(library, "taut_numeric"));
  check(table != nullptr, path, " is not Taut's library of numerics");
  return *table();
}
}  // namespace
const Numeric& numeric() {
  static const Numeric& table = load();
  return table;
}
}  // namespace taut::kernels
#else
namespace taut::kernels {
const Numeric& numeric() {
#define TAUT_ADDRESS(f) &f,
  static constexpr Numeric table = {TAUT_NUMERIC_FUNCTIONS(TAUT_ADDRESS)};
#undef TAUT_ADDRESS
  return table;
}
}  // namespace taut::kernels
/// What the library of numerics shows.
extern "C" const taut::kernels::Numeric* taut_numeric() { return &taut::kernels::numeric(); }
#endif
