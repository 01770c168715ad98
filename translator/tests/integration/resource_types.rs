//! Checks the table of HLSL's resource types against a container of each type: the metadata, the
//! properties in `annotateHandle`, and the type in the SPIR-V of its translation. `BLESS=1` writes
//! docs/resources.md from the table.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use dxil_bitcode as bitcode;
use dxil_test_support::golden;
use dxil_translator::container::Container;
use dxil_translator::decode::metadata;
use dxil_translator::ir::args;
use dxil_translator::ir::args::Args;
use dxil_translator::ir::properties::Properties;
use dxil_translator::ir::resource_types::{ResourceType, Spirv, TYPES, describe, resources_markdown};
use dxil_translator::ir::resources::{ElementDeclaration, Resource};
use dxil_translator::ir::{ConstKind, InstData};
use dxil_translator::ops::NO_FEEDBACK;
use dxil_translator::ops::OpCode;
use dxil_translator::ops::consts::ResourceKind;
use dxil_translator::{
    BindingOptions, DeviceProfile, Error, ErrorKind, Model, Options, PipelineStage, PlanInputs, RegisterShifts, Shader,
    VULKAN_1_3_DESKTOP, plan, translate,
};
use rspirv::spirv::{Decoration, Dim, Op, StorageClass};

use dxil_test_support::spirv::instructions;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The container of a type.
fn container(row: &ResourceType) -> Vec<u8> {
    let fixtures = root().join("tests/fixtures");
    let path = match row.hlsl {
        // The pinned compiler does not have these types.
        "RWTexture2DMS" => fixtures.join("newer-dxc/rw_texture2dms.ps_6_7.dxil"),
        "RWTexture2DMSArray" => fixtures.join("newer-dxc/rw_texture2dms_array.ps_6_7.dxil"),
        name => fixtures.join(format!("resource-types/types.{name}.dxil")),
    };
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The resource under test is the one in space 1.
fn declared(bytes: &[u8]) -> (bitcode::Module, Resource, ElementDeclaration) {
    let module = bitcode::read(Container::parse(bytes).unwrap().program().unwrap().bitcode).unwrap();
    let metadata = metadata::read(&module).unwrap();
    let mut found = metadata.resources.values().zip(metadata.shapes.values()).filter(|(r, _)| r.space == 1);
    let (resource, shape) = found.next().expect("a resource in space 1");
    assert!(found.next().is_none());
    let (resource, shape) = (resource.clone(), shape.clone());
    (module, resource, shape)
}

/// The words of the `annotateHandle` of the resource.
fn annotated(bytes: &[u8]) -> Properties {
    let shader = Shader::parse(bytes).unwrap();
    let program = shader.program();
    let mut found = BTreeSet::new();
    for (func, function) in program.module.functions.iter() {
        for (inst, data) in function.insts.iter() {
            let &InstData::Op { op: OpCode::AnnotateHandle, args, .. } = data else { continue };
            let handle = program.handles.of(func).get(function.result(inst).unwrap()).unwrap();
            if program.resources[handle.resource].space != 1 {
                continue;
            }
            let props = args::AnnotateHandle::view(function.list(args)).unwrap().props;
            let words = match &program.module.consts[props.as_const().unwrap()].kind {
                ConstKind::Aggregate(fields) => {
                    fields.iter().map(|&field| program.module.consts.as_uint(field).unwrap() as u32).collect()
                }
                ConstKind::Null => vec![0, 0],
                other => panic!("properties {other:?}"),
            };
            found.insert((words[0], words[1]));
        }
    }
    assert_eq!(found.len(), 1, "one annotation, or equal ones: {found:x?}");
    let &(basic, extended) = found.first().unwrap();
    Properties { basic, extended }
}

/// The type of the variable of set 1 in the translation, in the notation of the table.
fn emitted(bytes: &[u8]) -> Result<String, Error> {
    let text = format!(
        "{VULKAN_1_3_DESKTOP}features.fragmentShaderPixelInterlock = true\nfeatures.shaderStorageImageMultisample = true\n\
         features.rayQuery = true\n"
    );
    let profile = DeviceProfile::parse(&text).unwrap();
    let shader = Shader::parse(bytes)?;
    let entry = shader.find_entry(None)?;
    let shifts = RegisterShifts { b: 0, t: 100, u: 200, s: 300, c: 1000 };
    let inputs = PlanInputs::new(&profile).with_options(BindingOptions::new(Model::Register, shifts));
    let plan = plan(&[PipelineStage::new(&shader, entry)], &inputs)?;
    let words = translate(&shader, entry, &plan.stages[0], &Options::new(profile.clone()))?.words;
    Ok(type_in_set_1(&words))
}

fn type_in_set_1(words: &[u32]) -> String {
    let instructions: Vec<_> = instructions(words).collect();
    let results: BTreeMap<u32, (u32, &[u32])> = instructions
        .iter()
        .filter(|(op, _)| {
            let plain = Op::TypeVoid as u32..=Op::TypeForwardPointer as u32;
            plain.contains(op) || *op == Op::TypeAccelerationStructureKHR as u32
        })
        .map(|&(op, operands)| (operands[0], (op, operands)))
        .collect();
    let decorated = |id: u32, decoration: Decoration| {
        let mut all = instructions.iter().filter(|(op, _)| *op == Op::Decorate as u32);
        all.find(|(_, operands)| operands[0] == id && operands[1] == decoration as u32)
            .map(|(_, operands)| operands[2..].to_vec())
    };
    let variables = instructions.iter().filter(|(op, _)| *op == Op::Variable as u32);
    let counter = 1000;
    let of_set_1: Vec<_> = variables
        .filter(|(_, operands)| decorated(operands[1], Decoration::DescriptorSet) == Some(vec![1]))
        .filter(|(_, operands)| decorated(operands[1], Decoration::Binding) != Some(vec![counter]))
        .collect();
    let [(_, variable)] = of_set_1.as_slice() else { panic!("{} variables in set 1", of_set_1.len()) };
    let (_, pointer) = results[&variable[0]];
    let (op, operands) = results[&pointer[2]];
    let name = |number: u32| {
        let (op, operands) = results[&number];
        match (op, operands[1..].first(), operands[1..].last()) {
            (op, _, _) if op == Op::TypeFloat as u32 => "%float",
            (_, Some(32), Some(1)) => "%int",
            (_, Some(32), Some(0)) => "%uint",
            other => panic!("component type {other:?}"),
        }
    };
    let class = variable[2];
    match op {
        op if op == Op::TypeImage as u32 => {
            let dim = [
                (Dim::Dim1D, "1D"),
                (Dim::Dim2D, "2D"),
                (Dim::Dim3D, "3D"),
                (Dim::DimCube, "Cube"),
                (Dim::DimBuffer, "Buffer"),
            ];
            let (_, dim) = dim.into_iter().find(|(dim, _)| *dim as u32 == operands[2]).unwrap();
            let rest: Vec<String> = operands[3..7].iter().map(u32::to_string).collect();
            format!("OpTypeImage {} {dim} {}", name(operands[1]), rest.join(" "))
        }
        op if op == Op::TypeSampler as u32 => "OpTypeSampler".to_owned(),
        op if op == Op::TypeAccelerationStructureKHR as u32 => "OpTypeAccelerationStructureKHR".to_owned(),
        op if op == Op::TypeStruct as u32 => {
            assert!(decorated(operands[0], Decoration::Block).is_some());
            let class = match class {
                class if class == StorageClass::Uniform as u32 => "Uniform",
                class if class == StorageClass::StorageBuffer as u32 => "StorageBuffer",
                other => panic!("storage class {other}"),
            };
            format!("OpTypeStruct, Block, in {class}")
        }
        other => panic!("the variable has a type of opcode {other}"),
    }
}

#[test]
fn metadata_says_the_row() {
    for row in TYPES {
        let (_, resource, shape) = declared(&container(row));
        let rows: Vec<&str> = ResourceType::matching(&resource).map(|row| row.hlsl).collect();
        assert!(rows.contains(&row.hlsl), "{}: {resource} is {rows:?}", row.hlsl);
        assert_eq!(shape.feedback.is_some(), matches!(row.spirv, Spirv::None(_)), "{}", row.hlsl);
        // Only these cannot be distinguished.
        let same = match row.hlsl {
            "ConstantBuffer" | "cbuffer" => &["ConstantBuffer", "cbuffer"][..],
            "TextureBuffer" | "tbuffer" => &["TextureBuffer", "tbuffer"],
            "AppendStructuredBuffer" | "ConsumeStructuredBuffer" => {
                &["RWStructuredBuffer", "AppendStructuredBuffer", "ConsumeStructuredBuffer"]
            }
            name => &[name],
        };
        assert_eq!(rows, same, "{resource}");
    }
}

#[test]
fn annotate_handle_says_the_row() {
    for row in TYPES {
        let bytes = container(row);
        let (_, resource, shape) = declared(&bytes);
        let (mut expected, mut found) = (Properties::from_resource(&resource, &shape), annotated(&bytes));
        if row.kind == ResourceKind::StructuredBuffer {
            // The alignment of an element, which the declaration does not have.
            found.basic &= !0xf00;
        }
        if row.kind == ResourceKind::TBuffer {
            // The size of `Element`, which the declaration does not have.
            assert_eq!((expected.extended, found.extended), (0, 20), "{}", row.hlsl);
            found.extended = 0;
        }
        if matches!(row.kind, ResourceKind::Texture2DMS | ResourceKind::Texture2DMSArray) {
            // Compilers disagree about samples: the pinned one writes those of an SRV into the
            // declaration alone, the newer one those of a UAV into the annotation alone.
            assert!(expected.extended >> 16 == 0 || found.extended >> 16 == 0, "{}", row.hlsl);
            expected.extended &= 0xffff;
            found.extended &= 0xffff;
        }
        let hex = |p: Properties| format!("{:x} {:x}", p.basic, p.extended);
        assert_eq!(hex(found), hex(expected), "{}", row.hlsl);
    }
}

#[test]
fn translation_emits_the_row() {
    let mut refused = Vec::new();
    for row in TYPES {
        let bytes = container(row);
        match emitted(&bytes) {
            Ok(found) => assert_eq!(found, row.spirv_type(&declared(&bytes).1), "{}", row.hlsl),
            Err(error) => refused.push((row.hlsl, error)),
        }
    }
    let [(first, _), (second, _)] = refused.as_slice() else { panic!("{refused:?}") };
    assert_eq!([*first, second], ["FeedbackTexture2D", "FeedbackTexture2DArray"]);
    for (_, error) in &refused {
        assert!(error.kind() == ErrorKind::Unsupported && error.message().ends_with(NO_FEEDBACK), "{error}");
    }
}

#[test]
fn llvm_types() {
    // By hand from LLVM's documentation and the declarations in types.hlsl.
    let llvm = [
        ("Texture1D", "target(\"dx.Texture\", <4 x float>, 0, 0, 0, Texture1D)"),
        ("Texture2DArray", "target(\"dx.Texture\", <3 x i32>, 0, 0, 1, Texture2DArray)"),
        ("Texture2DMS", "target(\"dx.MSTexture\", <4 x float>, 0, 4, 0, Texture2DMS)"),
        ("RWTexture1DArray", "target(\"dx.Texture\", i32, 1, 0, 1, Texture1DArray)"),
        ("RWTexture2DArray", "target(\"dx.Texture\", <4 x i32>, 1, 0, 0, Texture2DArray)"),
        ("RasterizerOrderedTexture2DArray", "target(\"dx.Texture\", <4 x i32>, 1, 1, 1, Texture2DArray)"),
        ("FeedbackTexture2DArray", "target(\"dx.FeedbackTexture\", 1, FeedbackTexture2DArray)"),
        ("Buffer", "target(\"dx.TypedBuffer\", <2 x double>, 0, 0, 0)"),
        ("RWBuffer", "target(\"dx.TypedBuffer\", <2 x i32>, 1, 0, 1)"),
        ("RasterizerOrderedByteAddressBuffer", "target(\"dx.RawBuffer\", i8, 1, 1)"),
        ("StructuredBuffer", "target(\"dx.RawBuffer\", <4 x float>, 0, 0)"),
        ("AppendStructuredBuffer", "target(\"dx.RawBuffer\", %struct.Element, 1, 0)"),
        ("ConstantBuffer", "target(\"dx.CBuffer\", %r)"),
        ("SamplerComparisonState", "target(\"dx.Sampler\", 1)"),
    ];
    for (name, expected) in llvm {
        let row = TYPES.iter().find(|row| row.hlsl == name).unwrap();
        let (module, resource, shape) = declared(&container(row));
        assert_eq!(row.llvm_type(&module, &resource, &shape).as_deref(), Some(expected), "{name}");
    }
}

#[test]
fn a_resource_in_words() {
    let row = TYPES.iter().find(|row| row.hlsl == "ConsumeStructuredBuffer").unwrap();
    let (module, resource, shape) = declared(&container(row));
    let expected = [
        "HLSL: RWStructuredBuffer or AppendStructuredBuffer or ConsumeStructuredBuffer",
        "annotateHandle: 0x0000900c 0x00000004",
        "LLVM: target(\"dx.RawBuffer\", i32, 1, 0)",
        "SPIR-V: OpTypeStruct, Block, in StorageBuffer",
    ];
    assert_eq!(describe(&module, &resource, &shape), expected);
}

#[test]
fn names_are_all_different() {
    let names: BTreeSet<&str> = TYPES.iter().map(|row| row.hlsl).collect();
    // 39 object types, and the declarations `cbuffer` and `tbuffer`.
    assert_eq!((names.len(), TYPES.len()), (41, 41));
}

#[test]
fn resources_md_is_true() {
    golden::check("docs/resources.md", &resources_markdown());
}
