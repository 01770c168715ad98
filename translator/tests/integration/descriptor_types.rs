//! The descriptor types of docs/bindings.md: what is declared for each, and what is refused by
//! name. Most of them are executed by the fixtures `descriptors/`; here is what no driver shows.

use std::collections::HashMap;

use dxil_test_support::read;
use dxil_translator::{
    BindingOptions, BindingPlan, DeviceProfile, Error, ErrorKind, Model, Options, PipelineStage, PlanInputs,
    RegisterShifts, Shader, VULKAN_1_3_DESKTOP, plan, translate,
};
use rspirv::spirv::{Capability, Decoration, Dim, Op, StorageClass};

use dxil_test_support::spirv::instructions;

/// The words of a shader of the fixtures or of `tests/shaders` under its default plan, in whose
/// text `change` may replace lines.
fn words(name: &str, profile: &DeviceProfile, change: impl Fn(&str) -> String) -> Result<Vec<u32>, Error> {
    let folder = if name.contains('/') { "../tests/fixtures" } else { "tests/shaders" };
    let shader = Shader::parse(&read(format!("{folder}/{name}.dxil")))?;
    let entry = shader.find_entry(None)?;
    let shifts = RegisterShifts { b: 0, t: 100, u: 200, s: 300, c: 1000 };
    let bindings = BindingOptions::new(Model::Register, shifts);
    let plan = plan(&[PipelineStage::new(&shader, entry)], &PlanInputs::new(profile).with_options(bindings))?;
    let text: Vec<String> = plan.stages[0].to_string().lines().map(change).collect();
    let plan = BindingPlan::parse(&text.join("\n"), &shader.program().resources)?;
    Ok(translate(&shader, entry, &plan, &Options::new(profile.clone()))?.words)
}

/// Replaces the descriptor type in the lines of some registers.
fn with_type<'a>(registers: &'a [&str], from: &'a str, to: &'a str) -> impl Fn(&str) -> String + 'a {
    move |line: &str| match registers.iter().any(|register| line.starts_with(&format!("\"{register} "))) {
        true => line.replacen(from, to, 1),
        false => line.to_owned(),
    }
}

/// The size in bytes of the structure behind each variable of a storage class, by binding. A
/// runtime array counts nothing.
fn block_sizes(words: &[u32], class: StorageClass) -> HashMap<u32, u32> {
    let all: Vec<_> = instructions(words).collect();
    let of = |op: Op| all.iter().filter(move |(found, _)| *found == op as u32).map(|(_, operands)| *operands);
    let is_type = |op: u32| (Op::TypeVoid as u32..=Op::TypePointer as u32).contains(&op);
    let types: HashMap<u32, (u32, &[u32])> =
        all.iter().filter(|(op, _)| is_type(*op)).map(|&(op, operands)| (operands[0], (op, operands))).collect();
    let constant = |id: u32| of(Op::Constant).find(|operands| operands[1] == id).map_or(0, |operands| operands[2]);
    let stride = |id: u32| {
        let found = of(Op::Decorate).find(|o| o[0] == id && o[1] == Decoration::ArrayStride as u32);
        found.map_or(0, |operands| operands[2])
    };
    let size = |id: u32| match types.get(&id) {
        Some((op, operands)) if *op == Op::TypeInt as u32 || *op == Op::TypeFloat as u32 => operands[1] / 8,
        Some((op, operands)) if *op == Op::TypeVector as u32 => operands[2] * 4,
        Some((op, operands)) if *op == Op::TypeArray as u32 => stride(id) * constant(operands[2]),
        _ => 0,
    };
    let mut sizes = HashMap::new();
    for variable in of(Op::Variable).filter(|operands| operands[2] == class as u32) {
        let mut ty = types[&variable[0]].1[2];
        while let Some((op, operands)) = types.get(&ty)
            && (*op == Op::TypeArray as u32 || *op == Op::TypeRuntimeArray as u32)
        {
            ty = operands[1];
        }
        let members = &types[&ty].1[1..];
        let ends = of(Op::MemberDecorate)
            .filter(|o| o[0] == ty && o[2] == Decoration::Offset as u32)
            .map(|o| o[3] + size(members[o[1] as usize]));
        let binding = of(Op::Decorate).find(|o| o[0] == variable[1] && o[1] == Decoration::Binding as u32);
        sizes.insert(binding.map_or(u32::MAX, |o| o[2]), ends.max().unwrap_or(0));
    }
    sizes
}

/// A descriptor range as large as D3D's constant buffer suffices: the block is not larger.
#[test]
fn constant_buffers_are_not_declared_larger_than_they_are() {
    let expected = |class| {
        let buffers = [(0, 36), (1, 36), (2, 36), (3, 36), (4, 36), (5, 12), (6, 24), (8, 24)];
        let results = (class == StorageClass::StorageBuffer).then_some((200, 0));
        buffers.into_iter().chain(results).collect::<HashMap<u32, u32>>()
    };
    let uniform = words("descriptors/constant_buffers", &VULKAN_1_3_DESKTOP, str::to_owned).unwrap();
    assert_eq!(block_sizes(&uniform, StorageClass::Uniform), expected(StorageClass::Uniform));
    let registers = ["b0", "b1", "b2", "b3", "b4", "b5", "b6", "b8"];
    let change = with_type(&registers, "uniform_buffer", "storage_buffer");
    let storage = words("descriptors/constant_buffers", &VULKAN_1_3_DESKTOP, change).unwrap();
    assert_eq!(block_sizes(&storage, StorageClass::StorageBuffer), expected(StorageClass::StorageBuffer));
}

/// The types of the images that a module declares: dimension, multisampled, sampled or storage,
/// format.
fn image_types(words: &[u32]) -> Vec<[u32; 4]> {
    let images = instructions(words).filter(|(op, _)| *op == Op::TypeImage as u32);
    images.map(|(_, operands)| [operands[2], operands[5], operands[6], operands[7]]).collect()
}

#[test]
fn a_multisampled_input_attachment_is_read_by_sample() {
    let change = with_type(&["t2"], "sampled_image", "input_attachment");
    let words = words("own_sample", &VULKAN_1_3_DESKTOP, change).unwrap();
    assert_eq!(image_types(&words), [[Dim::DimSubpassData as u32, 1, 2, 0]]);
    let all: Vec<_> = instructions(&words).collect();
    let index = [Decoration::InputAttachmentIndex as u32, 2];
    let decorated = all.iter().filter(|(op, operands)| *op == Op::Decorate as u32 && operands[1..] == index);
    assert_eq!(decorated.count(), 1, "the index is the register");
    let declared = |wanted: Capability| {
        all.iter().any(|(op, operands)| *op == Op::Capability as u32 && operands[0] == wanted as u32)
    };
    assert!(declared(Capability::InputAttachment));
    assert!(!declared(Capability::StorageImageMultisample) && !declared(Capability::StorageImageReadWithoutFormat));
    let reads = all.iter().filter(|(op, operands)| *op == Op::ImageRead as u32 && operands[4] == 0x40);
    assert_eq!(reads.count(), 2, "each read has a sample operand");
}

/// The refusal of a shader under a plan in which a register has another descriptor type.
fn refusal(name: &str, register: &str, from: &str, to: &str) -> (ErrorKind, String) {
    let error = words(name, &VULKAN_1_3_DESKTOP, with_type(&[register], from, to)).unwrap_err();
    (error.kind(), error.to_string())
}

/// Only the pixel's own texel can be read from an input attachment, and only where that is proved.
#[test]
fn input_attachments_refuse_what_is_not_the_own_texel() {
    for register in ["t0", "t1", "t2", "t3", "t4"] {
        let (kind, text) = refusal("other_pixels", register, "sampled_image", "input_attachment");
        assert_eq!(kind, ErrorKind::Unsupported, "{text}");
        assert!(text.contains(&format!("(resource {register} space0): TextureLoad from")), "{text}");
        assert!(text.contains("at the coordinates SV_Position.xy"), "{text}");
    }
    let (kind, text) = refusal("other_pixels", "t5", "sampled_image", "input_attachment");
    assert_eq!(kind, ErrorKind::Binding, "{text}");
    assert!(text.ends_with("which a Texture2D or Texture2DMS may have, not a Texture2DArray"), "{text}");
    for (name, register) in [("other_pixels", "t6"), ("lod_clamp", "t0")] {
        let (kind, text) = refusal(name, register, "sampled_image", "input_attachment");
        assert_eq!(kind, ErrorKind::Unsupported, "{text}");
        assert!(text.contains("from which only loads of the pixel's own texel are possible"), "{text}");
    }
    let (kind, text) = refusal("descriptors/images", "t0", "sampled_image", "input_attachment");
    assert_eq!(kind, ErrorKind::Unsupported, "{text}");
    let (kind, text) = refusal("texture/load_2d", "t0", "sampled_image", "input_attachment");
    assert_eq!(kind, ErrorKind::Binding, "{text}");
    assert!(text.ends_with("which only pixel shaders read; this is a compute shader"), "{text}");
}

/// Of an array of input attachments, an index that is the same in all lanes picks one.
#[test]
fn indexes_of_input_attachments_are_uniform() {
    let everything = DeviceProfile::named("everything").unwrap();
    let attachments =
        |register| words("attachment_arrays", &everything, with_type(&[register], "sampled_image", "input_attachment"));
    let same = attachments("t0").unwrap();
    assert_eq!(instructions(&same).filter(|(op, _)| *op == Op::ImageRead as u32).count(), 1);
    let error = attachments("t4").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    assert!(error.message().ends_with("a non-uniform index into an array of input attachments"), "{error}");
}

/// What a descriptor type cannot do is refused with the type.
#[test]
fn other_refusals_name_the_descriptor_type() {
    let (kind, text) = refusal("descriptors/images", "t0", "sampled_image", "storage_image");
    assert_eq!(kind, ErrorKind::Unsupported, "{text}");
    assert!(text.contains("is in a storage_image, from which only loads are possible"), "{text}");
    let (kind, text) = refusal("buffer/atomics_64", "u1", "storage_buffer", "storage_texel_buffer");
    assert_eq!(kind, ErrorKind::Unsupported, "{text}");
    assert!(text.contains("64-bit atomic operation") && text.contains("in a storage_texel_buffer"), "{text}");
}

/// A store of halves to texels of 32 bits reads them, so that alone is no variable without reads.
#[test]
fn only_halves_read_the_texels_that_they_are_stored_to() {
    let everything = DeviceProfile::named("everything").unwrap();
    let non_readable = |change: &dyn Fn(&str) -> String| {
        let words = words("written_only", &everything, change).unwrap();
        let all: Vec<_> = instructions(&words).filter(|(op, _)| *op == Op::Decorate as u32).collect();
        let has = |id: u32, what: Decoration| all.iter().any(|(_, operands)| operands[..2] == [id, what as u32]);
        let bindings = all.iter().filter(|(_, operands)| operands[1] == Decoration::Binding as u32);
        let found = bindings.map(|(_, operands)| (operands[2], has(operands[0], Decoration::NonReadable)));
        found.collect::<HashMap<u32, bool>>()
    };
    assert_eq!(non_readable(&str::to_owned), HashMap::from([(200, true), (201, true)]));
    let texels = with_type(&["u0", "u1"], "storage_buffer", "storage_texel_buffer");
    assert_eq!(non_readable(&texels), HashMap::from([(200, false), (201, true)]));
}

/// An array of one descriptor is one variable, whatever index the shader computes: any but 0 is
/// outside of the array.
#[test]
fn an_array_of_one_descriptor_needs_no_index() {
    let words = words("array_of_one", &VULKAN_1_3_DESKTOP, str::to_owned).unwrap();
    let declared = |wanted: Capability| {
        instructions(&words).any(|(op, operands)| op == Op::Capability as u32 && operands[0] == wanted as u32)
    };
    assert!(declared(Capability::Shader) && !declared(Capability::ShaderNonUniform));
    assert!(!declared(Capability::SampledImageArrayDynamicIndexing));
    let fetches = instructions(&words).filter(|(op, _)| *op == Op::ImageFetch as u32);
    assert_eq!(fetches.count(), 2);
}

/// The compiler loads a 64-bit texel as a pair of words.
#[test]
fn wide_texels_are_not_loaded_as_floats() {
    let error = words("wide_texel_as_float", &DeviceProfile::named("everything").unwrap(), str::to_owned).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    assert!(error.message().ends_with("has values of another type than its texels"), "{error}");
}
