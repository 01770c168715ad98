//! Acceleration structures: the data of `geometry`, `bottom`, `top` and `instance` lines.
//!
//! What must hold: a line refers only to names of earlier lines, and a scene that was read can be
//! built as Vulkan's rules demand.

use ash::vk;

use super::line::Line;
use super::{Pattern, parse_word};
use crate::error::Result;

/// Three rows of four numbers: an affine transform, as Vulkan stores it.
pub type Transform = [f32; 12];

/// The transform that changes nothing.
const IDENTITY: Transform = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];

/// The shapes of a geometry.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// Triangles.
    Triangles {
        /// The index type and the indices, or `None` where every three vertices are a triangle.
        indices: Option<(vk::IndexType, Vec<u32>)>,
        /// The transform of the vertices.
        transform: Option<Transform>,
    },
    /// Axis-aligned boxes, for intersection shaders.
    Boxes,
}

/// A geometry of bottom-level structures.
#[derive(Debug, Clone, PartialEq)]
pub struct Geometry {
    /// The name.
    pub name: String,
    /// The shapes.
    pub shape: Shape,
    /// The number of vertices or boxes.
    pub count: u32,
    /// The contents: three f32 for each vertex, six for each box.
    pub pattern: Pattern,
    /// The flags.
    pub flags: vk::GeometryFlagsKHR,
}

impl Geometry {
    /// The number of words of one vertex or box.
    #[must_use]
    pub fn stride(&self) -> u32 {
        if self.shape == Shape::Boxes { 6 } else { 3 }
    }

    /// The number of triangles or boxes.
    #[must_use]
    pub fn primitives(&self) -> u32 {
        match &self.shape {
            Shape::Triangles { indices: None, .. } => self.count / 3,
            Shape::Triangles { indices: Some((_, list)), .. } => u32::try_from(list.len() / 3).unwrap_or(u32::MAX),
            Shape::Boxes => self.count,
        }
    }
}

/// A bottom-level structure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bottom {
    /// The name.
    pub name: String,
    /// The indexes of its geometries.
    pub geometries: Vec<usize>,
}

/// An instance of a bottom-level structure in a top-level structure.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// The index of the bottom-level structure, or `None` for an inactive instance.
    pub bottom: Option<usize>,
    /// The instance's own number, which D3D calls its ID: 24 bits.
    pub id: u32,
    /// The visibility mask: 8 bits.
    pub mask: u8,
    /// The offset that the instance adds to the index of the hit record: 24 bits.
    pub contribution: u32,
    /// The flags.
    pub flags: vk::GeometryInstanceFlagsKHR,
    /// The transform from object space to world space.
    pub transform: Transform,
}

/// A top-level structure.
#[derive(Debug, Clone, PartialEq)]
pub struct Top {
    /// The name.
    pub name: String,
    /// The instances.
    pub instances: Vec<Instance>,
}

/// The acceleration structures of a fixture.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scene {
    /// The geometries.
    pub geometries: Vec<Geometry>,
    /// The bottom-level structures.
    pub bottoms: Vec<Bottom>,
    /// The top-level structures.
    pub tops: Vec<Top>,
}

const INSTANCE_FLAGS: &[(&str, vk::GeometryInstanceFlagsKHR)] = &[
    ("cull_disable", vk::GeometryInstanceFlagsKHR::TRIANGLE_FACING_CULL_DISABLE),
    ("front_ccw", vk::GeometryInstanceFlagsKHR::TRIANGLE_FRONT_COUNTERCLOCKWISE),
    ("force_opaque", vk::GeometryInstanceFlagsKHR::FORCE_OPAQUE),
    ("force_non_opaque", vk::GeometryInstanceFlagsKHR::FORCE_NO_OPAQUE),
];

/// Takes the option `transform` of a line.
fn transform(line: &mut Line<'_>) -> Result<Option<Transform>> {
    let Some(text) = line.option("transform") else { return Ok(None) };
    let numbers: std::result::Result<Vec<f32>, _> = text.split(',').map(str::parse).collect();
    let numbers = numbers.ok().and_then(|numbers| Transform::try_from(numbers).ok());
    let wrong = || line.fault("invalid option `transform`; expected 12 numbers, row by row, separated by commas");
    numbers.map(Some).ok_or_else(wrong)
}

/// Takes the option `key` of a line, a number of at most `bits` bits.
fn number(line: &mut Line<'_>, key: &str, bits: u32) -> Result<Option<u32>> {
    let Some(text) = line.option(key) else { return Ok(None) };
    let fits = |word: &u32| u64::from(*word) < 1 << bits;
    let wrong = || line.fault(format_args!("invalid option `{key}={text}`; expected a number of at most {bits} bits"));
    parse_word(text).filter(fits).map(Some).ok_or_else(wrong)
}

/// Takes the option `index` of a line: `u16:0,1,2`.
fn indices(line: &mut Line<'_>, vertices: u32) -> Result<Option<(vk::IndexType, Vec<u32>)>> {
    let Some(text) = line.option("index") else { return Ok(None) };
    let (kind, list) = text.split_once(':').unwrap_or_default();
    let kind = match kind {
        "u16" => Some(vk::IndexType::UINT16),
        "u32" => Some(vk::IndexType::UINT32),
        _ => None,
    };
    let list: Option<Vec<u32>> = list.split(',').map(|word| word.parse().ok()).collect();
    match (kind, list) {
        (Some(kind), Some(list)) if list.len() % 3 == 0 && list.iter().all(|&index| index < vertices) => {
            Ok(Some((kind, list)))
        }
        _ => Err(line.fault(format_args!(
            "invalid option `index={text}`; expected `u16:` or `u32:` and three indices for each triangle, all below \
             {vertices} and separated by commas"
        ))),
    }
}

impl Scene {
    /// The index of the top-level structure with a name.
    #[must_use]
    pub fn top(&self, name: &str) -> Option<usize> {
        self.tops.iter().position(|top| top.name == name)
    }

    /// Reads a name that no earlier line has.
    fn fresh(&self, line: &mut Line<'_>) -> Result<String> {
        let name = line.word("NAME")?;
        let known = self.geometries.iter().map(|it| &it.name).chain(self.bottoms.iter().map(|it| &it.name));
        if name == "null" || known.chain(self.tops.iter().map(|it| &it.name)).any(|other| other == name) {
            return Err(line.fault(format_args!("the name `{name}` is taken; expected a new name")));
        }
        Ok(name.to_owned())
    }

    /// Reads a line. Returns false if the directive is none of acceleration structures.
    pub(super) fn directive(&mut self, word: &str, line: &mut Line<'_>) -> Result<bool> {
        match word {
            "geometry" => self.geometry(line)?,
            "bottom" => self.bottom(line)?,
            "top" => {
                let name = self.fresh(line)?;
                self.tops.push(Top { name, instances: Vec::new() });
            }
            "instance" => self.instance(line)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn geometry(&mut self, line: &mut Line<'_>) -> Result<()> {
        let name = self.fresh(line)?;
        let triangles = line.choice("the kind of geometry", &[("triangles", true), ("boxes", false)])?;
        let count = line.size("COUNT")?;
        let mut flags = vk::GeometryFlagsKHR::empty();
        for (word, flag) in [
            ("opaque", vk::GeometryFlagsKHR::OPAQUE),
            ("no_duplicate", vk::GeometryFlagsKHR::NO_DUPLICATE_ANY_HIT_INVOCATION),
        ] {
            if line.accept(word) {
                flags |= flag;
            }
        }
        let pattern = line.pattern()?;
        let shape = match triangles {
            true => Shape::Triangles { indices: indices(line, count)?, transform: transform(line)? },
            false => Shape::Boxes,
        };
        if matches!(shape, Shape::Triangles { indices: None, .. }) && count % 3 != 0 {
            return Err(line.fault("triangles without `index=` need three vertices each"));
        }
        self.geometries.push(Geometry { name, shape, count, pattern, flags });
        Ok(())
    }

    fn bottom(&mut self, line: &mut Line<'_>) -> Result<()> {
        let name = self.fresh(line)?;
        let words: Vec<_> = line.words.by_ref().collect();
        let find = |word: &str| {
            let found = self.geometries.iter().position(|geometry| geometry.name == word);
            found.ok_or_else(|| line.fault(format_args!("there is no earlier geometry `{word}`")))
        };
        let geometries = words.into_iter().map(find).collect::<Result<Vec<_>>>()?;
        let boxes = |index: &usize| self.geometries.get(*index).is_some_and(|it| it.shape == Shape::Boxes);
        // VUID-VkAccelerationStructureBuildGeometryInfoKHR-type-03792.
        if geometries.iter().any(boxes) && !geometries.iter().all(boxes) {
            return Err(line.fault("the geometries of a bottom-level structure are all triangles or all boxes"));
        }
        self.bottoms.push(Bottom { name, geometries });
        Ok(())
    }

    fn instance(&mut self, line: &mut Line<'_>) -> Result<()> {
        let top = line.word("TOP")?;
        let top = self.top(top).ok_or_else(|| line.fault(format_args!("there is no earlier `top {top}`")))?;
        let bottom = match line.word("BOTTOM")? {
            "null" => None,
            name => {
                let found = self.bottoms.iter().position(|bottom| bottom.name == name);
                Some(found.ok_or_else(|| line.fault(format_args!("there is no earlier `bottom {name}`")))?)
            }
        };
        let mut flags = vk::GeometryInstanceFlagsKHR::empty();
        for word in line.option("flags").into_iter().flat_map(|text| text.split('+')) {
            flags |= line.one_of("flag", word, INSTANCE_FLAGS)?;
        }
        let instance = Instance {
            bottom,
            id: number(line, "id", 24)?.unwrap_or(0),
            mask: number(line, "mask", 8)?.and_then(|mask| u8::try_from(mask).ok()).unwrap_or(u8::MAX),
            contribution: number(line, "contribution", 24)?.unwrap_or(0),
            flags,
            transform: transform(line)?.unwrap_or(IDENTITY),
        };
        if let Some(top) = self.tops.get_mut(top) {
            top.instances.push(instance);
        }
        Ok(())
    }
}
