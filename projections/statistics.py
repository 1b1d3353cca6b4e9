"""The draws and tests of each side, counted: what was expected and what came (`projections.luck` weighs them).

Draws by value, and for every test what was expected against what came. Nothing here knows a game: a card or die is
known by its event (`CardDrawn`, `DieRolled`), a test by the `Trial` that the ruleset tells of an event, after the draws
that decide it. The ruleset is also asked for its pile (the cards that could come) and its tally (what was lost and
gained).

- A test is named by the `purpose` of its draws: activation, hit, save, rout … A volley is a test for each draw.
- In an opposed test the draw of the side that tries is weighed, against what the other side's turned out to be.
- A die is weighed by its faces, a card by the pile it came from, as it was at that moment: `reached` less `expected` is
  what chance has given, and has no drift. A card that is drawn again counts as two draws of one test; counting only
  the last would flatter whoever may draw again.
- Expectations are sums of ten-thousandths of a draw, each rounded: no floats.
- Draws voided by a rewind are counted separately.

`battle_statistics` needs no database, so that `phalera stats` runs on a bare file.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from domain.contract.ruleset import Ruleset
from domain.engine.state import SIDES
from domain.events.battle import Event, Fact
from domain.log.record import Recorded, type_name
from domain.mechanics.cards import card_value
from domain.mechanics.trial import Trial
from domain.run.timeline import Timeline, is_within
from projections.model import Changes, ModelStep, ModelTable, OpenedBattle, ReadModel, Rows

SCALE = 10_000
"""The unit of an expectation: one draw is this many."""

DRAWS = ModelTable(
    "draws",
    {"battle": str, "side": str, "voided": int, "purpose": str, "value": int, "count": int},
    key=("battle", "side", "voided", "purpose", "value"),
)
TRIALS = ModelTable(
    "trials",
    {
        "battle": str,
        "side": str,
        "voided": int,
        "purpose": str,
        "passed": int,
        "failed": int,
        "draws": int,
        "reached": int,
        "expected": int,
    },
    key=("battle", "side", "voided", "purpose"),
)
LOSSES = ModelTable(
    "losses",
    {"battle": str, "side": str, "voided": int, "lost": int, "gained": int},
    key=("battle", "side", "voided"),
)


class DrawTally(Struct, frozen=True):
    """How often a value came up for a purpose; 0 stands for cards without a number."""

    purpose: str
    value: int
    count: int


class Trials(Struct, frozen=True):
    """The tests of one kind: how many were passed and failed; of the `draws` made for them, how many reached the
    number needed, and how many were expected to (`expected`, in ten-thousandths)."""

    purpose: str
    passed: int
    failed: int
    draws: int
    reached: int
    expected: int


class SideStatistics(Struct, frozen=True):
    """One side. `lost` and `gained` are in the game's tally, which may fall and grow."""

    side: str
    draws: tuple[DrawTally, ...] = ()
    trials: tuple[Trials, ...] = ()
    lost: int = 0
    gained: int = 0


class BattleStatistics(Struct, frozen=True):
    """The draws that count, and separately those that rewinds voided."""

    counted: tuple[SideStatistics, ...]
    voided: tuple[SideStatistics, ...]


def battle_statistics(ruleset: Ruleset, events: Iterable[Recorded]) -> BattleStatistics:
    """The statistics of a log, from its first event on, as far as the log is public."""
    timeline = Timeline(ruleset)
    states = [timeline.now, *(timeline.feed(recorded) for recorded in events)]
    spans = timeline.voided()
    memory = StatisticsMemory(OpenedBattle("", ruleset, ""))
    for recorded, before, after in zip(timeline.events, states, states[1:], strict=False):
        voided = is_within(spans, recorded.n)
        memory.apply(ModelStep(recorded, before, after, ruleset.shown.tally(after.game), voided))
    return memory.statistics()


# --- reading events


class _Draw(Struct, gc=False):
    """A card or die for a unit; `could` has how many of each value could have come, by value, and `all` their sum."""

    unit: str
    value: int
    could: Sequence[int]
    all: int


class _Run(Struct, gc=False):
    """The draws of one side for one purpose since the last test."""

    purpose: str
    draws: list[_Draw]


@cache
def value_of(card: str) -> int:
    """The number of a card, 0 if it has none."""
    try:
        return card_value(card)
    except ValueError:
        return 0


@cache
def _faces(sides: int) -> tuple[int, ...]:
    return (0, *(1 for _ in range(sides)))


class _Pile:
    """How many cards of each value a deck can still yield. The ruleset is asked after a shuffle; then the cards are
    counted down: counting a whole pile for each card would cost more than folding it."""

    def __init__(self, cards: Sequence[str]) -> None:
        values = [value_of(card) for card in cards]
        self.left = len(values)
        self.counts = [values.count(value) for value in range(max(values, default=0) + 1)]

    def take(self, value: int, remaining: int) -> bool:
        """Remove one card; False if the deck does not work like that and must be asked again."""
        if remaining == self.left:
            return True  # independent draws: the card goes back
        if remaining != self.left - 1 or value >= len(self.counts) or not self.counts[value]:
            return False
        self.left = remaining
        self.counts[value] -= 1
        return True


# --- folding

_Key = tuple[Any, ...]


_NOT_PLAYED = frozenset({"Rewound", "Corrected"})
"""What changes a tally without anybody losing or gaining by it."""


class StatisticsMemory:
    """The counts of one battle, by side, whether they count, and purpose."""

    def __init__(self, opening: OpenedBattle) -> None:
        self._battle = opening.battle
        self._ruleset = opening.ruleset
        self._piles: dict[str, _Pile] = {}
        self._runs: dict[str, _Run] = {}
        self._tally: Mapping[str, int] = {}
        self._draws: dict[_Key, int] = {}
        self._trials: dict[_Key, list[int]] = {}
        self._losses: dict[_Key, list[int]] = {}
        self._changed: tuple[set[_Key], set[_Key], set[_Key]] = (set(), set(), set())

    def apply(self, step: ModelStep) -> None:
        """Apply the next event."""
        recorded = step.recorded
        reader = _reader_of(type(recorded.event))
        if reader is not None:
            reader(self, step)
        elif self._runs:
            fact = Fact(recorded.by, recorded.rule, recorded.event)
            trial = self._ruleset.draws.trial(step.before.game, fact)
            if trial is not None:
                self._tried(step, trial)
        if step.tally is not self._tally:
            if recorded.type not in _NOT_PLAYED:
                self._compare(step.tally, step.voided)
            self._tally = step.tally

    def card_drawn(self, step: ModelStep) -> None:
        """Count a card: the possible ones are those that the pile held before it."""
        event: Any = step.recorded.event
        card = getattr(event, "card", None)
        if not isinstance(card, str):
            self._piles.pop(event.deck, None)  # sealed: nobody may count it, nor the pile it leaves
            return
        pile = self._piles.get(event.deck) or _Pile(self._ruleset.draws.pile(step.before.game, event.deck))
        value = value_of(card)
        self._draw(step, event.deck, value, tuple(pile.counts), pile.left)
        if pile.take(value, event.remaining):
            self._piles[event.deck] = pile
        else:
            self._piles.pop(event.deck, None)

    def die_rolled(self, step: ModelStep) -> None:
        """Count a die, whose faces are equally likely."""
        event: Any = step.recorded.event
        self._draw(step, "", event.value, _faces(event.sides), event.sides)

    def deck_shuffled(self, step: ModelStep) -> None:
        """Ask for the pile again."""
        event: Any = step.recorded.event
        self._piles.pop(event.deck, None)

    def rewound(self, step: ModelStep) -> None:
        """Restore the decks; no draw is pending."""
        self._piles.clear()
        self._runs = {}

    def _draw(self, step: ModelStep, deck: str, value: int, could: Sequence[int], all_: int) -> None:
        recorded = step.recorded
        event: Any = recorded.event
        side = recorded.by if recorded.by in self._ruleset.seats else deck
        purpose = getattr(event, "purpose", "")
        key = (side, int(step.voided), purpose, value)
        self._draws[key] = self._draws.get(key, 0) + 1
        self._changed[0].add(key)
        if (run := self._runs.get(side)) is None or run.purpose != purpose:
            run = self._runs[side] = _Run(purpose, [])
        run.draws.append(_Draw(getattr(event, "unit", ""), value, could, all_))

    def _tried(self, step: ModelStep, trial: Trial) -> None:
        """A test: the draws of its side just before it, all of one purpose and for its units, were made for it."""
        results = trial.results()
        if not results or trial.ahead:
            return
        run, self._runs = self._runs.get(trial.side), {}
        drawn = [draw for draw in run.draws if draw.unit in trial.units] if run else []
        if run is None or not drawn:
            return
        key = (trial.side, int(step.voided), run.purpose)
        counts = self._trials.setdefault(key, [0, 0, 0, 0, 0])
        self._changed[1].add(key)
        counts[0] += sum(results)
        counts[1] += len(results) - sum(results)
        if trial.stands == "sum":
            _weigh(counts, results[0], trial.passes)
            return
        for draw in drawn:
            if draw.all:
                could = sum(count for value, count in enumerate(draw.could) if trial.does(value))
                _weigh(counts, trial.does(draw.value), trial.passes or (could, draw.all))

    def _compare(self, tally: Mapping[str, int], voided: bool) -> None:
        for side, left in tally.items():
            change = left - self._tally.get(side, left)
            if change:
                key = (side, int(voided))
                self._losses.setdefault(key, [0, 0])[change > 0] += abs(change)
                self._changed[2].add(key)

    def changes(self) -> Changes:
        """The counts that have changed since the last call."""
        draws, tests, losses = self._changed
        self._changed = (set(), set(), set())
        battle = self._battle
        changed = {
            "draws": [(battle, *key, self._draws[key]) for key in draws],
            "trials": [(battle, *key, *self._trials[key]) for key in tests],
            "losses": [(battle, *key, *self._losses[key]) for key in losses],
        }
        return {table: rows for table, rows in changed.items() if rows}

    def statistics(self) -> BattleStatistics:
        """All counts, in order."""
        return _collected(
            [(*key, count) for key, count in self._draws.items()],
            [(*key, *counts) for key, counts in self._trials.items()],
            [(*key, *counts) for key, counts in self._losses.items()],
        )


_READERS: dict[str, Callable[[StatisticsMemory, ModelStep], None]] = {
    "CardDrawn": StatisticsMemory.card_drawn,
    "DieRolled": StatisticsMemory.die_rolled,
    "DeckShuffled": StatisticsMemory.deck_shuffled,
    "Rewound": StatisticsMemory.rewound,
}


@cache
def _reader_of(event: type[Event]) -> Callable[[StatisticsMemory, ModelStep], None] | None:
    """What to do with draws and the like: they go by name, whatever the version."""
    return _READERS.get(type_name(event).partition("@")[0])


def _weigh(counts: list[int], passed: bool, passes: tuple[int, int] | None) -> None:
    """Count one draw that passed or not, and how likely that was."""
    if passes is None:
        return
    of, all_ = passes
    counts[2] += 1
    counts[3] += passed
    counts[4] += (SCALE * of + all_ // 2) // all_


STATISTICS = ReadModel("statistics", 3, (DRAWS, TRIALS, LOSSES), StatisticsMemory)

# --- asking


def of_battle(rows: Rows, battle: str) -> BattleStatistics:
    """The statistics of a battle as stored."""
    return _collected(
        rows.rows("SELECT side, voided, purpose, value, count FROM draws WHERE battle = ?", (battle,)),
        rows.rows(
            "SELECT side, voided, purpose, passed, failed, draws, reached, expected FROM trials WHERE battle = ?",
            (battle,),
        ),
        rows.rows("SELECT side, voided, lost, gained FROM losses WHERE battle = ?", (battle,)),
    )


def _collected(draws: Sequence[_Key], trials: Sequence[_Key], losses: Sequence[_Key]) -> BattleStatistics:
    def of_side(side: str, voided: int) -> SideStatistics:
        mine = (side, voided)
        lost, gained = next((row[2:] for row in losses if row[:2] == mine), (0, 0))
        return SideStatistics(
            side,
            tuple(DrawTally(*row[2:]) for row in sorted(draws) if row[:2] == mine),
            tuple(Trials(*row[2:]) for row in sorted(trials) if row[:2] == mine),
            lost,
            gained,
        )

    found = {str(row[0]) for row in (*draws, *trials, *losses)} - {""}
    sides = SIDES if found <= {*SIDES} else tuple(sorted(found))  # rows do not name the game
    return BattleStatistics(*(tuple(of_side(side, voided) for side in sides) for voided in (0, 1)))
