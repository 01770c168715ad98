//! Root arguments: buffers that are reached by their addresses, and how root constants are
//! declared.

use dxil_spirv_builder::disassemble;
use dxil_test_support::fixture;
use dxil_test_support::spirv::count;
use dxil_translator::{
    BindingOptions, BindingPlan, DeviceProfile, EntryId, Error, ErrorKind, Feature, Model, Options, PipelineStage,
    PlanInputs, RootDescriptors, Shader, VULKAN_1_3_DESKTOP, plan, translate,
};

fn shader(name: &str) -> Shader {
    Shader::parse(&fixture(&format!("{name}.dxil"))).unwrap()
}

/// The text of a fixture's module whose root descriptors are addresses.
fn by_address(fixture: &str, profile: &DeviceProfile) -> Result<String, Error> {
    let shader = shader(fixture);
    let entry = EntryId::FIRST;
    let mut options = BindingOptions::default();
    options.root_descriptors = RootDescriptors::Address;
    let inputs = PlanInputs::new(profile).with_options(options);
    let plan = plan(&[PipelineStage::new(&shader, entry)], &inputs)?;
    let words = translate(&shader, entry, &plan.stages[0], &Options::new(profile.clone()))?.words;
    Ok(disassemble(&words).unwrap())
}

#[test]
fn each_access_at_an_address_states_its_alignment() {
    let text = by_address("rootsig/addresses", &VULKAN_1_3_DESKTOP).unwrap();
    assert!(text.contains("OpMemoryModel PhysicalStorageBuffer64 GLSL450"), "{text}");
    assert_eq!(count(&text, "OpCapability PhysicalStorageBufferAddresses"), 1, "{text}");
    // An address is a pair of words, so 64-bit integers are not needed.
    assert_eq!(count(&text, "OpCapability Int64"), 0, "{text}");
    // Results of access chains whose type is a pointer into physical memory.
    let defined = |line: &str| line.split(' ').next().unwrap().to_owned();
    let pointers: Vec<String> =
        text.lines().filter(|line| line.contains("OpTypePointer PhysicalStorageBuffer")).map(defined).collect();
    let chains = text.lines().filter(|line| line.contains("OpAccessChain"));
    let physical: Vec<String> = chains
        .filter(|line| pointers.contains(&line.split_whitespace().nth(3).unwrap().to_owned()))
        .map(defined)
        .collect();
    assert!(physical.len() > 10, "{physical:?}");
    for pointer in physical {
        let named = |line: &&str| line.split_whitespace().any(|word| word == pointer);
        for access in text.lines().filter(named).filter(|line| line.contains("OpLoad") || line.contains("OpStore")) {
            // Rows of a constant buffer, whose address is a multiple of 256; words of the others.
            assert!(access.ends_with("Aligned 16") || access.ends_with("Aligned 4"), "{access}");
        }
    }
    // Rows 1, 3, 0 and a computed one.
    assert_eq!(count(&text, "Aligned 16"), 4, "{text}");
    assert_eq!(count(&text, "OpArrayLength"), 0, "an address has no bounds\n{text}");
}

/// The decorations of members, by name.
fn members(text: &str, what: &str) -> usize {
    text.lines().filter(|line| line.starts_with("OpMemberDecorate") && line.ends_with(what)).count()
}

/// Decorations are on members, because there is no variable.
#[test]
fn memory_at_an_address_says_what_happens_to_it() {
    let text = by_address("rootsig/addresses", &VULKAN_1_3_DESKTOP).unwrap();
    // b1, t1 and t2 are not written; u0 is not read, u1 is both. t1 is read by aligned vectors of
    // four words, whose array has the type of b1's rows.
    let found = ["NonWritable", "NonReadable", "Coherent"].map(|what| members(&text, what));
    assert_eq!(found, [2, 1, 0], "{text}");
    let text = by_address("rootsig/addresses_atomics", &dxil_translator::lavapipe()).unwrap();
    // t0 is not written; it is declared twice, as words and as pairs of them, which numbers of 64
    // bits are. After a barrier of memory, u0, u1 and u2 are read by threads that did not write
    // them; u2 is declared twice, as halves and as pairs of words.
    let found = ["NonWritable", "NonReadable", "Coherent"].map(|what| members(&text, what));
    assert_eq!(found, [2, 0, 4], "{text}");
}

#[test]
fn addresses_need_their_feature() {
    let mut profile = VULKAN_1_3_DESKTOP;
    profile.features.set(Feature::BufferDeviceAddress, false);
    let error = by_address("rootsig/addresses", &profile).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MissingFeature(Feature::BufferDeviceAddress), "{error}");
    assert!(error.message().contains("VkPhysicalDeviceBufferDeviceAddressFeatures::bufferDeviceAddress"), "{error}");
    // SPIR-V before 1.5 has addresses by an extension.
    profile.features.set(Feature::BufferDeviceAddress, true);
    profile.spirv = (1, 3);
    let text = by_address("rootsig/addresses", &profile).unwrap();
    assert!(text.contains("OpExtension \"SPV_KHR_physical_storage_buffer\""), "{text}");
}

#[test]
fn a_buffer_at_an_address_has_no_size() {
    let shader = shader("buffer/dimensions");
    let profile = VULKAN_1_3_DESKTOP;
    let options = BindingOptions::new(Model::Register, "t=100,u=200".parse().unwrap());
    let inputs = PlanInputs::new(&profile).with_options(options);
    let default = plan(&[PipelineStage::new(&shader, EntryId::FIRST)], &inputs).unwrap().stages[0].to_string();
    for (register, resource) in [("t0", "ByteAddressBuffer"), ("t1", "StructuredBuffer")] {
        let key = format!("\"{register} space0\".");
        let kept = default.lines().filter(|line| !line.starts_with(&key) && !line.starts_with("push"));
        let text: Vec<String> = kept.map(str::to_owned).chain([format!("{key}address.push = 0")]).collect();
        let plan = BindingPlan::parse(&text.join("\n"), &shader.program().resources).unwrap();
        let error = translate(&shader, EntryId::FIRST, &plan, &Options::new(profile.clone())).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
        assert!(error.message().starts_with(&format!("the size of {register} space0 {resource}")), "{error}");
        assert!(error.message().contains("an address has no size; declare a binding"), "{error}");
    }
}

/// The members of the push-constant block.
fn pushed(text: &str) -> Vec<&str> {
    let after = |line: &'_ str, what: &str| line.split_once(what).map(|(_, rest)| rest.trim().to_owned());
    let block = text.lines().find_map(|line| after(line, "= OpTypePointer PushConstant %")).unwrap();
    let head = format!("%{block} = OpTypeStruct ");
    text.lines().find_map(|line| line.strip_prefix(&head)).unwrap().split(' ').collect()
}

/// A root constant is a member of its own, and a part of an array of words only where the shader
/// computes an index.
#[test]
fn root_constants_are_members_unless_they_are_indexed() {
    let text = by_address("rootsig/constants_descriptors", &VULKAN_1_3_DESKTOP).unwrap();
    // Four constants of one word, and two addresses, which are pairs of words.
    let members = pushed(&text);
    assert_eq!(members.len(), 6, "{text}");
    let (word, pair) = (members[0], members[4]);
    assert_eq!(members, [word, word, word, word, pair, pair], "{text}");
    assert!(text.contains(&format!("{word} = OpTypeInt 32 0")), "{text}");
    assert!(text.contains(&format!("{pair} = OpTypeVector {word} 2")), "{text}");
    // Only the words of a row that the shader takes are loaded: a, b, c and d.
    assert_eq!(count(&text, "OpSelect"), 0, "{text}");
    let indexed = by_address("rootsig/constants_dynamic", &VULKAN_1_3_DESKTOP).unwrap();
    let members = pushed(&indexed);
    assert_eq!(members.len(), 2, "{indexed}");
    assert!(indexed.contains(&format!("{} = OpTypeArray ", members[0])), "{indexed}");
}

/// A constant at a byte offset is one access, wherever it is.
#[test]
fn a_constant_at_a_byte_offset_is_one_access() {
    let text = by_address("rootsig/byte_offsets", &VULKAN_1_3_DESKTOP).unwrap();
    assert_eq!(count(&text, "OpVectorExtractDynamic"), 0, "{text}");
    // At the address: four words of `far`, two of `wide`, and `tail`.
    assert_eq!(count(&text, "Aligned 4"), 7, "{text}");
    // Five words of root constants at a computed place, each with two choices: an index that is
    // inside, and zero for one that is not.
    assert_eq!(count(&text, "OpSelect"), 10, "{text}");
    // Beside those at the address and the address itself: the thread's number, the five words,
    // `ninth` and `rest.y`, the two words of `pairs`, and four words of `near` and two of `other`.
    assert_eq!(count(&text, "= OpLoad "), 7 + 1 + 1 + 5 + 2 + 2 + 6, "{text}");
}
