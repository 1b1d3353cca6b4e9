"""The cost of taking a mail in: reading, processing, answering.

    python -m benchmarks.intake

The mails are replies and odd mails of the tests' corpus, those that people write. The base is what Python needs to
parse the same bytes (`message_from_bytes`, `policy.default`), nothing decoded. The whole intake keeps the mail, reads
it, finds the question it answers, reads its orders (they are none of this battle, so nothing is played and each mail is
answered alike), and stores verdict and answer; commits wait for the disk. The slowest of the mails that use the limits
of reading up is named at the end.
"""

import argparse
import asyncio
import shutil
import statistics
import tempfile
import time
import tomllib
from collections.abc import Callable, Mapping, Sequence
from email import message_from_bytes, policy
from functools import partial
from pathlib import Path
from typing import NoReturn

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.data import scenario_text
from domain.run.inputs import Phrase
from replay.writing.clock import later
from server.entropy import SystemEntropy
from server.mail.assembly import mail_parts
from server.mail.incoming.reading import read_mail
from server.people.key_files import read_or_make_key
from server.people.keys import Keyring
from server.people.players import Player, enrol
from server.play.live_battles import LiveBattles
from server.play.questions import question_of
from server.play.seating import take_side
from server.play.service import OrderService
from server.settings import Settings, make_folder
from server.store import EventStore
from server.store.tables import mail_tokens
from tests.server.mail.incoming.reading.corpus import OURS
from tests.server.mail.incoming.reading.corpus.clients import CLIENTS
from tests.server.mail.incoming.reading.corpus.limits import AT_THE_LIMITS
from tests.server.mail.incoming.reading.corpus.odd import ODD
from tests.server.mail.incoming.reading.corpus.shared import TOKEN

PARSE, READ, WHOLE = "parse alone (base)", "read_mail", "whole intake, with the store"
SENDER = "anna@example.org"
NO_ORDER = "R1"
"""So begin the texts that name a unit which this battle has not: what is refused can be sent again and again."""
APART_S = 3600
"""By the clock of the host mails come an hour apart: nobody is flooded."""

Seconds = dict[str, list[list[float]]]
"""By variant and round: the seconds of each mail."""


class Sizes(Struct, frozen=True):
    """How often all is done."""

    rounds: int = 9
    each: int = 3


class HourlyClock:
    """A clock that goes on by an hour when it is told to."""

    def __init__(self) -> None:
        self._now = "2026-12-07T10:00:00.000Z"

    def now(self) -> str:
        """The time as the log writes it."""
        return self._now

    def tick(self) -> None:
        """The next hour."""
        self._now = later(self._now, APART_S)


def mails() -> list[bytes]:
    """What people write, to the one question of the battle."""
    return [case.raw for case in (*CLIENTS, *ODD) if case.what == "mail" and case.text.startswith(NO_ORDER)]


def measured(folder: Path, sizes: Sizes) -> Seconds:
    """Interleaved rounds of all variants."""
    return asyncio.run(_measured(folder, sizes))


async def _measured(folder: Path, sizes: Sizes) -> Seconds:
    settings = replace(Settings.at(folder / "data"), host=OURS.host)
    make_folder(settings)
    clock, entropy, raws = HourlyClock(), SystemEntropy(), mails()
    with EventStore.open(settings.store(), asyncio.get_running_loop()) as store:
        keys = Keyring(read_or_make_key(settings.key, settings.host, entropy))
        battles = LiveBattles(settings, store, clock, entropy, keys)
        await _battle(battles)
        play = OrderService(battles)
        intake = mail_parts(play, _no_lobby).intake
        taken: Seconds = {PARSE: [], READ: [], WHOLE: []}
        number = 0
        for _ in range(sizes.rounds):
            taken[PARSE].append(_each(partial(message_from_bytes, policy=policy.default), raws * sizes.each))
            taken[READ].append(_each(partial(read_mail, addresses=OURS), raws * sizes.each))
            whole = []
            for raw in raws:
                clock.tick()
                number += 1
                fresh = raw.replace(b"<one@example.org>", b"<%d@example.org>" % number)
                if fresh == raw:  # it has no Message-ID: its bytes tell it from its like
                    fresh = b"X-Number: %d\n" % number + raw
                begun = time.perf_counter()
                verdict = await intake.accept(fresh)
                whole.append(time.perf_counter() - begun)
                if verdict.what not in {"unreadable", "refused", "held"}:
                    raise RuntimeError(f"a mail was judged otherwise: {verdict.what}")
            taken[WHOLE].append(whole)
        await play.close()
    return taken


def _no_lobby() -> NoReturn:
    raise RuntimeError("none of these mails is about the lobby")


async def _battle(battles: LiveBattles) -> None:
    """A battle in which Anna is asked the question of the corpus."""
    people = [
        enrol(battles.clock, battles.entropy, name, mail) for name, mail in (("Anna", SENDER), ("Ben", "b@example.org"))
    ]
    for made in people:
        await battles.store.write(*made.statements)
    table = await battles.open("tts", tomllib.loads(scenario_text("tts", "skirmish")), "public")
    for side, made in zip(("south", "north"), people, strict=True):
        await take_side(
            table,
            side,
            Player(made.account.player, made.account.name),
            phrase=Phrase("sixteen bytes of my own", "api", table.recording.newest_head()),
        )
    question, now = question_of(table, "south"), battles.clock.now()
    player = people[0].account.player
    issued = mail_tokens.issue(TOKEN, "question", player, now, battle=table.id, side="south", question=question)
    await battles.store.write(issued)


def _each(work: Callable[[bytes], object], raws: Sequence[bytes]) -> list[float]:
    taken = []
    for raw in raws:
        begun = time.perf_counter()
        work(raw)
        taken.append(time.perf_counter() - begun)
    return taken


def show(taken: Mapping[str, list[list[float]]]) -> None:
    """Print the table for benchmarks/README.md; ratios are medians of the rounds' ratios."""
    print(f"\n### {len(mails())} mails\n\n| what | mails/s | ratio | p50 ms | p95 ms | ratio of p95 |")
    print("|---|---|---|---|---|---|")
    for name, rounds in taken.items():
        pairs = list(zip(rounds, taken[PARSE], strict=True))
        ratio = statistics.median(statistics.mean(mine) / statistics.mean(base) for mine, base in pairs)
        tail = statistics.median(_p95(mine) / _p95(base) for mine, base in pairs)
        per_s = statistics.median(1 / statistics.mean(mine) for mine in rounds)
        half = statistics.median(statistics.median(mine) for mine in rounds) * 1e3
        most = statistics.median(_p95(mine) for mine in rounds) * 1e3
        print(f"| {name} | {per_s:,.0f} | {ratio:.2f} | {half:.2f} | {most:.2f} | {tail:.2f} |")


def slowest() -> tuple[float, str]:
    """Of the mails that use the limits of reading up: seconds of computing, and its name."""
    taken = []
    for name, raw in AT_THE_LIMITS.items():
        begun = time.process_time()
        read_mail(raw, OURS, ("mx",), lambda record: b"v=DKIM1; p=")
        taken.append((time.process_time() - begun, name))
    return max(taken)


def _p95(seconds: Sequence[float]) -> float:
    return statistics.quantiles(seconds, n=20)[-1]


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=Sizes().rounds)
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="phalera-intake-"))
    try:
        show(measured(folder, Sizes(rounds=arguments.rounds)))
        seconds, name = slowest()
        print(f"\nslowest at the limits: {seconds:.2f} s, {name}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
