#![allow(clippy::unwrap_used)]
use super::*;

fn terms(language: &str, text: &str) -> Vec<(String, usize)> {
    let words = Words::new(language.parse().unwrap());
    words.terms(text).into_iter().map(|(lexeme, term)| (term, lexeme.position)).collect()
}

fn plain(text: &str) -> Vec<String> {
    terms("none", text).into_iter().map(|(term, _)| term).collect()
}

#[test]
fn words_are_lower_case_runs_of_letters_and_digits() {
    assert_eq!(plain("The Élan, of 3 Cafe\u{301}s: don't!"), ["the", "élan", "of", "3", "cafe\u{301}s", "don", "t"]);
}

#[test]
fn names_are_found_whole_and_in_parts() {
    let expected = [("linalg", 0), ("eig_banded", 1), ("eig", 1), ("banded", 2), ("is", 3)];
    assert_eq!(terms("none", "linalg.eig_banded is"), expected.map(|(t, p)| (t.to_owned(), p)));
    assert_eq!(plain("std::vector"), ["std", "vector"]);
    assert_eq!(plain("__init__ x"), ["__init__", "init", "x"]);
    assert_eq!(plain("__ a _"), ["a"]);
}

#[test]
fn scripts_without_spaces_are_cut_into_characters() {
    assert_eq!(plain("東京タワー is ไทย"), ["東", "京", "タ", "ワ", "ー", "is", "ไ", "ท", "ย"]);
}

#[test]
fn words_are_stemmed_and_names_are_not() {
    assert_eq!(
        terms("en", "running index_names"),
        [("run", 0), ("index_names", 1), ("index", 1), ("name", 2)].map(|(t, p)| (t.to_owned(), p))
    );
}

#[test]
fn endless_words_are_left_out() {
    assert_eq!(plain(&format!("a {} b", "x".repeat(300))), ["a", "b"]);
}

#[test]
fn every_language_code_reads_back_as_itself() {
    for code in Language::codes() {
        assert_eq!(code.parse::<Language>().unwrap().to_string(), code);
    }
    assert!("xx".parse::<Language>().unwrap_err().contains("none"));
}

proptest::proptest! {
    #[test]
    fn lexemes_lie_in_the_text_and_in_order(text in ".{0,120}") {
        let mut last = 0;
        for lexeme in Lexer::new(&text) {
            proptest::prop_assert!(lexeme.start >= last && lexeme.end > lexeme.start);
            proptest::prop_assert!(text.is_char_boundary(lexeme.start) && text.is_char_boundary(lexeme.end));
            last = if lexeme.kind == Kind::Name { lexeme.start } else { lexeme.end };
        }
    }

    #[test]
    fn identifiers_of_any_shape_are_cut_without_panic(text in "[a-z_.:界 ]{0,40}") {
        let count = Lexer::new(&text).count();
        proptest::prop_assert!(count <= text.len() * 2);
    }
}
