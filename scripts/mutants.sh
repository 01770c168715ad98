#!/usr/bin/env bash
# Changes the translator's source at sampled places, and lists the changes that no test notices.
#
#   scripts/mutants.sh [--seed S] [--sample N] [--part K/N] [--only TEXT]… [--jobs N] [--folder DIR] [--again]
#
# The changed workspace is in --folder (target/mutants/workspace), with the file results.txt, with
# which an interrupted run goes on. The exit code is 1 if a change survives that is not in
# tests/mutants/survivors.txt. docs/testing.md, "Mutants of the translator".
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1:-} in
    -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
environment=${DXIL_TOOLS:-$PWD/build}/env.sh
if [ ! -e "$environment" ]; then
    echo "$environment is missing: run scripts/setup.sh"
    exit 2
fi
# shellcheck source=/dev/null
. "$environment"
exec cargo run --quiet --package dxil-mutants --bin dxil-mutants -- "$@"
