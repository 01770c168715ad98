//! Hull and domain shaders.
//!
//! A hull shader of D3D has two functions. The control-point phase runs once per output control
//! point. The patch-constant function runs once per patch, after the control-point phase. Vulkan
//! has one entry, which runs once per output control point: it calls the control-point phase and
//! waits at a barrier, then invocation 0 calls the patch-constant function. The barrier also makes
//! the control points visible to that invocation (SPIR-V, OpControlBarrier: "When used with the
//! TessellationControl execution model, it also implicitly synchronizes the Output Storage Class").
//!
//! The domain's origin is the upper left in D3D and, by default, in Vulkan, so windings keep their
//! names.

use std::collections::BTreeMap;

use rspirv::spirv::{BuiltIn, ExecutionMode, FunctionControl, MemorySemantics, Op, Scope};

use super::signature::{Component, ComponentOperands, Row, SignatureKind};
use super::{builtin, io, outputs, signature};
use crate::analysis::program::Entry;
use crate::ir::args;
use crate::ir::declarations::{SignatureElement, StageProperties};
use crate::lower::cx::{Call, Code, EntryCx, FunctionCx, FunctionIds, Lowered};
use crate::ops::consts::{ShaderStage, TessellatorDomain, TessellatorOutputPrimitive, TessellatorPartitioning};
use crate::options::{PipelineState, Spacing, Tessellation, TessellatorOutput};
use dxil_base::error::{Place, Result};
use dxil_spirv_builder::{Id, Module};

/// The SPIR-V functions of a hull shader's phases.
pub struct Phases {
    /// The control-point phase, or `None` if control points are passed through unchanged.
    pub control_points: Option<Id>,
    /// The patch-constant function.
    pub patch: Option<Id>,
}

/// Writes the entry of a hull shader.
pub fn hull_entry(
    module_cx: &mut EntryCx<'_>,
    module: &mut Module<'_>,
    main: FunctionIds,
    phases: &Phases,
) -> Result<()> {
    module_cx.place = Place::Input;
    let func = module_cx.input.entry.func;
    let cx = &mut FunctionCx::new(module_cx, func);
    let void = module.type_void();
    let mut code = module.function(main.id, main.ty, FunctionControl::NONE).open_new();
    match phases.control_points {
        Some(function) => {
            code.call(void, function, &[]);
        }
        None => pass_through(cx, &mut code)?,
    }
    if let Some(function) = phases.patch {
        code.control_barrier(Scope::Workgroup, Scope::Invocation, MemorySemantics::RELAXED);
        let (invocation, zero, bool_ty) = (builtin::invocation(cx, &mut code)?, code.const_u32(0), code.type_bool());
        let first = code.binary(Op::IEqual, bool_ty, invocation, zero);
        code.if_then(first, |code| {
            code.call(void, function, &[]);
            Ok(())
        })?;
    }
    code.ret()?.end();
    Ok(())
}

/// Copies the invocation's control point. A hull shader without a control-point function has the
/// same elements as inputs and outputs (DXIL.rst, "Hull Shader").
fn pass_through(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>) -> Result<()> {
    let vertex = builtin::invocation(cx, code)?;
    let (inputs, outputs) =
        (signature::get(cx.input, SignatureKind::Input), signature::get(cx.input, SignatureKind::Output));
    // Names may be long and alike, so they are not compared in pairs.
    let mut named: BTreeMap<(String, &[u32]), Vec<&SignatureElement>> = BTreeMap::new();
    for input in &inputs.elements {
        named.entry((input.name.to_ascii_lowercase(), &input.indices)).or_default().push(input);
    }
    for output in &outputs.elements {
        let inputs = named.get(&(output.name.to_ascii_lowercase(), &*output.indices));
        let alike = inputs.into_iter().flatten().find(|input| {
            (input.rows == output.rows && input.cols == output.cols)
                && (input.semantic == output.semantic && input.component == output.component)
        });
        let Some(input) = alike else {
            return Err(malformed!(
                Place::Input,
                "a hull shader without a control-point function has no input that matches its output `{}`",
                output.name
            ));
        };
        for row in 0..output.rows {
            for col in 0..u32::from(output.cols) {
                let component = Component { row: Row::At(row), column: col };
                let from = io::pointer(cx, code, SignatureKind::Input, input, component, Some(vertex))?;
                let to = io::pointer(cx, code, SignatureKind::Output, output, component, Some(vertex))?;
                let value = code.load(from);
                code.store(to, value);
            }
        }
    }
    Ok(())
}

/// How a hull shader divides its patches; `None` for other stages.
///
/// # Errors
/// `Malformed` if the hull shader does not say it.
pub fn division(properties: &StageProperties) -> Result<Option<Tessellation>> {
    let StageProperties::Hull { partitioning, output, output_points, .. } = *properties else { return Ok(None) };
    let spacing = match partitioning {
        // With pow2 partitioning the shader itself rounds its factors to powers of two. The
        // tessellator then divides as for integers.
        TessellatorPartitioning::Integer | TessellatorPartitioning::Pow2 => Spacing::Equal,
        TessellatorPartitioning::FractionalOdd => Spacing::FractionalOdd,
        TessellatorPartitioning::FractionalEven => Spacing::FractionalEven,
        TessellatorPartitioning::Undefined => {
            return Err(malformed!(Place::Input, "a hull shader does not say its partitioning"));
        }
    };
    let output = match output {
        TessellatorOutputPrimitive::Point => TessellatorOutput::Points,
        TessellatorOutputPrimitive::Line => TessellatorOutput::Lines,
        TessellatorOutputPrimitive::TriangleCw => TessellatorOutput::Clockwise,
        TessellatorOutputPrimitive::TriangleCcw => TessellatorOutput::Counterclockwise,
        TessellatorOutputPrimitive::Undefined => {
            return Err(malformed!(Place::Input, "a hull shader does not say its output primitive"));
        }
    };
    Ok(Some(Tessellation::new(spacing, output, output_points.max(1))))
}

/// The first location of the patch constants of a hull shader, if its rows do not fit around the
/// default.
pub fn patch_location(entry: &Entry) -> Option<u32> {
    let (points, constants) = (signature::rows(&entry.outputs), signature::rows(&entry.patch_constants));
    let beyond = points.max(constants) > PipelineState::PATCH_LOCATION;
    (entry.stage == ShaderStage::Hull && beyond).then_some(points)
}

/// The execution modes of a hull or domain shader. Vulkan's pipelines accept them in either stage,
/// so each stage declares those that it knows. `linked` is the division of the hull shader before a
/// domain shader that must declare all of them.
pub fn modes(
    properties: &StageProperties,
    linked: Option<Tessellation>,
    module: &mut Module<'_>,
    main: Id,
) -> Result<()> {
    let (domain, division) = match *properties {
        StageProperties::Hull { domain, .. } => (domain, division(properties)?),
        StageProperties::Domain { domain, .. } => (domain, linked),
        _ => {
            return Err(malformed!(Place::Input, "the metadata of a hull or domain shader has no stage properties"));
        }
    };
    if let Some(Tessellation { spacing, output, points }) = division {
        module.execution_mode(main, ExecutionMode::OutputVertices, &[points]);
        let spacing = match spacing {
            Spacing::Equal => ExecutionMode::SpacingEqual,
            Spacing::FractionalOdd => ExecutionMode::SpacingFractionalOdd,
            Spacing::FractionalEven => ExecutionMode::SpacingFractionalEven,
        };
        module.execution_mode(main, spacing, &[]);
        let order = match output {
            TessellatorOutput::Clockwise => Some(ExecutionMode::VertexOrderCw),
            TessellatorOutput::Counterclockwise => Some(ExecutionMode::VertexOrderCcw),
            // A domain shader that declares everything has an order even where it orders nothing
            // (VUID-VkShaderCreateInfoEXT-codeType-08873).
            TessellatorOutput::Points | TessellatorOutput::Lines => linked.map(|_| ExecutionMode::VertexOrderCw),
        };
        let points = (output == TessellatorOutput::Points).then_some(ExecutionMode::PointMode);
        for mode in points.into_iter().chain(order) {
            module.execution_mode(main, mode, &[]);
        }
    }
    let domain = match domain {
        TessellatorDomain::IsoLine => ExecutionMode::Isolines,
        TessellatorDomain::Tri => ExecutionMode::Triangles,
        TessellatorDomain::Quad => ExecutionMode::Quads,
        TessellatorDomain::Undefined => {
            return Err(malformed!(Place::Input, "a hull or domain shader does not say its tessellation domain"));
        }
    };
    module.execution_mode(main, domain, &[]);
    Ok(())
}

/// Loads a component of a control point: an output of the hull shader in its patch-constant
/// function, or an input of the domain shader.
pub fn load_output_control_point(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::LoadOutputControlPoint,
) -> Result<Lowered> {
    let side = if cx.input.entry.stage == ShaderStage::Hull { SignatureKind::Output } else { SignatureKind::Input };
    let vertex = cx.value(code, args.index)?;
    io::load(
        cx,
        code,
        call,
        side,
        ComponentOperands { element: args.input_sig_id, row: args.row, column: args.col },
        Some(vertex),
    )
}

/// Loads a component of a patch constant.
pub fn load_patch_constant(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::LoadPatchConstant,
) -> Result<Lowered> {
    io::load(
        cx,
        code,
        call,
        SignatureKind::Patch,
        ComponentOperands { element: args.input_sig_id, row: args.row, column: args.col },
        None,
    )
}

/// Stores a component of a patch constant or a tessellation factor.
pub fn store_patch_constant(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::StorePatchConstant,
) -> Result<Lowered> {
    let operands = ComponentOperands { element: args.output_sig_id, row: args.row, column: args.col };
    outputs::store(cx, code, SignatureKind::Patch, operands, args.value, None)
}

/// `SV_DomainLocation`: u, v and, for triangles, w.
pub fn domain_location(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::DomainLocation,
) -> Result<Lowered> {
    let component = cx.entry.immediate(args.component)?;
    if component > 2 {
        return Err(malformed!(
            call.place,
            "component {component} of the domain location in a {} shader; components are 0 to 2",
            cx.input.entry.stage
        ));
    }
    let float = code.type_f32();
    let vector = code.type_vector(float, 3);
    let value = cx.entry.load_builtin(code, BuiltIn::TessCoord, vector)?;
    Ok(Lowered::Id(code.component(value, component)))
}
