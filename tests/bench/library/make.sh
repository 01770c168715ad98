#!/usr/bin/env bash
# Compiles libraries of different numbers of exports from library.hlsl and rays.hlsl, for the benchmark `library-cost`.
#
#   tests/bench/library/make.sh FOLDER [COUNT…]     default: 8 64 512 2000
#
# Writes FOLDER/library.COUNT.dxil, and FOLDER/rays.COUNT.dxil for a COUNT of 200, whose last material has only two exports. Uses the
# pinned compiler, which scripts/get-dxc.sh fetches. Committed are library.8, library.64 and rays.200:
#
#   tests/bench/library/make.sh tests/bench/library 8 64 200 && rm tests/bench/library/library.200.dxil
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
counts=("$@")
[ ${#counts[@]} -gt 0 ] || counts=(8 64 512 2000)
dxc=$("$here/../../../scripts/get-dxc.sh" | tail -n 1)

# compile NAME PROFILE ARG…: compiles standard input to NAME.dxil.
compile() {
    cat >"$out/$1.hlsl"
    "$dxc" -T "$2" "$out/$1.hlsl" "${@:3}" -Fo "$out/$1.dxil"
    rm "$out/$1.hlsl"
}
for count in "${counts[@]}"; do
    { cat "$here/library.hlsl"; seq -f 'ENTRY(%.0f)' 0 $((count - 1)); } | compile "library.$count" lib_6_6
    if [ "$count" = 200 ]; then
        {
            cat "$here/rays.hlsl"
            # 33 materials of six exports, and two exports more.
            seq -f 'MATERIAL(%.0f)' 0 32
            echo '[shader("miss")] void black(inout Payload payload) { payload.colour = 0; }'
            echo '[shader("callable")] void nothing(inout Payload payload) {}'
        } | compile rays.200 lib_6_5 -Qstrip_reflect
    fi
done
