"""Make files of sheets, in the format asked for."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from replay.aids import html, pdf, svg
from replay.aids.layout import SheetPage, pages_of
from replay.aids.sheet import Sheet

Files = dict[str, bytes]
"""Content by file name."""


def printed(sheets: Sequence[Sheet], to: str) -> Files:
    """Render the sheets as files: one per page as SVG, a single one as HTML or PDF.

    Shape: `to` is one of FORMS; the sheets are of one language
    Raises: KeyError for another form; ModuleNotFoundError for PDF without its extra
    """
    return FORMS[to](sheets)


def _svg(sheets: Sequence[Sheet]) -> Files:
    return {page_name(page): svg.page_svg(page).encode() for page in _pages(sheets)}


def _html(sheets: Sequence[Sheet]) -> Files:
    return {f"{_name(sheets)}.html": html.document(sheets, _title(sheets)).encode()}


def _pdf(sheets: Sequence[Sheet]) -> Files:
    return {f"{_name(sheets)}.pdf": pdf.pages_pdf(_pages(sheets), _title(sheets), sheets[0].lang)}


def page_name(page: SheetPage) -> str:
    """The file name of a page: `aid-units-2-fr.svg`; the first has no number."""
    number = f"-{page.number}" if page.number > 1 else ""
    return f"aid-{page.sheet}{number}-{page.lang}.svg"


def _pages(sheets: Sequence[Sheet]) -> list[SheetPage]:
    return [page for sheet in sheets for page in pages_of(sheet)]


def _name(sheets: Sequence[Sheet]) -> str:
    return f"{f'aid-{sheets[0].key}' if len(sheets) == 1 else 'aids'}-{sheets[0].lang}"


def _title(sheets: Sequence[Sheet]) -> str:
    first = sheets[0]
    return f"{first.subtitle} – {first.title}" if len(sheets) == 1 else first.subtitle


FORMS: Mapping[str, Callable[[Sequence[Sheet]], Files]] = MappingProxyType({"svg": _svg, "html": _html, "pdf": _pdf})
"""The available forms."""
