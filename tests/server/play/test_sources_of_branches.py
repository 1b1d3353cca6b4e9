"""The battles that a branch goes back to: as far as they are here, each once, and the fewest readers of them count."""

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from domain.events.inputs import Branch
from domain.log.record import FORMAT, OPENED, Header, encode_header
from replay.proof.notes import Signer
from server.play.branching import readers_at_most

HEADER = Header(
    battle="k3jz81aq",
    created="2026-01-01T09:00:00.000Z",
    format=FORMAT,
    host="here.test",
    key=Signer("here.test", bytes(32)).key,
    rules="1.0",
    ruleset="tts",
    version=OPENED,
)


def branch_of(battle: str, host: str = "here.test") -> Branch:
    return Branch(battle, host, 3, "00" * 32, "all")


class Shelf:
    """A store with battles, each with its readers and the battle that it branches from."""

    def __init__(self, battles: dict[str, tuple[str, str]], most: int = 9) -> None:
        self.battles, self.left = battles, most

    def battle(self, battle: str) -> Any:
        self.left -= 1
        assert self.left >= 0, "it goes round in a circle"
        if battle not in self.battles:
            return None
        return SimpleNamespace(battle=battle, header=encode_header(HEADER), readers=self.battles[battle][0])

    def lines(self, battle: str, after: int, limit: int) -> list[bytes]:
        source = self.battles[battle][1]
        branch = {"branch": msgspec.to_builtins(branch_of(source))} if source else {}
        return [msgspec.json.encode({"data": branch})]


@pytest.mark.parametrize(
    ("battles", "readers"),
    [
        ({"a": ("public", "")}, "public"),
        ({"a": ("public", "b"), "b": ("link", "")}, "link"),
        ({"a": ("public", "b"), "b": ("link", "c"), "c": ("players", "")}, "players"),
        ({"a": ("public", "b"), "b": ("link", "elsewhere")}, "link"),
        ({"a": ("link", "b"), "b": ("public", "a")}, "link"),
        ({}, "public"),
    ],
)
def test_no_branch_has_more_readers_than_what_it_goes_back_to(
    battles: dict[str, tuple[str, str]], readers: str
) -> None:
    shelf: Any = Shelf(battles)
    assert readers_at_most(shelf, branch_of("a")) == readers


def test_a_case_and_a_battle_of_another_host_bind_nobody() -> None:
    shelf: Any = Shelf({"": ("players", ""), "a": ("players", "")})
    assert readers_at_most(shelf, branch_of("")) == "public"
    assert readers_at_most(shelf, branch_of("a", "there.test")) == "public"
    assert readers_at_most(shelf, None) == "public"
