//! Tests on whole small modules. Their text is in files beside this one; the `rspirv` loader reads
//! them back, and `spirv-val` checks them.
//!
//! `BLESS=1` writes the texts anew. `spirv-val` is expected in the directory that `DXIL_TOOLS`
//! names. Without it that part of the test is skipped with a message.

use std::path::Path;
use std::process::Command;

use dxil_test_support::golden;
use rspirv::spirv::{
    BuiltIn, Capability, Decoration, Dim, ExecutionMode, ExecutionModel, FunctionControl, GlslStd450Op, ImageFormat,
    MemorySemantics, Op, Scope, StorageClass,
};

use super::*;
use dxil_base::error::{ErrorKind, Place, Result};
use dxil_base::limits;
use dxil_base::profile::{DeviceProfile, Feature, FeatureSet, VULKAN_1_1_FLOOR, VULKAN_1_3_DESKTOP};

/// The profile of a device with Vulkan 1.1 alone, with these features and a change.
fn floor_with(features: FeatureSet, change: impl FnOnce(&mut DeviceProfile)) -> DeviceProfile {
    let mut profile = VULKAN_1_1_FLOOR;
    profile.features = features;
    change(&mut profile);
    profile
}

fn floor_and(features: &[Feature]) -> DeviceProfile {
    let mut set = VULKAN_1_1_FLOOR.features;
    for &feature in features {
        set.set(feature, true);
    }
    floor_with(set, |_| ())
}

fn validate(name: &str, words: &[u32]) {
    let Some(tools) = std::env::var_os("DXIL_TOOLS").filter(|tools| Path::new(tools).join("spirv-val").exists()) else {
        eprintln!("skipped: spirv-val on {name}, DXIL_TOOLS names no folder that has it");
        return;
    };
    let environment = match words[1] {
        0x10300 => "vulkan1.1",
        0x10400 => "vulkan1.1spv1.4",
        0x10500 => "vulkan1.2",
        _ => "vulkan1.3",
    };
    let file = std::env::temp_dir().join(format!("dxil-spirv-{}-{name}.spv", std::process::id()));
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    std::fs::write(&file, bytes).unwrap();
    let run = Command::new(Path::new(&tools).join("spirv-val")).args(["--target-env", environment]).arg(&file).output();
    std::fs::remove_file(&file).unwrap();
    let run = run.expect("spirv-val runs");
    let said = [run.stdout, run.stderr].concat();
    assert!(run.status.success(), "{name}: {}", String::from_utf8_lossy(&said));
}

#[track_caller]
fn check(name: &str, module: Module<'_>) -> Vec<u32> {
    let words = module.finish().unwrap();
    validate(name, &words);
    let text = disassemble(&words).unwrap() + "\n";
    golden::check(format!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/golden/{}.spvasm"), name), &text);
    words
}

fn main_type(module: &mut Module<'_>) -> Id {
    let void = module.type_void();
    module.type_function(void, &[])
}

fn storage_buffer(module: &mut Module<'_>, element: Id, stride: u32, writable: bool) -> Id {
    let array = module.type_runtime_array(element, Some(stride));
    let member = Member { non_writable: !writable, ..Member::at(array, 0) };
    let block = module.type_struct(StructKind::Block, &[member]);
    module.variable(StorageClass::StorageBuffer, block, None).unwrap()
}

/// `out[i] = float(i) * 2` after a bounds check, with the features that every device has.
#[test]
fn compute_writes_a_buffer() {
    let mut m = Module::new(&VULKAN_1_1_FLOOR, (1, 6), true);
    let (u32t, f32t) = (m.type_u32(), m.type_f32());
    let buffer = storage_buffer(&mut m, f32t, 4, true);
    m.decorate_binding(buffer, 0, 3);
    m.name(buffer, "out");
    let v3 = m.type_vector(u32t, 3);
    let thread = m.builtin_variable(StorageClass::Input, v3, BuiltIn::GlobalInvocationId).unwrap();
    let main = m.fresh();
    m.entry_point(ExecutionModel::GLCompute, main, "main");
    m.execution_mode(main, ExecutionMode::LocalSize, &[64, 1, 1]);
    let ty = main_type(&mut m);
    let mut b = m.function(main, ty, FunctionControl::NONE).open_new();
    let id = b.load(thread);
    let x = b.component(id, 0);
    let length = b.op(Op::ArrayLength, u32t, &[buffer.word(), 0]);
    let bool_ty = b.type_bool();
    let inside = b.binary(Op::ULessThan, bool_ty, x, length);
    b.if_then(inside, |b| {
        let float = b.unary(Op::ConvertUToF, f32t, x);
        let two = b.const_f32(2.0);
        let value = b.binary(Op::FMul, f32t, float, two);
        b.no_contraction(value);
        let zero = b.const_u32(0);
        let place = b.access_chain(f32t, buffer, &[zero, x]);
        b.store(place, value);
        Ok(())
    })
    .unwrap();
    b.ret().unwrap().end();
    assert_eq!(m.caps.capabilities(), [Capability::Shader]);
    assert!(m.caps.extensions().is_empty());
    check("compute", m);
}

#[test]
fn vertex_and_fragment() {
    let mut m = Module::new(&VULKAN_1_1_FLOOR, (1, 3), false);
    let f32t = m.type_f32();
    let v4 = m.type_vector(f32t, 4);
    let input = m.variable(StorageClass::Input, v4, None).unwrap();
    m.decorate(input, Decoration::Location, &[0u32]);
    let position = m.builtin_variable(StorageClass::Output, v4, BuiltIn::Position).unwrap();
    let main = m.fresh();
    m.entry_point(ExecutionModel::Vertex, main, "main");
    let ty = main_type(&mut m);
    let mut b = m.function(main, ty, FunctionControl::NONE).open_new();
    let value = b.load(input);
    let value = b.glsl(GlslStd450Op::FAbs, v4, &[value]);
    b.store(position, value);
    b.ret().unwrap().end();
    check("vertex", m);

    let mut m = Module::new(&VULKAN_1_3_DESKTOP, (1, 6), false);
    let f32t = m.type_f32();
    let v4 = m.type_vector(f32t, 4);
    let coord = m.builtin_variable(StorageClass::Input, v4, BuiltIn::FragCoord).unwrap();
    let color = m.variable(StorageClass::Output, v4, None).unwrap();
    m.decorate(color, Decoration::Location, &[0u32]);
    let main = m.fresh();
    m.entry_point(ExecutionModel::Fragment, main, "main");
    m.execution_mode(main, ExecutionMode::OriginUpperLeft, &[]);
    let ty = main_type(&mut m);
    let mut b = m.function(main, ty, FunctionControl::NONE).open_new();
    let at = b.load(coord);
    let x = b.component(at, 0);
    let (bool_ty, limit) = (b.type_bool(), b.const_f32(8.0));
    let left = b.binary(Op::FOrdLessThan, bool_ty, x, limit);
    b.if_then(left, |b| b.demote()).unwrap();
    let slope = b.derivative(Op::DPdxFine, f32t, x).unwrap();
    let half = b.const_f32(0.5);
    let red = b.if_value(f32t, left, half, |_| Ok(slope)).unwrap();
    let value = b.splat(v4, red);
    b.store(color, value);
    b.ret().unwrap().end();
    let expected = [Capability::Shader, Capability::DerivativeControl, Capability::DemoteToHelperInvocation];
    assert_eq!(m.caps.capabilities(), expected);
    check("fragment", m);
}

/// Samples, a fetch, a gather, a storage image written without a format.
#[test]
fn images() {
    let mut m = Module::new(&VULKAN_1_3_DESKTOP, (1, 5), false);
    let (u32t, f32t) = (m.type_u32(), m.type_f32());
    let (v2, v4, u2) = (m.type_vector(f32t, 2), m.type_vector(f32t, 4), m.type_vector(u32t, 2));
    let shape = ImageType {
        sampled_type: f32t,
        dim: Dim::Dim2D,
        depth: None,
        arrayed: false,
        multisampled: false,
        storage: false,
        format: ImageFormat::Unknown,
    };
    let texture_ty = m.type_image(shape).unwrap();
    let image_ty = m.type_image(ImageType { storage: true, ..shape }).unwrap();
    let sampler_ty = m.type_sampler();
    let texture = m.variable(StorageClass::UniformConstant, texture_ty, None).unwrap();
    let sampler = m.variable(StorageClass::UniformConstant, sampler_ty, None).unwrap();
    let image = m.variable(StorageClass::UniformConstant, image_ty, None).unwrap();
    for (binding, variable) in [texture, sampler, image].into_iter().enumerate() {
        m.decorate_binding(variable, 1, binding as u32);
    }
    m.mark(image, Decoration::NonReadable);
    let main = m.fresh();
    m.entry_point(ExecutionModel::GLCompute, main, "main");
    m.execution_mode(main, ExecutionMode::LocalSize, &[1, 1, 1]);
    let ty = main_type(&mut m);
    let mut b = m.function(main, ty, FunctionControl::NONE).open_new();
    let (t, s, i) = (b.load(texture), b.load(sampler), b.load(image));
    let si = b.sampled_image(t, s);
    let half = b.const_f32(0.5);
    let at = b.const_splat(v2, half);
    let (one, zero) = (b.const_u32(1), b.const_u32(0));
    let offset = b.const_composite(u2, &[one, one]);
    let lod = b.const_f32(0.0);
    let operands = ImageOperands { lod: Some(lod), offset: Some(offset), ..Default::default() };
    let first = b.image_sample(Op::ImageSampleExplicitLod, v4, si, at, &operands).unwrap();
    assert!(!b.caps.has(Capability::ImageGatherExtended), "a constant offset needs nothing");
    let size = b.image_query(Op::ImageQuerySizeLod, u2, t, Some(zero)).unwrap();
    let operands = ImageOperands { offset: Some(size), ..Default::default() };
    let second = b.image_sample_with(Op::ImageGather, v4, si, at, one, &operands).unwrap();
    let sum = b.binary(Op::FAdd, v4, first, second);
    let operands = ImageOperands { lod: Some(zero), ..Default::default() };
    let third = b.image_fetch(Op::ImageFetch, v4, t, offset, &operands).unwrap();
    let sum = b.binary(Op::FAdd, v4, sum, third);
    b.image_write(i, offset, sum, &ImageOperands::default()).unwrap();
    b.ret().unwrap().end();
    let expected = [
        Capability::Shader,
        Capability::ImageGatherExtended,
        Capability::ImageQuery,
        Capability::StorageImageWriteWithoutFormat,
    ];
    assert_eq!(m.caps.capabilities(), expected);
    check("images", m);
}

/// A loop with a patched phi, a 64-bit switch, a call, a local variable made inside the loop,
/// groupshared atomics and a barrier.
#[test]
fn control_flow() {
    let mut m = Module::new(&VULKAN_1_3_DESKTOP, (1, 6), false);
    let (u32t, bool_ty) = (m.type_u32(), m.type_bool());
    let u64t = m.type_int(64).unwrap();
    let shared = m.variable(StorageClass::Workgroup, u32t, None).unwrap();
    let wide = m.variable(StorageClass::Workgroup, u64t, None).unwrap();
    let (main, helper) = (m.fresh(), m.fresh());
    m.entry_point(ExecutionModel::GLCompute, main, "main");
    m.execution_mode(main, ExecutionMode::LocalSize, &[1, 1, 1]);

    let helper_ty = m.type_function(u32t, &[u32t]);
    let mut f = m.function(helper, helper_ty, FunctionControl::NONE);
    let parameter = f.parameter(u32t);
    let mut b = f.open_new();
    let entry = b.label();
    let (zero, one) = (b.const_u32(0), b.const_u32(1));
    let (header, body, next, done) = (b.fresh(), b.fresh(), b.fresh(), b.fresh());
    let mut b = b.branch(header).unwrap().open(header);
    let phi = b.phi_later(u32t, 2);
    b.patch_phi(phi, 0, zero, entry);
    let mut b = b.branch_merging(body, Merge::looping(done, next)).unwrap().open(body);
    let local = b.local(u32t, None);
    b.store(local, phi.id);
    let sum = b.binary(Op::IAdd, u32t, phi.id, one);
    let more = b.binary(Op::ULessThan, bool_ty, sum, parameter);
    let b = b.branch_conditional(more, next, done, Merge::None).unwrap();
    let mut b = b.open(next);
    b.patch_phi(phi, 1, sum, next);
    let b = b.branch(header).unwrap().open(done);
    b.ret_value(sum).unwrap().end();

    let ty = main_type(&mut m);
    let mut b = m.function(main, ty, FunctionControl::NONE).open_new();
    let nine = b.const_u32(9);
    let value = b.call(u32t, helper, &[nine]);
    let semantics = MemorySemantics::ACQUIRE_RELEASE | MemorySemantics::WORKGROUP_MEMORY;
    b.atomic(Op::AtomicUMax, u32t, shared, Scope::Workgroup, MemorySemantics::RELAXED, &[value]).unwrap();
    b.atomic_compare_exchange(u32t, shared, Scope::Workgroup, semantics, value, nine).unwrap();
    let long = b.unary(Op::UConvert, u64t, value);
    b.atomic(Op::AtomicIAdd, u64t, wide, Scope::Workgroup, MemorySemantics::RELAXED, &[long]).unwrap();
    b.control_barrier(Scope::Workgroup, Scope::Workgroup, semantics);
    let (case, merge) = (b.fresh(), b.fresh());
    let b = b.switch(long, merge, &[(1 << 40 | 7, case)], Merge::selection(merge)).unwrap();
    let b = b.open(case).branch(merge).unwrap().open(merge);
    b.ret().unwrap().end();
    assert_eq!(m.caps.capabilities(), [Capability::Shader, Capability::Int64, Capability::Int64Atomics]);
    check("control-flow", m);
}

#[test]
fn types_and_constants_are_one_each_and_read_back() {
    let mut m = Module::new(&VULKAN_1_3_DESKTOP, (1, 6), false);
    let f32t = m.type_f32();
    let v3 = m.type_vector(f32t, 3);
    assert_eq!(m.type_vector(f32t, 3), v3);
    assert_eq!(m.ty(v3), Some(Type::Vector { element: f32t, count: 3 }));
    assert_eq!((m.scalar(v3), m.scalar(f32t), m.width(v3)), ((f32t, 3), (f32t, 1), Some(32)));
    let plain = m.type_array(v3, 4, None);
    let laid_out = m.type_array(v3, 4, Some(16));
    assert_ne!(plain, laid_out);
    assert_eq!(m.ty(laid_out), Some(Type::Array { element: v3, length: 4, stride: Some(16) }));
    let member = Member::at(laid_out, 0);
    let block = m.type_struct(StructKind::Block, &[member]);
    assert_eq!(m.type_struct(StructKind::Block, &[member]), block);
    assert_ne!(m.type_struct(StructKind::Plain, &[member]), block);
    assert_ne!(m.type_struct(StructKind::Block, &[Member { non_writable: true, ..member }]), block);
    let Some(Type::Struct(members)) = m.ty(block) else { panic!("not a struct") };
    assert_eq!((members.len(), members.ty(0), members.ty(1)), (1, Some(laid_out), None));
    let pointer = m.type_pointer(StorageClass::Uniform, block);
    assert_eq!(m.ty(pointer), Some(Type::Pointer { class: StorageClass::Uniform, pointee: block }));
    let shape = ImageType {
        sampled_type: f32t,
        dim: Dim::DimCube,
        depth: Some(true),
        arrayed: true,
        multisampled: false,
        storage: false,
        format: ImageFormat::Unknown,
    };
    let image = m.type_image(shape).unwrap();
    assert_eq!(m.ty(image), Some(Type::Image(shape)));
    assert_eq!(shape.coordinates(), 4);

    let two = m.const_f32(2.0);
    assert_eq!(m.const_bits(f32t, 2.0f32.to_bits().into()), two);
    assert_eq!(m.constant_value(two), Some(Constant::Bits(2.0f32.to_bits().into())));
    assert_eq!((m.ty(two), m.constant_value(f32t)), (None, None));
    let splat = m.const_splat(v3, two);
    assert_eq!(m.constant_value(splat), Some(Constant::Composite(&[two.word(); 3])));
    let u64t = m.type_int(64).unwrap();
    let wide = m.const_bits(u64t, 0x1_0000_0002);
    assert_eq!(m.constant_value(wide), Some(Constant::Bits(0x1_0000_0002)));
    assert_eq!(m.constant_u32(wide), None);
    let i16t = m.type_int(16).unwrap();
    let short = m.const_bits(i16t, 0xffff_8001);
    assert_eq!(m.constant_u32(short), Some(0x8001), "bits above the width are dropped");
    let null = m.const_null(i16t);
    assert_eq!((m.constant_u32(null), m.type_of(null)), (Some(0), Some(i16t)));
    let undef = m.undef(v3);
    assert_eq!(m.constant_value(undef), Some(Constant::Undef));
    // The module has no entry point, so spirv-val cannot check it; only the loader reads it back.
    disassemble(&m.finish().unwrap()).unwrap();
}

fn missing<T: std::fmt::Debug>(result: Result<T>) -> Feature {
    match result.unwrap_err().kind() {
        ErrorKind::MissingFeature(feature) => feature,
        other => panic!("{other:?}"),
    }
}

#[test]
fn types_need_their_features() {
    let mut m = Module::new(&VULKAN_1_1_FLOOR, (1, 3), false);
    m.set_place(Place::Inst { func: 1, inst: 2 });
    let error = m.type_float(64).unwrap_err();
    assert_eq!(
        error.to_string(),
        "missing feature shaderFloat64 at function 1 instruction 2: the shader needs \
         VkPhysicalDeviceFeatures::shaderFloat64, which is not enabled"
    );
    assert_eq!(missing(m.type_int(64)), Feature::Int64);
    assert_eq!(missing(m.type_int(16)), Feature::Int16);
    assert_eq!(missing(m.type_float(16)), Feature::Float16);
    let f32t = m.type_f32();
    let image = |dim, arrayed, multisampled, storage, format| ImageType {
        sampled_type: f32t,
        dim,
        depth: None,
        arrayed,
        multisampled,
        storage,
        format,
    };
    let unknown = ImageFormat::Unknown;
    assert_eq!(missing(m.type_image(image(Dim::DimCube, true, false, false, unknown))), Feature::ImageCubeArray);
    assert_eq!(missing(m.type_image(image(Dim::Dim2D, true, true, true, unknown))), Feature::StorageImageMultisample);
    m.type_image(image(Dim::Dim2D, true, true, false, unknown)).unwrap();
    m.type_image(image(Dim::DimCube, false, false, false, unknown)).unwrap();
    assert_eq!(m.caps.capabilities(), [Capability::Shader], "a refused type leaves nothing behind");
    m.type_image(image(Dim::DimBuffer, false, false, true, ImageFormat::R32f)).unwrap();
    m.type_image(image(Dim::Dim1D, false, false, false, unknown)).unwrap();
    let expected = [Capability::Shader, Capability::Sampled1D, Capability::ImageBuffer];
    assert_eq!(m.caps.capabilities(), expected);

    let half = m.type_storage_f16();
    let v2 = m.type_vector(half, 2);
    let array = m.type_runtime_array(v2, Some(4));
    let block = m.type_struct(StructKind::Block, &[Member::at(array, 0)]);
    assert_eq!(missing(m.variable(StorageClass::StorageBuffer, block, None)), Feature::StorageBuffer16Bit);
    assert_eq!(missing(m.variable(StorageClass::Input, v2, None)), Feature::StorageInputOutput16);
}

#[test]
fn storage_of_16_bits_without_arithmetic() {
    let profile = floor_and(&[Feature::StorageBuffer16Bit]);
    let mut m = Module::new(&profile, (1, 3), false);
    let (half, f32t) = (m.type_storage_f16(), m.type_f32());
    let buffer = storage_buffer(&mut m, half, 2, false);
    m.decorate_binding(buffer, 0, 0);
    let main = m.fresh();
    m.entry_point(ExecutionModel::GLCompute, main, "main");
    m.execution_mode(main, ExecutionMode::LocalSize, &[1, 1, 1]);
    let ty = main_type(&mut m);
    let mut b = m.function(main, ty, FunctionControl::NONE).open_new();
    let zero = b.const_u32(0);
    let place = b.access_chain(half, buffer, &[zero, zero]);
    let value = b.load(place);
    b.unary(Op::FConvert, f32t, value);
    b.ret().unwrap().end();
    assert_eq!(m.caps.capabilities(), [Capability::Shader, Capability::StorageBuffer16BitAccess]);
    validate("storage16", &m.finish().unwrap());
}

/// Each rule allows its capability with any of its features alone, and refuses it without. It
/// declares the extension only below the version that includes it.
#[test]
fn capabilities_follow_the_profile() {
    use super::caps::{RULES, Requirement, least_version};
    let nothing = floor_with(FeatureSet::default(), |profile| profile.api = (1, 1));
    for rule in RULES {
        let capability = rule.capability;
        let bare = Module::new(&nothing, (1, 6), false).caps.capability(capability).is_ok();
        let (features, always) = match rule.allow {
            Requirement::Always => (&[][..], true),
            Requirement::Any(features) | Requirement::AnyOrApi(features, _) => (features, false),
            Requirement::Subgroup(bit) => (&[][..], bit == 1),
            Requirement::Float(_) => (&[][..], false),
        };
        assert_eq!(bare, always, "{capability:?} without features");
        for &feature in features {
            for version in [(1, 3), (1, 4), (1, 5), (1, 6)] {
                let mut set = FeatureSet::default();
                set.set(feature, true);
                let profile = floor_with(set, |profile| profile.spirv = (1, 6));
                let mut m = Module::new(&profile, version, false);
                let allowed = m.caps.allows(capability);
                let result = m.caps.capability(capability);
                assert_eq!(allowed, result.is_ok());
                let (name, core) = rule.extension.unwrap_or(("core", (0, 0)));
                if name.is_empty() && version < core || version < least_version(capability) {
                    assert_eq!(result.unwrap_err().kind(), ErrorKind::Unsupported);
                    continue;
                }
                result.unwrap();
                let expected = if version < core { vec![name] } else { vec![] };
                assert_eq!(m.caps.extensions(), expected, "{capability:?} in {version:?}");
                assert!(m.caps.has(capability));
            }
        }
    }
    let mut seen: Vec<_> = RULES.iter().map(|r| r.capability).collect();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), RULES.len(), "one rule per capability");
}

#[test]
fn wide_atomics_need_the_feature_of_their_memory() {
    let profile = floor_and(&[Feature::Int64, Feature::BufferInt64Atomics]);
    let mut m = Module::new(&profile, (1, 3), false);
    let u64t = m.type_int(64).unwrap();
    let shared = m.variable(StorageClass::Workgroup, u64t, None).unwrap();
    let (main, ty) = (m.fresh(), main_type(&mut m));
    let mut b = m.function(main, ty, FunctionControl::NONE).open_new();
    let one = b.const_bits(u64t, 1);
    let result = b.atomic(Op::AtomicIAdd, u64t, shared, Scope::Workgroup, MemorySemantics::RELAXED, &[one]);
    assert_eq!(missing(result), Feature::SharedInt64Atomics);
}

#[test]
fn faults_are_reported_not_panicked() {
    fn fault(build: impl FnOnce(&mut Module<'_>, Id)) -> String {
        let mut m = Module::new(&VULKAN_1_3_DESKTOP, (1, 6), false);
        let main = m.fresh();
        build(&mut m, main);
        let error = m.finish().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Bug);
        error.message().to_owned()
    }
    let text = fault(|m, main| {
        let ty = main_type(m);
        let mut b = m.function(main, ty, FunctionControl::NONE).open_new();
        let u32t = b.type_u32();
        let one = b.const_u32(1);
        b.binary(Op::IAdd, u32t, one, one);
        let label = b.label();
        b.phi(u32t, &[(one, label)]);
        b.ret().unwrap().end();
    });
    assert!(text.contains("after other instructions"), "{text}");
    let text = fault(|m, main| {
        let ty = main_type(m);
        let mut b = m.function(main, ty, FunctionControl::NONE).open_new();
        let u32t = b.type_u32();
        b.phi_later(u32t, 2);
        b.ret().unwrap().end();
    });
    assert_eq!(text, "2 phi operands were never given");
    let text = fault(|m, main| {
        let ty = main_type(m);
        let _ = m.function(main, ty, FunctionControl::NONE).open_new().ret().unwrap();
    });
    assert_eq!(text, "a function was not ended");
    let text = fault(|m, main| {
        let ty = main_type(m);
        m.function(main, ty, FunctionControl::NONE).end();
    });
    assert_eq!(text, "a function has no blocks");
    let text = fault(|m, main| m.function(main, main, FunctionControl::NONE).end());
    assert!(text.contains("is not a function type"), "{text}");
    let text = fault(|m, _| {
        let one = m.const_u32(1);
        m.const_bits(one, 3);
    });
    assert!(text.contains("is not a number type"), "{text}");
}

#[test]
fn an_instruction_too_long_is_a_limit() {
    let mut m = Module::new(&VULKAN_1_3_DESKTOP, (1, 6), false);
    let u32t = m.type_u32();
    let array = m.type_array(u32t, 70_000, None);
    let one = m.const_u32(1);
    m.const_composite(array, &vec![one; 70_000]);
    assert_eq!(m.finish().unwrap_err().kind(), ErrorKind::Limit);
}

#[test]
fn strings_are_cut_and_padded() {
    let mut m = Module::new(&VULKAN_1_3_DESKTOP, (1, 6), true);
    let ty = m.type_u32();
    m.name(ty, "abcd");
    m.name(ty, "a\0b");
    m.name(ty, &"é".repeat(4000));
    let words = m.finish().unwrap();
    let text = disassemble(&words).unwrap();
    assert!(text.contains("\"abcd\""), "{text}");
    assert!(text.contains("\"a\""), "{text}");
    assert!(text.contains(&format!("\"{}\"", "é".repeat(512))), "{text}");
}

/// The limits of SPIR-V that no input reaches in a short time. The error names the limit.
#[test]
fn universal_limits() {
    fn refused(make: impl FnOnce(&mut Module<'_>)) -> String {
        let mut m = Module::new(&VULKAN_1_3_DESKTOP, (1, 6), false);
        make(&mut m);
        let error = m.finish().expect_err("a limit");
        assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
        error.message().to_owned()
    }
    fn main<'m, 'p>(m: &'m mut Module<'p>) -> OpenBlock<'m, 'p> {
        let (main, ty) = (m.fresh(), main_type(m));
        m.function(main, ty, FunctionControl::NONE).open_new()
    }
    let locals = |m: &mut Module<'_>| {
        let word = m.type_u32();
        let mut b = main(m);
        (0..=limits::SPIRV_LOCAL_VARIABLES).for_each(|_| _ = b.local(word, None));
        assert!(b.ret().is_err(), "a terminator returns the error");
    };
    assert_eq!(refused(locals), "524288 variables of a function, the limit is 524287");
    let members = |m: &mut Module<'_>| {
        let word = m.type_u32();
        m.type_struct(StructKind::Plain, &vec![Member::new(word); limits::SPIRV_STRUCTURE_MEMBERS + 1]);
    };
    assert_eq!(refused(members), "16384 members of a structure, the limit is 16383");
    let ids = |m: &mut Module<'_>| (0..limits::SPIRV_IDS).for_each(|_| _ = m.fresh());
    assert_eq!(refused(ids), "4194304 ids of a SPIR-V module, the limit is 4194303");
    let words = |m: &mut Module<'_>| {
        let word = m.type_u32();
        let one = m.const_u32(1);
        let mut b = main(m);
        b.op(Op::CompositeConstruct, word, &vec![one; 65_535]);
        b.ret().unwrap().end();
    };
    assert!(refused(words).contains("an instruction OpCompositeConstruct has more than 65535 words"));
}
