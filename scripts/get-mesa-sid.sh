#!/usr/bin/env bash
# Fetches lavapipe with VK_EXT_descriptor_heap, Mesa 26.2 or newer, and the validation layers and the SPIR-V
# validator of its time: unpacks Debian sid's packages in build/sid ($DXIL_TOOLS/sid), with their own C library, and installs
# nothing. It is not fetched again if it exists. Prints the path of the folder, or runs a command with
# the variables by which fixtures use this driver.
#
#   scripts/get-mesa-sid.sh [COMMAND…]
#   scripts/get-mesa-sid.sh cargo test -p dxil-tests --test fixtures -- --code heaps --validation heaps/ map/ query/ tracing/
#
# Sid moves, so no version is pinned; build/sid/versions lists what was fetched. apt checks the archive's
# signature. DEBIAN_MIRROR may name another mirror.
set -euo pipefail
cd "$(dirname "$0")/.."
[[ ${1:-} != -h && ${1:-} != --help ]] || { sed -n '2,11p' "$0" | sed 's/^# \{0,1\}//'; exit 0; }
tools=${DXIL_TOOLS:-$PWD/build}
mkdir -p "$tools"
sid=$(cd "$tools" && pwd)/sid
least=26.2

say() { echo "get-mesa-sid: $*" >&2; }
die() { say "$*"; exit 1; }

if ! [ -e "$sid/versions" ] || ! [ -e "$sid/spirv-val" ]; then
    key=/usr/share/keyrings/debian-archive-keyring.gpg
    [ "$(uname -sm)" = "Linux x86_64" ] && [ -e $key ] || die "this is not Debian on x86_64"
    say "fetching mesa-vulkan-drivers, vulkan-validationlayers and spirv-tools of Debian sid"
    rm -rf "$sid" "$sid.new"
    mkdir -p "$sid.new"/apt/state/lists/partial "$sid.new"/apt/cache/archives/partial
    : >"$sid.new/apt/status"
    echo "deb [arch=amd64 signed-by=$key] ${DEBIAN_MIRROR:-http://deb.debian.org/debian} sid main" >"$sid.new/apt/sources.list"
    # Nothing is installed by this status, so all dependencies are fetched.
    sid_apt() {
        apt-get -q -o APT::Get::Assume-Yes=true -o Dir::State="$sid.new/apt/state" -o Dir::State::status="$sid.new/apt/status" \
            -o Dir::Cache="$sid.new/apt/cache" -o Dir::Etc::sourcelist="$sid.new/apt/sources.list" \
            -o Dir::Etc::sourceparts=/dev/null -o APT::Sandbox::User="$(id -un)" -o Debug::NoLocking=1 "$@" >&2
    }
    sid_apt update
    sid_apt install --download-only --no-install-recommends libvulkan1 mesa-vulkan-drivers vulkan-validationlayers \
        spirv-tools
    for deb in "$sid.new"/apt/cache/archives/*.deb; do
        dpkg-deb -x "$deb" "$sid.new"
        dpkg-deb -W --showformat '${Package} ${Version}\n' "$deb" >>"$sid.new/apt/versions"
    done
    mesa=$(sed -n 's/^mesa-vulkan-drivers //p' "$sid.new/apt/versions")
    dpkg --compare-versions "$mesa" ge $least || die "Debian sid has Mesa $mesa, and VK_EXT_descriptor_heap needs $least"
    mv "$sid.new/apt/versions" "$sid.new/versions"
    rm -rf "$sid.new/apt"
    # The validator runs with its own C library.
    libraries="\$sid/usr/lib/x86_64-linux-gnu"
    cat >"$sid.new/spirv-val" <<END
#!/bin/sh
sid=\$(dirname "\$(readlink -f "\$0")")
exec "$libraries/ld-linux-x86-64.so.2" --library-path "$libraries" "\$sid/usr/bin/spirv-val" "\$@"
END
    chmod +x "$sid.new/spirv-val"
    mv "$sid.new" "$sid"
fi
say "$(grep -E '^(mesa-vulkan-drivers|vulkan-validationlayers|spirv-tools) ' "$sid/versions" | tr '\n' ' ')"
if [ $# = 0 ]; then
    echo "$sid"
    exit 0
fi
export DXIL_TEST_ROOT=$sid
export DXIL_TEST_LAVAPIPE_ICD=$sid/usr/share/vulkan/icd.d/lvp_icd.json
export DXIL_TEST_SPIRV_VAL=$sid/spirv-val
export DXIL_TEST_VALIDATION_DIR=$sid/usr/share/vulkan/explicit_layer.d
# Fixtures would run with four lanes. Mesa 26.2.6 then crashes in ray queries, also in DXC's SPIR-V.
export LP_NATIVE_VECTOR_WIDTH=${LP_NATIVE_VECTOR_WIDTH:-256}
exec "$@"
