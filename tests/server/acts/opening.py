"""Opening a battle, through each door that has it."""

from typing import Any

from tests.server.acts.doors import Doors, Facts, battle_in
from tests.support.serving import BATTLES, PHRASE


def by_page(**fields: str) -> Any:
    """The form of the page of a new battle."""

    async def opened(doors: Doors) -> Facts:
        form = {"scenario": "tts/skirmish", "side": "south", "opponent": "person", "phrase": PHRASE, **fields}
        led, refused = await doors.form("Anna", "/battles", form)
        return refused or {"battle": battle_in(led)}

    return opened


def by_api(bot: str = "", side: str = "south", **members: Any) -> Any:
    """A program opens the battle, then takes the sides."""

    async def opened(doors: Doors) -> Facts:
        anna = doors.people["Anna"]
        made, refused = await doors.send("Anna", BATTLES, {"scenario": "skirmish", **members})
        if refused:
            return refused
        other = "north" if side == "south" else "south"
        if bot:
            assert (await anna.sit(made["battle"], other, bot=bot)).status == 201
        if side:
            assert (await anna.sit(made["battle"], side, phrase=PHRASE)).status == 201
        return {"battle": made["battle"]}

    return opened


def by_mail(words: str = "skirmish south", phrase: str = PHRASE) -> Any:
    """A mail with the command."""

    async def opened(doors: Doors) -> Facts:
        told, refused = await doors.mail("Anna", f"open {words}\nphrase {phrase}")
        return refused or {"battle": told["battle"]}

    return opened


def twice(door: Any) -> Any:
    """The same again, as a browser or a program that has had no answer sends it."""

    async def opened(doors: Doors) -> Facts:
        first = await door(doors)
        assert await door(doors) == first
        return dict(first)

    return opened


def by_mail_again(words: str) -> Any:
    """The same mail, processed again."""

    async def opened(doors: Doors) -> Facts:
        told, refused = await doors.mail("Anna", f"open {words}\nphrase {PHRASE}", "f" * 64)
        return refused or {"battle": told["battle"]}

    return opened


def by_api_with_key(**members: Any) -> Any:
    """A request of the API with a key."""

    async def opened(doors: Doors) -> Facts:
        made, refused = await doors.send("Anna", BATTLES, {"scenario": "skirmish", **members}, key="k" * 16)
        if refused:
            return refused
        assert (await doors.people["Anna"].sit(made["battle"], "south", phrase=PHRASE)).status == 201
        return {"battle": made["battle"]}

    return opened


FIRST = {"battle": "battle 1"}
ROWS: dict[str, tuple[Any, ...]] = {
    "open for somebody": (
        {"page": by_page(), "api": by_api(), "mail": by_mail()},
        FIRST,
    ),
    "open against a bot": (
        {"page": by_page(opponent="easy"), "api": by_api(bot="easy"), "mail": by_mail("skirmish south easy")},
        FIRST,
        None,
        ("turn to Anna about battle 1",),
    ),
    "open for whoever has the link, with a clock": (
        {
            "page": by_page(readers="link", pace="3d+7d", side="north"),
            "api": by_api(readers="link", pace="3d+7d", side="north"),
            "mail": by_mail("skirmish north link 3d+7d"),
        },
        FIRST,
    ),
    "open with tags, in any order and case": (
        {
            "page": by_page(tags="Spring, league-2"),
            "api": by_api(tags=["league-2", "Spring"]),
            "mail": by_mail("skirmish tag Spring south tag league-2"),
        },
        FIRST,
    ),
    "open with a tag that is none": (
        {"page": by_page(tags="l'été"), "api": by_api(tags=["l'été"]), "mail": by_mail("skirmish tag l'été")},
        {"refused": "core.bad-tags"},
    ),
    "open, and the same again": (
        {
            "page": twice(by_page(key="k" * 16)),
            "api": twice(by_api_with_key()),
            "mail": twice(by_mail_again("skirmish south")),
        },
        FIRST,
    ),
    "open what there is not": (
        {"page": by_page(scenario="tts/nowhere"), "api": by_api(scenario="nowhere"), "mail": by_mail("nowhere")},
        {"refused": "core.unknown-scenario"},
    ),
    "open with a pace that is none": (
        {"page": by_page(pace="soon"), "api": by_api(pace="soon"), "mail": by_mail("skirmish south soon")},
        {"refused": "core.bad-pace"},
    ),
}
