//! The result of lowering an instruction ([`Lowered`]), and the operation being lowered ([`Call`]).

use crate::ir::{Inst, TypeId, Value};
use crate::ops::OpCode;
use dxil_base::error::{Place, Result};
use dxil_spirv_builder::{Id, OpenBlock};

/// The open block that instructions are appended to.
pub type Code<'m, 'p> = OpenBlock<'m, 'p>;

/// The most components of a vector that is made of scalars.
pub const WIDEST: usize = 4;

/// The result of lowering an instruction.
#[derive(Clone, Copy, Debug, Default)]
pub enum Lowered {
    /// The instruction has no result.
    #[default]
    Nothing,
    /// One SPIR-V value.
    Id(Id),
    /// The leaves of a result structure as a load returns them: the four components of one vector.
    /// Extracting a component takes an instruction, which is emitted only where the component is
    /// used.
    Row(Id),
    /// A component of a vector.
    Component(Component),
    /// The leaves of a structure or array, in order.
    /// [`Locals::parts`](super::locals::Locals::parts) makes it.
    Parts(Parts),
    /// A handle or pointer, which is resolved where it is used.
    Virtual,
}

/// A component of a vector. It becomes a value of its own where it is first used as one.
#[derive(Clone, Copy, Debug)]
pub struct Component {
    /// The vector.
    pub vector: Id,
    /// The component's number.
    pub index: u8,
    /// The value of its own.
    pub value: Option<Id>,
}

/// A leaf of a structure or array.
#[derive(Clone, Copy, Debug)]
pub enum Leaf {
    /// One SPIR-V value.
    Value(Id),
    /// A component of a vector, which becomes a value of its own where it is used as one.
    Component(Id, u8),
}

impl Leaf {
    /// The leaf as a value of its own.
    pub fn value(self, code: &mut Code<'_, '_>) -> Id {
        match self {
            Leaf::Value(id) => id,
            Leaf::Component(vector, index) => code.component(vector, index.into()),
        }
    }
}

/// The vector that some leaves are all components of, or a shuffle of it. `None` if they are of
/// several, or values of their own.
pub fn vector_of_leaves(code: &mut Code<'_, '_>, leaves: &[Leaf]) -> Option<Id> {
    let mut indexes = [0; WIDEST];
    let indexes = indexes.get_mut(..leaves.len())?;
    let &Leaf::Component(vector, _) = leaves.first()? else { return None };
    for (index, leaf) in indexes.iter_mut().zip(leaves) {
        *index = match *leaf {
            Leaf::Component(whole, index) if whole == vector => index.into(),
            _ => return None,
        };
    }
    let (scalar, size) = code.scalar(code.type_of(vector)?);
    if indexes.len() == size as usize && (0..).zip(&*indexes).all(|(n, &index)| n == index) {
        return Some(vector);
    }
    if indexes.len() < 2 {
        return None;
    }
    let ty = code.type_vector(scalar, indexes.len() as u32);
    Some(code.shuffle(ty, vector, vector, indexes))
}

impl From<Leaf> for Lowered {
    fn from(leaf: Leaf) -> Self {
        match leaf {
            Leaf::Value(id) => Lowered::Id(id),
            Leaf::Component(vector, index) => Lowered::Component(Component { vector, index, value: None }),
        }
    }
}

/// A range of leaves in the pool of a [`FunctionCx`](super::FunctionCx).
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    pub start: u32,
    pub len: u32,
}

/// The DXIL operation that is being lowered.
#[derive(Clone, Copy)]
pub struct Call<'f> {
    /// The operation.
    pub op: OpCode,
    /// The instruction.
    pub inst: Inst,
    /// Whether it carries `!dx.precise`.
    pub precise: bool,
    /// Its operands, without the opcode.
    pub args: &'f [Value],
    /// The type of the result, if the operation has one.
    pub ty: Option<TypeId>,
    /// Place of the instruction, for errors.
    pub place: Place,
}

impl Call<'_> {
    /// The type of the result, for operations that always have one.
    pub fn ty(&self) -> Result<TypeId> {
        self.ty.ok_or_else(|| bug!(self.place, "operation {} has no result", self.op))
    }
}
