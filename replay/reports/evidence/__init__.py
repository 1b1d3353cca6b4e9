"""A page of evidence on one event: what happened, by which rule, with which draw, proven how far.

Made from the bytes of a battle file and nothing else. `evidence_of` gathers a `Page`; `as_text` is for terminals and
letters, `as_markdown` for forums, `as_html` a document of its own, `as_fragment` the part that another page can hold.
"""

from replay.reports.evidence.gather import evidence_of
from replay.reports.evidence.html import as_fragment, as_html
from replay.reports.evidence.markdown import as_markdown
from replay.reports.evidence.page import EvidencePage
from replay.reports.evidence.text import as_text

__all__ = ["EvidencePage", "as_fragment", "as_html", "as_markdown", "as_text", "evidence_of"]
