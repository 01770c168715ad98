#!/usr/bin/env bash
# Changes shaders at random, translates them, and writes down what breaks a promise of the translator.
#
#   scripts/fuzz.sh [--kind KIND] [--minutes N] [--cases N] [--first N] [--jobs N] [--seed S]
#                   [--folder DIR]… [--out DIR]
#   scripts/fuzz.sh --case N [--kind KIND] [--seed S] [--folder DIR]…     one case again
#   scripts/fuzz.sh --check FILE [--kind KIND]                            all checks on one input
#   scripts/fuzz.sh --keep DIR [--kind KIND] [--minutes N] [--seed S]     guided by coverage; keeps inputs in DIR
#
# The containers are those of tests/fixtures and tests/content, or of the folders. Each new result is
# translated for three devices, and every new module goes to the validator. There is a process for
# each core, with 2 GiB of memory. --first continues a campaign at a case that its report names.
# Faults are written to --out (target/fuzz), each with a shrunk input and the command that repeats it;
# the exit code is then 1. With --keep, inputs that reach new code are changed further, and those that
# reach a place in the code that nothing reached are kept; that takes one core. docs/testing.md,
# "Malformed input".
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1:-} in
    -h | --help) sed -n '2,16s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
# Overflow checks and debug assertions are on, and the translator is optimised.
optimised=()
for package in dxil-translator dxil-robustness dxil-validate rspirv foldhash; do
    optimised+=(--config "profile.dev.package.$package.opt-level=3")
done
# A wrapper gives the translator its counters. Cargo keeps what it builds so apart from other builds.
[[ " $* " != *" --keep "* ]] || export RUSTC_WORKSPACE_WRAPPER=$PWD/scripts/rustc-with-counters.sh
build=(cargo build --quiet --package dxil-validate --bin dxil-fuzz "${optimised[@]}")
"${build[@]}"
program=${CARGO_TARGET_DIR:-target}/debug/dxil-fuzz
ulimit -v $((2 << 20))
ulimit -c 0
exec "$program" "$@"
