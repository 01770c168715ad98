#!/usr/bin/env bash
# Fetches an HLSL compiler and builds our command-line driver for it: build/dxc/dxc, or with the option
# build/dxc-current/dxc ($DXIL_TOOLS instead of build, if it is set). Prints the path of the driver.
#
#   scripts/get-dxc.sh [--current]
#
# The pinned compiler is DXC 1.6 (shader models 6.0 to 6.7, root signatures, SPIR-V). The Python
# source package compushady 0.17.5 contains its library for Linux and its headers. The current
# compiler is DXC 1.9.2602 (shader models to 6.9): the Windows wheel of slangpy 0.43.1 contains its
# libraries, and Wine runs them. The wheel also has NVIDIA's headers of vendor intrinsics, which
# fixtures include from the folder nvapi beside the driver. The compilers are needed to change
# fixtures only, because their compiled forms are committed. Files that exist are not fetched again.
set -euo pipefail
cd "$(dirname "$0")/.."
[[ ${1:-} != -h && ${1:-} != --help ]] || { sed -n '2,12p' "$0" | sed 's/^# \{0,1\}//'; exit 0; }
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
if [[ ${1:-} == --current ]]; then
    current=${dxc}-current
    if ! [ -e "$current/nvapi/nvHLSLExtns.h" ]; then
        for command in wine x86_64-w64-mingw32-g++ unzip python3; do
            command -v $command >/dev/null || die "$command is missing: install Debian's packages wine64, g++-mingw-w64-x86-64, unzip and python3-pip"
        done
        say "fetching the packages slangpy 0.43.1 and $package $version"
        rm -rf "$current.new"
        mkdir -p "$current.new/download"
        python3 -m pip --quiet download --no-deps --only-binary :all: --python-version 3.11 --platform win_amd64 \
            --dest "$current.new/download" slangpy==0.43.1
        python3 -m pip --quiet download --no-deps --no-binary $package --dest "$current.new/download" $package==$version
        unzip -q -o -j "$current.new"/download/slangpy-*.whl slangpy/dxcompiler.dll slangpy/dxil.dll -d "$current.new"
        unzip -q -o -j "$current.new"/download/slangpy-*.whl 'slangpy/shaders/nvapi/nv*.h' -d "$current.new/nvapi"
        tar -xzf "$current.new/download/$package-$version.tar.gz" -C "$current.new" --strip-components=3 \
            "$package-$version/$package/backends/dxcapi.h"
        (cd "$current.new" && sha256sum --check --status "$OLDPWD/tests/dxc/current.sha256") \
            || die "the files of slangpy 0.43.1 have other SHA-256 than the pinned ones (tests/dxc/current.sha256)"
        rm -rf "$current.new/download" "$current"
        mv "$current.new" "$current"
    fi
    if ! [ "$current/dxc.exe" -nt tests/dxc/current_driver.cpp ]; then
        say "building the driver of the current compiler"
        x86_64-w64-mingw32-g++ -O1 -municode -w -static -I"$current" -o "$current/dxc.exe" tests/dxc/current_driver.cpp \
            -lole32 -loleaut32 -luuid
        printf '#!/bin/sh\nd=$(dirname "$(readlink -f "$0")")\nWINEDEBUG=-all WINEPREFIX="$d/wine" exec wine "$d/dxc.exe" "$@"\n' >"$current/dxc"
        chmod +x "$current/dxc"
        # The first run of Wine makes its configuration, and says so.
        "$current/dxc" >/dev/null 2>&1 || true
    fi
    echo "$current/dxc"
    exit 0
fi
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
