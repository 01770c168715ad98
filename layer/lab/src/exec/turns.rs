//! The shader groups that the records of shader tables have.
//!
//! In: the groups of a pipeline, and what its stages call. Out: a group for each record. What must
//! hold: a ray or a call meets shaders that are given a payload of its size; where the lab cannot
//! tell, the pipeline is not run.

use std::collections::{BTreeMap, BTreeSet};

use ash::vk;
use dxil_capture::model::{Group, Pipeline};

use super::called::RayStage;
use super::stop::RaysFault;

/// The records of hit groups of triangles, which those of boxes follow. The index of a hit group is
/// a number of four bits, and another one that is multiplied by the number of a geometry, and the
/// number of the instance (DXR, "Hit group table indexing"). The scene has geometries 0 and 1.
pub const HITS: u32 = 32;
/// The records of miss and of callable shaders. Integers of the inputs are up to 64.
const OTHERS: u32 = 128;

/// The groups of a kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A ray generation shader.
    Generate,
    /// A miss shader.
    Miss,
    /// A hit group of triangles.
    Triangles,
    /// A hit group of boxes.
    Boxes,
    /// A callable shader.
    Callable,
}

/// The groups of the records of each table; `None` is a record without shaders.
pub struct Turns {
    /// The ray generation shaders.
    pub generate: Vec<usize>,
    /// The miss shaders.
    pub miss: Vec<Option<usize>>,
    /// The hit groups.
    pub hits: Vec<Option<usize>>,
    /// The callable shaders; none if there are none.
    pub callable: Vec<Option<usize>>,
}

/// The shaders of a group, each with the number of its stage.
pub fn shaders(group: &Group) -> impl Iterator<Item = (vk::ShaderGroupShaderKHR, usize)> {
    use vk::ShaderGroupShaderKHR as Shader;
    let all = [
        (Shader::GENERAL, group.general),
        (Shader::CLOSEST_HIT, group.closest_hit),
        (Shader::ANY_HIT, group.any_hit),
        (Shader::INTERSECTION, group.intersection),
    ];
    all.into_iter().filter_map(|(shader, stage)| Some((shader, stage? as usize)))
}

/// The kind of a group.
fn kind_of(pipeline: &Pipeline, group: &Group) -> Kind {
    use vk::RayTracingShaderGroupTypeKHR as Type;
    let stage = group.general.and_then(|it| pipeline.stages.get(it as usize)).map_or(0, |it| it.stage);
    match (Type::from_raw(group.ty), vk::ShaderStageFlags::from_raw(stage)) {
        (Type::TRIANGLES_HIT_GROUP, _) => Kind::Triangles,
        (Type::PROCEDURAL_HIT_GROUP, _) => Kind::Boxes,
        (_, vk::ShaderStageFlags::RAYGEN_KHR) => Kind::Generate,
        (_, vk::ShaderStageFlags::MISS_KHR) => Kind::Miss,
        _ => Kind::Callable,
    }
}

/// A group that records may have.
struct Candidate {
    group: usize,
    /// The sizes of the payloads that its shaders are given.
    payloads: BTreeSet<u32>,
    /// None of its shaders calls shaders of its kind.
    is_last: bool,
}

/// What meets a record, or all records of a table.
#[derive(Default)]
struct Need {
    payloads: BTreeSet<u32>,
    /// A shader of the same kind calls it, maybe itself.
    is_nested: bool,
}

/// Chooses the groups of records.
///
/// # Errors
/// The lab cannot tell which group a ray or a call is meant for.
pub fn choose(pipeline: &Pipeline, stages: &[RayStage]) -> Result<Turns, RaysFault> {
    let mut groups: BTreeMap<Kind, Vec<Candidate>> = BTreeMap::new();
    // Of a record of a table; without a number, of all records.
    let mut needs: BTreeMap<(Kind, Option<u32>), Need> = BTreeMap::new();
    for (index, group) in pipeline.groups.iter().enumerate() {
        let kind = kind_of(pipeline, group);
        let own = || shaders(group).filter_map(|(_, stage)| stages.get(stage));
        let mut is_last = true;
        for call in own().flat_map(|stage| &stage.calls) {
            let called = if call.is_ray { Kind::Miss } else { Kind::Callable };
            is_last &= called != kind;
            let hits = call.hit.map(|[offset, distance]| [offset, offset + distance].map(Some)).unwrap_or_default();
            let hits = [Kind::Triangles, Kind::Boxes].into_iter().flat_map(|kind| hits.map(|record| (kind, record)));
            for place in hits.filter(|_| call.is_ray).chain([(called, call.record)]) {
                let need = needs.entry(place).or_default();
                need.payloads.insert(call.payload);
                need.is_nested |= place.0 == kind;
            }
        }
        let payloads = own().filter_map(|stage| stage.payload).collect();
        groups.entry(kind).or_default().push(Candidate { group: index, payloads, is_last });
    }
    let of = |kind, count: u32| -> Result<Vec<Option<usize>>, RaysFault> {
        let groups = groups.get(&kind).map_or(&[][..], Vec::as_slice);
        (0..count).map(|record| turn(groups, record, [Some(record), None].map(|it| needs.get(&(kind, it))))).collect()
    };
    let generate: Vec<usize> = groups.get(&Kind::Generate).into_iter().flatten().map(|it| it.group).collect();
    if generate.is_empty() {
        return Err(RaysFault::NoGeneration);
    }
    let callable = if groups.contains_key(&Kind::Callable) { OTHERS } else { 0 };
    let hits = [of(Kind::Triangles, HITS)?, of(Kind::Boxes, HITS)?].concat();
    Ok(Turns { generate, miss: of(Kind::Miss, OTHERS)?, hits, callable: of(Kind::Callable, callable)? })
}

/// The group of a record: groups take turns in the order of the pipeline, as many of them as fit.
fn turn(groups: &[Candidate], record: u32, needs: [Option<&Need>; 2]) -> Result<Option<usize>, RaysFault> {
    let needs = || needs.iter().copied().flatten();
    let sizes: BTreeSet<u32> = needs().flat_map(|need| &need.payloads).copied().collect();
    if sizes.len() > 1 && groups.iter().any(|it| !it.payloads.is_empty()) {
        return Err(RaysFault::Payloads);
    }
    let is_nested = needs().any(|need| need.is_nested);
    let fits = |it: &&Candidate| (sizes.is_empty() || it.payloads.is_subset(&sizes)) && (!is_nested || it.is_last);
    let all: Vec<_> = groups.iter().filter(fits).collect();
    if is_nested && all.is_empty() && !groups.is_empty() {
        return Err(RaysFault::Nested);
    }
    let same = groups.get(record as usize).filter(fits);
    Ok(same.or_else(|| all.get(record as usize % all.len().max(1)).copied()).map(|it| it.group))
}

#[cfg(test)]
mod tests {
    use dxil_capture::model::{Code, Command, Stage};

    use super::super::called::Call;
    use super::*;

    const GENERATE: u32 = 0x100;
    const CLOSEST: u32 = 0x400;
    const MISS: u32 = 0x800;
    const CALLABLE: u32 = 0x2000;

    /// A pipeline of stages, each in a group of its own.
    fn pipeline(stages: &[u32]) -> Pipeline {
        let code = || Code::Spirv(dxil_capture::Digest([0; 32]));
        let made = stages.iter().map(|flag| Stage::new(*flag, code(), "main")).collect();
        let mut pipeline = Pipeline::new(Command::RayTracing, made);
        for (index, flag) in (0..).zip(stages) {
            let is_hit = *flag == CLOSEST;
            let none =
                Group { ty: i32::from(is_hit), general: None, closest_hit: None, any_hit: None, intersection: None };
            pipeline.groups.push(match is_hit {
                true => Group { closest_hit: Some(index), ..none },
                false => Group { general: Some(index), ..none },
            });
        }
        pipeline
    }

    fn given(payload: u32) -> RayStage {
        RayStage { payload: Some(payload), calls: Vec::new() }
    }

    fn ray(miss: Option<u32>, hit: Option<[u32; 2]>, payload: u32) -> Call {
        Call { record: miss, hit, is_ray: true, payload }
    }

    #[test]
    fn a_ray_meets_shaders_of_its_payload() {
        let pipeline = pipeline(&[GENERATE, MISS, MISS, CLOSEST, CLOSEST]);
        let calls = vec![ray(Some(0), Some([1, 2]), 16), ray(Some(1), Some([2, 2]), 4)];
        let generate = RayStage { payload: None, calls };
        let stages = [generate, given(4), given(16), given(16), given(4)];
        let turns = choose(&pipeline, &stages).unwrap();
        assert_eq!(turns.generate, [0]);
        assert_eq!(turns.miss[..2], [Some(2), Some(1)]);
        assert_eq!((turns.hits[1], turns.hits[3], turns.hits[2], turns.hits[4]), (Some(3), Some(3), Some(4), Some(4)));
        // Nothing meets these, and there are no groups of boxes and no callable shaders.
        assert_eq!((turns.hits[5], turns.hits[32], turns.callable.len()), (Some(4), None, 0));
    }

    #[test]
    fn what_the_lab_cannot_tell_is_said() {
        let said = |pipeline: &Pipeline, stages: &[RayStage]| choose(pipeline, stages).err().unwrap().to_string();
        let both = vec![ray(None, None, 16), ray(Some(1), None, 4)];
        let stages = [RayStage { payload: None, calls: both }, given(16), given(4)];
        assert!(said(&pipeline(&[GENERATE, MISS, MISS]), &stages).contains("several sizes"));
        let call = Call { record: Some(2), hit: None, is_ray: false, payload: 4 };
        let calling = RayStage { payload: Some(4), calls: vec![call] };
        let stages = [RayStage::default(), calling.clone()];
        assert!(said(&pipeline(&[GENERATE, CALLABLE]), &stages).contains("no end"));
        // It calls another one, if there is another one.
        let turns =
            choose(&pipeline(&[GENERATE, CALLABLE, CALLABLE]), &[stages[0].clone(), calling, given(4)]).unwrap();
        assert_eq!(turns.callable[..4], [Some(1), Some(2), Some(2), Some(2)]);
        assert!(said(&pipeline(&[MISS]), &[given(4)]).contains("ray generation"));
    }
}
