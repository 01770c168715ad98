//! The messages of `dxil2spv` for the mistakes of the first hour, each with its whole text.

use std::fs;
use std::process::Command;

use dxil_test_support::bit_writer::BitWriter;

use crate::tool::{Run, fixture, run, run_with, temporary};

/// Checks the exit code and the whole message, and that nothing is on standard output.
#[track_caller]
fn says(run: &Run, code: i32, message: &str) {
    assert_eq!((run.code, run.err.as_str()), (code, message));
    assert_eq!(run.out, b"");
}

/// The commonest shader has b0, t0, u0 and s0 and no root signature. The first try says how to go
/// on, and what it says works.
#[test]
fn registers_of_four_classes() {
    let file = fixture("descriptors/pushed");
    let message = format!(
        "{file}: error: binding at `texels` (resource t0 space1): several resources have one binding, because a binding is a register \
         plus the shift of its class, and the shifts are b=0,t=0,u=0,s=0,c=1000:\n  \
         set 1 binding 0: t0 space1 Texture2D<u32> \"texels\" (compute)\n  \
         set 1 binding 0: u0 space1 StructuredBuffer size 16 \"results\" (compute)\n  \
         set 1 binding 0: b0 space1 ConstantBuffer size 20 \"Constants\" (compute)\n  \
         set 1 binding 0: s0 space1 SamplerState \"nearest\" (compute)\n  \
         give each register class bindings of its own, in dxil2spv with `--shifts t=100,u=200,s=300`, in the layer with the \
         setting `register_shifts` (environment variable VK_DXIL_TRANSLATE_REGISTER_SHIFTS=t=100,u=200,s=300)\n"
    );
    says(&run(&[&file]), 5, &message);
    says(&run(&["layout", &file]), 5, &message);
    assert_eq!(run(&[&file, "--shifts", "t=100,u=200,s=300"]).code, 0);
}

/// A shader that costs more than the default budget, and one that a smaller budget refuses.
#[test]
fn budgets() {
    // Each switch has one range of 4096 labels, of 192 bytes each, so the budget ends with the
    // 342nd. The error comes before anything asks for metadata.
    let mut w = BitWriter::bitcode();
    w.block(8, 3, |w| {
        w.record(1, &[0]);
        w.block(17, 4, |w| {
            w.record(1, &[3]);
            w.record(2, &[]);
            w.record(7, &[32]);
            w.record(21, &[0, 0, 1]);
        });
        w.record(8, &[2, 0, 0, 0, 0, 0, 0]);
        w.block(12, 4, |w| {
            w.record(1, &[5_000]);
            (1..5_000).for_each(|next| w.record(12, &[0x4b5 << 16, 1, 1, next, 1, 1, 0, 0, 4095 << 1, next]));
            w.record(10, &[]);
        });
    });
    let input = w.finish();
    let message = |place: &str, part: &str, input: usize, budget: u64| {
        format!(
            "limit at {place}: {part} of an input of {input} bytes use more than the budget of {budget} bytes; a larger \
             budget is `Shader::parse_within` and `Options::budget`, in the tool `--budget 2`\n"
        )
    };
    let expected = message("byte 34742 bit 4", "the bodies of functions", input.len(), 256 << 20);
    says(&run_with(&["-"], &input), 6, &format!("-: error: {expected}"));
    let file = fixture("descriptors/pushed");
    let size = fs::metadata(&file).unwrap().len() as usize;
    let expected = message("byte 2716 bit 0", "the tables of the module", size, 0);
    says(&run(&[&file, "--budget", "0"]), 6, &format!("{file}: error: {expected}"));
    assert_eq!(run(&[&file, "--budget", "1", "--shifts", "t=100,u=200,s=300"]).code, 0);
}

#[test]
fn inputs_that_are_no_dxil() {
    let expected = "expected a DXIL container (`DXBC`) or LLVM bitcode";
    let says_of = |input: &[u8], code: i32, message: &str| {
        for arguments in [&["-"][..], &["layout", "-"], &["resources", "-"], &["embed", "-"]] {
            says(&run_with(arguments, input), code, &format!("-: error: {message}\n"));
        }
    };
    says_of(b"", 1, &format!("malformed at byte 0: the input is empty; {expected}"));
    says_of(
        b"float4 main() : SV_Target { return 1; }\n",
        1,
        "malformed at byte 0: this is text and no shader container; if it is HLSL, compile it with dxc, for example with \
         `dxc -T ps_6_0 -E main shader.hlsl -Fo shader.dxil`",
    );
    says_of(
        b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0",
        1,
        "malformed at byte 0: this is a program database (PDB), which has debug information; give the container that dxc \
         writes with `-Fo`",
    );
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    let container = |part: &[u8; 4], data: &[u32]| {
        let (head, data) = ([&b"DXBC"[..], &words(&[0, 0, 0, 0, 1])].concat(), words(data));
        let size = words(&[44 + data.len() as u32, 1, 36]);
        [&head, &size, &part[..], &words(&[data.len() as u32]), &data].concat()
    };
    for (part, token, what) in
        [(b"SHEX", 0x5_0050, "compute shader of shader model 5.0"), (b"SHDR", 0x40, "pixel shader of shader model 4.0")]
    {
        let name = String::from_utf8_lossy(part);
        says_of(
            &container(part, &[token, 2]),
            3,
            &format!(
                "unsupported at byte 44: DXBC bytecode of shader model 5 or earlier, not DXIL: part {name} holds a {what}; \
                 compile it with DXC for shader model 6.0 or later"
            ),
        );
    }
    says_of(
        &container(b"ILDB", &[0; 6]),
        1,
        "malformed at input: no DXIL part: the container has debug information (part ILDB) without the shader, as a PDB has; \
         give the container that dxc writes with `-Fo`",
    );
    says_of(
        &container(b"RTS0", &[0; 6]),
        1,
        "malformed at input: no DXIL part: the container has only RTS0; `dxil2spv rootsig` prints a root signature",
    );
}

#[test]
fn spirv_is_said_by_name() {
    let spirv = run(&[&fixture("control/binary_search"), "--shifts=u=20"]).out;
    let message = "-: error: malformed at byte 0: this is already SPIR-V, and the module carries no DXIL container; expected \
                   a container, alone or embedded in SPIR-V\n";
    for arguments in [&["-"][..], &["layout", "-"], &["resources", "-"], &["extract", "-"]] {
        says(&run_with(arguments, &spirv), 1, message);
    }
    let text = run(&[&fixture("control/binary_search"), "--shifts=u=20", "--emit", "asm"]).out;
    says(
        &run_with(&["-"], &text),
        1,
        "-: error: malformed at byte 0: this is already SPIR-V, as text; expected a DXIL container (`DXBC`) or LLVM bitcode\n",
    );
}

#[test]
fn wrong_words_on_the_command_line() {
    let file = fixture("control/binary_search");
    let first = |arguments: &[&str]| {
        let run = run(arguments);
        assert_eq!((run.code, run.out), (2, vec![]));
        // The lines after the paragraph are the parser's hints at the usage.
        run.err.split_once("\n\nUsage").or(run.err.split_once("\n\nFor more")).expect(&run.err).0.to_owned()
    };
    assert_eq!(
        first(&[&file, "--samples", "3"]),
        "error: invalid value '3' for '--samples <COUNT>': a sample count is 1, 2, 4, 8, 16, 32 or 64, or 0 if it is not \
         known; did you mean 2 or 4?"
    );
    assert_eq!(
        first(&[&file, "--samples", "100"]),
        "error: invalid value '100' for '--samples <COUNT>': a sample count is 1, 2, 4, 8, 16, 32 or 64, or 0 if it is not \
         known"
    );
    assert_eq!(
        first(&["translat", &file]),
        "error: unrecognized subcommand 'translat'\n\n  tip: a similar subcommand exists: 'translate'"
    );
    assert_eq!(
        first(&["resource", &file]),
        "error: unrecognized subcommand 'resource'\n\n  tip: a similar subcommand exists: 'resources'"
    );
    assert_eq!(
        first(&[&file, "--emit", "spriv"]),
        "error: invalid value 'spriv' for '--emit <EMIT>'\n  [possible values: container, rootsig, bitcode, dxil, tree, bindings, \
         request, spirv, asm]\n\n  tip: a similar value exists: 'spirv'"
    );
    // A file may have a name that is like a subcommand's.
    let folder = temporary("names");
    fs::create_dir_all(&folder).unwrap();
    fs::copy(&file, folder.join("layouts")).unwrap();
    let named = Command::new(env!("CARGO_BIN_EXE_dxil2spv"))
        .args(["layouts", "--shifts=u=20"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(named.status.success() && named.stdout == run(&[&file, "--shifts=u=20"]).out);
}

const BUILT_IN: &str =
    "the built-in profiles are vulkan-1.0-desktop, vulkan-1.1-floor, vulkan-1.3-desktop, lavapipe, everything";

#[test]
fn profiles() {
    let file = fixture("types/int64");
    says(
        &run(&[&file, "--profile", "nope"]),
        2,
        &format!("nope: error: usage at input: neither a file nor a built-in profile; {BUILT_IN}\n"),
    );
    says(
        &run(&[&file, "--profile", "vulkan-1.3-desk"]),
        2,
        &format!(
            "vulkan-1.3-desk: error: usage at input: neither a file nor a built-in profile (did you mean \
             `vulkan-1.3-desktop`?); {BUILT_IN}\n"
        ),
    );
    let path = temporary("messages.profile");
    let path = path.to_str().unwrap();
    let refused = |text: &str, message: &str| {
        fs::write(path, text).unwrap();
        says(&run(&[&file, "--profile", path]), 1, &format!("{path}: error: malformed at {message}\n"));
    };
    refused(
        "api = \"1.3\"\nfeatures.shaderInt63 = true\n",
        "line 2 column 10: unknown feature `shaderInt63`; did you mean `shaderInt64`?",
    );
    refused("sprv = \"1.6\"\n", "line 1 column 1: unknown key `sprv`; did you mean `spirv`?");
    refused(
        "# nothing\n",
        "input: the profile is empty; expected lines `key = value`, as `dxil2spv --print-profile vulkan-1.3-desktop` prints \
         them",
    );
}

/// What `--print-profile` prints is a profile file that documents its keys.
#[test]
fn printed_profiles() {
    let printed = run(&["--print-profile", "vulkan-1.3-desktop"]);
    assert_eq!((printed.code, printed.err.as_str()), (0, ""));
    for lines in [
        "# Highest SPIR-V version that the device accepts.\nspirv = \"1.6\"\n",
        "# `maxPushConstantsSize`, bytes.\nlimit.max_push_constants_size = 128\n",
        "# VkPhysicalDeviceFeatures\nfeatures.geometryShader = true\n",
        "\nfeatures.rayQuery = false\n",
    ] {
        assert!(printed.text().contains(lines), "{lines}: {}", printed.text());
    }
    let path = temporary("printed.profile");
    fs::write(&path, &printed.out).unwrap();
    let (path, file) = (path.to_str().unwrap(), fixture("types/int64"));
    let shifts = "--shifts=t=100,u=200,s=300";
    assert_eq!(run(&[&file, shifts, "--profile", path]).out, run(&[&file, shifts]).out);
    assert_eq!(run(&["--print-profile", path]).out, printed.out);
    says(
        &run(&["--print-profile", "nope"]),
        2,
        &format!("nope: error: usage at input: neither a file nor a built-in profile; {BUILT_IN}\n"),
    );
}

/// With the profile `everything`, shaders can be read that no common device takes.
#[test]
fn everything_is_for_reading() {
    for name in ["types/int64", "query/programs", "mesh/primitive_both.ms"] {
        let file = fixture(name);
        let shifts = "--shifts=t=100,u=200,s=300";
        let read = run(&[&file, shifts, "--profile", "everything", "--emit", "asm"]);
        assert_eq!((read.code, read.err.as_str()), (0, ""), "{name}");
        assert_eq!(run(&[&file, shifts, "--profile", "vulkan-1.1-floor"]).code, 4, "{name}");
    }
}

/// A terminal shows no binary data. `script` runs a command on one.
#[test]
fn binary_data_for_a_terminal() {
    let on_terminal = |arguments: &[&str]| {
        let words: Vec<String> = std::iter::once(env!("CARGO_BIN_EXE_dxil2spv"))
            .chain(arguments.iter().copied())
            .map(|word| format!("'{word}'"))
            .collect();
        let mut script = Command::new("script");
        script.args(["-qec", &words.join(" "), "/dev/null"]).env("NO_COLOR", "1");
        let output = script.output().ok()?;
        Some((output.status.code(), String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n")))
    };
    let file = fixture("control/binary_search");
    let spirv =
        "-: error: usage at input: SPIR-V is binary, and standard output is a terminal; give a file with `-o FILE`";
    let Some(refused) = on_terminal(&[&file, "--shifts=u=20"]) else {
        println!("skipped: the command `script`, which gives a terminal, is missing");
        return;
    };
    let text = format!("{spirv}, or take the text with `--emit asm` (`-o -` writes to the terminal)\n");
    assert_eq!(refused, (Some(2), text));
    let embedded = on_terminal(&["embed", &file]);
    assert_eq!(embedded, Some((Some(2), format!("{spirv} (`-o -` writes to the terminal)\n"))));
    let (code, text) = on_terminal(&[&file, "--shifts=u=20", "--emit", "asm"]).unwrap();
    assert!(code == Some(0) && text.contains("OpEntryPoint"), "{text}");
    assert_eq!(on_terminal(&[&file, "--shifts=u=20", "-o", "-"]).unwrap().0, Some(0));
    let out = temporary("terminal.spv");
    assert_eq!(on_terminal(&[&file, "--shifts=u=20", "-o", out.to_str().unwrap()]), Some((Some(0), String::new())));
}

/// On terminals, messages have the colours of the argument parser's. Elsewhere, and with NO_COLOR,
/// they are plain text.
#[test]
fn colours_on_terminals() {
    let missing = "no-such-file";
    let coloured = |variables: &[(&str, &str)]| {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_dxil2spv"));
        tool.arg(missing).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").envs(variables.iter().copied());
        String::from_utf8(tool.output().unwrap().stderr).unwrap()
    };
    let text = "usage at input: the file cannot be read: No such file or directory (os error 2)\n";
    let plain = format!("{missing}: error: {text}");
    let styled = format!("\u{1b}[1m{missing}:\u{1b}[0m \u{1b}[1m\u{1b}[31merror:\u{1b}[0m {text}");
    assert_eq!(coloured(&[]), plain);
    assert_eq!(coloured(&[("CLICOLOR_FORCE", "1")]), styled);
    let on_terminal = |no_color: &str| {
        let line = format!("'{}' {missing}", env!("CARGO_BIN_EXE_dxil2spv"));
        let mut script = Command::new("script");
        script.args(["-qec", &line, "/dev/null"]).env("TERM", "xterm").env_remove("CLICOLOR_FORCE");
        // An empty variable counts as none (no-color.org).
        script.env_remove("CLICOLOR").env("NO_COLOR", no_color);
        Some(String::from_utf8_lossy(&script.output().ok()?.stdout).replace("\r\n", "\n"))
    };
    let Some(shown) = on_terminal("") else {
        println!("skipped: the command `script`, which gives a terminal, is missing");
        return;
    };
    assert_eq!(shown, styled);
    assert_eq!(on_terminal("1"), Some(plain));
}

/// Resources have their names in the source where a debug part has them, otherwise their registers.
#[test]
fn names_of_resources() {
    let shifts = "--shifts=t=100,u=200,s=300";
    let names = |input: &[u8], more: &[&str]| {
        let run = run_with(&[&["-", shifts, "--names", "--emit", "asm"], more].concat(), input);
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        let lines = run.text().lines().filter(|line| line.starts_with("OpName "));
        lines.filter_map(|line| line.split('"').nth(1)).map(str::to_owned).collect::<Vec<_>>()
    };
    // Parts whose code is unknown are ignored.
    let without = |bytes: &[u8], parts: &[&[u8; 4]]| {
        let mut bytes = bytes.to_vec();
        for part in parts {
            let at = bytes.windows(4).position(|window| window == *part).unwrap();
            bytes[at..at + 4].copy_from_slice(b"NONE");
        }
        bytes
    };
    let pushed = fs::read(fixture("descriptors/pushed")).unwrap();
    assert_eq!(names(&pushed, &[]), ["texels", "results", "Constants", "words", "plain", "picture", "nearest", "main"]);
    let stripped = without(&pushed, &[b"STAT"]);
    let registers = ["t0_space1", "u0_space1", "b0_space1", "t1_space1", "t0", "t2_space1", "s0_space1", "main"];
    assert_eq!(names(&stripped, &[]), registers);
    // Names change nothing else, and a part that cannot be read names nothing.
    let words = |input: &[u8]| run_with(&["-", shifts], input).out;
    assert_eq!(words(&pushed), words(&stripped));
    let mut faulty = pushed.clone();
    let bitcode = faulty.windows(4).position(|window| window == b"STAT").unwrap() + 8 + 24;
    faulty[bitcode..bitcode + 4].copy_from_slice(b"BC\xc0\xdf");
    assert_eq!(names(&faulty, &[]), registers);
    // A container with debug information, without and with its reflection.
    let debug = fs::read(fixture("variants/zi_if_nested")).unwrap();
    assert_eq!(names(&debug, &[]), ["input", "results", "main"]);
    assert_eq!(names(&without(&debug, &[b"STAT"]), &[]), ["input", "results", "main"]);
    assert_eq!(names(&without(&debug, &[b"STAT", b"ILDB"]), &[]), ["t0", "u0", "main"]);
    let counted = fs::read(fixture("buffer/counter")).unwrap();
    assert_eq!(names(&counted, &[]), ["grows_counter", "grows", "shrinks_counter", "shrinks", "main"]);
    let heap = fs::read(fixture("newer-dxc/heap.cs_6_6")).unwrap();
    let sets = ["--resource-heap-set=4", "--sampler-heap-set=5", "--heap-counter-set=6", "--profile=everything"];
    let of_resources = "ResourceDescriptorHeap";
    let counter = "ResourceDescriptorHeap_counter";
    let expected = [of_resources, of_resources, "SamplerDescriptorHeap", of_resources, counter, "u0", "u0", "main"];
    assert_eq!(names(&heap, &sets), expected);
}

/// The shaders of `layout` are those of one pipeline.
#[test]
fn shaders_of_several_pipelines() {
    let [vs, ps, cs] = ["graphics/sample.vs", "graphics/sample.ps", "control/binary_search"].map(fixture);
    let ms = fixture("mesh/primitive_both.ms");
    says(
        &run(&["layout", &vs, &ps, &vs]),
        2,
        &format!(
            "{vs}: error: usage at input: a pipeline has one vertex shader, but here are two: `vs_main`, and \
             `vs_main` of {vs}; give the shaders of one pipeline\n"
        ),
    );
    says(
        &run(&["layout", &vs, &cs]),
        2,
        &format!(
            "{cs}: error: usage at input: a compute shader (`main`) and a vertex shader (`vs_main` of {vs}) are never in one \
             pipeline; give the shaders of one pipeline\n"
        ),
    );
    says(
        &run(&["layout", &ps, &ms, &vs]),
        2,
        &format!(
            "{vs}: error: usage at input: a vertex shader (`vs_main`) and a mesh shader (`mesh` of {ms}) are never in one \
             pipeline; give the shaders of one pipeline\n"
        ),
    );
    assert_eq!(run(&["layout", &ms, &fixture("mesh/primitive_both.ps"), "--profile", "everything"]).code, 0);
}

/// Completions and the manual page are made from the same arguments as `--help`.
#[test]
fn completions_and_manual() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = run(&["--completions", shell]);
        assert_eq!((script.code, script.err.as_str()), (0, ""), "{shell}");
        assert!(script.text().contains("print-profile") && script.text().contains("root-signature"), "{shell}");
    }
    let manual = run(&["--manual"]);
    assert_eq!((manual.code, manual.err.as_str()), (0, ""));
    for word in [".TH dxil2spv", "print\\-profile", "Exit codes: 0 success", ".TH dxil2spv-layout", "root\\-signature"]
    {
        assert!(manual.text().contains(word), "{word}: {}", manual.text());
    }
    assert_eq!(run(&["--completions", "cmd"]).code, 2);
}
