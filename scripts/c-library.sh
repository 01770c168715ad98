#!/usr/bin/env bash
# Builds the library with the translator's C interface, and installs it with its header and the files for
# pkg-config and CMake (docs/c.md); or packs them as the Debian package libdxil-translator-dev.
#
#   scripts/c-library.sh [--profile PROFILE | --built DIR] [--prefix DIR] [--libdir DIR] [--destdir DIR]
#   scripts/c-library.sh [--profile PROFILE | --built DIR] --deb DIR [--maintainer TEXT]
#
# --profile PROFILE is a profile of cargo, release by default. --built DIR takes the libraries that cargo has
# built in DIR, and runs no cargo. --prefix DIR gets include/ and lib/; the default is build/c-library.
# --libdir DIR is where the libraries go, which must begin with the prefix. --destdir DIR writes to DIR/PREFIX
# what is meant for PREFIX. --deb DIR writes the package to DIR; it needs dpkg-deb and binutils, but not root.
set -euo pipefail
cd "$(dirname "$0")/.."

die() { echo "c-library.sh: $*" >&2; exit 1; }
profile=release
built=
prefix=build/c-library
libdir=
destdir=
deb=
maintainer=
while [ $# -gt 0 ]; do
    case $1 in
        --profile | --built | --prefix | --libdir | --destdir | --deb | --maintainer)
            declare "${1#--}=${2:?$1 needs a value}"
            shift
            ;;
        -h | --help) sed -n '2,12s/^# \{0,1\}//p' "$0"; exit 0 ;;
        *) die "unknown option $1" ;;
    esac
    shift
done

if [ -z "$built" ]; then
    cargo build --quiet --package dxil-translator-c --profile "$profile"
    # The folder of the profile `dev` is called debug.
    built=${CARGO_TARGET_DIR:-target}/${profile/#dev/debug}
fi
for kind in so a; do [ -e "$built/libdxil_translator_c.$kind" ] || die "$built/libdxil_translator_c.$kind is missing"; done
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
[ -n "$version" ] || die "Cargo.toml has no version of the workspace"
soname=libdxil_translator.so.0

# Writes the files. The paths in them are relative, so that the tree may be moved.
install_to() { # ROOT PREFIX LIBDIR
    local root=$1 prefix=$2 libdir=$3 include=$1$2/include library=$1$3 up
    up=$(realpath -ms --relative-to="$libdir/pkgconfig" "$prefix")
    umask 022
    mkdir -p "$include" "$library/pkgconfig" "$library/cmake/dxil_translator"
    install -m 644 translator/c/include/dxil_translator.h "$include/dxil_translator.h"
    install -m 644 "$built/libdxil_translator_c.so" "$library/$soname.new"
    install -m 644 "$built/libdxil_translator_c.a" "$library/libdxil_translator.a.new"
    # Line tables are useful in the build folder only.
    if command -v strip >/dev/null; then strip --strip-debug "$library/$soname.new" "$library/libdxil_translator.a.new"; fi
    mv -f "$library/$soname.new" "$library/$soname"
    mv -f "$library/libdxil_translator.a.new" "$library/libdxil_translator.a"
    ln -sf "$soname" "$library/libdxil_translator.so"
    cat >"$library/pkgconfig/dxil_translator.pc" <<PC
prefix=\${pcfiledir}/$up
libdir=\${pcfiledir}/..
includedir=\${prefix}/include

Name: dxil_translator
Description: Translates DXIL, the shader code of Direct3D 12, to SPIR-V
Version: $version
Cflags: -I\${includedir}
Libs: -L\${libdir} -ldxil_translator
Libs.private: -lgcc_s -lutil -lrt -lpthread -lm -ldl
PC
    up=$(realpath -ms --relative-to="$libdir/cmake/dxil_translator" "$prefix")
    sed -e "s|@UP@|$up|" -e "s|@SONAME@|$soname|" translator/c/dxil_translator-config.cmake \
        >"$library/cmake/dxil_translator/dxil_translator-config.cmake"
    cat >"$library/cmake/dxil_translator/dxil_translator-config-version.cmake" <<CMAKE
set(PACKAGE_VERSION "$version")
if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
  # While the major version is 0, a library of another minor version need not fit.
  string(REGEX MATCH "^[0-9]+[.][0-9]+" wanted "\${PACKAGE_FIND_VERSION}.0")
  string(REGEX MATCH "^[0-9]+[.][0-9]+" found "\${PACKAGE_VERSION}")
  if(NOT PACKAGE_FIND_VERSION OR wanted VERSION_EQUAL found)
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
  endif()
  if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
CMAKE
}

if [ -z "$deb" ]; then
    prefix=$(realpath -ms "$prefix")
    install_to "$destdir" "$prefix" "${libdir:-$prefix/lib}"
    echo "$destdir${libdir:-$prefix/lib}/$soname"
    exit 0
fi

. scripts/deb.sh
set_architecture "$built/libdxil_translator_c.so"
name=libdxil-translator-dev
# A domain that is never assigned (RFC 2606, section 2).
: "${maintainer:=The authors of vulkan-layer-dxil <vulkan-layer-dxil@project.invalid>}"
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
install_to "$stage" /usr "/usr/lib/$multiarch"
mkdir -p "$stage/usr/share/doc/$name" "$stage/DEBIAN" "$deb"
install -m 644 docs/c.md LICENSE-MIT LICENSE-APACHE "$stage/usr/share/doc/$name"
write_copyright "$stage/usr/share/doc/$name/copyright"
glibc=$(newest_glibc "$built/libdxil_translator_c.so")
cat >"$stage/DEBIAN/control" <<END
Package: $name
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Section: libdevel
Priority: optional
Depends: libc6 (>= ${glibc:-2.34}), libgcc-s1
Recommends: vulkan-layer-dxil
Installed-Size: $(du -sk --apparent-size "$stage/usr" | cut -f 1)
Description: C interface of a translator from DXIL shaders to SPIR-V
 The shared and the static library, the header, and the files for pkg-config
 and CMake. The tool dxil2spv is in the package vulkan-layer-dxil.
END
file=$deb/${name}_${version}_$architecture.deb
pack "$stage" "$file.new"
mv -f "$file.new" "$file"
echo "$file"
