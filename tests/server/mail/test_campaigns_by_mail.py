"""A cup by mail: entered, looked at, ordered and left in letters and their answers, in English and French."""

from collections.abc import AsyncIterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from domain.basics.data import scenario_table
from domain.basics.message import Message
from domain.catalogue import RULESETS
from domain.run.inputs import facts_of_opening
from server.acts.campaigns.entering import CampaignEntry, enter_campaign
from server.acts.campaigns.lines import give_lines
from server.acts.campaigns.opening import open_campaign
from server.campaigns.live_campaign import LiveCampaign
from server.mail.outgoing.letters.news import subject
from server.mail.verdict import LineVerdict, Verdict
from server.people.players import Player
from server.play.live_battle import LiveBattle
from server.store.tables import correspondents
from server.store.tables.accounts import Account
from tests.server.mail.office import OWN_SERVER, Office, opened, text_of

CUP = """
campaign = "cup"
title = "Autumn Cup"
ruleset = "tts"
[cup]
system = "swiss"
rounds = 3
[battle]
scenario = "skirmish"
"""
NAMES = ("Anna", "Bob", "Carol", "Dave")


async def nobody_confirms(token: str) -> Message:
    raise AssertionError("nothing waits for a yes")


def did(verdict: Verdict) -> str:
    """The id of what a mail's first command has come to."""
    message = verdict.requests[0].message
    assert message is not None
    return message.id


def said(line: LineVerdict) -> tuple[str, str]:
    """The code and the rule of a refused line."""
    assert line.message is not None
    return line.message.id, line.rule


class Cup:
    """A cup that Anna organises, and its people, who write mails."""

    def __init__(self, office: Office, live: LiveCampaign, people: dict[str, Account]) -> None:
        self.office, self.live, self.people = office, live, people

    @property
    def steward(self):
        return self.office.parts.desk.steward

    def player(self, name: str) -> Player:
        return Player(self.people[name].player, name)

    async def enter(self, *names: str) -> None:
        for name in names:
            entry = CampaignEntry(phrase="nine grey geese over the river", channel="mail")
            await enter_campaign(self.steward, self.player(name), self.live, entry)

    async def begin(self, *names: str) -> None:
        """Let them enter, and begin; the first round stands."""
        await self.enter(*(names or NAMES))
        await give_lines(self.steward, self.player("Anna"), self.live, "begin", "begin")
        await self.steward.settle()

    async def letter(self, name: str) -> EmailMessage:
        """The newest letter of the campaign to somebody; what else has come is passed over."""
        title = self.live.state.settings.title
        return [one for one in await self.office.letters(name) if str(one["Subject"]).startswith(title)][-1]

    async def answers(self, name: str, letter: EmailMessage, text: str) -> tuple[Verdict, str]:
        """An answer to a letter: the verdict, and what is written back."""
        raw = self.office.reply(letter, text, f"{name.lower()}@example.test")
        return await self.told(name, raw)

    async def writes(self, name: str, text: str) -> tuple[Verdict, str]:
        """A mail to the server's own address, signed by its mail system."""
        return await self.told(name, self.signed(name, text))

    def signed(self, name: str, text: str) -> bytes:
        return self.office.written(
            "play@phalera.test",
            text,
            f"{name.lower()}@example.test",
            Authentication_Results=f"{OWN_SERVER}; dkim=pass header.d=example.test",
        )

    async def again(self, raw: bytes) -> None:
        """Process a mail once more under its key, as after a crash."""
        key = self.office.battles.store.rows("SELECT id FROM raw_mail ORDER BY rowid DESC LIMIT 1")[0][0].hex()
        await self.office.intake.processor.judge(key, self.office.parts.read(raw), nobody_confirms)

    async def told(self, name: str, raw: bytes) -> tuple[Verdict, str]:
        verdict = await self.office.accept(raw)
        await self.steward.settle()
        letters = await self.office.letters(name)
        return verdict, " ".join(text_of(letters[0]).split()) if letters else ""

    def board(self, name: str) -> str:
        """The board that somebody fights on."""
        entrant = self.live.state.players[self.people[name].player]
        return next(one for one in self.live.state.boards_of(entrant) if one.is_running).place.name


@pytest.fixture
async def cup(tmp_path: Path) -> AsyncIterator[Cup]:
    async with opened(tmp_path / "data") as office:
        people = {name: await office.enrol(name) for name in NAMES}
        anna = Player(people["Anna"].player, "Anna")
        live = await open_campaign(office.parts.desk.steward, anna, CUP)
        yield Cup(office, live, people)


async def test_a_campaign_is_found_and_entered_by_its_title(cup: Cup) -> None:
    _, told = await cup.writes("Bob", "campaigns")
    assert f"{cup.live.id} Autumn Cup: 0 entered" in told
    verdict, told = await cup.writes("Bob", "enter autumn cup\nphrase nine grey geese over the river")
    assert did(verdict) == "desk.did.enter"
    assert cup.live.state.players[cup.people["Bob"].player] == "p1"
    assert cup.live.state.entrants["p1"].contribution
    assert "You have entered Autumn Cup, as p1" in told


async def test_a_mail_that_is_processed_again_enters_nobody_twice(cup: Cup) -> None:
    raw = cup.signed("Bob", f"enter {cup.live.id} as rome")
    await cup.office.accept(raw)
    n = cup.live.n
    await cup.again(raw)
    assert (cup.live.n, list(cup.live.state.entrants)) == (n, ["rome"])


async def test_a_list_of_battles_tells_what_waits_in_campaigns(cup: Cup) -> None:
    _, told = await cup.writes("Anna", "list")
    assert "What waits in your campaigns" not in told
    await cup.enter(*NAMES)
    _, told = await cup.writes("Anna", "list")
    assert f"{cup.live.id} Autumn Cup: {len(NAMES)} have entered. You can begin: draw the lots and pair." in told
    _, told = await cup.writes("Bob", "list")
    assert "What waits in your campaigns" not in told


async def test_an_answer_to_a_letter_of_a_campaign_reaches_it_line_by_line(cup: Cup) -> None:
    await cup.begin()
    letter = await cup.letter("Anna")
    board = cup.board("Anna")
    verdict, told = await cup.answers("Anna", letter, f"Hello,\n\nextend 1 7d because it rains\nvoid 9.9\nvoid {board}")
    (request,) = verdict.requests
    assert [line.status for line in request.lines] == ["ok", "refused", "not-played"]
    assert said(request.lines[1]) == ("campaign.no-such-board", "CAM-RND-03")
    assert "1 of 3 lines accepted" in told
    assert "[CAM-RND-03]" in told
    assert cup.live.state.rounds[0].moved == 7


async def test_if_one_line_cannot_be_read_nothing_is_given(cup: Cup) -> None:
    await cup.begin()
    letter, n = await cup.letter("Anna"), cup.live.n
    verdict, told = await cup.answers("Anna", letter, "extend 1 7d\nresutl 1.1 p1")
    assert [line.status for line in verdict.requests[0].lines] == ["not-played", "unreadable"]
    assert "One line at least cannot be read" in told
    assert cup.live.n == n


async def test_a_mail_that_comes_twice_or_is_processed_again_gives_its_lines_once(cup: Cup) -> None:
    await cup.begin()
    raw = cup.office.reply(await cup.letter("Anna"), "penalty p2 1")
    assert (await cup.office.accept(raw)).what == "command"
    await cup.office.accept(raw)
    await cup.again(raw)
    assert cup.live.state.entrants["p2"].taken == 1


async def test_french_lines_are_read_and_answered_in_french(cup: Cup) -> None:
    wishes = correspondents.find(cup.office.battles.store, cup.people["Anna"].player)
    await cup.office.battles.store.write(correspondents.save(wishes._replace(lang="fr")))
    await cup.begin()
    letter = await cup.letter("Anna")
    assert "Ronde 1 de Autumn Cup : vous rencontrez" in " ".join(text_of(letter).split()).replace("\xa0", " ")
    verdict, told = await cup.answers("Anna", letter, "prolonge 1 7j parce que il pleut\nexclus p9")
    assert [line.status for line in verdict.requests[0].lines] == ["ok", "refused"]
    assert "Autumn Cup : 1 sur 2 lignes acceptées" in told.replace("\xa0", " ")


async def test_leaving_is_confirmed_and_means_the_campaign_of_the_letter(cup: Cup) -> None:
    await cup.begin()
    letter = await cup.letter("Bob")
    verdict, _ = await cup.answers("Bob", letter, "withdraw")
    assert (verdict.what, verdict.why) == ("held", "confirm")
    assert not cup.live.state.entrants[cup.live.state.players[cup.people["Bob"].player]].left


async def test_the_yes_to_it_withdraws(cup: Cup) -> None:
    await cup.begin()
    letter = await cup.letter("Bob")
    await cup.office.accept(cup.office.reply(letter, "withdraw", "bob@example.test"))
    (asked,) = await cup.office.letters("Bob")
    await cup.office.accept(cup.office.reply(asked, "yes", "bob@example.test"))
    left = [one.name for one in cup.live.state.entrants.values() if one.left]
    assert left == ["Bob"]


async def test_without_a_letter_leaving_names_the_campaign(cup: Cup) -> None:
    await cup.begin()
    await cup.office.letters()
    verdict, _ = await cup.writes("Bob", "withdraw")
    assert did(verdict) == "desk.campaign-name"
    verdict, _ = await cup.writes("Bob", f"withdraw {cup.live.id}")
    assert verdict.what == "held"


async def test_table_fixtures_and_own_boards_are_shown_to_who_asks(cup: Cup) -> None:
    await cup.begin()
    await cup.office.letters()
    _, told = await cup.writes("Bob", "standings")
    assert "There is no table before the first result" in told
    other = next(name for name in ("1.1", "1.2") if name != cup.board("Anna"))
    won = cup.live.state.boards[other].place.south
    await give_lines(cup.steward, cup.player("Anna"), cup.live, f"table {other} {won} kept 640 210", "table")
    _, told = await cup.writes("Bob", "standings")
    assert "Bob (you)" in told and f"1 {cup.live.state.entrants[won].name}" in told
    _, told = await cup.writes("Bob", f"fixtures {cup.live.id} 1")
    assert "Round 1, until" in told and "Anna" in told and "kept 640 : 210" in told
    _, told = await cup.writes("Anna", "next")
    assert f"Board {cup.board('Anna')}: you against" in told


async def test_who_takes_no_part_names_a_campaign_that_they_may_read(cup: Cup) -> None:
    await cup.begin("Anna", "Bob", "Carol", "Dave")
    await cup.office.letters()
    await cup.office.enrol("Eve")
    cup.people["Eve"] = next(iter(cup.people.values()))
    verdict, _ = await cup.writes("Eve", "standings")
    assert did(verdict) == "desk.no-campaigns"
    verdict, told = await cup.writes("Eve", "standings Autumn Cup")
    assert verdict.requests[0].message is None and "(you)" not in told


async def test_lines_below_the_name_of_a_campaign_are_for_it(cup: Cup) -> None:
    await cup.begin()
    await cup.office.letters()
    verdict, _ = await cup.writes("Anna", f"campaign {cup.live.id}\nextend 1 2d\nextend 1 1d\nstandings")
    assert [request.name for request in verdict.requests] == ["campaign", "standings"]
    assert cup.live.state.rounds[0].moved == 3


async def test_who_is_not_the_umpire_is_refused_with_code_rule_and_sentence(cup: Cup) -> None:
    await cup.begin()
    letter = await cup.letter("Bob")
    verdict, told = await cup.answers("Bob", letter, "extend 1 7d")
    (line,) = verdict.requests[0].lines
    assert (line.status, said(line)[0]) == ("refused", "campaign.not-umpire")
    assert line.rule and f"[{line.rule}]" in told


async def test_a_dry_run_gives_nothing_and_tells_no_lots(cup: Cup) -> None:
    await cup.enter(*NAMES)
    n = cup.live.n
    verdict, _ = await cup.writes("Anna", f"campaign {cup.live.id}\npreview\npair 1.1 p1 p2\nbegin\nresult 1.1 p1")
    request = verdict.requests[-1]
    assert request.name == "preview-lines"
    assert [line.status for line in request.lines] == ["refused", "not-played", "not-played"]
    verdict, _ = await cup.writes("Anna", f"campaign {cup.live.id}\npreview\nbegin\nresult 1.1 p1")
    assert [line.status for line in verdict.requests[-1].lines] == ["ok", "not-played"]
    assert cup.live.n == n and not cup.live.state.began


async def test_an_old_letter_of_a_battle_takes_no_lines_of_a_campaign(cup: Cup) -> None:
    await cup.begin()
    letters = [one for one in await cup.office.letters("Anna") if not str(one["Subject"]).startswith("Autumn")]
    letter = letters[0] if letters else None
    if letter is not None:
        verdict, _ = await cup.answers("Anna", letter, "extend 1 7d")
        assert verdict.what != "command"
    assert cup.live.state.rounds[0].moved == 0


async def test_the_subject_of_a_letter_about_a_board_names_campaign_and_board(cup: Cup) -> None:
    await cup.begin()
    board = cup.board("Anna")
    battle = await cup.office.battles.get(cup.live.state.boards[board].battle)
    side = cup.live.state.boards[board].side_of(cup.live.state.players[cup.people["Anna"].player])
    assert subject(battle, side, "en").endswith(f" · Autumn Cup {board}")
    assert " · " not in subject(await alone(cup), side, "en")


async def alone(cup: Cup) -> LiveBattle:
    """A battle of no campaign."""
    facts = facts_of_opening(RULESETS["tts"], scenario_table("tts", "skirmish"))
    return await cup.office.battles.open("tts", facts, "public")


async def test_prose_in_answer_to_a_letter_is_told_what_can_be_written(cup: Cup) -> None:
    await cup.begin()
    letter = await cup.letter("Bob")
    verdict, told = await cup.answers("Bob", letter, "I look forward to it")
    assert verdict.what == "no-line"
    assert "help campaigns" in told
