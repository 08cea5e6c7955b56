#!/usr/bin/env bash
# Are the public headers of the ops those of the registry? check_op_headers.sh DUMP_OPS PYTHON
set -euo pipefail
"$1" | "$2" "$(dirname "$0")/op_headers.py" --check
