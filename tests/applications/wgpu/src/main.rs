//! DXIL through wgpu, without a change of wgpu: shader modules from DXC's SPIR-V, from a DXIL
//! container, and from the container embedded in SPIR-V give the same numbers and the same picture.
//!
//! In: the folder with the shaders that `scripts/test-applications.sh` compiled, and the layer
//! below wgpu. Out: one line per test, in libtest's format. What must hold: a result from DXIL
//! equals that from SPIR-V byte for byte, and what this program computes for itself.

use std::borrow::Cow;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use wgpu::util::DeviceExt;

mod compute;
mod triangle;

type Failure = Box<dyn Error>;

/// The forms in which a shader is handed to wgpu, each with the ending of its file.
const FORMS: [(&str, &str); 3] = [("spirv", "spv"), ("dxil", "dxil"), ("embedded", "embedded.spv")];

/// A device, and the shaders in one of the forms.
struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
    shaders: PathBuf,
    form: &'static str,
    ending: &'static str,
}

impl Gpu {
    fn open(shaders: &Path, form: &'static str, ending: &'static str) -> Result<Self, Failure> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = wgpu::Backends::VULKAN;
        let instance = wgpu::Instance::new(descriptor);
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))?;
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            required_features: wgpu::Features::PASSTHROUGH_SHADERS,
            ..Default::default()
        }))?;
        Ok(Self { device, queue, shaders: shaders.to_owned(), form, ending })
    }

    /// The words that wgpu gets. `make_spirv_raw` checks the magic number, so that it takes SPIR-V
    /// and DXIL embedded in it. A container as it is goes past it: its size is a multiple of four
    /// bytes.
    fn words(&self, bytes: &[u8]) -> Vec<u32> {
        match self.form {
            "dxil" => bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect(),
            _ => wgpu::util::make_spirv_raw(bytes).into_owned(),
        }
    }

    fn module(&self, name: &str) -> Result<wgpu::ShaderModule, Failure> {
        let path = self.shaders.join(format!("{name}.{}", self.ending));
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let descriptor = wgpu::ShaderModuleDescriptorPassthrough {
            label: Some(name),
            entry_points: Cow::Owned(vec![wgpu::PassthroughShaderEntryPoint {
                name: "main".into(),
                workgroup_size: (1, 1, 1),
            }]),
            spirv: Some(Cow::Owned(self.words(&bytes))),
            ..Default::default()
        };
        // SAFETY: the module is what the pipeline layouts of this program are written for.
        Ok(unsafe { self.device.create_shader_module_passthrough(descriptor) })
    }

    fn buffer(&self, bytes: &[u8], usage: wgpu::BufferUsages) -> wgpu::Buffer {
        let descriptor = wgpu::util::BufferInitDescriptor { label: None, contents: bytes, usage };
        self.device.create_buffer_init(&descriptor)
    }

    /// A pipeline layout of one group, and the group. Binding k is the k-th buffer.
    fn bind(
        &self,
        stage: wgpu::ShaderStages,
        buffers: &[(wgpu::BufferBindingType, &wgpu::Buffer)],
    ) -> (wgpu::PipelineLayout, wgpu::BindGroup) {
        let numbered = || (0..).zip(buffers);
        let entries: Vec<_> = numbered()
            .map(|(binding, (ty, _))| wgpu::BindGroupLayoutEntry {
                binding,
                visibility: stage,
                ty: wgpu::BindingType::Buffer { ty: *ty, has_dynamic_offset: false, min_binding_size: None },
                count: None,
            })
            .collect();
        let descriptor = wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries };
        let layout = self.device.create_bind_group_layout(&descriptor);
        let entries: Vec<_> = numbered()
            .map(|(binding, (_, buffer))| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        let descriptor = wgpu::BindGroupDescriptor { label: None, layout: &layout, entries: &entries };
        let group = self.device.create_bind_group(&descriptor);
        let descriptor =
            wgpu::PipelineLayoutDescriptor { label: None, bind_group_layouts: &[Some(&layout)], immediate_size: 0 };
        (self.device.create_pipeline_layout(&descriptor), group)
    }

    /// Submits commands, and reads the buffer that they leave.
    fn read(&self, commands: wgpu::CommandEncoder, buffer: &wgpu::Buffer) -> Result<Vec<u8>, Failure> {
        self.queue.submit([commands.finish()]);
        buffer.map_async(wgpu::MapMode::Read, .., |result| result.expect("the buffer can be mapped"));
        self.device.poll(wgpu::PollType::wait_indefinitely())?;
        Ok(buffer.get_mapped_range(..)?.to_vec())
    }
}

/// Says where two results differ.
fn difference(spirv: &[u8], found: &[u8]) -> String {
    let differ = || spirv.iter().zip(found).enumerate().filter(|(_, (a, b))| a != b);
    let first = differ().next().map(|(at, (a, b))| format!(", first at byte {at}: {b}, and {a} from SPIR-V"));
    format!("{} bytes differ from those of SPIR-V{}", differ().count(), first.unwrap_or_default())
}

/// A test gives its result for one form, or says what is wrong with it.
type Test = fn(&Gpu) -> Result<Vec<u8>, Failure>;
const TESTS: [(&str, Test); 2] = [("compute", compute::run), ("triangle", triangle::run)];

fn main() -> ExitCode {
    let Some(shaders) = std::env::args_os().nth(1) else {
        eprintln!("usage: dxil-application-wgpu SHADERS");
        return ExitCode::from(2);
    };
    let (mut passed, mut failed) = (0, 0);
    for (name, test) in TESTS {
        let mut expected: Option<Vec<u8>> = None;
        for (form, ending) in FORMS {
            let result = Gpu::open(Path::new(&shaders), form, ending).and_then(|gpu| test(&gpu));
            let result = result.and_then(|bytes| match &expected {
                Some(spirv) if *spirv != bytes => Err(difference(spirv, &bytes).into()),
                _ => Ok(bytes),
            });
            match result {
                Ok(bytes) => {
                    println!("test wgpu/{name} {form} ... ok");
                    expected.get_or_insert(bytes);
                    passed += 1;
                }
                Err(error) => {
                    println!("test wgpu/{name} {form} ... FAILED: {error}");
                    failed += 1;
                }
            }
        }
    }
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!("test result: {word}. {passed} passed; {failed} failed; 0 ignored");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
