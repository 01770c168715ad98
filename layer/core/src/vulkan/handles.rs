//! Data by non-dispatchable handle.
//!
//! In: creations and destructions. Out: the data of a live handle. What must hold: Vulkan may give
//! two objects one handle (specification, "Object Model": non-dispatchable handles need not be
//! unique), so an entry counts how often its handle was created; an entry is removed before the
//! destruction goes down, since the driver may reuse the handle at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use ash::vk;
use dashmap::DashMap;
use dashmap::mapref::entry::Entry;

/// Data by handle.
pub struct Handles<T> {
    map: DashMap<u64, (Arc<T>, usize)>,
    /// The number of entries. [`DashMap::is_empty`] locks every shard, which a process without DXIL
    /// must not pay for in each of its pipelines.
    len: AtomicUsize,
}

impl<T> Default for Handles<T> {
    fn default() -> Self {
        Self { map: DashMap::new(), len: AtomicUsize::new(0) }
    }
}

impl<T> Handles<T> {
    /// Records that a handle was created with this data.
    pub fn add(&self, handle: impl vk::Handle, data: Arc<T>) {
        match self.map.entry(handle.as_raw()) {
            Entry::Occupied(mut entry) => {
                let (known, count) = entry.get_mut();
                *known = data;
                *count += 1;
            }
            Entry::Vacant(entry) => {
                entry.insert((data, 1));
                self.len.fetch_add(1, Relaxed);
            }
        }
    }

    /// The data of a handle.
    pub fn get(&self, handle: impl vk::Handle) -> Option<Arc<T>> {
        // An application that passes a handle to another thread synchronizes the two threads.
        if self.len.load(Relaxed) == 0 {
            return None;
        }
        self.map.get(&handle.as_raw()).map(|entry| entry.0.clone())
    }

    /// Records that a handle is about to be destroyed.
    pub fn remove(&self, handle: impl vk::Handle) {
        if let Entry::Occupied(mut entry) = self.map.entry(handle.as_raw()) {
            entry.get_mut().1 -= 1;
            if entry.get().1 == 0 {
                entry.remove();
                self.len.fetch_sub(1, Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ash::vk::Handle;

    use super::*;

    #[test]
    fn equal_handles_are_counted() {
        let handles = Handles::default();
        let handle = vk::ShaderModule::from_raw(7);
        handles.add(handle, Arc::new(1));
        handles.add(handle, Arc::new(1));
        handles.remove(handle);
        assert!(handles.get(handle).is_some());
        handles.remove(handle);
        assert!(handles.get(handle).is_none());
        handles.remove(handle);
        assert_eq!(handles.len.load(Relaxed), 0);
        handles.add(handle, Arc::new(2));
        assert_eq!(handles.get(handle).as_deref(), Some(&2));
    }
}
