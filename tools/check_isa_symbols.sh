#!/usr/bin/env bash
# check_isa_symbols.sh <object>...: fails when an object compiled for one instruction set defines a weak symbol outside
# of its namespace. The linker keeps one copy of such a symbol for the whole program, maybe the AVX-512 one, and a
# machine without AVX-512 would then run it.
set -euo pipefail

status=0
for object in "$@"; do
  symbols=$(nm -C --defined-only "$object")
  # A name that mentions taut::v2, v3 or v4, or Highway's namespace of one target, exists once per instruction set.
  # DW.ref is a pointer to data, not code.
  stray=$(grep -E '^[0-9a-f]+ [WVu] ' <<<"$symbols" | grep -vE 'taut::v[234]::|hwy::N_[A-Z0-9_]+::| DW\.ref\.' || true)
  if [[ $stray ]]; then
    printf '%s defines, outside of taut::v2, v3 and v4:\n%s\n' "$object" "$stray"
    status=1
  fi
done
((status)) || echo "$# objects, no stray weak symbol"
exit $status
