//! What later blocks of a module need of those before.

use foldhash::HashMap;

use crate::attributes::{Attribute, AttributeSlot};
use crate::pool::List;
use crate::stream::BlockStart;
use crate::values::{FunctionId, ValueId};

/// A name that is resolved when the string table has been read.
#[derive(Clone, Copy, Debug)]
pub(super) struct PendingName {
    pub value: ValueId,
    pub offset: u64,
    pub size: u64,
    pub bit: u64,
}

/// Groups by their id. The map is never iterated, so results do not depend on hash order.
#[derive(Debug, Default)]
pub(super) struct Groups {
    pub by_id: HashMap<u64, List<(AttributeSlot, Attribute)>>,
    /// Number of attributes in all groups, where an empty group counts as one.
    pub grouped: usize,
    /// Number of attributes in all lists. It is checked against a limit, because many lists may
    /// share a group.
    pub total: usize,
}

/// What later blocks of the module need of those before.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub groups: Groups,
    /// The names that the string table has.
    pub names: Vec<PendingName>,
    /// Metadata blocks that begin with the names of kinds, which are not read yet.
    pub kinds: Vec<BlockStart>,
    /// Functions whose bodies are not read yet, in order. Bodies have the same order.
    pub defined: Vec<FunctionId>,
    pub bodies: Vec<BlockStart>,
    /// The blocks of a body that are read after its instructions.
    pub later: Vec<BlockStart>,
}

impl Lists {
    /// Nothing has been read.
    pub fn clear(&mut self) {
        let Self { groups: Groups { by_id, grouped, total }, names, kinds, defined, bodies, later } = self;
        by_id.clear();
        (*grouped, *total) = (0, 0);
        names.clear();
        kinds.clear();
        defined.clear();
        bodies.clear();
        later.clear();
    }
}
