#!/usr/bin/env bash
# Writes layer/lab/tests/integration/foz/hashes.txt anew: the hashes that Fossilize's capture layer computes for the
# objects of layer/lab/tests/integration/foz/every.rs.
#
#   FOSSILIZE_DIR=DIR scripts/regenerate-fossilize.sh
#
# DIR has fossilize-replay, libVkLayer_fossilize.so and VkLayer_fossilize.json, as a build of
# https://github.com/ValveSoftware/Fossilize has them. The pipelines are made on lavapipe, of
# scripts/setup.sh. The test then holds the lab's hashes to those.
set -euo pipefail
[[ ${1:-} != -h && ${1:-} != --help ]] || { sed -n '2,9p' "$0" | sed 's/^# \{0,1\}//'; exit 0; }
cd "$(dirname "$0")/.."

: "${FOSSILIZE_DIR:?names no folder with the programs of Fossilize}"
[ -z "${DXIL_TEST_LAVAPIPE_ICD:-}" ] && . build/env.sh
FOSSILIZE_WRITE=1 cargo test -p dxil-lab --test integration hashes_are_those_that_fossilize_computes -- --nocapture
git --no-pager diff --stat -- layer/lab/tests/integration/foz/hashes.txt
