#!/usr/bin/env bash
# Packs the layer and the tool dxil2spv: a Debian package, and an archive to be unpacked anywhere; and the
# C interface: Debian packages and an archive, which scripts/c-library.sh makes.
#
#   scripts/package.sh [--built DIR] [--library FILE] [--tool FILE] [--no-c-library] [--maintainer TEXT] [--out DIR]
#
# --library FILE packs this library and --tool FILE this dxil2spv; without one, cargo builds it. --built DIR
# packs what cargo has built in DIR. --no-c-library leaves out the packages of the C interface.
# --maintainer 'NAME <ADDRESS>' is who answers for the Debian package; without it, $DEBFULLNAME and
# $DEBEMAIL say it, as for Debian's own tools, and without these the project at large, which has no
# address. --out DIR is where the files go (build/packages without it). The script needs dpkg-deb
# and binutils, but not root. The same input gives the same bytes, if SOURCE_DATE_EPOCH is set or the
# source is a git checkout.
set -euo pipefail
cd "$(dirname "$0")/.."

die() { echo "package.sh: $*" >&2; exit 1; }
library=
tool=
maintainer=
c_library=1
built=
out=build/packages
while [ $# -gt 0 ]; do
    case $1 in
        --built) built=${2:?--built needs a folder} library=$2/libVkLayer_dxil.so tool=$2/dxil2spv; shift ;;
        --library) library=${2:?--library needs a file}; shift ;;
        --tool) tool=${2:?--tool needs a file}; shift ;;
        --no-c-library) c_library= ;;
        --maintainer) maintainer=${2:?--maintainer needs a text}; shift ;;
        --out) out=${2:?--out needs a folder}; shift ;;
        -h | --help) sed -n '2,14s/^# \{0,1\}//p' "$0"; exit 0 ;;
        *) die "unknown option $1" ;;
    esac
    shift
done
. scripts/deb.sh
name=vulkan-layer-dxil
if [ -z "$maintainer" ] && [ -n "${DEBEMAIL:-}" ]; then
    case $DEBEMAIL in *'<'*) maintainer=$DEBEMAIL ;; *) maintainer="${DEBFULLNAME:-$name} <$DEBEMAIL>" ;; esac
fi
if [ -z "$maintainer" ]; then
    # A domain that is never assigned (RFC 2606, section 2).
    maintainer="The authors of $name <$name@project.invalid>"
    echo "package.sh: nobody answers for the Debian package; --maintainer 'NAME <ADDRESS>' names who does" >&2
fi
grep -qx '[^<>]* <[^<> ]*@[^<> ]*>' <<<"$maintainer" || die "a maintainer is of the form 'NAME <ADDRESS>', found: $maintainer"
if [ -z "$library" ]; then
    cargo build --release --quiet --package dxil-layer --no-default-features --features captures
    library=${CARGO_TARGET_DIR:-target}/release/libVkLayer_dxil.so
fi
[ -e "$library" ] || die "$library is missing"
if [ -z "$tool" ]; then
    cargo build --release --quiet --package dxil-translator --bin dxil2spv
    tool=${CARGO_TARGET_DIR:-target}/release/dxil2spv
fi
[ -e "$tool" ] || die "$tool is missing"

version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
[ -n "$version" ] || die "Cargo.toml has no version of the workspace"
set_architecture "$library"

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
umask 022
mkdir -p "$out"

# ---- Debian package ----
root=$stage/deb
scripts/install.sh --prefix /usr --libdir /usr/lib/$multiarch --destdir "$root" --library "$library" --tool "$tool" >/dev/null
documents=$root/usr/share/doc/$name
write_copyright "$documents/copyright"
glibc=$(newest_glibc "$library" "$tool")
[ -n "$glibc" ] || die "$library asks for no version of the C library"
mkdir "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<END
Package: $name
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Section: libs
Priority: optional
Depends: libc6 (>= $glibc), libgcc-s1
Recommends: libvulkan1
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f 1)
Description: Vulkan layer that translates DXIL shaders to SPIR-V
 An application may hand DXIL, the shader code of Direct3D 12, to Vulkan where
 Vulkan takes SPIR-V. The layer is enabled by its name,
 VK_LAYER_DXIL_translate, or by the environment variable
 ENABLE_DXIL_TRANSLATE=1. It is inert until it is enabled.
 .
 The tool dxil2spv translates shaders on the command line.
END
deb=${name}_${version}_$architecture.deb
pack "$root" "$stage/$deb"
mv -f "$stage/$deb" "$out/$deb"
echo "$out/$deb"

# ---- archive ----
tree=$name-$version-linux-${multiarch%%-*}
scripts/install.sh --prefix / --destdir "$stage/$tree" --library "$library" --tool "$tool" >/dev/null
mkdir "$stage/$tree/scripts"
install -m 755 scripts/install.sh "$stage/$tree/scripts/install.sh"
cat >"$stage/$tree/INSTALL" <<END
scripts/install.sh            installs the layer for this user
sudo scripts/install.sh --system        for the machine, below /usr/local
scripts/install.sh --uninstall          removes it again; --help lists all options

Or use it from here, without installing it:

VK_ADD_LAYER_PATH=\$PWD/share/vulkan/explicit_layer.d VK_INSTANCE_LAYERS=VK_LAYER_DXIL_translate PROGRAM

bin/dxil2spv is the command-line tool. It may lie anywhere too.
share/doc/$name/docs/layer.md says what the layer does.
END
pack_archive "$stage" "$tree" "$stage/$tree.tar.gz"
mv -f "$stage/$tree.tar.gz" "$out/$tree.tar.gz"
echo "$out/$tree.tar.gz"

# ---- C interface ----
if [ -n "$c_library" ]; then scripts/c-library.sh ${built:+--built "$built"} --deb "$out" --maintainer "$maintainer"; fi
