"""The catalogues of the rules and of all games, one language at a time."""

from pathlib import Path

from replay.telling.words.po import read_po

ROOT = Path(__file__).parents[2]
LOCALE = ROOT / "replay" / "locale"
GAMES = ROOT / "domain" / "games"


def paths(lang: str) -> list[Path]:
    """The files with the texts of a language: what all games share, then each of our games."""
    return [LOCALE / lang / "LC_MESSAGES" / "phalera.po", *sorted(GAMES.glob(f"*/locale/{lang}/LC_MESSAGES/*.po"))]


def texts(lang: str) -> dict[str, tuple[str, ...]]:
    """Each id with its text, one for each number form."""
    found: dict[str, tuple[str, ...]] = {}
    for path in paths(lang):
        own = read_po(path.read_text(encoding="utf-8")).texts
        assert not found.keys() & own.keys(), f"{path}: {sorted(found.keys() & own.keys())} stand elsewhere, too"
        found |= own
    return found
