//! Records the frames that a program under X11 shows. `LD_PRELOAD` loads it into the program.
//!
//! A software driver shows a frame by `xcb_put_image`, in one call or in several from top to
//! bottom, if the server does not have the extension MIT-SHM. This library stands before that
//! function. In: `FRAMES_FILE`, the file to write, and `FRAMES_COUNT`, after how many frames the
//! program ends (it runs on without). Out: a line for each call: the number of the frame, the
//! rectangle, a hash of the pixels, and `plain` if they all have one colour.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::fs::File;
use std::hash::{DefaultHasher, Hasher};
use std::io::Write;
use std::sync::{LazyLock, Mutex};

/// `xcb_void_cookie_t`.
#[repr(C)]
pub struct Cookie {
    sequence: u32,
}

type PutImage = unsafe extern "C" fn(*mut c_void, u8, u32, u32, u16, u16, i16, i16, u8, u8, u32, *const u8) -> Cookie;

unsafe extern "C" {
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    fn _exit(status: c_int) -> !;
}

struct Frames {
    file: File,
    /// The number of frames that have begun.
    begun: u64,
    most: u64,
}

static FRAMES: LazyLock<Option<Mutex<Frames>>> = LazyLock::new(|| {
    let file = File::create(std::env::var_os("FRAMES_FILE")?).ok()?;
    let most = std::env::var("FRAMES_COUNT").ok().and_then(|text| text.parse().ok()).unwrap_or(u64::MAX);
    Some(Mutex::new(Frames { file, begun: 0, most }))
});

static NEXT: LazyLock<Option<PutImage>> = LazyLock::new(|| {
    const NEXT: *mut c_void = -1isize as *mut c_void;
    let name: &CStr = c"xcb_put_image";
    // SAFETY: RTLD_NEXT and a null-terminated name; the function of libxcb has this type.
    unsafe { std::mem::transmute(dlsym(NEXT, name.as_ptr())) }
});

/// Records the pixels, and hands them on.
///
/// # Safety
/// As for the function of libxcb.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn xcb_put_image(
    connection: *mut c_void,
    format: u8,
    drawable: u32,
    context: u32,
    width: u16,
    height: u16,
    x: i16,
    y: i16,
    left_pad: u8,
    depth: u8,
    size: u32,
    data: *const u8,
) -> Cookie {
    if let Some(frames) = &*FRAMES
        && let Ok(mut frames) = frames.lock()
    {
        frames.begun += u64::from((x, y) == (0, 0));
        if frames.begun > frames.most {
            // SAFETY: it has no preconditions. No destructor of the program runs.
            unsafe { _exit(0) }
        }
        // SAFETY: the caller gives so many bytes.
        let bytes = unsafe { std::slice::from_raw_parts(data, size as usize) };
        let mut hasher = DefaultHasher::new();
        hasher.write(bytes);
        let plain = bytes.chunks_exact(4).all(|pixel| pixel == &bytes[..4]);
        let (frame, hash) = (frames.begun, hasher.finish());
        let plain = if plain { " plain" } else { "" };
        let _ = writeln!(frames.file, "{frame} {width}x{height}+{x}+{y} {hash:016x}{plain}");
    }
    match *NEXT {
        // SAFETY: the caller's own arguments.
        Some(next) => unsafe {
            next(connection, format, drawable, context, width, height, x, y, left_pad, depth, size, data)
        },
        None => Cookie { sequence: 0 },
    }
}
