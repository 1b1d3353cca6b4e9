"""The answers that docs/http.md shows are those of a server."""

import json
import re
from pathlib import Path
from typing import Any

from msgspec.structs import astuple

from server.limits import Invitations
from server.web.problems import status_of
from server.web.routes import API
from tests.support.looping import some
from tests.support.serving import BATTLES, PHRASE, Reply, RunningServer
from tests.support.waiting import eventually

PAGE = Path(__file__).parents[3] / "docs" / "http.md"
SHOWN = re.compile(r"^(`[A-Z]+ /|The same).*?: (\d{3})[^\n]*\n\n```json\n(.*?)\n```", re.M | re.S)
CURL = re.compile(r"^curl (?:-H [^\n]*? )?\$A(\S*)(?: +\\\n)?(?: +--json '(.*?)')?", re.M | re.S)
"""A command of the page: what follows the address of battles, and what is sent."""
REFUSAL = re.compile(r"\b([45]\d\d),?\s\(?((?:`core\.[a-z-]+`(?:, )?)+)")
CODE = re.compile(r"`(core\.[a-z-]+)`")
REST = "…"
"""In a shown answer: what was left out of a text, a list or an object."""


def like(shown: Any, real: Any) -> bool:
    """Whether an answer is what is shown of it."""
    if isinstance(shown, str) and REST in shown:
        return isinstance(real, str)
    if isinstance(shown, dict) and isinstance(real, dict):
        named = shown.keys() - {REST}
        whole = REST in shown or named == real.keys()
        return whole and named <= real.keys() and all(like(shown[name], real[name]) for name in named)
    if isinstance(shown, list) and isinstance(real, list):
        if shown[-1:] == [REST]:
            shown, real = shown[:-1], real[: len(shown) - 1]
        return len(shown) == len(real) and all(like(one, other) for one, other in zip(shown, real, strict=True))
    return type(shown) is type(real) and bool(shown == real)


async def conversation(server: RunningServer) -> list[Reply]:
    """What the page tells, in its order."""
    anna, bob = await server.player("Anna"), await server.player("Bob")
    answers = [await anna.post(BATTLES, {"scenario": "skirmish"})]
    battle = answers[0].json["battle"]
    await anna.sit(battle, "south", phrase=PHRASE)
    await bob.sit(battle, "north", phrase=PHRASE)
    answers += [await anna.get(f"{BATTLES}{rest}") for rest in ("?mine", f"/{battle}", f"/{battle}/options")]
    answers += [await anna.order(battle, orders) for orders in ("R1 ahead\nR1 fly", "R1 ahead")]
    return [*answers, await anna.get("/healthz")]


async def test_the_answers_of_the_page_are_the_server_s(server: RunningServer) -> None:
    shown = some(SHOWN.findall(PAGE.read_text(encoding="utf-8")))
    answers = await conversation(server)
    assert len(shown) == len(answers) == PAGE.read_text(encoding="utf-8").count("```json")
    for (head, status, text), answer in zip(shown, answers, strict=True):
        assert answer.status == int(status), head
        assert like(json.loads(text), answer.json), f"{head}\n{text}\n{answer.text}"


async def test_the_requests_of_the_page_are_granted(server: RunningServer) -> None:
    """The commands of `curl`, in their order; the page shows of `seen` what it looks like."""
    anna, battle = await server.player("Anna"), ""

    async def south_acts() -> bool:
        return bool((await anna.view(battle))["to_act"] == ["south"])

    asked = some(CURL.findall(PAGE.read_text(encoding="utf-8")))
    for rest, body in asked:
        path = f"{BATTLES}{rest.replace('$ID', battle)}"
        if rest.endswith("/options"):
            await eventually("the bot has answered, and the south is to act", south_acts)
        said = json.loads(re.sub(r"\s*\n\s*", " ", body)) if body else None
        if said and "seen" in said:
            said["seen"] = await anna.head(battle)
        if said and "expect" in said:
            said["expect"] = said["seen"]["n"]
        reply = await (anna.post(path, said) if said else anna.get(path))
        assert reply.status in (200, 201), f"{path} {body}\n{reply.text}"
        battle = battle or reply.json["battle"]
    assert len(asked) > 6 and (await anna.view(battle))["n"] > 8


async def test_the_stream_sends_what_the_page_shows(server: RunningServer) -> None:
    (shown,) = re.findall(r"^data: (\{.*\})$", PAGE.read_text(encoding="utf-8"), re.M)
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    async with server.client.get("/api/v1/account/stream?after=0", headers=anna.headers) as response:
        assert (await response.content.readuntil(b"\n\n")).startswith(b":")
        id_, data = (await response.content.readuntil(b"\n\n")).decode().split("\n")[:2]
    assert re.fullmatch(r"id: \d+", id_)
    real = json.loads(data.removeprefix("data: "))
    wanted = json.loads(shown.replace("{…}", "{}").replace(",…", ""))
    assert (wanted.keys(), set(wanted["event"])) == (real.keys(), set(wanted["event"]) & set(real["event"]))
    assert real["battle"] == battle


def test_each_refusal_of_the_page_has_the_status_that_stands_with_it() -> None:
    found = some(REFUSAL.findall(PAGE.read_text(encoding="utf-8")))
    wrong = [
        (status, code) for status, codes in found for code in CODE.findall(codes) if status_of(code) != int(status)
    ]
    assert wrong == [] and len(found) > 15


def test_each_address_is_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for route in some(API):
        last = [part for part in route.path.split("/") if part and not part.startswith("{")][-1]
        assert f"/{last}" in text, f"docs/http.md does not name {route.method} {route.path}"


def test_another_answer_is_noticed() -> None:
    assert like({"a": "…", "b": ["x", "…"], "…": "…"}, {"a": "long", "b": ["x", "y"], "c": 1})
    for other in ({"a": 1, "b": ["x"]}, {"a": "", "b": ["y"]}, {"a": ""}):
        assert not like({"a": "…", "b": ["x", "…"], "…": "…"}, other)
    assert not like({"a": 1}, {"a": 1, "b": 2})
    assert not like([1, 2], [1])
    assert not like(1, True)


def test_the_figures_of_invitations_are_those_of_a_server_that_nobody_has_set() -> None:
    words = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 100: "a hundred"}
    player, mailbox, server = (words[figure] for figure in astuple(Invitations()))
    told = f"An account may send {player} invitations a day, an address gets {mailbox}, and the server sends {server}"
    assert told in " ".join(PAGE.read_text().split())
