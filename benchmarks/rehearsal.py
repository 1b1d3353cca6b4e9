"""Battles of a data folder that are played ahead in memory, so that what the server will draw is known."""

import random
import tomllib
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, Self

import msgspec
from msgspec import Struct

from benchmarks.loopback import ENTROPY, enrolled
from domain.basics.data import scenario_text
from domain.catalogue import RULESETS
from domain.contract.option import Option
from domain.log.record import FORMAT, OPENED, Header
from domain.run.decide import to_act
from domain.run.inputs import Entry, Phrase
from domain.run.seats import Seat
from replay.writing.entropy import new_id
from replay.writing.recording import Batch, Recording
from server.people.key_files import read_or_make_key
from server.settings import Settings, make_folder
from server.store import Append, EventStore, Opening
from server.store.tables import vault

RULES = RULESETS["tts"]
PHRASE = "a phrase of sixteen bytes"
AT = "2026-01-01T00:00:00.000Z"
SIDES = ("south", "north")
IN_A_ROW = 4
"""Timed orders of a battle between two that are not timed."""
ABOUT = 6
"""Events of an order as near to this as the position allows."""
LOOKED_AT = 6
"""Options tried for it, of those with many events and of those with few."""
LATE = 2_000


# --- battles that are rehearsed


class Step(Struct, frozen=True):
    """An order to give; `rows` are the sizes of the events that will come of it, hashes included."""

    side: str
    text: str
    rows: tuple[int, ...]


class Chunk(Struct, frozen=True):
    """Orders that lead on, and then orders to be timed."""

    before: tuple[Step, ...]
    timed: tuple[Step, ...]


class Rehearsal:
    """A battle that stands in the store up to some event and is played ahead in memory from there.

    The server comes to the same draws: they follow from the battle's secret, its id, the phrases and the orders.
    """

    def __init__(
        self, store: EventStore, settings: Settings, players: dict[str, str], scenario: dict[str, Any]
    ) -> None:
        signer = read_or_make_key(settings.key, settings.host, ENTROPY)
        header = Header(
            new_id(ENTROPY), AT, FORMAT, settings.host, signer.key, RULES.version, RULES.code, OPENED
        )  # fmt: skip
        master = ENTROPY.bytes(32)
        self.id = header.battle
        self.players = players
        self.chunks: list[Chunk] = []
        self._pick = random.Random(self.id)
        self._store = store
        self._recording = Recording(header, master, RULES, lambda: ENTROPY.bytes(32))
        opening = Opening(self._recording.header_line, AT, "public")
        self._write(self._recording.open(scenario, "public", AT), opening, (vault.put_master(self.id, master),))
        for side in SIDES:
            given = Phrase(PHRASE, "api", self._recording.newest_head())
            phrases = dict.fromkeys(SIDES, given)
            self._write(self._recording.join(Seat(side, players[side], side), phrases, AT))

    def _write(self, batch: Batch, opens: Opening | None = None, also: Sequence[Any] = ()) -> None:
        expected = self._recording.battle.n
        self._store.append_now(Append(self.id, expected, batch.rows, also=also, opens=opens))
        self._recording.adopt(batch)

    def go_to(self, n: int) -> Self:
        """Manoeuvre until the store has event `n`: nobody is lost, so the board stays as full as it was."""
        while self._recording.battle.n < n:
            quiet = [option for option in self._options() if option.kind in ("move", "turn", "group", "end-turn")]
            option = self._pick.choice(quiet) if quiet and self._pick.random() < 0.9 else self._options()[-1]
            self._write(self._order(option.order))
        return self

    def rehearse(self, chunks: int, in_a_row: int = IN_A_ROW) -> Self:
        """Play so many chunks ahead."""
        for _ in range(chunks):
            self.chunks.append(self._chunk(in_a_row))
        return self

    def _chunk(self, in_a_row: int) -> Chunk:
        before: list[Step] = []
        timed: list[Step] = []
        while len(timed) < in_a_row:
            passing = self._passing()
            if passing is not None:
                timed.append(self._played(*passing))
                continue
            before += timed
            timed.clear()
            order = (self._drawing() or self._options())[
                -1
            ].order  # what fails is played too: else its cards would stay
            before.append(self._played(order, self._order(order)))
        return Chunk(tuple(before), tuple(timed))

    def _passing(self) -> tuple[str, Batch] | None:
        """An activation that passes and leaves no question behind."""
        drawing = self._drawing()
        self._pick.shuffle(drawing)
        drawing.sort(key=lambda option: option.kind in ("move", "turn"))  # groups and fights have more events
        found: list[tuple[str, Batch]] = []
        for option in (*drawing[:LOOKED_AT], *drawing[LOOKED_AT:][-LOOKED_AT:]):
            batch = self._order(option.order)
            types = {recorded.type for recorded in batch.recorded}
            if "ActivationPassed" in types and not types & {"DecisionAsked", "BattleEnded"}:
                found.append((option.order, batch))
                if len(batch.rows) == ABOUT:
                    break
        return min(found, key=lambda one: abs(len(one[1].rows) - ABOUT), default=None)

    def _drawing(self) -> list[Option]:
        return [option for option in self._options() if option.needed and option.kind not in ("answer", "leave")]

    def _played(self, text: str, batch: Batch) -> Step:
        side = self._side()
        self._recording.adopt(batch)
        return Step(side, text, tuple(len(line) + len(hash_) for _, line, hash_ in batch.rows))

    def _side(self) -> str:
        return to_act(RULES, self._recording.battle.game)[0]

    def _options(self) -> Sequence[Option]:
        side = self._side()
        return RULES.orders.options(self._recording.known(side), side)

    def _order(self, text: str) -> Batch:
        side = self._side()
        seen = self._recording.newest_head()
        entry = Entry(side, text, self.players[side], "api", key="0" * 16, phrase=PHRASE, seen=seen)
        return self._recording.order(entry, AT)


def endless(name: str) -> dict[str, Any]:
    """A packaged scenario that nobody wins."""
    scenario: dict[str, Any] = tomllib.loads(scenario_text("tts", name))
    scenario["options"] = {**scenario.get("options", {}), "turn_limit": 0}
    for side in scenario["sides"].values():
        side["medals"] = 9_999
    return scenario


class Stage(Struct):
    """All battles of a run, and who plays them: tokens by side; `heads` are the newest by battle, as JSON."""

    tokens: dict[str, str]
    fresh: list[list[Rehearsal]]
    late: list[Rehearsal]
    crowds: dict[int, list[Rehearsal]]
    heads: dict[str, bytes] = {}

    def timed(self) -> Iterator[Step]:
        """Every order that will be timed."""
        for battle in (*self.late, *chain(*self.crowds.values()), *chain(*self.fresh)):
            for chunk in battle.chunks:
                yield from chunk.timed


def prepare(settings: Settings, rounds: int, fresh: int, late: int, crowds: Sequence[int], late_n: int = LATE) -> Stage:
    """Fill a data folder: `fresh` battles for each round, `late` ones at event `late_n`, and `crowds` of so many.

    There is a chunk for each round, and one more to get warm; a fresh battle and one of a crowd have two.
    """
    make_folder(settings)
    scenario = endless("cannae")
    with EventStore.open(msgspec.structs.replace(settings.store(), synchronous="NORMAL")) as store:
        players = enrolled(store, *SIDES)
        ids = {side: player for side, (player, _) in players.items()}

        def some(count: int, chunks: int, n: int = 0) -> list[Rehearsal]:
            made = (Rehearsal(store, settings, ids, scenario) for _ in range(count))
            return [battle.go_to(n).rehearse(chunks) for battle in made]

        return Stage(
            {side: token for side, (_, token) in players.items()},
            [some(fresh, 2) for _ in range(rounds + 1)],
            some(late, rounds + 1, late_n),
            {crowd: some(crowd, 2 * (rounds + 1)) for crowd in crowds},
        )
