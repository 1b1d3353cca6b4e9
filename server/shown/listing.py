"""The title of a battle; in a list a branch says that it is one."""

from projections.lobby import LobbyEntry
from replay.telling.words.names import name_in
from replay.telling.words.sentences import fragment
from server.play.live_battle import LiveBattle


def listed_title(entry: LobbyEntry, lang: str) -> str:
    """The title of a battle, in a language."""
    title = name_in(entry.title, lang)
    if not entry.branch_n:
        return title
    return fragment("pages.row.branch", {"title": title, "n": entry.branch_n}, lang)


def title_of(live: LiveBattle) -> str:
    """The title of a battle: that of its scenario, or of its game."""
    return getattr(live.game, "title", "") or live.ruleset.title
