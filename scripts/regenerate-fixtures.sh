#!/usr/bin/env bash
# Rebuilds the compiled forms of the fixtures (tests/fixtures), programs (tests/content) and benchmark corpus (tests/corpus) from their HLSL.
#
#   scripts/regenerate-fixtures.sh [NAME…]     NAME: part of a path, such as `arithmetic/` or `corpus/sort`; without: all
#
# The same sources and the pinned compiler give the same bytes, so a clean tree stays clean.
set -euo pipefail
cd "$(dirname "$0")/.."
dxc=$(scripts/get-dxc.sh | tail -n 1)
exec python3 tests/fixtures/regenerate.py --dxc "$dxc" "$@"
