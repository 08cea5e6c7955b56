#!/usr/bin/env bash
# check.sh <way> <build tree> <cmake> <compiler>: builds and runs the project beside this file in a scratch directory,
# against an installed copy of the build tree or with Taut as a part of it.
set -euo pipefail
way=$1 tree=$2 cmake=$3 compiler=$4
source=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$source/../.." && pwd)
scratch=$tree/consumer/$way
rm -rf "$scratch"
mkdir -p "$scratch"
configure=("$cmake" -G "Unix Makefiles" -S "$source" -B "$scratch/build" "-DCMAKE_CXX_COMPILER=$compiler")

install_tree() {
  "$cmake" --install "$tree" --prefix "$scratch/prefix" >/dev/null
  pc=$(dirname "$(find "$scratch/prefix" -name taut.pc)")
  lib=$(dirname "$pc")
}
flags() { PKG_CONFIG_PATH=$pc pkg-config "${@:---cflags}" --libs taut; }

case $way in
  find_package)
    install_tree
    "${configure[@]}" "-DCMAKE_PREFIX_PATH=$scratch/prefix"
    "$cmake" --build "$scratch/build"
    "$scratch/build/consumer_taut"
    "$scratch/build/consumer_static"
    (cd "$scratch" && build/consumer_torch)
    "$scratch/build/consumer_distributed"
    if [[ -e $scratch/build/consumer_openmp ]]; then "$scratch/build/consumer_openmp"; fi
    ;;
  one_object)
    install_tree
    "${configure[@]}" "-DCMAKE_PREFIX_PATH=$scratch/prefix"
    rm "$lib"/libtaut*
    "$cmake" --build "$scratch/build" --target consumer_object
    "$scratch/build/consumer_object"
    ;;
  pkg_config)
    install_tree
    # shellcheck disable=SC2046  # the flags are words
    "$compiler" -std=c++20 "$source/main.cpp" -o "$scratch/program" $(flags)
    LD_LIBRARY_PATH=$lib "$scratch/program"
    rm "$lib"/libtaut_numeric.*
    if LD_LIBRARY_PATH=$lib "$scratch/program" 2>"$scratch/refused"; then exit 1; fi
    grep -q "in a library of their own, which was not found beside" "$scratch/refused"
    ;;
  fully_static)  # a program that needs no library at all when it runs
    install_tree
    # shellcheck disable=SC2046
    "$compiler" -std=c++20 -static "$source/main.cpp" -o "$scratch/program" $(flags --static --cflags)
    "$scratch/program"
    if readelf -d "$scratch/program" | grep NEEDED; then exit 1; fi
    ;;
  debug_and_release)  # parts compiled otherwise than the library, and than each other, in one program
    install_tree
    warnings="-Wall -Wextra -Wpedantic -Werror"
    common="-I$scratch/prefix/include -I$scratch/prefix/include/taut-torch -c"
    # shellcheck disable=SC2086
    for compiler in $(command -v "$compiler" clang++-14); do
      "$compiler" -std=c++20 -O0 -g -D_GLIBCXX_ASSERTIONS $warnings "$source/parts.cpp" -DMAIN -o "$scratch/debug.o" $common
      "$compiler" -std=c++2b -O2 -DNDEBUG $warnings "$source/parts.cpp" -o "$scratch/release.o" $common
      "$compiler" "$scratch/debug.o" "$scratch/release.o" -o "$scratch/program" $(flags)
      LD_LIBRARY_PATH=$lib "$scratch/program"
    done
    if "$compiler" -std=c++20 -D_GLIBCXX_DEBUG -fsyntax-only "$source/main.cpp" $common 2>"$scratch/refused"; then exit 1; fi
    grep -q "Taut: _GLIBCXX_DEBUG changes" "$scratch/refused"
    ;;
  vcpkg)
    "$cmake" "-DBUILD=$tree" "-DPREFIX=$scratch/prefix" -P "$root/packaging/vcpkg/check.cmake"
    ;;
  add_subdirectory | fetch_content)
    # Compiles the program only: the library would be the one already built, once more.
    option=-DTAUT_SUBDIRECTORY
    if [[ $way == fetch_content ]]; then option=-DFETCHCONTENT_SOURCE_DIR_TAUT; fi
    "${configure[@]}" "$option=$root" -DCMAKE_CXX_FLAGS=-ffast-math
    "$cmake" --build "$scratch/build" --target main.o
    ;;
esac
