"""Fill the disk under a server that is played on, and check that nothing acknowledged is lost and play goes on.

    python -m benchmarks.disk_full [--runs 20] [--seed 1] [--clients 8] [--mib 96]

As root: the data folder of each run is on a file system of its own (tmpfs) of so many MiB. Clients play over HTTP,
each request with its own Idempotency-Key. At a random moment the rest of the disk is filled. From then on an order is
either acknowledged and durable, or refused with 507 and not played; battles can still be read, `/healthz` answers,
and `/readyz` says 503. Every second server is killed (SIGKILL) while its disk is full, and must say in one sentence why
it cannot start again. When there is space, the same process, or the next one, goes on by itself: what was refused or
cut is sent again with its key. In the end all that was acknowledged must be there, as in `benchmarks.kill9 --server`.
Exit code 0 if all runs passed, 1 at the first fault.
"""

import argparse
import asyncio
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from benchmarks.kill9_server import (
    V1,
    Fault,
    Request,
    Seen,
    give,
    judge,
    new_folder,
    note_answer,
    open_battles,
)
from benchmarks.loopback import ROOT, Client, Server, run, serving
from benchmarks.rehearsal import PHRASE
from domain.log.record import FileFault
from replay.proof.notes import BadNote

DISK_FULL = 507
LEAST = 20
"""Orders that must have been refused before there is space again, and accepted after it."""
PATIENCE_S = 60.0
SPARE = 4096
BLOCK = bytes(1 << 20)


class Play(Struct):
    """What the clients meet: answers by status, accepted orders since the last change of the disk."""

    answers: Counter[int]
    refused: int = 0
    accepted: int = 0
    over: bool = False


async def play(port: int, seen: Seen, battle: str, told: Play, pick: random.Random) -> None:
    """Play a battle until told to stop, or the server is gone."""
    request: Request | None = None
    try:
        async with await Client.at(port) as client:
            while not told.over:
                if request is None:
                    request = await _next(client, seen, battle, pick)
                answer = await give(client, seen, request)
                told.answers[answer.status] += 1
                if answer.status == DISK_FULL:
                    _require_full(answer.content)
                    told.refused += 1
                    await asyncio.sleep(0.01)
                    continue
                told.accepted += note_answer(seen, request, answer) > 0
                request = None
    except OSError:
        pass
    if request is not None:
        seen.cut.append(request)


async def _next(client: Client, seen: Seen, battle: str, pick: random.Random) -> Request:
    """An order that can be given now. Nobody needs space to read."""
    known = await _read(client, f"{V1}/{battle}", seen.tokens["south"])
    side = known["to_act"][0]
    options = (await _read(client, f"{V1}/{battle}/options", seen.tokens[side]))["options"]
    usual = [option["order"] for option in options if "resign" not in option["order"]]
    body = msgspec.json.encode({"orders": pick.choice(usual), "phrase": PHRASE, "seen": known["head"]})
    return Request(battle, side, pick.randbytes(16).hex(), body)


async def _read(client: Client, path: str, token: str = "") -> dict[str, Any]:
    answer = await client.ask("GET", path, token=token)
    if answer.status != 200:
        raise Fault(f"{path} was answered {answer}")
    return msgspec.json.decode(answer.content, type=dict[str, Any])


def _require_full(content: bytes) -> None:
    code = msgspec.json.decode(content)["code"]
    if code != "core.disk-full":
        raise Fault(f"507 with the code {code}")


# --- the disk


@contextmanager
def small_disk(mib: int) -> Iterator[Path]:
    """A file system of its own."""
    with tempfile.TemporaryDirectory(prefix="phalera-full-") as folder:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={mib}m", "phalera-full", folder], check=True)
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)


def fill(ballast: Path) -> None:
    """Take all the space that is left."""
    with ballast.open("ab", buffering=0) as file, suppress(OSError):
        size = len(BLOCK)
        while size:
            try:
                file.write(BLOCK[:size])
            except OSError:
                size //= 2
                if size < SPARE:
                    return


async def until(what: str, is_so: Callable[[], bool], playing: asyncio.Future[list[None]]) -> None:
    """Wait until something is so; a fault of the clients comes first."""
    async with asyncio.timeout(PATIENCE_S):
        while not is_so():
            if playing.done():
                playing.result()
                raise Fault(f"all clients have stopped before {what}")
            await asyncio.sleep(0.02)


# --- a run


async def fill_under_load(server: Server, disk: Path, seen: Seen, pick: random.Random, kill: bool) -> Counter[int]:
    """Play, fill the disk, and make space again, or kill the server meanwhile; returns the answers to orders."""
    told = Play(Counter())
    playing = asyncio.gather(*(play(server.port, seen, battle, told, pick) for battle in seen.logs))
    try:
        await asyncio.sleep(pick.uniform(0.2, 1.0))
        await until("the first order", lambda: told.accepted > 0, playing)
        fill(disk / "ballast")
        await until("orders are refused", lambda: told.refused >= LEAST, playing)
        async with await Client.at(server.port) as client:
            for path, status in (("/healthz", 200), ("/readyz", 503)):
                answer = await client.ask("GET", path)
                if answer.status != status:
                    raise Fault(f"{path} on a full disk: {answer}")
        if kill:
            server.process.kill()
        else:
            (disk / "ballast").unlink()
            told.accepted = 0
            await until("play goes on", lambda: told.accepted >= LEAST, playing)
            await ready(server.port)
        told.over = True
        await playing
    finally:
        playing.cancel()
    return told.answers


async def ready(port: int) -> None:
    """Wait until a server is ready, and its lists show all battles.

    Raises: Fault, TimeoutError
    """
    async with asyncio.timeout(PATIENCE_S), await Client.at(port) as client:
        while (await client.ask("GET", "/readyz")).status != 200:
            await asyncio.sleep(0.2)
        listed = await _read(client, f"{V1}?limit=100")
        if not listed["battles"]:
            raise Fault("no battle is listed")


def require_sentence(data: Path) -> bool:
    """A server that cannot start on a full disk says so in a sentence. Whether it could not.

    Raises: Fault
    """
    command = [sys.executable, "-m", "server.cli.main", "serve", "--data", str(data), "--port", "0"]
    started = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, text=True)
    try:
        said, errors = started.communicate(timeout=5)
    except subprocess.TimeoutExpired:  # it serves: what it needs at a start was there
        started.kill()
        said, errors = started.communicate()
        if "Traceback" in errors:
            raise Fault(f"a start on a full disk: {errors}") from None
        return False
    if started.returncode != 1 or "Traceback" in errors or "full" not in errors:
        raise Fault(f"a start on a full disk: {started.returncode}, {said}{errors}")
    return True


def one_run(disk: Path, seed: int, clients: int, kill: bool, found: Counter[str]) -> None:
    """One disk that is filled once.

    Raises: Fault
    """
    pick, data = random.Random(seed), disk / "data"
    seen = new_folder(data)
    with serving(Server.of(data)) as server:
        run(open_battles(server.port, seen, clients))
        judge(server, data, seen, found)
        answers = run(fill_under_load(server, disk, seen, pick, kill))
        found["orders acknowledged"] += answers[200]
        found["refused with 507"] += answers[DISK_FULL]
        found["others"] += answers.total() - answers[200] - answers[DISK_FULL]
        if not kill:
            judge(server, data, seen, found)
    if kill:
        found["starts refused in a sentence"] += require_sentence(data)
        (disk / "ballast").unlink()
        with serving(Server.of(data)) as server:
            judge(server, data, seen, found)
            run(ready(server.port))


def main() -> int:
    """Parse, run, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=None, help="of the moments; drawn and printed if not given")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--mib", type=int, default=96, help="of the disk; a server wants 64 to be free")
    arguments = parser.parse_args()
    if os.geteuid() != 0:
        print("It mounts file systems: run it as root.")
        return 2
    seed = random.randrange(2**32) if arguments.seed is None else arguments.seed
    found: Counter[str] = Counter()
    for at in range(arguments.runs):
        try:
            with small_disk(arguments.mib) as disk:
                one_run(disk, seed + at, arguments.clients, at % 2 == 1, found)
        except (Fault, FileFault, BadNote, TimeoutError) as fault:
            print(f"FAULT (seed {seed + at}): {fault!r}")
            return 1
        found["runs"] += 1
    told = ", ".join(f"{count} {what}" for what, count in found.items())
    print(f"seed {seed}: {told}; nothing lost, nothing twice")
    return 0


if __name__ == "__main__":
    sys.exit(main())
