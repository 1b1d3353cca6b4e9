"""Plays starts of a game, cases among them, under seeded random orders, and takes a digest of all that the rules
answer."""

import hashlib
import random
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from benchmarks.random_play import GAMES, Dealt
from domain.basics.errors import Refusal
from domain.contract.ruleset import Ruleset
from domain.events.battle import Fact
from domain.run.decide import beginning, decide, folded, opening, proceeding, to_act
from replay.lab.lab import CASE_KEYS
from tests.support.cases import GAMES as CASES
from tests.support.cases import case_files, number_of

STARTS, ORDERS = 30, 50
"""Starts of each game, and orders that are played of each."""
MISPLACED, REMEMBERED = 3, 40
"""At one order in so many a line is tried that was listed earlier, one of so many last ones: most are refused."""
GO_ON = 10
"""One order in so many is the last option, which lets turns end."""
CASES_UP_TO = {"tts": 903}
"""Games whose cases with an even number are starts too, and the last number: a new case is none."""
ORDERS_OF_CASE = 3
"""Random orders that are played behind those of a case."""
DIGITS = 16


class Fingerprint(NamedTuple):
    """Digests of a start and of what came of it."""

    start: str
    came: str


def fingerprints(
    ruleset: Ruleset, numbers: Iterable[int] = range(STARTS), *, has_cases: bool = True
) -> dict[str, Fingerprint]:
    """The fingerprints of a game that has random battles, by the name of their start: random ones, then cases."""
    found: dict[str, Fingerprint] = {}
    for number in numbers:
        name, table = GAMES[ruleset.code].battle(number, random.Random(f"fingerprint {ruleset.code} {number}"))
        start = digest([msgspec.json.encode(table, order="sorted")])
        found[f"{number:02} {name}"] = Fingerprint(start, digest(answers(ruleset, table, f"{ruleset.code} {number}")))
    return found | of_cases(ruleset) if has_cases else found


def of_cases(ruleset: Ruleset) -> dict[str, Fingerprint]:
    """The fingerprints of cases: their orders, under other chance and as far as they are taken, then random ones."""
    found = {}
    last = CASES_UP_TO.get(ruleset.code, 0)
    for path in case_files(CASES / ruleset.code):
        if number_of(path) > last or number_of(path) % 2:
            continue
        case = tomllib.loads(path.read_text(encoding="utf-8"))
        table = {key: value for key, value in case.items() if key not in CASE_KEYS}
        orders = [str(order) for order in case.get("orders", ())]
        start = digest([msgspec.json.encode([table, orders], order="sorted")])
        came = digest(answers(ruleset, table, f"{ruleset.code} {path.stem}", orders, ORDERS_OF_CASE))
        found[f"case {path.stem}"] = Fingerprint(start, came)
    return found


def digest(parts: Iterator[bytes] | Sequence[bytes]) -> str:
    """The first digits of SHA-256 over parts, each with an end of line."""
    return hashlib.sha256(b"".join(part + b"\n" for part in parts)).hexdigest()[:DIGITS]


def answers(
    ruleset: Ruleset, table: Mapping[str, Any], seed: str, given: Sequence[str] = (), orders: int = ORDERS
) -> Iterator[bytes]:
    """All that the rules answer in a battle: facts of each order, options, refusals of lines out of place. The orders
    `given` (`south: end turn`) come before the random ones."""
    pick, chance = random.Random(f"orders {seed}"), Dealt(random.Random(f"chance {seed}"))
    state: Any = ruleset.rules.initial
    earlier: list[str] = []
    for begun in (lambda _: opening(ruleset, table), lambda at: beginning(ruleset, at)):
        facts = begun(state)
        yield from map(_line, facts)
        state = folded(ruleset, state, facts)
    facts = proceeding(ruleset, state, chance)
    for line in given:
        yield from map(_line, facts)
        state = folded(ruleset, state, facts)
        side, _, order = line.partition(": ")
        try:
            facts = decide(ruleset, state, side, ruleset.orders.parse(order), chance)
        except Refusal as refusal:
            facts = ()
            yield _refused(side, order, refusal)
    for _ in range(orders):
        yield from map(_line, facts)
        state = folded(ruleset, state, facts)
        if state.winner is not None:
            return
        side = to_act(ruleset, state)[0]
        listed = [option.order for option in ruleset.orders.options(ruleset.secrets.known(state, side), side)]
        yield "\t".join((side, *listed)).encode()
        if earlier and not pick.randrange(MISPLACED):
            yield _tried(ruleset, state, side, pick.choice(earlier))
        earlier = [*earlier, *pick.sample(listed, min(3, len(listed)))][-REMEMBERED:]
        order = pick.choice(listed) if pick.randrange(GO_ON) else listed[-1]
        facts = decide(ruleset, state, side, ruleset.orders.parse(order), chance)


def _line(fact: Fact) -> bytes:
    return msgspec.json.encode(fact, order="sorted")


def _tried(ruleset: Ruleset, state: Any, side: str, order: str) -> bytes:
    try:
        facts = decide(ruleset, state, side, ruleset.orders.parse(order), Dealt(random.Random(order)))
    except Refusal as refusal:
        return _refused(side, order, refusal)
    return b"".join(map(_line, facts))


def _refused(side: str, order: str, refusal: Refusal) -> bytes:
    return f"{side}: {order}: {refusal.code} {refusal.rule} {sorted(refusal.params)}".encode()
