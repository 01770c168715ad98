//! Functions of parsed blobs.

use std::ffi::{c_char, c_void};
use std::io::Write as _;

use crate::abi::{
    Callback, CbvBinding, Code, D3dBinding, NodeData, RdatSubobject, STAGE_UNKNOWN, SrvBinding, UavBinding,
    UavD3dBinding, VulkanBinding,
};
use crate::blob::{ParsedBlob, no_node};
use crate::border::{self, Answer, Failure, Out, attempt, given, guard};
use crate::remap::{self, Remapper, Remappers};

/// Hands an object to the program.
fn hand<T>(out: Out<*mut T>, object: T) -> Answer {
    // A null pointer must not cost the object.
    out.write(std::ptr::null_mut())?;
    out.write(Box::into_raw(Box::new(object)))
}

/// Parses a container.
///
/// # Safety
/// `data` is null or points to `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parse_dxil_blob(
    data: *const c_void,
    size: usize,
    blob: Out<*mut ParsedBlob>,
) -> Code {
    // SAFETY: the caller has the same contract.
    guard(|| hand(blob, ParsedBlob::parse(unsafe { border::bytes(data, size) }?)?))
}

/// Parses bare bitcode.
///
/// # Safety
/// `data` is null or points to `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parse_dxil(data: *const c_void, size: usize, blob: Out<*mut ParsedBlob>) -> Code {
    // SAFETY: the caller has the same contract.
    guard(|| hand(blob, ParsedBlob::parse(unsafe { border::bytes(data, size) }?)?))
}

/// Parses a container that has names for reflection.
///
/// # Safety
/// `data` is null or points to `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parse_reflection_dxil_blob(
    data: *const c_void,
    size: usize,
    blob: Out<*mut ParsedBlob>,
) -> Code {
    // SAFETY: the caller has the same contract.
    guard(|| hand(blob, ParsedBlob::parse_reflection(unsafe { border::bytes(data, size) }?)?))
}

/// Frees a blob.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_parsed_blob_free(blob: Option<Box<ParsedBlob>>) {
    let _ = attempt(|| {
        drop(blob);
        Ok(())
    });
}

/// Prints the shader on standard output.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_parsed_blob_dump_llvm_ir(blob: Option<&ParsedBlob>) {
    let _ = attempt(|| {
        let failed = |error: std::io::Error| Failure::new(Code::Generic, error.to_string());
        std::io::stdout().write_all(given(blob)?.disassembly()?.as_bytes()).map_err(failed)
    });
}

/// Gives the shader as text.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_parsed_blob_get_disassembled_ir(
    blob: Option<&ParsedBlob>,
    text: Out<*const c_char>,
) -> Code {
    guard(|| text.write(given(blob)?.disassembly()?.as_ptr()))
}

/// Gives the bitcode.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_parsed_blob_get_raw_ir(
    blob: Option<&ParsedBlob>,
    data: Out<*const c_void>,
    size: Out<usize>,
) -> Code {
    guard(|| {
        let (pointer, length) = given(blob)?.bitcode_pointer();
        data.write(pointer)?;
        size.write(length)
    })
}

/// Gives the stage of the shader; unknown for a library.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_parsed_blob_get_shader_stage(blob: Option<&ParsedBlob>) -> i32 {
    let stage = |blob: &ParsedBlob| match blob.foreign() {
        Some(foreign) => foreign.library.parsed_blob_get_shader_stage(foreign.handle),
        None => blob.stage(),
    };
    attempt(|| Ok(stage(given(blob)?))).unwrap_or(STAGE_UNKNOWN)
}

/// Gives the stage of an entry point; unknown if there is none of the name.
///
/// # Safety
/// `entry` is null or a C text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parsed_blob_get_shader_stage_for_entry(
    blob: Option<&ParsedBlob>,
    entry: *const c_char,
) -> i32 {
    let stage = attempt(|| {
        let blob = given(blob)?;
        // SAFETY: the caller has the same contract.
        let name = unsafe { border::text(entry) }?;
        Ok(match blob.foreign() {
            Some(foreign) => foreign.library.parsed_blob_get_shader_stage_for_entry(foreign.handle, entry),
            None => blob.stage_of(name),
        })
    });
    stage.unwrap_or(STAGE_UNKNOWN)
}

/// Gives the number of entry points.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_parsed_blob_get_num_entry_points(blob: Option<&ParsedBlob>, count: Out<u32>) -> Code {
    guard(|| {
        let blob = given(blob)?;
        match blob.foreign() {
            Some(foreign) => {
                border::original(foreign.library.parsed_blob_get_num_entry_points(foreign.handle, count.pointer()?))
            }
            None => count.write(blob.entry_count() as u32),
        }
    })
}

/// Gives the mangled name of an entry point.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_parsed_blob_get_entry_point_name(
    blob: Option<&ParsedBlob>,
    index: u32,
    name: Out<*const c_char>,
) -> Code {
    guard(|| {
        let blob = given(blob)?;
        match blob.foreign() {
            Some(foreign) => border::original(foreign.library.parsed_blob_get_entry_point_name(
                foreign.handle,
                index,
                name.pointer()?,
            )),
            None => name.write(blob.mangled_name(index as usize)?),
        }
    })
}

/// Gives the name of an entry point in the source.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_parsed_blob_get_entry_point_demangled_name(
    blob: Option<&ParsedBlob>,
    index: u32,
    name: Out<*const c_char>,
) -> Code {
    guard(|| {
        let blob = given(blob)?;
        match blob.foreign() {
            Some(foreign) => border::original(foreign.library.parsed_blob_get_entry_point_demangled_name(
                foreign.handle,
                index,
                name.pointer()?,
            )),
            None => name.write(blob.plain_name(index as usize)?),
        }
    })
}

/// Gives the index of an entry point by one of its names.
///
/// # Safety
/// `name` is null or a C text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_spv_parsed_blob_get_entry_index_by_name(
    blob: Option<&ParsedBlob>,
    name: *const c_char,
    index: Out<u32>,
) -> Code {
    guard(|| {
        let blob = given(blob)?;
        // SAFETY: the caller has the same contract.
        let text = unsafe { border::text(name) }?;
        match blob.foreign() {
            Some(foreign) => {
                let (library, handle) = (foreign.library, foreign.handle);
                border::original(library.parsed_blob_get_entry_index_by_name(handle, name, index.pointer()?))
            }
            None => index.write(blob.find(text)? as u32),
        }
    })
}

/// Says what a node of a work graph reads; nothing that is translated here is one.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_parsed_blob_get_entry_point_node_input(
    blob: Option<&ParsedBlob>,
    index: u32,
    data: Out<NodeData>,
) -> Code {
    guard(|| {
        let blob = given(blob)?;
        match blob.foreign() {
            Some(foreign) => border::original(foreign.library.parsed_blob_get_entry_point_node_input(
                foreign.handle,
                index,
                data.pointer()?.cast(),
            )),
            None => blob.entry(index as usize).and_then(|_| Err(no_node())),
        }
    })
}

/// Gives the number of outputs of a node of a work graph; nothing that is translated here is one.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_parsed_blob_get_entry_point_num_node_outputs(
    blob: Option<&ParsedBlob>,
    index: u32,
    count: Out<u32>,
) -> Code {
    guard(|| {
        let blob = given(blob)?;
        if let Some(foreign) = blob.foreign() {
            let (library, handle) = (foreign.library, foreign.handle);
            return border::original(library.parsed_blob_get_entry_point_num_node_outputs(
                handle,
                index,
                count.pointer()?,
            ));
        }
        blob.entry(index as usize)?;
        count.write(0)
    })
}

/// Says what a node of a work graph writes; nothing that is translated here is one.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_parsed_blob_get_entry_point_node_output(
    blob: Option<&ParsedBlob>,
    index: u32,
    output: u32,
    data: Out<NodeData>,
) -> Code {
    guard(|| {
        let blob = given(blob)?;
        match blob.foreign() {
            Some(foreign) => border::original(foreign.library.parsed_blob_get_entry_point_node_output(
                foreign.handle,
                index,
                output,
                data.pointer()?.cast(),
            )),
            None => blob.entry(index as usize).and_then(|_| Err(no_node())),
        }
    })
}

/// Gives the number of subobjects that a library declares.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_parsed_blob_get_num_rdat_subobjects(blob: Option<&ParsedBlob>) -> u32 {
    let count = |blob: &ParsedBlob| match blob.foreign() {
        Some(foreign) => foreign.library.parsed_blob_get_num_rdat_subobjects(foreign.handle),
        None => blob.subobjects().len() as u32,
    };
    attempt(|| Ok(count(given(blob)?))).unwrap_or_default()
}

/// Gives a subobject.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_parsed_blob_get_rdat_subobject(
    blob: Option<&ParsedBlob>,
    index: u32,
    subobject: Out<RdatSubobject>,
) {
    let _ = attempt(|| {
        let blob = given(blob)?;
        if let Some(foreign) = blob.foreign() {
            foreign.library.parsed_blob_get_rdat_subobject(foreign.handle, index, subobject.pointer()?);
            return Ok(());
        }
        let found = blob.subobjects().get(index as usize);
        subobject.write(found.ok_or_else(|| Failure::argument("the library does not have the subobject"))?)
    });
}

/// Calls back for each resource that the shader declares.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_parsed_blob_scan_resources(
    blob: Option<&ParsedBlob>,
    srv: Callback<D3dBinding, SrvBinding>,
    sampler: Callback<D3dBinding, VulkanBinding>,
    cbv: Callback<D3dBinding, CbvBinding>,
    uav: Callback<UavD3dBinding, UavBinding>,
    user: *mut c_void,
) -> Code {
    guard(|| {
        let remappers = Remappers {
            srv: Remapper::new(srv, user),
            uav: Remapper::new(uav, user),
            cbv: Remapper::new(cbv, user),
            sampler: Remapper::new(sampler, user),
        };
        let program = given(blob)?.shader()?.program();
        for resource in program.resources.values().filter(|resource| resource.is_declared()) {
            if !remappers.tells(remap::question(program.kind, resource), resource) {
                return Err(Failure::new(Code::Generic, format!("the program has no place for {resource}")));
            }
        }
        Ok(())
    })
}
