use super::*;
use crate::compare::Want;
use crate::spec::rays::Data;
use crate::spec::{Mips, Pattern, SetBinding, parse_word};

fn read(text: &str) -> Result<Fixture> {
    parse("group/name", Path::new("group/name.hlsl"), text)
}

const COMPUTE: &str = "//! stage cs_6_0 main\n//! dispatch 4 1 1\n//! judge spirv\n";

#[test]
fn the_documented_example() {
    let fixture = read(
        "//! stage cs_6_0 main\n//! dispatch 4 1 1\n//! resource t0 raw_buffer 64 edges_u32\n\
         //! resource u0 raw_buffer 1024 out zero # a remark\n//! judge spirv\nByteAddressBuffer src : register(t0);\n",
    )
    .unwrap();
    assert_eq!(fixture.steps, [Step::Run(0, Work::Dispatch([4, 1, 1]))]);
    assert_eq!(fixture.outputs(), ["u0"]);
    let places: Vec<_> = fixture.resources.iter().map(|resource| resource.place.binding).collect();
    assert_eq!(places, [100, 200]);
    assert_eq!(fixture.resources[1].descriptor, vk::DescriptorType::STORAGE_BUFFER);
    assert_eq!(
        fixture.code_path(&fixture.passes[0], &fixture.passes[0].stages[0], "dxil"),
        Path::new("group/name.dxil")
    );
}

#[test]
fn resources_with_options() {
    let text = format!(
        "{COMPUTE}//! resource t1,2 texture2d rgba8_unorm 8 4 6 3 random_u32 5 view=cube with=s0\n\
         //! resource s0 sampler linear nearest linear border static compare=less border=white lod_bias=-1.5\n\
         //! resource u3,1 typed_buffer rg32_uint 16 out fill -1 count=2 at=3.7\n"
    );
    let fixture = read(&text).unwrap();
    let [texture, sampler, buffer] = &fixture.resources[..] else { panic!("three resources") };
    assert_eq!(texture.place, SetBinding { set: 2, binding: 101 });
    assert_eq!(texture.descriptor, vk::DescriptorType::COMBINED_IMAGE_SAMPLER);
    // 6 faces of 8×4, 4×2 and 2×1 texels.
    assert_eq!(texture.words(), 6 * (32 + 8 + 2));
    let Kind::Sampler(state) = sampler.kind else { panic!("a sampler") };
    assert!(state.fixed && state.compare == Some(vk::CompareOp::LESS) && state.bias == -1.5);
    assert_eq!((buffer.place, buffer.count), (SetBinding { set: 3, binding: 7 }, 2));
    assert_eq!(buffer.pattern, Pattern::Fill(u32::MAX));
    assert_eq!(fixture.outputs(), ["u3_1"]);
}

#[test]
fn a_draw() {
    let fixture = read(
        "//! stage vs_6_0 v\n//! stage ps_6_0 p\n//! draw 3 2\n//! target rgba32_sfloat 4 4\n//! depth less 1.0 out\n\
         //! vertex 0 rgb32_sfloat words 1.0 2 0x3\n//! tolerance * f32 ulp=2\n//! tolerance target0 unorm8 1\n\
         //! tolerance target0 mismatch 3\n//! judge expect\n//! expect target0 1.0 _ nan\n",
    )
    .unwrap();
    let draw = Draw { vertices: 3, instances: 2, first_vertex: 0, first_instance: 0 };
    assert_eq!(fixture.steps, [Step::Run(0, Work::Draw(draw))]);
    assert_eq!(fixture.outputs(), ["target0", "depth"]);
    assert_eq!(
        fixture.code_path(&fixture.passes[0], &fixture.passes[0].stages[1], "spv"),
        Path::new("group/name.ps.spv")
    );
    assert_eq!(fixture.tolerance_of("target0"), Tolerance { close: Close::Unorm8(1), mismatches: 3 });
    assert_eq!(fixture.tolerance_of("depth").close, Close::F32 { ulp: 2, abs: 0.0 });
    assert_eq!(fixture.expect[0].1, [Want::Word(0x3f80_0000), Want::Any, Want::AnyNan]);
}

#[test]
fn words() {
    for (text, word) in [
        ("0xff", Some(255)),
        ("-1", Some(u32::MAX)),
        ("4294967295", Some(u32::MAX)),
        ("4294967296", None),
        ("-2147483649", None),
        ("1.5", Some(0x3fc0_0000)),
        ("-2e-3", Some((-2e-3f32).to_bits())),
        ("-inf", Some(0xff80_0000)),
        ("x", None),
    ] {
        assert_eq!(parse_word(text), word, "{text}");
    }
}

#[test]
fn faults_name_their_line() {
    for (line, part) in [
        ("//! frobnicate", "line 4: unknown directive"),
        ("//! include none.directives", "line 4: group/none.directives: "),
        ("//! resource t0 raw_buffer 64 out", "PATTERN is missing"),
        ("//! resource t0 raw_buffer 64 zero extra", "unexpected word `extra`"),
        ("//! resource t0 raw_buffer 64 zero what=1", "unexpected option `what=1`"),
        ("//! resource b0 texture2d r32_uint 4 4 1 1 zero", "cannot be at register b0"),
        ("//! resource t0 texture2d r32_uint 4 4 1 4 zero", "mips are too many"),
        ("//! resource t0 raw_buffer 4294967295 zero", "out of range"),
        ("//! resource t0 texture2d r32_uint 4 4 1 1 zero with=s9", "does not name a sampler"),
        ("//! require warp_drive", "unknown feature"),
        ("//! fault lavapipe miscounts", "invalid WHO `lavapipe`"),
        ("//! fault swiftshader", "needs a description"),
        ("//! tolerance u9 f32 ulp=1", "unknown output `u9`"),
        ("//! draw 3", "`dispatch` needs exactly one compute stage"),
        ("int x;\n//! judge expect", "line 5: directives must come before the first line of code"),
    ] {
        let error =
            read(&format!("{COMPUTE}{line}\n//! resource u0 raw_buffer 64 out zero\n")).unwrap_err().to_string();
        assert!(error.contains(part) || error.contains("directives must come before"), "{line}: {error}");
    }
    assert!(read(COMPUTE).unwrap_err().to_string().contains("no output"));
    assert!(read("//! stage cs_6_0 main\n").unwrap_err().to_string().contains("neither"));
}

#[test]
fn descriptor_types() {
    let lines = "//! resource u0 raw_buffer 64 out zero as=storage_buffer_dynamic offset=512\n\
        //! resource b0,1 cbuffer 20 zero as=inline_uniform_block\n//! push_set 2\n";
    let fixture = read(&format!("{COMPUTE}{lines}")).unwrap();
    assert_eq!((fixture.push_set, fixture.resources[0].offset), (Some(2), 512));
    assert_eq!(fixture.resources.iter().map(Resource::descriptor_count).collect::<Vec<_>>(), [1, 20]);
    for (line, part) in [
        ("resource u1 raw_buffer 64 zero offset=256", "`offset` is for dynamic buffers"),
        ("resource u1 raw_buffer 64 zero as=storage_buffer_dynamic offset=128", "a multiple of 256"),
        ("resource b1 cbuffer 18 zero as=inline_uniform_block", "one constant buffer of whole words"),
        ("resource t1 raw_buffer 16 zero as=input_attachment", "an input attachment is a texture"),
        ("resource t1 texture2d r32_uint 1 1 1 1 is=u0 as=input_attachment", "an input attachment cannot have `is=`"),
        ("resource b1,2 cbuffer 16 zero as=uniform_buffer_dynamic", "a push-descriptor set has neither"),
    ] {
        let error = read(&format!("{COMPUTE}{lines}//! {line}\n")).unwrap_err().to_string();
        assert!(error.contains(part), "{line}: {error}");
    }
}

#[test]
fn descriptor_buffers() {
    let lines = "//! resource u0 raw_buffer 64 out zero\n";
    assert!(!read(&format!("{COMPUTE}{lines}")).unwrap().descriptor_buffer);
    let lines = format!("{lines}//! descriptor_buffer\n");
    let fixture = read(&format!("{COMPUTE}{lines}//! resource s0 sampler linear linear linear clamp\n")).unwrap();
    assert!(fixture.descriptor_buffer);
    assert_eq!(fixture.require, ["descriptor_buffer", "buffer_device_address"]);
    for (line, part) in [
        ("descriptor_buffer 1", "unexpected word `1`"),
        ("push_set 0", "no `push_set` and no `libraries`"),
        ("libraries vertex=0 fragment=0", "no `push_set` and no `libraries`"),
        ("resource s0 sampler linear linear linear clamp static", "no `static` samplers"),
        ("resource u1 raw_buffer 64 zero as=storage_buffer_dynamic", "no STORAGE_BUFFER_DYNAMIC"),
        ("resource b0 cbuffer 16 zero as=uniform_buffer_dynamic", "no UNIFORM_BUFFER_DYNAMIC"),
        ("resource b0 cbuffer 16 zero as=inline_uniform_block", "no INLINE_UNIFORM_BLOCK"),
        ("resource t1 texture2d r32_uint 1 1 1 1 zero as=input_attachment", "no INPUT_ATTACHMENT"),
    ] {
        let error = read(&format!("{COMPUTE}{lines}//! {line}\n")).unwrap_err().to_string();
        assert!(error.contains(part), "{line}: {error}");
    }
}

#[test]
fn addresses_in_buffers() {
    let lines = "//! resource u0 raw_buffer 64 out zero\n//! resource t9 raw_buffer 64 zero at=2.0\n";
    let fixture = read(&format!("{COMPUTE}{lines}//! resource c1 raw_buffer 4 zero count=3 at=t9.5\n")).unwrap();
    let listed = &fixture.resources[2];
    assert_eq!((listed.described, listed.listed), (false, Some((fixture.resources[1].register, 5))));
    for (line, part) in [
        ("resource c1 raw_buffer 4 zero count=3 at=t9.6", "`at=` must name elements of an earlier raw, structured"),
        ("resource c1 raw_buffer 4 zero at=t8.0", "`at=` must name elements of an earlier raw, structured"),
        ("resource c1 raw_buffer 4 zero at=t9.x", "and of raw and structured buffers without `is=`"),
        ("resource t1 typed_buffer r32_uint 4 zero at=t9.0", "and of raw and structured buffers without `is=`"),
    ] {
        let error = read(&format!("{COMPUTE}{lines}//! {line}\n")).unwrap_err().to_string();
        assert!(error.contains(part), "{line}: {error}");
    }
}

const PROGRAM: &str = "//! resource u0 texture2d rgba16_sfloat 64 32 1 2 out zero\n//! resource t0 texture2d rgba16_sfloat 64 32 1 2 is=u0 mip=1\n\
    //! resource t1 texture2d d32_sfloat 64 32 2 1 zero view=2d_array\n//! resource b0 cbuffer 16 zero\n//! judge spirv\n\
    //! pass fill\n//! stage cs_6_0 fill\n\
    //! pass shade\n//! stage vs_6_0 vs\n//! stage ps_6_0 ps\n//! target u0 clear mip=1\n//! target rgba8_unorm 32 16\n\
    //! depth less 1.0 into=t1 layer=1\n//! blend add\n\
    //! run fill 8 8 1\n//! update b0 1 2.0\n//! run shade 3\n//! run fill 1 1 1\n";

#[test]
fn a_program_of_passes() {
    let fixture = read(PROGRAM).unwrap();
    let draw = Draw { vertices: 3, instances: 1, first_vertex: 0, first_instance: 0 };
    let steps = [
        Step::Run(0, Work::Dispatch([8, 8, 1])),
        Step::Update(3, vec![1, 0x4000_0000]),
        Step::Run(1, Work::Draw(draw)),
        Step::Run(0, Work::Dispatch([1, 1, 1])),
    ];
    assert_eq!(fixture.steps, steps);
    assert_eq!(fixture.draws(1).collect::<Vec<_>>(), [draw]);
    assert_eq!(fixture.outputs(), ["u0", "shade.target1"]);
    assert_eq!(fixture.stages().count(), 3);
    assert_eq!(
        fixture.code_path(&fixture.passes[0], &fixture.passes[0].stages[0], "spv"),
        Path::new("group/name.fill.cs.spv")
    );
    assert_eq!(fixture.memory_of(&fixture.resources[1]), Some(0));
    assert_eq!(fixture.resources[1].mips, Mips::One(1));
    let shade = &fixture.passes[1];
    assert_eq!((shade.area(), shade.blend), ([32, 16], Blend::Add));
    let [color, own] = shade.targets[..] else { panic!("two targets") };
    assert!(color.clear && color.part.is_some_and(|part| (part.mip, part.layer) == (1, 0)));
    assert!(own.clear && own.part.is_none());
    let (part, size) = shade.depth.unwrap().part.unwrap();
    assert_eq!((part.layer, size), (1, [64, 32]));
}

#[test]
fn faults_of_programs() {
    for (from, to, part) in [
        ("run shade 3", "run shadow 3", "unknown pass `shadow`"),
        ("run shade 3", "run fill 3", "Y is missing"),
        ("run shade 3\n", "pass late\n", "must come before the first step"),
        ("run shade 3\n", "draw 3\n", "is not allowed in a pass"),
        ("run shade 3\n", "update b0 1\n", "pass `shade` never runs"),
        ("update b0 1 2.0", "update b0 1 2 3 4 5", "not a buffer with space for 5 words"),
        ("update b0 1 2.0", "update u0 1", "not a buffer"),
        ("pass shade", "pass fill", "invalid pass name"),
        ("pass fill\n", "cull back\n//! pass fill\n", "before the first `pass`"),
        ("pass shade\n", "pass shade\n//! judge expect\n", "is not allowed in a pass"),
        ("target u0 clear mip=1", "target u0 clear mip=2", "does not have this mip"),
        ("target u0 clear mip=1", "target b0", "is not a texture"),
        ("is=u0 mip=1", "is=u1", "must name an earlier resource"),
        ("2 is=u0 mip=1", "1 is=u0", "t0 does not fit u0"),
        ("is=u0 mip=1", "is=u0 mip=2", "no mip 2"),
        ("is=u0 mip=1", "is=u0 mip=each count=3", "t0 does not fit u0"),
        ("less 1.0 into=t1", "less 1.0 out into=t1", "must be on the line of the resource"),
        ("less 1.0 into=t1 layer=1", "less keep", "`keep` needs"),
        ("target rgba8_unorm 32 16", "target rgba8_unorm 16 16", "target 0 is larger"),
    ] {
        assert!(PROGRAM.contains(from), "{from}");
        let error = read(&PROGRAM.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(part), "{to}: {error}");
    }
    assert!(read(&format!("{COMPUTE}//! run main 1 1 1\n")).unwrap_err().to_string().contains("needs a `pass`"));
}

const SCENE: &str = "//! geometry g triangles 4 opaque words 0.0 1.0 index=u16:0,1,2,2,1,3 transform=1,0,0,5,0,1,0,0,0,0,1,0\n\
     //! geometry h boxes 2 no_duplicate iota_f32\n//! bottom tri g g\n//! bottom box h\n//! top a\n//! top b\n\
     //! instance a tri id=0xabcdef mask=0x0f contribution=3 flags=cull_disable+force_opaque\n\
     //! instance a null transform=2,0,0,0,0,2,0,0,0,0,2,0\n";

#[test]
fn acceleration_structures() {
    let text = format!(
        "{COMPUTE}{SCENE}//! resource t0 acceleration_structure a null b\n\
         //! resource t9 acceleration_structure b count=2\n//! resource u0 raw_buffer 4 out zero\n"
    );
    let fixture = read(&text).unwrap();
    let [g, h] = &fixture.scene.geometries[..] else { panic!("two geometries") };
    assert_eq!((g.primitives(), g.stride(), g.flags), (2, 3, vk::GeometryFlagsKHR::OPAQUE));
    assert_eq!((h.primitives(), h.stride()), (2, 6));
    assert_eq!(fixture.scene.bottoms[0].geometries, [0, 0]);
    let [first, second] = &fixture.scene.tops[0].instances[..] else { panic!("two instances") };
    assert_eq!((first.bottom, first.id, first.mask, first.contribution), (Some(0), 0x00ab_cdef, 0x0f, 3));
    assert_eq!((second.bottom, second.mask, second.transform[5]), (None, 0xff, 2.0));
    assert_eq!([fixture.resources[0].count, fixture.resources[1].count], [3, 2]);
    assert_eq!(fixture.resources[0].descriptor, vk::DescriptorType::ACCELERATION_STRUCTURE_KHR);
    assert!(["acceleration_structure", "null_descriptor"].iter().all(|it| fixture.require.iter().any(|own| own == it)));
}

#[test]
fn refused_acceleration_structures() {
    let refused = |line: &str, part: &str| {
        let text = format!("{COMPUTE}{SCENE}//! push 8 zero\n//! resource u0 raw_buffer 4 out zero\n//! {line}\n");
        let error = read(&text).expect_err(line).to_string();
        assert!(error.contains(part), "{line}: {error}");
    };
    refused("geometry g boxes 1 zero", "`g` is taken");
    refused("geometry x triangles 4 zero", "three vertices");
    refused("geometry x triangles 4 zero index=u16:0,1,4", "below 4");
    refused("geometry x triangles 3 zero transform=1,2", "12 numbers");
    refused("geometry x boxes 1 zero index=u16:0", "unexpected option");
    refused("bottom x g h", "all triangles or all boxes");
    refused("bottom x y", "no earlier geometry `y`");
    refused("instance c tri", "no earlier `top c`");
    refused("instance a x", "no earlier `bottom x`");
    refused("instance a tri mask=256", "at most 8 bits");
    refused("instance a tri flags=opaque", "invalid flag");
    refused("resource t0 acceleration_structure tri", "no `top tri`");
    refused("resource u1 acceleration_structure a", "cannot be at register u1");
    refused("resource t0 acceleration_structure a b count=3", "does not agree");
    refused("resource t0 acceleration_structure a as=storage_buffer", "its own descriptor type");
}

const RAYS: &str = "//! stage lib_6_3 a b\n//! stage lib_6_3 c d e\n//! group gen general a\n//! group sky general b\n\
     //! group tri triangles closest=c any=d\n//! group box procedural intersection=e closest=c\n\
     //! record raygen gen\n//! record miss sky 7 1.0 address(u0)+4\n//! record miss null\n\
     //! record hit tri\n//! record hit box\n//! rays 8 4 2\n//! resource u0 raw_buffer 8 out zero\n//! judge spirv\n";

#[test]
fn a_ray_tracing_pipeline() {
    let fixture =
        read(&format!("{RAYS}//! recursion 3\n//! pipeline_library tri sky\n//! skip boxes\n//! deferred\n")).unwrap();
    let [pass] = &fixture.passes[..] else { panic!("one pass") };
    assert_eq!(fixture.steps, [Step::Run(0, Work::Rays { size: [8, 4, 2], raygen: 0 })]);
    let paths: Vec<_> = fixture.stages().map(|(pass, stage)| fixture.code_path(pass, stage, "dxil")).collect();
    assert_eq!(paths, [Path::new("group/name.lib0.dxil"), Path::new("group/name.lib1.dxil")]);
    let flags = vk::ShaderStageFlags::RAYGEN_KHR
        | vk::ShaderStageFlags::MISS_KHR
        | vk::ShaderStageFlags::CLOSEST_HIT_KHR
        | vk::ShaderStageFlags::ANY_HIT_KHR
        | vk::ShaderStageFlags::INTERSECTION_KHR;
    assert_eq!(fixture.stage_flags(), flags);
    // The closest-hit shader is in two groups but is one stage.
    assert_eq!(pass.rays.all_entries().len(), 5);
    // Own groups come first, then those of the library in the order of its line.
    assert_eq!([0, 1, 2, 3].map(|group| pass.rays.place(group)), [Some(0), Some(3), Some(2), Some(1)]);
    assert!(pass.rays.recursion == 3 && pass.rays.deferred);
    let miss = &pass.rays.records[1];
    let register = Register { class: 'u', number: 0, space: 0 };
    assert_eq!(miss.data, [Data::Word(7), Data::Word(1f32.to_bits()), Data::Address(register, 4)]);
    assert_eq!((miss.data_bytes(), pass.rays.records[2].group), (16, None));
    let needed = ["ray_tracing_pipeline", "ray_traversal_primitive_culling"];
    assert!(needed.iter().all(|name| fixture.require.iter().any(|own| own == name)));
}

#[test]
fn refused_ray_tracing_pipelines() {
    let refused = |line: &str, part: &str| {
        let error = read(&format!("{RAYS}//! {line}\n")).expect_err(line).to_string();
        assert!(error.contains(part), "{line}: {error}");
    };
    refused("group tri general a", "`tri` is taken");
    refused("group x procedural closest=c", "needs `intersection=`");
    refused("group x general z", "no `stage` line has the entry point `z`");
    refused("group x general a", "no record has the general group");
    refused("record raygen tri", "hit records have");
    refused("record hit gen", "hit records have");
    refused("record miss gen", "one table only");
    refused("record raygen null", "cannot be null");
    refused("record hit tri 1 address(u0)", "multiple of 8");
    refused("record hit tri address(u9)", "neither a buffer");
    refused("pipeline_library x", "no earlier `group x`");
    refused("rays 1 1 1 raygen=1", "its `record raygen`");
    refused("resource t0 raw_buffer 4 zero at=record", "needs a record with");
    refused("stage lib_6_3 f", "no group has the entry point `f`");
    refused("draw 3", "`draw` needs graphics stages");
    let compute = read(&format!("{COMPUTE}//! group x triangles\n//! resource u0 raw_buffer 4 out zero\n"));
    assert!(compute.unwrap_err().to_string().contains("stages are libraries"));
}
