"""What a battle is called in a list: a branch says that it is one."""

from projections.lobby import LobbyEntry
from replay.telling.words.names import name_in
from replay.telling.words.sentences import fragment


def listed_title(entry: LobbyEntry, lang: str) -> str:
    """The title of a battle, in a language."""
    title = name_in(entry.title, lang)
    if not entry.branch_n:
        return title
    return fragment("pages.row.branch", {"title": title, "n": entry.branch_n}, lang)
