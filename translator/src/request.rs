//! Requests: a [`Request`] names one translation by everything that decides its SPIR-V words.
//!
//! In: a blob's digest, an entry point, a binding plan, options. Out: a value that can be compared
//! and hashed, and a text from which the same translation can be repeated anywhere. What must hold:
//! two translations of one blob with equal requests give the same words; a request that is printed
//! and read back is equal to the first.
//!
//! The text is TOML (docs/bindings.md, "The request as text"). Its plan and its profile have the
//! keys of their own texts.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::analysis::program::EntryId;
use crate::binding::{self, BindingPlan};
use crate::options::Options;
use crate::shader::{Shader, Translation, translate};
use dxil_base::error::{Error, Place, Result};
use dxil_base::{limits, text};

/// The BLAKE3 hash of a container's bytes. It names the container in requests, caches and file
/// names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(clippy::exhaustive_structs, reason = "a digest is its 32 bytes")]
pub struct BlobDigest(pub [u8; 32]);

impl BlobDigest {
    /// The digest of these bytes.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    /// The first 16 hexadecimal digits, which logs and file names use.
    pub fn short(&self) -> String {
        let mut text = self.to_string();
        text.truncate(16);
        text
    }
}

impl fmt::Display for BlobDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for BlobDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for BlobDigest {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let wrong = || malformed!(Place::Input, "expected a digest of 64 hexadecimal digits, found `{text}`");
        if text.len() != 64 || !text.is_ascii() {
            return Err(wrong());
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let pair = str::from_utf8(pair).map_err(|_| wrong())?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| wrong())?;
        }
        Ok(Self(bytes))
    }
}

impl Serialize for BlobDigest {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BlobDigest {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(|error: Error| D::Error::custom(error.message()))
    }
}

/// The name of one translation. The translator's own version is not part of it: different versions
/// may give different words.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Request {
    /// The digest of the container.
    pub blob: BlobDigest,
    /// The entry point.
    pub entry: EntryId,
    /// The entry point's name, for the text.
    pub entry_name: Arc<str>,
    /// Where the resources live.
    pub plan: BindingPlan,
    /// Options, including the state of the pipeline and the profile of the device.
    pub options: Options,
}

/// The keys of options and pipeline state in the text form. Whoever makes requests by other means,
/// such as the arguments of a tool, has something for each.
pub const KEYS: [&str; 22] = [
    "names",
    "debug",
    "invert_y",
    "vulkan_vertex_ids",
    "dual_source",
    "feeds_stage",
    "sample_shading",
    "wide_interface",
    "samples",
    "samples_constant",
    "mesh_outputs",
    "tessellation",
    "stream_output",
    "output_swizzles",
    "patch_location",
    "view_instancing",
    "bounds",
    "raw_vectors",
    "vertex_locations",
    "entry_point_name",
    "invariant_position",
    "precise",
];

/// The version of the text form, which its first line states.
const VERSION: u32 = 1;

/// The keys by which the container of a request is found.
#[derive(Deserialize)]
struct Head {
    request: u32,
    blob: BlobDigest,
}

impl Head {
    fn read(text: &str) -> Result<Self> {
        let head: Self = text::read("request", text)?;
        match head.request {
            VERSION => Ok(head),
            other => {
                Err(unsupported!(Place::Input, "the request has version {other}; this build reads version {VERSION}"))
            }
        }
    }
}

/// The keys of a request.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    #[serde(rename = "request")]
    _version: u32,
    blob: BlobDigest,
    entry: String,
    options: Options,
    plan: binding::Keys,
}

/// The part of the text of a request before its profile.
#[derive(Serialize)]
struct Written<'a> {
    request: u32,
    blob: BlobDigest,
    entry: &'a str,
    options: &'a Options,
}

impl Request {
    /// The request for a translation of an entry point. The shader must have been parsed from the
    /// blob with this digest.
    ///
    /// # Errors
    /// `Unsupported` if the shader does not have the entry point.
    pub fn new(blob: BlobDigest, shader: &Shader, entry: EntryId, plan: BindingPlan, options: Options) -> Result<Self> {
        let found = shader.entry(entry);
        let found = found.ok_or_else(|| unsupported!(Place::Input, "the shader has no entry point {entry}"))?;
        Ok(Self { blob, entry, entry_name: found.name.clone(), plan, options })
    }

    /// Translates the entry point. The shader must have been parsed from the blob of this request.
    ///
    /// # Errors
    /// The errors of [`translate`].
    pub fn translate(&self, shader: &Shader) -> Result<Translation> {
        translate(shader, self.entry, &self.plan, &self.options)
    }

    /// The digest of the blob in the text of a request. The values of other keys may be wrong, so a
    /// caller can find the container first.
    ///
    /// # Errors
    /// `Malformed` if the text is not TOML or does not name a blob. `Unsupported` if it is of
    /// another version. The errors of [`text::read`].
    pub fn blob_of(text: &str) -> Result<BlobDigest> {
        Head::read(text).map(|head| head.blob)
    }

    /// Reads the text form. The shader must have been parsed from the blob that the text names.
    ///
    /// # Errors
    /// `Malformed`, with line and column: an unknown key, a value out of range, a missing part.
    /// `Unsupported` if the shader lacks the entry point or the text is of another version. `Limit`
    /// if there are too many outputs of a mesh shader, or of stream output. The errors of
    /// [`text::read`], of
    /// [`BindingPlan::parse`] and of [`DeviceProfile::parse`](crate::DeviceProfile::parse).
    pub fn parse(text: &str, shader: &Shader) -> Result<Self> {
        Head::read(text)?;
        let Keys { blob, entry, options, plan, .. } = text::read("request", text)?;
        if let Some(outputs) = &options.pipeline.mesh_outputs {
            limits::check(Place::Input, "outputs of a mesh shader", outputs.len(), limits::MESH_OUTPUTS)?;
        }
        if let Some(rows) = &options.pipeline.stream_output {
            limits::check(Place::Input, "rows of stream output", rows.len(), limits::STREAM_OUTPUTS)?;
        }
        let entry = shader.find_entry(Some(&entry))?;
        let plan = plan.plan(text, &shader.program().resources)?;
        Self::new(blob, shader, entry, plan, options)
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { blob, entry: _, entry_name, plan, options } = self;
        let head = Written { request: VERSION, blob: *blob, entry: entry_name, options };
        write!(f, "{}\n[options.profile]\n{}\n[plan]\n", text::lines(&head)?, options.profile)?;
        plan.write(f, "plan.")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use serde::de::IgnoredAny;

    use super::*;
    use crate::options::{
        Bounds, Debug, MeshOutput, PipelineState, RawVectors, Spacing, StreamOutput, Swizzle, Tessellation,
        TessellatorOutput, VertexLocations, ViewInstancing,
    };
    use dxil_base::entity::Entity as _;
    use dxil_base::limits::Budget;

    #[test]
    fn names_read_back() {
        for name in
            ["main", "?gen@@YAXXZ", "a#b", "x\ny", "\u{1}q", "tab\tnul\0", "back\\slash", "ü 😀", "\"'", " padded ", ""]
        {
            let request = Request { entry_name: name.into(), ..unusual() };
            assert_eq!(text::read::<Keys>("request", &request.to_string()).unwrap().entry, name);
        }
    }

    /// A request in which no part of the pipeline state and no option has its default. A new one
    /// has to be added here, or this does not compile.
    fn unusual() -> Request {
        let pipeline = PipelineState {
            dual_source: true,
            feeds_stage: true,
            samples: 4,
            samples_constant: Some(7),
            sample_shading: true,
            wide_interface: true,
            mesh_outputs: Some([MeshOutput::new("A", 1, 2, true)].into()),
            tessellation: Some(Tessellation::new(Spacing::Equal, TessellatorOutput::Lines, 2)),
            stream_output: Some([StreamOutput { stream: 1, ..StreamOutput::new("A", 1, 2, 4, 8) }].into()),
            output_swizzles: [Swizzle::from_bits(0b00_01_10_11); 8],
            patch_location: Some(3),
            view_instancing: Some(ViewInstancing::new(8, 9)),
        };
        let options = Options {
            profile: dxil_base::profile::VULKAN_1_3_DESKTOP,
            pipeline,
            names: true,
            debug: Debug::Lines,
            invert_y: true,
            vulkan_vertex_ids: true,
            bounds: Bounds::Emit,
            raw_vectors: RawVectors::Exact,
            vertex_locations: VertexLocations::Row,
            entry_point_name: Some("other".into()),
            invariant_position: true,
            precise: true,
            budget: Budget::default(),
        };
        let (blob, entry) = (BlobDigest::from_bytes(b"blob"), EntryId::new(0));
        Request { blob, entry, entry_name: "main".into(), plan: BindingPlan::default(), options }
    }

    #[test]
    fn every_fact_and_option_has_a_key() {
        let options = unusual().options;
        let keys = |text: String| text::read::<BTreeMap<String, IgnoredAny>>("text", &text).unwrap().into_keys();
        let of_options = keys(text::lines(&options).unwrap()).filter(|key| key != "pipeline");
        let all: BTreeSet<String> = of_options.chain(keys(text::lines(&options.pipeline).unwrap())).collect();
        assert_eq!(all, KEYS.map(str::to_owned).into());
        assert_eq!(text::read::<Keys>("request", &unusual().to_string()).unwrap().options, options);
    }

    #[test]
    fn digests_read_back() {
        let digest = BlobDigest::from_bytes(b"blob");
        assert_eq!(digest.to_string().parse::<BlobDigest>().unwrap(), digest);
        assert!(digest.to_string().starts_with(&digest.short()));
        for text in ["", "00", &"é".repeat(32), &"0x".repeat(32)] {
            assert!(text.parse::<BlobDigest>().is_err(), "{text}");
        }
    }
}
