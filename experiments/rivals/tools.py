"""The rivals: each is a function from a page's bytes to the text it takes for content.

Every tool gets the bytes of the page as they are and decodes them itself, and is used as its documentation shows, with its
defaults; where a default adds text that is not on the page (addresses of links, bullets), it is switched off. A tool that is not
installed is absent.
"""

import importlib
import importlib.metadata
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent

# Ends of these are ends of words in what readability leaves of the page.
BLOCKS = set(
    "address article aside blockquote body br caption center dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 "
    "header hr html li main nav ol option p pre section table tbody td tfoot th thead tr ul".split()
)

# The languages of the labelled sites, by the first word of their folder's name. jusText has no list of Chinese stop words, and is
# then used as it documents for such languages: without.
LANGUAGES = {"english": "English", "greek": "Greek", "polish": "Polish", "russian": "Russian", "chinese": None}


class Absent(Exception):
    """The tool is not here."""


def package(module, distribution):
    try:
        return importlib.import_module(module), importlib.metadata.version(distribution)
    except (ImportError, importlib.metadata.PackageNotFoundError) as error:
        raise Absent(f"{distribution} is not installed ({error})") from error


def trafilatura(_site):
    module, version = package("trafilatura", "trafilatura")
    return version, lambda page: module.extract(page) or ""


def resiliparse(_site):
    html2text, version = package("resiliparse.extract.html2text", "resiliparse")
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    def extract(page):
        tree = HTMLTree.parse_from_bytes(page, detect_encoding(page))
        return html2text.extract_plain_text(tree, main_content=True, links=False, list_bullets=False)

    return version, extract


def justext(site):
    module, version = package("justext", "jusText")
    language = LANGUAGES.get(site.split("-")[0], "English")
    if language is None:
        options = {"stoplist": frozenset(), "stopwords_low": 0, "stopwords_high": 0}
    else:
        options = {"stoplist": module.get_stoplist(language)}

    def extract(page):
        return "\n".join(part.text for part in module.justext(page, **options) if not part.is_boilerplate)

    return version, extract


def readability(_site):
    module, version = package("readability", "readability-lxml")
    from lxml import html

    def extract(page):
        summary = module.Document(page).summary(html_partial=True)
        return text_of(html.fromstring(summary)) if summary.strip() else ""

    return version, extract


def text_of(tree):
    """The text below an lxml element, blocks apart."""
    parts = []

    def walk(element):
        block = element.tag in BLOCKS
        parts.append("\n" if block else "")
        if isinstance(element.tag, str):
            parts.append(element.text or "")
            for child in element:
                walk(child)
        parts.append("\n" if block else "")
        parts.append(element.tail or "")

    walk(tree)
    return "".join(parts)


TOOLS = {"trafilatura": trafilatura, "resiliparse": resiliparse, "justext": justext, "readability": readability}

# A program of its own, see `dom_smoothie/`.
PROGRAMS = {"dom_smoothie": HERE / "dom_smoothie"}


def build(name):
    """Builds a rival that is a program and returns its path and the rival's version."""
    folder = PROGRAMS[name]
    try:
        built = subprocess.run(
            ["cargo", "build", "--release", "--quiet", "--manifest-path", folder / "Cargo.toml"], capture_output=True, text=True
        )
    except OSError as error:
        raise Absent(f"cargo cannot be run ({error})") from error
    if built.returncode != 0:
        raise Absent(f"{name} cannot be built: {built.stderr.strip().splitlines()[-1:]}")
    lines = (folder / "Cargo.lock").read_text().splitlines()
    version = lines[lines.index(f'name = "{name}"') + 1].split('"')[1]
    return folder / "target/release" / f"rival-{name.replace('_', '-')}", version
