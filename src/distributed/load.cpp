#include "distributed/load.h"

#include <dlfcn.h>
#include <unistd.h>

#include "taut/distributed.h"

namespace taut::distributed {
namespace {
std::string library_of(const std::string& backend) {
  if (backend != "gloo" && backend != "mpi") return {};
  Dl_info self;
  std::string here;
  if (dladdr(reinterpret_cast<const void*>(&library_of), &self) != 0) here = self.dli_fname;
  const std::string name = "libtaut_" + backend + ".so";
  // Beside us, or where the loader looks: a program may be linked statically.
  const std::string beside = here.substr(0, here.rfind('/') + 1) + name;
  return access(beside.c_str(), R_OK) == 0 ? beside : name;
}
}  // namespace

bool is_backend_available(const std::string& backend) {
  const std::string path = library_of(backend);
  if (path.empty()) return false;
  void* library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library) dlclose(library);
  return library != nullptr;
}

static void* load(const std::string& backend) {
  const std::string path = library_of(backend);
  check<DistBackendError>(!path.empty(), "there is no backend '", backend, "': there are gloo and mpi");
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw DistBackendError(
        str("the backend '", backend, "' is in a library of its own, which could not be loaded: ", dlerror(),
            ". It is built where ", backend == "gloo" ? "libgloo-dev" : "libopenmpi-dev", " is installed"));
  return library;
}
template <class F>
static F function(void* library, const char* name) {
  const auto f = reinterpret_cast<F>(dlsym(library, name));
  check<DistBackendError>(f != nullptr, "a library that is not Taut's stands in the place of Taut's: it lacks ", name);
  return f;
}

MakeLink load_link(const std::string& backend) { return function<MakeLink>(load(backend), "taut_link"); }

void find_world(int& rank, int& size, TellAll& tell) {
  void* const library = load("mpi");
  tell = function<TellAll>(library, "taut_tell");
  try {
    function<FindWorld>(library, "taut_world")(&rank, &size);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& e) {
    throw DistBackendError(str("MPI did not start: ", e.what()));
  }
}

}  // namespace taut::distributed
