"""Write the file of a branch: a battle that begins after the event that is looked at (docs/branches.md)."""

from collections.abc import Callable
from pathlib import Path

from domain.basics.errors import Refusal
from replay.battle_file import BattleFile
from replay.telling.words import phrase, refusal

Branching = Callable[[BattleFile, int], bytes]
"""Makes the file of a branch of a battle after an event; raises a Refusal where none can begin."""


def write_branch(branch: Branching, battle: BattleFile, n: int, name: str, lang: str) -> str:
    """Write the file of a branch, never over another; what came of it, in a sentence."""
    try:
        content = branch(battle, n)
        with Path(name).open("xb") as file:
            file.write(content)
    except Refusal as refused:
        return refusal(refused.code, refused.rule, refused.params, lang)
    except (OSError, ValueError) as reason:  # ValueError: a name with a null byte
        return phrase("player.not-written", {"reason": str(reason)}, lang)
    return phrase("player.branched", {"name": name, "n": n}, lang)
