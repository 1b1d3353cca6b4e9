"""The words of orders, English and French (TTS-ORD-03), and those that begin an order (TTS-ORD-01)."""

import re

from domain.basics.spelling import plain_word
from domain.games.to_the_strongest.state.ground import PIECES
from domain.games.to_the_strongest.state.roster import PROFILES
from domain.games.to_the_strongest.state.stratagems import STRATAGEMS

FRENCH = {
    "corps": "corps",
    "to": "vers",
    "facing": "face",
    "by": "par",
    "via": "par",
    "ahead": "avance",
    "ahead-left": "avance-gauche",
    "ahead-right": "avance-droite",
    "left": "gauche",
    "right": "droite",
    "back": "recule",
    "about": "demi-tour",
    "then": "puis",
    "charge": "charge",
    "halt": "halte",
    "shoot": "tire",
    "turn": "pivote",
    "swap": "échange",
    "rally": "rallie",
    "replenish": "ravitaille",
    "ammo": "munitions",
    "lance": "lance",
    "pilum": "pilum",
    "form": "forme",
    "normal": "normal",
    "shieldwall": "mur-de-boucliers",
    "tortoise": "tortue",
    "dismounted": "démonté",
    "march": "marche",
    "pass": "traverse",
    "leave": "quitte",
    "return": "revient",
    "group": "groupe",
    "general": "général",
    "with": "avec",
    "alone": "seul",
    "evade": "esquive",
    "replay": "rejoue",
    "yes": "oui",
    "no": "non",
    "join": "rejoint",
    "shift": "décale",
    "done": "fini",
    "end": "fin",
    "deploy": "déploie",
    "camp": "camp",
    "fortified": "fortifié",
    "place": "place",
    "play": "joue",
    "standing": "consigne",
    "always": "toujours",
    "never": "jamais",
    "heavier": "plus-lourd",
    "ask": "demande",
    "all": "tous",
    "if": "si",
    "unless": "sauf",
    "else": "sinon",
    "and": "et",
    "or": "ou",
    "not": "pas",
    "needs": "exige",
    "odds": "chances",
    "at": "au",
    "most": "plus",
    "least": "moins",
    "charged": "chargée",
    "mounted": "montés",
    "foot": "fantassins",
    "light": "légers",
    "disordered": "désordonnée",
    "activation": "activation",
    "hit": "touche",
    "replayed": "rejoués",
    "resign": "abandonne",
    "offer": "propose",
    "accept": "accepte",
    "decline": "refuse",
    "draw": "nulle",
    "w": "O",
    "open": "ouvert",
    "none": "rien",
}
"""English keywords and their French ones (TTS-ORD-03)."""

STRATAGEM_NAMES = {row.key: row.name_fr for row in STRATAGEMS.values()}
TYPES = {key: "-".join(re.findall(r"\w+", profile.name_fr.casefold())) for key, profile in PROFILES.items()}
"""Troop types, whose French names are written in one word: `guerriers-en-bande-profonde`."""

FRENCH_NAMES: tuple[dict[str, str], ...] = (TYPES, FRENCH, PIECES, STRATAGEM_NAMES)
ALIASES = {plain_word(french): english for table in FRENCH_NAMES for english, french in table.items()}
ALIASES |= {"en": "to", "toutes": "all"}
SYNONYMS = {
    "ahead": "forward forwards fwd onward onwards straight advance advances avancer avancez avant",
    "back": "backward backwards reculer reculez",
    "charge": "charges attack attacks assault attaque attaquer charger chargez",
    "shoot": "shoots fire fires tirer tirez",
    "turn": "turns pivot pivots pivoter tourne tourner",
    "rally": "rallies rallier",
    "swap": "swaps",
    "march": "marches marcher",
}
"""Other words that people use for an action. None of them begins an order, so a unit may be called by any of them."""
ALIASES |= {other: word for word, others in SYNONYMS.items() for other in others.split()}
"""French words as they are read, without accents, and the English ones they stand for; and other words for actions."""

FIRST_WORDS = frozenset(
    {
        *("corps", "group", "general", "evade", "replay", "join", "shift", "done", "end", "deploy", "place", "play"),
        *("standing", "resign", "offer", "accept", "decline"),
    }
)
"""Words that begin an order, so that a unit id must not be one of them, in either language."""
