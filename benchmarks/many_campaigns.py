"""What a store with very many campaigns costs: memory and time of a start, and a list of them.

    python -m benchmarks.many_campaigns [--campaigns 10000]

A cup with eight bots that wait for its beginning is opened over HTTP, and its rows are copied under other ids until
there are enough. A server in a process of its own is started on stores of 1, a tenth and all of them: the time until it
answers `/healthz`, its memory five seconds later, and a list of fifty, over the API and as a page, the median of eleven
from the first request on. The base is the store with one.
"""

import argparse
import json
import shutil
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Any
from urllib.request import Request, urlopen

from benchmarks.loopback import Server, enrolled, serving
from server.settings import Settings, make_folder
from server.store import EventStore

ASKED, BOTS, REST_S = 11, 8, 5
LETTERS = "abcdefghijklmnopqrstuvwxyz"
CUP = """
campaign = "cup"
title = "Cup"
ruleset = "tts"
[cup]
system = "swiss"
rounds = 4
[battle]
scenario = "skirmish"
"""
COPIED = (
    ("campaigns", "header, created, readers"),
    ("campaign_events", "n, type, hash, line"),
    ("campaign_players", "player"),
    ("campaign_list", "title, kind, ruleset, status, round, entrants"),
    ("campaign_dues", "due"),
)


def main() -> None:
    """Print a row for each store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--campaigns", type=int, default=10_000)
    most = parser.parse_args().campaigns
    with tempfile.TemporaryDirectory() as folder:
        one = Path(folder) / "one"
        campaign, token = _opened(one)
        print("campaigns   start s   memory MB   API list ms   page ms   one more opened ms")
        for count in (1, most // 10, most):
            many = Path(folder) / str(count)
            shutil.copytree(one, many)
            _copy(many / "log.db", campaign, count)
            print(f"{count:>9,}   {'   '.join(_measured(many, token))}")


def _opened(folder: Path) -> tuple[str, str]:
    """A data folder with a cup in it; its id, and the token of its organiser."""
    settings = Settings.at(folder, {})
    make_folder(settings)
    with EventStore.open(settings.store()) as store:
        token = enrolled(store, "Anna")["Anna"][1]
    with serving(Server.of(folder)) as server:
        campaign = str(_asked(server, "/api/v1/campaigns", token, {"toml": CUP})["campaign"])
        for _ in range(BOTS):
            _asked(server, f"/api/v1/campaigns/{campaign}/entrants", token, {"bot": "easy"})
    return campaign, token


def _asked(server: Server, path: str, token: str, body: Any = None) -> Any:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    content = None if body is None else json.dumps(body).encode()
    with urlopen(Request(f"http://127.0.0.1:{server.port}{path}", content, headers)) as answer:
        read = answer.read()
    return json.loads(read) if read[:1] == b"{" else read


def _copy(file: Path, campaign: str, count: int) -> None:
    """Copy the rows of a campaign under other ids until there are `count`."""
    with closing(sqlite3.connect(file)) as db, db:
        for number in range(1, count):
            name = "".join(LETTERS[number // 26**place % 26] for place in range(len(campaign)))
            for table, columns in COPIED:
                if table == "campaigns":
                    db.execute(
                        f"INSERT INTO campaigns (campaign, {columns}) SELECT ?, CAST(replace(CAST(header AS TEXT), "
                        "?, ?) AS BLOB), created, readers FROM campaigns WHERE campaign=?",
                        (name, campaign, name, campaign),
                    )
                else:
                    db.execute(
                        f"INSERT INTO {table} (campaign, {columns}) SELECT ?, {columns} FROM {table} WHERE campaign=?",
                        (name, campaign),
                    )
            db.execute(
                "INSERT INTO vault SELECT ?, n, kind, seat, salt, content FROM vault WHERE battle=?", (name, campaign)
            )


def _measured(folder: Path, token: str) -> list[str]:
    begun = time.perf_counter()
    with serving(Server.of(folder)) as server:
        _asked(server, "/healthz", token)
        start = time.perf_counter() - begun
        time.sleep(REST_S)
        memory = server.memory_mb()
        listed = _median_ms(server, "/api/v1/campaigns", token)
        page = _median_ms(server, "/campaigns", token)
        opened = time.perf_counter()
        _asked(server, "/api/v1/campaigns", token, {"toml": CUP})
        more = (time.perf_counter() - opened) * 1000
    return [f"{start:7.2f}", f"{memory:9.1f}", f"{listed:11.1f}", f"{page:7.1f}", f"{more:18.1f}"]


def _median_ms(server: Server, path: str, token: str) -> float:
    taken = []
    for _ in range(ASKED):
        begun = time.perf_counter()
        _asked(server, path, token)
        taken.append((time.perf_counter() - begun) * 1000)
    return median(taken)


if __name__ == "__main__":
    main()
