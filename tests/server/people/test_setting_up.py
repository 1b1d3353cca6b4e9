"""The first administrator is made by a code, and by nothing else."""

import asyncio
import re
from pathlib import Path

import pytest

from domain.basics.errors import Refusal
from server.people import moderation, setting_up
from server.store import EventStore, Unmatched
from server.store.tables import accounts, set_up
from server.store.tables.accounts import Account
from tests.support.clock import ManualClock
from tests.support.entropy import entropy_of_test

NOW = ManualClock().now()


@pytest.fixture
def store(tmp_path: Path):
    """A store with two accounts."""
    with EventStore.open(tmp_path / "log.db") as opened:
        for name in ("Anna", "Bob"):
            opened.write_now(accounts.add(Account(f"p{name}", name, f"{name}@example.org", NOW)))
        yield opened


def code_of(store: EventStore) -> str:
    """A new code, which counts."""
    code = setting_up.new_code(entropy_of_test())
    store.write_now(*setting_up.renewed(code, NOW))
    return code


def administrators(store: EventStore) -> list[str]:
    return [account.player for account in accounts.listed(store) if account.administers]


def test_who_enters_the_code_administers(store: EventStore) -> None:
    code = code_of(store)
    assert re.fullmatch(r"([A-Z2-7]{4}-){3}[A-Z2-7]{4}", code)
    store.write_now(*setting_up.claimed(store, "pBob", f" {code.replace('-', ' ').lower()} "))
    assert administrators(store) == ["pBob"] and not setting_up.is_wanted(store)


def test_the_store_holds_no_code(store: EventStore) -> None:
    code = code_of(store)
    kept = repr(store.rows("SELECT * FROM set_up"))
    assert code not in kept and code.replace("-", "") not in kept


def test_a_wrong_code_and_one_that_was_renewed_are_refused(store: EventStore) -> None:
    with pytest.raises(Refusal, match=r"core\.wrong-code"):  # there is none at all
        setting_up.claimed(store, "pAnna", "")
    first = code_of(store)
    store.write_now(*setting_up.renewed("ABCD-EFGH-IJKL-MNOP", NOW))
    for wrong in ("", "x" * 10_000, first, "ABCD-EFGH-IJKL-MNOQ"):
        with pytest.raises(Refusal, match=r"core\.wrong-code"):
            setting_up.claimed(store, "pAnna", wrong)
    assert administrators(store) == []


def test_a_code_works_once_and_not_beside_an_administrator(store: EventStore) -> None:
    code = code_of(store)
    planned = setting_up.claimed(store, "pBob", code)
    store.write_now(*setting_up.claimed(store, "pAnna", code))
    with pytest.raises(Unmatched):  # planned before it was used
        store.write_now(*planned)
    store.write_now(*setting_up.renewed(code, NOW))
    with pytest.raises(Unmatched):
        store.write_now(*setting_up.claimed(store, "pBob", code))
    assert administrators(store) == ["pAnna"]


def test_the_host_who_gives_the_role_ends_the_code(store: EventStore) -> None:
    code_of(store)
    anna = accounts.by_player(store, "pAnna")
    assert anna is not None
    store.write_now(*moderation.promote(anna).statements)
    assert set_up.known(store) == b""


async def test_of_two_who_enter_it_at_once_one_administers(tmp_path: Path, store: EventStore) -> None:
    code = code_of(store)
    with EventStore.open(tmp_path / "log.db") as there:
        planned = [setting_up.claimed(one, player, code) for one, player in ((store, "pAnna"), (there, "pBob"))]
        loop = asyncio.get_running_loop()
        writing = [
            loop.run_in_executor(None, one.write_now, *statements)
            for one, statements in zip((store, there), planned, strict=True)
        ]
        ends = await asyncio.gather(*writing, return_exceptions=True)
    assert sorted(isinstance(end, Unmatched) for end in ends) == [False, True]
    assert len(administrators(store)) == 1


def test_a_banned_account_gets_nothing_by_it(store: EventStore) -> None:
    code = code_of(store)
    store.write_now(accounts.ban("pBob", NOW))
    with pytest.raises(Unmatched):
        store.write_now(*setting_up.claimed(store, "pBob", code))
    assert set_up.known(store)
