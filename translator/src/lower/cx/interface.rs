//! The interface of an entry point, as far as it is declared.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use rspirv::spirv::StorageClass;

/// The components that a variable of the interface takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterfaceComponents {
    /// The storage class of the variable.
    pub class: StorageClass,
    /// Its locations.
    pub rows: Range<u32>,
    /// Its components in each of them.
    pub columns: Range<u32>,
}

impl InterfaceComponents {
    fn meet(&self, other: &Self) -> bool {
        let meet = |a: &Range<u32>, b: &Range<u32>| a.start < b.end && b.start < a.end;
        self.class == other.class && meet(&self.rows, &other.rows) && meet(&self.columns, &other.columns)
    }
}

/// Variables of shader calls whose locations are numbered together.
#[derive(Clone, Copy, Debug)]
pub enum Passing {
    /// Payloads of rays.
    Payload,
    /// Parameters of callable shaders.
    Parameter,
}

/// The place of an output in a buffer that it is also written to.
#[derive(Clone, Copy, Debug)]
pub struct Captured {
    /// The stream of a geometry shader.
    pub stream: u32,
    /// The number of the buffer.
    pub buffer: u32,
    /// The first byte in a vertex.
    pub offset: u32,
    /// The bytes of a vertex.
    pub stride: u32,
    /// The bytes of the output.
    pub size: u32,
}

/// What the interface has so far.
#[derive(Debug, Default)]
pub struct Interface {
    /// The elements of the output signature that are also written to buffers.
    pub captured: BTreeMap<u32, Captured>,
    taken: Vec<InterfaceComponents>,
    payloads: u32,
    parameters: u32,
    /// The elements of the input signature that are known to have an output of the mesh shader.
    pub linked: BTreeSet<u32>,
}

impl Interface {
    /// Takes components for a variable. Says whether they were free: elements must not overlap
    /// (SPIR-V, "Location").
    pub fn take(&mut self, components: InterfaceComponents) -> bool {
        let free = !self.taken.iter().any(|other| other.meet(&components));
        if free {
            self.taken.push(components);
        }
        free
    }

    /// The next location of a variable of shader calls.
    pub fn next(&mut self, passing: Passing) -> u32 {
        let next = match passing {
            Passing::Payload => &mut self.payloads,
            Passing::Parameter => &mut self.parameters,
        };
        *next += 1;
        *next - 1
    }
}
