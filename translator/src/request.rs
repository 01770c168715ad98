//! Requests: a [`Request`] names one translation by everything that decides its SPIR-V words.
//!
//! In: a blob's digest, an entry point, a binding plan, options. Out: a value that can be compared
//! and hashed, and a text from which the same translation can be repeated anywhere. What must hold:
//! two translations of one blob with equal requests give the same words; a request that is printed
//! and read back is equal to the first.
//!
//! The text consists of lines. `#` starts a comment. The sections contain a plan and a profile in
//! their own text forms:
//!
//! ```text
//! request = 1
//! blob = 6f1d…                  (the 64 hexadecimal digits of the container's BLAKE3 hash)
//! entry = main
//! samples = 4                   (pipeline state and options that are not the default)
//! [plan]
//! b0 space0 = set 0 binding 0 uniform_buffer
//! [profile]
//! api = "1.3"
//! ```

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::analysis::program::EntryId;
use crate::binding::{BindingPlan, check_size};
use crate::options::{
    Bounds, MeshOutput, Options, RawVectors, Spacing, Tessellation, TessellatorOutput, VertexLocations,
};
use crate::shader::{Shader, Translation, translate};
use dxil_base::error::{Error, Place, Result};
use dxil_base::profile::DeviceProfile;

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

/// The keys of pipeline state and options in the text form, in its order. Whoever makes requests by other means,
/// such as the arguments of a tool, has something for each.
pub const KEYS: [&str; 13] = [
    "names",
    "invert_y",
    "vulkan_vertex_ids",
    "dual_source",
    "feeds_stage",
    "sample_shading",
    "wide_interface",
    "samples",
    "mesh_output",
    "tessellation",
    "bounds",
    "raw_vectors",
    "vertex_locations",
];

/// The version of the text form, which its first line states.
const VERSION: &str = "1";

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

    /// The digest of the blob in the text of a request. The rest of the text is not read, so a
    /// caller can find the container first.
    ///
    /// # Errors
    /// `Malformed` if the text does not name a blob. `Limit` if it is too long.
    pub fn blob_of(text: &str) -> Result<BlobDigest> {
        check_size("request", text)?;
        let lines = text.lines().take_while(|line| !line.trim_start().starts_with('['));
        let blob = lines.filter_map(|line| content(line).split_once('=')).find(|(key, _)| key.trim() == "blob");
        let (_, digest) = blob.ok_or_else(|| malformed!(Place::Input, "the request has no line `blob = DIGEST`"))?;
        digest.trim().parse()
    }

    /// Reads the text form. The shader must have been parsed from the blob that the text names.
    ///
    /// # Errors
    /// `Malformed`, with the line: an unknown key, a value out of range, a missing part.
    /// `Unsupported` if the shader lacks the entry point or the text is of another version. The
    /// sections give the errors of [`BindingPlan::parse`] and [`DeviceProfile::parse`]. `Limit` if the
    /// text is too long.
    pub fn parse(text: &str, shader: &Shader) -> Result<Self> {
        check_size("request", text)?;
        let head = section(text, "");
        let (mut version, mut blob, mut entry, mut outputs) = (None, None, None, None);
        let mut options = Options::new(DeviceProfile::parse(&section(text, "profile"))?);
        for (number, line) in head.lines().enumerate() {
            let line = content(line);
            if line.is_empty() {
                continue;
            }
            let place = Place::Line(u32::try_from(number + 1).unwrap_or(u32::MAX));
            let pair = line.split_once('=');
            let (key, value) = pair.ok_or_else(|| malformed!(place, "expected `key = value`, found `{line}`"))?;
            let (key, value) = (key.trim(), value.trim());
            match key {
                "request" => version = Some(value.to_owned()),
                "blob" => blob = Some(value.parse().map_err(|e: Error| malformed!(place, "{}", e.message()))?),
                "entry" => entry = Some(unescape(value)),
                MESH_OUTPUT => add_mesh_output(&mut outputs, value, place)?,
                _ => set(&mut options, key, value, place)?,
            }
        }
        options.pipeline.mesh_outputs = outputs.map(Arc::from);
        match version.as_deref() {
            Some(VERSION) => {}
            Some(other) => {
                return Err(unsupported!(
                    Place::Input,
                    "the request has version `{other}`; this build reads version {VERSION}"
                ));
            }
            None => return Err(malformed!(Place::Input, "the request has no line `request = {VERSION}`")),
        }
        let missing = |key: &str| malformed!(Place::Input, "the request has no line `{key} = …`");
        let entry = shader.find_entry(Some(&entry.ok_or_else(|| missing("entry"))?))?;
        let plan = BindingPlan::parse(&section(text, "plan"), &shader.program().resources)?;
        Self::new(blob.ok_or_else(|| missing("blob"))?, shader, entry, plan, options)
    }
}

/// The line without its comment and surrounding blanks.
fn content(line: &str) -> &str {
    line.split('#').next().unwrap_or_default().trim()
}

/// The lines of a section. All other lines of the text are left empty, so that line numbers in
/// errors are those of the text.
fn section(text: &str, name: &str) -> String {
    let mut at = "";
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let heading = content(line).strip_prefix('[').and_then(|line| line.strip_suffix(']'));
        if let Some(heading) = heading {
            at = heading;
        } else if at == name {
            out.push_str(line);
        }
        out.push('\n');
    }
    out
}

/// Sets a part of the pipeline state or an option by its key.
fn set(options: &mut Options, key: &str, value: &str, place: Place) -> Result<()> {
    let expected = |what: &str| malformed!(place, "`{key}`: expected {what}, found `{value}`");
    let flag = || match value {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(expected("true or false")),
    };
    match key {
        "names" => options.names = flag()?,
        "invert_y" => options.invert_y = flag()?,
        "vulkan_vertex_ids" => options.vulkan_vertex_ids = flag()?,
        "dual_source" => options.pipeline.dual_source = flag()?,
        "feeds_stage" => options.pipeline.feeds_stage = flag()?,
        "sample_shading" => options.pipeline.sample_shading = flag()?,
        "wide_interface" => options.pipeline.wide_interface = flag()?,
        "samples" => options.pipeline.samples = value.parse().map_err(|_| expected("a sample count"))?,
        "tessellation" => {
            options.pipeline.tessellation = Some(tessellation(value).ok_or_else(|| expected(TESSELLATION_TEXT))?);
        }
        "bounds" => {
            let bounds = Bounds::ALL.into_iter().find(|bounds| bounds.name() == value);
            options.bounds = bounds.ok_or_else(|| expected("auto, driver or emit"))?;
        }
        "raw_vectors" => {
            let vectors = RawVectors::ALL.into_iter().find(|vectors| vectors.name() == value);
            options.raw_vectors = vectors.ok_or_else(|| expected("aligned or exact"))?;
        }
        "vertex_locations" => {
            let locations = VertexLocations::ALL.into_iter().find(|locations| locations.name() == value);
            options.vertex_locations = locations.ok_or_else(|| expected("order, row or texcoord"))?;
        }
        _ => return Err(malformed!(place, "unknown key `{key}` in a request")),
    }
    Ok(())
}

/// The key of an output of a mesh shader. It has several lines where there are several outputs.
const MESH_OUTPUT: &str = "mesh_output";

/// Adds an output to those of the pipeline's mesh shader. With `none` the pipeline has a mesh shader
/// that may have no outputs.
fn add_mesh_output(outputs: &mut Option<Vec<MeshOutput>>, value: &str, place: Place) -> Result<()> {
    let outputs = outputs.get_or_insert_default();
    if value == "none" {
        return Ok(());
    }
    let output = mesh_output(value);
    let output = output.ok_or_else(|| malformed!(place, "`{MESH_OUTPUT}`: expected {MESH_TEXT}, found `{value}`"))?;
    let added = output.add_to(outputs);
    added.map_err(|limit| limit_error!(place, "too many lines `{MESH_OUTPUT}`, the limit is {limit}"))
}

/// The form of an output of a mesh shader.
const MESH_TEXT: &str = "NAME INDEX COMPONENTS builtin|LOCATION.COMPONENT vertex|primitive";

/// An output of a mesh shader as text.
struct MeshText<'a>(&'a MeshOutput);

impl fmt::Display for MeshText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MeshOutput { semantic, index, components, location, per_primitive } = self.0;
        write!(f, "{} {index} {components} ", escape(semantic))?;
        match location {
            Some((location, component)) => write!(f, "{location}.{component}")?,
            None => write!(f, "builtin")?,
        }
        f.write_str(if *per_primitive { " primitive" } else { " vertex" })
    }
}

/// Reads an output of a mesh shader.
fn mesh_output(text: &str) -> Option<MeshOutput> {
    // A name may be empty, so the other words are counted from the end.
    let mut words = text.rsplitn(5, ' ');
    let per_primitive = match words.next()? {
        "primitive" => true,
        "vertex" => false,
        _ => return None,
    };
    let location = match words.next()? {
        "builtin" => None,
        place => {
            let (location, component) = place.split_once('.')?;
            Some((location.parse().ok()?, component.parse().ok()?))
        }
    };
    let (components, index) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let mut output = MeshOutput::new(&unescape(words.next().unwrap_or_default()), index, components, per_primitive);
    output.location = location;
    Some(output)
}

/// The form of a division of patches.
const TESSELLATION_TEXT: &str =
    "equal|fractional_odd|fractional_even points|lines|clockwise|counterclockwise CONTROL_POINTS";

/// Reads a division of patches.
fn tessellation(text: &str) -> Option<Tessellation> {
    let mut words = text.split(' ');
    let (spacing, output) = (words.next()?, words.next()?);
    let spacing = Spacing::ALL.into_iter().find(|it| it.name() == spacing)?;
    let output = TessellatorOutput::ALL.into_iter().find(|it| it.name() == output)?;
    let points = words.next()?.parse().ok().filter(|&points| points > 0)?;
    words.next().is_none().then(|| Tessellation::new(spacing, output, points))
}

/// An entry point's name as one word without `#`, which starts a comment.
fn escape(name: &str) -> String {
    name.escape_debug().to_string().replace('#', "\\u{23}").replace(' ', "\\u{20}")
}

/// The inverse of [`escape`]. Text that is not an escape sequence stays unchanged.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        // The search ends where the digits do, so that sequences without an end take no time by the
        // product of their number and the length of the text.
        let unicode = after.strip_prefix("u{").and_then(|hex| {
            let end = hex.find(|c: char| !c.is_ascii_hexdigit() && c != '+')?;
            Some((&hex[..end], hex[end..].strip_prefix('}')?))
        });
        let decoded = unicode.and_then(|(hex, tail)| Some((char::from_u32(u32::from_str_radix(hex, 16).ok()?)?, tail)));
        let (c, tail) = match (decoded, after.chars().next()) {
            (Some(decoded), _) => decoded,
            (None, Some(c)) => {
                let plain = match c {
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    '0' => '\0',
                    other => other,
                };
                (plain, &after[c.len_utf8()..])
            }
            (None, None) => ('\\', after),
        };
        out.push(c);
        rest = tail;
    }
    out.push_str(rest);
    out
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "request = {VERSION}")?;
        writeln!(f, "blob = {}", self.blob)?;
        writeln!(f, "entry = {}", escape(&self.entry_name))?;
        let options = &self.options;
        let pipeline = &options.pipeline;
        let flags = [
            ("names", options.names),
            ("invert_y", options.invert_y),
            ("vulkan_vertex_ids", options.vulkan_vertex_ids),
            ("dual_source", pipeline.dual_source),
            ("feeds_stage", pipeline.feeds_stage),
            ("sample_shading", pipeline.sample_shading),
            ("wide_interface", pipeline.wide_interface),
        ];
        for (key, _) in flags.into_iter().filter(|(_, on)| *on) {
            writeln!(f, "{key} = true")?;
        }
        if pipeline.samples != 0 {
            writeln!(f, "samples = {}", pipeline.samples)?;
        }
        match pipeline.mesh_outputs.as_deref() {
            None => {}
            Some([]) => writeln!(f, "mesh_output = none")?,
            Some(outputs) => {
                for output in outputs {
                    writeln!(f, "mesh_output = {}", MeshText(output))?;
                }
            }
        }
        if let Some(Tessellation { spacing, output, points }) = pipeline.tessellation {
            writeln!(f, "tessellation = {} {} {points}", spacing.name(), output.name())?;
        }
        if options.bounds != Bounds::default() {
            writeln!(f, "bounds = {}", options.bounds.name())?;
        }
        if options.raw_vectors != RawVectors::default() {
            writeln!(f, "raw_vectors = {}", options.raw_vectors.name())?;
        }
        if options.vertex_locations != VertexLocations::default() {
            writeln!(f, "vertex_locations = {}", options.vertex_locations.name())?;
        }
        write!(f, "[plan]\n{}[profile]\n{}", self.plan, options.profile)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::PipelineState;
    use dxil_base::entity::Entity as _;
    use dxil_base::limits::Budget;

    #[test]
    fn names_read_back() {
        for name in
            ["main", "?gen@@YAXXZ", "a#b", "x\ny", "\u{1}q", "tab\tnul\0", "back\\slash", "ü 😀", "\"'", " padded ", ""]
        {
            assert_eq!(unescape(&escape(name)), name);
            assert!(!escape(name).contains(['\n', '#']), "{name:?}");
        }
    }

    /// A request in which no part of the pipeline state and no option has its default. A new one has to be added here, or
    /// this does not compile.
    fn unusual() -> Request {
        let pipeline = PipelineState {
            dual_source: true,
            feeds_stage: true,
            samples: 4,
            sample_shading: true,
            wide_interface: true,
            mesh_outputs: Some([MeshOutput::new("A", 1, 2, true)].into()),
            tessellation: Some(Tessellation::new(Spacing::Equal, TessellatorOutput::Lines, 2)),
        };
        let options = Options {
            profile: dxil_base::profile::VULKAN_1_3_DESKTOP,
            pipeline,
            names: true,
            invert_y: true,
            vulkan_vertex_ids: true,
            bounds: Bounds::Emit,
            raw_vectors: RawVectors::Exact,
            vertex_locations: VertexLocations::Row,
            budget: Budget::default(),
        };
        let (blob, entry) = (BlobDigest::from_bytes(b"blob"), EntryId::new(0));
        Request { blob, entry, entry_name: "main".into(), plan: BindingPlan::default(), options }
    }

    #[test]
    fn every_fact_and_option_has_a_key() {
        let (request, text) = (unusual(), unusual().to_string());
        let head = text.split_once("[plan]").unwrap().0;
        let keys: Vec<&str> = head.lines().map(|line| line.split_once(" = ").unwrap().0).collect();
        assert_eq!(keys, [&["request", "blob", "entry"][..], &KEYS].concat());
        let mut read = Options::new(request.options.profile.clone());
        for line in head.lines().skip(3) {
            let (key, value) = line.split_once(" = ").unwrap();
            let before = read.clone();
            if key == MESH_OUTPUT {
                let mut outputs = None;
                add_mesh_output(&mut outputs, value, Place::Input).unwrap();
                read.pipeline.mesh_outputs = outputs.map(Arc::from);
            } else {
                set(&mut read, key, value, Place::Input).unwrap();
            }
            assert_ne!(read, before, "{key}");
        }
        assert_eq!(read, request.options);
    }

    #[test]
    fn what_is_no_escape_sequence_stays() {
        let cases = [
            ("\\u{41}", "A"),
            ("\\u{+041}", "A"),
            ("\\u{110000}", "u{110000}"),
            ("\\u{}", "u{}"),
            ("\\u{41", "u{41"),
            ("\\u{4 1}", "u{4 1}"),
            ("\\u{\\u{42}}", "u{B}"),
            ("\\u", "u"),
            ("\\", "\\"),
        ];
        for (text, expected) in cases {
            assert_eq!(unescape(text), expected, "{text}");
        }
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
