//! Random sequences of creations, destructions, hits, evictions and flags on sixteen threads. Each
//! answer has to be one that a model of the cache allows: the words of a blob are always the same,
//! a pipeline is created, and `VK_PIPELINE_COMPILE_REQUIRED` is for those who asked for it. The
//! memory stays below the bound of the cache, what the live modules keep, and what is in flight.
//! This file has a single test that is not slow, because it measures the whole process. `SEED` and
//! `CASES` choose other sequences.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use ash::vk;
use ash::vk::Handle;
use dxil_layer_loaderless::{
    App, Config, InstanceRequest, ShaderCode, binding, chained_stage, compute_pipeline, fixture, next,
};
use dxil_test_support::Random;
use dxil_test_support::memory::{assert_resident, resident};

const THREADS: usize = 16;
/// Parsed, they have several times the size of the cache.
const BLOBS: usize = 48;
const STEPS: usize = 12;
const FAIL: vk::PipelineCreateFlags = vk::PipelineCreateFlags::FAIL_ON_PIPELINE_COMPILE_REQUIRED;
const COMPILE_REQUIRED: vk::Result = vk::Result::PIPELINE_COMPILE_REQUIRED;

/// A device with a layout of the shaders' one resource.
struct Side {
    app: App,
    layout: vk::PipelineLayout,
    is_strict: bool,
}

// SAFETY: the application's commands may be called from any thread, and the threads end before it.
unsafe impl Sync for Side {}

impl Side {
    fn new(is_strict: bool) -> Self {
        let strict = if is_strict { c"strict" } else { c"driver" };
        let shifts = (c"register_shifts", c"t=100,u=200,s=300");
        let request = InstanceRequest::new([shifts, (c"cache_mb", c"1"), (c"compile_required", strict)]);
        // Equal words have equal handles.
        let app = App::with_request(Config { equal_handles: true, ..Config::default() }, &request);
        let layout = app.layout(&[binding(200, vk::DescriptorType::STORAGE_BUFFER)]);
        Self { app, layout, is_strict }
    }

    fn pipeline(&self, info: vk::ComputePipelineCreateInfo<'_>, flags: vk::PipelineCreateFlags) -> vk::Result {
        let (result, pipelines) = self.app.compute(&[info.layout(self.layout).flags(flags)]);
        assert_eq!(result == vk::Result::SUCCESS, !pipelines[0].is_null());
        result
    }
}

/// A blob, and what is known of it.
struct Blob {
    code: ShaderCode,
    identifier: Vec<u8>,
    /// The handle of its words on each side; 0 before the first module.
    handles: [AtomicU64; 2],
}

impl Blob {
    fn new(number: usize) -> Self {
        let mut bytes = fixture("buffer/raw_read_write.dxil");
        // Nothing compares the digest in the header.
        bytes[4..8].copy_from_slice(&(number as u32 + 1).to_le_bytes());
        let hash = dxil_translator::BlobDigest::from_bytes(&bytes);
        let identifier = [&b"DXIL.id1"[..], &hash.0[..24]].concat();
        Self { code: ShaderCode::new(&bytes), identifier, handles: Default::default() }
    }
}

/// What the model allows a pipeline to answer.
fn check(result: vk::Result, may_be_required: bool, what: &str) {
    let is_allowed = result == vk::Result::SUCCESS || may_be_required && result == COMPILE_REQUIRED;
    assert!(is_allowed, "{what}: {}", result.as_raw());
}

/// One sequence. The modules that it leaves are destroyed at its end.
fn sequence(sides: &[Side; 2], blobs: &[Blob], random: &mut Random) {
    let mut modules: Vec<(usize, usize, vk::ShaderModule)> = Vec::new();
    for _ in 0..STEPS {
        let (at, of) = (random.below(2usize), random.below(blobs.len()));
        let (side, blob) = (&sides[at], &blobs[of]);
        let flags = if random.below(2usize) == 0 { FAIL } else { vk::PipelineCreateFlags::empty() };
        let may_be_required = side.is_strict && flags == FAIL;
        let code = blob.code.info();
        match random.below(8usize) {
            0..3 => {
                let (result, module) = side.app.create_module(&code);
                assert_eq!(result.as_raw(), 0);
                let known = blob.handles[at].compare_exchange(0, module.as_raw(), Relaxed, Relaxed);
                assert!(known.is_ok_and(|none| none == 0) || known == Err(module.as_raw()), "blob {of}: other words");
                modules.push((at, of, module));
            }
            3 if !modules.is_empty() => {
                let (at, _, module) = modules.swap_remove(random.below(modules.len()));
                sides[at].app.destroy_module(module);
            }
            4 if !modules.is_empty() => {
                let (at, of, module) = modules[random.below(modules.len())];
                let may_be_required = sides[at].is_strict && flags == FAIL;
                check(sides[at].pipeline(compute_pipeline(module), flags), may_be_required, &format!("module of {of}"));
            }
            5 => {
                let info = vk::PipelineShaderStageModuleIdentifierCreateInfoEXT::default().identifier(&blob.identifier);
                let stage = chained_stage(vk::ShaderStageFlags::COMPUTE, next(&info), c"main");
                let info = vk::ComputePipelineCreateInfo::default().stage(stage);
                check(side.pipeline(info, FAIL), true, &format!("identifier of {of}"));
            }
            _ => {
                let stage = chained_stage(vk::ShaderStageFlags::COMPUTE, next(&code), c"main");
                let info = vk::ComputePipelineCreateInfo::default().stage(stage);
                check(side.pipeline(info, flags), may_be_required, &format!("code of {of}"));
            }
        }
    }
    for (at, _, module) in modules {
        sides[at].app.destroy_module(module);
    }
    // The fake forgets what it has seen.
    sides.iter().for_each(|side| drop(side.app.events()));
}

fn run(cases: u64) {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (seed, cases) = (number("SEED").unwrap_or(1), number("CASES").unwrap_or(cases));
    let sides = [Side::new(false), Side::new(true)];
    let blobs: Vec<Blob> = (0..BLOBS).map(Blob::new).collect();
    let (before, next) = (resident(), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let case = next.fetch_add(1, Relaxed) as u64;
                    if case >= cases {
                        break;
                    }
                    sequence(&sides, &blobs, &mut Random::from_case(seed, case));
                }
            });
        }
    });
    // A mebibyte of cache, a few of each thread in flight, and what allocators keep for threads.
    assert_resident(&format!("{cases} sequences"), before, 64);
    let known = |at: usize| blobs.iter().filter(|blob| blob.handles[at].load(Relaxed) != 0).count();
    assert!(known(0) == BLOBS && known(1) == BLOBS);
}

#[test]
fn sixteen_threads_get_right_answers() {
    run(1_000);
}

#[test]
#[ignore = "slow: 100,000 sequences"]
fn sixteen_threads_get_right_answers_for_long() {
    run(100_000);
}
