"""The verifier runs in a process of its own, tells what it finds, and ends with its server."""

import asyncio
import os
import threading
from pathlib import Path

import pytest

from domain.basics.pace import DAY_MS
from server.play import proof_process
from server.play.proof_process import ProofProcess, prove
from server.play.tail_proof import ProofFault
from server.store.apart import environment_for, named_log
from tests.server.play.test_tail_proof import duel, forge
from tests.server.time.correspondence import posting
from tests.support.waiting import eventually


@pytest.mark.slow
async def test_a_fault_is_told_once_and_another_process_is_started_for_one_that_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof_process, "AGAIN_S", 0.0)
    told: list[ProofFault] = []

    async def tell(fault: ProofFault) -> None:
        told.append(fault)

    async with posting(tmp_path / "data") as post:
        live = await duel(post)
        process = ProofProcess(post.store.settings, tmp_path / "proofs.db", tell)
        process.start()
        try:
            n = forge(post.store, live.id, post.clock.wait(-DAY_MS))
            await eventually("the fault is told", lambda: told)
            assert [(fault.battle, fault.n, fault.what) for fault in told] == [(live.id, n, "time-goes-back")]
            assert process.state.faulty == 1
            (child,) = children()
            os.kill(child, 9)
            await eventually("another process", lambda: set(children()) - {child})
            other = await post.battle(await post.player("Eve"), await post.player("Dan"))
            forge(post.store, other.id, post.clock.wait(-DAY_MS))
            await eventually("the other fault is told", lambda: len(told) > 1)
            assert [fault.battle for fault in told] == [live.id, other.id]
        finally:
            await process.close()
        await eventually("it has ended", lambda: not children())


def children() -> list[int]:
    """The processes of the verifier that this one has started."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            status, line = (entry / "status").read_text(), (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if f"\nPPid:\t{os.getpid()}\n" in status and proof_process.__name__.encode() in line:
            found.append(int(entry.name))
    return found


async def test_it_ends_with_its_input(tmp_path: Path) -> None:
    async with posting(tmp_path / "data") as post:
        await duel(post)
        into, out = os.pipe()
        answers_in, answers_out = os.pipe()
        with open(into) as asked, open(answers_out, "w") as answers, open(answers_in) as said:
            log, kept = named_log(environment_for(post.store.settings)), tmp_path / "proofs.db"
            worker = threading.Thread(target=prove, args=(log, kept, asked, answers))
            worker.start()
            line = await asyncio.to_thread(said.readline)
            os.close(out)
            await asyncio.to_thread(worker.join)
        assert '"faulty":0' in line
