"""No command says a byte of what the other side hides.

As in tests/server/test_secrecy.py: two battles that differ in one side's secrets only; whatever the other side and a
stranger can ask the desk must be the same text.
"""

from functools import partial
from pathlib import Path

import pytest

from replay.writing.entropy import SeededEntropy
from server.mail.desk import Caller, Desk, do, read, show
from server.mail.desk.commands import COMMANDS
from server.mail.desk.looking import MOST_TOLD
from server.people.addresses import Addresses
from server.store.tables import accounts
from tests.server.mail.desk.desking import Answer
from tests.server.test_secrecy import played, scrubbed
from tests.support.serving import serving

LOOKING = ("list", "battles", "board", "history 1", "history turn", "orders", "standing", "export", "proof", "settings")
OF_NO_BATTLE = frozenset({"campaigns", "next", "standings", "fixtures", "map", "ledger", "club"})
"""Commands about campaigns and clubs, whose logs hold nothing of a battle that is hidden."""
TRIED = ("T1 ahead", "T1 charge D2", "T1 charge B3", "T1 to C6", "T3 shoot B3", "deploy T1 C2")


async def told(folder: Path, play: partial) -> dict[str, str]:
    """All that the desk tells north and a stranger, by whoever asks and what."""
    async with serving(folder, SeededEntropy("secrecy")) as server:
        south, north = await server.player("Anna"), await server.player("Bob")
        eve = await server.player("Eve")
        battle = await play(south, north)
        live = await server.running.battles.get(battle)
        desk = Desk(server.running.play, lambda: server.running.lobby, Addresses("play@phalera.test", b"s" * 32))
        asked = [*LOOKING, *(f"why {n}" for n in range(1, live.n + 1)), *(f"preview\n{order}" for order in TRIED)]
        assert live.n < MOST_TOLD
        found = {}
        for player, side in ((north.player, "north"), (eve.player, "")):
            account = accounts.by_player(server.running.store, player)
            assert account
            caller = Caller(account, "en", battle, side)
            for text in asked:
                (request,) = read(text, "")
                done = await do(desk, request, caller, "key")
                answer = Answer((done,), await show(desk, done, caller), "en")
                found[f"{side} {text}"] = scrubbed(answer.text, battle)
        return found


@pytest.mark.parametrize(
    ("options", "secrets", "hands", "stop"),
    [
        ({"blind_deployment": True}, {"deploy R3 C1": "deploy R3 C2"}, (["water"], ["water"]), "south's first step"),
        ({}, {}, (["water", "arrows"], ["traitor", "oracle"]), ""),
    ],
)
@pytest.mark.slow
async def test_what_one_side_hides_is_in_no_answer(tmp_path: Path, options, secrets, hands, stop) -> None:
    first = await told(tmp_path / "1", partial(played, options, {}, hands[0], stop))
    second = await told(tmp_path / "2", partial(played, options, secrets, hands[1], stop))
    assert first.keys() == second.keys()
    for text, said in first.items():
        assert said == second[text], text


def test_every_command_that_shows_something_is_asked() -> None:
    asked = {text.split()[0] for text in LOOKING} | {"why", "preview"}
    shows = {name for name, command in COMMANDS.items() if command.words and not command.changes}
    assert asked | OF_NO_BATTLE | {"help"} == shows
