"""An act under a key is done once, whatever comes twice, at once, or from another door."""

import asyncio
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path

import pytest

from server.store.tables import holdings, requests
from tests.server.acts import bringing, moving, talking
from tests.server.acts.doors import Doors
from tests.server.acts.opening import by_api, by_mail, by_page
from tests.support.serving import BATTLES, PHRASE, serving

KEY = {"Idempotency-Key": "k" * 16}


@pytest.fixture
async def doors(tmp_path: Path) -> AsyncIterator[Doors]:
    """A server with Anna."""
    async with serving(tmp_path / "data", mail=True) as server:
        opened = Doors(server, tmp_path)
        await opened.arrive("Anna")
        yield opened


def battles(doors: Doors) -> int:
    """How many have been opened."""
    ((count,),) = doors.server.running.store.rows("SELECT COUNT(*) FROM battles")
    return int(count)


async def test_two_requests_at_once_open_one_battle(doors: Doors) -> None:
    anna, body = doors.people["Anna"], {"scenario": "skirmish"}
    one, other = await asyncio.gather(*(anna.post(BATTLES, body, KEY) for _ in range(2)))
    assert (one.status, other.status) == (201, 201)
    assert one.json == other.json
    assert battles(doors) == 1


async def test_the_same_key_for_another_battle_is_refused(doors: Doors) -> None:
    anna = doors.people["Anna"]
    assert (await anna.post(BATTLES, {"scenario": "skirmish"}, KEY)).status == 201
    other = await anna.post(BATTLES, {"scenario": "skirmish", "readers": "link"}, KEY)
    assert (other.status, other.code) == (422, "core.key-reused")
    assert battles(doors) == 1


async def test_a_form_that_was_changed_is_another_one(doors: Doors) -> None:
    first = await by_page(key="a" * 16, phrase="drawn by the browser")(doors)
    assert await by_page(key="a" * 16, phrase="drawn by it once more")(doors) == first
    assert await by_page(key="a" * 16, readers="link")(doors) != first
    assert await by_page(key="b" * 16)(doors) != first
    assert battles(doors) == 3


async def test_armies_without_a_seed_meet_once(doors: Doors) -> None:
    form = {"scenario": "", "armies": "tts", "south": "republican_roman", "north": "carthaginian", "key": "a" * 16}
    first = await by_page(**form)(doors)
    assert "battle" in first, first
    assert await by_page(**form)(doors) == first
    assert battles(doors) == 1


async def test_an_army_without_a_seed_is_brought_once(doors: Doors) -> None:
    await doors.arrive("Bob")
    await bringing.of_points(doors)
    door = bringing.by_page(seed="")
    first = await door(doors)
    assert await door(doors) == first != {"battle": doors.battle}
    assert battles(doors) == 2


async def test_words_under_a_key_are_said_once(doors: Doors) -> None:
    await doors.arrive("Bob")
    await talking.anna_and_bob(doors)
    for door in (talking.by_api("Hello"), talking.by_api("Hello")):
        assert await door(doors) == {"to": "Bob"}
    assert await talking.by_api("Hello again")(doors) == {"refused": "core.key-reused"}
    words = (await doors.people["Bob"].get(f"{BATTLES}/{doors.battle}/words")).json["words"]
    assert [(one["name"], one["text"], one["yours"]) for one in words] == [("Anna", "Hello", False)]


async def test_a_proof_is_used_up_by_what_is_done_and_not_by_what_is_refused(doors: Doors) -> None:
    await moving.anna_is_at_home(doors)
    assert await moving.by_api("nowhere")(doors) == {"refused": "core.bad-address"}
    assert await moving.by_api()(doors) == {"address": moving.NEW}
    assert await moving.by_api("anna@other.test")(doors) == {"refused": "core.login-used"}
    body = {"address": moving.NEW, "proof": "a token is no proof"}
    assert (await doors.send("Anna", "/api/v1/account/address", body))[1] == {"refused": "core.login-used"}


async def test_what_is_refused_leaves_no_battle(doors: Doors) -> None:
    refused = {"refused": "core.phrase-missing"}
    assert await by_page(phrase="short")(doors) == refused
    assert await by_mail(phrase="short")(doors) == refused
    assert battles(doors) == 0
    assert holdings.of_player(doors.server.running.store, doors.people["Anna"].player, holdings.OPENED) == 0


async def test_a_repetition_does_not_take_back_what_came_since(doors: Doors) -> None:
    door = by_page(key="a" * 16)
    battle = (await door(doors))["battle"]
    anna = doors.people["Anna"]
    assert (await anna.ask("DELETE", f"{BATTLES}/{battle}/sides/south")).status == 200
    assert await door(doors) == {"battle": battle}
    assert (await anna.view(battle))["seats"] == {}


async def test_a_key_of_an_earlier_release_still_names_its_battle(doors: Doors) -> None:
    battle = (await by_api(side="")(doors))["battle"]
    store, anna = doors.server.running.store, doors.people["Anna"]
    row = requests.accept(anna.player, "open:old-key", sha256(battle.encode()).digest(), battle.encode())
    await store.write(row, requests.finish(anna.player, "open:old-key"))
    again = await anna.post(BATTLES, {"scenario": "skirmish"}, {"Idempotency-Key": "old-key"})
    assert again.json["battle"] == battle


async def test_an_invitation_under_a_key_goes_to_one_address(doors: Doors) -> None:
    anna = doors.people["Anna"]
    battle = await anna.open()
    assert (await anna.sit(battle, "south", phrase=PHRASE)).status == 201
    path = f"{BATTLES}/{battle}/invitations"
    first = await anna.post(path, {"address": "friend@else.test"}, KEY)
    assert (await anna.post(path, {"address": "friend@else.test"}, KEY)).json == first.json
    assert (await anna.post(path, {"address": "other@else.test"}, KEY)).code == "core.key-reused"


async def test_words_under_a_key_belong_to_their_battle(doors: Doors) -> None:
    await doors.arrive("Bob")
    await talking.anna_and_bob(doors)
    assert await talking.by_api("Hello")(doors) == {"to": "Bob"}
    await talking.anna_and_bob(doors)
    assert await talking.by_api("Hello")(doors) == {"refused": "core.key-reused"}
