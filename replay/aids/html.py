"""Play aids as one HTML page, for the screen and a browser's printer.

The document contains its own style and fetches nothing. The screen shows text that flows; the printer gets the pages of
the layout, so that a sheet takes as many as its PDF, whatever the fonts of the browser are.
"""

from collections.abc import Iterable, Iterator, Sequence

from replay.aids.layout import pages_of
from replay.aids.measure import typeset
from replay.aids.pieces import ACCENT, FAINT, HIGHEST, INK, RULE, SHADE, drawn
from replay.aids.sheet import Column, Diagram, Row, Sheet, Table, bands
from replay.aids.svg import elements, picture
from replay.drawing.pen import escaped

PICTURE_SIZE = 8.0
"""The type size of a diagram as high as `HIGHEST`."""
STYLE = f"""
@page {{ size: A4; margin: 0; }}
@page wide {{ size: A4 landscape; margin: 0; }}
* {{ box-sizing: border-box; }}
body {{ color: {INK}; background: #fff; margin: 0 auto; padding: 1rem; max-width: 60rem;
  font: 0.9rem/1.3 Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif; }}
nav ul {{ display: flex; flex-wrap: wrap; gap: 0.3rem 1.2rem; list-style: none; padding: 0; }}
a {{ color: {ACCENT}; }}
section {{ margin: 0 0 3rem; }}
header {{ display: flex; align-items: baseline; justify-content: space-between; gap: 1rem;
  border-bottom: 2px solid {ACCENT}; margin-bottom: 0.8rem; }}
h1 {{ font: bold 1.7rem/1.2 Times, "Times New Roman", "Liberation Serif", "DejaVu Serif", serif; margin: 0; }}
header p, footer p, .notes p {{ color: {FAINT}; margin: 0.2rem 0; }}
.table {{ margin: 0 0 1rem; overflow-x: auto; }}
.beside {{ display: flex; flex-wrap: wrap; gap: 0 1.4rem; }}
.column {{ flex: 1 1 20rem; min-width: 0; }}
.diagrams {{ display: flex; flex-wrap: wrap; justify-content: space-evenly; gap: 0.6rem 2rem; }}
.diagrams svg {{ height: 9rem; max-width: 100%; overflow: visible; }}
h2 {{ font-size: 1.05rem; color: {ACCENT}; margin: 0 0 0.3rem; break-after: avoid; }}
.intro p {{ margin: 0 0 0.2rem; }}
table {{ border-collapse: collapse; width: 100%; }}
th, td {{ text-align: left; vertical-align: top; padding: 0.15rem 0.35rem; border-bottom: 1px solid {RULE};
  font-weight: normal; }}
thead th {{ vertical-align: bottom; font-weight: bold; font-size: 0.85em; color: {FAINT};
  border-bottom: 1.5px solid {INK}; }}
tbody tr.shaded {{ background: {SHADE}; }}
tr {{ break-inside: avoid; }}
.bold, .group th {{ font-weight: bold; }}
.centre {{ text-align: center; }}
.faint {{ color: {FAINT}; }}
.keep {{ white-space: nowrap; width: 1%; }}
footer p {{ font-size: 0.8em; }}
@media (max-width: 40rem) {{ .keep {{ white-space: normal; }} }}
.printed {{ display: none; }}
@media print {{
  nav, section {{ display: none; }}
  body {{ max-width: none; padding: 0; -webkit-print-color-adjust: exact; print-color-adjust: exact; }}
  .printed {{ display: block; break-inside: avoid; }}
  .printed + section + .printed, .printed + .printed {{ break-before: page; }}
  .printed svg {{ display: block; width: 210mm; height: 296.9mm; }}
  .printed.wide {{ page: wide; }}
  .printed.wide svg {{ width: 297mm; height: 209.9mm; }}
}}
"""


def document(sheets: Sequence[Sheet], title: str) -> str:
    """All sheets in one document, with a table of contents if there are several."""
    lang = sheets[0].lang
    return "\n".join(
        (
            "<!DOCTYPE html>",
            f'<html lang="{lang}">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escaped(title)}</title>",
            f"<style>{STYLE}</style>",
            "</head>",
            "<body>",
            *(_contents(sheets) if len(sheets) > 1 else ()),
            "<main>",
            *(line for sheet in sheets for line in _sheet(sheet)),
            "</main>",
            "</body>",
            "</html>",
            "",
        )
    )


def _contents(sheets: Iterable[Sheet]) -> Iterator[str]:
    yield "<nav><ul>"
    for sheet in sheets:
        yield f'<li><a href="#{sheet.key}">{escaped(sheet.title)}</a></li>'
    yield "</ul></nav>"


def _sheet(sheet: Sheet) -> Iterator[str]:
    yield f'<section id="{sheet.key}">'
    yield f"<header><h1>{_text(sheet.title, sheet)}</h1><p>{_text(sheet.subtitle, sheet)}</p></header>"
    for band in bands(sheet.tables):
        yield f"<div{_class(['beside'] if len(band) > 1 else [])}>"
        for column in band:
            yield f'<div class="column" style="flex-grow:{column[0].share}">' if len(band) > 1 else "<div>"
            for table in column:
                yield from _table(table, sheet)
            yield "</div>"
        yield "</div>"
    yield f"<footer><p>{_text(sheet.footer, sheet)}</p></footer>"
    yield "</section>"
    for page in pages_of(sheet):
        yield f'<div aria-hidden="true"{_class(["printed", *(["wide"] if sheet.landscape else [])])}>'
        yield from picture(page)
        yield "</div>"


def _table(table: Table, sheet: Sheet) -> Iterator[str]:
    name = f"{sheet.key}-{table.key}"
    yield f'<div class="table"><h2 id="{name}">{_text(table.title, sheet)}</h2>'
    yield from _paragraphs("intro", table.intro, sheet)
    if table.diagrams:
        yield _diagrams(table.diagrams, sheet)
    if table.rows:
        yield f'<table aria-labelledby="{name}">'
        if any(column.title for column in table.columns):
            heads = "".join(
                f'<th scope="col"{_class(_classes(column, head=True))}>{_text(column.title, sheet)}</th>'
                for column in table.columns
            )
            yield f"<thead><tr>{heads}</tr></thead>"
        yield "<tbody>"
        odd = False
        for row in table.rows:
            odd = not odd and not row.heading
            yield _row(table.columns, row, sheet, odd)
        yield "</tbody></table>"
    yield from _paragraphs("notes", table.notes, sheet)
    yield "</div>"


def _diagrams(diagrams: Sequence[Diagram], sheet: Sheet) -> str:
    """Diagrams side by side, as pictures within the document."""
    pictures = []
    for diagram in diagrams:
        wide = diagram.width * HIGHEST / diagram.height
        piece = drawn((diagram,), wide, PICTURE_SIZE, sheet.lang)
        inside = "".join(line for mark in piece.marks for line in elements(mark))
        pictures.append(
            f'<svg viewBox="0 0 {wide:.0f} {piece.height:.0f}" role="img"'
            f' aria-label="{_text(diagram.told, sheet)}">{inside}</svg>'
        )
    return f'<div class="diagrams">{"".join(pictures)}</div>'


def _row(columns: Sequence[Column], row: Row, sheet: Sheet, shaded: bool) -> str:
    """A row; the first bold column names it."""
    if row.heading:
        said = _text(row.cells[0], sheet)
        return f'<tr class="group"><th scope="rowgroup" colspan="{len(columns)}">{said}</th></tr>'
    naming = next((at for at, column in enumerate(columns) if column.weight == "bold"), 0)
    cells = []
    for at, (column, cell) in enumerate(zip(columns, row.cells, strict=True)):
        start, end = ('th scope="row"', "th") if at == naming else ("td", "td")
        cells.append(f"<{start}{_class(_classes(column))}>{_cell(column, cell, sheet)}</{end}>")
    return f"<tr{_class(['shaded'] if shaded else [])}>{''.join(cells)}</tr>"


def _cell(column: Column, cell: str, sheet: Sheet) -> str:
    lead, fed, rest = cell.partition("\n")
    return f"<b>{_text(lead, sheet)}</b> {_text(rest, sheet)}" if column.weight == "led" and fed else _text(cell, sheet)


def _classes(column: Column, head: bool = False) -> list[str]:
    classes = ["centre"] if column.align == "centre" else []
    if not head:
        classes += [column.weight] if column.weight != "plain" else []
        classes += [] if column.share else ["keep"]
    return classes


def _class(names: Sequence[str]) -> str:
    return f' class="{" ".join(names)}"' if names else ""


def _paragraphs(kind: str, paragraphs: Sequence[str], sheet: Sheet) -> Iterator[str]:
    if paragraphs:
        said = "".join(f"<p>{_text(paragraph, sheet)}</p>" for paragraph in paragraphs)
        yield f'<div class="{kind}">{said}</div>'


def _text(words: str, sheet: Sheet) -> str:
    return escaped(typeset(words, sheet.lang))
