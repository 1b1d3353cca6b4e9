"""The words of the game: steps, orders in English and French, and what no id may be called (STP-ORD-01, -08)."""

from collections.abc import Mapping

from domain.basics.spelling import plain_word

CODE = "stp"
PREFIX = "stp"
"""What the ids of this game's sentences and refusals begin with."""

PERIODS = ("ww1", "acw", "awi", "emp", "gsc", "alg", "f70")
STATUSES = ("elite", "veteran", "line", "reserve", "militia")
QUALITIES = ("lamentable", "bad", "normal", "good", "excellent")
"""Of generals, the worst first (STP-CMD-05)."""
FORMATIONS = (
    "battle",
    "column",
    "line",
    "square",
    "closed-column",
    "march",
    "skirmish",
    "extended",
    "mounted",
    "dismounted",
)

# --- stages and steps (STP-SEQ-01, -03)

DEPLOYMENT, TURNS = "deployment", "turns"
ORDERS, ACTIVATION, CHARGES, FORMING, MOVES, GENERALS, FIRE, MELEE = (
    "orders",
    "activation",
    "charges",
    "formations",
    "moves",
    "generals",
    "fire",
    "melee",
)
ALL_STEPS = (ORDERS, ACTIVATION, CHARGES, FORMING, MOVES, GENERALS, FIRE, MELEE)
"""In the order in which they come. `activation` and `melee` wait for no order."""
ADVANCE, HOLD, RETREAT = "advance", "hold", "retreat"
LEFT, RIGHT = "left", "right"
ASK = "ask"

TRAITS = frozenset(
    (
        *("fat", "skeleton", "experienced", "inexperienced", "high-rate"),
        *("heavy", "extra-heavy", "heavy-fat", "extra-heavy-fat", "fat-gun", "regimental", "double", "emplaced"),
        *("dense", "british", "russian", "prussian", "imperial", "republican"),
        *("lancer", "pikes", "poor", "large", "second-line", "attack-column-only"),
        *("impetus", "impetuous", "hidden"),
    )
)
"""What a scenario may add to a unit. Bombardment guns with `emplaced` may fire at once (STP-WW1-08)."""

# --- the words of orders

FRENCH: Mapping[str, str] = {
    "order": "ordre",
    "advance": "avancer",
    "hold": "tenir",
    "face": "face",
    "move": "avance",
    "left": "gauche",
    "right": "droite",
    "about": "demi-tour",
    "at": "sur",
    "to": "vers",
    "from": "de",
    "in": "en",
    "back": "recule",
    "beside": "accolé",
    "prolong": "prolonge",
    "charge": "charge",
    "all-out": "à-fond",
    "rash": "téméraire",
    "break": "rompt",
    "occupy": "occupe",
    "form": "forme",
    "fire": "tire",
    "indirect": "indirect",
    "engage": "engage",
    "group": "groupe",
    "wheel": "pivote",
    "general": "général",
    "with": "avec",
    "alone": "seul",
    "strafe": "mitraille",
    "evade": "esquive",
    "yes": "oui",
    "no": "non",
    "pursue": "poursuit",
    "place": "place",
    "full": "tout",
    "reroll": "relance",
    "resolve": "résout",
    "event": "événement",
    "done": "fini",
    "end": "fin",
    "turn": "tour",
    "standing": "consigne",
    "usual": "habituel",
    "always": "toujours",
    "never": "jamais",
    "ask": "demande",
    "close": "dense",
    "nearest": "plus-proche",
    "all": "tous",
    "fire-order": "ordre-tir",
    "declared": "déclaré",
    "orders": "ordres",
    "keep": "garde",
    "detach": "détache",
    "deploy": "déploie",
    "resign": "abandonne",
    "offer": "propose",
    "accept": "accepte",
    "decline": "refuse",
    "draw": "nulle",
    "battle": "bataille",
    "column": "colonne",
    "line": "ligne",
    "square": "carré",
    "closed-column": "colonne-serrée",
    "march": "marche",
    "skirmish": "tirailleurs",
    "extended": "étendue",
    "mounted": "monté",
    "dismounted": "démonté",
    "contact": "contact",
    "short": "courte",
    "long": "longue",
    "max": "maximale",
    "behind": "derrière",
    "into": "dans",
    "join": "rejoins",
}
"""English words and the French ones (STP-ORD-08, and the single words of STP-ORD-10)."""
ALIASES: Mapping[str, str] = {plain_word(french): english for english, french in FRENCH.items()} | {
    "retient": "hold",
    "tourne": "turn",
    "vers": "to",
    "devant": "ahead",
    "le": "along",
    "au": "to",
    "portee": "range",
    "hauteur": "level",
}
"""French words without accents, in lower case, and the English ones. Others of STP-ORD-10 are read where they stand."""
SYNONYMS = {
    "fire": "fires shoot shoots tirer tirez",
    "charge": "charges attack attacks assault attaque attaquer charger chargez",
    "hold": "holds",
}
"""Other words that people use for an action. None of them is a word of an order, or begins one; an id may be
called so."""
READ_AS: Mapping[str, str] = {
    **ALIASES,
    **{other: word for word, others in SYNONYMS.items() for other in others.split()},
}
"""All words that are read as another one."""
OTHER_WORDS = (
    *("ahead", "towards", "along", "level", "of"),
    *("du", "de", "au", "portee", "le", "devant", "toi", "hauteur"),
)
KEYWORDS = frozenset(
    word.upper() for word in (*FRENCH, *map(plain_word, FRENCH.values()), *ALIASES, *OTHER_WORDS) if len(word) > 1
)
"""What no id may be called: a keyword of either language (STP-ORD-01)."""
