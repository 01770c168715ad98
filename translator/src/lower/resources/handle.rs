//! Handles in lowering: the declaration that a handle stands for, and the place that the plan gives
//! it.
//!
//! A handle has no SPIR-V value: it was resolved when the shader was parsed
//! ([`handles`](crate::analysis::handles)), and each use looks it up. So an operation that makes a
//! handle becomes nothing.

use crate::analysis::handles::Handle;
use crate::binding::heap;
use crate::binding::plan::{CounterPlace, Descriptor, Location, PairPlace};
use crate::ir::Value;
use crate::ir::resources::{Resource, ResourceId};
use crate::lower::cx::{Call, Code, FunctionCx, Inputs, Lowered};
use dxil_base::error::{Error, Result};

/// Lowers an operation that makes a handle to nothing: each use looks the handle up.
#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every lowering")]
pub fn deferred<A>(_: &mut FunctionCx<'_, '_>, _: &mut Code<'_, '_>, _: &Call<'_>, _: A) -> Result<Lowered> {
    Ok(Lowered::Virtual)
}

/// The resolved handle of a value.
///
/// # Errors
/// `Unsupported` where the handle comes from a call, or from a phi or `select` of several
/// resources.
pub fn resolve(cx: &FunctionCx<'_, '_>, value: Value) -> Result<Handle> {
    cx.analysis.handles.get(value).copied().ok_or_else(|| refusal(cx, value))
}

/// The error for a handle that was not resolved: it names the resources that the handle may be.
pub fn refusal(cx: &FunctionCx<'_, '_>, value: Value) -> Error {
    let program = cx.input.program;
    let candidates = cx.analysis.handles.candidates(&program.module, &program.resources, cx.function, value);
    let what = match candidates.as_slice() {
        [] => "a handle that does not come from a createHandle operation".to_owned(),
        [one] => format!(
            "a handle that a phi or select chooses from {one}; that is translated only if all its handles are created by \
             one operation and annotated alike"
        ),
        several => format!(
            "a handle that a phi or select chooses from several resources: {}; put them into one array, or into one \
             descriptor heap as the same kind of view",
            several.join(" and ")
        ),
    };
    unsupported!(cx.entry.place, "{what}")
}

/// The resource of a resolved handle.
pub fn declaration<'a>(input: Inputs<'a>, handle: Handle) -> &'a Resource {
    &input.program.resources[handle.resource]
}

/// The place that the plan gives a resource.
///
/// # Errors
/// `Binding` where the plan has no place for it.
pub fn location(input: Inputs<'_>, resource: ResourceId) -> Result<Location> {
    let declared = &input.program.resources[resource];
    if !declared.is_declared() {
        let missing = || binding_error!(declared.place(), "the binding plan has no place for {declared}");
        return heap::view(&input.plan.heaps, declared).ok_or_else(missing);
    }
    match input.plan.resources.get(resource) {
        None => Err(binding_error!(declared.place(), "the binding plan has no place for {declared}")),
        Some(plan) if plan.location == Location::Unused => {
            Err(binding_error!(declared.place(), "the binding plan marks {declared} as unused, but the shader uses it"))
        }
        Some(plan) => Ok(plan.location),
    }
}

/// The place that the plan gives the hidden counter of a UAV; `None` where it has none.
pub fn counter(input: Inputs<'_>, resource: ResourceId) -> Option<CounterPlace> {
    if input.program.resources[resource].is_declared() {
        return input.plan.resources.get(resource)?.counter;
    }
    input.plan.heaps.counters
}

/// Where the plan has the start and the size of a view; `None` where the view is all that its
/// descriptor has.
pub fn range(input: Inputs<'_>, resource: ResourceId) -> Option<PairPlace> {
    let declared = &input.program.resources[resource];
    match declared.is_declared() {
        true => input.plan.resources.get(resource)?.range,
        false => heap::range(&input.plan.heaps, declared),
    }
}

/// The descriptor of a resource, for accesses that are lowered for descriptors alone.
///
/// # Errors
/// `Binding` where the plan has none; `Unsupported` for another place.
pub fn descriptor(input: Inputs<'_>, resource: ResourceId) -> Result<Descriptor> {
    let location = location(input, resource)?;
    location.descriptor().ok_or_else(|| not_lowered(input, resource, &location))
}

/// The error for a place from which a resource is not accessed yet.
pub fn not_lowered(input: Inputs<'_>, resource: ResourceId, place: &Location) -> Error {
    let declared = &input.program.resources[resource];
    unsupported!(declared.place(), "{declared} in {}: resources there are not lowered yet", place.kind())
}
