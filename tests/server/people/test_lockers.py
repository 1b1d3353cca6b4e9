"""Lockers: kept for their player alone, never rolled back, under one key, and gone with the account."""

from server.people import players
from server.store.tables import lockers, passkeys
from server.store.tables.passkeys import StoredPasskey
from server.web.api.lockers import KEPT_MS
from tests.support.clock import ManualClock
from tests.support.dishonest import OTHER_SIGNER
from tests.support.serving import PHRASE, RunningServer

LOCKERS = "/api/v1/account/lockers"
MARK, OTHER = "0123456789abcdef", "fedcba9876543210"


def kept(version: int, content: str = "AAAA", mark: str = MARK) -> dict[str, object]:
    """A locker as a device sends it."""
    return {"mark": mark, "version": version, "content": content}


async def test_a_locker_is_kept_for_its_player_alone(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await anna.open()
    await anna.sit(battle, "south", phrase=PHRASE)
    made = await anna.post(f"{LOCKERS}/seat/{battle}", kept(1))
    assert (made.status, made.json["size"]) == (200, 4)
    whole = (await anna.get(f"{LOCKERS}?place={battle}")).json
    assert (whole["player"], whole["mark"]) == (anna.player, MARK)
    assert [(one["version"], one["content"]) for one in whole["lockers"]] == [(1, "AAAA")]
    assert [one["content"] for one in (await anna.get(LOCKERS)).json["lockers"]] == [""]
    assert (await bob.get(f"{LOCKERS}?place={battle}")).json["lockers"] == []
    assert (await server.stranger.get(LOCKERS)).code == "core.not-signed-in"


async def test_a_locker_is_never_rolled_back(server: RunningServer) -> None:
    anna = await server.player("Anna")
    battle = await anna.open()
    await anna.sit(battle, "south", phrase=PHRASE)
    place = f"{LOCKERS}/seat/{battle}"
    assert (await anna.post(place, kept(2))).code == "core.locker-newer"
    assert (await anna.post(place, kept(1, "AAAA"))).status == 200
    assert (await anna.post(place, kept(1, "BBBB"))).code == "core.locker-newer"
    assert (await anna.post(place, kept(2, "CCCC"))).status == 200
    assert (await anna.post(place, kept(3, "DDDD", OTHER))).code == "core.locker-other-key"
    ((row),) = lockers.of_player(server.running.store, anna.player)
    assert (row.version, row.content, row.mark) == (2, "CCCC", MARK)


async def test_a_locker_belongs_to_something_of_the_player(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await anna.open()
    await anna.sit(battle, "south", phrase=PHRASE)
    assert (await bob.post(f"{LOCKERS}/seat/{battle}", kept(1))).code == "core.not-seated"
    assert (await anna.post(f"{LOCKERS}/seat/nothing", kept(1))).code == "core.unknown-battle"
    for kind, place in (("passkey", "AAAA"), ("passkey", "!"), ("cellar", battle)):
        assert (await anna.post(f"{LOCKERS}/{kind}/{place}", kept(1))).code == "core.no-such-locker"


async def test_what_is_no_locker_is_refused(server: RunningServer) -> None:
    anna = await server.player("Anna")
    battle = await anna.open()
    await anna.sit(battle, "south", phrase=PHRASE)
    for wrong in (
        kept(0),
        kept(1, "A" * (lockers.LONGEST + 1)),
        kept(1, "é"),
        kept(1, mark="key"),
        {**kept(1), "key": "x"},
    ):
        assert (await anna.post(f"{LOCKERS}/seat/{battle}", wrong)).code == "core.bad-request"
    assert lockers.size_of(server.running.store, anna.player) == (0, 0)


async def test_a_player_has_so_many_lockers_and_no_more(server: RunningServer, monkeypatch) -> None:
    monkeypatch.setattr(lockers, "MOST", 1)
    anna = await server.player("Anna")
    places = []
    for _ in range(2):
        battle = await anna.open()
        await anna.sit(battle, "south", phrase=PHRASE)
        places.append(f"{LOCKERS}/seat/{battle}")
    assert (await anna.post(places[0], kept(1))).status == 200
    assert (await anna.post(places[1], kept(1))).code == "core.too-many-lockers"
    assert (await anna.post(places[0], kept(2))).status == 200


async def test_the_keys_of_an_umpire_have_a_locker_of_no_battle(server: RunningServer) -> None:
    anna, place = await server.player("Anna"), f"{LOCKERS}/seat/umpire%20key"
    assert (await anna.post(place, kept(1))).code == "core.no-such-locker"
    assert (await anna.post("/api/v1/account/umpire-key", {"signer": OTHER_SIGNER})).status == 200
    assert (await anna.post(place, kept(1))).status == 200
    assert [one["content"] for one in (await anna.get(f"{LOCKERS}?place=umpire%20key")).json["lockers"]] == ["AAAA"]


async def test_lockers_of_battles_that_are_long_over_are_dropped(server: RunningServer) -> None:
    clock, store = server.running.machine, server.running.store
    assert isinstance(clock, ManualClock)
    anna, bob = await server.player("Anna"), await server.player("Bob")
    over, going_on, newest = [await server.battle(anna, bob) for _ in range(3)]
    await anna.post("/api/v1/account/umpire-key", {"signer": OTHER_SIGNER})
    for place in (over, going_on, "umpire%20key"):
        assert (await anna.post(f"{LOCKERS}/seat/{place}", kept(1))).status == 200
    clock.wait(milliseconds=KEPT_MS)  # it was kept long ago, but the battle has just ended
    assert (await anna.order(over, "resign")).status == 200
    assert (await anna.post(f"{LOCKERS}/seat/{newest}", kept(1))).status == 200
    assert {one.place for one in lockers.of_player(store, anna.player)} == {over, going_on, newest, lockers.OF_UMPIRE}
    clock.wait(milliseconds=KEPT_MS + 1)
    assert (await anna.post(f"{LOCKERS}/seat/{newest}", kept(2))).status == 200
    assert {one.place for one in lockers.of_player(store, anna.player)} == {going_on, newest, lockers.OF_UMPIRE}
    assert (await anna.post(f"{LOCKERS}/seat/{over}", kept(1))).code == "core.no-such-locker"


async def test_a_player_begins_anew_under_another_key(server: RunningServer) -> None:
    anna = await server.player("Anna")
    battle = await anna.open()
    await anna.sit(battle, "south", phrase=PHRASE)
    await anna.post(f"{LOCKERS}/seat/{battle}", kept(1))
    assert (await anna.ask("DELETE", LOCKERS)).json["lockers"] == []
    assert (await anna.post(f"{LOCKERS}/seat/{battle}", kept(1, mark=OTHER))).status == 200


async def test_lockers_go_with_the_passkey_and_with_the_account(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle, store = await anna.open(), server.running.store
    for who, side in ((anna, "south"), (bob, "north")):
        await who.sit(battle, side, phrase=PHRASE)
        assert (await who.post(f"{LOCKERS}/seat/{battle}", kept(1))).status == 200
    await store.write(
        passkeys.add(StoredPasskey("k1", anna.player, b"\x01\x02\x03", b"key", 0, "Laptop", "2026-05-01"))
    )
    assert (await bob.post(f"{LOCKERS}/passkey/AQID", kept(1))).code == "core.no-such-locker"
    assert (await anna.post(f"{LOCKERS}/passkey/AQID", kept(1))).status == 200
    await store.write(*players.revoked(anna.player))
    assert [locker.kind for locker in lockers.of_player(store, anna.player)] == [lockers.SEAT]
    await store.write(*players.erased(anna.player))
    assert lockers.of_player(store, anna.player) == []
    assert len(lockers.of_player(store, bob.player)) == 1
