"""The pages of help on the site, made from pages of `docs/`: `python -m tests.help_pages`.

A fragment of HTML for each, packaged with the server. Links to pages that are on the site lead there; of others the
words stay.
"""

import re
from pathlib import Path

from markdown_it import MarkdownIt

from server.web.pages.helping import HELP

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = ROOT / "server" / "web" / "pages" / "help"


def made(name: str) -> str:
    """The fragment of one page."""
    text = re.sub(r"<!--.*?-->\n?", "", (DOCS / f"{name}.md").read_text(encoding="utf-8"), flags=re.S)
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    html = re.sub(r"<p><img [^>]*></p>\n?", "", html)
    html = re.sub(r'<a href="([^"]*)">(.*?)</a>', _linked, html, flags=re.S)
    html = re.sub(r"<h([1-6])>(.*?)</h\1>", _heading, html)
    return html.replace("<pre>", '<pre tabindex="0">').replace("<th></th>", "<td></td>")


def slug(heading: str) -> str:
    """The anchor of a heading, as documents on the web name it."""
    plain = re.sub(r"<[^>]*>|&\w+;", "", heading).casefold()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def _heading(found: re.Match[str]) -> str:
    return f'<h{found[1]} id="{slug(found[2])}">{found[2]}</h{found[1]}>'


def _linked(found: re.Match[str]) -> str:
    page, _, part = found[1].partition("#")
    name = page.removesuffix(".md")
    if not page:
        return found[0]
    if page.endswith(".md") and name in HELP:
        return f'<a href="/help/{name}{"#" if part else ""}{part}">{found[2]}</a>'
    return found[2]


def main() -> None:
    """Write all of them."""
    PAGES.mkdir(exist_ok=True)
    for name in HELP:
        (PAGES / f"{name}.html").write_text(made(name), encoding="utf-8")


if __name__ == "__main__":
    main()
