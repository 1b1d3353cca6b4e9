"""The words of mail commands, in English and French.

Case, accents and punctuation do not matter. A word that also begins an order of a game (`join R2`, `accept draw`,
`standing evade …`) is a command only where it cannot be that order; `server.mail.desk.reading` sees to it.
"""

from collections.abc import Mapping

from domain.mechanics.notation import plain_word

WORDS: Mapping[str, tuple[str, ...]] = {
    "help": ("help", "aide", "info", "?"),
    "list": ("list", "liste", "lister"),
    "battles": ("battles", "batailles"),
    "open": ("open", "ouvrir", "ouvre"),
    "join": ("join", "rejoindre", "rejoint", "rejoins"),
    "accept": ("accept", "accepter", "accepte"),
    "history": ("history", "historique", "log", "journal"),
    "board": ("board", "plateau", "map", "carte"),
    "orders": ("orders", "ordres", "options"),
    "why": ("why", "pourquoi"),
    "standing": ("standing", "consignes", "consigne"),
    "vacation": ("vacation", "vacances", "holiday", "holidays", "conges"),
    "pause": ("pause",),
    "resume": ("resume", "reprendre", "reprends"),
    "claim": ("claim", "reclamer", "reclame"),
    "letters": ("letters", "lettres", "courrier"),
    "quiet": ("quiet", "calme"),
    "language": ("language", "langue"),
    "zone": ("zone", "timezone", "fuseau"),
    "picture": ("picture", "image"),
    "settings": ("settings", "reglages"),
    "address": ("address", "adresse"),
    "say": ("say", "dire", "dis"),
    "message": ("message",),
    "preview": ("preview", "apercu"),
    "export": ("export", "exporter"),
    "proof": ("proof", "preuve", "heads", "head", "tetes"),
    "stop": ("stop", "arreter", "unsubscribe", "desabonner"),
    "start": ("start", "demarrer", "subscribe", "abonner"),
}
"""The words of each command, its own name first; `plain_word` has been through all of them."""
NAMES: Mapping[str, str] = {word: name for name, words in WORDS.items() for word in words}

RESIGNS = ("resign", "concede", "abandonne", "abandonner")
DRAWS = ("draw", "nulle")
OFFERS = ("offer", "propose", "proposer")
ACCEPTS = ("accept", "accepter", "accepte")
DECLINES = ("decline", "refuse", "refuser")
"""Orders that every game has and that may stand among commands."""

HELP_IN_FRENCH = "aide"
FRENCH = "fr"
"""Stands behind the topics of `aide`."""

END = ("end", "fin")
PHRASE = ("phrase",)
SEAL = ("seal", "sceau")
TURN = ("turn", "tour")
ON = ("on", "yes", "oui", "avec")
OFF = ("off", "no", "non", "sans", "none", "aucune")
OVER = ("over", "end", "finies", "fini", "terminees", "fin")
SIDE_WORDS = {"south": "south", "sud": "south", "north": "north", "nord": "north"}
READER_WORDS = {
    "public": "public",
    "publique": "public",
    "link": "link",
    "lien": "link",
    "private": "players",
    "privee": "players",
    "players": "players",
}
BOT_WORDS = ("bot", "robot")
STRENGTH_WORDS = {
    "easy": "easy",
    "facile": "easy",
    "sensible": "sensible",
    "raisonnable": "sensible",
    "strong": "strong",
    "fort": "strong",
    "random": "random",
    "hasard": "random",
}
DELIVERY_WORDS = {
    "instant": "instant",
    "aussitot": "instant",
    "digest": "digest",
    "resume": "digest",
    "urgent": "urgent",
    "urgentes": "urgent",
    "none": "none",
    "aucune": "none",
}
LANGUAGE_WORDS = {
    "en": "en",
    "english": "en",
    "anglais": "en",
    "fr": "fr",
    "french": "fr",
    "francais": "fr",
    "francaise": "fr",
}
TOPIC_WORDS = {
    "commands": "commands",
    "commandes": "commands",
    "orders": "orders",
    "ordres": "orders",
    "scripts": "scripts",
    "script": "scripts",
    "standing": "standing",
    "consignes": "standing",
    "consigne": "standing",
    "time": "time",
    "temps": "time",
    "privacy": "privacy",
    "secrets": "privacy",
    "confidentialite": "privacy",
}


def folded(word: str) -> str:
    """A word without case, accents and the punctuation around it."""
    return plain_word(word.strip(".,;:!\"'«»()")) or word


def command_of(word: str) -> str:
    """The command that a word names, or ""."""
    return NAMES.get(folded(word), "")
