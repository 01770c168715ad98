//! Root signatures in metadata: what LLVM's document "Root Signatures" has, and what is refused.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use dxil_bitcode::{
    Constant, Function, Linkage, List, Metadata, MetadataId, MetadataOperand, Module, NamedMetadata, Type, TypeId,
    Value, ValueDef, ValueId,
};
use dxil_translator::binding::root_signature::{
    RootParameterKind, RootVersion, by_function, descriptor_flags, range_flags,
};
use dxil_translator::ops::consts::ResourceClass;
use dxil_translator::{Error, ErrorKind, RootSignature};

use super::corpus;

/// A piece of metadata. A node is a list.
#[derive(Clone, Debug)]
pub enum Piece {
    Text(&'static str),
    Int(u32),
    Float(u32),
    Null,
    /// A function, by its name.
    Function(String),
    Node(Vec<Piece>),
}

use Piece::{Float, Int, Node, Null, Text};

/// The elements and the version of a signature, as LLVM writes them.
pub fn pieces(signature: &RootSignature) -> (Vec<Piece>, u32) {
    let mut elements = Vec::new();
    if signature.flags != 0 {
        elements.push(Node(vec![Text("RootFlags"), Int(signature.flags)]));
    }
    for parameter in &signature.parameters {
        let visibility = Int(parameter.visibility as u32);
        elements.push(match &parameter.kind {
            &RootParameterKind::Constants { register, space, count } => {
                Node(vec![Text("RootConstants"), visibility, Int(register), Int(space), Int(count)])
            }
            &RootParameterKind::Descriptor { class, register, space, flags } => {
                let name = match class {
                    ResourceClass::CBuffer => "RootCBV",
                    ResourceClass::Srv => "RootSRV",
                    _ => "RootUAV",
                };
                Node(vec![Text(name), visibility, Int(register), Int(space), Int(flags)])
            }
            RootParameterKind::Table(ranges) => {
                let mut node = vec![Text("DescriptorTable"), visibility];
                for range in ranges {
                    let name = match range.class {
                        ResourceClass::Srv => "SRV",
                        ResourceClass::Uav => "UAV",
                        ResourceClass::CBuffer => "CBV",
                        ResourceClass::Sampler => "Sampler",
                    };
                    let offset = if range.append { u32::MAX } else { range.offset };
                    let numbers = [range.count, range.register, range.space, offset, range.flags];
                    node.push(Node([Text(name)].into_iter().chain(numbers.map(Int)).collect()));
                }
                Node(node)
            }
        });
    }
    for s in &signature.static_samplers {
        let [u, v, w] = s.address;
        let mut node = vec![Text("StaticSampler"), Int(s.filter), Int(u), Int(v), Int(w), Float(s.mip_lod_bias)];
        node.extend([s.max_anisotropy, s.comparison, s.border_color].map(Int));
        node.extend([s.min_lod, s.max_lod].map(Float));
        node.extend([s.register, s.space, s.visibility as u32].map(Int));
        // LLVM's document has no flags of static samplers. LLVM 22 writes them.
        node.extend((signature.version == RootVersion::V1_2).then_some(Int(s.flags)));
        elements.push(Node(node));
    }
    (elements, signature.version.number())
}

/// Makes a module with functions and metadata.
#[derive(Default)]
struct Builder {
    module: Module,
    types: Vec<TypeId>,
}

impl Builder {
    fn new() -> Self {
        let mut builder = Self::default();
        builder.types = [Type::Integer(32), Type::Float].map(|ty| builder.module.types.push(ty)).to_vec();
        let [int, _] = builder.types[..] else { unreachable!() };
        let params = List::EMPTY;
        let function = builder.module.types.push(Type::Function { ret: int, params, vararg: false });
        let pointer = builder.module.types.push(Type::Pointer { pointee: function, address_space: 0 });
        builder.types.extend([function, pointer]);
        builder
    }

    fn text(&mut self, text: &str) -> List<u8> {
        self.module.strings.extend(text.bytes())
    }

    fn function(&mut self, name: &str) -> ValueId {
        let existing = self.module.functions.values().find(|f| self.module.text(f.name) == name);
        if let Some(function) = existing {
            return function.value;
        }
        let name = self.text(name);
        let id = self.module.functions.next_key();
        let value = self.module.values.push(Value { ty: self.types[3], def: ValueDef::Function(id) });
        self.module.functions.push(Function {
            name,
            value,
            ty: self.types[2],
            calling_convention: 0,
            linkage: Linkage::External,
            attributes: None,
            align: 0,
            section: 0,
            unnamed_addr: false,
            defined: false,
            body: None,
        });
        value
    }

    fn constant(&mut self, ty: usize, constant: Constant) -> Metadata {
        let id = self.module.constants.push(constant);
        Metadata::Value(self.module.values.push(Value { ty: self.types[ty], def: ValueDef::Constant(id) }))
    }

    fn operand(&mut self, piece: &Piece) -> MetadataOperand {
        let metadata = match piece {
            Null => return MetadataOperand::Null,
            Text(text) => Metadata::String(self.text(text)),
            // LLVM writes zero as null.
            Int(0) => self.constant(0, Constant::Null),
            Float(0) => self.constant(1, Constant::Null),
            Int(number) => self.constant(0, Constant::Int(u64::from(*number))),
            Float(bits) => self.constant(1, Constant::Float(u64::from(*bits))),
            Piece::Function(name) => Metadata::Value(self.function(name)),
            Node(pieces) => {
                let operands: Vec<_> = pieces.iter().map(|piece| self.operand(piece)).collect();
                Metadata::Node { distinct: false, operands: self.module.metadata_operands.extend(operands) }
            }
        };
        MetadataOperand::Id(self.module.metadata.push(metadata))
    }

    fn named(mut self, entries: &[Piece]) -> Module {
        let id = |operand| match operand {
            MetadataOperand::Id(id) => id,
            _ => panic!("an entry of a named node is a piece of metadata"),
        };
        let nodes: Vec<MetadataId> = entries.iter().map(|entry| id(self.operand(entry))).collect();
        let name = self.text("dx.rootsignatures");
        let nodes = self.module.named_nodes.extend(nodes);
        self.module.named_metadata.push(NamedMetadata { name, nodes });
        self.module
    }
}

fn entries(functions: &[(&str, (Vec<Piece>, u32))]) -> Vec<Piece> {
    let entry = |(name, (elements, version)): &(&str, (Vec<Piece>, u32))| {
        Node(vec![Piece::Function((*name).to_owned()), Node(elements.clone()), Int(*version)])
    };
    functions.iter().map(entry).collect()
}

/// A module with root signatures for functions of these names.
pub fn module(functions: &[(&str, (Vec<Piece>, u32))]) -> Module {
    Builder::new().named(&entries(functions))
}

/// The root signatures of a module, by the names of their functions.
pub fn read(module: &Module) -> Result<Vec<(String, RootSignature)>, Error> {
    let all = by_function(module)?;
    Ok(all
        .into_iter()
        .map(|(id, signature)| (module.text(module.functions[id].name).into_owned(), signature))
        .collect())
}

/// LLVM's text of metadata, which `llvm-as` assembles.
fn assembly(entries: &[Piece]) -> String {
    fn operand(piece: &Piece, nodes: &mut Vec<String>) -> String {
        match piece {
            Null => "null".to_owned(),
            Text(text) => format!("!\"{text}\""),
            Int(number) => format!("i32 {}", *number as i32),
            Float(bits) => format!("float 0x{:016X}", f64::from(f32::from_bits(*bits)).to_bits()),
            Piece::Function(name) => format!("void ()* @{name}"),
            Node(pieces) => {
                let operands: Vec<_> = pieces.iter().map(|piece| operand(piece, nodes)).collect();
                nodes.push(format!("!{{ {} }}", operands.join(", ")));
                format!("!{}", nodes.len() - 1)
            }
        }
    }
    let mut text = "target triple = \"dxil-ms-dx\"\n".to_owned();
    let mut nodes = Vec::new();
    let listed: Vec<_> = entries.iter().map(|entry| operand(entry, &mut nodes)).collect();
    for entry in entries {
        if let Node(pieces) = entry
            && let Some(Piece::Function(name)) = pieces.first()
        {
            let _ = writeln!(text, "define void @{name}() {{ ret void }}");
        }
    }
    let _ = writeln!(text, "!dx.rootsignatures = !{{ {} }}", listed.join(", "));
    for (number, node) in nodes.iter().enumerate() {
        let _ = writeln!(text, "!{number} = {node}");
    }
    text
}

/// All signatures of the corpus in one module of LLVM bitcode, as LLVM's assembler writes it.
#[test]
fn assembled_metadata_is_read() {
    let all = corpus::all_versions();
    let names: Vec<String> = (0..all.len()).map(|index| format!("function{index}")).collect();
    let functions: Vec<_> = names.iter().zip(&all).map(|(name, (_, s))| (name.as_str(), pieces(s))).collect();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, output) = (folder.join("signatures.ll"), folder.join("signatures.bc"));
    std::fs::write(&source, assembly(&entries(&functions))).unwrap();
    // Later assemblers do not know pointers to types, which DXIL has.
    let assembled = Command::new("llvm-as-14").arg(&source).arg("-o").arg(&output).output();
    let Ok(assembled) = assembled else {
        println!("skipped {} root signatures: no llvm-as-14 (Debian package llvm-14)", all.len());
        return;
    };
    assert!(assembled.status.success(), "{}", String::from_utf8_lossy(&assembled.stderr));
    let bytes = std::fs::read(&output).unwrap();
    for (name, (_, signature)) in names.iter().zip(&all).step_by(7) {
        assert_eq!(RootSignature::from_bytes_of(&bytes, Some(name), None).as_ref(), Ok(signature), "{name}");
    }
    let error = RootSignature::from_bytes(&bytes, None).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.message().contains("different root signatures in the metadata"), "{error}");
    let module = dxil_bitcode::read(&bytes).unwrap();
    let read: Vec<_> = read(&module).unwrap().into_iter().map(|(_, signature)| signature).collect();
    let expected: Vec<_> = all.into_iter().map(|(_, signature)| signature).collect();
    assert_eq!(read, expected);
    println!("{} root signatures are read from assembled metadata", expected.len());
}

fn example() -> Vec<Piece> {
    let numbers =
        |name, numbers: &[u32]| Node([Text(name)].into_iter().chain(numbers.iter().map(|n| Int(*n))).collect());
    let (zero, most) = (Float(0), Float(f32::MAX.to_bits()));
    vec![
        numbers("RootFlags", &[1]),
        numbers("RootConstants", &[0, 1, 2, 3]),
        numbers("RootCBV", &[0, 1, 0, 0]),
        numbers("RootSRV", &[1, 5, 6, descriptor_flags::DATA_STATIC]),
        numbers("RootUAV", &[5, 7, 8, descriptor_flags::DATA_VOLATILE]),
        Node(
            [
                Text("StaticSampler"),
                Int(1),
                Int(4),
                Int(1),
                Int(2),
                Float((-1.5f32).to_bits()),
                Int(16),
                Int(4),
                Int(2),
            ]
            .into_iter()
            .chain([zero, most, Int(9), Int(3), Int(5)])
            .collect(),
        ),
        Node(vec![
            Text("DescriptorTable"),
            Int(0),
            numbers("SRV", &[1, 0, 0, u32::MAX, range_flags::DATA_STATIC_WHILE_SET_AT_EXECUTE]),
            numbers("UAV", &[5, 1, 10, 5, range_flags::DATA_VOLATILE]),
            numbers("CBV", &[2, 3, 4, u32::MAX, 0]),
        ]),
        Node(vec![Text("DescriptorTable"), Int(5), numbers("Sampler", &[u32::MAX, 0, 1, 0, 1])]),
    ]
}

/// The seven elements and the four ranges, by the tables of LLVM's document.
#[test]
fn the_elements_of_llvms_document() {
    let expected = "RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT),
RootConstants(num32BitConstants=3, b1, space=2),
CBV(b1, flags=0),
SRV(t5, space=6, flags=DATA_STATIC, visibility=SHADER_VISIBILITY_VERTEX),
UAV(u7, space=8, flags=DATA_VOLATILE, visibility=SHADER_VISIBILITY_PIXEL),
DescriptorTable(SRV(t0, flags=DATA_STATIC_WHILE_SET_AT_EXECUTE), \
UAV(u1, numDescriptors=5, space=10, offset=5, flags=DATA_VOLATILE), \
CBV(b3, numDescriptors=2, space=4, flags=0)),
DescriptorTable(Sampler(s0, numDescriptors=unbounded, space=1, offset=0, flags=DESCRIPTORS_VOLATILE), \
visibility=SHADER_VISIBILITY_PIXEL),
StaticSampler(s9, filter=FILTER_MIN_MAG_POINT_MIP_LINEAR, addressU=TEXTURE_ADDRESS_BORDER, \
addressV=TEXTURE_ADDRESS_WRAP, addressW=TEXTURE_ADDRESS_MIRROR, mipLODBias=-1.5, maxAnisotropy=16, \
comparisonFunc=COMPARISON_LESS_EQUAL, borderColor=STATIC_BORDER_COLOR_OPAQUE_WHITE, minLOD=0.0, \
maxLOD=3.402823466e38, space=3, visibility=SHADER_VISIBILITY_PIXEL)";
    let read = read(&module(&[("main", (example(), 2))])).unwrap();
    assert_eq!((read[0].0.as_str(), read[0].1.to_string().as_str()), ("main", expected));
    assert_eq!(read[0].1.version, RootVersion::V1_1);
}

#[test]
fn each_function_has_its_own_version_and_signature() {
    let cbv = |flags| vec![Node(vec![Text("RootCBV"), Int(0), Int(1), Int(0), Int(flags)])];
    let module = module(&[("old", (cbv(2), 1)), ("new", (cbv(8), 2)), ("newest", (Vec::new(), 3))]);
    let read = read(&module).unwrap();
    let found: Vec<_> = read.iter().map(|(name, s)| (name.as_str(), s.version, s.parameters.len())).collect();
    assert_eq!(found, [("old", RootVersion::V1_0, 1), ("new", RootVersion::V1_1, 1), ("newest", RootVersion::V1_2, 0)]);
    // A function that was removed has left null.
    let removed = Node(vec![Null, Node(Vec::new()), Int(2)]);
    assert_eq!(by_function(&Builder::new().named(&[removed])), Ok(Vec::new()));
    assert_eq!(by_function(&Module::default()), Ok(Vec::new()));
}

/// Every operand of every element, replaced by something else, is refused with the way to it.
#[test]
fn malformed_operands_are_named() {
    let mut refused = 0;
    for (index, element) in example().iter().enumerate() {
        let Node(operands) = element else { panic!("an element is a node") };
        for at in 0..operands.len() {
            for other in [Null, Text("text"), Float(0x3f80_0000), Int(7), Node(Vec::new())] {
                let same =
                    matches!((&operands[at], &other), (Int(_), Int(_)) | (Text(_), Text(_)) | (Float(_), Float(_)));
                if same {
                    continue;
                }
                let mut elements = example();
                let mut changed = operands.clone();
                changed[at] = other.clone();
                elements[index] = Node(changed);
                let error = read(&module(&[("main", (elements, 2))])).unwrap_err();
                let message = error.message();
                assert!(message.starts_with(&format!("`dx.rootsignatures` entry 0, element {index}")), "{error}");
                // An empty node in the place of a range is a range without a name.
                let operand = format!("operand {at} (");
                let range = format!("range {}: operand 0 (", at.wrapping_sub(2));
                assert!(message.contains(&operand) || message.contains(&range), "{index} {at} {other:?}: {error}");
                assert_eq!(error.kind(), ErrorKind::Malformed, "{error}");
                refused += 1;
            }
        }
        // One operand less, one more.
        for count in [operands.len() - 1, operands.len() + 1] {
            let mut elements = example();
            let mut changed = operands.clone();
            changed.resize(count, Int(0));
            elements[index] = Node(changed);
            let result = read(&module(&[("main", (elements, 2))]));
            let name = match operands[0] {
                Text(name) => name,
                _ => "",
            };
            match (name, count > operands.len()) {
                // Ranges may be left out, and static samplers have flags in LLVM 22.
                ("DescriptorTable", false) | ("StaticSampler", true) => assert!(result.is_ok(), "{result:?}"),
                _ => {
                    let error = result.unwrap_err();
                    assert!(error.message().contains(&format!("element {index} ({name})")), "{error}");
                    refused += 1;
                }
            }
        }
    }
    println!("{refused} malformed elements are refused");
    assert!(refused > 150, "{refused}");
}

/// Rules of D3D12 and of the named node, each with the way to the node that breaks it.
#[test]
fn broken_rules_are_named() {
    let node = |name, numbers: &[u32]| Node([Text(name)].into_iter().chain(numbers.iter().map(|n| Int(*n))).collect());
    let table = |ranges: Vec<Piece>| Node([Text("DescriptorTable"), Int(0)].into_iter().chain(ranges).collect());
    let main = "`dx.rootsignatures` entry 0";
    let cases: Vec<(Vec<Piece>, u32, String)> = vec![
        (
            vec![Node(vec![Text("Other")])],
            2,
            format!("{main}, element 0 (Other): operand 0 (name): expected RootFlags, "),
        ),
        (
            vec![Int(3)],
            2,
            format!("{main}, root signature: operand 0 (element 0): expected a node, found another value"),
        ),
        (
            vec![node("RootFlags", &[0x1000])],
            2,
            format!("{main}, element 0 (RootFlags): unknown root signature flags 0x1000"),
        ),
        (
            vec![node("RootFlags", &[0]), node("RootFlags", &[0])],
            2,
            format!("{main}, element 1 (RootFlags): a root signature has RootFlags once at most"),
        ),
        (
            vec![node("RootCBV", &[8, 0, 0, 0])],
            2,
            format!("{main}, element 0 (RootCBV): operand 1 (visibility): unknown shader visibility 8"),
        ),
        (
            vec![node("RootCBV", &[0, 0, u32::MAX, 0])],
            2,
            format!("{main}, element 0 (RootCBV): register space 0xffffffff is reserved"),
        ),
        (
            vec![node("RootCBV", &[0, 0, 0, 0])],
            1,
            format!(
                "{main}, element 0 (RootCBV): root descriptor flags 0x0: root signature version 1.0 has no such flags, and implies 0x2"
            ),
        ),
        (
            vec![table(vec![node("SRV", &[0, 0, 0, 0, 0])])],
            2,
            format!("{main}, element 0 (DescriptorTable), range 0: a descriptor range has no descriptors"),
        ),
        (
            vec![table(vec![node("Srv", &[1, 0, 0, 0, 0])])],
            2,
            format!(
                "{main}, element 0 (DescriptorTable), range 0: operand 0 (name): expected CBV, SRV, UAV or Sampler"
            ),
        ),
        (
            vec![table(vec![node("SRV", &[1, 0, 0, 0, 0]), node("Sampler", &[1, 0, 0, 1, 0])])],
            2,
            format!("{main}, element 0 (DescriptorTable), range 1: a descriptor table has both SRV and sampler ranges"),
        ),
        (
            vec![node("RootSRV", &[0, 4, 0, 0]), node("RootSRV", &[5, 4, 0, 0])],
            2,
            format!("{main}: t4 to t4 space0 of parameter 1 overlaps t4 to t4 space0 of parameter 0"),
        ),
        (vec![node("RootConstants", &[0, 0, 0, 65])], 2, format!("{main}: the root arguments have 65 DWORDs")),
    ];
    for (elements, version, says) in cases {
        let error = read(&module(&[("main", (elements, version))])).expect_err(&says);
        assert_eq!(error.kind(), ErrorKind::Malformed, "{error}");
        assert!(error.message().starts_with(&says), "`{says}`: {error}");
    }
}

/// Rules of the list of functions with root signatures.
#[test]
fn broken_entries_are_named() {
    let named = |entries: &[Piece]| by_function(&Builder::new().named(entries)).unwrap_err().message().to_owned();
    let function = || Piece::Function("main".to_owned());
    let empty = || Node(Vec::new());
    for (entries, says) in [
        (vec![Int(1)], "operand 0 of `dx.rootsignatures` is not a node"),
        (
            vec![Node(vec![function(), empty()])],
            "entry 0: expected 3 operands (a function, a root signature and a version), found 2",
        ),
        (
            vec![Node(vec![Int(1), empty(), Int(2)])],
            "entry 0: operand 0 (function): expected a function, found another value",
        ),
        (
            vec![Node(vec![function(), Null, Int(2)])],
            "entry 0: operand 1 (root signature): expected a node, found null",
        ),
        (
            vec![Node(vec![function(), empty(), Text("2")])],
            "entry 0: operand 2 (version): expected an integer of 32 bits, found a string",
        ),
        (
            vec![Node(vec![function(), empty(), Int(4)])],
            "entry 0: root signature version 4; only 1 (1.0), 2 (1.1) and 3 (1.2) are supported",
        ),
        (
            vec![Node(vec![function(), empty(), Int(2)]), Node(vec![function(), empty(), Int(2)])],
            "entry 1: its function has a root signature already",
        ),
    ] {
        let message = named(&entries);
        assert!(message.contains(says), "`{says}`: {message}");
    }
}

/// Functions may share nodes, so the number of elements is bounded over all functions.
#[test]
fn the_number_of_elements_is_bounded() {
    let mut builder = Builder::new();
    let local = Node(vec![Text("RootFlags"), Int(0x80)]);
    let constants = |register| Node(vec![Text("RootConstants"), Int(0), Int(register), Int(0), Int(1)]);
    let elements: Vec<Piece> = [local].into_iter().chain((0..4000).map(constants)).collect();
    let shared = builder.operand(&Node(elements));
    let mut nodes = Vec::new();
    for index in 0..100 {
        let function = builder.operand(&Piece::Function(format!("f{index}")));
        let version = builder.operand(&Int(2));
        let operands = builder.module.metadata_operands.extend([function, shared, version]);
        nodes.push(builder.module.metadata.push(Metadata::Node { distinct: false, operands }));
    }
    let name = builder.text("dx.rootsignatures");
    let nodes = builder.module.named_nodes.extend(nodes);
    builder.module.named_metadata.push(NamedMetadata { name, nodes });
    let error = by_function(&builder.module).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
}
