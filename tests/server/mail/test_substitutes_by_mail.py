"""A substitute by mail: who is asked, who is invited, and who has lost their seat, each hears of it."""

from collections.abc import AsyncIterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.server.mail.office import Office, opened, text_of
from tests.server.mail.test_disputes_by_mail import begun, fault
from tests.support.lanes import thinned

ASK = {"en": "substitute south Dora", "fr": "remplaçant sud Dora"}
JOIN = {"en": "join {} south", "fr": "rejoindre {} sud"}


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[Office]:
    async with opened(tmp_path / "data") as office:
        yield office


async def new(office: Office) -> dict[str, EmailMessage]:
    """What has come since, the newest letter to each."""
    return {str(letter["To"]).partition("@")[0].lower(): letter for letter in await office.letters()}


@pytest.mark.parametrize("lang", thinned(["en", "fr"], 2))
async def test_everybody_concerned_hears_of_a_substitute(office: Office, lang: str) -> None:
    await begun(office, "Carl", lang=lang)
    dora = await office.enrol("Dora", lang=lang)
    first = await new(office)
    join = JOIN[lang].format(office.live.id)

    verdict = await office.accept(office.reply(first["carl"], ASK[lang], "carl@example.test"))
    assert [line.status for line in verdict.lines] == ["ok"]
    told = await new(office)
    assert ASK[lang] in text_of(told["anna"]), "who sits there is asked"
    assert ASK[lang] not in text_of(told["bob"])
    assert "dora" not in told, "nobody is called to a seat that is not theirs to take"
    assert (await office.accept(office.reply(told["anna"], ASK[lang]))).what == "played"
    told = await new(office)
    words = " ".join(text_of(told["dora"]).split()).casefold()
    assert f"/battles/{office.live.id}" in words
    assert join.casefold() in words
    assert "Dora" in text_of(told["bob"])

    await office.accept(office.reply(told["dora"], join, "dora@example.test"))
    assert office.live.recording.battle.seats["south"].player == dora.player
    told = await new(office)
    assert "Dora" in text_of(told["anna"])
    verdict = await office.accept(office.reply(first["anna"], "R1 ahead"))
    assert verdict.what != "played", "a letter to who sat there before moves nothing any more"
    assert fault(office) is None
