//! What the translator promises for each kind of input.

use dxil_test_support::fixture;
use dxil_translator::{
    BindingMap, BindingPlan, Debug, DeviceProfile, EmbedOptions, EntryId, Error, ErrorKind, Options, PipelineStage,
    Place, PlanInputs, Request, RootSignature, RootVersion, Shader, embed, extract, lavapipe, plan, translate,
};

use super::{Handed, Kind, default_plan};

/// The translator's answer to an input.
pub struct Answer {
    /// Why the input was refused.
    pub refused: Option<Error>,
    /// What is wrong.
    pub fault: Option<String>,
    /// Modules that came of it, each with the profile for which it must be valid.
    pub modules: Vec<(DeviceProfile, Vec<u32>)>,
}

/// What came of an input that was read: modules, or an error. The text is a fault.
type Checked = Result<Result<Vec<(DeviceProfile, Vec<u32>)>, Error>, String>;

impl Handed {
    /// Checks an input of a kind.
    pub fn check(&self, kind: Kind, input: &[u8]) -> Answer {
        let text = String::from_utf8_lossy(input);
        let checked = match kind {
            Kind::Serialized | Kind::RootText => root_signature(input),
            Kind::Plan => self.shader_of(&text).map_or(Ok(Ok(Vec::new())), |shader| binding_plan(shader, &text)),
            Kind::Map => self.binding_map(&text),
            Kind::Profile => self.device_profile(&text),
            Kind::Request => self.shader_of(&text).map_or(Ok(Ok(Vec::new())), |shader| request(shader, &text)),
            Kind::Embedded => embedded(input),
            Kind::Pdb => pdb(input),
        };
        match checked {
            Ok(Ok(modules)) => Answer { refused: None, fault: None, modules },
            Ok(Err(error)) => {
                let fault = (error.kind() == ErrorKind::Bug).then(|| error.to_string());
                Answer { refused: Some(error), fault, modules: Vec::new() }
            }
            Err(fault) => Answer { refused: None, fault: Some(fault), modules: Vec::new() },
        }
    }

    /// A map gives the same plans twice, and the shaders of the fixtures of maps are translated.
    fn binding_map(&self, text: &str) -> Checked {
        let map = match BindingMap::parse(text) {
            Ok(map) => map,
            Err(error) => return Ok(Err(error)),
        };
        let (profile, mut modules, mut last) = (lavapipe(), Vec::new(), None);
        for known in self.shaders.iter().filter(|known| known.name.starts_with("map/")) {
            let inputs = PlanInputs::new(&profile).with_map(Some(&map));
            let stages: Vec<_> =
                known.shader.entries().map(|(entry, _)| PipelineStage::new(&known.shader, entry)).collect();
            let planned = plan(&stages, &inputs);
            if planned != plan(&stages, &inputs) {
                return Err("a map gives two plans".to_owned());
            }
            let words = planned.and_then(|planned| {
                let of = |(stage, plan): (&PipelineStage<'_>, _)| {
                    Ok(translate(&known.shader, stage.entry, plan, &Options::new(profile.clone()))?.words)
                };
                stages.iter().zip(&planned.stages).map(of).collect::<Result<Vec<_>, Error>>()
            });
            match words {
                Ok(words) => modules.extend(words.into_iter().map(|words| (profile.clone(), words))),
                Err(error) if error.kind() == ErrorKind::Bug => return Ok(Err(error)),
                Err(error) => last = Some(error),
            }
        }
        Ok(last.filter(|_| modules.is_empty()).map_or(Ok(modules), Err))
    }

    /// A profile reads back from both of its texts, and serves two shaders.
    fn device_profile(&self, text: &str) -> Checked {
        let profile = match DeviceProfile::parse(text) {
            Ok(profile) => profile,
            Err(error) => return Ok(Err(error)),
        };
        for text in [profile.to_string(), profile.documented()] {
            if DeviceProfile::parse(&text).as_ref() != Ok(&profile) {
                return Err(format!("a profile does not read back: {text}"));
            }
        }
        let mut modules = Vec::new();
        // Two shaders that the text chooses.
        let at = text.len() % self.shaders.len().max(1);
        for known in self.shaders.iter().cycle().skip(at).take(2) {
            let Some((entry, _)) = known.shader.entries().next() else { continue };
            let Some(plan) = default_plan(&known.shader) else { continue };
            match translate(&known.shader, entry, &plan, &Options::new(profile.clone())) {
                Ok(translation) => modules.push((profile.clone(), translation.words)),
                Err(error) if error.kind() == ErrorKind::Bug => return Ok(Err(error)),
                Err(_) => {}
            }
        }
        Ok(Ok(modules))
    }
}

/// The words of a root signature that went through all forms are the same.
fn root_signature(input: &[u8]) -> Checked {
    let signature = match RootSignature::from_bytes(input, None) {
        Ok(signature) => signature,
        Err(error) => return Ok(Err(error)),
    };
    let forms = || -> Result<[Vec<u8>; 3], Error> {
        let container = RootSignature::from_bytes(&signature.serialize_container()?, None)?;
        let text = RootSignature::parse_text(&signature.to_string(), Some(signature.version))?;
        Ok([signature.serialize()?, container.serialize()?, text.serialize()?])
    };
    // What was read can be written and read again.
    let [bytes, container, text] = forms().map_err(|error| format!("{signature}: {error}"))?;
    if bytes != container || bytes != text {
        return Err(format!("{signature}: {bytes:x?}, {container:x?}, {text:x?}"));
    }
    for version in RootVersion::ALL {
        // Version 1.0 and 1.1 do not have each flag of 1.2.
        if let Ok(converted) = signature.to_version(version) {
            converted.check().map_err(|error| format!("{signature} as {version:?}: {error}"))?;
        }
    }
    Ok(Ok(Vec::new()))
}

/// A plan reads back, and gives the same words twice.
fn binding_plan(shader: &Shader, text: &str) -> Checked {
    let resources = &shader.program().resources;
    let plan = match BindingPlan::parse(text, resources) {
        Ok(plan) => plan,
        Err(error) => return Ok(Err(error)),
    };
    if BindingPlan::parse(&plan.to_string(), resources).as_ref() != Ok(&plan) {
        return Err(format!("a plan does not read back: {plan}"));
    }
    let options = Options::new(lavapipe());
    let Some((entry, _)) = shader.entries().next() else { return Ok(Ok(Vec::new())) };
    let words = || translate(shader, entry, &plan, &options).map(|translation| translation.words);
    match (words(), words()) {
        (one, two) if one != two => Err("two translations differ".to_owned()),
        (one, _) => Ok(one.map(|words| vec![(options.profile, words)])),
    }
}

/// A request reads back, and gives the same words twice.
fn request(shader: &Shader, text: &str) -> Checked {
    let request = match Request::parse(text, shader) {
        Ok(request) => request,
        Err(error) => return Ok(Err(error)),
    };
    if Request::parse(&request.to_string(), shader).as_ref() != Ok(&request) {
        return Err(format!("a request does not read back: {request}"));
    }
    let words = || request.translate(shader).map(|translation| translation.words);
    match (words(), words()) {
        (one, two) if one != two => Err("two translations differ".to_owned()),
        (one, _) => Ok(one.map(|words| vec![(request.options.profile.clone(), words)])),
    }
}

/// A PDB is refused, or says something or nothing of the source. The code is that without it, and
/// an error stays the same but for its place in the source.
fn pdb(input: &[u8]) -> Checked {
    let refused = Error::new(ErrorKind::Malformed, Place::Bit(1 << 12), "text");
    let container = fixture("debug/in_pdb.dxil");
    let placed = Shader::place_error(refused.clone(), &container, input);
    if (placed.kind(), placed.place(), placed.message()) != (refused.kind(), refused.place(), refused.message()) {
        return Err(format!("the error {refused} becomes {placed}"));
    }
    let mut shader = Shader::parse(&container).map_err(|error| error.to_string())?;
    let added = shader.add_pdb(input);
    shader.source_files();
    shader.buffer_members();
    let Some(plan) = default_plan(&shader) else { return Err("a shader has no plan".to_owned()) };
    let translated = |debug| {
        let mut options = Options::new(lavapipe());
        options.debug = debug;
        let words = translate(&shader, EntryId::FIRST, &plan, &options).map_err(|error| error.to_string())?.words;
        Ok::<_, String>((options.profile, words))
    };
    let (plain, with) = (translated(Debug::None)?, translated(Debug::Full)?);
    let has_none = added.is_err() || shader.debug_warning().is_some();
    if has_none && plain != with {
        return Err("a PDB that is ignored changes the words".to_owned());
    }
    Ok(added.map(|()| vec![with]))
}

/// A container that was taken out of a module is taken out again of a module that carries it.
fn embedded(input: &[u8]) -> Checked {
    let embedded = match extract(input) {
        Ok(Some(embedded)) => embedded,
        Ok(None) => return Ok(Ok(Vec::new())),
        Err(error) => return Ok(Err(error)),
    };
    match embed(&embedded.container, &EmbedOptions::default()) {
        Ok(words) => {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            match extract(&bytes) {
                Ok(Some(again)) if again == embedded => Ok(Ok(Vec::new())),
                other => Err(format!("a container that was taken out is not taken out again: {other:?}")),
            }
        }
        Err(error) => Ok(Err(error)),
    }
}
