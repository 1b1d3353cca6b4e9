"""What the host owes stands at the end of each block, exactly, in its order."""

import pytest

from domain.events.battle import (
    BattleEnded,
    KeyChanged,
    KeyDisclosed,
    KeysContinued,
    MasterRevealed,
    Rewound,
    SideResigned,
    StandingOrderSet,
    Unsealed,
)
from replay.proof import notes
from replay.proof.notes import Signer
from replay.proof.verify import verify
from tests.replay.faulty import assert_right, fault_of
from tests.replay.made_battle import BATTLE as GID
from tests.replay.made_battle import HOST, SIGNER, MadeBattle, Marched, small_battle
from tests.support.key_changes import sign_new_key

of = pytest.mark.parametrize


@of("kind", ["KeyDisclosed", "MasterRevealed"])
def test_a_missing_disclosure_is_a_fault_of_the_last_event_of_its_block(kind):
    made = small_battle()
    n = made.find(kind)
    made.remove(n)
    assert fault_of(made) == ("disclosure-missing", n - 1)


def test_a_file_cut_off_before_its_disclosures_is_found():
    made = small_battle()
    del made.log[made.find("MasterRevealed") - 1 :]
    assert fault_of(made) == ("disclosure-missing", len(made.log))


def test_a_disclosure_in_the_middle_of_a_block_is_found():
    made = small_battle(over=False)
    n = made.find("KeyDisclosed", 1)
    made.log[n - 2], made.log[n - 1] = made.log[n - 1], made.log[n - 2]
    made.log = [type(one)(at, one.at, one.by, one.rule, one.type, one.event) for at, one in enumerate(made.log, 1)]
    assert fault_of(made) == ("disclosure-early", n - 1)


def test_a_key_may_come_neither_early_nor_twice():
    made = small_battle(over=False)
    n = made.find("KeyDisclosed", 1)
    made.insert(n + 1, made.log[n - 1].event)
    assert fault_of(made) == ("disclosure-not-due", n + 1)
    made = small_battle(over=False)
    made.add(KeyDisclosed(3, made.keys.key("public", 3).hex()))
    assert fault_of(made) == ("disclosure-not-due", len(made.log))


@of(
    ("members", "what"), [({"key": "00" * 32}, "key-differs"), ({"key": "0"}, "bad-hex"), ({"index": 0}, "key-differs")]
)
def test_a_key_hashes_to_the_one_before(members, what):
    made = small_battle(over=False)
    n = made.find("KeyDisclosed", 1)
    made.change(n, **members)
    assert fault_of(made) == (what, n)


@of("index", [-1, 16, 1 << 52])
def test_a_key_of_a_period_that_nothing_binds_is_found(index):
    made = small_battle(over=False)
    n = made.find("KeyDisclosed", 1)
    made.change(n, index=index)
    assert fault_of(made) == ("keys-not-bound", n)


def generations(turns: int = 3) -> MadeBattle:
    made = MadeBattle(length=2).started().first_turn("south")
    for _ in range(turns):
        made.end_turn(made.mover)
    return made


def test_the_next_chains_come_a_whole_period_before_their_first_use():
    made = generations()
    assert_right(made)
    n = made.find("KeysContinued")
    made.remove(n)
    assert fault_of(made) == ("disclosure-missing", n - 1)


def test_chains_of_another_master_are_found_at_the_end():
    made = generations(2)
    n = made.find("KeysContinued", 1)
    made.change(n, anchors=made.anchors(7))
    assert_right(made)
    made.end(made.mover)
    assert fault_of(made) == ("master-differs", len(made.log))


@of("generation", [0, 2, 1 << 40])
def test_generations_come_one_after_the_other(generation):
    made = generations()
    n = made.find("KeysContinued")
    made.change(n, generation=generation)
    assert fault_of(made) == ("generation-differs", n)


def test_next_chains_that_nobody_needs_are_found():
    made = small_battle(over=False)
    made.add(KeysContinued(1, made.anchors(1)))
    assert fault_of(made) == ("disclosure-not-due", len(made.log))


# --- the end


def test_the_master_is_the_one_that_was_committed_to():
    made = small_battle()
    n = made.find("MasterRevealed")
    made.change(n, master="00" * 32)
    assert fault_of(made) == ("master-differs", n)


def test_the_master_may_not_come_before_the_end():
    made = small_battle(over=False)
    made.add(MasterRevealed(made.keys.master.hex()))
    assert fault_of(made) == ("disclosure-not-due", len(made.log))


def test_the_end_is_the_last_fact_of_its_block():
    made = small_battle()
    n = made.find("BattleEnded")
    made.insert(n + 1, Marched(unit="U1"))
    assert fault_of(made) == ("after-the-end", n + 1)


def test_nothing_of_the_battle_follows_its_end():
    for follow in (
        lambda made: made.plain_order("north", ordinary=False),
        lambda made: made.plain_order("north", Marched(unit="U1"), ordinary=False),
        lambda made: made.plain_order("north", Rewound(20), ordinary=False),
        lambda made: made.alone(BattleEnded("north", "again")),
        lambda made: made.contribute("north"),
        lambda made: made.alone(SideResigned("north")),
        lambda made: made.add(MasterRevealed(made.keys.master.hex())),
    ):
        made = small_battle()
        last = len(made.log)
        follow(made)
        what, n = fault_of(made)
        assert what in ("after-the-end", "disclosure-early", "master-out-of-place", "rewound-to-nowhere")
        assert n >= last


def test_keys_of_the_host_may_follow_the_end():
    made = small_battle()
    new = Signer(HOST, b"\x09" * 32)
    made.alone(KeyChanged(new.key, sign_new_key(SIGNER, notes.origin(HOST, GID), new.key)))
    made_file = made.file(signer=new)
    report = verify(made_file)
    assert report.fault is None
    assert [act.what for act in report.listed] == ["key"]


# --- openings


def secret_battle(opened: bool = True) -> tuple[MadeBattle, int, int]:
    """A sealed standing order by a private order, opened by an answer; numbers of the two sealed events."""
    made = MadeBattle().started().first_turn("south")
    made.plain_order("south")
    order, standing = private_standing_order(made)
    if opened:
        with made.order("south"):
            made.add(Marched(unit="U1", opens=(standing,)))
            made.opening = {order, standing}
    return made, order, standing


def private_standing_order(made: MadeBattle) -> tuple[int, int]:
    whole = made.log[made.plain_order("south", ordinary=False) - 1].event
    made.log.pop()
    order = made.seal(whole, ("text", "command"), "south")
    standing = made.seal(StandingOrderSet("south", "evade", "U1", "never"), ("unit", "value"), "south")
    return order, standing


def test_what_is_opened_is_opened_with_its_order_in_rising_order():
    made, order, standing = secret_battle()
    report = assert_right(made)
    assert [one.event.n for one in made.log if isinstance(one.event, Unsealed)] == [order, standing]
    assert report.unopened == ()


def test_the_order_of_openings_is_the_order_of_the_log():
    made, _, _ = secret_battle()
    n = made.find("Unsealed")
    events = [made.log[n - 1].event, made.log[n].event]
    for at, event in zip((n, n + 1), reversed(events), strict=True):
        one = made.log[at - 1]
        made.log[at - 1] = type(one)(at, one.at, one.by, one.rule, one.type, event)
    assert fault_of(made) == ("disclosure-missing", n + 1)


@of("place", [0, 1])
def test_neither_of_the_two_openings_may_be_missing(place):
    made, _, _ = secret_battle()
    n = made.find("Unsealed", place)
    made.remove(n)
    assert fault_of(made) == ("disclosure-missing", len(made.log))


def test_what_nothing_opens_stays_sealed_until_the_end():
    made, order, standing = secret_battle(opened=False)
    report = assert_right(made)
    assert report.unopened == (order, standing)
    made.end("south")
    report = assert_right(made)
    assert report.unopened == ()
    n = made.find("Unsealed", 1)
    made.remove(n)
    assert fault_of(made) == ("disclosure-missing", len(made.log))


def test_an_opening_that_is_not_due_or_double_is_found():
    made, _, standing = secret_battle(opened=False)
    made.plain_order("south")
    made.add(made.contents[standing])
    assert fault_of(made) == ("disclosure-not-due", len(made.log))
    made, _, _ = secret_battle()
    n = made.find("Unsealed")
    made.insert(n + 1, made.log[n - 1].event)
    assert fault_of(made) == ("opened-twice", n + 1)
    made, _, _ = secret_battle()
    made.add(Unsealed(1, "00" * 32, {}))
    assert fault_of(made) == ("not-sealed", len(made.log))
