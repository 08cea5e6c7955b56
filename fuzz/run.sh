#!/usr/bin/env bash
# run.sh <build tree> <seconds> [fuzzer...]: runs every fuzzer for that long, from the inputs of corpus/<reader> and what
# earlier runs found. Stops at the first crash; the input that made it is then in <build tree>/fuzz/crashes.
set -euo pipefail
tree=$(cd "$1" && pwd) seconds=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$tree/fuzz/crashes"
(($#)) || set -- "$here"/*_fuzz.cpp
for source in "$@"; do
  name=$(basename "$source" .cpp) reader=$(basename "${source%_fuzz.cpp}")
  found=$tree/fuzz/found/$reader
  mkdir -p "$found"
  echo "fuzz: $reader for $seconds s"
  if ! "$tree/fuzz/$name" -max_total_time="$seconds" -max_len=16384 -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
    -verbosity=0 -artifact_prefix="$tree/fuzz/crashes/$reader-" "$found" "$here/corpus/$reader" >"$tree/fuzz/$reader.log" 2>&1
  then
    tail -40 "$tree/fuzz/$reader.log"
    echo "fuzz: $reader FAILED; the input is in $tree/fuzz/crashes" >&2
    exit 1
  fi
  grep -E "number_of_executed_units|peak_rss_mb" "$tree/fuzz/$reader.log" || true
done
