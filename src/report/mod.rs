//! Reports: what a comparison found, for people and for programs.

pub mod figures;
pub mod html;
mod table;

pub use table::Table;
