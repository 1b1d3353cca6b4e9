"""A battle of three is joined, talked in and left by mail; a seat is named by the name that its game gives it."""

import pytest

from tests.server.mail.desk.desking import PHRASE, Counter
from tests.support.three_seats import GAMES
from tests.toys.lots import SEATS

pytestmark = pytest.mark.filterwarnings("ignore::replay.telling.words.MissingSentence")


async def test_three_join_by_mail_each_at_a_seat_of_the_game(counter: Counter) -> None:
    counter.battles.rulesets = GAMES
    live = await counter.battles.open("lots", {"ruleset": "lots"}, "public")
    eve = await counter.account("Eve")
    assert (await counter.mail(counter.anna, f"join {live.id} blue\nphrase {PHRASE}")).id == "desk.did.join"
    assert (await counter.mail(counter.bob, f"join {live.id}\nphrase {PHRASE}")).id == "desk.did.join"
    assert (await counter.mail(eve, f"join {live.id} blue\nphrase {PHRASE}")).id == "core.side-taken"
    assert (await counter.mail(eve, f"join {live.id} green\nphrase {PHRASE}")).id == "desk.did.join"
    battle = live.recording.battle
    assert {side: seat.name for side, seat in battle.seats.items()} == {"blue": "Anna", "red": "Bob", "green": "Eve"}
    assert battle.begun and battle.may_draw(SEATS)


async def test_a_seat_is_given_back_by_its_name(counter: Counter) -> None:
    counter.battles.rulesets = GAMES
    live = await counter.battles.open("lots", {"ruleset": "lots"}, "public")
    await counter.mail(counter.anna, f"join {live.id} blue\nphrase {PHRASE}")
    assert (await counter.mail(counter.anna, f"leave {live.id} blue")).id == "desk.did.leave"
    assert live.recording.battle.seats == {}


async def test_what_one_says_by_mail_goes_to_both_others(counter: Counter) -> None:
    counter.battles.rulesets = GAMES
    live = await counter.battles.open("lots", {"ruleset": "lots"}, "public")
    eve = await counter.account("Eve")
    for account, side in ((counter.anna, "red"), (counter.bob, "green"), (eve, "blue")):
        await counter.mail(account, f"join {live.id} {side}\nphrase {PHRASE}")
    said = await counter.mail(counter.bob, "say Good luck to you both.", live=live)
    assert said.id == "desk.did.say"
    assert {row.recipient for row in counter.letters("say")} == {counter.anna.player, eve.player}
