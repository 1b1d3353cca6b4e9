"""The fold of a whole log: rewinds, voided spans, secrets, contributions."""

import hashlib
import tomllib

import pytest
from msgspec import to_builtins

from domain.basics.data import scenario_text
from domain.basics.errors import BrokenInvariant, Refusal
from domain.catalogue import RULESETS
from domain.contract.ruleset import NOBODY
from domain.events.battle import Fact, Rewound
from domain.log.fairness import LENGTH, key_before
from domain.log.record import Header, decode
from domain.run.block_writer import Entered
from domain.run.seats import Seat, free_sides
from domain.run.timeline import Timeline, catalogue_of, vault_of
from replay.writing.recording import Recording
from tests.support import messages
from tests.support.looping import some

TTS = RULESETS["tts"]
AT = "2026-01-01T00:00:00.000Z"
PHRASE = "a phrase of sixteen bytes"


class Played:
    """A battle of the skirmish scenario being recorded; `lines` are its public log."""

    def __init__(self, phrases=("south", "north"), options=None, key_length=LENGTH):
        header = Header("skirm001", AT, "phalera-battle", "test.example", "test.example+0+key", TTS.version, "tts", 2)
        salts = iter(hashlib.sha256(bytes([at])).digest() for at in range(256))
        self.recording = Recording(header, b"\x02" * 32, TTS, lambda: next(salts), key_length)
        self.lines: list[bytes] = []
        scenario = tomllib.loads(scenario_text("tts", "skirmish"))
        scenario["options"] = {**scenario.get("options", {}), **(options or {})}
        self.take(self.recording.open(scenario, "public", AT))
        for side in ("south", "north"):
            given = messages.phrases(self.recording, phrases, PHRASE)
            self.take(self.recording.join(Seat(side, f"p-{side}", side.title()), given, AT))

    def take(self, batch):
        self.recording.adopt(batch)
        self.lines += [line for _, line, _ in batch.rows]

    def order(self, side, text, phrase=PHRASE):
        given = messages.entry(self.recording, side, text, f"p-{side}", phrase=phrase, phrase_required=True)
        self.take(self.recording.order(given, AT))

    def rewind(self, to):
        fact = Fact("server", Rewound.RULE, Rewound(to))
        self.take(self.recording.prepare([Entered(fact, fact)], AT))

    @property
    def battle(self):
        return self.recording.battle

    @property
    def game(self):
        return self.recording.battle.game

    def log(self):
        catalogue = catalogue_of(TTS)
        return [decode(line, catalogue) for line in self.lines]

    def folded(self, vault=None):
        timeline = Timeline(TTS, vault)
        for recorded in self.log():
            timeline.feed(recorded)
        return timeline


def first_unit(played, side):
    return next(unit.id for unit in played.game.units.values() if unit.side == side)


@pytest.fixture
def played():
    return Played()


def test_a_battle_begins_when_both_sides_are_taken(played):
    assert played.battle.begun
    assert free_sides(played.battle, TTS.seats) == ()
    assert (played.game.phase, played.game.t) == ("turns", 1)


def test_a_taken_side_cannot_be_taken_again(played):
    with pytest.raises(Refusal) as refused:
        played.recording.join(Seat("south", "p-x", "Xenia"), {}, AT)
    assert refused.value.code == "core.side-taken"


def test_no_card_falls_before_both_have_contributed():
    played = Played(phrases=("south",))
    with pytest.raises(Refusal) as refused:
        played.order("south", f"{first_unit(played, 'south')} ahead")
    assert refused.value.code == "core.waiting-for-contribution"
    played.take(played.recording.contribute("north", messages.phrase(played.recording, PHRASE), AT))
    played.order("south", f"{first_unit(played, 'south')} ahead")


def test_an_order_that_draws_nothing_needs_no_contribution_of_the_other_side():
    played = Played(phrases=())
    played.order("south", "done" if played.game.armies["south"].opened else "corps I")


def test_a_person_must_give_a_phrase_with_the_first_order_of_a_turn(played):
    with pytest.raises(Refusal) as refused:
        played.order("south", "end turn", phrase="short")
    assert refused.value.code == "core.phrase-missing"


@pytest.mark.parametrize(("phrase", "is_given"), [("x" * 15, False), ("x" * 16, True), ("é" * 8, True)])
def test_a_phrase_has_sixteen_bytes_at_least(phrase, is_given):
    played = Played(phrases=("south",))
    given = messages.phrase(played.recording, phrase)
    if is_given:
        assert played.recording.contribute("north", given, AT).rows
    else:
        with pytest.raises(Refusal, match="phrase-missing"):
            played.recording.contribute("north", given, AT)


@pytest.mark.parametrize(("phrase", "is_given"), [("x" * 15, False), ("x" * 16, True), ("é" * 8, True)])
def test_a_phrase_that_comes_with_an_order_has_sixteen_bytes_at_least(played, phrase, is_given):
    if is_given:
        played.order("south", "end turn", phrase=phrase)
    else:
        with pytest.raises(Refusal, match="phrase-missing"):
            played.order("south", "end turn", phrase=phrase)


@pytest.mark.parametrize(("phrase", "given"), [("x" * 15, 0), ("x" * 16, 1)])
def test_an_order_out_of_turn_brings_a_phrase_of_sixteen_bytes_and_no_shorter_one(phrase, given):
    played = Played(phrases=("south",))
    assert played.battle.owing == ("north",)
    before = [recorded.type for recorded in played.log()].count("ContributionGiven")
    played.order("north", "offer draw", phrase=phrase)
    assert [recorded.type for recorded in played.log()].count("ContributionGiven") == before + given


def test_a_refused_order_changes_nothing(played):
    before, head = played.battle, played.recording.head
    with pytest.raises(Refusal):
        played.order("north", "end turn")
    assert played.battle is before
    assert played.recording.head == head


def test_the_contribution_stands_before_the_order_and_the_order_before_its_draws(played):
    before = len(played.lines)
    played.order("south", f"{first_unit(played, 'south')} ahead")
    kinds = [recorded.type for recorded in played.log()[before:]]
    assert kinds[:2] == ["ContributionGiven", "OrderAccepted"]
    assert kinds.index("CardDrawn") > 1


def test_the_key_of_a_turn_is_disclosed_at_the_end_of_the_block_that_begins_the_next(played):
    played.order("south", "end turn")
    *_, before, disclosed = played.log()
    keys = [recorded.event for recorded in played.log() if recorded.type == "KeyDisclosed"]
    assert [key.index for key in keys] == [0, 1]
    assert (before.type, disclosed.event) == ("TurnBegan", keys[1])
    assert key_before("skirm001", "public", 0, bytes.fromhex(keys[1].key)).hex() == keys[0].key


def test_the_next_chains_are_bound_a_whole_period_before_their_first_use():
    played = Played(key_length=2)
    played.order("south", "end turn")
    log = played.log()
    at = {recorded.event.index: recorded.n for recorded in log if recorded.type == "KeyDisclosed"}
    continued = [recorded for recorded in log if recorded.type == "KeysContinued"]
    assert [(recorded.n, recorded.event.generation) for recorded in continued] == [(at[0] + 1, 1)]
    anchor = played.recording.secrets.keys.anchors(1)["public"].hex()
    assert continued[0].event.anchors["public"] == anchor
    played.order("north", "end turn")
    again = Recording(played.recording.header, b"\x02" * 32, TTS, lambda: b"")
    again.recall([(line, b"") for line in played.lines], played.recording.vault)
    assert again.secrets.keys.length == 2


def test_a_standing_order_is_sealed_in_the_log_and_unknown_to_the_other_side(played):
    unit = first_unit(played, "north")
    played.order("north", f"standing evade {unit} never")
    assert not any(b"never" in line or b'"standing' in line for line in played.lines)
    assert [order.value for order in played.recording.known("north").standing] == ["never"]
    assert played.recording.known("south").standing == played.recording.known(NOBODY).standing == ()
    assert played.folded().now.game.standing == ()
    assert len(played.battle.sealed) == 2


def test_everything_is_opened_when_the_battle_ends(played):
    played.order("north", f"standing evade {first_unit(played, 'north')} never")
    played.order("south", "resign")
    assert played.battle.ended and played.battle.revealed and not played.battle.sealed
    log = played.log()
    assert log[-1].type == "MasterRevealed"
    contents = vault_of(log)
    assert {"value": "never", "unit": first_unit(played, "north")} in contents.values()


def test_live_and_refolded_battles_are_the_same(played):
    played.order("north", f"standing evade {first_unit(played, 'north')} never")
    played.order("south", f"{first_unit(played, 'south')} ahead")
    again = Recording(played.recording.header, b"\x02" * 32, TTS, lambda: b"")
    again.recall([(line, b"") for line in played.lines], played.recording.vault)
    assert TTS.shown.final(again.battle.game) == TTS.shown.final(played.game)
    assert again.battle.game.standing == played.game.standing
    assert again.battle.seats == played.battle.seats
    assert again.dealer.streams.keys() == played.recording.dealer.streams.keys()
    assert [s.position for s in again.dealer.streams.values()] == [
        s.position for s in played.recording.dealer.streams.values()
    ]


def test_after_a_rewind_the_state_is_that_after_the_event_named(played):
    to = played.battle.n
    before = TTS.shown.final(played.game)
    played.order("south", f"{first_unit(played, 'south')} ahead")
    last = played.battle.n
    played.rewind(to)
    assert TTS.shown.final(played.game) == before
    assert played.folded().voided() == [(to + 1, last)]
    assert TTS.shown.final(played.folded(played.recording.timeline.vault).now.game) == before


def test_after_a_rewind_both_sides_contribute_anew_and_draw_under_a_new_label(played):
    to = played.battle.n
    unit = first_unit(played, "south")
    played.order("south", f"{unit} ahead")
    played.rewind(to)
    with pytest.raises(Refusal) as refused:
        played.order("south", f"{unit} ahead")
    assert refused.value.code == "core.waiting-for-contribution"
    played.take(played.recording.contribute("north", messages.phrase(played.recording, PHRASE), AT))
    played.order("south", f"{unit} ahead")
    assert played.log()[-1].n == played.battle.n
    scopes = [recorded.event.scope for recorded in played.log() if recorded.type == "CardDrawn"]
    assert scopes[0] == "draw:south" and scopes[-1] == "draw:south/r1"


def test_a_rewind_leaves_sealed_what_is_sealed_now(played):
    """What it voids must be opened at the end, too."""
    to = played.battle.n
    unit = first_unit(played, "north")
    played.order("north", f"standing evade {unit} never")
    sealed = played.battle.sealed
    played.rewind(to)
    assert len(sealed) == 2
    assert played.battle.sealed == played.folded().now.sealed == sealed
    played.order("south", "resign")
    assert played.battle.revealed and not played.battle.sealed
    assert {"value": "never", "unit": unit} in vault_of(played.log()).values()


def test_a_rewind_goes_back_only_to_what_counts(played):
    start = played.battle.n
    played.order("south", "corps I")
    first = played.battle.n
    played.rewind(start)
    with pytest.raises(BrokenInvariant, match="bad-rewind"):
        played.rewind(first)


def test_any_event_can_be_gone_back_to(played):
    for _ in range(12):
        played.order(played.game.active, "end turn")
    timeline = played.folded()
    states = Timeline(TTS)
    for recorded in some(played.log()):
        states.feed(recorded)
        assert TTS.shown.final(timeline.at(recorded.n).game) == TTS.shown.final(states.now.game)


def test_a_gap_in_a_log_is_a_broken_invariant(played):
    timeline = Timeline(TTS)
    with pytest.raises(BrokenInvariant):
        timeline.feed(played.log()[1])


def test_a_title_is_composed_before_it_enters_the_log():
    header = Header("skirm001", AT, "phalera-battle", "test.example", "test.example+0+key", TTS.version, "tts", 2)
    recording = Recording(header, b"\x02" * 32, TTS, lambda: b"")
    scenario = {**tomllib.loads(scenario_text("tts", "skirmish")), "title": "Zama e\u0301te\u0301"}
    opened = recording.open(scenario, "public", AT).recorded[0].event
    assert to_builtins(opened)["title"] == "Zama \u00e9t\u00e9"
