"""Lines and reserves of a campaign, through each door: the same events in its log, whichever way they come."""

from typing import Any

import msgspec

from server.mail.desk import Caller as MailCaller
from server.mail.desk import do, read
from server.store.tables import accounts, campaigns
from tests.server.acts.doors import Doors, Facts, shown_on
from tests.support.serving import PHRASE

CAMPAIGNS = "/api/v1/campaigns"
CUP = """
campaign = "cup"
title = "Spring Cup"
ruleset = "tts"
cup = { system = "round-robin" }
battle = { scenario = "skirmish" }
"""
KEY = "k" * 16
OF_THE_DOOR = frozenset({"channel", "key", "player", "phrase", "value"})
"""Members of events that say by which door somebody came, and who they are."""


async def a_cup(doors: Doors) -> None:
    """Anna organises a cup that Bob has entered."""
    reply = await doors.people["Anna"].post(CAMPAIGNS, {"toml": CUP})
    doors.seen["cup"] = reply.json["campaign"]
    entered = await doors.people["Bob"].post(f"{CAMPAIGNS}/{cup_of(doors)}/entrants", {"phrase": PHRASE})
    assert entered.status == 201


def cup_of(doors: Doors) -> str:
    """The id of the cup."""
    return str(doors.seen["cup"])


async def log(doors: Doors) -> Facts:
    """What has come into the log of the cup since Bob had entered it."""
    store, found = doors.server.running.store, list[Any]()
    for _, _, line in campaigns.lines(store, cup_of(doors), 3):
        event = msgspec.json.decode(line)
        data = {key: value for key, value in event["data"].items() if key not in OF_THE_DOOR}
        found.append([event["type"], event["by"], {key: data[key] for key in sorted(data)}])
    return {"log": found}


def line_by_page(name: str, line: str) -> Any:
    """The form of the campaign's page."""

    async def door(doors: Doors) -> Facts:
        form = {"orders": line, "key": KEY}
        reply = await doors.people[name].ask(
            "POST", f"/campaigns/{cup_of(doors)}", {"Sec-Fetch-Site": "same-origin"}, data=form, allow_redirects=False
        )
        return await log(doors) if reply.status == 303 else {"refused": shown_on(reply.text)}

    return door


def line_by_api(name: str, line: str) -> Any:
    """A request of a program."""

    async def door(doors: Doors) -> Facts:
        told, refused = await doors.send(name, f"{CAMPAIGNS}/{cup_of(doors)}/orders", {"orders": line}, KEY)
        assert not refused
        (answered,) = told["lines"]
        return {"refused": answered["code"]} if answered["code"] else await log(doors)

    return door


def line_by_mail(name: str, line: str) -> Any:
    """A mail with the line below the name of the campaign."""

    async def door(doors: Doors) -> Facts:
        account = accounts.by_player(doors.server.running.store, doors.people[name].player)
        assert account is not None
        (request,) = read(f"campaign {cup_of(doors)}\n{line}", "")
        done = await do(doors.desk, request, MailCaller(account), KEY * 4)
        (verdict,) = done.lines
        if verdict.status != "ok":
            assert verdict.message is not None
            return {"refused": verdict.message.id}
        return await log(doors)

    return door


def line_through_each(name: str, line: str) -> dict[str, Any]:
    """The doors by which somebody gives a line."""
    return {
        "page": line_by_page(name, line),
        "api": line_by_api(name, line),
        "mail": line_by_mail(name, line),
    }


async def waits_by_page(doors: Doors) -> Facts:
    led, refused = await doors.form("Anna", f"/campaigns/{cup_of(doors)}", {"do": "reserve"})
    assert refused or led == f"/campaigns/{cup_of(doors)}"
    return refused or await log(doors)


async def waits_by_api(doors: Doors) -> Facts:
    _, refused = await doors.send("Anna", f"{CAMPAIGNS}/{cup_of(doors)}/entrants", {"reserve": True}, KEY)
    return refused or await log(doors)


async def waits_by_mail(doors: Doors) -> Facts:
    _, refused = await doors.mail("Anna", f"enter {cup_of(doors)} reserve")
    return refused or await log(doors)


RULED = "penalty p1 1 because the list was late"
ROWS: dict[str, tuple[Any, ...]] = {
    "rule in a cup": (
        line_through_each("Anna", RULED),
        {
            "log": [
                [
                    "OrderAccepted",
                    "umpire",
                    {
                        "command": {
                            "order": "campaign",
                            "verb": "penalty",
                            "entrant": "p1",
                            "points": 1,
                            "because": "the list was late",
                        },
                        "line": 1,
                        "side": "umpire",
                        "t": 0,
                        "text": RULED,
                    },
                ],
                ["RulingGiven", "umpire", {"docket": "D1", "effect": "penalty p1 1", "ruling": "the list was late"}],
                ["PointsTaken", "server", {"entrant": "p1", "points": 1}],
            ]
        },
        a_cup,
        ("campaign to Bob about ",),
    ),
    "rule in a cup of another": (
        line_through_each("Bob", RULED),
        {"refused": "campaign.not-umpire"},
        a_cup,
        (),
    ),
    "wait as a reserve": (
        {"page": waits_by_page, "api": waits_by_api, "mail": waits_by_mail},
        {"log": [["ReserveJoined", "server", {"name": "Anna"}]]},
        a_cup,
        ("campaign to Anna about ",),
    ),
}
