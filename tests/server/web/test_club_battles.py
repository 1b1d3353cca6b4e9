"""Battles of a club: a list of named seats is opened whole or not at all, once, through a crash, under one letter."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from server.acts.clubs import seating
from server.acts.clubs.pairing import MOST_PAIRINGS
from server.limits import NO_RATES, Limits, Quota
from server.mail.outgoing.letters import LetterWriter
from server.play.seating import seat_member
from server.store.tables import club_battles, holdings, outbox
from server.store.tables.outbox import LetterKind
from tests.support.looping import some
from tests.support.serving import BATTLES, Caller, Reply, RunningServer, serving

CLUBS = "/api/v1/clubs"
BULK = f"{BATTLES}/bulk"
KEY = {"Idempotency-Key": "k" * 16}
NAMES = ("Anna", "Bob", "Cato", "Dido")


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[RunningServer]:
    """A server that sends mail."""
    async with serving(tmp_path / "data", mail=True) as running:
        yield running


async def club_of(server: RunningServer, *names: str, **more: Any) -> dict[str, Caller]:
    """A club of new players; the first organises it."""
    people = {name: await server.player(name) for name in names}
    made = await people[names[0]].post(CLUBS, {"club": "leeds", "name": "Leeds Night Owls", **more})
    assert made.status == 201, made
    for name in names[1:]:
        entered = await people[name].post(f"{CLUBS}/leeds/members", {"token": made.json["token"]})
        assert entered.status == 201, entered
    return people


def pairing(south: str, north: str, **more: Any) -> dict[str, Any]:
    """A skirmish between two members."""
    return {"seats": {"south": south, "north": north}, "scenario": "skirmish", **more}


async def opened(caller: Caller, *pairings: dict[str, Any], key: Any = None, **more: Any) -> Reply:
    """A list that an organiser sends."""
    return await caller.post(BULK, {"club": "leeds", "pairings": list(pairings), **more}, key)


@pytest.mark.rule("CAM-CLB-02")
async def test_a_list_is_opened_in_its_order_with_everybody_in_their_seats(server: RunningServer) -> None:
    people = await club_of(server, *NAMES)
    listed = [pairing("Bob", "cato"), pairing("Dido", people["Bob"].player), pairing("Anna", "Dido")]
    reply = await opened(people["Anna"], *listed, tag="Spring round-1", pace="weekly")
    assert reply.status == 201, reply
    views = [await people["Anna"].view(battle) for battle in reply.json["battles"]]
    seats = [{side: seat["name"] for side, seat in view["seats"].items()} for view in views]
    assert seats == [
        {"south": "Bob", "north": "Cato"},
        {"south": "Dido", "north": "Bob"},
        {"south": "Anna", "north": "Dido"},
    ]
    assert all(view["begun"] and view["tags"] == ["round-1", "spring"] and view["pace"] for view in views)
    running = {one["name"]: one["running"] for one in (await people["Bob"].get(f"{CLUBS}/leeds")).json["members"]}
    assert running == {"Anna": 1, "Bob": 2, "Cato": 1, "Dido": 2}


@pytest.mark.rule("CAM-CLB-02")
async def test_each_player_gets_one_letter_however_many_battles(server: RunningServer) -> None:
    people = await club_of(server, *NAMES)
    before = {row.id for row in outbox.unsent(server.running.store)}
    await opened(people["Anna"], pairing("Bob", "Cato"), pairing("Dido", "Bob"), pairing("Bob", "Anna"), key=KEY)
    rows = [row for row in outbox.unsent(server.running.store) if row.id not in before]
    assert sorted(row.recipient for row in rows) == sorted(one.player for one in people.values())
    assert {row.kind.partition(":")[0] for row in rows} == {LetterKind.SEATED}
    (row,) = [row for row in rows if row.recipient == people["Bob"].player]
    composed = await LetterWriter(server.running.battles, server.running.acts.addresses).compose(row)
    assert composed is not None
    body = composed.message.get_body(("plain",))
    assert body is not None
    text = " ".join(body.get_content().split())
    assert "3 battles of the club Leeds Night Owls" in text
    assert [text.count(f"against {name}") for name in ("Anna", "Cato", "Dido")] == [1, 1, 1]


@pytest.mark.parametrize(
    ("pairings", "more", "code"),
    [
        ([], {}, "club.no-pairings"),
        ([pairing("Bob", "Eve")], {}, "club.not-member"),
        ([pairing("Bob", "Bob")], {}, "club.same-member"),
        ([pairing("Bob", "Cato", scenario="nowhere")], {}, "core.unknown-scenario"),
        ([{"seats": {"south": "Bob", "north": "Cato"}}], {}, "core.bad-request"),
        ([{"seats": {"south": "Bob"}, "scenario": "skirmish"}], {}, "core.bad-request"),
        ([{"seats": {"south": "Bob", "east": "Cato"}, "scenario": "skirmish"}], {}, "core.no-such-side"),
        ([pairing("Bob", "Cato")] * (MOST_PAIRINGS + 1), {}, "club.too-many-pairings"),
        ([pairing("Bob", "Cato")] * 7, {}, "club.running-limit"),
        ([pairing("Bob", "Cato")], {"tag": "a b c d"}, "core.bad-tags"),
        ([pairing("Bob", "Cato")], {"tag": "é"}, "core.bad-tags"),
        ([pairing("Bob", "Cato")], {"pace": "soon"}, "core.bad-pace"),
        ([pairing("Bob", "Cato")], {"club": "hull"}, "club.unknown"),
    ],
)
async def test_a_list_that_cannot_be_opened_opens_nothing(
    server: RunningServer, pairings: list[Any], more: dict[str, Any], code: str
) -> None:
    people = await club_of(server, "Anna", "Bob", "Cato")
    await server.player("Eve")
    good = [pairing("Anna", "Bob")] if pairings else []
    reply = await opened(people["Anna"], *good, *pairings, **more)
    assert reply.code == code, reply
    if code.startswith("club.") and code not in ("club.no-pairings", "club.too-many-pairings", "club.unknown"):
        assert reply.json["params"]["pairing"] == (7 if code == "club.running-limit" else 2)
    assert server.running.store.position() == 0
    assert club_battles.unfinished(server.running.store) == []


async def test_only_an_organiser_seats_people(server: RunningServer) -> None:
    people = await club_of(server, "Anna", "Bob", "Cato")
    eve = await server.player("Eve")
    assert (await opened(people["Bob"], pairing("Anna", "Cato"))).code == "club.not-organiser"
    assert (await opened(eve, pairing("Anna", "Cato"))).code == "club.not-organiser"
    assert (await opened(server.stranger, pairing("Anna", "Cato"))).code == "core.not-signed-in"


async def test_a_member_who_wants_no_battle_now_gets_none(server: RunningServer) -> None:
    people = await club_of(server, "Anna", "Bob", "Cato")
    day = server.running.clock.now()[:10]
    path = f"{CLUBS}/leeds/members/{people['Bob'].player}"
    await people["Bob"].post(path, {"not_before": "2999-01-01"})
    refused = await opened(people["Anna"], pairing("Bob", "Cato"))
    assert refused.code == "club.not-accepting" and "Bob" in refused.json["detail"]
    await people["Bob"].post(path, {"not_before": day})
    assert (await opened(people["Anna"], pairing("Bob", "Cato"))).status == 201
    ends = str(int(day[:4]) + 1) + "-01-01"
    assert (await people["Cato"].post("/api/v1/vacations", {"begins": "now", "ends": day})).status == 201, ends
    assert (await opened(people["Anna"], pairing("Bob", "Cato"))).code == "club.not-accepting"


async def test_whom_a_member_has_blocked_is_not_seated_against_them(server: RunningServer) -> None:
    people = await club_of(server, "Anna", "Bob", "Cato")
    await people["Bob"].post("/api/v1/blocks", {"player": people["Cato"].player})
    assert (await opened(people["Anna"], pairing("Bob", "Cato"))).code == "club.not-accepting"
    assert (await opened(people["Anna"], pairing("Bob", "Anna"))).status == 201


async def test_the_same_list_again_is_the_same_battles(server: RunningServer) -> None:
    people = await club_of(server, "Anna", "Bob", "Cato")
    first, again = [await opened(people["Anna"], pairing("Bob", "Cato"), key=KEY) for _ in range(2)]
    assert first.json == again.json and len(first.json["battles"]) == 1
    assert (await opened(people["Anna"], pairing("Cato", "Bob"), key=KEY)).code == "core.key-reused"
    other = await opened(people["Anna"], pairing("Bob", "Cato"))
    assert other.status == 201 and other.json != first.json


@pytest.mark.parametrize("cut", [0, 1, 2, 3])
async def test_a_list_that_a_crash_has_cut_is_continued(
    tmp_path: Path, cut: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = [pairing("Anna", "Bob"), pairing("Bob", "Anna"), pairing("Anna", "Bob")]
    async with serving(tmp_path / "data", mail=True) as server:
        people = await club_of(server, "Anna", "Bob")
        seats = 0

        async def falls(*args: Any, **more: Any) -> None:
            nonlocal seats
            if seats == 2 * cut - 1 or cut == 0:
                raise RuntimeError("the power has failed")
            seats += 1
            await seat_member(*args, **more)

        monkeypatch.setattr(seating, "seat_member", falls)
        assert (await opened(people["Anna"], *listed, key=KEY)).status == 500
        monkeypatch.undo()
        token = people["Anna"].headers
    async with serving(tmp_path / "data", mail=True) as server:
        anna = Caller(server.client, player=people["Anna"].player)
        anna.headers = token
        assert club_battles.unfinished(server.running.store) == []
        found = (await opened(anna, *listed, key=KEY)).json["battles"]
        assert len(set(found)) == 3 and sorted(found) == sorted(club_battles.of_club(server.running.store, "leeds"))
        assert [sorted((await anna.view(battle))["seats"]) for battle in found] == [["north", "south"]] * 3
        letters = [row for row in outbox.unsent(server.running.store) if row.kind.startswith(LetterKind.SEATED)]
        assert len(letters) == 2


async def test_the_quotas_of_an_account_are_not_those_of_its_club(tmp_path: Path) -> None:
    one = Limits(rates=NO_RATES, battles=Quota(1, 1, 1), seats=Quota(1, 1, 1))
    async with serving(tmp_path / "data", mail=True, limits=one) as server:
        people = await club_of(server, "Anna", "Bob")
        assert (await opened(people["Anna"], *[pairing("Anna", "Bob")] * 3)).status == 201
        assert holdings.of_player(server.running.store, people["Anna"].player, holdings.SEAT) == 0
        battle = await people["Anna"].open()
        assert (await people["Anna"].sit(battle, "south")).status == 201
        assert (await people["Anna"].post(BATTLES, {"scenario": "skirmish"})).code == "core.too-many-battles"


async def test_two_armies_meet(server: RunningServer) -> None:
    people = await club_of(server, "Anna", "Bob")
    armies = {"south": "gallic", "north": "caesarian_roman", "ruleset": "tts", "size": 130, "seed": 3}
    reply = await opened(people["Anna"], {"seats": {"south": "Bob", "north": "Anna"}, "armies": armies})
    assert reply.status == 201, reply
    assert (await people["Bob"].view(reply.json["battles"][0]))["ruleset"] == "tts"
    bad = {**armies, "south": "martian"}
    assert (await opened(people["Anna"], {"seats": {"south": "Bob", "north": "Anna"}, "armies": bad})).status == 422


# --- lists, tags, the table


async def ids(caller: Caller, query: str) -> set[str]:
    """The battles that a query finds."""
    reply = await caller.get(f"{BATTLES}?{query}")
    assert reply.status == 200, reply
    return {row["battle"] for row in reply.json["battles"]}


@pytest.mark.rule("CAM-CLB-03")
@pytest.mark.parametrize("readers", ["public", "link", "members"])
async def test_a_list_is_narrowed_by_club_and_tag_to_what_its_page_shows(server: RunningServer, readers: str) -> None:
    people = await club_of(server, "Anna", "Bob", readers=readers)
    eve = await server.player("Eve")
    page = (await people["Anna"].get(f"{CLUBS}/leeds")).json["page"].partition("?")[2]
    spring = (await opened(people["Anna"], pairing("Anna", "Bob"), tag="spring")).json["battles"]
    summer = (await opened(people["Anna"], pairing("Bob", "Anna"), tag="summer")).json["battles"]
    await people["Bob"].open()
    both = {*spring, *summer}
    for member in people.values():
        assert await ids(member, "club=leeds") == both
        assert await ids(member, "club=leeds&tag=summer") == {*summer}
        assert await ids(member, "mine&club=leeds") == both
        assert await ids(member, "club=leeds&status=ended") == set()
    if readers == "public":
        assert await ids(eve, "club=leeds") == both
    else:
        assert (await eve.get(f"{BATTLES}?club=leeds")).code == "club.unknown"
        assert await ids(eve, "tag=spring") == set()
    if readers == "link":
        assert await ids(eve, f"club=leeds&{page}") == both
    status = 404 if readers == "members" else 200
    for battle in both:
        assert (await eve.get(f"{BATTLES}/{battle}")).status == status
        assert (await people["Bob"].get(f"{BATTLES}/{battle}")).status == 200


async def test_a_member_reads_a_battle_of_a_private_club_as_a_stranger_does(server: RunningServer) -> None:
    people = await club_of(server, "Anna", "Bob", "Cato", readers="members")
    (battle,) = (await opened(people["Anna"], pairing("Anna", "Bob"))).json["battles"]
    assert (await people["Anna"].order(battle, "standing evade R6 never\nend turn")).status == 200
    view = await people["Cato"].view(battle)
    assert (view["side"], view["standing"]) == ("", [])
    await people["Anna"].post(f"{CLUBS}/leeds/members/{people['Cato'].player}", {"role": "banned"})
    assert (await people["Cato"].get(f"{BATTLES}/{battle}")).code == "core.unknown-battle"


async def test_the_table_counts_what_has_ended(server: RunningServer) -> None:
    people = await club_of(server, "Anna", "Bob", "Cato")
    pairs = (("Anna", "Bob"), ("Bob", "Cato"), ("Cato", "Anna"), ("Bob", "Anna"))
    battles = (await opened(people["Anna"], *(pairing(*pair) for pair in pairs[:3]), tag="spring")).json["battles"]
    battles += (await opened(people["Anna"], pairing(*pairs[3]))).json["battles"]
    assert (await server.stranger.get(f"{CLUBS}/leeds/table")).json["rows"] == []
    for battle, loser in zip(battles[:2], ("Bob", "Cato"), strict=True):
        assert (await people[loser].order(battle, "resign")).status == 200
    assert (await people["Cato"].order(battles[2], "offer draw")).status == 200
    assert (await people["Anna"].order(battles[2], "accept draw")).status == 200
    assert (await people["Anna"].order(battles[3], "resign")).status == 200

    async def table(query: str) -> list[tuple[Any, ...]]:
        rows = some((await server.stranger.get(f"{CLUBS}/leeds/table{query}")).json["rows"])
        names = ("place", "name", "played", "won", "drawn", "lost", "points")
        return [tuple(row[name] for name in names) for row in rows]

    assert await table("?tag=spring") == [
        (1, "Anna", 2, 1, 1, 0, 3),
        (2, "Bob", 2, 1, 0, 1, 2),
        (3, "Cato", 2, 0, 1, 1, 1),
    ]
    assert [row[:2] for row in await table("")] == [(1, "Bob"), (2, "Anna"), (3, "Cato")]
    assert (await server.stranger.get(f"{CLUBS}/leeds/table?tag=x%20y")).code == "core.bad-query"
