"""Make a data folder as a release would leave it: its own `phalera`, its own server, played over HTTP.

Only the addresses of the API are used that every release has had, so one maker serves all of them.
"""

import json
import os
import subprocess
import sys
import sysconfig
import time
import tomllib
import urllib.error
import urllib.request
import venv
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.support.waiting import LIMIT_S

ASKING = (Path(__file__).parent / "asking.toml").read_text(encoding="utf-8")
"""A charge that asks the other side whether it evades."""
HIDING = (Path(__file__).parents[1] / "support" / "phases.toml").read_text(encoding="utf-8")
"""Hands of stratagems, which are sealed."""
CHARGE = "R1 charge D3\nR2 ahead\nR3 ahead"
PHRASE = "sixteen bytes of my own"
BATTLES = "/api/v1/battles"
TRIES = 12


class NotMade(Exception):
    """A release that did not do what it should have."""


class Caller:
    """A player of a server, with a token."""

    def __init__(self, address: str, token: str) -> None:
        self.address, self.token = address, token

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """A request: its status, and what came as JSON, or as bytes."""
        content = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.address + path, content, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=LIMIT_S) as answer:
                status, raw = answer.status, answer.read()
        except urllib.error.HTTPError as refused:
            status, raw = refused.code, refused.read()
        try:
            return status, json.loads(raw)
        except ValueError:
            return status, raw

    def get(self, path: str) -> Any:
        """What stands at an address.

        Raises: NotMade
        """
        return self._good(200, *self.ask("GET", path))

    def post(self, path: str, body: Any, status: int = 200) -> Any:
        """What is answered to a message.

        Raises: NotMade
        """
        return self._good(status, *self.ask("POST", path, body))

    def order(self, battle: str, orders: str) -> tuple[int, Any]:
        """Give orders."""
        return self.ask("POST", f"{BATTLES}/{battle}/orders", {"orders": orders, **self.given(battle)})

    def given(self, battle: str) -> dict[str, Any]:
        """A phrase, and the head that is answered, where the release asks for one (protocol PBEM-2)."""
        view = self.get(f"{BATTLES}/{battle}")
        return {"phrase": PHRASE, "seen": view["head"]} if "head" in view else {"phrase": PHRASE}

    @staticmethod
    def _good(expected: int, status: int, answer: Any) -> Any:
        if status != expected:
            raise NotMade(f"{status} instead of {expected}: {answer!r}")
        return answer


class Release:
    """The tree of a release, and a data folder that it writes. An environment is made beside that: the tree, and the
    packages of this one without the tree that is installed here. `options` are of its `serve`."""

    def __init__(self, tree: Path, data: Path, options: tuple[str, ...] = ()) -> None:
        self.tree, self.data, self.options = tree, data, options
        entry = tomllib.loads((tree / "pyproject.toml").read_text())["project"]["scripts"]["phalera"]
        module, _, function = entry.partition(":")
        environment = data.parent / "environment"
        venv.create(environment, with_pip=False, symlinks=True)
        packages = Path(sysconfig.get_path("purelib"))
        own = packages.relative_to(sys.prefix)
        (environment / own / "release.pth").write_text(f"{tree}\n{packages}\n")
        python = environment / "bin" / "python"
        self._run = [str(python), "-P", "-c", f"import sys; from {module} import {function}; sys.exit({function}())"]

    def phalera(self, *words: str) -> str:
        """What a command of the release prints.

        Raises: NotMade
        """
        done = subprocess.run(
            [*self._run, *words],
            env=self._environment,
            cwd=self.data.parent,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise NotMade(f"phalera {' '.join(words)}: {done.stdout}{done.stderr}")
        return done.stdout

    @contextmanager
    def serving(self) -> Iterator[str]:
        """The release's own server; gives its address."""
        with subprocess.Popen(
            [*self._run, "serve", "--port", "0", *self.options],
            env=self._environment,
            cwd=self.data.parent,  # where no tree is: some releases start processes that look here first
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                yield self._address(process)
            finally:
                process.terminate()
                process.wait()

    @property
    def _environment(self) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.data.parent),
            "PYTHONUNBUFFERED": "1",
            "PHALERA_DATA": str(self.data),
        }

    @staticmethod
    def _address(process: "subprocess.Popen[str]") -> str:
        assert process.stdout is not None
        for line in process.stdout:
            for word in line.split():
                if word.startswith("http://"):
                    return word.rstrip(".,/").partition("?")[0].partition("/setup")[0]
        raise NotMade("the server did not start")


def make(release: Release) -> dict[str, str]:
    """Play on a release until its folder has all that is kept; the battles by what they are for."""
    anna_token, ben_token = (_token(release, name) for name in ("Anna", "Ben"))
    with release.serving() as address:
        anna, ben = Caller(address, anna_token), Caller(address, ben_token)
        made = {"ended": ended(anna, ben), "waiting": waiting(anna, ben), "hidden": hidden(anna, ben)}
        with suppress(NotMade):  # the first releases have one game
            made["dice"] = dice(anna, ben)
    return made


def exports(release: Release, battles: dict[str, str]) -> dict[str, bytes]:
    """The battle file of each, as the release writes it."""
    files = {}
    for name, battle in battles.items():
        file = release.data.parent / f"{name}.battle"
        release.phalera("export", battle, "--out", str(file))
        files[name] = file.read_bytes()
    return files


def ended(anna: Caller, ben: Caller) -> str:
    """A battle with a standing order, which was sealed until the end."""
    battle = _opened(anna, ben, {"scenario_toml": ASKING})
    anna.order(battle, "standing evade R2 never")
    anna.order(battle, "R3 ahead\nR2 ahead")
    anna.order(battle, "resign")
    if anna.get(f"{BATTLES}/{battle}")["winner"] != "north":
        raise NotMade("the battle goes on")
    return battle


def waiting(anna: Caller, ben: Caller) -> str:
    """A battle that waits for a decision: a sealed standing order, and the rest of a script parked."""
    for _ in range(TRIES):
        battle = _opened(anna, ben, {"scenario_toml": ASKING})
        anna.order(battle, "standing evade R2 never")
        status, answer = anna.order(battle, CHARGE)
        if status == 200 and "parked" in [line["status"] for line in answer["lines"]]:
            return battle
        anna.order(battle, "resign")
    raise NotMade("no charge came so far as to ask")


def hidden(anna: Caller, ben: Caller) -> str:
    """A battle before its turns, each player with a hand that nobody else knows."""
    battle = _opened(anna, ben, {"scenario_toml": HIDING})
    _play_on(anna, ben, battle, 8)
    return battle


def dice(anna: Caller, ben: Caller) -> str:
    """A battle of another game, with dice.

    Raises: NotMade where there is none
    """
    battle = _opened(anna, ben, {"ruleset": "singidunum", "scenario": _first_scenario(anna, "singidunum")})
    _play_on(anna, ben, battle, 8)
    return battle


def _token(release: Release, name: str) -> str:
    printed = release.phalera("player", "add", name, f"{name.lower()}@example.org")
    words = [word for word in printed.split() if len(word) >= 30 and "/" not in word]
    if not words:
        raise NotMade(printed)
    return words[0]


def _first_scenario(caller: Caller, ruleset: str) -> str:
    listed = caller.get("/api/v1/scenarios")["scenarios"]
    for scenario in listed:
        if scenario.get("ruleset") == ruleset:
            return str(scenario.get("key") or scenario.get("name") or scenario.get("scenario"))
    raise NotMade(f"no scenario of {ruleset}")


def _opened(anna: Caller, ben: Caller, terms: dict[str, str]) -> str:
    battle = str(anna.post(BATTLES, {"ruleset": "tts", **terms}, 201)["battle"])
    anna.post(f"{BATTLES}/{battle}/sides/south", anna.given(battle), 201)
    ben.post(f"{BATTLES}/{battle}/sides/north", ben.given(battle), 201)
    return battle


def _play_on(anna: Caller, ben: Caller, battle: str, orders: int) -> None:
    """Give what the server proposes first, so many times."""
    given = 0
    for _ in range(4 * orders):
        view = anna.get(f"{BATTLES}/{battle}")
        side = view["to_act"][0]
        caller = anna if side == "south" else ben
        for option in caller.get(f"{BATTLES}/{battle}/options?side={side}")["options"]:
            status, _ = caller.order(battle, option["order"])
            if status == 200:
                given += 1
                break
        else:
            raise NotMade(f"{side} has no order that is taken")
        if given == orders:
            return
        time.sleep(0.01)
    raise NotMade("the battle does not go on")
