//! Tests of `dxil-lab` from outside. They are one program, so that the lab is linked once, and so
//! that other tests run while one waits for a driver that hangs.

mod command;
mod common;
mod exec;
mod foz;
mod injected;
mod inputs;
mod lab;
mod many;
mod recipes;
mod record;
mod reduce;
mod renderdoc;
mod report;
mod suite;
