"""Builds the site of the docs, with the pages that are made from code, rules and cases: python -m tests.docs_site

The site lies in build/site, works without a server and without a network, and can be searched. Its source is a copy of
docs/ in build/docs, to which the pages of `MADE` are added; they are in no commit, since code and catalogues say the
same. The order of the site is that of docs/README.md: a heading in bold, and the links of its list.
"""

import argparse
import posixpath
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from tests import dispute_pages, event_pages, message_pages, report_pages, rule_pages, sentence_pages, table_pages
from tests.server.mail import hostile_page

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build"
INDEX = "README.md"
MADE: Mapping[str, Callable[[], str]] = {
    **{f"generated/rules/{book.page_name}": partial(rule_pages.page, book) for book in rule_pages.BOOKS},
    "generated/events.md": event_pages.page,
    "generated/messages.md": message_pages.page,
    "generated/sentences.md": sentence_pages.page,
    "generated/tables.md": table_pages.page,
    "generated/disputes.md": dispute_pages.page,
    "generated/report.md": report_pages.example,
    "generated/hostile-mail.md": hostile_page.page,
}
"""Pages by their place in docs/, with their makers."""
BESIDE = {
    "README.md": "project/readme.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changelog.md",
    "SECURITY.md": "project/security.md",
    "benchmarks/README.md": "project/benchmarks.md",
    "tests/cases/README.md": "project/cases.md",
}
"""Pages of the repository that are not in docs/, with their places on the site."""
LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)#:\s]+)(#[^)\s]*)?\)")
GROUP = re.compile(r"^\*\*(?P<name>[^*]+)\*\*(?P<list>.*?)(?=^\*\*|\Z)", re.M | re.S)
SETTINGS = """
project = "Phalera"
html_title = "Phalera"
extensions = ["myst_parser"]
html_theme = "furo"
html_show_copyright = html_show_sphinx = html_copy_source = False
language = "en"
myst_heading_anchors = 4
myst_enable_extensions = ["strikethrough"]
suppress_warnings = ["misc.highlighting_failure"]
"""


def place_on_site(file: str) -> str | None:
    """Where a file of the repository is on the site; None for what is not there."""
    if file in BESIDE:
        return BESIDE[file]
    inside = file.removeprefix("docs/")
    if inside == file or not (inside in MADE or (ROOT / file).is_file()):
        return None
    return "index.md" if inside == INDEX else inside


def on_site(page: str, text: str) -> str:
    """The text of a page of the repository with its links as the site has them; a link to code becomes its words."""
    here = posixpath.dirname(place_on_site(page) or page)

    def linked(link: re.Match[str]) -> str:
        file = posixpath.normpath(posixpath.join(posixpath.dirname(page), link[2]))
        if file == "docs/decisions":
            file = f"docs/decisions/{decisions()[0]}"
        place = place_on_site(file)
        if place is None:
            return link[1]
        return f"[{link[1]}]({posixpath.relpath(place, here or '.')}{link[3] or ''})"

    return LINK.sub(linked, text)


def decisions() -> Sequence[str]:
    """The names of the pages of decisions, oldest first."""
    return sorted(path.name for path in (ROOT / "docs" / "decisions").glob("*.md"))


def navigation() -> dict[str, list[str]]:
    """The groups of docs/README.md with the places of their pages, then what it lists by folder."""
    index = (ROOT / "docs" / INDEX).read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    for group in GROUP.finditer(index):
        links = (place_on_site(posixpath.normpath(f"docs/{link[2]}")) for link in LINK.finditer(group["list"]))
        found[group["name"]] = [place for place in links if place]
    listed = {place for pages in found.values() for place in pages}
    found["Project"] = [place for place in BESIDE.values() if place not in listed]
    found["Decisions"] = [f"decisions/{name}" for name in decisions()]
    found["En français"] = [f"fr/{path.name}" for path in sorted((ROOT / "docs" / "fr").glob("*.md"))]
    return found


def contents() -> str:
    """The tables of contents of the index: one for each group of pages."""
    return "".join(
        f"\n```{{toctree}}\n:hidden:\n:caption: {group}\n\n" + "\n".join(pages) + "\n```\n"
        for group, pages in navigation().items()
    )


def write_source(folder: Path) -> None:
    """Copy docs/ and the pages beside it to a folder, and add the made ones."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder, ignore=shutil.ignore_patterns("generated"))
    (folder / INDEX).unlink()
    texts = {f"docs/{name}": make() for name, make in MADE.items()}
    sources = [*(ROOT / "docs").rglob("*.md"), *(ROOT / name for name in BESIDE)]
    for path in sources:
        name = path.relative_to(ROOT).as_posix()
        texts.setdefault(name, path.read_text(encoding="utf-8"))
    for name, text in texts.items():
        place = folder / (place_on_site(name) or name)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(on_site(name, text) + (contents() if name == f"docs/{INDEX}" else ""), encoding="utf-8")


def build(folder: Path = BUILD) -> Path:
    """The site, in a folder of its own below `folder`.

    Raises: subprocess.CalledProcessError when a link of it leads nowhere, or a page is in no group
    """
    source, site = folder / "docs", folder / "site"
    write_source(source)
    (source / "conf.py").write_text(SETTINGS, encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-E", str(source), str(site)]
    subprocess.run(command, check=True, text=True, capture_output=True)
    return site


def main(words: Sequence[str] | None = None) -> int:
    """The program."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=BUILD, help="the folder for docs/ and site/")
    try:
        print(build(parser.parse_args(words).out) / "index.html")
    except subprocess.CalledProcessError as failed:
        print(failed.stdout, failed.stderr, sep="\n", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
