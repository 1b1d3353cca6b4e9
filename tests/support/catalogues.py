"""The catalogues, one language at a time."""

from pathlib import Path

from replay.telling.words.po import read_po

LOCALE = Path(__file__).parents[2] / "replay" / "locale"


def texts(lang: str) -> dict[str, tuple[str, ...]]:
    """Each id with its text, one for each number form."""
    path = LOCALE / lang / "LC_MESSAGES" / "phalera.po"
    return dict(read_po(path.read_text(encoding="utf-8")).texts)
