"""The words of the orders, English and French (PRG-ORD-03), and what an id may be (PRG-ORD-01)."""

import re

from domain.basics.spelling import plain_word

ALIASES = {
    "vers": "to",
    "en": "to",
    "par": "via",
    "attaque": "attack",
    "tire": "shoot",
    "reste": "stay",
    "repare": "restore",
    "enleve": "remove",
    "passe": "pass",
    "armee": "army",
    "deploie": "deploy",
    "embuscade": "ambush",
    "leurre": "decoy",
    "fini": "done",
    "defie": "challenge",
    "personne": "none",
    "accepte": "accept",
    "recule": "retreat",
    "repli": "retreat",
    "fuit": "flee",
    "autorise": "allow",
    "poursuit": "pursue",
    "poursuite": "pursuit",
    "tiens": "hold",
    "oui": "yes",
    "non": "no",
    "avec": "with",
    "consigne": "standing",
    "acculee": "cornered",
    "maison": "home",
    "demande": "ask",
    "abandonne": "resign",
    "nulle": "draw",
}
"""French words, without accents, by the English word they stand for (PRG-ORD-03); words that are the same in both
languages (`double`, `general`, `refuse`, `propose`, `reaction`) need none."""

SYNONYMS = {
    "attack": "attacks charge charges assault attaquer attaquez charger chargez",
    "shoot": "shoots fire fires tirer tirez",
}
"""Other words that people use for an action. None of them is a word of an order, or begins one."""
ALIASES |= {other: word for word, others in SYNONYMS.items() for other in others.split()}

FRENCH = {
    "to": "vers",
    "via": "par",
    "attack": "attaque",
    "shoot": "tire",
    "stay": "reste",
    "restore": "répare",
    "remove": "enlève",
    "general": "général",
    "pass": "passe",
    "army": "armée",
    "deploy": "déploie",
    "ambush": "embuscade",
    "decoy": "leurre",
    "done": "fini",
    "challenge": "défie",
    "none": "personne",
    "accept": "accepte",
    "retreat": "recule",
    "flee": "fuit",
    "allow": "autorise",
    "pursue": "poursuit",
    "pursuit": "poursuite",
    "hold": "tiens",
    "yes": "oui",
    "no": "non",
    "with": "avec",
    "standing": "consigne",
    "reaction": "réaction",
    "cornered": "acculée",
    "home": "maison",
    "ask": "demande",
    "resign": "abandonne",
    "draw": "nulle",
}
"""How each English word is written in French."""

STANDING_RETREAT, FRENCH_STANDING_RETREAT = "retreat", "repli"
"""The one word with another form in standing orders."""

FIRST_WORDS = (
    *("double", "general", "pass", "army", "deploy", "ambush", "done", "standing", "resign"),
    *("offer", "accept", "decline", "refuse", "retreat", "flee", "stay", "propose"),
    *("allow", "pursue", "hold", "challenge"),
)
"""What an order may begin with, besides the id of a unit."""
ID = re.compile(r"[A-Z][A-Z0-9-]{0,19}")


def begins_an_order(name: str) -> bool:
    """Whether an id would be read as the first word of an order."""
    word = plain_word(name)
    return ALIASES.get(word, word) in FIRST_WORDS


def is_well_formed(name: str) -> bool:
    """Whether a name can be read as an id."""
    return ID.fullmatch(name) is not None
