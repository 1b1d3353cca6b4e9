"""Bringing another army to a battle, through each door."""

from email.message import EmailMessage
from typing import Any

from server.acts.invite import KIND
from server.remote.inviting import bring
from server.store.tables import outbox
from tests.server.acts.doors import Doors, Facts, battle_in
from tests.server.acts.joining import again
from tests.support.serving import BATTLES, PHRASE

FRIEND = "friend@else.test"
KEY = "k" * 16
ARMIES = {"south": "carthaginian", "north": "gallic", "seed": 7}


async def of_points(doors: Doors) -> None:
    """Anna has opened a battle of points and holds south."""
    anna = doors.people["Anna"]
    made = await anna.post("/api/v1/armies/battle", ARMIES)
    opened = await anna.post(BATTLES, {"scenario_toml": made.json["scenario_toml"]})
    doors.battle = str(opened.json["battle"])
    assert (await anna.sit(doors.battle, "south", phrase=PHRASE)).status == 201


def by_page(army: str = "seleucid", seed: str = "7") -> Any:
    """The form below both armies."""

    async def brought(doors: Doors) -> Facts:
        form = {"list": army, "seed": seed, "key": KEY}
        led, refused = await doors.form("Bob", f"/battles/{doors.battle}/armies", form)
        return refused or {"battle": battle_in(led)}

    return brought


def by_api(army: str = "seleucid") -> Any:
    """A request of a program."""

    async def brought(doors: Doors) -> Facts:
        body = {"list": army, "seed": 7}
        told, refused = await doors.send("Bob", f"{BATTLES}/{doors.battle}/armies", body, KEY)
        return refused or {"battle": told["battle"]}

    return brought


def by_terminal(army: str = "seleucid") -> Any:
    """`phalera remote bring`."""

    async def brought(doors: Doors) -> Facts:
        own = {"list": army, "size": 0, "seed": 7}
        told, refused = await doors.terminal(
            "Bob", doors.battle, lambda wire, place: bring(wire, place, "", own, doors.entropy)
        )
        return refused or {"battle": told[0].battle}

    return brought


def each(*given: str) -> dict[str, Any]:
    """The same army through every door that a player has who was not invited."""
    return {"page": by_page(*given), "api": by_api(*given), "terminal": by_terminal(*given)}


async def friend_is_invited(doors: Doors) -> None:
    """Anna's battle waits for an address without an account."""
    await of_points(doors)
    _, refused = await doors.send("Anna", f"{BATTLES}/{doors.battle}/invitations", {"address": FRIEND})
    assert not refused


def token(doors: Doors) -> str:
    """The token of the invitation to Anna's battle."""
    store, addresses = doors.server.running.store, doors.server.running.acts.addresses
    (name,) = [row.kind.partition(":")[2] for row in outbox.unsent(store) if row.kind.startswith("invite:")]
    return addresses.token(KIND, name)


async def invited_by_page(doors: Doors) -> Facts:
    """The form on the page of the invitation."""
    form = {"do": "bring", "list": "seleucid", "seed": "7", "key": KEY}
    led, refused = await doors.form("Anna", f"/invitations/{token(doors)}", form)
    return refused or {"battle": battle_in(led)}


async def invited_by_mail(doors: Doors) -> Facts:
    """A reply to the letter."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Message-ID"] = FRIEND, doors.server.mail.addresses.to(token(doors)), "<1@else.test>"
    mail.set_content("bring seleucid 7")
    verdict = await doors.server.mail.intake.accept(mail.as_bytes())
    return {"battle": verdict.battle}


NEXT = {"battle": "battle 2"}
ASKED = ("invite to an address about battle 2", "invited to Bob about battle 2")
ROWS: dict[str, tuple[Any, ...]] = {
    "bring an army": (each(), NEXT, of_points, ASKED),
    "bring an army, and the same again": (
        {"page": again(by_page()), "api": again(by_api())},
        NEXT,
        of_points,
        ASKED,
    ),
    "bring an army that there is not": (each("martian"), {"refused": "tts.no-such-army-list"}, of_points),
    "bring an army where one was invited": (
        {"page": invited_by_page, "mail": invited_by_mail},
        NEXT,
        friend_is_invited,
        ("invite to an address about battle 2", "invited to Guest about battle 2"),
    ),
}
