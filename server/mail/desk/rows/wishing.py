"""Commands about the letters of a player, and about their address."""

from collections.abc import Mapping
from functools import partial

from server.mail.desk import address, opening, wishes
from server.mail.desk.command import ALWAYS, WITH_WORDS, DeskCommand

WISHING: Mapping[str, DeskCommand] = {
    "settings": DeskCommand(
        words=("settings", "reglages"),
        usage={"en": ("settings",), "fr": ("réglages",)},
        show=wishes.show_settings,
    ),
    "letters": DeskCommand(
        words=("letters", "lettres", "courrier"),
        usage={
            "en": (
                "letters instant",
                "letters digest",
                "letters urgent",
                "letters none",
                "letters long",
                "letters short",
            ),
            "fr": (
                "lettres instant",
                "lettres résumé",
                "lettres urgentes",
                "lettres aucune",
                "lettres longues",
                "lettres courtes",
            ),
        },
        changes=WITH_WORDS,
        do=partial(wishes.change, wish="letters"),
        show=wishes.show_settings,
    ),
    "quiet": DeskCommand(
        words=("quiet", "calme"),
        usage={"en": ("quiet 22-8", "quiet off"), "fr": ("calme 22-8", "calme non")},
        changes=WITH_WORDS,
        do=partial(wishes.change, wish="quiet"),
        show=wishes.show_settings,
    ),
    "language": DeskCommand(
        words=("language", "langue"),
        usage={"en": ("language fr", "language en"), "fr": ("langue fr", "langue en")},
        changes=WITH_WORDS,
        do=partial(wishes.change, wish="language"),
        show=wishes.show_settings,
    ),
    "zone": DeskCommand(
        words=("zone", "timezone", "fuseau"),
        usage={"en": ("zone Europe/Paris", "zone London"), "fr": ("fuseau Europe/Paris", "fuseau London")},
        changes=WITH_WORDS,
        do=partial(wishes.change, wish="zone"),
        show=wishes.show_settings,
    ),
    "picture": DeskCommand(
        words=("picture", "image"),
        usage={"en": ("picture on", "picture off"), "fr": ("image oui", "image non")},
        changes=WITH_WORDS,
        do=partial(wishes.change, wish="picture"),
        show=wishes.show_settings,
    ),
    "address": DeskCommand(
        words=("address", "adresse"),
        usage={"en": ("address me@example.org",), "fr": ("adresse moi@example.org",)},
        changes=WITH_WORDS,
        confirmed=True,
        do=address.ask,
    ),
    "stop": DeskCommand(
        words=("stop", "arreter", "unsubscribe", "desabonner"),
        usage={"en": ("stop",), "fr": ("arrêter",)},
        changes=ALWAYS,
        do=partial(wishes.change, wish="stop"),
        show=wishes.show_settings,
    ),
    "start": DeskCommand(
        words=("start", "demarrer", "subscribe", "abonner"),
        usage={"en": ("start",), "fr": ("démarrer",)},
        changes=ALWAYS,
        do=partial(wishes.change, wish="start"),
        show=wishes.show_settings,
    ),
    "message": DeskCommand(
        words=("message",),
        changes=ALWAYS,
    ),
    "scenarios": DeskCommand(
        show=opening.show_scenarios,
    ),
}
