"""Two months of battles by mail in which everything goes wrong."""

from collections import Counter
from pathlib import Path

import pytest

from tests.server.mail import months_people
from tests.server.mail.months import live

DAYS, BATTLES = 45, 2


@pytest.mark.long
@pytest.mark.slow
async def test_months_of_mail_through_a_bad_post(tmp_path: Path) -> None:
    world = await live(6, tmp_path / "data", DAYS, BATTLES)
    happened = world.count
    for what in ("lost", "doubled", "killed", "write failed", "forgotten", "sent again", "letter reminder"):
        assert happened[what], (what, happened)
    for what in ("mail played", "mail closed", "mail duplicate", "clock deadline", "bounced"):
        assert happened[what], (what, happened)


@pytest.mark.long
@pytest.mark.slow
async def test_a_seed_replays_exactly(tmp_path: Path) -> None:
    first = await live(5, tmp_path / "first", 7, 2)
    second = await live(5, tmp_path / "second", 7, 2)
    assert (first.steps, first.checks.heads, first.count) == (second.steps, second.checks.heads, second.count)


@pytest.mark.long
@pytest.mark.slow
async def test_months_of_mails_about_several_battles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody gets digests, and answers most of them with one mail, through the same post."""
    wishes = [wishes for wishes in months_people.WISHES if wishes.delivery == "digest"]
    monkeypatch.setattr(months_people, "WISHES", wishes)
    happened = Counter[str]()
    for seed in (1, 2):  # in the first a player holds both sides of a battle
        happened += (await live(seed, tmp_path / f"data-{seed}", 20, 2)).count
    for what in ("lost", "doubled", "sent again", "several in one", "mail played", "mail closed"):
        assert happened[what], (what, happened)
