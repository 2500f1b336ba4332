//! Wrappers: a person labels a few records, the program learns where such values stand and finds them on every other page.
//!
//! A page becomes a [`tree`], [`labels`] are placed on it, and what is learned of them is a library of wrappers by host, kept in a
//! fields file. Records of lists and details are learned alike, after Shuyi Zheng's thesis *Web Information Extraction* (chapters 8 to 10):
//! a record is a broom, records that look alike share a wrapper, and a wrapper is aligned with a page to find more of them.

pub mod align;
pub mod broom;
pub mod check;
pub mod cut;
pub mod extract;
pub mod fields;
pub mod induce;
pub mod labels;
pub mod learn;
pub mod library;
pub mod neighbours;
pub mod repeat;
pub mod sign;
pub mod texts;
pub mod tree;
pub mod typed;
pub mod update;
pub mod wpc;
pub mod wrapper;

#[cfg(test)]
mod align_tests;
#[cfg(test)]
mod tests;
