"""The answers that docs/http.md shows are those of a server."""

import json
import re
from pathlib import Path
from typing import Any

from tests.support.looping import some
from tests.support.serving import BATTLES, PHRASE, Reply, RunningServer

PAGE = Path(__file__).parents[2] / "docs" / "http.md"
SHOWN = re.compile(r"^(`[A-Z]+ /|The same).*?: (\d{3})[^\n]*\n\n```json\n(.*?)\n```", re.M | re.S)
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


def test_another_answer_is_noticed() -> None:
    assert like({"a": "…", "b": ["x", "…"], "…": "…"}, {"a": "long", "b": ["x", "y"], "c": 1})
    for other in ({"a": 1, "b": ["x"]}, {"a": "", "b": ["y"]}, {"a": ""}):
        assert not like({"a": "…", "b": ["x", "…"], "…": "…"}, other)
    assert not like({"a": 1}, {"a": 1, "b": 2})
    assert not like([1, 2], [1])
    assert not like(1, True)
