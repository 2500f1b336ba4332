//! What is left of a page becomes a document ([`extract`]), and documents go to other programs ([`export`]).

#![forbid(unsafe_code)]

pub mod extract;

pub mod export;
