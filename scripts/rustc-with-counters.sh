#!/bin/sh
# Compiles the translator with counters of coverage, and all other crates as they are.
#
# scripts/fuzz.sh names it in RUSTC_WORKSPACE_WRAPPER. Its arguments are the compiler and the compiler's.
set -eu
case " $* " in
    *" --crate-name dxil_translator "*)
        exec "$@" -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=3 \
            -Cllvm-args=-sanitizer-coverage-inline-8bit-counters
        ;;
esac
exec "$@"
