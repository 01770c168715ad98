//! The text form of a program, which `dxil2spv --emit dxil` prints and tests compare.
//!
//! In: a [`Program`]. Out: text with one line per resource, signature element, global and
//! instruction. What must hold: equal programs have equal texts. Constants are printed by value, so
//! that their ids do not matter.

use std::fmt::{self, Display, Formatter};

use crate::analysis::program::{Entry, EntryId, Program};
use crate::ir::declarations::{Signature, StageProperties};
use crate::ir::*;
use dxil_base::limits;

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let version = |(major, minor): (u8, u8)| format!("{major}.{minor}");
        writeln!(
            f,
            "{} shader_model {} dxil {} validator {}",
            self.kind,
            version(self.shader_model),
            version(self.dxil_version),
            version(self.validator_version),
        )?;
        for (id, resource) in self.resources.iter() {
            writeln!(f, "resource {id} = {resource}")?;
        }
        for (id, entry) in self.entries() {
            print_entry(f, id, entry)?;
        }
        Display::fmt(&self.module, f)
    }
}

fn print_entry(f: &mut Formatter<'_>, id: EntryId, entry: &Entry) -> fmt::Result {
    writeln!(f, "entry {id} {} `{}` = {}", entry.stage, entry.name.escape_debug(), entry.func)?;
    if let Some(patch) = entry.patch_function {
        writeln!(f, "patch_function {patch}")?;
    }
    writeln!(f, "flags {:#x}", entry.flags.0)?;
    match &entry.properties {
        StageProperties::None => {}
        StageProperties::Compute { num_threads: [x, y, z], wave_size } => {
            writeln!(f, "numthreads {x} {y} {z}")?;
            if let Some([least, most, preferred]) = wave_size {
                writeln!(f, "wavesize {least} {most} {preferred}")?;
            }
        }
        other => writeln!(f, "properties {other:?}")?,
    }
    signature(f, "input", &entry.inputs)?;
    signature(f, "output", &entry.outputs)?;
    signature(f, "patch_constant", &entry.patch_constants)
}

fn signature(f: &mut Formatter<'_>, what: &str, signature: &Signature) -> fmt::Result {
    for e in &signature.elements {
        write!(f, "{what} {} `{}` {} {}x{} {}", e.id, e.name.escape_debug(), e.semantic, e.rows, e.cols, e.component)?;
        if let Some(row) = e.start_row {
            write!(f, " at {row}.{}", e.start_col)?;
        }
        write!(f, " {} indices {:?}", e.interpolation, e.indices)?;
        writeln!(f, " stream {} usage {:#x} dynamic {:#x}", e.stream, e.usage_mask, e.dynamic_index_mask)?;
    }
    Ok(())
}

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (id, global) in self.globals.iter() {
            write!(f, "global {id} `{}` {:?} {}", global.name.escape_debug(), global.space, TypeText(self, global.ty))?;
            if global.constant {
                write!(f, " constant")?;
            }
            match global.init {
                Some(init) => writeln!(f, " = {}", ConstText(self, init))?,
                None => writeln!(f)?,
            }
        }
        for (id, function) in self.functions.iter() {
            print_function(f, self, id, function)?;
        }
        Ok(())
    }
}

fn print_function(f: &mut Formatter<'_>, module: &Module, id: Func, function: &Function) -> fmt::Result {
    let text = FunctionText { module, function };
    write!(f, "function {id} `{}`(", function.name.escape_debug())?;
    for (i, &arg) in function.args.iter().enumerate() {
        write!(f, "{}{}", if i == 0 { "" } else { ", " }, text.typed(arg))?;
    }
    writeln!(f, ") -> {}", TypeText(module, function.ret))?;
    match function.attributes.denormals {
        Denormals::Any => {}
        Denormals::Preserve => writeln!(f, "  attribute fp32-denorm-mode=preserve")?,
        Denormals::FlushToZero => writeln!(f, "  attribute fp32-denorm-mode=ftz")?,
    }
    if function.attributes.includes_helper_lanes {
        writeln!(f, "  attribute waveops-include-helper-lanes")?;
    }
    for (id, block) in function.blocks.iter() {
        write!(f, "{id}")?;
        if !block.params.is_empty() {
            write!(f, "({})", Commas(|| block.params.iter().map(|&p| text.typed(p))))?;
        }
        writeln!(f, ":")?;
        for &inst in &block.insts {
            f.write_str("  ")?;
            if let Some(result) = function.result(inst) {
                write!(f, "{} = ", text.typed(result))?;
            }
            text.instruction(f, inst)?;
            writeln!(f)?;
        }
        f.write_str("  ")?;
        text.terminator(f, &block.terminator)?;
        writeln!(f)?;
    }
    Ok(())
}

/// Prints items with commas between them, one after another. A list that was joined first would be
/// in memory before [`text`](dxil_base::limits::text) has charged a byte of it.
struct Commas<F>(F);

impl<F: Fn() -> I, I: Iterator<Item = D>, D: Display> Display for Commas<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, item) in (self.0)().enumerate() {
            f.write_str(if i == 0 { "" } else { ", " })?;
            item.fmt(f)?;
        }
        Ok(())
    }
}

/// Prints an item by a function.
struct With<F>(F);

impl<F: Fn(&mut Formatter<'_>) -> fmt::Result> Display for With<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        (self.0)(f)
    }
}

/// Prints a type by its content, except a named structure, which is printed by its name.
struct TypeText<'a>(&'a Module, TypeId);

impl Display for TypeText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let TypeText(module, id) = *self;
        TypePart { module, id, depth: limits::TYPE_NESTING }.fmt(f)
    }
}

/// Prints a type that is inside another one. Pointers may lead through thousands of types, of which
/// only so many are printed.
struct TypePart<'a> {
    module: &'a Module,
    id: TypeId,
    depth: usize,
}

impl Display for TypePart<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let TypePart { module, id, depth } = *self;
        let ty = &module.types[id];
        let inside = |id| TypePart { module, id, depth: depth.saturating_sub(1) };
        match ty {
            Type::Void => f.write_str("void"),
            // Most types are this one, and a text with a number takes longer.
            Type::Int(32) => f.write_str("i32"),
            Type::Int(bits) => write!(f, "i{bits}"),
            Type::Float(bits) => write!(f, "f{bits}"),
            Type::Struct { name, .. } if !name.is_empty() => write!(f, "%{}", name.escape_debug()),
            Type::Handle => f.write_str("handle"),
            Type::Other(name) => write!(f, "other `{}`", name.escape_debug()),
            _ if depth == 0 => f.write_str("…"),
            Type::Pointer { pointee, space } => write!(f, "{}* {space:?}", inside(*pointee)),
            Type::Array { element, len } => write!(f, "[{len} x {}]", inside(*element)),
            Type::Vector { element, len } => write!(f, "<{len} x {}>", inside(*element)),
            Type::Struct { fields, .. } => {
                write!(f, "{{{}}}", Commas(|| fields.iter().map(|&field| inside(field))))
            }
        }
    }
}

fn const_list<'a>(module: &'a Module, items: &'a [Const]) -> impl Display {
    Commas(move || items.iter().map(move |&item| ConstText(module, item)))
}

/// Prints a constant by its value.
struct ConstText<'a>(&'a Module, Const);

impl Display for ConstText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let ConstText(module, id) = *self;
        let data = &module.consts[id];
        match &data.kind {
            ConstKind::Int(bits) => write!(f, "{} {bits}", TypeText(module, data.ty)),
            ConstKind::Float(bits) => match module.types[data.ty] {
                Type::Float(32) => write!(f, "f32 {:?}", f32::from_bits(*bits as u32)),
                Type::Float(64) => write!(f, "f64 {:?}", f64::from_bits(*bits)),
                _ => write!(f, "{} {bits:#x}", TypeText(module, data.ty)),
            },
            ConstKind::Null => write!(f, "{} zero", TypeText(module, data.ty)),
            ConstKind::Undef => write!(f, "{} undef", TypeText(module, data.ty)),
            ConstKind::Aggregate(items) => write!(f, "{} {{{}}}", TypeText(module, data.ty), const_list(module, items)),
            ConstKind::GlobalAddr(global) => write!(f, "&{global}"),
            ConstKind::FuncAddr(func) => write!(f, "&{func}"),
            ConstKind::Gep { base, indices } => {
                write!(f, "gep({}, {})", ConstText(module, *base), const_list(module, indices))
            }
            ConstKind::Cast { op, value } => {
                write!(f, "{op}({} to {})", ConstText(module, *value), TypeText(module, data.ty))
            }
            ConstKind::Unsupported(why) => write!(f, "unsupported `{}`", why.escape_debug()),
        }
    }
}

/// Prints the instructions and values of one function.
struct FunctionText<'a> {
    module: &'a Module,
    function: &'a Function,
}

impl<'a> FunctionText<'a> {
    fn value(&self, value: Value) -> impl Display + use<'a> {
        let module = self.module;
        With(move |f: &mut Formatter<'_>| match value.kind() {
            ValueKind::Local(_) => write!(f, "{value}"),
            ValueKind::Const(c) => write!(f, "{}", ConstText(module, c)),
        })
    }

    fn typed(&self, value: Value) -> impl Display + use<'a> {
        let (module, ty) = (self.module, self.module.type_of(self.function, value));
        With(move |f: &mut Formatter<'_>| write!(f, "{value}: {}", TypeText(module, ty)))
    }

    fn values(&self, list: ValueList) -> impl Display {
        Commas(move || self.function.list(list).iter().map(|&v| self.value(v)))
    }

    fn indices(&self, first: u32, count: u32) -> impl Display {
        let range = first as usize..first as usize + count as usize;
        let indices = self.function.indices.get(range).unwrap_or_default();
        Commas(move || indices.iter())
    }

    fn instruction(&self, f: &mut Formatter<'_>, inst: Inst) -> fmt::Result {
        let v = |value| self.value(value);
        match self.function.insts[inst] {
            InstData::Binary { op, precise, lhs, rhs } => {
                write!(f, "{op}{} {}, {}", if precise { " precise" } else { "" }, v(lhs), v(rhs))
            }
            InstData::Cast { op, value } => write!(f, "{op} {}", v(value)),
            InstData::Cmp { op, lhs, rhs } => write!(f, "{op} {}, {}", v(lhs), v(rhs)),
            InstData::Select { condition, then, otherwise } => {
                write!(f, "select {}, {}, {}", v(condition), v(then), v(otherwise))
            }
            InstData::Op { op, precise, args } => {
                let named = op.info().operands.iter().zip(self.function.list(args));
                write!(f, "{op}{}(", if precise { " precise" } else { "" })?;
                for (i, (operand, &arg)) in named.enumerate() {
                    write!(f, "{}{}: {}", if i == 0 { "" } else { ", " }, operand.name, v(arg))?;
                }
                f.write_str(")")
            }
            InstData::Call { func, args } => write!(f, "call {func}({})", self.values(args)),
            InstData::Alloca { ty } => write!(f, "alloca {}", TypeText(self.module, ty)),
            InstData::Load { ptr, volatile } => write!(f, "load{} {}", if volatile { " volatile" } else { "" }, v(ptr)),
            InstData::Store { ptr, value, volatile } => {
                write!(f, "store{} {}, {}", if volatile { " volatile" } else { "" }, v(ptr), v(value))
            }
            InstData::Gep { base, indices } => write!(f, "gep {}, {}", v(base), self.values(indices)),
            InstData::AtomicRmw { op, ptr, value } => write!(f, "atomicrmw {op} {}, {}", v(ptr), v(value)),
            InstData::CmpXchg { ptr, compare, new } => write!(f, "cmpxchg {}, {}, {}", v(ptr), v(compare), v(new)),
            InstData::Fence => f.write_str("fence"),
            InstData::ExtractValue { aggregate, first, count } => {
                write!(f, "extractvalue {}, {}", v(aggregate), self.indices(first, count))
            }
            InstData::InsertValue { aggregate, value, first, count } => {
                write!(f, "insertvalue {}, {}, {}", v(aggregate), v(value), self.indices(first, count))
            }
            InstData::ExtractElement { vector, index } => write!(f, "extractelement {}, {}", v(vector), v(index)),
            InstData::InsertElement { vector, value, index } => {
                write!(f, "insertelement {}, {}, {}", v(vector), v(value), v(index))
            }
            InstData::ShuffleVector { a, b, mask } => write!(f, "shufflevector {}, {}, {}", v(a), v(b), v(mask)),
        }
    }

    fn target(&self, call: BlockCall) -> impl Display {
        With(move |f: &mut Formatter<'_>| match call.args.is_empty() {
            true => write!(f, "{}", call.block),
            false => write!(f, "{}({})", call.block, self.values(call.args)),
        })
    }

    fn terminator(&self, f: &mut Formatter<'_>, terminator: &Terminator) -> fmt::Result {
        match terminator {
            Terminator::Jump(to) => write!(f, "jump {}", self.target(*to)),
            Terminator::Branch { condition, then, otherwise } => {
                write!(f, "branch {}, {}, {}", self.value(*condition), self.target(*then), self.target(*otherwise))
            }
            Terminator::Switch { selector, default, cases } => {
                write!(f, "switch {} [", self.value(*selector))?;
                for (i, (label, to)) in cases.iter().enumerate() {
                    write!(f, "{}{label}: {}", if i == 0 { "" } else { ", " }, self.target(*to))?;
                }
                write!(f, "] default {}", self.target(*default))
            }
            Terminator::Return(Some(value)) => write!(f, "return {}", self.value(*value)),
            Terminator::Return(None) => f.write_str("return"),
            Terminator::Unreachable => f.write_str("unreachable"),
        }
    }
}

#[cfg(test)]
mod tests;
