// Prints every sample call of the registry, one per line: schema, a tab, the arguments. tools/golden_ops.py reads it.
#include <cstdio>

#include "support/sample.h"

int main() {
  for (const taut::OpEntry* op : taut::all_ops())
    for (const taut::test::Sample& s : taut::test::samples_of(*op))
      if (!taut::test::unpredictable(s.name())) std::printf("%s\t%s\n", op->schema, s.text().c_str());
}
