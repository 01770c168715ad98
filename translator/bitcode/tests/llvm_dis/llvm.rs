//! LLVM 14 itself, which reads bitcode and prints it as `llvm-dis` does.
//!
//! `llvm-dis` spends nearly all of its time on loading LLVM's library, and cannot read several
//! modules in one process: types of later modules get other names, because all share one context.
//! These tests load the library once and give each module a context of its own.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::null_mut;

use libloading::Library;

/// `LLVMContextRef`, `LLVMMemoryBufferRef`, `LLVMModuleRef` and `LLVMDiagnosticInfoRef`.
type Ref = *mut c_void;

/// `LLVMDSError`.
const ERROR: c_int = 0;

macro_rules! functions {
    ($($name:ident: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// Functions of `llvm-c/Core.h` and `llvm-c/BitReader.h`, by their names there.
        #[expect(non_snake_case)]
        pub struct Llvm {
            $($name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            /// Keeps the functions loaded.
            _library: Library,
        }

        impl Llvm {
            fn new(library: Library) -> Result<Self, libloading::Error> {
                Ok(Self {
                    // SAFETY: the types are those of the headers of LLVM 14.
                    $($name: unsafe { *library.get(concat!(stringify!($name), "\0"))? },)*
                    _library: library,
                })
            }
        }
    };
}

functions! {
    LLVMContextCreate: fn() -> Ref;
    LLVMContextDispose: fn(Ref);
    LLVMContextSetDiagnosticHandler: fn(Ref, unsafe extern "C" fn(Ref, *mut c_void), *mut c_void);
    LLVMCreateMemoryBufferWithMemoryRangeCopy: fn(*const c_char, usize, *const c_char) -> Ref;
    LLVMDisposeMemoryBuffer: fn(Ref);
    LLVMDisposeMessage: fn(*mut c_char);
    LLVMDisposeModule: fn(Ref);
    LLVMGetDiagInfoDescription: fn(Ref) -> *mut c_char;
    LLVMGetDiagInfoSeverity: fn(Ref) -> c_int;
    LLVMParseBitcodeInContext2: fn(Ref, Ref, *mut Ref) -> c_int;
    LLVMPrintModuleToString: fn(Ref) -> *mut c_char;
}

/// What LLVM reports while it reads a module.
struct Reports<'a> {
    llvm: &'a Llvm,
    errors: Vec<String>,
}

impl Llvm {
    /// The library of LLVM 14, if this machine has it.
    pub fn load() -> Option<Self> {
        // SAFETY: initialisers of LLVM's library expect nothing of the process.
        let load = |name| unsafe { Library::new(name) }.ok();
        // The first is Debian's name.
        let library = load("libLLVM-14.so.1").or_else(|| load("libLLVM-14.so"))?;
        Some(Self::new(library).expect("LLVM 14 has all functions of its C interface"))
    }

    /// Reads bitcode and prints the module.
    pub fn disassemble(&self, bitcode: &[u8]) -> Result<String, String> {
        let mut reports = Reports { llvm: self, errors: Vec::new() };
        // SAFETY: the context is disposed of after all that is in it, and calls `report` with a
        // pointer to `reports`, which lives longer.
        unsafe {
            let context = (self.LLVMContextCreate)();
            (self.LLVMContextSetDiagnosticHandler)(context, report, (&raw mut reports).cast());
            let text = self.print(context, bitcode);
            (self.LLVMContextDispose)(context);
            match text {
                Some(text) if reports.errors.is_empty() => Ok(text),
                _ => Err(format!("LLVM 14 reports {:?}", reports.errors)),
            }
        }
    }

    /// # Safety
    /// The context must be one of this library that no other thread uses.
    unsafe fn print(&self, context: Ref, bitcode: &[u8]) -> Option<String> {
        let mut module = null_mut();
        // SAFETY: the buffer is a copy of the bitcode. `module` is one if the status is 0.
        unsafe {
            let (start, length) = (bitcode.as_ptr().cast(), bitcode.len());
            let buffer = (self.LLVMCreateMemoryBufferWithMemoryRangeCopy)(start, length, c"".as_ptr());
            let status = (self.LLVMParseBitcodeInContext2)(context, buffer, &raw mut module);
            (self.LLVMDisposeMemoryBuffer)(buffer);
            if status != 0 {
                return None;
            }
            let text = self.taken((self.LLVMPrintModuleToString)(module));
            (self.LLVMDisposeModule)(module);
            Some(text)
        }
    }

    /// Copies a message of LLVM and frees it.
    ///
    /// # Safety
    /// The message must be one that LLVM's caller frees.
    unsafe fn taken(&self, message: *mut c_char) -> String {
        // SAFETY: messages end with a zero byte.
        unsafe {
            let text = CStr::from_ptr(message).to_string_lossy().into_owned();
            (self.LLVMDisposeMessage)(message);
            text
        }
    }
}

/// # Safety
/// `reports` must point to a [`Reports`] that nothing else uses now.
unsafe extern "C" fn report(info: Ref, reports: *mut c_void) {
    // SAFETY: what the caller promises.
    unsafe {
        let reports = &mut *reports.cast::<Reports<'_>>();
        if (reports.llvm.LLVMGetDiagInfoSeverity)(info) == ERROR {
            reports.errors.push(reports.llvm.taken((reports.llvm.LLVMGetDiagInfoDescription)(info)));
        }
    }
}
