"""No letter says a byte of what the other side hides.

Two battles are played that differ in nothing but the south's secrets; all that can be written to the north must then be
the same bytes, but for ids, times, hashes and signatures.
"""

from functools import partial
from hashlib import sha256
from typing import Any

import pytest

from replay.writing.entropy import SeededEntropy
from server.mail.outgoing.letters import LetterWriter
from server.people.addresses import Addresses
from server.store.tables import correspondents, outbox
from server.store.tables.correspondents import Correspondent
from tests.server.test_secrecy import played, scrubbed
from tests.support.serving import serving

KINDS = ("turn", "decision", "joined", "pause:asked:south", "absence:begun:south")


async def written(server: Any, player: str, battle: str, lang: str) -> list[str]:
    """Every letter that a player can get about a battle: headers, both bodies, and the picture by its digest."""
    store, live = server.running.store, await server.running.battles.get(battle)
    await store.write(correspondents.save(Correspondent(player, lang, picture=lang == "en")))
    writer, found = LetterWriter(server.running.battles, Addresses("play@localhost", b"\0" * 32)), []
    for kind in KINDS:
        await store.write(outbox.post(battle, live.n, player, kind, server.running.clock.now()))
        composed = await writer.compose(outbox.unsent(store)[-1])
        if composed is None:
            continue
        message = composed.message
        parts = [str(message.items())]
        for part in message.walk():
            if part.get_content_maintype() == "text":
                parts.append(str(part.get_content()))
            elif part.get_content_maintype() == "image":
                parts.append(f"picture {sha256(part.get_content()).hexdigest()[:12]}")
        found.append(scrubbed("\n".join(parts), battle))
    return found


@pytest.mark.parametrize(
    ("options", "hand", "stop", "variants"),
    [
        ({"blind_deployment": True}, ["water"], "south's first step", [{}, {"deploy R3 C1": "deploy R3 C2"}]),
        ({}, ["ambush"], "", [{"deploy R2 E1": f"play ambush R2 {box}"} for box in ("B3", "C3")]),
    ],
    ids=["blind", "ambush"],
)
@pytest.mark.slow
async def test_a_letter_is_the_same_whatever_the_other_side_hides(tmp_path, options, hand, stop, variants):
    told = []
    for at, secrets in enumerate(variants):
        async with serving(tmp_path / str(at), SeededEntropy("secrecy")) as server:
            south, north = await server.player("Anna"), await server.player("Bob")
            battle = await partial(played, options, secrets, hand, stop)(south, north)
            told.append(
                [await written(server, north.player, battle, "en"), await written(server, north.player, battle, "fr")]
            )
            assert await written(server, south.player, battle, "en") != told[-1][0]
    assert all(told[0])
    assert told[0] == told[1]
