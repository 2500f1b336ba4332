//! Lower bounds of the edit distance of sixteen names to another, all at once: what is above the bound need not be
//! compared.
//!
//! Hyyrö's (2003) banded form of Myers' bit-parallel dynamic program. A distance of at most k has a path of cells that
//! stays within k + 1 diagonals, so a word of 16, 32 or 64 bits holds all of a column that matters, whatever the names'
//! lengths. Along a diagonal distances never fall: once the one that ends in the last cell is above the bound, the rest
//! need not be read. Names of one length go side by side, one in each lane of the processor's vectors.
//!
//! Characters are folded to a small alphabet. Folding makes distances smaller, never larger.

use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// How many names are compared side by side.
pub(super) const LANES: usize = 16;

/// How many characters are told apart.
pub(super) const FOLDED: usize = 64;

/// A column of the band, a bit for each cell.
trait Word:
    Copy
    + Ord
    + Add<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + From<u8>
{
    const BITS: u32;
    fn wrapping_add(self, other: Self) -> Self;
    fn of(length: u32) -> Self;
    fn get(self) -> u32;
}

macro_rules! word {
    ($word:ty) => {
        impl Word for $word {
            const BITS: u32 = <$word>::BITS;
            #[inline(always)]
            fn wrapping_add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn of(length: u32) -> Self {
                length as $word
            }
            #[inline(always)]
            fn get(self) -> u32 {
                self as u32
            }
        }
    };
}

word!(u16);
word!(u32);
word!(u64);

/// Up to sixteen names of one length, prepared for comparison.
pub(super) struct Band<'n> {
    alphabet: usize,
    names: [&'n [u8]; LANES],
    narrow: Masks<u16, 16>,
    middle: Masks<u32, 16>,
    wide: Masks<u64, 8>,
}

impl<'n> Band<'n> {
    /// No names yet, over folded characters below `alphabet`.
    pub(super) fn new(alphabet: usize) -> Self {
        let names = [[].as_slice(); LANES];
        Self { alphabet, names, narrow: Masks::default(), middle: Masks::default(), wide: Masks::default() }
    }

    /// Takes other names.
    pub(super) fn set(&mut self, names: [&'n [u8]; LANES]) {
        self.names = names;
        self.narrow.table.clear();
        self.middle.table.clear();
        self.wide.table.clear();
    }

    /// For each name its distance to the text or less, where that is at most `bound`; any larger figure otherwise.
    /// Nothing is ruled out where the bound is too wide for a band.
    pub(super) fn at_least(&mut self, text: &[u8], bound: u32) -> [u32; LANES] {
        match bound {
            _ if text.len().abs_diff(self.names[0].len()) > bound as usize => [u32::MAX; LANES],
            _ if text.len().max(self.names[0].len()) > usize::from(u16::MAX) => [0; LANES],
            0..16 => self.narrow.compare_all(self.alphabet, &self.names, text, bound),
            16..32 => self.middle.compare_all(self.alphabet, &self.names, text, bound),
            32..64 => self.wide.compare_all(self.alphabet, &self.names, text, bound),
            _ => [0; LANES],
        }
    }
}

/// Where characters stand in the names.
struct Masks<W, const N: usize> {
    /// For each N names, word of their length and character, the places of the character, a bit each. A word in front
    /// and one behind are empty, so that a window as wide as a word may lie across either end.
    table: Vec<[W; N]>,
}

impl<W, const N: usize> Default for Masks<W, N> {
    fn default() -> Self {
        Self { table: Vec::new() }
    }
}

impl<W: Word, const N: usize> Masks<W, N> {
    fn compare_all(&mut self, alphabet: usize, names: &[&[u8]; LANES], text: &[u8], bound: u32) -> [u32; LANES] {
        let length = names[0].len();
        let size = (length / W::BITS as usize + 3) * alphabet;
        if self.table.is_empty() {
            self.prepare(alphabet, names, size);
        }
        let mut found = [0; LANES];
        for (found, masks) in found.as_chunks_mut::<N>().0.iter_mut().zip(self.table.chunks_exact(size)) {
            *found = compare_fast(masks, alphabet, length, text, bound);
        }
        found
    }

    fn prepare(&mut self, alphabet: usize, names: &[&[u8]; LANES], size: usize) {
        self.table.resize(size * (LANES / N), [W::from(0); N]);
        for (lane, name) in names.iter().enumerate() {
            let masks = &mut self.table[lane / N * size..];
            for (at, &c) in name.iter().enumerate() {
                let at = at as u32 + W::BITS;
                let mask = &mut masks[(at / W::BITS) as usize * alphabet + usize::from(c)][lane % N];
                *mask = *mask | W::from(1) << (at % W::BITS);
            }
        }
    }
}

/// [`compare`] with the widest vectors the processor has. A build for any x86-64 knows those of 128 bits only, and with
/// 256 it takes little more than half the time.
fn compare_fast<W: Word, const N: usize>(
    masks: &[[W; N]],
    alphabet: usize,
    length: usize,
    text: &[u8],
    bound: u32,
) -> [u32; N] {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        #[target_feature(enable = "avx2")]
        fn compare_avx2<W: Word, const N: usize>(
            masks: &[[W; N]],
            alphabet: usize,
            length: usize,
            text: &[u8],
            bound: u32,
        ) -> [u32; N] {
            compare(masks, alphabet, length, text, bound)
        }
        // SAFETY: the processor has just been asked.
        #[allow(unsafe_code)]
        return unsafe { compare_avx2(masks, alphabet, length, text, bound) };
    }
    compare(masks, alphabet, length, text, bound)
}

/// The band lies evenly about the diagonals of the first and the last cell. It moves down a row with each column, so the
/// last cell's diagonal is the same bit throughout.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // One step for all lanes at once.
fn compare<W: Word, const N: usize>(
    masks: &[[W; N]],
    alphabet: usize,
    length: usize,
    text: &[u8],
    bound: u32,
) -> [u32; N] {
    let one = W::from(1);
    let missing = length.saturating_sub(text.len()) as u32;
    let below = missing + (W::BITS - 1 - length.abs_diff(text.len()) as u32) / 2;
    let diagonal = W::BITS - 1 + length as u32 - text.len() as u32 - below;
    let mut plus = [!W::from(0) << (W::BITS - 1 - below); N];
    let (mut minus, mut agreed) = ([W::from(0); N], [W::from(0); N]);
    for (at, &c) in text.iter().enumerate() {
        let (word, bit) = ((at as u32 + below + 1) / W::BITS, (at as u32 + below + 1) % W::BITS);
        let place = word as usize * alphabet + usize::from(c);
        let (first, second) = (&masks[place], &masks[place + alphabet]);
        for lane in 0..N {
            let matches = first[lane] >> bit | second[lane] << 1 << (W::BITS - 1 - bit);
            let (up, down) = (plus[lane], minus[lane]);
            let same = ((matches & up).wrapping_add(up) ^ up) | matches | down;
            let right = down | !(same | up);
            agreed[lane] = agreed[lane] + (same >> diagonal & one);
            plus[lane] = same & up | !(same >> 1 | right);
            minus[lane] = same >> 1 & right;
        }
        let cells = missing + at as u32 + 1;
        if at % 4 == 3 && cells > bound && agreed.iter().all(|&agreed| agreed < W::of(cells - bound)) {
            return [u32::MAX; N];
        }
    }
    agreed.map(|agreed| missing + text.len() as u32 - agreed.get())
}

#[cfg(test)]
mod tests {
    use super::super::distance::plain_distance;
    use super::*;
    use proptest::prelude::*;

    fn of_length(length: impl Strategy<Value = usize>, number: usize) -> impl Strategy<Value = Vec<Vec<u8>>> {
        length.prop_flat_map(move |n| prop::collection::vec(prop::collection::vec(0u8..4, n), number))
    }

    fn chars(name: &[u8]) -> Vec<u32> {
        name.iter().map(|&c| u32::from(c)).collect()
    }

    proptest! {
        #[test]
        fn names_side_by_side_get_their_distances(
            names in of_length(0usize..90, LANES),
            texts in prop::collection::vec(prop::collection::vec(0u8..4, 0..90), 1..5),
            bounds in prop::collection::vec(0u32..70, 4),
        ) {
            let mut band = Band::new(4);
            band.set(std::array::from_fn(|lane| names[lane].as_slice()));
            for (text, bound) in texts.iter().zip(bounds) {
                for (name, found) in names.iter().zip(band.at_least(text, bound)) {
                    let distance = plain_distance(&chars(name), &chars(text));
                    let told = found == distance || (distance > bound && found > bound);
                    prop_assert!(told || (bound >= 64 && found == 0), "{found} for {distance} within {bound}");
                }
            }
        }

        #[test]
        fn names_a_few_edits_apart_get_their_distances(
            mut name in prop::collection::vec(0u8..4, 32..70),
            edits in prop::collection::vec((0usize..20, 0u8..4, 0..3), 0..12),
        ) {
            let text = name.clone();
            for (at, c, kind) in edits {
                match kind {
                    0 => name[at] = c,
                    1 => name.insert(at, c),
                    _ => drop(name.remove(at)),
                }
            }
            let distance = plain_distance(&chars(&name), &chars(&text));
            let mut band = Band::new(4);
            band.set([&name; LANES]);
            for bound in [distance, distance + 1, 15, 16, 31, 32, 63] {
                prop_assert_eq!(band.at_least(&text, bound), [distance; LANES]);
            }
        }
    }
}
