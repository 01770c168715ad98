//! Commands that create and destroy the objects whose create infos the layer stores.
//!
//! What must hold: the command is forwarded with the application's own arguments; an object is
//! stored after its creation succeeded, and forgotten before its destruction, because another
//! thread may get the same handle as soon as it is destroyed.

/// A command that creates an object. `$next` is the next layer's command, and `$store` stores the
/// object with the handle, of a valid create info.
macro_rules! creation {
    ($name:ident($info:ident) -> $ty:ident: $command:literal, |$device:ident| $next:expr,
        |$it:ident, $handle:ident| $store:expr) => {
        #[doc = concat!("`", $command, "`.")]
        pub unsafe extern "system" fn $name(
            device: vk::Device,
            info: *const vk::$info<'_>,
            allocator: *const vk::AllocationCallbacks<'_>,
            out: *mut vk::$ty,
        ) -> vk::Result {
            guard(vk::Result::ERROR_OUT_OF_HOST_MEMORY, || {
                let failed = vk::Result::ERROR_INITIALIZATION_FAILED;
                // SAFETY: a live device, by the command's valid usage.
                let Some($device) = (unsafe { Device::from_handle(device) }) else { return failed };
                let next = $next;
                let Some(next) = next else { return failed };
                // SAFETY: the application's own arguments.
                let result = unsafe { next($device.handle, info, allocator, out) };
                if result == vk::Result::SUCCESS {
                    // SAFETY: a valid create info, and the handle that was made of it.
                    let ($it, $handle) = unsafe { (&*info, *out) };
                    $store;
                }
                result
            })
        }
    };
}

/// A command that destroys an object. `$next` is the next layer's command, and `$forget` forgets
/// the object.
macro_rules! destruction {
    ($name:ident($ty:ident): $command:literal, |$device:ident| $next:expr, |$object:ident| $forget:expr) => {
        #[doc = concat!("`", $command, "`.")]
        pub unsafe extern "system" fn $name(
            device: vk::Device,
            $object: vk::$ty,
            allocator: *const vk::AllocationCallbacks<'_>,
        ) {
            // SAFETY: a live device, by the command's valid usage.
            let Some($device) = (unsafe { Device::from_handle(device) }) else { return };
            guard((), || $forget);
            let next = $next;
            if let Some(next) = next {
                // SAFETY: the application's own arguments.
                unsafe { next(device, $object, allocator) };
            }
        }
    };
}

pub(super) use {creation, destruction};
