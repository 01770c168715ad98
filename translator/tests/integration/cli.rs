//! Runs `dxil2spv` as a build system does, and checks exit codes, messages, files and streams.

use crate::tool::{FIXTURES, Run, fixture, run, run_with, temporary};

/// Shifts that keep register classes apart: the fixtures use the same register numbers in several
/// classes.
const SHIFTS: &str = "--shifts=t=10,u=20,s=30";

impl Run {
    /// Checks that there is one message of the documented form, and nothing on standard output. Its
    /// further lines are indented.
    #[track_caller]
    fn refused(&self, code: i32, message: &str) {
        let messages = self.err.lines().filter(|line| !line.starts_with("  ")).count();
        assert_eq!((self.code, messages), (code, 1), "{}", self.err);
        assert!(self.err.contains(": error: ") && self.err.contains(message), "{}", self.err);
        assert_eq!(self.out, b"");
    }
}

#[test]
fn container_as_text() {
    let file = fixture("newer-dxc/heap.cs_6_6");
    let named = run(&["translate", "--emit", "container", &file]);
    assert_eq!((named.code, named.err.as_str()), (0, ""));
    assert!(named.text().contains("DXIL at 248, 2072 bytes: DXIL program"), "{}", named.text());
    assert!(named.text().contains("ResourceDescriptorHeapIndexing"), "{}", named.text());

    let bytes = std::fs::read(&file).unwrap();
    let piped = run_with(&["--emit", "container", "-"], &bytes);
    assert_eq!((piped.code, piped.text()), (0, named.text()));

    let out = temporary("container.txt");
    let written = run(&["--emit", "container", &file, "-o", out.to_str().unwrap()]);
    assert_eq!((written.code, written.out), (0, vec![]));
    assert_eq!(std::fs::read_to_string(out).unwrap(), named.text());
}

#[test]
fn warnings_are_printed_when_asked_for() {
    let mut bytes = std::fs::read(fixture("newer-dxc/heap.cs_6_6")).unwrap();
    bytes[4..20].fill(0);
    assert_eq!(run_with(&["--emit", "container", "-"], &bytes).err, "");
    let changed = run_with(&["--emit", "container", "-v", "-"], &bytes);
    assert_eq!((changed.code, changed.err.as_str()), (0, "-: warning: digest: zero (not signed)\n"));
}

#[test]
fn malformed_input_exits_1() {
    let bytes = std::fs::read(fixture("newer-dxc/heap.cs_6_6")).unwrap();
    run_with(&["--emit", "container", "-"], &bytes[..1000])
        .refused(1, "-: error: malformed at byte 24: the container has 2328 bytes, but the input only 1000");
    run_with(&["--emit", "container", "-"], b"").refused(1, "-: error: malformed at byte 0: ");
}

#[test]
fn usage_exits_2() {
    assert_eq!(run(&[]).code, 2);
    assert_eq!(run(&["--emit", "nonsense", "-"]).code, 2);
    assert_eq!(run(&["--nonsense"]).code, 2);
    run(&["--emit", "container", "no-such-file.dxil"])
        .refused(2, "no-such-file.dxil: error: usage at input: the file cannot be read");
    let file = fixture("newer-dxc/heap.cs_6_6");
    run(&["--emit", "container", &file, "-o", "/no/such/folder/out"]).refused(2, "the file cannot be written");
}

#[test]
fn not_supported_exits_3() {
    let file = fixture("resource-types/types.FeedbackTexture2D");
    run(&[&file]).refused(3, "types.FeedbackTexture2D.dxil: error: unsupported at ");
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    let legacy = [&b"DXBC"[..], &words(&[0, 0, 0, 0, 1, 52, 1, 36]), b"SHEX", &words(&[8, 0x5_0050, 2])].concat();
    run_with(&["-"], &legacy).refused(3, "-: error: unsupported at byte 44: DXBC bytecode of shader model 5");
}

#[test]
fn missing_feature_exits_4() {
    let file = fixture("types/int64");
    run(&[&file, SHIFTS, "--profile", "vulkan-1.1-floor"]).refused(4, "missing feature shaderInt64 at ");
    assert_eq!(run(&[&file, SHIFTS]).code, 0);
}

#[test]
fn limits_exit_6() {
    let mut bytes = std::fs::read(fixture("newer-dxc/heap.cs_6_6")).unwrap();
    bytes[28..32].copy_from_slice(&1000u32.to_le_bytes());
    run_with(&["-"], &bytes).refused(6, "-: error: limit at byte 28: 1000 container parts, the limit is 256");
}

#[test]
fn spirv_as_binary_and_text() {
    let file = fixture("control/binary_search");
    let out = temporary("binary_search.spv");
    assert_eq!(run(&[&file, SHIFTS, "-o", out.to_str().unwrap()]).code, 0);
    let words = std::fs::read(out).unwrap();
    assert_eq!((&words[..4], words.len() % 4), (&0x0723_0203u32.to_le_bytes()[..], 0));
    assert_eq!(run(&[&file, SHIFTS]).out, words);
    assert_eq!(run_with(&["translate", "-", SHIFTS], &std::fs::read(&file).unwrap()).out, words);
    let text = run(&[&file, SHIFTS, "--emit", "asm"]);
    assert!(text.text().contains("OpEntryPoint GLCompute") && text.text().contains("OpLoopMerge"), "{}", text.text());
}

#[test]
fn stages_as_text() {
    let file = fixture("control/binary_search");
    let bitcode = run(&[&file, "--emit", "bitcode"]);
    assert!(bitcode.text().contains("dx.op.bufferLoad"), "{}", bitcode.text());
    let dxil = run(&[&file, "--emit", "dxil"]);
    assert!(dxil.text().contains("RawBufferLoad") || dxil.text().contains("BufferLoad"), "{}", dxil.text());
    let tree = run(&[&file, "--emit", "tree"]);
    assert!(tree.text().contains("function 0 `main`") && tree.text().contains("loop "), "{}", tree.text());
}

#[test]
fn a_dumped_plan_binds_alike() {
    let file = fixture("control/binary_search");
    let plan = run(&[&file, SHIFTS, "--emit", "bindings"]);
    assert!(
        plan.text().contains(r#""u0 space0".descriptor = { set = 0, binding = 20, type = "storage_buffer" }"#),
        "{}",
        plan.text()
    );
    let dump = temporary("plan.txt");
    std::fs::write(&dump, &plan.out).unwrap();
    let dump = dump.to_str().unwrap();
    assert_eq!(run(&[&file, "--bindings", dump]).out, run(&[&file, SHIFTS]).out);
    let edited = plan.text().replace("binding = 20", "binding = 7");
    let moved = run_with(&[&file, "--bindings", "-", "--emit", "asm"], edited.as_bytes());
    assert!(moved.text().contains("Binding 7"), "{}", moved.text());
    run_with(&[&file, "--bindings", "-"], b"nonsense\n").refused(1, "-: error: malformed at line 1 column 9: ");
    // A plan and a model cannot be given together.
    assert_eq!(run(&[&file, "--bindings", dump, "--model", "register"]).code, 2);
}

/// The pipeline state that the layer knows can be given as options.
#[test]
fn state_of_a_pipeline() {
    let asks = fixture("stages/target_samples_4.ps");
    run(&[&asks, SHIFTS]).refused(5, "number of samples");
    assert_eq!(run(&[&asks, SHIFTS, "--samples", "4"]).code, 0);
    assert_eq!(run(&[&asks, SHIFTS, "--samples-constant", "4"]).code, 0);
    for (option, name) in [("--dual-source", "stages/dual_source.ps"), ("--feeds-stage", "geometry/layer_handed_on.vs")]
    {
        let (file, alone) = (fixture(name), run(&[&fixture(name), SHIFTS]));
        let changed = run(&[&file, SHIFTS, option]);
        assert_eq!((alone.code, changed.code), (0, 0), "{option}: {}{}", alone.err, changed.err);
        assert!(alone.out != changed.out, "{option} changes nothing");
    }
}

#[test]
fn a_profile_is_a_name_or_a_file() {
    let file = fixture("types/int64");
    let profile = dxil_translator::DeviceProfile::named("vulkan-1.3-desktop").unwrap();
    let path = temporary("profile.txt");
    std::fs::write(&path, profile.to_string()).unwrap();
    let path = path.to_str().unwrap();
    assert_eq!(run(&[&file, SHIFTS, "--profile", path]).out, run(&[&file, SHIFTS]).out);
}

#[test]
fn layout_of_a_pipeline() {
    let (vs, ps) = (fixture("graphics/sample.vs"), fixture("graphics/sample.ps"));
    let layout = run(&["layout", &vs, &ps, SHIFTS]);
    assert_eq!((layout.code, layout.err.as_str()), (0, ""));
    let text = layout.text();
    assert!(
        text.contains("sample.vs.dxil: vertex `vs_main`") && text.contains("sample.ps.dxil: pixel `ps_main`"),
        "{text}"
    );
    assert!(text.contains(r#""t0 space0".descriptor = { set = 0, binding = 10, type = "sampled_image" }"#), "{text}");
    let moved = run(&["layout", &ps, SHIFTS, "--spaces", "0=3"]);
    assert!(
        moved.text().contains(r#""t0 space0".descriptor = { set = 3, binding = 10, type = "sampled_image" }"#),
        "{}",
        moved.text()
    );
    let refused = run(&["layout", &ps, "--spaces", "0"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("expected SPACE=SET such as `95=1`, found `0`"), "{}", refused.err);
    // For all of them together, the layout that an application declares.
    let declared = text
        .split_once(
            "# the pipeline layout to declare, for the profile vulkan-1.3-desktop\n# model: register\n# set 0\n",
        )
        .expect(text)
        .1;
    assert!(declared.contains("#   binding 10: sampled_image, fragment\n"), "{text}");
    // The output of `layout` for one shader is valid input of --bindings.
    let alone = run(&["layout", &ps, SHIFTS]);
    assert_eq!(run_with(&[&ps, "--bindings", "-"], &alone.out).out, run(&[&ps, SHIFTS]).out);
}

/// `rootsig` converts between the forms. What it writes is what it reads.
#[test]
fn root_signatures_convert() {
    let file = fixture("root-signatures/everything_1_1");
    let text = run(&["rootsig", &file]);
    assert_eq!((text.code, text.err.as_str()), (0, ""));
    assert!(text.text().starts_with("RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT | "), "{}", text.text());
    assert_eq!(run(&["--emit", "rootsig", &file]).text(), text.text());
    for form in ["rts0", "container"] {
        let written = run(&["rootsig", "--to", form, &file]);
        assert_eq!(written.code, 0, "{}", written.err);
        let back = run_with(&["rootsig", "-"], &written.out);
        assert_eq!((back.code, back.text()), (0, text.text()), "{form}");
        if form == "container" {
            assert_eq!(run_with(&["--emit", "rootsig", "-"], &written.out).text(), text.text());
        }
        let from_text = run_with(&["rootsig", "--to", form, "-"], &text.out);
        assert_eq!((from_text.code, from_text.out), (0, written.out), "{form}");
    }
    // What `dxc -extractrootsignature` wrote is taken wherever a root signature is.
    let extracted = format!("{FIXTURES}/root-signatures/extracted_1_1.cso");
    for arguments in [&["rootsig"][..], &["--emit", "rootsig"]] {
        let taken = run(&[arguments, &[&extracted]].concat());
        assert_eq!((taken.code, taken.err.as_str(), taken.text()), (0, "", text.text()));
    }
    let plans = [&file, &extracted].map(|signature| run(&[&file, "--emit=bindings", "--root-signature", signature]));
    assert!(plans[0].text().contains(r#""b0 space0".push = { offset = 0, size = 12 }"#), "{}", plans[0].text());
    assert_eq!(plans[0].text(), plans[1].text());
    let old = run(&["rootsig", "--root-version", "1.0", &file]);
    assert!(old.text().contains("CBV(b1),"), "{}", old.text());
    let metadata = run(&["rootsig", "--entry", "vs_main", &fixture("root-signatures/metadata.vs")]);
    assert_eq!(metadata.text(), run(&["rootsig", &fixture("root-signatures/pipeline.vs")]).text());
    run_with(&["rootsig", "-"], b"CBV(b0),\n  CBV(b0)")
        .refused(1, "-: error: malformed at line 2 column 3: b0 to b0 space0 of parameter 1 overlaps");
    run(&["rootsig", &fixture("control/binary_search")]).refused(1, "no root signature: neither an RTS0 part nor");
    assert_eq!(run(&["rootsig", "--root-version", "1.3", &file]).code, 2);
}

/// A root signature in a file counts instead of those in the containers. The request that is
/// written has its plan, so the translation repeats without the file.
#[test]
fn a_root_signature_in_a_file_places_the_resources() {
    let file = fixture("cbuffer/dynamic");
    let text = temporary("dynamic.rootsig");
    std::fs::write(&text, "DescriptorTable(CBV(b0, offset=5), UAV(u0, offset=9))").unwrap();
    let binary = temporary("dynamic.rts0");
    let written = run(&["rootsig", "--to", "rts0", text.to_str().unwrap(), "-o", binary.to_str().unwrap()]);
    assert_eq!(written.code, 0, "{}", written.err);
    let plans = [&text, &binary].map(|path| {
        let plan = run(&[&file, "--root-signature", path.to_str().unwrap(), "--emit", "bindings"]);
        assert_eq!(plan.code, 0, "{}", plan.err);
        plan.text().to_owned()
    });
    assert!(
        plans[0].contains(r#""b0 space0".descriptor = { set = 0, binding = 5, type = "uniform_buffer" }"#),
        "{}",
        plans[0]
    );
    assert!(
        plans[0].contains(r#""u0 space0".descriptor = { set = 0, binding = 9, type = "storage_buffer" }"#),
        "{}",
        plans[0]
    );
    assert_eq!(plans[0], plans[1]);

    let option = ["--root-signature", text.to_str().unwrap()];
    let layout = run(&["layout", &file, option[0], option[1]]);
    assert!(layout.text().contains("#   binding 9: storage_buffer"), "{}", layout.text());
    let words = run(&[&file, option[0], option[1]]);
    let request = temporary("dynamic.request");
    let written = run(&[&file, option[0], option[1], "--emit", "request", "-o", request.to_str().unwrap()]);
    assert_eq!(written.code, 0, "{}", written.err);
    let repeated = run(&[&file, "--request", request.to_str().unwrap()]);
    assert_eq!((repeated.code, &repeated.out), (0, &words.out), "{}", repeated.err);
    assert_eq!(run(&[&file, "--request", request.to_str().unwrap(), option[0], option[1]]).code, 2);
    // The container is found where a capture of the layer has it.
    let capture = temporary("capture");
    let bytes = std::fs::read(&file).unwrap();
    let name = format!("{}.dxil", dxil_translator::BlobDigest::from_bytes(&bytes));
    for folder in ["blobs", "requests"] {
        std::fs::create_dir_all(capture.join(folder)).unwrap();
    }
    std::fs::write(capture.join("blobs").join(name), bytes).unwrap();
    let captured = capture.join("requests/some.request");
    std::fs::copy(&request, &captured).unwrap();
    let repeated = run(&["--request", captured.to_str().unwrap()]);
    assert_eq!((repeated.code, &repeated.out), (0, &words.out), "{}", repeated.err);
    std::fs::remove_dir_all(&capture).unwrap();

    std::fs::write(&text, "DescriptorTable(CBV(b0), UAV(u1))").unwrap();
    run(&[&file, option[0], option[1]]).refused(5, "u0 space0");
    std::fs::write(&text, "DescriptorTable(CBV(b0)").unwrap();
    run(&[&file, option[0], option[1]])
        .refused(1, "dynamic.rootsig: error: malformed at line 1 column 24: expected `,` or `)`");
    run(&[&file, "--root-signature", "no-such-file"]).refused(2, "no-such-file: error: usage at input");
}

/// A dump of the layer is a request. Each part of its pipeline state and each option can be given
/// by arguments too, so that a translation can be repeated with a change.
#[test]
fn every_fact_of_a_request_has_an_argument() {
    let hull = fixture("tessellation/tri_fractional_odd.hs");
    let mesh = fixture("mesh/attributes.ms");
    let pixel = fixture("graphics/discard.ps");
    let domain = fixture("tessellation/tri_fractional_odd.ds");
    let geometry = fixture("geometry/streams.gs");
    let arguments: [(&str, &str, &[&str], &str); 22] = [
        ("names", &pixel, &["--names"], "names = true"),
        ("debug", &pixel, &["--debug", "lines"], "debug = \"lines\""),
        ("invert_y", &pixel, &["--invert-y"], "invert_y = true"),
        ("vulkan_vertex_ids", &pixel, &["--vulkan-vertex-ids"], "vulkan_vertex_ids = true"),
        ("dual_source", &pixel, &["--dual-source"], "dual_source = true"),
        ("feeds_stage", &pixel, &["--feeds-stage"], "feeds_stage = true"),
        ("sample_shading", &pixel, &["--sample-shading"], "sample_shading = true"),
        ("wide_interface", &pixel, &["--wide-interface"], "wide_interface = true"),
        ("samples", &pixel, &["--samples", "4"], "samples = 4"),
        ("samples_constant", &pixel, &["--samples-constant", "7"], "samples_constant = 7"),
        (
            "mesh_outputs",
            &fixture("mesh/attributes.ps"),
            &["--mesh-shader", &mesh],
            "semantic = \"SV_POSITION\"\nindex = 0\ncomponents = 4\n",
        ),
        (
            "tessellation",
            &domain,
            &["--hull-shader", &hull],
            "spacing = \"fractional_odd\"\noutput = \"clockwise\"\npoints = 3",
        ),
        (
            "stream_output",
            &geometry,
            &["--stream-output", "SV_Position=0:1:4:20,OTHER0=1:0:0:16"],
            "semantic = \"SV_POSITION\"\nindex = 0\nbuffer = 1\noffset = 4\nstride = 20",
        ),
        (
            "output_swizzles",
            &pixel,
            &["--output-swizzles", "zyxw"],
            "output_swizzles = [\"zyxw\", \"xyzw\", \"xyzw\", \"xyzw\", \"xyzw\", \"xyzw\", \"xyzw\", \"xyzw\"]",
        ),
        ("patch_location", &domain, &["--patch-location", "20"], "patch_location = 20"),
        ("view_instancing", &domain, &["--view-instancing", "8:9"], "instances = 8\nviewports = 9"),
        ("bounds", &pixel, &["--bounds", "emit"], "bounds = \"emit\""),
        ("raw_vectors", &pixel, &["--raw-vectors", "exact"], "raw_vectors = \"exact\""),
        ("vertex_locations", &pixel, &["--vertex-locations", "row"], "vertex_locations = \"row\""),
        ("entry_point_name", &pixel, &["--entry-point-name", "other"], "entry_point_name = \"other\""),
        ("invariant_position", &pixel, &["--invariant-position"], "invariant_position = true"),
        ("precise", &pixel, &["--precise"], "precise = true"),
    ];
    assert_eq!(arguments.map(|(key, ..)| key), dxil_translator::request::KEYS);
    for (key, file, given, lines) in arguments {
        let request = |given: &[&str]| {
            let written = run(&[&[file, SHIFTS, "--profile", "everything", "--emit", "request"], given].concat());
            assert_eq!(written.code, 0, "{}", written.err);
            written.text().to_owned()
        };
        let text = request(given);
        assert!(text.contains(&format!("\n{lines}\n")), "{lines} in {text}");
        assert!(![format!("\n{key} ="), format!(".{key}]")].iter().any(|key| request(&[]).contains(key)), "{key}");
        let words = run(&[&[file, SHIFTS, "--profile", "everything"], given].concat());
        let repeated = run_with(&[file, "--request", "-"], text.as_bytes());
        assert_eq!((words.code, repeated.code), (0, 0), "{}{}", words.err, repeated.err);
        assert!(words.out == repeated.out, "{key}");
        // A request says all of it.
        assert_eq!(run_with(&[&[file, "--request", "-"], given].concat(), text.as_bytes()).code, 2, "{key}");
    }
    run(&[&domain, "--hull-shader", &domain]).refused(
        2,
        "tri_fractional_odd.ds.dxil: error: usage at input: --hull-shader: the container has no hull shader",
    );
}

#[test]
fn binding_maps() {
    let (vs, ps) = (fixture("map/stages.vs"), fixture("map/stages.ps"));
    let map = format!("{FIXTURES}/map/stages.map.toml");
    let layout = run(&["layout", &vs, &ps, "--map", &map]);
    assert_eq!((layout.code, layout.err.as_str()), (0, ""));
    let text = layout.text();
    for line in [
        r#""b0 space0".descriptor = { set = 0, binding = 0, type = "uniform_buffer" }"#,
        r#""b0 space0".push = { offset = 0, size = 16 }"#,
        r#""t0 space0".descriptor = { set = 1, binding = 0, type = "storage_buffer" }"#,
        r#""t0 space0".descriptor = { set = 0, binding = 1, type = "sampled_image" }"#,
        "# model: map",
    ] {
        assert!(text.contains(&format!("{line}\n")), "{text}");
    }
    assert!(!text.contains("matches no resource"), "{text}");
    // Each stage by itself matches only its own entries.
    let alone = run(&["layout", &ps, "--map", &map]);
    let unmatched: Vec<&str> = alone.text().lines().filter(|line| line.contains("matches no resource")).collect();
    let expected = [
        "# entries[0] (b0 space0 (vertex)) of the map matches no resource of these shaders",
        "# entries[2] (t0 space0 (vertex, hull)) of the map matches no resource of these shaders",
    ];
    assert_eq!(unmatched, expected);
    assert_eq!(run_with(&[&ps, "--bindings", "-"], &alone.out).out, run(&[&ps, "--map", &map]).out);

    let path = temporary("bad.map.toml");
    let path = path.to_str().unwrap();
    let refused = |text: &str, code: i32, message: &str| {
        std::fs::write(path, text).unwrap();
        run(&[&ps, "--map", path]).refused(code, message);
    };
    refused(
        "version = 1\n entry = []\n",
        1,
        "error: malformed at line 2 column 2: unknown key `entry`; expected `version` or `entries`",
    );
    refused(
        "version = 1\nentries = []",
        5,
        "t0 space0 Texture2D<u32> \"image\" (pixel) has no suitable place; map: the map has no entry",
    );
    run(&[&ps, "--model", "map"]).refused(5, "the binding model map needs a binding map; give its file with `--map`");
    run(&[&ps, "--model", "register", "--map", &map]).refused(2, "a binding map is not read by the model register");
}

#[test]
fn resources_of_a_stage_that_is_not_translated() {
    let resources = run(&["resources", &fixture("newer-dxc/rays.lib_6_6")]);
    assert_eq!((resources.code, resources.err.as_str()), (0, ""));
    let text = resources.text();
    assert!(text.starts_with("library shader model 6.6, DXIL 1.6, validator 1."), "{text}");
    assert!(text.contains("raygeneration") && text.contains("t1[] space15 StructuredBuffer"), "{text}");
}

#[test]
fn resources_of_nodes_of_work_graphs() {
    let resources = run(&["resources", &fixture("libraries/nodes.all")]);
    assert_eq!((resources.code, resources.err.as_str()), (0, ""));
    let text = resources.text();
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.starts_with("not translated: ")).collect();
    for wanted in [
        &[
            "entry `first` node",
            "launch: broadcasting, as node `first`[0], program entry",
            "thread group: 32 x 1 x 1",
            "dispatch grid of a record, at most: 8 x 4 x 2",
            "input: DispatchNodeInputRecord, records of 16 bytes, dispatch grid at byte 0 (3 x u32)",
            "output 0 to node `second`[0]: NodeOutput, records of 16 bytes, at most 4",
            "output 1 to node `others`[0]: NodeOutputArray, records of 16 bytes, at most 2, an array of 3 nodes",
        ][..],
        &[
            "entry `fixed_grid` node",
            "launch: broadcasting, as node `fixed_grid`[0], shares the input of node `first`[0]",
            "thread group: 1 x 1 x 1",
            "dispatch grid: 1 x 2 x 3",
            "input: RWDispatchNodeInputRecord, records of 16 bytes",
        ],
        &[
            "entry `second` node",
            "launch: coalescing, as node `second`[0]",
            "thread group: 16 x 1 x 1",
            "input: GroupNodeInputRecords, records of 16 bytes, at most 8",
            "output 0 to node `third`[0]: EmptyNodeOutput, at most 1",
        ],
        &[
            "entry `thread_node` node",
            "launch: thread, as node `third`[1]",
            "thread group: 1 x 1 x 1",
            "input: ThreadNodeInputRecord, records of 16 bytes",
        ],
    ] {
        assert!(lines.windows(wanted.len()).any(|window| window == wanted), "{wanted:#?}\n{text}");
    }
    assert!(text.contains("a node of a work graph, which Vulkan has only by VK_AMDX_shader_enqueue"), "{text}");
}

/// LLVM's mark of a mangled name is not part of the name.
#[test]
fn resources_of_a_library_have_names_without_the_mark() {
    for name in ["libraries/subobjects.all", "newer-dxc/rays.lib_6_6"] {
        let resources = run(&["resources", &fixture(name)]);
        let text = resources.text();
        assert!(text.contains("\nentry `?") && !text.contains("u{1}"), "{name}: {text}");
    }
}

/// What is listed for an entry point comes from its translation.
#[test]
fn resources_of_entry_points() {
    let lines = |name: &str| {
        let resources = run(&["resources", &fixture(name)]);
        assert_eq!((resources.code, resources.err.as_str()), (0, ""), "{name}");
        let lines = resources.text().lines().skip_while(|line| !line.starts_with("entry")).skip(1);
        lines.take_while(|line| line.starts_with(' ')).map(|line| line.trim().to_owned()).collect::<Vec<_>>()
    };
    let features = "features that Vulkan 1.3 does not guarantee:";
    let expected = [
        "input VertexIndex",
        "input BaseVertex",
        "output Position",
        "output PointSize",
        "output TEXCOORD0: location 1",
        &format!("{features} shaderDrawParameters"),
    ];
    assert_eq!(lines("graphics/sample.vs"), expected);
    let expected = [
        "input TEXCOORD0: location 1",
        "input WORLD0: location 2",
        "input TANGENT0: location 3",
        "output SV_Target0: location 0",
        &format!("{features} none"),
    ];
    assert_eq!(lines("graphics/lit_surface.ps"), expected);
    let heap = lines("newer-dxc/heap.cs_6_6");
    assert_eq!(
        heap[..2],
        ["thread group: 8 x 8 x 1", "descriptor heaps: ResourceDescriptorHeap, SamplerDescriptorHeap"]
    );
    assert!(heap.last().unwrap().contains("shaderInt64, shaderBufferInt64Atomics"), "{heap:?}");
    assert_eq!(lines("types/int64").last().unwrap(), &format!("{features} shaderInt64"));
    assert_eq!(lines("wave/wave_size")[1], "wave size: 8 lanes");
    let refused = "not translated: unsupported at resource u0 space1 FeedbackTexture2D: sampler feedback has no \
                   counterpart in Vulkan";
    assert_eq!(lines("resource-types/types.FeedbackTexture2D"), [refused]);
}

/// `layout` names what no shader reads, and prints the plans alone if asked.
#[test]
fn what_no_shader_reads() {
    let (vs, ps) = (fixture("rootsig/graphics.vs"), fixture("rootsig/graphics.ps"));
    let unread = |files: &[&str]| {
        let layout = run(&[&["layout"], files].concat());
        assert_eq!((layout.code, layout.err.as_str()), (0, ""));
        let lines = layout.text().lines().filter_map(|line| line.strip_prefix("# no shader reads "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(unread(&[&vs, &ps]), [""; 0]);
    assert_eq!(unread(&[&ps]), ["parameter 1: CBV(b1, flags=0, visibility=SHADER_VISIBILITY_VERTEX)"]);
    let alone = unread(&[&vs]);
    assert_eq!(alone.len(), 3, "{alone:?}");
    assert_eq!(alone[0], "parameter 0: RootConstants(num32BitConstants=4, b0, visibility=SHADER_VISIBILITY_PIXEL)");
    assert!(alone[1].starts_with("parameter 2: DescriptorTable(") && alone[2].starts_with("static sampler 0: "));
    let json = run(&["layout", "--json", &ps]);
    let document: serde_json::Value = serde_json::from_str(json.text()).unwrap();
    assert_eq!(document["unread"], serde_json::json!(unread(&[&ps])));

    let (whole, plans) = (run(&["layout", &vs, &ps]), run(&["layout", "--plan", &vs, &ps]));
    let (before, _) = whole.text().split_once("# the pipeline layout to declare, for").unwrap();
    assert_eq!(plans.text(), before);
    assert_eq!(run(&["layout", "--plan", "--json", &vs, &ps]).code, 2);
}

/// A module with an embedded container is taken wherever a container is.
#[test]
fn embedded_containers() {
    let (file, out) = (fixture("control/binary_search"), temporary("embedded.spv"));
    let out = out.to_str().unwrap();
    let written = run(&["embed", &file, "-o", out]);
    assert_eq!((written.code, written.err.as_str()), (0, ""));
    assert_eq!(run(&["embed", &file]).out, std::fs::read(out).unwrap());
    assert_eq!(run(&["extract", out]).out, std::fs::read(&file).unwrap());
    for arguments in
        [&["--emit", "container"][..], &[SHIFTS], &["layout", SHIFTS], &["resources"], &["--emit", "request", SHIFTS]]
    {
        let with = |file| run(&[arguments, &[file]].concat());
        let (alone, embedded) = (with(file.as_str()), with(out));
        assert_eq!((embedded.code, &embedded.err), (0, &alone.err), "{arguments:?}");
        // A plan names its file.
        let (alone, embedded) = (alone.out, String::from_utf8_lossy(&embedded.out).replace(out, &file));
        assert_eq!(String::from_utf8_lossy(&alone), embedded, "{arguments:?}");
    }
    run(&["embed", out])
        .refused(1, "embedded.spv: error: malformed at input: the input is a SPIR-V module that carries");
    let signature = run(&["embed", &fixture("rootsig/overlapping_ranges")]).out;
    assert_eq!(
        run_with(&["rootsig", "-"], &signature).out,
        run(&["rootsig", &fixture("rootsig/overlapping_ranges")]).out
    );
}

#[test]
fn spirv_without_a_container_is_refused_by_name() {
    let file = fixture("control/binary_search");
    let plain = run(&[&file, SHIFTS]).out;
    for arguments in [&["-"][..], &["extract", "-"], &["resources", "-"]] {
        run_with(arguments, &plain)
            .refused(1, "-: error: malformed at byte 0: this is already SPIR-V, and the module ");
    }
    let mut rewritten = run(&["embed", &file]).out;
    rewritten[8..12].copy_from_slice(&[0, 0, 7, 0]);
    for arguments in [&["-"][..], &["extract", "-"]] {
        run_with(arguments, &rewritten).refused(1, "another generator word than `dxil2spv embed` writes");
    }
    let mut damaged = run(&["embed", &file]).out;
    let piece = damaged.windows(12).position(|window| window == b"DXIL.Piece 1").unwrap();
    let letter = &mut damaged[piece + 100];
    *letter = if *letter == b'A' { b'B' } else { b'A' };
    run_with(&["-", SHIFTS], &damaged).refused(1, "the embedded container has the BLAKE3 hash ");
    run_with(&["extract", "-"], b"text").refused(2, "the file is no SPIR-V module");
}

#[test]
fn a_module_for_use_without_the_layer() {
    let (file, body) = (fixture("control/binary_search"), temporary("body.spv"));
    let body = body.to_str().unwrap();
    assert_eq!(run(&[&file, SHIFTS, "-o", body]).code, 0);
    let both = run(&["embed", &file, "--with-spirv", body]).out;
    assert_eq!(run_with(&["extract", "-"], &both).out, std::fs::read(&file).unwrap());
    assert!(both.len() > std::fs::read(body).unwrap().len() + std::fs::metadata(&file).unwrap().len() as usize);
    run(&["embed", &file, "--with-spirv", body, "--entry", "other"])
        .refused(3, "no entry point `other`; the container");
    run(&["embed", &file, "--entry", "other"]).refused(3, "no entry point `other`; the container has `main`");
    run(&["embed", &file, "--with-spirv", &file]).refused(1, "does not begin with SPIR-V's magic number");
    std::fs::write(body, b"12345").unwrap();
    run(&["embed", &file, "--with-spirv", body])
        .refused(2, "body.spv: error: usage at input: 5 bytes are not whole words");
}

#[test]
fn validation_or_how_to_get_it() {
    let judged = run(&[&fixture("control/binary_search"), SHIFTS, "--validate"]);
    if cfg!(feature = "validate") {
        assert_eq!((judged.code, judged.err.as_str()), (0, ""));
    } else {
        judged.refused(2, "--validate: this dxil2spv is built without the validator");
    }
}

#[test]
fn help_states_the_exit_codes() {
    let help = run(&["--help"]);
    assert_eq!(help.code, 0);
    for code in 0..=7 {
        assert!(help.text().contains(&format!("{code} ")), "{}", help.text());
    }
}

/// A container that was changed after it was signed is refused, because a changed bit may give
/// other code that is valid. A flag reads it, and a container without a signature is read anyway.
#[test]
fn changed_containers() {
    let mut container = std::fs::read(fixture("newer-dxc/compute_mix.cs_6_8")).unwrap();
    let commands: [&[&str]; 3] = [&["-", "--emit", "dxil"], &["layout", "-"], &["resources", "-"]];
    let code = |command: &[&str], container: &[u8]| run_with(command, container).code;
    assert_eq!(commands.map(|command| code(command, &container)), [0; 3]);
    // A byte of the digest itself, which is the only one that the shader does not depend on.
    container[7] ^= 1;
    for command in commands {
        let refused = run_with(command, &container);
        assert!(refused.err.starts_with("-: error: malformed at byte 4: the digest is not that of the content"));
        assert_ne!(refused.code, 0);
        assert_eq!(code(&[command, &["--any-digest"]].concat(), &container), 0);
    }
    assert_eq!(code(&["-", "--emit", "container"], &container), 0);
    container[4..20].fill(0);
    assert_eq!(commands.map(|command| code(command, &container)), [0; 3]);
}
