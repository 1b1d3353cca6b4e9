"""Kill the process at any moment and check that everything acknowledged is kept, in store and server.

    python -m benchmarks.kill9 --kills 50 [--seed 1] [--synchronous FULL]
    python -m benchmarks.kill9 --server --kills 50 [--seed 1] [--clients 8] [--longest 0.5]

A child process appends under load and prints each append before it submits it and after it is acknowledged. The
parent kills it (SIGKILL) at a random moment, opens the file again and checks: every acknowledged append is there with
its hash; no append is there in part, its command, vault and outbox rows included; nothing is there twice; the chain
holds. Then it repeats what was submitted and not acknowledged: each is either done now, or answered as it was
recorded. The next child goes on in the same file. Exit code 0 if all kills passed, 1 at the first fault.

With `--server` the child is `phalera serve`, and the load comes over HTTP: clients who play battles, each request with
its own Idempotency-Key, some of two lines. After each kill the server starts again on the same folder and is asked for
the file of every battle: it must go on from what was last seen of it, byte for byte; every receipt must be a head of
it; every line of an acknowledged request must stand in it once, with the events that were answered; the whole must
verify, by chain, draws and rules, and end where the last order ends (no append in part). What was cut is sent again
with its key.

Only a power cut can test the disk's own promises; this tests the order of commit and answer.
"""

import argparse
import asyncio
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from benchmarks.kill9_server import KILLS_PER_FILE, Fault, run_server
from domain.log.record import FileFault
from replay.proof.notes import BadNote
from server.store import Append, CommandRecord, Duplicate, EventRow, EventStore, Opening, StoreSettings
from server.store.tables import outbox, vault

BATTLES = 24
AT = "2025-03-01T12:00:00.000Z"


class Load(NamedTuple):
    """What an append of the load consists of: all of it follows from battle, version and the hash before it."""

    append: Append
    n: int
    hash: bytes


def load(battle: str, expected: int, previous: bytes) -> Load:
    """The append that goes on after event `expected`: a few events, a secret for the first, a mail for the last."""
    count = 1 + (expected * 7 + len(battle)) % 8
    rows: list[EventRow] = []
    for i in range(1, count + 1):
        line = b'{"battle":"%b","first":%d,"i":%d,"n":%d,"of":%d,"pad":"%b"}' % (
            battle.encode(), expected + 1, i, expected + i, count, b"x" * 150,
        )  # fmt: skip
        previous = sha256(previous + line).digest()
        rows.append(("Loaded", line, previous))
    n = expected + count
    command = CommandRecord(
        sha256(f"{battle} {expected}".encode()).digest()[:16], previous, b"%d to %d" % (expected + 1, n)
    )
    also = (
        vault.put(vault.VaultSecret(battle, expected + 1, "sealed", "south", b"salt", previous)),
        outbox.post(battle, n, "p1", "turn", AT),
    )
    opens = Opening(header(battle), AT, "public") if expected == 0 else None
    return Load(Append(battle, expected, rows, command, also, opens), n, previous)


def header(battle: str) -> bytes:
    """The header of a battle of the load."""
    return b'{"battle":"%b"}' % battle.encode()


def head(store: EventStore, battle: str) -> tuple[int, bytes]:
    """Where to go on."""
    return store.head(battle) or (0, sha256(header(battle)).digest())


# --- the child


async def play(settings: StoreSettings) -> None:
    """Append to all battles at once, until killed."""
    store = EventStore.open(settings, asyncio.get_running_loop())

    async def one(battle: str) -> None:
        n, previous = head(store, battle)
        while True:
            this = load(battle, n, previous)
            os.write(1, b"try %b %d %b\n" % (battle.encode(), n, previous.hex().encode()))
            await store.submit(this.append)
            n, previous = this.n, this.hash
            os.write(1, b"ack %b %d %b\n" % (battle.encode(), n, previous.hex().encode()))

    await asyncio.gather(*(one(f"battle{i:02d}") for i in range(BATTLES)))


# --- the parent


def run_and_kill(settings: StoreSettings, after_s: float) -> list[list[str]]:
    """Start a child, kill it `after_s` seconds after its first line; returns the whole lines it printed."""
    command = [
        sys.executable,
        "-m",
        "benchmarks.kill9",
        "--child",
        settings.dbname,
        "--synchronous",
        settings.synchronous,
    ]
    root = Path(__file__).resolve().parent.parent
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=root) as child:
        assert child.stdout is not None
        printed = child.stdout.readline()
        os.set_blocking(child.stdout.fileno(), False)
        end = time.monotonic() + after_s
        while (left := end - time.monotonic()) > 0:  # keep the pipe empty: a full one would stop the child
            time.sleep(min(left, 0.002))
            printed += child.stdout.read() or b""
        child.send_signal(signal.SIGKILL)
        child.wait()
        os.set_blocking(child.stdout.fileno(), True)
        printed += child.stdout.read()
    if not printed:
        raise Fault("the child said nothing")
    return [line.decode().split() for line in printed.split(b"\n")[:-1]]


def check(store: EventStore, acknowledged: dict[tuple[str, int], str]) -> None:
    """All that was acknowledged, whole, once, and chained.

    Raises: Fault
    """
    stored: dict[tuple[str, int], str] = {}
    appends = 0
    for battle in store.battles():
        name, at, previous = battle.battle, 0, sha256(battle.header).digest()
        rows = store.read(name)
        while at < len(rows):
            this = load(name, at, previous)
            whole = [(at + i + 1, hash_, line) for i, (_, line, hash_) in enumerate(this.append.rows)]
            if rows[at : at + len(whole)] != whole:
                raise Fault(f"{name}: the append after {at} is not there as it was made")
            stored.update(((name, n), hash_.hex()) for n, hash_, _ in whole)
            require_company(store, this)
            at, previous, appends = this.n, this.hash, appends + 1
    for live in ("commands", "vault", "outbox"):
        ((count,),) = store.rows(f"SELECT COUNT(*) FROM {live}")
        if count != appends:
            raise Fault(f"{count} rows in {live} for {appends} appends")
    ((events,),) = store.rows("SELECT COUNT(*) FROM stored_events")
    if events != len(stored):
        raise Fault(f"{events} rows for {len(stored)} events")
    for (name, n), hash_ in acknowledged.items():
        if stored.get((name, n)) != hash_:
            raise Fault(f"{name} {n} was acknowledged with {hash_} and is {stored.get((name, n))}")


def require_company(store: EventStore, this: Load) -> None:
    """The rows that belong to an append.

    Raises: Fault
    """
    battle, first = this.append.battle, this.append.expected + 1
    assert this.append.command is not None
    known = store.command(this.append.command.command_id)
    if known is None or (known.first, known.events, known.answer) != (
        first,
        len(this.append.rows),
        this.append.command.answer,
    ):
        raise Fault(f"{battle} {first}: its command is {known}")
    if [secret.content for secret in vault.of_event(store, battle, first)] != [this.hash]:
        raise Fault(f"{battle} {first}: its secret is not in the vault")


def repeat(store: EventStore, battle: str, expected: int, previous: bytes) -> bool:
    """Submit again what was not acknowledged; was it there already?

    Raises: Fault if the answer is another one than was recorded
    """
    this = load(battle, expected, previous)
    try:
        done = store.append_now(this.append)
    except Duplicate as duplicate:
        if this.append.command is None or duplicate.answer != this.append.command.answer:
            raise Fault(f"{battle} {expected}: answered {duplicate.answer!r}") from duplicate
        return True
    if done.n != this.n:
        raise Fault(f"{battle} {expected}: appended to {done.n}")
    return False


def run(folder: Path, kills: int, seed: int, synchronous: str = "FULL", longest_s: float = 0.4) -> dict[str, int]:
    """Kill `kills` times; returns what was seen.

    Raises: Fault
    """
    moments = random.Random(seed)
    acknowledged: dict[tuple[str, int], str] = {}
    seen = dict.fromkeys(("kills", "acknowledged", "cut", "cut and there"), 0)
    for kill in range(kills):
        settings = StoreSettings(dbname=str(folder / f"kill9-{kill // KILLS_PER_FILE}.db"), synchronous=synchronous)
        if kill % KILLS_PER_FILE == 0:
            acknowledged.clear()
        tried: dict[str, tuple[int, bytes]] = {}
        for word, battle, n, hash_ in run_and_kill(settings, moments.uniform(0.0, longest_s)):
            if word == "try":
                tried[battle] = (int(n), bytes.fromhex(hash_))
            else:
                tried.pop(battle)
                acknowledged[battle, int(n)] = hash_
                seen["acknowledged"] += 1
        with EventStore.open(settings) as store:
            check(store, acknowledged)
            for battle, (expected, previous) in tried.items():
                seen["cut"] += 1
                seen["cut and there"] += repeat(store, battle, expected, previous)
            check(store, acknowledged)
        seen["kills"] += 1
    return seen


def main() -> int:
    """Parse, run, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=None, help="of the moments; drawn and printed if not given")
    parser.add_argument("--synchronous", default="FULL", choices=("FULL", "NORMAL"))
    parser.add_argument("--server", action="store_true", help="kill `phalera serve` under HTTP load")
    parser.add_argument("--clients", type=int, default=8, help="of the server")
    parser.add_argument("--longest", type=float, default=0.5, help="seconds of play before a server is killed")
    parser.add_argument("--child", metavar="FILE", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        asyncio.run(play(StoreSettings(dbname=arguments.child, synchronous=arguments.synchronous)))
    seed = random.randrange(2**32) if arguments.seed is None else arguments.seed
    with tempfile.TemporaryDirectory(prefix="phalera-kill9-") as folder:
        try:
            if arguments.server:
                seen = run_server(Path(folder), arguments.kills, seed, arguments.clients, arguments.longest)
            else:
                seen = run(Path(folder), arguments.kills, seed, arguments.synchronous)
        except (Fault, FileFault, BadNote) as fault:
            print(f"FAULT (seed {seed}): {fault}")
            return 1
    print(
        f"seed {seed}: "
        + ", ".join(f"{count} {what}" for what, count in seen.items())
        + "; nothing lost, nothing twice"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
