#!/usr/bin/env bash
# Draws two pictures with DXIL shaders through the layer, on lavapipe: build/demo/mandelbrot.png and
# build/demo/cube.png. With --rays it path-traces a room instead, with a ray-tracing pipeline (rays.png)
# and with ray queries (rays_query.png), and compares both with the CPU. With --mesh it draws a scene of
# meshlets instead, with an amplification and a mesh shader (mesh.png) and with a vertex shader
# (mesh_vertex.png), and fails unless both pictures are equal and at least a third of the meshlets was
# culled.
#
#   scripts/demo.sh [--rays|--mesh] [--driver swiftshader|system|ICD.json] [--spirv] [--validation]
#                   [--out DIR]
#
# Installs missing packages first (scripts/setup.sh). --spirv uses DXC's SPIR-V without the layer.
set -euo pipefail
cd "$(dirname "$0")/.."
[[ ${1:-} != -h && ${1:-} != --help ]] || { sed -n '2,12p' "$0" | sed 's/^# \{0,1\}//'; exit 0; }
# A mistake is said before the minutes of the steps below.
value=
for argument in "$@"; do
    case $value$argument in
        --rays | --mesh | --spirv | --validation) ;;
        --driver | --out) value="value of $argument: " ;;
        "value of "*) value= ;;
        *) echo "demo.sh: unknown option $argument; --help lists all" >&2; exit 2 ;;
    esac
done
[ -z "$value" ] || { echo "demo.sh: $argument needs a value; --help says which" >&2; exit 2; }
# Each step takes up to minutes the first time, so each is announced before it begins.
echo "demo: step 1 of 3: installing what is missing (scripts/setup.sh)"
scripts/setup.sh
# shellcheck source=/dev/null
. "${DXIL_TOOLS:-$PWD/build}/env.sh"
echo "demo: step 2 of 3: building the demo and the layer, optimised, which takes minutes the first time"
cargo build --release --package dxil-demo --package dxil-layer
echo "demo: step 3 of 3: drawing"
exec cargo run --quiet --release --package dxil-demo -- "$@"
