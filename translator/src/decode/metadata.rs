//! Reads the module's metadata: versions, entry points, resources, signatures.
//!
//! In: the named metadata `dx.*` of a [`bitcode::Module`]. Out: [`ModuleMetadata`], all parts of a
//! program except the IR. What must hold: node layouts are those of DXIL.rst, "Metadata". An
//! element that is missing or has another type is `Malformed`, and the message names it. Elements
//! that a newer compiler appends are ignored.

pub mod members;
mod nodes;
mod reader;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use self::reader::{MetadataContext, MetadataNode, numbers};
use crate::ir::declarations::{ShaderFlags, Signature, SignatureElement, StageProperties};
use crate::ir::nodes::NodeProperties;
use crate::ir::resources::ElementDeclaration;
use crate::ir::resources::{DescriptorOrigin, Resource, ResourceId, UNBOUNDED};
use crate::ops::consts::{ComponentType, InterpolationMode, ResourceClass, ResourceKind, SemanticKind, ShaderStage};
use dxil_base::entity::PrimaryMap;
use dxil_base::error::{Place, Result};
use dxil_base::limits;
use dxil_base::names::{self, unmarked};
use dxil_bitcode as bitcode;
use dxil_bitcode::{MetadataOperand, MetadataView, Type};

/// An entry point as `dx.entryPoints` lists it.
#[derive(Clone, Debug)]
pub struct EntryMetadata {
    /// Its function. `None` for the record of a library that carries only shared properties, and
    /// for a hull shader that passes its control points through.
    pub function: Option<bitcode::FunctionId>,
    /// The function of a hull shader that runs once per patch.
    pub patch_function: Option<bitcode::FunctionId>,
    /// Its name in the container, without LLVM's mark.
    pub name: Arc<str>,
    /// Its stage.
    pub stage: ShaderStage,
    /// Stage-specific properties.
    pub properties: StageProperties,
    /// Shader flags.
    pub flags: ShaderFlags,
    /// Inputs.
    pub inputs: Arc<Signature>,
    /// Outputs.
    pub outputs: Arc<Signature>,
    /// Patch constants or primitives.
    pub patch_constants: Arc<Signature>,
}

/// The content of a module's metadata.
#[derive(Clone, Debug)]
pub struct ModuleMetadata {
    /// The stage of the module; `Library` for a library.
    pub stage: ShaderStage,
    /// Shader model, `(major, minor)`.
    pub shader_model: (u8, u8),
    /// DXIL version, `(major, minor)`.
    pub dxil_version: (u8, u8),
    /// Validator version, `(major, minor)`.
    pub validator_version: (u8, u8),
    /// The entry points.
    pub entries: Vec<EntryMetadata>,
    /// The resources, in the order SRVs, UAVs, constant buffers, samplers.
    pub resources: PrimaryMap<ResourceId, Resource>,
    /// What their declarations say of their elements, for each resource.
    pub shapes: PrimaryMap<ResourceId, ElementDeclaration>,
    /// The global variables of resources. Library code loads handles from them.
    pub symbols: Vec<(bitcode::GlobalId, ResourceId)>,
}

/// Reads the metadata of a module.
///
/// # Errors
/// `Malformed`, `Unsupported` or `Limit`; the message names the node and element.
pub fn read(module: &bitcode::Module) -> Result<ModuleMetadata> {
    let source = &MetadataContext::new(module);
    let model = first_node(source, "dx.shaderModel")?
        .ok_or_else(|| malformed!(Place::Input, "no `dx.shaderModel` metadata: this is LLVM bitcode, not DXIL"))?;
    let stage = match model.text(0)?.1 {
        b"ps" => ShaderStage::Pixel,
        b"vs" => ShaderStage::Vertex,
        b"gs" => ShaderStage::Geometry,
        b"hs" => ShaderStage::Hull,
        b"ds" => ShaderStage::Domain,
        b"cs" => ShaderStage::Compute,
        b"lib" => ShaderStage::Library,
        b"ms" => ShaderStage::Mesh,
        b"as" => ShaderStage::Amplification,
        other => {
            let other = names::text(other);
            return Err(malformed!(Place::Input, "unknown shader kind `{other}` in `dx.shaderModel`"));
        }
    };
    let version = |name| match first_node(source, name)? {
        Some(node) => Ok((node.byte(0)?, node.byte(1)?)),
        None => Ok((1, 0)),
    };
    let (resources, shapes, symbols) = match first_node(source, "dx.resources")? {
        Some(node) => resources(&node)?,
        None => (PrimaryMap::new(), PrimaryMap::new(), Vec::new()),
    };
    let mut entries = Vec::new();
    if let Some(list) = module.named_metadata("dx.entryPoints") {
        limits::check(Place::Input, "entry points", list.len(), limits::FUNCTIONS)?;
        entries.reserve_exact(list.len());
        for &id in list {
            entries.push(entry(&MetadataNode::new(source, "dx.entryPoints", id)?, stage)?);
        }
    }
    if entries.is_empty() {
        return Err(malformed!(Place::Input, "no `dx.entryPoints` metadata"));
    }
    Ok(ModuleMetadata {
        stage,
        shader_model: (model.byte(1)?, model.byte(2)?),
        dxil_version: version("dx.version")?,
        validator_version: version("dx.valver")?,
        entries,
        resources,
        shapes,
        symbols,
    })
}

fn first_node<'m>(source: &'m MetadataContext<'m>, name: &'static str) -> Result<Option<MetadataNode<'m>>> {
    match source.module.named_metadata(name).and_then(|list| list.first()) {
        Some(&id) => MetadataNode::new(source, name, id).map(Some),
        None => Ok(None),
    }
}

type DeclaredResources = (
    PrimaryMap<ResourceId, Resource>,
    PrimaryMap<ResourceId, ElementDeclaration>,
    Vec<(bitcode::GlobalId, ResourceId)>,
);

/// Reads the resources, and finds which of them have a global variable.
fn resources(node: &MetadataNode<'_>) -> Result<DeclaredResources> {
    let classes = [ResourceClass::Srv, ResourceClass::Uav, ResourceClass::CBuffer, ResourceClass::Sampler];
    let mut lists = [None, None, None, None];
    for (i, list) in lists.iter_mut().enumerate() {
        *list = node.node(i, "dx.resources")?;
    }
    let count = lists.iter().flatten().map(MetadataNode::len).sum();
    limits::check(Place::Input, "resources", count, limits::RESOURCES)?;
    let (mut all, mut shapes) = (PrimaryMap::with_capacity(count), PrimaryMap::with_capacity(count));
    let mut symbols = Vec::new();
    for (class, list) in classes.into_iter().zip(&lists) {
        let Some(list) = list else { continue };
        for k in 0..list.len() {
            let record = list.node(k, "dx.resources")?.ok_or_else(|| list.wrong(k, "a resource"))?;
            let mut resource = resource(&record, class)?;
            let shape = shape(&record, &resource)?;
            resource.has_pairs = resource.kind.is_typed() && shape.content.is_some_and(|ty| is_wide(node.module, ty));
            shapes.push(shape);
            let id: ResourceId = all.push(resource);
            symbols.extend(record.global(1).map(|global| (global, id)));
        }
    }
    Ok((all, shapes, symbols))
}

/// The name of a resource, which may be missing.
fn name(node: &MetadataNode<'_>, index: usize) -> Result<Arc<str>> {
    match node.view(index) {
        MetadataView::String(_) => node.string(index),
        _ => Ok(Arc::default()),
    }
}

/// Reads a resource record (DXIL.rst, "Shader Resources"): six common elements, then those of the
/// class, then tagged extensions.
fn resource(node: &MetadataNode<'_>, class: ResourceClass) -> Result<Resource> {
    let mut r = Resource {
        origin: DescriptorOrigin::Registers,
        class,
        range_id: node.u32(0)?,
        name: name(node, 2)?,
        source_name: None,
        space: node.u32(3)?,
        lower_bound: node.u32(4)?,
        count: node.u32(5)?,
        kind: ResourceKind::CBuffer,
        element: None,
        has_pairs: false,
        size: 0,
        sample_count: 0,
        globally_coherent: false,
        reorder_coherent: false,
        has_counter: false,
        rasterizer_ordered: false,
        atomic_64: false,
        comparison_sampler: false,
        intrinsics: None,
    };
    let extensions = match class {
        ResourceClass::Srv => {
            r.kind = node.constant(6, "resource kind")?;
            r.sample_count = node.u32(7)?;
            8
        }
        ResourceClass::Uav => {
            r.kind = node.constant(6, "resource kind")?;
            r.globally_coherent = node.flag(7)?;
            r.has_counter = node.flag(8)?;
            r.rasterizer_ordered = node.flag(9)?;
            10
        }
        ResourceClass::CBuffer => {
            r.kind = ResourceKind::CBuffer;
            r.size = node.u32(6)?;
            7
        }
        ResourceClass::Sampler => {
            r.kind = ResourceKind::Sampler;
            r.comparison_sampler = node.u32(6)? == 1;
            7
        }
    };
    if r.count == 0 {
        return Err(malformed!(r.place(), "the resource has no registers"));
    }
    if r.count != UNBOUNDED && r.lower_bound.checked_add(r.count - 1).is_none() {
        return Err(malformed!(
            r.place(),
            "{} registers from register {} on go beyond the last 32-bit register",
            r.count,
            r.lower_bound
        ));
    }
    if matches!(class, ResourceClass::Srv | ResourceClass::Uav)
        && let Some(list) = node.node(extensions, "resource extension")?
    {
        // DxilMetadataHelper.h, kDxilTypedBufferElementTypeTag and its siblings.
        list.tags(|tag, at| {
            match tag {
                0 => r.element = Some(list.constant(at, "component type")?),
                1 => r.size = list.u32(at)?,
                3 => r.atomic_64 = list.flag(at)?,
                4 => r.reorder_coherent = list.flag(at)?,
                _ => {}
            }
            Ok(())
        })?;
    }
    Ok(r)
}

/// What the declaration of a resource says of its elements: the type of its variable is a structure
/// of HLSL's class, whose first field is an element, or the structure of a constant buffer.
fn shape(node: &MetadataNode<'_>, resource: &Resource) -> Result<ElementDeclaration> {
    let mut shape = ElementDeclaration::default();
    let mut ty = node.pointee(1);
    // An array of resources.
    while let Some(Type::Array { element, .. }) = ty.map(|ty| node.module.types[ty]) {
        ty = Some(element);
    }
    let fields = match ty.map(|ty| node.module.types[ty]) {
        Some(Type::Struct { fields, .. }) => &node.module.type_lists[fields],
        _ => &[],
    };
    let content = match resource.kind {
        ResourceKind::CBuffer => ty,
        kind if kind == ResourceKind::StructuredBuffer || kind.is_typed() => fields.first().copied(),
        _ => None,
    };
    shape.content = content;
    shape.structure = ty.filter(|_| matches!(resource.kind, ResourceKind::CBuffer | ResourceKind::TBuffer));
    shape.components = match content.map(|content| node.module.types[content]) {
        Some(Type::Vector { len, .. }) => u8::try_from(len).unwrap_or(0),
        Some(_) if resource.kind.is_typed() => 1,
        _ => 0,
    };
    if matches!(resource.kind, ResourceKind::FeedbackTexture2D | ResourceKind::FeedbackTexture2DArray)
        && let Some(list) = node.node(10, "resource extension")?
    {
        list.tags(|tag, at| {
            // DxilMetadataHelper.h, kDxilSamplerFeedbackKindTag.
            if tag == 2 {
                shape.feedback = Some(list.constant(at, "sampler feedback type")?);
            }
            Ok(())
        })?;
    }
    Ok(shape)
}

/// Whether a type is a number of 64 bits or a vector of them.
fn is_wide(module: &bitcode::Module, ty: bitcode::TypeId) -> bool {
    match module.types[ty] {
        Type::Vector { element, .. } => matches!(module.types[element], Type::Integer(64) | Type::Double),
        Type::Integer(64) | Type::Double => true,
        _ => false,
    }
}

/// A name without LLVM's mark of a mangled name.
fn without_mark(name: Arc<str>) -> Arc<str> {
    let short = unmarked(&name);
    if short.len() == name.len() { name } else { short.into() }
}

/// Reads an entry point (DXIL.rst, "Entry point"): function, name, signatures, resources, tagged
/// properties.
fn entry(node: &MetadataNode<'_>, module_stage: ShaderStage) -> Result<EntryMetadata> {
    let mut entry = EntryMetadata {
        function: node.function(0)?,
        patch_function: None,
        name: without_mark(node.string(1)?),
        stage: module_stage,
        properties: StageProperties::None,
        flags: ShaderFlags::default(),
        inputs: node.source.empty.clone(),
        outputs: node.source.empty.clone(),
        patch_constants: node.source.empty.clone(),
    };
    if let Some(signatures) = node.node(2, "signatures")? {
        entry.inputs = shared_signature(&signatures, 0)?;
        entry.outputs = shared_signature(&signatures, 1)?;
        entry.patch_constants = shared_signature(&signatures, 2)?;
    }
    let Some(properties) = node.node(4, "entry properties")? else { return Ok(entry) };
    let (mut num_threads, mut wave_size) = (None, None);
    let (mut payload_bytes, mut attribute_bytes) = (0, 0);
    let mut graph_node = NodeProperties::default();
    // DxilMetadataHelper.h, kDxilShaderFlagsTag and its siblings.
    properties.tags(|tag, at| {
        match tag {
            0 => entry.flags = ShaderFlags(properties.uint(at)?),
            1 => entry.properties = geometry(&properties.list(at, "geometry state")?)?,
            2 => entry.properties = domain(&properties.list(at, "domain state")?)?,
            3 => {
                let state = properties.list(at, "hull state")?;
                entry.patch_function = state.function(0)?;
                entry.properties = hull(&state)?;
            }
            4 => num_threads = Some(numbers(&properties, at, "numthreads")?),
            6 => payload_bytes = properties.u32(at)?,
            7 => attribute_bytes = properties.u32(at)?,
            8 => entry.stage = properties.constant(at, "shader kind")?,
            9 => entry.properties = mesh(&properties.list(at, "mesh shader state")?)?,
            10 => entry.properties = amplification(&properties.list(at, "amplification shader state")?)?,
            11 => wave_size = Some([numbers::<1>(&properties, at, "WaveSize")?[0], 0, 0]),
            23 => wave_size = Some(numbers(&properties, at, "WaveSize range")?),
            _ => nodes::property(&mut graph_node, &properties, tag, at)?,
        }
        Ok(())
    })?;
    if let (ShaderStage::Compute, Some(num_threads)) = (entry.stage, num_threads) {
        entry.properties = StageProperties::Compute { num_threads, wave_size };
    }
    if entry.stage == ShaderStage::Node {
        entry.properties = StageProperties::Node(Box::new(NodeProperties { num_threads, ..graph_node }));
    }
    if entry.stage.is_rays() {
        entry.properties = StageProperties::Rays { payload_bytes, attribute_bytes };
    }
    if let StageProperties::Mesh { wave_size: size, .. } | StageProperties::Amplification { wave_size: size, .. } =
        &mut entry.properties
    {
        *size = wave_size;
    }
    Ok(entry)
}

/// Reads the state of a mesh shader (DxilMetadataHelper.h, `kDxilMSState…`).
fn mesh(state: &MetadataNode<'_>) -> Result<StageProperties> {
    Ok(StageProperties::Mesh {
        num_threads: numbers(state, 0, "numthreads")?,
        wave_size: None,
        max_vertices: state.count(1, "vertices of a mesh shader", 0..=limits::MESH_VERTICES)?,
        max_primitives: state.count(2, "primitives of a mesh shader", 0..=limits::MESH_PRIMITIVES)?,
        topology: state.constant(3, "output topology")?,
        payload_bytes: state.count(4, "bytes of a payload", 0..=limits::MESH_PAYLOAD_BYTES)?,
    })
}

/// Reads the state of an amplification shader (DxilMetadataHelper.h, `kDxilASState…`).
fn amplification(state: &MetadataNode<'_>) -> Result<StageProperties> {
    Ok(StageProperties::Amplification {
        num_threads: numbers(state, 0, "numthreads")?,
        wave_size: None,
        payload_bytes: state.count(1, "bytes of a payload", 0..=limits::MESH_PAYLOAD_BYTES)?,
    })
}

/// Reads the state of a geometry shader (DxilMetadataHelper.h, `kDxilGSState…`).
fn geometry(state: &MetadataNode<'_>) -> Result<StageProperties> {
    Ok(StageProperties::Geometry {
        input: state.constant(0, "input primitive")?,
        max_vertices: state.count(1, "vertices of a geometry shader", 1..=limits::GEOMETRY_VERTICES)?,
        streams: state.count(2, "as a mask of streams", 0..=0xf)?,
        output: state.constant(3, "output topology")?,
        instances: state.count(4, "instances of a geometry shader", 1..=limits::GEOMETRY_INSTANCES)?,
    })
}

/// Reads the state of a domain shader (DxilMetadataHelper.h, `kDxilDSState…`).
fn domain(state: &MetadataNode<'_>) -> Result<StageProperties> {
    Ok(StageProperties::Domain {
        domain: state.constant(0, "domain")?,
        input_points: state.count(1, "control points", 0..=limits::CONTROL_POINTS)?,
    })
}

/// Reads the state of a hull shader (DxilMetadataHelper.h, `kDxilHSState…`). The maximum
/// tessellation factor is not read: it is a hint for the driver and does not clamp factors (HLSL,
/// "maxtessfactor").
fn hull(state: &MetadataNode<'_>) -> Result<StageProperties> {
    Ok(StageProperties::Hull {
        input_points: state.count(1, "control points", 0..=limits::CONTROL_POINTS)?,
        output_points: state.count(2, "control points", 0..=limits::CONTROL_POINTS)?,
        domain: state.constant(3, "domain")?,
        partitioning: state.constant(4, "partitioning")?,
        output: state.constant(5, "tessellator output")?,
    })
}

/// A signature, which entry points with the same node share.
fn shared_signature(signatures: &MetadataNode<'_>, index: usize) -> Result<Arc<Signature>> {
    let empty = &signatures.source.empty;
    let Some(&MetadataOperand::Id(id)) = signatures.operands.get(index) else { return Ok(empty.clone()) };
    if let Some(known) = signatures.source.signatures.borrow().get(&id) {
        return Ok(known.clone());
    }
    let Some(list) = signatures.node(index, "signature")? else { return Ok(empty.clone()) };
    let made = Arc::new(signature(&list)?);
    signatures.source.signatures.borrow_mut().insert(id, made.clone());
    Ok(made)
}

/// Reads a signature (DXIL.rst, "Signatures"): eleven elements per record, the last of which is a
/// list of tagged extensions.
fn signature(list: &MetadataNode<'_>) -> Result<Signature> {
    limits::check(Place::Input, "signature elements", list.len(), limits::SIGNATURE_ELEMENTS)?;
    let mut elements = Vec::with_capacity(list.len());
    for i in 0..list.len() {
        let node = list.node(i, "signature element")?.ok_or_else(|| list.wrong(i, "a signature element"))?;
        let (rows, cols) = (node.u32(6)?, node.byte(7)?);
        limits::check(Place::Input, "rows of a signature element", rows as usize, limits::SIGNATURE_ELEMENTS)?;
        let all = list.source.rows.get().saturating_add(rows as usize);
        limits::check(Place::Input, "rows of all signature elements", all, limits::SIGNATURE_ROWS_OF_ALL)?;
        list.source.rows.set(all);
        let start_col = node.byte(9)?;
        // There is an index for each row.
        let indices = match node.node(4, "semantic indexes")? {
            Some(list) => list.first_numbers(rows as usize)?,
            None => Box::default(),
        };
        let start_row = node.u32(8)?;
        let mut element = SignatureElement {
            id: node.u32(0)?,
            name: node.string(1)?,
            component: node.constant::<ComponentType>(2, "component type")?,
            semantic: node.constant::<SemanticKind>(3, "semantic kind")?,
            indices,
            interpolation: node.constant::<InterpolationMode>(5, "interpolation mode")?,
            rows,
            cols,
            start_row: (start_row != u32::MAX).then_some(start_row),
            start_col,
            stream: 0,
            usage_mask: 0xf,
            dynamic_index_mask: 0,
        };
        let packed = element.start_row.is_some();
        if rows == 0 || !(1..=4).contains(&cols) || (packed && start_col as usize + cols as usize > 4) {
            let name = &element.name;
            return Err(malformed!(Place::Input, "signature element `{name}` has {rows} rows and {cols} columns"));
        }
        if packed && start_row.saturating_add(rows) > limits::SIGNATURE_ELEMENTS as u32 {
            return Err(malformed!(Place::Input, "signature element `{}` begins at row {start_row}", element.name));
        }
        if let Some(extensions) = node.node(10, "signature extension")? {
            extensions.tags(|tag, at| {
                match tag {
                    0 => element.stream = extensions.u32(at)?,
                    2 => element.dynamic_index_mask = extensions.byte(at)?,
                    3 => element.usage_mask = extensions.byte(at)?,
                    _ => {}
                }
                Ok(())
            })?;
        }
        elements.push(element);
    }
    check_packing(&elements)?;
    Ok(Signature::new(elements))
}

/// The system value that an element becomes a builtin of.
fn builtin(element: &SignatureElement) -> Option<SemanticKind> {
    use SemanticKind as S;
    match element.semantic {
        // These two are the depth value as well, with a promise about its range.
        S::DepthLessEqual | S::DepthGreaterEqual => Some(S::Depth),
        S::VertexId | S::InstanceId | S::Position | S::RenderTargetArrayIndex | S::ViewPortArrayIndex => {
            Some(element.semantic)
        }
        S::PrimitiveId | S::SampleIndex | S::IsFrontFace | S::Coverage | S::Depth | S::StencilRef => {
            Some(element.semantic)
        }
        S::InnerCoverage | S::ShadingRate | S::CullPrimitive => Some(element.semantic),
        _ => None,
    }
}

/// Checks that no two elements of a stream have a component in common, because components become
/// locations, which must not overlap. A system value that becomes a builtin may occur only once.
fn check_packing(elements: &[SignatureElement]) -> Result<()> {
    let mut rows = Vec::with_capacity(elements.len());
    for (number, element) in elements.iter().enumerate() {
        let system = builtin(element);
        let mut others = elements.iter().take(number).filter(|other| other.stream == element.stream);
        if system.is_some() && others.any(|other| builtin(other) == system) {
            return Err(malformed!(
                Place::Input,
                "signature element `{}` has a system value that another element has already",
                element.name
            ));
        }
        let Some(start) = element.start_row else { continue };
        let columns = ((1u8 << element.cols) - 1) << element.start_col;
        // The number of rows is within the limit, which is checked above.
        rows.extend((start..start.saturating_add(element.rows)).map(|row| ((element.stream, row), number, columns)));
    }
    rows.sort_unstable();
    let (mut place, mut taken) = (None, 0u8);
    for (row, number, columns) in rows {
        if place.replace(row) != Some(row) {
            taken = 0;
        }
        if taken & columns != 0 {
            let (name, (_, row)) = (&elements[number].name, row);
            return Err(malformed!(Place::Input, "signature element `{name}` overlaps another element in row {row}"));
        }
        taken |= columns;
    }
    Ok(())
}
