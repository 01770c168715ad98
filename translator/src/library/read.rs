//! Reads the subobjects of RDAT.

use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::{HitGroup, HitGroupType, NameId, PipelineConfig, ShaderConfig, Subobject, SubobjectContent, Subobjects};
use crate::binding::RootSignature;
use crate::binding::root_signature::RootParameterKind;
use crate::container::{RuntimeData, RuntimeSubobject, RuntimeSubobjectContent as Record, SubobjectKind, Words};
use dxil_base::entity::{Entity, EntitySet};
use dxil_base::error::{Error, Place, Result};
use dxil_base::limits;
use dxil_base::lists::Lists;
use dxil_base::names::unmarked;

impl Subobjects {
    /// Reads the subobjects of a library's runtime data.
    ///
    /// # Errors
    /// `Malformed`, with the byte: a name that two subobjects have, a root signature that breaks a
    /// rule of D3D12, a hit group of an unknown type. `Unsupported`: a root signature of an unknown
    /// version. `Limit`: too many exports in associations, or items in root signatures.
    pub fn read(data: &RuntimeData<'_>) -> Result<Self> {
        let mut reading = LibraryReader::default();
        reading.found.all.reserve(data.subobjects.len());
        reading.found.names.reserve(data.subobjects.len());
        for record in &data.subobjects {
            reading.subobject(data, record)?;
        }
        Ok(reading.finish())
    }
}

/// The state of reading one library.
#[derive(Default)]
struct LibraryReader {
    found: Subobjects,
    /// The root signature of each range of bytes, so that records that share bytes are read once,
    /// and the number of its content, once it has one.
    signatures: HashMap<(usize, usize), (Arc<RootSignature>, Option<u32>)>,
    /// The names of the subobjects that an association with exports names.
    associated: EntitySet<NameId>,
    /// The names of the subobjects that an association without exports names.
    defaults: EntitySet<NameId>,
    /// The exports that associations name.
    explicit: Vec<(NameId, usize)>,
    /// The shaders that hit groups name.
    shaders: Vec<(NameId, usize)>,
    /// The number of each content.
    definitions: HashMap<SubobjectContent, u32>,
    exports: usize,
    root_items: usize,
    /// Bytes of names and lists, with each name once.
    bytes: usize,
    /// Bytes of names that stand again.
    repeated: usize,
}

impl LibraryReader {
    fn subobject(&mut self, data: &RuntimeData<'_>, record: &RuntimeSubobject<'_>) -> Result<()> {
        let place = record.place;
        let (name, id) = self.text(place, record.name)?;
        let (content, target) = self.content(data, record)?;
        let index = self.found.all.len();
        if self.found.by_name[id].replace(index).is_some() {
            return Err(malformed!(place, "two subobjects are called `{}`", name.escape_debug()));
        }
        let definition = self.definition(record, &content);
        self.bytes += size_of::<Subobject>();
        self.found.all.push(Subobject { name, content, definition, id, target });
        Ok(())
    }

    /// The number of a content. Contents that are equal have the same number.
    fn definition(&mut self, record: &RuntimeSubobject<'_>, content: &SubobjectContent) -> u32 {
        let bytes = match (&record.content, content) {
            // Nothing compares two associations, and their lists may be long.
            (_, SubobjectContent::Association { .. }) => return u32::MAX,
            (&Record::RootSignature { offset, bytes }, _) => Some((offset, bytes.len())),
            _ => None,
        };
        // Thousands of records may share the bytes of one large root signature.
        let known = bytes.and_then(|bytes| self.signatures.get_mut(&bytes)).map(|(_, number)| number);
        if let Some(Some(number)) = known {
            return *number;
        }
        let next = u32::try_from(self.definitions.len()).unwrap_or(u32::MAX);
        let number = *self.definitions.entry(content.clone()).or_insert(next);
        if let Some(known) = known {
            *known = Some(number);
        }
        number
    }

    /// What was read.
    fn finish(mut self) -> Subobjects {
        let found = &mut self.found;
        let names = found.names.len();
        let lists = |mut pairs: Vec<(NameId, usize)>| {
            // A list of exports may repeat names.
            pairs.sort_unstable();
            pairs.dedup();
            Lists::new(names, pairs.iter().copied())
        };
        (found.explicit, found.groups_of) = (lists(self.explicit), lists(self.shaders));
        let mut seen = HashSet::default();
        for (index, subobject) in found.all.iter().enumerate() {
            let is_default = !self.associated.contains(subobject.id) || self.defaults.contains(subobject.id);
            if is_default && seen.insert((subobject.kind(), subobject.definition)) {
                found.defaults.entry(subobject.kind()).or_default().push(index);
            }
        }
        self.found.heap_bytes = self.bytes.saturating_add(self.found.map_bytes());
        self.found
    }

    /// A name, counted. Records may share one long string.
    fn text(&mut self, place: Place, text: &str) -> Result<(Arc<str>, NameId)> {
        let text = unmarked(text);
        let names = &mut self.found.names;
        let known = names.get_key_value(text).map(|(name, &id)| (name.clone(), id));
        let bytes = if known.is_some() { &mut self.repeated } else { &mut self.bytes };
        *bytes = bytes.saturating_add(text.len());
        let all = self.bytes.saturating_add(self.repeated);
        limits::check(place, "bytes in the names of subobjects", all, limits::STRING_BYTES)?;
        Ok(known.unwrap_or_else(|| {
            let (name, id): (Arc<str>, NameId) = (text.into(), NameId::new(names.len()));
            names.insert(name.clone(), id);
            (name, id)
        }))
    }

    /// The name of a shader of the next hit group; the empty name stands for none.
    fn shader(&mut self, place: Place, text: &str) -> Result<Option<Arc<str>>> {
        if text.is_empty() {
            return Ok(None);
        }
        let (name, id) = self.text(place, text)?;
        self.shaders.push((id, self.found.all.len()));
        Ok(Some(name))
    }

    /// The content of the next subobject, and the name that an association with exports has as its
    /// target.
    fn content(
        &mut self,
        data: &RuntimeData<'_>,
        record: &RuntimeSubobject<'_>,
    ) -> Result<(SubobjectContent, Option<NameId>)> {
        let place = record.place;
        let mut target = None;
        let content = match record.content {
            Record::StateObjectConfig { flags } => SubobjectContent::StateObjectConfig { flags },
            Record::RootSignature { offset, bytes } => {
                let signature = self.root_signature(offset, bytes).map_err(|error| in_subobject(record, &error))?;
                let local = record.kind == SubobjectKind::LocalRootSignature;
                if signature.is_local() != local {
                    let (kind, name) = (record.kind, record.name.escape_debug());
                    let has = if local { "lacks" } else { "has" };
                    return Err(malformed!(place, "subobject {kind} `{name}` {has} the flag LOCAL_ROOT_SIGNATURE"));
                }
                match local {
                    true => SubobjectContent::LocalRootSignature(signature),
                    false => SubobjectContent::GlobalRootSignature(signature),
                }
            }
            Record::Association { subobject, exports } => {
                let (subobject, id) = self.text(place, subobject)?;
                let exports = self.exports(data, place, exports)?;
                target = (!exports.is_empty()).then_some(id);
                let named = if exports.is_empty() { &mut self.defaults } else { &mut self.associated };
                named.insert(id);
                SubobjectContent::Association { subobject, exports }
            }
            Record::ShaderConfig { payload_bytes, attribute_bytes } => {
                SubobjectContent::ShaderConfig(ShaderConfig { payload_bytes, attribute_bytes })
            }
            Record::PipelineConfig { recursion, flags } => {
                SubobjectContent::PipelineConfig(PipelineConfig { recursion, flags })
            }
            Record::HitGroup { ty: HitGroupType::Other(number), .. } => {
                let name = record.name.escape_debug();
                return Err(malformed!(
                    place,
                    "hit group `{name}` has type {number}; expected 0 (Triangle) or 1 (ProceduralPrimitive)"
                ));
            }
            Record::HitGroup { ty, any_hit, closest_hit, intersection } => SubobjectContent::HitGroup(HitGroup {
                geometry: ty,
                any_hit: self.shader(place, any_hit)?,
                closest_hit: self.shader(place, closest_hit)?,
                intersection: self.shader(place, intersection)?,
            }),
            Record::Unknown => SubobjectContent::Unknown(record.kind.value()),
        };
        Ok((content, target))
    }

    fn exports(&mut self, data: &RuntimeData<'_>, place: Place, exports: Words<'_>) -> Result<Vec<Arc<str>>> {
        self.exports = self.exports.saturating_add(exports.len());
        limits::check(place, "exports in associations", self.exports, limits::ASSOCIATED_EXPORTS)?;
        self.bytes = self.bytes.saturating_add(exports.len() * size_of::<Arc<str>>());
        let index = self.found.all.len();
        let export = |offset| {
            let (name, id) = self.text(place, data.string(offset)?)?;
            self.explicit.push((id, index));
            Ok(name)
        };
        exports.iter().map(export).collect()
    }

    fn root_signature(&mut self, offset: usize, bytes: &[u8]) -> Result<Arc<RootSignature>> {
        if let Some((read, _)) = self.signatures.get(&(offset, bytes.len())) {
            return Ok(read.clone());
        }
        let signature = RootSignature::parse(bytes, offset)?;
        let ranges = signature.parameters.iter().map(|parameter| match &parameter.kind {
            RootParameterKind::Table(ranges) => 1 + ranges.len(),
            _ => 1,
        });
        let items = signature.static_samplers.len() + ranges.sum::<usize>();
        self.root_items = self.root_items.saturating_add(items);
        let place = Place::Byte(offset as u64);
        limits::check(place, "items in root signatures", self.root_items, limits::LIBRARY_ROOT_ITEMS)?;
        self.bytes = self.bytes.saturating_add(signature.heap_bytes());
        let signature = Arc::new(signature);
        self.signatures.insert((offset, bytes.len()), (signature.clone(), None));
        Ok(signature)
    }
}

/// An error inside a root signature, with the name of the subobject.
fn in_subobject(record: &RuntimeSubobject<'_>, error: &Error) -> Error {
    let (kind, name) = (record.kind, record.name.escape_debug());
    Error::new(error.kind(), error.place(), format!("subobject {kind} `{name}`: {}", error.message()))
}
