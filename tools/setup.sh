#!/usr/bin/env bash
# Installs the packages of the named groups of packages.txt that are missing: setup.sh build lint
set -euo pipefail
cd "$(dirname "$0")/.."

wanted=()
group=
while read -r line; do
  case $line in
    '' | '#'*) ;;
    '['*) group=${line//[\[\]]/} ;;
    *) [[ " $* " != *" $group "* ]] || wanted+=("$line") ;;
  esac
done <packages.txt

if ! command -v dpkg-query >/dev/null; then
  echo "setup: this is not Debian or one of its kin, so nothing was installed. What Debian calls: ${wanted[*]}" >&2
  echo "setup: going on, in case they are there under other names." >&2
  exit 0
fi

# Packages of another processor are named with it: libpng-dev:arm64.
installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n${Package}:${Architecture} ${db:Status-Status}\n' \
  "${wanted[@]}" 2>/dev/null || true)
missing=()
for package in "${wanted[@]}"; do
  [[ $'\n'$installed$'\n' == *$'\n'"$package installed"$'\n'* ]] || missing+=("$package")
done
((${#missing[@]})) || exit 0

as_root=()
if [[ $(id -u) != 0 ]]; then as_root=(sudo -n); fi
if ! command -v apt-get >/dev/null || ! "${as_root[@]}" true 2>/dev/null; then
  echo "setup: these packages are missing, and only root can install them. Please run:" >&2
  echo "    apt-get install ${missing[*]}" >&2
  exit 1
fi
echo "setup: installing ${missing[*]}"
if [[ "${missing[*]}" == *:arm64* ]]; then "${as_root[@]}" dpkg --add-architecture arm64; fi
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600)
if ! { "${apt[@]}" update && "${apt[@]}" install --no-install-recommends "${missing[@]}"; } >&2; then
  echo "setup: apt-get failed (its words are above). What is needed:" >&2
  echo "    apt-get install ${missing[*]}" >&2
  exit 1
fi
