"""Fold one battle once, for all read models.

Every event is decoded once and folded once, into the state that a stranger knows; the models only look at it. A
`Reading` is light (one state and no log), so a thousand battles can be kept in memory. The price: a battle that is
not in memory, that is rewound, or whose armies are opened is read whole again from its lines (`whole`), and its rows
are rewritten.
"""

from collections.abc import Mapping, Sequence

from msgspec import UNSET

from domain.basics.errors import BrokenInvariant
from domain.contract.ruleset import Ruleset
from domain.events.battle import CORE_EVENTS, BattleOpened, Event, Unsealed
from domain.log import record
from domain.log.record import Recorded
from domain.run.seats import Battle, evolve_battle
from domain.run.timeline import Timeline, catalogue_of, is_within
from projections.model import Changes, ModelStep, OpenedBattle, ReadModel

_Catalogue = Mapping[str, type[Event]]


class Rewinding(Exception):
    """The event voids others, or opens what later ones stand on: the battle must be read whole."""


class UnknownGame(Exception):
    """No ruleset with this code is installed."""


class Games:
    """The rulesets by code, each with its catalogue of events."""

    def __init__(self, rulesets: Mapping[str, Ruleset]) -> None:
        self._rulesets = rulesets
        self._catalogues = {code: catalogue_of(ruleset) for code, ruleset in rulesets.items()}

    def of(self, first_line: bytes) -> tuple[Ruleset, _Catalogue, str]:
        """The game that a battle's first event names, its catalogue, and when the battle was opened.

        Raises: UnknownGame, FileFault, BrokenInvariant
        """
        first = record.decode(first_line, CORE_EVENTS)
        opened = first.event
        if not isinstance(opened, BattleOpened):
            raise BrokenInvariant(f"a battle begins with {first.type}")
        if opened.ruleset not in self._rulesets:
            raise UnknownGame(opened.ruleset)
        return self._rulesets[opened.ruleset], self._catalogues[opened.ruleset], first.at


class Reading:
    """A battle after its last event, with the memory of each model."""

    def __init__(self, battle: str, game: tuple[Ruleset, _Catalogue, str], models: Sequence[ReadModel]) -> None:
        self.ruleset, self._catalogue, created = game
        self.now = Battle(0, self.ruleset.rules.initial, rules=self.ruleset.version)
        opening = OpenedBattle(battle, self.ruleset, created)
        self._memories = [model.begin(opening) for model in models]
        self._tally: Mapping[str, int] = {}
        self._founding: set[int] = set()  # sealed events without which later ones cannot be folded

    def decode(self, line: bytes) -> Recorded:
        """Decode a line."""
        return record.decode(line, self._catalogue)

    def feed(self, line: bytes) -> None:
        """Apply the next event.

        Raises: Rewinding, and the reading must be thrown away; FileFault, BrokenInvariant
        """
        recorded = self.decode(line)
        if recorded.type == "Rewound":
            raise Rewinding
        if recorded.n != self.now.n + 1:
            raise BrokenInvariant(f"event {recorded.n} after event {self.now.n}")
        is_sealed = getattr(recorded.event, "sealed", UNSET) is not UNSET
        if is_sealed and recorded.type in self.ruleset.secrets.founding:
            self._founding.add(recorded.n)
        if isinstance(recorded.event, Unsealed) and recorded.event.n in self._founding:
            raise Rewinding
        self._tell(recorded, evolve_battle(self.ruleset, self.now, recorded.event, recorded.n, is_sealed), False)

    def feed_rewound(self, recorded: Sequence[Recorded]) -> None:
        """Apply a whole log in which events change what came before: `Timeline` knows what holds."""
        timeline = Timeline(self.ruleset)
        states = [timeline.feed(each) for each in recorded]
        spans = timeline.voided()
        for each, state in zip(recorded, states, strict=True):
            self._tell(each, state, is_within(spans, each.n))
        self.now = timeline.now

    def changes(self) -> list[Changes]:
        """The rows that each model has to write."""
        return [memory.changes() for memory in self._memories]

    def _tell(self, recorded: Recorded, after: Battle, voided: bool) -> None:
        before, self.now = self.now, after
        tally = self.ruleset.shown.tally(after.game)
        if tally != self._tally:
            self._tally = tally
        step = ModelStep(recorded, before, after, self._tally, voided)
        for memory in self._memories:
            memory.apply(step)


def whole(battle: str, lines: Sequence[bytes], games: Games, models: Sequence[ReadModel]) -> Reading:
    """Read a battle from its first event on.

    Raises: UnknownGame, FileFault, BrokenInvariant
    """
    game = games.of(lines[0])
    reading = Reading(battle, game, models)
    try:
        for line in lines:
            reading.feed(line)
    except Rewinding:
        reading = Reading(battle, game, models)
        reading.feed_rewound([reading.decode(line) for line in lines])
    return reading
