"""Taking a side, through each door that has it."""

from typing import Any

from server.remote.play import take
from tests.server.acts.doors import Doors, Facts
from tests.support.entropy import entropy_of_test
from tests.support.serving import BATTLES, PHRASE


async def anna_waits(doors: Doors, readers: str = "public") -> None:
    """Anna has opened a battle and holds south."""
    battle = await doors.people["Anna"].open(readers=readers)
    assert (await doors.people["Anna"].sit(battle, "south", phrase=PHRASE)).status == 201
    doors.battle = battle


def taken_by_carla(readers: str) -> Any:
    """Anna plays against Carla."""

    async def begun(doors: Doors) -> None:
        await anna_waits(doors, readers)
        await doors.arrive("Carla")
        assert (await doors.people["Carla"].sit(doors.battle, "north", phrase=PHRASE)).status == 201

    return begun


async def seen_by(doors: Doors) -> str:
    """The head that a page has in its form."""
    head = await doors.people["Bob"].head(doors.battle)
    return f"{head['n']} {head['hash']}"


async def by_page(doors: Doors) -> Facts:
    form = {"phrase": PHRASE, "seen": await seen_by(doors)}
    _, refused = await doors.form("Bob", f"/battles/{doors.battle}/sides/north", form)
    return refused or await seat_of_bob(doors)


async def by_api(doors: Doors) -> Facts:
    body = {"phrase": PHRASE, "seen": await doors.people["Bob"].head(doors.battle)}
    _, refused = await doors.send("Bob", f"{BATTLES}/{doors.battle}/sides/north", body)
    return refused or await seat_of_bob(doors)


async def by_mail(doors: Doors) -> Facts:
    told, refused = await doors.mail("Bob", f"join {doors.battle} north\nphrase {PHRASE}")
    return refused or {"battle": told["battle"], "side": told["side"]}


async def by_terminal(doors: Doors) -> Facts:
    entropy = entropy_of_test()
    now, refused = await doors.terminal(
        "Bob", doors.battle, lambda connection, place: take(connection, place, "north", entropy, True, False)
    )
    return refused or {"battle": now.battle, "side": now.side}


async def seat_of_bob(doors: Doors) -> Facts:
    """What a program reads of the seat."""
    view = await doors.people["Bob"].view(doors.battle)
    return {"battle": view["battle"], "side": next(side for side, seat in view["seats"].items() if seat["yours"])}


def again(door: Any) -> Any:
    """The same twice."""

    async def joined(doors: Doors) -> Facts:
        first = await door(doors)
        assert await door(doors) == first
        return dict(first)

    return joined


def bot_by_page(name: str) -> Any:
    """The form by which a bot takes the free side."""

    async def seated(doors: Doors) -> Facts:
        _, refused = await doors.form(name, f"/battles/{doors.battle}/sides/north", {"bot": "easy"})
        return refused or {"battle": doors.battle}

    return seated


def bot_by_api(name: str) -> Any:
    """The same by a program."""

    async def seated(doors: Doors) -> Facts:
        told, refused = await doors.send(name, f"{BATTLES}/{doors.battle}/sides/north", {"bot": "easy"})
        return refused or {"battle": told["battle"]}

    return seated


EACH = {"page": by_page, "api": by_api, "mail": by_mail, "terminal": by_terminal}
SEATED = {"battle": "battle 1", "side": "north"}
BEGINS = ("turn to Anna about battle 1",)
ROWS: dict[str, tuple[Any, ...]] = {
    "join who waits": (EACH, SEATED, anna_waits, BEGINS),
    "join, and the same again": (
        {name: again(door) for name, door in EACH.items()},
        SEATED,
        anna_waits,
        BEGINS,
    ),
    "join where both sides are taken": (EACH, {"refused": "core.side-taken"}, taken_by_carla("public")),
    "join what only its players know": (EACH, {"refused": "core.unknown-battle"}, taken_by_carla("players")),
    "let a bot join": (
        {"page": bot_by_page("Anna"), "api": bot_by_api("Anna")},
        {"battle": "battle 1"},
        anna_waits,
        BEGINS,
    ),
    "let a bot join whom somebody else awaits": (
        {"page": bot_by_page("Bob"), "api": bot_by_api("Bob")},
        {"refused": "core.not-seated"},
        anna_waits,
    ),
}
