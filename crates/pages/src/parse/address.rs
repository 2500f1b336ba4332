//! Where links lead.

use url::Url;

/// Where a link on a page leads, spelled in one way: without the fragment, and without the name that a folder's page has.
pub fn address(page: &str, href: &str) -> Option<String> {
    // Pages of a folder that was given no address have paths.
    let root = || Url::parse("file:///").ok()?.join(page).ok();
    let mut url = Url::parse(page).ok().or_else(root)?.join(href).ok()?;
    url.set_fragment(None);
    let address = url.to_string();
    let folder = ["index.html", "index.htm"].iter().find_map(|name| address.strip_suffix(name));
    Some(folder.filter(|folder| folder.ends_with('/')).unwrap_or(&address).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_spelled_in_one_way() {
        let same = [
            ("https://a.org/b/c.html", "../d/#top"),
            ("https://a.org/b/c.html", "/d/index.html"),
            ("https://a.org/d/index.html", ""),
            ("https://a.org/d/x?y=1", "./"),
        ];
        for (page, href) in same {
            assert_eq!(address(page, href).as_deref(), Some("https://a.org/d/"), "{page} {href}");
        }
        assert_eq!(address("b/c.html", "d.html"), address("b/d.html", ""));
        assert_ne!(address("b/c.html", "/d.html"), address("b/d.html", ""));
        assert_eq!(address("https://a.org/b", "http://["), None);
    }
}
