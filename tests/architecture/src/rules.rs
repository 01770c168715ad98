//! The rules of docs/architecture.md, as data. The functions of [`check`](crate::check) hold a tree
//! to them.

/// What a room of a crate may refer to.
#[derive(Clone, Copy, Debug)]
pub struct Rank<'a> {
    /// The room: a module of the crate's root.
    pub room: &'a str,
    /// The rooms that it may refer to, besides itself.
    pub may: &'a [&'a str],
    /// Crates that it must not refer to.
    pub not: &'a [&'a str],
    /// The rule in words, for the message.
    pub words: &'a str,
}

/// A file or item that a rule excepts, and why.
pub type Except<'a> = (&'a str, &'a str);

/// The crate with SPIR-V's enumerations.
const SPIRV_NAMES: &[&str] = &["rspirv"];

/// «Who may import whom» of the translator.
pub const RANKS: &[Rank<'_>] = &[
    Rank { room: "entity", may: &[], not: SPIRV_NAMES, words: "entity stands below all" },
    Rank { room: "integer", may: &[], not: SPIRV_NAMES, words: "integer stands below all" },
    Rank { room: "error", may: &["profile"], not: SPIRV_NAMES, words: "error knows the features of a profile alone" },
    Rank { room: "limits", may: &["error"], not: SPIRV_NAMES, words: "limits stands below all but error" },
    Rank { room: "profile", may: &["error"], not: SPIRV_NAMES, words: "profile is plain data" },
    Rank { room: "options", may: &["limits", "profile"], not: SPIRV_NAMES, words: "options are plain data" },
    Rank {
        room: "container",
        may: &["error", "limits"],
        not: SPIRV_NAMES,
        words: "container sees neither LLVM nor DXIL nor SPIR-V",
    },
    Rank {
        room: "bitcode",
        may: &["entity", "error", "integer", "limits"],
        not: SPIRV_NAMES,
        words: "bitcode knows LLVM, and sees neither DXIL nor SPIR-V",
    },
    Rank {
        room: "analysis",
        may: &["entity", "error", "limits"],
        not: SPIRV_NAMES,
        words: "analysis sees neither DXIL nor SPIR-V",
    },
    Rank {
        room: "structure",
        may: &["analysis", "entity", "error", "limits"],
        not: SPIRV_NAMES,
        words: "structure sees neither DXIL nor SPIR-V",
    },
    Rank {
        room: "dxil",
        may: &["bitcode", "entity", "error", "integer", "limits"],
        // The table of operations names the SPIR-V instruction that an operation is.
        not: &[],
        words: "dxil does not see what it is lowered to",
    },
    Rank {
        room: "binding",
        // Root signatures may be in metadata.
        may: &["bitcode", "container", "dxil", "entity", "error", "limits", "profile"],
        not: SPIRV_NAMES,
        words: "binding has no SPIR-V ids",
    },
    Rank {
        room: "library",
        may: &["binding", "bitcode", "container", "error", "limits"],
        not: SPIRV_NAMES,
        words: "library is what a container declares of a state object",
    },
    Rank {
        room: "passes",
        may: &["dxil", "entity", "error", "limits"],
        not: SPIRV_NAMES,
        words: "passes rewrite DXIL and see no SPIR-V",
    },
    Rank {
        room: "reflect",
        may: &["binding", "dxil"],
        not: SPIRV_NAMES,
        words: "reflect is plain data about a translation",
    },
    Rank { room: "spirv", may: &["error", "limits", "profile"], not: &[], words: "spirv sees no DXIL" },
    Rank {
        room: "lower",
        may: &[
            "analysis",
            "binding",
            "dxil",
            "entity",
            "error",
            "integer",
            "limits",
            "options",
            "profile",
            "reflect",
            "spirv",
            "structure",
        ],
        not: &[],
        words: "lower knows an IR, a plan and SPIR-V, and neither bytes nor requests",
    },
    Rank {
        room: "shader",
        may: &[
            "binding",
            "bitcode",
            "container",
            "dxil",
            "entity",
            "error",
            "library",
            "limits",
            "lower",
            "options",
            "passes",
            "profile",
            "reflect",
        ],
        not: SPIRV_NAMES,
        words: "shader runs the chain, and has no SPIR-V names",
    },
    Rank {
        room: "request",
        may: &["binding", "dxil", "error", "options", "profile", "shader"],
        not: SPIRV_NAMES,
        words: "request names what shader does",
    },
    Rank {
        room: "carrier",
        may: &["binding", "container", "dxil", "error", "limits", "lower", "request", "shader"],
        not: &[],
        words: "carrier puts a container into SPIR-V, and knows no code of either",
    },
    Rank { room: "internals", may: &[], not: SPIRV_NAMES, words: "internals declares the modules" },
];

/// The crate that is the translator.
pub const TRANSLATOR: &str = "dxil_translator";

/// The folder of the crate with the layer's code, whose rooms are those of [`LAYER_RANKS`].
pub const LAYER: &str = "layer/core";

/// What the rooms of the layer may refer to, as the head of the crate says.
pub const LAYER_RANKS: &[Rank<'_>] = &[
    Rank { room: "translator", may: &[], not: &[], words: "translator re-exports plain data" },
    Rank { room: "translate", may: &["translator"], not: &["ash"], words: "translate sees no Vulkan" },
    Rank { room: "vulkan", may: &[], not: &[TRANSLATOR], words: "vulkan knows Vulkan alone" },
    Rank {
        room: "features",
        may: &["translator", "vulkan"],
        not: &[],
        words: "features makes a profile of a Vulkan device",
    },
    Rank {
        room: "settings",
        may: &["features", "translator", "vulkan"],
        not: &[],
        words: "settings intercept nothing and translate nothing",
    },
    Rank {
        room: "capture",
        may: &["features", "translate", "translator", "vulkan"],
        not: &[],
        words: "capture writes down what Vulkan reads, and intercepts nothing",
    },
    Rank { room: "messages", may: &["settings", "vulkan"], not: &[], words: "messages do not translate" },
    Rank {
        room: "intercept",
        may: &["capture", "features", "messages", "settings", "translate", "translator", "vulkan"],
        not: &[],
        words: "intercept refers to the rooms alone",
    },
];

/// The files of the layer that name [`TRANSLATOR`], and why each does. The others take its types
/// from these.
pub const LAYER_SEAM: &[Except<'_>] =
    &[("translator.rs", "re-exports the types that are plain data"), ("translate/seam.rs", "calls the translator")];

/// The most files that a circle in the layer may have: a file alone.
pub const LARGEST_CIRCLE_OF_LAYER: usize = 1;

/// The most lines of a file of the layer.
pub const LONGEST_FILE_OF_LAYER: usize = 400;

/// The folder of the translator whose rooms have an order.
pub const LOWER: &str = "lower";

/// The rooms of `lower`, lowest first: a room refers to those before it. The face, `lower/mod.rs`,
/// is above all.
pub const LOWER_ORDER: &[&str] = &[
    "facts",
    "cx",
    "numbers",
    "memory",
    "waves",
    "resources",
    "images",
    "buffers",
    "atomic",
    "rays",
    "stages",
    "dispatch",
    "control",
];

/// The most files that a circle in `lower` may have.
pub const LARGEST_CIRCLE: usize = 3;

/// Circles of more files that are accepted: the file of each that is first by name, and why.
pub const LARGER_CIRCLES: &[Except<'_>] = &[];

/// The types whose own functions stand in one room of `lower`, and that room.
pub const CONTEXTS: &[&str] = &["ModuleCx", "FunctionCx"];
/// The room of [`CONTEXTS`].
pub const CONTEXT_ROOM: &str = "lower/cx";

/// The type that says what a device has enabled.
pub const PROFILE: &str = "DeviceProfile";

/// The files of the translator that read fields of [`PROFILE`] or ask it for a feature, and why
/// each does. Lowering asks `spirv::Caps`, so no file of `lower` is among them.
pub const PROFILE_READERS: &[Except<'_>] = &[
    ("profile/builtin.rs", "has the profiles that have names"),
    ("profile/text.rs", "reads and prints its text form"),
    ("profile/document.rs", "writes docs/profile.md"),
    ("spirv/caps.rs", "answers every question of lowering: capabilities, features, limits, SPIR-V version"),
    ("spirv/validate.rs", "chooses the validator's rules by it"),
    ("binding/heap.rs", "arranges the resource heap by mutableDescriptorType"),
    ("binding/settle.rs", "holds descriptor sets to the device's number of sets"),
    ("binding/tables.rs", "holds root constants to the device's bytes of push constants"),
];

/// Public structures with public fields and public enumerations that users may build and match in
/// full, so that they are not `#[non_exhaustive]`: the path of each, and why.
pub const OPEN_ITEMS: &[Except<'_>] = &[
    ("BlobDigest", "a digest is its 32 bytes"),
    ("LayoutBinding", "callers describe their layouts by literals"),
    ("PipelineLayout", "callers describe their layouts by literals"),
    ("PushRange", "callers describe their layouts by literals"),
    ("RegisterShifts", "callers give one number for each of D3D12's register classes, and one for counters"),
];
