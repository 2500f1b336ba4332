//! Running text: sentence patterns filled with English words, words of the general vocabulary and words of a topic.
//!
//! In a pattern `%n` stands for a noun, `%a` an adjective, `%v` a verb, `%t` a word of the topic, `%s` such a
//! word or any noun, `%N` the topic's person, `%M` anybody, `%p` a place and `%d` a number.

use super::topics::Topic;
use super::words::{ADJECTIVES, NOUNS, VERBS, Vocabulary, below, pick};
use unhusk_pages::random::Rng;

/// How many places a site's articles name.
pub(super) const PLACES: u64 = 40;

const SENTENCES: [&str; 26] = [
    "The %n of %s %v the %a %n in %p.",
    "%M %v a %n that nobody had %v since the %s %n.",
    "In %p the %a %n was %v before the %n began.",
    "A %n from %p said that the %s had %v the %n.",
    "For %d years the %s and the %n have been part of the same %n.",
    "Most of the %n is %a, but the %s is not.",
    "There are about %d of them, and each %n has its own %n.",
    "Nobody at the %n could say when the %a %s would be %v.",
    "It is the second %n this year to be %v by a %s.",
    "With %n and %n on one side and %s on the other, the %n %v.",
    "The %a %n %v, and so did the %n of the %s.",
    "According to %N, the %n will cost %d a year.",
    "If the %n is %v, the %s in %p may follow.",
    "What the %n needs, they say, is a %a %n and more %s.",
    "This is why %a %n and %a %n are so often %v together.",
    "Between %p and %p only %d of the %n were %v.",
    "One %n %v another until the %s was all that was left of the %n.",
    "The %s, once %a, is now a %n like any other.",
    "On the other hand, the %n has not %v its %n.",
    "Under the new %n every %s must be %v within %d days.",
    "Some %v the %n, some the %s, and a few the %n itself.",
    "%M has %v the %s for more than %d weeks.",
    "How the %a %n %v the %n is still not known.",
    "At the end of the %n there was a %n, a %n and a %s.",
    "They %v it because of the %n, not because of the %n.",
    "The %n will be %v again when the %n of %p meets.",
];

const OPENINGS: [&str; 4] = [
    "%N has %v the %t %n in %p.",
    "The %t of %N %v the %n of %t.",
    "In %p, %N %v the %a %t and the %n.",
    "\"The %t was %v,\" said %N after the %n of %t.",
];

const PASSING: [&str; 3] = [
    "Unlike the %t, it was never about %t.",
    "Few remembered the %t at that time.",
    "The %n has nothing to do with the %t.",
];

/// A writer of sentences.
#[derive(Debug)]
pub(super) struct Prose<'a> {
    vocabulary: &'a Vocabulary,
    sections: &'a [String],
    rng: Rng,
}

impl<'a> Prose<'a> {
    /// `sections` are the lower-case names of the site's sections, which are words of its articles too.
    pub(super) fn new(vocabulary: &'a Vocabulary, sections: &'a [String], seed: u64) -> Self {
        Prose { vocabulary, sections, rng: Rng::new(seed) }
    }

    /// A number of things between `low` and `high`, both included.
    pub(super) fn between(&mut self, low: u64, high: u64) -> u64 {
        low + below(&mut self.rng, high - low + 1)
    }

    /// A paragraph about a topic; the opening one names its person.
    pub(super) fn paragraph(&mut self, topic: &Topic, opening: bool) -> String {
        let mut out = String::with_capacity(480);
        if opening {
            self.sentence(&OPENINGS, topic, &mut out);
        }
        for _ in 0..self.between(3, 6) {
            space(&mut out);
            self.sentence(&SENTENCES, topic, &mut out);
        }
        out
    }

    /// Adds a sentence that names a topic without being about it.
    pub(super) fn mention(&mut self, topic: &Topic, out: &mut String) {
        space(out);
        self.sentence(&PASSING, topic, out);
    }

    /// Adds one of the patterns, filled and with an upper-case first letter.
    pub(super) fn sentence(&mut self, patterns: &[&str], topic: &Topic, out: &mut String) {
        let start = out.len();
        let mut parts = pick(&mut self.rng, patterns).split('%');
        out.push_str(parts.next().unwrap_or_default());
        for part in parts {
            self.slot(part.as_bytes().first().copied(), topic, out);
            out.push_str(part.get(1..).unwrap_or_default());
        }
        if let Some(first) = out.get_mut(start..start + 1) {
            first.make_ascii_uppercase();
        }
    }

    fn slot(&mut self, slot: Option<u8>, topic: &Topic, out: &mut String) {
        match slot {
            Some(b'n') => self.noun(topic, out),
            Some(b'a') if self.rng.unit() < 0.75 => out.push_str(pick(&mut self.rng, &ADJECTIVES)),
            Some(b'a') => out.push_str(self.vocabulary.common(&mut self.rng)),
            Some(b'v') => out.push_str(pick(&mut self.rng, &VERBS)),
            Some(b't') => out.push_str(topic.word(&mut self.rng)),
            Some(b's') if self.rng.unit() < 0.5 => out.push_str(topic.word(&mut self.rng)),
            Some(b's') => self.noun(topic, out),
            Some(b'N') => out.push_str(&topic.person),
            Some(b'M') => out.push_str(&self.vocabulary.person(&mut self.rng, 400)),
            Some(b'p') => out.push_str(&self.place()),
            Some(b'd') => out.push_str(&(2 + self.rng.below(900)).to_string()),
            _ => {}
        }
    }

    /// A noun: mostly of the general vocabulary, sometimes of the topic, sometimes a section's name.
    fn noun(&mut self, topic: &Topic, out: &mut String) {
        let chance = self.rng.unit();
        if chance < 0.42 {
            out.push_str(self.vocabulary.common(&mut self.rng));
        } else if chance < 0.78 {
            out.push_str(pick(&mut self.rng, &NOUNS));
        } else if chance < 0.90 {
            out.push_str(topic.word(&mut self.rng));
        } else {
            let aspect = topic.aspects[self.rng.below(2)];
            let any = self.rng.below(self.sections.len());
            let section = if chance < 0.97 { aspect } else { any };
            out.push_str(self.sections.get(section).map_or("place", String::as_str));
        }
    }

    fn place(&mut self) -> String {
        let number = below(&mut self.rng, PLACES);
        self.vocabulary.place(number)
    }
}

fn space(out: &mut String) {
    if !out.is_empty() {
        out.push(' ');
    }
}
