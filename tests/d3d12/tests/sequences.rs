//! Sequences of calls at random: valid and wrong orders of all 64 functions, with random options,
//! answers and containers. No call may panic, and words that are given are a module.
//!
//! `SEED=7 CASES=10000 cargo test -p dxil-d3d12 --test sequences` runs other sequences, and
//! `CASE=12` one alone. With `-- --ignored` they run under valgrind, which finds wrong accesses and
//! leaks.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char, c_void};
use std::process::Command;
use std::ptr::{self, null};

use dxil_spirv_c_shared::abi::*;
use dxil_spirv_c_shared::blob::ParsedBlob;
use dxil_spirv_c_shared::border::Out;
use dxil_spirv_c_shared::converter::Converter;
use dxil_spirv_c_shared::exports::{blob::*, converter::*, query::*, record::*, thread::*};
use dxil_spirv_c_shared::options::TABLE;
use dxil_test_support::{Random, containers, read, repository};

/// The functions of the interface.
const FUNCTIONS: u32 = 64;

/// Sequences that run without `CASES`.
const CASES: u64 = 2000;

/// Words of the largest option, and more.
const OPTION_WORDS: usize = 16;

/// What a sequence has.
#[expect(clippy::vec_box, reason = "the library makes boxes and frees them")]
struct World<'c> {
    random: &'c RefCell<Random>,
    containers: &'c [Vec<u8>],
    blobs: Vec<Box<ParsedBlob>>,
    converters: Vec<Box<Converter>>,
    /// Arrays that options point to.
    numbers: [u32; 8],
    name: CString,
}

/// Hears messages, none of which may tell of a panic.
unsafe extern "C" fn heard(_: *mut c_void, level: i32, text: *const c_char) {
    // SAFETY: the library gives a C text.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
    assert!(level == 2 && !text.contains("panicked"), "{text}");
    assert!(!text.contains("translator fault"), "{text}");
}

/// A place, which is often one that the library takes.
fn place(random: &mut Random) -> VulkanBinding {
    let is_sane = random.chance(80);
    VulkanBinding {
        set: random.below(4),
        binding: random.below(40),
        root_constant_index: random.pick(&[NONE, 0, 1, 7, if is_sane { 9 } else { u32::MAX / 3 }]),
        heap_root_offset: random.pick(&[0, 1, 5, if is_sane { 6 } else { u32::MAX }]),
        use_heap: random.chance(40).into(),
        descriptor_type: if is_sane { random.pick(&[0, 0, 0, 1, 3, 4]) } else { random.below(9) - 1 },
    }
}

/// The generator that a callback gets as its user data.
fn of_callback<T>(user: *mut c_void, ask: impl FnOnce(&mut Random) -> T) -> T {
    // SAFETY: the sequence gives its generator, which lives longer.
    ask(&mut unsafe { &*user.cast::<RefCell<Random>>() }.borrow_mut())
}

macro_rules! callback {
    ($name:ident, $input:ty, $output:ty, |$random:ident, $out:ident| $body:block) => {
        unsafe extern "C" fn $name(user: *mut c_void, input: *const $input, output: *mut $output) -> Bool {
            assert!(!input.is_null());
            of_callback(user, |$random| {
                // SAFETY: the library gives a structure.
                let $out = unsafe { &mut *output };
                $body
                $random.chance(95).into()
            })
        }
    };
}

callback!(srv, D3dBinding, SrvBinding, |random, out| {
    (out.buffer_binding, out.offset_binding) = (place(random), place(random));
});
callback!(uav, UavD3dBinding, UavBinding, |random, out| {
    (out.buffer_binding, out.counter_binding, out.offset_binding) = (place(random), place(random), place(random));
});
callback!(cbv, D3dBinding, CbvBinding, |random, out| {
    (out.vulkan, out.push_constant) = (place(random), random.chance(20).into());
});
callback!(sampler, D3dBinding, VulkanBinding, |random, out| {
    *out = place(random);
});
callback!(vertex_input, StageIo, VertexInput, |random, out| {
    if random.chance(10) {
        out.location = random.below(40);
    }
});
callback!(stream_output, StreamOutputSemantic, StreamOutputPlace, |random, out| {
    out.enable = random.chance(60).into();
    out.buffer_index = random.below(5);
    out.offset = random.below(20) * if random.chance(90) { 16 } else { 1 };
    out.stride = random.pick(&[256, 256, 256, 16, 2048, u32::MAX]);
});
callback!(stage_io, StageIo, StageIoPlace, |random, out| {
    if random.chance(20) {
        *out = StageIoPlace { location: random.below(40), component: random.below(5), flags: random.below(3) };
    }
});

/// A callback that is given, or none.
fn maybe<T>(random: &mut Random, callback: T) -> Option<T> {
    random.chance(85).then_some(callback)
}

impl World<'_> {
    fn below(&self, bound: u32) -> u32 {
        self.random.borrow_mut().below(bound)
    }

    /// A small number, or rarely any.
    fn number(&self) -> u32 {
        let mut random = self.random.borrow_mut();
        if random.chance(85) { random.below(12) } else { random.bits() as u32 }
    }

    fn user(&self) -> *mut c_void {
        ptr::from_ref(self.random).cast_mut().cast()
    }

    /// A blob, or rarely none.
    fn blob(&self) -> Option<&ParsedBlob> {
        let mut random = self.random.borrow_mut();
        if random.chance(3) { None } else { random.choose(&self.blobs).map(|blob| &**blob) }
    }

    /// A converter, or rarely none.
    fn converter(&self) -> Option<&Converter> {
        let mut random = self.random.borrow_mut();
        if random.chance(3) { None } else { random.choose(&self.converters).map(|converter| &**converter) }
    }

    /// Bytes of a container, which are rarely damaged or cut.
    fn bytes(&self) -> Vec<u8> {
        let mut random = self.random.borrow_mut();
        let mut bytes = random.choose(self.containers).expect("containers").clone();
        if random.chance(10) {
            let length = random.below(bytes.len());
            bytes.truncate(length);
        } else if random.chance(10) {
            for _ in 0..4 {
                let at = random.below(bytes.len());
                bytes[at] = random.bits() as u8;
            }
        }
        bytes
    }

    /// Keeps a blob that a function gave.
    fn keep(&mut self, code: Code, blob: *mut ParsedBlob) {
        if code == Code::Success {
            // SAFETY: the library has made it by a box.
            self.blobs.push(unsafe { Box::from_raw(blob) });
        } else {
            assert!(blob.is_null(), "{code:?} with a blob");
        }
    }

    fn keep_converter(&mut self, code: Code, converter: *mut Converter) {
        if code == Code::Success {
            // SAFETY: the library has made it by a box.
            self.converters.push(unsafe { Box::from_raw(converter) });
        } else {
            assert!(converter.is_null(), "{code:?} with a converter");
        }
    }

    /// The words of an option with random members.
    fn option(&self) -> [u32; OPTION_WORDS] {
        let known = TABLE[self.below(TABLE.len() as u32) as usize].0;
        let mut words = [0; OPTION_WORDS].map(|_: u32| self.number());
        words[0] = if self.below(20) == 0 { self.below(80) } else { known };
        match words[0] {
            // A pointer to swizzles.
            3 => {
                let at = self.numbers.as_ptr() as usize as u64;
                (words[2], words[3], words[4]) = (at as u32, (at >> 32) as u32, self.below(9));
            }
            // A pointer to a name, or none.
            11 => {
                let at = if self.below(2) == 0 { 0 } else { self.name.as_ptr() as usize as u64 };
                (words[2], words[3]) = (at as u32, (at >> 32) as u32);
            }
            _ => {}
        }
        words
    }

    /// Makes a call.
    #[expect(clippy::too_many_lines, reason = "one match of all functions")]
    fn call(&mut self, function: u32) -> Option<Code> {
        let (mut text, mut data, mut size, mut number) = (null(), null(), 0usize, [0u32; 3]);
        let mut node = [0u64; 16];
        let user = self.user();
        let code = match function {
            0..=2 => {
                let (bytes, mut blob) = (self.bytes(), ptr::null_mut());
                let (at, length, out) = (bytes.as_ptr().cast(), bytes.len(), Out::new(&mut blob));
                // SAFETY: the bytes are there.
                let code = unsafe {
                    match function {
                        0 => dxil_spv_parse_dxil_blob(at, length, out),
                        1 => dxil_spv_parse_dxil(at, length, out),
                        _ => dxil_spv_parse_reflection_dxil_blob(at, length, out),
                    }
                };
                self.keep(code, blob);
                code
            }
            3 => {
                let blob = self.blobs.pop().filter(|_| self.below(2) == 0);
                dxil_spv_parsed_blob_free(blob);
                return None;
            }
            4 | 5 => {
                let mut converter = ptr::null_mut();
                let out = Out::new(&mut converter);
                let code = match function {
                    4 => dxil_spv_create_converter(self.blob(), out),
                    _ => dxil_spv_create_converter_with_reflection(self.blob(), self.blob(), out),
                };
                self.keep_converter(code, converter);
                code
            }
            6 => {
                let converter = self.converters.pop().filter(|_| self.below(2) == 0);
                dxil_spv_converter_free(converter);
                return None;
            }
            // It prints the whole shader.
            7 => {
                dxil_spv_parsed_blob_dump_llvm_ir(None);
                return None;
            }
            8 => dxil_spv_parsed_blob_get_disassembled_ir(self.blob(), Out::new(&mut text)),
            9 => dxil_spv_parsed_blob_get_raw_ir(self.blob(), Out::new(&mut data), Out::new(&mut size)),
            10 => {
                let stage = dxil_spv_parsed_blob_get_shader_stage(self.blob());
                assert!((0..=14).contains(&stage));
                return None;
            }
            11 => {
                // SAFETY: the name lives.
                unsafe { dxil_spv_parsed_blob_get_shader_stage_for_entry(self.blob(), self.name.as_ptr()) };
                return None;
            }
            12 => dxil_spv_parsed_blob_get_num_entry_points(self.blob(), Out::new(&mut number[0])),
            13 | 14 => {
                let (blob, index) = (self.blob(), self.number());
                let code = match function {
                    13 => dxil_spv_parsed_blob_get_entry_point_name(blob, index, Out::new(&mut text)),
                    _ => dxil_spv_parsed_blob_get_entry_point_demangled_name(blob, index, Out::new(&mut text)),
                };
                if code == Code::Success {
                    // SAFETY: the blob lives.
                    self.name = unsafe { CStr::from_ptr(text) }.to_owned();
                }
                code
            }
            // SAFETY: the name lives.
            15 => unsafe {
                dxil_spv_parsed_blob_get_entry_index_by_name(self.blob(), self.name.as_ptr(), Out::new(&mut number[0]))
            },
            16 | 17 => {
                let (blob, index) = (self.blob(), self.number());
                // SAFETY: the opaque structure is smaller than the array.
                let out = unsafe { Out::new(&mut *node.as_mut_ptr().cast::<NodeData>()) };
                match function {
                    16 => dxil_spv_parsed_blob_get_entry_point_node_input(blob, index, out),
                    _ => dxil_spv_parsed_blob_get_entry_point_node_output(blob, index, self.number(), out),
                }
            }
            18 => dxil_spv_parsed_blob_get_entry_point_num_node_outputs(
                self.blob(),
                self.number(),
                Out::new(&mut number[0]),
            ),
            19 => {
                dxil_spv_parsed_blob_get_num_rdat_subobjects(self.blob());
                return None;
            }
            20 => {
                // SAFETY: zeros are numbers and null pointers.
                let mut subobject: RdatSubobject = unsafe { std::mem::zeroed() };
                dxil_spv_parsed_blob_get_rdat_subobject(self.blob(), self.number(), Out::new(&mut subobject));
                return None;
            }
            21 => {
                dxil_spv_parsed_blob_scan_resources(self.blob(), Some(srv), Some(sampler), Some(cbv), Some(uav), user)
            }
            22..=25 | 58..=63 => return self.of_thread(function),
            _ => return self.of_converter(function),
        };
        Some(code)
    }

    /// Makes a call that belongs to a thread, or a question without a code.
    fn of_thread(&self, function: u32) -> Option<Code> {
        let (mut number, of) = ([0u32; 3], self.converter());
        let [major, minor, patch] = &mut number;
        match function {
            22 => dxil_spv_get_version(Out::new(major), Out::new(minor), Out::new(patch)),
            23 => dxil_spv_begin_thread_allocator_context(),
            24 => dxil_spv_end_thread_allocator_context(),
            25 => dxil_spv_reset_thread_allocator_context(),
            58 => dxil_spv_set_thread_log_callback(Some(heard), ptr::null_mut()),
            59 => assert_eq!(dxil_spv_converter_supports_option(self.below(80)) & !1, 0),
            60 => assert_eq!(dxil_spv_converter_uses_shader_feature(of, self.below(4) as i32 - 1) & !1, 0),
            61 => assert_eq!(dxil_spv_converter_uses_subgroup_size(of) & !1, 0),
            62 => assert!(dxil_spv_converter_get_analysis_warnings(of).is_null()),
            _ => dxil_spv_converter_add_root_parameter_mapping(of, self.number(), self.number()),
        }
        None
    }

    /// Makes a call on a converter.
    fn of_converter(&self, function: u32) -> Option<Code> {
        let (of, user) = (self.converter(), self.user());
        let random = &mut self.random.borrow().clone();
        let (mut number, mut on) = ([0u32; 3], 0);
        let [a, b, c] = &mut number;
        match function {
            26 => dxil_spv_converter_set_root_constant_word_count(of, self.number()),
            27 => dxil_spv_converter_set_root_descriptor_count(of, self.number()),
            28 => dxil_spv_converter_set_srv_remapper(of, maybe(random, srv as _), user),
            29 => dxil_spv_converter_set_uav_remapper(of, maybe(random, uav as _), user),
            30 => dxil_spv_converter_set_cbv_remapper(of, maybe(random, cbv as _), user),
            31 => dxil_spv_converter_set_sampler_remapper(of, maybe(random, sampler as _), user),
            32 => dxil_spv_converter_set_vertex_input_remapper(of, maybe(random, vertex_input as _), user),
            33 => dxil_spv_converter_set_stream_output_remapper(of, maybe(random, stream_output as _), user),
            34 => dxil_spv_converter_set_stage_input_remapper(of, maybe(random, stage_io as _), user),
            35 => dxil_spv_converter_set_stage_output_remapper(of, maybe(random, stage_io as _), user),
            36 => dxil_spv_converter_set_patch_location_offset(of, self.number()),
            37 => dxil_spv_converter_add_local_root_constants(of, self.number(), self.number(), self.number()),
            38 => {
                let class = self.below(6) as i32 - 1;
                dxil_spv_converter_add_local_root_descriptor(of, class, self.number(), self.number());
            }
            39 => {
                let class = self.below(6) as i32 - 1;
                let [space, first, count, offset] = [(); 4].map(|()| self.number());
                dxil_spv_converter_add_local_root_descriptor_table(of, class, space, first, count, offset);
            }
            40 => dxil_spv_converter_add_root_descriptor_mapping(of, self.number(), self.number(), self.number()),
            41 => {
                let (name, length) = (self.name.as_ptr(), self.name.as_bytes().len());
                dxil_spv_converter_add_non_semantic_debug_info(of, name, name.cast(), length);
            }
            // SAFETY: the name lives.
            42 => unsafe { dxil_spv_converter_set_entry_point(of, self.name.as_ptr()) },
            43 => return Some(dxil_spv_converter_begin_local_root_descriptor_table(of)),
            44 => return Some(dxil_spv_converter_end_local_root_descriptor_table(of)),
            45 => {
                let [meta, kind] = [6, 7].map(|bound| self.below(bound) as i32 - 1);
                return Some(dxil_spv_converter_set_meta_descriptor(of, meta, kind, self.number(), self.number()));
            }
            46 => {
                let option = self.option();
                // SAFETY: the words are more than any option has, and pointers in it are to what it
                // says.
                return Some(unsafe { dxil_spv_converter_add_option(of, option.as_ptr()) });
            }
            47 => return Some(dxil_spv_converter_run(of)),
            48 => return Some(self.compiled(of)),
            49 => {
                let mut name = null();
                return Some(dxil_spv_converter_get_compiled_entry_point(of, Out::new(&mut name)));
            }
            50 => return Some(dxil_spv_converter_get_patch_location_offset(of, Out::new(a))),
            51 => return Some(dxil_spv_converter_get_patch_vertex_count(of, Out::new(a))),
            52 => {
                let [a, b, c] = [Out::new(a), Out::new(b), Out::new(c)];
                return Some(dxil_spv_converter_get_compute_workgroup_dimensions(of, a, b, c));
            }
            53 => {
                let [a, b, c] = [Out::new(a), Out::new(b), Out::new(c)];
                return Some(dxil_spv_converter_get_compute_wave_size_range(of, a, b, c));
            }
            54 => return Some(dxil_spv_converter_get_compute_required_wave_size(of, Out::new(a))),
            55 => return Some(dxil_spv_converter_get_compute_heuristic_max_wave_size(of, Out::new(a))),
            56 => return Some(dxil_spv_converter_get_compute_heuristic_min_wave_size(of, Out::new(a))),
            _ => return Some(dxil_spv_converter_is_multiview_compatible(of, Out::new(&mut on))),
        }
        None
    }

    /// Asks for the words, which are a module.
    fn compiled(&self, of: Option<&Converter>) -> Code {
        let mut compiled = CompiledSpirv { data: null(), size: 0 };
        let code = dxil_spv_converter_get_compiled_spirv(of, Out::new(&mut compiled));
        if code == Code::Success {
            // SAFETY: the converter lives.
            let words = unsafe { std::slice::from_raw_parts(compiled.data.cast::<u32>(), compiled.size / 4) };
            assert!(words.len() > 5 && words[0] == 0x0723_0203 && compiled.size.is_multiple_of(4));
        }
        code
    }
}

/// Runs a sequence, and counts each function with its code.
fn sequence(seed: u64, case: u64, containers: &[Vec<u8>], counts: &mut BTreeMap<(u32, Option<i32>), u32>) {
    let random = RefCell::new(Random::from_case(seed, case));
    let mut world = World {
        random: &random,
        containers,
        blobs: Vec::new(),
        converters: Vec::new(),
        numbers: [0; 8]
            .map(|_: u32| if random.borrow_mut().chance(50) { 0xe4 } else { random.borrow_mut().below(300) }),
        name: c"main".to_owned(),
    };
    dxil_spv_set_thread_log_callback(Some(heard), ptr::null_mut());
    let calls = 10 + world.below(90);
    for _ in 0..calls {
        // What a program begins with is more frequent, so that most calls have an object.
        let function = match world.below(100) {
            0..10 if world.blobs.len() < 3 => 0,
            0..10 => 46,
            10..20 if world.converters.len() < 3 => 4,
            10..20 => 46,
            20..28 => 28 + world.below(8),
            28..38 => 47,
            _ => world.below(FUNCTIONS),
        };
        let code = world.call(function);
        *counts.entry((function, code.map(|code| code as i32))).or_default() += 1;
    }
    dxil_spv_set_thread_log_callback(None, ptr::null_mut());
}

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().expect("a number"))
}

#[test]
fn calls_at_random() {
    // Small containers of each folder.
    let all = containers(repository().join("tests/fixtures"));
    let small: Vec<Vec<u8>> = all.iter().step_by(7).map(read).filter(|bytes| bytes.len() < 12_000).collect();
    assert!(small.len() > 100, "{} containers", small.len());
    let (seed, mut counts) = (variable("SEED").unwrap_or(1), BTreeMap::new());
    let cases = match variable("CASE") {
        Some(case) => case..case + 1,
        None => 0..variable("CASES").unwrap_or(CASES),
    };
    let many = cases.end - cases.start >= CASES;
    for case in cases {
        let run = || sequence(seed, case, &small, &mut counts);
        if let Err(panic) = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)) {
            println!("sequence {case} of seed {seed} failed: CASE={case} SEED={seed} repeats it");
            std::panic::resume_unwind(panic);
        }
    }
    let count = |function, code: Code| counts.get(&(function, Some(code as i32))).copied().unwrap_or_default();
    println!("runs: {} with words, {} refused", count(47, Code::Success), count(47, Code::UnsupportedFeature));
    if many {
        let made = |function| counts.keys().any(|(made, _)| *made == function);
        assert!((0..FUNCTIONS).all(made), "a function was not called");
        assert!(count(47, Code::Success) > 20 && count(48, Code::Success) > 20, "{counts:?}");
        // A question about nodes, or a callback that refuses, has this answer. Nothing else has.
        let generic = |function: &u32| count(*function, Code::Generic) != 0;
        assert_eq!((0..FUNCTIONS).filter(generic).find(|function| ![16, 17, 21].contains(function)), None);
    }
}

/// What is allocated here is freed, and nothing is accessed that is not allocated.
#[test]
#[ignore = "valgrind takes minutes"]
fn calls_at_random_under_valgrind() {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--quiet", "--error-exitcode=9", "--leak-check=full"]);
    // The test harness still has blocks at its end, to whose middle it points.
    valgrind.args(["--show-leak-kinds=definite,indirect", "--errors-for-leak-kinds=definite,indirect"]);
    valgrind.arg(std::env::current_exe().expect("this program"));
    valgrind.args(["--exact", "calls_at_random", "--nocapture"]);
    valgrind.env("CASES", variable("CASES").unwrap_or(400).to_string());
    match valgrind.status() {
        Ok(status) => assert!(status.success(), "{status}"),
        Err(error) => println!("not run: valgrind: {error}"),
    }
}
