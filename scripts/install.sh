#!/usr/bin/env bash
# Builds the layer and installs it with both manifests, where the Vulkan loader looks.
#
#   scripts/install.sh [--user | --system] [--prefix DIR] [--uninstall]
#
# --user (default) installs for this user, below $XDG_DATA_HOME or ~/.local/share; --system below /usr/local (as root).
# --prefix DIR is the folder that gets lib/ and share/ instead. --uninstall removes what an install wrote.
# Afterwards:  VK_INSTANCE_LAYERS=VK_LAYER_DXIL_translate PROGRAM     the explicit layer
#              ENABLE_DXIL_TRANSLATE=1 PROGRAM                        the implicit layer (DISABLE_DXIL_TRANSLATE=1 wins)
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
        *) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
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
# A program may have the old library mapped: replace the file, do not write into it.
install -m 755 "$target/release/libVkLayer_dxil.so" "$library.new"
# Line tables are for the build's own folder; without them the library is a tenth of the size.
if command -v strip >/dev/null; then strip --strip-debug "$library.new"; fi
mv -f "$library.new" "$library"
absolute=$(cd "$lib" && pwd)/libVkLayer_dxil.so
# As a JSON string, and then as the replacement of a sed command.
json=$(printf '%s' "$absolute" | sed 's/[\\"]/\\&/g; s/[&\\|]/\\&/g')
for manifest in "$explicit" "$implicit"; do
    sed "s|\"library_path\": \"[^\"]*\"|\"library_path\": \"$json\"|" "manifest/$(basename "$manifest")" >"$manifest.new"
    mv -f "$manifest.new" "$manifest"
done
echo "$absolute"
echo "$explicit"
echo "$implicit"
