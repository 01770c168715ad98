//! Compares every bitcode part of the fixtures, as this crate reads it, with the text that LLVM 14
//! prints of it, which is that of `llvm-dis`.
//!
//! The test writes the module that it read as tokens of LLVM assembly and compares them with the
//! text of LLVM: types, globals with their initial values, functions with attributes, every
//! block, instruction, operand and flag, attachments, named metadata and the nodes it leads to. It
//! does not compare the content of debug nodes, debug locations, and parts that LLVM 14 fills in or
//! replaces when it reads an old module (alignments that were not given, declarations of debug
//! intrinsics).
//!
//! The folder that `DXIL_MORE_CONTAINERS` names is searched as well. The tests need LLVM 14
//! (Debian package `llvm-14`); without it they report that and count the skipped parts.

mod compare;
mod llvm;
mod ours;
mod text;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use compare::Counts;
use dxil_test_support::{bitcode_parts, containers, fixture, read, repository};
use llvm::Llvm;

/// Assembles LLVM's text.
const ASSEMBLER: &str = "llvm-as-14";

fn assemble(text: &[u8]) -> Result<Vec<u8>, String> {
    let mut child = Command::new(ASSEMBLER)
        .args(["-", "-o", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| e.to_string())?;
    let mut input = child.stdin.take().expect("a pipe");
    // The program reads everything before it writes.
    input.write_all(text).map_err(|e| e.to_string())?;
    drop(input);
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(output.stdout)
}

fn compare_all(llvm: &Llvm, files: &[PathBuf]) -> (Counts, usize, Vec<String>) {
    let (mut counts, mut parts_compared, mut failures) = (Counts::default(), 0, Vec::new());
    for path in files {
        for (part, bitcode) in bitcode_parts(&read(path)) {
            let result = dxil_bitcode::read(bitcode).map_err(|e| e.to_string()).and_then(|module| {
                let text = llvm.disassemble(bitcode)?;
                compare::compare(&module, &text::parse(&text))
            });
            match result {
                Ok(some) => {
                    counts += some;
                    parts_compared += 1;
                }
                Err(e) => failures.push(format!("{} {part}: {e}", path.display())),
            }
        }
    }
    (counts, parts_compared, failures)
}

#[test]
fn fixtures_are_read_as_llvm_reads_them() {
    let mut files = containers(repository().join("tests"));
    // These were changed at random, and LLVM refuses some that this reader takes.
    files.retain(|file| !file.components().any(|part| part.as_os_str() == "robustness"));
    if let Some(more) = std::env::var_os("DXIL_MORE_CONTAINERS") {
        files.extend(containers(more));
    }
    let Some(llvm) = Llvm::load() else {
        println!("skipped: LLVM 14 is not here; {} containers are not compared", files.len());
        return;
    };
    let (mut counts, mut parts, mut failures) = (Counts::default(), 0, Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let shares = files.chunks(files.len().div_ceil(threads).max(1));
        let shares: Vec<_> = shares.map(|share| scope.spawn(|| compare_all(&llvm, share))).collect();
        for share in shares {
            let (its_counts, its_parts, its_failures) = share.join().expect("a comparison panicked");
            counts += its_counts;
            parts += its_parts;
            failures.extend(its_failures);
        }
    });
    println!("{parts} bitcode parts of {} containers agree: {counts:?}", files.len());
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), parts + failures.len(), failures.join("\n"));
    assert!(counts.instructions > 0 && counts.nodes > 0);
}

/// Checks the comparison itself: it notices a change of any token of the text.
#[test]
fn a_changed_token_is_noticed() {
    let Some(llvm) = Llvm::load() else {
        println!("skipped: LLVM 14 is not here");
        return;
    };
    let container = fixture("newer-dxc/heap.cs_6_6.dxil");
    let bitcode = bitcode_parts(&container)[0].1;
    let module = dxil_bitcode::read(bitcode).unwrap();
    let mut assembly = text::parse(&llvm.disassemble(bitcode).unwrap());
    compare::compare(&module, &assembly).unwrap();
    let mut noticed = 0;
    for line in 0..lines(&mut assembly).len() {
        for token in 0..lines(&mut assembly)[line].len() {
            let filled_in = token > 0 && lines(&mut assembly)[line][token - 1] == "align";
            let before = std::mem::replace(&mut lines(&mut assembly)[line][token], "other".into());
            let result = compare::compare(&module, &assembly);
            let line = std::mem::replace(&mut lines(&mut assembly)[line][token], before);
            assert!(result.is_err() || filled_in, "token {token} was not noticed: {line}");
            noticed += usize::from(result.is_err());
        }
    }
    println!("{noticed} changed tokens were noticed");
    assert!(noticed > 500);
}

/// Checks the oracle: what LLVM refuses counts as a failure, and ends nothing.
#[test]
fn what_llvm_refuses_is_an_error() {
    let Some(llvm) = Llvm::load() else {
        println!("skipped: LLVM 14 is not here");
        return;
    };
    let container = fixture("newer-dxc/heap.cs_6_6.dxil");
    let bitcode = bitcode_parts(&container)[0].1;
    for cut in [0, 4, bitcode.len() / 2] {
        let error = llvm.disassemble(&bitcode[..cut]).unwrap_err();
        assert!(error.starts_with("LLVM 14 reports [\""), "{error}");
    }
}

/// All lines of the text that the comparison reads.
fn lines(assembly: &mut text::Assembly) -> Vec<&mut Vec<String>> {
    let functions = assembly.functions.iter_mut().flat_map(|f| std::iter::once(&mut f.header).chain(&mut f.lines));
    let rest = assembly.types.values_mut().chain(&mut assembly.globals).chain(&mut assembly.named_metadata);
    functions.chain(rest).chain(assembly.attributes.values_mut()).chain(assembly.nodes.values_mut()).collect()
}

/// Forms that DXC does not write, as LLVM 14 writes them.
#[test]
fn newer_forms_are_read_as_llvm_reads_them() {
    let assembler = Command::new(ASSEMBLER).arg("--version").output();
    let (Some(llvm), Ok(_)) = (Llvm::load(), assembler) else {
        println!("skipped: LLVM 14 or {ASSEMBLER} is not here; 1 assembly file is not compared");
        return;
    };
    let bitcode = assemble(include_bytes!("forms.ll")).unwrap();
    let module = dxil_bitcode::read(&bitcode).unwrap();
    let text = llvm.disassemble(&bitcode).unwrap();
    let counts = compare::compare(&module, &text::parse(&text)).unwrap();
    println!("forms.ll agrees: {counts:?}");
    assert!(counts.instructions > 100);
    let missing = compare::opcodes_missing(&text, OPCODES);
    assert!(missing.is_empty(), "forms.ll does not have {missing:?}");
}

/// Instructions that `forms.ll` must contain: all except those for exceptions, variable arguments
/// and indirect branches.
const OPCODES: &[&str] = &[
    "add",
    "sub",
    "mul",
    "udiv",
    "sdiv",
    "urem",
    "srem",
    "shl",
    "lshr",
    "ashr",
    "and",
    "or",
    "xor",
    "fadd",
    "fsub",
    "fmul",
    "fdiv",
    "frem",
    "fneg",
    "freeze",
    "trunc",
    "zext",
    "sext",
    "fptoui",
    "fptosi",
    "uitofp",
    "sitofp",
    "fptrunc",
    "fpext",
    "ptrtoint",
    "inttoptr",
    "bitcast",
    "addrspacecast",
    "icmp",
    "fcmp",
    "select",
    "extractelement",
    "insertelement",
    "shufflevector",
    "extractvalue",
    "insertvalue",
    "getelementptr",
    "alloca",
    "load",
    "store",
    "fence",
    "cmpxchg",
    "atomicrmw",
    "call",
    "phi",
    "br",
    "switch",
    "ret",
    "unreachable",
];
