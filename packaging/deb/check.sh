#!/usr/bin/env bash
# check.sh <folder with the packages>: installs them in a new Debian in a folder of its own, and there builds a program with
# each way to link, and runs it. Needs root and debootstrap; takes a minute or two.
set -euo pipefail
packages=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/../.." && pwd)
command -v debootstrap >/dev/null || { echo "deb: debootstrap is missing; please run: apt-get install debootstrap" >&2; exit 1; }

# The mirror and release that this machine's apt uses.
read -r mirror release < <(apt-get indextargets --format '$(SITE) $(RELEASE)' 'Created-By: Packages' | grep -v -e security -e updates | head -1)
root=$(mktemp -d)
chmod 755 "$root"  # apt reads there as a user of its own
trap 'rm -rf "$root"' EXIT
debootstrap --variant=minbase "$release" "$root" "$mirror" >"$root.log" 2>&1 || { cat "$root.log" >&2; exit 1; }
rm -f "$root.log"
cp /etc/resolv.conf "$root/etc/"
mkdir "$root/packages" "$root/program"
cp "$packages"/libtaut*.deb "$root/packages/"
cp "$source"/tests/consumer/* "$root/program/"

inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive sh -euc "$1"; }
inside 'apt-get -q update; apt-get -q -y install --no-install-recommends /packages/libtaut0*.deb' >/dev/null
inside 'ldd /usr/lib/*/libtaut.so.*.*.*; ! ls /usr/include/taut 2>/dev/null'
inside 'apt-get -q -y install --no-install-recommends /packages/libtaut-dev*.deb g++ cmake make pkg-config' >/dev/null
inside '
cd /program
g++ -std=c++20 main.cpp -o shared $(pkg-config --cflags --libs taut)
./shared && ldd shared | grep -q libtaut && echo "shared, by pkg-config: runs"
g++ -std=c++20 -static main.cpp -o static $(pkg-config --static --cflags --libs taut)
./static && ! ldd static 2>/dev/null && echo "static, by pkg-config: runs"
cmake -B build . >/dev/null && make -s -C build >/dev/null
./build/consumer_taut && ./build/consumer_static && ./build/consumer_torch && echo "shared, static and as libtorch, by find_package: run"
apt-get -q -y purge libtaut-dev >/dev/null
./shared && echo "shared, with the library alone: runs"
apt-get -q -y purge "libtaut*" >/dev/null
! ls -d /usr/include/taut /usr/lib/*/libtaut* 2>/dev/null && echo "removed without a trace"'
