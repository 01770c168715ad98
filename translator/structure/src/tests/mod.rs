//! Tests of structuring. Every tree and every layout runs the same blocks as its graph, for all
//! outcomes of all branches, over all small graphs and many larger ones.

mod agree;
mod exhaustive;
pub mod generate;
mod lanes;
mod legal;
mod refused;
mod scale;
mod shapes;
mod values;
