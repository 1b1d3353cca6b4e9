"""Play a case: a scenario, stacked draws, orders, and what must come of them.

The bench of `replay.lab.lab`, which proves the case as well; a branch that begins in a case plays it here alone.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset
from domain.events.battle import Fact
from domain.log.chance import DeckTooShort, NoSuchFace, StackedChance
from domain.run.decide import beginning, decide, evolve, opening, proceeding
from replay.telling.words import ENGLISH, refusal_sentence

CASE_KEYS = frozenset({"cards", "dice", "orders", "expect", "reject", "absent", "final"})
"""Top-level keys of a case that are not part of its scenario."""


class Rejection(Struct, frozen=True):
    """Order `order` (from 1) was refused."""

    order: int
    code: str
    rule: str
    message: str


class CaseResult(Struct, frozen=True):
    """The result of a case. `events` are those of the ruleset's catalogue, as plain data, `n` from 1."""

    events: list[dict[str, Any]]
    rejections: list[Rejection]
    final: dict[str, Any]
    ok: bool
    failures: list[str]


class UnreadableCase(Exception):
    """The file is not a valid case: unknown ruleset, a bad scenario, a bad order line."""


class PlayedCase(Struct, frozen=True):
    """A case that was played: its first event, and the state at the start and after each order, by the number of
    events; the orders that were accepted, as side and line."""

    ruleset: Ruleset
    result: CaseResult
    opened: Any
    states: Mapping[int, Any]
    accepted: Sequence[tuple[str, str]]


def scenario_of(case: Mapping[str, Any]) -> dict[str, Any]:
    """The scenario that a case is played in."""
    return {key: value for key, value in case.items() if key not in CASE_KEYS}


def play_case(case: Mapping[str, Any], rulesets: Mapping[str, Ruleset] = RULESETS, lang: str = ENGLISH) -> PlayedCase:
    """Play a case, whatever is expected of it; `lang` is the language of the refusals.

    Raises: UnreadableCase for an invalid case
    """
    bench = _Bench(_game_of(case, rulesets), case, lang)
    result = bench.run()
    return PlayedCase(bench.ruleset, result, bench.opened, bench.states, bench.accepted)


def _game_of(case: Mapping[str, Any], rulesets: Mapping[str, Ruleset]) -> Ruleset:
    ruleset = rulesets.get(str(case.get("ruleset")))
    if ruleset is None:
        raise UnreadableCase(f"no such ruleset: {case.get('ruleset')!r}; there are {', '.join(sorted(rulesets))}")
    return ruleset


class _Bench:
    """One case being played."""

    def __init__(self, ruleset: Ruleset, case: Mapping[str, Any], lang: str) -> None:
        self.ruleset, self.case, self.lang = ruleset, case, lang
        self.chance = StackedChance(ruleset.draws.stacked(case))
        self.events: list[dict[str, Any]] = []
        self.rejections: list[Rejection] = []
        self.failures: list[str] = []
        self.state: Any = ruleset.rules.initial
        self.opened: Any = None
        self.states: dict[int, Any] = {}
        self.accepted: list[tuple[str, str]] = []

    def run(self) -> CaseResult:
        """Play from the opening to the last order; the battle begins at once."""
        scenario = scenario_of(self.case)
        try:
            opened = opening(self.ruleset, scenario)
            self.opened = opened[0].event
            self._take(opened)
            self._take(beginning(self.ruleset, self.state))
            self._take(proceeding(self.ruleset, self.state, self.chance))
        except Refusal as refusal:
            raise UnreadableCase(refusal_sentence(refusal, self.lang)) from None
        except DeckTooShort as short:
            self.failures.append(f"the start draws more from {short.name} than the case has")
        except NoSuchFace as wrong:
            self.failures.append(f"the start rolls a die of {wrong.name} that never counts {wrong.value}")
        self.states[len(self.events)] = self.state
        expected = self._expected_rejections()
        for number, line in enumerate(self.case.get("orders", ()), start=1):
            self._order(number, line, expected.get(number))
            self.states[len(self.events)] = self.state
        self._compare_events()
        final, wanted = self._final(), self.case.get("final", {})
        self._compare_final(final, wanted, "final")
        if self.state.waiting is not None and "waiting" not in wanted:
            asked = self.state.waiting
            what = f"{asked.kind} {asked.unit}".strip()
            self.failures.append(
                f"{asked.side} has still to decide: {what}; a case that ends so names it in final.waiting"
            )
        for scope, left in self.chance.left.items():
            if left:
                self.failures.append(f"{scope} was not used up: {left} left")
        return CaseResult(self.events, self.rejections, final, not self.failures, self.failures)

    def _expected_rejections(self) -> dict[int, str]:
        return {int(entry["order"]): str(entry["code"]) for entry in self.case.get("reject", ())}

    def _order(self, number: int, line: str, expected: str | None) -> None:
        side, colon, text = str(line).partition(":")
        if not colon or side.strip() not in self.ruleset.seats:
            beginnings = " or ".join(f"`{name}:`" for name in self.ruleset.seats.names)
            raise UnreadableCase(f"order {number} does not begin with {beginnings}: {line}")
        try:
            command = self.ruleset.orders.parse(text.strip())
            self._take(decide(self.ruleset, self.state, side.strip(), command, self.chance))
        except Refusal as refusal:
            rejection = Rejection(number, refusal.code, refusal.rule, refusal_sentence(refusal, self.lang))
            self.rejections.append(rejection)
            if refusal.code != expected:
                wanted = f"be refused with {expected}" if expected else "be accepted"
                self.failures.append(f"order {number} ({line}) should {wanted}; {refusal.code}: {rejection.message}")
        except DeckTooShort as short:
            self.failures.append(f"order {number} ({line}) draws more from {short.name} than the case has")
        except NoSuchFace as wrong:
            self.failures.append(f"order {number} ({line}) rolls a die of {wrong.name} that never counts {wrong.value}")
        else:
            self.accepted.append((side.strip(), text.strip()))
            if expected:
                self.failures.append(f"order {number} ({line}) should be refused with {expected}, but was accepted")

    def _take(self, facts: tuple[Fact, ...]) -> None:
        for fact in facts:
            n = len(self.events) + 1
            self.state = evolve(self.ruleset, self.state, fact.event, n)
            data = msgspec.json.decode(msgspec.json.encode(fact.event))
            data.pop("pending", None)
            self.events.append(
                {"n": n, "by": fact.by, "type": type(fact.event).__name__, "rule": fact.rule, "data": data}
            )

    def _compare_events(self) -> None:
        at = 0
        for number, wanted in enumerate(self.case.get("expect", ()), start=1):
            found = next((i for i in range(at, len(self.events)) if _matches(self.events[i], wanted)), None)
            if found is None:
                self.failures.append(f"expected event {number} did not come after event {at}: {_plain(wanted)}")
            else:
                at = found + 1
        for wanted in self.case.get("absent", ()):
            event = next((e for e in self.events if _matches(e, wanted)), None)
            if event:
                self.failures.append(f"event {event['n']} should not have come: {_plain(wanted)}")

    def _final(self) -> dict[str, Any]:
        """What a case may check: what every game has, and what the game adds."""
        state, asked = self.state, self.state.waiting
        return {
            "phase": state.phase,
            "turn": state.turn,
            "active": state.active,
            "winner": state.winner,
            "waiting": {"side": asked.side, "kind": asked.kind, "unit": asked.unit} if asked else None,
            **self.ruleset.shown.final(state),
        }

    def _compare_final(self, actual: Any, wanted: Mapping[str, Any], path: str) -> None:
        for key, value in wanted.items():
            if not isinstance(actual, Mapping) or key not in actual:
                self.failures.append(f"{path}.{key} does not exist")
            elif isinstance(value, Mapping) and isinstance(actual[key], Mapping):
                self._compare_final(actual[key], value, f"{path}.{key}")
            elif actual[key] != value:
                self.failures.append(f"{path}.{key} is {actual[key]!r}, not {value!r}")


def _matches(event: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether an event has all listed members; nested lists and tables are compared whole."""
    if any(key in wanted and event[key] != wanted[key] for key in ("type", "by", "rule")):
        return False
    data = event["data"]
    return all(key in data and data[key] == value for key, value in wanted.get("data", {}).items())


def _plain(wanted: Mapping[str, Any]) -> str:
    return msgspec.json.encode(wanted).decode()
