//! Collections become pages: files are [`read`], [`parse`]d, asked what they say of themselves ([`metadata`]), put on the [`spool`], and copies are found ([`dedup`]).
//!
//! [`random`], [`hashed`] and [`field`] are used by several stages, so they are with the first.

pub mod random;

pub mod hashed;

pub mod field;

pub mod read;

pub mod parse;

pub mod metadata;

pub mod spool;

pub mod dedup;
