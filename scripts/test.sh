#!/usr/bin/env bash
# Runs every check of the project, from formatting to pictures that a driver draws.
#
#   scripts/test.sh [--slow] [--no-setup]
#
# --slow adds the long suites: all fixtures without validation, the second driver, fixtures without
# robust buffer access, fixtures in descriptor heaps on the driver of Debian sid, ignored tests,
# mutants of the translator, the applications of tests/applications, commands of the documents that
# take long, and the driver lab's page in a browser. --no-setup leaves out scripts/setup.sh, which
# installs and unpacks drivers; its env.sh must exist already. The script ends with a table of all
# steps, with the seconds and the processor seconds of each. Its exit status is 1 if a step failed.
# The whole output is in build/test-logs/.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2

slow=
setup=1
for argument in "$@"; do
    case $argument in
        --slow) slow=1 ;;
        --no-setup) setup= ;;
        -h | --help) sed -n '2,12s/^# \{0,1\}//p' "$0"; exit 0 ;;
        *) echo "test.sh: unknown option $argument" >&2; sed -n '2,12s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done

logs=$PWD/build/test-logs
rm -rf "$logs"
mkdir -p "$logs"
# What has run, for the step "commands of documents": whether each step passed, its log, its command.
export DXIL_TEST_STEPS=$logs/steps DXIL_TEST_RUN=$$-$(date +%s)
echo "$DXIL_TEST_RUN" >"$DXIL_TEST_STEPS"
summary=()
reasons=()
failures=0
passed=0
failed=0
skipped=0

# Adds up the counts in the reports of test programs: cargo's line `test result: …; N passed;
# N failed; N ignored`, and the line of the fixtures.
count() { # LOG
    awk '
        /^test result:/ { for (i = 2; i <= NF; i++) { if ($i ~ /^passed/) p += $(i-1); if ($i ~ /^failed/) f += $(i-1); if ($i ~ /^ignored/) s += $(i-1) } }
        /^fixtures \(/ { for (i = 2; i <= NF; i++) { if ($i ~ /^passed/) p += $(i-1); if ($i ~ /^failed/) f += $(i-1); if ($i ~ /^skipped/) s += $(i-1) } }
        END { print p + 0, f + 0, s + 0 }' "$1"
}

# The tests that failed and their panics, or else the last lines of the log: who sees the end of the
# output alone sees what to mend.
why() { # LOG
    { grep -hE -A 3 '^test .* FAILED|panicked at' "$1" || tail -n 5 "$1"; } | head -n 12 | cut -c 1-200 | sed 's/^/    /'
}

TIMEFORMAT='%R %U %S'
# Runs a command and writes its output, its status and its times to files. In a shell of its own, so
# that a step that ends beside it does not count.
timed() ( # LOG COMMAND…
    log=$1
    shift
    { time "$@" >"$log" 2>&1 </dev/null; echo $? >"$log.status"; } 2>"$log.times"
)

run() { # NAME COMMAND…
    echo "==== $1"
    timed "$(log_of "$1")" "${@:2}"
    report "$@"
}

log_of() { # NAME
    echo "$logs/${1//[^a-z0-9]/-}.log"
}

# Adds a command that has ended to the table.
report() { # NAME COMMAND…
    local name=$1 log status result p f s wall processor
    log=$(log_of "$name")
    shift
    status=$(<"$log.status")
    read -r wall processor < <(awk 'END { printf "%.0f %.0f\n", $1, $2 + $3 }' "$log.times")
    rm "$log.status" "$log.times"
    printf '%d\t%s\t%s\n' $status "$log" "$*" >>"$DXIL_TEST_STEPS"
    read -r p f s < <(count "$log")
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    result=ok
    if [ $status -ne 0 ]; then
        result=FAILED
        failures=$((failures + 1))
        tail -n 60 "$log"
        reasons+=("$name:" "$(why "$log")")
    fi
    grep -hE '^(test [^ ]+ )?(\.\.\. )?(skipped: |ignored)|^dumped translations: ' "$log" | sed 's/^/    /'
    summary+=("$(printf '%-34s %-7s %5d passed %4d failed %4d skipped %5d s %5d s of processors' "$name" $result "$p" "$f" "$s" "$wall" "$processor")")
    echo "     ${summary[-1]}"
    return $status
}

# Setting up mostly waits for the network and the disk. What needs no driver runs beside it, if the
# machine has a compiler already.
setup=${setup:+scripts/setup.sh${slow:+ --slow}}
if [ -n "$setup" ]; then
    timed "$(log_of setup)" $setup &
    command -v g++ >/dev/null || wait
fi
# Nothing links the library of the validator before the step of the tests. Once cargo knows that the
# library will be there, its C++ compiles in the time that other compilers leave.
scripts/spirv-tools.py --override
timed "$(log_of spirv-tools)" nice -n 19 scripts/spirv-tools.py &
run "format" cargo fmt --all --check
run "clippy" cargo clippy --workspace --all-targets --quiet -- -D warnings
# Rustdoc reads the metadata of crates. With the variables of `cargo clippy -- -D warnings`, Cargo
# takes the metadata that Clippy has written; otherwise it would check all crates again. Nobody reads
# the pages, which take longer to write than the rest, so rustdoc only checks. The flag is that of an
# unstable feature, hence the variable.
cat >"$logs/rustdoc" <<'END'
#!/bin/sh
RUSTC_BOOTSTRAP=1 exec rustdoc -Z unstable-options --check "$@"
END
chmod +x "$logs/rustdoc"
RUSTDOC=$logs/rustdoc RUSTC_WORKSPACE_WRAPPER=$(rustc --print sysroot)/bin/clippy-driver \
    CLIPPY_ARGS=-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__ \
    run "documentation" env RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --document-private-items --quiet
# Tests ask for more features of the layer's crates than the layer does (tests/support/Cargo.toml), and
# none for the translator's feature `ash`.
run "layer alone" cargo check --quiet --package dxil-layer --package dxil-translator --no-default-features --features dxil-translator/ash
# The translator and its own tests compile longest by far. Its unit tests compile in a quarter of the
# time without the optimiser that the library has in other tests, and run five seconds longer.
unit_tests=(cargo test --config profile.dev.package.dxil-translator.opt-level=0 --package dxil-translator --lib)
integration_tests=(cargo test --package dxil-translator --bins --test '*')
translator() { "${unit_tests[@]}" --quiet --no-run && "${integration_tests[@]}" --quiet --no-run; }
run "translator" translator
wait
report "spirv-tools" scripts/spirv-tools.py
if [ -n "$setup" ]; then
    report "setup" $setup || { echo "scripts/setup.sh failed, so no test can run; --no-setup leaves it out"; exit 1; }
fi
environment=${DXIL_TOOLS:-$PWD/build}/env.sh
if [ ! -e "$environment" ]; then
    echo "$environment is missing: run scripts/setup.sh"
    exit 1
fi
# shellcheck source=/dev/null
. "$environment"

unit_and_integration_tests() {
    local status=0
    cargo test --workspace --exclude dxil-tests --exclude dxil-translator --no-fail-fast || status=1
    "${integration_tests[@]}" --no-fail-fast || status=1
    "${unit_tests[@]}" || status=1
    cargo test --package dxil-translator --doc || status=1
    return $status
}
# Many of these tests leave a core idle or wait for a driver, so fixtures run beside them. Tests that
# wait, such as those of hangs, take no core from the others.
RUST_TEST_THREADS=$((2 * $(nproc))) timed "$(log_of "unit and integration tests")" unit_and_integration_tests &
tests=$!
run "harness" cargo test --package dxil-tests --lib --bins --test children
fixtures() { cargo test --quiet --package dxil-tests --test fixtures -- "$@"; }
run "fixtures as spirv" fixtures --code spirv
# The step "fixtures under validation" has all of them. These run without a layer between ours and the
# driver: all kinds of pipelines, and the fixtures that the validation layer cannot judge.
run "fixtures as dxil" fixtures mesh/ rays/ rootsig/ tessellation/
run "spirv under the layer" fixtures --code spirv-under-layer rays/ graphics/
run "libraries as one module" fixtures --code library rays/ tracing/ payloads/ query/
embedded=(buffer/raw geometry/ graphics/c heaps/ libraries/ mesh/ rays/ stages/ tessellation/ tracing/)
run "embedded dxil under validation" fixtures --code embedded --validation "${embedded[@]}"
run "embedded dxil without the layer" fixtures --code stub --validation "${embedded[@]}"
run "spirv with embedded dxil" fixtures --code fallback "${embedded[@]}"
objects=(buffer/raw geometry/ graphics/ heaps/ mesh/ rootsig/ stages/ tessellation/)
run "shader objects" fixtures --code objects "${objects[@]}"
run "unlinked shader objects" fixtures --code unlinked-objects geometry/ graphics/ mesh/ rootsig/ stages/
run "fixtures stepped by RenderDoc" cargo test --quiet --package dxil-tests --test stepping
run "demo" cargo run --quiet --package dxil-demo -- --validation --driver lavapipe
run "demo of rays" cargo run --quiet --package dxil-demo -- --rays --validation --driver lavapipe
run "demo of meshlets" cargo run --quiet --package dxil-demo -- --mesh --validation --driver lavapipe
# These steps use programs that the step of the tests has built. The tests may still run, because
# exact counts do not depend on other load.
run "instructions" scripts/instructions.py --gate
run "crates that are published" scripts/crates.sh ${slow:+--slow}
DPKG_DEB_COMPRESSOR_LEVEL=0 ARCHIVE_LEVEL=1 run "release of a debug build" scripts/release.sh --built target/debug
# The fixtures under validation take both cores until the end. Documents run beside them.
timed "$(log_of "fixtures under validation")" fixtures --validation &
wait $tests
report "unit and integration tests" unit_and_integration_tests
# With the packages of that step, so that nothing is built again.
documents() { cargo test --workspace --exclude dxil-tests --test documents -- "$@"; }
run "commands of documents" documents --commands
wait
report "fixtures under validation" fixtures --validation
if [ -n "$slow" ]; then
    # With the waves of eight lanes that lavapipe has by itself.
    LP_NATIVE_VECTOR_WIDTH=256 run "all fixtures as dxil" fixtures
    run "fixtures on swiftshader" fixtures --driver swiftshader
    run "fixtures without robustness" fixtures --no-robustness
    run "descriptor heaps" scripts/get-mesa-sid.sh cargo test --package dxil-tests --test fixtures -- --code heaps --validation heaps/ map/ query/ tracing/
    run "descriptor heaps of shader objects" scripts/get-mesa-sid.sh cargo test --package dxil-tests --test fixtures -- --code heap-objects --validation heaps/
    run "newer SPIR-V validator" scripts/get-mesa-sid.sh cargo test --package dxil-validate --test integration newer
    run "slow tests" cargo test --workspace --exclude dxil-tests --exclude dxil-control-flow --release --no-fail-fast -- --ignored
    VK_DXIL_TRANSLATE_VALIDATE=true run "layer with the validator" \
        cargo test --package dxil-layer-loaderless --package dxil-layer-core --features dxil-layer-loaderless/validate,dxil-layer-core/validate
    # The layer's `unsafe` code. Memory that is never freed is no fault: the layer's shared object stays
    # loaded until the process ends. The flag is that of an unstable feature, hence the first variable.
    RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=address -Clink-arg=-Wl,--export-dynamic" ASAN_OPTIONS=detect_leaks=0 \
        run "layer under AddressSanitizer" cargo test --package dxil-layer-loaderless --package dxil-layer-core \
        --no-fail-fast --target x86_64-unknown-linux-gnu --target-dir target/asan
    run "applications" scripts/test-applications.sh
    run "report in a browser" scripts/test-report.sh
    run "shards by SLURM" scripts/test-slurm.sh
    run "explained shaders in a browser" python3 translator/tests/explain.py target/debug/dxil2spv
    fresh=$PWD/build/fresh-control-flow
    rm -rf "$fresh"
    run "fresh control-flow programs" cargo test --package dxil-control-flow --test programs --release -- --ignored --keep "$fresh"
    payloads=$PWD/build/fresh-payloads
    rm -rf "$payloads"
    run "fresh payload types" python3 tests/fixtures/random_payloads.py $(($(date +%s) / 86400 * 100)) 100 "$payloads" --dxc "$(scripts/get-dxc.sh | tail -n 1)"
    run "fresh payload types as dxil" fixtures --folder "$payloads"
    vectors=$PWD/build/fresh-vectors
    rm -rf "$vectors"
    run "fresh vector programs" python3 tests/fixtures/random_vectors.py $(($(date +%s) / 86400 * 40)) 40 "$vectors" --dxc "$(scripts/get-dxc.sh | tail -n 1)"
    run "fresh vector programs as dxil" fixtures --folder "$vectors"
    run "content with debug information" python3 scripts/debug-content.py
    run "mutants of the translator" scripts/mutants.sh --sample 400 --part $(($(date +%s) / 86400 % 8 + 1))/8
    CONTAINERS=$fresh run "fresh programs validated" cargo test --package dxil-validate --test integration control_flow_programs
    run "slow commands of documents" documents --slow
else
    echo "(--slow adds: fixtures on SwiftShader, fixtures without robust buffer access, descriptor heaps on Debian sid's Mesa, tests marked as ignored, commands of the documents that take long)"
fi

echo
printf '%s\n' "${summary[@]}"
[ $failures -eq 0 ] || printf '%s\n' "${reasons[@]}"
echo "total: $passed passed, $failed failed, $skipped skipped; $failures of ${#summary[@]} steps failed"
[ $failures -eq 0 ]
