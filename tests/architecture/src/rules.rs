//! The rules of docs/architecture.md, as data. The functions of [`check`](crate::check) hold a tree
//! to them.

/// What a room of the translator may refer to.
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

/// «Who may import whom». A room that is not listed may refer to all: `lower` and `shader`, which
/// the others make up.
pub const RANKS: &[Rank<'_>] = &[
    Rank { room: "entity", may: &[], not: SPIRV_NAMES, words: "entity stands below all" },
    Rank { room: "integer", may: &[], not: SPIRV_NAMES, words: "integer stands below all" },
    Rank { room: "error", may: &["profile"], not: SPIRV_NAMES, words: "error knows the features of a profile alone" },
    Rank { room: "limits", may: &["error"], not: SPIRV_NAMES, words: "limits stands below all but error" },
    Rank { room: "profile", may: &["error"], not: SPIRV_NAMES, words: "profile is plain data" },
    Rank { room: "options", may: &["profile"], not: SPIRV_NAMES, words: "options are plain data" },
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
        may: &["container", "dxil", "entity", "error", "limits", "profile"],
        not: SPIRV_NAMES,
        words: "binding has no SPIR-V ids",
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
];

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
    "stages",
    "dispatch",
    "control",
];

/// The most files that a circle in `lower` or in the layer may have.
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
/// each does.
pub const PROFILE_READERS: &[Except<'_>] = &[
    ("profile.rs", "declares it, and reads and prints its text form"),
    ("spirv/caps.rs", "asks for the features that capabilities need and that a form of a lowering needs"),
    ("spirv/mod.rs", "lowers the SPIR-V version to what the device takes"),
    ("binding/settle.rs", "holds descriptor sets to the device's number of sets"),
    ("binding/tables.rs", "holds root constants to the device's bytes of push constants"),
    ("lower/cbuffer.rs", "holds a uniform block to the device's range"),
    ("lower/entry.rs", "asks for SPIR-V version, float controls and scalar block layout"),
    ("lower/io.rs", "asks for maintenance5, which gives points their size"),
    ("lower/resource.rs", "asks for robustness features, and for loads without a format"),
];

/// Public structures with public fields and public enumerations that users may build and match in
/// full, so that they are not `#[non_exhaustive]`: the path of each, and why.
pub const OPEN_ITEMS: &[Except<'_>] = &[];

/// Whether `translator/src/lower` has the rooms of [`LOWER_ORDER`]. While such a constant is
/// `false`, the test of its rule holds the opposite, that the source still breaks the rule: so it
/// says when the constant has to be set.
pub const LOWER_HAS_ROOMS: bool = false;
/// Whether the layer is in rooms, without large circles.
pub const LAYER_HAS_ROOMS: bool = false;
/// Whether the types of [`CONTEXTS`] exist.
pub const CONTEXTS_EXIST: bool = false;
/// Whether all public types that will grow are `#[non_exhaustive]`, and the others are in
/// [`OPEN_ITEMS`].
pub const FACE_IS_CLOSED: bool = false;
