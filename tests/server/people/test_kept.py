"""The file of what is kept about a player leaves nothing out without a reason."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from server.people.kept import LEFT_OUT, SECTIONS, kept_about
from server.store import EventStore, schema
from server.store.tables import (
    absences,
    accounts,
    blocks,
    campaigns,
    club_battles,
    club_invitations,
    clubs,
    complaints,
    correspondents,
    deeds,
    deliveries,
    drafts,
    feeds,
    holdings,
    invitations,
    lockers,
    mail_tokens,
    notes,
    notices,
    outbox,
    parked,
    passkeys,
    posts,
    press,
    raw_mail,
    requests,
    spectators,
    tokens,
    watched,
    webhooks,
)
from server.store.tables.lockers import StoredLocker
from server.store.tables.webhooks import HookNews, HookOwner, OwnerKind, Webhook
from tests.support.looping import some

NOW = "2026-05-01T12:00:00.000Z"
OF_PLAYER = {"player", "account", "inviter", "recipient"}
"""Columns that name a player."""


@pytest.fixture
def store(tmp_path: Path):
    with EventStore.open(tmp_path / "log.db") as opened:
        yield opened


def tables(store: EventStore) -> dict[str, set[str]]:
    """The columns of each table."""
    names = [str(name) for (name,) in store.rows("SELECT name FROM sqlite_schema WHERE type='table'")]
    return {name: {str(row[1]) for row in store.rows(f"PRAGMA table_info({name})")} for name in names}


def test_each_table_is_in_the_file_or_left_out_with_a_reason(store: EventStore) -> None:
    found = {name for name in tables(store) if not name.startswith("sqlite_")}
    told = {section.table for section in SECTIONS}
    assert found - told == set(LEFT_OUT) and not told & set(LEFT_OUT)
    assert all(len(reason) > 10 for reason in LEFT_OUT.values())


def test_no_table_that_names_a_player_is_left_out(store: EventStore) -> None:
    naming = {name for name, columns in tables(store).items() if columns & OF_PLAYER}
    assert set(some(naming)) <= {section.table for section in SECTIONS}


def test_a_table_that_somebody_adds_is_missed(tmp_path: Path) -> None:
    with closing(schema.connect(str(tmp_path / "log.db"))) as db:
        schema.prepare(db)
        db.execute("CREATE TABLE secrets (player TEXT)")
    with EventStore.open(tmp_path / "log.db") as store:
        assert set(tables(store)) - {one.table for one in SECTIONS} - set(LEFT_OUT) == {"secrets"}


def filled(store: EventStore, player: str) -> None:
    """Something of a player in each table; the word `mine-PLAYER` stands in each text."""
    word, key = f"mine-{player}", f"{player}-key"
    store.write_now(
        accounts.add(accounts.Account(player, word, f"{word}@example.org", NOW)),
        correspondents.save(correspondents.Correspondent(player, quiet="22-8")),
        tokens.issue(f"secret-{player}", player, "api", NOW),
        passkeys.add(passkeys.StoredPasskey(key, player, key.encode(), b"public", 0, word, NOW)),
        feeds.issue(f"secret-feed-{player}", player, NOW),
        campaigns.takes_part(f"c-{word}", player),
        webhooks.add(
            Webhook(
                key, "account", player, f"https://secret.example/{player}", f"{word}.example", "plain", "en", word, NOW
            )
        ),
        webhooks.tell_one(HookOwner(OwnerKind.ACCOUNT, player), key, HookNews("turn", "battle", word, 1), NOW),
        lockers.put(StoredLocker(player, lockers.SEAT, "b1", 1, "0123456789abcdef", "AAAA", NOW)),
        mail_tokens.issue(f"secret-mail-{player}", "question", player, NOW, battle=word),
        notices.add(notices.Notice(key, player, NOW, "passkey", word)),
        holdings.opened(f"b-{word}", player),
        absences.plan(player, NOW, NOW),
        notes.keep("b", player, word, NOW),
        drafts.keep("b", "south", player, word, NOW),
        posts.post(int(player[1:]), "b", "south", player, NOW, word),
        *spectators.say(int(player[1:]), "b", player, NOW, word),
        posts.read("b", player, 1),
        spectators.read("b", player, 1),
        watched.record("b", player, 7),
        requests.accept(player, key, b"digest", word.encode()),
        parked.park(parked.ParkedScript(f"b-{word}", "south", player, key, 1, json.dumps([word]).encode())),
        invitations.add(
            invitations.Invitation(key.encode(), "b", player, player, "x@y.example", b"m", "en", word, "", NOW, NOW)
        ),
        outbox.post("b", 1, player, f"say:{word}", NOW),
        raw_mail.keep(key.encode(), NOW, f"From: {word}\r\n\r\nend turn \xe9".encode("latin-1")),
        complaints.add(complaints.Complaint(key, NOW, player, "battle", "", "b", "", "", word)),
        blocks.add(player, f"{player}-other", NOW),
        clubs.join(word, player, clubs.MEMBER, NOW, 9),
        club_invitations.add(
            club_invitations.ClubInvitation(
                key.encode(), word, player, word, "x@y.example", key.encode(), "UTC", "en", NOW, NOW
            )
        ),
        club_battles.keep(club_battles.Bulk(word, player, b"digest", word, "", "", NOW)),
        club_battles.keep_pairing(word, 0, word.encode()),
        campaigns.officer(word, player),
        press.post(press.PressPost(int(player[1:]), "club", "leeds", player, NOW, word)),
        deeds.record(NOW, "", "ban", player, word),
        raw_mail.judge(key.encode(), json.dumps({"what": "played", "player": player})),
    )
    ((row,),) = store.rows("SELECT id FROM outbox WHERE recipient=?", (player,))
    store.write_now(deliveries.put_off(deliveries.Delivery(row, 1, NOW, word)))


def test_the_file_has_what_is_the_players_and_nothing_of_others(store: EventStore) -> None:
    filled(store, "p1")
    filled(store, "p2")
    file = kept_about(store, "p1")
    assert {name: len(rows) for name, rows in file.items()} == {section.name: 1 for section in SECTIONS}
    text = json.dumps(file)
    assert text.count("mine-p1") >= 14
    for strange in ("mine-p2", "secret", "public", "p2-key"):
        assert strange not in text


@pytest.mark.parametrize(
    "section", [one for one in SECTIONS if one.table in ("raw_mail", "outbox", "tokens", "notices")]
)
def test_what_grows_is_found_by_an_index(store: EventStore, section) -> None:
    plan = store.rows(f"EXPLAIN QUERY PLAN SELECT {section.shown} FROM {section.table} WHERE {section.whose}", ("p1",))
    assert "SCAN" not in repr(plan)


def test_nothing_is_kept_about_nobody(store: EventStore) -> None:
    assert not any(kept_about(store, "p9").values())
