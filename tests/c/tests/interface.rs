//! The interface under a program in C, which is one in C++ as well: null, wrong sizes, wrong
//! orders, malformed bytes, two threads, and the words.

use dxil_c_programs::{Language, Program, compile, said};
use dxil_test_support::{TempFolder, fixture, repository};
use dxil_translator::{Options, PipelineStage, PlanInputs, Shader, VULKAN_1_3_DESKTOP, plan, translate};

const COMPUTE: &str = "rootsig/pipeline_layout.dxil";

/// The arguments of the program.
fn arguments(out: &TempFolder) -> Vec<String> {
    let fixtures = [
        COMPUTE,
        "graphics/cbuffer_transform.vs.dxil",
        "graphics/cbuffer_transform.ps.dxil",
        "libraries/subobjects.all.dxil",
    ];
    let paths = fixtures.map(|name| repository().join("tests/fixtures").join(name).display().to_string());
    paths.into_iter().chain([out.join("out.spv").display().to_string()]).collect()
}

fn works(program: &Program, out: &TempFolder) {
    let done = program.command().args(arguments(out)).output().expect("the program starts");
    assert!(done.status.success(), "{}: {}", done.status, said(&done));
    let shader = Shader::parse(&fixture(COMPUTE)).unwrap();
    let entry = shader.find_entry(None).unwrap();
    let options = Options::new(VULKAN_1_3_DESKTOP);
    let plan = plan(&[PipelineStage::new(&shader, entry)], &PlanInputs::new(&options.profile)).unwrap();
    let words = translate(&shader, entry, &plan.stages[0], &options).unwrap().words;
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    assert_eq!(std::fs::read(out.join("out.spv")).unwrap(), bytes);
}

#[test]
fn in_c() {
    let out = TempFolder::new("c-interface-c");
    let program = compile("interface.c", Language::C, &[]);
    works(&program, &out);
    // Nothing that the library makes is lost.
    match program.run_checked(&arguments(&out)) {
        Some(done) => assert!(done.status.success(), "{}: {}", done.status, said(&done)),
        None => println!("leaks are not looked for: there is no valgrind"),
    }
}

#[test]
fn in_cxx() {
    works(&compile("interface.c", Language::Cxx, &[]), &TempFolder::new("c-interface-cxx"));
}
