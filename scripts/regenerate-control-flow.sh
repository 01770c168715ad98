#!/usr/bin/env bash
# Rewrites the committed control-flow programs (tests/control-flow/programs): DXIL of the generator's
# HLSL from the pinned compiler at -Od, -O1 and -O3. Programs without wave operations also get DXC's
# SPIR-V, which is their second judge. The HLSL is not committed: sources.txt has its digest.
#
# The programs are the first 200 seeds from 0 on, without those that the compiler crashes on,
# refuses or miscompiles at some level. The same generator and compiler give the same bytes, so git
# shows no changes if neither was changed.
set -euo pipefail
cd "$(dirname "$0")/.."
[[ ${1:-} != -h && ${1:-} != --help ]] || { sed -n '2,8p' "$0" | sed 's/^# \{0,1\}//'; exit 0; }
dxc=$(scripts/get-dxc.sh | tail -n 1)
programs=$PWD/tests/control-flow/programs
probes=$PWD/tests/control-flow/probes
wanted=200
# Seeds whose SPIR-V from the compiler is invalid (a switch does not dominate its cases), so that a
# driver need not run it. The test of the committed programs reports such seeds.
invalid_judge=(207)
# Each word is an argument. Keep these equal to the arguments in
# tests/control-flow/tests/programs.rs.
export to_spirv="-T cs_6_0 -E main -DSPIRV -spirv -fspv-target-env=vulkan1.1 -fvk-use-dx-layout -fvk-t-shift 100 all -fvk-u-shift 200 all"
export to_dxil="-T cs_6_0 -E main -Qstrip_debug -Qstrip_reflect"
cargo build --quiet --package dxil-control-flow --bin dxil-control-flow
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
control_flow=$(realpath -m "${CARGO_TARGET_DIR:-target}")/debug/dxil-control-flow
export control_flow
"$control_flow" write 0 $((wanted + 50)) "$made"
cd "$made"

compile() { # COMPILER SEED
    local level
    for level in Od O1 O3; do
        "$1" "$2.hlsl" $to_dxil -$level -Fo "$2.$level.dxil" 2>/dev/null || { rm -f "$2".*; return 0; }
        "$control_flow" check "$2" "$2.$level.dxil" >/dev/null || { rm -f "$2".*; return 0; }
    done
    grep -q Wave "$2.hlsl" || "$1" "$2.hlsl" $to_spirv -Fo "$2.spv" 2>/dev/null || { rm -f "$2".*; return 0; }
}
export -f compile
seq 0 $((wanted + 49)) | xargs -P "$(nproc)" -I{} bash -c 'compile "$0" "$1"' "$dxc" {} 2>/dev/null

for seed in "${invalid_judge[@]}"; do rm -f "$seed".*; done
mapfile -t kept < <(find . -name '*.hlsl' | sed 's|^\./||; s|\.hlsl$||' | sort -n | head -n $wanted)
[ ${#kept[@]} -eq $wanted ] || { echo "only ${#kept[@]} of $wanted programs compile; try more seeds" >&2; exit 1; }
mkdir -p "$programs"
rm -f "$programs"/*.dxil "$programs"/*.spv
for seed in "${kept[@]}"; do
    cp "$seed".*.dxil "$programs/"
    [ ! -f "$seed.spv" ] || cp "$seed.spv" "$programs/"
done
"$control_flow" digest "${kept[@]}" >"$programs/sources.txt"
"$dxc" "$probes/left-loop.hlsl" $to_spirv -Fo "$probes/left-loop.spv"
for shape in block branch loop call; do
    "$dxc" "$probes/lost-marks.hlsl" "-D${shape^^}" $to_dxil -O1 -Fo "$probes/lost-marks.$shape.dxil"
    "$dxc" "$probes/lost-marks.hlsl" "-D${shape^^}" -DBEHIND $to_dxil -O1 -Fo "$probes/lost-marks.$shape.behind.dxil"
done
echo "${#kept[@]} programs, seeds 0 to ${kept[-1]}, $(cat "$programs"/*.dxil | wc -c) bytes of DXIL"
