#!/usr/bin/env bash
# Fetches the pinned HLSL compiler and builds our command-line driver for it: build/dxc/dxc (or
# $DXIL_TOOLS/dxc/dxc). Prints the path of the driver.
#
# The compiler is DXC 1.6 (shader models 6.0 to 6.7, root signatures, SPIR-V). The Python source
# package compushady 0.17.5 contains its library for Linux and its headers. The compiler is needed
# to change fixtures only, because their compiled forms are committed. Files that exist are not
# fetched again.
set -euo pipefail
cd "$(dirname "$0")/.."
[[ ${1:-} != -h && ${1:-} != --help ]] || { sed -n '2,8p' "$0" | sed 's/^# \{0,1\}//'; exit 0; }
tools=${DXIL_TOOLS:-$PWD/build}
mkdir -p "$tools"
dxc=$(cd "$tools" && pwd)/dxc
package=compushady
version=0.17.5
library=libdxcompiler_x86_64.so.3.7
library_sha256=fb549976da7abff1ee56bdfa4f5ab156b95e971d4270b5b4447b61682d105809

say() { echo "get-dxc: $*" >&2; }
die() { say "$*"; exit 1; }

[ "$(uname -sm)" = "Linux x86_64" ] || die "the pinned compiler runs on Linux x86_64 only; it is needed to change fixtures, not to run them"
for command in python3 g++ sha256sum; do
    command -v $command >/dev/null || die "$command is missing; scripts/setup.sh installs it"
done

if ! [ -e "$dxc/libdxcompiler.so" ]; then
    say "fetching the source package $package $version"
    rm -rf "$dxc.new"
    mkdir -p "$dxc.new/download"
    python3 -m pip --quiet download --no-deps --no-binary $package --dest "$dxc.new/download" $package==$version
    tar -xzf "$dxc.new/download/$package-$version.tar.gz" -C "$dxc.new" --strip-components=3 \
        "$package-$version/$package/backends/$library" "$package-$version/$package/backends/dxcapi.h" "$package-$version/$package/backends/WinAdapter.h"
    echo "$library_sha256  $dxc.new/$library" | sha256sum --check --status || die "$library has another SHA-256 than the pinned one"
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
