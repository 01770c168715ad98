//! Reads the root signatures in LLVM metadata, `dx.rootsignatures`.
//!
//! In: an LLVM [`Module`]. Out: the root signature of each function that has one. What must hold:
//! the nodes are those of LLVM's document "Root Signatures" (docs/DirectX); another node is
//! `Malformed`, and the message names the function, the element and the operand. The number of
//! elements is bounded over all functions, because functions may share nodes.
//!
//! The named node lists triples of a function, a list of elements, and a version. An element begins
//! with its name; operands are counted from there, so that the name is operand 0.

use foldhash::HashSet;

use super::build::{Builder, PartPlaces, ShaderRegister, TableBuilder, UnresolvedRange};
use super::{RootSignature, RootVersion, StaticSampler, Visibility, names};
use crate::ops::consts::ResourceClass;
use dxil_base::error::{Error, Place, Result};
use dxil_base::limits;
use dxil_bitcode::{Constant, FunctionId, Metadata, MetadataOperand, MetadataView, Module, Type, ValueDef};

/// The root signatures of a module's functions, in the order of the metadata. Empty if the module
/// has none.
///
/// # Errors
/// `Malformed`: a node that is not as LLVM writes it, or a rule of D3D12 that a signature breaks.
/// `Unsupported`: another version than 1.0, 1.1 and 1.2. `Limit`: too many elements.
pub fn by_function(module: &Module) -> Result<Vec<(FunctionId, RootSignature)>> {
    let Some(list) = module.named_metadata(NAME) else { return Ok(Vec::new()) };
    limits::check(Place::Input, "root signatures in metadata", list.len(), limits::FUNCTIONS)?;
    let mut found: Vec<(FunctionId, RootSignature)> = Vec::new();
    let mut functions = HashSet::default();
    let mut budget = ElementCount { elements: 0 };
    for (index, &id) in list.iter().enumerate() {
        let Some(Metadata::Node { operands, .. }) = module.metadata(None, id) else {
            return Err(malformed!(Place::Input, "operand {index} of `{NAME}` is not a node"));
        };
        let path = format!("`{NAME}` entry {index}");
        let entry = MetadataNode { module, operands: &module.metadata_operands[operands], path };
        entry.has(&[3], "a function, a root signature and a version")?;
        let function = match entry.view(0) {
            // Optimisers remove functions, and leave null in their places.
            MetadataView::Null => continue,
            MetadataView::Value(value) => match module.value(None, value).map(|value| value.def) {
                Some(ValueDef::Function(id)) => id,
                _ => return Err(entry.wrong(0, "function", "a function")),
            },
            _ => return Err(entry.wrong(0, "function", "a function")),
        };
        if !functions.insert(function) {
            return Err(entry.error("its function has a root signature already"));
        }
        let version = entry.u32(2, "version")?;
        let version = RootVersion::from_number(Place::Input, version).map_err(|error| entry.because(&error))?;
        found.push((function, signature(&entry, version, &mut budget)?));
    }
    Ok(found)
}

const NAME: &str = "dx.rootsignatures";

/// The elements and ranges that were read so far, over all functions.
struct ElementCount {
    elements: usize,
}

impl ElementCount {
    fn spend(&mut self, count: usize) -> Result<()> {
        self.elements = self.elements.saturating_add(count);
        limits::check(Place::Input, "elements of root signatures in metadata", self.elements, limits::ROOT_METADATA)
    }
}

/// A node, with the way to it for messages.
struct MetadataNode<'m> {
    module: &'m Module,
    operands: &'m [MetadataOperand],
    path: String,
}

impl<'m> MetadataNode<'m> {
    fn error(&self, message: &str) -> Error {
        malformed!(Place::Input, "{}: {message}", self.path)
    }

    /// An error of a rule, with the way to this node.
    fn because(&self, error: &Error) -> Error {
        Error::new(error.kind(), error.place(), format!("{}: {}", self.path, error.message()))
    }

    fn wrong(&self, index: usize, name: &str, expected: &str) -> Error {
        let found = match self.view(index) {
            MetadataView::Null if index >= self.operands.len() => "nothing",
            MetadataView::Null => "null",
            MetadataView::String(_) => "a string",
            MetadataView::Value(_) => "another value",
            MetadataView::Node(..) => "a node",
            MetadataView::Debug(_) => "a debug node",
        };
        self.error(&format!("operand {index} ({name}): expected {expected}, found {found}"))
    }

    /// Checks the number of operands.
    fn has(&self, counts: &[usize], what: &str) -> Result<()> {
        let found = self.operands.len();
        if counts.contains(&found) {
            return Ok(());
        }
        let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
        Err(self.error(&format!("expected {} operands ({what}), found {found}", counts.join(" or "))))
    }

    fn view(&self, index: usize) -> MetadataView<'m> {
        self.operands.get(index).map_or(MetadataView::Null, |&operand| self.module.metadata_view(None, operand))
    }

    /// The name of an element, which is its first operand.
    fn name(&self) -> Result<&'m str> {
        match self.view(0) {
            MetadataView::String(bytes) => {
                std::str::from_utf8(bytes).map_err(|_| self.error("operand 0 (name): the string is not UTF-8"))
            }
            _ => Err(self.wrong(0, "name", "a string")),
        }
    }

    fn u32(&self, index: usize, name: &str) -> Result<u32> {
        let wrong = || self.wrong(index, name, "an integer of 32 bits");
        let MetadataView::Value(id) = self.view(index) else { return Err(wrong()) };
        let value = self.module.value(None, id).ok_or_else(wrong)?;
        match self.module.types.get(value.ty) {
            Some(Type::Integer(32)) => {}
            _ => return Err(wrong()),
        }
        let number = self.module.constant_int(None, id).ok_or_else(wrong)?;
        u32::try_from(number).map_err(|_| wrong())
    }

    /// The bits of a float.
    fn float(&self, index: usize, name: &str) -> Result<u32> {
        let wrong = || self.wrong(index, name, "a float");
        let MetadataView::Value(id) = self.view(index) else { return Err(wrong()) };
        let value = self.module.value(None, id).ok_or_else(wrong)?;
        match (self.module.types.get(value.ty), self.module.constant(None, id)) {
            (Some(Type::Float), Some(Constant::Float(bits))) => u32::try_from(bits).map_err(|_| wrong()),
            (Some(Type::Float), Some(Constant::Null)) => Ok(0),
            _ => Err(wrong()),
        }
    }

    fn visibility(&self, index: usize) -> Result<Visibility> {
        let number = self.u32(index, "visibility")?;
        let unknown = || self.error(&format!("operand {index} (visibility): unknown shader visibility {number}"));
        Visibility::from_number(number).ok_or_else(unknown)
    }

    fn register(&self, index: usize) -> Result<ShaderRegister> {
        Ok(ShaderRegister { register: self.u32(index, "register")?, space: self.u32(index + 1, "register space")? })
    }

    /// The node at an operand. `what` is its name in messages.
    fn node(&self, index: usize, what: &str) -> Result<MetadataNode<'m>> {
        match self.view(index) {
            MetadataView::Node(_, operands) => {
                Ok(MetadataNode { module: self.module, operands, path: format!("{}, {what}", self.path) })
            }
            _ => Err(self.wrong(index, what, "a node")),
        }
    }
}

/// The root signature of an entry of the named node.
fn signature(entry: &MetadataNode<'_>, version: RootVersion, budget: &mut ElementCount) -> Result<RootSignature> {
    let list = entry.node(1, "root signature")?;
    budget.spend(list.operands.len())?;
    let mut builder = Builder::new(version);
    let mut has_flags = false;
    for index in 0..list.operands.len() {
        let mut node = list.node(index, &format!("element {index}"))?;
        node.path = format!("{}, element {index}", entry.path);
        let name = node.name()?;
        node.path = format!("{} ({})", node.path, short(name));
        if name == "RootFlags" && std::mem::replace(&mut has_flags, true) {
            return Err(node.error("a root signature has RootFlags once at most"));
        }
        element(&node, name, &mut builder, budget)?;
    }
    builder.finish(Place::Input).map_err(|error| entry.because(&error))
}

/// Adds an element to a signature.
fn element(node: &MetadataNode<'_>, name: &str, builder: &mut Builder, budget: &mut ElementCount) -> Result<()> {
    let at = PartPlaces::all(Place::Input);
    let added = match name {
        "RootFlags" => {
            node.has(&[2], "name, flags")?;
            builder.flags(at.part, node.u32(1, "flags")?)
        }
        "RootConstants" => {
            node.has(&[5], "name, visibility, register, register space, number of 32-bit values")?;
            let count = node.u32(4, "number of 32-bit values")?;
            builder.constants(at.part, node.visibility(1)?, node.register(2)?, count)
        }
        "RootCBV" => descriptor(node, ResourceClass::CBuffer, builder)?,
        "RootSRV" => descriptor(node, ResourceClass::Srv, builder)?,
        "RootUAV" => descriptor(node, ResourceClass::Uav, builder)?,
        "StaticSampler" => builder.static_sampler(at, static_sampler(node)?),
        "DescriptorTable" => {
            let visibility = node.visibility(1)?;
            let count = node.operands.len().saturating_sub(2);
            budget.spend(count)?;
            builder.expect_ranges(at.part, count).map_err(|error| node.because(&error))?;
            let mut table = TableBuilder::new();
            for index in 0..count {
                let range_node = node.node(index + 2, &format!("range {index}"))?;
                let range = range(&range_node)?;
                builder.range(&mut table, at, range).map_err(|error| range_node.because(&error))?;
            }
            builder.table(at.part, visibility, table)
        }
        _ => Err(malformed!(
            at.part,
            "operand 0 (name): expected RootFlags, RootConstants, RootCBV, RootSRV, RootUAV, StaticSampler or \
             DescriptorTable"
        )),
    };
    added.map_err(|error| node.because(&error))
}

/// Adds a root descriptor. The outer result is that of reading, the inner one that of the rules.
fn descriptor(node: &MetadataNode<'_>, class: ResourceClass, builder: &mut Builder) -> Result<Result<()>> {
    node.has(&[5], "name, visibility, register, register space, flags")?;
    let (visibility, register, flags) = (node.visibility(1)?, node.register(2)?, node.u32(4, "flags")?);
    Ok(builder.descriptor(PartPlaces::all(Place::Input), visibility, class, register, Some(flags)))
}

fn range(node: &MetadataNode<'_>) -> Result<UnresolvedRange> {
    let name = node.name()?;
    let expected = "operand 0 (name): expected CBV, SRV, UAV or Sampler";
    // `names` takes letters of either case, metadata does not.
    let class = names::class(name).filter(|class| names::clause(*class).0 == name);
    let class = class.ok_or_else(|| node.error(expected))?;
    node.has(&[6], "name, number of descriptors, register, register space, offset, flags")?;
    Ok(UnresolvedRange {
        class,
        count: node.u32(1, "number of descriptors")?,
        at: node.register(2)?,
        flags: Some(node.u32(5, "flags")?),
        offset: node.u32(4, "offset")?,
    })
}

/// Reads a static sampler. LLVM's document has 13 operands after the name; newer versions of LLVM
/// write the sampler's flags after them.
fn static_sampler(node: &MetadataNode<'_>) -> Result<StaticSampler> {
    node.has(&[14, 15], "name, and 13 fields or 14 with flags")?;
    Ok(StaticSampler {
        filter: node.u32(1, "filter")?,
        address: [node.u32(2, "address mode u")?, node.u32(3, "address mode v")?, node.u32(4, "address mode w")?],
        mip_lod_bias: node.float(5, "bias of the mip level")?,
        max_anisotropy: node.u32(6, "maximum anisotropy")?,
        comparison: node.u32(7, "comparison function")?,
        border_color: node.u32(8, "border colour")?,
        min_lod: node.float(9, "smallest mip level")?,
        max_lod: node.float(10, "largest mip level")?,
        register: node.u32(11, "register")?,
        space: node.u32(12, "register space")?,
        visibility: node.visibility(13)?,
        flags: if node.operands.len() > 14 { node.u32(14, "flags")? } else { 0 },
    })
}

/// The beginning of a name, for messages.
fn short(name: &str) -> String {
    name.chars().take(32).flat_map(char::escape_debug).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_number_of_operands_is_named() {
        let module = Module::default();
        let node = MetadataNode { module: &module, operands: &[MetadataOperand::Null; 3], path: "`node`".to_owned() };
        assert_eq!(node.has(&[3], "a name and two numbers"), Ok(()));
        assert_eq!(node.has(&[2, 3], "a name and numbers"), Ok(()));
        for (counts, says) in
            [(&[4][..], "expected 4 operands (fields), found 3"), (&[1, 2], "expected 1 or 2 operands")]
        {
            let error = node.has(counts, "fields").unwrap_err();
            assert_eq!(error.kind(), dxil_base::error::ErrorKind::Malformed);
            assert!(error.message().contains(says), "{error}");
        }
    }
}
