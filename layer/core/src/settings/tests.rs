//! Tests of [`Settings`]: values, defaults and warnings.

use super::*;
use crate::translator::Feature;

fn with(pairs: &[(&str, &str)]) -> Settings {
    Settings::from_sources(&Sources::fixed(pairs))
}

#[test]
fn defaults_parse() {
    let settings = with(&[]);
    assert!(settings.warnings.is_empty(), "{:?}", settings.warnings);
    assert_eq!(settings.enable_features, Additions::All);
    assert_eq!(settings.cache_bytes, 64 << 20);
    assert_eq!(settings.log_level, Some(log::Level::Warn));
    assert_eq!(settings.bindings, BindingOptions::default());
}

#[test]
fn valid_values_are_used() {
    let settings = with(&[
        ("bindings", "root-signature"),
        ("register_shifts", "t=100, s=300"),
        ("root_descriptors", "address"),
        ("spaces", "96=2, 95=1"),
        ("root_tables", "offsets"),
        ("resource_heap_set", "5"),
        ("heap_counter_set", ""),
        ("heap_counters", "address"),
        ("map", "/tmp/map.toml"),
        ("bounds", "emit"),
        ("raw_vectors", "exact"),
        ("vertex_locations", "texcoord"),
        ("vertex_id", "vulkan"),
        ("invert_y", "true"),
        ("invariant_position", "yes"),
        ("precise", "1"),
        ("names", "on"),
        ("debug", "full"),
        ("dual_source", "off"),
        ("stream_output", "COLOR0=0:0:0:32,SV_Position=0:0:16:32"),
        ("profile_cap", "1.3.239,shaderInt64"),
        ("quirks_of", "swiftshader"),
        ("log_level", "off"),
    ]);
    assert!(settings.warnings.is_empty(), "{:?}", settings.warnings);
    assert_eq!(settings.bindings.model, Model::RootSignature);
    assert_eq!(settings.bindings.shifts.to_string(), "b=0,t=100,u=0,s=300,c=1000");
    assert_eq!(settings.bindings.root_descriptors.name(), "address");
    assert_eq!(settings.bindings.spaces.to_string(), "95=1,96=2");
    assert_eq!(settings.bindings.root_tables.name(), "offsets");
    assert_eq!(settings.bindings.heap_counters.name(), "address");
    let heaps = settings.bindings.heap_sets;
    assert_eq!((heaps.resources, heaps.samplers, heaps.counters), (Some(5), None, None));
    assert_eq!(settings.map, Some(PathBuf::from("/tmp/map.toml")));
    assert_eq!(settings.map_of_bindings(), None, "the model is root-signature");
    assert_eq!(with(&[("map", "m")]).map_of_bindings(), Some(Path::new("m")));
    let code = CodeOptions {
        bounds: Bounds::Emit,
        raw_vectors: RawVectors::Exact,
        vertex_locations: VertexLocations::Texcoord,
        vulkan_vertex_ids: true,
        invert_y: true,
        invariant_position: true,
        precise: true,
        names: true,
        debug: Debug::Full,
    };
    assert_eq!((settings.code, settings.dual_source), (code, DualSource::Off));
    assert_ne!(settings.stream_output, StreamOutputs::default());
    assert_eq!(settings.log_level, None);
    assert_eq!(settings.quirks_of.map(|driver| driver.id), Some(Driver::SWIFTSHADER));
    assert_eq!(with(&[("quirks_of", "none")]).quirks_of, Some(Driver::UNKNOWN));
    assert_eq!(with(&[("quirks_of", "auto")]).quirks_of, None);
    assert_eq!(settings.cap, Cap::parse("1.3.239,shaderInt64").unwrap());
}

#[test]
fn values_other_than_the_defaults_are_recorded() {
    let settings = with(&[("stats", "false"), ("invert_y", " on "), ("bindings", "none"), ("map", "m.json")]);
    let given: Vec<_> = settings.given.iter().map(|(key, value)| (&**key, &**value)).collect();
    assert_eq!(given, [("invert_y", "on"), ("map", "m.json")]);
}

#[test]
fn bad_values_warn_and_leave_the_default() {
    let settings = with(&[
        ("cache_mb", "lots"),
        ("bindings", "Register"),
        ("sampler_heap_set", "x"),
        ("stats", "perhaps"),
        ("log_level", "loud"),
        ("cache_mb", "70000"),
    ]);
    assert_eq!(
        settings.warnings,
        [
            "a test: `70000` is ignored, because `lots` is given first",
            "setting bindings: `Register` is not accepted, `auto` is used; accepted: `auto`, `register`, \
             `root-signature`, `map`",
            "setting sampler_heap_set: `x` is not accepted, the setting stays empty; accepted: a number, or an empty text",
            "setting cache_mb: `lots` is not accepted, `64` is used; accepted: a number from 0 to 65536",
            "setting log_level: `loud` is not accepted, `warn` is used; accepted: `off`, `error`, `warn`, `info`, `debug`",
            "setting stats: `perhaps` is not accepted, `false` is used; accepted: `true`, `1`, `on`, `yes`, `false`, `0`, \
             `off`, `no`",
        ]
    );
    assert_eq!(settings.cache_bytes, 64 << 20);
}

/// What is documented and what a message lists is what is accepted.
#[test]
fn words_for_true_and_false() {
    let setting = SETTINGS.iter().find(|setting| setting.key == "invert_y").unwrap();
    let accepted = setting.accepted();
    let words: Vec<&str> = accepted.split(", ").map(|word| word.trim_matches('`')).collect();
    assert_eq!(words, ["true", "1", "on", "yes", "false", "0", "off", "no"]);
    for (index, word) in words.into_iter().enumerate() {
        for word in [word.to_owned(), word.to_uppercase()] {
            let settings = with(&[("invert_y", &word)]);
            assert!(settings.warnings.is_empty(), "{:?}", settings.warnings);
            assert_eq!(settings.code.invert_y, index < 4, "{word}");
        }
    }
}

/// The words of a setting that was true or false are still accepted.
#[test]
fn features_are_enabled_by_a_list() {
    let of = |value| with(&[("enable_features", value)]);
    for (value, expected) in
        [("all", Additions::All), ("ON", Additions::All), ("None", Additions::None), ("0", Additions::None)]
    {
        assert_eq!((of(value).enable_features, of(value).warnings.len()), (expected, 0), "{value}");
    }
    let listed = of("shaderInt64, shaderFloat16").enable_features;
    assert_eq!(listed, Additions::Listed(vec![Feature::Int64, Feature::Float16]));
    assert!(listed.allows(Feature::Int64) && !listed.allows(Feature::Int16));
    let wrong = of("shaderInt64,shaderInt63");
    assert_eq!(wrong.enable_features, Additions::All);
    assert_eq!(
        wrong.warnings,
        [
            "setting enable_features: `shaderInt64,shaderInt63` is not accepted (no feature is called `shaderInt63`; did you \
             mean `shaderInt64`?), `all` is used; accepted: `all`, `none`, a list of feature names such as \
             `shaderInt64,shaderFloat16`, or a word for true or false"
        ]
    );
}

/// An invalid item invalidates its list. The warning names the item.
#[test]
fn bad_items_of_lists_are_named() {
    let warning = |key: &str, value: &str| {
        let settings = with(&[(key, value)]);
        assert_eq!(settings.cap, Cap::default());
        let [warning] = &settings.warnings[..] else { panic!("{:?}", settings.warnings) };
        warning.clone()
    };
    let cap = "`none` is used; accepted: `none`, or a list of a version such as `1.3.239` and feature names";
    assert_eq!(
        warning("profile_cap", "1.3.239,shaderInt63"),
        format!(
            "setting profile_cap: `1.3.239,shaderInt63` is not accepted (no feature is called `shaderInt63`; did you mean \
             `shaderInt64`?), {cap}"
        )
    );
    assert_eq!(
        warning("profile_cap", "teapot"),
        format!(
            "setting profile_cap: `teapot` is not accepted (no feature is called `teapot`; docs/profile.md lists them), \
             {cap}"
        )
    );
    assert_eq!(
        warning("profile_cap", "shaderInt64,1.3"),
        format!(
            "setting profile_cap: `shaderInt64,1.3` is not accepted (`1.3` is no version such as `1.3.239`), {cap}"
        )
    );
    let shifts = "`b=0,t=0,u=0,s=0,c=1000` is used; accepted: the form `b=0,t=0,u=0,s=0,c=1000`";
    for (value, why) in [
        ("t=100,q=1", "unknown register class `q`; expected b, t, u, s or c"),
        ("t=100,u", "expected a shift such as `t=100`, found `u`"),
        ("t=100,u=x", "shift `u=x`: expected a 32-bit number, found `x`"),
    ] {
        let expected = format!("setting register_shifts: `{value}` is not accepted ({why}), {shifts}");
        assert_eq!(warning("register_shifts", value), expected);
    }
    assert_eq!(
        warning("spaces", "95=1,96"),
        "setting spaces: `95=1,96` is not accepted (expected SPACE=SET such as `95=1`, found `96`), the setting stays \
         empty; accepted: a list such as `95=1,96=2`"
    );
}

#[test]
fn privileged_processes_use_no_files() {
    let files = [
        ("dump_dir", "/tmp/x"),
        ("capture_dir", "/tmp/c"),
        ("override_dir", "/tmp/o"),
        ("pdb_path", "/tmp/p"),
        ("log_file", "/tmp/y"),
        ("root_signature", "/tmp/z"),
        ("local_root_signature", "/tmp/l"),
        ("map", "/tmp/m"),
    ];
    let mut sources = Sources::fixed(&files);
    let settings = Settings::from_sources(&sources);
    assert!(settings.dump_dir.is_some() && settings.root_signature.is_some() && settings.map.is_some());
    assert!(settings.local_root_signature.is_some() && settings.override_dir.is_some());
    assert!(settings.capture_dir.is_some() && settings.pdb_path.is_some());
    sources.set_privileged();
    let settings = Settings::from_sources(&sources);
    assert_eq!((settings.capture_dir, settings.pdb_path), (None, None));
    assert_eq!((settings.dump_dir, settings.override_dir, settings.log_file), (None, None, None));
    assert_eq!((settings.root_signature, settings.local_root_signature, settings.map), (None, None, None));
    assert_eq!(settings.warnings.len(), 2, "{:?}", settings.warnings);
}
