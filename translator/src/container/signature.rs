//! Reads program signatures: ISG1, OSG1 and PSG1, and the older forms ISGN, OSGN, OSG5 and PCSG.
//!
//! In: one of these parts. Out: its elements as typed data, with names borrowed from the input.
//! What must hold: elements and names lie inside the part. The older forms lack fields of
//! `DxilProgramSignatureElement`: ISGN, OSGN and PCSG have neither stream nor minimum precision,
//! OSG5 has a stream. They occur together with DXIL only in containers that a tool converted.

use super::names::{ComponentType, MinPrecision, SystemValue};
use super::reader::ByteReader;
use dxil_base::error::Result;
use dxil_base::limits;

/// One element of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignatureElement<'a> {
    /// Geometry shader output stream.
    pub stream: u32,
    /// Semantic name.
    pub name: &'a str,
    /// Semantic index.
    pub index: u32,
    /// System value.
    pub system_value: SystemValue,
    /// Component type.
    pub component_type: ComponentType,
    /// Register (row); `u32::MAX` if none is allocated.
    pub register: u32,
    /// Components (columns) of the register that belong to the element, one bit each.
    pub mask: u8,
    /// Components that an input always reads, or an output never writes.
    pub rw_mask: u8,
    /// Minimum precision.
    pub min_precision: MinPrecision,
}

/// The fields that the elements of a signature part have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementFormat {
    /// ISGN, OSGN, PCSG: 24 bytes.
    Old,
    /// OSG5: 28 bytes, with stream.
    Streams,
    /// ISG1, OSG1, PSG1: 32 bytes, with stream and minimum precision.
    Full,
}

impl ElementFormat {
    fn size(self) -> usize {
        match self {
            ElementFormat::Old => 24,
            ElementFormat::Streams => 28,
            ElementFormat::Full => 32,
        }
    }
}

/// A signature: its elements in the part's order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature<'a> {
    /// The elements. An element of several rows appears once per row.
    pub elements: Vec<SignatureElement<'a>>,
}

impl<'a> Signature<'a> {
    pub(super) fn parse(part: ByteReader<'a>, layout: ElementFormat) -> Result<Self> {
        let mut header = part;
        let place = header.place();
        let (count, offset) = (header.u32()? as usize, header.u32()? as usize);
        limits::check(place, "signature elements", count, limits::SIGNATURE_ELEMENTS)?;
        if count > 0 && offset < header.position() {
            let size = header.position();
            return Err(malformed!(place, "signature elements at offset {offset} overlap the header of {size} bytes"));
        }
        let mut reader = part.seek(if count > 0 { offset } else { header.position() })?;
        // The size of all elements is checked before memory is allocated for them.
        { reader }.records(count, layout.size())?;
        let mut elements = Vec::with_capacity(count);
        for _ in 0..count {
            let stream = if layout == ElementFormat::Old { 0 } else { reader.u32()? };
            let name = part.seek(reader.u32()? as usize)?.string()?;
            let index = reader.u32()?;
            let system_value = SystemValue::new(reader.u32()?);
            let component_type = ComponentType::new(reader.u32()?);
            let register = reader.u32()?;
            let (mask, rw_mask) = (reader.u8()?, reader.u8()?);
            reader.u16()?;
            let min_precision =
                if layout == ElementFormat::Full { MinPrecision::new(reader.u32()?) } else { MinPrecision::Default };
            elements.push(SignatureElement {
                stream,
                name,
                index,
                system_value,
                component_type,
                register,
                mask,
                rw_mask,
                min_precision,
            });
        }
        Ok(Self { elements })
    }
}

impl std::fmt::Display for SignatureElement<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{} {} ", self.name.escape_debug(), self.index, self.component_type)?;
        match self.register {
            u32::MAX => f.write_str("unallocated")?,
            register => write!(f, "r{register}")?,
        }
        write!(f, ".{} rw .{}", ColumnMask(self.mask), ColumnMask(self.rw_mask))?;
        if self.system_value != SystemValue::Undefined {
            write!(f, " {}", self.system_value)?;
        }
        if self.stream != 0 {
            write!(f, " stream {}", self.stream)?;
        }
        if self.min_precision != MinPrecision::Default {
            write!(f, " min {}", self.min_precision)?;
        }
        Ok(())
    }
}

/// Writes a component mask as letters, `xy_w`, or as a number if it has bits beyond the four
/// components.
pub(super) struct ColumnMask(pub u8);

impl std::fmt::Display for ColumnMask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0 > 0xf {
            return write!(f, "{:#x}", self.0);
        }
        for (bit, letter) in ['x', 'y', 'z', 'w'].into_iter().enumerate() {
            write!(f, "{}", if self.0 >> bit & 1 != 0 { letter } else { '_' })?;
        }
        Ok(())
    }
}
