//! Vertex input, targets and the other state of graphics pipelines.
//!
//! In: the stages and their interfaces. Out: the state that they need. What must hold: every input
//! of the first stage has an attribute of its type, and every output of the last one a target that
//! keeps its bits, so that results can be compared exactly.

use dxil_capture::model::{
    Attribute, Blend, ColorBlend, DepthStencil, Graphics, InputAssembly, Multisample, Rasterization, Rendering,
    StencilOp, Target, VertexBinding, VertexInput, ViewportState,
};
use dxil_translator::ir::declarations::StageProperties;
use dxil_translator::ops::consts::InputPrimitive;
use dxil_translator::{Entry, ShaderStage};

use super::containers::Containers;
use super::error::ShaderError;
use super::interface::{Interface, ScalarType, Variable};
use super::pairs::Draft;

/// Vulkan's numbers.
mod vulkan {
    pub const FORMAT_R16_SFLOAT: [i32; 4] = [76, 83, 97, 97];
    pub const FORMAT_R16_SINT: [i32; 4] = [75, 82, 96, 96];
    pub const FORMAT_R16_UINT: [i32; 4] = [74, 81, 95, 95];
    pub const FORMAT_R32_SFLOAT: [i32; 4] = [100, 103, 106, 109];
    pub const FORMAT_R32_SINT: [i32; 4] = [99, 102, 105, 108];
    pub const FORMAT_R32_UINT: [i32; 4] = [98, 101, 104, 107];
    pub const FORMAT_D32_SFLOAT: i32 = 126;
    pub const FORMAT_D32_SFLOAT_S8_UINT: i32 = 130;
    pub const TOPOLOGY_POINT_LIST: i32 = 0;
    pub const TOPOLOGY_LINE_LIST: i32 = 1;
    pub const TOPOLOGY_TRIANGLE_LIST: i32 = 3;
    pub const TOPOLOGY_LINE_LIST_WITH_ADJACENCY: i32 = 6;
    pub const TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY: i32 = 8;
    pub const TOPOLOGY_PATCH_LIST: i32 = 10;
    pub const COMPARE_ALWAYS: i32 = 7;
    pub const STENCIL_REPLACE: i32 = 2;
    pub const DYNAMIC_VIEWPORT: i32 = 0;
    pub const DYNAMIC_SCISSOR: i32 = 1;
}

/// What the state follows from.
pub struct StateInputs<'a> {
    /// The shaders.
    pub containers: &'a Containers,
    /// The pipeline to be.
    pub draft: &'a Draft,
    /// The interfaces of its DXIL stages.
    pub interfaces: &'a [Interface],
    /// What the shaders do not decide.
    pub chosen: &'a mut Vec<String>,
}

/// The state of a pipeline.
///
/// # Errors
/// An input or output that no format of Vulkan has.
pub fn graphics(inputs: StateInputs<'_>) -> Result<Graphics, ShaderError> {
    let StateInputs { containers, draft, interfaces, chosen } = inputs;
    let entries: Vec<_> = draft.stages.iter().map(|id| containers.get(*id).1).collect();
    let of = |stage: ShaderStage| entries.iter().zip(interfaces).find(|(entry, _)| entry.stage == stage);
    let is_mesh = of(ShaderStage::Mesh).is_some();
    let none = Interface::default();
    let pixel = of(ShaderStage::Pixel).map(|(_, interface)| interface);
    let outputs = pixel.unwrap_or(&none);

    let vertex_input = match of(ShaderStage::Vertex) {
        Some((_, interface)) => Some(attributes(&interface.inputs)?),
        None if is_mesh => None,
        None => Some(VertexInput::default()),
    };
    let (topology, patch_points) = assembly(&entries)?;
    if topology == vulkan::TOPOLOGY_TRIANGLE_LIST && !is_mesh && !draft.lonely_pixel {
        chosen.push("triangle lists".to_owned());
    }
    let asks_for_samples = entries.iter().any(|entry| entry.asks_for_samples());
    let samples = if outputs.is_per_sample || asks_for_samples { 4 } else { 1 };
    chosen.push(format!("{samples} sample{} per pixel", if samples == 1 { "" } else { "s" }));

    let mut colors = Vec::new();
    for output in outputs.outputs.iter().filter(|output| output.index == 0) {
        let slot = output.location as usize;
        if slot >= 8 {
            return Err(ShaderError::Target(slot));
        }
        colors.resize(colors.len().max(slot + 1), 0);
        colors[slot] = formats(output)[3];
    }
    let depth = match (pixel, outputs.writes_stencil) {
        (_, true) => vulkan::FORMAT_D32_SFLOAT_S8_UINT,
        (None, _) => vulkan::FORMAT_D32_SFLOAT,
        (Some(_), _) if outputs.writes_depth => vulkan::FORMAT_D32_SFLOAT,
        _ => 0,
    };
    let stencil = if outputs.writes_stencil { depth } else { 0 };
    let replaced = StencilOp {
        ops: [vulkan::STENCIL_REPLACE; 3],
        compare: vulkan::COMPARE_ALWAYS,
        masks: [0xff, 0xff],
        reference: 0,
    };
    // Nothing is written where the shader has no output.
    let blend = |format: &i32| Blend { write_mask: if *format == 0 { 0 } else { 0xf }, ..Blend::default() };
    Ok(Graphics {
        subsets: None,
        vertex_input,
        input_assembly: (!is_mesh).then(|| InputAssembly { topology, ..InputAssembly::default() }),
        tessellation: patch_points.map(|points| (points, Default::default())),
        viewport: Some(ViewportState { viewport_count: 1, scissor_count: 1, ..ViewportState::default() }),
        rasterization: Some(Rasterization { line_width: 1.0.into(), ..Rasterization::default() }),
        multisample: Some(Multisample { samples, ..Multisample::default() }),
        depth_stencil: Some(DepthStencil {
            depth_test: depth != 0,
            depth_write: depth != 0,
            depth_compare: vulkan::COMPARE_ALWAYS,
            stencil_test: stencil != 0,
            stencil: [replaced; 2],
            ..DepthStencil::default()
        }),
        color_blend: Some(ColorBlend {
            attachment_count: colors.len() as u32,
            attachments: colors.iter().map(blend).collect(),
            ..ColorBlend::default()
        }),
        dynamic: vec![vulkan::DYNAMIC_VIEWPORT, vulkan::DYNAMIC_SCISSOR],
        target: Some(Target::Rendering(Rendering { colors, depth, stencil, ..Rendering::default() })),
    })
}

/// The topology that the stages take, and the points of a patch if they take patches.
fn assembly(entries: &[&Entry]) -> Result<(i32, Option<u32>), ShaderError> {
    let mut topology = vulkan::TOPOLOGY_TRIANGLE_LIST;
    let mut patch_points = None;
    for entry in entries {
        match entry.properties {
            StageProperties::Hull { input_points, .. } => {
                topology = vulkan::TOPOLOGY_PATCH_LIST;
                patch_points = Some(input_points);
            }
            // After tessellation the tessellator decides.
            StageProperties::Geometry { input, .. } if patch_points.is_none() => {
                topology = match input {
                    InputPrimitive::Point => vulkan::TOPOLOGY_POINT_LIST,
                    InputPrimitive::Line => vulkan::TOPOLOGY_LINE_LIST,
                    InputPrimitive::LineWithAdjacency => vulkan::TOPOLOGY_LINE_LIST_WITH_ADJACENCY,
                    InputPrimitive::TriangleWithAdjacency => vulkan::TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY,
                    InputPrimitive::Triangle => topology,
                    _ => return Err(ShaderError::GeometryPatches),
                };
            }
            _ => {}
        }
    }
    Ok((topology, patch_points))
}

/// The formats of one to four components of a variable's numbers.
fn formats(variable: &Variable) -> [i32; 4] {
    match (variable.scalar, variable.width) {
        (ScalarType::Float, 16) => vulkan::FORMAT_R16_SFLOAT,
        (ScalarType::Signed, 16) => vulkan::FORMAT_R16_SINT,
        (ScalarType::Unsigned, 16) => vulkan::FORMAT_R16_UINT,
        (ScalarType::Float, _) => vulkan::FORMAT_R32_SFLOAT,
        (ScalarType::Signed, _) => vulkan::FORMAT_R32_SINT,
        (ScalarType::Unsigned, _) => vulkan::FORMAT_R32_UINT,
    }
}

/// An attribute for each location, each in a buffer of its own.
fn attributes(inputs: &[Variable]) -> Result<VertexInput, ShaderError> {
    let mut input = VertexInput::default();
    let mut last: Option<u32> = None;
    for variable in inputs {
        if variable.width == 64 {
            return Err(ShaderError::WideAttribute);
        }
        for row in 0..variable.rows {
            let location = variable.location + row;
            // Variables that share a location share its attribute, which has four components.
            if last == Some(location) {
                if let Some(attribute) = input.attributes.last_mut() {
                    attribute.format = formats(variable)[3];
                }
                continue;
            }
            last = Some(location);
            let components = (variable.component + variable.components).clamp(1, 4);
            let binding = input.bindings.len() as u32;
            let format = formats(variable)[components as usize - 1];
            input.bindings.push(VertexBinding { binding, stride: 16, rate: 0, divisor: None });
            input.attributes.push(Attribute { location, binding, format, offset: 0 });
        }
    }
    Ok(input)
}
