"""What it takes to count and to export very many battles: memory at its peak, and CPU time.

    python -m benchmarks.many [--battles 5000] [--seeds 200] [--only NAME ...]

Battles between bots are played from so many seeds, and copied under other ids, chained and signed anew, until there are
enough: each file is one that a host could have written. `phalera stats` gets all files at once, `phalera export --all`
a store with the same battles. Each command is a process of its own.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from benchmarks.growth import copied
from benchmarks.loopback import ROOT
from benchmarks.rehearsal import SIDES
from benchmarks.start import COMMAND
from domain.catalogue import RULESETS
from domain.log import record
from projections.bulk.writers import FORMS
from replay.proof import chain, notes
from server.offline.demo import play_out, seated
from server.settings import Settings, make_folder
from server.store import Append, EventStore, Opening

SCENARIO, DATA = "skirmish", "data"
STATS = {"stats": (), "stats --json": ("--json",), "stats --csv": ("--csv",)}
EXPORTS = {f"export --all --to {form}": form for form in FORMS}


class Taken(NamedTuple):
    """What a process has taken: mebibytes resident at its peak, seconds of CPU time."""

    mebibytes: float
    cpu_s: float


class Fought(NamedTuple):
    """A battle that is over: its header line, the lines of its log, and what signs its heads."""

    header: bytes
    lines: Sequence[bytes]
    signer: notes.Signer


def fought(seed: int) -> Fought:
    """A battle between bots."""
    battle = seated(RULESETS["tts"], SCENARIO, seed, dict.fromkeys(SIDES, "easy"))
    play_out(battle)
    log = chain.open_file(battle.file())
    return Fought(log.header_line, log.lines, battle.signer)


def fill(folder: Path, count: int, seeds: int) -> list[str]:
    """Make a folder of files, and in it the data folder of a host with the same battles; the names of the files."""
    settings = Settings.at(folder / DATA)
    make_folder(settings)
    played = [fought(seed) for seed in range(1, seeds + 1)]
    names = []
    with EventStore.open(replace(settings.store(), synchronous="NORMAL")) as store:
        for number, battle in enumerate(islice(cycle(played), count)):
            name = f"b{number:07}"
            line, rows = copied(battle.header, battle.lines, name)
            header = record.decode_header(line)
            head = notes.Head(notes.origin(header.host, name), len(rows), rows[-1][2])
            path = folder / f"{name}.battle"
            path.write_bytes(chain.file_bytes(line, battle.lines, notes.sign_head(battle.signer, head)))
            names.append(path.name)
            store.append_now(Append(name, 0, rows, opens=Opening(line, header.created, "public")))
    return names


def taken(folder: Path, *arguments: str) -> Taken:
    """Run the command to its end."""
    command = [sys.executable, "-c", COMMAND, *arguments]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, arguments[:3]
    return Taken(used.ru_maxrss / 1024, used.ru_utime + used.ru_stime)


def measured(folder: Path, count: int, seeds: int, only: Sequence[str] = ()) -> dict[str, Taken]:
    """What each command takes."""
    files = fill(folder, count, seeds)
    found = {}
    for name, options in STATS.items():
        if not only or name in only:
            found[name] = taken(folder, "stats", *options, *files)
    for name, form in EXPORTS.items():
        if not only or name in only:
            found[name] = taken(folder, "export", "--all", "--to", form, "--data", DATA)
    return found


def show(count: int, found: dict[str, Taken]) -> None:
    """Print the table."""
    print(f"\n| {count:,} battles | MiB at the peak | CPU s |\n|---|---|---|")
    for name, one in found.items():
        print(f"| `{name}` | {one.mebibytes:,.0f} | {one.cpu_s:,.1f} |")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--battles", type=int, default=5000)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--only", nargs="*", default=[], choices=[*STATS, *EXPORTS])
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        seeds = min(options.seeds, options.battles)
        show(options.battles, measured(Path(folder), options.battles, seeds, options.only))


if __name__ == "__main__":
    main()
