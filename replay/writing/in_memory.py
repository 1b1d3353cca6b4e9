"""A battle played in one process, without server, store or network.

The library, `demo` and `play` use this: all seats, the host and its key belong to one process, and the result
is a battle file like any other. With a seed everything except the players' choices follows from
it: secrets, phrases, clock and signing key (design.md 9).
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from domain.basics.data import parse_toml, scenario_text
from domain.basics.errors import Refusal
from domain.contract import dispute_lines
from domain.contract.ruleset import Ruleset
from domain.log import record
from domain.log.chance import StreamChance
from domain.log.fairness import SECRET_BYTES, Stream
from domain.log.record import Header, Recorded
from domain.run.bot_seeds import bot_phrase, is_recomputable, order_seed, orders_in_period
from domain.run.bots import BOT, BOTS, bot_label, played_by
from domain.run.decide import to_act
from domain.run.inputs import Entry, Phrase
from domain.run.own_word import Signed
from domain.run.seats import Seat
from domain.run.terms import USUAL_TERMS, Terms
from replay.proof import chain, notes
from replay.proof.notes import Head, Signer
from replay.writing.clock import Clock, written
from replay.writing.entropy import Entropy, SeededEntropy, new_id
from replay.writing.recording import Batch, Recording, Scenario

HOST = "localhost"
PHRASE_BYTES = 16
FIRST_MOMENT = datetime(2026, 1, 1, 9, tzinfo=UTC)
"""When the clock of a seeded battle starts."""
LONGEST_PAUSE_MS = 90_000
FILE = ".toml"
"""The file ending of a scenario."""


def scenario_table(ruleset: Ruleset, scenario: str) -> dict[str, Any]:
    """The parsed scenario of a packaged battle, or of a file `….toml`.

    Raises:  Refusal for a scenario that does not exist or cannot be read
    """
    if scenario.endswith(FILE):
        return read_scenario(scenario)
    return parse_toml(scenario_text(ruleset.code, scenario), scenario)


def read_scenario(scenario: str) -> dict[str, Any]:
    """The parsed scenario of a file.

    Raises:  Refusal for a file that does not exist or cannot be read
    """
    try:
        text = Path(scenario).read_text(encoding="utf-8")
    except (OSError, ValueError) as reason:
        said = getattr(reason, "strerror", None) or "it is no text"
        raise Refusal("core.bad-toml", "CORE-FILE", file=scenario, reason=str(said).lower()) from None
    return parse_toml(text, scenario)


def name_of(scenario: str) -> str:
    """The name of a packaged battle, or of a scenario file without its folder and ending."""
    return Path(scenario).stem if scenario.endswith(FILE) else scenario


class SeededClock:
    """A clock that advances by thinking times drawn from the seed."""

    def __init__(self, seed: str) -> None:
        self._entropy = SeededEntropy(f"clock {seed}")
        self._now = FIRST_MOMENT

    def wait(self, span_ms: int) -> None:
        """Advance by a span of time."""
        self._now += timedelta(milliseconds=span_ms)

    def now(self) -> str:
        """The time as the log writes it, later with each call."""
        pause_ms = int.from_bytes(self._entropy.bytes(8)) % LONGEST_PAUSE_MS
        self._now += timedelta(milliseconds=pause_ms)
        return written(self._now)


class OfflineBattle:
    """A battle from its opening on; `scenario` is parsed TOML, or the facts that open it. `pace` is as written
    (domain.basics.pace), "" for no clock, `terms` what holds for its disputes,
    `readers` who may read it on a server, `version` that of the protocol, `named` its id if it has one already.

    Raises:  Refusal for a scenario that the ruleset does not accept, or for an invalid pace
    """

    def __init__(
        self,
        ruleset: Ruleset,
        scenario: Scenario,
        clock: Clock,
        entropy: Entropy,
        pace: str = "",
        terms: Terms = USUAL_TERMS,
        readers: str = "public",
        version: int = record.OPENED,
        named: str = "",
    ) -> None:
        self.ruleset = ruleset
        self.clock = clock
        self.entropy = entropy
        self.signer = Signer(HOST, entropy.bytes(SECRET_BYTES))
        header = Header(
            battle=named or new_id(entropy),
            created=clock.now(),
            format=record.FORMAT,
            host=HOST,
            key=self.signer.key,
            rules=ruleset.version,
            ruleset=ruleset.code,
            version=version,
        )
        self.recording = Recording(header, entropy.bytes(SECRET_BYTES), ruleset, lambda: entropy.bytes(SECRET_BYTES))
        self.bots: dict[str, str] = {}
        self._chances: dict[str, StreamChance] = {}
        self._phrases: dict[str, Phrase] = {}
        self._lines: list[bytes] = []
        self._orders = 0
        self._adopt(self.recording.open(scenario, readers, header.created, pace, terms))

    # --- seats

    def seat_person(self, side: str, name: str, player: str = "") -> None:
        """Seat a person at a side: whoever plays here runs the program that draws. A substitute is another `player`."""
        self._join(Seat(side, player or f"{side}-person", name, is_operator=True))

    def seat_bot(self, side: str, bot: str) -> None:
        """Seat a bot at a side: the one asked for, or what plays in its place in a game that lacks it."""
        self.bots[side] = bot = played_by(self.ruleset, bot)
        self._chances[side] = StreamChance(Stream(self.entropy.bytes(SECRET_BYTES)))
        self._join(Seat(side, BOT + bot, f"{bot.title()} bot", kind="bot"))

    def _join(self, seat: Seat) -> None:
        bot = seat.kind == "bot"
        self._phrases[seat.side] = Phrase(
            self._phrase(seat.side), "bot" if bot else "cli", None if bot else self.recording.newest_head()
        )
        phrases = self._phrases if len(self._phrases) == len(self.ruleset.seats) else {}
        self._adopt(self.recording.join(seat, phrases, self.clock.now()))

    # --- orders

    def order(
        self, side: str, text: str, channel: str = "cli", *, signed: Signed | None = None
    ) -> tuple[Recorded, ...]:
        """Play one order of a side, or of the umpire, signed if they have a key; returns its events.

        Raises:  Refusal
        """
        battle = self.recording.battle
        seat = battle.seats.get(side)
        player = battle.disputes.umpire if seat is None else seat.player
        key = sha256(f"{player} {self._orders}".encode()).hexdigest()[:16]
        seen = None if seat is not None and seat.kind == "bot" else self.recording.newest_head()
        takes_back = channel == "bot" and dispute_lines.read(text, self.ruleset.seats) is not None
        entry = Entry(
            side,
            text,
            player,
            channel,
            key=key,
            phrase=self._phrase(side, takes_back),
            seen=seen,
            signed=signed,
            bot=bot_label(self.ruleset, self.bots[side]) if channel == "bot" and is_recomputable(battle) else "",
        )
        batch = self.recording.order(entry, self.clock.now())
        self._orders += 1
        self._adopt(batch)
        return batch.recorded

    def contribute(self, side: str) -> tuple[Recorded, ...]:
        """Give the contribution that a side owes whatever the turn, as after a rewind; returns its events."""
        is_bot = side in self.bots
        phrase = Phrase(
            self._phrase(side), "bot" if is_bot else "cli", None if is_bot else self.recording.newest_head()
        )
        batch = self.recording.contribute(side, phrase, self.clock.now())
        self._adopt(batch)
        return batch.recorded

    def bot_order(self) -> tuple[Recorded, ...]:
        """Play the order of the bot to move; returns its events."""
        side = next(side for side in self.to_act if side in self.bots)
        known = self.recording.known(side)
        options = self.ruleset.orders.options(known, side)
        text = BOTS[self.bots[side]](self.ruleset, known, side, options, self._chance(side))
        return self.order(side, text, "bot")

    def _chance(self, side: str) -> StreamChance:
        """What a bot draws from for its next order."""
        battle, keys = self.recording.battle, self.recording.dealer.keys
        if not is_recomputable(battle):
            return self._chances[side]
        given = orders_in_period(self.recording.timeline.events, side)
        return StreamChance(Stream(order_seed(keys, self.ruleset.seats.seeding, battle, side, given)))

    def fire_clock(self, what: str, side: str) -> None:
        """Fire a clock event, caused by time or by a side (domain.time.clock).

        Raises:  Refusal
        """
        self._adopt(self.recording.fire_clock(what, side, self.clock.now()))

    @property
    def to_act(self) -> tuple[str, ...]:
        """The sides that must give an order now."""
        return to_act(self.ruleset, self.recording.battle.game)

    def _phrase(self, side: str, takes_back: bool = False) -> str:
        """The phrase of a side; that of a bot behind a take-back is of the period which begins there."""
        if side in self.bots and is_recomputable(self.recording.battle):
            return bot_phrase(self.recording.dealer.keys, self.recording.battle, side, rewound=takes_back)
        return self.entropy.bytes(PHRASE_BYTES).hex()

    # --- the record

    def events(self) -> Iterator[Recorded]:
        """The log so far, as everybody may read it."""
        return iter(self.recording.timeline.events)

    def file(self) -> bytes:
        """The battle file in its current state, its head signed; also for an unfinished battle."""
        header = self.recording.header
        head = Head(notes.origin(header.host, header.battle), len(self._lines), self.recording.head)
        return chain.file_bytes(self.recording.header_line, self._lines, notes.sign_head(self.signer, head))

    def _adopt(self, batch: Batch) -> None:
        self.recording.adopt(batch)
        self._lines.extend(line for _, line, _ in batch.rows)
