//! The places of resources: what a binding plan may say, and what is lowered of it.

use dxil_test_support::{read, repository};
use dxil_translator::{
    BindingPlan, EntryId, ErrorKind, Options, PipelineStage, PlanInputs, Shader, VULKAN_1_3_DESKTOP, plan, translate,
};

use dxil_test_support::spirv::instructions;

fn shader(container: &str) -> Shader {
    Shader::parse(&read(repository().join("tests").join(container))).unwrap()
}

/// The error of a translation under a plan that differs from the default one in the line of a
/// resource.
fn refusal(shader: &Shader, entry: EntryId, line: &str) -> String {
    let options = Options::new(VULKAN_1_3_DESKTOP);
    let key = line.split('.').next().unwrap();
    let shifts = "t=100,u=200,s=300".parse().unwrap();
    let inputs = PlanInputs::new(&options.profile)
        .with_options(dxil_translator::BindingOptions::new(dxil_translator::Model::Register, shifts));
    let default = plan(&[PipelineStage::new(shader, entry)], &inputs).unwrap().stages[0].to_string();
    let (_, resources) = default.split_once("[resources]\n").unwrap();
    let resources: String =
        resources.lines().filter(|line| !line.starts_with(key)).map(|line| format!("{line}\n")).collect();
    let text = format!("[resources]\n{line}\n{resources}");
    let plan = BindingPlan::parse(&text, &shader.program().resources).unwrap();
    let error = translate(shader, entry, &plan, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Binding, "{error}");
    error.to_string()
}

/// A compute shader has no shader record, whatever a plan says.
#[test]
fn only_ray_tracing_shaders_have_records() {
    let library = shader("fixtures/stages/library.dxil");
    let (main, other) = (library.find_entry(Some("main")).unwrap(), library.find_entry(Some("other")).unwrap());
    for (entry, line) in [
        (main, r#""b0 space0".address = { record = 8 }"#),
        (main, r#""b0 space0".record = { offset = 0, size = 16 }"#),
        (main, r#""b0 space0".inline_address = { address = { record = 0 }, offset = 0, size = 16 }"#),
        (main, r#""t0 space0".address = { record = 8 }"#),
        (
            other,
            r#""t2 space0".heap = { descriptor = { set = 3, binding = 0, type = "sampled_image", count = "unbounded" }, table = { record = 16 } }"#,
        ),
    ] {
        let says = "the binding plan has a place in the shader record for a compute shader, but only the shaders of \
                    ray-tracing pipelines have shader records";
        let error = refusal(&library, entry, line);
        assert!(error.ends_with(says), "{line}: {error}");
    }
}

/// An entry point of a library needs places only for the resources that it uses, and only its own
/// features.
#[test]
fn an_entry_point_never_gets_what_only_another_one_needs() {
    let library = shader("fixtures/stages/library.dxil");
    let mut floor = dxil_translator::VULKAN_1_1_FLOOR;
    floor.limits.max_bound_descriptor_sets = 4;
    let shifts = "t=100,u=200,s=300".parse().unwrap();
    let options = dxil_translator::BindingOptions::new(dxil_translator::Model::Register, shifts);
    let inputs = PlanInputs::new(&floor).with_options(options);
    let main = library.find_entry(Some("main")).unwrap();
    let other = library.find_entry(Some("other")).unwrap();
    let plan_of = |entry| plan(&[PipelineStage::new(&library, entry)], &inputs).unwrap().stages[0].clone();
    let used = |plan: &BindingPlan| {
        let lines = plan.to_string();
        let used = lines.lines().filter(|line| line.contains(".descriptor = "));
        used.map(|line| line.split(['"', ' ']).nth(1).unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(used(&plan_of(main)), ["t0", "t1", "u0", "b0"]);
    assert_eq!(used(&plan_of(other)), ["t2", "u1"]);
    // The floor has neither wave operations nor non-uniform indexes, which only `other` needs.
    let translated = |entry| translate(&library, entry, &plan_of(entry), &Options::new(floor.clone()));
    let words = translated(main).expect("it runs on every device").words;
    let error = translated(other).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    assert!(error.message().starts_with("GroupNonUniformArithmetic needs"), "{error}");
    // And its module declares no groupshared variable: OpVariable (59) of storage class Workgroup
    // (4).
    let shared = instructions(&words).find(|(op, operands)| *op == 59 && operands[2] == 4);
    assert_eq!(shared, None, "a groupshared variable of the other entry point");
}

/// Names are found mangled and plain, and errors list what there is as it can be typed.
#[test]
fn entry_points_by_name() {
    let rays = shader("fixtures/newer-dxc/rays.lib_6_6.dxil");
    let (mangled, plain) = (rays.find_entry(Some("?gen@@YAXXZ")).unwrap(), rays.find_entry(Some("gen")).unwrap());
    assert_eq!(mangled, plain);
    assert_eq!(&*rays.entry(plain).unwrap().name, "?gen@@YAXXZ");
    let error = rays.find_entry(Some("main")).unwrap_err().to_string();
    assert_eq!(
        error,
        "unsupported at input: no entry point `main`; the container has `?any@@YAXUPayload@@UAttr@@@Z`, \
         `?call@@YAXUPayload@@@Z`, `?gen@@YAXXZ`, `?hit@@YAXUPayload@@UAttr@@@Z`, `?isect@@YAXXZ`, \
         `?miss@@YAXUPayload@@@Z`"
    );
    let error = rays.find_entry(None).unwrap_err().to_string();
    assert!(
        error.starts_with("unsupported at input: the container has several entry points; name one of `?any"),
        "{error}"
    );
    let compute = shader("fixtures/buffer/atomics_raw.dxil");
    assert_eq!(compute.find_entry(Some("main")).unwrap(), EntryId::FIRST);
    assert_eq!(compute.find_entry(None).unwrap(), EntryId::FIRST);
}

/// What `annotateHandle` says of a resource agrees with its declaration, or the module is
/// malformed.
#[test]
fn annotations_that_contradict_declarations_are_malformed() {
    let parse = |name: &str| Shader::parse(&read(format!("tests/shaders/annotations/{name}.dxil")));
    assert!(parse("agrees").is_ok());
    let raw = "u0 space0 ByteAddressBuffer";
    let cases = [
        ("kind", raw, "of kind StructuredBuffer"),
        ("uav", raw, "not a UAV"),
        ("ordered", raw, "rasterizer-ordered"),
        ("stride", "u1 space0 StructuredBuffer size 8", "made of elements of 16 bytes"),
        ("element", "t0 space0 Texture2D<f32>", "made of u32"),
    ];
    for (name, resource, what) in cases {
        let error = parse(name).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Malformed, "{name}: {error}");
        let expected = format!("annotateHandle says that {resource} is {what}, which its declaration contradicts");
        assert_eq!(error.message(), expected, "{name}");
    }
    let error = parse("unknown_kind").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    assert_eq!(error.message(), "annotateHandle with resource kind 204");
}
