"""An invitation that there is not, and a name that several have: refused before anything is done."""

from pathlib import Path

import pytest

from domain.basics.data import demo_scenario, first_scenario
from domain.basics.errors import Refusal
from domain.run.inputs import Phrase
from server.acts.accept import accept, decline
from server.play.disputing import account_named
from server.store.tables import accounts
from server.store.tables.accounts import Account
from tests.support.serving import PHRASE, serving

AT = "2026-11-24T00:00:00.000Z"


async def test_an_invitation_that_is_over_is_neither_accepted_nor_declined(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", mail=True) as server:
        with pytest.raises(Refusal, match=r"core\.invitation-over"):
            await accept(server.running.acts, "no token", Phrase(PHRASE, "api"))
        with pytest.raises(Refusal, match=r"core\.invitation-over"):
            await decline(server.running.acts, "no token")


async def test_an_address_of_several_players_names_none_of_them(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as server:
        store = server.running.store
        for name in ("Anna", "Bob"):
            await store.write(accounts.add(Account(f"p{name}", name, "both@example.org", AT)))
        with pytest.raises(Refusal) as refused:
            account_named(store, "both@example.org")
        assert (refused.value.code, refused.value.params["names"]) == ("core.docket-which-player", ["Anna", "Bob"])
        assert account_named(store, "@Bob").player == "pBob"


def test_a_game_without_scenarios_has_none_for_a_first_battle() -> None:
    for use in (first_scenario, demo_scenario):
        with pytest.raises(Refusal, match=r"core\.no-scenarios"):
            use("chess")
