//! Messages: to stderr or a file, and to the application's debug-utils messengers.
//!
//! In: text. Out: a line of the log; if the text concerns a call of the application, also a
//! debug-utils message with the objects of the call, submitted through the next layer. What must
//! hold: the names and numbers of messages do not change; nothing is written to stdout; while the
//! loader may hold its lock (creation and destruction of instances and devices) messages are
//! queued, because a callback may call Vulkan.

use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use ash::vk;
use env_logger::{Builder, Target};
use log::Level;
use once_cell::sync::OnceCell;
use parking_lot::Mutex;

use crate::settings::Settings;

/// The log target of statistics, which are written at every level.
pub const STATS: &str = "stats";
/// The largest number of queued messages.
const QUEUE: usize = 64;

/// How often the log has one text of one instance.
const REPEATED: u32 = 10;
/// The largest number of texts whose repetitions are counted.
const TEXTS: usize = 4096;

/// The settings of the log.
#[derive(PartialEq, Eq)]
struct Log {
    level: Option<Level>,
    file: Option<PathBuf>,
    bytes: u64,
}

/// Starts the log with the settings of the first instance in a process. Later calls return a
/// warning if their settings are others.
pub fn start(settings: &Settings) -> Option<String> {
    static STARTED: OnceCell<Log> = OnceCell::new();
    let own = || Log { level: settings.log_level, file: settings.log_file.clone(), bytes: settings.log_bytes };
    let used = STARTED.get_or_init(|| {
        let level = settings.log_level.map_or(log::LevelFilter::Off, |l| l.to_level_filter());
        let mut builder = Builder::new();
        builder.filter_level(level).filter_module(STATS, log::LevelFilter::Info);
        builder.format(|out, record| {
            writeln!(out, "dxil_translate: {}: {}", record.level().as_str().to_ascii_lowercase(), record.args())
        });
        let mut refused = None;
        builder.target(Target::Stderr);
        if let Some(path) = &settings.log_file {
            match Bounded::open(path, settings.log_bytes) {
                Ok(file) => _ = builder.target(Target::Pipe(Box::new(file))),
                Err(error) => refused = Some((path, error)),
            }
        }
        // Fails only if this library's logger is already set, which the cell excludes.
        let _ = builder.try_init();
        if let Some((path, error)) = refused {
            log::warn!("log_file {}: {error}; messages go to stderr", path.display());
        }
        own()
    });
    (*used != own()).then(|| {
        let level = used.level.map_or_else(|| "off".to_owned(), |level| level.as_str().to_ascii_lowercase());
        let file = used.file.as_ref().map_or_else(|| "stderr".to_owned(), |file| file.display().to_string());
        format!(
            "settings log_level, log_file and log_mb: those of the first instance of the process are used: {level}, {file}, {}",
            used.bytes >> 20
        )
    })
}

/// A file that does not become larger than a bound.
struct Bounded {
    file: File,
    /// How much may be written; `None` once a line did not fit.
    left: Option<u64>,
}

impl Bounded {
    /// Opens a file to append to it. One that has reached the bound is emptied.
    fn open(path: &Path, bound: u64) -> std::io::Result<Self> {
        let file = File::options().create(true).append(true).open(path)?;
        let metadata = file.metadata()?;
        let mut size = metadata.len();
        if metadata.is_file() && size >= bound {
            file.set_len(0)?;
            size = 0;
        }
        Ok(Self { file, left: Some(bound.saturating_sub(size)) })
    }
}

impl Write for Bounded {
    fn write(&mut self, line: &[u8]) -> std::io::Result<usize> {
        const LAST: &[u8] = b"dxil_translate: warn: the log file has the size of log_mb; what follows is left out\n";
        let Some(left) = self.left else { return Ok(line.len()) };
        self.left = left.checked_sub(line.len() as u64);
        self.file.write_all(if self.left.is_some() { line } else { LAST })?;
        Ok(line.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

macro_rules! ids {
    ($($(#[doc = $text:literal])* $id:ident = $number:literal, $name:literal;)*) => {
        /// The kind of a message, by which applications can filter messages. Names and numbers do
        /// not change, and no number is reused. docs/layer.md lists them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(i32)]
        pub enum Id {
            $($(#[doc = $text])* $id = ID_BASE + $number,)*
        }

        impl Id {
            /// `pMessageIdName`.
            pub fn name(self) -> &'static CStr {
                match self {
                    $(Self::$id => $name,)*
                }
            }
            /// All of them, each with the text about it.
            #[cfg(test)]
            const ALL: &[(Self, &str)] = &[$((Self::$id, concat!($($text),*)),)*];
        }
    };
}

/// The numbers begin with the letters `DX`, so that collisions with other layers are unlikely.
const ID_BASE: i32 = 0x4458_0000;

ids! {
    /// An ignored setting, or a value that is not accepted.
    Setting = 1, c"DXIL-setting";
    /// A file that a setting names cannot be used: a root signature or a binding map.
    SettingFile = 2, c"DXIL-setting-file";
    /// The driver refused the device with the features that the layer added.
    Features = 3, c"DXIL-features";
    /// A validation layer below does not know features that translated code uses.
    OldValidation = 4, c"DXIL-old-validation";
    /// A shader module is not created.
    Module = 5, c"DXIL-module";
    /// A pipeline is not created.
    Pipeline = 6, c"DXIL-pipeline";
    /// A shader object is not created.
    ShaderObject = 7, c"DXIL-shader-object";
    /// Another command that takes pipelines fails, such as the creation of pipeline binaries.
    Command = 8, c"DXIL-command";
    /// A shader module has no identifier.
    Identifier = 9, c"DXIL-identifier";
    /// A pipeline or linked shader objects read what nothing gives them.
    Interface = 10, c"DXIL-interface";
}

/// An object that a message concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object {
    ty: vk::ObjectType,
    handle: u64,
}

impl<H: vk::Handle> From<H> for Object {
    fn from(handle: H) -> Self {
        Self { ty: H::TYPE, handle: handle.as_raw() }
    }
}

/// The messengers of one instance.
pub struct Messages {
    instance: vk::Instance,
    submit: Option<vk::PFN_vkSubmitDebugUtilsMessageEXT>,
    queue: Mutex<Vec<(Level, Id, String)>>,
    /// The queue may have messages. Every intercepted call checks this flag.
    waiting: AtomicBool,
    /// How often the log has each text.
    logged: Mutex<HashMap<String, u32>>,
}

impl Messages {
    /// Messages of an instance with this command for submission; `None` if the application did not
    /// enable VK_EXT_debug_utils.
    ///
    /// # Safety
    /// The command must be the instance's, and the instance must outlive the result.
    pub unsafe fn new(instance: vk::Instance, submit: Option<vk::PFN_vkSubmitDebugUtilsMessageEXT>) -> Self {
        Self { instance, submit, queue: Mutex::default(), waiting: AtomicBool::new(false), logged: Mutex::default() }
    }

    /// Logs a message that concerns these objects of the application, and submits it to the
    /// messengers after the queued ones.
    pub fn report(&self, level: Level, id: Id, objects: &[Object], text: &str) {
        self.log(level, text);
        self.flush();
        self.submit(level, id, objects, text);
    }

    /// Logs a text, unless the log has it often enough: a program may try again in each frame. The
    /// messengers get all messages, because applications relate them to their calls.
    fn log(&self, level: Level, text: &str) {
        if !log::log_enabled!(level) {
            return;
        }
        let mut logged = self.logged.lock();
        if logged.len() >= TEXTS && !logged.contains_key(text) {
            logged.clear();
        }
        let count = logged.entry(text.to_owned()).or_default();
        *count = count.saturating_add(1);
        let count = *count;
        drop(logged);
        match count {
            ..REPEATED => log::log!(level, "{text}"),
            REPEATED => log::log!(level, "{text} (said {REPEATED} times; further repetitions are left out)"),
            _ => {}
        }
    }

    /// Logs a message while the loader may hold its lock, and queues it for the messengers. It
    /// concerns the instance, because other objects may be destroyed before it is submitted.
    pub fn report_later(&self, level: Level, id: Id, text: &str) {
        self.log(level, text);
        let mut queue = self.queue.lock();
        if self.submit.is_some() && queue.len() < QUEUE {
            queue.push((level, id, text.into()));
            self.waiting.store(true, Relaxed);
        }
    }

    /// Submits the queued messages. Intercepted calls do this first, so that the messages of
    /// `vkCreateInstance` and `vkCreateDevice` are not delayed for long.
    pub fn flush(&self) {
        if self.waiting.load(Relaxed) && self.waiting.swap(false, Relaxed) {
            // The queue is taken first: a callback may re-enter and must not find the lock held.
            let queued = std::mem::take(&mut *self.queue.lock());
            for (level, id, text) in queued {
                self.submit(level, id, &[self.instance.into()], &text);
            }
        }
    }

    fn submit(&self, level: Level, id: Id, objects: &[Object], text: &str) {
        use vk::DebugUtilsMessageSeverityFlagsEXT as Severity;
        let Some(submit) = self.submit else { return };
        let severity = match level {
            Level::Error => Severity::ERROR,
            Level::Warn => Severity::WARNING,
            Level::Info => Severity::INFO,
            Level::Debug | Level::Trace => Severity::VERBOSE,
        };
        // Text that quotes names from a shader may contain any character, even a NUL.
        let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
        // A null handle is not an object (VUID-VkDebugUtilsObjectNameInfoEXT-objectType-02589).
        let objects = objects.iter().filter(|object| object.handle != 0);
        let objects: Vec<_> = objects
            .map(|object| vk::DebugUtilsObjectNameInfoEXT {
                object_type: object.ty,
                object_handle: object.handle,
                ..Default::default()
            })
            .collect();
        let data = vk::DebugUtilsMessengerCallbackDataEXT {
            p_message_id_name: id.name().as_ptr(),
            message_id_number: id as i32,
            p_message: text.as_ptr(),
            object_count: objects.len() as u32,
            p_objects: objects.as_ptr(),
            ..Default::default()
        };
        // SAFETY: the command of a live instance; all pointers live through the call.
        unsafe { submit(self.instance, severity, vk::DebugUtilsMessageTypeFlagsEXT::GENERAL, &data) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_file_is_bounded() {
        let folder = dxil_test_support::TempFolder::new("log");
        let path = folder.join("log");
        let write = |lines: u32| {
            let mut file = Bounded::open(&path, 1000).unwrap();
            (0..lines).for_each(|_| file.write_all(&[b'x'; 100]).unwrap());
            std::fs::read(&path).unwrap()
        };
        assert_eq!(write(4).len(), 400);
        let full = write(20);
        assert!(full.len() < 1200 && full.ends_with(b"what follows is left out\n"), "{} bytes", full.len());
        assert_eq!(write(1), [b'x'; 100], "the next process begins anew");
    }

    #[test]
    fn the_document_lists_the_ids() {
        let document = include_str!("../../../docs/layer.md");
        for (id, text) in Id::ALL {
            let row = format!("| `{}` | {} |{text} |\n", id.name().to_string_lossy(), *id as i32);
            assert!(document.contains(&row), "docs/layer.md has no line {row}");
        }
        let rows = document.lines().filter(|line| line.starts_with("| `DXIL-")).count();
        assert_eq!(rows, Id::ALL.len());
        let mut numbers: Vec<_> = Id::ALL.iter().map(|(id, _)| *id as i32).collect();
        numbers.dedup();
        assert_eq!(numbers.len(), Id::ALL.len());
    }
}
