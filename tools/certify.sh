#!/usr/bin/env bash
# certify.sh <build directory>: writes tests/golden/certificate.txt anew from what this processor computes, at its best
# instruction level. The tests with the label `certificate` compare with that file.
set -euo pipefail
build=$1
cd "$(dirname "$0")/.."
lines=$(mktemp)
trap 'rm -f "$lines"' EXIT
TAUT_CERTIFY=$lines ctest --test-dir "$build" --label-regex '^certificate$' --exclude-regex '_at_level_' --output-on-failure
twice=$(sort -u "$lines" | cut -d' ' -f2- | sort | uniq -d)
if [[ -n $twice ]]; then
  echo "certify: these have other bits with another number of threads:" >&2
  echo "$twice" >&2
  exit 1
fi
sort -u -k2 "$lines" >tests/golden/certificate.txt
echo "certify: $(wc -l <tests/golden/certificate.txt) fingerprints in tests/golden/certificate.txt"
