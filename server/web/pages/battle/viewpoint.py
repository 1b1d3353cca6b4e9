"""From where a battle is looked at: all that the parts of its page are made from.

What a part shows comes from the state known to the reader's side, the sentences they may hear, their own options and
standing orders. Nothing else is passed to the templates.
"""

from typing import Any

from msgspec import Struct

from domain.contract.scene import Scene
from domain.run.decide import to_act
from domain.run.seats import Battle
from replay.telling.words import ENGLISH, worded
from server.people.players import Player
from server.play.live_battle import LiveBattle


class Viewpoint(Struct, frozen=True):
    """A battle after event `n`, as the holder of `side` ("" for a stranger) may know it, its sentences in `lang`.
    `is_newest`: the page follows the battle. `known` is the state that the side knows, `scene` its board in words;
    `battle` is what everybody may be told of the seats."""

    live: LiveBattle
    player: Player | None
    side: str
    n: int
    is_newest: bool
    is_turned: bool
    lang: str
    battle: Battle
    known: Any
    scene: Scene

    @property
    def acts(self) -> bool:
        """Whether the reader's side has to act now."""
        return self.side in to_act(self.live.ruleset, self.live.game)

    @property
    def held(self) -> tuple[str, ...]:
        """The sides that the reader holds."""
        return self.live.recording.battle.seat_of(self.player.id) if self.player else ()


def viewpoint_of(
    live: LiveBattle, player: Player | None, side: str, n: int | None, is_turned: bool, lang: str = ENGLISH
) -> Viewpoint:
    """The viewpoint of a reader after event `n`, which exists; None for the newest."""
    at = live.n if n is None else n
    battle, ruleset = live.recording.timeline.at(at), live.ruleset
    known = ruleset.secrets.known(battle.game, side)
    scene = worded(ruleset.shown.view(known, side), lang)
    return Viewpoint(live, player, side, at, n is None, is_turned, lang, battle, known, scene)
