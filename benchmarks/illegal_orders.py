"""Make orders that the rules refuse: a mirror of a battle says beforehand what is illegal, and with which code."""

import random
import re
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from benchmarks.rehearsal import RULES, SIDES
from domain.basics.errors import Refusal
from domain.engine.state import OTHER
from domain.log.record import decode, split_hash
from domain.run.decide import decide, to_act
from domain.run.timeline import Timeline, catalogue_of

TRIES = 6
"""Candidates looked at for each of them before the position is left."""
CATALOGUE = catalogue_of(RULES)


class Accepted(Exception):
    """What must not be: an illegal order was taken, or left a trace."""


class AnyChance:
    """Draws that nobody keeps: to find out whether the rules would get so far as to draw."""

    def __init__(self, pick: random.Random) -> None:
        self._pick = pick

    def card(self, scope: str, pile: Sequence[str], t: int, deck: str) -> str:
        return self._pick.choice(pile)

    def die(self, scope: str, sides: int, t: int = 0, values: Sequence[int] = ()) -> int:
        return self._pick.randint(1, sides)


class Tally(Struct):
    """What was sent and answered. `otherwise`: refused, with another code than the rules gave here."""

    wanted: int
    sent: int = 0
    legal: int = 0
    parsed: int = 0
    played: int = 0
    battles: int = 0
    codes: Counter[str] = msgspec.field(default_factory=Counter)
    origins: Counter[str] = msgspec.field(default_factory=Counter)
    states: Counter[str] = msgspec.field(default_factory=Counter)
    otherwise: Counter[tuple[str, str]] = msgspec.field(default_factory=Counter)


# --- a battle and its mirror


class Mirror:
    """A battle as its public log tells it, and what its sides could order before."""

    def __init__(self, battle: str, pick: random.Random) -> None:
        self.battle = battle
        self.timeline = Timeline(RULES)
        self.receipt = ""
        self.head = ""  # the hash of event n
        self.past = {side: deque[str](maxlen=400) for side in SIDES}
        self._pick = pick

    @property
    def game(self) -> Any:
        """The state."""
        return self.timeline.now.game

    @property
    def n(self) -> int:
        """The last event."""
        return self.timeline.now.n

    def feed(self, lines: bytes) -> None:
        """Go on with lines of the log."""
        for number, line in enumerate(lines.splitlines(), self.n + 1):
            hashed, member = split_hash(line, number)
            self.timeline.feed(decode(hashed, CATALOGUE))
            self.head = member[-65:-1].decode()

    def state(self) -> str:
        """Where the battle stands, in a word."""
        if self.game.winner is not None:
            return "ended"
        if not self.game.phase:
            return "before the start"
        if self.game.waiting:
            return "decision pending"
        return "a corps has ended" if self.game.armies[self.game.active].ended else "in play"

    def options(self, side: str) -> list[str]:
        """What a side may order now."""
        found = [option.order for option in RULES.orders.options(RULES.secrets.known(self.game, side), side)]
        self.past[side].extend(self._pick.sample(found, min(20, len(found))))
        return found

    def refusal(self, side: str, text: str) -> str | None:
        """The code with which an order is refused; None if the rules would take it."""
        if side not in self.timeline.now.seats:
            return "core.not-seated"
        try:
            decide(RULES, self.game, side, RULES.orders.parse(text), AnyChance(self._pick))
        except Refusal as refusal:
            return refusal.code
        return None


# --- illegal orders

WAYS = ("ahead", "ahead-left", "ahead-right", "left", "right", "back")
TURNS = ("left", "right", "about", "N", "E", "S", "W")
LIKE = (
    WAYS, ("charge", "shoot"), ("yes", "no"), ("ammo", "lance", "pilum"), ("swap", "rally"),
    ("normal", "shieldwall", "tortoise", "dismounted"), ("march", "swap", "rally", *WAYS), ("alone", "with R1"),
)  # fmt: skip
"""Words of which each can stand where another does."""
KEYWORDS = (  # noqa: SIM905  # one line a word says no more
    "ahead ahead-left ahead-right left right back about charge halt shoot then turn swap rally replenish ammo lance "
    "pilum form normal shieldwall tortoise march pass leave return group general with alone evade replay yes no join "
    "shift done end corps deploy place play to facing via x2"
).split()
UNASKED = (
    "evade yes", "evade no", "evade yes facing N", "replay no", "replay yes with G1", "replay yes with G9", "join R1",
    "accept draw", "decline draw", "deploy R1 C2 N", "deploy camp C1", "place wood D4", "play scouts", "shift N",
    "shift none", "done", "end turn", "corps I", "corps IX", "R1 return C1", "general G1 to D4",
    "general G1 alone", "general G1 with N1", "standing evade R99 always", "R1 march D4",
)  # fmt: skip
USUAL = ("R1 ahead 2", "R1 charge D4", "R2 shoot D4", "R1 turn left", "R2 march D4", "R3 to D4 facing N", "corps I")
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.,;:!?/\\'\"<>{}[]()éüß漢 \t\u200b"
BOX = re.compile(r"[A-Z][0-9]{1,2}")


class Illegal(Struct, frozen=True):
    """An order that the rules refuse with `code`."""

    side: str
    text: str
    origin: str
    code: str
    parses: bool


class Forge:
    """Makes candidates for a position."""

    def __init__(self, mirror: Mirror, pick: random.Random) -> None:
        game = mirror.game
        self.mirror = mirror
        self.pick = pick
        waits = to_act(RULES, game)
        self.acting = waits[0] if waits else pick.choice(SIDES)
        self.options = mirror.options(self.acting) or list(mirror.past[self.acting]) or list(USUAL)
        own = [unit.id for unit in game.units.values() if unit.side == self.acting]
        self.units = [*own, *own, *own, *game.units, "R99", "N0", "Z1"]
        self.generals = [*game.generals, "G99"]
        self.boxes = [f"{column}{row}" for column in "ABCDEFGHIJKL" for row in range(10)] + ["Z99", "A0"]
        self.corps = [corps for army in game.armies.values() for corps in army.corps] + ["XXV"]
        makers: dict[str, tuple[Callable[[], tuple[str, str]], int]] = {
            "one argument changed": (self.changed, 57),
            "the other side's": (self.others, 9),
            "of an earlier turn": (self.earlier, 18),
            "an answer or phase not due": (self.unasked, 8),
            "garbage": (self.garbage, 8),
        }
        self._makers = {name: make for name, (make, _) in makers.items()}
        self._weights = [weight for _, weight in makers.values()]

    def candidate(self) -> tuple[str, str, str]:
        """(origin, side, text)"""
        (origin,) = self.pick.choices(list(self._makers), self._weights)
        side, text = self._makers[origin]()
        return origin, side, text

    def changed(self) -> tuple[str, str]:
        words = self.pick.choice(self.options).split()
        arguments = [at for at, word in enumerate(words) if self._instead(word) is not KEYWORDS]
        at = self.pick.choice(arguments or range(len(words)))
        turns = at > 0 and words[at - 1] == "turn"
        words[at] = self.pick.choice(TURNS if turns else self._instead(words[at]))
        return self.acting, " ".join(words)

    def _instead(self, word: str) -> Sequence[str]:
        for kind in (self.units, self.generals, self.corps):
            if word in kind:
                return kind
        if word in ("N", "E", "S", "W"):
            return "NESW"
        if BOX.fullmatch(word):
            return self.boxes
        if word.isdigit():
            return tuple(map(str, range(13)))
        return next((words for words in LIKE if word in words), KEYWORDS)

    def others(self) -> tuple[str, str]:
        other = OTHER[self.acting]
        past = self.mirror.past[other]
        if past and self.pick.random() < 0.5:
            return self.acting, self.pick.choice(past)
        return other, self.pick.choice(self.options)

    def earlier(self) -> tuple[str, str]:
        return self.acting, self.pick.choice(self.mirror.past[self.acting] or self.options)

    def unasked(self) -> tuple[str, str]:
        return self.pick.choice(SIDES), self.pick.choice(UNASKED)

    def garbage(self) -> tuple[str, str]:
        kind = self.pick.randrange(3)
        if kind == 0:
            text = "".join(self.pick.choices(LETTERS, k=self.pick.randrange(1, 60)))
        elif kind == 1:
            text = " ".join(self.pick.choices([*KEYWORDS, *self.units, *self.boxes], k=self.pick.randrange(1, 7)))
        else:
            letters = list(self.pick.choice(self.options))
            letters[self.pick.randrange(len(letters))] = self.pick.choice(LETTERS)
            text = "".join(letters)
        return self.acting, text if text.strip() else "?"


def parses(text: str) -> bool:
    """Whether a line can be read as an order."""
    try:
        RULES.orders.parse(text)
    except Refusal:
        return False
    return True


def illegal(mirror: Mirror, pick: random.Random, count: int, tally: Tally) -> Iterator[Illegal]:
    """At most so many illegal orders for the position; what is legal is counted and left out."""
    forge = Forge(mirror, pick)
    seen: set[tuple[str, str]] = set()
    for _ in range(count * TRIES):
        origin, side, text = forge.candidate()
        if (side, text) in seen:
            continue
        seen.add((side, text))
        code = mirror.refusal(side, text)
        if code is None:
            tally.legal += 1
            continue
        yield Illegal(side, text, origin, code, parses(text))
        count -= 1
        if not count:
            return
