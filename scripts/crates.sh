#!/usr/bin/env bash
# Checks the crates that are published, as crates.io and those who depend on them see them.
#
#   scripts/crates.sh [--slow]
#
# It checks licences, sources and known faults of what they depend on by cargo-deny (deny.toml), packs the
# crates, and compares their interfaces with those of the last release by cargo-semver-checks. --slow also
# compiles the packed crates, and all that is shipped with the oldest Rust that Cargo.toml names. What a
# program or a toolchain is missing for is left out, and a line that begins with `skipped: ` says why.
set -euo pipefail
cd "$(dirname "$0")/.."

slow=
case ${1:-} in
    --slow) slow=1 ;;
    -h | --help) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 0 ;;
    '') ;;
    *) echo "crates.sh: unknown option $1" >&2; exit 2 ;;
esac
has() { command -v "$1" >/dev/null || { echo "skipped: $1 is not installed"; return 1; }; }

if has cargo-deny; then
    cargo deny --workspace check --hide-inclusion-graph bans licenses sources
    if compgen -G "${CARGO_HOME:-$HOME/.cargo}/advisory-dbs/*/crates" >/dev/null; then
        cargo deny --offline --workspace check advisories
    else
        echo "skipped: the database of advisories is not here; \`cargo deny fetch\` gets it"
    fi
fi

mapfile -t published < <(cargo metadata --no-deps --format-version 1 | python3 -c '
import json, sys
print(*sorted(p["name"] for p in json.load(sys.stdin)["packages"] if p["publish"] is None), sep="\n")')
echo "published: ${published[*]}"
# What is not committed yet is packed too.
verify=--no-verify
if [ -n "$slow" ]; then verify=; fi
cargo package --quiet --allow-dirty $verify "${published[@]/#/--package=}"

if has cargo-semver-checks; then
    if last=$(git describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null); then
        cargo semver-checks --baseline-rev "$last" "${published[@]/#/--package=}"
    else
        echo "skipped: there is no release whose interface could be compared"
    fi
fi

if [ -n "$slow" ]; then
    oldest=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
    if cargo "+$oldest" --version >/dev/null 2>&1; then
        cargo "+$oldest" check --quiet --target-dir "${CARGO_TARGET_DIR:-target}/rust-$oldest" --package dxil-layer \
            --package dxil-lab --package dxil-spirv-c --package dxil-translator-c --package dxil-translator --features dxil-translator/ash
        echo "Rust $oldest compiles what is shipped"
    else
        echo "skipped: Rust $oldest is not installed; \`rustup toolchain install $oldest\` installs it"
    fi
fi
