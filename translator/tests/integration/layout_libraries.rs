//! `dxil2spv layout` of libraries: their entry points, shader records, shader groups and tables.

use std::sync::LazyLock;

use crate::tool::{fixture, run, temporary};
use serde_json::{Value, json};

/// A library with every way in which an export gets a local root signature, and a global root
/// signature for what none of them has.
fn library() -> (String, String) {
    // Tests run at the same time, and none may read the file while another one writes it.
    static SIGNATURE: LazyLock<String> = LazyLock::new(|| {
        let signature = temporary("layout_libraries.global.txt");
        std::fs::write(&signature, "UAV(u0), SRV(t0), CBV(b0), CBV(b1)").unwrap();
        signature.display().to_string()
    });
    (fixture("libraries/subobjects.all"), SIGNATURE.clone())
}

fn document(arguments: &[&str]) -> Value {
    let layout = run(&[&["layout", "--json"], arguments].concat());
    assert_eq!((layout.code, layout.err.as_str()), (0, ""));
    serde_json::from_str(layout.text()).unwrap()
}

/// All entry points are stages of one pipeline. `shade` is in two hit groups with different local
/// root signatures, and has two plans.
#[test]
fn a_library_is_a_pipeline() {
    let (file, signature) = library();
    let document = document(&[&file, "--root-signature", &signature]);
    let shaders = document["shaders"].as_array().unwrap();
    let shades: Vec<&Value> = shaders.iter().filter(|shader| shader["stage"] == "closesthit").collect();
    assert_eq!(shaders.len(), 8);
    assert_eq!(
        (&shades[0]["local_root_signature"], &shades[1]["local_root_signature"]),
        (&json!("colour"), &json!("picture"))
    );
    let plan = |shade: &Value| shade["plan"].as_str().unwrap().to_owned();
    assert!(plan(shades[0]).contains(r#""b1 space0".record = { offset = 0, size = 16 }"#), "{}", plan(shades[0]));
    assert!(plan(shades[1]).contains(r#""b1 space0".descriptor = { set = 0, binding = 3"#), "{}", plan(shades[1]));
    assert!(document["sets"][0]["bindings"].as_array().unwrap().len() == 4);

    // The numbers are those of D3D12's rules: 32 bytes of the handle, then 16 bytes of constants or
    // 8 of an address or of a table's handle.
    let group = |table: &str, name: &str, shaders: &[&str], bytes: u32| json!({ "table": table, "name": name, "shaders": shaders, "record_bytes": bytes });
    let expected = [
        group("ray_generation", "generate", &["generate"], 40),
        group("miss", "miss", &["miss"], 48),
        group("callable", "sound", &["sound"], 40),
        group("hit", "red", &["cut", "shade"], 48),
        group("hit", "blue", &["shade"], 40),
        group("hit", "ball", &["cut", "surface"], 40),
    ];
    assert_eq!(document["shader_groups"], json!(expected));
    let stride = |table: &str| json!({ "table": table, "stride": 64 });
    assert_eq!(document["shader_tables"], json!(["ray_generation", "miss", "hit", "callable"].map(stride)));
    let record = &document["shader_records"][3];
    assert_eq!((&record["stage"], &record["entry"], &record["size"]), (&json!("miss"), &json!("miss"), &json!(16)));
}

/// Names select entry points, and a hit group needs all of its shaders.
#[test]
fn entry_points_by_name() {
    let (file, signature) = library();
    let entries = ["--entry", "generate", "--entry", "shade"];
    let document = document(&[&[&*file, "--root-signature", &signature][..], &entries].concat());
    let names = document["shader_groups"].as_array().unwrap().iter().map(|group| group["name"].as_str().unwrap());
    assert_eq!(names.collect::<Vec<_>>(), ["generate", "blue"]);
    assert_eq!(
        document["shader_tables"],
        json!([{ "table": "ray_generation", "stride": 64 }, { "table": "hit", "stride": 64 }])
    );

    let refused = run(&["layout", &file, "--entry", "generate", "--entry", "nothing"]);
    assert!(refused.code != 0 && refused.err.contains("no entry point `nothing`"), "{}", refused.err);
    // The entry points of this library are those of several pipelines.
    let several = run(&["layout", &fixture("libraries/entries.all")]);
    let expected = "are never in one pipeline; choose the entry points of one pipeline with --entry";
    assert!(several.code == 2 && several.err.contains(expected), "{}", several.err);
}

/// The text names the profile, the groups and the strides.
#[test]
fn the_text_has_groups() {
    let (file, signature) = library();
    let layout = run(&["layout", &file, "--root-signature", &signature, "--profile", "lavapipe"]);
    let text = layout.text();
    for line in [
        "# the pipeline layout to declare, for the profile lavapipe",
        "# shader records, miss `miss`: 16 bytes after the shader group handle",
        "# hit group `red` of `cut`, `shade`: records of 48 bytes",
        "# hit table: stride 64 bytes",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}: {text}");
    }
    assert!(
        text.contains("closesthit `?shade@@YAXUPayload@@UAttributes@@@Z`, with the local root signature `picture`\n")
    );
}
