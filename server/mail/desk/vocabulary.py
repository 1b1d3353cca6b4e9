"""The words behind the commands of a mail, and of orders that stand among commands, in English and French.

Case, accents and punctuation do not matter. A word that also begins an order of a game (`join R2`, `accept draw`,
`standing evade …`) is a command only where it cannot be that order; `server.mail.desk.reading` ensures that.
"""

from domain.basics.seats import Seats
from server.mail.verdict import MailRequest
from server.spelling.words import folded

BATTLE = "abcdefgh"
"""Stands for the id of a battle in an example."""
ANCHOR = "34f877e1f9e1111bae0b1c7ea646d391"
"""The anchor of a book of seals, as an example."""
ORDER = "order"
"""The name of an order among commands."""

RESIGNS = ("resign", "concede", "abandonne", "abandonner")
DRAWS = ("draw", "nulle")
OFFERS = ("offer", "propose", "proposer")
ACCEPTS = ("accept", "accepter", "accepte")
DECLINES = ("decline", "refuse", "refuser")
"""Orders that every game has and that may stand among commands."""

STANDING = ("standing", "consigne")
"""With more words behind them: an order, which stands among commands, too."""

HELP_IN_FRENCH = "aide"
FRENCH = "fr"
"""Follows the topics of `aide`."""

END = ("end", "fin")
PHRASE = ("phrase",)
SEAL = ("seal", "sceau")
SEALED = ("sealed", "scelle", "scellee")
TAG = ("tag", "etiquette")
"""Its word follows: by it a list is narrowed."""
TURN = ("turn", "tour")
AS = ("as", "comme", "en")
"""A side follows."""
RESERVE = ("reserve",)
ARMY = ("army", "armee")
"""Below `enter`: the army with which somebody enters."""
FOR = ("for", "pour")
SAME = ("same", "memes", "meme")
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
    "campaigns": "campaigns",
    "campaign": "campaigns",
    "campagnes": "campaigns",
    "campagne": "campaigns",
    "club": "campaigns",
    "clubs": "campaigns",
    "privacy": "privacy",
    "secrets": "privacy",
    "confidentialite": "privacy",
}


def is_standing(request: MailRequest) -> bool:
    """Whether an order among commands is a standing one."""
    return request.name == ORDER and folded(request.args[-1].strip().partition(" ")[0]) in STANDING


def side_named(word: str, seats: Seats) -> str:
    """The side of a game that a folded word names, in English or French; "" if it names none."""
    side = SIDE_WORDS.get(word, word)
    return side if side in seats else ""
