//! Messages: to stderr or a file, and to the application's debug-utils messengers.
//!
//! In: text. Out: a line of the log; for what concerns a call of the application also a debug-utils
//! message, submitted through the next layer. What must hold: stdout is never written; while the
//! loader may hold its lock (creation and destruction of instances and devices) messages are
//! queued, because a callback may call Vulkan.

use std::ffi::CString;
use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use ash::vk;
use env_logger::{Builder, Target};
use log::Level;
use once_cell::sync::OnceCell;
use parking_lot::Mutex;

use crate::settings::Settings;
use crate::vulkan::loader::LAYER_NAME;

/// The log target of statistics, which are written whatever the level.
pub const STATS: &str = "stats";
/// The largest number of messages that are kept while they cannot be submitted.
const QUEUE: usize = 64;

/// Starts the log. The settings of the first instance in a process decide; later calls have no
/// effect.
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

/// The way to the messengers of one instance.
pub struct Messages {
    instance: vk::Instance,
    submit: Option<vk::PFN_vkSubmitDebugUtilsMessageEXT>,
    queue: Mutex<Vec<(Level, String)>>,
    /// The queue may have messages. Every call that the layer intercepts asks.
    waiting: AtomicBool,
}

impl Messages {
    /// Messages of an instance that submits them by this command; `None` where the application did
    /// not enable VK_EXT_debug_utils.
    ///
    /// # Safety
    /// The command must be that of the instance, which must live as long as the result is used.
    pub unsafe fn new(instance: vk::Instance, submit: Option<vk::PFN_vkSubmitDebugUtilsMessageEXT>) -> Self {
        Self { instance, submit, queue: Mutex::default(), waiting: AtomicBool::new(false) }
    }

    /// Logs a message that concerns the application, and submits it to the messengers, after those
    /// that were queued.
    pub fn report(&self, level: Level, text: &str) {
        log::log!(level, "{text}");
        self.flush();
        self.submit(level, text);
    }

    /// Logs a message while the loader may hold its lock; the messengers get it with the next one.
    pub fn report_later(&self, level: Level, text: &str) {
        log::log!(level, "{text}");
        let mut queue = self.queue.lock();
        if self.submit.is_some() && queue.len() < QUEUE {
            queue.push((level, text.into()));
            self.waiting.store(true, Relaxed);
        }
    }

    /// Submits the queued messages. For calls that may give messages, so that those of
    /// `vkCreateInstance` and `vkCreateDevice` come soon.
    pub fn flush(&self) {
        if self.waiting.load(Relaxed) && self.waiting.swap(false, Relaxed) {
            // Taken out first: a callback may come back here, and must not find the lock held.
            let queued = std::mem::take(&mut *self.queue.lock());
            for (level, text) in queued {
                self.submit(level, &text);
            }
        }
    }

    fn submit(&self, level: Level, text: &str) {
        use vk::DebugUtilsMessageSeverityFlagsEXT as Severity;
        let Some(submit) = self.submit else { return };
        let severity = match level {
            Level::Error => Severity::ERROR,
            Level::Warn => Severity::WARNING,
            Level::Info => Severity::INFO,
            Level::Debug | Level::Trace => Severity::VERBOSE,
        };
        // Text that quotes names from a shader may contain any character, also a NUL.
        let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
        let data = vk::DebugUtilsMessengerCallbackDataEXT {
            p_message_id_name: LAYER_NAME.as_ptr(),
            p_message: text.as_ptr(),
            ..Default::default()
        };
        // SAFETY: the command of a live instance; all pointers live through the call.
        unsafe { submit(self.instance, severity, vk::DebugUtilsMessageTypeFlagsEXT::GENERAL, &data) };
    }
}
