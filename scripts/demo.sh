#!/usr/bin/env bash
# Draws two pictures with DXIL shaders through the layer, on lavapipe: build/demo/mandelbrot.png and
# build/demo/cube.png. With --rays, it path-traces a room instead: build/demo/rays.png with a
# ray-tracing pipeline and build/demo/rays_query.png with ray queries, both compared with the CPU.
#
#   scripts/demo.sh [--rays] [--driver swiftshader|system|ICD.json] [--spirv] [--validation] [--out DIR]
#
# Installs missing packages first (scripts/setup.sh). --spirv uses DXC's SPIR-V without the layer.
set -euo pipefail
cd "$(dirname "$0")/.."
[[ ${1:-} != -h && ${1:-} != --help ]] || { sed -n '2,8p' "$0" | sed 's/^# \{0,1\}//'; exit 0; }
scripts/setup.sh
# shellcheck source=/dev/null
. "${DXIL_TOOLS:-$PWD/build}/env.sh"
exec cargo run --quiet --release --package dxil-demo -- "$@"
