#!/usr/bin/env bash
# Compiles libraries of different numbers of entry points from library.hlsl, for the benchmark `library-cost`.
#
#   tests/bench/library/make.sh FOLDER [COUNT…]     default: 8 64 512 2000
#
# Writes FOLDER/library.COUNT.dxil. Uses the pinned compiler, which scripts/get-dxc.sh fetches.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
counts=("$@")
[ ${#counts[@]} -gt 0 ] || counts=(8 64 512 2000)
dxc=$("$here/../../../scripts/get-dxc.sh" | tail -n 1)
for count in "${counts[@]}"; do
    { cat "$here/library.hlsl"; seq -f 'ENTRY(%.0f)' 0 $((count - 1)); } >"$out/library.$count.hlsl"
    "$dxc" -T lib_6_6 "$out/library.$count.hlsl" -Fo "$out/library.$count.dxil"
    rm "$out/library.$count.hlsl"
done
