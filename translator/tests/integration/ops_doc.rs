//! Checks that `docs/ops.md` agrees with the table of operations and with the fixtures. `BLESS=1`
//! writes the document again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use dxil_test_support::{golden, is_fixture};
use dxil_translator::Shader;
use dxil_translator::ir::{InstData, Type, Types};
use dxil_translator::ops::{Executed, OpCode, OpType, Overload, coverage_markdown};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn letter(types: &Types, ty: dxil_translator::ir::TypeId) -> Option<char> {
    Some(match &types[ty] {
        Type::Int(1) => '1',
        Type::Int(8) => '8',
        Type::Int(16) => 'w',
        Type::Int(32) => 'i',
        Type::Int(64) => 'l',
        Type::Float(16) => 'h',
        Type::Float(32) => 'f',
        Type::Float(64) => 'd',
        Type::Struct { fields, .. } => return letter(types, *fields.first()?),
        _ => return None,
    })
}

/// Finds the operations of a shader with their overloads: the type of the first operand whose type
/// is the overload, otherwise the type of the result.
fn operations(bytes: &[u8], mut found: impl FnMut(OpCode, char)) {
    let shader = Shader::parse(bytes).expect("a fixture's container can be read");
    let module = &shader.program().module;
    for (_, function) in module.functions.iter() {
        for (inst, data) in function.insts.iter() {
            let InstData::Op { op, args, .. } = *data else { continue };
            let info = op.info();
            let operand = info.operands.iter().position(|o| o.ty == OpType::Overload);
            let value = match operand {
                Some(n) => function.list(args).get(n).copied(),
                None => function.result(inst),
            };
            let overload = value.and_then(|value| letter(&module.types, module.type_of(function, value)));
            // If the operation has no overloads, the type of its result says nothing.
            let only_void = info.overloads.contains(Overload::Void);
            found(op, if only_void { 'v' } else { overload.unwrap_or('v') });
        }
    }
}

/// Features that neither lavapipe 25.0 nor SwiftShader has. A fixture that requires one exists but
/// is not executed.
const NO_DRIVER_HAS: &[&str] = &["barycentrics", "fragment_shader_interlock", "quad_control"];

/// The operations that each fixture with a stage line executes, over all its files; the same for
/// fixtures that no driver runs; and LLVM's instructions on scalars that are executed.
fn executed() -> (Executed, Executed, BTreeSet<String>) {
    let folder = root().join("tests/fixtures");
    let (mut executed, mut unrun): (Executed, Executed) = (BTreeMap::new(), BTreeMap::new());
    let mut instructions = BTreeSet::new();
    for group in fs::read_dir(&folder).expect("tests/fixtures").flatten().filter(|e| e.path().is_dir()) {
        let files: BTreeSet<PathBuf> =
            fs::read_dir(group.path()).expect("a group").flatten().map(|e| e.path()).collect();
        for source in files.iter().filter(|path| path.extension().is_some_and(|e| e == "hlsl")) {
            let text = fs::read_to_string(source).expect("a fixture's source");
            if !is_fixture(&text) {
                continue;
            }
            let stem = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let name = format!("{}/{stem}", group.file_name().to_string_lossy());
            let own = |path: &&PathBuf| {
                let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let mut parts = file.split('.');
                parts.next() == Some(&stem) && parts.next_back() == Some("dxil")
            };
            let needs = |feature: &&&str| {
                text.lines()
                    .any(|line| line.starts_with("//! require ") && line.split_whitespace().any(|w| w == **feature))
            };
            let missing = NO_DRIVER_HAS.iter().find(needs);
            for container in files.iter().filter(own) {
                let bytes = fs::read(container).expect("a fixture's container");
                if missing.is_none() {
                    instructions_of(&bytes, &mut instructions);
                }
                operations(&bytes, |op, letter| match missing {
                    None => _ = executed.entry((op, letter)).or_default().insert(name.clone()),
                    Some(feature) => {
                        _ = unrun.entry((op, letter)).or_default().insert(format!("{name} ({feature})"));
                    }
                });
            }
        }
    }
    (executed, unrun, instructions)
}

/// LLVM's instructions on scalars with the types that DXIL.rst allows them ("LLVM instructions"). A
/// conversion has a pair of types. i8 is left out because only immediates have that type.
const INSTRUCTIONS: &[(&str, &str)] = &[
    ("add sub mul udiv sdiv urem srem shl lshr ashr", "w i l"),
    ("and or xor", "1 w i l"),
    ("fadd fsub fmul fdiv frem", "h f d"),
    ("oeq ogt oge olt ole one ord uno ueq ugt uge ult ule une", "fcmp: h f d"),
    ("eq ne ugt uge ult ule sgt sge slt sle", "icmp: w i l"),
    ("trunc", "li lw iw i1 w1 l1"),
    ("zext sext", "1w 1i 1l wi wl il"),
    ("fptoui fptosi", "hw hi hl fw fi fl dw di dl"),
    ("uitofp sitofp", "1h 1f 1d wh wf wd ih if id lh lf ld"),
    ("fptrunc", "fh dh df"),
    ("fpext", "hf hd fd"),
    ("bitcast", "if fi wh hw ld dl"),
    ("select", "1 w i l h f d"),
    ("xchg add and or xor max min umax umin", "atomicrmw: i l"),
    ("cmpxchg", "i l"),
    ("load store", "w i l h f d"),
];

/// Every pair of instruction and type of the table, for example `icmp ugt l`.
fn instructions() -> Vec<String> {
    let mut all = Vec::new();
    for (names, types) in INSTRUCTIONS {
        let (prefix, types) = types.split_once(": ").map_or((String::new(), *types), |(p, t)| (format!("{p} "), t));
        for name in names.split(' ') {
            all.extend(types.split(' ').map(|ty| format!("{prefix}{name} {ty}")));
        }
    }
    all
}

/// The instructions of a shader, with names of the same form.
fn instructions_of(bytes: &[u8], found: &mut BTreeSet<String>) {
    let shader = Shader::parse(bytes).expect("a fixture's container can be read");
    let module = &shader.program().module;
    for (_, function) in module.functions.iter() {
        let of = |value| letter(&module.types, module.type_of(function, value)).unwrap_or('?');
        for (inst, data) in function.insts.iter() {
            let result = function.result(inst).map_or('-', of);
            found.insert(match *data {
                InstData::Binary { op, .. } => format!("{} {result}", op.name()),
                InstData::Cast { op, value } => format!("{} {}{result}", op.name(), of(value)),
                InstData::Cmp { op, lhs, .. } => format!("{} {}", op.name(), of(lhs)),
                InstData::Select { .. } => format!("select {result}"),
                InstData::AtomicRmw { op, value, .. } => format!("atomicrmw {} {}", op.name(), of(value)),
                InstData::CmpXchg { new, .. } => format!("cmpxchg {}", of(new)),
                InstData::Load { .. } => format!("load {result}"),
                InstData::Store { value, .. } => format!("store {}", of(value)),
                _ => continue,
            });
        }
    }
}

#[test]
fn ops_md_is_true() {
    let (executed, unrun, instructions_run) = executed();
    let mut expected = coverage_markdown(&executed, &unrun);
    let every = instructions();
    let unexecuted: Vec<String> =
        every.iter().filter(|name| !instructions_run.contains(*name)).map(|name| format!("- {name}")).collect();
    expected.push_str(&format!(
        "\n## Instructions of LLVM\nThere are {} pairs of an LLVM instruction on scalars and a type that DXIL allows for it. Types have\n\
         the letters of overloads; a conversion has two letters. {}\n",
        every.len(),
        if unexecuted.is_empty() {
            "Fixtures execute all of these pairs."
        } else {
            "No fixture executes the following pairs:"
        }
    ));
    if !unexecuted.is_empty() {
        expected.push_str(&format!("\n{}\n", unexecuted.join("\n")));
    }
    golden::check("docs/ops.md", &expected);
}
