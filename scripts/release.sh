#!/usr/bin/env bash
# Makes the files of a release of what is committed: the packages and archives of scripts/package.sh, the
# sources, the notes, a bill of materials (scripts/sbom.py), and the checksums of all.
#
#   scripts/release.sh [--built DIR | --once] [--maintainer TEXT] [--out DIR]
#
# The version is that of Cargo.toml. Its notes are the section of that version in CHANGELOG.md. While there is
# none, they are the section `Unreleased`, which becomes that of the version in the files, with the commit's date.
# The release is made twice, in two folders, and must have the same bytes; --once makes it once. --built DIR packs
# what cargo has built in DIR instead of building, for tests. --maintainer TEXT is that of scripts/package.sh.
# --out DIR is where the files go, build/release without it.
set -euo pipefail
cd "$(dirname "$0")/.."

die() { echo "release.sh: $*" >&2; exit 1; }
built=
once=
maintainer=
out=build/release
while [ $# -gt 0 ]; do
    case $1 in
        --built | --maintainer | --out)
            declare "${1#--}=${2:?$1 needs a value}"
            shift
            ;;
        --once) once=1 ;;
        -h | --help) sed -n '2,12s/^# \{0,1\}//p' "$0"; exit 0 ;;
        *) die "unknown option $1" ;;
    esac
    shift
done
[ -n "$built" ] || [ -z "$(git status --porcelain)" ] || die "commit first: a release is made of what is committed"
if [ -n "$built" ]; then built=$(realpath "$built"); fi
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
DXIL2SPV_COMMIT=$(git rev-parse --short=12 HEAD)
export SOURCE_DATE_EPOCH DXIL2SPV_COMMIT
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sources=vulkan-layer-dxil-$version-source

# Builds in a copy of the sources. The compiler writes paths into programs, so those of this machine are replaced.
# A wrapper does it, because cargo takes RUSTFLAGS into the names of symbols.
build() { # COPY
    cat >"$1/../rustc" <<END
#!/bin/sh
exec "\$@" --remap-path-prefix='$1=/vulkan-layer-dxil' --remap-path-prefix='${CARGO_HOME:-$HOME/.cargo}=/cargo'
END
    chmod +x "$1/../rustc"
    (
        cd "$1"
        export RUSTC_WRAPPER=$1/../rustc CARGO_TARGET_DIR=$1/../target
        cargo build --release --quiet --locked --package dxil-layer --no-default-features --features captures
        cargo build --release --quiet --locked --package dxil-translator --bin dxil2spv
        cargo build --release --quiet --locked --package dxil-translator-c
    )
}

# Makes all files from a copy of its own.
make_release() { # FOLDER
    local copy=$1/$sources files=$1/files
    mkdir -p "$copy" "$files"
    git ls-files -z | tar --null --files-from=- -c | tar -x -C "$copy"
    tar -C "$1" --sort=name --mode=a+rX,u+w,go-w --mtime=@"$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -c "$sources" |
        gzip -n"${ARCHIVE_LEVEL:-9}" >"$files/$sources.tar.gz"
    if ! grep -q "^## \[$version\]" "$copy/CHANGELOG.md"; then
        sed -i -e "s/^## \[Unreleased\]/## [$version] - $(date -u -d @"$SOURCE_DATE_EPOCH" +%F)/" -e 's/ Nothing is released yet\.//' \
            "$copy/CHANGELOG.md"
    fi
    sed -n "/^## \[$version\]/,/^## /{/^## /d;p}" "$copy/CHANGELOG.md" >"$files/notes.md"
    grep -q '^- ' "$files/notes.md" || die "CHANGELOG.md says nothing of version $version"
    if [ -z "$built" ]; then build "$copy"; fi
    (cd "$copy" && scripts/package.sh --built "${built:-$1/target/release}" ${maintainer:+--maintainer "$maintainer"} --out "$files" >/dev/null)
    scripts/sbom.py >"$files/vulkan-layer-dxil-$version.cdx.json"
    (cd "$files" && sha256sum -- * >"$work/SHA256SUMS" && mv "$work/SHA256SUMS" .)
}

make_release "$work/first"
if [ -z "$once" ]; then
    # A path of another length, and another umask.
    (umask 077 && make_release "$work/the second time")
    diff -r "$work/first/files" "$work/the second time/files" || die "the two releases differ"
    echo "made twice: $(find "$work/first/files" -type f | wc -l) files have the same bytes"
fi
rm -rf "$out"
mkdir -p "$out"
cp "$work/first/files/"* "$out"
(cd "$out" && sha256sum --check --quiet SHA256SUMS)
ls -d "$out"/*
