"""Whose letter came back, and when the others stop."""

import asyncio

import pytest

from server.mail import bounces
from server.mail.verdict import Bounce
from server.store import EventStore
from server.store.settings import MEMORY, StoreSettings
from server.store.tables import correspondents, mail_tokens
from server.store.tables.correspondents import Correspondent

AT = "2026-01-01T12:00:00.000Z"


@pytest.fixture
async def store():
    with EventStore.open(StoreSettings(module=MEMORY), asyncio.get_running_loop()) as opened:
        for number in range(4):
            await opened.write(mail_tokens.issue(f"token{number}", "bounce", "p1", AT))
        await opened.write(mail_tokens.issue("question", "question", "p2", AT))
        yield opened


async def report(store, *tokens, is_hard=True):
    player, statements = bounces.taken(store, Bounce(tokens=tokens, is_hard=is_hard), AT)
    if statements:
        await store.write(*statements)
    return player


async def test_three_hard_bounces_stop_the_letters(store):
    for number in range(3):
        assert not bounces.is_stopped(store, "p1")
        assert await report(store, f"token{number}") == "p1"
    assert bounces.is_stopped(store, "p1")


async def test_a_mail_of_the_player_lets_them_go_on(store):
    for number in range(3):
        await report(store, f"token{number}")
    await store.write(correspondents.learn("p1", ""))
    known = correspondents.find(store, "p1")
    assert (known.bounces, known.stopped) == (0, "")


async def test_a_letter_is_counted_once_however_many_reports_come(store):
    first = bounces.taken(store, Bounce(tokens=("token0",), is_hard=True), AT)
    await report(store, "token0")
    await report(store, "token0")
    assert correspondents.find(store, "p1").bounces == 1
    await store.write(*first[1])  # judged at the same time: it breaks nothing
    spent = mail_tokens.find(store, "token0")
    assert spent is not None
    assert spent.used == AT


async def test_a_letter_that_is_late_is_not_counted(store):
    assert await report(store, "token0", is_hard=False) == "p1"
    assert correspondents.find(store, "p1") == Correspondent("p1")


async def test_other_tokens_bounce_nobody(store):
    assert await report(store, "question", "unknown") == ""
    assert await report(store, "unknown", "question", "token1") == "p1"
    assert correspondents.find(store, "p2").bounces == 0


async def test_who_wants_no_letters_stays_so(store):
    known = Correspondent("p1", bounces=2, stopped="unsubscribed")
    await store.write(correspondents.save(known))
    await report(store, "token0")
    assert correspondents.find(store, "p1") == known._replace(bounces=3)
