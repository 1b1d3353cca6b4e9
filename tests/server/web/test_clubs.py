"""Clubs for programs: made, read by whom they are for, entered by a link, filled from a file, left."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from server.acts.clubs import entering
from server.acts.clubs.founding import MOST_OF_ACCOUNT, MOST_OF_GUEST
from server.acts.clubs.inviting import KIND, decline_club
from server.acts.clubs.roster import MOST_ROWS
from server.people import players
from server.store.tables import accounts, club_invitations, clubs, outbox
from server.web.api.clubs import MOST_LISTED
from tests.support.serving import Caller, RunningServer, serving

CLUBS = "/api/v1/clubs"
LEEDS = {"club": "leeds", "name": "Leeds Night Owls"}


@pytest.fixture
async def mailing(tmp_path: Path) -> AsyncIterator[RunningServer]:
    """A server that sends mail."""
    async with serving(tmp_path / "data", mail=True) as running:
        yield running


async def made(anna: Caller, **more: Any) -> Any:
    """Anna's club, as she knows it."""
    reply = await anna.post(CLUBS, {**LEEDS, **more})
    assert reply.status == 201, reply
    return reply.json


async def guest(server: RunningServer, name: str) -> Caller:
    """A player without an address."""
    enrolled = players.enrol(server.running.clock, server.running.entropy, name)
    await server.running.store.write(*enrolled.statements)
    return Caller(server.client, enrolled.api_token, enrolled.account.player)


@pytest.mark.rule("CAM-CLB-01")
async def test_whoever_makes_a_club_organises_it(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    club = await made(anna)
    assert (club["role"], club["running"], [one["name"] for one in club["members"]]) == ("organiser", 6, ["Anna"])
    assert await made(anna) == club, "the same again is the same club"
    assert (await anna.post(CLUBS, {**LEEDS, "name": "Other"})).code == "club.taken"
    assert (await bob.post(CLUBS, LEEDS)).code == "club.taken"
    seen = (await bob.get(f"{CLUBS}/leeds")).json
    assert (seen["role"], seen["link"], seen["token"], seen["invited"]) == ("", "", "", [])


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"club": "Leeds"}, "club.bad-id"),
        ({"club": "ab"}, "club.bad-id"),
        ({"club": "a" * 21}, "club.bad-id"),
        ({"name": "  "}, "club.bad-name"),
        ({"name": "x" * 61}, "club.bad-name"),
        ({"name": "a\u202eb"}, "club.bad-name"),
        ({"readers": "players"}, "club.bad-readers"),
        ({"running": 0}, "club.bad-running"),
        ({"running": 51}, "club.bad-running"),
    ],
)
async def test_a_club_that_cannot_be_is_refused(server: RunningServer, wanted: dict[str, Any], code: str) -> None:
    anna = await server.player("Anna")
    assert (await anna.post(CLUBS, {**LEEDS, **wanted})).code == code
    assert (await anna.get(CLUBS)).json == {"mine": [], "clubs": []}


async def test_an_account_organises_a_few_clubs_and_a_guest_one(server: RunningServer) -> None:
    for caller, most in ((await server.player("Anna"), MOST_OF_ACCOUNT), (await guest(server, "Gus"), MOST_OF_GUEST)):
        for place in range(most):
            await made(caller, club=f"{caller.player}-{place}"[:20])
        assert (await caller.post(CLUBS, {**LEEDS, "club": "one-more"})).code == "club.too-many"


@pytest.mark.parametrize("readers", ["link", "members"])
async def test_a_club_does_not_exist_for_whom_it_is_not(server: RunningServer, readers: str) -> None:
    anna, eve = await server.player("Anna"), await server.player("Eve")
    club = await made(anna, readers=readers)
    for caller in (eve, server.stranger):
        reply = await caller.get(f"{CLUBS}/leeds")
        unknown = await caller.get(f"{CLUBS}/loods")
        assert (reply.status, reply.code) == (404, "club.unknown")
        assert unknown.text.replace("loods", "leeds") == reply.text
        assert (await caller.get(CLUBS)).json["clubs"] == []
        assert (await caller.get(f"{CLUBS}/leeds?key=wrong")).status == 404
    for body, path in (
        ({"name": "Mine"}, ""),
        ({"role": "organiser"}, f"/members/{eve.player}"),
        ({"csv": "X"}, "/roster"),
    ):
        assert (await eve.post(f"{CLUBS}/leeds{path}", body)).code == "club.unknown"
    assert ("?key=" in club["page"]) is (readers == "link")
    key = club["page"].partition("?")[2] or f"key={club['token']}"
    assert (await eve.get(f"{CLUBS}/leeds?{key}")).status == (200 if readers == "link" else 404)


@pytest.mark.rule("CAM-CLB-01")
async def test_the_entry_link_takes_in_whoever_has_it(server: RunningServer) -> None:
    anna, bob, eve = [await server.player(name) for name in ("Anna", "Bob", "Eve")]
    token = (await made(anna, readers="members"))["token"]
    first, joined = [await bob.post(f"{CLUBS}/leeds/members", {"token": token}) for _ in range(2)]
    assert (joined.status, joined.json["role"], joined.json["token"]) == (201, "member", "")
    assert first.text == joined.text
    assert [one["name"] for one in joined.json["members"]] == ["Anna", "Bob"]
    assert (await eve.post(f"{CLUBS}/leeds/members", {"token": token[:-1]})).code == "club.bad-link"
    renewed = (await anna.post(f"{CLUBS}/leeds", {"renew": True})).json["token"]
    assert renewed != token
    assert (await eve.post(f"{CLUBS}/leeds/members", {"token": token})).code == "club.bad-link"
    assert (await eve.post(f"{CLUBS}/leeds/members", {"token": renewed})).status == 201


async def test_a_club_has_as_many_members_as_it_may(server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    token = (await made(anna))["token"]
    monkeypatch.setattr(entering, "MOST_MEMBERS", 1)
    assert (await bob.post(f"{CLUBS}/leeds/members", {"token": token})).code == "club.full"
    assert clubs.count(server.running.store, "leeds") == 1


async def test_a_program_is_no_member(server: RunningServer) -> None:
    anna = await server.player("Anna")
    token = (await made(anna))["token"]
    bot = (await anna.post("/api/v1/account/bots", {"name": "Rosa"})).json
    rosa = Caller(server.client, bot["token"], bot["player"])
    assert (await rosa.post(f"{CLUBS}/leeds/members", {"token": token})).code == "core.bot-account"


async def test_who_is_banned_stays_out_and_is_not_told_apart(server: RunningServer) -> None:
    anna, eve = await server.player("Anna"), await server.player("Eve")
    token = (await made(anna, readers="members"))["token"]
    await eve.post(f"{CLUBS}/leeds/members", {"token": token})
    path = f"{CLUBS}/leeds/members/{eve.player}"
    banned = await anna.post(path, {"role": "banned"})
    assert [one["name"] for one in banned.json["banned"]] == ["Eve"]
    assert (await eve.get(f"{CLUBS}/leeds")).code == "club.unknown"
    assert (await eve.post(f"{CLUBS}/leeds/members", {"token": token})).code == "club.bad-link"
    assert (await anna.post(path, {"role": "organiser"})).code == "club.not-member"
    assert (await anna.post(path, {"role": ""})).json["banned"] == []
    assert (await eve.post(f"{CLUBS}/leeds/members", {"token": token})).status == 201


async def test_a_club_keeps_an_organiser(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    await bob.post(f"{CLUBS}/leeds/members", {"token": (await made(anna))["token"]})
    own, others = (f"{CLUBS}/leeds/members/{one.player}" for one in (anna, bob))
    assert (await anna.ask("DELETE", f"{CLUBS}/leeds/members")).code == "club.last-organiser"
    assert (await anna.post(own, {"role": "member"})).code == "club.last-organiser"
    assert (await anna.post(own, {"role": "banned"})).code == "club.last-organiser"
    assert (await bob.post(others, {"role": "organiser"})).code == "club.not-organiser"
    assert (await anna.post(others, {"role": "captain"})).code == "club.bad-role"
    assert (await anna.post(others, {"role": "organiser"})).status == 200
    left = await anna.ask("DELETE", f"{CLUBS}/leeds/members")
    assert (left.status, left.json["mine"]) == (200, [])
    assert (await anna.ask("DELETE", f"{CLUBS}/leeds/members")).code == "club.not-member"


async def test_the_eldest_member_organises_a_club_whose_organiser_is_gone(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    await bob.post(f"{CLUBS}/leeds/members", {"token": (await made(anna))["token"]})
    await server.running.store.write(*players.erased(anna.player))
    assert [(one.name, one.role) for one in clubs.members(server.running.store, "leeds")] == [("Bob", "organiser")]


async def test_a_member_says_when_they_fight(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    await bob.post(f"{CLUBS}/leeds/members", {"token": (await made(anna))["token"]})
    own = f"{CLUBS}/leeds/members/{bob.player}"
    told = (await bob.post(own, {"not_before": "2027-01-07"})).json
    assert [one["not_before"] for one in told["members"]] == ["", "2027-01-07"]
    for day in ("7.1.2027", "2027-02-30", "9999-12-31", "20270107"):
        assert (await bob.post(own, {"not_before": day})).code == "club.bad-day"
    assert (await anna.post(own, {"not_before": ""})).code == "club.own-day"
    assert (await bob.post(own, {"not_before": ""})).json["members"][1]["not_before"] == ""


async def test_what_holds_for_a_club_is_changed_by_its_organisers(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    club = await made(anna)
    changed = (await anna.post(f"{CLUBS}/leeds", {"name": "Leeds", "running": 2})).json
    assert (changed["name"], changed["running"], changed["readers"]) == ("Leeds", 2, "public")
    assert changed["token"] == club["token"]
    assert (await bob.post(f"{CLUBS}/leeds", {"name": "Mine"})).code == "club.not-organiser"
    assert (await anna.post(f"{CLUBS}/leeds", {"readers": "nobody"})).code == "club.bad-readers"


async def test_the_list_goes_on_behind_a_club(server: RunningServer) -> None:
    anna = await server.player("Anna")
    for name in ("york", "leeds", "hull"):
        await made(anna, club=name)
    assert [one["club"] for one in (await server.stranger.get(CLUBS)).json["clubs"]] == ["hull", "leeds", "york"]
    behind = (await server.stranger.get(f"{CLUBS}?after=hull")).json
    assert ([one["club"] for one in behind["clubs"]], behind["mine"]) == (["leeds", "york"], [])
    assert (await server.stranger.get(f"{CLUBS}?after=Hull!")).code == "core.bad-query"
    assert MOST_LISTED >= 3


# --- from a file

FILE = """name, address, zone
Cato, cato@example.net, Europe/Rome
Dido
Elissa,,Africa/Tunis
"Fabius, the Delayer",
Bob
Gaius, not an address
Hanno,, Atlantis

"""


@pytest.mark.rule("CAM-CLB-01")
async def test_each_line_of_a_file_is_answered_by_itself(mailing: RunningServer) -> None:
    anna, bob = await mailing.player("Anna"), await mailing.player("Bob")
    await bob.post(f"{CLUBS}/leeds/members", {"token": (await made(anna))["token"]})
    lines = (await anna.post(f"{CLUBS}/leeds/roster", {"csv": FILE})).json["lines"]
    told = [(one["line"], one["name"], one["what"] or one["code"]) for one in lines]
    assert told == [
        (2, "Cato", "invited"),
        (3, "Dido", "made"),
        (4, "Elissa", "made"),
        (5, "Fabius, the Delayer", "made"),
        (6, "Bob", "member"),
        (7, "Gaius", "core.bad-address"),
        (8, "Hanno", "core.bad-zone"),
    ]
    view = (await anna.get(f"{CLUBS}/leeds")).json
    assert [one["name"] for one in view["members"]] == ["Anna", "Bob", "Dido", "Elissa", "Fabius, the Delayer"]
    assert [(one["name"], one["address"]) for one in view["invited"]] == [("Cato", "cato@example.net")]
    login = lines[1]["link"].partition("/login/")[2]
    async with mailing.client.post(f"/login/{login}", allow_redirects=False) as response:
        assert response.status == 303, "who has no address logs in by their link"


async def test_the_same_file_again_makes_nobody_twice_and_writes_to_nobody_twice(mailing: RunningServer) -> None:
    anna = await mailing.player("Anna")
    await made(anna)
    answers = [(await anna.post(f"{CLUBS}/leeds/roster", {"csv": FILE})).json["lines"] for _ in range(2)]
    assert [one["what"] for one in answers[1]] == ["invited", *["member"] * 4, "", ""]
    letters = [row for row in outbox.unsent(mailing.running.store) if row.kind.startswith("club-invite:")]
    assert len(letters) == 1
    assert len(accounts.listed(mailing.running.store)) == 5


async def test_a_name_of_somebody_else_is_not_taken_in_without_them(mailing: RunningServer) -> None:
    anna, eve = await mailing.player("Anna"), await mailing.player("Eve")
    await made(anna)
    (line,) = (await anna.post(f"{CLUBS}/leeds/roster", {"csv": "Eve"})).json["lines"]
    assert (line["code"], line["link"]) == ("core.name-taken", "")
    (line,) = (await anna.post(f"{CLUBS}/leeds/roster", {"csv": "Eve, Eve@example.org"})).json["lines"]
    assert line["what"] == "invited"
    assert (await eve.get(f"{CLUBS}/leeds")).json["role"] == "", "nobody is a member before accepting"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a,b,c,d", "club.bad-roster"),
        ('"never closed', "club.bad-roster"),
        ("x" * 300, "club.bad-roster"),
        ("a\0b", "club.bad-roster"),
        ("N\n" * (MOST_ROWS + 1), "club.roster-too-long"),
        ("\n" * 70_000, "club.roster-too-long"),
    ],
)
async def test_a_file_that_cannot_be_read_adds_nobody(mailing: RunningServer, text: str, code: str) -> None:
    anna = await mailing.player("Anna")
    await made(anna)
    assert (await anna.post(f"{CLUBS}/leeds/roster", {"csv": text})).code == code
    assert clubs.count(mailing.running.store, "leeds") == 1


async def test_a_file_of_a_spreadsheet_may_have_semicolons(mailing: RunningServer) -> None:
    anna = await mailing.player("Anna")
    await made(anna)
    lines = (await anna.post(f"{CLUBS}/leeds/roster", {"csv": "\ufeffNom;Adresse\r\nDido;\r\nÉlise;\r\n"})).json[
        "lines"
    ]
    assert [(one["name"], one["what"]) for one in lines] == [("Dido", "made"), ("Élise", "made")]


async def test_who_has_no_address_writes_to_nobody(mailing: RunningServer) -> None:
    gus = await guest(mailing, "Gus")
    await made(gus)
    assert (await gus.post(f"{CLUBS}/leeds/roster", {"csv": "Cato, cato@example.net"})).code == "core.guest-writes"


async def test_where_no_mail_is_sent_a_line_with_an_address_says_so(server: RunningServer) -> None:
    gus = await guest(server, "Gus")
    await made(gus)
    lines = (await gus.post(f"{CLUBS}/leeds/roster", {"csv": "Cato, cato@example.net\nDido"})).json["lines"]
    assert [one["what"] or one["code"] for one in lines] == ["core.no-mail", "made"]


async def test_a_mailbox_that_wants_none_gets_none(mailing: RunningServer) -> None:
    anna = await mailing.player("Anna")
    await made(anna)
    await anna.post(f"{CLUBS}/leeds/roster", {"csv": "Cato, cato@example.net"})
    (row,) = [row for row in outbox.unsent(mailing.running.store) if row.kind.startswith("club-invite:")]
    token = mailing.running.acts.addresses.token(KIND, row.kind.partition(":")[2])
    await decline_club(mailing.running.acts, token, for_good=True)
    assert club_invitations.open_of(mailing.running.store, "leeds", mailing.running.clock.now()) == []
    (line,) = (await anna.post(f"{CLUBS}/leeds/roster", {"csv": "Cato, cato@example.net"})).json["lines"]
    assert line["code"] == "core.unwanted"
