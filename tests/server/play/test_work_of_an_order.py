"""What an order makes a server do, counted: statements on the store, signatures, bytes sent.

Times depend on the machine, counts do not. Whoever raises one says why in the commit; `benchmarks/order.py` has times.
"""

from collections import Counter
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

import server.store.schema
from replay.proof.notes import Signer
from tests.support.serving import BATTLES, PHRASE, Caller, RunningServer, serving

MOST = {"order": (2_900, 24), "view": (36_000, 16), "options": (36_000, 8), "page": (210_000, 70)}
"""Bytes of an answer at Cannae and statements that read for it: what was measured, and room for the server's rounds."""


@pytest.fixture
async def counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[RunningServer, Counter[str]]]:
    """A server and what it has done since the counts were cleared."""
    done: Counter[str] = Counter()

    def counting(what: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def run(*given: Any, **named: Any) -> Any:
            done[what] += 1
            return work(*given, **named)

        return run

    real = server.store.schema.connect

    def connect(*given: Any, **named: Any) -> Any:
        db = real(*given, **named)
        db.set_trace_callback(lambda text: done.update([text.split(None, 1)[0].lower()]))
        return db

    monkeypatch.setattr(server.store.schema, "connect", connect)
    monkeypatch.setattr(Signer, "sign", counting("signatures", Signer.sign))
    async with serving(tmp_path / "data") as running:
        yield running, done


async def test_an_order_is_one_write_and_one_signature_however_large_the_battle(
    counted: tuple[RunningServer, Counter[str]],
) -> None:
    running, done = counted
    anna, bob = await running.player("Anna"), await running.player("Bob")
    battle = await running.battle(anna, bob, scenario="cannae")
    mover = anna if (await anna.view(battle))["to_act"] == ["south"] else bob
    for _ in range(3):
        options = (await mover.get(f"{BATTLES}/{battle}/options")).json["options"]
        body = {"orders": options[0]["order"], "phrase": PHRASE, "seen": await mover.head(battle)}
        done.clear()
        reply = await mover.post(f"{BATTLES}/{battle}/orders", body)
        assert reply.status == 200, reply
        assert (done["begin"], done["commit"], done["signatures"]) == (1, 1, 1)
        assert done["insert"] + done["update"] + done["delete"] <= 4
        within("order", len(reply.text), done)
        await require_little_for_looking(mover, battle, done)


async def require_little_for_looking(mover: Caller, battle: str, done: Counter[str]) -> None:
    for what, path in {"view": "", "options": "/options"}.items():
        done.clear()
        within(what, len((await mover.get(f"{BATTLES}/{battle}{path}")).text), done)
        assert not done["insert"] + done["update"] + done["delete"], what
    done.clear()
    within("page", len((await mover.get(f"/battles/{battle}")).text), done)


def within(what: str, size: int, done: Counter[str]) -> None:
    most_bytes, most_read = MOST[what]
    assert size <= most_bytes and done["select"] <= most_read, (what, size, dict(done))
