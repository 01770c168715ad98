#!/usr/bin/env bash
# Installs everything but Rust that building, testing and the demo need, on Debian 12 as root or
# with sudo. Prints each step. Nothing is installed or fetched again if it exists.
#
#   scripts/setup.sh [--slow] [--check]
#
# --slow: also what only `scripts/test.sh --slow` needs: cmake and make, to compile SDL, Xvfb, to show
# windows, Chromium with its driver, to look at pages, and GNU parallel.
# --check: afterwards list the devices that the Vulkan loader finds.
#
#   1. System packages: a C++ compiler, the Vulkan loader with its headers and tools, the
#      validation layers, SPIRV-Tools, llvm-14 (llvm-dis), valgrind, RenderDoc's Python module,
#      GFXReconstruct, sqlite3, and python3 with pip. Also llvm-22 (obj2yaml) if the machine's
#      package sources have it; without it, two comparisons of readers are skipped.
#   2. Lavapipe, Mesa's Vulkan driver for the CPU, in version 25 or newer: from the machine's
#      package sources if they have it. Otherwise it is unpacked, not installed, from the backports
#      suite of the machine's Debian mirror.
#   3. SwiftShader, the second driver, unpacked from the package chromium-common.
#   4. env.sh, to be sourced: it names the drivers and layers for the Vulkan loader and the tests.
#
# Files are unpacked in build/ (or in $DXIL_TOOLS). On a system other than Debian 12 the script
# prints what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
slow=
check=
for argument in "$@"; do
    case $argument in
        --slow) slow=1 ;;
        --check) check=1 ;;
        -h | --help) sed -n '2,22s/^# \{0,1\}//p' "$0"; exit 0 ;;
        *) echo "setup: unknown option $argument" >&2; sed -n '2,22s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
tools=${DXIL_TOOLS:-$PWD/build}
mkdir -p "$tools"
tools=$(cd "$tools" && pwd)
vulkan=$tools/vulkan
lavapipe_major=25
suite=bookworm-backports
apt_options=(-q -o DPkg::Lock::Timeout=600 -o APT::Get::Assume-Yes=true)
export DEBIAN_FRONTEND=noninteractive

say() { echo "setup: $*" >&2; }
die() { say "$*"; exit 1; }

debian_12() { [ "$(. /etc/os-release 2>/dev/null && echo "${ID:-}-${VERSION_ID:-}")" = debian-12 ]; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null; then sudo --preserve-env=DEBIAN_FRONTEND "$@"
    else die "needs root or sudo for: $*"
    fi
}

# Refreshes the package lists once per run, and only when something must be fetched.
lists_are_fresh=
refresh_lists() {
    [ -z "$lists_are_fresh" ] || return 0
    say "refreshing the package lists"
    as_root apt-get "${apt_options[@]}" update >/dev/null
    lists_are_fresh=1
}

# ---- 1. system packages: each is recognised by a file or command, so a second run does not call
# apt ----
validation_dir=/usr/share/vulkan/explicit_layer.d
missing=()
need() { # PACKAGE TEST…
    local package=$1
    shift
    "$@" || missing+=("$package")
}
is_command() { command -v "$1" >/dev/null; }
has_loader() { [ -n "$(ldconfig -p 2>/dev/null | grep -F 'libvulkan.so.1 ')" ]; }
has_pip() { python3 -m pip --version >/dev/null 2>&1; }
has_setuptools() { python3 -c 'import setuptools' >/dev/null 2>&1; }
PATH=$PATH:/sbin:/usr/sbin
need g++ is_command g++
need libvulkan1 has_loader
need libvulkan-dev test -e /usr/include/vulkan/vulkan.h
need vulkan-tools is_command vulkaninfo
need vulkan-validationlayers test -e "$validation_dir/VkLayer_khronos_validation.json"
need llvm-14 is_command llvm-dis-14
need valgrind is_command valgrind
need spirv-tools is_command spirv-opt
need python3 is_command python3
need python3-pip has_pip
need python3-renderdoc test -e /usr/lib/python3/dist-packages/renderdoc.so
need python3-setuptools has_setuptools
need sqlite3 is_command sqlite3
need gfxreconstruct is_command gfxrecon-replay
if [ -n "$slow" ]; then
    need cmake is_command cmake
    need make is_command make
    need xvfb is_command Xvfb
    need chromium is_command chromium
    need chromium-driver is_command chromedriver
    need parallel is_command parallel
    # What the samples of wgpu load to open a window, and link to draw its frame.
    for package in libx11-6 libx11-xcb1 libxcursor1 libxi6 libxrandr2 libfontconfig-dev; do
        need $package dpkg-query -s $package >/dev/null 2>&1
    done
fi
if [ ${#missing[@]} -gt 0 ]; then
    debian_12 || die "this is not Debian 12, so nothing is installed. Please install (by Debian's names): ${missing[*]}"
    refresh_lists
    say "installing ${missing[*]}"
    as_root apt-get "${apt_options[@]}" install --no-install-recommends "${missing[@]}" >/dev/null
fi

if ! is_command obj2yaml-22 && debian_12; then
    refresh_lists
    if [ -n "$(apt-cache madison llvm-22)" ]; then
        say "installing llvm-22"
        as_root apt-get "${apt_options[@]}" install --no-install-recommends llvm-22 >/dev/null
    else
        say "no package source has llvm-22, so the comparison of containers with obj2yaml is skipped"
    fi
fi

# ---- 2. lavapipe ----
lavapipe_icd=
system_lavapipe() { # sets lavapipe_icd if the system's own driver is new enough
    local version icd
    version=$(dpkg-query -W -f '${db:Status-Status} ${Version}' mesa-vulkan-drivers 2>/dev/null) || return 1
    [[ $version == installed\ * ]] || return 1
    version=${version#* }
    [ "${version%%.*}" -ge $lavapipe_major ] 2>/dev/null || return 1
    for icd in /usr/share/vulkan/icd.d/lvp_icd*.json; do
        [ -e "$icd" ] && lavapipe_icd=$icd && return 0
    done
    return 1
}

# Runs apt-get with the machine's keys and installed packages, but with source lists, package lists
# and an archive of its own.
private_apt() {
    apt-get "${apt_options[@]}" -o Dir::State="$vulkan/apt/state" -o Dir::State::status=/var/lib/dpkg/status \
        -o Dir::Cache="$vulkan/apt/cache" -o Dir::Etc::sourcelist="$vulkan/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null \
        -o APT::Sandbox::User="$(id -un)" -o Debug::NoLocking=1 "$@"
}

# Writes source lines for the machine's mirrors of the suite bookworm, and for the backports suite
# on the same mirrors. Only Debian's own key is trusted.
write_private_sources() {
    local uri codename component
    local key=/usr/share/keyrings/debian-archive-keyring.gpg
    apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' | sort -u |
        while read -r uri codename component; do
            [ "$codename" = bookworm ] && [ "$component" = main ] || continue
            echo "deb [signed-by=$key] $uri bookworm main"
            echo "deb [signed-by=$key] $uri $suite main"
        done >"$vulkan/apt/sources.list"
    [ -s "$vulkan/apt/sources.list" ] || die "no package source of this machine has Debian's suite bookworm, so the mirror of $suite is unknown"
}

unpack_lavapipe() {
    local deb
    debian_12 || die "lavapipe (Mesa $lavapipe_major or newer) is missing, and this is not Debian 12: install it and set DXIL_TEST_LAVAPIPE_ICD"
    refresh_lists
    # Prefer the machine's own package sources.
    local offered
    offered=$(apt-cache madison mesa-vulkan-drivers | awk -F'|' -v want=$lavapipe_major \
        '{gsub(/ /, "", $2); split($2, part, "."); if (part[1] + 0 >= want && !found++) print $2}')
    if [ -n "$offered" ]; then
        say "installing mesa-vulkan-drivers $offered from the machine's package sources"
        local release
        release=$(apt-cache madison mesa-vulkan-drivers | awk -F'|' -v v="$offered" 'index($2, v) && !found++ {split($3, p, " "); sub("/.*", "", p[2]); print p[2]}')
        as_root apt-get "${apt_options[@]}" install --no-install-recommends -t "$release" mesa-vulkan-drivers >/dev/null
        system_lavapipe && return 0
        die "mesa-vulkan-drivers $offered is installed, but has no file lvp_icd*.json"
    fi
    say "fetching lavapipe from $suite of the machine's mirror and unpacking it in $vulkan/lavapipe"
    rm -rf "$vulkan/apt" "$vulkan/lavapipe.new"
    mkdir -p "$vulkan/apt/state/lists/partial" "$vulkan/apt/cache/archives/partial" "$vulkan/lavapipe.new"
    write_private_sources
    private_apt update >/dev/null
    private_apt install --download-only --no-install-recommends -t $suite mesa-vulkan-drivers >/dev/null
    for deb in "$vulkan"/apt/cache/archives/*.deb; do
        dpkg-deb -x "$deb" "$vulkan/lavapipe.new"
    done
    rm -rf "$vulkan/apt" "$vulkan/lavapipe"
    mv "$vulkan/lavapipe.new" "$vulkan/lavapipe"
}

# Writes a driver's JSON file that names the library by its absolute path.
write_icd() { # OUT LIBRARY API
    printf '{"file_format_version": "1.0.0", "ICD": {"library_path": "%s", "api_version": "%s"}}\n' "$2" "$3" >"$1"
}

libraries=
arch=$(uname -m)
if ! system_lavapipe; then
    lib=$vulkan/lavapipe/usr/lib/$arch-linux-gnu
    [ -e "$lib/libvulkan_lvp.so" ] || unpack_lavapipe
    if [ -z "$lavapipe_icd" ]; then
        lavapipe_icd=$vulkan/lavapipe_icd.json
        write_icd "$lavapipe_icd" "$lib/libvulkan_lvp.so" 1.4.305
        libraries=$lib
    fi
fi

# ---- 3. SwiftShader ----
swiftshader_icd=$vulkan/swiftshader_icd.json
if [ ! -e "$vulkan/swiftshader/libvk_swiftshader.so" ]; then
    debian_12 || die "SwiftShader is missing, and this is not Debian 12: install it and set DXIL_TEST_SWIFTSHADER_ICD"
    refresh_lists
    say "unpacking SwiftShader from chromium-common, which is not installed"
    rm -rf "$vulkan/swiftshader.new"
    mkdir -p "$vulkan/swiftshader.new"
    (cd "$vulkan/swiftshader.new" && apt-get "${apt_options[@]}" -o APT::Sandbox::User="$(id -un)" download chromium-common >/dev/null
        dpkg-deb --fsys-tarfile chromium-common_*.deb | tar -x --wildcards --strip-components=4 './usr/lib/chromium/*vk_swiftshader*'
        rm chromium-common_*.deb)
    rm -rf "$vulkan/swiftshader"
    mv "$vulkan/swiftshader.new" "$vulkan/swiftshader"
fi
write_icd "$swiftshader_icd" "$vulkan/swiftshader/libvk_swiftshader.so" 1.3.0

# ---- 4. env.sh ----
cat >"$tools/env.sh" <<END
# Written by scripts/setup.sh: the drivers for the tests, and the folder of the validation layers.
export DXIL_TEST_LAVAPIPE_ICD='$lavapipe_icd'
export DXIL_TEST_SWIFTSHADER_ICD='$swiftshader_icd'
export DXIL_TEST_VALIDATION_DIR='$validation_dir'
export VK_DRIVER_FILES="\$DXIL_TEST_LAVAPIPE_ICD:\$DXIL_TEST_SWIFTSHADER_ICD"
export DXIL_TOOLS='$tools'
END
if [ -n "$libraries" ]; then
    # Lavapipe needs newer libraries than the system has (libLLVM, libdrm). The dynamic linker finds
    # them through this variable.
    echo "export LD_LIBRARY_PATH='$libraries'\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}" >>"$tools/env.sh"
fi
if [ -n "$check" ]; then
    . "$tools/env.sh"
    vulkaninfo --summary 2>/dev/null | grep -E 'deviceName|driverInfo|apiVersion' >&2 || die "the loader finds no driver"
fi
