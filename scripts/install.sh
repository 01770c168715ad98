#!/usr/bin/env bash
# Builds the layer and installs it with both manifests where the Vulkan loader finds them.
#
#   scripts/install.sh [--user | --system] [--prefix DIR] [--uninstall]
#
# --user (the default) installs for this user, below $XDG_DATA_HOME or ~/.local/share.
# --system installs below /usr/local and needs root.
# --prefix DIR installs to DIR/lib and DIR/share instead.
# --uninstall removes the files that an installation with the same options has written.
# To use the layer, run
#   VK_INSTANCE_LAYERS=VK_LAYER_DXIL_translate PROGRAM     as an explicit layer
#   ENABLE_DXIL_TRANSLATE=1 PROGRAM                        as an implicit layer
# DISABLE_DXIL_TRANSLATE=1 disables the implicit layer in either case.
set -euo pipefail
cd "$(dirname "$0")/.."

mode=user
prefix=
uninstall=
while [ $# -gt 0 ]; do
    case $1 in
        --user) mode=user ;;
        --system) mode=system ;;
        --prefix) prefix=${2:?--prefix needs a folder}; shift ;;
        --uninstall) uninstall=1 ;;
        -h | --help) sed -n '2,13s/^# \{0,1\}//p' "$0"; exit 0 ;;
        *) echo "install.sh: unknown option $1" >&2; sed -n '2,13s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
    shift
done

if [ -n "$prefix" ]; then
    lib=$prefix/lib share=$prefix/share
elif [ $mode = system ]; then
    lib=/usr/local/lib share=/usr/local/share
else
    share=${XDG_DATA_HOME:-$HOME/.local/share} lib=$share/vulkan/lib
fi
library=$lib/libVkLayer_dxil.so
explicit=$share/vulkan/explicit_layer.d/VkLayer_dxil.json
implicit=$share/vulkan/implicit_layer.d/VkLayer_dxil_implicit.json

if [ -n "$uninstall" ]; then
    rm -fv "$library" "$explicit" "$implicit"
    exit 0
fi

cargo build --release --quiet --package dxil-layer
target=${CARGO_TARGET_DIR:-target}
mkdir -p "$lib" "$(dirname "$explicit")" "$(dirname "$implicit")"
# A running program may have the old library mapped, so the file is replaced and not overwritten.
install -m 755 "$target/release/libVkLayer_dxil.so" "$library.new"
# Line tables are useful in the build folder only. Without them the library has a tenth of the size.
if command -v strip >/dev/null; then strip --strip-debug "$library.new"; fi
mv -f "$library.new" "$library"
absolute=$(cd "$lib" && pwd)/libVkLayer_dxil.so
# Escape the path for a JSON string, and then for the replacement of a sed command.
json=$(printf '%s' "$absolute" | sed 's/[\\"]/\\&/g; s/[&\\|]/\\&/g')
for manifest in "$explicit" "$implicit"; do
    sed "s|\"library_path\": \"[^\"]*\"|\"library_path\": \"$json\"|" "manifest/$(basename "$manifest")" >"$manifest.new"
    mv -f "$manifest.new" "$manifest"
done
echo "$absolute"
echo "$explicit"
echo "$implicit"
