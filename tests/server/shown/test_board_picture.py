"""The board comes as a PNG picture to those who ask for one."""

import pytest

from tests.support.serving import BATTLES, RunningServer


@pytest.mark.slow
async def test_a_board_comes_as_a_png_picture(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    path = f"{BATTLES}/{battle}/board"
    pictures = []
    for n, accept in ((9, "image/png"), (9, "image/png, text/plain;q=0.5"), (9, "image/png")):
        async with server.client.get(f"{path}?n={n}", headers={**anna.headers, "Accept": accept}) as reply:
            assert reply.status == 200
            assert reply.content_type == "image/png"
            assert reply.headers["Phalera-Event"] == str(n)
            pictures.append(await reply.read())
    assert pictures[0].startswith(b"\x89PNG\r\n\x1a\n")
    assert len(set(pictures)) == 1
