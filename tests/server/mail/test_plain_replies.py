"""Replies as people write them, in ten styles: played as meant, or asked back; never a part of one for the whole."""

import re

import pytest

from domain.scripts.program import GiveOrder
from server.mail.verdict import Verdict
from server.play.scripts import read_script
from server.store.tables import correspondents
from tests.server.mail.office import Office, opened, text_of

BOTH = ("R1 ahead", "R2 ahead", "end turn")


@pytest.fixture
async def office(tmp_path):
    async with opened(tmp_path) as office:
        await office.begin()
        yield office


def told(verdict: Verdict, office: Office) -> tuple[str, ...]:
    """The orders of a played mail, in canonical notation."""
    grammar = office.live.ruleset.orders
    program = read_script("\n".join(said.text for said in verdict.lines), grammar.parse, senses=grammar.senses).program
    return tuple(grammar.write(grammar.parse(step.text), "en") for step in program if isinstance(step, GiveOrder))


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("R1 ahead, R2 ahead and then end turn please", BOTH),
        (
            "R4 ahead - to get the bowmen into range\nR1 ahead (careful!)\nThat’s all, end turn",
            ("R4 ahead", "R1 ahead", "end turn"),
        ),
        ("R1 -> C3\nR2 → D3\nend turn", ("R1 to C3", "R2 to D3", "end turn")),
        ("Salut !\n\nR1 en avant\nR2 en avant\nfin du tour\n\nA+\nJulien", BOTH),
        ("R one ahead\nR two ahead\nend turn", BOTH),
        ("Moin,\n\nR1: ahead; R2: ahead.\nDer Rest bleibt stehen.\nend turn\n\nVG Klaus", BOTH),
        ("r1 ahead / r2 ahead / end turn\n\nOn my way to the office, more tonight", BOTH),
    ],
)
async def test_it_is_played_as_meant(office, text: str, orders: tuple[str, ...]) -> None:
    verdict = await office.accept(office.reply(await office.letter(), text))
    assert verdict.what == "played"
    assert told(verdict, office) == orders


async def test_numbers_below_the_lines_of_the_letter_that_are_kept_are_played(office) -> None:
    letter = await office.letter()
    lines = text_of(letter).splitlines()
    (number,) = re.findall(r"(\d+) end turn", text_of(letter))
    answers = {"| R1 legionaries": "4", "| R2 legionaries": f"16\n{number}"}
    body = "".join(
        f"> {line}\n" + "".join(f"{answer}\n" for head, answer in answers.items() if line.startswith(head))
        for line in lines
    )
    verdict = await office.accept(office.written(letter["Reply-To"], body, about=letter))
    assert (verdict.what, told(verdict, office)) == ("played", BOTH)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("I’d like R1 to go ahead, and R2 as well. Then end my turn.", "words"),
        ("R1 ahead\nR2 left, no wait: R2 ahead\nend turn", "unreadable"),
    ],
)
async def test_what_is_not_plain_is_asked_and_nothing_is_played(office, text: str, what: str) -> None:
    letter, before = await office.letter(), office.live.n
    verdict = await office.accept(office.reply(letter, text))
    assert (verdict.what, office.live.n) == (what, before)


async def test_in_doubt_the_end_of_the_turn_waits_for_a_word(office) -> None:
    verdict = await office.accept(office.reply(await office.letter(), "R1 ahead\nbowmen shoot\nend turn"))
    assert [(said.text, said.status) for said in verdict.lines] == [("R1 ahead", "ok"), ("end turn", "waits")]
    answer = await office.letter()
    assert text_of(answer).startswith("Played: 1 of 2 lines; the rest waits for your “go”")
    assert "Not read as orders: bowmen shoot" in text_of(answer)
    assert office.live.game.active == "south"
    verdict = await office.accept(office.reply(answer, "go"))
    assert (verdict.what, [said.text for said in verdict.lines]) == ("played", ["end turn"])
    assert office.live.game.active == "north"


async def test_one_word_among_the_orders_asks_for_fewer_letters(office) -> None:
    verdict = await office.accept(office.reply(await office.letter(), "urgent\nR1 ahead\nend turn"))
    assert [said.status for said in verdict.lines] == ["ok", "ok"]
    assert [(one.name, one.args) for one in verdict.requests] == [("letters", ("urgent",))]
    assert correspondents.find(office.live.store, verdict.player).delivery == "urgent"
