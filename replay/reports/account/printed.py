"""Make a report from the bytes of a battle file, in the form asked for."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from replay.battle_file import parse
from replay.proof.verify import verify
from replay.reports.account import markdown, page, pdf
from replay.reports.account.contents import Contents, PlayedOn, contents

FORMS: Mapping[str, Callable[[Contents], bytes]] = MappingProxyType(
    {
        "md": lambda report: markdown.document(report).encode(),
        "html": lambda report: page.document(report).encode(),
        "pdf": pdf.document,
    }
)
"""The forms there are."""


def written(content: bytes, to: str, lang: str, name: str = "the file", played: PlayedOn | None = None) -> bytes:
    """The report of the battle in a file; `name` is what the file is called where it cannot be read.

    Shape: `to` is one of FORMS
    Raises: UnreadableFile; Refusal core.report-of-two; KeyError for another form; ModuleNotFoundError for PDF without
            its extra (`replay.drawing.pdf.can_write`)
    """
    battle = parse(content, name, lang=lang)
    return FORMS[to](contents(battle, verify(content, lang=lang), lang, played))
