// Prints every row of the registry, for tools/op_headers.py: table, schema, whether it is a method, whether it has an
// in-place twin and takes `out`, other names and the sentence about it, with tabs between.
#include <cstdio>

#include "taut/out.h"
#include "taut/registry.h"

int main() {
  for (const taut::OpTable& table : taut::op_tables())
    for (const taut::OpEntry* op = table.rows; op != table.rows + table.count; ++op)
      std::printf("%s\t%s\t%d\t%d\t%d\t%s\t%s\n", table.name, op->schema, taut::is_method(table, *op),
                  op->in_place != nullptr, taut::takes_out(*op), op->aliases, op->doc);
}
