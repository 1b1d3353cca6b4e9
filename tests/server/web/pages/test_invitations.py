"""Invitations over HTTP: the form, the link in the letter, the API."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from domain.basics.errors import Refusal
from domain.log.record import PBEM_2_1
from server.acts.accept import open_invitation
from server.acts.invite import KIND, LASTS_S
from server.limits import UNLIMITED, Invitations, Limits
from server.mail.desk.caller import Caller as MailCaller
from server.mail.desk.inviting import invite_by_mail
from server.mail.outgoing.letters.invitation import invitation_draft
from server.mail.verdict import MailRequest
from server.store.tables import accounts, invitations, outbox
from server.web.auth import COOKIE
from server.web.problems import status_of
from tests.server.web.pages.visiting import Visitor, visitor_of
from tests.support.clock import ManualClock
from tests.support.serving import BATTLES, Caller, RunningServer, serving

FRIEND = "friend@other.test"
ONE_CLICK = {"List-Unsubscribe": "One-Click"}


@pytest_asyncio.fixture(loop_scope="session")
async def posting(tmp_path) -> AsyncIterator[RunningServer]:
    """A server that sends mail."""
    async with serving(tmp_path / "data", mail=True) as server:
        yield server


async def opened_by(anna: Caller) -> str:
    battle = await anna.open()
    await anna.sit(battle, "south", phrase="sixteen bytes of my own")
    return battle


async def invited(server: RunningServer, anna: Caller, message: str = "") -> tuple[str, str]:
    """Anna invites her friend; the battle, and the path of the link in the letter."""
    battle = await opened_by(anna)
    reply = await anna.post(f"{BATTLES}/{battle}/invitations", {"address": FRIEND, "message": message})
    assert reply.status == 201, reply
    assert reply.json["side"] == "north" and reply.json["address"] == FRIEND
    (row,) = [row for row in outbox.unsent(server.running.store) if row.kind.startswith("invite:")]
    return battle, f"/invitations/{server.mail.addresses.token(KIND, row.kind.partition(':')[2])}"


@pytest.mark.parametrize("unsigned", [False, True])
async def test_an_invitation_says_that_the_umpire_need_not_sign(tmp_path, unsigned: bool) -> None:
    """On its page, in its letter and on the page of the battle: who joins knows it."""
    words = "An umpire of this battle need not sign what they rule"
    async with serving(tmp_path / "data", mail=True, opens=PBEM_2_1) as server:
        anna = await server.player("Anna")
        battle = await anna.open(unsigned_umpire=unsigned)
        assert (await anna.sit(battle, "south")).status == 201
        assert (await anna.post(f"{BATTLES}/{battle}/invitations", {"address": FRIEND})).status == 201
        (row,) = [row for row in outbox.unsent(server.running.store) if row.kind.startswith("invite:")]
        path = f"/invitations/{server.mail.addresses.token(KIND, row.kind.partition(':')[2])}"
        invitation = open_invitation(server.running.acts, path.rpartition("/")[2])
        assert invitation is not None
        live = await server.running.battles.get(battle)
        draft, _ = invitation_draft(server.running.battles, server.mail.addresses, invitation, "token", live, False)
        said = [str(piece) for piece in draft.pieces]
        friend = Visitor(server)
        shown = [(await friend.get(path)).words, (await friend.get(f"/battles/{battle}")).words, " ".join(said)]
    assert [words in text for text in shown] == [unsigned] * 3


async def seats(anna: Caller, battle: str) -> dict[str, str]:
    return {side: seat["name"] for side, seat in (await anna.view(battle))["seats"].items()}


async def test_a_friend_accepts_on_a_page_and_is_logged_in(posting: RunningServer) -> None:
    anna = await posting.player("Anna")
    battle, path = await invited(posting, anna, "<b>Well?</b>\nwww.evil.test")
    friend = Visitor(posting)
    for _ in range(3):  # mail scanners open links
        page = await friend.get(path)
        assert page.status == 200 and "Anna invites you to play north" in page.words
        assert "&lt;b&gt;Well?" in page.text and "evil.test" not in page.text
        assert page.headers["Cache-Control"] == "no-store"
    assert "Une invitation" in (await friend.get(f"{path}?lang=fr")).words
    assert await seats(anna, battle) == {"south": "Anna"}
    page = await friend.send(path, do="accept", name="Robin")
    assert page.path == f"/battles/{battle}" and COOKIE in friend.cookies
    assert await seats(anna, battle) == {"south": "Anna", "north": "Robin"}
    assert [account.name for account in accounts.by_email(posting.running.store, FRIEND)] == ["Robin"]
    assert (await Visitor(posting).get(path)).status == 410
    mallory = Visitor(posting)
    assert (await mallory.send(path, do="accept", name="Mallory")).status == 200
    assert COOKIE not in mallory.cookies  # a link that is seen later opens nothing
    assert await seats(anna, battle) == {"south": "Anna", "north": "Robin"}


async def test_a_name_that_is_taken_is_asked_for_again(posting: RunningServer) -> None:
    anna = await posting.player("Anna")
    battle, path = await invited(posting, anna)
    friend = Visitor(posting)
    page = await friend.send(path, do="accept", name="ANNA")
    assert page.status >= 400 and "ANNA" in page.words and 'value="accept"' in page.text
    assert accounts.by_email(posting.running.store, FRIEND) == []
    await friend.send(path, do="accept")
    assert (await seats(anna, battle))["north"].startswith("Guest ")


async def test_who_has_an_account_is_seated_and_not_logged_in(posting: RunningServer) -> None:
    anna, bob = await posting.player("Anna"), await posting.player("Bob")
    battle = await opened_by(anna)
    await anna.post(f"{BATTLES}/{battle}/invitations", {"address": "Bob@example.org"})
    (row,) = [row for row in outbox.unsent(posting.running.store) if row.kind.startswith("invite:")]
    path = f"/invitations/{posting.mail.addresses.token(KIND, row.kind.partition(':')[2])}"
    visitor = Visitor(posting)
    assert "You are in the battle" in (await visitor.send(path, do="accept")).words
    assert COOKIE not in visitor.cookies
    assert (await bob.view(battle))["seats"]["north"]["yours"]


@pytest.mark.parametrize(
    ("what", "said"), [("decline", "is declined"), ("never", "sends no invitation to that address")]
)
async def test_the_other_buttons_free_the_side(posting: RunningServer, what: str, said: str) -> None:
    anna, bob = await posting.player("Anna"), await posting.player("Bob")
    battle, path = await invited(posting, anna)
    assert (await bob.sit(battle, "north")).code == "core.side-reserved"
    assert said in (await Visitor(posting).send(path, do=what)).words
    again = await anna.post(f"{BATTLES}/{battle}/invitations", {"address": FRIEND})
    assert again.status == (409 if what == "never" else 201)
    assert what == "decline" or again.code == "core.unwanted"


async def test_a_mail_program_ends_invitations_with_one_click(posting: RunningServer) -> None:
    anna = await posting.player("Anna")
    _, path = await invited(posting, anna)
    assert 'value="accept"' not in (await Visitor(posting).get(f"{path}/never")).text
    reply = await posting.stranger.ask("POST", f"{path}/never", {}, data=ONE_CLICK)
    assert reply.status == 200 and "Set-Cookie" not in reply.headers
    battle = await opened_by(anna)
    assert (await anna.post(f"{BATTLES}/{battle}/invitations", {"address": FRIEND})).code == "core.unwanted"


async def test_never_can_be_said_on_the_page_after_the_invitation_is_over(posting: RunningServer) -> None:
    anna = await posting.player("Anna")
    _, path = await invited(posting, anna)
    await Visitor(posting).send(path, do="decline")
    assert (await Visitor(posting).get(path)).status == 410
    page = await Visitor(posting).get(f"{path}/never")
    assert page.status == 200 and 'value="never"' in page.text and 'value="accept"' not in page.text
    assert "sends no invitation to that address" in (await Visitor(posting).send(f"{path}/never")).words


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}, {}])
async def test_forms_of_other_sites_do_nothing(posting: RunningServer, headers: dict[str, str]) -> None:
    anna = await posting.player("Anna")
    battle, path = await invited(posting, anna)
    assert (await Visitor(posting).send(path, headers, do="accept")).status == 403
    visitor = await visitor_of(posting, anna)
    assert (await visitor.send(f"/battles/{battle}/invitations", headers, address="a@b.test")).status == 403
    assert await seats(anna, battle) == {"south": "Anna"}


async def test_the_form_of_a_battle_invites_and_shows_that_the_side_is_kept(posting: RunningServer) -> None:
    anna = await posting.player("Anna")
    battle = await opened_by(anna)
    visitor = await visitor_of(posting, anna)
    assert "invite them by mail" in (await visitor.get(f"/battles/{battle}")).words
    page = await visitor.send(f"/battles/{battle}/invitations", address=FRIEND, side="north", words="Well?")
    assert "kept for somebody who has been invited" in page.words
    assert "invite them by mail" not in page.words
    clock = posting.running.machine
    assert isinstance(clock, ManualClock)
    clock.wait(seconds=LASTS_S + 1)
    assert "invite them by mail" in (await (await visitor_of(posting, anna)).get(f"/battles/{battle}")).words


async def test_who_is_invited_finds_it_at_the_entrance_and_takes_the_side_on_the_page(posting: RunningServer) -> None:
    anna, bob, carl = [await posting.player(name) for name in ("Anna", "Bob", "Carl")]
    battle = await opened_by(anna)
    await anna.post(f"{BATTLES}/{battle}/invitations", {"address": "Bob@example.org"})
    bobs, carls = await visitor_of(posting, bob), await visitor_of(posting, carl)
    page = await bobs.get("/")
    assert "You are invited" in page.words and "Anna asks you to play north" in page.words
    assert f'href="/battles/{battle}"' in page.text.partition("You are invited")[2].partition("</section>")[0]
    assert "You are invited" not in (await carls.get("/")).words
    assert "Take north" not in (await carls.get(f"/battles/{battle}")).words
    assert "Take north" in (await bobs.get(f"/battles/{battle}")).words
    await bobs.send(f"/battles/{battle}/sides/north", chance="plain")
    assert await seats(anna, battle) == {"south": "Anna", "north": "Bob"}
    assert "You are invited" not in (await bobs.get("/")).words


async def test_a_guest_has_no_form_and_may_not_invite(posting: RunningServer) -> None:
    guest = Visitor(posting)
    page = await guest.send("/battles", scenario="tts/skirmish", name="Cato", opponent="person")
    assert "invite them by mail" not in page.words and "Send this link" in page.words
    assert (await guest.send(f"{page.path}/invitations", address=FRIEND)).status == 403
    assert outbox.unsent(posting.running.store) == []


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"address": "nobody"}, 422, "core.bad-address"),
        ({"address": "Anna+x@Example.org"}, 422, "core.own-address"),
        ({"address": "a@b.test\r\nBcc: c@d.test"}, 422, "core.bad-address"),
        ({"address": FRIEND, "side": "south"}, 409, "core.side-taken"),
        ({"address": FRIEND, "side": "west"}, 404, "core.no-such-side"),
        ({"address": FRIEND, "message": "x" * 801}, 422, "core.message-too-long"),
        ({"address": FRIEND, "message": "x\n" * 20 + "x"}, 422, "core.message-too-long"),
    ],
)
async def test_what_cannot_be_is_refused_with_a_code(
    posting: RunningServer, body: dict[str, str], status: int, code: str
) -> None:
    anna = await posting.player("Anna")
    battle = await opened_by(anna)
    reply = await anna.post(f"{BATTLES}/{battle}/invitations", body)
    assert (reply.status, reply.code) == (status, code)
    assert outbox.unsent(posting.running.store) == []


async def test_only_who_opened_a_battle_or_plays_in_it_invites(posting: RunningServer) -> None:
    anna, eve = await posting.player("Anna"), await posting.player("Eve")
    battle = await opened_by(anna)
    assert (await eve.post(f"{BATTLES}/{battle}/invitations", {"address": FRIEND})).code == "core.not-seated"
    assert (await posting.stranger.post(f"{BATTLES}/{battle}/invitations", {"address": FRIEND})).status == 401


async def test_a_server_without_mail_invites_nobody(server: RunningServer) -> None:
    anna = await server.player("Anna")
    battle = await opened_by(anna)
    assert (await anna.post(f"{BATTLES}/{battle}/invitations", {"address": FRIEND})).code == "core.no-mail"
    assert invitations.count(server.running.store, "") == 0


# --- one figure, wherever somebody is invited from


NARROW = Limits(invitations=Invitations(player=2))


@pytest.mark.parametrize(("limits", "sent"), [(Limits(), Invitations().player), (NARROW, 2), (UNLIMITED, 7)])
async def test_page_api_and_mail_count_invitations_as_one(tmp_path, limits: Limits, sent: int) -> None:
    async with serving(tmp_path / "data", mail=True, limits=limits) as server:
        anna = await server.player("Anna")
        browser, desk, statuses = await visitor_of(server, anna), server.mail.desk, []

        async def by_mail(friend: str) -> int:
            account = desk.account(anna.player)
            assert account is not None
            try:
                await invite_by_mail(desk, MailRequest("invite", (friend, "skirmish", "")), MailCaller(account), friend)
            except Refusal as refusal:
                return status_of(refusal.code)
            return 200

        for number in range(7):
            friend, path = f"friend{number}@other.test", f"/battles/{await opened_by(anna)}/invitations"
            if number % 3 == 0:
                statuses.append((await browser.send(path, address=friend)).status)
            elif number % 3 == 1:
                statuses.append((await anna.post(f"/api/v1{path}", {"address": friend})).status)
            else:
                statuses.append(await by_mail(friend))
        assert statuses == [(200, 201, 200)[number % 3] if number < sent else 429 for number in range(7)]
        assert invitations.count(server.running.store, "") == sent


# --- rematches


async def over(posting: RunningServer) -> tuple[Caller, Caller, str]:
    """A battle that Bob has lost to Anna."""
    anna, bob = await posting.player("Anna"), await posting.player("Bob")
    battle = await posting.battle(anna, bob)
    assert (await bob.order(battle, "resign")).status == 200
    return anna, bob, battle


@pytest.mark.slow
async def test_a_button_asks_for_a_rematch_and_the_other_button_takes_it(posting: RunningServer) -> None:
    anna, bob, battle = await over(posting)
    hers, his = await visitor_of(posting, anna), await visitor_of(posting, bob)
    assert ">Rematch</button>" in (await hers.get(f"/battles/{battle}")).text
    assert ">Rematch</button>" not in (await Visitor(posting).get(f"/battles/{battle}")).text
    page = await hers.send(f"/battles/{battle}/rematch", side="south")
    new = page.path.rpartition("/")[2]
    assert new != battle and await seats(anna, new) == {"north": "Anna"}
    assert (await his.send(f"/battles/{battle}/rematch", side="north")).path == page.path
    assert await seats(anna, new) == {"north": "Anna", "south": "Bob"}
    assert (await hers.send(f"/battles/{battle}/rematch", {"Sec-Fetch-Site": "cross-site"})).status == 403


async def test_a_program_asks_for_a_rematch(posting: RunningServer) -> None:
    anna, bob, battle = await over(posting)
    asked = await anna.post(f"{BATTLES}/{battle}/rematch", {"same_sides": True})
    assert asked.status == 200 and asked.json["side"] == "south" and asked.json["what"] == "asked"
    assert (await anna.post(f"{BATTLES}/{battle}/rematch", {})).json["what"] == "waiting"
    taken = await bob.post(f"{BATTLES}/{battle}/rematch", {})
    assert taken.json == {"battle": asked.json["battle"], "side": "north", "what": "accepted"}
    assert (await bob.post(f"{BATTLES}/{battle}/rematch", {})).json["what"] == "begun"
    eve = await posting.player("Eve")
    assert (await eve.post(f"{BATTLES}/{battle}/rematch", {})).code == "core.not-seated"
    assert (await anna.post(f"{BATTLES}/{asked.json['battle']}/rematch", {})).code == "core.not-ended"


@pytest.mark.slow
async def test_a_guest_is_asked_on_the_page(posting: RunningServer) -> None:
    """No letter goes to whoever has no address; the side is theirs, and nobody else's."""
    anna, eve = await posting.player("Anna"), await posting.player("Eve")
    battle = await opened_by(anna)
    guest = Visitor(posting)
    seen = await guest.seen(battle)
    await guest.send(f"/battles/{battle}/sides/north", name="Cato", phrase="sixteen bytes of their own", seen=seen)
    await anna.order(battle, "resign")
    asked = await anna.post(f"{BATTLES}/{battle}/rematch", {})
    assert asked.json["what"] == "asked"
    assert (await eve.sit(asked.json["battle"], "south")).code == "core.side-reserved"
    for row in outbox.unsent(posting.running.store):
        letter = await posting.mail.writer.compose(row)
        assert letter is None or letter.wait_until or letter.recipient == "Anna@example.org"
    page = await guest.send(f"/battles/{battle}/rematch")
    assert page.path == f"/battles/{asked.json['battle']}"
    assert await seats(anna, asked.json["battle"]) == {"north": "Anna", "south": "Cato"}
