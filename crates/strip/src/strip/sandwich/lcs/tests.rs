use super::*;
use proptest::prelude::*;

/// The textbook dynamic program.
fn plain_length(a: &[u32], b: &[u32]) -> usize {
    let mut row = vec![0; b.len() + 1];
    for x in a {
        let mut diagonal = 0;
        for (j, y) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = if x == y { diagonal + 1 } else { above.max(row[j]) };
            diagonal = above;
        }
    }
    row[b.len()]
}

fn is_subsequence(part: &[u32], whole: &[u32]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|x| rest.any(|y| x == y))
}

fn check_common(page: &[u32], peer: &[u32], common: &Common) {
    assert_eq!(common.marks.len(), page.len());
    let part: Vec<u32> = page.iter().zip(&common.marks).filter(|(_, marked)| **marked).map(|(x, _)| *x).collect();
    assert_eq!(part.len(), common.len);
    assert!(is_subsequence(&part, peer));
}

fn check_exact(page: &[u32], peer: &[u32], budget: &Budget) {
    let common = lcs_marks(page, peer, budget);
    check_common(page, peer, &common);
    assert!(common.exact);
    assert_eq!(common.len, plain_length(page, peer));
}

fn noise(seed: u32, len: usize, alphabet: u32) -> Vec<u32> {
    let mut state = u64::from(seed) + 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32 % alphabet
    };
    (0..len).map(|_| next()).collect()
}

const NONE: Budget = Budget { steps: 0, memory: 0 };

fn units(alphabet: u32, len: usize) -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(0..alphabet, 0..len)
}

fn pair() -> impl Strategy<Value = (Vec<u32>, Vec<u32>)> {
    prop_oneof![Just(2u32), Just(4), Just(30), Just(300)].prop_flat_map(|n| (units(n, 300), units(n, 300)))
}

proptest! {
    #[test]
    fn the_length_is_that_of_the_plain_dynamic_program((page, peer) in pair()) {
        check_exact(&page, &peer, &Budget::default());
    }

    #[test]
    fn an_edited_copy_is_solved_exactly(page in units(60, 400), edits in prop::collection::vec((0usize..400, 0u32..80), 0..60)) {
        let mut peer = page.clone();
        for (at, unit) in edits {
            match unit % 3 {
                0 => peer.insert(at.min(peer.len()), unit),
                1 if at < peer.len() => { peer.remove(at); }
                _ => if let Some(old) = peer.get_mut(at) { *old = unit },
            }
        }
        check_exact(&page, &peer, &Budget::default());
    }

    #[test]
    fn any_budget_gives_a_common_subsequence((page, peer) in pair(), steps in 0u64..3000, memory in 0usize..20_000) {
        let common = lcs_marks(&page, &peer, &Budget { steps, memory });
        check_common(&page, &peer, &common);
        if common.exact {
            prop_assert_eq!(common.len, plain_length(&page, &peer));
        }
    }

    #[test]
    fn checkpoints_do_not_change_the_answer(seed in 0u32..1000, alphabet in 2u32..40, memory in 4_000usize..40_000) {
        let (page, peer) = (noise(seed, 700, alphabet), noise(seed + 5000, 600, alphabet));
        let roomy = lcs_marks(&page, &peer, &Budget::default());
        let tight = lcs_marks(&page, &peer, &Budget { memory, ..Budget::default() });
        if tight.exact {
            prop_assert_eq!(tight, roomy);
        }
    }
}

#[test]
fn tight_memory_is_still_exact_by_way_of_checkpoints() {
    let (page, peer) = (noise(1, 900, 3), noise(2, 900, 3));
    let budget = Budget { memory: 16_000, ..Budget::default() };
    check_exact(&page, &peer, &budget);
    let matrix = Matrix::new(&page, &peer, 3, 0);
    assert!(matrix.matched_rows(100, &mut 1_000_000).is_none());
}

#[test]
fn large_problems_are_solved_exactly_inside_their_band() {
    for (seed, alphabet, own) in [(1, 50, 10), (2, 5000, 3), (3, 20, 2), (4, 800, 40)] {
        let page = noise(seed, 4500, alphabet);
        let fresh = noise(seed + 9, 4500, alphabet + 100);
        let peer: Vec<u32> = page
            .iter()
            .zip(&fresh)
            .enumerate()
            .flat_map(|(i, (&x, &y))| if i / 7 % own == 0 { vec![y; i % 3] } else { vec![x] })
            .collect();
        check_exact(&page, &peer, &Budget::default());
        check_exact(&page, &fresh, &Budget::default());
    }
}

#[test]
fn the_band_does_not_change_which_answer_is_chosen() {
    for seed in 0..50 {
        let (page, mut peer) = (noise(seed, 300, 5), noise(seed, 300, 5));
        for at in (0..300).step_by(11) {
            peer[at] = 5 - peer[at];
        }
        let length = plain_length(&page, &peer);
        let full = Matrix::new(&page, &peer, 6, 0).matched_rows(1 << 20, &mut 1_000_000);
        let band = Matrix::new(&page, &peer, 6, length).matched_rows(1 << 20, &mut 1_000_000);
        assert_eq!(full.as_ref().unwrap().len(), length);
        assert_eq!(full, band);
    }
}

#[test]
fn adversarial_shapes_are_solved_exactly() {
    let up: Vec<u32> = (0..500).collect();
    let down: Vec<u32> = (0..500).rev().collect();
    let same = vec![7; 500];
    let alternating: Vec<u32> = (0..500).map(|i| i % 2).collect();
    let other: Vec<u32> = (0..500).map(|i| (i / 2) % 2).collect();
    let shapes =
        [up, down, same, alternating, other, vec![], vec![7], noise(3, 129, 2), noise(4, 64, 2), noise(5, 65, 2)];
    for page in &shapes {
        for peer in &shapes {
            check_exact(page, peer, &Budget::default());
        }
    }
}

#[test]
fn unit_numbers_may_be_anything() {
    check_exact(&[u32::MAX, 0, u32::MAX - 1, 5], &[5, u32::MAX - 1, u32::MAX, 5], &Budget::default());
}

#[test]
fn of_several_answers_the_earliest_unit_is_marked() {
    let common = lcs_marks(&[1, 5, 5, 2], &[3, 5, 4], &Budget::default());
    assert_eq!(common.marks, [false, true, false, false]);
    let common = lcs_marks(&[9, 1, 2, 8], &[7, 2, 1, 6], &Budget::default());
    assert_eq!(common.marks, [false, false, true, false]);
}

#[test]
fn pages_that_differ_in_units_of_their_own_need_no_budget() {
    let common = lcs_marks(&[1, 2, 10, 3, 11, 4], &[1, 2, 20, 21, 3, 22, 4], &NONE);
    assert_eq!(common.marks, [true, true, false, true, false, true]);
    assert!(common.exact);
}

#[test]
fn a_spent_budget_keeps_prefix_suffix_and_anchors() {
    let page = [1, 2, 50, 50, 60, 51, 51, 70, 50, 8, 9];
    let peer = [1, 2, 51, 51, 60, 50, 50, 70, 51, 8, 9];
    let common = lcs_marks(&page, &peer, &NONE);
    assert!(!common.exact);
    let expected = [true, true, false, false, true, false, false, true, false, true, true];
    assert_eq!(common.marks, expected);
}

#[test]
fn gaps_between_anchors_are_solved_while_the_budget_lasts() {
    let mut page = noise(1, 400, 3);
    let mut peer = noise(2, 400, 3);
    page[200] = 99;
    peer[200] = 99;
    let whole = lcs_marks(&page, &peer, &Budget::default());
    let part = lcs_marks(&page, &peer, &Budget { steps: 2000, ..Budget::default() });
    let least = lcs_marks(&page, &peer, &NONE);
    assert!(whole.exact && !part.exact && !least.exact);
    check_common(&page, &peer, &part);
    assert!(least.len < part.len && part.len <= whole.len);
}

#[test]
fn two_huge_unlike_pages_end_within_the_bound() {
    let (page, peer) = (noise(1, 60_000, 3), noise(2, 60_000, 3));
    let common = lcs_marks(&page, &peer, &Budget { steps: 1 << 20, ..Budget::default() });
    assert!(!common.exact);
    check_common(&page, &peer, &common);
}
