//! Tests of root signatures, by form.

mod serialized;
mod text;
mod versions;

use super::*;
use crate::container::Container;
use dxil_base::error::{ErrorKind, Place, Result};

const EVERYTHING_1_0: &[u8] = include_bytes!("../../../../../tests/fixtures/root-signatures/everything_1_0.dxil");
const EVERYTHING_1_1: &[u8] = include_bytes!("../../../../../tests/fixtures/root-signatures/everything_1_1.dxil");

fn from_container(bytes: &[u8]) -> RootSignature {
    let part = Container::parse(bytes).unwrap().root_signature().unwrap();
    RootSignature::parse(part.data, part.data_offset()).unwrap()
}

/// A visibility of one stage (`D3D12_SHADER_VISIBILITY`) is seen by that stage alone.
#[test]
fn stages_of_visibilities() {
    use ShaderStage as S;
    let of_one = [S::Vertex, S::Hull, S::Domain, S::Geometry, S::Pixel, S::Amplification, S::Mesh];
    for &stage in ShaderStage::ALL {
        let seen: Vec<Visibility> =
            Visibility::ALL.into_iter().filter(|visibility| visibility.includes(stage)).collect();
        let own = of_one.iter().position(|&one| one == stage).map(|at| Visibility::ALL[at + 1]);
        let expected: Vec<Visibility> = [Visibility::All].into_iter().chain(own).collect();
        assert_eq!(seen, expected, "{stage:?}");
    }
}
