//! The table of settings, from which parsing, the manifests and docs/settings.md derive.

pub use crate::settings::setting::{BOOLS, Kind, Setting};

/// All settings.
pub const SETTINGS: &[Setting] = &[
    Setting {
        key: "bindings",
        label: "Binding model",
        description: "Where D3D12 resources live in Vulkan (docs/bindings.md).",
        kind: Kind::Enum(&[
            (
                "auto",
                "The map, if the setting `map` names one. Otherwise the root-signature model if the shader has a root \
                 signature, else the register model; with a pipeline layout, whichever of the two matches it.",
            ),
            ("register", "Set = space, binding = register plus the shift of its class."),
            ("root-signature", "The k-th descriptor table is set k, root constants are push constants."),
            ("map", "The places that the file of the setting `map` lists."),
        ]),
        default: "auto",
    },
    Setting {
        key: "register_shifts",
        label: "Register shifts",
        description: "Shifts of the register model by register class: constant buffers b, textures and read-only buffers t, \
                      writable resources u, samplers s, counters c. Classes that are not named keep their default.",
        kind: Kind::Text,
        default: "b=0,t=0,u=0,s=0,c=1000",
    },
    Setting {
        key: "spaces",
        label: "Sets of register spaces",
        description: "Descriptor sets of register spaces under the register model, as SPACE=SET pairs such as 95=1,96=2. A space \
                      that is not named is the set of its number.",
        kind: Kind::Text,
        default: "",
    },
    Setting {
        key: "resource_heap_set",
        label: "Set of the resource heap",
        description: "Descriptor set of ResourceDescriptorHeap, or the first one if the heap has a set for each descriptor type \
                      (docs/bindings.md, Heaps). Without a value, root-signature and pipelines of VK_EXT_descriptor_heap have a default, and others have none.",
        kind: Kind::Text,
        default: "",
    },
    Setting {
        key: "sampler_heap_set",
        label: "Set of the sampler heap",
        description: "Descriptor set of SamplerDescriptorHeap (docs/bindings.md, Heaps).",
        kind: Kind::Text,
        default: "",
    },
    Setting {
        key: "heap_counter_set",
        label: "Set of heap counters",
        description: "Descriptor set of the hidden counters of UAVs in ResourceDescriptorHeap (docs/bindings.md, Heaps).",
        kind: Kind::Text,
        default: "",
    },
    Setting {
        key: "heap_counters",
        label: "Heap counters",
        description: "The contents of the set of hidden counters of UAVs in ResourceDescriptorHeap (docs/bindings.md, Heaps).",
        kind: Kind::Enum(&[
            ("descriptor", "An array of storage buffers, each of which is a counter."),
            (
                "address",
                "One storage buffer with a 64-bit address for each descriptor of the heap: each counter is a word at an \
                 address. The device must have bufferDeviceAddress enabled.",
            ),
        ]),
        default: "descriptor",
    },
    Setting {
        key: "map",
        label: "Binding map",
        description: "A TOML file with the places of resources (docs/bindings.md, «map»), which is read when a device is created. \
                      If it cannot be used, an error says why, and no pipeline with DXIL is created. Ignored with raised \
                      privileges.",
        kind: Kind::LoadFile,
        default: "",
    },
    Setting {
        key: "root_descriptors",
        label: "Root descriptors",
        description: "How root descriptors reach the shader under the root-signature model (docs/bindings.md).",
        kind: Kind::Enum(&[
            ("auto", "As the bindings of the root set in the pipeline layout say; without a layout, as descriptors."),
            ("descriptor", "As descriptors in the root set."),
            ("address", "As addresses of 8 bytes each in the push constants."),
        ]),
        default: "auto",
    },
    Setting {
        key: "root_tables",
        label: "Descriptor tables",
        description: "How descriptor tables reach the shader under the root-signature model (docs/bindings.md).",
        kind: Kind::Enum(&[
            ("sets", "Each table is a descriptor set."),
            (
                "offsets",
                "Each table is an offset of 4 bytes in the push constants: the heap index of its first descriptor.",
            ),
        ]),
        default: "sets",
    },
    Setting {
        key: "root_signature",
        label: "Root signature",
        description: "A file with the root signature of all pipelines, instead of those in the shaders: a container with an \
                      RTS0 part or metadata, alone or embedded in SPIR-V, the content of an RTS0 part, or HLSL root \
                      signature text. It is read when a device is created; if it cannot be used, vkCreateDevice fails with \
                      a message. Ignored with raised privileges.",
        kind: Kind::LoadFile,
        default: "",
    },
    Setting {
        key: "local_root_signature",
        label: "Local root signature",
        description: "A file with the local root signature of those ray-tracing shaders with which their library associates \
                      none, or several: a root signature with the flag LOCAL_ROOT_SIGNATURE, in the forms of `root_signature` \
                      (docs/bindings.md, «The shader record»). It is read when a device is created; if it cannot be used, \
                      vkCreateDevice fails with a message. Ignored with raised privileges.",
        kind: Kind::LoadFile,
        default: "",
    },
    Setting {
        key: "bounds",
        label: "Bounds",
        description: "Who implements D3D's rules for out-of-bounds accesses (docs/bindings.md, «Bounds»).",
        kind: Kind::Enum(&[
            (
                "auto",
                "The driver where the application enabled robustBufferAccess2 and its image counterparts; else the \
                 driver for the stages that are DXIL, by VK_EXT_pipeline_robustness; else checks in the shader.",
            ),
            ("driver", "The driver, without requests for robustness: the user knows that it implements the rules."),
            ("emit", "Checks in the shader."),
        ]),
        default: "auto",
    },
    Setting {
        key: "raw_vectors",
        label: "Vectors in byte-address buffers",
        description: "How accesses to several components of a byte-address buffer are emitted (docs/bindings.md, «Bounds»).",
        kind: Kind::Enum(&[
            ("aligned", "As vectors where the shader's arithmetic proves that the address is aligned."),
            ("exact", "One by one, so that each component has its own bounds on every device."),
        ]),
        default: "aligned",
    },
    Setting {
        key: "vertex_locations",
        label: "Locations of vertex inputs",
        description: "How the inputs of vertex shaders get the locations that VkVertexInputAttributeDescription names \
                      (docs/bindings.md).",
        kind: Kind::Enum(&[
            (
                "order",
                "One per row of an element, in the order of the signature, without system values; as in DXC's SPIR-V.",
            ),
            ("row", "The row at which the signature packs the element."),
            ("texcoord", "TEXCOORDn is at location n. A vertex input with another semantic name is an error."),
        ]),
        default: "order",
    },
    Setting {
        key: "vertex_id",
        label: "Vertex and instance numbers",
        description: "Whether SV_VertexID and SV_InstanceID include the first vertex or instance of the draw.",
        kind: Kind::Enum(&[
            ("d3d", "They begin at 0, as in D3D. Needs the feature shaderDrawParameters."),
            ("vulkan", "They include it, as gl_VertexIndex does."),
        ]),
        default: "d3d",
    },
    Setting::flag(
        "invert_y",
        "Invert y",
        "The last stage before rasterization negates the y coordinate of the position, for applications that do \
         not set a viewport of negative height.",
    ),
    Setting::flag(
        "invariant_position",
        "Invariant positions",
        "The positions that a shader writes are Invariant, so that two pipelines with the same expressions for \
         them draw the same pixels, as a depth pass and the pass behind it must. For drivers that optimise \
         the two in different ways.",
    ),
    Setting::flag(
        "precise",
        "Precise arithmetic",
        "All arithmetic with floating-point numbers is NoContraction, as if the source said `precise` \
         everywhere. For drivers whose fused multiplications and additions change results.",
    ),
    Setting::flag(
        "names",
        "Names",
        "Emits the names of a shader as OpName, for debuggers. A \
         resource is called as in the source, where a debug part of the container has its name, otherwise \
         by its register.",
    ),
    Setting {
        key: "debug",
        label: "Debug information",
        description: "What is emitted of the source of a shader whose container has debug information (`-Zi \
                      -Qembed_debug`), for debuggers.",
        kind: Kind::Enum(&[
            ("none", "Nothing."),
            ("lines", "Files with their texts, and lines: OpSource and OpLine."),
            (
                "full",
                "Files, lines, scopes, inlined calls, types and variables: NonSemantic.Shader.DebugInfo.100. Only \
                 lines on a device where VK_KHR_shader_non_semantic_info is not enabled.",
            ),
        ]),
        default: "none",
    },
    Setting {
        key: "pdb_path",
        label: "PDB folder",
        description: "The folder with the PDB files of shaders: the debug information that the compiler wrote to files \
                      (`-Zi -Fd FILE`), for `debug`, `names` and messages. A shader has the name of its file. Ignored \
                      with raised privileges.",
        kind: Kind::LoadFolder,
        default: "",
    },
    Setting {
        key: "dual_source",
        label: "Second source of blending",
        description: "What the second target of a pixel shader is. Vulkan needs to know when the shader is compiled, and D3D \
                      decides by the blend state.",
        kind: Kind::Enum(&[
            (
                "auto",
                "The second source, if the blend state has one, or if blending is dynamic and there is one colour \
                 attachment. If the state is in another pipeline library, the pipeline fails with a message.",
            ),
            ("on", "The second source of blending in every pipeline."),
            ("off", "A second colour attachment in every pipeline."),
        ]),
        default: "auto",
    },
    Setting {
        key: "stream_output",
        label: "Stream output",
        description: "Outputs that the last stage before the rasterizer also writes to buffers (VK_EXT_transform_feedback), as \
                      SEMANTIC=STREAM:BUFFER:OFFSET:STRIDE, with offset and stride in bytes; in D3D they are state of the \
                      pipeline. A list such as COLOR0=0:0:0:32,SV_Position=0:0:16:32 is for the shaders that have all of \
                      its outputs. Several lists are separated by semicolons, and the first one for a shader counts. A list \
                      after HASH@ is for the shaders of one blob, whose hash, or its first 16 digits, is that of messages.",
        kind: Kind::Text,
        default: "",
    },
    Setting {
        key: "compile_required",
        label: "Compilation that is forbidden",
        description: "What happens to DXIL in a pipeline with VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT.",
        kind: Kind::Enum(&[
            (
                "driver",
                "It is translated, which takes a small part of the time of a compilation, and the driver gets the \
                 pipeline with the flag. So the driver's pipeline cache decides, as it does for SPIR-V.",
            ),
            (
                "strict",
                "Without its translation in the layer's own cache, which is empty in a new process, the pipeline is not \
                 created, with VK_PIPELINE_COMPILE_REQUIRED.",
            ),
        ]),
        default: "driver",
    },
    Setting {
        key: "enable_features",
        label: "Enable features",
        description: "The features that the layer enables at vkCreateDevice, in addition to those of the application: all \
                      that translated code can use and the device supports, none, or those of a comma-separated list \
                      that are among them. Without additions the device is created as the application asks, and \
                      translated code uses only the features that the application enables. What was added is in the \
                      log at the level `info`.",
        kind: Kind::Text,
        default: "all",
    },
    Setting {
        key: "profile_cap",
        label: "Profile cap",
        description: "Excludes features, by a comma-separated list. A Vulkan header version such as 1.3.239 excludes the \
                      newer features (for an older validation layer below this one); a feature's name excludes \
                      that feature.",
        kind: Kind::Text,
        default: "none",
    },
    Setting {
        key: "quirks_of",
        label: "Driver quirks",
        description: "For which driver's faults translated code is made (docs/quirks.md). A driver that is new or behind \
                      another one may need another value than the one that it reports.",
        kind: Kind::Enum(&[
            ("auto", "For the driver that the device reports."),
            ("none", "For none: only the forms that every driver gets."),
            ("swiftshader", "For SwiftShader."),
            ("lavapipe", "For Mesa's llvmpipe and lavapipe."),
        ]),
        default: "auto",
    },
    Setting {
        key: "cache_mb",
        label: "Cache size",
        description: "Bound of the in-memory cache of parsed shaders and translations, in MiB. Process-wide: the largest \
                      value that any instance asked for.",
        kind: Kind::Int(0, 65536),
        default: "64",
    },
    Setting {
        key: "log_level",
        label: "Log level",
        description: "The least severe messages that are written. Process-wide: the first instance decides.",
        kind: Kind::Enum(&[
            ("off", "No message."),
            ("error", "Errors: why a call failed."),
            ("warn", "Errors and warnings."),
            ("info", "Also what the layer decided, such as the binding model, and a line for each device."),
            ("debug", "Also each translation, a line for each pipeline, and the profile of each device."),
        ]),
        default: "warn",
    },
    Setting {
        key: "log_file",
        label: "Log file",
        description: "Messages go to this file instead of stderr. Process-wide: the first instance decides. Ignored with \
                      raised privileges.",
        kind: Kind::SaveFile,
        default: "",
    },
    Setting {
        key: "log_mb",
        label: "Log size",
        description: "Bound of the log file, in MiB. A file of that size is emptied when it is opened, and what a process \
                      writes beyond it is left out, after a line that says so. Process-wide: the first instance decides.",
        kind: Kind::Int(0, 1 << 20),
        default: "64",
    },
    Setting {
        key: "dump_dir",
        label: "Dump folder",
        description: "Writes the DXIL, plan, profile and SPIR-V of each translation to this folder, named by the blob's hash: \
                      a ready reproduction for dxil2spv. Ignored with raised privileges.",
        kind: Kind::SaveFolder,
        default: "",
    },
    Setting {
        key: "dump_mb",
        label: "Dump size",
        description: "Bound of the files that an instance writes to the dump folder, in MiB. Files beyond it are left out, with a \
                      warning.",
        kind: Kind::Int(0, 1 << 20),
        default: "1024",
    },
    Setting {
        key: "capture_dir",
        label: "Capture folder",
        description: "Writes each pipeline with DXIL to this folder as data: its DXIL, its whole create info with layouts, \
                      samplers and render pass, its translation's request, and the device. Ignored with raised privileges.",
        kind: Kind::SaveFolder,
        default: "",
    },
    Setting {
        key: "capture_mb",
        label: "Capture size",
        description: "Bound of the files that an instance writes to the capture folder, in MiB. With the first file beyond \
                      it the capture ends, with a warning.",
        kind: Kind::Int(0, 1 << 20),
        default: "1024",
    },
    Setting {
        key: "override_dir",
        label: "Override folder",
        description: "SPIR-V files in this folder replace translations: one that is named like the .spv file of a dump \
                      replaces that translation, and <blob>.spv all translations of a blob. A file is not used, with a \
                      warning, if it does not have the entry point in the same stage. Ignored with raised privileges.",
        kind: Kind::LoadFolder,
        default: "",
    },
    Setting::flag(
        "validate",
        "Validate",
        "Validates each module with SPIRV-Tools' validator before the driver gets it, also those of override_dir. A \
         module that is not valid fails with the validator's message, as a shader that cannot be translated \
         does. Only a layer that was built with the cargo feature validate has the validator, and the manifests \
         that scripts/install.sh writes for it offer the setting; for any other the setting is a warning.",
    ),
    Setting::flag(
        "stats",
        "Statistics",
        "Writes a line to the log when a device is destroyed: blobs seen, translations, failures (of parsing, of planning bindings and of \
         translation), cache hits, time, bytes.",
    ),
];
