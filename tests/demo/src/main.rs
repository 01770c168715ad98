//! Two pictures from DXIL: a Mandelbrot set from a compute shader, and a cube with that picture on its faces from a vertex and
//! a pixel shader.
//!
//! The program is an ordinary Vulkan application. It hands the compiler's DXIL to vkCreateShaderModule as it is; the layer, which
//! it names at instance creation, does the rest. Where the shaders' resources are in Vulkan follows from their root signatures
//! (docs/bindings.md), written out at the top of each HLSL file.

mod cube;
mod mandelbrot;
mod pipeline;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use ash::vk;
use dxil_tests::error::{Error, Result};
use dxil_tests::layer::{self, Driver};
use dxil_tests::vulkan::{Context, ContextOptions, Severity};

const USAGE: &str =
    "usage: dxil-demo [--out DIR] [--driver lavapipe|swiftshader|system|ICD.json] [--spirv] [--validation]
  --spirv  hand over DXC's SPIR-V of the same shaders instead of DXIL, without the layer";

/// The compiled forms of one shader.
struct Blob {
    name: &'static str,
    dxil: &'static [u8],
    spirv: &'static [u8],
}

/// What the program was asked to do.
struct Arguments {
    out: PathBuf,
    driver: Driver,
    spirv: bool,
    validation: bool,
}

fn arguments() -> Option<Arguments> {
    let mut all = Arguments {
        out: layer::root().join("build/demo"),
        driver: if env::var_os("DXIL_TEST_LAVAPIPE_ICD").is_some() { Driver::Lavapipe } else { Driver::System },
        spirv: false,
        validation: false,
    };
    let mut words = env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--out" => all.out = words.next()?.into(),
            "--driver" => all.driver = Driver::named(&words.next()?),
            "--spirv" => all.spirv = true,
            "--validation" => all.validation = true,
            _ => return None,
        }
    }
    Some(all)
}

/// Writes an RGBA picture.
fn write_png(path: &Path, size: [u32; 2], texels: &[u8]) -> Result<()> {
    let io = |e: &dyn std::fmt::Display| Error::Io(format!("{}: {e}", path.display()));
    let file = fs::File::create(path).map_err(|e| io(&e))?;
    let mut encoder = png::Encoder::new(BufWriter::new(file), size[0], size[1]);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(|e| io(&e))?;
    writer.write_image_data(texels).map_err(|e| io(&e))
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

fn version(number: u32) -> String {
    format!("{}.{}.{}", vk::api_version_major(number), vk::api_version_minor(number), vk::api_version_patch(number))
}

/// Draws both pictures with one device.
fn pictures(arguments: &Arguments, context: &Context) -> Result<()> {
    let properties = &context.properties;
    println!("driver      {} (Vulkan {})", context.device_name(), version(properties.api_version));
    let blobs = [&mandelbrot::SHADER, &cube::VERTEX, &cube::PIXEL];
    let code = |blob: &Blob| if arguments.spirv { blob.spirv } else { blob.dxil };
    let kind = if arguments.spirv { "SPIR-V" } else { "DXIL" };
    for blob in blobs {
        println!("{:11} {} bytes of {kind}", blob.name, code(blob).len());
    }

    let started = Instant::now();
    let fractal = mandelbrot::Mandelbrot::new(context, code(&mandelbrot::SHADER))?;
    let made = milliseconds(started);
    let started = Instant::now();
    let picture = fractal.compute(context)?;
    println!("mandelbrot  module and pipeline {made:.1} ms, dispatch {:.1} ms", milliseconds(started));
    save(arguments, "mandelbrot.png", mandelbrot::SIZE, &picture)?;

    let started = Instant::now();
    let cube = cube::Cube::new(context, code(&cube::VERTEX), code(&cube::PIXEL))?;
    let made = milliseconds(started);
    let started = Instant::now();
    let image = cube.draw(context, &picture)?;
    println!("cube        modules and pipeline {made:.1} ms, draw {:.1} ms", milliseconds(started));
    save(arguments, "cube.png", cube::SIZE, &image)?;

    // The same modules and pipelines once more: the layer answers from its cache.
    let started = Instant::now();
    drop(mandelbrot::Mandelbrot::new(context, code(&mandelbrot::SHADER))?);
    drop(cube::Cube::new(context, code(&cube::VERTEX), code(&cube::PIXEL))?);
    println!("once more   all modules and pipelines {:.1} ms", milliseconds(started));
    Ok(())
}

fn save(arguments: &Arguments, name: &str, size: [u32; 2], texels: &[u8]) -> Result<()> {
    let path = arguments.out.join(name);
    write_png(&path, size, texels)?;
    println!("            {}", path.display());
    Ok(())
}

/// Sets environment variables for the Vulkan loader and the layer.
fn set(variables: impl IntoIterator<Item = (&'static str, OsString)>) {
    for (name, value) in variables {
        // SAFETY: this is the only thread: nothing here starts one before the first Vulkan instance is made.
        unsafe { env::set_var(name, value) };
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    fs::create_dir_all(&arguments.out).map_err(|e| Error::Io(format!("{}: {e}", arguments.out.display())))?;
    let folder = if arguments.spirv { None } else { Some(layer::build()?) };
    let mut variables = layer::loader_environment(&arguments.driver, folder.as_deref())?;
    // The layer reports what it did when the device goes.
    variables.push(("VK_DXIL_TRANSLATE_STATS", "true".into()));
    set(variables);
    if arguments.validation {
        set([layer::validation_cap()?]);
    }
    let options =
        ContextOptions { dxil_layer: !arguments.spirv, validation: arguments.validation, no_robustness: false };
    let context = Context::new(&options)?;
    let result = pictures(arguments, &context);
    let messages = context.messages();
    for message in &messages {
        println!("{:?}: {}", message.severity, message.text);
    }
    if arguments.validation && messages.iter().any(|message| message.severity == Severity::Error) {
        return Err(Error::Wrong("the validation layer reported errors".into()));
    }
    result
}

fn main() -> ExitCode {
    let Some(arguments) = arguments() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("dxil-demo: {error}");
            ExitCode::FAILURE
        }
    }
}
