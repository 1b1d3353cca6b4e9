"""The examples of docs/mail.md do what the page says."""

import re
from pathlib import Path

import pytest

from server.mail.blocks import BoardBlock
from server.mail.desk.commands import COMMANDS, command_of
from server.mail.desk.reading import order_in, read
from server.mail.desk.vocabulary import ANCHOR, BATTLE
from server.play.service import OrderRequest
from tests.server.mail.desk.desking import PHRASE, Counter

PAGE = (Path(__file__).parents[4] / "docs" / "mail.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.M | re.S)
ROWS = re.findall(r"^\| (`.*?) \| (`.*?) \|", PAGE, re.M)
PLACEHOLDERS = {
    **dict.fromkeys(("BATTLE", "BATAILLE"), BATTLE),
    **dict.fromkeys(("SCENARIO", "SCÉNARIO"), "skirmish"),
    **dict.fromkeys(("CAMPAIGN", "CAMPAGNE"), BATTLE * 2),
    **dict.fromkeys(("CLUB", "PLAYER", "OTHER", "JOUEUR", "AUTRE"), "chester"),
    **dict.fromkeys(("ANCHOR", "ANCRE"), ANCHOR),
    **dict.fromkeys(("ADDRESS", "ADRESSE"), "a@new.example"),
    **dict.fromkeys(("NEW@EXAMPLE", "NOUVELLE@EXEMPLE"), "a@new.example"),
}


@pytest.mark.slow
async def test_every_example_works_as_it_stands(counter: Counter) -> None:
    """A stranger's way: battles are opened, joined and played with the texts of the page alone."""
    live = await counter.battle()
    for kind, text in BLOCKS:
        if kind in ("sh", "several", "campaign"):
            continue  # tests.test_docs runs the one, tests.server.mail.test_digests the other
        if kind == "orders":
            orders = OrderRequest(live.id, "south", counter.anna.player, "mail", text, phrase_required=False)
            assert (await counter.play.orders(orders)).refused is None
            continue
        assert kind == "commands"
        if text.startswith("preview"):
            live = await counter.battle()
        answer = await counter.mail(counter.anna, text.replace(BATTLE, live.id), live=live)
        for request in answer.requests:
            assert request.message is None or request.message.id.startswith("desk.did."), request
        assert answer.text
    assert any(isinstance(block, BoardBlock) for block in (await counter.mail(counter.anna, "board", live=live)).blocks)
    assert PHRASE


def test_the_lines_of_campaigns_and_clubs_are_read_as_such() -> None:
    examples = [text for kind, text in BLOCKS if kind == "campaign"]
    found = [[request.name for request in read(text, campaign=BATTLE * 2)] for text in examples]
    assert found == [["campaign", "standings"], ["seat"]]


@pytest.mark.parametrize("column", [0, 1])
def test_every_command_of_the_table_is_one(column: int) -> None:
    found = set()
    for row in ROWS:
        for written in re.findall(r"`([^`]+)`", row[column]):
            usage = " ".join(PLACEHOLDERS.get(word, word) for word in written.removesuffix(" …").split())
            words = usage.split()
            if len(words) == 1 and not command_of(words[0]) and not order_in(usage):
                continue  # a further word of the command before it
            if order_in(usage):
                found.add("order")
                continue
            if command_of(words[0]) == "message":
                usage += "\nwords"
            (request,) = read(usage, campaign="")
            found.add(request.name)
    assert {name for name, command in COMMANDS.items() if command.usage} == found
