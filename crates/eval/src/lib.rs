//! Scores ([`eval`]), methods held against each other ([`compare`]), what is said about it ([`report`]), and comparisons
//! that are written down with the scores they must reach ([`experiment`]).

#![forbid(unsafe_code)]

pub mod eval;

pub mod report;

pub mod compare;

pub mod experiment;
