//! One setting: its texts, and the values that it takes.

/// The values that a setting takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One of the listed words, each with its meaning.
    Enum(&'static [(&'static str, &'static str)]),
    /// One of [`BOOLS`], in any case.
    Bool,
    /// A number in a range.
    Int(u64, u64),
    /// A file to read.
    LoadFile,
    /// A file to write.
    SaveFile,
    /// A folder to write to.
    SaveFolder,
    /// A folder to read.
    LoadFolder,
    /// Text in a format of its own.
    Text,
}

/// The words for true and false.
pub const BOOLS: [(&str, bool); 8] = [
    ("true", true),
    ("1", true),
    ("on", true),
    ("yes", true),
    ("false", false),
    ("0", false),
    ("off", false),
    ("no", false),
];

/// One setting.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its key: `VK_DXIL_TRANSLATE_<KEY>` in upper case, `dxil_translate.<key>` in a settings file.
    pub key: &'static str,
    /// The label in Vulkan Configurator and in docs/settings.md.
    #[cfg_attr(not(test), expect(dead_code, reason = "for the manifests and docs/settings.md"))]
    pub label: &'static str,
    /// Its effect, in one or two sentences.
    #[cfg_attr(not(test), expect(dead_code, reason = "for the manifests and docs/settings.md"))]
    pub description: &'static str,
    /// The values that it takes.
    pub kind: Kind,
    /// Its default, as text.
    pub default: &'static str,
}

impl Setting {
    /// A setting that is on or off, and off by default.
    pub const fn flag(key: &'static str, label: &'static str, description: &'static str) -> Self {
        Self { key, label, description, kind: Kind::Bool, default: "false" }
    }

    /// The accepted values, as text for messages.
    pub fn accepted(&self) -> String {
        match self.kind {
            Kind::Enum(values) => values.iter().map(|(v, _)| format!("`{v}`")).collect::<Vec<_>>().join(", "),
            Kind::Bool => BOOLS.map(|(word, _)| format!("`{word}`")).join(", "),
            Kind::Int(least, most) => format!("a number from {least} to {most}"),
            Kind::LoadFile | Kind::SaveFile => "a file name".into(),
            Kind::SaveFolder | Kind::LoadFolder => "a folder name".into(),
            Kind::Text if self.key == "profile_cap" => {
                "`none`, or a list of a version such as `1.3.239` and feature names".into()
            }
            Kind::Text if self.key == "enable_features" => {
                "`all`, `none`, a list of feature names such as `shaderInt64,shaderFloat16`, or a word for true or false".into()
            }
            Kind::Text if self.key == "stream_output" => "a list such as `COLOR0=0:0:0:32,SV_Position=0:0:16:32`".into(),
            Kind::Text if self.key == "spaces" => "a list such as `95=1,96=2`".into(),
            Kind::Text if self.default.is_empty() => "a number, or an empty text".into(),
            Kind::Text => format!("the form `{}`", self.default),
        }
    }
}
