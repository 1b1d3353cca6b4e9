"""Each command does what it says, in English and French, once, and for nobody else."""

import re

import pytest
from msgspec.structs import replace

from domain.catalogue import RULESETS
from domain.log.fairness import seal_chain, seal_text
from replay.drawing.text.signs import WIDTH
from replay.telling.words import order_in
from server.mail import desk
from server.mail.blocks import BoardBlock, Listing, OrdersBlock, Paragraph
from server.mail.desk.commands import stranger_help, usages
from server.mail.desk.examples import examples_of
from server.mail.desk.handbook import first_steps
from server.mail.outgoing.letters.account import asking_letter
from server.mail.outgoing.letters.text import text_of as letter_text
from server.shown.outcome import shares
from server.store.tables import accounts, correspondents, mail_tokens, posts
from server.store.tables.accounts import Account
from server.store.tables.correspondents import Correspondent
from tests.server.mail.desk.desking import PHRASE, Counter, text_of
from tests.support.lanes import thinned

SECRET = "standing evade R3 never"


# --- nothing yet


@pytest.mark.slow
async def test_a_player_without_battles_is_told_how_to_get_one(counter: Counter) -> None:
    listed = await counter.mail(counter.anna, "list")
    assert "You have no battle yet" in listed.text
    for text in ("board", "why 3", "orders", "standing", "pause", "export", "say hello"):
        answer = await counter.mail(counter.anna, text)
        assert answer.id == "desk.no-battles", text
        assert "open" in answer.text and "skirmish" in answer.text
    assert "Vous n’avez pas encore de bataille" in (await counter.mail(counter.anna, "liste", lang="fr")).text


async def test_with_several_battles_one_must_be_named(counter: Counter) -> None:
    first, second = await counter.battle(), await counter.battle()
    answer = await counter.mail(counter.anna, "board")
    assert answer.id == "desk.which-battle"
    assert first.id in answer.text and second.id in answer.text
    assert (await counter.mail(counter.anna, f"board {first.id}")).only(BoardBlock).battle == first.id
    assert (await counter.mail(counter.anna, f"board [{second.id.upper()}]")).only(BoardBlock).battle == second.id
    assert (await counter.mail(counter.anna, "board", live=second)).only(BoardBlock).battle == second.id


# --- into a battle


@pytest.mark.parametrize(("text", "lang"), [("open skirmish south", "en"), ("Ouvrir SKIRMISH sud", "fr")])
async def test_opening_gives_a_side_and_says_how_others_join(counter: Counter, text: str, lang: str) -> None:
    answer = await counter.mail(counter.anna, text, lang=lang)
    assert answer.id == "desk.did.open"
    battle = answer.requests[0].args[0]
    assert answer.only(Listing).lines == (f"join {battle}",)
    live = await counter.battles.get(battle)
    assert live.recording.battle.seats["south"].player == counter.anna.player


async def test_opening_twice_by_the_same_mail_opens_once(counter: Counter) -> None:
    answers = [await counter.mail(counter.anna, "open cannae north steady link", key="a" * 64) for _ in range(2)]
    assert answers[0].requests == answers[1].requests
    live = await counter.battles.get(answers[0].requests[0].args[0])
    assert live.recording.battle.readers == "link"
    assert live.recording.battle.seats["north"].player == counter.anna.player
    assert live.clock(counter.clock.now())["north"].left_s == 10 * 24 * 3600
    assert len(await counter.desk.battles_of(counter.anna.player)) == 1


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("open skirmish tag spring south tag league-2", "en"),
        ("ouvrir skirmish étiquette spring, étiquette LEAGUE-2", "fr"),
    ],
)
async def test_a_battle_is_opened_with_tags_and_found_by_them(counter: Counter, text: str, lang: str) -> None:
    opened = await counter.mail(counter.anna, text, lang=lang)
    battle = opened.requests[0].args[0]
    live = await counter.battles.get(battle)
    assert live.recording.battle.tags == ("league-2", "spring")
    assert "league-2, spring" in opened.said
    other = (await counter.mail(counter.anna, "open skirmish")).requests[0].args[0]
    for asked in ("battles tag spring", "batailles étiquette league-2 étiquette spring"):
        told = (await counter.mail(counter.bob, asked, lang=lang)).text
        assert battle in told and "league-2, spring" in told and other not in told
    assert battle not in (await counter.mail(counter.bob, "battles tag spring tag autumn")).text
    assert (await counter.mail(counter.bob, "battles tag l'été")).id == "core.bad-tags"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("open", "Name the scenario"),
        ("open thermopylae", "There is no scenario"),
        ("open skirmish yesterday", "yesterday"),
        ("open skirmish phrase short", "16"),
        ("open skirmish tag", "Tags are"),
        ("open skirmish tag a tag b tag c tag d tag e tag f", "5"),
    ],
)
async def test_what_cannot_be_opened_is_refused_in_words(counter: Counter, text: str, said: str) -> None:
    answer = await counter.mail(counter.anna, text)
    assert said in answer.said, answer.said
    assert not answer.requests[0].message.id.startswith("desk.did")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "player", "said", "lang"),
    [
        ("open skirmish south bot", "bot-sensible", "Sensible bot", "en"),
        ("open skirmish bot easy south", "bot-easy", "Easy bot", "en"),
        ("open skirmish south bot strong", "bot-strong", "Strong bot", "en"),
        ("open skirmish south bot random", "bot-random", "Random bot", "en"),
        ("ouvrir skirmish sud robot fort", "bot-strong", "Robot fort", "fr"),
    ],
)
async def test_a_bot_of_any_strength_can_be_asked_for_from_the_start(
    counter: Counter, text: str, player: str, said: str, lang: str
) -> None:
    answer = await counter.mail(counter.anna, text, lang=lang)
    assert answer.id == "desk.did.open.bot"
    assert said in answer.said
    live = await counter.battles.get(answer.requests[0].args[0])
    assert live.recording.battle.seats["north"].player == player


@pytest.mark.parametrize("word", ["join", "rejoindre"])
async def test_joining_takes_the_free_side_and_the_battle_begins_with_both_phrases(counter: Counter, word: str) -> None:
    opened = await counter.mail(counter.anna, "open skirmish north")
    battle = opened.requests[0].args[0]
    listed = await counter.mail(counter.bob, "battles")
    assert battle in listed.text and "Anna" in listed.text and "free is south" in listed.text
    joined = await counter.mail(counter.bob, f"{word} {battle}\nphrase {PHRASE}")
    assert joined.id == "desk.did.join"
    assert "against Anna" in joined.said
    recording = (await counter.battles.get(battle)).recording
    assert recording.battle.begun and recording.battle.may_draw(recording.ruleset.seats)
    assert battle not in (await counter.mail(counter.anna, "battles")).text


async def test_joining_is_refused_in_words(counter: Counter) -> None:
    live = await counter.battle()
    eve = await counter.account("Eve")
    assert (await counter.mail(eve, f"join {live.id}")).id == "desk.join-full"
    assert (await counter.mail(eve, f"join {live.id} north")).id == "core.side-taken"
    assert (await counter.mail(eve, "join aaaaaaaa")).id == "core.unknown-battle"
    assert (await counter.mail(eve, "join")).id == "desk.join-which"
    assert (await counter.mail(counter.bob, f"join {live.id}")).id == "desk.did.join"  # he holds it already


@pytest.mark.parametrize(("word", "lang"), [("leave", "en"), ("Quitter", "fr")])
async def test_a_side_is_given_back_before_the_battle_begins(counter: Counter, word: str, lang: str) -> None:
    opened = await counter.mail(counter.anna, "open skirmish north private")
    live = await counter.battles.get(opened.requests[0].args[0])
    assert (await counter.mail(counter.bob, f"{word} {live.id}")).id == "core.unknown-battle"
    first, again = [await counter.mail(counter.anna, f"{word} {live.id}", lang=lang, key="b" * 64) for _ in range(2)]
    assert first.id == again.id == "desk.did.leave"
    assert ("given north back" if lang == "en" else "rendu le Nord") in first.said
    assert ("hold no side" if lang == "en" else "plus de camp") in again.said
    left = [type(recorded.event).__name__ for recorded in live.recording.timeline.events].count("SideLeft")
    assert (live.recording.battle.seats, left) == ({}, 1)
    assert (await counter.mail(counter.bob, f"join {live.id} north")).id == "desk.did.join"
    assert (await counter.mail(counter.anna, f"{word} {live.id} north")).id == "core.not-your-side"
    assert (await counter.mail(counter.bob, word)).id == "desk.did.leave"


async def test_a_side_is_not_given_back_once_the_battle_has_begun(counter: Counter) -> None:
    live = await counter.battle()
    assert (await counter.mail(counter.anna, "leave", live=live)).id == "core.begun"
    assert (await counter.mail(counter.anna, f"cancel {live.id}")).id == "core.begun"
    assert (await counter.mail(await counter.account("Eve"), f"leave {live.id}")).id == "core.not-seated"
    assert set(live.recording.battle.seats) == {"south", "north"} and not live.closed


@pytest.mark.parametrize(("word", "lang"), [("cancel", "en"), ("annule", "fr")])
async def test_who_has_opened_a_battle_cancels_it_before_it_begins(counter: Counter, word: str, lang: str) -> None:
    opened = await counter.mail(counter.anna, "open skirmish private")
    live = await counter.battles.get(opened.requests[0].args[0])
    await counter.mail(counter.anna, "leave")
    assert (await counter.mail(counter.bob, f"join {live.id} south")).id == "desk.did.join"
    assert (await counter.mail(counter.bob, f"{word} {live.id}")).id == "core.not-opener"
    assert (await counter.mail(await counter.account("Eve"), f"{word} {live.id}")).id == "core.unknown-battle"
    for _ in range(2):
        assert (await counter.mail(counter.anna, f"{word} {live.id}", lang=lang)).id == "desk.did.cancel"
    assert live.closed == "cancelled"
    assert (await counter.mail(counter.bob, f"leave {live.id}")).id == "core.battle-closed"


@pytest.mark.parametrize(
    "text", ["accept", "accepter", "accept phrase a phrase of sixteen", "Accept my sixteen letters now"]
)
async def test_accepting_gives_the_missing_contribution_once(counter: Counter, text: str) -> None:
    from server.people.players import Player
    from server.play.seating import take_side

    live = await counter.battles.get((await counter.mail(counter.anna, "open skirmish")).requests[0].args[0])
    assert (await counter.mail(counter.anna, "accept")).id == "desk.accept-waiting"
    await take_side(live, "north", Player(counter.bob.player, counter.bob.name))
    assert live.recording.battle.owing == ("north",)
    for _ in range(2):
        assert (await counter.mail(counter.bob, text, key="b" * 64)).id == "desk.did.accept"
        assert not live.recording.battle.owing
    assert (await counter.mail(counter.bob, text)).id == "desk.accept-nothing"


async def test_accepting_in_a_battle_with_a_free_side_takes_it(counter: Counter) -> None:
    battle = (await counter.mail(counter.anna, "open skirmish")).requests[0].args[0]
    assert (await counter.mail(counter.bob, f"accept {battle}")).id == "desk.did.join"


@pytest.mark.parametrize(("lang", "word", "book"), [("en", "sealed", "book"), ("fr", "scellé", "carnet")])
async def test_both_seats_of_a_battle_by_mail_can_be_sealed(counter: Counter, lang: str, word: str, book: str) -> None:
    opened = await counter.mail(counter.anna, f"open skirmish {word}", lang=lang)
    battle = opened.requests[0].args[0]
    live = await counter.battles.get(battle)
    assert (opened.id, live.recording.battle.seats) == ("desk.did.open.sealed", {})
    for account, side in ((counter.anna, "south"), (counter.bob, "north")):
        joins = f"join {battle} {side} {word}"
        assert (await counter.mail(account, joins, lang=lang)).id == "core.bad-anchor"
        seals = seal_chain(battle, side, side.encode(), 9)
        assert (await counter.mail(account, f"{joins} {seals[0].hex().upper()}.", lang=lang)).id == "desk.did.join"
    assert [seat.mode for seat in live.recording.battle.seats.values()] == ["sealed", "sealed"]
    for account, side in ((counter.anna, "south"), (counter.bob, "north")):
        assert (await counter.mail(account, "accept", lang=lang)).id == "core.seal-missing"
        typed = seal_text(seal_chain(battle, side, side.encode(), 9)[1])
        assert (await counter.mail(account, f"accept seal {typed}", lang=lang)).id == "desk.did.accept"
    other = seal_chain(battle, "south", b"another", 9)
    assert (await counter.mail(counter.anna, f"{book} 00", lang=lang)).id == "core.bad-anchor"
    for _ in range(2):
        assert (await counter.mail(counter.anna, f"{book} {other[0].hex()}", lang=lang)).id == "desk.did.book"
    assert live.recording.battle.seats["south"].new_book


async def test_a_seat_that_gives_phrases_has_no_book(counter: Counter) -> None:
    live = await counter.battle()
    assert (await counter.mail(counter.anna, f"book {'0' * 32}", live=live)).id == "core.no-book"


# --- looking


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "you are the umpire, 1 open dispute"), ("fr", "vous arbitrez, 1 litige en cours")]
)
async def test_the_list_of_an_umpire_has_the_battles_that_they_judge(counter: Counter, lang: str, said: str) -> None:
    carl, live = await counter.account("Carl"), await counter.battle()
    for account, line in ((counter.anna, "umpire Carl"), (counter.bob, "agree umpire")):
        await counter.order(live, account, line)
    assert "1" not in (await counter.mail(carl, "list", lang=lang)).text.partition("Bob")[2]
    await counter.order(live, counter.bob, "dispute 1 x")
    listed = (await counter.mail(carl, "list", lang=lang)).text
    assert live.id in listed
    assert said in listed.replace("\N{NO-BREAK SPACE}", " ")


async def test_the_list_says_whose_move_it_is_and_until_when(counter: Counter) -> None:
    live = await counter.battle("brisk")
    await counter.mail(counter.anna, "zone Europe/Paris")
    mine = await counter.mail(counter.anna, "list")
    assert f"{live.id}" in mine.text and "YOUR MOVE, by " in mine.text and "Paris" in mine.text
    assert "waits for the other side" in (await counter.mail(counter.bob, "list")).text
    assert "attend l’autre camp" in (await counter.mail(counter.bob, "liste", lang="fr")).text
    await counter.order(live, counter.bob, "resign")
    assert "over, you won" in (await counter.mail(counter.anna, "list")).text
    assert "over, you lost" in (await counter.mail(counter.bob, "list")).text


@pytest.mark.parametrize(
    ("words", "lang"), [("board history why orders", "en"), ("plateau historique pourquoi ordres", "fr")]
)
async def test_board_history_reasons_and_orders_are_shown(counter: Counter, words: str, lang: str) -> None:
    live = await counter.battle()
    board, history, why, orders = words.split()
    await counter.order(live, counter.anna, "R1 ahead")
    drawn = next(r.n for r in live.recording.timeline.events if r.type.startswith("Activation"))
    shown = (await counter.mail(counter.anna, board, lang=lang)).only(BoardBlock)
    assert (shown.n, shown.side) == (live.n, "south")
    assert (await counter.mail(counter.anna, f"{board} 5", lang=lang)).only(BoardBlock).n == 5
    told = await counter.mail(counter.anna, f"{history} 1", lang=lang)
    assert "R1" in told.text and f"{live.n:>5}" in told.text
    reason = await counter.mail(counter.bob, f"{why} {drawn}", lang=lang)
    assert "TTS-ACT-01" in reason.text and "72" in reason.text
    legal = (await counter.mail(counter.anna, orders, lang=lang)).only(OrdersBlock)
    first = order_in(live.ruleset, live.options("south")[-1].order, lang)
    assert any(line.startswith(first) for _, lines in legal.groups for line in lines)
    assert live.id in (await counter.mail(counter.bob, orders, lang=lang)).only(Paragraph).text  # not his move


async def test_a_history_can_be_of_a_turn_or_since_ones_orders(counter: Counter) -> None:
    live = await counter.battle()
    await counter.order(live, counter.anna, "R1 ahead\nend turn")
    await counter.order(live, counter.bob, "end turn")
    since = (await counter.mail(counter.bob, "history")).text
    assert "R1" not in since
    assert "R1" in (await counter.mail(counter.bob, "history turn 1")).text
    assert "R1" not in (await counter.mail(counter.bob, "history turn")).text
    assert (await counter.mail(counter.bob, "history turn 9")).id == "desk.no-turn"


@pytest.mark.parametrize(
    ("text", "id_"),
    [
        ("why", "desk.why-which"),
        ("why 99999", "core.no-such-event"),
        ("why 0", "core.no-such-event"),
        ("why did my unit die", "desk.no-number"),
        ("board 99999", "core.no-such-event"),
        ("board -3", "desk.no-number"),
        ("history 999999999999999", "desk.no-number"),
        ("preview", "desk.preview-what"),
        ("preview\nsee you on Sunday", "desk.preview-unreadable"),
        ("board aaaaaaaa", "core.unknown-battle"),
    ],
)
async def test_what_is_not_there_is_said_so(counter: Counter, text: str, id_: str) -> None:
    await counter.battle()
    answer = await counter.mail(counter.anna, text)
    assert answer.id == id_
    assert answer.said


@pytest.mark.slow
async def test_a_preview_tells_odds_and_plays_nothing(counter: Counter) -> None:
    live = await counter.battle()
    n = live.n
    told = await counter.mail(counter.anna, "preview\nR1 ahead")
    assert "72 of the 80 left are 2 or more, 90%" in told.text
    assert "> R1 ahead" in told.text
    assert (
        "La première carte\N{NO-BREAK SPACE}: 72 des 80"
        in (await counter.mail(counter.anna, "R1 avance", "aperçu", lang="fr")).text
    )
    assert live.n == n
    assert (await counter.mail(counter.bob, "preview\nN1 ahead")).id == "core.not-your-turn"


@pytest.mark.parametrize(
    ("lang", "script", "refusal"),
    [
        ("en", "preview\nR1 ahead\nR1 ahead\nR1 ahead", r"is skipped in \d+% of the tries; most often: [^[]+\[TTS-"),
        (
            "fr",
            "aperçu\nR1 avance\nR1 avance\nR1 avance",
            r"est sauté dans \d+ % des essais ; le plus souvent : [^[]+\[TTS-",
        ),
    ],
)
async def test_the_shares_of_a_preview_are_a_hundred_and_a_refusal_has_its_reason(
    counter: Counter, lang: str, script: str, refusal: str
) -> None:
    """Which reason is the commonest depends on the imagined cards: two are about as likely."""
    await counter.battle()
    told = (await counter.mail(counter.anna, script, lang=lang)).text
    lines = [" ".join(part.split()) for part in told.split("\n> ")[1:]]
    assert [sum(map(int, re.findall(r" (\d+) ?%", line))) for line in lines] == [100, 100, 100]
    assert [bool(re.search(refusal, line)) for line in lines] == [False, True, True]
    assert max(len(line) for line in told.split("> ", 1)[1].rpartition("\n")[0].splitlines()) <= WIDTH


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ((181, 19, 0, 0), [91, 9, 0, 0]),
        ((1, 1, 1, 0), [34, 33, 33, 0]),
        ((397, 1, 1, 1), [97, 1, 1, 1]),
        ((200, 0, 0, 0), [100, 0, 0, 0]),
        ((125, 25, 25, 25), [63, 13, 12, 12]),
        ((0, 0), [0, 0]),
    ],
)
def test_shares_are_a_hundred(parts: tuple[int, ...], told: list[int]) -> None:
    assert shares(parts) == [f"{share}%" for share in told]


async def test_only_ones_own_standing_orders_are_listed(counter: Counter) -> None:
    live = await counter.battle()
    assert "no standing orders" in (await counter.mail(counter.anna, "standing")).text
    await counter.order(live, counter.anna, SECRET)
    own = (await counter.mail(counter.anna, "standing")).text
    assert SECRET in own
    assert "R3 jamais" in (await counter.mail(counter.anna, "consignes", lang="fr")).text
    for text in ("standing", "history 1", "orders", "list", "proof", f"why {live.n}", "board"):
        for who, key in ((counter.bob, ""), (await counter.account(f"Eve {text}"[:20]), live.id)):
            shown = await counter.mail(who, f"{text.split()[0]} {key} {' '.join(text.split()[1:])}".strip())
            assert "R3 never" not in shown.text and "evade R3" not in shown.text, (text, shown.text)


async def test_strangers_read_public_battles_and_no_private_ones(counter: Counter) -> None:
    public, private = await counter.battle(), await counter.battle(readers="private")
    eve = await counter.account("Eve")
    assert (await counter.mail(eve, f"board {public.id}")).only(BoardBlock).side == ""
    for text in ("board {}", "history {}", "why {} 3", "orders {}", "export {}", "proof {}", "standing {}"):
        assert (await counter.mail(eve, text.format(private.id))).id == "core.unknown-battle"
    assert (await counter.mail(eve, f"standing {public.id}")).id == "core.not-seated"


async def test_file_and_proof_are_named(counter: Counter) -> None:
    live = await counter.battle()
    assert f"/api/v1/battles/{live.id}/export" in (await counter.mail(counter.anna, "export")).text
    proof = await counter.mail(counter.anna, "preuve", lang="fr")
    assert live.recording.battle.commitment in proof.text
    assert f"phalera/{live.id}" in proof.text


# --- orders among commands


async def test_resigning_and_draws_are_orders_that_are_confirmed(counter: Counter) -> None:
    live = await counter.battle()
    (request,) = desk.read("draw", "")
    assert desk.must_confirm(request)
    assert (await counter.mail(counter.anna, "nulle")).id == "desk.did.order"
    assert live.game.draw_offer == "south"
    assert (await counter.mail(counter.bob, "list\naccept draw", key="d" * 64)).requests[
        1
    ].message.id == "desk.did.order"  # type: ignore[union-attr]
    n = live.n
    assert live.game.how == "draw"
    again = await counter.mail(counter.bob, "list\naccept draw", key="d" * 64)
    assert again.requests[1].message.id == "desk.did.order"  # type: ignore[union-attr]
    assert live.n == n
    assert (await counter.mail(counter.anna, "concede")).id == "core.battle-ended"


# --- words


@pytest.mark.parametrize(("text", "lang"), [("say Well played, Bob!", "en"), ("dire Well played, Bob!", "fr")])
async def test_words_go_to_the_other_player_once(counter: Counter, text: str, lang: str) -> None:
    live = await counter.battle()
    for _ in range(2):
        answer = await counter.mail(counter.anna, text, lang=lang, key="c" * 64)
        assert answer.id == "desk.did.say" and "Bob" in answer.said
    (post,) = posts.of_battle(counter.battles.store, live.id)
    assert (post.side, post.text) == ("south", "Well played, Bob!")
    (letter,) = counter.letters("say:")
    assert (letter.recipient, letter.kind) == (counter.bob.player, f"say:{post.id}")


async def test_words_are_cleaned_and_capped(counter: Counter) -> None:
    live = await counter.battle()
    await counter.mail(counter.anna, "message\nfirst\x07\x1b[31m\tline\u202e\n\nsecond\x00\nend")
    (post,) = posts.of_battle(counter.battles.store, live.id)
    assert post.text == "first[31m line\n\nsecond"
    assert (await counter.mail(counter.anna, "say " + "é" * 2049)).id == "core.words-too-long"
    assert (await counter.mail(counter.anna, "say")).id == "core.no-words"
    assert (await counter.mail(counter.anna, "say \u200b\x07")).id == "core.no-words"
    assert len(counter.letters("say:")) == 1


async def test_words_have_a_listener_and_an_end(counter: Counter) -> None:
    battle = (await counter.mail(counter.anna, "open skirmish")).requests[0].args[0]
    assert (await counter.mail(counter.anna, "say anybody?")).id == "core.nobody-there"
    eve = await counter.account("Eve")
    assert (await counter.mail(eve, f"say [{battle}] hello")).id == "core.not-seated"
    await counter.mail(counter.bob, "open skirmish bot")
    assert (await counter.mail(counter.bob, "say hello")).id == "core.no-reader"
    await counter.mail(eve, f"join {battle}")
    for _ in range(30):
        assert (await counter.mail(counter.anna, "say word")).id == "desk.did.say"
    assert (await counter.mail(counter.anna, "say word")).id == "core.too-many-words"
    counter.clock.wait(hours=25)
    assert (await counter.mail(counter.anna, "say word")).id == "desk.did.say"


# --- time


@pytest.mark.parametrize(
    ("text", "begins", "ends"),
    [
        ("vacation 2026-12-24 2027-01-02", "2026-12-23T23:00:00.000Z", "2027-01-02T23:00:00.000Z"),
        ("vacances du 24/12/2026 au 02/01/2027", "2026-12-23T23:00:00.000Z", "2027-01-02T23:00:00.000Z"),
        ("vacation until 2026-11-25", "2026-11-20T12:00:00.000Z", "2026-11-25T23:00:00.000Z"),
        ("vacances jusqu'au 25.11.2026", "2026-11-20T12:00:00.000Z", "2026-11-25T23:00:00.000Z"),
        ("vacances jusqu’au 25.11.2026", "2026-11-20T12:00:00.000Z", "2026-11-25T23:00:00.000Z"),
        ("vacation 3 days", "2026-11-20T12:00:00.000Z", "2026-11-22T23:00:00.000Z"),
    ],
)
async def test_a_vacation_is_planned_in_the_players_zone_once(
    counter: Counter, text: str, begins: str, ends: str
) -> None:
    from server.time.timekeeper import vacations_of

    await counter.mail(counter.anna, "zone Paris")
    for _ in range(2):
        assert (await counter.mail(counter.anna, text, key="e" * 64)).id == "desk.did.vacation"
    (planned,) = vacations_of(counter.battles, counter.anna.player)
    assert (planned.begins, planned.ends) == (begins, ends)
    assert "2026" in (await counter.mail(counter.anna, "vacation")).text
    for _ in range(2):
        assert (await counter.mail(counter.anna, "vacances terminées", key="f" * 64)).id == "desk.did.vacation-over"


async def test_a_vacation_that_is_none_is_refused(counter: Counter) -> None:
    assert "no vacation planned" in (await counter.mail(counter.anna, "vacation")).text
    assert (await counter.mail(counter.anna, "vacation soon")).id == "desk.bad-vacation"
    assert (await counter.mail(counter.anna, "vacation 2026-02-30 2026-03-01")).id == "desk.vacation-past"
    assert (await counter.mail(counter.anna, "vacation 2028-12-01 2028-12-02")).id == "core.bad-dates"
    assert (await counter.mail(counter.anna, "vacation 2026-12-01 2027-03-01")).id == "core.vacation-too-long"
    assert (await counter.mail(counter.anna, "vacation over")).id == "core.no-vacation"


@pytest.mark.parametrize(
    ("text", "lang", "said"),
    [
        ("vacation 2026-11-01", "en", "Sunday 1 November 2026, is over"),
        ("vacation 2026-10-01 2026-11-19", "en", "Thursday 19 November 2026, is over"),
        ("vacances 01/11/2026", "fr", "dimanche 1er novembre 2026, est passé"),
        ("vacation 2026-12-24 2026-12-20", "en", "over on Sunday 20 December 2026, before it begins"),
        ("vacances 24/12/2026 20/12/2026", "fr", "dimanche 20 décembre 2026, avant de commencer"),
    ],
)
async def test_a_vacation_that_is_over_is_said_to_be(counter: Counter, text: str, lang: str, said: str) -> None:
    assert said in (await counter.mail(counter.anna, text, lang=lang)).text
    assert "no vacation planned" in (await counter.mail(counter.anna, "vacation")).text


async def test_ending_a_vacation_twice_by_one_mail_spares_the_next(counter: Counter) -> None:
    from server.time.timekeeper import vacations_of

    await counter.mail(counter.anna, "vacation 2026-12-01 2026-12-03\nvacation 2026-12-10 2026-12-12")
    for _ in range(2):
        await counter.mail(counter.anna, "vacation over", key="9" * 64)
    assert len(vacations_of(counter.battles, counter.anna.player)) == 1


async def test_a_pause_is_asked_for_agreed_to_and_ended(counter: Counter) -> None:
    live = await counter.battle("brisk")
    for _ in range(2):
        assert (await counter.mail(counter.anna, "pause", key="1" * 64)).id == "desk.did.pause-asked"
    assert (await counter.mail(counter.bob, "pause")).id == "desk.did.pause"
    assert live.clock(counter.clock.now())["south"].paused
    for _ in range(2):
        assert (await counter.mail(counter.bob, "reprendre", key="2" * 64)).id == "desk.did.resume"
    assert not live.clock(counter.clock.now())["south"].paused


async def test_a_battle_without_a_clock_knows_no_pause(counter: Counter) -> None:
    await counter.battle()
    for text in ("pause", "resume", "claim", "réclamer"):
        assert (await counter.mail(counter.anna, text)).id == "core.no-clock"


async def test_a_battle_is_claimed_when_time_has_run_out(counter: Counter) -> None:
    live = await counter.battle("brisk")
    assert (await counter.mail(counter.bob, "claim")).id == "core.no-flag"
    counter.clock.wait(days=5)
    for _ in range(2):
        assert (await counter.mail(counter.bob, "claim", key="3" * 64)).id == "desk.did.claim"
    assert (live.game.winner, live.game.how) == ("north", "time")


# --- wishes


@pytest.mark.parametrize(
    ("text", "wish"),
    thinned(
        [
            ("letters digest", {"delivery": "digest"}),
            ("lettres urgentes", {"delivery": "urgent"}),
            ("courrier aucune", {"delivery": "none"}),
            ("quiet 22-8", {"quiet": "22-8"}),
            ("calme 22h - 8h", {"quiet": "22-8"}),
            ("language fr", {"lang": "fr"}),
            ("langue français", {"lang": "fr"}),
            ("zone europe/paris", {"zone": "Europe/Paris"}),
            ("fuseau New York", {"zone": "America/New_York"}),
            ("picture off", {"picture": False}),
            ("letters long", {"is_long": True}),
            ("lettres longues", {"is_long": True}),
            ("letters short", {"is_long": False}),
            ("image non", {"picture": False}),
            ("stop", {"stopped": "unsubscribed"}),
            ("arrêter", {"stopped": "unsubscribed"}),
        ],
        3,
    ),
)
async def test_a_wish_is_kept_and_shown(counter: Counter, text: str, wish: dict[str, object]) -> None:
    answer = await counter.mail(counter.anna, text)
    assert answer.id.startswith("desk.did.")
    assert counter.desk.wishes(counter.anna.player) == Correspondent(counter.anna.player)._replace(**wish)  # type: ignore[arg-type]
    assert counter.desk.wishes(counter.bob.player) == Correspondent(counter.bob.player)
    assert answer.only(Listing).lines


@pytest.mark.parametrize(
    "text",
    [
        "letters often",
        "quiet 25-3",
        "quiet 8-8",
        "quiet please",
        "language klingon",
        "zone Mars",
        "picture maybe",
        "zone",
    ],
)
async def test_a_wish_that_cannot_be_read_changes_nothing(counter: Counter, text: str) -> None:
    answer = await counter.mail(counter.anna, text)
    assert not answer.said or not answer.id.startswith("desk.did.")
    assert counter.desk.wishes(counter.anna.player) == Correspondent(counter.anna.player)


async def test_start_brings_letters_back_and_keeps_the_rest(counter: Counter) -> None:
    kept = Correspondent(
        counter.anna.player, "fr", "Europe/Paris", "digest", "22-8", False, "example.test", 3, "bounced"
    )
    await counter.battles.store.write(correspondents.save(kept))
    assert "revenues 3 fois" in (await counter.mail(counter.anna, "réglages")).text
    assert (await counter.mail(counter.anna, "démarrer")).id == "desk.did.start"
    assert counter.desk.wishes(counter.anna.player) == kept._replace(bounces=0, stopped="")


async def test_a_standing_order_among_commands_is_given_without_being_confirmed(counter: Counter) -> None:
    live = await counter.battle()
    for text in ("list\nstanding evade R3 never", "liste\nconsigne esquive R3 jamais"):
        request = desk.read(text, "")[1]
        assert desk.changes(request)
        assert not desk.must_confirm(request)
    done = await counter.mail(counter.anna, "list\nstanding evade R3 never")
    assert done.id == "desk.did.order"
    assert "+-----+" not in done.text
    assert live.n


def test_what_only_shows_needs_no_trust(counter: Counter) -> None:
    for text in ("vacation", "letters", "quiet", "zone", "address", "list", "help", "settings", "open"):
        (request,) = desk.read(text, "")
        assert not desk.changes(request), text
    for text in ("vacation over", "letters none", "stop", "start", "say x", "join abcdefgh", "pause", "draw", "accept"):
        (request,) = desk.read(text, "")
        assert desk.changes(request), text
    (request,) = desk.read("address a@b.example", "")
    assert desk.must_confirm(request)


# --- another address


async def test_another_address_must_answer_before_anything_moves(counter: Counter) -> None:
    await counter.battles.store.write(
        correspondents.save(Correspondent(counter.anna.player, signed="example.test", bounces=3, stopped="bounced"))
    )
    for _ in range(2):
        answer = await counter.mail(counter.anna, "adresse anna@new.example")
        assert answer.id == "desk.did.address" and "anna@new.example" in answer.said
    (letter,) = counter.letters("confirm:")
    assert letter.recipient == counter.anna.player
    assert "anna@new.example" not in letter.kind
    asking = asking_letter(counter.battles, counter.desk.addresses, letter)
    assert asking is not None and asking.address == "anna@new.example"
    assert "anna@new.example" in asking.lead and "Anna " not in asking.lead
    assert f"/confirm/{asking.token}" in "".join(map(text_of, asking.blocks))
    token = counter.desk.addresses.token("confirm", letter.kind.removeprefix("confirm:"))
    assert counter.desk.account(counter.anna.player).email == "anna@example.test"  # type: ignore[union-attr]
    assert (await counter.confirm(token)).id == "desk.did.moved"
    assert accounts.by_player(counter.battles.store, counter.anna.player).email == "anna@new.example"  # type: ignore[union-attr]
    wishes = counter.desk.wishes(counter.anna.player)
    assert (wishes.signed, wishes.bounces, wishes.stopped) == ("", 0, "")
    assert (await counter.confirm(token)).id == "desk.confirm-gone"
    assert asking_letter(counter.battles, counter.desk.addresses, letter) is None


async def test_nobody_is_written_to_often(counter: Counter) -> None:
    assert (await counter.mail(counter.anna, "address")).id == "desk.did.address-is"
    for bad in ("nowhere", "a@b", "a b@c.example", "play+x@phalera.test", "a@b..example", "x@y.example,z@y.example"):
        assert (await counter.mail(counter.anna, f"address {bad}")).id == "core.bad-address", bad
    assert (await counter.mail(counter.anna, "address ANNA@example.test")).id == "core.same-address"
    for n in range(3):
        assert (await counter.mail(counter.anna, f"address a{n}@new.example")).id == "desk.did.address"
    assert (await counter.mail(counter.anna, "address a4@new.example")).id == "core.too-many-addresses"
    assert (await counter.mail(counter.bob, "address A0@new.example")).id == "core.too-many-addresses"
    assert len(counter.letters("confirm:")) == 3
    counter.clock.wait(days=1)
    assert (await counter.mail(counter.anna, "address a4@new.example")).id == "desk.did.address"


async def test_a_question_to_an_address_dies_after_a_week(counter: Counter) -> None:
    await counter.mail(counter.anna, "address anna@new.example")
    (letter,) = counter.letters("confirm:")
    token = counter.desk.addresses.token("confirm", letter.kind.removeprefix("confirm:"))
    counter.clock.wait(days=7, hours=1)
    assert (await counter.confirm(token)).id == "desk.confirm-gone"
    assert counter.desk.account(counter.anna.player).email == "anna@example.test"  # type: ignore[union-attr]


async def test_tokens_that_hold_nothing_open_nothing(counter: Counter) -> None:
    now = counter.clock.now()
    for at, content in enumerate((b"", b"not json", b"[]", b"{}", b'{"other": "x"}')):
        await counter.battles.store.write(
            mail_tokens.issue(f"token{at}", "confirm", counter.anna.player, now, content=content)
        )
        assert (await counter.confirm(f"token{at}")).id == "desk.confirm-gone"
    await counter.battles.store.write(mail_tokens.issue("other", "bounce", counter.anna.player, now, content=b"{}"))
    assert (await counter.confirm("other")).id == "desk.confirm-gone"
    assert (await counter.mail(counter.anna, "list")).blocks


async def test_an_announced_absence_is_planned_by_a_yes(counter: Counter) -> None:
    from server.time.timekeeper import vacations_of

    for token, day in (("known", "2026-11-27"), ("unknown", "")):
        content = f'{{"absence": "{day}"}}'.encode()
        row = mail_tokens.issue(token, "confirm", counter.anna.player, counter.clock.now(), content=content)
        await counter.battles.store.write(row)
    assert (await counter.confirm("known")).id == "desk.did.vacation"
    (planned,) = vacations_of(counter.battles, counter.anna.player)
    assert planned.ends == "2026-11-28T00:00:00.000Z"
    assert (await counter.confirm("known")).id == "desk.confirm-gone"
    assert (await counter.confirm("unknown")).id == "core.vacation-overlaps"


# --- help


@pytest.mark.parametrize("lang", ["en", "fr"])
async def test_the_help_tells_all_commands_and_topics(counter: Counter, lang: str) -> None:
    word = usages(lang)["help"][0]
    text = (await counter.mail(counter.anna, word, lang=lang)).text
    assert "-----8<-----" in text and usages(lang)["join"][0] in text
    topics = ("orders", "scripts", "standing", "time", "privacy", "commands")
    texts = {topic: (await counter.mail(counter.anna, f"{word} {topic}", lang=lang)).text for topic in topics}
    assert len(set(texts.values())) == len(topics)
    assert all(len(told) > 400 for told in texts.values())
    listed = [usage for examples in usages(lang).values() for usage in examples]
    assert [usage for usage in listed if usage not in texts["commands"]] == []
    assert "R1 charge E5" in texts["orders"] and ("R1 ahead" in texts["orders"]) == (lang == "en")
    french = [line for line in texts["orders"].split("\n") if "one box ahead" in line or "your turn is over" in line]
    assert bool(french) == (lang == "en")
    told = "\n".join(text_of(block) for block in stranger_help(lang, "https://phalera.test"))
    assert "https://phalera.test" in told and usages(lang)["join"][0] in told
    nobody = Account("", "", "someone@new.example", counter.clock.now())
    assert counter.battles.settings.address in (first := await counter.mail(nobody, word)).text
    assert ("compte" in first.text) == (lang == "fr")


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(
    "code, scenario", [("tts", "skirmish"), ("singidunum", "woods"), ("warmaster-shooting", "engines")]
)
async def test_the_help_has_orders_of_the_game_that_is_played(
    counter: Counter, code: str, scenario: str, lang: str
) -> None:
    word, examples = usages(lang)["help"][0], examples_of(RULESETS[code], lang)
    assert "ORD" in (await counter.mail(counter.anna, f"{word} scripts", lang=lang)).text  # of no game
    opened = await counter.mail(counter.anna, f"{usages(lang)['open'][0].split()[0]} {scenario}", lang=lang)
    live = await counter.battles.get(opened.requests[0].args[0])
    for answered in (live, None):  # their only battle is meant, too
        text = (await counter.mail(counter.anna, word, lang=lang, live=answered)).text
        assert {form.example for form in examples.forms} <= parts(text)
    more = (await counter.mail(counter.anna, f"{word} scripts", lang=lang)).text
    assert all(line in more for _, lines in examples.scripts for line in lines) and "ORD" not in more
    more = (await counter.mail(counter.anna, f"{word} standing", lang=lang)).text
    assert {form.example for form in examples.standing} <= parts(more)


def parts(text: str) -> set[str]:
    """The lines of a text, and what stands in their first column."""
    return {part for line in text.split("\n") for part in (line, line.partition("  ")[0])}


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("code", [*sorted(RULESETS), ""])
def test_the_help_is_short_and_keeps_to_its_game(code: str, lang: str) -> None:
    blocks = first_steps(usages, lang, RULESETS.get(code))
    text = letter_text(blocks, (), "", lang)
    assert len(text.rstrip().split("\n")) <= 61
    assert max(map(len, text.split("\n"))) <= WIDTH
    others = [game for other, game in RULESETS.items() if other != code]
    mine = {form.example for form in examples_of(RULESETS[code], lang).forms} if code else set()
    theirs = {form.example for game in others for form in examples_of(game, lang).forms} - mine
    assert mine <= parts(text) and not theirs & parts(text)


async def test_what_is_no_command_is_said_so_and_the_others_are_done(counter: Counter) -> None:
    answer = await counter.mail(counter.anna, "language fr\nThanks and best wishes", lang="en")
    assert [request.name for request in answer.requests] == ["language", "unreadable"]
    assert "“Thanks and best wishes” is not a command" in answer.said
    several = await counter.mail(counter.anna, "list\nfoo\nbar", lang="en")
    assert several.said.count("is not a command") == 2 and several.said.count("“help commands”") == 1
    assert counter.desk.wishes(counter.anna.player).lang == "fr"


async def test_an_operator_takes_a_side_by_mail_with_a_book_alone(counter: Counter) -> None:
    counter.battles.settings = replace(counter.battles.settings, operators=(counter.anna.player,))
    assert (await counter.mail(counter.anna, "open skirmish")).id == "core.operator-sealed"
    assert not counter.battles.store.battles()
    assert (await counter.mail(counter.anna, "open skirmish sealed")).id == "desk.did.open.sealed"


@pytest.mark.parametrize(
    ("lang", "lines"),
    [
        (
            "en",
            (
                "cannae          Cannae, 216 BC\n                130 – 126 points, 12 × 8, at most 10 turns",
                "50 – 50 points, 9 × 11, at most 8 turns",
                "100 × 34 cm, at most 20 turns",
                "Bots: easy, sensible, strong, random.",
                "Bots: easy, sensible, random.",
            ),
        ),
        (
            "fr",
            (
                "cannae          Cannes, 216 av. J.-C.\n                130 – 126 points, 12 × 8, 10 tours au plus",
                "50 – 50 points, 9 × 11, 8 tours au plus",
                "100 × 34 cm, 20 tours au plus",
                "Robots\u00a0: facile, raisonnable, fort, hasard.",
                "Robots\u00a0: facile, raisonnable, hasard.",
            ),
        ),
    ],
)
async def test_the_scenarios_are_listed_with_their_sizes_and_bots(
    counter: Counter, lang: str, lines: tuple[str, ...]
) -> None:
    answer = await counter.mail(counter.anna, "battles" if lang == "en" else "batailles", lang=lang)
    for line in lines:
        assert line in answer.text
    assert all(len(line) <= WIDTH for block in answer.blocks if isinstance(block, Listing) for line in block.lines)
    assert "singidunum/two-lines" in answer.text


async def test_the_orders_of_a_battle_that_is_named(counter: Counter) -> None:
    first, second = await counter.battle(), await counter.battle()
    await counter.mail(counter.anna, "list")
    answer = await counter.mail(counter.anna, f"orders {second.id}")
    assert second.id in answer.text and first.id not in answer.text
    assert answer.only(OrdersBlock).groups
