"""Writes the reports that are kept of golden battles in tests/replay/reports: an example of a whole one, and stories.

python -m tests.report_pages     # after a change of a story's words or of how it is told
"""

from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path

from replay import battle_file
from replay.reports.account.chapters import Storyteller
from replay.reports.account.printed import written
from replay.reports.account.reading import ReportReading, read

ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests" / "golden"
TOLD = ROOT / "tests" / "replay" / "reports"
EXAMPLE = TOLD / "example.md"
BATTLES = ("medals", "singidunum-goal", "warmaster-volleys")
"""One of each game."""
LANGUAGES = ("en", "fr")


@cache
def reading(name: str) -> ReportReading:
    """A golden battle, as reports read it."""
    return read(battle_file.load(str(GOLDEN / f"{name}.battle")))


def story(name: str, lang: str) -> str:
    """The story of a golden battle as text."""
    chapters = Storyteller(reading(name), lang).chapters()
    return "\n\n".join("\n\n".join((f"# {one.title}", *one.paragraphs)) for one in chapters) + "\n"


def example() -> str:
    """The report that the manual shows."""
    return written((GOLDEN / "medals.battle").read_bytes(), "md", "en").decode()


PAGES: Mapping[Path, Callable[[], str]] = {
    EXAMPLE: example,
    **{TOLD / f"{name}.{lang}.txt": partial(story, name, lang) for name in BATTLES for lang in LANGUAGES},
}
"""All that is kept, and what makes it."""


if __name__ == "__main__":
    for path, made in PAGES.items():
        path.write_text(made(), encoding="utf-8")
