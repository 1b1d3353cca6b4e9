"""A preview leaves nothing behind, whatever it was asked to try."""

import gc

from domain.engine.errors import Refusal
from tests.support.serving import BATTLES, PHRASE, RunningServer

REFUSED = "\n".join(f"try {name} charge H6" for name in ("R1", "R2", "R3", "R1"))


def refusals() -> int:
    """The refusals in memory that nothing but a cycle may still hold, after a collection."""
    gc.collect()
    return sum(isinstance(found, Refusal) for found in gc.get_objects())


async def test_previews_keep_no_refusals(server: RunningServer) -> None:
    anna, ben = await server.player("Anna"), await server.player("Ben")
    battle = await server.battle(anna, ben)
    body = {"orders": f"phrase {PHRASE}\n{REFUSED}"}

    async def preview() -> None:
        reply = await anna.post(f"{BATTLES}/{battle}/preview", body)
        assert reply.status == 200, reply
        assert sum(line["refused"] + line.get("skipped", 0) for line in reply.json["lines"]) > 100

    await preview()
    before = refusals()
    await preview()
    await preview()
    assert refusals() == before
