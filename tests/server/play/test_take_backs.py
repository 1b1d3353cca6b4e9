"""An agreed take-back brings the entry of the side that agrees: nobody waits for a share of the chance (version 3)."""

import pytest
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.events.battle import ContributionGiven, Rewound
from domain.log.record import FORMAT, PBEM_2, PBEM_2_1, Header
from domain.run.inputs import Phrase
from domain.run.own_word import OwnWord, Signed
from domain.run.seats import Seat
from replay.proof import chain, notes
from replay.proof.verify import verify
from replay.writing.recording import Recording
from tests.server.play.test_signed_seats import SIGNER, signature
from tests.support import messages
from tests.support.serving import BATTLES, PHRASE, serving
from tests.toys import played
from tests.toys.played import AT
from tests.toys.tug import TUG

MORE = "another phrase of sixteen bytes"


async def begun(server):
    anna, ben = await server.player("Anna"), await server.player("Ben")
    battle = await anna.open()
    assert (await anna.sit(battle, "south", phrase=PHRASE)).status == 201
    assert (await ben.sit(battle, "north", phrase=PHRASE)).status == 201
    return anna, ben, battle


async def asked_back(server):
    """Anna has ordered, and asks for it back."""
    anna, ben, battle = await begun(server)
    for line in ("R1 ahead", "takeback Wrong unit."):
        assert (await anna.order(battle, line)).status == 200
    return anna, ben, battle


async def events_of(server, battle):
    live = await server.running.battles.get(battle)
    return live.recording.timeline.events, live.recording.battle


async def test_the_agreement_carries_the_entry_of_its_side_and_only_the_asker_is_owing(tmp_path):
    async with serving(tmp_path / "data", opens=PBEM_2_1) as server:
        anna, ben, battle = await asked_back(server)
        assert (await ben.order(battle, "agree d1", phrase=MORE)).status == 200
        events, now = await events_of(server, battle)
        at = next(entry.n for entry in events if isinstance(entry.event, Rewound))
        given = next(entry for entry in events[at:] if isinstance(entry.event, ContributionGiven))
        assert {entry.type for entry in events[at : given.n - 1]} <= {"KeyDisclosed", "KeysContinued"}
        assert (given.event.side, given.event.channel, given.event.phrase) == ("north", "api", MORE)
        assert (given.event.t, now.owing) == (now.game.t, ("south",))
        assert (await anna.order(battle, "R1 ahead")).status == 200  # hers comes with it, and cards fall
        _, now = await events_of(server, battle)
        assert now.owing == ()
        report = verify(await server.stranger.export(battle))
    assert report.fault is None, report.fault


async def test_an_agreement_without_a_phrase_is_refused_and_changes_nothing(tmp_path):
    async with serving(tmp_path / "data", opens=PBEM_2_1) as server:
        _, ben, battle = await asked_back(server)
        _, before = await events_of(server, battle)
        refused = await ben.order(battle, "agree d1", phrase="")
        assert refused.code == "core.phrase-missing"
        assert (await events_of(server, battle))[1].n == before.n


@pytest.mark.parametrize("rest", ["answers", "offers"])
async def test_over_the_addresses_of_disputes_the_agreement_carries_it_too(tmp_path, rest):
    async with serving(tmp_path / "data", opens=PBEM_2_1) as server:
        _, ben, battle = await asked_back(server)
        _, before = await events_of(server, battle)
        remedy = before.disputes.dockets[0].offers["south"].what
        said = {"say": "agree"} if rest == "answers" else {"remedy": remedy}
        path, said = f"{BATTLES}/{battle}/disputes/d1/{rest}", {**said, "seen": await ben.head(battle)}
        refused = await ben.post(path, said)
        assert (refused.code, (await events_of(server, battle))[1].n) == ("core.phrase-missing", before.n)
        assert (await ben.post(path, {**said, "phrase": MORE})).status == 200
        events, now = await events_of(server, battle)
        given = [one.event for one in events[before.n :] if isinstance(one.event, ContributionGiven)]
        assert [(one.side, one.phrase) for one in given] == [("north", MORE)]
        assert now.owing == ("south",)


async def test_in_version_2_both_are_owing_as_before(tmp_path):
    async with serving(tmp_path / "data", opens=PBEM_2) as server:
        _, ben, battle = await asked_back(server)
        assert (await ben.order(battle, "agree d1", phrase=MORE)).status == 200
        assert (await events_of(server, battle))[1].owing == ("south", "north")
        assert verify(await server.stranger.export(battle)).fault is None


# --- a seat that signs


class SignedSouth:
    """A tug of war in which the south signs, and the north is plain."""

    def __init__(self):
        header = Header("tug1", AT, FORMAT, "test.example", played.SIGNER.key, "1", "tug", PBEM_2_1)
        self.recording = Recording(header, bytes([2]) * 32, TUG, lambda: bytes(32))
        self.rows, self.serial = [], 0
        self.take(self.recording.open({"ruleset": "tug"}, "public", AT))
        word = OwnWord(self.recording.newest_head(), self.signed("", "join South"))
        self.take(self.recording.join(Seat("south", "s", "South", signer=SIGNER), {}, AT, word))
        given = {"north": messages.phrase(self.recording, PHRASE)}
        self.take(self.recording.join(Seat("north", "n", "North"), given, AT))

    def take(self, batch):
        self.recording.adopt(batch)
        self.rows += batch.rows

    def signed(self, giving, text, seen=None):
        self.serial += 1
        head = seen or self.recording.newest_head()
        assert head is not None
        sent = signature("tug1", {"n": head.n, "hash": head.hash}, self.serial, giving.encode(), text)
        return Signed(sent["serial"], sent["signature"])

    def enter(self):
        came = Phrase(MORE, "api", self.recording.newest_head(), self.signed(MORE, ""))
        self.take(self.recording.contribute("south", came, AT))

    def south(self, text, phrase="", seen=None, **more):
        signed = self.signed(phrase if text == "pull" else "", text, seen)
        entry = messages.entry(self.recording, "south", text, "s", phrase=phrase, signed=signed, **more)
        self.take(self.recording.order(replace(entry, seen=seen) if seen else entry, AT))

    def north(self, text):
        self.take(self.recording.order(messages.entry(self.recording, "north", text, "n", phrase=PHRASE), AT))

    def report(self):
        head = notes.Head(notes.origin("test.example", "tug1"), len(self.rows), self.rows[-1][2])
        lines = [line for _, line, _ in self.rows]
        note = notes.sign_head(played.SIGNER, head)
        return verify(chain.file_bytes(self.recording.header_line, lines, note), rulesets={"tug": TUG})


def test_a_signed_seat_signs_its_entry_as_a_second_line():
    battle = SignedSouth()
    battle.enter()
    battle.south("pull", MORE)
    battle.north("pull")
    battle.north("takeback")
    before = battle.recording.battle.n
    with pytest.raises(Refusal, match="signature-missing"):
        battle.south("agree d1", MORE)
    assert battle.recording.battle.n == before
    first = battle.signed("", "agree d1")
    second = battle.signed(MORE, "")
    entry = messages.entry(battle.recording, "south", "agree d1", "s", phrase=MORE, signed=first, signed_entry=second)
    battle.take(battle.recording.order(entry, AT))
    assert battle.recording.battle.owing == ("north",)
    given = battle.recording.timeline.events[-1].event
    assert isinstance(given, ContributionGiven)
    assert (given.side, given.serial, given.phrase) == ("south", second.serial, MORE)
    battle.north("pull")
    report = battle.report()
    assert (report.fault, report.exit) == (None, 4)


def test_a_signed_line_with_a_head_from_before_its_own_entry_is_refused():
    battle = SignedSouth()
    old = battle.recording.newest_head()
    battle.enter()
    with pytest.raises(Refusal, match="entry-unseen"):
        battle.south("offer draw", seen=old)
    battle.south("offer draw")
    assert battle.report().fault is None
