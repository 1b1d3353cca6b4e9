"""A member that the protocol acts upon may stand only in an event that can have it."""

import pytest

from replay.proof.verify import OK, verify
from tests.support.rechained import put_together, taken_apart
from tests.support.tiny import ended_battle


@pytest.mark.parametrize(
    ("kind", "name", "value", "what"),
    [
        ("TurnEnded", "sealed", "0" * 64, "may-not-be-sealed"),
        ("SideResigned", "sealed", "0" * 64, "may-not-be-sealed"),
        ("BattleBegan", "opens", [1], "wrong-data"),
        ("TurnEnded", "set_by", 12, "wrong-data"),
        ("OrderAccepted", "shown", ["1c1"], "wrong-data"),
        ("CardDrawn", "face", 3, "wrong-data"),
    ],
)
def test_it_is_a_fault_where_the_event_has_no_such_member(kind, name, value, what):
    battle = ended_battle()
    header, events = taken_apart(battle.file())
    event = next(event for event in events if event["type"] == kind)
    event["data"][name] = value
    fault = verify(put_together(header, events, battle.signer)).fault
    assert fault is not None
    assert (fault.what, fault.n) == (what, event["n"])


def test_a_member_that_nobody_knows_may_stand_anywhere_and_the_words_in_texts_too():
    battle = ended_battle()
    header, events = taken_apart(battle.file())
    events[1]["data"]["zz"] = {"sealed": 1, "opens": [1]}  # those of event 1 are hashed as a scenario
    assert verify(put_together(header, events, battle.signer)).exit == OK
