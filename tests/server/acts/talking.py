"""Talking to the opponent, through each door."""

from typing import Any

from server.remote.words import talk
from tests.server.acts.doors import Doors, Facts
from tests.server.acts.joining import again, anna_waits
from tests.support.serving import BATTLES, PHRASE

KEY = "k" * 16
WORDS = "Good luck!\nMay the cards be kind."


async def anna_and_bob(doors: Doors) -> None:
    """They play."""
    await anna_waits(doors)
    assert (await doors.people["Bob"].sit(doors.battle, "north", phrase=PHRASE)).status == 201


async def anna_and_a_bot(doors: Doors) -> None:
    """Nobody reads at the other side."""
    await anna_waits(doors)
    assert (await doors.people["Anna"].sit(doors.battle, "north", bot="easy")).status == 201


def by_page(words: str) -> Any:
    """The form beside the board."""

    async def said(doors: Doors) -> Facts:
        form = {"words": words.replace("\n", "\r\n"), "key": KEY}
        _, refused = await doors.form("Anna", f"/battles/{doors.battle}/words", form)
        return refused or {"to": "Bob"}

    return said


def by_api(words: str) -> Any:
    """A request of a program."""

    async def said(doors: Doors) -> Facts:
        told, refused = await doors.send("Anna", f"{BATTLES}/{doors.battle}/words", {"text": words}, KEY)
        return refused or {"to": told["to"]}

    return said


def by_mail(words: str) -> Any:
    """A mail with a block of words."""

    async def said(doors: Doors) -> Facts:
        told, refused = await doors.mail("Anna", f"message\n{words}\nend", "f" * 64)
        return refused or {"to": told["name"]}

    return said


def by_terminal(words: str) -> Any:
    """`phalera remote say`."""

    async def said(doors: Doors) -> Facts:
        told, refused = await doors.terminal(
            "Anna", doors.battle, lambda wire, place: talk(wire, place, words, "", doors.entropy)
        )
        return refused or {"to": told.to}

    return said


def each(words: str = WORDS) -> dict[str, Any]:
    """The same words through every door."""
    return {"page": by_page(words), "api": by_api(words), "mail": by_mail(words), "terminal": by_terminal(words)}


TOO_LONG = "\n".join(["é" * 60] * 40)
TOLD = ("say to Bob about battle 1",)
ROWS: dict[str, tuple[Any, ...]] = {
    "talk to the opponent": (each(), {"to": "Bob"}, anna_and_bob, TOLD),
    "talk, and the same again": (
        {"page": again(by_page(WORDS)), "api": again(by_api(WORDS)), "mail": again(by_mail(WORDS))},
        {"to": "Bob"},
        anna_and_bob,
        TOLD,
    ),
    "talk without words": (each("\u200b"), {"refused": "core.no-words"}, anna_and_bob),
    "talk for too long": (each(TOO_LONG), {"refused": "core.words-too-long"}, anna_and_bob),
    "talk to nobody": (each(), {"refused": "core.nobody-there"}, anna_waits),
    "talk to a bot": (each(), {"refused": "core.no-reader"}, anna_and_a_bot),
}
