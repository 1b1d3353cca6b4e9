"""Kill the server at any moment while a cup of bots runs, and check that nothing is missing and nothing there twice.

    python -m benchmarks.campaign_kills --kills 200 [--seed 1] [--bots 60] [--people 4] [--longest 6]

A cup of bots, and of people who give up their battles, runs on `phalera serve`. The server is killed (SIGKILL) at a
random moment, from its start on, and started again at once, until it was killed so often; then the cup is fought to its
end. A cup that has ended before is followed by another in the same folder. After each kill: no battle is there twice,
or of no board. At the end, of each cup: each battle that its log names is there once, each is counted once, whom an
event concerns has exactly one letter about it, and the file verifies with those of its battles. Exit code 0 if all of
that holds, 1 at the first fault.
"""

import argparse
import asyncio
import mailbox
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from benchmarks.loopback import CLOCK, ENTROPY, Client, Server, serving
from benchmarks.loopback import run as run_loop
from benchmarks.rehearsal import PHRASE
from domain.campaign.events import CAMPAIGN_EVENTS, BattleSet, ResultCounted
from domain.campaign.evolve import START, evolve
from domain.campaign.rated import PERSON
from domain.log import record
from replay.proof.campaign.verify import verify_campaign
from replay.proof.verify import OK
from server.campaigns.letters import entrants_of
from server.people.players import enrol
from server.settings import Settings, make_folder
from server.store import EventStore
from server.store.tables import campaigns

CAMPAIGNS, BATTLES = "/api/v1/campaigns", "/api/v1/battles"
CUP = """
campaign = "cup"
title = "A cup of bots"
ruleset = "warmaster-shooting"
[cup]
system = "swiss"
rounds = {rounds}
[battle]
scenario = "two-lines"
"""
LOOK_S = 0.2
"""The time between two looks of somebody at their boards."""


class Fault(Exception):
    """What must not be."""


class Cups(Struct):
    """What is known of a folder: its people, tokens by name, and its cups by id, the newest last."""

    folder: Path
    tokens: dict[str, str]
    ids: list[str] = []
    given_up: set[str] = set()
    ended: set[str] = set()


def new_folder(folder: Path, people: int) -> Cups:
    """A data folder with people who have an address."""
    settings = Settings.at(folder)
    make_folder(settings)
    with EventStore.open(settings.store()) as store:
        made = [enrol(CLOCK, ENTROPY, f"Player {n}", f"p{n}@example.org") for n in range(people)]
        for one in made:
            store.write_now(*one.statements)
    return Cups(folder, {one.account.name: one.api_token for one in made})


# --- over HTTP


async def asked(client: Client, path: str, token: str, body: Any = None, key: str = "") -> Any:
    """What a request is answered.

    Raises: Fault if it is refused; OSError once the server is gone
    """
    content = msgspec.json.encode(body) if body is not None else b""
    answer = await client.ask("POST" if content else "GET", path, content, token, key)
    if answer.status not in (200, 201):
        raise Fault(f"{path}: {answer.status} {answer.content!r}")
    return answer.content


async def open_cup(port: int, cups: Cups, bots: int, rounds: int) -> None:
    """Open a cup, enter everybody, begin."""
    organiser, *_ = cups.tokens.values()
    async with await Client.at(port) as client:
        opened = msgspec.json.decode(
            await asked(client, CAMPAIGNS, organiser, {"toml": CUP.format(rounds=rounds)}, f"cup {len(cups.ids)}")
        )
        cup = opened["campaign"]
        for token in cups.tokens.values():
            await asked(client, f"{CAMPAIGNS}/{cup}/entrants", token, {"phrase": PHRASE})
        for _ in range(bots):
            await asked(client, f"{CAMPAIGNS}/{cup}/entrants", organiser, {"bot": "random"})
        await asked(client, f"{CAMPAIGNS}/{cup}/orders", organiser, {"orders": "begin"}, f"begin {cup}")
    cups.ids.append(cup)


async def give_up(port: int, cups: Cups) -> None:
    """Give up each battle of a person as soon as it has begun, until the cup has ended or the server is gone."""
    cup = cups.ids[-1]
    with suppress(OSError):
        async with await Client.at(port) as client:
            while cup not in cups.ended:
                await _give_up(client, cups, cup)
                await asyncio.sleep(LOOK_S)


async def _give_up(client: Client, cups: Cups, cup: str) -> None:
    for token in cups.tokens.values():
        view = msgspec.json.decode(await asked(client, f"{CAMPAIGNS}/{cup}", token))
        if view["status"] == "ended":
            cups.ended.add(cup)
            return
        path = f"{CAMPAIGNS}/{cup}/fixtures?round={view['round']}"
        (here,) = msgspec.json.decode(await asked(client, path, token))["rounds"]
        for board in here["boards"]:
            mine = view["entrant"] in (board["south"], board["north"])
            if mine and board["status"] == "running" and board["battle"] not in cups.given_up:
                await _resign(client, cups, board["battle"], token)


async def _resign(client: Client, cups: Cups, battle: str, token: str) -> None:
    answer = await client.ask("GET", f"{BATTLES}/{battle}", token=token)
    if answer.status != 200:
        return  # not opened yet
    body = {"orders": "resign", "phrase": PHRASE, "seen": msgspec.json.decode(answer.content)["head"]}
    sent = await client.ask("POST", f"{BATTLES}/{battle}/orders", msgspec.json.encode(body), token, f"r {battle}")
    if sent.status == 200:
        cups.given_up.add(battle)


async def play_for(port: int, cups: Cups, seconds: float) -> None:
    """Let a cup go on for a time."""
    playing = asyncio.ensure_future(give_up(port, cups))
    done, _ = await asyncio.wait([playing], timeout=seconds)
    if not done:
        playing.cancel()
    await asyncio.gather(playing, return_exceptions=not done)


async def files_of(port: int, cups: Cups, cup: str, battles: list[str]) -> tuple[bytes, dict[str, bytes]]:
    """The file of a cup, and those of its battles by id."""
    token, *_ = cups.tokens.values()
    async with await Client.at(port) as client:
        file = await asked(client, f"{CAMPAIGNS}/{cup}/export", token)
        return file, {battle: await asked(client, f"{BATTLES}/{battle}/export", token) for battle in battles}


# --- what must hold


def check(cups: Cups, whole: bool) -> dict[str, int]:
    """Look at the store of a server that is gone; returns what was counted. `whole`: all cups have ended.

    Raises: Fault
    """
    found = Counter[str]()
    with EventStore.open(Settings.at(cups.folder).store()) as store:
        opened = [_board_of(store, stored.battle) for stored in store.battles()]
        for cup in cups.ids:
            found += _checked(store, cup, [(board, battle) for of, board, battle in opened if of == cup], whole)
    return dict(found)


def _board_of(store: EventStore, battle: str) -> tuple[str, str, str]:
    """The campaign, the board and the id of a battle."""
    named = msgspec.json.decode(store.lines(battle, 0, 1)[0])["data"].get("campaign", {"id": "", "board": ""})
    return named["id"], named["board"], battle


def _checked(store: EventStore, cup: str, opened: list[tuple[str, str]], whole: bool) -> Counter[str]:
    events = [record.decode(line, CAMPAIGN_EVENTS).event for _, _, line in campaigns.lines(store, cup)]
    set_up = [(event.board, event.battle) for event in events if isinstance(event, BattleSet)]
    counted = Counter(event.board for event in events if isinstance(event, ResultCounted))
    if not whole and not {*opened} <= {*set_up}:
        raise Fault(f"{cup}: battles of no board: {sorted({*opened} - {*set_up})}")
    twice = [name for names in (opened, set_up) for name, count in Counter(b for b, _ in names).items() if count > 1]
    if twice or max(counted.values(), default=0) > 1:
        raise Fault(f"{cup}: there twice: {twice}, counted twice: {counted.most_common(1)}")
    if whole and sorted(opened) != sorted(set_up):
        raise Fault(f"{cup}: {len(set_up)} battles set, {len(opened)} there")
    if whole and {*counted} != {board for board, _ in set_up}:
        raise Fault(f"{cup}: not counted: {sorted({board for board, _ in set_up} - {*counted})}")
    letters = require_letters(store, cup, events)
    return Counter({"battles": len(set_up), "counted": counted.total(), "letters": letters, "events": len(events)})


def require_letters(store: EventStore, cup: str, events: list[Any]) -> int:
    """Whom an event concerns has exactly one letter about it; returns how many letters there are.

    Raises: Fault
    """
    rows = store.rows("SELECT recipient, kind FROM outbox WHERE kind LIKE ?", (f"campaign:{cup}.%",))
    told = Counter((str(player), n) for player, kind in rows for n in _span(str(kind)))
    for (player, n), count in told.items():
        if count > 1:
            raise Fault(f"{cup}: {player} has {count} letters about event {n}")
    for player, n in _concerned(events):
        if (player, n) not in told:
            raise Fault(f"{cup}: {player} has no letter about event {n}")
    return len(rows)


def _span(kind: str) -> range:
    """The events that a letter is about."""
    _, first, last = kind.split(".")
    return range(int(first), int(last) + 1)


def _concerned(events: list[Any]) -> Iterator[tuple[str, int]]:
    state = START
    for n, event in enumerate(events, 1):
        state = evolve(state, event)
        for name in entrants_of(event, state):
            entrant = state.entrants.get(name)
            if entrant is not None and entrant.kind == PERSON:
                yield entrant.player, n


def wait_for_letters(cups: Cups, most_s: float = 60.0) -> None:
    """Wait until every letter is handed over.

    Raises: Fault if one is not for so long
    """
    end = time.monotonic() + most_s
    while time.monotonic() < end:
        with EventStore.open(Settings.at(cups.folder).store()) as store:
            if not store.rows("SELECT 1 FROM outbox WHERE sent_at IS NULL LIMIT 1"):
                return
        time.sleep(LOOK_S)
    raise Fault("letters were not handed over")


def require_mails(cups: Cups) -> tuple[int, int]:
    """Different mails that were handed over, and how often one was so again, under the same Message-ID."""
    box = mailbox.Maildir(Settings.at(cups.folder).maildir / "out", create=False)
    ids = Counter(str(message["Message-ID"]) for message in box)
    return len(ids), ids.total() - len(ids)


def require_verified(port: int, cups: Cups) -> None:
    """Each cup verifies with the files of its battles, as the server gives them out.

    Raises: Fault
    """
    with EventStore.open(Settings.at(cups.folder).store()) as store:
        battles = {
            cup: [battle for stored in store.battles() if (battle := stored.battle) and _is_of(store, battle, cup)]
            for cup in cups.ids
        }
    for cup, names in battles.items():
        file, files = run_loop(files_of(port, cups, cup, names))
        report = verify_campaign(file, find=files.get)
        if report.exit != OK:
            raise Fault(f"{cup}: {report.exit}, {report.fault}")


def _is_of(store: EventStore, battle: str, cup: str) -> bool:
    return _board_of(store, battle)[0] == cup


# --- the course


def run(
    folder: Path, kills: int, seed: int, bots: int = 60, people: int = 4, longest_s: float = 1.5, rounds: int = 6
) -> dict[str, int]:
    """Kill a server `kills` times; returns what was counted.

    Raises: Fault
    """
    pick, cups = random.Random(seed), new_folder(folder, people)
    with serving(started(cups)) as server:
        run_loop(open_cup(server.port, cups, bots, rounds))
        server.end(signal.SIGKILL)
    for _ in range(kills):
        server = started(cups)
        try:
            if pick.random() < 0.2:  # in the middle of its start
                time.sleep(pick.uniform(0.0, longest_s))
            else:
                _goes_on(server, cups, bots, rounds, pick.uniform(0.0, longest_s))
        finally:
            server.end(signal.SIGKILL)
        check(cups, whole=False)
    with serving(started(cups)) as server:
        run_loop(give_up(server.port, cups))
        require_verified(server.port, cups)
        wait_for_letters(cups)
    found = check(cups, whole=True)
    mails, again = require_mails(cups)
    return {"kills": kills, "cups": len(cups.ids), **found, "mails": mails, "handed over again": again}


def started(cups: Cups) -> Server:
    """The server, which sends its letters into the data folder."""
    return Server.of(cups.folder, "--unlimited", "--mail")


def _goes_on(server: Server, cups: Cups, bots: int, rounds: int, seconds: float) -> None:
    if cups.ids[-1] in cups.ended:
        run_loop(open_cup(server.port, cups, bots, rounds))
    run_loop(play_for(server.port, cups, seconds))


def main() -> int:
    """Parse, run, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=None, help="of the moments; drawn and printed if not given")
    parser.add_argument("--bots", type=int, default=60)
    parser.add_argument("--people", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--longest", type=float, default=6.0, help="seconds before a server is killed")
    given = parser.parse_args()
    seed = random.randrange(2**32) if given.seed is None else given.seed
    with tempfile.TemporaryDirectory(prefix="phalera-kills-") as folder:
        try:
            seen = run(Path(folder), given.kills, seed, given.bots, given.people, given.longest, given.rounds)
        except Fault as fault:
            print(f"FAULT (seed {seed}): {fault}")
            return 1
    print(f"seed {seed}: " + ", ".join(f"{count} {what}" for what, count in seen.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
