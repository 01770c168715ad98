# Functions of the scripts that make packages. It is sourced by scripts/package.sh and
# scripts/c-library.sh, which have `die`, and needs dpkg-deb and binutils.

for command in dpkg-deb objdump strip; do
    command -v $command >/dev/null || die "$command is missing; Debian has it in dpkg or binutils"
done
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || date +%s)}"
export SOURCE_DATE_EPOCH

# Sets Debian's name of the architecture of a library, and that of its folder of libraries.
set_architecture() { # LIBRARY
    case $(objdump -f "$1" | sed -n 's/^architecture: \([^,]*\),.*/\1/p') in
        i386:x86-64) architecture=amd64 multiarch=x86_64-linux-gnu ;;
        aarch64) architecture=arm64 multiarch=aarch64-linux-gnu ;;
        *) die "$1 is of an architecture that this script does not know" ;;
    esac
}

# The newest version of the C library that a symbol of the files asks for.
newest_glibc() { # FILE…
    local file
    for file; do objdump -T "$file"; done | sed -n 's/.*(\{0,1\}GLIBC_\([0-9.]*\).*/\1/p' | sort -Vu | tail -n 1
}

write_copyright() { # FILE
    cat >"$1" <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/

Files: *
License: MIT or Apache-2.0
Comment: the texts are in LICENSE-MIT and LICENSE-APACHE beside this file.
END
}

# Packs a tree that has its control file.
pack() { # TREE FILE
    (cd "$1" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$1/DEBIAN/md5sums"
    dpkg-deb --root-owner-group -Zxz --build "$1" "$2" >/dev/null
}

# Packs a folder of a stage as an archive. ARCHIVE_LEVEL is gzip's level, 1 to 9.
pack_archive() { # STAGE NAME FILE
    tar -C "$1" --sort=name --mtime=@"$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -c "$2" | gzip -n"${ARCHIVE_LEVEL:-9}" >"$3"
}
