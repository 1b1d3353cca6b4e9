"""Commands that find, open and join battles, and give them up before they begin."""

from collections.abc import Mapping

from server.mail.desk import battles, inviting, looking, opening, withdrawing
from server.mail.desk.command import ALWAYS, NAMED, WITH_WORDS, DeskCommand
from server.mail.desk.vocabulary import ANCHOR, BATTLE

BEGINNING: Mapping[str, DeskCommand] = {
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
}
