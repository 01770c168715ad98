#!/usr/bin/env bash
# Draws two pictures from DXIL shaders through the layer, on lavapipe: build/demo/mandelbrot.png and build/demo/cube.png.
#
#   scripts/demo.sh [--driver swiftshader|system|ICD.json] [--spirv] [--out DIR]
#
# Installs what is missing first (scripts/setup.sh). --spirv hands over DXC's SPIR-V instead, without the layer.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh
# shellcheck source=/dev/null
. "${DXIL_TOOLS:-$PWD/build}/env.sh"
exec cargo run --quiet --release --package dxil-demo -- "$@"
