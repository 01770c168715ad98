//! The time for texts, and of texts: requests, maps, messages. Each grows with its length and no
//! faster.

use dxil_base::limits;
use dxil_robustness::families::{entries, ray_resources, resources};
use dxil_robustness::memory;
use dxil_robustness::ratio::{grows, timed};
use dxil_translator::binding;
use dxil_translator::binding::BindingPlan;
use dxil_translator::{
    BindingMap, BindingOptions, DeviceProfile, Error, ErrorKind, Model, PipelineStage, PlanInputs, RegisterShifts,
    Request, RootSignature, Shader, lavapipe, plan,
};

fn shader(input: &[u8]) -> Shader {
    Shader::parse(input).unwrap_or_else(|error| panic!("{error}"))
}

/// Two entries of a map for one register, which name two stages over and over. The stages are
/// compared once.
#[test]
fn stages_of_a_map() {
    grows("stages of a map", 4_000, |count| {
        let entry = |stage: &str| {
            let stages = vec![format!("{stage:?}"); count].join(",");
            format!("{{ class = \"u\", space = 0, register = 0, set = 0, binding = 0, stages = [{stages}] }}")
        };
        let text = format!("version = 1\nentries = [{}, {}]", entry("pixel"), entry("vertex"));
        let (map, time) = timed(|| BindingMap::parse(&text));
        assert!(map.is_ok(), "{map:?}");
        time
    });
}

/// A message names some entry points of a library and counts the others, whose names may be long.
#[test]
fn names_in_a_message() {
    let said = |count: usize| {
        let shader = shader(&entries(count));
        let (error, peak) = memory::peak(|| shader.find_entry(Some("none")).expect_err("no such entry point"));
        (error.message().to_owned(), peak)
    };
    let (few, many) = (said(1_000), said(8_000));
    assert!(few.0.ends_with("and 968 more") && many.0.ends_with("and 7968 more"), "{}", many.0);
    assert!(many.1 < 2 * few.1, "{} bytes for 1,000 names, {} bytes for 8,000", few.1, many.1);
}

/// A request for the one entry point of [`entries`], whose mesh shader has these outputs.
fn request_with(entry: &str, outputs: &str) -> String {
    let (blob, profile) = ("0".repeat(64), lavapipe());
    format!(
        "request = 1\nblob = \"{blob}\"\nentry = \"{entry}\"\nplan = {{}}\n[options.pipeline]\nmesh_outputs = [\n{outputs}]\n\
         [options.profile]\n{profile}"
    )
}

/// An output of a mesh shader with one value per vertex.
fn output(name: &str, n: usize) -> String {
    format!("{{ semantic = \"{name}\", index = {n}, components = 4, location = [{n}, 0] }},\n")
}

/// The outputs of a mesh shader are few.
#[test]
fn outputs_in_a_request() {
    let shader = shader(&entries(1));
    let parsed = |lines: usize| {
        let name = "A".repeat(200);
        let outputs: String = (0..lines).map(|n| output(&name, n)).collect();
        timed(|| Request::parse(&request_with("e0", &outputs), &shader))
    };
    let (request, _) = parsed(limits::MESH_OUTPUTS);
    let outputs = request.unwrap_or_else(|error| panic!("{error}")).options.pipeline.mesh_outputs;
    assert_eq!(outputs.map(|outputs| outputs.len()), Some(limits::MESH_OUTPUTS));
    assert_eq!(parsed(limits::MESH_OUTPUTS + 1).0.expect_err("too many").kind(), ErrorKind::Limit);
    grows("outputs in a request", 2_000, |count| {
        let (request, time) = parsed(count);
        assert_eq!(request.expect_err("too many").kind(), ErrorKind::Limit);
        time
    });
}

/// The first output of a mesh shader has a long name. The outputs after it do not copy it.
#[test]
fn long_output_in_a_request() {
    let shader = shader(&entries(1));
    let parsed = |lines: usize| {
        let outputs: String = (1..lines).map(|n| output("B", n)).collect();
        let text = request_with("e0", &(output(&"A".repeat(1 << 20), 0) + &outputs));
        let (request, time) = timed(|| Request::parse(&text, &shader));
        let outputs = request.unwrap_or_else(|error| panic!("{error}")).options.pipeline.mesh_outputs;
        assert_eq!(outputs.map(|outputs| outputs.len()), Some(lines));
        time
    };
    let mut said = String::new();
    for _ in 0..3 {
        let (one, many) = (parsed(1), parsed(limits::MESH_OUTPUTS));
        said = format!("one output {one:?}, {} outputs {many:?}", limits::MESH_OUTPUTS);
        println!("{said}");
        if many < 4 * one {
            return;
        }
    }
    panic!("{said}");
}

/// Escape sequences in the name of an entry point and of an output, some of which do not end.
#[test]
fn escape_sequences_in_a_request() {
    let shader = shader(&entries(1));
    for sequence in ["\\u", "\\u{", "\\n", "\\\\", "\\u0041"] {
        let names: [fn(&str) -> String; 2] =
            [|name| request_with(name, ""), |name| request_with("e0", &output(name, 0))];
        for (what, text) in ["entry", "output"].into_iter().zip(names) {
            grows(&format!("{sequence} in {what}"), 16_000, |count| {
                let text = text(&sequence.repeat(count));
                let (request, time) = timed(|| Request::parse(&text, &shader));
                if let Err(error) = request {
                    assert!(matches!(error.kind(), ErrorKind::Malformed | ErrorKind::Unsupported), "{error}");
                }
                time
            });
        }
    }
}

/// Requests, plans and profiles have a limit on their size, and their time grows with it, whatever
/// they consist of.
#[test]
fn sizes_of_texts() {
    type Parse = fn(&str, &Shader) -> Result<(), Error>;
    let parsers: [(&str, Parse); 5] = [
        ("request", |text, shader| Request::parse(text, shader).map(|_| ())),
        ("request", |text, _| Request::blob_of(text).map(|_| ())),
        ("plan", |text, shader| BindingPlan::parse(text, &shader.program().resources).map(|_| ())),
        ("profile", |text, _| DeviceProfile::parse(text).map(|_| ())),
        ("binding map", |text, _| BindingMap::parse(text).map(|_| ())),
    ];
    let shader = shader(&entries(1));
    for (what, parse) in parsers {
        for part in ["\n", " ", "a", "#\n", "[plan]\n", "\"u0 space0\".descriptor = { set = 0 }\n"] {
            grows(&format!("{what} of {part:?}"), (1 << 16) / part.len(), |count| {
                let text = part.repeat(count);
                let (result, time) = timed(|| parse(&text, &shader));
                let kind = result.err().map(|error| error.kind());
                assert!(!matches!(kind, Some(ErrorKind::Limit)), "{part:?}");
                time
            });
        }
        let long = " ".repeat(limits::TEXT_BYTES + 1);
        let (error, peak) = memory::peak(|| parse(&long, &shader).expect_err("too long"));
        assert_eq!(error.to_string(), format!("limit at input: 4194305 bytes in a {what}, the limit is 4194304"));
        assert!(peak < 1 << 10, "{peak} bytes");
    }
}

/// The largest texts take memory by the number of their tokens, whatever they consist of.
#[test]
fn memory_of_texts() {
    let resources = shader(&entries(1));
    let numbered =
        |part: fn(usize) -> String, tokens: usize| (0..limits::TEXT_TOKENS / tokens - 10).map(part).collect();
    let texts: [(&str, String); 7] = [
        ("keys", numbered(|i| format!("a{i}=1\n"), 4)),
        ("dotted keys", numbered(|i| format!("a{i}.b.c.d.e.f.g.h.i=1\n"), 28)),
        ("tables", numbered(|i| format!("[a{i}]\n"), 4)),
        ("arrays of tables", numbered(|_| "[[a]]\n".to_owned(), 6)),
        ("arrays", format!("a=[{}]", numbered(|_| "[],".to_owned(), 3))),
        ("inline tables", format!("a=[{}]", numbered(|_| "{b=1},".to_owned(), 6))),
        ("duplicates", numbered(|_| "a=1\n".to_owned(), 4)),
    ];
    for (what, text) in texts {
        let ((error, time), peak) =
            memory::peak(|| timed(|| BindingPlan::parse(&text, &resources.program().resources).expect_err("no plan")));
        println!("{what}: {time:?}, {peak} bytes");
        assert_ne!(error.kind(), ErrorKind::Limit, "{what}: {error}");
        assert!(peak < 512 << 20, "{what}: {peak} bytes");
    }
}

/// The text of a layout says each resource of one binding once.
#[test]
fn resources_of_one_binding() {
    let profile = lavapipe();
    grows("resources of one binding", 500, |count| {
        let entry =
            |i: usize| format!("{{ class = \"u\", space = 0, register = {i}, set = 0, binding = 0, first = {i} }}");
        let text = (0..count).map(entry).collect::<Vec<_>>().join(",");
        let map = BindingMap::parse(&format!("version = 1\nentries = [{text}]"));
        let map = map.unwrap_or_else(|error| panic!("{error}"));
        let options = BindingOptions::new(Model::Map, RegisterShifts::default());
        let inputs = PlanInputs::new(&profile).with_options(options).with_map(Some(&map));
        let shader = shader(&resources(count, 8));
        let (entry, _) = shader.entries().next().expect("an entry point");
        let stages = [PipelineStage::new(&shader, entry)];
        let planned = plan(&stages, &inputs).unwrap_or_else(|error| panic!("{error}"));
        let parts = stages.map(|stage| stage.resources().expect("resources"));
        let (text, time) =
            timed(|| binding::layout_text(&parts, None, &planned).unwrap_or_else(|error| panic!("{error}")));
        assert_eq!(text.lines().count(), 3 + count, "{text}");
        time
    });
}

/// The text of a shader record says each resource with its own parameter, although parameters
/// without bytes begin where that begins.
#[test]
fn resources_of_a_record() {
    let profile = lavapipe();
    grows("resources of a record", 400, |count| {
        let empty: String =
            (0..count).map(|n| format!("RootConstants(num32BitConstants=0, b{n}, space=9), ")).collect();
        let ranges = (0..count).map(|n| format!("UAV(u{n})")).collect::<Vec<_>>().join(", ");
        let text = format!("RootFlags(LOCAL_ROOT_SIGNATURE), {empty}DescriptorTable({ranges})");
        let local = RootSignature::parse_text(&text, None).unwrap_or_else(|error| panic!("{error}"));
        let shader = shader(&ray_resources(count));
        let (entry, _) = shader.entries().next().expect("an entry point");
        let stages = [PipelineStage::new(&shader, entry).with_local_root_signature(Some(&local))];
        let mut options = BindingOptions::default();
        options.heap_sets.resources = Some(1);
        let planned = plan(&stages, &PlanInputs::new(&profile).with_options(options));
        let planned = planned.unwrap_or_else(|error| panic!("{error}"));
        let parts = stages.map(|stage| stage.resources().expect("resources"));
        let (text, time) =
            timed(|| binding::layout_text(&parts, None, &planned).unwrap_or_else(|error| panic!("{error}")));
        // Once at its binding and once in the record.
        assert_eq!(text.matches("ByteAddressBuffer").count(), 2 * count);
        time
    });
}
