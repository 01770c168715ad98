//! The shader groups and shader binding tables of a ray-tracing pipeline: the data of `group`,
//! `record`, `recursion`, `payload`, `deferred`, `skip` and `pipeline_library` lines.

use ash::vk;

use super::Register;
use super::line::Line;
use crate::error::Result;

/// The shaders of a group, by the names of their entry points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shaders {
    /// A ray generation, miss or callable shader. The table of its records decides which.
    General(String),
    /// A hit group, of triangles if it has no intersection shader.
    Hit {
        /// The intersection shader.
        intersection: Option<String>,
        /// The closest-hit shader.
        closest: Option<String>,
        /// The any-hit shader.
        any: Option<String>,
    },
}

/// A shader group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The name.
    pub name: String,
    /// The shaders.
    pub shaders: Shaders,
}

/// A shader binding table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    /// The records of ray generation shaders, of which a step uses one.
    Raygen,
    /// The records of miss shaders.
    Miss,
    /// The records of hit groups.
    Hit,
    /// The records of callable shaders.
    Callable,
}

/// A word or an address in a record, after the group's handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Data {
    /// A word.
    Word(u32),
    /// Two words: the address of a resource, plus a number of bytes.
    Address(Register, u64),
}

/// A record of a shader binding table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The table. Its records are in the order of their lines.
    pub table: Table,
    /// The index of the group, or `None` for a null handle.
    pub group: Option<usize>,
    /// What follows the handle.
    pub data: Vec<Data>,
}

impl Record {
    /// The number of bytes that follow the handle.
    #[must_use]
    pub fn data_bytes(&self) -> u64 {
        self.data.iter().map(|data| if matches!(data, Data::Word(_)) { 4 } else { 8 }).sum()
    }
}

/// The parts of a ray-tracing pipeline other than its code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rays {
    /// The groups.
    pub groups: Vec<Group>,
    /// The records of all tables.
    pub records: Vec<Record>,
    /// How deep shaders may trace rays: 1 if only ray generation shaders do.
    pub recursion: u32,
    /// The most bytes of a payload or of callable data, and of hit attributes.
    pub sizes: [u32; 2],
    /// The flags that skip a kind of primitives.
    pub skip: vk::PipelineCreateFlags,
    /// Whether pipelines are created with a deferred operation.
    pub deferred: bool,
    /// The groups of each pipeline library. The pipeline itself has all other groups.
    pub libraries: Vec<Vec<usize>>,
}

impl Default for Rays {
    fn default() -> Self {
        Self {
            groups: Vec::new(),
            records: Vec::new(),
            recursion: 1,
            sizes: [64, 32],
            skip: vk::PipelineCreateFlags::empty(),
            deferred: false,
            libraries: Vec::new(),
        }
    }
}

impl Rays {
    /// The entry points of a group, each with its stage. The stage of a general shader is empty if
    /// no record has the group.
    #[must_use]
    pub fn entries(&self, group: usize) -> Vec<(&str, vk::ShaderStageFlags)> {
        use vk::ShaderStageFlags as S;
        match self.groups.get(group).map(|group| &group.shaders) {
            None => Vec::new(),
            Some(Shaders::General(entry)) => {
                let record = self.records.iter().find(|record| record.group == Some(group));
                let stage = record.map_or(S::empty(), |record| match record.table {
                    Table::Raygen => S::RAYGEN_KHR,
                    Table::Miss => S::MISS_KHR,
                    Table::Callable => S::CALLABLE_KHR,
                    Table::Hit => S::empty(),
                });
                vec![(entry, stage)]
            }
            Some(Shaders::Hit { intersection, closest, any }) => {
                let all = [(closest, S::CLOSEST_HIT_KHR), (any, S::ANY_HIT_KHR), (intersection, S::INTERSECTION_KHR)];
                all.into_iter().filter_map(|(entry, stage)| Some((entry.as_deref()?, stage))).collect()
            }
        }
    }

    /// The entry points of some groups, each once with its stage.
    #[must_use]
    pub fn entries_of(&self, groups: &[usize]) -> Vec<(&str, vk::ShaderStageFlags)> {
        let mut all = Vec::new();
        for entry in groups.iter().flat_map(|&group| self.entries(group)) {
            if !all.contains(&entry) {
                all.push(entry);
            }
        }
        all
    }

    /// The entry points of all groups, each once with its stage.
    #[must_use]
    pub fn all_entries(&self) -> Vec<(&str, vk::ShaderStageFlags)> {
        self.entries_of(&(0..self.groups.len()).collect::<Vec<_>>())
    }

    /// The groups that are in no pipeline library.
    #[must_use]
    pub fn own_groups(&self) -> Vec<usize> {
        (0..self.groups.len()).filter(|group| !self.libraries.iter().flatten().any(|other| other == group)).collect()
    }

    /// The index of the group in the pipeline, which has its own groups first and then those of its
    /// libraries.
    #[must_use]
    pub fn place(&self, group: usize) -> Option<u32> {
        let own = self.own_groups();
        let mut all = own.iter().chain(self.libraries.iter().flatten());
        all.position(|other| *other == group).and_then(|place| u32::try_from(place).ok())
    }

    /// The records of a table.
    pub fn table(&self, table: Table) -> impl Iterator<Item = &Record> {
        self.records.iter().filter(move |record| record.table == table)
    }

    /// Whether a record has the address of the resource at a register.
    #[must_use]
    pub fn addresses(&self, register: Register) -> bool {
        let is_it = |data: &Data| matches!(data, Data::Address(other, _) if *other == register);
        self.records.iter().flat_map(|record| &record.data).any(is_it)
    }

    fn group(&self, line: &Line<'_>, name: &str) -> Result<usize> {
        let found = self.groups.iter().position(|group| group.name == name);
        found.ok_or_else(|| line.fault(format_args!("there is no earlier `group {name}`")))
    }

    /// Reads a line. Returns false if the directive is none of ray-tracing pipelines.
    pub(super) fn directive(&mut self, word: &str, line: &mut Line<'_>) -> Result<bool> {
        match word {
            "group" => self.read_group(line)?,
            "record" => self.read_record(line)?,
            "recursion" => self.recursion = line.value("N")?,
            "deferred" => self.deferred = true,
            "payload" => self.sizes = [line.value("BYTES")?, line.value_or("ATTRIBUTES", 32)?],
            "skip" => {
                let kinds = [
                    ("triangles", vk::PipelineCreateFlags::RAY_TRACING_SKIP_TRIANGLES_KHR),
                    ("boxes", vk::PipelineCreateFlags::RAY_TRACING_SKIP_AABBS_KHR),
                ];
                self.skip |= line.choice("the kind of primitives", &kinds)?;
            }
            "pipeline_library" => {
                let names: Vec<_> = line.words.by_ref().collect();
                let groups = names.into_iter().map(|name| self.group(line, name)).collect::<Result<Vec<_>>>()?;
                let taken = |group: &usize| self.libraries.iter().flatten().any(|other| other == group);
                if groups.is_empty() || groups.iter().any(taken) {
                    return Err(line.fault("`pipeline_library` needs groups that are in no other one"));
                }
                self.libraries.push(groups);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn read_group(&mut self, line: &mut Line<'_>) -> Result<()> {
        let name = line.word("NAME")?.to_owned();
        if name == "null" || self.groups.iter().any(|group| group.name == name) {
            return Err(line.fault(format_args!("the name `{name}` is taken; expected a new name")));
        }
        let kind = line.word("the kind of group")?;
        let mut option = |key| line.option(key).map(str::to_owned);
        let shaders = match kind {
            "general" => Shaders::General(line.word("ENTRY")?.to_owned()),
            "triangles" => Shaders::Hit { intersection: None, closest: option("closest"), any: option("any") },
            "procedural" => {
                let intersection = option("intersection");
                if intersection.is_none() {
                    return Err(line.fault("a procedural group needs `intersection=`"));
                }
                Shaders::Hit { intersection, closest: option("closest"), any: option("any") }
            }
            _ => {
                return Err(line
                    .fault(format_args!("unknown kind of group `{kind}`; expected general, triangles or procedural")));
            }
        };
        self.groups.push(Group { name, shaders });
        Ok(())
    }

    fn read_record(&mut self, line: &mut Line<'_>) -> Result<()> {
        let tables =
            [("raygen", Table::Raygen), ("miss", Table::Miss), ("hit", Table::Hit), ("callable", Table::Callable)];
        let table = line.choice("table", &tables)?;
        let group = match line.word("GROUP")? {
            "null" if table == Table::Raygen => return Err(line.fault("a ray generation record cannot be null")),
            "null" => None,
            name => Some(self.group(line, name)?),
        };
        let shaders = group.and_then(|group| self.groups.get(group)).map(|group| &group.shaders);
        if shaders.is_some_and(|shaders| matches!(shaders, Shaders::Hit { .. }) != (table == Table::Hit)) {
            return Err(line.fault("hit records have triangle and procedural groups, all others have general groups"));
        }
        let other = self.records.iter().find(|record| record.group == group && group.is_some());
        if other.is_some_and(|record| record.table != table) {
            return Err(line.fault("a group can be in one table only"));
        }
        let words: Vec<_> = line.words.by_ref().collect();
        let data = words.into_iter().map(|word| data(line, word)).collect::<Result<Vec<_>>>()?;
        let mut at = 0;
        for item in &data {
            if matches!(item, Data::Address(..)) && at % 8 != 0 {
                return Err(line.fault(format_args!(
                    "the address at byte {at} of the record's data must be at a multiple of 8; put a word before it"
                )));
            }
            at += if matches!(item, Data::Word(_)) { 4 } else { 8 };
        }
        self.records.push(Record { table, group, data });
        Ok(())
    }
}

/// Reads a word of a record, or `address(REGISTER)` with an optional `+BYTES`.
fn data(line: &Line<'_>, word: &str) -> Result<Data> {
    let Some(rest) = word.strip_prefix("address(") else { return line.data_word(word).map(Data::Word) };
    let wrong = || line.fault(format_args!("invalid address `{word}`; expected `address(t3)` or `address(t3)+16`"));
    let (register, rest) = rest.split_once(')').ok_or_else(wrong)?;
    let bytes = match rest.strip_prefix('+') {
        Some(bytes) => bytes.parse().map_err(|_| wrong())?,
        None if rest.is_empty() => 0,
        None => return Err(wrong()),
    };
    Ok(Data::Address(line.register(register)?, bytes))
}
