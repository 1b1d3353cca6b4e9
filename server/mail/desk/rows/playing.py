"""Commands about a battle that is fought, and about its time."""

from collections.abc import Mapping

from server.mail.desk import away, battles, campaign_looks, looking, talk, trying
from server.mail.desk.command import ALWAYS, LOOKED_UP, NAMED, WITH_WORDS, DeskCommand
from server.mail.desk.vocabulary import ANCHOR, BATTLE

PLAYING: Mapping[str, DeskCommand] = {
    "book": DeskCommand(
        words=("book", "carnet"),
        usage={"en": (f"book {ANCHOR}",), "fr": (f"carnet {ANCHOR}",)},
        about_battle=LOOKED_UP,
        changes=ALWAYS,
        do=battles.another_book,
    ),
    "board": DeskCommand(
        words=("board", "plateau"),
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
        about_battle=NAMED,
        do=campaign_looks.ask_why,
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
}
