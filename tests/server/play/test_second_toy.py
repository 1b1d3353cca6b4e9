"""The raid, a game of hexes and dice, through everything that knows no game: file, seals, page, letter."""

import pytest

from domain.basics.errors import Refusal
from domain.contract.ruleset import NOBODY
from domain.contract.scene import turned
from domain.log import fairness
from domain.log.record import Header
from domain.run.inputs import Entry
from domain.run.seats import Seat
from replay.drawing.svg import draw_svg
from replay.drawing.text import draw_text
from replay.lab.lab import run_case
from replay.proof import chain, notes
from replay.proof.verify import verify
from replay.writing.entropy import SeededEntropy
from replay.writing.recording import Recording
from server.people.players import Player
from server.play.seating import take_side
from server.shown.picks import grouped
from tests.support import messages
from tests.support.letter_writing import opened
from tests.support.serving import PHRASE, serving
from tests.toys.played import AT, SIGNER, recorded
from tests.toys.raid import RAID

pytestmark = pytest.mark.filterwarnings("ignore::replay.telling.words.MissingSentence")

RAIDS = {"raid": RAID}
ROUND = ["south: ride B2 31.5", "north: loose", "north: raid", "south: hold"]
START = RAID.rules.initial


def options(state, side):
    return RAID.orders.options(RAID.secrets.known(state, side), side)


# --- rules, file, proof


def test_a_case_rides_and_shoots():
    case = {
        "ruleset": "raid",
        "orders": ["south: raid", "north: loose", "north: ride C1 212.5", "south: loose"],
        "dice": {"south": [4, 2, 1, 6], "north": [2, 5]},
        "final": {"south": 0, "north": 0},
    }
    assert run_case(case, RAIDS).failures == []


@pytest.mark.parametrize(
    ("order", "code"),
    [("ride D0 0", "raid.not-beside"), ("ride B2 360.5", "core.parse"), ("loose", "raid.not-now")],
)
def test_what_may_not_be_done_is_refused(order, code):
    recording, _ = recorded(RAID, [])
    with pytest.raises(Refusal) as refused:
        recording.order(Entry("south", order, "south", "api", phrase=PHRASE), AT)
    assert refused.value.code == code


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_option_reads_back(lang):
    recording, _ = recorded(RAID, [])
    found = options(recording.battle.game, "south")
    assert [option.kind for option in found] == ["raid", *["ride"] * 4, "rest"]
    for option in found:
        command = RAID.orders.parse(option.order)
        assert RAID.orders.parse(RAID.orders.write(command, lang)) == command


def test_the_file_of_a_whole_raid_holds():
    recording, content = recorded(RAID, ROUND + ["south: raid", "north: hold", "north: rest", "south: loose"] * 12)
    assert recording.battle.ended
    report = verify(content, rulesets=RAIDS)
    assert (report.exit, report.fault, report.ended, report.is_open) == (0, None, True, False)


def test_a_sealed_seat_gives_a_seal_with_each_player_turn_of_its_own():
    gid = "raid2"
    chains = {side: fairness.seal_chain(gid, side, side.encode().ljust(32), 9) for side in ("south", "north")}
    spent = dict.fromkeys(chains, 0)
    header = Header(gid, AT, "phalera-battle", "test.example", SIGNER.key, "1", "raid", 2)
    recording = Recording(header, b"\x05" * 32, RAID, lambda: b"\0" * 32)
    rows: list[tuple[str, bytes, bytes]] = []

    def take(batch):
        recording.adopt(batch)
        rows.extend(batch.rows)

    def seal(side):
        spent[side] += 1
        return fairness.seal_text(chains[side][spent[side]])

    take(recording.open({"ruleset": "raid"}, "public", AT))
    for side, seals in chains.items():
        take(recording.join(Seat(side, side, side.title(), mode="sealed", anchor=seals[0].hex()), {}, AT))
    for side in chains:
        take(recording.contribute(side, messages.phrase(recording, ""), AT, seal(side)))
    for at, line in enumerate(ROUND * 2):
        side, _, text = line.partition(": ")
        text = text if at < len(ROUND) else text.replace("B2", "A3")
        given = seal(side) if recording.battle.owes(side) else ""
        take(recording.order(messages.entry(recording, side, text, side, seal=given), AT))
    assert spent == {"south": 3, "north": 3}
    lines = [line for _, line, _ in rows]
    head = notes.Head(notes.origin("test.example", gid), len(rows), rows[-1][2])
    report = verify(chain.file_bytes(recording.header_line, lines, notes.sign_head(SIGNER, head)), rulesets=RAIDS)
    assert (report.exit, report.fault, report.ended) == (0, None, False)  # between two turns: nothing is left open
    assert report.judged == 18
    assert [(seat.side, seat.mode) for seat in report.seats] == [("north", "sealed"), ("south", "sealed")]


# --- what is seen of it


def test_the_board_of_hexes_as_picture_and_as_text():
    scene = RAID.shown.view(START, NOBODY)
    for shown in (scene, turned(scene)):
        picture, board = draw_svg(shown), draw_text(shown)
        assert picture.startswith("<svg") and 'data-unit="south"' in picture
        assert "B3" in board and "C0" in board and max(map(len, board.splitlines())) < 80


def test_an_at_most_test_says_so_among_the_orders():
    recording, _ = recorded(RAID, ["south: raid"])
    groups = grouped(options(recording.battle.game, "north"), RAID.shown.view(START, "north"), RAID.shown.kinds)
    needs = {pick.order: (pick.need, pick.odds) for group in groups for pick in group.picks}
    assert needs == {"loose": ("needs 2 or less", "2 of 6, 33%"), "hold": ("", "")}


async def test_it_is_played_on_the_page_and_verified(tmp_path):
    async with serving(tmp_path / "data", SeededEntropy("raid")) as server:
        battles = server.running.battles
        battles.rulesets = RAIDS
        live = await battles.open("raid", {"ruleset": "raid"}, "public")
        anna, bob = await server.player("Anna"), await server.player("Bob")
        for side, caller in (("south", anna), ("north", bob)):
            await take_side(live, side, Player(caller.player, side), phrase=messages.phrase(live.recording, PHRASE))
        for line in ROUND:
            side, _, text = line.partition(": ")
            played = await (anna if side == "south" else bob).order(live.id, text)
            assert played.json["lines"][0]["status"] == "accepted", played.text
        page = await anna.get(f"/battles/{live.id}", {"Accept": "text/html"})
        assert page.status == 200, page.text
        assert 'data-unit="north"' in page.text and "needs 3" in page.text and "ride" in page.text
        report = verify(await anna.export(live.id), rulesets=RAIDS)
        assert (report.fault, report.ended) == (None, False)


async def test_a_letter_shows_the_board_and_what_the_orders_need(tmp_path):
    async with opened(tmp_path / "data") as office:
        office.battles.rulesets = RAIDS
        office.live = await office.battles.open("raid", {"ruleset": "raid"}, "public")
        for side, name in (("south", "Anna"), ("north", "Bob")):
            await take_side(
                office.live, side, await office.enrol(side, name), phrase=messages.phrase(office.live.recording, PHRASE)
            )
        await office.order("south", "raid")
        asked = await office.letter(await office.posted("north", "turn"))
        assert "s/" in asked.text and "loose 33%" in asked.text
        assert "phrase" not in asked.text.lower()  # the contribution of this player-turn is the other side's
        await office.order("north", "loose")
        own = await office.letter(await office.posted("north", "turn"))
        assert "phrase" in own.text.lower()
