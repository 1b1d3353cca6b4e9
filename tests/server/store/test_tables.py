"""The authoritative tables answer what is asked of them."""

import re
from pathlib import Path

import pytest

from server.store import EventStore, Unmatched, Violated
from server.store.tables import (
    accounts,
    closings,
    feeds,
    notes,
    outbox,
    parked,
    passkeys,
    posts,
    raw_mail,
    requests,
    spectators,
    tokens,
    vault,
    watched,
)
from tests.support.looping import some

AT, LATER, MUCH_LATER = "2025-03-01T12:00:00.000Z", "2025-03-02T12:00:00.000Z", "2025-04-01T12:00:00.000Z"


def test_a_name_is_taken_in_any_case(store: EventStore) -> None:
    ann = accounts.Account("p1", "Änne", "anne@example.org", AT)
    store.write_now(accounts.add(ann))
    for name in ("änne", "ÄNNE", "A\u0308nne", " Änne "):
        with pytest.raises(Violated):
            store.write_now(accounts.add(accounts.Account("p2", name, "other@example.org", AT)))
        assert accounts.by_name(store, name) == ann
    assert accounts.by_player(store, "p1") == accounts.by_name(store, "Änne")
    assert accounts.by_player(store, "p2") is None


def test_an_address_may_serve_several_players(store: EventStore) -> None:
    for player, name in (("p1", "Ann"), ("p2", "Ben")):
        store.write_now(accounts.add(accounts.Account(player, name, "Club@Example.org", AT)))
    assert [account.player for account in accounts.by_email(store, "club@example.ORG")] == ["p1", "p2"]
    store.write_now(accounts.move("p2", "ben@example.org"), accounts.rename("p2", "Aaron"))
    assert [account.name for account in accounts.listed(store)] == ["Aaron", "Ann"]
    assert len(accounts.by_email(store, "club@example.org")) == 1
    with pytest.raises(Unmatched):
        store.write_now(accounts.rename("p9", "Nobody"))


def test_a_token_is_not_stored(store: EventStore) -> None:
    store.write_now(tokens.issue("secret", "p1", "api", AT))
    known = tokens.good(store, "secret", "api", MUCH_LATER)
    assert known is not None
    assert known.player == "p1"
    assert all(b"secret" not in value for row in store.rows("SELECT digest FROM tokens") for value in row)
    assert tokens.good(store, "guess", "api", AT) is None
    assert tokens.good(store, "secret", "session", AT) is None


def test_a_login_link_works_once_and_in_time(store: EventStore) -> None:
    store.write_now(tokens.issue("once", "p1", "login", AT, LATER), tokens.issue("late", "p1", "login", AT, LATER))
    store.write_now(tokens.use("once", "login", AT))
    for token, kind, now in (
        ("once", "login", AT),
        ("late", "login", LATER),
        ("late", "api", AT),
        ("none", "login", AT),
    ):
        with pytest.raises(Unmatched):
            store.write_now(tokens.use(token, kind, now))
    assert tokens.good(store, "once", "login", AT) is None
    assert tokens.good(store, "late", "login", AT) is not None
    assert tokens.good(store, "late", "login", LATER) is None


def test_tokens_are_revoked_and_swept(store: EventStore) -> None:
    store.write_now(
        tokens.issue("a", "p1", "session", AT, LATER),
        tokens.issue("b", "p1", "session", AT, MUCH_LATER),
        tokens.issue("c", "p1", "api", AT),
    )
    store.write_now(tokens.sweep(LATER))
    assert [token.kind for token in tokens.of_player(store, "p1")] == ["session", "api"]
    store.write_now(tokens.revoke_all("p1", "session"), tokens.revoke("c"), tokens.revoke("c"))
    assert tokens.of_player(store, "p1") == []
    with pytest.raises(Violated):
        store.write_now(tokens.issue("x", "p1", "password", AT))


def test_the_vault_keeps_masters_and_secrets_apart(store: EventStore) -> None:
    secrets = [vault.VaultSecret("b1", n, "order", "south", b"salt", b"\x00%d" % n) for n in (4, 9)]
    store.write_now(vault.put_master("b1", b"m" * 32), *map(vault.put, secrets))
    assert vault.master(store, "b1") == b"m" * 32
    assert vault.master(store, "b2") is None
    assert vault.sealed(store, "b1") == secrets
    assert vault.sealed(store, "b1", after=4) == secrets[1:]
    assert vault.of_event(store, "b1", 4) == secrets[:1]
    with pytest.raises(Violated):
        store.write_now(vault.put(secrets[0]))


def test_a_mail_is_posted_to_whom_it_reaches(store: EventStore) -> None:
    for player, name, email in (("p1", "Ann", "ann@example.org"), ("p2", "Ben", "")):
        store.write_now(accounts.add(accounts.Account(player, name, email, AT)))
    store.write_now(*(outbox.post_if_reached("b1", 5, player, "turn", AT) for player in ("p1", "p2", "p3")))
    (row,) = outbox.unsent(store)
    assert row[1:] == ("b1", 5, "p1", "turn", AT, None)


def test_a_mail_is_marked_once(store: EventStore) -> None:
    store.write_now(*(outbox.post("b1", n, "p1", "turn", AT) for n in (5, 6, 7)))
    first, second, third = outbox.unsent(store)
    assert (first.battle, first.n, first.recipient, first.kind, first.sent_at) == ("b1", 5, "p1", "turn", None)
    store.write_now(outbox.sent(second.id, LATER))
    with pytest.raises(Unmatched):
        store.write_now(outbox.sent(second.id, LATER))
    assert [letter.n for letter in outbox.unsent(store)] == [5, 7]
    assert outbox.unsent(store, limit=1) == [first]
    assert outbox.unsent(store, after=first.id) == [third]
    found = outbox.find(store, second.id)
    assert found is not None
    assert found.sent_at == LATER


def test_a_cut_request_is_found_at_start(store: EventStore) -> None:
    store.write_now(*(requests.accept("p1", key, b"digest", b"body " + key.encode()) for key in ("k2", "k1", "k3")))
    store.write_now(requests.finish("p1", "k1"))
    assert [(request.key, request.body) for request in requests.unfinished(store)] == [
        ("k2", b"body k2"),
        ("k3", b"body k3"),
    ]
    assert requests.find(store, "p1", "k1") == ("p1", "k1", b"digest", b"body k1", True)
    assert requests.find(store, "p2", "k1") is None
    with pytest.raises(Violated):
        store.write_now(requests.accept("p1", "k2", b"other", b"other"))


def test_a_side_has_one_parked_script(store: EventStore) -> None:
    old = parked.ParkedScript("b1", "south", "p1", "k1", 3, b'["R1 charge E4"]')
    new = parked.ParkedScript("b1", "south", "p1", "k2", 2, b'["R2 rally"]')
    other = parked.ParkedScript("b1", "north", "p2", "k9", 1, b"[]")
    store.write_now(*map(parked.park, (old, new, other)))
    assert parked.find(store, "b1", "south") == new
    assert parked.of_battle(store, "b1") == [other, new] == parked.all_of(store)
    store.write_now(parked.drop("b1", "south"), parked.drop("b1", "south"))
    assert parked.find(store, "b1", "south") is None


def test_a_raw_mail_is_kept_once_and_judged(store: EventStore) -> None:
    store.write_now(raw_mail.keep(b"id1", AT, b"From: a\r\n\r\n\xff\x00"))
    with pytest.raises(Violated):
        store.write_now(raw_mail.keep(b"id1", LATER, b"again"))
    (mail,) = raw_mail.unjudged(store)
    assert mail == (b"id1", AT, b"From: a\r\n\r\n\xff\x00", None)
    store.write_now(raw_mail.judge(b"id1", "played"))
    assert raw_mail.unjudged(store) == []
    found = raw_mail.find(store, b"id1")
    assert found is not None
    assert found.verdict == "played"


def test_the_closed_battles_among_some(store: EventStore) -> None:
    for battle in ("b1", "b2", "b3"):
        store.write_now(closings.close(battle, AT, closings.STOPPED))
    assert closings.among(store, ["b0", "b2", "b3"]) == {"b2", "b3"}
    assert closings.among(store, []) == set()


def test_messages_of_others_are_unread_until_they_were_read(store: EventStore) -> None:
    said = [(1, "b1", "p1", AT), (2, "b1", "p2", AT), (3, "b1", "p2", LATER), (4, "b2", "p2", AT)]
    store.write_now(*(posts.post(id_, battle, "south", player, at, "words") for id_, battle, player, at in said))
    assert posts.unread(store, "p1", ["b1", "b2", "b3"]) == {"b1": 2, "b2": 1}
    assert [posts.count_for(store, "b1", player) for player in ("p1", "p2", "p3")] == [2, 1, 3]
    store.write_now(posts.read("b1", "p1", 1), posts.read("b2", "p2", 9))
    assert posts.unread(store, "p1", ["b1", "b2"]) == {"b1": 1, "b2": 1}
    store.write_now(posts.read("b1", "p1", 2))
    store.write_now(posts.read("b1", "p1", 1))
    assert posts.unread(store, "p1", ["b1"]) == {} == posts.unread(store, "p1", [])
    store.write_now(posts.forget_read("p1"))
    assert posts.unread(store, "p1", ["b1"]) == {"b1": 2}


def said_watching(store: EventStore, *said: tuple[int, str, str, str]) -> None:
    """Words of spectators: id, battle, player, time."""
    store.write_now(*(one for row in said for one in spectators.say(*row, f"words {row[0]}")))


def test_words_of_spectators_are_unread_until_they_were_read(store: EventStore) -> None:
    said_watching(store, (1, "b1", "p1", AT), (2, "b1", "p2", AT), (3, "b1", "p2", LATER), (4, "b2", "p2", AT))
    unread = [spectators.unread(store, "b1", player) for player in ("p1", "p2", "p3")]
    assert unread == [2, 1, 3]
    store.write_now(spectators.read("b1", "p1", 3))
    store.write_now(spectators.read("b1", "p1", 1))
    assert spectators.unread(store, "b1", "p1") == 0 == len(posts.of_battle(store, "b1"))
    assert posts.unread(store, "p3", ["b1"]) == {} and posts.count_for(store, "b1", "p3") == 0
    store.write_now(*spectators.forget_all("p2"))
    assert [one.player for one in spectators.of_battle(store, "b1", 9)] == ["p1"]
    assert spectators.is_said(store, 1) and not spectators.is_said(store, 2)
    with pytest.raises(Violated):
        said_watching(store, (1, "b3", "p1", AT))


def test_removed_words_of_a_spectator_still_count_in_their_day(store: EventStore) -> None:
    said_watching(store, (1, "b1", "p1", AT), (2, "b1", "p1", LATER))
    store.write_now(spectators.remove("b1", 2))
    assert [one.text for one in spectators.of_battle(store, "b1", 9)] == ["words 1", ""]
    assert spectators.count_since(store, "b1", "p1", AT) == 1 and spectators.unread(store, "b1", "p2") == 1
    assert [spectators.author(store, "b1", 2), spectators.author(store, "b2", 2)] == ["p1", ""]
    assert spectators.of_player(store, "p1") == [("b1", AT, "words 1"), ("b1", LATER, "")]


def test_the_newest_words_of_spectators_are_kept(store: EventStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spectators, "MOST_KEPT", 2)
    said_watching(store, (9, "b2", "p1", AT), *((id_, "b1", "p1", AT) for id_ in (7, 5, 6)))
    assert [(one.n, one.text) for one in spectators.of_battle(store, "b1", 9)] == [(2, "words 5"), (3, "words 6")]
    assert [one.text for one in spectators.of_battle(store, "b2", 9)] == ["words 9"]


def test_a_player_has_one_note_for_each_battle(store: EventStore) -> None:
    store.write_now(notes.keep("b1", "p1", "old", AT), notes.keep("b1", "p2", "hers", AT))
    store.write_now(notes.keep("b1", "p1", "new", LATER), notes.keep("b2", "p1", "other", AT))
    assert [notes.find(store, "b1", player) for player in ("p1", "p2", "p3")] == ["new", "hers", ""]
    assert notes.of_player(store, "p1") == [("b1", "new", LATER), ("b2", "other", AT)]
    store.write_now(notes.forget("b2", "p1"), notes.forget("b9", "p1"))
    assert [battle for battle, *_ in notes.of_player(store, "p1")] == ["b1"]
    store.write_now(notes.forget_all("p1"))
    assert (notes.of_player(store, "p1"), notes.find(store, "b1", "p2")) == ([], "hers")


def test_a_feed_has_one_secret_that_is_not_stored(store: EventStore) -> None:
    store.write_now(feeds.issue("first", "p1", AT), feeds.issue("hers", "p2", AT))
    store.write_now(feeds.issue("second", "p1", LATER))
    assert [feeds.player_of(store, token) for token in ("first", "second", "hers")] == ["", "p1", "p2"]
    assert (feeds.issued(store, "p1"), feeds.issued(store, "p3")) == (LATER, "")
    assert all(b"second" not in value for row in store.rows("SELECT digest FROM feeds") for value in row)
    store.write_now(feeds.revoke("p1"), feeds.revoke("p1"))
    assert feeds.player_of(store, "second") == ""


def test_how_far_a_battle_was_watched_never_goes_back(store: EventStore) -> None:
    assert watched.find(store, "b1", "p1") == 0
    store.write_now(watched.record("b1", "p1", 9), watched.record("b1", "p2", 4))
    store.write_now(watched.record("b1", "p1", 5))
    assert [watched.find(store, "b1", player) for player in ("p1", "p2")] == [9, 4]
    store.write_now(watched.forget_all("p1"))
    assert [watched.find(store, "b1", player) for player in ("p1", "p2")] == [0, 4]


def test_a_passkey_belongs_to_one_player_and_its_uses_are_compared(store: EventStore) -> None:
    hers = passkeys.StoredPasskey("a1", "p1", b"credential", b"key", 3, "Laptop", AT)
    store.write_now(passkeys.add(hers), passkeys.add(hers._replace(id="a2", credential=b"other", created=LATER)))
    with pytest.raises(Violated):
        store.write_now(passkeys.add(hers._replace(id="b1", player="p2")))
    assert passkeys.find(store, b"credential") == hers
    assert passkeys.find(store, b"credentia") is None
    store.write_now(passkeys.saw(hers, 4, LATER))
    with pytest.raises(Unmatched):
        store.write_now(passkeys.saw(hers, 5, LATER))
    assert [(one.id, one.uses, one.used) for one in passkeys.of_player(store, "p1")] == [
        ("a1", 4, LATER),
        ("a2", 3, None),
    ]
    with pytest.raises(Unmatched):
        store.write_now(passkeys.remove("p2", "a1"))
    store.write_now(passkeys.remove("p1", "a1"))
    store.write_now(passkeys.forget_all("p1"), passkeys.forget_all("p1"))
    assert passkeys.of_player(store, "p1") == []


def test_no_statement_numbers_its_parameters() -> None:
    """Python 3.14 refuses numbered parameters with a sequence of values."""
    root = Path(__file__).parents[3]
    sources = [path for name in ("projections", "server") for path in sorted((root / name).rglob("*.py"))]
    numbered = re.compile(r"[\s=(,<>]\?[0-9]")
    wrong = [path.name for path in some(sources) if numbered.search(path.read_text(encoding="utf-8"))]
    assert wrong == []
