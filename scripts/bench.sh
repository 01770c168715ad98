#!/usr/bin/env bash
# Measures the throughput of the translator, the cost of its output, and the overhead of the layer.
#
#   scripts/bench.sh [FILE OR FOLDER…]     containers and requests to translate (default: tests/corpus)
#   scripts/bench.sh --against GITREV [FILE OR FOLDER…]
#
# With --against, it counts the instructions of this tree and of another revision with callgrind, which
# other load does not disturb, and prints their ratios (scripts/instructions.py). Otherwise it
# prints MB of DXIL per second with one thread and with several, time per shader, each stage's share of
# the time, the ten slowest shaders for their size, and peak memory, and draws the times against the
# sizes in build/bench.svg; then the cost of structuring, of entry points, and of the C interface; then,
# on lavapipe, the programs of tests/content against DXC's SPIR-V of the same sources, and the cost of
# the layer for an application. The figures depend on the machine and on other load: compare only
# ratios within one run.
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1:-} in
    --against) exec scripts/instructions.py "$@" ;;
    -h | --help) sed -n '2,14s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) echo "bench.sh: unknown option $1" >&2; sed -n '2,14s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
cargo build --release --quiet --package dxil-bench --package dxil-layer
echo "== translator: container bytes to SPIR-V words, uncached, release build"
mkdir -p build
target/release/dxil-bench --threads "$(nproc)" --svg build/bench.svg "$@"
echo
echo "== structurizer: cost against the number of basic blocks"
target/release/structure-cost
echo
echo "== libraries: cost of an entry point against the number of entry points"
target/release/library-cost tests/bench/library/library.8.dxil tests/bench/library/library.64.dxil
echo
echo "== C interface of dxil-spirv: time per shader against the Rust interface"
cargo run --release --quiet --package dxil-d3d12 --bin c-interface-cost
echo
environment=${DXIL_TOOLS:-$PWD/build}/env.sh
if [ ! -e "$environment" ]; then
    echo "skipped the benchmarks that need a driver: $environment is missing; scripts/setup.sh writes it"
    exit 0
fi
# shellcheck source=/dev/null
. "$environment"
echo "== programs: our SPIR-V and DXC's SPIR-V of the same sources, on lavapipe"
target/release/content-cost
echo
echo "== layer: the same calls with and without the layer, under the loader and lavapipe"
cargo run --release --quiet --package dxil-layer-loader --bin layer-overhead
