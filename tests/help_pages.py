"""The pages of help on the site, made from pages of `docs/` and `docs/fr/`: `python -m tests.help_pages`.

A fragment of HTML for each and each language, packaged with the server. Links to pages that are on the site lead there;
of others the words stay. A heading has the anchor of the English one in every language, so that a link holds in all.

A translation begins with the hash of the English text that it translates. Where that text has changed, the test names
the page; after a look at both, `python -m tests.help_pages seen NAME` records the new hash.
"""

import hashlib
import re
import sys
from pathlib import Path

from markdown_it import MarkdownIt

from replay.telling.words import ENGLISH, LANGUAGES
from server.web.pages.helping import HELP

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = ROOT / "server" / "web" / "pages" / "help"
COMMENT = re.compile(r"<!--.*?-->\n?", re.S)
HEADING = re.compile(r"<h([1-6])>(.*?)</h\1>")
OF = re.compile(r"<!-- of (\S+), sha256 ([0-9a-f]{64}|unseen) -->\n")
"""The first line of a translation: what it translates, and the text as it was then."""


def source(name: str, lang: str = ENGLISH) -> Path:
    """The page of the documentation."""
    return (DOCS if lang == ENGLISH else DOCS / lang) / f"{name}.md"


def packaged(name: str, lang: str = ENGLISH) -> Path:
    """Where its fragment goes."""
    return PAGES / lang / f"{name}.html"


def made(name: str, lang: str = ENGLISH) -> str:
    """The fragment of one page."""
    html = _html(name, lang)
    anchors = iter([slug(heading) for _, heading in HEADING.findall(_html(name, ENGLISH))])
    html = HEADING.sub(lambda found: f'<h{found[1]} id="{next(anchors)}">{found[2]}</h{found[1]}>', html)
    return html.replace("<pre>", '<pre tabindex="0">').replace("<th></th>", "<td></td>")


def text_hash(name: str) -> str:
    """SHA-256 of the English page, as a translation records it."""
    return hashlib.sha256(source(name).read_bytes()).hexdigest()


def slug(heading: str) -> str:
    """The anchor of a heading, as documents on the web name it."""
    plain = re.sub(r"<[^>]*>|&\w+;", "", heading).casefold()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def _html(name: str, lang: str) -> str:
    text = COMMENT.sub("", source(name, lang).read_text(encoding="utf-8"))
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    html = re.sub(r"<p><img [^>]*></p>\n?", "", html)
    return re.sub(r'<a href="([^"]*)">(.*?)</a>', _linked, html, flags=re.S)


def _linked(found: re.Match[str]) -> str:
    page, _, part = found[1].partition("#")
    name = page.removesuffix(".md")
    if not page:
        return found[0]
    if page.endswith(".md") and name in HELP:
        return f'<a href="/help/{name}{"#" if part else ""}{part}">{found[2]}</a>'
    return found[2]


def see(name: str) -> None:
    """Record that the translations of a page were compared with it."""
    for lang in LANGUAGES:
        if lang != ENGLISH:
            path = source(name, lang)
            text = OF.sub("", path.read_text(encoding="utf-8"), count=1)
            path.write_text(f"<!-- of docs/{name}.md, sha256 {text_hash(name)} -->\n{text}", encoding="utf-8")


def main(words: list[str]) -> None:
    """Write all fragments; behind `seen` stand the pages to record."""
    for name in words[1:] if words[:1] == ["seen"] else ():
        see(name)
    for lang in LANGUAGES:
        (PAGES / lang).mkdir(parents=True, exist_ok=True)
        for name in HELP:
            packaged(name, lang).write_text(made(name, lang), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
