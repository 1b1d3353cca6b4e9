"""The frame of a report as one HTML page, and its small pieces: it holds its own style, runs no script and fetches
nothing."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from replay.drawing.pen import escaped


class HtmlHead(Struct, frozen=True):
    """What stands above a report."""

    kicker: str
    title: str
    result: str


def framed(lang: str, style: str, head: HtmlHead, main: Iterable[str], made: str) -> Iterator[str]:
    """The lines of a page; `made` says what it was made from."""
    yield "<!DOCTYPE html>"
    yield f'<html lang="{lang}">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="color-scheme" content="light dark">'
    yield f"<title>{escaped(head.title)}</title>"
    yield f"<style>{style}</style>"
    yield "</head>"
    yield "<body>"
    yield "<header>"
    yield element("p", head.kicker, "kicker")
    yield element("h1", head.title)
    yield element("p", head.result, "result")
    yield "</header>"
    yield "<main>"
    yield from main
    yield "</main>"
    yield f"<footer>{element('p', made)}</footer>"
    yield "</body>"
    yield "</html>"


def section(name: str, title: str, lines: Iterable[str]) -> Iterator[str]:
    """A section with its heading."""
    yield f'<section id="{name}" aria-labelledby="{name}-heading">'
    yield f'<h2 id="{name}-heading">{escaped(title)}</h2>'
    yield from lines
    yield "</section>"


def element(name: str, text: str, kind: str = "") -> str:
    """An element with a text."""
    start = f'{name} class="{kind}"' if kind else name
    return f"<{start}>{escaped(text)}</{name}>"


def bulleted(lines: Iterable[str]) -> Iterator[str]:
    """A list."""
    yield "<ul>"
    yield from (element("li", line) for line in lines)
    yield "</ul>"
