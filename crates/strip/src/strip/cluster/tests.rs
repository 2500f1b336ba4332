#![allow(clippy::unwrap_used)]

use super::cost::{Matrices, Tally, in_template};
use super::greedy::Mergeable;
use super::*;
use proptest::prelude::*;
use unhusk_pages::parse::parse_html;
use unhusk_pages::spool::{Encoded, Spool, SpoolWriter};

/// The four pages of the source: its figure 3, as its table 1 and its examples tell what is in it.
const EXAMPLE: [&str; 4] = [
    "<html><body><h1>World</h1><br></body></html>",
    "<html><body><h1>Wide</h1><br>List</body></html>",
    "<html><body><h1>web</h1><br>List</body></html>",
    "<html><body>List</body></html>",
];

fn spool(dir: &std::path::Path, pages: &[(String, String)]) -> Spool {
    let mut writer = SpoolWriter::create(&dir.join("spool")).unwrap();
    for (url, html) in pages {
        let mut page = parse_html(html);
        (page.id, page.url) = (url.clone(), url.clone());
        writer.append(&Encoded::new(&page).unwrap()).unwrap();
    }
    writer.finish().unwrap()
}

fn named(pages: impl IntoIterator<Item = impl ToString>) -> Vec<(String, String)> {
    (0..).zip(pages).map(|(number, html): (u32, _)| (number.to_string(), html.to_string())).collect()
}

fn with_pages<T>(pages: &[(String, String)], then: impl FnOnce(&Pages<'_>) -> T) -> T {
    let dir = tempfile::tempdir().unwrap();
    let spool = spool(dir.path(), pages);
    then(&Pages::new(&spool, (0..pages.len() as u32).map(PageNo).collect()))
}

fn learned<T>(cluster: Cluster, pages: &[(String, String)], then: impl Fn(&ClusterModel, &Pages<'_>) -> T) -> T {
    with_pages(pages, |pages| {
        let means = Means { threads: 2, scratch: std::path::Path::new("unused") };
        then(&cluster.learn(pages, means).unwrap(), pages)
    })
}

fn kept(cluster: Cluster, pages: &[(String, String)]) -> Vec<String> {
    learned(cluster, pages, |model, pages| {
        let text = |&number: &PageNo| {
            let page = pages.spool().page(number).unwrap();
            let mask = model.mark(number, &page).unwrap();
            page.text_where(|piece| mask.keeps(piece))
        };
        pages.numbers().iter().map(text).collect()
    })
}

/// Numbers each page's cluster by its first page.
fn labels(cluster: &Cluster, essentials: &Essentials) -> Vec<u32> {
    cluster.cluster(essentials).of
}

fn ways() -> [Cluster; 3] {
    [With::Mdl, With::Hash, With::Max].map(|with| Cluster { with, ..Cluster::default() })
}

#[test]
fn the_worked_example_of_the_source_comes_out_to_the_last_number() {
    let essentials = with_pages(&named(EXAMPLE), |pages| Essentials::read(pages, 1).unwrap());
    // Table 1: eight paths and their supports.
    let mut supports: Vec<u32> = essentials.known.values().map(|known| known.support).collect();
    supports.sort_unstable();
    assert_eq!(supports, [1, 1, 1, 3, 3, 3, 4, 4]);
    // Example 1: E(d1) to E(d4), by the hashes of p1 to p5.
    let all = parse_html(EXAMPLE[1]);
    let elements = paths::of_elements(&all);
    let tag = |tag: &str| elements[(0..elements.len()).find(|&n| all.sign(n as u32).tag == tag).unwrap()];
    let list = paths::of_texts(&all, &elements)[1].path;
    let p = [tag("html"), tag("body"), tag("h1"), tag("br"), list];
    let set = |paths: &[usize]| {
        let mut hashes: Vec<u64> = paths.iter().map(|&path| p[path - 1]).collect();
        hashes.sort_unstable();
        hashes
    };
    let found: Vec<Vec<u64>> = essentials
        .pages
        .iter()
        .map(|page| page.iter().map(|&path| essentials.hashes[path as usize]).collect())
        .collect();
    assert_eq!(found, [set(&[1, 2, 3, 4]), set(&[1, 2, 3, 4, 5]), set(&[1, 2, 3, 4, 5]), set(&[1, 2])]);

    // Example 2: c1 = {d1, d2, d3} with the template p1 to p5, c2 = {d4} with p1 and p2; M_Δ has one −1.
    let clusters = essentials.tallies(&[0, 0, 0, 3]);
    let template =
        |tally: &Tally| -> Vec<u64> { tally.template().map(|(path, _)| essentials.hashes[path as usize]).collect() };
    assert_eq!(clusters.iter().map(template).collect::<Vec<_>>(), [set(&[1, 2, 3, 4, 5]), set(&[1, 2])]);
    let matrices = Matrices::of(essentials.paths(), &clusters);
    assert_eq!(matrices, Matrices { paths: 8, pages: 4, template: 7, missing: 1, extra: 0 });
    assert_eq!(matrices.cost(), 8);
    assert_eq!(clusters.iter().map(Tally::cost).sum::<u64>(), 8);
    // 32 cells: H(7/32) and H(1/32) of them, and 4 · log2 4.
    let bits = matrices.bits();
    assert!((bits.template - 24.2521).abs() < 1e-4, "{bits:?}");
    assert_eq!(bits.members, 8.0);
    assert!((bits.difference - 6.4199).abs() < 1e-4, "{bits:?}");
    assert!((bits.total() - 38.6720).abs() < 1e-4, "{bits:?}");
}

#[test]
fn text_mdl_finds_something_no_dearer_than_the_clustering_of_the_example() {
    let essentials = with_pages(&named(EXAMPLE), |pages| Essentials::read(pages, 1).unwrap());
    let cluster = Cluster { with: With::Mdl, ..Cluster::default() };
    let found = cluster.cluster(&essentials);
    let cost = essentials.tallies(&found.of).iter().map(Tally::cost).sum::<u64>();
    assert_eq!(found.cost, cost as f64);
    assert!(cost <= 8, "{found:?}");
}

fn two_layouts() -> Vec<(String, String)> {
    let news =
        |n: u32| format!("<nav><a>Home</a><a>News</a></nav><h1>Story {n}</h1><p>words {n}</p><hr><i>The Packet</i>");
    let shop = |n: u32| {
        format!(
            "<table><tr><td>Shop</td><td>Cart</td></tr><tr><td><b>item {n}</b></td></tr></table><em>All prices</em>"
        )
    };
    named((0..20).map(|n| if n % 2 == 0 { news(n) } else { shop(n) }))
}

#[test]
fn layouts_are_told_apart_and_what_is_left_is_the_content() {
    for way in ways() {
        let kept = kept(way, &two_layouts());
        assert_eq!(kept[0], "Story 0\nwords 0", "{way:?}");
        assert_eq!(kept[1], "item 1", "{way:?}");
        assert_eq!(kept[19], "item 19", "{way:?}");
    }
}

#[test]
fn a_page_alone_is_kept_whole() {
    let mut pages = two_layouts();
    pages.push(("odd".to_owned(), "<section><s>quite</s><u>another</u><q>thing</q></section>".to_owned()));
    for way in ways() {
        assert_eq!(kept(way, &pages)[20], "quiteanotherthing", "{way:?}");
    }
    assert_eq!(kept(Cluster::default(), &pages[20..]), ["quiteanotherthing"]);
}

#[test]
fn layouts_are_listed_with_paths_text_and_three_pages() {
    learned(Cluster::default(), &two_layouts(), |model, _| {
        let listed = model.templates();
        assert_eq!(listed.len(), 2);
        assert_eq!((listed[0].pages, listed[0].text.as_str()), (10, "Home\nNews\nThe Packet"));
        assert_eq!(listed[0].bytes_saved, 180);
        let layout = listed[0].layout.as_ref().unwrap();
        assert_eq!(layout.examples, ["0", "2", "4"]);
        let expected = ["html", "html/body", "html/body/nav", "html/body/nav/a", "html/body/nav/a/\"Home\""];
        assert_eq!(layout.paths[..5], expected);
    });
}

#[test]
fn a_large_collection_is_sampled_and_the_others_join() {
    let small = Cluster { sample: 8, ..Cluster::default() };
    let mut pages = two_layouts();
    pages.push(("odd".to_owned(), "<section><s>quite</s><u>another</u><q>thing</q></section>".to_owned()));
    assert_eq!(kept(small, &pages)[..20], kept(Cluster::default(), &pages)[..20]);
    learned(small, &pages, |model, _| {
        let findings = model.findings();
        assert_eq!((findings["pages_clustered"].as_u64(), findings["pages_joined"].as_u64()), (Some(8), Some(13)));
        assert_eq!(model.layouts.layouts[0].pages, 10);
    });
}

#[test]
fn hosts_of_a_large_collection_are_taken_one_by_one() {
    let at = |host: &str| {
        let host = host.to_owned();
        two_layouts().into_iter().map(move |(name, html)| (format!("http://{host}/{name}"), html))
    };
    let pages: Vec<(String, String)> = at("a").chain(at("b")).collect();
    learned(Cluster { sample: 30, ..Cluster::default() }, &pages, |model, _| {
        assert_eq!(model.layouts.groups, 2);
        assert_eq!(model.layouts.layouts.iter().map(|layout| layout.pages).collect::<Vec<_>>(), [10; 4]);
    });
    learned(Cluster::default(), &pages, |model, _| assert_eq!(model.layouts.layouts.len(), 2));
}

/// Pages as sets of small numbers, of which some are a layout's and some their own.
fn page_sets() -> impl Strategy<Value = Vec<Vec<u32>>> {
    let page = (0u32..3, proptest::collection::btree_set(0u32..40, 0..6)).prop_map(|(layout, own)| {
        let mut paths: Vec<u32> = (layout * 10..layout * 10 + 7).chain(own).collect();
        paths.sort_unstable();
        paths.dedup();
        paths
    });
    proptest::collection::vec(page, 1..12)
}

fn essentials_of(pages: &[Vec<u32>]) -> Essentials {
    let mut rng = unhusk_pages::random::Rng::new(9);
    let mut hashes: Vec<u64> = (0..64).map(|_| rng.bits()).collect();
    hashes.sort_unstable();
    let numbers = (0..pages.len() as u32).map(PageNo).collect();
    Essentials { numbers, pages: pages.to_vec(), hashes, ..Essentials::default() }
}

/// The cost of one cluster by its matrices, cell by cell, with a given template.
fn naive_cost(pages: &[&Vec<u32>], template: &[u32]) -> u64 {
    let differences = |page: &Vec<u32>| (0..48).filter(|path| page.contains(path) != template.contains(path)).count();
    template.len() as u64 + pages.iter().map(|page| differences(page) as u64).sum::<u64>()
}

/// All subsets of the paths that any page has, of which there are few.
fn best_by_trying(pages: &[&Vec<u32>]) -> u64 {
    let mut union: Vec<u32> = pages.iter().flat_map(|page| page.iter().copied()).collect();
    union.sort_unstable();
    union.dedup();
    let subset = |bits: u32| (0..).zip(&union).filter(|(n, _)| bits >> n & 1 == 1).map(|(_, &p)| p).collect::<Vec<_>>();
    (0..1u32 << union.len()).map(|bits| naive_cost(pages, &subset(bits))).min().unwrap()
}

/// TEXT-MDL as it is written down: all pairs anew in each round.
fn naive_greedy<C: Mergeable + Clone>(pages: Vec<C>) -> Vec<Vec<usize>> {
    let mut clusters: Vec<Option<(C, Vec<usize>)>> =
        pages.into_iter().enumerate().map(|(n, page)| Some((page, vec![n]))).collect();
    loop {
        let mut best: Option<(f64, usize, usize)> = None;
        for other in 0..clusters.len() {
            for one in 0..other {
                let (Some((a, _)), Some((b, _))) = (&clusters[one], &clusters[other]) else { continue };
                let saving = a.cost() + b.cost() - a.clone().merge(b.clone()).cost();
                let better = best.is_none_or(|(most, x, y)| saving > most || (saving == most && (one, other) < (x, y)));
                if saving > 0.0 && better {
                    best = Some((saving, one, other));
                }
            }
        }
        let Some((_, one, other)) = best else { break };
        let ((a, mut members), (b, more)) = (clusters[one].take().unwrap(), clusters[other].take().unwrap());
        members.extend(more);
        members.sort_unstable();
        clusters.push(Some((a.merge(b), members)));
    }
    let mut members: Vec<Vec<usize>> = clusters.into_iter().flatten().map(|(_, members)| members).collect();
    members.sort();
    members
}

fn members(of: &[u32]) -> Vec<Vec<usize>> {
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); of.len()];
    of.iter().enumerate().for_each(|(page, &first)| members[first as usize].push(page));
    members.retain(|members| !members.is_empty());
    members
}

proptest! {
    #[test]
    fn the_cost_is_that_of_the_matrices_counted_cell_by_cell(pages in page_sets()) {
        let tally = Tally::of_pages(pages.iter().map(Vec::as_slice));
        let template: Vec<u32> = tally.template().map(|(path, _)| path).collect();
        prop_assert_eq!(tally.cost(), naive_cost(&pages.iter().collect::<Vec<_>>(), &template));
        let merged = pages.iter().map(|page| Tally::of_page(page)).reduce(Tally::merge).unwrap();
        prop_assert_eq!(&merged, &tally);
        let matrices = Matrices::of(64, &[tally]);
        prop_assert_eq!(matrices.cost(), merged.cost());
        for &(_, support) in merged.counts() {
            // s ≥ (n + 1) / 2, as the method has it.
            prop_assert_eq!(in_template(support, merged.pages()), f64::from(support) >= f64::from(merged.pages() + 1) / 2.0);
        }
    }

    #[test]
    fn no_other_template_costs_less(
        pages in proptest::collection::vec(proptest::collection::btree_set(0u32..7, 0..7), 1..7)
    ) {
        let pages: Vec<Vec<u32>> = pages.into_iter().map(|page| page.into_iter().collect()).collect();
        let tally = Tally::of_pages(pages.iter().map(Vec::as_slice));
        prop_assert_eq!(tally.cost(), best_by_trying(&pages.iter().collect::<Vec<_>>()));
    }

    #[test]
    fn the_heap_merges_what_looking_at_all_pairs_anew_would(pages in page_sets()) {
        let essentials = essentials_of(&pages);
        let tallies: Vec<Tally> = pages.iter().map(|page| Tally::of_page(page)).collect();
        let [mdl, hash, _] = ways();
        prop_assert_eq!(members(&labels(&mdl, &essentials)), naive_greedy(tallies));
        prop_assert_eq!(members(&labels(&hash, &essentials)), naive_greedy(hash.signatures(&essentials)));
    }

    #[test]
    fn every_way_puts_each_page_into_one_cluster_named_by_its_first_page(pages in page_sets()) {
        for way in ways() {
            let of = labels(&way, &essentials_of(&pages));
            prop_assert_eq!(of.len(), pages.len());
            for (page, &first) in of.iter().enumerate() {
                prop_assert!(first as usize <= page && of[first as usize] == first);
            }
        }
    }

    #[test]
    fn signatures_tell_nearly_the_true_cost(pages in page_sets(), seed in 0u64..1000) {
        let essentials = essentials_of(&pages);
        let long = Cluster { signature: 2000, seed, ..Cluster::default() };
        let estimated = long.signatures(&essentials).into_iter().reduce(Signature::merge).unwrap().cost();
        let truth = Tally::of_pages(pages.iter().map(Vec::as_slice)).cost() as f64;
        prop_assert!((estimated - truth).abs() <= 0.15 * truth, "{estimated} {truth}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn threads_do_not_change_the_clusters(seed in 0u64..50, sample in 3u32..30) {
        let pages = named((0..70).map(|n: u64| {
            let layout = (n * 7 + seed) % 4;
            format!("<div><p>{layout}</p><h{}>{n}</h{}></div><ul><li>{}</ul>", layout + 1, layout + 1, n % 5)
        }));
        let find = |threads| with_pages(&pages, |pages| {
            let layouts = Cluster { sample, ..Cluster::default() }.find(pages, threads).unwrap();
            (pages.numbers().iter().map(|&page| layouts.of(page)).collect::<Vec<_>>(), layouts.layouts)
        });
        prop_assert_eq!(find(1), find(3));
    }
}
