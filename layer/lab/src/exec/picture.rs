//! Images with a view of all of them, in the layout GENERAL.

use ash::vk;
use dxil_vulkan::{Gpu, ImageShape, View};

use super::stop::{CannotRun, Stop};
use super::texel::texel_bytes;

/// An image and a view of all of it.
pub struct Image<'g> {
    /// The view.
    pub view: View<'g>,
    /// The image.
    pub image: dxil_vulkan::Image<'g>,
}

/// What an image is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spec {
    /// The shape of the image.
    pub shape: ImageShape,
    /// The dimensions of the view.
    pub view: vk::ImageViewType,
    /// What it is used for, besides copies.
    pub usage: vk::ImageUsageFlags,
}

impl Spec {
    /// An image with views of this type, of one level, layer and sample, without a format.
    pub fn new(view: vk::ImageViewType, extent: [u32; 3], usage: vk::ImageUsageFlags) -> Self {
        use vk::ImageViewType as View;
        let kind = match view {
            View::TYPE_1D | View::TYPE_1D_ARRAY => vk::ImageType::TYPE_1D,
            View::TYPE_3D => vk::ImageType::TYPE_3D,
            _ => vk::ImageType::TYPE_2D,
        };
        let cube = matches!(view, View::CUBE | View::CUBE_ARRAY);
        let flat = ImageShape::flat(vk::Format::UNDEFINED, [0; 2]);
        Self { shape: ImageShape { kind, extent, cube, ..flat }, view, usage }
    }
}

/// The aspects of a format.
pub fn aspects(format: vk::Format) -> vk::ImageAspectFlags {
    match format {
        vk::Format::D32_SFLOAT => vk::ImageAspectFlags::DEPTH,
        vk::Format::D32_SFLOAT_S8_UINT => vk::ImageAspectFlags::DEPTH | vk::ImageAspectFlags::STENCIL,
        _ => vk::ImageAspectFlags::COLOR,
    }
}

/// The aspect that is copied: of two, the depth.
fn copied(format: vk::Format) -> vk::ImageAspectFlags {
    match aspects(format) {
        vk::ImageAspectFlags::COLOR => vk::ImageAspectFlags::COLOR,
        _ => vk::ImageAspectFlags::DEPTH,
    }
}

impl<'g> Image<'g> {
    /// Makes an image and its view.
    ///
    /// # Errors
    /// What the device lacks, or the driver's error.
    pub fn new(gpu: &'g Gpu, spec: Spec) -> Result<Self, Stop> {
        let format = spec.shape.format;
        let usage = spec.usage | vk::ImageUsageFlags::TRANSFER_SRC | vk::ImageUsageFlags::TRANSFER_DST;
        let image = dxil_vulkan::Image::new(gpu, spec.shape, aspects(format), usage).map_err(|error| match error {
            dxil_vulkan::Error::NoImage { .. } => {
                let samples = vk::SampleCountFlags::from_raw(spec.shape.samples);
                let usage = spec.usage;
                Stop::from(CannotRun::Image { format, usage, samples })
            }
            error => error.into(),
        })?;
        let mut range = image.range();
        if spec.usage.contains(vk::ImageUsageFlags::SAMPLED) {
            // A sampled view has one aspect.
            range.aspect_mask = copied(format);
        }
        let view = image.view(format, spec.view, range, vk::ImageUsageFlags::empty())?;
        Ok(Self { view, image })
    }

    /// Fills all levels and layers, and leaves the image in the layout in which the lab uses it.
    ///
    /// # Errors
    /// What the device lacks, or the driver's error.
    pub fn upload(&self, bytes: &[u8]) -> Result<(), Stop> {
        let format = self.image.shape.format;
        Ok(self.image.upload(bytes, copied(format), texel_bytes(format), vk::ImageLayout::GENERAL)?)
    }

    /// Reads all levels and layers.
    ///
    /// # Errors
    /// What the device lacks, or the driver's error.
    pub fn download(&self) -> Result<Vec<u8>, Stop> {
        let format = self.image.shape.format;
        Ok(self.image.download(copied(format), texel_bytes(format), vk::ImageLayout::GENERAL)?)
    }
}
