//! Quirks: everything that is emitted for the sake of a driver.
//!
//! In: the driver of a profile. Out: whether a quirk holds there ([`Quirk::applies`]), and
//! docs/quirks.md ([`markdown`]). What must hold: code that exists because a driver goes wrong
//! names its row here, and nothing else in the translator compares drivers. What Vulkan or SPIR-V
//! leave undefined is no quirk: a form that avoids it is right on every driver.
//!
//! A row says which driver goes wrong, with which versions, how that is shown, what is emitted
//! instead, and when the row may go. A quirk with drivers changes the output for these alone. One
//! that is *always* emitted costs nothing or too little to depend on the driver.

use std::fmt::Write as _;

use crate::profile::Driver;

/// A driver that a quirk is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a row of a document")]
pub struct AffectedDriver {
    /// Its name.
    pub name: &'static str,
    /// `VkDriverId`.
    pub id: u32,
    /// The first `VkPhysicalDeviceProperties::driverVersion` that is right; `None` if none is
    /// known.
    pub fixed: Option<u32>,
}

/// Where the form of a quirk is emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a column of a document")]
pub enum QuirkScope {
    /// For the drivers of the row.
    Drivers,
    /// For every driver.
    Always,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "a row of a document")]
pub struct QuirkInfo {
    /// The quirk.
    pub quirk: Quirk,
    /// Its name in texts.
    pub name: &'static str,
    /// The drivers that go wrong.
    pub drivers: &'static [AffectedDriver],
    /// Where the form is emitted.
    pub scope: QuirkScope,
    /// What goes wrong.
    pub wrong: &'static str,
    /// How it is shown: a fixture or test that fails without the form.
    pub shown: &'static str,
    /// What is emitted instead, and where in the source.
    pub instead: &'static str,
    /// When the row may go.
    pub until: &'static str,
}

/// SwiftShader, whose version has been 5.0.0 for years.
const SWIFTSHADER: AffectedDriver = AffectedDriver { name: "SwiftShader", id: Driver::SWIFTSHADER, fixed: None };
/// NVIDIA's proprietary driver, seen with version 580.159.
const NVIDIA: AffectedDriver = AffectedDriver { name: "NVIDIA", id: Driver::NVIDIA, fixed: None };
/// Mesa's llvmpipe and lavapipe, seen with version 25.0.
const LLVMPIPE: AffectedDriver = AffectedDriver { name: "lavapipe", id: Driver::LLVMPIPE, fixed: None };

macro_rules! quirks {
    ($(
        $quirk:ident $name:literal $scope:ident [$($driver:ident),*]
            wrong $wrong:literal shown $shown:literal instead $instead:literal until $until:literal;
    )*) => {
        /// A quirk of one or several drivers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Quirk {
            $(#[doc = $wrong] $quirk,)*
        }
        /// The table, in the order of the enumeration.
        pub static QUIRKS: &[QuirkInfo] = &[$(QuirkInfo {
            quirk: Quirk::$quirk,
            name: $name,
            drivers: &[$($driver),*],
            scope: QuirkScope::$scope,
            wrong: $wrong,
            shown: $shown,
            instead: $instead,
            until: $until,
        },)*];
    };
}

quirks! {
    UniformArrayLength "uniform-array-length" Drivers [SWIFTSHADER]
        wrong "OpArrayLength of a descriptor whose index is NonUniform stops the process."
        shown "fixtures of arrays of buffers without robustness (`--no-robustness --driver swiftshader`)"
        instead "the length is read once for each set of lanes with the same index (`lower/buffers/block.rs`)"
        until "SwiftShader takes a NonUniform index there";
    CenterReciprocalW "center-reciprocal-w" Drivers [LLVMPIPE]
        wrong "FragCoord has 1/w of the pixel's centre where its other components are those of the sample."
        shown "fixture `graphics/position_w` on lavapipe"
        instead "1/w is not moved to the centre by its derivatives (`lower/stages/position.rs`)"
        until "Vulkan says where 1/w is taken, or lavapipe takes it at the sample";
    LoopsLoseValues "loops-lose-values" Drivers [SWIFTSHADER]
        wrong "Later iterations of a loop are computed for all lanes of a subgroup; only phis and stores leave out the \
               lanes that have left the loop, so a value that leaves a loop without a phi is that of the last iteration."
        shown "control-flow programs on SwiftShader (`tests/control-flow`)"
        instead "such values leave the loop through a variable, which is copied from a second one, because variables \
                 that are only loaded and stored become SSA values again (`lower/control/flow.rs`, `function.rs`); not \
                 beside NonUniform descriptors, where SwiftShader crashes on these variables (fixture `handles/loop`)"
        until "SwiftShader masks values by the lanes that run";
    LanesLeaveTogether "lanes-leave-together" Always [SWIFTSHADER]
        wrong "A lane that has left a loop gets the values of the last round, even through a phi with one operand."
        shown "fixture `wave/multi_prefix` on SwiftShader"
        instead "the loop over sets of lanes is left by all lanes together (`lower/waves/wave.rs`)"
        until "as for `loops-lose-values`";
    ShortLoopExits "short-loop-exits" Always [LLVMPIPE]
        wrong "A lane that has left a loop through a selection whose merge only jumps gets the values of the last \
               iteration (Mesa 25.0)."
        shown "control-flow programs on lavapipe (`tests/control-flow`)"
        instead "`if (c) continue; break;` is one branch without a merge instruction, which is also shorter \
                 (`structure/src/leave.rs`)"
        until "never: the form is the one that compilers write";
    LevelSizeByLane "level-size-by-lane" Always [LLVMPIPE]
        wrong "OpImageQuerySizeLod uses one lane's level for all lanes."
        shown "fixture `texture/dimensions_divergent` on lavapipe"
        instead "the size of a level is computed from that of level 0 (`lower/images/size.rs`)"
        until "lavapipe takes the level of each lane";
    MeshOutputComponents "mesh-output-components" Always [LLVMPIPE]
        wrong "Stores to single components of a mesh shader's vector outputs are ignored."
        shown "fixtures `mesh/*` on lavapipe"
        instead "the components that one block stores to a vector are stored together (`lower/stages/outputs.rs`), \
                 which also takes one check of the index; those that several blocks store, or that barriers or stores \
                 to vertices which may be the same one come between, remain lost"
        until "never: the form has fewer words";
    MeshViewIndex "mesh-view-index" Always [LLVMPIPE]
        wrong "The builtin ViewIndex crashes in mesh shaders."
        shown "fixture `mesh/view` on lavapipe"
        instead "SV_ViewID is 0 without the feature multiviewMeshShader, where no other view exists \
                 (`lower/stages/system.rs`)"
        until "never: Vulkan allows no other value there";
    SampleOnFragCoord "sample-on-frag-coord" Always [LLVMPIPE]
        wrong "The decoration Sample on FragCoord is ignored."
        shown "fixture `graphics/sample` on lavapipe"
        instead "the position at the sample is computed from SamplePosition (`lower/stages/system.rs`)"
        until "every driver that is tested respects the decoration";
    BlockTypesByAccess "block-types-by-access" Always [NVIDIA]
        wrong "A storage buffer whose block type is also that of a NonWritable variable is read as if nothing wrote it: \
               a load does not see the stores of the same invocation before it (580.159)."
        shown "fixtures `control/short_circuit` and `buffer/raw_mixed` on NVIDIA"
        instead "variables that are NonWritable, Coherent, or neither have block types of their own \
                 (`lower/resources/declare.rs`), as compilers of GLSL and HLSL write them"
        until "never: the form is the one that compilers write";
}

impl Quirk {
    /// Its row of the table.
    pub fn info(self) -> &'static QuirkInfo {
        &QUIRKS[self as usize]
    }

    /// Whether the form of the quirk is emitted for this driver.
    pub fn applies(self, driver: &Driver) -> bool {
        let info = self.info();
        let goes_wrong = |affected: &AffectedDriver| {
            affected.id == driver.id && affected.fixed.is_none_or(|fixed| driver.version < fixed)
        };
        info.scope == QuirkScope::Always || info.drivers.iter().any(goes_wrong)
    }
}

/// The text of docs/quirks.md.
pub fn markdown() -> String {
    let mut out = String::from(
        "# Quirks\n\
         Generated from `translator/base/src/quirks.rs` (`BLESS=1 cargo test -p dxil-base --test quirks_doc`);\n\
         do not edit.\n\n\
         Everything that is emitted for the sake of a driver. A profile carries the driver (`driver.id`,\n\
         `driver.version`), and the layer's setting `quirks_of` replaces it. The scope says whether the form is\n\
         emitted for the drivers of the row only, or always.\n\n\
         | quirk | drivers | scope | what goes wrong | shown by | emitted instead | may go when |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for row in QUIRKS {
        let fixed = |affected: &AffectedDriver| match affected.fixed {
            Some(version) => format!("{} before {version}", affected.name),
            None => affected.name.to_owned(),
        };
        let drivers: Vec<_> = row.drivers.iter().map(fixed).collect();
        let scope = match row.scope {
            QuirkScope::Drivers => "drivers",
            QuirkScope::Always => "always",
        };
        let QuirkInfo { name, wrong, shown, instead, until, .. } = row;
        let drivers = drivers.join(", ");
        writeln!(out, "| `{name}` | {drivers} | {scope} | {wrong} | {shown} | {instead} | {until} |")
            .expect("a string takes any text");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_enumeration() {
        assert!(QUIRKS.iter().enumerate().all(|(n, row)| row.quirk as usize == n && !row.drivers.is_empty()));
    }

    #[test]
    fn a_quirk_is_of_its_drivers_until_they_are_fixed() {
        let driver = |id, version| Driver { id, version };
        let quirk = Quirk::LoopsLoseValues;
        assert!(quirk.applies(&driver(Driver::SWIFTSHADER, 5 << 22)));
        assert!(!quirk.applies(&driver(Driver::LLVMPIPE, 0)) && !quirk.applies(&Driver::UNKNOWN));
        assert!(Quirk::LevelSizeByLane.applies(&Driver::UNKNOWN));
    }
}
