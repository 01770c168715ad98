//! Presets: combinations of settings for a purpose, which Vulkan Configurator offers.
//!
//! They are in the manifests and in docs/settings.md. What must hold: each has settings of the
//! table, with values that the layer accepts.

/// One preset.
pub struct Preset {
    /// The label in Vulkan Configurator.
    pub label: &'static str,
    /// Its purpose, in one or two sentences.
    pub description: &'static str,
    /// Keys of settings, each with its value.
    pub settings: &'static [(&'static str, &'static str)],
}

/// All presets.
pub const PRESETS: &[Preset] = &[
    Preset {
        label: "Diagnose",
        description: "Find out why a shader fails: messages about each translation, a summary when a device is \
                      destroyed, and a dump of each translation in the folder dxil-dump of the working directory.",
        settings: &[("log_level", "debug"), ("stats", "true"), ("dump_dir", "dxil-dump")],
    },
    Preset {
        label: "Older validation below",
        description: "A validation layer of Vulkan header 1.3.239 (Debian 12) is between this layer and the driver: \
                      translated code uses nothing that it does not know.",
        settings: &[("profile_cap", "1.3.239")],
    },
    Preset {
        label: "Driver testing",
        description: "Translated code leaves as little as possible to the driver: the shader checks bounds, and each \
                      component of a byte-address buffer is accessed for itself. A fault that goes away with this preset \
                      is one of robustness or alignment. The dumps are in the folder dxil-dump of the working directory.",
        settings: &[("bounds", "emit"), ("raw_vectors", "exact"), ("dump_dir", "dxil-dump")],
    },
    Preset {
        label: "The application's features only",
        description: "The device is created as the application asks. A shader that needs more fails with a message \
                      that names the feature.",
        settings: &[("enable_features", "none"), ("log_level", "info")],
    },
];
