//! Handles and their hashes.

use std::collections::BTreeMap;

use ash::vk;
use ash::vk::Handle as _;

use super::unsupported::Unsupported;

/// What a subpass draws into.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Uses {
    /// There are colour attachments.
    pub color: bool,
    /// There is a depth or stencil attachment.
    pub depth_stencil: bool,
}

/// The live objects below the layer. A handle without a hash is of an object that is left out.
#[derive(Default)]
pub struct Objects {
    hashes: BTreeMap<(vk::ObjectType, u64), u64>,
    /// Y′CbCr conversions, which Fossilize has as part of samplers.
    pub conversions: BTreeMap<u64, vk::SamplerYcbcrConversionCreateInfo<'static>>,
    /// The subpasses of render passes, by hash.
    pub subpasses: BTreeMap<u64, Vec<Uses>>,
}

impl Objects {
    /// Stores the hash of a new object, or its absence: a handle may have been another object's.
    pub fn set<T: vk::Handle>(&mut self, object: T, hash: Option<u64>) {
        let key = (T::TYPE, object.as_raw());
        match hash {
            Some(hash) => self.hashes.insert(key, hash),
            None => self.hashes.remove(&key),
        };
    }

    /// The hashes of objects.
    ///
    /// # Errors
    /// As for [`get`](Self::get).
    pub fn all<T: vk::Handle + Copy>(&self, objects: &[T]) -> Result<Vec<u64>, Unsupported> {
        objects.iter().map(|object| self.get(*object)).collect()
    }

    /// The hash of an object; 0 for none.
    ///
    /// # Errors
    /// The object is left out.
    pub fn get<T: vk::Handle>(&self, object: T) -> Result<u64, Unsupported> {
        let raw = object.as_raw();
        if raw == 0 {
            return Ok(0);
        }
        self.hashes
            .get(&(T::TYPE, raw))
            .copied()
            .ok_or_else(|| Unsupported(format!("it uses a {:?} that is left out", T::TYPE)))
    }

    /// The conversion of a sampler.
    ///
    /// # Errors
    /// It is not known.
    pub fn conversion(
        &self,
        conversion: vk::SamplerYcbcrConversion,
    ) -> Result<&vk::SamplerYcbcrConversionCreateInfo<'static>, Unsupported> {
        let found = self.conversions.get(&conversion.as_raw());
        found.ok_or_else(|| Unsupported("it uses a VkSamplerYcbcrConversion that is left out".to_owned()))
    }
}
