"""Chapters TER, DEP and STR: which orders belong to the phases before the turns?

Their notation is complete; the phases themselves are not built yet, so scenarios start with all
units placed and no order here is ever legal: it is refused with `core.wrong-phase`, and a
stratagem with `tts.no-such-stratagem`, since nobody holds one.
"""

from typing import Any

from domain.commands import Command
from domain.errors import Refusal
from domain.game import Judge
from domain.rulesets.to_the_strongest.state import State


class Place(Command, frozen=True, gc=False, tag="place"):
    """Place a piece of terrain in a box, or on the edge between two (TTS-TER-10)."""

    PHASES = frozenset({"terrain"})

    kind: str
    box: str
    other: str = ""


class Shift(Command, frozen=True, gc=False, tag="shift"):
    """Answer where a piece goes: a facing, `open` or `none` (TTS-TER-12)."""

    PHASES = frozenset({"terrain"})
    ANSWERS = "shift"

    to: str


class Deploy(Command, frozen=True, gc=False, tag="deploy"):
    """Put a unit or a detached general into a box (TTS-DEP-02, -04)."""

    PHASES = frozenset({"deployment"})

    id: str
    box: str
    facing: str = ""


class DeployWith(Command, frozen=True, gc=False, tag="deploy-with"):
    """Attach a general to a unit (TTS-DEP-04)."""

    PHASES = frozenset({"deployment"})

    general: str
    unit: str


class DeployCamp(Command, frozen=True, gc=False, tag="deploy-camp"):
    """Put the camp of the corps into a box (TTS-DEP-03)."""

    PHASES = frozenset({"deployment"})

    box: str
    fortified: tuple[str, ...] = ()


class Play(Command, frozen=True, gc=False, tag="play"):
    """Play a stratagem (TTS-STR-02)."""

    stratagem: str
    arguments: tuple[str, ...] = ()


def decide_play(judge: Judge[State], side: str, command: Play) -> None:
    raise Refusal("tts.no-such-stratagem", "TTS-STR-02", side=side, stratagem=command.stratagem)


DECISIONS: dict[Any, Any] = {Play: decide_play}
COMMANDS: tuple[type[Command], ...] = (Place, Shift, Deploy, DeployWith, DeployCamp, Play)
