//! Lines, and values of variables, between the instructions of a function.

use foldhash::HashMap;

use crate::ir::debug::{
    DebugInfo, FunctionDebug, LocationId, NESTING, Point, SourceTypeId, SourceTypeKind, VariableId, VariableValue,
};
use crate::ir::{Block, Inst, Type, TypeId, Value};
use crate::lower::cx::{Code, FunctionCx, Inputs, Lowered, SourceIds};
use dxil_base::error::Result;
use dxil_spirv_builder::{DebugOp, Id, Line, Module};

/// Most numbers of a part of a variable that are declared. Each needs an instruction in the code.
const DECLARED: u32 = 256;

/// What is written of the source of one function.
pub struct SourceCode<'a> {
    ids: &'a SourceIds<'a>,
    debug: &'a FunctionDebug,
    /// The values of variables, in the order of their points.
    values: Vec<VariableValue>,
    /// Variables in memory by their allocas, which no instruction has accessed yet.
    waiting: HashMap<Value, Vec<VariableValue>>,
    /// How many allocas with a variable were looked at.
    declared: usize,
    /// Values of variables by what they are, which is computed later: the compiler moves
    /// instructions behind the points at which it says that a variable has their results.
    late: HashMap<Value, Vec<usize>>,
    /// The last value of each variable, or of a part of it, by its number in `values`.
    latest: HashMap<VariableBits, usize>,
    /// The instruction before.
    previous: Option<Inst>,
    /// The place of the last instruction.
    last: Option<LocationId>,
}

/// A part of a variable: the variable, the call that it was inlined by, and its bits.
type VariableBits = (VariableId, Option<LocationId>, Option<(u32, u32)>);

/// The order of points that lists of values have.
fn key(point: Point) -> (bool, usize) {
    use dxil_base::entity::Entity;
    match point {
        Point::Before(inst) => (false, inst.index()),
        Point::End(block) => (true, block.index()),
    }
}

impl<'a> SourceCode<'a> {
    /// `None` if nothing of the source is written.
    pub fn new(cx: &FunctionCx<'_, 'a>) -> Option<Self> {
        let (ids, debug) = (cx.input.source?, cx.function.debug.as_deref()?);
        let mut values = Vec::new();
        if ids.scoped.is_some() {
            values.clone_from(&debug.values);
            values.sort_by_key(|value| key(value.point));
        }
        let (waiting, late, latest) = (HashMap::default(), HashMap::default(), HashMap::default());
        Some(Self { ids, debug, values, waiting, declared: 0, late, latest, previous: None, last: None })
    }

    /// Says which function of the source follows.
    pub fn begin(&self, cx: &FunctionCx<'_, '_>, code: &mut Code<'_, '_>, function: Id) {
        if let Some(scoped) = &self.ids.scoped
            && let Some(scope) = self.ids.info.functions[cx.func]
        {
            code.debug(DebugOp::DebugFunctionDefinition, &[scoped.scopes[scope], function]);
        }
    }

    /// The place of an instruction, and the values that variables have before it.
    ///
    /// # Errors
    /// `Limit` if the module grows too long.
    pub fn before(&mut self, cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, inst: Inst) -> Result<()> {
        self.at(cx, code, Point::Before(inst), self.debug.insts[inst])
    }

    /// The place of a terminator, and the values that variables have before it.
    ///
    /// # Errors
    /// `Limit` if the module grows too long.
    pub fn end(&mut self, cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, block: Block) -> Result<()> {
        self.at(cx, code, Point::End(block), self.debug.terminators[block])
    }

    fn at(
        &mut self,
        cx: &mut FunctionCx<'_, '_>,
        code: &mut Code<'_, '_>,
        point: Point,
        location: Option<LocationId>,
    ) -> Result<()> {
        self.computed(cx, code)?;
        self.previous = if let Point::Before(inst) = point { Some(inst) } else { None };
        let first = self.values.partition_point(|value| key(value.point) < key(point));
        let count = self.values.iter().skip(first).take_while(|value| value.point == point).count();
        for n in first..first + count {
            let Some(&value) = self.values.get(n) else { continue };
            self.latest.insert(self.part(value), n);
            let is_late = !value.in_memory && !is_known(cx, value.value);
            if is_late {
                self.late.entry(value.value).or_default().push(n);
                continue;
            }
            match value.in_memory.then(|| cx.variables.of_alloca(value.value)) {
                None => self.value(cx, code, value)?,
                Some(Some(variable)) => self.memory(cx, code, value, variable),
                Some(None) => self.waiting.entry(value.value).or_default().push(value),
            }
            code.check_size()?;
        }
        for &alloca in cx.variables.declared_after(self.declared) {
            self.declared += 1;
            for value in self.waiting.remove(&alloca).into_iter().flatten() {
                if let Some(variable) = cx.variables.of_alloca(alloca) {
                    self.memory(cx, code, value, variable);
                }
            }
        }
        // Code that the compiler or a pass made belongs to what stands before it.
        if let Some(location) = location.filter(|&at| self.ids.info.locations[at].line != 0) {
            self.last = Some(location);
            let line = line(self.ids, code, location, location);
            code.set_line(line);
        }
        Ok(())
    }

    /// The values of variables that are the result of the instruction before, if the points at
    /// which they begin are behind, and the variables have no others since.
    fn computed(&mut self, cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>) -> Result<()> {
        let Some(result) = self.previous.and_then(|inst| cx.function.result(inst)) else { return Ok(()) };
        for n in self.late.remove(&result).into_iter().flatten() {
            if let Some(&value) = self.values.get(n)
                && self.latest.get(&self.part(value)) == Some(&n)
            {
                self.value(cx, code, value)?;
            }
        }
        code.check_size()
    }

    /// The part of a variable that a value is of.
    fn part(&self, value: VariableValue) -> VariableBits {
        (value.variable, self.ids.info.locations[value.location].inlined_at, value.piece)
    }

    /// DebugDeclare of a variable in memory. Where the compiler has kept parts of it apart, each
    /// number in a part is declared.
    fn memory(&self, cx: &FunctionCx<'_, '_>, code: &mut Code<'_, '_>, value: VariableValue, variable: Id) {
        let Type::Pointer { pointee, .. } = *cx.input.ir_type(cx.type_of(value.value)) else { return };
        let Some((bits, len)) = held(cx.input, pointee) else { return };
        let (start, _) = value.piece.unwrap_or_default();
        let info = self.ids.info;
        let Some(ty) = info.variables[value.variable].ty else { return };
        let Some(mut leaf) = leaf(info, ty, start.into(), bits) else { return };
        let is_whole = value.piece.is_none() && leaf.is_in_arrays_alone();
        // The components of a vector with computed indexes are an array in memory.
        if let (SourceTypeKind::Vector { count, .. }, None) = (&info.types[plain(info, ty)].kind, value.piece) {
            leaf.arrays.push((0, *count));
        }
        let (Some(scoped), true) = (&self.ids.scoped, leaf.elements() == Some(len.into())) else { return };
        if is_whole {
            return self.write(code, value, DebugOp::DebugDeclare, (variable, scoped.expression), &[]);
        }
        for element in 0..len.min(DECLARED) {
            let place = if leaf.arrays.is_empty() { variable } else { code.element_place(variable, element) };
            // DebugDeclare takes variables only.
            self.write(code, value, DebugOp::DebugValue, (place, scoped.pointed_to), &leaf.path_of(element));
        }
    }

    /// DebugValue of a variable, or of the parts of it that have values.
    ///
    /// # Errors
    /// `Limit` if its parts are too many.
    fn value(&self, cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, value: VariableValue) -> Result<()> {
        let info = self.ids.info;
        let (Some(ty), Some(scoped)) = (info.variables[value.variable].ty, &self.ids.scoped) else { return Ok(()) };
        if !is_known(cx, value.value) {
            return Ok(());
        }
        let ir_ty = cx.type_of(value.value);
        let Some((bits_of_leaf, read)) = leaves(cx, value.value, ir_ty) else { return Ok(()) };
        let Ok(ids) = leaf_ids(cx, code, value.value, ir_ty) else { return Ok(()) };
        code.fuel.items::<Id>(cx.entry.place, "values of variables", ids.len())?;
        let (start, bits) = value.piece.unwrap_or((0, u32::MAX));
        for (n, id) in (0u32..).zip(ids).filter(|&(n, _)| n >= 8 || read >> n & 1 == 1) {
            let Some(offset) = n.checked_mul(bits_of_leaf).filter(|&offset| offset < bits) else { break };
            if let Some(leaf) = leaf(info, ty, u64::from(start) + u64::from(offset), u64::from(bits_of_leaf)) {
                self.write(code, value, DebugOp::DebugValue, (id, scoped.expression), &leaf.path);
            }
        }
        Ok(())
    }

    /// The line that a value of a variable has: the one that the code is at in the variable's
    /// function, which for an outer function is that of the call. On the way into a function it is
    /// where the variable is declared.
    fn near(&self, variable: LocationId) -> LocationId {
        let locations = &self.ids.info.locations;
        let frame = |location: LocationId| {
            (self.ids.info.function_of(locations[location].scope), locations[location].inlined_at)
        };
        let calls = std::iter::successors(self.last, |&location| locations[location].inlined_at);
        let mut same = calls.take(NESTING).filter(|&location| frame(location) == frame(variable));
        same.next().unwrap_or(variable)
    }

    /// DebugDeclare or DebugValue of an id and an expression of it.
    fn write(
        &self,
        code: &mut Code<'_, '_>,
        value: VariableValue,
        op: DebugOp,
        (id, expression): (Id, Id),
        path: &[u32],
    ) {
        let Some(scoped) = &self.ids.scoped else { return };
        let parts = &scoped.variables[value.variable];
        let before = parts.partition_point(|(part, _)| part.as_slice() <= path);
        let part = before.checked_sub(1).and_then(|at| parts.get(at));
        let found = part.and_then(|(part, id)| Some((*id, path.strip_prefix(part.as_slice())?)));
        let Some((variable, path)) = found else { return };
        let line = line(self.ids, code, value.location, self.near(value.location));
        code.set_line(line);
        let indexes: Vec<Id> = path.iter().map(|&index| code.const_u32(index)).collect();
        code.debug(op, (&[variable, id, expression], &indexes));
    }
}

/// Whether a value is computed here.
fn is_known(cx: &FunctionCx<'_, '_>, value: Value) -> bool {
    value.as_local().is_none()
        || cx.locals.slot(value, cx.node).is_some_and(|lowered| !matches!(lowered, Lowered::Nothing))
}

/// The line of a place, in the scope of another one.
fn line(ids: &SourceIds<'_>, module: &mut Module<'_>, scope: LocationId, place: LocationId) -> Line {
    let (within, at) = (&ids.info.locations[scope], &ids.info.locations[place]);
    let file = ids.files[ids.info.scopes[at.scope].file];
    match &ids.scoped {
        None => Line::Plain { file, line: at.line, column: at.column },
        Some(scoped) => Line::Scoped {
            scope: scoped.scopes[within.scope],
            inlined: within.inlined_at.and_then(|call| scoped.inlined[call]),
            line: [file, module.const_u32(at.line), module.const_u32(at.column)],
        },
    }
}

/// The bits of each leaf of a value, and a mask of the leaves that are computed. `None` for a value
/// whose leaves differ in size.
fn leaves(cx: &FunctionCx<'_, '_>, value: Value, ty: TypeId) -> Option<(u32, u8)> {
    let bits = |ty: TypeId| match *cx.input.ir_type(ty) {
        Type::Int(1) => Some(32),
        Type::Int(bits) | Type::Float(bits) => Some(u32::from(bits)),
        _ => None,
    };
    match cx.input.ir_type(ty) {
        Type::Struct { fields, .. } => {
            let bits = bits(*fields.first()?)?;
            let read = value.as_local().and_then(|local| cx.analysis.extracted.get(local)).copied();
            Some((bits, read.unwrap_or(u8::MAX)))
        }
        Type::Vector { element, .. } => Some((bits(*element)?, u8::MAX)),
        _ => Some((bits(ty)?, u8::MAX)),
    }
}

/// The ids of a value's leaves.
fn leaf_ids(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, value: Value, ty: TypeId) -> Result<Vec<Id>> {
    match *cx.input.ir_type(ty) {
        Type::Struct { .. } => cx.aggregate(code, value),
        Type::Vector { len, .. } => {
            let vector = cx.value(code, value)?;
            Ok((0..len).map(|n| code.component(vector, n)).collect())
        }
        _ => Ok(vec![cx.value(code, value)?]),
    }
}

/// The bits and the count of the numbers that a type in memory holds. `None` if it holds something
/// else.
fn held(input: Inputs<'_>, ty: TypeId) -> Option<(u64, u32)> {
    let (number, len) = match *input.ir_type(ty) {
        Type::Array { element, len } => (element, len),
        _ => (ty, 1),
    };
    match *input.ir_type(number) {
        Type::Int(bits) | Type::Float(bits) => Some((bits.into(), len)),
        _ => None,
    }
}

/// Whether a type in memory is a number or an array of numbers, and the same in the source.
pub(super) fn is_like(input: Inputs<'_>, info: &DebugInfo, ty: TypeId, source: SourceTypeId) -> bool {
    let leaf = held(input, ty).and_then(|(bits, len)| Some((leaf(info, source, 0, bits)?, len)));
    leaf.is_some_and(|(leaf, len)| leaf.is_in_arrays_alone() && leaf.elements() == Some(len.into()))
}

/// The type that a name stands for.
pub(super) fn plain(info: &DebugInfo, mut ty: SourceTypeId) -> SourceTypeId {
    while let SourceTypeKind::Alias(of) = info.types[ty].kind {
        ty = of;
    }
    ty
}

/// A number in a variable.
struct Leaf {
    /// Its indexes.
    path: Vec<u32>,
    /// The indexes that are those of arrays, and the counts of these.
    arrays: Vec<(usize, u32)>,
}

impl Leaf {
    /// How many numbers of the variable differ from this one in the indexes of arrays alone.
    fn elements(&self) -> Option<u64> {
        self.arrays.iter().try_fold(1u64, |product, &(_, count)| product.checked_mul(count.into()))
    }

    /// Whether the variable is the number, or an array of such numbers.
    fn is_in_arrays_alone(&self) -> bool {
        self.path.len() == self.arrays.len()
    }

    /// The indexes of the one with this number among them, by which the compiler keeps them in
    /// memory.
    fn path_of(&self, mut element: u32) -> Vec<u32> {
        let mut path = self.path.clone();
        for &(at, count) in self.arrays.iter().rev() {
            if let Some(index) = path.get_mut(at) {
                *index = element.checked_rem(count).unwrap_or(0);
            }
            element = element.checked_div(count).unwrap_or(0);
        }
        path
    }
}

/// The number at these bits of a variable. `None` if there is none.
fn leaf(info: &DebugInfo, ty: SourceTypeId, mut offset: u64, bits: u64) -> Option<Leaf> {
    let mut ty = plain(info, ty);
    let mut leaf = Leaf { path: Vec::new(), arrays: Vec::new() };
    for _ in 0..NESTING {
        let size_of = |ty: SourceTypeId| info.types[plain(info, ty)].bits;
        match &info.types[ty].kind {
            SourceTypeKind::Number(_) => return (offset == 0 && info.types[ty].bits == bits).then_some(leaf),
            SourceTypeKind::Alias(of) => ty = *of,
            SourceTypeKind::Vector { component, count } => {
                let index = offset.checked_div(size_of(*component)).filter(|&index| index < u64::from(*count))?;
                (ty, offset) = (plain(info, *component), offset - index * size_of(*component));
                leaf.path.push(index as u32);
            }
            SourceTypeKind::Array { element, counts } => {
                let index = offset.checked_div(size_of(*element))?;
                (ty, offset) = (plain(info, *element), offset - index * size_of(*element));
                let (mut rest, mut indexes) = (index, Vec::new());
                for &count in counts.iter().rev() {
                    indexes.push(rest.checked_rem(count.into())? as u32);
                    rest /= u64::from(count);
                }
                if rest != 0 {
                    return None;
                }
                leaf.arrays.extend((leaf.path.len()..).zip(counts.iter().copied()));
                leaf.path.extend(indexes.iter().rev());
            }
            SourceTypeKind::Structure(members) => {
                let holds = |member: &crate::ir::debug::Member| {
                    (member.offset..member.offset.saturating_add(member.bits)).contains(&offset)
                };
                let index = members.iter().position(holds)?;
                let member = members.get(index)?;
                (ty, offset) = (plain(info, member.ty), offset - member.offset);
                leaf.path.push(index as u32);
            }
        }
    }
    None
}
