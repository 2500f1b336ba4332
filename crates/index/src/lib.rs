//! Indexes: what they are made of ([`index`]), how they are built and updated ([`ingest`]), how they answer ([`search`]).

pub mod index;

pub mod ingest;

pub mod search;
