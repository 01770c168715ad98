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

/// The crate that writes SPIR-V.
const BUILDER: &[&str] = &["dxil_spirv_builder"];
/// The crates with SPIR-V's enumerations, and with its builder.
const SPIRV_NAMES: &[&str] = &["rspirv", "dxil_spirv_builder"];

/// «Who may import whom» of the translator. That bitcode, control flow and the SPIR-V builder know no
/// DXIL needs no rule, because they are crates.
pub const RANKS: &[Rank<'_>] = &[
    Rank { room: "options", may: &[], not: SPIRV_NAMES, words: "options are plain data" },
    Rank {
        room: "container",
        may: &[],
        not: &["rspirv", "dxil_bitcode"],
        words: "container sees neither LLVM nor DXIL nor SPIR-V",
    },
    // The table names the SPIR-V instruction that an operation is.
    Rank { room: "ops", may: &[], not: BUILDER, words: "the table of operations stands below the IR" },
    Rank { room: "ir", may: &["ops"], not: SPIRV_NAMES, words: "the IR is data, and knows no pass" },
    Rank { room: "decode", may: &["ir", "ops"], not: SPIRV_NAMES, words: "decode makes the IR and asks no analysis" },
    Rank {
        room: "binding",
        // Root signatures may be in metadata.
        may: &["container", "ir", "ops"],
        not: SPIRV_NAMES,
        words: "binding has no SPIR-V ids",
    },
    Rank {
        room: "analysis",
        may: &["binding", "decode", "ir", "ops"],
        not: SPIRV_NAMES,
        words: "an analysis changes nothing, and knows no SPIR-V",
    },
    Rank {
        room: "passes",
        may: &["analysis", "ir", "ops"],
        not: SPIRV_NAMES,
        words: "passes rewrite the IR and see no SPIR-V",
    },
    Rank {
        room: "library",
        may: &["binding", "container"],
        not: SPIRV_NAMES,
        words: "library is what a container declares of a state object",
    },
    Rank {
        room: "reflect",
        may: &["binding", "ops"],
        not: SPIRV_NAMES,
        words: "reflect is plain data about a translation",
    },
    Rank {
        room: "lower",
        may: &["analysis", "binding", "ir", "ops", "options", "reflect"],
        not: &[],
        words: "lower knows an IR, a plan and SPIR-V, and neither bytes nor requests",
    },
    Rank {
        room: "shader",
        may: &[
            "analysis",
            "binding",
            "container",
            "decode",
            "ir",
            "library",
            "lower",
            "ops",
            "options",
            "passes",
            "reflect",
        ],
        not: SPIRV_NAMES,
        words: "shader runs the chain, and has no SPIR-V names",
    },
    Rank {
        room: "request",
        may: &["analysis", "binding", "ops", "options", "shader"],
        not: SPIRV_NAMES,
        words: "request names what shader does",
    },
    Rank {
        room: "carrier",
        may: &["analysis", "binding", "container", "lower", "request", "shader"],
        not: &[],
        words: "carrier puts a container into SPIR-V, and knows no code of either",
    },
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

/// The folder of the driver lab, whose modules are those of [`LAB_RANKS`].
pub const LAB: &str = "layer/lab";

/// What the modules of the lab may refer to.
pub const LAB_RANKS: &[Rank<'_>] = &[
    Rank { room: "words", may: &[], not: &[], words: "words converts between words and bytes" },
    Rank { room: "progress", may: &[], not: &[], words: "progress shows a bar" },
    Rank { room: "driver", may: &[], not: &[], words: "driver finds drivers by name" },
    Rank { room: "results", may: &[], not: &["ash", TRANSLATOR], words: "results is plain data and its files" },
    Rank { room: "vulkan", may: &[], not: &[TRANSLATOR], words: "vulkan makes records on a device, and runs nothing" },
    Rank { room: "synth", may: &["words"], not: &["ash"], words: "synth makes records, and no Vulkan objects" },
    Rank { room: "exec", may: &["results", "vulkan"], not: &[TRANSLATOR], words: "exec runs what others translated" },
    Rank {
        room: "run",
        may: &["driver", "exec", "progress", "results", "synth", "vulkan", "words"],
        not: &[],
        words: "run has the worker processes, and no subcommand that needs them",
    },
    Rank {
        room: "reduce",
        may: &["driver", "exec", "results", "run", "vulkan", "words"],
        not: &[],
        words: "reduce gives candidates to workers, and makes no Vulkan objects",
    },
    Rank {
        room: "foz",
        may: &["driver", "results", "run", "vulkan"],
        not: &[TRANSLATOR],
        words: "foz writes what the driver would be given",
    },
    Rank {
        room: "report",
        may: &["exec", "progress", "results", "synth", "words"],
        not: &["ash"],
        words: "report reads files, and asks no driver",
    },
];

/// The most files that a circle in the layer or the lab may have: a file alone.
pub const LARGEST_CIRCLE_OF_LAYER: usize = 1;

/// The most lines of a file of the layer.
pub const LONGEST_FILE_OF_LAYER: usize = 400;

/// The folder of the translator whose rooms have an order.
pub const LOWER: &str = "lower";

/// The rooms of `lower`, lowest first: a room refers to those before it. The face, `lower/mod.rs`,
/// is above all.
pub const LOWER_ORDER: &[&str] = &[
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
    ("lower/control/stub.rs", "makes a profile of its own"),
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
