"""Between a player and whom they have blocked nothing is asked or heard; the blocked one is not told."""

import pytest

from server.store.tables import accounts, blocks, outbox
from tests.server.web.pages.visiting import Visitor, visitor_of
from tests.support.serving import PHRASE, Caller, RunningServer

BLOCKS = "/api/v1/blocks"


async def two(server: RunningServer) -> tuple[Caller, Caller, Visitor, Visitor]:
    """Anna, who has blocked Bob; and their browsers."""
    anna, bob = await server.player("Anna"), await server.player("Bob")
    assert (await anna.post(BLOCKS, {"player": bob.player})).status == 201
    return anna, bob, await visitor_of(server, anna), await visitor_of(server, bob)


async def unblock(server: RunningServer, player: Caller, other: Caller) -> None:
    reply = await player.ask("DELETE", f"{BLOCKS}/{other.player}")
    assert reply.json == {"blocked": []}


def letters(server: RunningServer, player: Caller, kind: str) -> int:
    rows = outbox.unsent(server.running.store)
    return sum(row.kind.startswith(kind) and row.recipient == player.player for row in rows)


async def test_players_are_blocked_listed_and_let_go(server: RunningServer) -> None:
    anna, bob, hers, _ = await two(server)
    assert (await anna.get(BLOCKS)).json == {"blocked": [{"player": bob.player, "name": "Bob"}]}
    assert (await bob.get(BLOCKS)).json == {"blocked": []}
    assert "You have blocked Bob." in (await hers.get(f"/players/{bob.player}")).words
    assert "Bob" in (await hers.get("/complaints")).words
    gone = await hers.send(f"/players/{bob.player}/block", do="unblock", list="yes")
    assert "You have blocked nobody." in gone.words
    assert "You have blocked Bob." in (await hers.send(f"/players/{bob.player}/block", do="block")).words
    await unblock(server, anna, bob)


@pytest.mark.parametrize(("whom", "code"), [("OWN", "core.own-block"), ("nobody", "core.no-such-player")])
async def test_who_cannot_be_blocked(server: RunningServer, whom: str, code: str) -> None:
    anna = await server.player("Anna")
    assert (await anna.post(BLOCKS, {"player": anna.player if whom == "OWN" else whom})).code == code


async def test_nobody_blocks_half_the_server(server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.people.complaining.MOST_BLOCKED", 1)
    anna, _, _, _ = await two(server)
    cato = await server.player("Cato")
    assert (await anna.post(BLOCKS, {"player": cato.player})).code == "core.too-many-blocks"


async def test_who_is_blocked_does_not_join(server: RunningServer) -> None:
    anna, bob, _, _ = await two(server)
    battle = await anna.open()
    refused = await bob.sit(battle, "north", phrase=PHRASE)
    assert (refused.status, refused.code) == (403, "core.not-with-you")
    seated = await bob.open()
    await anna.sit(seated, "south", phrase=PHRASE)  # the blocker may: it is their own choice
    assert (await bob.sit(seated, "north", phrase=PHRASE)).code == "core.not-with-you"
    await unblock(server, anna, bob)
    assert (await bob.sit(battle, "north", phrase=PHRASE)).status == 201


async def test_their_words_are_not_shown_counted_or_sent(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    hers, his = await visitor_of(server, anna), await visitor_of(server, bob)
    await anna.post(BLOCKS, {"player": bob.player})
    before = letters(server, anna, "say")
    said = await his.send(f"/battles/{battle}/words", words="A vile word", key="bob-1-1234567890")
    assert "A vile word" in said.words  # they see it as ever
    assert "A vile word" not in (await hers.get(f"/battles/{battle}/words")).words
    assert "A vile word" not in (await hers.get(f"/battles/{battle}")).text
    assert 'data-unread="0"' in (await hers.get(f"/battles/{battle}")).text
    assert letters(server, anna, "say") == before
    await hers.send(f"/battles/{battle}/words", words="Farewell", key="anna-1-123456789")
    assert "Farewell" in (await his.get(f"/battles/{battle}/words")).words
    await unblock(server, anna, bob)
    assert "A vile word" in (await hers.get(f"/battles/{battle}/words")).words


async def test_their_words_as_spectators_are_not_shown(server: RunningServer) -> None:
    _, _, hers, his = await two(server)
    cato, dora = await server.player("Cato"), await server.player("Dora")
    battle = await server.battle(cato, dora)
    await his.send(f"/battles/{battle}/spectators", words="Vile", key="bob-1-1234567890")
    page = await hers.get(f"/battles/{battle}")
    assert "Vile" not in page.text and 'data-unread="0"' in page.text
    assert "Vile" not in (await hers.get(f"/battles/{battle}/spectators")).text
    assert "Vile" in (await his.get(f"/battles/{battle}/spectators")).text


async def test_a_battle_that_both_fight_goes_on(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    await anna.post(BLOCKS, {"player": bob.player})
    assert (await bob.sit(battle, "north", phrase=PHRASE)).status == 201
    assert (await anna.order(battle, "R1 ahead")).status == 200


async def test_who_is_removed_blocks_nobody_and_is_blocked_by_nobody(server: RunningServer) -> None:
    from server.people.players import erased

    _, bob, _, _ = await two(server)
    await server.running.store.write(*erased(bob.player))
    assert server.running.store.rows("SELECT * FROM blocks") == []
    assert accounts.by_player(server.running.store, bob.player) is not None
    assert not blocks.is_blocked(server.running.store, bob.player, ["anybody"])
