//! Stripping by structure, from outside: layouts that nobody named are found.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{Desk, found, manifest, skipped, text, unhusk};

/// A site with two layouts, ten pages each.
pub(crate) fn two_layouts(desk: &Desk) -> String {
    let page = |n: u32| match n % 2 {
        0 => format!("<nav><a>Home</a><a>News</a></nav><h1>story{n}</h1><p>words{n}</p><hr><i>The Packet</i>"),
        _ => {
            format!("<table><tr><td>Shop</td><td>Cart</td></tr><tr><td><b>item{n}</b></td></tr></table><em>Prices</em>")
        }
    };
    for n in 0..20 {
        desk.write(&format!("site/{n:02}.html"), page(n));
    }
    desk.path("site")
}

#[test]
fn the_template_of_a_layout_is_not_found_and_its_content_is() {
    let desk = Desk::new();
    let index = desk.index(&two_layouts(&desk), &["--strip", "cluster"]);
    for word in ["home", "packet", "shop", "prices"] {
        assert!(found(&index, word).is_empty(), "{word}");
    }
    assert_eq!(found(&index, "story4"), ["04.html"]);
    assert_eq!(found(&index, "item19"), ["19.html"]);
    let findings = &manifest(&index)["findings"];
    assert_eq!((findings["clusters"].as_u64(), findings["pages_alone"].as_u64()), (Some(2), Some(0)));
    assert_eq!((findings["pages_clustered"].as_u64(), findings["pages_joined"].as_u64()), (Some(20), Some(0)));
}

#[test]
fn dropped_text_names_its_cluster() {
    let desk = Desk::new();
    let site = two_layouts(&desk);
    let said = unhusk(&["strip", &site, "--strip", "cluster", "--page", "03.html", "--explain"]).code(0);
    let reason = "# dropped: this text is in the same place on 10 of the 10 pages of cluster 2";
    assert_eq!(said.out, format!("{reason}\n- Shop\n- Cart\n  item3\n{reason}\n- Prices\n"));
}

#[test]
fn clusters_are_printed_as_lines_and_as_json_and_are_the_same_on_any_number_of_threads() {
    let desk = Desk::new();
    let site = two_layouts(&desk);
    let lines = unhusk(&["clusters", &site]).code(0).out;
    assert!(lines.starts_with("00.html\t1\n01.html\t2\n02.html\t1\n"), "{lines}");
    let json = unhusk(&["clusters", &site, "--format", "json"]).code(0).json();
    assert_eq!(json["clusters"][1]["pages"], 10);
    assert_eq!(
        (text(&json["pages"][19]["id"]), json["pages"][19]["cluster"].as_u64()),
        ("19.html".to_owned(), Some(2))
    );
    let generated = desk.generated(600);
    let clusters = |threads| unhusk(&["clusters", &generated, "--threads", threads]).code(0).out;
    assert_eq!(clusters("1"), clusters("3"));
    for way in ["mdl", "hash", "max"] {
        assert_eq!(unhusk(&["clusters", &site, "--cluster-with", way]).code(0).out, lines, "{way}");
    }
}

#[test]
fn clusters_are_scored_against_true_ones() {
    let desk = Desk::new();
    let site = two_layouts(&desk);
    let truth = desk.write("truth.tsv", unhusk(&["clusters", &site]).code(0).out);
    let args = ["eval", "clusters", &site, "--truth", &truth, "--format", "json", "-q"];
    let answer = unhusk(&[&args[..], &["--cluster-with", "mdl,hash,max,rtdm"]].concat()).code(0).json();
    let ways = answer["ways"].as_array().unwrap();
    assert_eq!(ways.iter().map(|way| text(&way["way"])).collect::<Vec<_>>(), ["mdl", "hash", "max", "rtdm"]);
    for way in &ways[..3] {
        assert_eq!((&way["precision"], &way["recall"], &way["adjusted_rand"]), (&1.0.into(), &1.0.into(), &1.0.into()));
        assert_eq!(way["cost"], ways[0]["cost"]);
    }
    assert_eq!(ways[3]["cost_estimated"], Value::Null);
    for (content, complaint) in
        [("a b\n", "truth.tsv:1: expected a page's id"), ("none.html\tx\n", "names none of the 20")]
    {
        let bad = desk.write("truth.tsv", content);
        unhusk(&["eval", "clusters", &site, "--truth", &bad]).code(2).complains(complaint);
    }
    unhusk(&["eval", "clusters", &site, "--truth", "nowhere.tsv"]).code(2).complains("cannot read true clusters");
    unhusk(&["clusters", &site, "--signature", "0"]).code(2).complains("--signature");
}

#[test]
fn pages_of_real_sites_thrown_together_are_told_apart() {
    let Some(data) = std::env::var_os("UNHUSK_DATA") else {
        return skipped("no development sets", "set UNHUSK_DATA to a folder with them");
    };
    let mut sites: Vec<_> = fs::read_dir(Path::new(&data).join("structured")).unwrap().flatten().collect();
    sites.sort_by_key(|site| site.path());
    let (desk, mut truth) = (Desk::new(), String::new());
    for site in sites.iter().step_by(4) {
        let name = site.file_name().into_string().unwrap();
        let mut pages: Vec<_> = fs::read_dir(site.path().join("pages")).unwrap().flatten().collect();
        pages.sort_by_key(|page| page.path());
        for page in pages.iter().step_by(70).take(3) {
            let id = format!("{name}-{}", page.file_name().into_string().unwrap());
            desk.write(&format!("mixed/{id}"), fs::read(page.path()).unwrap());
            truth += &format!("{id}\t{name}\n");
        }
    }
    let (mixed, truth) = (desk.path("mixed"), desk.write("truth.tsv", truth));
    let answer =
        unhusk(&["eval", "clusters", &mixed, "--truth", &truth, "--format", "json", "--no-dedup"]).code(0).json();
    assert_eq!((answer["pages"].as_u64(), answer["true_clusters"].as_u64()), (Some(30), Some(10)));
    for way in answer["ways"].as_array().unwrap() {
        assert_eq!((&way["precision"], &way["recall"]), (&1.0.into(), &1.0.into()), "{way}");
    }
}
