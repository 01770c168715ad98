//! The text form of a program, which `dxil2spv --emit dxil` prints and tests compare.
//!
//! In: a [`Program`]. Out: text with one line per resource, signature element, global and
//! instruction. What must hold: equal programs have equal texts. Constants are printed by value, so
//! that their ids do not matter.

use std::fmt::{self, Display, Formatter};

use super::ir::*;
use super::program::{Entry, EntryId, Program, Signature, StageProperties};

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
            write!(f, "({})", join(block.params.iter().map(|&p| text.typed(p))))?;
        }
        writeln!(f, ":")?;
        for &inst in &block.insts {
            match function.result(inst) {
                Some(result) => writeln!(f, "  {} = {}", text.typed(result), text.instruction(inst))?,
                None => writeln!(f, "  {}", text.instruction(inst))?,
            }
        }
        writeln!(f, "  {}", text.terminator(&block.terminator))?;
    }
    Ok(())
}

fn join(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

/// Prints a type by its content, except a named structure, which is printed by its name.
struct TypeText<'a>(&'a Module, TypeId);

impl Display for TypeText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let TypeText(module, id) = *self;
        match &module.types[id] {
            Type::Void => f.write_str("void"),
            Type::Int(bits) => write!(f, "i{bits}"),
            Type::Float(bits) => write!(f, "f{bits}"),
            Type::Pointer { pointee, space } => write!(f, "{}* {space:?}", TypeText(module, *pointee)),
            Type::Array { element, len } => write!(f, "[{len} x {}]", TypeText(module, *element)),
            Type::Vector { element, len } => write!(f, "<{len} x {}>", TypeText(module, *element)),
            Type::Struct { name, fields, .. } if name.is_empty() => {
                write!(f, "{{{}}}", join(fields.iter().map(|&field| TypeText(module, field).to_string())))
            }
            Type::Struct { name, .. } => write!(f, "%{}", name.escape_debug()),
            Type::Handle => f.write_str("handle"),
            Type::Other(name) => write!(f, "other `{}`", name.escape_debug()),
        }
    }
}

/// Prints a constant by its value.
struct ConstText<'a>(&'a Module, Const);

impl Display for ConstText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let ConstText(module, id) = *self;
        let data = &module.consts[id];
        let list = |items: &[Const]| join(items.iter().map(|&item| ConstText(module, item).to_string()));
        match &data.kind {
            ConstKind::Int(bits) => write!(f, "{} {bits}", TypeText(module, data.ty)),
            ConstKind::Float(bits) => match module.types[data.ty] {
                Type::Float(32) => write!(f, "f32 {:?}", f32::from_bits(*bits as u32)),
                Type::Float(64) => write!(f, "f64 {:?}", f64::from_bits(*bits)),
                _ => write!(f, "{} {bits:#x}", TypeText(module, data.ty)),
            },
            ConstKind::Null => write!(f, "{} zero", TypeText(module, data.ty)),
            ConstKind::Undef => write!(f, "{} undef", TypeText(module, data.ty)),
            ConstKind::Aggregate(items) => write!(f, "{} {{{}}}", TypeText(module, data.ty), list(items)),
            ConstKind::GlobalAddr(global) => write!(f, "&{global}"),
            ConstKind::FuncAddr(func) => write!(f, "&{func}"),
            ConstKind::Gep { base, indices } => write!(f, "gep({}, {})", ConstText(module, *base), list(indices)),
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

impl FunctionText<'_> {
    fn value(&self, value: Value) -> String {
        match value.kind() {
            ValueKind::Local(_) => value.to_string(),
            ValueKind::Const(c) => ConstText(self.module, c).to_string(),
        }
    }

    fn typed(&self, value: Value) -> String {
        format!("{value}: {}", TypeText(self.module, self.module.type_of(self.function, value)))
    }

    fn values(&self, list: ValueList) -> String {
        join(self.function.list(list).iter().map(|&v| self.value(v)))
    }

    fn indices(&self, first: u32, count: u32) -> String {
        let range = first as usize..first as usize + count as usize;
        join(self.function.indices.get(range).unwrap_or_default().iter().map(u32::to_string))
    }

    fn instruction(&self, inst: Inst) -> String {
        let v = |value| self.value(value);
        match self.function.insts[inst] {
            InstData::Binary { op, precise, lhs, rhs } => {
                format!("{op}{} {}, {}", if precise { " precise" } else { "" }, v(lhs), v(rhs))
            }
            InstData::Cast { op, value } => format!("{op} {}", v(value)),
            InstData::Cmp { op, lhs, rhs } => format!("{op} {}, {}", v(lhs), v(rhs)),
            InstData::Select { condition, then, otherwise } => {
                format!("select {}, {}, {}", v(condition), v(then), v(otherwise))
            }
            InstData::Op { op, precise, args } => {
                let named = op.info().operands.iter().zip(self.function.list(args));
                let operands = join(named.map(|(operand, &arg)| format!("{}: {}", operand.name, v(arg))));
                format!("{op}{}({operands})", if precise { " precise" } else { "" })
            }
            InstData::Call { func, args } => format!("call {func}({})", self.values(args)),
            InstData::Alloca { ty } => format!("alloca {}", TypeText(self.module, ty)),
            InstData::Load { ptr, volatile } => format!("load{} {}", if volatile { " volatile" } else { "" }, v(ptr)),
            InstData::Store { ptr, value, volatile } => {
                format!("store{} {}, {}", if volatile { " volatile" } else { "" }, v(ptr), v(value))
            }
            InstData::Gep { base, indices } => format!("gep {}, {}", v(base), self.values(indices)),
            InstData::AtomicRmw { op, ptr, value } => format!("atomicrmw {op} {}, {}", v(ptr), v(value)),
            InstData::CmpXchg { ptr, compare, new } => format!("cmpxchg {}, {}, {}", v(ptr), v(compare), v(new)),
            InstData::Fence => "fence".to_owned(),
            InstData::ExtractValue { aggregate, first, count } => {
                format!("extractvalue {}, {}", v(aggregate), self.indices(first, count))
            }
            InstData::InsertValue { aggregate, value, first, count } => {
                format!("insertvalue {}, {}, {}", v(aggregate), v(value), self.indices(first, count))
            }
            InstData::ExtractElement { vector, index } => format!("extractelement {}, {}", v(vector), v(index)),
            InstData::InsertElement { vector, value, index } => {
                format!("insertelement {}, {}, {}", v(vector), v(value), v(index))
            }
            InstData::ShuffleVector { a, b, mask } => format!("shufflevector {}, {}, {}", v(a), v(b), v(mask)),
        }
    }

    fn target(&self, call: BlockCall) -> String {
        match call.args.is_empty() {
            true => call.block.to_string(),
            false => format!("{}({})", call.block, self.values(call.args)),
        }
    }

    fn terminator(&self, terminator: &Terminator) -> String {
        match terminator {
            Terminator::Jump(to) => format!("jump {}", self.target(*to)),
            Terminator::Branch { condition, then, otherwise } => {
                format!("branch {}, {}, {}", self.value(*condition), self.target(*then), self.target(*otherwise))
            }
            Terminator::Switch { selector, default, cases } => {
                let cases = join(cases.iter().map(|(label, to)| format!("{label}: {}", self.target(*to))));
                format!("switch {} [{cases}] default {}", self.value(*selector), self.target(*default))
            }
            Terminator::Return(Some(value)) => format!("return {}", self.value(*value)),
            Terminator::Return(None) => "return".to_owned(),
            Terminator::Unreachable => "unreachable".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests;
