//! Requests: the name of a translation reads back, and repeats it.

use dxil_test_support::{containers, fixture, repository};
use dxil_translator::{
    BindingOptions, BlobDigest, Bounds, Debug, ErrorKind, MeshOutput, Model, Options, PipelineStage, PlanInputs,
    RawVectors, Request, Shader, Spacing, StreamOutput, Tessellation, TessellatorOutput, VULKAN_1_1_FLOOR,
    VULKAN_1_3_DESKTOP, VertexLocations, ViewInstancing, lavapipe, plan,
};

fn request(bytes: &[u8], shader: &Shader, options: Options) -> Result<Request, dxil_translator::Error> {
    let binding = BindingOptions::new(Model::Auto, "t=1000,u=2000,s=3000,c=4000".parse()?);
    // A library with functions only has no entry point, which is an error.
    let entry = shader.entries().next().map_or_else(|| shader.find_entry(None), |(entry, _)| Ok(entry))?;
    let inputs = PlanInputs::new(&options.profile).with_options(binding);
    let plan = plan(&[PipelineStage::new(shader, entry)], &inputs)?.stages.remove(0);
    Request::new(BlobDigest::from_bytes(bytes), shader, entry, plan, options)
}

#[test]
fn every_container_has_a_request_that_reads_back_and_repeats() {
    let mut files = containers(repository().join("tests/fixtures"));
    files.extend(containers(repository().join("tests/corpus")));
    let mut compared = 0;
    for file in files {
        let bytes = std::fs::read(&file).unwrap();
        let Ok(shader) = Shader::parse(&bytes) else { continue };
        for profile in [VULKAN_1_1_FLOOR, VULKAN_1_3_DESKTOP, lavapipe()] {
            let Ok(request) = request(&bytes, &shader, Options::new(profile)) else { continue };
            let text = request.to_string();
            assert_eq!(Request::blob_of(&text).unwrap(), request.blob);
            let again = Request::parse(&text, &shader).unwrap_or_else(|e| panic!("{}: {e}\n{text}", file.display()));
            assert!(again == request, "{}\n{text}\n{again}", file.display());
            assert_eq!(again.to_string(), text);
            match (request.translate(&shader), again.translate(&shader)) {
                (Ok(first), Ok(second)) => {
                    assert!(first == second, "{}", file.display());
                    compared += 1;
                }
                (Err(first), Err(second)) => assert_eq!(first.to_string(), second.to_string()),
                _ => panic!("{}: one of two equal requests fails", file.display()),
            }
        }
    }
    assert!(compared > 1000, "{compared} translations");
}

#[test]
fn options_and_state_are_part_of_the_request() {
    let bytes = fixture("graphics/discard.ps.dxil");
    let shader = Shader::parse(&bytes).unwrap();
    let default = request(&bytes, &shader, Options::new(VULKAN_1_3_DESKTOP)).unwrap();
    type Change = fn(&mut Options);
    let changes: [(&str, Change); 27] = [
        ("names = true", |o| o.names = true),
        ("invert_y = true", |o| o.invert_y = true),
        ("vulkan_vertex_ids = true", |o| o.vulkan_vertex_ids = true),
        ("dual_source = true", |o| o.pipeline.dual_source = true),
        ("feeds_stage = true", |o| o.pipeline.feeds_stage = true),
        ("sample_shading = true", |o| o.pipeline.sample_shading = true),
        ("wide_interface = true", |o| o.pipeline.wide_interface = true),
        ("samples = 4", |o| o.pipeline.samples = 4),
        ("samples_constant = 4", |o| o.pipeline.samples_constant = Some(4)),
        ("mesh_outputs = []", |o| o.pipeline.mesh_outputs = Some([].into())),
        ("semantic = \"A B\"\nindex = 7\ncomponents = 3\n", |o| {
            o.pipeline.mesh_outputs = Some([MeshOutput::new("a b", 7, 3, false)].into());
        }),
        ("semantic = \"COLOR\"\nindex = 0\ncomponents = 4\nlocation = [5, 1]\nper_primitive = true", |o| {
            let mut output = MeshOutput::new("Color", 0, 4, true);
            output.location = Some((5, 1));
            o.pipeline.mesh_outputs = Some([output.clone(), output].into());
        }),
        ("spacing = \"fractional_odd\"\noutput = \"counterclockwise\"\npoints = 3", |o| {
            let output = TessellatorOutput::Counterclockwise;
            o.pipeline.tessellation = Some(Tessellation::new(Spacing::FractionalOdd, output, 3));
        }),
        ("semantic = \"COLOR\"\nindex = 2\nstream = 1\nbuffer = 3\noffset = 4\nstride = 8", |o| {
            let mut output = StreamOutput::new("Color", 2, 3, 4, 8);
            output.stream = 1;
            o.pipeline.stream_output = Some([output.clone(), output].into());
        }),
        ("output_swizzles = [\"wzyx\", \"xyzw\", \"xyzw\", \"xyzw\", \"xyzw\", \"xyzw\", \"xyzw\", \"xyzw\"]", |o| {
            o.pipeline.output_swizzles[0] = "wzyx".parse().unwrap()
        }),
        ("patch_location = 3", |o| o.pipeline.patch_location = Some(3)),
        ("instances = 8\nviewports = 9", |o| o.pipeline.view_instancing = Some(ViewInstancing::new(8, 9))),
        ("bounds = \"driver\"", |o| o.bounds = Bounds::Driver),
        ("debug = \"lines\"", |o| o.debug = Debug::Lines),
        ("raw_vectors = \"exact\"", |o| o.raw_vectors = RawVectors::Exact),
        ("bounds = \"emit\"", |o| o.bounds = Bounds::Emit),
        ("vertex_locations = \"row\"", |o| o.vertex_locations = VertexLocations::Row),
        ("entry_point_name = \"a b\"", |o| o.entry_point_name = Some("a b".into())),
        ("invariant_position = true", |o| o.invariant_position = true),
        ("precise = true", |o| o.precise = true),
        ("vertex_locations = \"texcoord\"", |o| o.vertex_locations = VertexLocations::Texcoord),
        ("limit.max_push_constants_size = 12", |o| o.profile.limits.max_push_constants_size = 12),
    ];
    let mut seen = vec![default.to_string()];
    for (lines, change) in changes {
        let mut options = Options::new(VULKAN_1_3_DESKTOP);
        change(&mut options);
        let changed = request(&bytes, &shader, options).unwrap();
        let text = changed.to_string();
        assert!(text.contains(&format!("\n{lines}\n")), "{lines} in {text}");
        assert!(!seen.contains(&text));
        assert!(changed != default);
        assert!(Request::parse(&text, &shader).unwrap() == changed, "{lines}");
        seen.push(text);
    }
}

#[test]
fn bad_texts_are_refused_with_their_line() {
    let bytes = fixture("graphics/discard.ps.dxil");
    let shader = Shader::parse(&bytes).unwrap();
    let good = request(&bytes, &shader, Options::new(VULKAN_1_3_DESKTOP)).unwrap().to_string();
    let refused = |from: &str, to: &str| {
        let text = good.replacen(from, to, 1);
        assert!(text != good, "{from}");
        let error = Request::parse(&text, &shader).map(|_| ()).unwrap_err();
        (error.kind(), error.to_string())
    };
    let malformed = |from: &str, to: &str, expected: &str| {
        assert_eq!(refused(from, to), (ErrorKind::Malformed, expected.to_owned()), "{from} -> {to}");
    };
    let entry = good.lines().find(|line| line.starts_with("entry")).unwrap().to_owned();
    malformed("request = 1\n", "\n", "malformed at input: missing key `request`");
    malformed(&entry, "entry", "malformed at line 3 column 6: key with no value, expected `=`");
    malformed(&entry, "", "malformed at input: missing key `entry`");
    let expected = "malformed at line 4 column 1: unknown key `colour`; expected one of `request`, `blob`, `entry`, `options`, `plan`";
    malformed(&entry, &format!("{entry}\ncolour = 1"), expected);
    // Where in a line of a table the mistake is, and what it is.
    let of_table = |heading: &str, line: &str, at: &str, expected: &str| {
        let number = 1 + good.lines().position(|line| line == "[options]").unwrap() + heading.lines().count();
        let column = line.find(at).unwrap() + 1;
        let expected = format!("malformed at line {number} column {column}: {expected}");
        malformed("[options]\n", &format!("{heading}{line}\n"), &expected);
    };
    let pipeline = |line: &str, at: &str, expected: &str| of_table("[options.pipeline]\n", line, at, expected);
    pipeline("samples = \"many\"", "\"many\"", "invalid type: string \"many\", expected u32");
    pipeline("sample = 4", "sample", "unknown key `sample`; did you mean `samples`?");
    let output = |rest: &str, at: &str, expected: &str| {
        pipeline(&format!("mesh_outputs = [{{ semantic = \"COLOR\", index = 0, {rest} }}]"), at, expected);
    };
    output("location = [0, 0]", "{", "missing key `components`");
    output("components = 4, location = 5", "5", "invalid type: integer `5`, expected a tuple of size 2");
    output("components = 4, location = [5]", "[5]", "invalid length 1, expected a tuple of size 2");
    output("components = 256", "256", "invalid value: integer `256`, expected u8");
    pipeline("mesh_outputs = [\"none\"]", "\"none\"", "invalid type: string \"none\", expected struct MeshOutput");
    let tessellation = |points: u32, spacing: &str, at: &str, expected: &str| {
        let line = format!("tessellation = {{ spacing = \"{spacing}\", output = \"lines\", points = {points} }}");
        pipeline(&line, at, expected);
    };
    tessellation(0, "equal", "0", "invalid value: integer `0`, expected a nonzero u32");
    tessellation(
        1,
        "odd",
        "\"odd\"",
        "unknown name `odd`; expected one of `equal`, `fractional_odd`, `fractional_even`",
    );
    let option = |line: &str, at: &str, expected: &str| of_table("[options]\n", line, at, expected);
    option("raw_vectors = \"on\"", "\"on\"", "unknown name `on`; expected `aligned` or `exact`");
    option("bounds = \"off\"", "\"off\"", "unknown name `off`; expected one of `auto`, `driver`, `emit`");
    option("names = 1", "1", "invalid type: integer `1`, expected a boolean");
    option("name = true", "name", "unknown key `name`; did you mean `names`?");
    let (head, tail) = (good.find("[options.profile]").unwrap(), good.find("[plan]").unwrap());
    malformed(&good[head..tail], "", "malformed at line 5 column 1: missing key `profile`");
    let empty = "malformed at line 7 column 1: the profile is empty; expected lines `key = value`, as `dxil2spv --print-profile \
                 vulkan-1.3-desktop` prints them";
    malformed(&good[head..tail], "[options.profile]\n", empty);
    let plan = good[..tail].lines().count() + 2;
    malformed(
        "[plan]\n",
        "[plan]\nresources.\"t99 space0\" = \"unused\"\n",
        &format!("malformed at line {plan} column 26: the shader has no resource t99 space0"),
    );
    let version = refused("request = 1", "request = 2");
    assert_eq!(
        version,
        (
            ErrorKind::Unsupported,
            "unsupported at input: the request has version 2; this build reads version 1".to_owned()
        )
    );
    let (kind, error) = refused(&entry, "entry = \"other\"");
    assert_eq!(kind, ErrorKind::Unsupported);
    assert!(error.contains("no entry point `other`"), "{error}");
    let (kind, error) = refused("blob = \"", "blob = \"zz");
    assert_eq!(kind, ErrorKind::Malformed);
    assert!(error.starts_with("malformed at line 2 column 8: expected a digest of 64 hexadecimal digits"), "{error}");
    let (kind, error) = refused("[options.profile]\n", "[options.profile]\nfeatures.shaderTeapot = true\n");
    assert_eq!(kind, ErrorKind::Malformed);
    assert!(error.contains("shaderTeapot"), "{error}");
    assert!(Request::blob_of("request = 1\nentry = \"main\"\n[plan]\nblob = \"no\"\n").is_err());
}
