#!/usr/bin/env bash
# Builds the library with the C interface of dxil-spirv, and installs it (docs/d3d12.md).
#
#   scripts/dxil-spirv-c.sh [--profile PROFILE] [PREFIX]
#
# PROFILE is a profile of cargo, release by default. PREFIX is the folder that gets lib/; the default
# is build/dxil-spirv-c.
set -euo pipefail
cd "$(dirname "$0")/.."

profile=release
prefix=build/dxil-spirv-c
while [ $# -gt 0 ]; do
    case $1 in
        --profile) profile=${2:?--profile needs a name}; shift 2 ;;
        -h | --help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
        -*) echo "dxil-spirv-c.sh: unknown option $1" >&2; exit 2 ;;
        *) prefix=$1; shift ;;
    esac
done

cargo build --quiet --package dxil-spirv-c --profile "$profile"
# The folder of the profile `dev` is called debug.
folder=${CARGO_TARGET_DIR:-target}/${profile/#dev/debug}
mkdir -p "$prefix/lib/pkgconfig"
prefix=$(cd "$prefix" && pwd)
install -m 755 "$folder/libdxil_spirv_c_shared.so" "$prefix/lib/libdxil-spirv-c-shared.so"
install -m 644 "$folder/libdxil_spirv_c_shared.a" "$prefix/lib/libdxil-spirv-c.a"
cat >"$prefix/lib/pkgconfig/dxil-spirv-c-shared.pc" <<PC
prefix=$prefix
libdir=\${prefix}/lib

Name: dxil-spirv-c-shared
Description: The C interface of dxil-spirv over dxil_translator
Version: 2.68.0
Libs: -L\${libdir} -ldxil-spirv-c-shared
PC
echo "$prefix/lib/libdxil-spirv-c-shared.so"
