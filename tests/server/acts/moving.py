"""Moving to another address, through each door that proves whose account it is."""

from typing import Any

from server.acts.log_in import KIND
from server.store.tables import outbox
from tests.server.acts.doors import Doors, Facts
from tests.server.acts.joining import again
from tests.server.web.pages.visiting import visitor_of

NEW = "anna@new.test"


async def anna_is_at_home(doors: Doors) -> None:
    """Anna has just logged in with a browser, and has a letter whose link proves her to a program."""
    doors.browsers["Anna"] = await visitor_of(doors.server, doors.people["Anna"])
    _, refused = await doors.send("Anna", "/api/v1/account/proof", {})
    assert not refused


def by_page(address: str = NEW) -> Any:
    """The form of the settings: it shows what comes, or the reason, on the page itself."""

    async def asked(doors: Doors) -> Facts:
        return await doors.settings("Anna", {"do": "address", "address": address})

    return asked


def proof(doors: Doors) -> str:
    """The secret of the link in that letter."""
    store, addresses = doors.server.running.store, doors.server.running.acts.addresses
    (name,) = [row.kind.partition(":")[2] for row in outbox.unsent(store) if row.kind.startswith("login:")]
    return addresses.token(KIND, name)


def by_api(address: str = NEW) -> Any:
    """A request of a program."""

    async def asked(doors: Doors) -> Facts:
        body = {"address": address, "proof": proof(doors)}
        told, refused = await doors.send("Anna", "/api/v1/account/address", body)
        return refused or {"address": told["address"]}

    return asked


def by_mail(address: str = NEW) -> Any:
    """A mail with the command."""

    async def asked(doors: Doors) -> Facts:
        told, refused = await doors.mail("Anna", f"address {address}")
        return refused or {"address": told["address"]}

    return asked


def each(address: str = NEW) -> dict[str, Any]:
    """The same address through every door."""
    return {"page": by_page(address), "api": by_api(address), "mail": by_mail(address)}


ROWS: dict[str, tuple[Any, ...]] = {
    "move to another address": (each(), {"address": NEW}, anna_is_at_home, ("confirm to Anna about ",)),
    "move, and the same again": (
        {"page": again(by_page()), "api": by_api(), "mail": again(by_mail())},
        {"address": NEW},
        anna_is_at_home,
        ("confirm to Anna about ",),
    ),
    "move to what is no address": (each("nowhere"), {"refused": "core.bad-address"}, anna_is_at_home),
    "move to where one is": (each("ANNA@example.org"), {"refused": "core.same-address"}, anna_is_at_home),
}
