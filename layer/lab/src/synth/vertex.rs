//! A vertex shader for a pixel shader that has none.
//!
//! In: what the pixel shader reads. Out: SPIR-V of a vertex shader that draws one triangle over the
//! whole target from three vertices without attributes, and gives the pixel shader zeros.

use rspirv::binary::Assemble as _;
use rspirv::dr::{Builder, Operand};
use rspirv::spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, ExecutionModel, FunctionControl, MemoryModel, StorageClass,
};

use super::error::ShaderError;
use super::interface::{Interface, ScalarType};

/// The shader for a pixel shader with this interface.
///
/// # Errors
/// Inputs for which it has no type, or an error of the assembler.
pub fn shader_for(pixel: Option<&Interface>) -> Result<Vec<u32>, ShaderError> {
    let none = Interface::default();
    let pixel = pixel.unwrap_or(&none);
    if pixel.inputs.iter().any(|input| input.width != 32) {
        return Err(ShaderError::PixelInputs);
    }
    build(pixel).map_err(ShaderError::VertexShader)
}

fn build(pixel: &Interface) -> Result<Vec<u32>, rspirv::dr::Error> {
    let mut b = Builder::new();
    b.set_version(1, 3);
    b.capability(Capability::Shader);
    b.memory_model(AddressingModel::Logical, MemoryModel::GLSL450);
    let void = b.type_void();
    let function = b.type_function(void, vec![]);
    let (float, uint, int) = (b.type_float(32, None), b.type_int(32, 0), b.type_int(32, 1));
    let float4 = b.type_vector(float, 4);
    let (in_int, out_float4) =
        (b.type_pointer(None, StorageClass::Input, int), b.type_pointer(None, StorageClass::Output, float4));
    let index = b.variable(in_int, None, StorageClass::Input, None);
    b.decorate(index, Decoration::BuiltIn, vec![Operand::BuiltIn(BuiltIn::VertexIndex)]);
    let position = b.variable(out_float4, None, StorageClass::Output, None);
    b.decorate(position, Decoration::BuiltIn, vec![Operand::BuiltIn(BuiltIn::Position)]);
    let mut interface = vec![index, position];
    let mut zeros = Vec::new();
    for input in &pixel.inputs {
        let scalar = match input.scalar {
            ScalarType::Float => float,
            ScalarType::Signed => int,
            ScalarType::Unsigned => uint,
        };
        let mut ty = if input.components > 1 { b.type_vector(scalar, input.components) } else { scalar };
        if input.rows > 1 {
            let length = b.constant_bit32(uint, input.rows);
            ty = b.type_array(ty, length);
        }
        let pointer = b.type_pointer(None, StorageClass::Output, ty);
        let variable = b.variable(pointer, None, StorageClass::Output, None);
        b.decorate(variable, Decoration::Location, vec![Operand::LiteralBit32(input.location)]);
        if input.component != 0 {
            b.decorate(variable, Decoration::Component, vec![Operand::LiteralBit32(input.component)]);
        }
        if input.is_flat {
            b.decorate(variable, Decoration::Flat, vec![]);
        }
        interface.push(variable);
        let zero = b.constant_null(ty);
        zeros.push((variable, zero));
    }
    // Vertices 0, 1, 2 are at (-1, -1), (3, -1), (-1, 3).
    let (zero, one) = (b.constant_bit32(float, 0), b.constant_bit32(float, 1.0_f32.to_bits()));
    let (low, high) = (b.constant_bit32(float, (-1.0_f32).to_bits()), b.constant_bit32(float, 3.0_f32.to_bits()));
    let (first, second) = (b.constant_bit32(int, 1), b.constant_bit32(int, 2));
    let bool_type = b.type_bool();
    let main = b.begin_function(void, None, FunctionControl::NONE, function)?;
    b.begin_block(None)?;
    let vertex = b.load(int, None, index, None, vec![])?;
    let is_first = b.i_equal(bool_type, None, vertex, first)?;
    let is_second = b.i_equal(bool_type, None, vertex, second)?;
    let x = b.select(float, None, is_first, high, low)?;
    let y = b.select(float, None, is_second, high, low)?;
    let at = b.composite_construct(float4, None, vec![x, y, zero, one])?;
    b.store(position, at, None, vec![])?;
    for (variable, zero) in zeros {
        b.store(variable, zero, None, vec![])?;
    }
    b.ret()?;
    b.end_function()?;
    b.entry_point(ExecutionModel::Vertex, main, "main", interface);
    Ok(b.module().assemble())
}
