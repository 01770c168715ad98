#!/usr/bin/env bash
# Runs the applications of tests/applications through the layer, and reports as libtest does.
#
#   scripts/test-applications.sh [NAME…]     without a name, all of them
#
# Each is a crate of its own with its own Cargo.lock, because what it depends on is large and nothing
# else needs it: wgpu, and SDL, which cmake compiles. The script compiles their shaders to DXIL and to
# SPIR-V with the pinned compiler of scripts/get-dxc.sh, embeds the DXIL in SPIR-V, and runs the
# program over the layer and lavapipe, and once more with the validation layer between these two.
# Without a tool or the network, the tests are skipped, and the reason is printed.
# scripts/setup.sh must have run.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
case ${1:-} in -h | --help) sed -n '2,12s/^# \{0,1\}//p' "$0"; exit 0 ;; esac

tools=${DXIL_TOOLS:-$PWD/build}
# shellcheck source=/dev/null
. "$tools/env.sh" || exit 2
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
out=$PWD/build/applications
failed=0

skip() { # NAME REASON
    echo "test applications/$1 ... skipped: $2"
    echo "test result: ok. 0 passed; 0 failed; 1 ignored"
}

# Compiles each shader: NAME.hlsl becomes NAME.dxil, NAME.spv and NAME.embedded.spv. A line
# `// compile: PROFILE [ARG…]` has the arguments for both, a line `// spirv: ARG…` those for SPIR-V.
shaders() { # SOURCES OUT DXC
    local source name arguments spirv
    for source in "$1"/*.hlsl; do
        name=$2/$(basename "$source" .hlsl)
        arguments=$(sed -n 's|^// compile: ||p' "$source")
        spirv=$(sed -n 's|^// spirv: ||p' "$source")
        # shellcheck disable=SC2086
        "$3" "$source" -E main -T $arguments -Fo "$name.dxil" &&
            "$3" "$source" -E main -T $arguments -spirv $spirv -Fo "$name.spv" &&
            "$target/debug/dxil2spv" embed "$name.dxil" -o "$name.embedded.spv" || return 1
    done
}

application() { # NAME
    local name=$1 folder=$PWD/tests/applications/$1 dxc program log cap
    dxc=$(scripts/get-dxc.sh | tail -n 1) || { skip "$name" "the pinned compiler is not to be had"; return; }
    if [ "$name" = sdl3 ] && ! { command -v cmake && command -v make; } >/dev/null; then
        skip "$name" "cmake or make is missing, which compile SDL; scripts/setup.sh --slow installs them"
        return
    fi
    if ! (cd "$folder" && cargo fetch --locked --quiet); then
        skip "$name" "its crates cannot be fetched"
        return
    fi
    # `cargo fmt --all` in the root folder does not see these crates.
    (cd "$folder" && cargo fmt --check) || return 1
    rm -rf "${out:?}/$name"
    mkdir -p "$out/$name"
    shaders "$folder/shaders" "$out/$name" "$dxc" || return 1
    # In its own folder, so that cargo finds the crate's configuration.
    (cd "$folder" && CARGO_TARGET_DIR=$target/applications cargo build --locked --quiet) || return 1
    program=$target/applications/debug/dxil-application-$name
    VK_ADD_LAYER_PATH=$out/explicit VK_INSTANCE_LAYERS=VK_LAYER_DXIL_translate "$program" "$out/$name" || return 1

    # Once more with the validation layer below. An implicit layer is above those that are named.
    log=$out/$name.validated.log
    cap=$(sed -n 's/.*"api_version": "\([0-9.]*\)".*/\1/p' "$DXIL_TEST_VALIDATION_DIR/VkLayer_khronos_validation.json")
    XDG_DATA_HOME=$out/data ENABLE_DXIL_TRANSLATE=1 VK_DXIL_TRANSLATE_PROFILE_CAP=$cap VK_LOADER_DEBUG=layer \
        VK_ADD_LAYER_PATH=$DXIL_TEST_VALIDATION_DIR VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation "$program" "$out/$name" >"$log" 2>&1
    if [ $? -eq 0 ] && grep -q 'Insert instance layer.*VK_LAYER_KHRONOS_validation' "$log" && ! grep -q 'Validation Error' "$log"; then
        echo "test $name/validation ... ok"
        echo "test result: ok. 1 passed; 0 failed; 0 ignored"
    else
        grep -v '^\[Vulkan Loader\]\|^LAYER\|^INFO' "$log" | cut -c 1-1000 | tail -n 40
        echo "test $name/validation ... FAILED: $log"
        echo "test result: FAILED. 0 passed; 1 failed; 0 ignored"
        return 1
    fi
}

# Writes a manifest that names the layer as this script builds it.
manifest() { # NAME TO
    mkdir -p "$(dirname "$2")"
    sed "s|\"library_path\": \"[^\"]*\"|\"library_path\": \"$target/debug/libVkLayer_dxil.so\"|" "manifest/$1" >"$2"
}

cargo build --quiet --package dxil-layer --package dxil-translator --bin dxil2spv --lib || exit 1
manifest VkLayer_dxil.json "$out/explicit/VkLayer_dxil.json"
manifest VkLayer_dxil_implicit.json "$out/data/vulkan/implicit_layer.d/VkLayer_dxil_implicit.json"
export VK_DRIVER_FILES=$DXIL_TEST_LAVAPIPE_ICD
if [ $# -eq 0 ]; then
    for folder in tests/applications/*/; do set -- "$@" "$(basename "$folder")"; done
fi
for name in "$@"; do
    application "$name" || failed=1
done
exit $failed
