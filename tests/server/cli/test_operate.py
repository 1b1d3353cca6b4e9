"""The commands with which a host bans networks and looks what was done."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from server.cli.main import main
from tests.support.serving import serving


@pytest.fixture
async def data(tmp_path: Path) -> Path:
    """A data folder with Anna, who administers, and Bob."""
    async with serving(tmp_path) as server:
        await server.player("Anna")
        await server.player("Bob")
    return tmp_path


def phalera(data: Path, *words: str) -> Any:
    return CliRunner().invoke(main, [*words, "--data", str(data)])


def listed(data: Path, *words: str) -> list[dict[str, Any]]:
    return list(json.loads(phalera(data, *words, "--json").stdout))


def test_a_network_is_banned_listed_and_lifted(data: Path) -> None:
    said = phalera(data, "ban", "203.0.113.9/24", "--for", "7d", "--reason", "spam")
    assert said.stdout.startswith("Nobody from 203.0.113.0/24 is answered until 2"), said.output
    assert phalera(data, "ban", "add", "2001:db8::/48").exit_code == 0
    banned = listed(data, "ban", "list")
    assert sorted(one["network"] for one in banned) == ["2001:db8::/48", "203.0.113.0/24"]
    assert "spam" in phalera(data, "ban", "list").stdout
    assert "answered again" in phalera(data, "ban", "lift", "203.0.113.0/24").stdout
    assert [one["network"] for one in listed(data, "ban", "list")] == ["2001:db8::/48"]
    again = phalera(data, "ban", "lift", "203.0.113.0/24")
    assert (again.exit_code, again.stderr) == (1, "phalera: 203.0.113.0/24 is not banned. [CORE-ACCESS]\n")


@pytest.mark.parametrize("network", ["127.0.0.1", "::1", "0.0.0.0/0", "nowhere"])
def test_what_may_not_be_banned_is_said_in_a_sentence(data: Path, network: str) -> None:
    said = phalera(data, "ban", network)
    assert (said.exit_code, said.stderr.count("\n")) == (1, 1)
    assert listed(data, "ban", "list") == []


@pytest.mark.slow
async def test_every_deed_of_the_host_is_in_the_log_of_moderation(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        anna, bob = await server.player("Anna"), await server.player("Bob")
        battle = await server.battle(anna, bob)
        other = await anna.open()
    for words in (
        ("player", "ban", "Bob"),
        ("player", "token", "Bob"),
        ("player", "revoke", "Bob"),
        ("player", "role", "Bob", "administrator"),
        ("player", "role", "Bob", "player"),
        ("player", "remove", "Bob", "--yes"),
        ("battle", "end", battle),
        ("battle", "rm", other, "--yes"),
        ("ban", "203.0.113.7", "--reason", "spam"),
        ("ban", "lift", "203.0.113.7"),
    ):
        assert phalera(tmp_path, *words).exit_code == 0, words
    done = [(one["deed"], one["about"]) for one in reversed(listed(tmp_path, "deeds"))]
    ban = done[-1][1]
    of_bob = ("ban", "let-in", "token", "revoke", "promote", "demote", "remove")
    rest = [("end", battle), ("rm", other), ("ban-network", ban), ("lift-network", ban)]
    assert done == [*((deed, bob.player) for deed in of_bob), *rest]
    assert {one["actor"] for one in listed(tmp_path, "deeds")} == {""}
    assert [one["why"] for one in listed(tmp_path, "deeds", ban)] == ["", "spam"]
    assert "203.0.113" not in phalera(tmp_path, "deeds").stdout
    refused = phalera(tmp_path, "player", "ban", "Nobody")
    assert (refused.exit_code, len(listed(tmp_path, "deeds"))) == (1, 11)


async def test_the_bots_of_a_player_are_listed_as_theirs_and_removed_with_them(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        bob = await server.player("Bob")
        assert (await bob.post("/api/v1/account/bots", {"name": "Engine"})).status == 201
    assert "bot of Bob" in phalera(tmp_path, "player", "list").stdout
    assert phalera(tmp_path, "player", "remove", "Bob", "--yes").exit_code == 0
    assert "Engine" not in phalera(tmp_path, "player", "list").stdout
