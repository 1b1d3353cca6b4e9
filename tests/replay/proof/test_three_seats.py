"""The verifier of a battle with three seats: what holds, and every lie about any of the three."""

import pytest

from domain.basics.errors import Refusal
from domain.log import fairness
from domain.log.record import Header
from domain.run.seats import Seat
from replay.proof import chain, notes
from replay.proof.audit import audit
from replay.proof.verify import OTHER_RULES, verify
from replay.writing.recording import Recording
from tests.support import messages
from tests.support.rechained import put_together, taken_apart
from tests.support.three_seats import GAMES, HIDING, THROWING, left_out, lots_file, nth, told
from tests.toys.lots import LOTS, SEATS
from tests.toys.played import AT, SIGNER, events_of, recorded

pytestmark = pytest.mark.filterwarnings("ignore::replay.telling.words.MissingSentence")

each_seat = pytest.mark.parametrize("seat", SEATS.names)


def test_the_file_of_a_whole_battle_holds():
    report = verify(lots_file(), rulesets=GAMES)
    assert (report.exit, report.fault, report.ended, report.is_open) == (0, None, True, False)
    assert (report.draws, report.checked) == (3, 3)
    assert report.judged == 20
    assert [seat.side for seat in report.seats] == ["blue", "green", "red"]


@pytest.mark.parametrize("played", range(len(HIDING + THROWING)))
def test_a_running_battle_holds_after_every_order(played):
    _, content = recorded(LOTS, (HIDING + THROWING)[:played])
    report = verify(content, rulesets=GAMES)
    assert (report.fault, report.ended) == (None, False)


def test_the_rules_come_to_the_same_events_again():
    assert audit(LOTS, events_of(LOTS, lots_file())).not_judged == ()


def test_who_does_not_know_the_game_finds_its_seats_by_their_chains():
    report = verify(lots_file(), rulesets={})
    assert (report.exit, report.fault) == (OTHER_RULES, None)
    assert (report.draws, report.checked) == (3, 3)
    assert [seat.side for seat in report.seats] == ["blue", "green", "red"]


@pytest.mark.parametrize("chain_name", ["hand:RED", "hand:", "hand:server", "fist:red"])
def test_chains_that_are_of_no_seats_are_a_fault_of_the_first_event(chain_name):
    header, events = taken_apart(lots_file())
    anchors = events[0]["data"]["keys"]["anchors"]
    anchors[chain_name] = anchors.pop("hand:red")
    fault = verify(put_together(header, events, SIGNER), rulesets={}).fault
    assert fault is not None
    assert (fault.n, fault.what) == (1, "chains-differ")


# --- a host that lies and signs


@each_seat
def test_a_die_thrown_without_the_word_of_a_seat_is_noticed_there(seat):
    others = SEATS.others(seat)
    orders = {name: f"{name}: resign" if name == seat else f"{name}: hide 2" for name in SEATS.names}
    _, content = recorded(LOTS, [*orders.values(), f"{others[0]}: throw"])

    def lie(events):
        left_out(events, nth(events, "ContributionGiven", side=seat))
        return nth(events, "DieRolled")

    assert verify(content, rulesets=GAMES).fault is None
    fault, n = told(lie, content)
    assert (fault.n, fault.what) == (n, "draw-before-contribution")


@each_seat
def test_a_word_left_out_of_the_turn_of_a_seat_is_noticed_at_its_order(seat):
    def lie(events):
        n = nth(events, "ContributionGiven", side=seat, t=SEATS.names.index(seat) + 4)
        left_out(events, n)
        return n

    fault, n = told(lie)
    assert (fault.n, fault.what) == (n, "contribution-missing")


@each_seat
def test_another_word_than_a_seat_has_given_is_noticed_there(seat):
    def lie(events):
        n = nth(events, "ContributionGiven", side=seat)
        events[n - 1]["data"]["phrase"] = "another phrase of the host"
        return n

    fault, n = told(lie)
    assert (fault.n, fault.what) == (n, "contribution-differs")


@each_seat
def test_a_word_given_in_the_name_of_another_seat_is_noticed_there(seat):
    def lie(events):
        n = nth(events, "ContributionGiven", side=seat)
        other = SEATS.others(seat)[0]
        events[n - 1]["data"]["side"] = events[n - 1]["by"] = other
        return n

    fault, n = told(lie)
    assert fault.n <= n + 3
    assert fault.what in ("contribution-differs", "contribution-out-of-turn", "contribution-twice", "other-turn")


@each_seat
def test_another_die_than_had_to_fall_is_noticed_there(seat):
    def lie(events):
        n = nth(events, "DieRolled", scope=f"dice:{seat}")
        events[n - 1]["data"]["value"] = events[n - 1]["data"]["value"] % 6 + 1
        return n

    fault, n = told(lie)
    assert (fault.n, fault.what) == (n, "die-differs")


@each_seat
def test_a_secret_opened_as_another_than_it_was_is_noticed_there(seat):
    def lie(events):
        sealed = nth(events, "NumberHidden", side=seat)
        n = nth(events, "Unsealed", n=sealed)
        events[n - 1]["data"]["content"]["number"] = 6
        return n

    fault, n = told(lie)
    assert (fault.n, fault.what) == (n, "commitment-differs")


@each_seat
def test_a_battle_that_begins_before_a_seat_is_taken_is_noticed_there(seat):
    def lie(events):
        n = nth(events, "SideJoined", side=seat)
        events.insert(n - 1, events.pop(nth(events, "BattleBegan") - 1))
        for number, event in enumerate(events, 1):
            event["n"] = number
        return n

    fault, n = told(lie)
    assert (fault.n, fault.what) == (n, "began-before-joined")


@pytest.mark.parametrize("name", ["yellow", "south", "north"])
def test_a_seat_that_the_game_has_not_is_noticed_where_it_is_taken(name):
    def lie(events):
        n = nth(events, "SideJoined", side="blue")
        events[n - 1]["data"]["side"] = events[n - 1]["by"] = name
        return n

    fault, n = told(lie)
    assert fault.n == n
    assert fault.what in ("unknown-side", "other-author")


@each_seat
def test_a_chain_that_is_missing_is_noticed_in_the_first_event(seat):
    def lie(events):
        del events[0]["data"]["keys"]["anchors"][f"hand:{seat}"]
        return 1

    fault, n = told(lie)
    assert (fault.n, fault.what) == (n, "chains-differ")


def test_a_turn_given_to_another_seat_is_noticed_by_the_rules():
    def lie(events):
        n = nth(events, "TurnBegan", side="green")
        events[n - 1]["data"]["side"] = "blue"
        return n

    fault, n = told(lie)
    assert fault.n == n


# --- books of seals


class Sealed:
    """A battle of three sealed seats, each with a book of its own."""

    def __init__(self):
        gid = "lots2"
        self.books = {seat: fairness.seal_chain(gid, seat, seat.encode().ljust(32), 9) for seat in SEATS.names}
        self.spent = dict.fromkeys(SEATS.names, 0)
        header = Header(gid, AT, "phalera-battle", "test.example", SIGNER.key, "1", "lots", 2)
        self.recording = Recording(header, b"\x05" * 32, LOTS, lambda: b"\0" * 32)
        self.rows = []
        self.take(self.recording.open({"ruleset": "lots"}, "public", AT))
        for seat, book in self.books.items():
            chair = Seat(seat, seat, seat.title(), mode="sealed", anchor=book[0].hex())
            self.take(self.recording.join(chair, {}, AT))

    def take(self, batch):
        self.recording.adopt(batch)
        self.rows.extend(batch.rows)

    def seal(self, seat):
        self.spent[seat] += 1
        return fairness.seal_text(self.books[seat][self.spent[seat]])

    def contribute(self, *seats):
        for seat in seats:
            self.take(self.recording.contribute(seat, messages.phrase(self.recording, ""), AT, self.seal(seat)))

    def order(self, line):
        seat, _, text = line.partition(": ")
        given = self.seal(seat) if self.recording.battle.owes(seat) else ""
        self.take(self.recording.order(messages.entry(self.recording, seat, text, seat, seal=given), AT))

    def another_book(self, seat):
        self.books[seat] = fairness.seal_chain("lots2", seat, b"\x77" * 32, 9)
        self.spent[seat] = 0
        anchor = messages.phrase(self.recording, self.books[seat][0].hex())
        self.take(self.recording.change_book(seat, anchor, AT))

    def report(self):
        lines = [line for _, line, _ in self.rows]
        head = notes.Head(notes.origin("test.example", "lots2"), len(lines), self.rows[-1][2])
        content = chain.file_bytes(self.recording.header_line, lines, notes.sign_head(SIGNER, head))
        return verify(content, rulesets=GAMES)


def test_three_sealed_seats_give_a_seal_with_each_turn_of_their_own():
    battle = Sealed()
    battle.contribute(*SEATS.names)
    for line in HIDING + THROWING:
        battle.order(line)
    report = battle.report()
    assert (report.exit, report.fault, report.checked) == (0, None, 3)
    assert [(seat.side, seat.mode) for seat in report.seats] == [(seat, "sealed") for seat in SEATS.seeding]
    assert battle.spent == dict.fromkeys(SEATS.names, 3)


def test_no_seal_of_a_new_book_is_taken_before_both_others_have_contributed():
    battle = Sealed()
    battle.contribute(*SEATS.names)
    battle.order(HIDING[0])
    battle.another_book("blue")
    battle.order(HIDING[1])  # green contributes with it
    with pytest.raises(Refusal) as refused:
        battle.order(HIDING[2])
    assert (refused.value.code, refused.value.params) == ("core.waiting-for-contribution", {"side": "red"})
    battle.spent["blue"] = 0
    battle.contribute("red")
    for line in (HIDING[2], *THROWING):
        battle.order(line)
    report = battle.report()
    assert (report.exit, report.fault, report.checked) == (0, None, 3)
