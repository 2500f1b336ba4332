//! Scores ([`eval`]), methods held against each other ([`compare`]), what is said about it ([`report`]), and comparisons
//! that are written down with the scores they must reach ([`experiment`]). Where nobody has judged anything, [`known`] finds queries whose
//! answer is known.

#![forbid(unsafe_code)]

pub mod eval;

pub mod report;

pub mod known;

pub mod compare;

pub mod experiment;
