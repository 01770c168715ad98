#!/usr/bin/env bash
# Throughput of the translator, cost of its output, and overhead of the layer.
#
#   scripts/bench.sh [FILE OR FOLDER…]     containers to translate; default: the committed corpus
#
# Prints MB of DXIL per second, time per shader, where the time goes, peak memory; then the programs of tests/content against DXC's SPIR-V
# of the same sources on lavapipe; then what the layer costs an application.
# Figures depend on the machine and what else runs on it: compare ratios within one run.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --quiet --package dxil-bench --package dxil-layer
echo "== translator: bytes to words, one thread, no cache, release build"
target/release/dxil-bench "$@"
echo
echo "== structuring: cost against the number of blocks"
target/release/structure-cost
echo
environment=${DXIL_TOOLS:-$PWD/build}/env.sh
if [ ! -e "$environment" ]; then
    echo "skipped: what needs a driver; $environment is missing, scripts/setup.sh writes it"
    exit 0
fi
# shellcheck source=/dev/null
. "$environment"
echo "== programs: ours and DXC's SPIR-V of the same sources, on lavapipe"
target/release/content-cost
echo
echo "== layer: the same calls with and without it, under the loader and lavapipe"
cargo run --release --quiet --package dxil-layer-loader --bin layer-overhead
