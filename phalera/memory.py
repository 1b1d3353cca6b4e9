"""A battle played in memory: no server, no store, no network; its file verifies like any other.

Chance, keys, phrases and clock follow from the seed, so the same orders make the same bytes.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from domain.basics.data import demo_scenario
from domain.basics.errors import BrokenInvariant, Refusal
from domain.catalogue import RULESETS
from domain.contract.option import Option
from domain.contract.ruleset import NOBODY
from domain.log.record import Recorded
from domain.run.bots import BOTS
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock, name_of, scenario_table

MOST_ORDERS = 20_000
"""After so many orders of bots a battle counts as one without an end."""


class Battle:
    """A battle from its opening on. `bots` names the bot of each side that one plays; the program plays the others,
    under the names in `names`. `scenario` is a packaged name or a path `….toml`, "" the one by which the game is shown.

    Raises:  Refusal core.unknown-ruleset, core.unknown-bot, core.no-such-side, or as the scenario is refused
    """

    def __init__(
        self,
        game: str,
        scenario: str = "",
        *,
        seed: int = 1,
        bots: Mapping[str, str] | None = None,
        names: Mapping[str, str] | None = None,
    ) -> None:
        if game not in RULESETS:
            raise Refusal("core.unknown-ruleset", "CORE-OPEN", ruleset=game, known=sorted(RULESETS))
        bots, names = dict(bots or {}), dict(names or {})
        self.ruleset = RULESETS[game]
        for side in (*bots, *names):
            self._require_side(side)
        for bot in bots.values():
            if bot not in BOTS:
                raise Refusal("core.unknown-bot", "CORE-SIDE", bot=bot, known=list(BOTS))
        scenario = scenario or demo_scenario(game)
        name = f"{game} {name_of(scenario)} {seed} 1"
        table = scenario_table(self.ruleset, scenario)
        self._battle = OfflineBattle(self.ruleset, table, SeededClock(name), SeededEntropy(name))
        for side in self.ruleset.seats.names:
            if side in bots:
                self._battle.seat_bot(side, bots[side])
            else:
                self._battle.seat_person(side, names.get(side, side.title()))

    # --- how it stands

    @property
    def to_act(self) -> tuple[str, ...]:
        """The sides that must give an order now; () at the end."""
        return () if self.ended else self._battle.to_act

    @property
    def ended(self) -> bool:
        """Whether the battle is over."""
        return self._battle.recording.battle.ended

    @property
    def winner(self) -> str | None:
        """The side that has won; "" for a draw, None while the battle goes on."""
        found: str | None = self._battle.recording.battle.game.winner
        return found

    @property
    def events(self) -> tuple[Recorded, ...]:
        """The log so far, as everybody may read it."""
        return tuple(self._battle.events())

    def known(self, side: str = NOBODY) -> Any:
        """The state of the game as a side knows it, or a stranger.

        Raises:  Refusal core.no-such-side
        """
        if side != NOBODY:
            self._require_side(side)
        return self._battle.recording.known(side)

    def options(self, side: str) -> Sequence[Option]:
        """The legal orders of a side, each playable as it stands; none for a side that need not act.

        Raises:  Refusal core.no-such-side
        """
        known = self.known(side)
        return self.ruleset.orders.options(known, side) if side in self.to_act else ()

    # --- play

    def order(self, side: str, text: str) -> tuple[Recorded, ...]:
        """Give an order of a side; returns its events.

        Raises:  Refusal; nothing has then changed
        """
        self._require_side(side)
        return self._battle.order(side, text)

    def decide(self) -> tuple[Recorded, ...]:
        """Let the bot that must act decide and give its order; returns its events, none where no bot must act."""
        is_due = any(side in self._battle.bots for side in self.to_act)
        return self._battle.bot_order() if is_due else ()

    def play_out(self) -> int:
        """Let the bots play on until a side without a bot must act, or to the end; returns how many orders they gave.

        Raises:  BrokenInvariant after MOST_ORDERS orders
        """
        for count in range(MOST_ORDERS):
            if not self.decide():
                return count
        raise BrokenInvariant(f"{self._battle.recording.gid}: no end after {MOST_ORDERS} orders")

    # --- the file

    def file(self) -> bytes:
        """The battle file as the battle stands, signed; also of an unfinished battle."""
        return self._battle.file()

    def save(self, path: str | Path) -> None:
        """Write the battle file, over one of that name.

        Raises:  OSError
        """
        Path(path).write_bytes(self.file())

    def _require_side(self, side: str) -> None:
        if side not in self.ruleset.seats:
            raise Refusal("core.no-such-side", "CORE-SIDE", side=side[:40])
