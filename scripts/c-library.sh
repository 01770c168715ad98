#!/usr/bin/env bash
# Builds the library with the translator's C interface, and installs it with its header and the files for
# pkg-config and CMake (docs/c.md); or packs them: as the Debian packages libdxil-translator0, which has the
# shared library, and libdxil-translator-dev, and as an archive to be unpacked anywhere.
#
#   scripts/c-library.sh [--profile PROFILE | --built DIR] [--prefix DIR] [--libdir DIR] [--destdir DIR]
#   scripts/c-library.sh [--profile PROFILE | --built DIR] --deb DIR [--maintainer TEXT]
#
# --profile PROFILE is a profile of cargo, release by default. --built DIR takes the libraries that cargo has
# built in DIR, and runs no cargo. --prefix DIR gets include/ and lib/; the default is build/c-library.
# --libdir DIR is where the libraries go, which must begin with the prefix. --destdir DIR writes to DIR/PREFIX
# what is meant for PREFIX. --deb DIR writes the packages to DIR; it needs dpkg-deb and binutils, but not root.
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
        -h | --help) sed -n '2,13s/^# \{0,1\}//p' "$0"; exit 0 ;;
        *) die "unknown option $1" ;;
    esac
    shift
done

if [ -z "$built" ]; then
    cargo build --quiet --package dxil-translator-c --profile "$profile"
    # The folder of the profile `dev` is called debug.
    built=${CARGO_TARGET_DIR:-target}/${profile/#dev/debug}
fi
# What cargo builds for tests alone is in a folder below.
if [ ! -e "$built/libdxil_translator_c.so" ] && [ -d "$built/deps" ]; then built=$built/deps; fi
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
    install -m 644 translator/c/include/dxil_translator.h layer/include/dxil_layer.h "$include"
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
# A domain that is never assigned (RFC 2606, section 2).
: "${maintainer:=The authors of vulkan-layer-dxil <vulkan-layer-dxil@project.invalid>}"
glibc=$(newest_glibc "$built/libdxil_translator_c.so")
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
umask 022
mkdir -p "$deb"

# Packs the tree of a package, for which standard input has the rest of its control file.
pack_package() { # NAME
    local root=$stage/$1 file=$deb/$1_${version}_$architecture.deb
    mkdir -p "$root/usr/share/doc/$1" "$root/DEBIAN"
    install -m 644 LICENSE-MIT LICENSE-APACHE "$root/usr/share/doc/$1"
    write_copyright "$root/usr/share/doc/$1/copyright"
    cat >"$root/DEBIAN/control" <<END
Package: $1
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Priority: optional
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f 1)
END
    cat >>"$root/DEBIAN/control"
    pack "$root" "$file.new"
    mv -f "$file.new" "$file"
    echo "$file"
}

# The number in the name is that of the soname.
runtime=libdxil-translator${soname##*.} development=libdxil-translator-dev libraries=usr/lib/$multiarch
install_to "$stage/$development" /usr "/$libraries"
mkdir -p "$stage/$runtime/$libraries"
mv "$stage/$development/$libraries/$soname" "$stage/$runtime/$libraries"
pack_package "$runtime" <<END
Section: libs
Depends: libc6 (>= ${glibc:-2.34}), libgcc-s1
Description: translator from DXIL shaders to SPIR-V, shared library
 Programs that were linked with the C interface need it.
END
mkdir -p "$stage/$development/usr/share/doc/$development"
install -m 644 docs/c.md "$stage/$development/usr/share/doc/$development"
pack_package "$development" <<END
Section: libdevel
Depends: $runtime (= $version)
Recommends: vulkan-layer-dxil
Description: C interface of a translator from DXIL shaders to SPIR-V
 The static library, the headers of the library and of the Vulkan layer, and the
 files for pkg-config and CMake. The tool dxil2spv is in the package
 vulkan-layer-dxil.
END

tree=libdxil-translator-$version-linux-${multiarch%%-*}
install_to "$stage/$tree" / /lib
install -m 644 docs/c.md LICENSE-MIT LICENSE-APACHE "$stage/$tree"
pack_archive "$stage" "$tree" "$stage/$tree.tar.gz"
mv -f "$stage/$tree.tar.gz" "$deb/$tree.tar.gz"
echo "$deb/$tree.tar.gz"
