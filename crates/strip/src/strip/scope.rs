//! Which pages are looked at together.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// The pages among which something has to repeat to be a template.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// All pages.
    #[default]
    Collection,
    /// Pages of one host.
    Host,
    /// Pages of one directory of a host.
    Directory,
}

impl Scope {
    /// A number that is the same for pages in the same scope.
    pub fn of(self, url: &str) -> u64 {
        match self {
            Scope::Collection => 0,
            Scope::Host => xxh3_64(host(url).as_bytes()),
            Scope::Directory => xxh3_64(directory(url).as_bytes()),
        }
    }
}

/// Scheme and host of a URL; nothing for a path.
pub fn host(url: &str) -> &str {
    match url.find("://") {
        // An address in the query of another one is no scheme: "a?to=http://b".
        Some(scheme) if !url[..scheme].contains(['/', '?', '#']) => {
            let start = scheme + 3;
            let end = url[start..].find(['/', '?', '#']).map_or(url.len(), |end| start + end);
            &url[..end]
        }
        _ => "",
    }
}

/// A URL up to the last slash of its path: the host's own where the path has none.
pub fn directory(url: &str) -> &str {
    let path = &url[..url.find(['?', '#']).unwrap_or(url.len())];
    let host = host(url).len();
    match path[host..].rfind('/') {
        Some(slash) => &path[..host + slash + 1],
        None => &path[..host],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_directories_are_read_off_urls_and_paths() {
        assert_eq!(host("https://a.org:80/b/c.html"), "https://a.org:80");
        assert_eq!(host("https://a.org?x=/y"), "https://a.org");
        assert_eq!(host("b/c.html"), "");
        assert_eq!(host("b?to=http://a.org/"), "");
        assert_eq!(directory("https://a.org/b/c.html?d=/e#/f"), "https://a.org/b/");
        assert_eq!(directory("https://a.org"), "https://a.org");
        assert_eq!(directory("b/c.html"), "b/");
        assert_eq!(directory("b/c?to=http://a.org/d"), "b/");
        assert_eq!(directory("c.html"), "");
    }
}
