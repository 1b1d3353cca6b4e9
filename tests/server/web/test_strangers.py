"""Whatever a guest sends, and to whichever address of the server: no letter goes to somebody who has not written."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import fields

from server.mail.desk.commands import COMMANDS
from server.people import players
from server.store.tables import accounts, outbox
from server.web.http_route import HttpRoute
from server.web.pages.routes import PAGES
from server.web.routes import API, DOORS
from tests.server.web.pages.visiting import OWN, Visitor
from tests.support.serving import RunningServer, serving

VICTIM = "victim@other.test"
TEMPLATES = Path(__file__).parents[3] / "server" / "web" / "pages" / "templates"
BODIES = {f"{route.method} {route.path}": route for route in API if route.body is not None}
FORMS = {f"{method} {path}" for method, path, _ in (*PAGES, *DOORS) if method == "POST"}

TAKE_AN_ADDRESS = {
    "POST /api/v1/battles/{id}/invitations": "core.guest-writes",
    "POST /api/v1/account/address": "core.login-used",
}
"""The addresses of the API whose body names somebody's mailbox, and what a guest is answered: a new one is to be
thought about before it is added."""
FORMS_WITH_ADDRESS = {"settings.html", "free.html", "login_form.html"}
COMMANDS_WITH_ADDRESS = {"address", "invite"}
FORM = {
    "do": "address",
    "address": VICTIM,
    "email": VICTIM,
    "to": VICTIM,
    "name": VICTIM,
    "words": VICTIM,
    "text": VICTIM,
    "orders": VICTIM,
    "key": "some key of the form",
    "side": "north",
    "scenario": "tts/skirmish",
    "opponent": "person",
}
"""Every field that any form has, with the stranger wherever a text may stand."""


def texts_of(route: HttpRoute) -> Iterator[str]:
    """The members of a body that are texts."""
    assert route.body is not None
    for field in fields(route.body):
        if field.type is str:
            yield field.encode_name


def test_every_way_that_takes_an_address_is_known() -> None:
    named = {name for name, route in BODIES.items() if {"address", "email", "to"} & set(texts_of(route))}
    assert named == set(TAKE_AN_ADDRESS)
    assert {path.name for path in TEMPLATES.rglob("*.html") if 'name="address"' in path.read_text()} == (
        FORMS_WITH_ADDRESS
    )
    shown = {name for name, command in COMMANDS.items() if any("@" in line for line in command.usage.get("en", ()))}
    assert shown == COMMANDS_WITH_ADDRESS


async def a_guest(server: RunningServer) -> tuple[Visitor, str]:
    """Somebody with a cookie, and the battle that they have opened."""
    guest = Visitor(server)
    page = await guest.send("/battles", scenario="tts/skirmish", name="Mallory", opponent="person")
    return guest, page.path.rpartition("/")[2]


async def recipients(server: RunningServer) -> set[str]:
    """To whom the letters in the outbox would go."""
    found = set()
    for row in outbox.unsent(server.running.store):
        letter = await server.mail.writer.compose(row)
        found |= {letter.recipient} if letter is not None and letter.recipient else set()
    return found


def filled(path: str, battle: str) -> str:
    named = {"{id}": battle, "{side}": "north", "{token}": "a" * 24, "{key}": "none"}
    for part, value in named.items():
        path = path.replace(part, value)
    return path


@pytest.mark.parametrize("way", sorted(FORMS))
async def test_no_form_lets_a_guest_write_to_a_stranger(tmp_path: Path, way: str) -> None:
    async with serving(tmp_path / "data", mail=True) as server:
        guest, battle = await a_guest(server)
        method, _, path = way.partition(" ")
        for do in ("address", "accept", "start", "save", VICTIM):
            await guest.ask(method, filled(path, battle), OWN, {**FORM, "do": do})
        assert await recipients(server) == set()


@pytest.mark.parametrize("way", sorted(BODIES))
async def test_no_program_of_a_guest_writes_to_a_stranger(tmp_path: Path, way: str) -> None:
    async with serving(tmp_path / "data", mail=True) as server:
        guest, battle = await a_guest(server)
        route = BODIES[way]
        body: dict[str, Any] = dict.fromkeys(texts_of(route), VICTIM)
        cookie = "; ".join(f"{name}={value}" for name, value in guest.cookies.items())
        headers = {"Cookie": cookie, "Sec-Fetch-Site": "same-origin"}
        answer = await server.stranger.ask(route.method, filled(route.path, battle), headers, json=body)
        assert answer.status not in (401, 500)
        if way in TAKE_AN_ADDRESS:
            assert answer.code == TAKE_AN_ADDRESS[way]
        assert await recipients(server) == set()


async def test_a_guest_with_a_proof_is_told_where_to_write_and_nobody_is_written_to(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", mail=True) as server:
        running, mallory = server.running, await server.player("Mallory")
        await running.store.write(accounts.move(mallory.player, ""))
        proof, issued = players.new_token(running.clock, running.entropy, mallory.player, "login")
        await running.store.write(issued)
        reply = await mallory.post("/api/v1/account/address", {"address": VICTIM, "proof": proof})
        assert (reply.status, reply.json["address"]) == (202, VICTIM)
        assert running.settings.mailbox.partition("@")[0] in reply.json["reply"]
        assert await recipients(server) == set()


@pytest.mark.parametrize("name", sorted(name for name, command in COMMANDS.items() if command.usage))
async def test_no_command_of_somebody_unconfirmed_writes_to_a_stranger(tmp_path: Path, name: str) -> None:
    """They have an account without an address, and write from one that nobody has confirmed."""
    async with serving(tmp_path / "data", mail=True) as server:
        await a_guest(server)
        for number, line in enumerate(COMMANDS[name].usage["en"]):
            words = [VICTIM if "@" in word else word for word in line.split()]
            head = f"From: mallory@evil.test\nTo: play@localhost\nMessage-ID: <{number}@evil.test>\n"
            await server.mail.intake.accept(f"{head}\n{' '.join(words)}\n{VICTIM}\n".encode())
        assert await recipients(server) <= {"mallory@evil.test"}  # `help`, once a day


async def test_an_account_that_lost_its_address_writes_to_nobody(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", mail=True) as server:
        anna = await server.player("Anna")
        battle = await anna.open()
        await server.running.store.write(accounts.move(anna.player, ""))
        reply = await anna.post(f"/api/v1/battles/{battle}/invitations", {"address": VICTIM})
        assert reply.code == "core.guest-writes"
        assert await recipients(server) == set()
