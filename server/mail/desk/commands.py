"""The commands that a player can give by mail: one row each, with its words, what it does and what its answer shows.

`server.mail.desk.reading` finds the commands of a mail, `server.mail.desk.doing` does them.
"""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from msgspec import Struct

from domain.basics.message import Message
from server.mail.blocks import Block
from server.mail.desk import (
    address,
    away,
    battles,
    handbook,
    inviting,
    looking,
    opening,
    talk,
    trying,
    wishes,
    withdrawing,
)
from server.mail.desk.caller import Caller
from server.mail.desk.desk import Desk
from server.mail.desk.vocabulary import ANCHOR, BATTLE, is_standing
from server.mail.verdict import MailRequest
from server.spelling.words import folded

Doing = Callable[[Desk, MailRequest, Caller, str], Awaitable[MailRequest | Message | None]]
"""Does a command: returns its result, or the whole request if its arguments become clear on the way."""
Showing = Callable[[Desk, MailRequest, Caller], Awaitable[list[Block]]]


NAMED, LOOKED_UP = "named", "looked-up"
"""How a command is about a battle: its first argument is the id, "" if none was named; or it is found before anything
else is done."""
WITH_WORDS, ALWAYS = "with-words", "always"
"""When a command changes something: with words behind it, or always."""


class DeskCommand(Struct, frozen=True, kw_only=True):
    """All there is to say of a command.

    `words` name it, its own name first (`plain_word` has been through all of them); `usage` are examples by language,
    as the help has them. What `changes` something needs a sender whose word is taken; if `confirmed`, a yes as well.
    `do` does it (None: it only shows), `show` makes what its answer shows.
    """

    words: tuple[str, ...] = ()
    usage: Mapping[str, tuple[str, ...]] = {}
    about_battle: str = ""
    changes: str = ""
    confirmed: bool = False
    do: Doing | None = None
    show: Showing | None = None


NOTHING = DeskCommand()


def command_of(word: str) -> str:
    """The name of the command that a word names, or ""."""
    return _NAMES.get(folded(word), "")


def usages(lang: str) -> dict[str, tuple[str, ...]]:
    """Examples of each command in a language, in the order of the help."""
    return {name: command.usage[lang] for name, command in COMMANDS.items() if command.usage}


def changes(request: MailRequest) -> bool:
    """Whether a command changes something, so that the sender's word must be taken."""
    when = COMMANDS.get(request.name, NOTHING).changes
    return when == ALWAYS or (when == WITH_WORDS and bool(request.args))


def must_confirm(request: MailRequest) -> bool:
    """Whether it is always confirmed: another address, resigning, draws; of orders a standing one is not."""
    confirmed = COMMANDS.get(request.name, NOTHING).confirmed
    return confirmed and changes(request) and not is_standing(request)


async def _help(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    return await handbook.show_help(usages, desk, request, caller)


def stranger_help(lang: str, url: str = "") -> list[Block]:
    """The help for somebody without an account; `url` where one is to be had."""
    return handbook.stranger_help(usages, lang, url)


def first_steps(lang: str) -> list[Block]:
    """From nothing to the first answer."""
    return handbook.first_steps(usages, lang)


COMMANDS: Mapping[str, DeskCommand] = {
    "help": DeskCommand(
        words=("help", "aide", "info", "?"),
        usage={"en": ("help", "help orders"), "fr": ("aide", "aide ordres")},
        show=_help,
    ),
    "list": DeskCommand(
        words=("list", "liste", "lister"),
        usage={"en": ("list",), "fr": ("liste",)},
        show=battles.show_mine,
    ),
    "battles": DeskCommand(
        words=("battles", "batailles"),
        usage={"en": ("battles", "battles tag spring"), "fr": ("batailles", "batailles étiquette spring")},
        do=battles.seek,
        show=battles.show_free,
    ),
    "open": DeskCommand(
        words=("open", "ouvrir", "ouvre"),
        usage={
            "en": (
                "open skirmish",
                "open cannae north steady",
                "open skirmish south bot strong",
                "open skirmish tag spring",
            ),
            "fr": (
                "ouvrir skirmish",
                "ouvrir cannae nord steady",
                "ouvrir skirmish sud bot fort",
                "ouvrir skirmish étiquette spring",
            ),
        },
        changes=WITH_WORDS,
        do=opening.open_battle,
        show=battles.show_joined,
    ),
    "join": DeskCommand(
        words=("join", "rejoindre", "rejoint", "rejoins"),
        usage={
            "en": (f"join {BATTLE}", f"join {BATTLE} north", f"join {BATTLE} north sealed {ANCHOR}"),
            "fr": (f"rejoindre {BATTLE}", f"rejoindre {BATTLE} nord", f"rejoindre {BATTLE} nord scellé {ANCHOR}"),
        },
        about_battle=NAMED,
        changes=ALWAYS,
        do=battles.join,
        show=battles.show_joined,
    ),
    "invite": DeskCommand(
        words=("invite", "inviter"),
        usage={
            "en": ("invite friend@example.org", "invite friend@example.org skirmish as north"),
            "fr": ("inviter ami@example.org", "inviter ami@example.org skirmish comme nord"),
        },
        changes=ALWAYS,
        do=inviting.invite_by_mail,
    ),
    "rematch": DeskCommand(
        words=("rematch", "revanche"),
        usage={
            "en": ("rematch", f"rematch {BATTLE}", "rematch same sides"),
            "fr": ("revanche", f"revanche {BATTLE}", "revanche mêmes côtés"),
        },
        about_battle=NAMED,
        changes=ALWAYS,
        do=inviting.rematch_by_mail,
    ),
    "accept": DeskCommand(
        words=("accept", "accepter", "accepte"),
        usage={
            "en": ("accept", "accept phrase words that nobody can guess"),
            "fr": ("accepter", "accepter phrase des mots que nul ne devine"),
        },
        about_battle=NAMED,
        changes=ALWAYS,
        do=battles.accept,
        show=looking.show_board_now,
    ),
    "leave": DeskCommand(
        words=("leave", "quitter", "quitte"),
        usage={"en": ("leave", f"leave {BATTLE}"), "fr": ("quitter", f"quitter {BATTLE}")},
        about_battle=NAMED,
        changes=ALWAYS,
        do=withdrawing.leave,
        show=battles.show_mine,
    ),
    "cancel": DeskCommand(
        words=("cancel", "annuler", "annule"),
        usage={"en": ("cancel", f"cancel {BATTLE}"), "fr": ("annuler", f"annuler {BATTLE}")},
        about_battle=NAMED,
        changes=ALWAYS,
        do=withdrawing.cancel_battle,
        show=battles.show_mine,
    ),
    "book": DeskCommand(
        words=("book", "carnet"),
        usage={"en": (f"book {ANCHOR}",), "fr": (f"carnet {ANCHOR}",)},
        about_battle=LOOKED_UP,
        changes=ALWAYS,
        do=battles.another_book,
    ),
    "board": DeskCommand(
        words=("board", "plateau", "map", "carte"),
        usage={
            "en": ("board", "board 120", f"board {BATTLE} 120"),
            "fr": ("plateau", "plateau 120", f"plateau {BATTLE} 120"),
        },
        about_battle=LOOKED_UP,
        do=looking.check_board,
        show=looking.show_board,
    ),
    "history": DeskCommand(
        words=("history", "historique", "log", "journal"),
        usage={
            "en": ("history", "history 120", "history turn", "history turn 3"),
            "fr": ("historique", "historique 120", "historique tour", "historique tour 3"),
        },
        about_battle=LOOKED_UP,
        do=looking.check_history,
        show=looking.show_history,
    ),
    "orders": DeskCommand(
        words=("orders", "ordres", "options"),
        usage={"en": ("orders", f"orders {BATTLE}"), "fr": ("ordres", f"ordres {BATTLE}")},
        about_battle=LOOKED_UP,
        show=looking.show_orders,
    ),
    "why": DeskCommand(
        words=("why", "pourquoi"),
        usage={"en": ("why 120",), "fr": ("pourquoi 120",)},
        about_battle=LOOKED_UP,
        do=looking.check_why,
        show=looking.show_why,
    ),
    "standing": DeskCommand(
        words=("standing", "consignes", "consigne"),
        usage={"en": ("standing",), "fr": ("consignes",)},
        about_battle=LOOKED_UP,
        do=looking.check_standing,
        show=looking.show_standing,
    ),
    "preview": DeskCommand(
        words=("preview", "apercu"),
        usage={"en": ("preview",), "fr": ("aperçu",)},
        about_battle=LOOKED_UP,
        do=trying.check,
        show=trying.show_preview,
    ),
    "say": DeskCommand(
        words=("say", "dire", "dis"),
        usage={"en": ("say Well played!", "message"), "fr": ("dire Bien joué !", "message")},
        about_battle=NAMED,
        changes=ALWAYS,
        do=talk.say,
    ),
    "order": DeskCommand(
        usage={
            "en": ("draw", "offer draw", "accept draw", "resign"),
            "fr": ("nulle", "propose nulle", "accepte nulle", "abandonner"),
        },
        about_battle=NAMED,
        changes=ALWAYS,
        confirmed=True,
        do=battles.order,
        show=battles.show_order,
    ),
    "vacation": DeskCommand(
        words=("vacation", "vacances", "holiday", "holidays", "conges"),
        usage={
            "en": ("vacation", "vacation 2026-12-24 2027-01-02", "vacation until 2027-01-02", "vacation over"),
            "fr": ("vacances", "vacances 24/12/2026 02/01/2027", "vacances jusqu’au 02/01/2027", "vacances terminées"),
        },
        changes=WITH_WORDS,
        do=away.plan,
        show=away.show_absences,
    ),
    "pause": DeskCommand(
        words=("pause",),
        usage={"en": ("pause",), "fr": ("pause",)},
        about_battle=LOOKED_UP,
        changes=ALWAYS,
        do=away.pause,
    ),
    "resume": DeskCommand(
        words=("resume", "reprendre", "reprends"),
        usage={"en": ("resume",), "fr": ("reprendre",)},
        about_battle=LOOKED_UP,
        changes=ALWAYS,
        do=away.resume,
    ),
    "claim": DeskCommand(
        words=("claim", "reclamer", "reclame"),
        usage={"en": ("claim",), "fr": ("réclamer",)},
        about_battle=LOOKED_UP,
        changes=ALWAYS,
        do=away.claim,
        show=looking.show_board_now,
    ),
    "export": DeskCommand(
        words=("export", "exporter"),
        usage={"en": ("export",), "fr": ("exporter",)},
        about_battle=LOOKED_UP,
        show=looking.show_export,
    ),
    "proof": DeskCommand(
        words=("proof", "preuve", "heads", "head", "tetes"),
        usage={"en": ("proof",), "fr": ("preuve",)},
        about_battle=LOOKED_UP,
        show=looking.show_proof,
    ),
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
"""Every command by its name, in the order of the help."""
_NAMES: Mapping[str, str] = {word: name for name, command in COMMANDS.items() for word in command.words}
