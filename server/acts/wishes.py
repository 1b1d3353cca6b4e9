"""How a player wants letters and pages: language, zone, quiet hours, frequency, length, pictures, or no letters at all.

The same words change the same things in a mail and on the page of settings.
"""

import re
from collections.abc import Callable, Mapping

from domain.basics.errors import Refusal
from server.acts.services import Services
from server.shown.moments import zone_named
from server.spelling.words import DELIVERY_WORDS, LANGUAGE_WORDS, LENGTH_WORDS, OFF, ON, folded
from server.store.tables import correspondents
from server.store.tables.correspondents import Correspondent

RULE = "CORE-LETTERS"
HOURS = 24
_QUIET = re.compile(r"(\d{1,2})(?::?00|h)?\s*(?:-|–|to|a|until)\s*(\d{1,2})(?::?00|h)?")

Change = Callable[[Correspondent, str], Correspondent]
"""The preferences with one of them changed as written.

Raises: Refusal
"""


def with_letters(kept: Correspondent, written: str) -> Correspondent:
    """How often, `instant`, `digest`, `urgent` or `none`; or how long, `long` or `short`.

    Raises: Refusal core.bad-letters
    """
    if length := LENGTH_WORDS.get(folded(written)):
        return kept._replace(is_long=length == "long")
    delivery = DELIVERY_WORDS.get(folded(written))
    if delivery is None:
        raise Refusal("core.bad-letters", RULE, word=written[:40])
    return kept._replace(delivery=delivery)


def with_quiet(kept: Correspondent, written: str) -> Correspondent:
    """Hours without letters, `22-8`, or `off`.

    Raises: Refusal core.bad-quiet
    """
    plain = " ".join(folded(word) for word in written.split())
    if plain in ("", *OFF):
        return kept._replace(quiet="")
    found = _QUIET.fullmatch(plain)
    if found is None or not (int(found[1]) < HOURS and int(found[2]) < HOURS) or int(found[1]) == int(found[2]):
        raise Refusal("core.bad-quiet", RULE, word=written[:40])
    return kept._replace(quiet=f"{int(found[1])}-{int(found[2])}")


def with_language(kept: Correspondent, written: str) -> Correspondent:
    """English or French, in either language.

    Raises: Refusal core.bad-language
    """
    lang = LANGUAGE_WORDS.get(folded(written))
    if lang is None:
        raise Refusal("core.bad-language", RULE, word=written[:40])
    return kept._replace(lang=lang)


def with_zone(kept: Correspondent, written: str) -> Correspondent:
    """`Europe/Paris`, or its city alone.

    Raises: Refusal core.bad-zone
    """
    zone = zone_named(written)
    if not zone:
        raise Refusal("core.bad-zone", RULE, word=written[:60])
    return kept._replace(zone=zone)


def with_picture(kept: Correspondent, written: str) -> Correspondent:
    """`on` or `off`.

    Raises: Refusal core.bad-picture
    """
    plain = folded(written)
    if plain not in (*ON, *OFF):
        raise Refusal("core.bad-picture", RULE, word=written[:40])
    return kept._replace(picture=plain in ON)


def stopped(kept: Correspondent, written: str = "") -> Correspondent:
    """No letters but the answers to their mails."""
    return kept._replace(stopped="unsubscribed")


def started(kept: Correspondent, written: str = "") -> Correspondent:
    """Letters again; earlier bounces are forgotten."""
    return kept._replace(stopped="", bounces=0)


WISHES: Mapping[str, Change] = {
    "letters": with_letters,
    "quiet": with_quiet,
    "language": with_language,
    "zone": with_zone,
    "picture": with_picture,
    "stop": stopped,
    "start": started,
}
"""Functions by the name of their command."""


async def keep_wishes(services: Services, wanted: Correspondent) -> None:
    """Keep the preferences of a player; letters that have waited may be due with them. The same again changes
    nothing."""
    if wanted != services.wishes(wanted.player):
        await services.store.write(correspondents.save(wanted))
        services.ring()


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
