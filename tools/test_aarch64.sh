#!/bin/bash
# The elementary functions on AArch64, under qemu-user: cross-compiles their tile files and unit tests for NEON, runs the tests,
# and compares the bits of all results with those of this machine. Needs g++-aarch64-linux-gnu, qemu-user, libgtest-dev
# (googletest's sources in /usr/src), libhwy-dev. Usage: test_aarch64.sh [build folder]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/aarch64}
mkdir -p "$build/target" "$build/native"
ccache=$(command -v ccache || true)
flags="-std=c++20 -O2 -ffp-contract=off -fno-math-errno -Isrc -Iinclude -Itests -I/usr/src/googletest/googletest/include"
# Highway's headers by a folder of their own: the rest of the host's /usr/include must not be seen.
mkdir -p "$build/include"
ln -sfn /usr/include/hwy "$build/include/hwy"
target="$ccache aarch64-linux-gnu-g++ $flags -idirafter $build/include"
native="$ccache g++ $flags -march=x86-64-v3"
families="trig exp_log hyperbolic power inverse complex_math"
sources="src/kernel/tile_registry.cc src/ops/elementary_host.cc src/ops/complex_host.cc src/ops/complex_trig_host.cc"
for f in $families; do sources+=" src/ops/${f}_tiles.cc"; done
tests=$(ls tests/unit/elementary/*_test.cc)

compile() {  # compiler, folder, sources
  local compiler=$1 folder=$2 source
  shift 2
  for source in "$@"; do $compiler -c "$source" -o "$folder/$(basename "$source" .cc).o"; done
}
compile "$target" "$build/target" $sources $tests tests/cross/elementary_bits.cc
compile "$target -I/usr/src/googletest/googletest" "$build/target" /usr/src/googletest/googletest/src/gtest-all.cc \
  /usr/src/googletest/googletest/src/gtest_main.cc
compile "$native" "$build/native" $sources tests/cross/elementary_bits.cc

common() { for s in $sources; do echo "$1/$(basename "$s" .cc).o"; done; }
test_objects=$(for t in $tests; do echo "$build/target/$(basename "$t" .cc).o"; done)
aarch64-linux-gnu-g++ $(common "$build/target") $test_objects "$build"/target/gtest-all.o "$build"/target/gtest_main.o -lpthread \
  -o "$build/tests"
aarch64-linux-gnu-g++ $(common "$build/target") "$build/target/elementary_bits.o" -o "$build/bits_aarch64"
g++ $(common "$build/native") "$build/native/elementary_bits.o" -lhwy -o "$build/bits_native"

export COTAN_TEST_THIN=${COTAN_TEST_THIN:-20}
qemu="qemu-aarch64 -L /usr/aarch64-linux-gnu"
$qemu "$build/tests" --gtest_brief=1
"$build/bits_native" > "$build/native.txt"
$qemu "$build/bits_aarch64" > "$build/aarch64.txt"
diff "$build/native.txt" "$build/aarch64.txt"
echo "AArch64: the tests pass, and $(wc -l < "$build/native.txt") results have the bits of this machine."
