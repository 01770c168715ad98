#!/usr/bin/env bash
# Fetches the pinned HLSL compiler and builds our command-line driver for it: build/dxc/dxc (or $DXIL_TOOLS/dxc/dxc).
#
# The compiler is DXC 1.6 (shader models 6.0 to 6.7, root signatures, SPIR-V), as the source package compushady 0.17.5 carries it for
# Linux with its headers. Only needed to change fixtures: their compiled forms are committed. Quick when all is there.
set -euo pipefail
cd "$(dirname "$0")/.."
tools=${DXIL_TOOLS:-$PWD/build}
mkdir -p "$tools"
dxc=$(cd "$tools" && pwd)/dxc
package=compushady
version=0.17.5
library=libdxcompiler_x86_64.so.3.7
library_sha256=fb549976da7abff1ee56bdfa4f5ab156b95e971d4270b5b4447b61682d105809

say() { echo "get-dxc: $*" >&2; }
die() { say "$*"; exit 1; }

[ "$(uname -sm)" = "Linux x86_64" ] || die "the pinned compiler runs on Linux x86_64 only; the committed fixtures do not need it"
for command in python3 g++ sha256sum; do
    command -v $command >/dev/null || die "needs $command (scripts/setup.sh brings it)"
done

if ! [ -e "$dxc/libdxcompiler.so" ]; then
    say "fetching the source package $package $version"
    rm -rf "$dxc.new"
    mkdir -p "$dxc.new/download"
    python3 -m pip --quiet download --no-deps --no-binary $package --dest "$dxc.new/download" $package==$version
    tar -xzf "$dxc.new/download/$package-$version.tar.gz" -C "$dxc.new" --strip-components=3 \
        "$package-$version/$package/backends/$library" "$package-$version/$package/backends/dxcapi.h" "$package-$version/$package/backends/WinAdapter.h"
    echo "$library_sha256  $dxc.new/$library" | sha256sum --check --status || die "$library is not the pinned one"
    mv "$dxc.new/$library" "$dxc.new/libdxcompiler.so"
    rm -rf "$dxc.new/download" "$dxc"
    mv "$dxc.new" "$dxc"
fi
if ! [ "$dxc/dxc" -nt tests/dxc/dxc_driver.cpp ]; then
    say "building the driver"
    g++ -std=c++17 -O1 -fms-extensions -w -I"$dxc" -o "$dxc/dxc.new" tests/dxc/dxc_driver.cpp -ldl
    mv "$dxc/dxc.new" "$dxc/dxc"
fi
echo "$dxc/dxc"
