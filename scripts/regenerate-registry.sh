#!/usr/bin/env bash
# Writes what the layer needs of Vulkan's registry beyond the crate `ash`, from a newer crate:
# the sizes of all structures with an sType, and the names of all commands for a test.
#
#   scripts/regenerate-registry.sh
#
# The crate vulkanalia-sys is generated from the registry. This script compiles a program against it
# for x86_64 and runs that; the project itself does not depend on the crate. To take a newer
# registry, change VERSION.
set -euo pipefail
cd "$(dirname "$0")/.."

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
with open(program, "w") as out:
    out.write("#![allow(deprecated)]\nuse vulkanalia_sys as vk;\nfn main() {\n    let mut rows = vec![\n")
    for name, s_type in sorted(found.items()):
        out.write(f'        (vk::StructureType::{s_type}.as_raw(), size_of::<vk::{name}>(), "Vk{name}"),\n')
    out.write("    ];\n    rows.sort();\n    rows.dedup_by_key(|row| row.0);\n")
    out.write('    for (s_type, size, name) in rows {\n        println!("    ({s_type}, {size}), // {name}");\n    }\n}\n')
names = set(re.findall(r"pub type PFN_(vk\w+) =", open(f"{crate}/src/commands.rs").read()))
old = set(open(commands).read().split())
with open(commands, "w") as out:
    out.write("".join(f"{name}\n" for name in sorted(names | old)))
END

table=layer/core/src/vulkan/sizes.inc
{
    echo "// sType and size in bytes, in order of sType. Written by scripts/regenerate-registry.sh from"
    echo "// vulkanalia-sys $VERSION; do not edit."
    echo "["
    cargo run --quiet --manifest-path "$work/Cargo.toml"
    echo "]"
} >"$work/sizes.inc"
mv "$work/sizes.inc" "$table"
echo "$table: $(grep -c '^    (' "$table") structures"
