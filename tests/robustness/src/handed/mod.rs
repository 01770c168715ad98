//! What people hand in besides shaders: root signatures, plans, maps, profiles, requests, modules
//! that carry a container, and PDB files.
//!
//! In: the samples of the repository and random numbers. Out: a changed input of a kind, and what
//! is wrong with the translator's answer to it. An input determines which shader it is for, so that
//! it can be checked again without the numbers that made it.

mod change;
mod check;

use dxil_translator::{
    BindingOptions, BindingPlan, BlobDigest, EmbedOptions, Model, Options, PipelineStage, PlanInputs, Request, Shader,
    VULKAN_1_1_FLOOR, VULKAN_1_3_DESKTOP, embed, lavapipe, plan,
};

use crate::corpus::{Corpus, Entry};
use dxil_test_support::{Random, fixture};

pub use check::Answer;

/// What an input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A serialized root signature, alone or in a container.
    Serialized,
    /// The HLSL text of a root signature.
    RootText,
    /// The text of a binding plan.
    Plan,
    /// A binding map.
    Map,
    /// The text of a device profile.
    Profile,
    /// The text of a request.
    Request,
    /// A SPIR-V module that carries a container.
    Embedded,
    /// A PDB with debug information.
    Pdb,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::Serialized,
        Self::RootText,
        Self::Plan,
        Self::Map,
        Self::Profile,
        Self::Request,
        Self::Embedded,
        Self::Pdb,
    ];

    /// The name on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Serialized => "rts0",
            Self::RootText => "root-text",
            Self::Plan => "plan",
            Self::Map => "map",
            Self::Profile => "profile",
            Self::Request => "request",
            Self::Embedded => "embedded",
            Self::Pdb => "pdb",
        }
    }

    /// The kind with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    fn is_text(self) -> bool {
        !matches!(self, Self::Serialized | Self::Embedded | Self::Pdb)
    }
}

/// The shaders for which plans, maps and requests are made.
const SHADERS: [&str; 8] = [
    "map/compute",
    "map/stages.vs",
    "map/stages.ps",
    "map/addresses",
    "heaps/kinds",
    "heaps/offsets",
    "rootsig/sampler_table",
    "rootsig/addresses_graphics.ps",
];

/// A shader that was read before.
struct Known {
    name: String,
    bytes: Vec<u8>,
    shader: Shader,
}

/// The samples of each kind, and the shaders.
pub struct Handed {
    shaders: Vec<Known>,
    samples: Vec<(Kind, Vec<Vec<u8>>)>,
    /// The words and numbers of the samples that are texts.
    words: Vec<(Kind, Vec<String>)>,
}

/// The lines of a file of samples that are no comments.
fn lines(name: &str) -> Vec<String> {
    let text = String::from_utf8_lossy(&fixture(name)).into_owned();
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

impl Handed {
    /// Reads the samples of the repository.
    #[expect(clippy::new_without_default, reason = "it reads many files")]
    pub fn new() -> Self {
        let corpus = Corpus::fixtures(64 << 10);
        let known = |entry: &Entry| {
            let shader = Shader::parse(&entry.bytes).ok().filter(|shader| shader.entries().next().is_some())?;
            Some(Known { name: entry.name.clone(), bytes: entry.bytes.clone(), shader })
        };
        // The named shaders, and one of every group, which differ in what they declare.
        let mut shaders: Vec<Known> = Vec::new();
        let mut groups = std::collections::BTreeSet::new();
        for entry in &corpus.entries {
            let group = entry.name.split('/').next().unwrap_or_default();
            if SHADERS.contains(&entry.name.as_str()) || groups.insert(group.to_owned()) {
                shaders.extend(known(entry));
            }
        }
        let missing = SHADERS.iter().find(|name| !shaders.iter().any(|known| known.name == **name));
        assert_eq!(missing, None, "the corpus does not have all shaders");
        let mut handed = Self { shaders, samples: Vec::new(), words: Vec::new() };
        handed.samples = Kind::ALL.into_iter().map(|kind| (kind, handed.samples_of(kind))).collect();
        for (kind, samples) in &handed.samples {
            assert!(!samples.is_empty(), "no samples of the kind {}", kind.name());
            if kind.is_text() {
                handed.words.push((*kind, change::words(samples)));
            }
        }
        handed
    }

    fn samples_of(&self, kind: Kind) -> Vec<Vec<u8>> {
        let profiles = [VULKAN_1_1_FLOOR, VULKAN_1_3_DESKTOP, lavapipe()];
        let number = |word: &str| u32::from_str_radix(word, 16).unwrap_or(0).to_le_bytes();
        let for_shader = |known: &Known, text: String| format!("# {}\n{text}", known.name).into_bytes();
        match kind {
            Kind::Serialized => lines("root-signatures/compiled.txt")
                .iter()
                .map(|line| line.split(' ').skip(2).flat_map(number).collect())
                .collect(),
            Kind::RootText => {
                let texts = lines("root-signatures/texts.txt");
                texts.iter().filter_map(|line| Some(line.split_once('=')?.1.trim().as_bytes().to_vec())).collect()
            }
            Kind::Plan => self
                .shaders
                .iter()
                .filter_map(|known| Some(for_shader(known, default_plan(&known.shader)?.to_string())))
                .collect(),
            Kind::Map => ["compute", "stages", "addresses"].map(|name| fixture(&format!("map/{name}.map.toml"))).into(),
            Kind::Profile => {
                let texts = profiles.iter().flat_map(|profile| [profile.to_string(), profile.documented()]);
                texts.map(String::into_bytes).collect()
            }
            Kind::Request => {
                let request = |known: &Known| {
                    let options = Options::new(VULKAN_1_3_DESKTOP);
                    let (entry, _) = known.shader.entries().next()?;
                    let digest = BlobDigest::from_bytes(&known.bytes);
                    let plan = default_plan(&known.shader)?;
                    let request = Request::new(digest, &known.shader, entry, plan, options).ok()?;
                    Some(for_shader(known, request.to_string()))
                };
                self.shaders.iter().filter_map(request).collect()
            }
            Kind::Embedded => {
                let carried = |known: &Known| {
                    let words = embed(&known.bytes, &EmbedOptions::default()).ok()?;
                    Some(words.iter().flat_map(|word| word.to_le_bytes()).collect())
                };
                self.shaders.iter().filter_map(carried).collect()
            }
            Kind::Pdb => ["in_pdb", "sources_in_pdb"].map(|name| fixture(&format!("debug/{name}.pdb"))).into(),
        }
    }

    /// A changed sample of this kind.
    pub fn make(&self, kind: Kind, random: &mut Random) -> Vec<u8> {
        let samples = self.samples.iter().find(|(of, _)| *of == kind).map_or(&[][..], |(_, samples)| samples);
        let words = self.words.iter().find(|(of, _)| *of == kind).map_or(&[][..], |(_, words)| words);
        if kind == Kind::Pdb && random.below(4) != 0 {
            return change::blocks(samples, random);
        }
        change::change(samples, words, random)
    }

    /// Lets later inputs be made of this one as well.
    pub fn learn(&mut self, kind: Kind, input: &[u8]) {
        let samples = self.samples.iter_mut().filter(|(of, _)| *of == kind);
        samples.for_each(|(_, samples)| samples.push(input.to_vec()));
    }

    /// The samples of all kinds.
    pub fn samples(&self) -> impl Iterator<Item = (Kind, &[u8])> {
        self.samples.iter().flat_map(|(kind, samples)| samples.iter().map(|sample| (*kind, sample.as_slice())))
    }

    /// The shader that the first line of a text names.
    fn shader_of(&self, text: &str) -> Option<&Shader> {
        let name = text.lines().next()?.strip_prefix("# ")?;
        self.shaders.iter().find(|known| known.name == name).map(|known| &known.shader)
    }
}

fn default_plan(shader: &Shader) -> Option<BindingPlan> {
    let profile = lavapipe();
    let options = BindingOptions::new(Model::Auto, "t=1000,u=2000,s=3000,c=4000".parse().ok()?);
    let inputs = PlanInputs::new(&profile).with_options(options);
    let (entry, _) = shader.entries().next()?;
    plan(&[PipelineStage::new(shader, entry)], &inputs).ok()?.stages.into_iter().next()
}
