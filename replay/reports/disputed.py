"""The dockets of a battle file as text: what was said, what came of it, and the verdict of the rules (CORE-DSP-06)."""

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from domain.engine.dockets import Docket
from domain.events.battle import OrderAccepted
from domain.run.rewind_points import before_block
from domain.run.timeline import Timeline
from replay.battle_file import BattleFile, parse
from replay.proof.audit import AuditFault, audit
from replay.proof.blocks import INPUTS
from replay.reports import plain
from replay.telling.dockets import statements, taken_back
from replay.telling.words import ENGLISH, phrase


def docket_lines(battle: BattleFile, docket: Docket, lang: str = ENGLISH) -> Iterator[str]:
    """A docket: each thing said, what its rewind would draw anew, what the rules say, and what may be said next."""
    timeline = battle.timeline
    disputed = next(iter(plain.lines(battle, docket.about, docket.about, lang)), None)
    yield phrase("docket.title", {"docket": docket.id, "about": docket.about, "kind": docket.kind}, lang)
    if disputed is not None:
        yield f"  {disputed.n} {disputed.said}"
    for one in statements(timeline.events, docket):
        yield from (f"- {told.n} {told.said}" for told in plain.lines(battle, one.n, one.n, lang))
    for offer in {said.what for said in docket.offers.values() if said.what.startswith("rewind ")}:
        for side in taken_back(timeline.events, timeline.counts, int(offer.split()[1]), timeline.ruleset.seats):
            yield phrase(
                "docket.anew",
                {"to": int(offer.split()[1]), "side": side.side, "cards": side.cards, "dice": side.dice},
                lang,
            )
    yield verdict_on(timeline, docket.about, docket.id, lang).said


class RulesVerdict(Struct, frozen=True):
    """What the rules installed say of a disputed event (CORE-DSP-06): the event that `differs`, 0 if it follows from
    them; the event to which the server then proposes to go back, else 0; and both as a sentence."""

    differs: int
    to: int
    said: str


def verdict_written(content: bytes, docket: str, about: int, lang: str) -> bytes:
    """The verdict of the rules on a docket of a battle file, as JSON: for a worker, whom no other request waits for."""
    return msgspec.json.encode(verdict_on(parse(content).timeline, about, docket, lang))


def verdict_on(timeline: Timeline, about: int, docket: str, lang: str) -> RulesVerdict:
    """The verdict of the rules, its sentence with the line that takes it."""
    differs, to = rules_verdict(timeline, about)
    told = {"about": about, "docket": docket}
    if not differs:
        return RulesVerdict(0, 0, phrase("docket.follows", told, lang))
    return RulesVerdict(differs, to, phrase("docket.differs", {**told, "to": to, "n": differs}, lang))


def rules_verdict(timeline: Timeline, n: int) -> tuple[int, int]:
    """What the rules installed say of the block of event `n`: the event that differs, 0 if none does, and the event to
    which the server then proposes to go back, before the order. An earlier fault is another dispute."""
    events = timeline.events
    first = n
    while first > 1 and events[first - 1].type not in INPUTS:
        first -= 1
    last = n
    while last < len(events) and events[last].type not in INPUTS:
        last += 1
    try:
        audit(timeline.ruleset, events[:last])
    except AuditFault as fault:
        if fault.n >= first and isinstance(events[first - 1].event, OrderAccepted):
            return fault.n, before_block(timeline, first)
    return 0, 0
