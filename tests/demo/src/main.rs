//! Draws two pictures with DXIL shaders: a Mandelbrot set with a compute shader, and a cube that
//! has this picture on its faces with a vertex and a pixel shader. With `--rays`, it draws a room
//! by ray tracing instead, with a ray-tracing pipeline and with ray queries. With `--mesh`, it
//! draws a scene of meshlets, with an amplification and a mesh shader and again with a vertex
//! shader.
//!
//! The program is an ordinary Vulkan application. It passes the compiler's DXIL to
//! `vkCreateShaderModule` unchanged, and enables the layer by name at instance creation; the layer
//! does the rest. The descriptor set and binding of each resource follow from the shaders' root
//! signatures (docs/bindings.md), which are at the top of each HLSL file.

mod blob;
mod cube;
mod mandelbrot;
mod meshlets;
mod pipeline;
mod rays;
mod target;

use std::env;
use std::fs;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use ash::vk;
use clap::Parser;
use dxil_test_support::set_environment;
use dxil_tests::error::{Error, Result};
use dxil_tests::layer::{self, Driver};
use dxil_tests::vulkan::{Context, ContextOptions};
use dxil_vulkan::Severity;

use blob::Blob;

/// Draws two pictures with DXIL shaders through the layer: mandelbrot.png and cube.png.
#[derive(Parser)]
struct Arguments {
    /// Path-trace a room instead, with a ray-tracing pipeline (rays.png) and with ray queries
    /// (rays_query.png), and compare both with the CPU (rays_reference.png)
    #[arg(long)]
    rays: bool,
    /// Draw meshlets with an amplification and a mesh shader instead, and the same scene with a
    /// vertex shader: mesh.png and mesh_vertex.png, which must be equal
    #[arg(long)]
    mesh: bool,
    /// Where to write the pictures
    #[arg(long, value_name = "DIR", default_value_os_t = layer::root().join("build/demo"))]
    out: PathBuf,
    /// lavapipe, swiftshader, system, or the path of a driver's JSON file [default: lavapipe if
    /// DXIL_TEST_LAVAPIPE_ICD is set, else system]
    #[arg(long)]
    driver: Option<String>,
    /// Use DXC's SPIR-V of the same shaders instead of DXIL, without the layer (not with --mesh,
    /// because DXC's SPIR-V of mesh shaders is for VK_NV_mesh_shader only)
    #[arg(long)]
    spirv: bool,
    /// Enable the validation layer, and fail if it reports an error
    #[arg(long)]
    validation: bool,
}

impl Arguments {
    fn driver(&self) -> Driver {
        let has_lavapipe = env::var_os("DXIL_TEST_LAVAPIPE_ICD").is_some();
        let default = if has_lavapipe { Driver::Lavapipe } else { Driver::System };
        self.driver.as_deref().map_or(default, Driver::named)
    }
}

/// Writes an RGBA picture as a PNG file.
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
    let properties = &context.gpu.instance.properties;
    println!("driver      {} (Vulkan {})", context.gpu.instance.device_name(), version(properties.api_version));
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

    // The second time, the layer takes the translations of the same modules from its cache.
    let started = Instant::now();
    drop(mandelbrot::Mandelbrot::new(context, code(&mandelbrot::SHADER))?);
    drop(cube::Cube::new(context, code(&cube::VERTEX), code(&cube::PIXEL))?);
    println!("once more   all modules and pipelines {:.1} ms", milliseconds(started));
    Ok(())
}

/// Draws the picture of rays with one device, and compares it with the reference.
fn rays(arguments: &Arguments, context: &Context) -> Result<()> {
    println!("driver      {}", context.gpu.instance.device_name());
    println!("reference   the CPU traces the room, which takes seconds");
    let started = Instant::now();
    let reference = rays::reference();
    println!("reference   {:.1} ms on the CPU", milliseconds(started));
    save(arguments, "rays_reference.png", rays::SIZE, &reference)?;
    let room = rays::Room::new(context)?;
    let check = |name: &str, started: Instant, picture: &[u8]| {
        let difference = rays::Difference::new(picture, &reference);
        let (mean, far) = (difference.mean, difference.far * 100.0);
        println!(
            "{name:11} {:.1} ms, mean difference {mean:.3} of 255, {far:.2} % of pixels by more than 8",
            milliseconds(started)
        );
        if difference.holds() {
            Ok(())
        } else {
            Err(Error::Wrong(format!("{name}: the picture is not that of the CPU")))
        }
    };
    let started = Instant::now();
    let picture = room.by_queries(if arguments.spirv { rays::QUERIES.spirv } else { rays::QUERIES.dxil })?;
    save(arguments, "rays_query.png", rays::SIZE, &picture)?;
    check("ray queries", started, &picture)?;
    if arguments.spirv {
        println!("pipeline    left out: the compiler has no SPIR-V of {}", rays::LIBRARY.name);
        return Ok(());
    }
    let started = Instant::now();
    let picture = room.by_pipeline(rays::LIBRARY.dxil)?;
    save(arguments, "rays.png", rays::SIZE, &picture)?;
    check("pipeline", started, &picture)
}

/// Draws the scene of meshlets in both ways.
fn mesh(arguments: &Arguments, context: &Context) -> Result<()> {
    meshlets::require(context)?;
    println!(
        "driver      {} (Vulkan {})",
        context.gpu.instance.device_name(),
        version(context.gpu.instance.properties.api_version)
    );
    let scene = meshlets::Scene::new(context)?;
    let draw = |way, name, file| {
        let started = Instant::now();
        let renderer = meshlets::Renderer::new(context, way)?;
        let made = milliseconds(started);
        let started = Instant::now();
        let picture = renderer.draw(&scene)?;
        println!("{name:11} modules and pipeline {made:.1} ms, draw {:.1} ms", milliseconds(started));
        save(arguments, file, meshlets::SIZE, &picture)?;
        Ok::<_, Error>(picture)
    };
    let by_mesh = draw(meshlets::Way::Meshlets, "mesh", "mesh.png")?;
    let by_vertex = draw(meshlets::Way::Vertices, "vertex", "mesh_vertex.png")?;
    let census = scene.census()?;
    let culled = census.culled();
    println!("meshlets    {}, of which {culled} were culled:", census.meshlets);
    println!("            {} outside the frustum, {} facing away", census.outside, census.away);
    println!("triangles   {}, of which {} were drawn by the mesh shader", census.triangles, census.drawn_triangles);
    meshlets::check(&census, &by_mesh, &by_vertex)?;
    println!("            both pictures are equal in every byte");
    Ok(())
}

fn save(arguments: &Arguments, name: &str, size: [u32; 2], texels: &[u8]) -> Result<()> {
    let path = arguments.out.join(name);
    write_png(&path, size, texels)?;
    println!("            {}", path.display());
    Ok(())
}

fn run(arguments: &Arguments) -> Result<()> {
    if arguments.mesh && arguments.spirv {
        let reason = "DXC's SPIR-V of mesh shaders is for VK_NV_mesh_shader only";
        return Err(Error::Wrong(format!("--mesh has no --spirv: {reason}")));
    }
    fs::create_dir_all(&arguments.out).map_err(|e| Error::Io(format!("{}: {e}", arguments.out.display())))?;
    if !arguments.spirv {
        println!("layer       is built, if it is not up to date");
    }
    let folder = if arguments.spirv { None } else { Some(layer::build()?) };
    let mut variables = layer::loader_environment(&arguments.driver(), folder.as_deref())?;
    // With this setting the layer prints its statistics when the device is destroyed.
    variables.push(("VK_DXIL_TRANSLATE_STATS", "true".into()));
    set_environment(variables);
    if arguments.validation {
        set_environment([layer::validation_cap()?]);
    }
    let options =
        ContextOptions { dxil_layer: !arguments.spirv, validation: arguments.validation, ..ContextOptions::default() };
    let context = Context::new(&options)?;
    let result = match (arguments.rays, arguments.mesh) {
        (true, _) => rays(arguments, &context),
        (_, true) => mesh(arguments, &context),
        _ => pictures(arguments, &context),
    };
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
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("dxil-demo: {error}");
            ExitCode::FAILURE
        }
    }
}
