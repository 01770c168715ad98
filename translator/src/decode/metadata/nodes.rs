//! The metadata of nodes of work graphs (HLSL proposal 0028, "New DXIL Metadata").

use super::reader::{MetadataNode, numbers};
use crate::ir::nodes::{NodeId, NodeProperties, NodeRecords, RecordGrid};
use dxil_base::error::{Place, Result};
use dxil_base::limits;

/// Reads one tag of an entry point's properties, if it is one of a node.
///
/// # Errors
/// `Malformed` for a value of another type; `Unsupported` for an unknown kind of launch.
pub(super) fn property(node: &mut NodeProperties, list: &MetadataNode<'_>, tag: u32, at: usize) -> Result<()> {
    match tag {
        13 => node.launch = list.constant(at, "kind of launch")?,
        14 => node.is_program_entry = list.flag(at)?,
        15 => node.node = Some(id(list, at)?),
        16 => node.local_root_arguments = Some(list.u32(at)?).filter(|&index| index != u32::MAX),
        17 => node.shares_input_of = Some(id(list, at)?),
        18 => node.grid = Some(numbers(list, at, "dispatch grid")?),
        19 => node.recursion = list.u32(at)?,
        20 => node.inputs = records(list, at, "inputs of a node")?,
        21 => node.outputs = records(list, at, "outputs of a node")?,
        22 => node.most_grid = Some(numbers(list, at, "largest dispatch grid")?),
        _ => {}
    }
    Ok(())
}

fn id(list: &MetadataNode<'_>, at: usize) -> Result<NodeId> {
    let id = list.list(at, "node of a work graph")?;
    Ok(NodeId { name: id.string(0)?, index: id.u32(1)? })
}

fn records(list: &MetadataNode<'_>, at: usize, what: &'static str) -> Result<Vec<NodeRecords>> {
    let all = list.list(at, what)?;
    limits::check(Place::Input, what, all.len(), limits::METADATA_TAGS)?;
    (0..all.len()).map(|number| one(&all.list(number, what)?)).collect()
}

fn one(list: &MetadataNode<'_>) -> Result<NodeRecords> {
    let mut made = NodeRecords::default();
    list.tags(|tag, at| {
        match tag {
            0 => made.node = Some(id(list, at)?),
            1 => made.flags = list.u32(at)?,
            2 => record(&list.list(at, "record of a node")?, &mut made)?,
            3 => made.most = Some(list.u32(at)?).filter(|&most| most != 0),
            4 => made.shares_most_with = Some(list.u32(at)?),
            5 => made.array = Some(list.u32(at)?).filter(|&nodes| nodes != 0),
            6 => made.is_sparse = list.flag(at)?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(made)
}

fn record(list: &MetadataNode<'_>, made: &mut NodeRecords) -> Result<()> {
    list.tags(|tag, at| {
        match tag {
            0 => made.bytes = list.u32(at)?,
            1 => {
                let grid = list.list(at, "dispatch grid of a record")?;
                let component = grid.constant(1, "component type")?;
                made.grid = Some(RecordGrid { offset: grid.u32(0)?, component, components: grid.u32(2)? });
            }
            _ => {}
        }
        Ok(())
    })
}
