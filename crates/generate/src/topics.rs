//! Topics: what pages are about. They are drawn first, pages are written about them after, so what is relevant
//! to a query is known from how the pages were made and no search engine has a say in it.

use super::prose::Prose;
use super::words::{Vocabulary, below, mix};
use unhusk_pages::random::Rng;

/// How many words a topic has of its own.
const WORDS: usize = 10;

/// The topics of a site, each made on demand from its number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Topics {
    seed: u64,
    /// Sections that have topics.
    pub(super) sections: u64,
    /// Topics of each section.
    pub(super) per_section: u64,
}

/// Something pages are about.
#[derive(Debug, Clone)]
pub(super) struct Topic {
    /// Its words, the most used first. Each is a word of about five topics, so it takes two to name one.
    pub(super) words: Vec<String>,
    /// The person it is about.
    pub(super) person: String,
    /// The sections whose names its pages use as words: its own and another.
    pub(super) aspects: [usize; 2],
}

/// What an article is about: topic numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Subject {
    /// What the whole article is about (grade 2).
    pub(super) main: u64,
    /// What one or two of its paragraphs are about (grade 1).
    pub(super) secondary: Option<u64>,
    /// What is named in one sentence (grade 0).
    pub(super) passing: Option<u64>,
}

impl Topics {
    /// Topics for `sections` sections of about `articles` articles each. The share of topics falls slowly
    /// as a site grows, so that one has between 5 and 50 pages whatever the size.
    pub(super) fn new(seed: u64, sections: u64, articles: u64) -> Self {
        let pages_each = 4 + 3 * u64::from(articles.max(1).ilog10());
        Topics { seed, sections, per_section: (articles / pages_each).max(1) }
    }

    /// How many there are.
    pub(super) fn len(&self) -> u64 {
        self.sections * self.per_section
    }

    /// The topic with this number.
    pub(super) fn get(&self, number: u64, vocabulary: &Vocabulary) -> Topic {
        let mut rng = Rng::new(mix(self.seed, 10, number));
        let pool = 2 * self.len() + 60;
        let mut words: Vec<String> = Vec::with_capacity(WORDS);
        while words.len() < WORDS {
            let word = vocabulary.rare(below(&mut rng, pool));
            if !words.contains(&word) {
                words.push(word);
            }
        }
        let home = (number % self.sections) as usize;
        let other = below(&mut rng, self.sections) as usize;
        Topic { words, person: vocabulary.person_of(number), aspects: [home, other] }
    }

    /// What the article with this number in its section is about. Half of the articles take the section's topics in
    /// turn, so that each has pages; the other half go to one topic in three, so that some have many.
    pub(super) fn subject(&self, section: usize, ordinal: u64, page: u64) -> Subject {
        let mut rng = Rng::new(mix(self.seed, 11, page));
        let turn = match ordinal % 2 {
            0 => (ordinal / 2) % self.per_section,
            _ => 3 * below(&mut rng, self.per_section.div_ceil(3)),
        };
        let main = section as u64 + self.sections * turn;
        let other = |rng: &mut Rng, chance: f64| {
            let wanted = rng.unit() < chance;
            let topic = below(rng, self.len());
            (wanted && topic != main).then_some(topic)
        };
        let secondary = other(&mut rng, 0.4);
        let passing = other(&mut rng, 0.3).filter(|t| Some(*t) != secondary);
        Subject { main, secondary, passing }
    }
}

impl Topic {
    /// A word of the topic; the first ones more often.
    pub(super) fn word(&self, rng: &mut Rng) -> &str {
        let at = (rng.unit() * rng.unit() * WORDS as f64) as usize;
        &self.words[at.min(WORDS - 1)]
    }

    /// A headline about it.
    pub(super) fn headline(&self, prose: &mut Prose<'_>) -> String {
        const PATTERNS: [&str; 8] = [
            "%t and %t: the %a %n",
            "%a %t %v %n of %t",
            "Why the %t %n %v %t",
            "%n of %t %v %a %t",
            "%t %n %v in %p",
            "%N %v %t %n",
            "After the %n: %t and %a %t",
            "%t %v, %n %v",
        ];
        let mut title = String::with_capacity(60);
        prose.sentence(&PATTERNS, self, &mut title);
        title
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_has_between_five_and_fifty_pages_at_any_size() {
        for articles in [100, 1_000, 20_000] {
            let topics = Topics::new(5, 4, articles);
            let mut pages = vec![0; topics.len() as usize];
            for page in 0..4 * articles {
                let subject = topics.subject((page % 4) as usize, page / 4, page);
                pages[subject.main as usize] += 1;
                if let Some(secondary) = subject.secondary {
                    pages[secondary as usize] += 1;
                }
            }
            let fit = pages.iter().filter(|n| (5..=50).contains(*n)).count();
            assert!(fit * 100 >= pages.len() * 95, "{fit} of {} topics at {articles}", pages.len());
        }
    }

    #[test]
    fn an_article_of_a_section_is_about_a_topic_of_that_section() {
        let topics = Topics::new(5, 4, 300);
        for ordinal in 0..300 {
            assert_eq!(topics.subject(3, ordinal, ordinal).main % 4, 3);
        }
    }
}
