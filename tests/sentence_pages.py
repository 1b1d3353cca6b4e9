"""The page of sentences on the site of the docs: every sentence of the catalogues, English beside French."""

from itertools import groupby

from tests.support.catalogues import texts

HEAD = """# Sentences

Made from the catalogues when the site of the docs is built.

Every sentence of the program, by its id. `{gaps}` are filled from the message. A part in `[square brackets]` appears
only if everything it names is present; `[one|other]` is the first alternative for which that holds
(`replay/telling/words/template.py`, `replay/telling/words/forms.py`). Singular and plural are separated by a slash.
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
