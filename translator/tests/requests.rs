//! Requests: the name of a translation reads back, and repeats it.

use dxil_test_support::{containers, fixture, repository};
use dxil_translator::{
    BindingOptions, BlobDigest, Bounds, ErrorKind, MeshOutput, Model, Options, PipelineStage, PlanInputs, RawVectors,
    Request, Shader, Spacing, Tessellation, TessellatorOutput, VULKAN_1_1_FLOOR, VULKAN_1_3_DESKTOP, VertexLocations,
    lavapipe, plan,
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
fn options_and_facts_are_part_of_the_request() {
    let bytes = fixture("graphics/discard.ps.dxil");
    let shader = Shader::parse(&bytes).unwrap();
    let default = request(&bytes, &shader, Options::new(VULKAN_1_3_DESKTOP)).unwrap();
    type Change = fn(&mut Options);
    let changes: [(&str, Change); 18] = [
        ("names = true", |o| o.names = true),
        ("invert_y = true", |o| o.invert_y = true),
        ("vulkan_vertex_ids = true", |o| o.vulkan_vertex_ids = true),
        ("dual_source = true", |o| o.pipeline.dual_source = true),
        ("feeds_stage = true", |o| o.pipeline.feeds_stage = true),
        ("sample_shading = true", |o| o.pipeline.sample_shading = true),
        ("wide_interface = true", |o| o.pipeline.wide_interface = true),
        ("samples = 4", |o| o.pipeline.samples = 4),
        ("mesh_output = none", |o| o.pipeline.mesh_outputs = Some([].into())),
        ("mesh_output = A\\u{20}B 7 3 builtin vertex", |o| {
            o.pipeline.mesh_outputs = Some([MeshOutput::new("a b", 7, 3, false)].into())
        }),
        ("mesh_output = COLOR 0 4 5.1 primitive", |o| {
            let mut output = MeshOutput::new("Color", 0, 4, true);
            output.location = Some((5, 1));
            o.pipeline.mesh_outputs = Some([output.clone(), output].into());
        }),
        ("tessellation = fractional_odd counterclockwise 3", |o| {
            let output = TessellatorOutput::Counterclockwise;
            o.pipeline.tessellation = Some(Tessellation::new(Spacing::FractionalOdd, output, 3));
        }),
        ("bounds = driver", |o| o.bounds = Bounds::Driver),
        ("raw_vectors = exact", |o| o.raw_vectors = RawVectors::Exact),
        ("bounds = emit", |o| o.bounds = Bounds::Emit),
        ("vertex_locations = row", |o| o.vertex_locations = VertexLocations::Row),
        ("vertex_locations = texcoord", |o| o.vertex_locations = VertexLocations::Texcoord),
        ("limit.max_push_constants_size = 12", |o| o.profile.limits.max_push_constants_size = 12),
    ];
    let mut seen = vec![default.to_string()];
    for (line, change) in changes {
        let mut options = Options::new(VULKAN_1_3_DESKTOP);
        change(&mut options);
        let changed = request(&bytes, &shader, options).unwrap();
        let text = changed.to_string();
        assert!(text.lines().any(|l| l == line), "{line} in {text}");
        assert!(!seen.contains(&text));
        assert!(changed != default);
        assert!(Request::parse(&text, &shader).unwrap() == changed, "{line}");
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
    malformed("request = 1\n", "\n", "malformed at input: the request has no line `request = 1`");
    malformed(&entry, "entry", "malformed at line 3: expected `key = value`, found `entry`");
    malformed(&entry, "", "malformed at input: the request has no line `entry = …`");
    malformed(&entry, "samples = many", "malformed at line 3: `samples`: expected a sample count, found `many`");
    let output = "NAME INDEX COMPONENTS builtin|LOCATION.COMPONENT vertex|primitive";
    for text in ["COLOR", "COLOR 0 4 5 primitive", "COLOR 0 4 5.1 pixel", "COLOR 0 x 5.1 vertex", ""] {
        let expected = format!("malformed at line 3: `mesh_output`: expected {output}, found `{text}`");
        malformed(&entry, &format!("mesh_output = {text}"), &expected);
    }
    malformed(&entry, "raw_vectors = on", "malformed at line 3: `raw_vectors`: expected aligned or exact, found `on`");
    malformed(&entry, "bounds = off", "malformed at line 3: `bounds`: expected auto, driver or emit, found `off`");
    malformed(&entry, "names = 1", "malformed at line 3: `names`: expected true or false, found `1`");
    malformed(&entry, "colour = red", "malformed at line 3: unknown key `colour` in a request");
    let version = refused("request = 1", "request = 2");
    assert_eq!(
        version,
        (
            ErrorKind::Unsupported,
            "unsupported at input: the request has version `2`; this build reads version 1".to_owned()
        )
    );
    let (kind, error) = refused(&entry, "entry = other");
    assert_eq!(kind, ErrorKind::Unsupported);
    assert!(error.contains("no entry point `other`"), "{error}");
    let (kind, error) = refused("blob = ", "blob = zz");
    assert_eq!(kind, ErrorKind::Malformed);
    assert!(error.starts_with("malformed at line 2: expected a digest of 64 hexadecimal digits"), "{error}");
    let (kind, error) = refused("[profile]\n", "[profile]\nfeatures.shaderTeapot = true\n");
    assert_eq!(kind, ErrorKind::Malformed);
    assert!(error.contains("shaderTeapot"), "{error}");
    assert!(Request::blob_of("entry = main\n[plan]\nblob = no\n").is_err());
}
