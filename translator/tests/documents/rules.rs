//! The commands of documents that are not `dxil2spv`, when each runs, and what it must show.
//!
//! Commands of one text are one command, and run once. `./` before a script is left out.

/// When a command runs.
#[derive(Clone, Copy)]
pub enum When {
    /// With `--commands`.
    Now,
    /// With `--slow`.
    Slow,
    /// With `--slow`, if the pinned compiler is to be had (scripts/get-dxc.sh).
    Compiler,
    /// A step of scripts/test.sh runs it, which this program cannot or need not repeat. With
    /// `--commands`, the list of that run's steps must have it.
    Step,
    /// The same for a step that only `scripts/test.sh --slow` has.
    SlowStep,
    /// Never, for this reason.
    Never(&'static str),
}
use When::{Compiler, Never, Now, Slow, SlowStep, Step};

/// A command, and what its output must contain. `file PATH` is a file that it must make, and
/// `status N` its exit status if that is not 0.
pub struct Rule {
    /// The command as the documents have it.
    pub command: &'static str,
    /// When it runs.
    pub when: When,
    /// What must be seen.
    pub shows: &'static [&'static str],
}

macro_rules! rules {
    ($($command:literal $when:expr, [$($shows:literal),*];)*) => {
        /// All rules.
        pub const RULES: &[Rule] = &[$(Rule { command: $command, when: $when, shows: &[$($shows),*] },)*];
    };
}

const INSTALLS: &str = "it installs a package on this machine; tests/layer-loader unpacks the package";

const GAME: &str = "it needs a game, or what the layer captured of one";

rules! {
    // ---- the C interface of dxil-spirv ----
    "cargo run -p dxil-d3d12 --bin c-interface-cost -- --instructions" Slow, ["Rust interface", "instructions per shader"];
    "SANITIZE=address cargo test -p dxil-d3d12 --test containers" Slow, ["1 passed", "1 ignored"];
    "cargo test -p dxil-d3d12 --test sequences -- --ignored" Slow, ["1 passed"];
    "cargo test -p dxil-d3d12 --test fixtures -- --all" Slow, ["fixtures (C interface on lavapipe): ", " 0 failed"];
    "cargo test -p dxil-d3d12 --test fixtures -- --all --turned" Slow, ["fixtures (C interface on lavapipe): ", " 0 failed"];
    // ---- the layer and programs under it ----
    "scripts/install.sh" Now, ["file $HOME/.local/share/vulkan/explicit_layer.d/VkLayer_dxil.json",
        "file $HOME/.local/share/vulkan/lib/libVkLayer_dxil.so"];
    "sudo scripts/install.sh --system" Now, ["/usr/local/share/vulkan/implicit_layer.d/VkLayer_dxil_implicit.json"];
    "scripts/install.sh --uninstall" Now, ["removed '", "VkLayer_dxil.json'", "libVkLayer_dxil.so'"];
    "sudo apt install ./FILE" Never(INSTALLS), [];
    "VK_INSTANCE_LAYERS=VK_LAYER_DXIL_translate program" Now, ["Insert instance layer \"VK_LAYER_DXIL_translate\"", "tool VK_LAYER_DXIL_translate"];
    "ENABLE_DXIL_TRANSLATE=1 program" Now, ["Insert instance layer \"VK_LAYER_DXIL_translate\"", "tool VK_LAYER_DXIL_translate"];
    "ENABLE_DXIL_TRANSLATE=1 VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation program" Now, [
        "Insert instance layer \"VK_LAYER_KHRONOS_validation\"", "Insert instance layer \"VK_LAYER_DXIL_translate\""];
    "VK_LOADER_DEBUG=info,layer program" Now, ["Vulkan Loader Version 1.", "<Application>", "<Loader>"];
    "VK_INSTANCE_LAYERS=VK_LAYER_DXIL_translate vulkaninfo" Now, ["Insert instance layer \"VK_LAYER_DXIL_translate\"", "deviceName"];
    "ENABLE_DXIL_TRANSLATE=1 vulkaninfo" Now, [
        "Insert instance layer \"VK_LAYER_DXIL_translate\"", "deviceName"];
    "VK_ADD_LAYER_PATH=manifest VK_INSTANCE_LAYERS=VK_LAYER_DXIL_translate program" Slow, [
        "Insert instance layer \"VK_LAYER_DXIL_translate\"", "manifest/VkLayer_dxil.json"];

    // ---- what cargo does without tests ----
    "cargo build" Now, ["Finished `dev`"];
    "cargo run --bin dxil2spv -- --help" Now, ["Usage: dxil2spv", "7 a fault of the translator."];
    "cargo check -p dxil-translator" Now, ["Finished `dev`"];
    "cargo doc --no-deps --open -p dxil-translator" Now, ["opened ", "dxil_translator/index.html"];
    "cargo fmt --all" Now, ["changes nothing"];
    "cargo clippy --workspace --all-targets -- -D warnings" Now, ["Finished `dev`"];
    "RUSTDOCFLAGS=\"-D warnings\" cargo doc --workspace --no-deps --document-private-items" Step, [];
    "cargo run -p dxil-architecture" Now, ["modules of the crate", "circles of files"];
    "cargo run -p dxil-translator --example translate_file -- tests/fixtures/rootsig/pipeline_layout.dxil build/shader.spv"
        Now, ["file build/shader.spv"];
    "cargo run -p dxil-translator --example plan_root_signature -- tests/fixtures/rootsig/graphics.vs.dxil tests/fixtures/rootsig/graphics.ps.dxil"
        Now, ["set 0"];
    "cargo run -p dxil-translator --example own_profile -- tests/fixtures/rootsig/pipeline_layout.dxil" Now, ["profile"];
    "cargo install --path translator" Slow, ["file $CARGO_INSTALL_ROOT/bin/dxil2spv"];
    "scripts/c-library.sh --profile dev --prefix build/c-library" Slow, ["file build/c-library/lib/libdxil_translator.so.0"];
    "scripts/dxil-spirv-c.sh --profile dev build/dxil-spirv-c" Slow, ["file build/dxil-spirv-c/lib/libdxil-spirv-c-shared.so"];
    "cargo build --release --package dxil-layer" Slow, ["Finished `release`", "file target/release/libVkLayer_dxil.so"];
    "cargo build --release -p dxil-layer" Slow, ["Finished `release`", "file target/release/libVkLayer_dxil.so"];
    "cargo build --release --bin dxil2spv" Slow, ["Finished `release`", "file target/release/dxil2spv"];
    "cargo build --release --package dxil-layer --features validate" Slow, ["Finished `release`"];
    "cargo build --release -p dxil-lab" Slow, ["Finished `release`", "file target/release/dxil-lab"];

    // ---- tests ----
    "cargo test -p dxil-translator" Step, [];
    "cargo test -p dxil-architecture" Step, [];
    "cargo test -p dxil-layer-core -p dxil-layer-loaderless" Step, [];
    "cargo test -p dxil-robustness" Step, [];
    "cargo test -p dxil-validate" Step, [];
    "cargo test -p dxil-layer-loader" Step, [];
    "cargo test -p dxil-rays --test programs" Step, [];
    "cargo test -p dxil-control-flow --test programs" Step, [];
    "cargo test -p dxil-validate --test integration control_flow" Step, [];
    "cargo test -p dxil-robustness --test integration growth -- --nocapture" Step, [];
    "cargo test -p dxil-translator --test documents" Step, [];
    "cargo test -p dxil-rays --test programs -- --first 500 --scenes 2" Now, ["2 scenes"];
    "SEED=7 CASES=10000 cargo test -p dxil-validate --test integration mutations::" Slow, ["test result: ok"];
    "CASE=1273 DUMP=/tmp cargo test -p dxil-robustness record_mutations -- --nocapture" Slow, ["file /tmp/record-mutations-2-1273.dxil", "test result: ok"];
    "cargo test -p dxil-translator --test integration mesh::" Step, [];
    "BLESS=1 cargo test -p dxil-translator --test integration ops_doc" Now, ["test result: ok", "changes nothing"];
    "BLESS=1 cargo test -p dxil-base --test profile_doc" Now, ["test result: ok", "changes nothing"];
    "BLESS=1 cargo test -p dxil-base --test quirks_doc" Now, ["test result: ok", "changes nothing"];
    "BLESS=1 cargo test -p dxil-translator --test integration resource_types" Now, ["test result: ok", "changes nothing"];
    "BLESS=1 cargo test -p dxil-layer-core" Slow, ["test result: ok", "changes nothing"];
    "cargo test -p dxil-control-flow --test programs --release -- --ignored" SlowStep, [];

    // ---- fixtures ----
    "cargo test -p dxil-tests --test fixtures" SlowStep, ["fixtures (dxil on lavapipe): ", " 0 failed"];
    "cargo test -p dxil-tests --test fixtures -- --code spirv" Step, ["fixtures (spirv on lavapipe): ", " 0 failed"];
    "cargo test -p dxil-tests --test fixtures -- cbuffer/" Now, ["fixtures (dxil on lavapipe): ", " 0 failed"];
    "cargo test -p dxil-tests --test fixtures -- cbuffer/ --validation" Now, ["fixtures (dxil on lavapipe): ", " 0 failed"];
    "cargo test -p dxil-tests --test fixtures -- content/" Slow, ["fixtures (dxil on lavapipe): ", " 0 failed"];
    "cargo test -p dxil-tests --test fixtures -- --driver swiftshader" SlowStep, ["fixtures (dxil on swiftshader): ", " 0 failed"];
    "cargo test -p dxil-tests --test fixtures -- --code spirv-under-layer" Slow, ["fixtures (spirv-under-layer on ", " 0 failed"];
    "cargo test -p dxil-tests --test fixtures -- --code embedded --validation" Slow, ["fixtures (embedded on ", " 0 failed"];
    "cargo test -p dxil-tests --test fixtures -- --code stub --validation" Slow, ["fixtures (stub on ", " 0 failed"];
    "cargo test -p dxil-tests --test fixtures -- --code fallback" Slow, ["fixtures (fallback on ", " 0 failed"];
    "cargo test -p dxil-tests --test fixtures -- --code library" Slow, ["fixtures (library on ", " 0 failed"];
    "cargo test -p dxil-tests --test fixtures -- --code objects" Slow, ["fixtures (objects on ", " 0 failed"];
    "cargo test -p dxil-tests --test fixtures -- --code unlinked-objects" Slow, ["fixtures (unlinked-objects on ", " 0 failed"];
    // docs/testing.md says that fixtures of tessellation fail.
    "cargo test -p dxil-tests --test fixtures -- --code spirv-objects" Slow, ["status 1", "fixtures (spirv-objects on ", "test tessellation/"];
    "cargo test -p dxil-tests --test stepping" Step, ["fixtures (stepped by RenderDoc): ", " 0 failed"];
    "target/debug/dxil-run-fixture tests/fixtures/buffer/raw_copy.hlsl --layer-dir target/debug/vulkan-layers" Now, ["passed"];
    "target/debug/dxil-run-fixture tests/fixtures/buffer/raw_copy.hlsl --layer-dir target/debug/vulkan-layers --time 20" Now, ["median"];
    "target/debug/dxil-control-flow print 7" Now, ["[numthreads("];
    "target/debug/dxil-control-flow check 7 tests/control-flow/programs/7.O1.dxil" Now, [];

    // ---- what needs the compiler ----
    "dxc shader.hlsl -T ps_6_0 -E main -Fo shader.dxil" Compiler, ["file shader.dxil"];
    "scripts/get-dxc.sh" Compiler, ["build/dxc/dxc"];
    "python3 tests/fixtures/random_payloads.py 500 2 /tmp/payloads --dxc build/dxc/dxc" Compiler, ["file /tmp/payloads"];
    "cargo test -p dxil-tests --test fixtures -- --folder /tmp/payloads" Compiler, ["fixtures (dxil on lavapipe): ", " 0 failed"];
    "python3 tests/fixtures/random_vectors.py 500 1 /tmp/vectors --dxc build/dxc/dxc" Compiler, ["file /tmp/vectors"];
    "cargo test -p dxil-tests --test fixtures -- --folder /tmp/vectors" Compiler, ["fixtures (dxil on lavapipe): ", " 0 failed"];
    "scripts/regenerate-fixtures.sh" Compiler, ["changes nothing"];
    "cargo test -p dxil-rays --test programs -- --write" Compiler, ["changes nothing"];
    "scripts/regenerate-fixtures.sh query/" Compiler, ["changes nothing"];
    "scripts/regenerate-fixtures.sh payloads/" Compiler, ["changes nothing"];
    "scripts/regenerate-fixtures.sh vectors/seed" Compiler, ["changes nothing"];
    "scripts/regenerate-control-flow.sh" Compiler, ["200 programs", "changes nothing"];
    "cargo test -p dxil-control-flow --test programs -- --ignored --first 5000 --count 4 --keep /tmp/programs" Compiler, ["file /tmp/programs"];

    // ---- scripts, and what takes minutes ----
    "scripts/setup.sh" Step, [];
    "scripts/test.sh" Step, [];
    "scripts/test.sh --slow" SlowStep, [];
    "scripts/test-applications.sh" SlowStep, [];
    "scripts/get-mesa-sid.sh" Slow, ["/sid"];
    "scripts/get-mesa-sid.sh cargo test -p dxil-tests --test fixtures -- --code heaps --validation heaps/ map/ query/ tracing/" SlowStep, [
        "fixtures (heaps on lavapipe): ", " 0 failed"];
    "python3 scripts/debug-content.py" SlowStep, [];
    "scripts/test-report.sh" SlowStep, [];
    "scripts/test-slurm.sh" SlowStep, [];
    "scripts/demo.sh" Slow, ["demo: step 1 of 3", "demo: step 3 of 3", "file build/demo/mandelbrot.png", "file build/demo/cube.png"];
    "scripts/package.sh" Slow, ["build/packages/vulkan-layer-dxil_", "build/packages/vulkan-layer-dxil-", "build/packages/libdxil-translator-dev_"];
    "scripts/release.sh" Never("it builds everything twice; a step of scripts/test.sh packs a debug build"), [];
    "scripts/release.sh --built target/debug" Step, ["made twice: ", "build/release/SHA256SUMS"];
    "scripts/crates.sh" Step, ["published: dxil-base"];
    "scripts/bench.sh" Slow, ["== translator", "== structurizer", "== libraries", "== programs", "== layer"];
    "scripts/regenerate-registry.sh" Slow, [" structures", "changes nothing"];
    "scripts/get-dxc.sh --current" Never("it needs Wine, which scripts/setup.sh does not bring"), [];
    "scripts/regenerate-fossilize.sh" Never("it needs programs of Fossilize, which scripts/setup.sh does not bring"), [];
    "scripts/fuzz.sh --minutes 0.1" Slow, ["cases"];
    "cargo run --release -p dxil-robustness --bin dxil-worst-case blocks" Slow, ["blocks"];
    "target/release/layer-overhead" Slow, ["processors"];
    "target/release/dxil-lab synth tests/content --out build/lab" Slow, [" pipelines in build/lab, 0 not made", "file build/lab/synth.json"];
    "target/release/dxil-lab run build/lab --driver lavapipe --driver swiftshader" Slow, [
        "lavapipe (", "swiftshader (", " created, ", "validation spoke of 0", "file build/lab/results/swiftshader.jsonl"];
    // docs/lab.md lists which pipelines differ.
    "target/release/dxil-lab exec build/lab --driver swiftshader --against lavapipe" Slow, [
        "status 1", "lavapipe (", "swiftshader (", " run, ", "different"];
    "target/release/dxil-lab foz build/lab --driver lavapipe --out build/lab/content.foz" Slow, ["file build/lab/content.foz"];
    "target/release/dxil-lab reduce build/lab 542d5ba1ec71 --driver swiftshader --against lavapipe --out build/difference" Slow, [
        "file build/difference/reduced.json"];
    "target/release/dxil-lab report build/lab --out build/lab/report.html" Slow, ["file build/lab/report.html"];
    "cargo build --release -p dxil-layer -p dxil-lab" Slow, ["Finished `release`"];
    "VK_ADD_LAYER_PATH=manifest VK_INSTANCE_LAYERS=VK_LAYER_DXIL_translate VK_DXIL_TRANSLATE_CAPTURE_DIR=capture ./game" Never(GAME), [];
    "target/release/dxil-lab run capture --driver system" Never(GAME), [];
    "target/release/dxil-lab synth capture/blobs --out shaders" Never(GAME), [];
    "target/release/dxil-lab exec shaders --driver system --against lavapipe" Never(GAME), [];
    "target/release/dxil-lab report shaders" Never(GAME), [];
    "target/release/dxil-lab report capture" Never(GAME), [];
    // Lavapipe makes this pipeline.
    "target/release/dxil-lab reduce build/lab 3f5040db3f3c --driver lavapipe --out build/bundle" Slow, ["status 2", "there is no fault to keep"];
    "RUSTC_BOOTSTRAP=1 RUSTFLAGS=\"-Zsanitizer=address -Clink-arg=-Wl,--export-dynamic\" ASAN_OPTIONS=detect_leaks=0 cargo test -p dxil-layer-loaderless -p dxil-layer-core --target x86_64-unknown-linux-gnu --target-dir target/asan"
        Slow, ["test result: ok"];
}
