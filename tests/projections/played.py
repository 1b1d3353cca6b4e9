"""Battles for the read models to follow.

Real ones: bots of no skill play the small battle on a `Recording`, which writes lines as the server does. `MemoryLog`
hands them out as the store's feed, interleaved as one likes.
"""

import hashlib
import random
import tomllib
from collections.abc import Sequence
from itertools import zip_longest

from domain.basics.data import scenario_text
from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.events.battle import Event, Fact, Rewound
from domain.log.record import Header
from domain.run.block_writer import Entered
from domain.run.inputs import Entry
from domain.run.seats import Seat
from replay.writing.recording import Batch, Recording
from tests.support import messages

RULES = RULESETS["tts"]
MASTER = b"\x02" * 32
PHRASE = "a phrase of sixteen bytes"
WAYS = ("ahead", "ahead 2", "left", "right", "ahead-left", "back", "turn left", "rally", "march")


class Played:
    """A battle as it is played. `lines` are those of the log; each append is one minute after the last."""

    def __init__(self, battle: str, seed: int = 1, readers: str = "public", scenario: str = "skirmish") -> None:
        salts = iter(range(1, 1 << 30))
        header = Header(battle, at(0), "phalera-battle", "h.example", "h.example+0+key", RULES.version, "tts", 2)
        self.battle = battle
        self.recording = Recording(
            header, MASTER, RULES, lambda: hashlib.sha256(b"%d %d" % (seed, next(salts))).digest()
        )
        self.lines: list[bytes] = []
        self._random = random.Random(seed)
        self._appends = 0
        self._take(self.recording.open(tomllib.loads(scenario_text("tts", scenario)), readers, at(0)))

    @property
    def game(self):
        """The game now, seen whole."""
        return self.recording.battle.game

    def join(self, side: str, player: str, name: str, phrase: str = PHRASE) -> None:
        """A player takes a side; with the second the battle begins."""
        texts = {side: phrase, "south": PHRASE} if phrase else {}
        phrases = {seat: messages.phrase(self.recording, text) for seat, text in texts.items()}
        self._take(self.recording.join(Seat(side, player, name), phrases, self._next()))

    def begin(self, south: str = "p-anna", north: str = "p-bob") -> "Played":
        """Both sides are taken."""
        self.join("south", south, "Anna")
        self.join("north", north, "Bob")
        return self

    def order(self, side: str, text: str) -> None:
        """One order; a `Refusal` if it may not be given."""
        entry = Entry(side, text, "p", "cli", phrase=PHRASE, phrase_required=True)
        self._take(self.recording.order(entry, self._next()))

    def play(self, orders: int) -> "Played":
        """Random orders, until so many were accepted or the battle is over."""
        accepted = 0
        while accepted < orders and not self.recording.battle.ended:
            try:
                self.order(*self._any_order())
                accepted += 1
            except Refusal:
                pass
        return self

    def rewind(self, to: int) -> None:
        """The battle is again what it was after event `to`."""
        fact = Fact("server", Rewound.RULE, Rewound(to))
        self.log(fact.event)

    def log(self, *events: Event, by: str = "server") -> None:
        """Facts as they are, whatever the rules say."""
        facts = [Fact(by, event.RULE, event) for event in events]
        self._take(self.recording.prepare([Entered(fact, fact) for fact in facts], self._next()))

    def _any_order(self) -> tuple[str, str]:
        game, pick = self.game, self._random.choice
        waiting = game.waiting
        if waiting:
            answers = {"evade": ("evade yes", "evade no"), "replay": ("replay yes", "replay no")}
            return waiting.side, pick(answers.get(waiting.kind) or (f"join {waiting.options[0]}",))
        side = game.active
        unit = pick([unit for unit in game.units.values() if unit.side == side and unit.alive])
        foe = pick([foe for foe in game.units.values() if foe.side != side and foe.box])
        orders = ["end turn"] + ["done"] * 2 + [f"standing evade {unit.id} {pick(('always', 'never', 'heavier'))}"] * 2
        orders += [f"{unit.id} charge {foe.box}"] * 14 + [f"{unit.id} shoot {foe.box}"] * 10
        return side, pick([*orders, *(f"{unit.id} {pick(WAYS)}" for _ in range(20))])

    def _take(self, batch: Batch) -> None:
        self.recording.adopt(batch)
        self.lines += [line for _, line, _ in batch.rows]

    def _next(self) -> str:
        self._appends += 1
        return at(self._appends)


def at(minute: int) -> str:
    """A time, so many minutes after the battles were opened."""
    return f"2026-01-{1 + minute // 1440:02}T{minute // 60 % 24:02}:{minute % 60:02}:00.000Z"


class MemoryLog:
    """The feed of some battles. `reads` counts the battles that were read whole."""

    def __init__(self) -> None:
        self._rows: list[tuple[int, str, int, bytes]] = []
        self._battles: dict[str, list[bytes]] = {}
        self.reads = 0

    def append(self, battle: str, *lines: bytes) -> None:
        """More events of a battle."""
        for line in lines:
            known = self._battles.setdefault(battle, [])
            known.append(line)
            self._rows.append((len(self._rows) + 1, battle, len(known), line))

    def extend(self, *battles: Played) -> "MemoryLog":
        """What is new in these battles, one event of each in turn."""
        new = [[(b.battle, line) for line in b.lines[len(self._battles.get(b.battle, [])) :]] for b in battles]
        for several in zip_longest(*new):
            for entry in several:
                if entry:
                    self.append(*entry)
        return self

    @property
    def end(self) -> int:
        """The last position."""
        return len(self._rows)

    def feed(self, after_position: int, limit: int) -> Sequence[tuple[int, str, int, bytes]]:
        return self._rows[after_position : after_position + limit]

    def lines(self, battle: str, after: int, limit: int | None) -> Sequence[bytes]:
        self.reads += 1
        return self._battles[battle][after:][:limit]
