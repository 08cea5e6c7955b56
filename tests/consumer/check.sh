#!/usr/bin/env bash
# check.sh find_package|pkg_config|add_subdirectory <build tree> <cmake> <compiler>: builds and runs the project beside
# this file in a scratch directory, against an installed copy of the build tree or with Taut as a subdirectory.
set -euo pipefail
way=$1 tree=$2 cmake=$3 compiler=$4
source=$(cd "$(dirname "$0")" && pwd)
scratch=$tree/consumer/$way
rm -rf "$scratch"
mkdir -p "$scratch"
configure=("$cmake" -G "Unix Makefiles" -S "$source" -B "$scratch/build" "-DCMAKE_CXX_COMPILER=$compiler")

case $way in
  find_package)
    "$cmake" --install "$tree" --prefix "$scratch/prefix" >/dev/null
    "${configure[@]}" "-DCMAKE_PREFIX_PATH=$scratch/prefix"
    "$cmake" --build "$scratch/build"
    "$scratch/build/consumer_taut"
    "$scratch/build/consumer_static"
    (cd "$scratch" && build/consumer_torch)
    ;;
  pkg_config)
    "$cmake" --install "$tree" --prefix "$scratch/prefix" >/dev/null
    pc=$(find "$scratch/prefix" -name taut.pc)
    flags=$(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --cflags --libs taut)
    # shellcheck disable=SC2086  # the flags are words
    "$compiler" -std=c++20 "$source/main.cpp" -o "$scratch/program" $flags
    LD_LIBRARY_PATH=$(dirname "$(dirname "$pc")") "$scratch/program"
    ;;
  add_subdirectory)
    # Compiles the program only: the library would be the one already built, once more.
    "${configure[@]}" "-DTAUT_SUBDIRECTORY=$source/../.."
    "$cmake" --build "$scratch/build" --target main.o
    ;;
esac
