//! Counters of UAVs in the resource heap that are words at addresses: what the module does before
//! it accesses one, and what it needs.

use dxil_spirv_builder::disassemble;
use dxil_test_support::fixture;
use dxil_test_support::spirv::count;
use dxil_translator::{
    BindingOptions, DeviceProfile, EntryId, Error, ErrorKind, Feature, HeapCounters, HeapSets, Model, Options,
    PipelineStage, PlanInputs, RegisterShifts, Shader, VULKAN_1_3_DESKTOP, plan, translate,
};

fn profile() -> DeviceProfile {
    let mut profile = VULKAN_1_3_DESKTOP;
    profile.features.set(Feature::MutableDescriptorType, true);
    profile
}

/// The text of the fixture's module with counters in this form.
fn text(heap_counters: HeapCounters, profile: &DeviceProfile) -> Result<String, Error> {
    let shader = Shader::parse(&fixture("heaps/counters.dxil")).unwrap();
    let mut options = BindingOptions::new(Model::Register, RegisterShifts::default());
    let mut sets = HeapSets::default();
    (sets.resources, sets.counters) = (Some(1), Some(2));
    (options.heap_sets, options.heap_counters) = (sets, heap_counters);
    let stages = [PipelineStage::new(&shader, EntryId::FIRST)];
    let plan = plan(&stages, &PlanInputs::new(profile).with_options(options))?;
    let words = translate(&shader, EntryId::FIRST, &plan.stages[0], &Options::new(profile.clone()))?.words;
    Ok(disassemble(&words).unwrap())
}

/// Each of the six updates checks its index and its address, also where the driver checks the
/// bounds of buffers: what a load outside the buffer gives would be accessed.
#[test]
fn an_update_checks_index_and_address() {
    let (descriptors, addresses) = (HeapCounters::Descriptor, HeapCounters::Address);
    let [before, after] = [descriptors, addresses].map(|form| text(form, &profile()).unwrap());
    let added = |what: &str| count(&after, what) - count(&before, what);
    assert_eq!(added("OpArrayLength"), 6, "{after}");
    assert_eq!(added("OpAny"), 6, "{after}");
    assert_eq!(added("OpSelectionMerge"), 12, "{after}");
    assert_eq!(count(&after, "OpAtomicIAdd"), count(&before, "OpAtomicIAdd"), "{after}");
    assert_eq!(added("OpCapability PhysicalStorageBufferAddresses"), 1, "{after}");
    // Nothing writes to the buffer of addresses, which a stage without stores may say only so
    // (VUID-RuntimeSpirv-NonWritable-06340).
    assert_eq!(added("NonWritable"), 1, "{after}");
    // An address is a pair of words, so 64-bit integers are not needed.
    assert_eq!(count(&after, "OpCapability Int64"), 0, "{after}");
}

#[test]
fn addresses_of_counters_need_their_feature() {
    let mut without = profile();
    without.features.set(Feature::BufferDeviceAddress, false);
    let error = text(HeapCounters::Address, &without).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MissingFeature(Feature::BufferDeviceAddress), "{error}");
    assert!(error.message().contains("VkPhysicalDeviceBufferDeviceAddressFeatures::bufferDeviceAddress"), "{error}");
    assert!(text(HeapCounters::Descriptor, &without).is_ok());
}
