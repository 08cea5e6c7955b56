#!/usr/bin/env bash
# Makes a virtual environment with these requirements, unless it is there already: venv.sh .venv requirements.txt
set -euo pipefail
cd "$(dirname "$0")/.."
venv=$1 requirements=$2
stamp=$venv/requirements.txt
cmp -s "$requirements" "$stamp" && exit 0
echo "setup: installing what $requirements lists into $venv"
python3 -m venv "$venv"
if ! "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$requirements"; then
  echo "setup: pip could not install what $requirements lists (its words are above)." >&2
  exit 1
fi
cp "$requirements" "$stamp"
