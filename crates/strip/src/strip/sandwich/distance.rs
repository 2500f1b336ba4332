//! The edit distance of one name to many (Levenshtein on characters, unit costs), by the bit-parallel method of Myers
//! (1999) with Hyyrö's (2003) step for the distance of whole strings: 64 cells of the dynamic program in one step.

/// A name, prepared for comparison. Characters are small numbers, so that their masks can lie in a table.
pub(super) struct Pattern {
    alphabet: usize,
    chars: Vec<u32>,
    /// For block b (64 characters of the pattern) and character c, where c stands in b: `masks[b * alphabet + c]`.
    masks: Vec<u64>,
    column: Vec<Block>,
}

/// Vertical differences of 64 cells: plus one, minus one.
#[derive(Clone, Copy)]
struct Block {
    plus: u64,
    minus: u64,
}

impl Block {
    const FIRST_COLUMN: Self = Self { plus: u64::MAX, minus: 0 };

    /// One character of the text. `above` and the result are the horizontal differences over the block and in its row
    /// `high`.
    #[inline(always)]
    fn advance(&mut self, mut matches: u64, above: i32, high: u64) -> i32 {
        let vertical = matches | self.minus;
        matches |= u64::from(above < 0);
        let diagonal = ((matches & self.plus).wrapping_add(self.plus) ^ self.plus) | matches;
        let plus = self.minus | !(diagonal | self.plus);
        let minus = self.plus & diagonal;
        let below = i32::from(plus & high != 0) - i32::from(minus & high != 0);
        let plus = plus << 1 | u64::from(above > 0);
        let minus = minus << 1 | u64::from(above < 0);
        self.plus = minus | !(vertical | plus);
        self.minus = plus & vertical;
        below
    }
}

impl Pattern {
    /// An empty pattern over characters below `alphabet`.
    pub(super) fn new(alphabet: usize) -> Self {
        Self { alphabet, chars: Vec::new(), masks: Vec::new(), column: Vec::new() }
    }

    /// The number of 64-character blocks: what a character of a text costs.
    pub(super) fn blocks(&self) -> usize {
        self.chars.len().div_ceil(64)
    }

    /// Takes another name as the pattern.
    pub(super) fn set(&mut self, chars: &[u32]) {
        for (at, &c) in self.chars.iter().enumerate() {
            self.masks[at / 64 * self.alphabet + c as usize] = 0;
        }
        self.chars.clear();
        self.chars.extend_from_slice(chars);
        let size = self.blocks() * self.alphabet;
        if self.masks.len() < size {
            self.masks.resize(size, 0);
        }
        for (at, &c) in chars.iter().enumerate() {
            self.masks[at / 64 * self.alphabet + c as usize] |= 1 << (at % 64);
        }
    }

    /// The distance to `text` if it is at most `bound`.
    pub(super) fn distance(&mut self, text: &[u32], bound: u32) -> Option<u32> {
        let length = self.chars.len();
        if length == 0 {
            return (text.len() as u32 <= bound).then_some(text.len() as u32);
        }
        let high = 1 << ((length - 1) % 64);
        let mut allowed = Allowed { score: length as i64, bound: i64::from(bound), rest: text.len() as i64 };
        if length <= 64 {
            let mut block = Block::FIRST_COLUMN;
            for &c in text {
                allowed.step(block.advance(self.masks[c as usize], 1, high))?;
            }
        } else {
            self.column.clear();
            self.column.resize(self.blocks(), Block::FIRST_COLUMN);
            let last = self.column.len() - 1;
            for &c in text {
                let mut difference = 1;
                for (at, block) in self.column.iter_mut().enumerate() {
                    let high = if at == last { high } else { 1 << 63 };
                    difference = block.advance(self.masks[at * self.alphabet + c as usize], difference, high);
                }
                allowed.step(difference)?;
            }
        }
        allowed.result()
    }
}

/// The distance to the text so far, which can fall by one at most with each character to come.
struct Allowed {
    score: i64,
    bound: i64,
    rest: i64,
}

impl Allowed {
    #[inline(always)]
    fn step(&mut self, difference: i32) -> Option<()> {
        self.score += i64::from(difference);
        self.rest -= 1;
        (self.score - self.rest <= self.bound).then_some(())
    }

    fn result(&self) -> Option<u32> {
        (self.score <= self.bound).then_some(self.score as u32)
    }
}

/// The textbook dynamic program, as an oracle.
#[cfg(test)]
pub(super) fn plain_distance(a: &[u32], b: &[u32]) -> u32 {
    let mut row: Vec<u32> = (0..=b.len() as u32).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i as u32 + 1;
        for (j, y) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = (diagonal + u32::from(x != y)).min(above + 1).min(row[j] + 1);
            diagonal = above;
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn name() -> impl Strategy<Value = Vec<u32>> {
        prop_oneof![prop::collection::vec(0u32..3, 0..20), prop::collection::vec(0u32..5, 50..220)]
    }

    proptest! {
        #[test]
        fn the_distance_is_that_of_the_plain_dynamic_program(names in prop::collection::vec(name(), 2..6)) {
            let mut pattern = Pattern::new(5);
            for a in &names {
                pattern.set(a);
                for b in &names {
                    prop_assert_eq!(pattern.distance(b, u32::MAX), Some(plain_distance(a, b)));
                }
            }
        }

        #[test]
        fn a_distance_above_the_bound_is_not_told(a in name(), b in name(), bound in 0u32..30) {
            let mut pattern = Pattern::new(5);
            pattern.set(&a);
            let distance = plain_distance(&a, &b);
            prop_assert_eq!(pattern.distance(&b, bound), (distance <= bound).then_some(distance));
        }
    }
}
