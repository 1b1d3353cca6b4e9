"""Letters while terrain is placed and armies deploy."""

from collections.abc import Sequence
from typing import Any

import pytest

from replay.writing.recording import Batch
from server.mail.blocks import Paragraph
from server.mail.outgoing.letters import LetterWriter
from server.mail.outgoing.letters.position import recap
from server.mail.outgoing.occasions import letters
from server.people.addresses import Addresses
from server.play.live_battle import LiveBattle
from server.store import Statement
from server.store.tables import accounts, outbox
from tests.server.web.pages.test_before_the_turns import set_up, two_players
from tests.support.serving import RunningServer

AT = "2026-01-01T00:00:00.000Z"


async def written(server: RunningServer, live: LiveBattle, side: str) -> str:
    """A letter to a side as text: one that is sent whoever has to act."""
    store, player = server.running.store, live.recording.battle.seats[side].player
    await store.write(accounts.move(player, f"{side}@example.org"))
    await store.write(outbox.post(live.id, live.n, player, "pause:asked:south", AT))
    row = outbox.unsent(store)[-1]
    composed = await LetterWriter(server.running.battles, Addresses("play@localhost", b"\0" * 32)).compose(row)
    assert composed is not None
    body: Any = composed.message.get_body(("plain",))
    return str(body.get_content())


@pytest.mark.slow
async def test_a_letter_says_what_is_to_be_done_in_each_phase(server: RunningServer) -> None:
    ann, ben, battle = await two_players(server, stratagems="2", blind_deployment="yes")
    live = await server.running.battles.get(battle)
    text = " ".join((await written(server, live, "south")).split())
    assert "Place your terrain, a line for each piece" in text
    assert "place wood A1 (+95)" in text
    assert "place wood B1" not in text
    await ann.order(battle, "place wood D4\ndone")
    assert "South places a wood in D4 (piece 1)." in await written(server, live, "north")
    await set_up(ann, ben, server, battle, "deployment")
    (side,) = live.to_act()
    text = await written(server, live, side)
    assert "Choose the corps that you deploy" in " ".join(text.split())
    assert "Stratagems that you hold\n========" in text
    assert "deploy camp" not in text


@pytest.mark.slow
async def test_a_recap_tells_nothing_that_is_sealed(server: RunningServer) -> None:
    ann, ben, battle = await two_players(server, stratagems="3", blind_deployment="yes")
    await set_up(ann, ben, server, battle, "deployment")
    live = await server.running.battles.get(battle)
    (first,) = live.to_act()
    other = {"south": "north", "north": "south"}[first]
    while live.to_act() == (first,):
        await (ann if first == "south" else ben).order(battle, live.options(first)[-1].order)
    told = "\n".join(
        piece.text
        for piece in recap(live, other, live.ruleset.shown.view(live.known(other), other), "en")
        if isinstance(piece, Paragraph)
    )
    placed = [unit.id for unit in live.game.units.values() if unit.side == first and unit.box]
    assert "has deployed a corps, unseen by the other side." in told
    assert placed
    assert not any(unit in told for unit in placed)


@pytest.mark.slow
async def test_who_is_to_act_before_the_turns_gets_a_letter(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has the move after an append and had it not before: who that is depends on the scouting cards."""
    appends: list[tuple[set[str], list[str]]] = []

    def posted(live: LiveBattle, batch: Batch, at: str) -> Sequence[Statement]:
        rows = letters(live, batch, at)
        appends.append((set(live.to_act()), [str(row.params[2]) for row in rows]))
        return rows

    monkeypatch.setattr(server.running.battles, "letters", posted)
    ann, ben, battle = await two_players(server, stratagems="0", blind="")
    appends.clear()  # the battle has begun
    await ann.order(battle, "place wood D4\ndone")
    await set_up(ann, ben, server, battle, "deployment")
    live = await server.running.battles.get(battle)
    movers = [*(before for before, _ in appends), set(live.to_act())]
    players = {side: seat.player for side, seat in live.recording.battle.seats.items()}
    assert movers[:3] == [{"south"}, {"south"}, {"north"}]  # a piece leaves the move where it was; `done` passes it on
    for (before, called), after in zip(appends, movers[1:], strict=True):
        assert called == [players[side] for side in sorted(after - before)]
