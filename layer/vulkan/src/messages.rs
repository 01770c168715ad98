//! The messages that layers and the loader send through VK_EXT_debug_utils.

use std::ffi::{CStr, c_char, c_void};
use std::sync::{Arc, Mutex, PoisonError};

use ash::vk;

/// The severity of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A warning.
    Warning,
    /// An error: of the validation layer, or of a translation.
    Error,
}

/// The part of the Vulkan stack that sent a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sender {
    /// The Vulkan loader.
    Loader,
    /// The validation layer.
    Validation,
    /// Another layer, or the driver.
    Other,
}

/// A message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The severity.
    pub severity: Severity,
    /// The sender.
    pub sender: Sender,
    /// The text.
    pub text: String,
}

/// The messages that were received.
#[derive(Default)]
pub(crate) struct Inbox(Arc<Mutex<Vec<Message>>>);

impl Inbox {
    /// The messages, oldest first.
    pub(crate) fn messages(&self) -> Vec<Message> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes the messages, oldest first.
    pub(crate) fn take(&self) -> Vec<Message> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The create info of a messenger, which must not outlive the inbox.
    pub(crate) fn messenger_info(&self) -> vk::DebugUtilsMessengerCreateInfoEXT<'static> {
        use vk::{DebugUtilsMessageSeverityFlagsEXT as Severity, DebugUtilsMessageTypeFlagsEXT as Kind};
        vk::DebugUtilsMessengerCreateInfoEXT::default()
            .message_severity(Severity::ERROR | Severity::WARNING)
            .message_type(Kind::GENERAL | Kind::VALIDATION | Kind::PERFORMANCE)
            .pfn_user_callback(Some(receive))
            .user_data(Arc::as_ptr(&self.0).cast_mut().cast())
    }
}

/// Stores a message in the inbox.
///
/// # Safety
/// `user` must be the inbox of [`Inbox::messenger_info`], and `data` null or valid for the call.
unsafe extern "system" fn receive(
    severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    kind: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    user: *mut c_void,
) -> vk::Bool32 {
    let text = |text: *const c_char| {
        // SAFETY: a text of Vulkan is null or null-terminated, and valid for this call.
        (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
    };
    // SAFETY: by this function's contract.
    let Some(data) = (unsafe { data.as_ref() }) else { return vk::FALSE };
    let is_error = severity.contains(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR);
    let sender = match () {
        () if text(data.p_message_id_name).as_deref() == Some("Loader Message") => Sender::Loader,
        () if kind.contains(vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION) => Sender::Validation,
        () => Sender::Other,
    };
    let severity = if is_error { Severity::Error } else { Severity::Warning };
    let message = Message { severity, sender, text: text(data.p_message).unwrap_or_default() };
    // SAFETY: by this function's contract.
    let inbox = unsafe { &*user.cast::<Mutex<Vec<Message>>>() };
    inbox.lock().unwrap_or_else(PoisonError::into_inner).push(message);
    vk::FALSE
}
