"""Writes docs/generated/sentences.md: every sentence of the catalogues, English beside French.

python -m tests.sentence_pages     # after a change of a catalogue
"""

from itertools import groupby
from pathlib import Path

from tests.replay.catalogues import texts

PAGE = Path(__file__).parents[1] / "docs" / "generated" / "sentences.md"

HEAD = """# Sentences

Made from the catalogues by `python -m tests.sentence_pages`; a test fails when it is out of date.

What the program says, by the id under which rules and tools name it: `{gaps}` are filled from the message, a part in
`[square brackets]` stands only where all it names is there, `[one|other]` is the first alternative of which that is so
(`replay/telling/words/template.py`, `replay/telling/words/forms.py`). Number forms stand behind each other, with
a slash between.
"""


def page() -> str:
    """The whole page."""
    english, french = texts("en"), texts("fr")
    parts = [HEAD]
    for group, ids in groupby(sorted(english, key=_order), key=_group):
        parts += [f"\n## `{group}`\n", "| id | English | French |\n|---|---|---|"]
        parts += [f"| `{msgid}` | {_cell(english[msgid])} | {_cell(french.get(msgid, ()))} |" for msgid in ids]
    return "\n".join(parts) + "\n"


def _order(msgid: str) -> tuple[str, str]:
    return _group(msgid), msgid


def _group(msgid: str) -> str:
    return "#" if msgid.startswith("#") else msgid.partition(".")[0]


def _cell(forms: tuple[str, ...]) -> str:
    return " / ".join(forms).replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
