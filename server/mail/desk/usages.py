"""An example of each command; a test reads every line."""

from collections.abc import Mapping

BATTLE = "abcdefgh"
"""Stands for the id of a battle."""

USAGES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "en": {
        "help": ("help", "help orders"),
        "list": ("list",),
        "battles": ("battles",),
        "open": ("open skirmish", "open cannae north steady", "open skirmish south bot strong"),
        "join": (f"join {BATTLE}", f"join {BATTLE} north"),
        "accept": ("accept", "accept phrase words that nobody can guess"),
        "board": ("board", "board 120", f"board {BATTLE} 120"),
        "history": ("history", "history 120", "history turn", "history turn 3"),
        "orders": ("orders",),
        "why": ("why 120",),
        "standing": ("standing",),
        "preview": ("preview",),
        "say": ("say Well played!", "message"),
        "order": ("draw", "offer draw", "accept draw", "resign"),
        "vacation": ("vacation", "vacation 2026-12-24 2027-01-02", "vacation until 2027-01-02", "vacation over"),
        "pause": ("pause",),
        "resume": ("resume",),
        "claim": ("claim",),
        "export": ("export",),
        "proof": ("proof",),
        "settings": ("settings",),
        "letters": ("letters instant", "letters digest", "letters urgent", "letters none"),
        "quiet": ("quiet 22-8", "quiet off"),
        "language": ("language fr", "language en"),
        "zone": ("zone Europe/Paris", "zone London"),
        "picture": ("picture on", "picture off"),
        "address": ("address me@example.org",),
        "stop": ("stop",),
        "start": ("start",),
    },
    "fr": {
        "help": ("aide", "aide ordres"),
        "list": ("liste",),
        "battles": ("batailles",),
        "open": ("ouvrir skirmish", "ouvrir cannae nord steady", "ouvrir skirmish sud bot fort"),
        "join": (f"rejoindre {BATTLE}", f"rejoindre {BATTLE} nord"),
        "accept": ("accepter", "accepter phrase des mots que nul ne devine"),
        "board": ("plateau", "plateau 120", f"plateau {BATTLE} 120"),
        "history": ("historique", "historique 120", "historique tour", "historique tour 3"),
        "orders": ("ordres",),
        "why": ("pourquoi 120",),
        "standing": ("consignes",),
        "preview": ("aperçu",),
        "say": ("dire Bien joué !", "message"),
        "order": ("nulle", "propose nulle", "accepte nulle", "abandonner"),
        "vacation": (
            "vacances",
            "vacances 24/12/2026 02/01/2027",
            "vacances jusqu'au 02/01/2027",
            "vacances terminées",
        ),
        "pause": ("pause",),
        "resume": ("reprendre",),
        "claim": ("réclamer",),
        "export": ("exporter",),
        "proof": ("preuve",),
        "settings": ("réglages",),
        "letters": ("lettres instant", "lettres résumé", "lettres urgentes", "lettres aucune"),
        "quiet": ("calme 22-8", "calme non"),
        "language": ("langue fr", "langue en"),
        "zone": ("fuseau Europe/Paris", "fuseau London"),
        "picture": ("image oui", "image non"),
        "address": ("adresse moi@example.org",),
        "stop": ("arrêter",),
        "start": ("démarrer",),
    },
}
"""By language and command, in the order of the help."""

FIRST_ORDERS: Mapping[str, tuple[str, ...]] = {
    "en": ("phrase nine grey geese over the river", "R1 ahead", "R2 ahead", "end turn"),
    "fr": ("phrase neuf oies grises sur la rivière", "R1 avance", "R2 avance", "fin du tour"),
}
"""The orders of a whole mail, as an example."""

SCRIPTS: Mapping[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "en": (
        ("repeat", ("repeat R1 ahead until it fails or needs more than 7",)),
        ("rounds", ("repeat 3 times R1 ahead",)),
        ("try", ("try R2 rally",)),
        ("stop", ("R1 charge E5", "stop after a 7 or more", "R2 charge D5")),
        ("else", ("R1 charge E5", "if it fails: R2 shoot E5", "else: R2 ahead")),
        ("block", ("if R1 ahead needs at most 6", "R1 ahead", "R2 ahead", "else", "end turn", "end if")),
        ("on", ("on replay: yes if needs at most 6, no",)),
    ),
    "fr": (
        ("repeat", ("répète R1 avance jusqu'à ce qu'il échoue ou besoin plus de 7",)),
        ("rounds", ("répète 3 fois R1 avance",)),
        ("try", ("essaie R2 rallie",)),
        ("stop", ("R1 charge E5", "arrête après un 7 ou plus", "R2 charge D5")),
        ("else", ("R1 charge E5", "s'il échoue: R2 tire E5", "sinon: R2 avance")),
        ("block", ("si R1 avance besoin au plus 6", "R1 avance", "R2 avance", "sinon", "fin du tour", "fin si")),
        ("on", ("pour rejoue: oui si besoin au plus 6, non",)),
    ),
}
"""Lines of scripts, each with the name of what is said of it."""

STANDING: Mapping[str, tuple[tuple[str, str], ...]] = {
    "en": (
        ("evade", "standing evade R7 heavier"),
        ("condition", "standing evade R7 always if charged by mounted"),
        ("replay", "standing replay always if needs at most 6"),
        ("never", "standing evade R5 never"),
        ("ask", "standing evade R7 ask"),
    ),
    "fr": (
        ("evade", "consigne esquive R7 plus-lourd"),
        ("condition", "consigne esquive R7 toujours si chargée par montés"),
        ("replay", "consigne rejoue toujours si exige au plus 6"),
        ("never", "consigne esquive R5 jamais"),
        ("ask", "consigne esquive R7 demande"),
    ),
}
"""Standing orders, each with the name of what is said of it."""
