#!/usr/bin/env bash
# Runs applications through the layer, and reports as libtest does.
#
#   scripts/test-applications.sh [NAME…]     without a name, all of them
#
# wgpu, sdl3: programs of tests/applications that hand DXIL over. Each is a crate of its own with its
# own Cargo.lock, because what it depends on is large and nothing else needs it: wgpu, and SDL, which
# cmake compiles. The script compiles their shaders to DXIL and to SPIR-V with the pinned compiler of
# scripts/get-dxc.sh, embeds the DXIL in SPIR-V, and runs the program over the layer and lavapipe, and
# once more with the validation layer between these two.
#
# vkcube, wgpu-samples: programs of others without DXIL, unchanged: vkcube of Debian's vulkan-tools,
# and the samples `cube` and `water` of the crate wgpu, which is based on ash. They run under Xvfb
# without the layer and with it, and must show the same frames.
#
# Without a tool or the network, the tests are skipped, and the reason is printed.
# scripts/setup.sh must have run.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
case ${1:-} in -h | --help) sed -n '2,19s/^# \{0,1\}//p' "$0"; exit 0 ;; esac

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

# Runs a program without the layer and with it, and compares the frames that it shows. It is ended
# after COUNT frames; without COUNT it ends by itself, and may do so while the driver still has to show
# its last frames. At least LEAST frames must have a picture.
frames() { # NAME COUNT LEAST PROGRAM…
    local name=$1 count=$2 least=$3 folder=$out/frames run compared
    shift 3
    mkdir -p "$folder"
    for run in without with; do
        # shellcheck disable=SC2046
        env $([ $run = with ] && echo "VK_ADD_LAYER_PATH=$out/explicit VK_INSTANCE_LAYERS=VK_LAYER_DXIL_translate") \
            VK_LOADER_DEBUG=layer DISPLAY="$display" FRAMES_FILE="$folder/$name.$run" FRAMES_COUNT="$count" \
            LD_PRELOAD="$target/applications/debug/libframes.so" timeout 300 "$@" >"$folder/$name.$run.log" 2>&1 ||
            { tail -n 20 "$folder/$name.$run.log"; broken "$name" "$run the layer: status $?"; return 1; }
        if grep -q 'Insert instance layer.*VK_LAYER_DXIL_translate' "$folder/$name.$run.log"; then [ $run = with ]; else [ $run = without ]; fi ||
            { broken "$name" "$run the layer, which the loader's log $folder/$name.$run.log does not confirm"; return 1; }
        # A black window would equal another one, and a still one a later frame.
        [ "$(grep -cv ' plain$' "$folder/$name.$run")" -ge "$least" ] ||
            { broken "$name" "$run the layer: fewer than $least frames with a picture in $folder/$name.$run"; return 1; }
    done
    compared=$(wc -l "$folder/$name.without" "$folder/$name.with" | sort -n | awk 'NR == 1 { print $1 }')
    if ! cmp -s <(head -n "$compared" "$folder/$name.without") <(head -n "$compared" "$folder/$name.with"); then
        diff "$folder/$name.without" "$folder/$name.with" | head -n 10
        broken "$name" "the frames differ"
        return 1
    fi
    echo "test frames/$name ... ok ($compared frames, $(cut -d ' ' -f 3 "$folder/$name.with" | sort -u | wc -l) pictures)"
    echo "test result: ok. 1 passed; 0 failed; 0 ignored"
}

broken() { # NAME REASON
    echo "test frames/$1 ... FAILED: $2"
    echo "test result: FAILED. 0 passed; 1 failed; 0 ignored"
}

# A screen without the extension MIT-SHM, so that each frame passes through xcb_put_image, which
# tests/applications/frames records. Sets `display`.
screen() { # NAME
    [ -n "$display" ] && return
    command -v Xvfb >/dev/null || { skip "$1" "Xvfb is missing, which shows windows; scripts/setup.sh --slow installs it"; return 1; }
    (cd tests/applications/frames && cargo fmt --check && CARGO_TARGET_DIR=$target/applications cargo build --locked --quiet) || { failed=1; return 1; }
    mkdir -p "$out"
    Xvfb -displayfd 3 -screen 0 1280x1024x24 -extension MIT-SHM 3>"$out/display" 2>"$out/xvfb.log" &
    server=$!
    for _ in $(seq 100); do
        [ -s "$out/display" ] && break
        sleep 0.1
    done
    [ -s "$out/display" ] || { echo "Xvfb does not start: $out/xvfb.log"; failed=1; return 1; }
    display=:$(cat "$out/display")
}

vkcube() {
    command -v vkcube >/dev/null || { skip vkcube "vkcube is missing; Debian has it in vulkan-tools"; return; }
    screen vkcube || return
    # The cube turns by the same angle in each frame.
    frames vkcube "" 40 "$(command -v vkcube)" --c 60
}

wgpu-samples() {
    local bin=$out/wgpu-samples
    screen wgpu-samples || return
    # The newest version of the crate that contains its samples. It is built with the newest versions
    # of what it depends on, because those of its own Cargo.lock do not compile any more.
    if ! CARGO_TARGET_DIR=$target/applications cargo install --quiet --debug --version 0.16.3 --root "$bin" \
        --example cube --example water wgpu >"$out/wgpu-samples.log" 2>&1; then
        if grep -q 'error\[E\|could not compile' "$out/wgpu-samples.log"; then
            tail -n 30 "$out/wgpu-samples.log"
            broken wgpu-samples "they do not compile: $out/wgpu-samples.log"
            return 1
        fi
        skip wgpu-samples "they cannot be fetched or lack a tool: $(grep -m 1 error "$out/wgpu-samples.log")"
        return
    fi
    frames wgpu-cube 60 60 env WGPU_BACKEND=vulkan "$bin/bin/cube" &&
        frames wgpu-water 60 60 env WGPU_BACKEND=vulkan "$bin/bin/water"
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
[ $# -gt 0 ] || set -- sdl3 wgpu vkcube wgpu-samples
display=
server=
trap '[ -z "$server" ] || kill "$server"' EXIT
for name in "$@"; do
    case $name in
        sdl3 | wgpu) application "$name" || failed=1 ;;
        vkcube | wgpu-samples) "$name" || failed=1 ;;
        *) echo "test-applications.sh: there is no application $name" >&2; exit 2 ;;
    esac
done
exit $failed
