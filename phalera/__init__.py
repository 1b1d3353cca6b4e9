"""Phalera as a library: battle files, boards, and battles played in memory.

    import phalera

    battle = phalera.Battle("tts", "skirmish", seed=5, bots={"south": "sensible", "north": "sensible"})
    battle.play_out()
    assert phalera.verify(battle.file()).exit == 0

`import phalera` loads nothing else; each name is loaded when it is first asked for. `phalera.testing` checks games.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from domain.basics.errors import Refusal
    from phalera.drawn import Board, board
    from phalera.known_games import KnownGame, games
    from phalera.memory import Battle
    from phalera.reading import explain, open_file, sentence, verify
    from replay.battle_file import BattleFile, UnreadableFile

__all__ = [
    "Battle",
    "BattleFile",
    "Board",
    "KnownGame",
    "Refusal",
    "UnreadableFile",
    "board",
    "explain",
    "games",
    "open_file",
    "sentence",
    "verify",
]

_HOMES = {
    "Battle": "phalera.memory",
    "BattleFile": "replay.battle_file",
    "Board": "phalera.drawn",
    "KnownGame": "phalera.known_games",
    "Refusal": "domain.basics.errors",
    "UnreadableFile": "replay.battle_file",
    "board": "phalera.drawn",
    "explain": "phalera.reading",
    "games": "phalera.known_games",
    "open_file": "phalera.reading",
    "sentence": "phalera.reading",
    "verify": "phalera.reading",
}


if not TYPE_CHECKING:  # a name that is not there is an error to tools, too

    def __getattr__(name: str) -> Any:
        """A public name, loaded from its module when it is first asked for."""
        if name not in _HOMES:
            raise AttributeError(f"module 'phalera' has no attribute {name!r}")
        found = getattr(import_module(_HOMES[name]), name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    """The public names, and those of any module."""
    return sorted({*globals(), *__all__})
