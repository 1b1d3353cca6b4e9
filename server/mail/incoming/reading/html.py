"""Turn an HTML mail into what its reader would see, with quotes marked.

Quotes are found by the marks that mail programs leave around them, and replaced by lines that `reply` knows: a quote
by `>` and the cuts of a letter of ours within it, the block of headers above one by `-----Original Message-----`. All
attributes, lists and tables are removed before inscriptis makes text of it: their padding could grow without bound,
and an order in a list or a table is an order.
"""

import re
from typing import Any

from server.mail.cut import is_cut
from server.mail.incoming.reading.caps import MOST_HTML_DEPTH, MOST_TAGS, Capped
from server.mail.incoming.reading.folding import lines_of

QUOTED = ">"
QUOTES = (
    "//blockquote",
    *(
        f"//*[contains(concat(' ', normalize-space(@class), ' '), ' {name} ')]"
        for name in (
            "gmail_quote",
            "gmail_quote_container",
            "yahoo_quoted",
            "protonmail_quote",
            "moz-cite-prefix",
            "gmail_attr",
        )
    ),
    *(
        f"//*[@id='{name}']"
        for name in ("reply-intro", "OLK_SRC_BODY_SECTION", "mail-editor-reference-message-container")
    ),
)
BELOW = tuple(
    f"//*[@id='{name}']" for name in ("divRplyFwdMsg", "appendonsend", "ms-outlook-mobile-body-separator-line")
)
"""Outlook marks only the beginning of the quote: everything that follows is quoted."""
GONE = ("head", "title", "style", "script", "noscript", "template", "svg", "math", "object", "select", "textarea")
BLOCKS = frozenset({"ul", "ol", "li", "dl", "dt", "dd", "table", "tbody", "thead", "tfoot", "tr", "caption"})
CELLS = frozenset({"td", "th"})
_LONG_TAG = re.compile(r"<([a-zA-Z]{1,20})\b[^<>]{2000,}>?")
"""libxml2 compares each attribute of an element with all before it; an embedded picture is as long, too."""


def lines_of_html(source: str) -> list[str]:
    """The lines of HTML as its reader sees them.

    Raises: Capped `html` if it has too many elements, or elements too deep within each other
    """
    from inscriptis.html_engine import Inscriptis
    from inscriptis.model.config import ParserConfig
    from lxml import etree, html

    if not source.strip():
        return []
    if source.count("<") > MOST_TAGS:
        raise Capped("html")
    short = _LONG_TAG.sub(r"<\1>", source)
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True)
    try:
        tree = html.document_fromstring(short.encode("utf-8", "replace"), parser=parser)
    except etree.ParserError:  # nothing but comments or white space
        return []
    _require_shallow(tree)
    etree.strip_elements(tree, *GONE, with_tail=False)
    _mark([element for element in tree.iter() if _is_hidden(element)], "")
    for path in BELOW:
        _mark(tree.xpath(path), "-----Original Message-----")
    for path in QUOTES:
        _mark(tree.xpath(path), QUOTED)
    for element in tree.iter():
        element.attrib.clear()
        if element.tag in BLOCKS:
            element.tag = "div"
        elif element.tag in CELLS:
            element.tag, element.tail = "span", f" {element.tail or ''}"
    return lines_of(str(Inscriptis(tree, ParserConfig()).get_text()))


def _is_hidden(element: Any) -> bool:
    return "display:none" in (element.get("style") or "").replace(" ", "").lower()


def _mark(elements: list[Any], line: str) -> None:
    """Replace elements by a line."""
    for element in elements:
        parent = element.getparent()
        if parent is None:
            continue
        tail, cuts = element.tail, [text.strip() for text in element.itertext() if is_cut(text)]
        element.clear()
        element.tag, element.text, element.tail = "div", line, tail
        for cut in cuts if line == QUOTED else ():
            kept = element.makeelement("div")
            kept.text = f"{QUOTED} {cut}"
            element.append(kept)


def _require_shallow(tree: Any) -> None:
    level, depth = [tree], 0
    while level:
        depth += 1
        if depth > MOST_HTML_DEPTH:
            raise Capped("html")
        level = [child for element in level for child in element]
