//! The switchable steps of structuring.

/// Treatment of exits to cheap blocks. A block is cheap if it has no instruction and at most one
/// successor, or if it is a short return.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Terminals {
    /// An exit that would need a selector runs a copy of the block instead.
    #[default]
    Copy,
    /// The block is emitted once, like all others.
    Share,
}

/// Treatment of a switch that contains tangled operations. SPIR-V does not define which lanes run
/// the cases of `OpSwitch` together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TangledSwitch {
    /// It becomes a chain of two-way branches.
    #[default]
    Chain,
    /// It stays a switch.
    Switch,
}

/// Where an exit region is placed: a block that leaves a loop, with all blocks that only it leads
/// to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ExitRegions {
    /// In the loop, in the arm that leads to the region, if the loop has several exits and the
    /// region is small and has no tangled operation.
    #[default]
    Inline,
    /// After the loop.
    After,
}

/// Treatment of a switch target that another target runs into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fallthrough {
    /// It becomes the next arm of the switch, if SPIR-V allows that and the switch contains no
    /// tangled operation.
    #[default]
    Native,
    /// It is placed after the switch, guarded by a selector.
    Selector,
}

/// Treatment of guards: the branches that test a selector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Guards {
    /// Neighbouring guards become the arms of one branch. A guard that chooses between two labels
    /// tests a boolean. A branch that only sets this boolean is removed, and its condition becomes
    /// the boolean's value.
    #[default]
    Fold,
    /// They stay as they are.
    Plain,
}

/// Treatment of a branch whose two targets both leave a loop or continue it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Leaving {
    /// It has no merge instruction.
    #[default]
    Direct,
    /// It has a merge instruction, and one of its edges goes through the merge.
    Selection,
}

/// Treatment of a loop that has several entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Irreducible {
    /// It is entered through a dispatch block with a selector.
    #[default]
    Dispatch,
    /// It is refused. DXIL forbids such loops, so the fault lies before structuring.
    Refuse,
}

/// The switchable steps. Each changes the form of the result, and never which blocks run or in
/// which order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// Cheap terminals.
    pub terminals: Terminals,
    /// Switches with tangled operations.
    pub tangled_switch: TangledSwitch,
    /// Exit regions of loops.
    pub exit_regions: ExitRegions,
    /// Switch targets that run into one another.
    pub fallthrough: Fallthrough,
    /// Tests of selectors.
    pub guards: Guards,
    /// Branches that leave loops.
    pub leaving: Leaving,
    /// Loops with several entries.
    pub irreducible: Irreducible,
}
