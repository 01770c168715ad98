#!/usr/bin/env bash
# Installs the layer where the Vulkan loader finds it: the library, both manifests, and documents; and
# the tool dxil2spv with its manual page and completions, if it is at hand.
#
#   scripts/install.sh [--user | --system | --prefix DIR] [OPTION…]
#
# --user (the default) installs for this user, below $XDG_DATA_HOME or ~/.local/share.
# --system installs below /usr/local and needs root.
# --prefix DIR installs to DIR/lib and DIR/share instead.
# --uninstall removes the files that an installation with the same options has written.
# --library FILE installs this library. Without it, a prebuilt library beside the script is taken
#     (in an unpacked archive), or cargo builds one. The script never runs cargo as root: build the
#     library before as yourself, by `cargo build --release --package dxil-layer`.
# --tool FILE installs this dxil2spv too, to ~/.local/bin or below the prefix. Without it, one beside
#     the script is taken (in an unpacked archive), or none. --uninstall removes it in any case.
# For packages:
# --libdir DIR installs the library to DIR, which must begin with the prefix.
# --destdir DIR writes to DIR/PREFIX what is meant for PREFIX, and gives the manifests a path of the
#     library that is relative to them, so that the tree may be moved. With the prefix / the tree is
#     meant to lie anywhere, and the address of the documents is relative too.
#
# To use the layer, run
#   VK_INSTANCE_LAYERS=VK_LAYER_DXIL_translate PROGRAM     as an explicit layer
#   ENABLE_DXIL_TRANSLATE=1 PROGRAM                        as an implicit layer
# DISABLE_DXIL_TRANSLATE=1 disables the implicit layer in either case.
set -euo pipefail
help=$(sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0")
called_from=$PWD
cd "$(dirname "$0")/.."

name=vulkan-layer-dxil
file=libVkLayer_dxil.so

die() { echo "install.sh: $*" >&2; exit 1; }
# An absolute form of a path, which need not exist.
absolute() { case $1 in /*) printf '%s' "$1" ;; *) printf '%s/%s' "$called_from" "$1" ;; esac; }
# A path as a part of an address: each byte but the harmless ones as %XX.
percent_encoded() {
    local LC_ALL=C i c
    for ((i = 0; i < ${#1}; i++)); do
        c=${1:i:1}
        case $c in [a-zA-Z0-9/._~-]) printf '%s' "$c" ;; *) printf '%%%02X' "$(($(printf '%d' "'$c") & 255))" ;; esac
    done
}

mode=user
prefix=
libdir=
destdir=
library=
tool=
uninstall=
while [ $# -gt 0 ]; do
    case $1 in
        --user) mode=user ;;
        --system) mode=system ;;
        --prefix | --libdir | --destdir | --library | --tool)
            [ -n "${2:-}" ] || die "$1 needs a path"
            declare "${1#--}=$(absolute "$2")"
            shift
            ;;
        --uninstall) uninstall=1 ;;
        -h | --help) echo "$help"; exit 0 ;;
        *) echo "install.sh: unknown option $1" >&2; echo "$help" >&2; exit 2 ;;
    esac
    shift
done

# ---- where ----
anywhere=
if [ -n "$prefix" ]; then
    if [ "$prefix" = / ]; then anywhere=1; fi
    prefix=${prefix%/}
    bin=$prefix/bin lib=$prefix/lib share=$prefix/share
elif [ $mode = system ]; then
    bin=/usr/local/bin lib=/usr/local/lib share=/usr/local/share
else
    bin=${HOME:?}/.local/bin share=${XDG_DATA_HOME:-$HOME/.local/share} lib=$share/vulkan/lib
fi
lib=${libdir:-$lib}
documents=$share/doc/$name
explicit=$share/vulkan/explicit_layer.d
implicit=$share/vulkan/implicit_layer.d
manifests=("$explicit/VkLayer_dxil.json" "$implicit/VkLayer_dxil_implicit.json")

# The folders that these three shells look into (bash-completion(7); zsh's and fish's vendor folders).
bash_completion=$share/bash-completion/completions/dxil2spv
zsh_completion=$share/zsh/vendor-completions/_dxil2spv
fish_completion=$share/fish/vendor_completions.d/dxil2spv.fish
manual=$share/man/man1/dxil2spv.1.gz
of_tool=("$bin/dxil2spv" "$manual" "$bash_completion" "$zsh_completion" "$fish_completion")

if [ -n "$uninstall" ]; then
    rm -fv "$destdir$lib/$file" "${manifests[@]/#/$destdir}" "${of_tool[@]/#/$destdir}"
    rm -rfv "$destdir$documents"
    # Folders that may have been for the layer alone.
    for path in "$explicit/." "$implicit/." "$share/vulkan/lib/." "${of_tool[@]:1}"; do
        folder=$destdir$(dirname "$path")
        if [ -d "$folder" ]; then rmdir --ignore-fail-on-non-empty "$folder"; fi
    done
    exit 0
fi

# ---- what: from the source tree, or from an unpacked archive ----
if [ -e "lib/$file" ]; then
    : "${library:=$PWD/lib/$file}"
    sources=share/vulkan/explicit_layer.d/VkLayer_dxil.json\ share/vulkan/implicit_layer.d/VkLayer_dxil_implicit.json
    texts=share/doc/$name
    if [ -e bin/dxil2spv ]; then : "${tool:=$PWD/bin/dxil2spv}"; fi
else
    sources=manifest/VkLayer_dxil.json\ manifest/VkLayer_dxil_implicit.json
    texts=.
fi
if [ -z "$library" ]; then
    library=${CARGO_TARGET_DIR:-target}/release/$file
    if [ "$(id -u)" != 0 ]; then
        cargo build --release --quiet --package dxil-layer --no-default-features --features captures
    elif [ ! -e "$library" ]; then
        die "$library is missing, and this script runs no cargo as root; build it as yourself: cargo build --release --package dxil-layer"
    fi
fi
[ -e "$library" ] || die "$library is missing"
if [ -n "$tool" ] && ! "$tool" --version >/dev/null; then die "$tool is missing or does not run here"; fi
# The fifth byte of an ELF file tells its word size, which the loader compares with the program's.
case $(head -c 5 "$library" | od -An -tx1 | tr -d ' \n') in
    7f454c4602) arch=64 ;;
    7f454c4601) arch=32 ;;
    *) die "$library is no ELF file" ;;
esac

# ---- how it is written into a manifest ----
library_path=$lib/$file
if [ -n "$destdir" ]; then library_path=$(realpath -ms --relative-to="$explicit" "$lib")/$file; fi
if [ -n "$anywhere" ]; then
    url=../../doc/$name/docs/layer.md
else
    url=file://$(percent_encoded "$documents/docs/layer.md")
fi
case $library_path in *[[:cntrl:]]*) die "a manifest cannot name a path with control characters: $library_path" ;; esac
# The value is escaped for a JSON string, and then for the replacement of a sed command. Four
# columns of indentation are the layer's own fields.
field() { # KEY VALUE
    printf 's|^    "%s": "[^"]*"|    "%s": "%s"|' "$1" "$1" "$(printf '%s' "$2" | sed 's/[\\"]/\\&/g; s/[&\\|]/\\&/g')"
}

# A layer with SPIRV-Tools' validator has its messages, and the manifests offer its setting.
validator=
if [ -e manifest/validate.json ] && grep -qaF VUID-StandaloneSpirv "$library"; then
    validator=$(sed '$s/$/,/' manifest/validate.json)
fi

# ---- write: a program may have the old files open, so they are replaced and not overwritten ----
umask 022
mkdir -p "$destdir$lib" "$destdir$explicit" "$destdir$implicit" "$destdir$documents/docs/pictures"
install -m 755 "$library" "$destdir$lib/$file.new"
# Line tables are useful in the build folder only. Without them the library has a tenth of the size.
if command -v strip >/dev/null; then strip --strip-debug "$destdir$lib/$file.new"; fi
mv -f "$destdir$lib/$file.new" "$destdir$lib/$file"
echo "$destdir$lib/$file"
for source in $sources; do
    case $source in *_implicit.json) manifest=$destdir${manifests[1]} ;; *) manifest=$destdir${manifests[0]} ;; esac
    printf '%s' "$validator" | sed -e "$(field library_path "$library_path")" -e "$(field library_arch $arch)" \
        -e "$(field url "$url")" -e '/^      "settings": \[$/r /dev/stdin' "$source" >"$manifest.new"
    mv -f "$manifest.new" "$manifest"
    echo "$manifest"
done
if [ -n "$tool" ]; then
    for path in "${of_tool[@]}"; do mkdir -p "$destdir$(dirname "$path")"; done
    install -m 755 "$tool" "$destdir$bin/dxil2spv.new"
    if command -v strip >/dev/null; then strip --strip-debug "$destdir$bin/dxil2spv.new"; fi
    mv -f "$destdir$bin/dxil2spv.new" "$destdir$bin/dxil2spv"
    "$tool" --manual | gzip -n9 >"$destdir$manual"
    "$tool" --completions bash >"$destdir$bash_completion"
    "$tool" --completions zsh >"$destdir$zsh_completion"
    "$tool" --completions fish >"$destdir$fish_completion"
    printf '%s\n' "${of_tool[@]/#/$destdir}"
fi
install -m 644 "$texts"/docs/*.md "$destdir$documents/docs"
install -m 644 "$texts"/docs/pictures/*.png "$destdir$documents/docs/pictures"
install -m 644 "$texts"/README.md "$texts"/CHANGELOG.md "$texts"/LICENSE-* "$destdir$documents"
echo "$destdir$documents"
