//! The methods that find templates ([`strip`]), and what they have seen as files that merge ([`model`]).

pub mod strip;

pub mod model;
