#!/usr/bin/env bash
# Rebuilds the compiled forms of the fixtures (tests/fixtures, tests/demo/shaders), the programs
# (tests/content), the benchmark corpus (tests/corpus) and the shaders for the tests of the layer
# (tests/layer-loaderless/shaders) from their HLSL.
#
#   scripts/regenerate-fixtures.sh [NAME…]
#
# NAME is a part of a path below tests, such as `arithmetic/` or `corpus/sort` (default: all).
# AGS_SDK, if it is set, is a checkout of https://github.com/GPUOpen-LibrariesAndSDKs/AGS_SDK, whose
# header some fixtures include; without it these fixtures are left as they are.
# The same sources and the pinned compiler give the same bytes, so git shows no changes if no source
# was changed.
set -euo pipefail
cd "$(dirname "$0")/.."
[[ ${1:-} != -h && ${1:-} != --help ]] || { sed -n '2,12p' "$0" | sed 's/^# \{0,1\}//'; exit 0; }
dxc=$(scripts/get-dxc.sh | tail -n 1)
exec python3 tests/fixtures/regenerate.py --dxc "$dxc" "$@"
