//! Tests of root signatures, by form.

mod serialized;
mod text;
mod versions;

use super::*;
use crate::container::Container;
use crate::error::{ErrorKind, Place, Result};

const EVERYTHING_1_0: &[u8] = include_bytes!("../../../../../tests/fixtures/root-signatures/everything_1_0.dxil");
const EVERYTHING_1_1: &[u8] = include_bytes!("../../../../../tests/fixtures/root-signatures/everything_1_1.dxil");

fn from_container(bytes: &[u8]) -> RootSignature {
    let part = Container::parse(bytes).unwrap().root_signature().unwrap();
    RootSignature::parse(part.data, part.data_offset()).unwrap()
}
