#!/usr/bin/env bash
# Writes what the layer needs of Vulkan's registry beyond the crate `ash`, from a newer crate:
# the sizes of all structures with an sType, the padding of those that are plain, and the names of all
# commands for a test. A structure is plain if it has numbers, enumerations and flags alone, itself or
# in structures and unions: without a pointer, a device address or a handle its bytes say what it says.
#
#   scripts/regenerate-registry.sh
#
# The crate vulkanalia-sys is generated from the registry. This script compiles a program against it
# for x86_64 and runs that; the project itself does not depend on the crate. To take a newer
# registry, change VERSION.
set -euo pipefail
cd "$(dirname "$0")/.."
[[ ${1:-} != -h && ${1:-} != --help ]] || { sed -n '2,11p' "$0" | sed 's/^# \{0,1\}//'; exit 0; }

VERSION=0.35.0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/src"
cat >"$work/Cargo.toml" <<END
[package]
name = "registry"
version = "0.0.0"
edition = "2024"

[dependencies]
vulkanalia-sys = "=$VERSION"

[workspace]
END
echo 'fn main() {}' >"$work/src/main.rs"
cargo fetch --quiet --manifest-path "$work/Cargo.toml"
crate=$(cargo metadata --quiet --format-version 1 --manifest-path "$work/Cargo.toml" |
    python3 -c 'import json, os, sys
print(next(os.path.dirname(p["manifest_path"]) for p in json.load(sys.stdin)["packages"] if p["name"] == "vulkanalia-sys"))')

python3 - "$crate" "$work/src/main.rs" tests/layer-loaderless/src/commands.txt <<'END'
import re, sys
crate, program, commands = sys.argv[1:]
structs = open(f"{crate}/src/structs.rs").read()
found = {}
for match in re.finditer(r"impl Default for (\w+) \{(.*?)\n\}", structs, re.S):
    s_type = re.search(r"s_type: StructureType::(\w+),", match[2])
    if s_type:
        found[match[1]] = s_type[1]
read = lambda name: open(f"{crate}/src/{name}.rs").read()
numbers = {"u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "usize", "f32", "f64"}
named = {"Bool32", "DeviceSize", "Flags", "Flags64", "SampleMask"}
named |= set(re.findall(r"pub struct (\w+)\(i32\);", read("enums")))
named |= set(re.findall(r"pub struct (\w+): Flags(?:64)? ", read("bitmasks")))
members = {}
for kind, text in [("struct", structs), ("union", read("unions"))]:
    for match in re.finditer(rf"pub {kind} (\w+) \{{(.*?)\n\}}", text, re.S):
        members[match[1]] = (kind, re.findall(r"pub ([\w#]+): (.+),\n", match[2] + "\n"))

def leaves(ty, at):
    """The offset and size of each number in a member, as Rust; None if it has a pointer or a handle."""
    array = re.fullmatch(r"\[(.+); (\w+)\]", ty)
    if ty in numbers or ty in named:
        return [(at, f"size_of::<{'vk::' if ty in named else ''}{ty}>()")]
    if array:
        inner = leaves(array[1], at)
        count = array[2] if array[2].isdigit() else f"vk::{array[2]}"
        # The elements of an array of structures may have padding between them.
        return [(at, f"{count} * {inner[0][1]}")] if inner and len(inner) == 1 else None
    if ty not in members:
        return None
    kind, inner = members[ty]
    inner = [leaves(t, f"{at} + offset_of!(vk::{ty}, {name})") for name, t in inner]
    if None in inner:
        return None
    return [(at, f"size_of::<vk::{ty}>()")] if kind == "union" else sum(inner, [])

plain = {}
for name in found:
    inner = [leaves(t, f"offset_of!(vk::{name}, {m})") for m, t in members[name][1] if m not in ("s_type", "next")]
    if None not in inner:
        plain[name] = sum(inner, [])
with open(program, "w") as out:
    out.write(r"""#![allow(deprecated)]
use std::mem::offset_of;
use vulkanalia_sys as vk;

fn main() {
    let (mut sizes, mut plain) = (Vec::new(), Vec::new());
    rows(&mut sizes, &mut plain);
    sizes.sort();
    sizes.dedup_by_key(|row| row.0);
    plain.sort();
    plain.dedup_by_key(|row| row.0);
    if std::env::args().nth(1).as_deref() == Some("plain") {
        for (s_type, size, name, members) in plain {
            println!("    ({s_type}, {size}, &{:?}), // {name}", padding(size, members));
        }
    } else {
        for (s_type, size, name) in sizes {
            println!("    ({s_type}, {size}), // {name}");
        }
    }
}

/// What the members leave, behind sType and pNext: the first byte, and the first one after it.
fn padding(size: usize, mut members: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    members.sort();
    let (mut at, mut padding) = (16, Vec::new());
    for (offset, length) in members.into_iter().chain([(size, 0)]) {
        if offset > at {
            padding.push((at, offset));
        }
        at = offset + length;
    }
    padding
}

type Plain = (i32, usize, &'static str, Vec<(usize, usize)>);

fn rows(sizes: &mut Vec<(i32, usize, &'static str)>, plain: &mut Vec<Plain>) {
""")
    for name, s_type in sorted(found.items()):
        row = f'vk::StructureType::{s_type}.as_raw(), size_of::<vk::{name}>(), "Vk{name}"'
        out.write(f"    sizes.push(({row}));\n")
        if name in plain:
            list = ", ".join(f"({at}, {size})" for at, size in plain[name])
            out.write(f"    plain.push(({row}, vec![{list}]));\n")
    out.write("}\n")
names = set(re.findall(r"pub type PFN_(vk\w+) =", open(f"{crate}/src/commands.rs").read()))
old = set(open(commands).read().split())
with open(commands, "w") as out:
    out.write("".join(f"{name}\n" for name in sorted(names | old)))
END

tables=layer/core/src/vulkan
write() { # FILE FIRST_LINE ARGUMENT
    {
        echo "// $2 Written by"
        echo "// scripts/regenerate-registry.sh from vulkanalia-sys $VERSION; do not edit."
        echo "["
        cargo run --quiet --manifest-path "$work/Cargo.toml" -- "$3"
        echo "]"
    } >"$work/table"
    mv "$work/table" "$tables/$1"
    echo "$tables/$1: $(grep -c '^    (' "$tables/$1") structures"
}
write sizes.inc "sType and size in bytes, in order of sType." sizes
write plain.inc "sType, size in bytes and padding of plain structures, in order of sType." plain
