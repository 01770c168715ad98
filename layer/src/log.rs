//! Messages: to stderr or a file, and to the application's debug-utils messengers.
//!
//! In: text. Out: a line of the log; for what concerns a call of the application also a debug-utils message, submitted through
//! the next layer. What must hold: nothing goes to stdout; while the loader may hold its lock (creation and destruction of
//! instances and devices) messages are queued, because a callback may call Vulkan.

use std::ffi::CString;
use std::fs::File;
use std::path::Path;

use ash::vk;
use env_logger::{Builder, Target};
use once_cell::sync::OnceCell;

use crate::instance::Instance;
use crate::settings::Settings;

/// The log target of statistics, which are written whatever the level.
pub const STATS: &str = "stats";
/// Most messages kept while they can not be submitted.
const QUEUE: usize = 64;

/// Starts the log, once in a process: the first instance's settings decide.
pub fn start(settings: &Settings) {
    static STARTED: OnceCell<()> = OnceCell::new();
    STARTED.get_or_init(|| {
        let level = settings.log_level.map_or(log::LevelFilter::Off, |l| l.to_level_filter());
        let mut builder = Builder::new();
        builder.filter_level(level).filter_module(STATS, log::LevelFilter::Info);
        builder.format(|out, record| {
            use std::io::Write;
            writeln!(out, "dxil_translate: {}: {}", record.level().as_str().to_ascii_lowercase(), record.args())
        });
        let mut refused = None;
        builder.target(Target::Stderr);
        if let Some(path) = &settings.log_file {
            match open(path) {
                Ok(file) => _ = builder.target(Target::Pipe(Box::new(file))),
                Err(error) => refused = Some((path, error)),
            }
        }
        // Fails only where this library's own logger is set already, which the cell excludes.
        let _ = builder.try_init();
        if let Some((path, error)) = refused {
            log::warn!("log_file {}: {error}; messages go to stderr", path.display());
        }
    });
}

fn open(path: &Path) -> std::io::Result<File> {
    File::options().create(true).append(true).open(path)
}

/// Logs a message that concerns the application, and submits it to its messengers, with what was queued before.
pub fn report(instance: &Instance, level: log::Level, text: &str) {
    log::log!(level, "{text}");
    if instance.messages.enabled {
        flush(instance);
        submit(instance, level, text);
    }
}

/// The same while the loader may hold its lock: the messengers get it later.
pub fn report_later(instance: &Instance, level: log::Level, text: &str) {
    log::log!(level, "{text}");
    let mut queue = instance.messages.queue.lock();
    if instance.messages.enabled && queue.len() < QUEUE {
        queue.push((level, text.into()));
    }
}

/// Submits what was queued, if anything was.
pub fn flush(instance: &Instance) {
    if instance.messages.enabled {
        // Taken out first: a callback may come back here, and must not find the lock held.
        let queued = std::mem::take(&mut *instance.messages.queue.lock());
        for (level, text) in queued {
            submit(instance, level, &text);
        }
    }
}

fn submit(instance: &Instance, level: log::Level, text: &str) {
    use vk::DebugUtilsMessageSeverityFlagsEXT as Severity;
    let Some(submit) = instance.table.submit_message else { return };
    let severity = match level {
        log::Level::Error => Severity::ERROR,
        log::Level::Warn => Severity::WARNING,
        log::Level::Info => Severity::INFO,
        log::Level::Debug | log::Level::Trace => Severity::VERBOSE,
    };
    // Text that quotes names from a shader may have anything in it, also a NUL.
    let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
    let data = vk::DebugUtilsMessengerCallbackDataEXT {
        p_message_id_name: crate::LAYER_NAME.as_ptr(),
        p_message: text.as_ptr(),
        ..Default::default()
    };
    // SAFETY: VK_EXT_debug_utils is enabled on the instance; all pointers live through the call.
    unsafe { submit(instance.handle, severity, vk::DebugUtilsMessageTypeFlagsEXT::GENERAL, &data) };
}

/// Messages that wait for their submission.
#[derive(Default)]
pub struct Messages {
    /// Whether the application enabled VK_EXT_debug_utils.
    pub enabled: bool,
    queue: parking_lot::Mutex<Vec<(log::Level, String)>>,
}
