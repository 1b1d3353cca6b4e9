"""Who administers a server, and what they may do about accounts."""

import pytest

from domain.basics.errors import Refusal
from server.people import moderation
from server.people.moderation import ModerationDeed
from server.people.players import erased
from server.store import EventStore, Unmatched
from server.store.tables import accounts, feeds, tokens
from server.store.tables.accounts import Account
from tests.support.clock import ManualClock

CLOCK = ManualClock()
NOW = CLOCK.now()


def made(store: EventStore, *names: str, guest: bool = False) -> list[str]:
    """Accounts made one after the other; gives their ids."""
    for name in names:
        store.write_now(accounts.add(Account(f"p{name}", name, "" if guest else f"{name}@example.org", NOW)))
    return [f"p{name}" for name in names]


def led(store: EventStore, first: str, *others: str) -> list[str]:
    """Accounts of which the first administers."""
    ids = made(store, first, *others)
    store.write_now(accounts.promote(ids[0]))
    return ids


def administrators(store: EventStore) -> list[str]:
    return [account.name for account in accounts.listed(store) if account.administers]


def account(store: EventStore, player: str) -> Account:
    found = accounts.by_player(store, player)
    assert found is not None
    return found


def code_of(plan, *given) -> str:
    with pytest.raises(Refusal) as refused:
        plan(*given)
    return refused.value.code


# --- nobody by being first


def test_no_account_administers_by_being_first_or_by_an_address(store: EventStore) -> None:
    made(store, "Anna", "Bob")
    (guest,) = made(store, "Gaius", guest=True)
    store.write_now(accounts.move(guest, "gaius@example.org"))
    assert administrators(store) == []


# --- deeds


def test_a_ban_ends_what_lets_a_player_in_and_is_lifted_with_the_address(store: EventStore) -> None:
    _, bob = made(store, "Anna", "Bob")
    store.write_now(tokens.issue("secret", bob, "session", NOW), feeds.issue("feed", bob, NOW))
    store.write_now(*moderation.ban(account(store, bob), NOW).statements)
    assert account(store, bob).banned == NOW
    assert tokens.of_player(store, bob) == []
    assert feeds.player_of(store, "feed") == ""
    assert accounts.by_email(store, "Bob@example.org") == []
    assert code_of(moderation.ban, account(store, bob), NOW) == "core.as-it-is"
    assert code_of(moderation.promote, account(store, bob)) == "core.as-it-is"
    with pytest.raises(Unmatched):  # a link of a letter that was on its way
        store.write_now(accounts.move(bob, "other@example.org"))
    store.write_now(*moderation.let_in(account(store, bob)).statements)
    assert [one.player for one in accounts.by_email(store, "BOB@example.org")] == [bob]
    assert account(store, bob) == Account(bob, "Bob", "Bob@example.org", NOW)
    assert code_of(moderation.let_in, account(store, bob)) == "core.as-it-is"


def test_the_last_administrator_keeps_the_role_unless_the_host_says_otherwise(store: EventStore) -> None:
    anna, bob = led(store, "Anna", "Bob")
    alone = moderation.demote(account(store, anna))
    with pytest.raises(Unmatched):
        store.write_now(*alone.statements)
    assert alone.refusal.code == "core.last-administrator"
    store.write_now(*moderation.promote(account(store, bob)).statements)
    each = [moderation.demote(account(store, one)) for one in (anna, bob)]
    store.write_now(*each[0].statements)
    with pytest.raises(Unmatched):  # planned while there were two
        store.write_now(*each[1].statements)
    assert administrators(store) == ["Bob"]


@pytest.mark.parametrize("plan", [moderation.ban, moderation.remove])
def test_who_administers_is_neither_banned_nor_removed(store: EventStore, plan) -> None:
    anna, bob = led(store, "Anna", "Bob")
    assert code_of(plan, account(store, anna), NOW) == "core.administers"
    planned: ModerationDeed = plan(account(store, bob), NOW)
    store.write_now(*moderation.promote(account(store, bob)).statements)
    with pytest.raises(Unmatched):  # they got the role meanwhile
        store.write_now(*planned.statements)
    assert account(store, bob).email


def test_only_a_guest_is_removed_by_an_administrator(store: EventStore) -> None:
    _, bob = made(store, "Anna", "Bob")
    (guest,) = made(store, "Gaius", guest=True)
    assert code_of(moderation.remove_guest, account(store, bob)) == "core.no-guest"
    store.write_now(*moderation.ban(account(store, bob), NOW).statements)
    assert code_of(moderation.remove_guest, account(store, bob)) == "core.no-guest"
    store.write_now(*moderation.remove_guest(account(store, guest)).statements)
    assert accounts.by_name(store, "Gaius") is None


def test_what_is_offered_is_what_may_be_done(store: EventStore) -> None:
    anna, bob = led(store, "Anna", "Bob")
    (guest,) = made(store, "Gaius", guest=True)
    assert moderation.offered(account(store, anna)) == ("log-out", "demote")
    assert moderation.offered(account(store, bob)) == ("ban", "log-out", "promote")
    assert moderation.offered(account(store, guest)) == ("ban", "log-out", "promote", "remove")
    store.write_now(*moderation.ban(account(store, bob), NOW).statements)
    assert moderation.offered(account(store, bob)) == ("let-in", "log-out")


def test_erasing_takes_the_address_of_a_banned_player_too(store: EventStore) -> None:
    _, bob = made(store, "Anna", "Bob")
    store.write_now(*moderation.ban(account(store, bob), NOW).statements)
    store.write_now(*erased(bob))
    assert b"Bob@example.org" not in repr(store.rows("SELECT * FROM accounts")).encode()


# --- lists


def test_accounts_are_listed_by_name_a_page_at_a_time(store: EventStore) -> None:
    led(store, "Dora", "anna", "Bob", "Änne")
    first = accounts.sought(store, "", "", 2)
    rest = accounts.sought(store, "", first[-1].player, 9)
    assert [one.name for one in (*first, *rest)] == ["anna", "Bob", "Dora", "Änne"]
    assert [one.name for one in accounts.sought(store, "NN", "", 9)] == ["anna", "Änne"]
    assert [one.name for one in accounts.sought(store, "pBob", "", 9)] == ["Bob"]
    assert accounts.sought(store, "%", "", 9) == []
    assert accounts.census(store) == (4, 0, 0, 1)
