"""A toy ruleset runs through lab, log, seals, audit, options and scene: any game fits."""

from contextlib import suppress

import msgspec
import pytest

from domain.basics.errors import Refusal
from domain.contract.ruleset import NOBODY
from domain.run.inputs import Entry
from domain.run.timeline import Timeline, vault_of
from replay.lab.lab import run_case
from replay.proof.audit import AuditFault, audit
from replay.proof.blocks import ProtocolFault
from tests.support.proving import findings
from tests.toys import played
from tests.toys.duel import TOY
from tests.toys.played import AT

pytestmark = pytest.mark.filterwarnings("ignore::replay.telling.words.MissingSentence")
"""The toy has no sentences of its own: its ids are shown as they are."""

ORDERS = ["south: choose bold", "north: choose wary", *["south: walk 200", "north: walk 200"] * 2, "south: throw"]


def case(orders, **more):
    return {"ruleset": "toy", "orders": orders, "dice": {"south": [4], "north": [3]}, **more}


def recorded(orders=(*ORDERS, "north: dodge no")):
    """A battle of the toy, played to its end, as a recording and the bytes of its file."""
    return played.recorded(TOY, orders)


def events_of(content):
    return played.events_of(TOY, content)


def until_hit():
    """A recording in which every throw is a danger, and one hits at last."""
    orders = (*ORDERS, *["north: dodge no", "north: throw", "south: dodge no", "south: throw"] * 20)
    for master in range(2, 99):
        with suppress(Refusal):
            return played.recorded(TOY, orders, master)
    raise AssertionError("nobody throws so well")


def test_a_case_of_the_toy_runs_in_the_lab():
    wanted = [{"type": "DieRolled", "data": {"scope": "dice:south", "value": 4}}, {"type": "BattleEnded"}]
    result = run_case(case([*ORDERS, "north: dodge yes"], expect=wanted, final={"winner": "south"}), {"toy": TOY})
    assert result.ok, result.failures


def test_a_throw_out_of_reach_is_refused_with_what_was_measured():
    result = run_case(
        case([*ORDERS[:2], "south: throw"], reject=[{"order": 3, "code": "toy.out-of-reach"}]), {"toy": TOY}
    )
    assert result.rejections[0].code == "toy.out-of-reach"


def test_a_stance_is_sealed_until_both_have_chosen():
    recording, content = recorded(ORDERS[:1])
    assert b"bold" not in content
    assert recording.known("south").stances["south"][0] == "bold"
    assert recording.known("north").stances["south"][0] == recording.known(NOBODY).stances["south"][0] == ""
    _, shown = recorded(ORDERS[:2])
    assert shown.count(b'"type":"Unsealed"') == 4  # both stances, and the orders that chose them
    assert b"bold" in shown


def test_options_do_not_depend_on_what_is_hidden():
    bold, _ = recorded(["south: choose bold"])
    wary, _ = recorded(["south: choose wary"])
    assert TOY.orders.options(bold.known("north"), "north") == TOY.orders.options(wary.known("north"), "north")


def test_the_file_of_the_toy_is_verified():
    recording, content = until_hit()
    assert recording.battle.ended
    events = events_of(content)
    found = findings(TOY, content)
    assert found.ended and found.tally.draws == found.tally.checked > 0
    assert audit(TOY, events).judged > 5


def test_a_changed_roll_is_no_draw_of_the_protocol():
    _, content = until_hit()
    events = events_of(content)
    at = next(i for i, entry in enumerate(events) if entry.type == "DieRolled")
    roll = events[at].event
    lie = msgspec.structs.replace(roll, value=roll.value % 6 + 1)
    with pytest.raises(ProtocolFault, match="die-differs"):
        findings(TOY, content, {events[at].n: lie})


def test_a_changed_consequence_is_found_by_the_audit():
    _, content = until_hit()
    events = events_of(content)
    at = next(i for i, entry in enumerate(events) if entry.type == "Walked")
    events[at] = msgspec.structs.replace(events[at], event=msgspec.structs.replace(events[at].event, to_mm=777))
    with pytest.raises(AuditFault) as fault:
        audit(TOY, events)
    assert fault.value.n == at + 1


def test_the_fold_of_the_sealed_log_is_what_a_stranger_knows():
    recording, content = recorded(ORDERS[:1])
    timeline = Timeline(TOY, vault_of(events_of(content)))
    for entry in events_of(content):
        timeline.feed(entry)
    assert timeline.now.game.stances == TOY.secrets.known(recording.battle.game, NOBODY).stances


def test_every_option_of_the_toy_is_playable_as_it_stands():
    recording, _ = recorded(ORDERS[:-1])
    for option in TOY.orders.options(recording.known("south"), "south"):
        recording.order(Entry("south", option.order, "south", "api", phrase="sixteen bytes or more"), AT)


def test_a_far_walk_is_refused():
    recording, _ = recorded(ORDERS[:2])
    with pytest.raises(Refusal):
        recording.order(Entry("south", "walk 900", "south", "api"), AT)


def test_the_scene_of_the_toy_has_both_men():
    recording, _ = recorded(ORDERS[:2])
    assert {token.id for token in TOY.shown.view(recording.known(NOBODY), NOBODY).tokens} == {"south", "north"}
