"""Commands by mail: language, quiet hours, frequency, pictures.

The same words change the same things in a mail and on the page of settings.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from domain.engine.message import Message
from replay.telling.words.sentences import fragment
from server.mail.blocks import Block, Heading, Listing, Paragraph
from server.mail.desk.caller import Caller, Declined
from server.mail.desk.days import zone_named
from server.mail.desk.desk import Desk
from server.mail.desk.vocabulary import DELIVERY_WORDS, LANGUAGE_WORDS, LENGTH_WORDS, OFF, ON, folded
from server.mail.verdict import MailRequest
from server.store.tables import correspondents
from server.store.tables.correspondents import Correspondent
from server.words import say

HOURS = 24
_QUIET = re.compile(r"(\d{1,2})(?::?00|h)?\s*(?:-|–|to|a|until)\s*(\d{1,2})(?::?00|h)?")

Wish = Callable[[Correspondent, str], Correspondent]
"""The preferences with one of them changed as written.

Raises: Declined
"""


def with_letters(kept: Correspondent, written: str) -> Correspondent:
    """How often, `instant`, `digest`, `urgent` or `none`; or how long, `long` or `short`.

    Raises: Declined desk.bad-letters
    """
    if length := LENGTH_WORDS.get(folded(written)):
        return kept._replace(is_long=length == "long")
    delivery = DELIVERY_WORDS.get(folded(written))
    if delivery is None:
        raise Declined("desk.bad-letters", word=written[:40])
    return kept._replace(delivery=delivery)


def with_quiet(kept: Correspondent, written: str) -> Correspondent:
    """Hours without letters, `22-8`, or `off`.

    Raises: Declined desk.bad-quiet
    """
    plain = " ".join(folded(word) for word in written.split())
    if plain in ("", *OFF):
        return kept._replace(quiet="")
    found = _QUIET.fullmatch(plain)
    if found is None or not (int(found[1]) < HOURS and int(found[2]) < HOURS) or int(found[1]) == int(found[2]):
        raise Declined("desk.bad-quiet", word=written[:40])
    return kept._replace(quiet=f"{int(found[1])}-{int(found[2])}")


def with_language(kept: Correspondent, written: str) -> Correspondent:
    """English or French, in either language.

    Raises: Declined desk.bad-language
    """
    lang = LANGUAGE_WORDS.get(folded(written))
    if lang is None:
        raise Declined("desk.bad-language", word=written[:40])
    return kept._replace(lang=lang)


def with_zone(kept: Correspondent, written: str) -> Correspondent:
    """`Europe/Paris`, or its city alone.

    Raises: Declined desk.bad-zone
    """
    zone = zone_named(written)
    if not zone:
        raise Declined("desk.bad-zone", word=written[:60])
    return kept._replace(zone=zone)


def with_picture(kept: Correspondent, written: str) -> Correspondent:
    """`on` or `off`.

    Raises: Declined desk.bad-picture
    """
    plain = folded(written)
    if plain not in (*ON, *OFF):
        raise Declined("desk.bad-picture", word=written[:40])
    return kept._replace(picture=plain in ON)


def stopped(kept: Correspondent, written: str = "") -> Correspondent:
    """No letters but the answers to their mails."""
    return kept._replace(stopped="unsubscribed")


def started(kept: Correspondent, written: str = "") -> Correspondent:
    """Letters again; earlier bounces are forgotten."""
    return kept._replace(stopped="", bounces=0)


WISHES: Mapping[str, Wish] = {
    "letters": with_letters,
    "quiet": with_quiet,
    "language": with_language,
    "zone": with_zone,
    "picture": with_picture,
    "stop": stopped,
    "start": started,
}
"""Functions by the name of their command."""


async def change(desk: Desk, request: MailRequest, caller: Caller, key: str, wish: str) -> Message | None:
    """Change one preference; without an argument it is only shown.

    Raises: Declined
    """
    if not request.args and wish not in ("stop", "start"):
        return None
    kept = desk.wishes(caller.account.player)
    wanted = WISHES[wish](kept, " ".join(request.args))
    if wanted != kept:
        await desk.store.write(correspondents.save(wanted))
        desk.ring()
    return Message(f"desk.did.{wish}", params_of(wanted))


def params_of(kept: Correspondent) -> dict[str, object]:
    """A player's preferences as parameters of the sentences."""
    return {
        "lang": kept.lang,
        "zone": kept.zone,
        "delivery": kept.delivery,
        "quiet": kept.quiet,
        "length": "long" if kept.is_long else "short",
        "picture": "on" if kept.picture else "off",
    }


def lines_of(kept: Correspondent, lang: str) -> Sequence[str]:
    """A player's preferences, each as the command that sets it and its meaning."""
    return [
        fragment(f"desk.setting.{name}", params_of(kept), lang)
        for name in ("letters", "length", "quiet", "language", "zone", "picture")
    ]


def banner_of(kept: Correspondent, lang: str) -> str:
    """Why no letters go out, "" if they do."""
    return say(lang, f"desk.stopped.{kept.stopped}", bounces=kept.bounces) if kept.stopped else ""


async def show_settings(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """The caller's settings for letters."""
    kept = desk.wishes(caller.account.player)
    found: list[Block] = [Heading(say(caller.lang, "desk.settings.title")), Listing(tuple(lines_of(kept, caller.lang)))]
    if banner := banner_of(kept, caller.lang):
        found.append(Paragraph(banner))
    return found
