"""A dispute by mail between two players and an umpire, from the first word to a rewind."""

from typing import Any

import pytest

from domain.basics.data import parse_toml, scenario_text
from domain.log.fairness import seal_chain, seal_text
from domain.log.record import OPENED, PBEM_2_1
from replay.proof import verify
from server.people.players import Player
from server.play.archive import export_battle
from server.play.disputing import terms_of
from server.play.seating import take_side
from server.store.tables import correspondents
from server.store.tables.correspondents import Correspondent
from server.time import deadlines
from tests.server.mail.office import PHRASE, Office, opened, text_of
from tests.support import messages


async def begun(
    office: Office, umpire: str = "", pace: str = "", lang: str = "en", sealed: str = "", version: int = OPENED
) -> None:
    """A skirmish between Anna and Bob; Carl is the umpire, if one is named. The seat of `sealed` has a book."""
    office.players["umpire"] = await office.enrol("Carl", lang=lang)
    store = office.battles.store
    scenario = parse_toml(scenario_text("tts", "skirmish"), "")
    terms = terms_of(store, umpire, "agreed", 30)
    office.live = await office.battles.open("tts", scenario, "public", pace=pace, terms=terms, version=version)
    for side, name in (("south", "Anna"), ("north", "Bob")):
        account = office.players[side] = await office.enrol(name, lang=lang)
        phrase = messages.phrase(office.live.recording, PHRASE)
        player = Player(account.player, account.name)
        if side == sealed:
            await take_side(office.live, side, player, mode="sealed", anchor=book(office, side)[0].hex())
        else:
            await take_side(office.live, side, player, phrase=phrase)


def book(office: Office, side: str) -> tuple[bytes, ...]:
    """The seals of a sealed seat, its anchor first."""
    return seal_chain(office.live.id, side, side.encode(), 9)


@pytest.fixture
async def office(tmp_path):
    async with opened(tmp_path / "data") as office:
        yield office


def fault(office: Office) -> Any:
    content = export_battle(office.battles.store, office.battles.keys, office.live.id)
    return verify.verify(content).fault


async def test_from_a_dispute_to_an_umpires_rewind(office):
    await begun(office, "Carl")
    turn = await office.letter("anna")
    to = office.live.n
    await office.accept(office.reply(turn, "standing evade R6 never\nR1 ahead\nend turn"))
    asked = {str(letter["To"]): letter for letter in await office.letters()}
    bobs = next(letter for to_, letter in asked.items() if "bob" in to_)
    about = next(one.n for one in office.live.recording.timeline.events if one.n > to and one.type == "OrderAccepted")

    verdict = await office.accept(office.reply(bobs, f"dispute {about} rules R1 was in my zone.", "bob@example.test"))
    assert verdict.what == "played"
    letters = await office.letters()
    annas, carls = (next(one for one in letters if name in str(one["To"])) for name in ("anna", "carl"))
    assert "North disputes event" in text_of(annas)
    assert "answer d1" in text_of(annas)
    assert "rule d1" in text_of(carls)
    assert "Evidence" in text_of(carls)

    await office.accept(office.reply(annas, "answer d1 It was not in your zone.\n\nRegards, Anna"))
    (told,) = await office.letters("carl")
    assert "It was not in your zone." in text_of(told)
    ruling = f"rule d1 rewind {to} It was in the zone of control."
    verdict = await office.accept(office.reply(told, ruling, "carl@example.test"))
    assert [line.status for line in verdict.lines] == ["ok"]
    assert office.live.game.rewinds == 1

    letters = await office.letters()
    annas, bobs = (next(one for one in letters if name in str(one["To"])) for name in ("anna", "bob"))
    assert "It was in the zone of control." in " ".join(text_of(annas).split())
    assert "goes back" in text_of(annas)
    for letter, sender in ((bobs, "bob@example.test"), (annas, "anna@example.test")):
        assert "phrase" in text_of(letter)
        lines = "phrase another phrase of mine" + ("\nR1 ahead\nend turn" if "anna" in sender else "")
        assert (await office.accept(office.reply(letter, lines, sender))).what == "played"
    scopes = {one.event.scope for one in office.live.recording.timeline.events if one.type == "CardDrawn"}
    assert "draw:south/r1" in scopes
    assert fault(office) is None


async def test_a_take_back_by_mail_is_agreed_by_a_reply(office):
    await begun(office, version=PBEM_2_1)
    turn = await office.letter("anna")
    await office.accept(office.reply(turn, "standing evade R6 never\nend turn"))
    letters = await office.letters()
    annas, bobs = (next(one for one in letters if name in str(one["To"])) for name in ("anna", "bob"))
    await office.accept(office.reply(annas, "Reprise pardon !"))
    (asked,) = await office.letters("bob")
    assert "asks to take back" in text_of(asked)
    assert "agree d1" in text_of(asked)
    assert "a line “phrase” with words of your own may come with it" in " ".join(text_of(asked).split())
    old = await office.accept(office.reply(bobs, "agree d1", "bob@example.test"))
    assert old.lines[0].message.id == "core.docket-unseen"  # the letter that they answer was written before
    verdict = await office.accept(office.reply(asked, "Agree d1!", "bob@example.test"))
    assert verdict.what == "played"
    assert office.live.game.t == 1
    (told,) = await office.letters("anna")
    assert "goes back" in text_of(told)
    assert fault(office) is None


async def test_a_sealed_seat_agrees_to_a_take_back_with_its_next_seal(office):
    await begun(office, sealed="north", version=PBEM_2_1)
    _, first, second, *_ = map(seal_text, book(office, "north"))
    begins = await office.letter("bob")
    assert (await office.accept(office.reply(begins, f"seal {first}", "bob@example.test"))).what == "played"
    turn = await office.letter("anna")
    await office.accept(office.reply(turn, "standing evade R6 never\nend turn"))
    annas = next(letter for letter in await office.letters() if "anna" in str(letter["To"]))
    await office.accept(office.reply(annas, "takeback sorry!"))
    (asked,) = await office.letters("bob")
    assert "a line “seal” with the next seal of your book has to come with it" in " ".join(text_of(asked).split())
    refused = await office.accept(office.reply(asked, "agree d1", "bob@example.test"))
    assert [line.message.id for line in refused.lines] == ["core.seal-missing"]
    verdict = await office.accept(office.reply(asked, f"seal {second}\nagree d1", "bob@example.test"))
    assert (verdict.what, office.live.game.t) == ("played", 1)
    assert fault(office) is None


async def test_a_french_letter_answers_disputes_in_french_and_its_lines_are_read(office):
    await begun(office, "Carl", "3d+7d", lang="fr")
    await office.accept(office.reply(await office.letter("anna"), "litige 1 faits Le nord était mal placé."))
    letters = await office.letters()
    bobs, carls = (text_of(next(one for one in letters if name in str(one["To"]))) for name in ("bob", "carl"))
    for line in ("réponds d1 …", "propose d1 retour N"):
        assert line in bobs
    for line in ("tranche d1 rien …", "tranche d1 retour 1 …", "réponds d1 …"):
        assert line in carls
    carls = (await fallen(office, "south"))["carl@example.test"]
    for line in ("drapeau sud délai …", "drapeau sud perdu …", "drapeau sud nulle …", "« délai » relève le drapeau"):
        assert line in " ".join(text_of(carls).split()).replace("\N{NO-BREAK SPACE}", " ")
    verdict = await office.accept(office.reply(carls, "drapeau sud délai Anna était malade.", "carl@example.test"))
    assert [one.status for one in verdict.lines] == ["ok"]


async def test_an_umpire_is_named_by_two_mails(office):
    await begun(office)
    turn = await office.letter("anna")
    await office.accept(office.reply(turn, "umpire Carl"))
    (bobs,) = [one for one in await office.letters() if "bob" in str(one["To"])]
    assert "agree umpire" in text_of(bobs)
    verdict = await office.accept(office.reply(bobs, "Agree umpire.", "bob@example.test"))
    assert verdict.what == "played"
    letters = await office.letters()
    assert any("carl" in str(one["To"]) for one in letters)
    assert office.live.recording.battle.disputes.umpire_name == "Carl"


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "Carl is the umpire of this battle, named when it was opened"),
        ("fr", "Carl arbitre cette bataille, nommé à son ouverture"),
    ],
)
async def test_an_umpire_named_at_the_opening_gets_a_letter(office, lang, said):
    carl = await office.enrol("Carl")
    await office.battles.store.write(correspondents.save(Correspondent(carl.player, lang=lang, picture=False)))
    terms = terms_of(office.battles.store, "Carl", "agreed", 30)
    office.live = await office.battles.open(
        "tts", parse_toml(scenario_text("tts", "skirmish"), ""), "link", terms=terms
    )
    (told,) = await office.letters()
    assert "carl" in str(told["To"])
    assert said in " ".join(text_of(told).split())
    assert office.live.recording.battle.disputes.umpire == carl.player
    for side, name in (("south", "Anna"), ("north", "Bob")):
        account = await office.enrol(name)
        await take_side(office.live, side, Player(account.player, account.name))
    assert "carl" not in " ".join(str(letter["To"]) for letter in await office.letters())


async def test_an_umpire_sets_facts_by_mail(office):
    await begun(office, "Carl")
    turn = await office.letter("anna")
    await office.accept(office.reply(turn, "dispute 1 facts The medals were miscounted."))
    carls = next(one for one in await office.letters() if "carl" in str(one["To"]))
    ruling = "rule d1 correct so they were\nset medals south 2\nset medals north 3\n\nRegards, Carl"
    verdict = await office.accept(office.reply(carls, ruling, "carl@example.test"))
    assert [line.status for line in verdict.lines] == ["ok"]
    assert [army.medals for army in office.live.game.armies.values()] == [2, 3]
    told = text_of(next(one for one in await office.letters() if "bob" in str(one["To"])))
    assert "South has 2 medals" in told
    assert fault(office) is None


async def fallen(office: Office, side: str) -> dict[str, Any]:
    """The letters about the flag of a side, by whom they go to."""
    office.clock.wait(days=11)
    async with office.live.lock:
        await deadlines.fire(office.live, "deadline", side)
    return {str(letter["To"]): letter for letter in await office.letters()}


@pytest.mark.parametrize(
    ("line", "said", "over"),
    [
        ("flag south more Anna was ill.", "gives South more time: “Anna was ill.”", False),
        ("Drapeau sud perdu Onze jours.", "South has lost on time: “Onze jours.”", True),
        ("flag south draw", "rules that the battle is drawn, though the time of South is up.", True),
    ],
)
async def test_an_umpire_rules_on_a_fallen_flag_by_mail(office, line: str, said: str, over: bool):
    await begun(office, "Carl", "3d+7d")
    await office.letters()
    letters = await fallen(office, "south")
    assert set(letters) == {"anna@example.test", "bob@example.test", "carl@example.test"}
    carls = letters["carl@example.test"]
    assert carls["Subject"].endswith("time is up for South")
    assert "flag south more" in text_of(carls)
    verdict = await office.accept(office.reply(carls, line, "carl@example.test"))
    assert [one.status for one in verdict.lines] == ["ok"]
    assert bool(office.live.recording.battle.ended) is over
    told = {str(letter["To"]): " ".join(text_of(letter).split()) for letter in await office.letters()}
    for name in ("anna", "bob"):
        assert any(said in text for to, text in told.items() if name in to), told
    assert fault(office) is None


async def test_who_has_moved_since_is_not_the_umpires_any_more(office):
    await begun(office, "Carl", "3d+7d")
    await office.letters()
    carls = (await fallen(office, "south"))["carl@example.test"]
    await office.order("south", "end turn")
    verdict = await office.accept(office.reply(carls, "flag south lost", "carl@example.test"))
    assert verdict.lines[0].message.id == "core.docket-no-flag"


async def test_a_letter_about_a_flag_that_no_longer_stands_is_not_written(office):
    await begun(office, "Carl", "3d+7d")
    await office.letters()
    office.clock.wait(days=11)
    async with office.live.lock:
        await deadlines.fire(office.live, "deadline", "south")
    await office.order("south", "end turn")
    assert not any("carl" in str(letter["To"]) for letter in await office.letters())
