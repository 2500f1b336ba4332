//! Maps whose keys are hashes already: hashing them again would be work for nothing.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use xxhash_rust::xxh3::xxh3_64;

/// A map from hashes.
pub type HashedMap<V> = HashMap<u64, V, BuildHasherDefault<AsItIs>>;

/// A map from hashes of 32 bits.
pub type ShortHashedMap<V> = HashMap<u32, V, BuildHasherDefault<AsItIs>>;

/// A set of hashes.
pub type HashedSet = HashSet<u64, BuildHasherDefault<AsItIs>>;

/// Takes the key for its hash.
#[derive(Default)]
pub struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3_64(bytes);
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn write_u32(&mut self, hash: u32) {
        // The map looks at both ends of 64 bits.
        self.0 = u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}
