//! Tests of signatures that no compiler writes, and of nodes that the shaders of the tests do not
//! have, on metadata made as data.

use super::*;
use dxil_base::error::ErrorKind;
use dxil_bitcode::{Metadata, ValueDef};

/// A signature element of one row, by its semantic, its stream, and its place: the row, the first
/// component and how many there are.
fn element(semantic: SemanticKind, stream: u32, place: Option<(u32, u8, u8)>) -> SignatureElement {
    let (row, start_col, cols) = place.map_or((None, 0, 1), |(row, start, cols)| (Some(row), start, cols));
    SignatureElement {
        id: 0,
        name: semantic.to_string().into(),
        semantic,
        indices: [0].into(),
        component: ComponentType::F32,
        interpolation: InterpolationMode::Undefined,
        rows: 1,
        cols,
        start_row: row,
        start_col,
        stream,
        usage_mask: 0xf,
        dynamic_index_mask: 0,
    }
}

fn refused(elements: &[SignatureElement]) -> Option<String> {
    check_packing(elements).err().map(|error| error.message().to_owned())
}

/// Components become locations, which must not overlap.
#[test]
fn components_belong_to_one_element() {
    let arbitrary = |stream, place| element(SemanticKind::Arbitrary, stream, Some(place));
    assert_eq!(refused(&[arbitrary(0, (0, 0, 2)), arbitrary(0, (0, 2, 2)), arbitrary(0, (1, 0, 4))]), None);
    let overlap = |row: u32| {
        Some(format!("signature element `{}` overlaps another element in row {row}", SemanticKind::Arbitrary))
    };
    assert_eq!(refused(&[arbitrary(0, (0, 0, 3)), arbitrary(0, (0, 2, 2))]), overlap(0));
    // The second of two rows.
    let rows = SignatureElement { rows: 2, ..arbitrary(0, (3, 0, 1)) };
    assert_eq!(refused(&[rows, arbitrary(0, (4, 0, 1))]), overlap(4));
    // Each stream has components of its own.
    assert_eq!(refused(&[arbitrary(0, (0, 0, 4)), arbitrary(1, (0, 0, 4))]), None);
}

/// A system value that becomes a builtin is one variable, so two elements cannot both be it.
#[test]
fn system_values_occur_once() {
    use SemanticKind as S;
    let builtins = [
        S::VertexId,
        S::InstanceId,
        S::Position,
        S::RenderTargetArrayIndex,
        S::ViewPortArrayIndex,
        S::PrimitiveId,
        S::SampleIndex,
        S::IsFrontFace,
        S::Coverage,
        S::InnerCoverage,
        S::Depth,
        S::StencilRef,
        S::ShadingRate,
        S::CullPrimitive,
    ];
    let twice =
        |name: S| Some(format!("signature element `{name}` has a system value that another element has already"));
    for system in builtins {
        assert_eq!(refused(&[element(system, 0, None)]), None);
        assert_eq!(refused(&[element(system, 0, None), element(system, 0, None)]), twice(system));
        assert_eq!(refused(&[element(system, 0, None), element(system, 1, None)]), None);
    }
    // Three semantics stand for the depth.
    for other in [S::DepthLessEqual, S::DepthGreaterEqual] {
        assert_eq!(refused(&[element(S::Depth, 0, None), element(other, 0, None)]), twice(other));
    }
    // Clip distances and tessellation factors take several elements.
    for several in [S::ClipDistance, S::CullDistance, S::TessFactor, S::Target, S::Arbitrary] {
        assert_eq!(refused(&[element(several, 0, None), element(several, 0, None)]), None);
    }
}

/// `loadInput` names an element by its number, which need not be its place.
#[test]
fn elements_are_found_by_their_number() {
    let elements = [2, 0, 5].map(|id| SignatureElement { id, ..element(SemanticKind::Arbitrary, id, None) });
    let signature = Signature::new(elements.to_vec());
    for id in 0..7 {
        let wanted = elements.iter().find(|element| element.id == id);
        assert_eq!(signature.element(id), wanted, "{id}");
    }
}

/// A module to which nodes are added.
struct Input {
    module: bitcode::Module,
    word: bitcode::TypeId,
}

impl Input {
    fn new() -> Self {
        let mut module = bitcode::Module::default();
        let word = module.types.push(Type::Integer(32));
        Self { module, word }
    }

    fn number(&mut self, number: u64) -> MetadataOperand {
        let def = ValueDef::Constant(self.module.constants.push(bitcode::Constant::Int(number)));
        MetadataOperand::Value(self.module.values.push(bitcode::Value { ty: self.word, def }))
    }

    fn numbers(&mut self, numbers: &[u64]) -> Vec<MetadataOperand> {
        numbers.iter().map(|&number| self.number(number)).collect()
    }

    fn node(&mut self, operands: Vec<MetadataOperand>) -> MetadataOperand {
        let operands = self.module.metadata_operands.extend(operands);
        MetadataOperand::Id(self.module.metadata.push(Metadata::Node { distinct: false, operands }))
    }

    fn text(&mut self, text: &str) -> MetadataOperand {
        let text = self.module.strings.extend(text.bytes());
        MetadataOperand::Id(self.module.metadata.push(Metadata::String(text)))
    }

    /// A texture that shaders write, or one that they read.
    fn texture(&mut self, class: ResourceClass, extensions: MetadataOperand) -> MetadataOperand {
        let mut record = self.numbers(&[0]);
        record.extend([MetadataOperand::Null; 2]);
        let kind = ResourceKind::Texture2D as u64;
        let rest: &[u64] = if class == ResourceClass::Uav { &[0, 0, 1, kind, 0, 0, 0] } else { &[0, 0, 1, kind, 0] };
        record.extend(self.numbers(rest));
        record.push(extensions);
        self.node(record)
    }

    /// Reads a node.
    fn read<T>(&self, node: MetadataOperand, read: impl FnOnce(&MetadataNode<'_>) -> Result<T>) -> Result<T> {
        let MetadataOperand::Id(id) = node else { panic!("{node:?}") };
        let source = MetadataContext::new(&self.module);
        let node = MetadataNode::new(&source, "a node", id).expect("a node");
        read(&node)
    }
}

/// Each tag of a resource's extensions says one thing (DxilMetadataHelper.h,
/// `kDxilTypedBufferElementTypeTag` and its siblings). Unknown ones are of newer compilers.
#[test]
fn extensions_of_resources_are_tagged() {
    // The component type, the stride of elements, atomic operations of 64 bits, and reordered
    // coherence.
    type Expected = (Option<ComponentType>, u32, bool, bool);
    let cases: [(u64, u64, Expected); 5] = [
        (0, ComponentType::F32 as u64, (Some(ComponentType::F32), 0, false, false)),
        (1, 16, (None, 16, false, false)),
        (3, 1, (None, 0, true, false)),
        (4, 1, (None, 0, false, true)),
        (99, 1, (None, 0, false, false)),
    ];
    for class in [ResourceClass::Srv, ResourceClass::Uav] {
        for (tag, value, wanted) in cases {
            let mut input = Input::new();
            let extensions = input.numbers(&[tag, value]);
            let extensions = input.node(extensions);
            let record = input.texture(class, extensions);
            let r = input.read(record, |node| resource(node, class)).expect("a valid record");
            assert_eq!((r.element, r.size, r.atomic_64, r.reorder_coherent), wanted, "{class:?} {tag}");
        }
    }
}

/// The number of resources of all classes is bounded before any of them is read.
#[test]
fn resources_are_counted_over_all_classes() {
    let most = limits::RESOURCES;
    for (srvs, uavs, wanted) in [
        (0, most, ErrorKind::Malformed),
        (0, most + 1, ErrorKind::Limit),
        (2, most - 2, ErrorKind::Malformed),
        (2, most - 1, ErrorKind::Limit),
    ] {
        let mut input = Input::new();
        let texture = input.texture(ResourceClass::Srv, MetadataOperand::Null);
        // Nothing where a resource should be is an error that comes after the limit.
        let lists = [vec![texture; srvs], vec![MetadataOperand::Null; uavs]].map(|list| input.node(list)).to_vec();
        let all = input.node(lists);
        let error = input.read(all, resources).map(|_| ()).expect_err("no list is valid");
        assert_eq!(error.kind(), wanted, "{srvs} and {uavs}: {error}");
    }
}

/// `[WaveSize]` is one number before shader model 6.8 and three numbers from then on
/// (DxilMetadataHelper.h, `kDxilWaveSizeTag` and `kDxilRangedWaveSizeTag`).
#[test]
fn wave_sizes_have_two_forms() {
    for (tag, numbers, wanted) in
        [(11, vec![32], [32, 0, 0]), (23, vec![4, 64, 32], [4, 64, 32]), (23, vec![16, 0, 0], [16, 0, 0])]
    {
        let mut input = Input::new();
        let threads = input.numbers(&[8, 4, 1]);
        let threads = input.node(threads);
        let sizes = input.numbers(&numbers);
        let sizes = input.node(sizes);
        let [threads_tag, wave_tag] = [4, tag].map(|tag| input.number(tag));
        let properties = input.node(vec![threads_tag, threads, wave_tag, sizes]);
        let name = input.text("main");
        let null = MetadataOperand::Null;
        let record = input.node(vec![null, name, null, null, properties]);
        let entry = input.read(record, |node| entry(node, ShaderStage::Compute)).expect("a valid entry point");
        let wanted = StageProperties::Compute { num_threads: [8, 4, 1], wave_size: Some(wanted) };
        assert_eq!(entry.properties, wanted, "{tag}");
    }
}
