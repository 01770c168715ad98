//! Which shaders make a pipeline.
//!
//! In: all entry points. Out: drafts of pipelines, and entry points that have no partner. What must
//! hold: each entry point is in a draft or among those without a partner; a stage gets its inputs
//! from the stage before it; shaders with different root signatures are in different pipelines.
//!
//! Stages of one name (`sky.vs.dxil`, `sky.ps.dxil`) come first. What is left over looks for
//! partners among all shaders, whose signatures decide.

use std::collections::{BTreeMap, BTreeSet};

use dxil_translator::ir::declarations::Signature;
use dxil_translator::ops::consts::SemanticKind;
use dxil_translator::{Entry, ShaderStage};

use super::containers::{Containers, StageId};
use super::list::Refused;
use crate::inputs::RaysOfFile;

/// A pipeline to be.
pub struct Draft {
    /// A name for people.
    pub label: String,
    /// Its DXIL stages, in the order of the pipeline.
    pub stages: Vec<StageId>,
    /// It is a pixel shader alone, and gets a vertex shader that the lab writes.
    pub lonely_pixel: bool,
    /// What a file says of a ray-tracing pipeline.
    pub rays: Option<RaysOfFile>,
    /// The stages before the last were chosen for its signature alone.
    adopted: bool,
}

impl Draft {
    fn new(containers: &Containers, stages: Vec<StageId>) -> Self {
        Self { label: label(containers, &stages), stages, lonely_pixel: false, rays: None, adopted: false }
    }

    /// The pipeline of its pixel shader alone, if only signatures brought that here.
    pub fn without_partner(&self, containers: &Containers) -> Option<Self> {
        let pixel = *self.stages.last().filter(|_| self.adopted)?;
        let is_pixel = containers.get(pixel).1.stage == ShaderStage::Pixel;
        is_pixel.then(|| Self { lonely_pixel: true, adopted: false, ..Self::new(containers, vec![pixel]) })
    }
}

/// The stages of vertex processing and of mesh shading, in the order of the pipeline.
const GRAPHICS: [ShaderStage; 7] = [
    ShaderStage::Amplification,
    ShaderStage::Mesh,
    ShaderStage::Vertex,
    ShaderStage::Hull,
    ShaderStage::Domain,
    ShaderStage::Geometry,
    ShaderStage::Pixel,
];

/// Finds the pipelines.
pub fn pair(containers: &Containers) -> (Vec<Draft>, Vec<Refused>) {
    let mut drafts = Vec::new();
    let mut rays: BTreeMap<String, Vec<StageId>> = BTreeMap::new();
    let mut groups: BTreeMap<String, Vec<StageId>> = BTreeMap::new();
    let mut refused = Vec::new();
    let mut used: BTreeSet<StageId> = BTreeSet::new();
    for known in containers.known() {
        let mut stages = known.stages.clone();
        stages.sort_by_key(|id| GRAPHICS.iter().position(|stage| *stage == containers.get(*id).1.stage));
        used.extend(&stages);
        let is = |stages: &[StageId], stage| stages.iter().any(|id| containers.get(*id).1.stage == stage);
        let lonely_pixel =
            is(&stages, ShaderStage::Pixel) && !is(&stages, ShaderStage::Vertex) && !is(&stages, ShaderStage::Mesh);
        let (label, rays) = (known.label.clone(), known.rays.clone());
        drafts.push(Draft { label, stages, lonely_pixel, rays, adopted: false });
    }
    for id in containers.stages().filter(|id| !used.contains(id)) {
        let (container, entry) = containers.get(id);
        match entry.stage {
            ShaderStage::Compute => {
                drafts.push(Draft::new(containers, vec![id]));
            }
            stage if stage.is_rays() => rays.entry(stem(&container.name)).or_default().push(id),
            stage if GRAPHICS.contains(&stage) => groups.entry(stem(&container.name)).or_default().push(id),
            stage => refused.push(Refused {
                files: vec![container.name.clone()],
                error: format!("entry `{}`: no pipeline of Vulkan has a {stage} stage", entry.name),
            }),
        }
    }
    for stages in rays.into_values() {
        // Libraries of one name are one pipeline, unless they have shaders of one name.
        let names: BTreeSet<&str> = stages.iter().map(|id| &*containers.get(*id).1.name).collect();
        let parts: Vec<&[StageId]> = match names.len() == stages.len() {
            true => vec![&stages],
            false => stages.chunk_by(|a, b| a.0 == b.0).collect(),
        };
        drafts.extend(parts.into_iter().map(|stages| Draft::new(containers, stages.to_vec())));
    }
    let mut pool = Pool { containers, left: BTreeSet::new(), all: Vec::new() };
    let mut chains: Vec<Vec<StageId>> = Vec::new();
    for group in groups.values() {
        pool.all.extend(group);
        chains.extend(pool.chains_of(group));
    }
    let own = chains.len();
    pool.adopt(&mut chains);
    for (index, stages) in chains.into_iter().enumerate() {
        drafts.push(Draft { adopted: index >= own, ..Draft::new(containers, stages) });
    }
    for id in pool.left {
        let (container, entry) = containers.get(id);
        if entry.stage == ShaderStage::Pixel {
            drafts.push(Draft { lonely_pixel: true, ..Draft::new(containers, vec![id]) });
        } else {
            let error = format!(
                "entry `{}`: a {} shader needs other stages, and no shader among these has signatures that fit",
                entry.name, entry.stage
            );
            refused.push(Refused { files: vec![container.name.clone()], error });
        }
    }
    drafts.sort_by(|a, b| a.label.cmp(&b.label));
    (drafts, refused)
}

/// The entry points that are still without a pipeline.
struct Pool<'a> {
    containers: &'a Containers,
    all: Vec<StageId>,
    left: BTreeSet<StageId>,
}

impl Pool<'_> {
    fn entry(&self, id: StageId) -> &Entry {
        self.containers.get(id).1
    }

    fn stage(&self, id: StageId) -> ShaderStage {
        self.entry(id).stage
    }

    /// Those of some entry points that have this stage.
    fn those(&self, group: &[StageId], stage: ShaderStage) -> Vec<StageId> {
        group.iter().copied().filter(|id| self.stage(*id) == stage).collect()
    }

    /// The entry points of a stage that are without a pipeline.
    fn still_left(&self, stage: ShaderStage) -> Vec<StageId> {
        self.left.iter().copied().filter(|id| self.stage(*id) == stage).collect()
    }

    /// The pipelines within a group of one name. What is in none is left.
    fn chains_of(&mut self, group: &[StageId]) -> Vec<Vec<StageId>> {
        let mut free: BTreeSet<StageId> = group.iter().copied().collect();
        let mut chains = Vec::new();
        let firsts = [ShaderStage::Vertex, ShaderStage::Mesh].map(|stage| self.those(group, stage));
        for first in firsts.concat() {
            let mut chain = vec![first];
            let later: &[ShaderStage] = if self.stage(first) == ShaderStage::Mesh {
                let before = free
                    .iter()
                    .copied()
                    .find(|id| self.stage(*id) == ShaderStage::Amplification && self.same_signature(*id, first));
                if let Some(before) = before {
                    chain.insert(0, before);
                }
                &[ShaderStage::Pixel]
            } else {
                &[ShaderStage::Hull, ShaderStage::Domain, ShaderStage::Geometry, ShaderStage::Pixel]
            };
            for &stage in later {
                let next = free.iter().copied().find(|id| self.stage(*id) == stage && self.follows(&chain, *id));
                chain.extend(next);
            }
            if !self.is_complete(&chain) {
                continue;
            }
            for id in &chain {
                free.remove(id);
            }
            chains.push(chain);
        }
        self.left.extend(free);
        chains
    }

    /// Finds partners for what is left among all shaders. A shader may be in several pipelines.
    fn adopt(&mut self, chains: &mut Vec<Vec<StageId>>) {
        // A vertex or mesh shader alone is a pipeline that draws depth.
        for id in [ShaderStage::Vertex, ShaderStage::Mesh].map(|stage| self.still_left(stage)).concat() {
            if self.is_complete(&[id]) {
                self.left.remove(&id);
                chains.push(vec![id]);
            }
        }
        for stage in [ShaderStage::Amplification, ShaderStage::Hull, ShaderStage::Domain, ShaderStage::Geometry] {
            for id in self.still_left(stage) {
                if let Some(chain) = self.around(id) {
                    chain.iter().for_each(|id| _ = self.left.remove(id));
                    chains.push(chain);
                }
            }
        }
        for id in self.still_left(ShaderStage::Pixel) {
            // The pixel shader takes the place of another one.
            let before = chains.iter().find_map(|chain| {
                let ends = chain.iter().position(|id| self.stage(*id) == ShaderStage::Pixel).unwrap_or(chain.len());
                let before = chain.get(..ends)?.to_vec();
                (self.is_complete(&before) && self.needs_inputs(id) && self.follows(&before, id)).then_some(before)
            });
            if let Some(mut chain) = before {
                self.left.remove(&id);
                chain.push(id);
                chains.push(chain);
            }
        }
    }

    /// A pipeline around a stage that cannot be the first.
    fn around(&self, id: StageId) -> Option<Vec<StageId>> {
        let of = |stage: ShaderStage| self.all.iter().copied().filter(move |id| self.stage(*id) == stage);
        match self.stage(id) {
            ShaderStage::Amplification => {
                let mesh = of(ShaderStage::Mesh).find(|mesh| self.same_signature(id, *mesh))?;
                Some(vec![id, mesh])
            }
            ShaderStage::Geometry => {
                let vertex = of(ShaderStage::Vertex).find(|vertex| self.follows(&[*vertex], id))?;
                Some(vec![vertex, id])
            }
            ShaderStage::Hull => {
                let vertex = of(ShaderStage::Vertex).find(|vertex| self.follows(&[*vertex], id))?;
                let domain = of(ShaderStage::Domain).find(|domain| self.follows(&[vertex, id], *domain))?;
                Some(vec![vertex, id, domain])
            }
            ShaderStage::Domain => {
                let hull = of(ShaderStage::Hull).find(|hull| self.follows(&[*hull], id))?;
                let vertex = of(ShaderStage::Vertex).find(|vertex| self.follows(&[*vertex], hull))?;
                Some(vec![vertex, hull, id])
            }
            _ => None,
        }
    }

    /// Whether a chain has what each of its stages needs.
    fn is_complete(&self, chain: &[StageId]) -> bool {
        let has = |stage| chain.iter().any(|id| self.stage(*id) == stage);
        has(ShaderStage::Hull) == has(ShaderStage::Domain)
            && (has(ShaderStage::Vertex) || has(ShaderStage::Mesh))
            && chain.iter().all(|id| {
                // A mesh shader that reads a payload needs the stage that writes it.
                use dxil_translator::ir::declarations::StageProperties as P;
                let reads = matches!(self.entry(*id).properties, P::Mesh { payload_bytes: 1.., .. });
                !reads || has(ShaderStage::Amplification)
            })
    }

    /// Whether a pixel shader reads anything that a vertex shader of the lab could not give as
    /// well.
    fn needs_inputs(&self, id: StageId) -> bool {
        self.entry(id).inputs.elements.iter().any(|element| is_linked(element.semantic))
    }

    fn same_signature(&self, a: StageId, b: StageId) -> bool {
        let of = |id: StageId| self.containers.get(id).0.shader.entry_root_signature(id.1);
        match (of(a), of(b)) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        }
    }

    /// Whether a stage can come after a chain.
    fn follows(&self, chain: &[StageId], next: StageId) -> bool {
        let Some(last) = chain.last() else { return false };
        if !chain.iter().all(|id| self.same_signature(*id, next)) {
            return false;
        }
        let (last, next) = (self.entry(*last), self.entry(next));
        use dxil_translator::ir::declarations::StageProperties as P;
        match (last.stage, next.stage) {
            (ShaderStage::Hull, ShaderStage::Domain) => {
                let points = |properties: &P| match *properties {
                    P::Hull { output_points, domain, .. } => Some((output_points, domain)),
                    P::Domain { input_points, domain } => Some((input_points, domain)),
                    _ => None,
                };
                points(&last.properties) == points(&next.properties)
                    && feeds(&last.outputs, &next.inputs)
                    && feeds(&last.patch_constants, &next.patch_constants)
            }
            (ShaderStage::Hull, _) | (_, ShaderStage::Domain) => false,
            (ShaderStage::Mesh, _) => {
                let all = last.outputs.elements.iter().chain(&last.patch_constants.elements).cloned().collect();
                names_feed(&Signature::new(all), &next.inputs)
            }
            _ => feeds(&last.outputs, &next.inputs),
        }
    }
}

/// Whether an input with this semantic comes from the stage before.
fn is_linked(semantic: SemanticKind) -> bool {
    use SemanticKind as S;
    matches!(semantic, S::Arbitrary | S::ClipDistance | S::CullDistance)
}

/// Whether one signature has every input of another, in the same registers.
fn feeds(outputs: &Signature, inputs: &Signature) -> bool {
    inputs.elements.iter().filter(|input| is_linked(input.semantic)).all(|input| {
        outputs.elements.iter().any(|output| {
            output.name.eq_ignore_ascii_case(&input.name)
                && output.indices == input.indices
                && (output.start_row, output.start_col) == (input.start_row, input.start_col)
                && output.component == input.component
                && output.cols >= input.cols
        })
    })
}

/// Whether one signature has every input of another by semantic, as D3D links mesh shaders.
fn names_feed(outputs: &Signature, inputs: &Signature) -> bool {
    inputs.elements.iter().filter(|input| is_linked(input.semantic)).all(|input| {
        outputs.elements.iter().any(|output| {
            output.name.eq_ignore_ascii_case(&input.name)
                && output.indices == input.indices
                && output.component == input.component
        })
    })
}

/// The part of a file's name that the stages of a pipeline share.
fn stem(name: &str) -> String {
    let name = name.rsplit_once('.').map_or(name, |(name, _)| name);
    let stages = ["vs", "hs", "ds", "gs", "ps", "as", "ms"];
    for separator in ['.', '_', '-'] {
        if let Some((stem, last)) = name.rsplit_once(separator)
            && (stages.contains(&last) || last.strip_prefix("lib").is_some_and(|it| it.parse::<u8>().is_ok()))
        {
            return stem.to_owned();
        }
    }
    name.to_owned()
}

/// A name for people.
fn label(containers: &Containers, stages: &[StageId]) -> String {
    let mut parts: Vec<String> = Vec::new();
    for id in stages {
        let (container, entry) = containers.get(*id);
        let several = container.shader.entries().len() > 1;
        let stem = stem(&container.name);
        let part = if several && !entry.stage.is_rays() { format!("{stem}:{}", entry.plain_name()) } else { stem };
        if parts.last() != Some(&part) {
            parts.push(part);
        }
    }
    parts.join(" + ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_of_one_name_share_their_stem() {
        assert_eq!(stem("a/sky.vs.dxil"), "a/sky");
        assert_eq!(stem("a/sky_ps.cso"), "a/sky");
        assert_eq!(stem("sky.dxil"), "sky");
        assert_eq!(stem("glass.draw.ps.dxil"), "glass.draw");
    }
}
