"""The log names clients and accounts by tags: the same one for the same, and no address, name or id."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from replay.proof.notes import Signer
from server.cli.main import main
from server.people.keys import read_keys
from server.people.tags import Tags
from tests.support.clock import ManualClock
from tests.support.serving import serving

SIGNER, OTHER = Signer("localhost", bytes(32)), Signer("localhost", bytes(31) + b"1")


def test_a_tag_is_the_same_within_a_month_and_another_one_afterwards() -> None:
    clock = ManualClock("2026-11-23T00:00:00.000Z")
    tags = Tags(SIGNER, clock)
    first = tags.client("192.0.2.7")
    clock.wait(days=7)
    assert tags.client("192.0.2.7") == first
    clock.wait(days=1)
    assert tags.client("192.0.2.7") != first


def test_a_tag_hangs_on_the_kind_the_name_and_the_key_of_the_host() -> None:
    clock = ManualClock()
    tags = Tags(SIGNER, clock)
    made = {tags.client("a"), tags.account("a"), tags.client("b"), Tags(OTHER, clock).client("a")}
    assert len(made) == 4
    assert (tags.client(""), tags.account("")) == ("", "")


async def test_the_command_says_under_which_tags_clients_and_players_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = ManualClock()
    monkeypatch.setattr("server.clock.SystemClock", lambda: clock)
    async with serving(tmp_path) as server:
        anna = await server.player("Anna")
        settings = server.running.settings
    asked = ["tag", "2001:db8::7", "Anna", "--data", str(tmp_path), "--json"]
    told = json.loads(CliRunner().invoke(main, asked).stdout)
    assert [row["of"] for row in told] == ["2001:db8::7", "Anna"]
    tags = Tags(read_keys(settings).oldest, clock)
    assert [row["tag"] for row in told] == [tags.client("2001:db8::/64"), tags.account(anna.player)]
    unknown = CliRunner().invoke(main, ["tag", "Nobody", "--data", str(tmp_path)])
    assert (unknown.exit_code, "Nobody" in unknown.stderr) == (1, True)
