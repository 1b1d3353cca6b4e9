"""Asking to have one's own last order back, through each door: a line of a dispute, whichever way it comes."""

from email.message import EmailMessage
from typing import Any

from server.play.questions import question_of
from server.remote.play import give, take
from server.store.tables import mail_tokens
from tests.server.acts.doors import Doors, Facts, shown_on
from tests.server.acts.joining import again
from tests.support.serving import BATTLES, PHRASE

KEY, WHY = "k" * 16, "The wrong unit."
AT = "2026-11-24T00:00:00.000Z"


async def anna_and_bob(doors: Doors) -> None:
    """They play; Anna has taken her side from her terminal, so that it may speak for her."""
    anna, bob = doors.people["Anna"], doors.people["Bob"]
    doors.battle = await anna.open()
    _, refused = await doors.terminal(
        "Anna", doors.battle, lambda wire, place: take(wire, place, "south", doors.entropy, True, False)
    )
    assert not refused
    assert (await bob.sit(doors.battle, "north", phrase=PHRASE)).status == 201


async def anna_has_ordered(doors: Doors) -> None:
    """Anna has set something for later: an order that draws nothing."""
    await anna_and_bob(doors)
    assert (await doors.people["Anna"].order(doors.battle, "standing replay never")).status == 200


async def docket(doors: Doors) -> Facts:
    """The docket that has come of it."""
    live = await doors.server.running.battles.get(doors.battle)
    (raised,) = live.recording.battle.disputes.dockets
    about = live.recording.timeline.events[raised.about - 1].type
    return {"docket": raised.id, "kind": raised.kind, "side": raised.side, "text": raised.text, "about": about}


async def by_page(doors: Doors) -> Facts:
    """The button on the page of the disputes."""
    live = await doors.server.running.battles.get(doors.battle)
    head = doors.seen.setdefault("page", live.recording.newest_head())
    assert head is not None
    form = {"say": "takeback", "text": WHY, "key": KEY, "side": "south", "seen": f"{head.n} {head.hash}"}
    led, refused = await doors.form("Anna", f"/battles/{doors.battle}/disputes", form)
    assert refused or led.endswith("/disputes/d1")
    return refused or await docket(doors)


async def by_api(doors: Doors) -> Facts:
    """A request of a program."""
    anna = doors.people["Anna"]
    seen = doors.seen.setdefault("api", await anna.head(doors.battle))
    body = {"kind": "takeback", "text": WHY, "seen": seen}
    _, refused = await doors.send("Anna", f"{BATTLES}/{doors.battle}/disputes", body, KEY)
    return refused or await docket(doors)


async def by_mail(doors: Doors) -> Facts:
    """A reply to a letter about the battle."""
    services = doors.server.running.acts
    live = await services.battles.get(doors.battle)
    token, player = services.addresses.token("question", "of a test"), doors.people["Anna"].player
    issued = mail_tokens.issue(
        token, "question", player, AT, battle=live.id, side="south", question=question_of(live, "south")
    )
    await services.store.write(issued)
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Message-ID"] = "Anna@example.org", services.addresses.to(token), "<1@example.org>"
    mail.set_content(f"takeback {WHY}")
    verdict = await doors.server.mail.intake.accept(mail.as_bytes())
    refused = [line for line in verdict.lines if line.status != "ok"]
    if refused and refused[0].message is not None:
        return {"refused": refused[0].message.id}
    return await docket(doors)


async def by_terminal(doors: Doors) -> Facts:
    """`phalera remote order`."""
    line = f"takeback {WHY}"
    played, refused = await doors.terminal(
        "Anna", doors.battle, lambda wire, place: give(wire, place, line, doors.entropy)
    )
    if played is not None and played.refused:
        return {"refused": shown_on(f'class="notice">{played.refused}')}
    return refused or await docket(doors)


EACH = {"page": by_page, "api": by_api, "mail": by_mail, "terminal": by_terminal}
ROWS: dict[str, tuple[Any, ...]] = {
    "ask to have an order back": (
        EACH,
        {"docket": "d1", "kind": "takeback", "side": "south", "text": WHY, "about": "OrderAccepted"},
        anna_has_ordered,
        ("dispute to Bob about battle 1",),
    ),
    "ask to have an order back, and the same again": (
        {name: again(door) for name, door in EACH.items() if name != "terminal"} | {"terminal": by_terminal},
        {"docket": "d1", "kind": "takeback", "side": "south", "text": WHY, "about": "OrderAccepted"},
        anna_has_ordered,
        ("dispute to Bob about battle 1",),
    ),
    "ask to have back what one has not ordered": (EACH, {"refused": "core.docket-no-order"}, anna_and_bob, ()),
}
