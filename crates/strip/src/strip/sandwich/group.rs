//! Which pages belong together: the directory a page is in, or what stands for it.
//!
//! The method looks for a peer in the same directory. A directory is the URL's host and path up to the last `/`; what
//! follows, query included, is the name. Two kinds of site have no such directories: those that give each page a folder
//! of its own (`/ferry-times/`), where no page has a peer, and those whose one folder holds pages of all kinds
//! (`/index.php?page=…`), where the peer may be of another kind. [`Group::Host`] helps the former, [`Group::Pattern`]
//! both.

use std::borrow::Cow;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::strip::scope::{directory, host};

/// What takes the place of a directory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// The URL's host and path up to the last slash
    #[default]
    Directory,
    /// The whole host: pages of all directories
    Host,
    /// The shape of the URL: digits, the page's own name and the values of the query left out
    Pattern,
}

impl Group {
    /// The group a URL is in, and what tells it from others there.
    pub fn split<'u>(self, url: &'u str) -> (Cow<'u, str>, &'u str) {
        let url = &url[..url.find('#').unwrap_or(url.len())];
        let (host, path) = url.split_at(host(url).len());
        match self {
            Group::Directory => {
                let directory = directory(url);
                (Cow::Borrowed(directory), &url[directory.len()..])
            }
            Group::Host => (Cow::Borrowed(host), path),
            Group::Pattern => {
                let (folders, query) = path.split_once('?').unwrap_or((path, ""));
                (Cow::Owned(pattern(host, folders, query)), path)
            }
        }
    }
}

/// The URL with `#` for each run of digits, `*` for the page's name and its query's keys alone.
///
/// The name is the last part of the path that says something: `index.html` and what ends in a slash do not.
fn pattern(host: &str, path: &str, query: &str) -> String {
    let mut pattern = host.to_owned();
    let mut parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let page = parts.pop_if(|part| is_default_page(part));
    let name = parts.pop();
    for part in parts {
        pattern.push('/');
        push_without_digits(&mut pattern, part);
    }
    if let Some(name) = name {
        pattern.push_str("/*");
        pattern.push_str(extension(name));
    }
    if page.is_some() || path.ends_with('/') {
        pattern.push('/');
    }
    let mut keys: Vec<&str> = query.split(['&', ';']).filter_map(|pair| pair.split('=').next()).collect();
    keys.sort_unstable();
    for key in keys.into_iter().filter(|key| !key.is_empty()) {
        pattern.push('?');
        push_without_digits(&mut pattern, key);
    }
    pattern
}

fn is_default_page(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default();
    part.contains('.') && ["index", "default"].iter().any(|name| stem.eq_ignore_ascii_case(name))
}

/// `.html` and the like; a dot in a title is none.
fn extension(name: &str) -> &str {
    let Some(dot) = name.rfind('.') else { return "" };
    let extension = &name[dot..];
    if extension.len() <= 6 && extension[1..].bytes().all(|byte| byte.is_ascii_alphabetic()) { extension } else { "" }
}

fn push_without_digits(out: &mut String, part: &str) {
    let mut in_digits = false;
    for c in part.chars() {
        let digit = c.is_ascii_digit();
        if !digit {
            out.push(c);
        } else if !in_digits {
            out.push('#');
        }
        in_digits = digit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(group: Group, url: &str) -> (String, String) {
        let (group, name) = group.split(url);
        (group.into_owned(), name.to_owned())
    }

    #[test]
    fn a_directory_ends_at_the_last_slash_of_the_path() {
        let cases = [
            ("http://h/a/b.html", "http://h/a/", "b.html"),
            ("http://h/a/b/", "http://h/a/b/", ""),
            ("http://h/view.php?path=/x/y", "http://h/", "view.php?path=/x/y"),
            ("http://h/a#/b/c", "http://h/", "a"),
            ("http://h", "http://h", ""),
            ("http://h?q=/1", "http://h", "?q=/1"),
            ("news/1.html", "news/", "1.html"),
            ("1.html", "", "1.html"),
            ("", "", ""),
        ];
        for (url, directory, name) in cases {
            assert_eq!(split(Group::Directory, url), (directory.to_owned(), name.to_owned()), "{url}");
        }
    }

    #[test]
    fn a_host_holds_all_its_pages() {
        assert_eq!(split(Group::Host, "http://h:80/a/b?c"), ("http://h:80".to_owned(), "/a/b?c".to_owned()));
        assert_eq!(split(Group::Host, "a/b.html"), (String::new(), "a/b.html".to_owned()));
    }

    #[test]
    fn a_pattern_leaves_out_what_differs_from_page_to_page() {
        let cases = [
            ("http://h/2011/03/ferry-times/", "http://h/#/#/*/"),
            ("http://h/cars/versa-2011/index.html", "http://h/cars/*/"),
            ("http://h/item12/specs.asp", "http://h/item#/*.asp"),
            ("http://h/view.php?id=7&lang=en", "http://h/*.php?id?lang"),
            ("http://h/view.php?lang=fr&id=123", "http://h/*.php?id?lang"),
            ("http://h/", "http://h/"),
            ("news/12.html", "/news/*.html"),
        ];
        for (url, pattern) in cases {
            assert_eq!(split(Group::Pattern, url).0, pattern, "{url}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_url_can_be_split(url in "[a-z0-9:/?#=&.é]{0,40}") {
            for group in [Group::Directory, Group::Host, Group::Pattern] {
                let (_, name) = group.split(&url);
                proptest::prop_assert!(url.contains(name));
            }
            let (directory, name) = Group::Directory.split(&url);
            proptest::prop_assert!(url.starts_with(&(directory.into_owned() + name)));
        }
    }
}
