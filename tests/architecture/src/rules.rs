//! The rules of docs/architecture.md, as data. The functions of [`check`](crate::check) hold a tree
//! to them.

/// What a module of a crate's root may refer to.
#[derive(Clone, Copy, Debug)]
pub struct Rank<'a> {
    /// The module.
    pub module: &'a str,
    /// The modules that it may refer to, besides itself.
    pub may: &'a [&'a str],
    /// Crates that it must not refer to.
    pub not: &'a [&'a str],
    /// The rule in words, for the message.
    pub words: &'a str,
}

/// A file that a rule excepts, and why.
pub type Except<'a> = (&'a str, &'a str);

/// The crate that writes SPIR-V.
const BUILDER: &[&str] = &["dxil_spirv_builder"];
/// The crates with SPIR-V's enumerations, and with its builder.
const SPIRV_NAMES: &[&str] = &["rspirv", "dxil_spirv_builder"];

/// «Who may import whom» of the translator. That bitcode, control flow and the SPIR-V builder know
/// no DXIL needs no rule, because they are crates.
pub const RANKS: &[Rank<'_>] = &[
    Rank { module: "options", may: &[], not: SPIRV_NAMES, words: "options are plain data" },
    Rank {
        module: "container",
        may: &[],
        not: &["rspirv", "dxil_bitcode"],
        words: "container sees neither LLVM nor DXIL nor SPIR-V",
    },
    // The table names the SPIR-V instruction that an operation is.
    Rank { module: "ops", may: &[], not: BUILDER, words: "the table of operations stands below the IR" },
    Rank { module: "ir", may: &["ops"], not: SPIRV_NAMES, words: "the IR is data, and knows no pass" },
    Rank { module: "decode", may: &["ir", "ops"], not: SPIRV_NAMES, words: "decode makes the IR and asks no analysis" },
    Rank {
        module: "binding",
        // Root signatures may be in metadata.
        may: &["container", "ir", "ops"],
        not: SPIRV_NAMES,
        words: "binding has no SPIR-V ids",
    },
    Rank {
        module: "analysis",
        may: &["binding", "decode", "ir", "ops"],
        not: SPIRV_NAMES,
        words: "an analysis changes nothing, and knows no SPIR-V",
    },
    Rank {
        module: "passes",
        may: &["analysis", "ir", "ops"],
        not: SPIRV_NAMES,
        words: "passes rewrite the IR and see no SPIR-V",
    },
    Rank {
        module: "library",
        may: &["binding", "container"],
        not: SPIRV_NAMES,
        words: "library is what a container declares of a state object",
    },
    Rank {
        module: "reflect",
        may: &["binding", "ir", "ops"],
        not: SPIRV_NAMES,
        words: "reflect is plain data about a translation",
    },
    Rank {
        module: "lower",
        may: &["analysis", "binding", "ir", "ops", "options", "reflect"],
        not: &[],
        words: "lower knows an IR, a plan and SPIR-V, and neither bytes nor requests",
    },
    Rank {
        module: "shader",
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
        module: "pipeline",
        may: &["binding", "analysis", "container", "ir", "ops", "options", "shader"],
        not: SPIRV_NAMES,
        words: "pipeline compares the stages of a pipeline, and translates nothing",
    },
    Rank {
        module: "request",
        may: &["analysis", "binding", "ops", "options", "shader"],
        not: SPIRV_NAMES,
        words: "request names what shader does",
    },
    Rank {
        module: "requirements",
        may: &["analysis", "binding", "options", "shader"],
        not: SPIRV_NAMES,
        words: "requirements asks shader what it refuses",
    },
    Rank {
        module: "report",
        may: &["analysis", "binding", "ir", "ops", "pipeline", "requirements", "shader"],
        not: &[],
        words: "report is what others find out, as data",
    },
    Rank {
        module: "embedded",
        may: &["analysis", "binding", "container", "lower", "request", "shader"],
        not: &[],
        words: "embedded puts a container into SPIR-V, and knows no code of either",
    },
];

/// The crate that is the translator.
pub const TRANSLATOR: &str = "dxil_translator";

/// The folder of the translator.
pub const TRANSLATOR_FOLDER: &str = "translator/src";

/// The folder of the layer's code.
pub const LAYER_FOLDER: &str = "layer/core/src";

/// What the modules of the layer may refer to, as the head of the crate says.
pub const LAYER_RANKS: &[Rank<'_>] = &[
    Rank { module: "translator", may: &[], not: &[], words: "translator re-exports plain data" },
    Rank { module: "translate", may: &["translator"], not: &["ash"], words: "translate sees no Vulkan" },
    Rank { module: "vulkan", may: &[], not: &[TRANSLATOR], words: "vulkan knows Vulkan alone" },
    Rank {
        module: "features",
        may: &["translator", "vulkan"],
        not: &[],
        words: "features makes a profile of a Vulkan device",
    },
    Rank {
        module: "settings",
        may: &["features", "translator", "vulkan"],
        not: &[],
        words: "settings intercept nothing and translate nothing",
    },
    Rank {
        module: "capture",
        may: &["features", "translate", "translator", "vulkan"],
        not: &[],
        words: "capture writes down what Vulkan reads, and intercepts nothing",
    },
    Rank { module: "messages", may: &["settings", "vulkan"], not: &[], words: "messages do not translate" },
    Rank {
        module: "intercept",
        may: &["capture", "features", "messages", "settings", "translate", "translator", "vulkan"],
        not: &[],
        words: "intercept is above all modules",
    },
];

/// The files of the layer that name [`TRANSLATOR`], and why each does. The others take its types
/// from these.
pub const LAYER_SEAM: &[Except<'_>] = &[
    ("translator.rs", "re-exports the types that are plain data"),
    ("translate/seam.rs", "calls the translator"),
    ("translate/pdb.rs", "calls the translator about PDB files"),
];

/// What the modules of the lab may refer to.
pub const LAB_RANKS: &[Rank<'_>] = &[
    Rank { module: "files", may: &[], not: &[], words: "files adds paths to errors" },
    Rank { module: "words", may: &[], not: &[], words: "words reads SPIR-V and its bytes" },
    Rank { module: "valid", may: &[], not: &[TRANSLATOR], words: "valid asks SPIRV-Tools' validator" },
    Rank { module: "progress", may: &[], not: &[], words: "progress shows a bar" },
    Rank { module: "named", may: &[], not: &[], words: "named declares enumerations with names" },
    Rank { module: "driver", may: &[], not: &[], words: "driver finds drivers by name" },
    Rank { module: "shell", may: &[], not: &[], words: "shell writes command lines" },
    Rank {
        module: "archive",
        may: &["files", "named"],
        not: &["ash", TRANSLATOR],
        words: "archive reads and writes the entries of a file",
    },
    Rank {
        module: "inputs",
        may: &["archive", "files"],
        not: &["ash"],
        words: "inputs takes containers out of files, and makes no records",
    },
    Rank {
        module: "results",
        may: &["files", "named"],
        not: &["ash", TRANSLATOR],
        words: "results is plain data and its files",
    },
    Rank {
        module: "vulkan",
        may: &["named", "valid", "words"],
        not: &[TRANSLATOR],
        words: "vulkan makes records on a device, and runs nothing",
    },
    Rank {
        module: "synth",
        may: &["files", "inputs", "words"],
        not: &["ash"],
        words: "synth makes records, and no Vulkan objects",
    },
    Rank {
        module: "exec",
        may: &["files", "named", "results", "vulkan", "words"],
        not: &[TRANSLATOR],
        words: "exec runs what others translated",
    },
    Rank {
        module: "run",
        may: &["driver", "exec", "files", "progress", "results", "synth", "vulkan", "words"],
        not: &[],
        words: "run has the worker processes, and no subcommand that needs them",
    },
    Rank {
        module: "record",
        may: &["driver", "results", "run"],
        not: &["ash", TRANSLATOR],
        words: "record has a worker recorded, and makes no Vulkan objects",
    },
    Rank {
        module: "reduce",
        may: &["driver", "exec", "files", "record", "results", "run", "shell", "valid", "vulkan", "words"],
        not: &[],
        words: "reduce gives candidates to workers, and makes no Vulkan objects",
    },
    Rank {
        module: "suite",
        may: &["driver", "exec", "named", "reduce", "results", "run", "synth", "vulkan"],
        not: &["ash", TRANSLATOR],
        words: "suite asks the drivers that reduce asks",
    },
    Rank {
        module: "foz",
        may: &["archive", "driver", "files", "named", "results", "run", "vulkan"],
        not: &[TRANSLATOR],
        words: "foz writes what the driver would be given",
    },
    Rank {
        module: "report",
        may: &["exec", "files", "progress", "results", "shell", "synth", "words"],
        not: &["ash"],
        words: "report reads files, and asks no driver",
    },
];

/// The crates whose modules have ranks: the folder of each, and the ranks.
pub const RANKED: &[(&str, &[Rank<'_>])] =
    &[(TRANSLATOR_FOLDER, RANKS), (LAYER_FOLDER, LAYER_RANKS), ("layer/lab/src", LAB_RANKS)];

/// The most lines of a file, by how the folder of the crate begins. The first that fits counts.
pub const LONGEST_FILES: &[(&str, usize)] = &[(LAYER_FOLDER, 400), ("", 800)];

/// The folder of the translator whose modules have an order.
pub const LOWER: &str = "lower";

/// The modules of `lower`, lowest first: a module refers to those before it. The root,
/// `lower/mod.rs`, is above all.
pub const LOWER_ORDER: &[&str] = &[
    "cx",
    "source",
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

/// The types whose own functions stand in one module of `lower`.
pub const CONTEXTS: &[&str] = &["Inputs", "EntryCx", "FunctionCx"];
/// The module of [`CONTEXTS`].
pub const CONTEXT_MODULE: &str = "lower/cx";
/// The most fields of each of [`CONTEXTS`].
pub const CONTEXT_FIELDS: usize = 12;

/// The enumeration of DXIL operations.
pub const OPERATIONS: &str = "OpCode";
/// The modules that say what each operation is and what it becomes: the table, and the lowerings,
/// some of which are passes that write other operations.
pub const OPERATION_FOLDERS: &[&str] =
    &["ops", "lower", "passes/handles", "passes/hit_objects", "passes/vectors", "passes/vendor"];
/// The other files that name operations, and what the table does not say of them.
pub const OPERATION_NAMERS: &[Except<'_>] = &[
    ("analysis/entry/query_states.rs", "which operations change what is known of a ray query"),
    ("analysis/float_range.rs", "the range of a result, from those of the operands"),
    ("analysis/handles.rs", "where each of the operations that make handles has the resource"),
    ("analysis/hit_objects.rs", "which operations make hit objects"),
    ("analysis/known_bits.rs", "the known bits of a result, from those of the operands"),
];
