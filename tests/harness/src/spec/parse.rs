//! Reads directives into a [`Fixture`].

use std::path::Path;
use std::str::FromStr;

use ash::vk;

use super::resource::{Kind, Place, Register, Resource, SamplerState};
use super::{BindingModel, Depth, Fixture, Indices, Judge, Pattern, Stage, Target, VertexInput, Want, Work};
use crate::compare::{Close, Tolerance};
use crate::error::{Error, Result};
use crate::vulkan::Format;
use crate::vulkan::features;
use crate::vulkan::memory::ImageShape;

/// The words of one directive, read from the left; options (`key=value`) are apart.
struct Line<'a> {
    number: usize,
    words: std::vec::IntoIter<&'a str>,
    options: Vec<(&'a str, &'a str)>,
}

impl<'a> Line<'a> {
    fn new(number: usize, text: &'a str) -> Result<Self> {
        let text = text.split('#').next().unwrap_or_default();
        let mut words = Vec::new();
        let mut options = Vec::new();
        for word in text.split_whitespace() {
            match word.split_once('=') {
                Some(option) => options.push(option),
                None if options.is_empty() => words.push(word),
                None => return Err(Error::Spec(format!("line {number}: `{word}` after options"))),
            }
        }
        Ok(Self { number, words: words.into_iter(), options })
    }

    fn fault(&self, what: impl std::fmt::Display) -> Error {
        Error::Spec(format!("line {}: {what}", self.number))
    }

    fn word(&mut self, what: &str) -> Result<&'a str> {
        let number = self.number;
        self.words.next().ok_or_else(|| Error::Spec(format!("line {number}: {what} is missing")))
    }

    fn value<T: FromStr>(&mut self, what: &str) -> Result<T> {
        let word = self.word(what)?;
        word.parse().map_err(|_| self.fault(format_args!("{what} can not be `{word}`")))
    }

    /// The next number, or `default` at the end of the line.
    fn value_or<T: FromStr>(&mut self, what: &str, default: T) -> Result<T> {
        if self.words.as_slice().is_empty() { Ok(default) } else { self.value(what) }
    }

    /// A size: at least 1, and small enough that no product of four of them overflows what a driver could allocate.
    fn size(&mut self, what: &str) -> Result<u32> {
        let size: u32 = self.value(what)?;
        if (1..=1 << 22).contains(&size) {
            Ok(size)
        } else {
            Err(self.fault(format_args!("{what} {size} is out of range")))
        }
    }

    /// The next word if it is `wanted`.
    fn accept(&mut self, wanted: &str) -> bool {
        let found = self.words.as_slice().first() == Some(&wanted);
        if found {
            self.words.next();
        }
        found
    }

    fn one_of<T: Copy>(&self, what: &str, word: &str, list: &[(&str, T)]) -> Result<T> {
        list.iter().find(|(name, _)| *name == word).map(|(_, value)| *value).ok_or_else(|| {
            let names: Vec<_> = list.iter().map(|(name, _)| *name).collect();
            self.fault(format_args!("{what} can not be `{word}`; it is one of {}", names.join(", ")))
        })
    }

    fn choice<T: Copy>(&mut self, what: &str, list: &[(&str, T)]) -> Result<T> {
        let word = self.word(what)?;
        self.one_of(what, word, list)
    }

    fn format(&mut self) -> Result<Format> {
        let name = self.word("FORMAT")?;
        Format::named(name).ok_or_else(|| self.fault(format_args!("no format `{name}`")))
    }

    /// Takes an option out.
    fn option(&mut self, key: &str) -> Option<&'a str> {
        let index = self.options.iter().position(|(name, _)| *name == key)?;
        Some(self.options.remove(index).1)
    }

    fn option_value<T: FromStr>(&mut self, key: &str) -> Result<Option<T>> {
        let Some(text) = self.option(key) else { return Ok(None) };
        text.parse().map(Some).map_err(|_| self.fault(format_args!("`{key}` can not be `{text}`")))
    }

    fn option_choice<T: Copy>(&mut self, key: &str, list: &[(&str, T)]) -> Result<Option<T>> {
        self.option(key).map(|word| self.one_of(key, word, list)).transpose()
    }

    /// Everything must have been understood.
    fn end(mut self) -> Result<()> {
        if let Some(word) = self.words.next() {
            return Err(self.fault(format_args!("`{word}` is not understood")));
        }
        match self.options.first() {
            Some((key, value)) => Err(self.fault(format_args!("option `{key}={value}` is not understood"))),
            None => Ok(()),
        }
    }

    fn register(&self, text: &str) -> Result<Register> {
        let bad = || self.fault(format_args!("`{text}` is no register: `t3`, or `t3,1` in space 1"));
        let (name, space) = text.split_once(',').unwrap_or((text, "0"));
        let class = name.chars().next().filter(|class| "btusc".contains(*class)).ok_or_else(bad)?;
        let number = name.get(1..).and_then(|digits| digits.parse().ok()).ok_or_else(bad)?;
        Ok(Register { class, number, space: space.parse().map_err(|_| bad())? })
    }

    fn data_word(&self, word: &str) -> Result<u32> {
        parse_word(word).ok_or_else(|| self.fault(format_args!("`{word}` is no word")))
    }

    fn data_words(&mut self) -> Result<Vec<u32>> {
        let rest: Vec<_> = self.words.by_ref().collect();
        rest.into_iter().map(|word| self.data_word(word)).collect()
    }

    fn pattern(&mut self) -> Result<Pattern> {
        let name = self.word("PATTERN")?;
        Ok(match name {
            "zero" => Pattern::Zero,
            "fill" => {
                let word = self.word("a word")?;
                Pattern::Fill(self.data_word(word)?)
            }
            "iota" => Pattern::Iota,
            "iota_f32" => Pattern::IotaF32,
            "random_u32" => Pattern::RandomU32(self.value("SEED")?),
            "random_f32" => Pattern::RandomF32(self.value("SEED")?, self.value("LO")?, self.value("HI")?),
            "random_f16" => Pattern::RandomF16(self.value("SEED")?, self.value("LO")?, self.value("HI")?),
            "random_f64" => Pattern::RandomF64(self.value("SEED")?, self.value("LO")?, self.value("HI")?),
            "words" => Pattern::Words(self.data_words()?),
            "cycle" => Pattern::Cycle(self.data_words()?),
            "edges_u32" => Pattern::edges_u32(),
            "edges_f32" => Pattern::edges_f32(),
            _ => return Err(self.fault(format_args!("no pattern `{name}`"))),
        })
    }
}

/// A word as fixtures write it: hexadecimal, decimal, or a float.
#[must_use]
pub fn parse_word(word: &str) -> Option<u32> {
    match word {
        "inf" => return Some(f32::INFINITY.to_bits()),
        "-inf" => return Some(f32::NEG_INFINITY.to_bits()),
        "nan" => return Some(0x7fc0_0000),
        _ => {}
    }
    if let Some(digits) = word.strip_prefix("0x") {
        return u32::from_str_radix(digits, 16).ok();
    }
    if word.contains(['.', 'e', 'E']) {
        return word.parse::<f32>().ok().map(f32::to_bits);
    }
    let number: i64 = word.parse().ok()?;
    u32::try_from(number).ok().or_else(|| i32::try_from(number).ok().map(i32::cast_unsigned))
}

const COMPARE: &[(&str, vk::CompareOp)] = &[
    ("less", vk::CompareOp::LESS),
    ("lequal", vk::CompareOp::LESS_OR_EQUAL),
    ("greater", vk::CompareOp::GREATER),
    ("gequal", vk::CompareOp::GREATER_OR_EQUAL),
    ("equal", vk::CompareOp::EQUAL),
    ("notequal", vk::CompareOp::NOT_EQUAL),
    ("always", vk::CompareOp::ALWAYS),
    ("never", vk::CompareOp::NEVER),
];

const TOPOLOGY: &[(&str, vk::PrimitiveTopology)] = &[
    ("point_list", vk::PrimitiveTopology::POINT_LIST),
    ("line_list", vk::PrimitiveTopology::LINE_LIST),
    ("line_strip", vk::PrimitiveTopology::LINE_STRIP),
    ("triangle_list", vk::PrimitiveTopology::TRIANGLE_LIST),
    ("triangle_strip", vk::PrimitiveTopology::TRIANGLE_STRIP),
    ("line_list_adj", vk::PrimitiveTopology::LINE_LIST_WITH_ADJACENCY),
    ("line_strip_adj", vk::PrimitiveTopology::LINE_STRIP_WITH_ADJACENCY),
    ("triangle_list_adj", vk::PrimitiveTopology::TRIANGLE_LIST_WITH_ADJACENCY),
    ("triangle_strip_adj", vk::PrimitiveTopology::TRIANGLE_STRIP_WITH_ADJACENCY),
    ("patch_list", vk::PrimitiveTopology::PATCH_LIST),
];

const DESCRIPTORS: &[(&str, vk::DescriptorType)] = &[
    ("uniform_buffer", vk::DescriptorType::UNIFORM_BUFFER),
    ("uniform_buffer_dynamic", vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC),
    ("storage_buffer", vk::DescriptorType::STORAGE_BUFFER),
    ("storage_buffer_dynamic", vk::DescriptorType::STORAGE_BUFFER_DYNAMIC),
    ("uniform_texel_buffer", vk::DescriptorType::UNIFORM_TEXEL_BUFFER),
    ("storage_texel_buffer", vk::DescriptorType::STORAGE_TEXEL_BUFFER),
    ("sampled_image", vk::DescriptorType::SAMPLED_IMAGE),
    ("storage_image", vk::DescriptorType::STORAGE_IMAGE),
    ("combined", vk::DescriptorType::COMBINED_IMAGE_SAMPLER),
];

const VIEWS: &[(&str, vk::ImageViewType)] = &[
    ("1d", vk::ImageViewType::TYPE_1D),
    ("1d_array", vk::ImageViewType::TYPE_1D_ARRAY),
    ("2d", vk::ImageViewType::TYPE_2D),
    ("2d_array", vk::ImageViewType::TYPE_2D_ARRAY),
    ("3d", vk::ImageViewType::TYPE_3D),
    ("cube", vk::ImageViewType::CUBE),
    ("cube_array", vk::ImageViewType::CUBE_ARRAY),
];

fn texture(line: &mut Line<'_>, dimensions: usize) -> Result<Kind> {
    let format = line.format()?;
    let mut extent = [1; 3];
    for (size, what) in extent.iter_mut().zip(["W", "H", "D"]).take(dimensions) {
        *size = line.size(what)?;
    }
    let layers = if dimensions == 3 { 1 } else { line.size("LAYERS")? };
    let mips = line.size("MIPS")?;
    if mips > 16 || mips > 32 - extent.iter().max().unwrap_or(&1).leading_zeros() {
        return Err(line.fault(format_args!("{mips} mips are too many")));
    }
    let (kind, view) = match dimensions {
        1 => (vk::ImageType::TYPE_1D, vk::ImageViewType::TYPE_1D),
        2 => (vk::ImageType::TYPE_2D, vk::ImageViewType::TYPE_2D),
        _ => (vk::ImageType::TYPE_3D, vk::ImageViewType::TYPE_3D),
    };
    let view = line.option_choice("view", VIEWS)?.unwrap_or(view);
    let cube = matches!(view, vk::ImageViewType::CUBE | vk::ImageViewType::CUBE_ARRAY);
    let shape = ImageShape { kind, format: format.vk, extent, mips, layers, samples: 1, cube };
    Ok(Kind::Texture(shape, format, view))
}

fn sampler(line: &mut Line<'_>) -> Result<Kind> {
    let filters = [("nearest", vk::Filter::NEAREST), ("linear", vk::Filter::LINEAR)];
    let filters = [line.choice("MIN", &filters)?, line.choice("MAG", &filters)?];
    let mips = [("nearest", vk::SamplerMipmapMode::NEAREST), ("linear", vk::SamplerMipmapMode::LINEAR)];
    let mip = line.choice("MIP", &mips)?;
    let address = line.choice(
        "ADDRESS",
        &[
            ("repeat", vk::SamplerAddressMode::REPEAT),
            ("mirror", vk::SamplerAddressMode::MIRRORED_REPEAT),
            ("clamp", vk::SamplerAddressMode::CLAMP_TO_EDGE),
            ("border", vk::SamplerAddressMode::CLAMP_TO_BORDER),
        ],
    )?;
    let borders = [
        ("transparent", vk::BorderColor::FLOAT_TRANSPARENT_BLACK),
        ("black", vk::BorderColor::FLOAT_OPAQUE_BLACK),
        ("white", vk::BorderColor::FLOAT_OPAQUE_WHITE),
    ];
    // `static` may stand among the options' words; it is the one option without a value.
    let fixed = line.accept("static");
    Ok(Kind::Sampler(SamplerState {
        filters,
        mip,
        address,
        compare: line.option_choice("compare", COMPARE)?,
        border: line.option_choice("border", &borders)?.unwrap_or(vk::BorderColor::FLOAT_TRANSPARENT_BLACK),
        lod: [
            line.option_value("min_lod")?.unwrap_or(0.0),
            line.option_value("max_lod")?.unwrap_or(vk::LOD_CLAMP_NONE),
        ],
        bias: line.option_value("lod_bias")?.unwrap_or(0.0),
        anisotropy: line.option_value("anisotropy")?,
        fixed,
    }))
}

fn default_descriptor(class: char, kind: &Kind) -> Option<vk::DescriptorType> {
    Some(match (kind, class) {
        (Kind::ConstantBuffer(_), 'b') => vk::DescriptorType::UNIFORM_BUFFER,
        (Kind::Buffer(_), 't' | 'u' | 'c') => vk::DescriptorType::STORAGE_BUFFER,
        (Kind::TypedBuffer(..), 't') => vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
        (Kind::TypedBuffer(..), 'u') => vk::DescriptorType::STORAGE_TEXEL_BUFFER,
        (Kind::Texture(..), 't') => vk::DescriptorType::SAMPLED_IMAGE,
        (Kind::Texture(..), 'u') => vk::DescriptorType::STORAGE_IMAGE,
        (Kind::Sampler(_), 's') => vk::DescriptorType::SAMPLER,
        _ => return None,
    })
}

fn resource(line: &mut Line<'_>) -> Result<(Resource, bool)> {
    let register = line.word("REGISTER")?;
    let register = line.register(register)?;
    let name = line.word("KIND")?;
    let kind = match name {
        "cbuffer" => Kind::ConstantBuffer(line.size("BYTES")?),
        "raw_buffer" => Kind::Buffer(line.size("BYTES")?),
        "structured_buffer" => {
            let (stride, count) = (line.size("STRIDE")?, line.size("COUNT")?);
            let bytes = stride.checked_mul(count).ok_or_else(|| line.fault("the buffer is too large"))?;
            Kind::Buffer(bytes)
        }
        "typed_buffer" => Kind::TypedBuffer(line.format()?, line.size("COUNT")?),
        "texture1d" => texture(line, 1)?,
        "texture2d" => texture(line, 2)?,
        "texture3d" => texture(line, 3)?,
        "sampler" => sampler(line)?,
        _ => return Err(line.fault(format_args!("no resource kind `{name}`"))),
    };
    let descriptor = default_descriptor(register.class, &kind)
        .ok_or_else(|| line.fault(format_args!("a {name} can not be at {}", register.output())))?;
    let out = line.accept("out");
    let pattern = if matches!(kind, Kind::Sampler(_)) { Pattern::Zero } else { line.pattern()? };
    let with = line.option("with").map(|text| line.register(text)).transpose()?;
    let combined = with.map(|_| vk::DescriptorType::COMBINED_IMAGE_SAMPLER);
    let descriptor = line.option_choice("as", DESCRIPTORS)?.or(combined).unwrap_or(descriptor);
    if (descriptor == vk::DescriptorType::COMBINED_IMAGE_SAMPLER) != with.is_some() {
        return Err(line.fault("`as=combined` and `with=s0` go together"));
    }
    let at = line.option("at");
    let place = match at {
        None => Place { set: register.space, binding: register.number.saturating_add(register.shift()) },
        Some(text) => text
            .split_once('.')
            .and_then(|(set, binding)| Some(Place { set: set.parse().ok()?, binding: binding.parse().ok()? }))
            .ok_or_else(|| line.fault(format_args!("`at={text}` is not `at=SET.BINDING`")))?,
    };
    let count: u32 = line.option_value("count")?.unwrap_or(1);
    if !(1..=4096).contains(&count) {
        return Err(line.fault("`count` is out of range"));
    }
    Ok((Resource { register, kind, out, pattern, count, place, descriptor, with }, at.is_some()))
}

fn tolerance(line: &mut Line<'_>, list: &mut Vec<(String, Tolerance)>) -> Result<()> {
    let output = line.word("OUTPUT")?;
    let kind = line.word("a kind of tolerance")?;
    let index = list.iter().position(|(name, _)| name == output).unwrap_or_else(|| {
        list.push((output.to_owned(), Tolerance::default()));
        list.len() - 1
    });
    let floats = |line: &mut Line<'_>| -> Result<(u64, f64)> {
        Ok((line.option_value("ulp")?.unwrap_or(0), line.option_value("abs")?.unwrap_or(0.0)))
    };
    let close = match kind {
        "f32" => floats(line).map(|(ulp, abs)| Close::F32 { ulp, abs })?,
        "f16" => floats(line).map(|(ulp, abs)| Close::F16 { ulp, abs })?,
        "f64" => floats(line).map(|(ulp, abs)| Close::F64 { ulp, abs })?,
        "unorm8" => Close::Unorm8(line.value("N")?),
        "mismatch" => {
            let allowed = line.value("N")?;
            if let Some((_, tolerance)) = list.get_mut(index) {
                tolerance.mismatches = allowed;
            }
            return Ok(());
        }
        _ => return Err(line.fault(format_args!("no tolerance `{kind}`"))),
    };
    if let Some((_, tolerance)) = list.get_mut(index) {
        tolerance.close = close;
    }
    Ok(())
}

fn vertex(line: &mut Line<'_>) -> Result<VertexInput> {
    let (location, format, pattern) = (line.value("LOCATION")?, line.format()?, line.pattern()?);
    let per_instance = line.option_choice("rate", &[("instance", true), ("vertex", false)])?.unwrap_or(false);
    Ok(VertexInput { location, format, pattern, per_instance, count: line.option_value("count")? })
}

fn want(line: &Line<'_>, word: &str) -> Result<Want> {
    match word {
        "_" => Ok(Want::Any),
        "nan" => Ok(Want::AnyNan),
        _ => line.data_word(word).map(Want::Word),
    }
}

/// Reads the directives of one HLSL source.
///
/// # Errors
/// What is not understood or missing, with its line.
pub fn parse(name: &str, source: &Path, text: &str) -> Result<Fixture> {
    let mut fixture = Fixture {
        name: name.to_owned(),
        source: source.to_owned(),
        stages: Vec::new(),
        require: Vec::new(),
        faults: Vec::new(),
        work: Work::Dispatch([0; 3]),
        topology: vk::PrimitiveTopology::TRIANGLE_LIST,
        control_points: 0,
        viewports: 1,
        views: 0,
        samples: 1,
        stencil: false,
        dual_source: false,
        front: vk::FrontFace::COUNTER_CLOCKWISE,
        cull: vk::CullModeFlags::NONE,
        targets: Vec::new(),
        depth: None,
        vertex: Vec::new(),
        indices: None,
        resources: Vec::new(),
        push: None,
        bindings: BindingModel::Register,
        judges: Vec::new(),
        expect: Vec::new(),
        tolerance: Vec::new(),
    };
    let mut work = None;
    let mut unplaced = None;
    let mut code_begun = false;
    for (index, text) in text.lines().enumerate() {
        let number = index + 1;
        let Some(directive) = text.strip_prefix("//! ") else {
            let text = text.trim();
            code_begun |= !(text.is_empty() || text.starts_with("//"));
            continue;
        };
        if code_begun {
            return Err(Error::Spec(format!("line {number}: a directive after the first line of code")));
        }
        let (word, rest) = directive.trim().split_once(char::is_whitespace).unwrap_or((directive.trim(), ""));
        // Compiler arguments and patches are free text; they concern the compilation alone.
        if matches!(word, "args" | "dxil-args" | "spirv-args" | "patch" | "unvalidated") {
            continue;
        }
        let mut line = Line::new(number, rest)?;
        match word {
            "stage" => {
                let stage = Stage { profile: line.word("PROFILE")?.to_owned(), entry: line.word("ENTRY")?.to_owned() };
                if stage.flag().is_none() {
                    return Err(line.fault(format_args!("the harness does not run {}", stage.profile)));
                }
                fixture.stages.push(stage);
            }
            "require" => {
                for feature in line.words.by_ref().collect::<Vec<_>>() {
                    if !features::is_known(feature) {
                        return Err(line.fault(format_args!("no feature `{feature}`")));
                    }
                    fixture.require.push(feature.to_owned());
                }
            }
            "fault" => {
                let driver = line.choice("DRIVER", &[("swiftshader", "swiftshader")])?.to_owned();
                let what = line.words.by_ref().collect::<Vec<_>>().join(" ");
                if what.is_empty() {
                    return Err(line.fault("a driver's fault needs its description"));
                }
                fixture.faults.push((driver, what));
            }
            "dispatch" => work = Some(Work::Dispatch([line.value("X")?, line.value("Y")?, line.value("Z")?])),
            "draw" => {
                work = Some(Work::Draw {
                    vertices: line.size("VERTICES")?,
                    instances: line.value_or("INSTANCES", 1)?,
                    first_vertex: line.value_or("FIRST_VERTEX", 0)?,
                    first_instance: line.value_or("FIRST_INSTANCE", 0)?,
                });
            }
            "topology" => {
                fixture.topology = line.choice("topology", TOPOLOGY)?;
                if fixture.topology == vk::PrimitiveTopology::PATCH_LIST {
                    fixture.control_points = line.size("CONTROL_POINTS")?;
                }
            }
            "viewports" => fixture.viewports = line.size("N")?,
            "views" => fixture.views = line.size("N")?,
            "samples" => {
                fixture.samples = line.choice("N", &[("1", 1), ("2", 2), ("4", 4), ("8", 8)])?;
            }
            "stencil" => fixture.stencil = true,
            "blend" => fixture.dual_source = line.choice("blend", &[("dual_source", true)])?,
            "front" => {
                let faces = [("ccw", vk::FrontFace::COUNTER_CLOCKWISE), ("cw", vk::FrontFace::CLOCKWISE)];
                fixture.front = line.choice("front", &faces)?;
            }
            "cull" => {
                let modes = [
                    ("none", vk::CullModeFlags::NONE),
                    ("front", vk::CullModeFlags::FRONT),
                    ("back", vk::CullModeFlags::BACK),
                ];
                fixture.cull = line.choice("cull", &modes)?;
            }
            "target" => {
                let (format, size) = (line.format()?, [line.size("W")?, line.size("H")?]);
                fixture.targets.push(Target { format, size, layers: line.option_value("layers")?.unwrap_or(1) });
            }
            "depth" => {
                let (compare, clear) = (line.choice("COMPARE", COMPARE)?, line.value("CLEAR")?);
                fixture.depth = Some(Depth { compare, clear, out: line.accept("out") });
            }
            "vertex" => fixture.vertex.push(vertex(&mut line)?),
            "index" => {
                let kind = line.choice("TYPE", &[("u16", vk::IndexType::UINT16), ("u32", vk::IndexType::UINT32)])?;
                fixture.indices = Some(Indices { kind, pattern: line.pattern()? });
            }
            "resource" => {
                let (resource, placed) = resource(&mut line)?;
                if !placed {
                    unplaced.get_or_insert(number);
                }
                fixture.resources.push(resource);
            }
            "push" => {
                let bytes = line.size("BYTES")?;
                fixture.push = Some((bytes, line.pattern()?));
            }
            "bindings" => {
                let models = [("register", BindingModel::Register), ("root-signature", BindingModel::RootSignature)];
                fixture.bindings = line.choice("the model", &models)?;
            }
            "judge" => {
                fixture.judges.push(line.choice("the judge", &[("spirv", Judge::Spirv), ("expect", Judge::Expect)])?);
            }
            "expect" => {
                let output = line.word("OUTPUT")?.to_owned();
                let words: Vec<_> = line.words.by_ref().collect();
                let words = words.into_iter().map(|word| want(&line, word)).collect::<Result<_>>()?;
                fixture.expect.push((output, words));
            }
            "tolerance" => tolerance(&mut line, &mut fixture.tolerance)?,
            _ => return Err(line.fault(format_args!("no directive `{word}`"))),
        }
        line.end()?;
    }
    check(&mut fixture, work, unplaced)?;
    Ok(fixture)
}

/// What must hold between directives.
fn check(fixture: &mut Fixture, work: Option<Work>, unplaced: Option<usize>) -> Result<()> {
    let fault = |what: String| Err(Error::Spec(what));
    let compute = fixture.stage_flags() == vk::ShaderStageFlags::COMPUTE && fixture.stages.len() == 1;
    fixture.work = match (work, compute) {
        (Some(work @ Work::Dispatch(_)), true) => work,
        (Some(work @ Work::Draw { .. }), false) => work,
        (None, _) => return fault("neither `dispatch` nor `draw`".into()),
        _ => return fault("`dispatch` goes with one compute stage, `draw` with graphics stages".into()),
    };
    if let (BindingModel::RootSignature, Some(line)) = (fixture.bindings, unplaced) {
        return fault(format!("line {line}: `bindings root-signature` needs `at=` on every resource"));
    }
    if fixture.judges.is_empty() {
        return fault("no judge".into());
    }
    let outputs = fixture.outputs();
    if outputs.is_empty() {
        return fault("no output".into());
    }
    let named = fixture.expect.iter().map(|(name, _)| name).chain(fixture.tolerance.iter().map(|(name, _)| name));
    for name in named {
        if name != "*" && !outputs.contains(name) {
            return fault(format!("`{name}` is no output; outputs are {}", outputs.join(", ")));
        }
    }
    for resource in &fixture.resources {
        if let Some(with) = resource.with {
            let sampler = fixture.resources.iter().find(|other| other.register == with);
            if !sampler.is_some_and(|other| matches!(other.kind, Kind::Sampler(_))) {
                return fault(format!("`with={}` names no sampler", with.output()));
            }
        }
    }
    if fixture.indices.is_some() && fixture.vertex.iter().any(|input| input.count.is_none() && !input.per_instance) {
        return fault("an indexed draw needs `count=` on every vertex buffer".into());
    }
    if (fixture.depth.is_some() || fixture.stencil) && fixture.targets.is_empty() {
        return fault("`depth` and `stencil` have the size of target 0, and there is none".into());
    }
    let layers = fixture.targets.iter().map(|target| target.layers).min().unwrap_or(1);
    if fixture.views > layers.min(6) {
        return fault("every view needs a layer of every target, and six are the most that Vulkan promises".into());
    }
    if fixture.depth.is_some() && fixture.stencil {
        return fault("`depth` and `stencil` are one attachment in Vulkan, which the harness does not make".into());
    }
    // A stencil buffer is read as words.
    if fixture.stencil && fixture.targets.iter().any(|target| target.size[0] % 4 != 0) {
        return fault("`stencil` needs a width that four divides".into());
    }
    if fixture.depth.is_some_and(|depth| depth.out) && fixture.samples > 1 {
        return fault("a multisampled depth buffer is not read back".into());
    }
    Ok(())
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
