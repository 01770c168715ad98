//! The border: null pointers, wrong orders, wrong numbers, threads, panics, and calls from
//! callbacks. Here the functions are called from Rust, so that a test can give what no compiler of
//! C lets pass.

use std::collections::BTreeSet;
use std::ffi::{CStr, c_char, c_void};
use std::process::Command;
use std::ptr::{self, null};
use std::sync::atomic::{AtomicU32, Ordering};

use dxil_spirv_c_shared::abi::*;
use dxil_spirv_c_shared::blob::ParsedBlob;
use dxil_spirv_c_shared::border::{Out, guard};
use dxil_spirv_c_shared::converter::Converter;
use dxil_spirv_c_shared::exports::{blob::*, converter::*, query::*, record::*, thread::*};
use dxil_spirv_c_shared::options::{self, TABLE};
use dxil_test_support::spirv::instructions;
use dxil_test_support::{fixture, golden, repository};

/// A shader with constant buffers, SRVs and UAVs.
const SHADER: &str = "rootsig/addresses.dxil";

fn parsed(name: &str) -> Box<ParsedBlob> {
    let bytes = fixture(name);
    let mut blob = ptr::null_mut();
    // SAFETY: the bytes are there.
    let code = unsafe { dxil_spv_parse_dxil_blob(bytes.as_ptr().cast(), bytes.len(), Out::new(&mut blob)) };
    assert_eq!(code, Code::Success, "{name}");
    // SAFETY: the library has made it by a box.
    unsafe { Box::from_raw(blob) }
}

fn converter(blob: &ParsedBlob) -> Box<Converter> {
    let mut converter = ptr::null_mut();
    assert_eq!(dxil_spv_create_converter(Some(blob), Out::new(&mut converter)), Code::Success);
    // SAFETY: the library has made it by a box.
    unsafe { Box::from_raw(converter) }
}

fn option(converter: &Converter, words: &[u32]) -> Code {
    let mut padded = [0; 16];
    padded[..words.len()].copy_from_slice(words);
    // SAFETY: no option is larger.
    unsafe { dxil_spv_converter_add_option(Some(converter), padded.as_ptr()) }
}

/// A null pointer for a result.
fn nowhere<T>() -> Out<T> {
    // SAFETY: `Out` is a transparent pointer, as C passes it.
    unsafe { std::mem::transmute_copy(&null::<T>()) }
}

fn compiled(converter: &Converter) -> Result<Vec<u32>, Code> {
    let mut compiled = CompiledSpirv { data: null(), size: 0 };
    match dxil_spv_converter_get_compiled_spirv(Some(converter), Out::new(&mut compiled)) {
        // SAFETY: the converter still lives.
        Code::Success => Ok(unsafe { std::slice::from_raw_parts(compiled.data.cast(), compiled.size / 4) }.to_vec()),
        code => Err(code),
    }
}

#[test]
fn null_is_an_argument_that_every_function_refuses() {
    const WRONG: Code = Code::InvalidArgument;
    let (mut blob, mut other) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: null is what the test is about.
    unsafe {
        assert_eq!(dxil_spv_parse_dxil_blob(null(), 8, Out::new(&mut blob)), WRONG);
        assert_eq!(dxil_spv_parse_dxil(null(), 8, Out::new(&mut blob)), WRONG);
        assert_eq!(dxil_spv_parse_reflection_dxil_blob(null(), 0, Out::new(&mut blob)), WRONG);
        assert_eq!(dxil_spv_parsed_blob_get_shader_stage_for_entry(None, null()), STAGE_UNKNOWN);
        assert_eq!(dxil_spv_parsed_blob_get_entry_index_by_name(None, null(), nowhere()), WRONG);
        dxil_spv_converter_set_entry_point(None, null());
        assert_eq!(dxil_spv_converter_add_option(None, null()), WRONG);
        let bytes = fixture(SHADER);
        assert_eq!(dxil_spv_parse_dxil_blob(bytes.as_ptr().cast(), bytes.len(), nowhere()), WRONG);
    }
    dxil_spv_get_version(nowhere(), nowhere(), nowhere());
    dxil_spv_parsed_blob_free(None);
    dxil_spv_parsed_blob_dump_llvm_ir(None);
    assert_eq!(dxil_spv_parsed_blob_get_disassembled_ir(None, nowhere()), WRONG);
    assert_eq!(dxil_spv_parsed_blob_get_raw_ir(None, nowhere(), nowhere()), WRONG);
    assert_eq!(dxil_spv_parsed_blob_get_shader_stage(None), STAGE_UNKNOWN);
    assert_eq!(dxil_spv_parsed_blob_get_num_entry_points(None, nowhere()), WRONG);
    assert_eq!(dxil_spv_parsed_blob_get_entry_point_name(None, 0, nowhere()), WRONG);
    assert_eq!(dxil_spv_parsed_blob_get_entry_point_demangled_name(None, 0, nowhere()), WRONG);
    assert_eq!(dxil_spv_parsed_blob_get_entry_point_node_input(None, 0, nowhere()), WRONG);
    assert_eq!(dxil_spv_parsed_blob_get_entry_point_num_node_outputs(None, 0, nowhere()), WRONG);
    assert_eq!(dxil_spv_parsed_blob_get_entry_point_node_output(None, 0, 0, nowhere()), WRONG);
    assert_eq!(dxil_spv_parsed_blob_get_num_rdat_subobjects(None), 0);
    dxil_spv_parsed_blob_get_rdat_subobject(None, 0, nowhere());
    assert_eq!(dxil_spv_parsed_blob_scan_resources(None, None, None, None, None, ptr::null_mut()), WRONG);
    assert_eq!(dxil_spv_create_converter(None, Out::new(&mut other)), WRONG);
    assert_eq!(dxil_spv_create_converter_with_reflection(None, None, nowhere()), WRONG);
    dxil_spv_converter_free(None);
    dxil_spv_converter_set_root_constant_word_count(None, 0);
    dxil_spv_converter_set_root_descriptor_count(None, 0);
    dxil_spv_converter_set_srv_remapper(None, None, ptr::null_mut());
    dxil_spv_converter_set_uav_remapper(None, None, ptr::null_mut());
    dxil_spv_converter_set_cbv_remapper(None, None, ptr::null_mut());
    dxil_spv_converter_set_sampler_remapper(None, None, ptr::null_mut());
    dxil_spv_converter_set_vertex_input_remapper(None, None, ptr::null_mut());
    dxil_spv_converter_set_stream_output_remapper(None, None, ptr::null_mut());
    dxil_spv_converter_set_stage_input_remapper(None, None, ptr::null_mut());
    dxil_spv_converter_set_stage_output_remapper(None, None, ptr::null_mut());
    dxil_spv_converter_set_patch_location_offset(None, 0);
    assert_eq!(dxil_spv_converter_set_meta_descriptor(None, 0, 0, 0, 0), WRONG);
    dxil_spv_converter_add_local_root_constants(None, 0, 0, 0);
    dxil_spv_converter_add_local_root_descriptor(None, 0, 0, 0);
    assert_eq!(dxil_spv_converter_begin_local_root_descriptor_table(None), WRONG);
    dxil_spv_converter_add_local_root_descriptor_table(None, 0, 0, 0, 0, 0);
    assert_eq!(dxil_spv_converter_end_local_root_descriptor_table(None), WRONG);
    dxil_spv_converter_add_root_parameter_mapping(None, 0, 0);
    dxil_spv_converter_add_root_descriptor_mapping(None, 0, 0, 0);
    dxil_spv_converter_add_non_semantic_debug_info(None, null(), null(), 0);
    assert_eq!(dxil_spv_converter_run(None), WRONG);
    assert_eq!(dxil_spv_converter_get_compiled_spirv(None, nowhere()), WRONG);
    assert_eq!(dxil_spv_converter_get_compiled_entry_point(None, nowhere()), WRONG);
    assert_eq!(dxil_spv_converter_get_patch_location_offset(None, nowhere()), WRONG);
    assert_eq!(dxil_spv_converter_get_patch_vertex_count(None, nowhere()), WRONG);
    assert_eq!(dxil_spv_converter_get_compute_workgroup_dimensions(None, nowhere(), nowhere(), nowhere()), WRONG);
    assert_eq!(dxil_spv_converter_get_compute_wave_size_range(None, nowhere(), nowhere(), nowhere()), WRONG);
    assert_eq!(dxil_spv_converter_get_compute_required_wave_size(None, nowhere()), WRONG);
    assert_eq!(dxil_spv_converter_get_compute_heuristic_max_wave_size(None, nowhere()), WRONG);
    assert_eq!(dxil_spv_converter_get_compute_heuristic_min_wave_size(None, nowhere()), WRONG);
    assert_eq!(dxil_spv_converter_is_multiview_compatible(None, nowhere()), WRONG);
    assert_eq!(dxil_spv_converter_uses_shader_feature(None, 0), 0);
    assert_eq!(dxil_spv_converter_uses_subgroup_size(None), 0);
    assert!(dxil_spv_converter_get_analysis_warnings(None).is_null());
}

#[test]
fn the_shared_object_has_the_symbols_of_the_header() {
    let header = std::fs::read_to_string(repository().join("tests/d3d12/caller/dxil_spv.h")).unwrap();
    let name = |text: &str| text.split('(').next().unwrap_or_default().rsplit([' ', '*']).next().map(str::to_owned);
    let is_function = |line: &&str| line.contains('(') && !line.starts_with(['t', '_', ' ', '#', '/']);
    let declared: BTreeSet<_> = header.lines().filter(is_function).filter_map(name).collect();
    let library = dxil_tests::layer::build_c_interface().unwrap();
    let done = Command::new("nm").args(["-D", "--defined-only"]).arg(library).output().unwrap();
    let exported = String::from_utf8(done.stdout).unwrap();
    let exported = exported.lines().filter_map(|line| line.rsplit(' ').next().map(str::to_owned));
    let exported: BTreeSet<_> = exported.filter(|name| name.starts_with("dxil_spv_")).collect();
    assert_eq!(exported, declared);
    assert_eq!(exported.len(), 64);
}

#[test]
fn a_wrong_order_is_refused() {
    let blob = parsed(SHADER);
    let converter = converter(&blob);
    let mut name = null();
    assert_eq!(compiled(&converter), Err(Code::NoData));
    assert_eq!(dxil_spv_converter_get_compiled_entry_point(Some(&converter), Out::new(&mut name)), Code::NoData);
    assert_eq!(dxil_spv_converter_end_local_root_descriptor_table(Some(&converter)), Code::InvalidArgument);
    assert_eq!(dxil_spv_converter_begin_local_root_descriptor_table(Some(&converter)), Code::Success);
    assert_eq!(dxil_spv_converter_begin_local_root_descriptor_table(Some(&converter)), Code::InvalidArgument);
    // The failure of a call without a result is that of the next run, and of no other.
    dxil_spv_converter_add_local_root_constants(Some(&converter), 0, 0, 1);
    assert_eq!(dxil_spv_converter_run(Some(&converter)), Code::InvalidArgument);
    assert_eq!(dxil_spv_converter_end_local_root_descriptor_table(Some(&converter)), Code::Success);
    dxil_spv_converter_add_local_root_descriptor(Some(&converter), 7, 0, 0);
    assert_eq!(dxil_spv_converter_run(Some(&converter)), Code::InvalidArgument);
    assert_eq!(dxil_spv_converter_run(Some(&converter)), Code::Success);
    drop(blob);
    let first = compiled(&converter).unwrap();
    // The words of the first run live as long as the converter.
    let mut earlier = CompiledSpirv { data: null(), size: 0 };
    dxil_spv_converter_get_compiled_spirv(Some(&converter), Out::new(&mut earlier));
    assert_eq!(dxil_spv_converter_run(Some(&converter)), Code::Success);
    // SAFETY: the converter still lives.
    assert_eq!(unsafe { std::slice::from_raw_parts(earlier.data.cast::<u32>(), earlier.size / 4) }, first);
    assert_eq!(compiled(&converter).unwrap(), first);
    assert_eq!(dxil_spv_converter_get_compiled_entry_point(Some(&converter), Out::new(&mut name)), Code::Success);
    // SAFETY: the converter still lives.
    assert_eq!(unsafe { CStr::from_ptr(name) }, c"main");
}

#[test]
fn options_do_what_the_table_says() {
    let blob = parsed(SHADER);
    let of = converter(&blob);
    for number in 0..60 {
        let known = TABLE.iter().any(|(known, ..)| *known == number);
        assert_eq!(dxil_spv_converter_supports_option(number) != 0, known, "{number}");
        // Members that are zero ask for nothing.
        let code = option(&of, &[number]);
        assert_eq!(code, if known { Code::Success } else { Code::UnsupportedFeature }, "{number}");
    }
    assert_eq!(TABLE.len(), 44);
    for refused in [[15, 1], [41, 1]] {
        assert_eq!(option(&of, &refused), Code::UnsupportedFeature, "{refused:?}");
    }
    assert_eq!(option(&of, &[32, 1]), Code::Success, "opacity micromaps");
    const NO_CONTRACTION: u32 = 42;
    let exact = |quirk: u32| {
        let blob = parsed("arithmetic/float_mad.dxil");
        let of = converter(&blob);
        assert_eq!(option(&of, &[42, quirk]), Code::Success);
        assert_eq!(dxil_spv_converter_run(Some(&of)), Code::Success);
        let words = compiled(&of).unwrap();
        instructions(&words).filter(|(op, operands)| *op == 71 && operands[1] == NO_CONTRACTION).count()
    };
    assert!(exact(13) > exact(12), "precise fused multiplications");
    assert_eq!(option(&of, &[4, 4, 1]), Code::Success, "a sample count by specialisation");
    let swizzle = |words: &[u32], count: u32| {
        let at = words.as_ptr() as usize as u64;
        option(&of, &[3, 0, at as u32, (at >> 32) as u32, count])
    };
    assert_eq!(swizzle(&[0xe4, 0xe4], 2), Code::Success);
    assert_eq!(swizzle(&[0xe4, 0x1b], 2), Code::Success);
    assert_eq!(swizzle(&[0xe4, 0x11b], 2), Code::InvalidArgument, "bits of a fifth component");
    assert_eq!(swizzle(&[0xe4; 9], 9), Code::Success);
    assert_eq!(swizzle(&[0x1b; 9], 9), Code::InvalidArgument, "a ninth target");
    assert_eq!(option(&of, &[3, 0, 0, 0, 2]), Code::InvalidArgument, "swizzles that are null");
}

#[test]
fn view_instancing_leaves_the_layer_to_the_view() {
    let run = |shader: &str, last: u32| {
        let blob = parsed(shader);
        let of = converter(&blob);
        assert_eq!(option(&of, &[49, last << 8 | 1, 7, 8]), Code::Success);
        for (meta, expected) in [(0, Code::UnsupportedFeature), (2, Code::Success), (3, Code::Success)] {
            assert_eq!(dxil_spv_converter_set_meta_descriptor(Some(&of), meta, 3, 0, 0), expected, "{meta}");
        }
        let mut compatible = 9;
        let code = dxil_spv_converter_is_multiview_compatible(Some(&of), Out::new(&mut compatible));
        assert_eq!(code, Code::Success, "{shader}");
        (dxil_spv_converter_run(Some(&of)), compatible)
    };
    for shader in ["graphics/front_face.vs.dxil", "mesh/view.ps.dxil", "stages/vertex_layer.ps.dxil"] {
        assert_eq!(run(shader, 1), (Code::Success, 1), "{shader}");
    }
    for shader in ["stages/vertex_layer.vs.dxil", "mesh/view.ms.dxil"] {
        assert_eq!(run(shader, 1), (Code::UnsupportedFeature, 0), "{shader}");
    }
    assert_eq!(run("geometry/layer_handed_on.vs.dxil", 0), (Code::Success, 1));
}

#[test]
fn static_samplers_with_a_binding_each_have_constant_indexes() {
    // Without a callback the binding of each register is its number.
    let run = |shader: &str| {
        let blob = parsed(shader);
        let of = converter(&blob);
        dxil_spv_converter_run(Some(&of))
    };
    assert_eq!(run("descriptors/static_array_each.dxil"), Code::Success);
    assert_eq!(run("descriptors/static_array_index.dxil"), Code::UnsupportedFeature);
}

#[test]
fn the_document_has_the_table_of_options() {
    let path = "docs/d3d12.md";
    let text = std::fs::read_to_string(repository().join(path)).unwrap();
    let (begin, end) = ("<!-- options -->\n", "<!-- end of options -->\n");
    let (before, rest) = text.split_once(begin).expect("the mark before the table");
    let (_, after) = rest.split_once(end).expect("the mark after the table");
    golden::check(path, &format!("{before}{begin}{}{end}{after}", options::markdown()));
}

static MESSAGES: AtomicU32 = AtomicU32::new(0);

/// Takes messages that name a shader and a reason.
unsafe extern "C" fn heard(user: *mut c_void, level: i32, text: *const c_char) {
    assert_eq!((user, level), (ptr::dangling_mut(), 2));
    // SAFETY: the library gives a C text.
    let text = unsafe { CStr::from_ptr(text) }.to_str().unwrap();
    assert!(text.ends_with('\n') && text.starts_with("shader "), "{text}");
    MESSAGES.fetch_add(1, Ordering::Relaxed);
}

/// Answers nothing.
unsafe extern "C" fn nothing(_: *mut c_void, _: *const D3dBinding, _: *mut SrvBinding) -> Bool {
    0
}

#[test]
fn the_log_names_the_shader() {
    dxil_spv_set_thread_log_callback(Some(heard), ptr::dangling_mut());
    let of = converter(&parsed(SHADER));
    dxil_spv_converter_set_srv_remapper(Some(&of), Some(nothing), ptr::null_mut());
    assert_eq!(dxil_spv_converter_run(Some(&of)), Code::UnsupportedFeature);
    assert_eq!(MESSAGES.load(Ordering::Relaxed), 1);
    let mut blob = ptr::null_mut();
    for bytes in [&b"DXBC"[..], b"", b"no shader", &fixture(SHADER)[..200]] {
        // SAFETY: the bytes are there.
        let code = unsafe { dxil_spv_parse_dxil_blob(bytes.as_ptr().cast(), bytes.len(), Out::new(&mut blob)) };
        assert_ne!(code, Code::Success);
    }
    assert_eq!(MESSAGES.load(Ordering::Relaxed), 5);
    // Another thread has no callback.
    std::thread::spawn(|| assert_eq!(dxil_spv_converter_run(None), Code::InvalidArgument)).join().unwrap();
    dxil_spv_set_thread_log_callback(None, ptr::null_mut());
    assert_eq!(MESSAGES.load(Ordering::Relaxed), 5);
}

#[test]
fn a_panic_stays_inside() {
    assert_eq!(guard(|| panic!("a test of the border")), Code::Generic);
}

static ENTERED: AtomicU32 = AtomicU32::new(0);

/// Calls back into the converter whose address is the user data.
unsafe extern "C" fn again(user: *mut c_void, _: *const D3dBinding, _: *mut SrvBinding) -> Bool {
    // SAFETY: the converter lives during the run.
    let of = unsafe { &*user.cast::<Converter>() };
    assert_eq!(dxil_spv_converter_run(Some(of)), Code::Generic);
    dxil_spv_converter_set_root_descriptor_count(Some(of), 99);
    ENTERED.fetch_add(1, Ordering::Relaxed);
    1
}

#[test]
fn a_callback_cannot_enter_the_converter() {
    let of = converter(&parsed(SHADER));
    let user = ptr::from_ref(&*of).cast_mut().cast();
    dxil_spv_converter_set_srv_remapper(Some(&of), Some(again), user);
    assert_eq!(dxil_spv_converter_run(Some(&of)), Code::Success);
    assert_eq!(ENTERED.load(Ordering::Relaxed), 3);
}

#[test]
fn threads_share_a_blob() {
    let blob = parsed(SHADER);
    let words: BTreeSet<Vec<u32>> = std::thread::scope(|scope| {
        let translate = || {
            (0..8)
                .map(|_| {
                    let of = converter(&blob);
                    assert_eq!(dxil_spv_converter_run(Some(&of)), Code::Success);
                    compiled(&of).unwrap()
                })
                .collect::<Vec<_>>()
        };
        let threads: Vec<_> = (0..16).map(|_| scope.spawn(translate)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(words.len(), 1);
}

/// Counts the resources that it is asked for.
unsafe extern "C" fn counted<I, O>(user: *mut c_void, _: *const I, _: *mut O) -> Bool {
    // SAFETY: the user data is the test's counter.
    unsafe { *user.cast::<u32>() += 1 };
    1
}

#[test]
fn declared_resources_are_scanned() {
    let bytes = fixture(SHADER);
    let shader = dxil_translator::Shader::parse(&bytes).unwrap();
    let mut count = 0u32;
    let user = (&raw mut count).cast();
    let blob = parsed(SHADER);
    let code = dxil_spv_parsed_blob_scan_resources(
        Some(&blob),
        Some(counted),
        Some(counted),
        Some(counted),
        Some(counted),
        user,
    );
    assert_eq!((code, count as usize), (Code::Success, shader.program().resources.len()));
    assert!(count > 2);
}

/// The text behind a pointer that a function gives.
fn given_text(ask: impl FnOnce(Out<*const c_char>) -> Code) -> String {
    let mut text = null();
    assert_eq!(ask(Out::new(&mut text)), Code::Success);
    // SAFETY: the blob lives.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap().to_owned()
}

#[test]
fn libraries_are_listed() {
    let blob = parsed("libraries/subobjects.all.dxil");
    let blob = Some(&*blob);
    assert_eq!(dxil_spv_parsed_blob_get_shader_stage(blob), STAGE_UNKNOWN);
    let mut count = 0;
    assert_eq!(dxil_spv_parsed_blob_get_num_entry_points(blob, Out::new(&mut count)), Code::Success);
    assert!(count > 1);
    for index in 0..count {
        let mangled = given_text(|out| dxil_spv_parsed_blob_get_entry_point_name(blob, index, out));
        let plain = given_text(|out| dxil_spv_parsed_blob_get_entry_point_demangled_name(blob, index, out));
        assert!(mangled.contains(&plain), "{mangled} {plain}");
        let (mut found, mut node) = (9, 9);
        let name = std::ffi::CString::new(mangled).unwrap();
        // SAFETY: the name is a C text.
        let stage = unsafe { dxil_spv_parsed_blob_get_shader_stage_for_entry(blob, name.as_ptr()) };
        assert!((7..=12).contains(&stage), "{stage}");
        // SAFETY: the name is a C text.
        let code = unsafe { dxil_spv_parsed_blob_get_entry_index_by_name(blob, name.as_ptr(), Out::new(&mut found)) };
        assert_eq!((code, found), (Code::Success, index));
        let code = dxil_spv_parsed_blob_get_entry_point_num_node_outputs(blob, index, Out::new(&mut node));
        assert_eq!((code, node), (Code::Success, 0));
        assert_eq!(dxil_spv_parsed_blob_get_entry_point_node_input(blob, index, nowhere()), Code::Generic);
    }
    assert_eq!(dxil_spv_parsed_blob_get_entry_point_name(blob, count, nowhere()), Code::InvalidArgument);
    // SAFETY: the name is a C text.
    assert_eq!(unsafe { dxil_spv_parsed_blob_get_shader_stage_for_entry(blob, c"nobody".as_ptr()) }, STAGE_UNKNOWN);
    let mut kinds = BTreeSet::new();
    for index in 0..dxil_spv_parsed_blob_get_num_rdat_subobjects(blob) {
        // SAFETY: all zeros are values of its members.
        let mut found: RdatSubobject = unsafe { std::mem::zeroed() };
        dxil_spv_parsed_blob_get_rdat_subobject(blob, index, Out::new(&mut found));
        kinds.insert(found.kind);
        // SAFETY: the blob lives.
        assert!(!unsafe { CStr::from_ptr(found.name) }.is_empty());
        for export in 0..found.num_exports as usize {
            // SAFETY: the blob lives, and has as many exports.
            assert!(unsafe { CStr::from_ptr(*found.exports.add(export)) }.to_str().is_ok());
        }
        // Root signatures are bytes again.
        assert_eq!(matches!(found.kind, 1 | 2), found.payload_size > 0, "{found:?}");
    }
    assert!(kinds.contains(&11) && kinds.contains(&9), "{kinds:?}");
}

#[test]
fn texts_and_bitcode_of_a_blob() {
    let blob = parsed(SHADER);
    let text = given_text(|out| dxil_spv_parsed_blob_get_disassembled_ir(Some(&blob), out));
    assert!(text.contains("compute") || text.contains("pixel"), "{text}");
    let (mut data, mut size) = (null(), 0);
    assert_eq!(dxil_spv_parsed_blob_get_raw_ir(Some(&blob), Out::new(&mut data), Out::new(&mut size)), Code::Success);
    let mut bare = ptr::null_mut();
    // SAFETY: the blob lives.
    assert_eq!(unsafe { dxil_spv_parse_dxil(data, size, Out::new(&mut bare)) }, Code::Success);
    // SAFETY: the library has made it by a box.
    dxil_spv_parsed_blob_free(Some(unsafe { Box::from_raw(bare) }));
}

#[test]
fn questions_about_stages() {
    let ask = |name: &str| converter(&parsed(name));
    let of = ask("tessellation/control_points.hs.dxil");
    let (mut offset, mut points) = (0, 0);
    assert_eq!(dxil_spv_converter_get_patch_location_offset(Some(&of), Out::new(&mut offset)), Code::Success);
    assert_eq!(dxil_spv_converter_get_patch_vertex_count(Some(&of), Out::new(&mut points)), Code::Success);
    assert!(offset == 16 && (1..=32).contains(&points), "{offset} {points}");
    let [mut x, mut y, mut z] = [9; 3];
    let code = dxil_spv_converter_get_compute_workgroup_dimensions(
        Some(&of),
        Out::new(&mut x),
        Out::new(&mut y),
        Out::new(&mut z),
    );
    assert_eq!((code, [x, y, z]), (Code::NoData, [0; 3]));
    let code =
        dxil_spv_converter_get_compute_wave_size_range(Some(&of), Out::new(&mut x), Out::new(&mut y), Out::new(&mut z));
    assert_eq!((code, [x, y, z]), (Code::Success, [0; 3]));
}
