"""Inviting somebody by mail, accepting it, asking for a rematch: through each door that has it."""

from email.message import EmailMessage
from typing import Any

from server.acts.invite import KIND
from server.remote.inviting import invite, rematch
from server.remote.state import KeptSeat
from server.store.tables import outbox
from tests.server.acts.doors import Doors, Facts, battle_in
from tests.server.acts.joining import again, anna_waits
from tests.support.entropy import entropy_of_test
from tests.support.serving import BATTLES, PHRASE

FRIEND = "friend@else.test"
KEY = "k" * 16


def by_page(address: str = FRIEND, side: str = "") -> Any:
    """The form on the page of the battle."""

    async def invited(doors: Doors) -> Facts:
        form = {"address": address, "side": side, "words": "Come and play.", "key": KEY}
        led, refused = await doors.form("Anna", f"/battles/{doors.battle}/invitations", form)
        return refused or {"battle": battle_in(led)}

    return invited


def by_api(address: str = FRIEND, side: str = "") -> Any:
    """A request of a program."""

    async def invited(doors: Doors) -> Facts:
        body = {"address": address, "side": side, "message": "Come and play."}
        told, refused = await doors.send("Anna", f"{BATTLES}/{doors.battle}/invitations", body, KEY)
        return refused or {"battle": told["battle"]}

    return invited


def by_mail(address: str = FRIEND, side: str = "") -> Any:
    """A mail with the command, and the words below it."""

    async def invited(doors: Doors) -> Facts:
        as_side = f" as {side}" if side else ""
        told, refused = await doors.mail(
            "Anna", f"invite {address} {doors.battle}{as_side}\n\nCome and play.", "f" * 64
        )
        return refused or {"battle": told["battle"]}

    return invited


def by_terminal(address: str = FRIEND, side: str = "") -> Any:
    """`phalera remote invite`."""

    async def invited(doors: Doors) -> Facts:
        _, refused = await doors.terminal(
            "Anna",
            doors.battle,
            lambda wire, place: invite(wire, place, address, side, "Come and play.", entropy_of_test()),
        )
        return refused or {"battle": doors.battle}

    return invited


def each(*given: str) -> dict[str, Any]:
    """An invitation through every door."""
    return {"page": by_page(*given), "api": by_api(*given), "mail": by_mail(*given), "terminal": by_terminal(*given)}


# --- accepting


async def friend_is_invited(doors: Doors) -> None:
    """Anna's battle waits for an address without an account."""
    await anna_waits(doors)
    assert await by_api()(doors) == {"battle": doors.battle}


def token(doors: Doors) -> str:
    """The token that the letter to the address contains."""
    store, addresses = doors.server.running.store, doors.server.running.acts.addresses
    (name,) = [row.kind.partition(":")[2] for row in outbox.unsent(store) if row.kind.startswith("invite:")]
    return addresses.token(KIND, name)


async def accepted_by_page(doors: Doors) -> Facts:
    """The button on the page of the invitation."""
    led, refused = await doors.form("Anna", f"/invitations/{token(doors)}", {"do": "accept", "name": "Friend"})
    return refused or {"battle": battle_in(led)}


async def accepted_by_mail(doors: Doors) -> Facts:
    """A reply to the letter."""
    addresses = doors.server.running.acts.addresses
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Message-ID"] = FRIEND, addresses.to(token(doors)), "<1@else.test>"
    mail.set_content("accept as Friend")
    verdict = await doors.server.mail.intake.accept(mail.as_bytes())
    return {"battle": verdict.battle}


# --- a rematch


async def anna_has_won(doors: Doors) -> None:
    """A battle between Anna and Bob is over."""
    await anna_waits(doors)
    bob = doors.people["Bob"]
    assert (await bob.sit(doors.battle, "north", phrase=PHRASE)).status == 201
    assert (await bob.order(doors.battle, "resign")).status == 200


async def anna_has_played_alone(doors: Doors) -> None:
    """A battle of Anna with both hands is over."""
    await anna_waits(doors)
    anna = doors.people["Anna"]
    assert (await anna.sit(doors.battle, "north", phrase=PHRASE)).status == 201
    assert (await anna.order(doors.battle, "resign", side="south")).status == 200


async def bob_has_asked(doors: Doors) -> None:
    """Bob wants another one."""
    await anna_has_won(doors)
    _, refused = await doors.send("Bob", f"{BATTLES}/{doors.battle}/rematch", {})
    assert not refused


async def rematch_by_page(doors: Doors) -> Facts:
    led, refused = await doors.form("Anna", f"/battles/{doors.battle}/rematch", {"side": "south", "key": KEY})
    return refused or {"battle": battle_in(led)}


async def rematch_by_api(doors: Doors) -> Facts:
    told, refused = await doors.send("Anna", f"{BATTLES}/{doors.battle}/rematch", {}, KEY)
    return refused or {"battle": told["battle"]}


async def rematch_by_mail(doors: Doors) -> Facts:
    told, refused = await doors.mail("Anna", f"rematch {doors.battle}")
    return refused or {"battle": told["battle"]}


async def rematch_by_terminal(doors: Doors) -> Facts:
    async def ask(wire: Any, place: Any) -> Any:
        place.keep(KeptSeat("south"))
        return (await rematch(wire, place, False, entropy_of_test()))[0]

    told, refused = await doors.terminal("Anna", doors.battle, ask)
    return refused or {"battle": told.battle}


HERE, NEXT = {"battle": "battle 1"}, {"battle": "battle 2"}
SENT = ("invite to an address about battle 1", "invited to Anna about battle 1")
ASKED = ("invite to an address about battle 2", "invited to Anna about battle 2")
REMATCHES = {
    "page": rematch_by_page,
    "api": rematch_by_api,
    "mail": rematch_by_mail,
    "terminal": rematch_by_terminal,
}
ROWS: dict[str, tuple[Any, ...]] = {
    "invite an address": (each(), HERE, anna_waits, SENT),
    "invite it to a side": (each(FRIEND, "north"), HERE, anna_waits, SENT),
    "invite it, and the same again": (
        {"page": again(by_page()), "api": again(by_api()), "mail": again(by_mail())},
        HERE,
        anna_waits,
        SENT,
    ),
    "invite oneself": (each("Anna@example.org"), {"refused": "core.own-address"}, anna_waits),
    "invite what is no address": (each("friend"), {"refused": "core.bad-address"}, anna_waits),
    "invite to a side that is taken": (each(FRIEND, "south"), {"refused": "core.side-taken"}, anna_waits),
    "accept an invitation": (
        {"page": accepted_by_page, "mail": accepted_by_mail},
        HERE,
        friend_is_invited,
        ("turn to Anna about battle 1",),
    ),
    "ask for a rematch": (REMATCHES, NEXT, anna_has_won, ASKED),
    "ask for a rematch, and the same again": (
        {name: again(door) for name, door in REMATCHES.items()},
        NEXT,
        anna_has_won,
        ASKED,
    ),
    "take up a rematch": (REMATCHES, NEXT, bob_has_asked, ("turn to Bob about battle 2",)),
    "ask for a rematch too early": (REMATCHES, {"refused": "core.not-ended"}, anna_waits),
    "ask oneself for a rematch": (REMATCHES, {"refused": "core.no-opponent"}, anna_has_played_alone),
}
