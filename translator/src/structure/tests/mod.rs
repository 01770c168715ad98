//! What proves structuring: every tree and every layout does what its graph does, for all outcomes of all branches at once, over all small graphs and many
//! larger ones.

mod agree;
mod exhaustive;
mod generate;
mod lanes;
mod scale;
mod shapes;
mod values;
