//! The variables of a stage's interfaces.
//!
//! In: a signature element. Out: its variable, a vector of its columns, or an array of them for several rows; where the stage sees
//! several vertices, an array of that by vertex. What must hold: between stages the location is the packed row and the component the
//! start column, so that stages translated apart agree (docs/bindings.md, "Stage interfaces"). System values are builtins where the
//! pipeline gives or takes them ([`system`](super::system)).

use rspirv::spirv::{Capability, Decoration, ExecutionMode, StorageClass};

use super::context::{Context, Declared};
use super::{distances, geometry};
use crate::dxil::consts::{ComponentType, InterpolationMode, SemanticKind, ShaderStage};
use crate::dxil::program::{Signature, SignatureElement, StageProperties};
use crate::error::Result;
use crate::options::VertexLocations;
use crate::spirv::{Id, Module};

/// One of a stage's interfaces, each with its signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// Inputs.
    Input,
    /// Outputs.
    Output,
    /// Patch constants: outputs of a hull shader, inputs of a domain shader.
    Patch,
}

impl Side {
    fn declared(self, id: u32) -> Declared {
        match self {
            Side::Input => Declared::Input(id),
            Side::Output => Declared::Output(id),
            Side::Patch => Declared::Patch(id),
        }
    }
}

/// First location of patch constants. They are packed apart from control points, whose locations they share in Vulkan, and no stage
/// knows how many rows of the other signature the other stage has: so each gets half of the 32 rows that D3D has.
const PATCH_LOCATIONS: u32 = 16;

impl<'a> Context<'a> {
    /// The signature of a side.
    pub fn signature(&self, side: Side) -> &'a Signature {
        let entry = self.entry;
        match side {
            Side::Input => &entry.inputs,
            Side::Output => &entry.outputs,
            Side::Patch => &entry.patch_constants,
        }
    }

    /// Storage class of a side's variables.
    pub fn class(&self, side: Side) -> StorageClass {
        match (side, self.entry.stage) {
            (Side::Input, _) | (Side::Patch, ShaderStage::Domain) => StorageClass::Input,
            _ => StorageClass::Output,
        }
    }

    /// How many vertices or control points of an element the stage sees, where it sees several at once.
    pub fn vertices(&self, side: Side, element: &SignatureElement) -> Result<Option<u32>> {
        let entry = self.entry;
        Ok(match (&entry.properties, side) {
            (StageProperties::Geometry { input, .. }, Side::Input) => Some(geometry::vertices(*input, self.place)?),
            (
                StageProperties::Hull { input_points, .. } | StageProperties::Domain { input_points, .. },
                Side::Input,
            ) => Some((*input_points).max(1)),
            (StageProperties::Hull { output_points, .. }, Side::Output) => Some((*output_points).max(1)),
            (_, Side::Input) if self.per_vertex.contains(&element.id) => Some(3),
            _ => None,
        })
    }

    /// The variable of an element.
    pub fn variable(&mut self, module: &mut Module<'_>, element: &SignatureElement, side: Side) -> Result<Id> {
        self.declare(module, side.declared(element.id), |cx, module| cx.element_variable(module, element, side))
    }

    /// The scalar type of an element's variable. Signedness is kept, because Vulkan matches it with the format of a vertex attribute
    /// or render target; 16-bit types are widened where the device has none between stages.
    pub fn element_scalar(&self, module: &mut Module<'_>, element: &SignatureElement) -> Result<Id> {
        let small = module.caps.native_16_bit_io() && !self.widens;
        use ComponentType as C;
        Ok(match element.component {
            C::F16 | C::SNormF16 | C::UNormF16 if small => module.type_float(16)?,
            C::F32 | C::SNormF32 | C::UNormF32 | C::F16 | C::SNormF16 | C::UNormF16 => module.type_f32(),
            C::U16 if small => module.type_int(16)?,
            C::I1 | C::U16 | C::U32 => module.type_u32(),
            // A signed 16-bit type is only loaded, stored and converted here.
            C::I16 | C::I32 => module.type_i32(),
            other => return Err(unsupported!(self.place, "a stage input or output of type {other}")),
        })
    }

    /// Declares an element's variable: type, builtin or location, interpolation.
    fn element_variable(&mut self, module: &mut Module<'_>, element: &SignatureElement, side: Side) -> Result<Id> {
        if let Some(system) = self.system(module, element, side)? {
            return self.system_variable(module, &system, element, side);
        }
        let scalar = self.element_scalar(module, element)?;
        let row = module.type_vector(scalar, u32::from(element.cols));
        let ty = if element.rows > 1 { module.type_array(row, element.rows, None) } else { row };
        let vertices = self.vertices(side, element)?;
        let ty = match vertices {
            Some(count) => module.type_array(ty, count, None),
            None => ty,
        };
        let id = module.variable(self.class(side), ty, None)?;
        let index = element.indices.first().copied().unwrap_or(0);
        module.name(id, &format!("{}{index}", element.name));
        let (location, component) = self.element_location(element, side)?;
        self.claim_location(element, side, (location, component))?;
        module.decorate(id, Decoration::Location, &[location]);
        if component != 0 {
            module.decorate(id, Decoration::Component, &[component]);
        }
        if side == Side::Patch {
            module.mark(id, Decoration::Patch);
        }
        if self.options.dual_source && element.semantic == SemanticKind::Target {
            module.decorate(id, Decoration::Index, &[index]);
        }
        if side == Side::Input && self.entry.stage == ShaderStage::Pixel {
            match vertices {
                Some(_) => {
                    module.caps.capability(Capability::FragmentBarycentricKHR)?;
                    module.mark(id, Decoration::PerVertexKHR);
                }
                None => self.interpolation(module, id, element)?,
            }
        }
        Ok(id)
    }

    /// Whether any patch constant has a location: all but tessellation factors.
    fn has_patch_locations(&self) -> bool {
        let mut elements = self.signature(Side::Patch).elements.iter();
        elements.any(|element| distances::builtin(element, Side::Patch).is_none())
    }

    /// Location and component of an element without builtin.
    fn element_location(&self, element: &SignatureElement, side: Side) -> Result<(u32, u32)> {
        let stage = self.entry.stage;
        let first_index = element.indices.first().copied().unwrap_or(0);
        if stage == ShaderStage::Pixel && side == Side::Output {
            if self.options.dual_source && (first_index > 1 || element.rows > 1) {
                return Err(unsupported!(
                    self.place,
                    "`{}{first_index}` beside two sources of one target",
                    element.name
                ));
            }
            return Ok((if self.options.dual_source { 0 } else { first_index }, 0));
        }
        let Some(row) = element.start_row else {
            return Err(malformed!(self.place, "signature element `{}` has no row", element.name));
        };
        let tessellated =
            matches!((stage, side), (ShaderStage::Hull, Side::Output) | (ShaderStage::Domain, Side::Input));
        if tessellated || side == Side::Patch {
            let last = row.saturating_add(element.rows);
            if last > PATCH_LOCATIONS && (side == Side::Patch || self.has_patch_locations()) {
                let name = &element.name;
                return Err(unsupported!(
                    self.place,
                    "`{name}` at row {row}: control points and patch constants have 16 rows each"
                ));
            }
        }
        if side == Side::Patch {
            return Ok((PATCH_LOCATIONS + row, u32::from(element.start_col)));
        }
        if !(stage == ShaderStage::Vertex && side == Side::Input) {
            return Ok((row, u32::from(element.start_col)));
        }
        match self.options.vertex_locations {
            VertexLocations::Row => Ok((row, u32::from(element.start_col))),
            VertexLocations::Texcoord if element.name.eq_ignore_ascii_case("TEXCOORD") => Ok((first_index, 0)),
            VertexLocations::Texcoord => {
                Err(binding_error!(self.place, "vertex input `{}` is no TEXCOORD", element.name))
            }
            VertexLocations::Order => {
                let before = self.entry.inputs.elements.iter().take_while(|e| e.id != element.id);
                let system =
                    |e: &&SignatureElement| !matches!(e.semantic, SemanticKind::VertexId | SemanticKind::InstanceId);
                Ok((before.filter(system).fold(0u32, |sum, e| sum.saturating_add(e.rows)), 0))
            }
        }
    }

    /// Checks that no other element of the same interface has one of this one's components (SPIR-V, "Location": they may not overlap).
    fn claim_location(&mut self, element: &SignatureElement, side: Side, (row, column): (u32, u32)) -> Result<()> {
        // Two sources of one target share its location, with different indexes.
        if self.options.dual_source && element.semantic == SemanticKind::Target {
            return Ok(());
        }
        let rows = row..row.saturating_add(element.rows);
        let columns = column..column.saturating_add(u32::from(element.cols));
        let claim = (self.class(side), rows, columns);
        let meet = |a: &std::ops::Range<u32>, b: &std::ops::Range<u32>| a.start < b.end && b.start < a.end;
        let taken = self
            .locations
            .iter()
            .any(|other| other.0 == claim.0 && meet(&other.1, &claim.1) && meet(&other.2, &claim.2));
        if taken {
            return Err(malformed!(self.place, "signature element `{}` lies over another one", element.name));
        }
        self.locations.push(claim);
        Ok(())
    }

    fn interpolation(&self, module: &mut Module<'_>, id: Id, element: &SignatureElement) -> Result<()> {
        use InterpolationMode as M;
        if is_flat(element) {
            module.mark(id, Decoration::Flat);
            return Ok(());
        }
        let mode = element.interpolation;
        if matches!(mode, M::LinearNoperspective | M::LinearNoperspectiveCentroid | M::LinearNoperspectiveSample) {
            module.mark(id, Decoration::NoPerspective);
        }
        if matches!(mode, M::LinearCentroid | M::LinearNoperspectiveCentroid) {
            module.mark(id, Decoration::Centroid);
        }
        if matches!(mode, M::LinearSample | M::LinearNoperspectiveSample) {
            module.caps.capability(Capability::SampleRateShading)?;
            module.mark(id, Decoration::Sample);
        }
        Ok(())
    }
}

/// Whether a pixel shader's input is not interpolated.
pub(super) fn is_flat(element: &SignatureElement) -> bool {
    use ComponentType as C;
    !matches!(element.component, C::F16 | C::F32 | C::SNormF16 | C::UNormF16 | C::SNormF32 | C::UNormF32)
        || element.interpolation == InterpolationMode::Constant
}

/// Execution modes that a pixel shader's outputs ask for.
pub(super) fn pixel_modes(cx: &Context<'_>, module: &mut Module<'_>, main: Id) {
    for element in &cx.entry.outputs.elements {
        if cx.declared(Declared::Output(element.id)).is_none() {
            continue;
        }
        let mode = match element.semantic {
            SemanticKind::Depth => None,
            SemanticKind::DepthLessEqual => Some(ExecutionMode::DepthLess),
            SemanticKind::DepthGreaterEqual => Some(ExecutionMode::DepthGreater),
            SemanticKind::StencilRef => {
                module.execution_mode(main, ExecutionMode::StencilRefReplacingEXT, &[]);
                continue;
            }
            _ => continue,
        };
        module.execution_mode(main, ExecutionMode::DepthReplacing, &[]);
        if let Some(mode) = mode {
            module.execution_mode(main, mode, &[]);
        }
    }
}
