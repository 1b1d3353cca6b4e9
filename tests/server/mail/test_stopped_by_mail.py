"""Players whose battle the host has stopped get a letter that says so, with the reason."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from domain.catalogue import RULESETS
from server.play.stopping import stop, stop_now
from tests.server.mail.office import Office, opened, text_of
from tests.server.mail.test_disputes_by_mail import begun, fault
from tests.support.lanes import thinned

SAID = {"en": "The host has stopped the battle: nobody wins. “A flaw.”", "fr": "L’hôte a arrêté la bataille"}


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[Office]:
    async with opened(tmp_path / "data") as office:
        yield office


@pytest.mark.parametrize("lang", thinned(["en", "fr"], 2))
@pytest.mark.parametrize("by", ["page", "command"])
async def test_both_players_hear_that_the_host_has_stopped_their_battle(office: Office, lang: str, by: str) -> None:
    await begun(office, lang=lang)
    await office.letters()
    if by == "page":
        assert await stop(office.battles, office.live.id, "A flaw.")
    else:
        store = office.battles.store
        assert stop_now(store, office.live.id, office.clock.now(), "A flaw.", RULESETS)
        await office.live.reread()
    letters = {str(letter["To"]).partition("@")[0]: letter for letter in await office.letters()}
    assert set(letters) >= {"anna", "bob"}
    for name in ("anna", "bob"):
        words = " ".join(text_of(letters[name]).split())
        assert SAID[lang] in words
        assert "A flaw." in words
    assert fault(office) is None
    assert office.live.recording.battle.ended


async def test_a_mail_that_comes_later_moves_nothing(office: Office) -> None:
    await begun(office)
    turn = await office.letter("anna")
    n = office.live.n
    await stop(office.battles, office.live.id)
    last = office.live.n
    assert last > n
    verdict = await office.accept(office.reply(turn, "R1 ahead\nend turn"))
    assert verdict.what != "played"
    assert office.live.n == last
