#!/usr/bin/env bash
# Makes the report of a real comparison of lavapipe with SwiftShader, with an injected crash and its
# bundle, and tries it in Chromium.
#
#   scripts/test-report.sh [SCREENSHOTS]
#
# SCREENSHOTS is a folder for pictures of the page. LAB is the program (default: what cargo builds for
# release). scripts/setup.sh must have run.
set -euo pipefail
cd "$(dirname "$0")/.."
[[ ${1:-} != -h && ${1:-} != --help ]] || { sed -n '2,8p' "$0" | sed 's/^# \{0,1\}//'; exit 0; }
# shellcheck source=/dev/null
. "${DXIL_TOOLS:-$PWD/build}/env.sh"

if [ -z "${LAB:-}" ]; then
    cargo build --quiet --release --package dxil-lab
    LAB=${CARGO_TARGET_DIR:-target}/release/dxil-lab
fi
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT

# Status 1 says that a driver has a fault or that results differ.
faulty() { "$@" || [ $? -eq 1 ]; }
"$LAB" synth tests/content --out "$folder"
victim=$(python3 - "$folder/synth.json" <<'END'
import json, sys
pipelines = json.load(open(sys.argv[1]))["pipelines"]
print(next(it["pipeline"] for it in pipelines if "taa.resolve_even" in it["label"]))
END
)
fault=crash@ImageSampleExplicitLod
faulty "$LAB" exec "$folder" --driver swiftshader --against lavapipe --json
faulty "$LAB" run "$folder" --driver lavapipe --inject "$fault:$victim" --json
faulty "$LAB" reduce "$folder" "$victim" --driver lavapipe --inject "$fault" --out "$folder/bundles/crash" --json
"$LAB" report "$folder" --json
python3 layer/lab/tests/browser.py "$folder/report.html" ${1:+--screenshots "$1"}
