//! Nodes of work graphs: what the metadata of a node shader declares.
//!
//! In: nothing. Out: plain data, and lines that a person reads. What must hold: names and numbers
//! are those of DXIL 1.8 (HLSL proposal 0028, "New DXIL Metadata").

use std::fmt;
use std::sync::Arc;

use crate::ops::consts::{ComponentType, NodeLaunch};

/// A node in a graph: a name, and an index in an array of nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeId {
    /// The name.
    pub name: Arc<str>,
    /// The index.
    pub index: u32,
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`[{}]", self.name.escape_debug(), self.index)
    }
}

/// The member of a record that has the dispatch grid (`SV_DispatchGrid`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordGrid {
    /// Its first byte.
    pub offset: u32,
    /// The type of its components.
    pub component: ComponentType,
    /// The number of its components.
    pub components: u32,
}

/// An input or an output of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeRecords {
    /// `NodeIOFlags`.
    pub flags: u32,
    /// The node that an output goes to.
    pub node: Option<NodeId>,
    /// The size of a record in bytes.
    pub bytes: u32,
    /// The dispatch grid of a record.
    pub grid: Option<RecordGrid>,
    /// The largest number of records.
    pub most: Option<u32>,
    /// The output with which it shares that number.
    pub shares_most_with: Option<u32>,
    /// The number of nodes in an array of outputs.
    pub array: Option<u32>,
    /// Whether nodes of that array may be missing.
    pub is_sparse: bool,
}

/// What a node shader declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeProperties {
    /// How it is launched.
    pub launch: NodeLaunch,
    /// The node that it is; without one, the node with the name of the function.
    pub node: Option<NodeId>,
    /// Whether the application may give it records.
    pub is_program_entry: bool,
    /// `[numthreads]`.
    pub num_threads: Option<[u32; 3]>,
    /// The index in the table of local root arguments.
    pub local_root_arguments: Option<u32>,
    /// The node whose inputs it shares.
    pub shares_input_of: Option<NodeId>,
    /// The dispatch grid.
    pub grid: Option<[u32; 3]>,
    /// The largest dispatch grid of a record.
    pub most_grid: Option<[u32; 3]>,
    /// The largest number of levels of recursion.
    pub recursion: u32,
    /// The inputs.
    pub inputs: Vec<NodeRecords>,
    /// The outputs.
    pub outputs: Vec<NodeRecords>,
}

impl NodeRecords {
    const READ_WRITE: u32 = 4;
    const EMPTY: u32 = 8;
    const ARRAY: u32 = 0x10;
    const GRANULARITY: u32 = 0x60;

    /// HLSL's name of its type.
    pub fn type_name(&self) -> String {
        let (is_output, empty) = (self.flags & 2 != 0, self.flags & Self::EMPTY != 0);
        let granularity = match self.flags & Self::GRANULARITY {
            0 => "",
            0x20 => "Thread",
            0x40 => "Group",
            _ => "Dispatch",
        };
        if is_output && granularity.is_empty() {
            let array = if self.flags & Self::ARRAY != 0 { "Array" } else { "" };
            return format!("{}NodeOutput{array}", if empty { "Empty" } else { "" });
        }
        if empty {
            return "EmptyNodeInput".to_owned();
        }
        let records = if granularity == "Group" || is_output { "Records" } else { "Record" };
        let (side, writes) = if is_output { ("Output", "") } else { ("Input", "RW") };
        let writes = if self.flags & Self::READ_WRITE != 0 { writes } else { "" };
        format!("{writes}{granularity}Node{side}{records}")
    }
}

impl fmt::Display for NodeRecords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.type_name())?;
        if self.flags & Self::EMPTY == 0 {
            write!(f, ", records of {} bytes", self.bytes)?;
        }
        if let Some(RecordGrid { offset, component, components }) = self.grid {
            write!(f, ", dispatch grid at byte {offset} ({components} x {component})")?;
        }
        if let Some(most) = self.most {
            write!(f, ", at most {most}")?;
        }
        if let Some(output) = self.shares_most_with {
            write!(f, ", together with output {output}")?;
        }
        match self.array {
            None => {}
            Some(u32::MAX) => f.write_str(", an unbounded array of nodes")?,
            Some(nodes) => write!(f, ", an array of {nodes} nodes")?,
        }
        if self.is_sparse { f.write_str(", nodes may be missing") } else { Ok(()) }
    }
}

impl fmt::Display for NodeProperties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "launch: {}", self.launch)?;
        if let Some(node) = &self.node {
            write!(f, ", as node {node}")?;
        }
        if self.is_program_entry {
            f.write_str(", program entry")?;
        }
        if let Some(node) = &self.shares_input_of {
            write!(f, ", shares the input of node {node}")?;
        }
        if self.recursion != 0 {
            write!(f, ", recursion of {} levels", self.recursion)?;
        }
        if let Some(index) = self.local_root_arguments {
            write!(f, ", local root arguments {index}")?;
        }
        for (what, of) in [
            ("thread group", self.num_threads),
            ("dispatch grid", self.grid),
            ("dispatch grid of a record, at most", self.most_grid),
        ] {
            if let Some([x, y, z]) = of {
                write!(f, "\n{what}: {x} x {y} x {z}")?;
            }
        }
        for input in &self.inputs {
            write!(f, "\ninput: {input}")?;
        }
        for (number, output) in self.outputs.iter().enumerate() {
            write!(f, "\noutput {number}")?;
            if let Some(node) = &output.node {
                write!(f, " to node {node}")?;
            }
            write!(f, ": {output}")?;
        }
        Ok(())
    }
}
