// Several processes: a library of its own.
#include <taut/distributed.h>

int main() {
  taut::distributed::HashStore store;
  store.set("a", "1");
  return store.get("a") == "1" && !taut::distributed::is_initialized() ? 0 : 1;
}
