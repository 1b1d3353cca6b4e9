"""A fault of ours is answered like a refusal, and nothing of it is told."""

import pytest

from tests.support.serving import BATTLES, RunningServer


async def test_a_fault_is_a_problem_without_its_reason(server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*given: object) -> None:
        raise RuntimeError("the secret of the house")

    monkeypatch.setattr(server.running.lobby, "battles", broken)
    reply = await server.stranger.get(BATTLES)
    assert (reply.status, reply.code) == (500, "core.fault")
    assert "secret" not in reply.text
