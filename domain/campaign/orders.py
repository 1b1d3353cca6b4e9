"""The order lines of campaigns: what each verb takes, and its words in English and French.

`FORMS` is read from both sides: `domain.campaign.notation` reads lines by it and writes them.

Shape:  capitals name a part of the order (`CampaignOrder`), small letters are words of the line, brackets hold what may
        be left out
"""

from collections.abc import Mapping

from domain.basics.commands import Command
from domain.basics.spelling import plain_word

ALL, BOTH, DRAW = "all", "both", "draw"


class CampaignOrder(Command, frozen=True, gc=False, omit_defaults=True, tag="campaign"):
    """A line of a campaign: its verb, and what it names. `player` is not written: whom `name` means on this host.

    Shape: `fates` pairs of a fate and the elements that met it, each `FORCE:ID` or `ID`; `kept` of south, then north
    """

    verb: str = ""
    entrant: str = ""
    other: str = ""
    name: str = ""
    first: str = ""
    second: str = ""
    board: str = ""
    force: str = ""
    group: str = ""
    troop: str = ""
    quality: str = ""
    id: str = ""
    ids: tuple[str, ...] = ()
    area: str = ""
    onward: str = ""
    round: int = 0
    days: int = 0
    points: int = 0
    event: int = 0
    loser: str = ""
    winner: str = ""
    kept: tuple[int, ...] = ()
    fates: tuple[tuple[str, tuple[str, ...]], ...] = ()
    scenario: str = ""
    doing: str = ""
    to: str = ""
    text: str = ""
    because: str = ""
    player: str = ""


FORMS: Mapping[str, str] = {
    "ready": "",
    "wait": "",
    "withdraw": "",
    "take": "ENTRANT",
    "send": "NAME to BOARD",
    "absent": "ROUND",
    "recruit": "FORCE GROUP TROOP [QUALITY] as ID",
    "dismiss": "FORCE ID",
    "rest": "FORCE IDS",
    "field": "FORCE IDS",
    "ransom": "FORCE ID",
    "march": "FORCE AREA [ONWARD]",
    "hold": "FORCE",
    "avoid": "FORCE AREA",
    "storm": "FORCE",
    "begin": "[BECAUSE]",
    "extend": "ROUND DAYS [BECAUSE]",
    "pair": "BOARD ENTRANT OTHER [BECAUSE]",
    "default": "BOARD LOSER [BECAUSE]",
    "void": "BOARD [BECAUSE]",
    "result": "BOARD WINNER [BECAUSE]",
    "replace": "ENTRANT by NAME [BECAUSE]",
    "expel": "ENTRANT [BECAUSE]",
    "penalty": "ENTRANT POINTS [BECAUSE]",
    "open": "EVENT [BECAUSE]",
    "rewind": "EVENT [BECAUSE]",
    "end": "[BECAUSE]",
    "seat": "FIRST SECOND SCENARIO",
    "bulletin": "DOING",
    "season": "next",
    "challenge": "FIRST [SCENARIO]",
    "accept": "FIRST",
    "decline": "FIRST",
    "table": "BOARD WINNER kept KEPT [FATES]",
    "say": "TO TEXT",
}
"""The verbs, and what stands behind each."""
ARMY = frozenset({"recruit", "dismiss", "rest", "field", "ransom"})
MAP = frozenset({"march", "hold", "avoid", "storm"})
SEASON = "season"
CLUB = frozenset({"seat", "bulletin", SEASON})
CHALLENGE, ACCEPT, DECLINE = "challenge", "accept", "decline"
LADDER_LINES = frozenset({CHALLENGE, ACCEPT, DECLINE})
"""Lines of the members of a ladder, about each other."""
UMPIRE = frozenset({"extend", "pair", "default", "void", "result", "replace", "expel", "penalty", "open", "rewind"})
"""Lines of the umpire alone; `end` is the organiser's, too."""
QUALITIES = ("raw", "standard", "veteran")
FATES = ("lost", "worn", "dead", "hurt")
FRENCH: Mapping[str, str] = {
    "ready": "prêt",
    "wait": "attends",
    "withdraw": "renonce",
    "take": "prends",
    "send": "envoie",
    "to": "sur",
    "recruit": "recrute",
    "as": "comme",
    "raw": "levée",
    "veteran": "vétéran",
    "dismiss": "licencie",
    "rest": "repose",
    "field": "engage",
    "ransom": "rançonne",
    "march": "marche",
    "hold": "tiens",
    "avoid": "évite",
    "storm": "assaut",
    "begin": "commence",
    "extend": "prolonge",
    "pair": "apparie",
    "default": "forfait",
    BOTH: "deux",
    "void": "annule",
    "result": "résultat",
    DRAW: "nulle",
    "replace": "remplace",
    "by": "par",
    "expel": "exclus",
    "penalty": "pénalité",
    "open": "ouvre",
    "rewind": "reviens",
    "end": "termine",
    "because": "parce que",
    "seat": "place",
    "season": "saison",
    "next": "suivante",
    "challenge": "défie",
    "accept": "accepte",
    "decline": "décline",
    "kept": "gardé",
    "lost": "perdu",
    "worn": "usé",
    "dead": "mort",
    "hurt": "blessé",
    "say": "dis",
    ALL: "tous",
}
"""Words that French has its own for (CAM-ORD-01)."""
FRENCH_DOING: Mapping[str, str] = {"hold": "retiens", "send": "envoie"}
"""What a bulletin is told."""
OFFICES = frozenset({"server", "organiser", "umpire", "nobody"})
NO_NAMES = OFFICES | {ALL, BOTH, DRAW} | {plain_word(FRENCH[word]) for word in (ALL, BOTH, DRAW)}
"""What no entrant may be called: it means something else in a line, or as an author of events (CAM-LOG-01)."""


def aliases() -> dict[str, str]:
    """The French words to the English ones, without accents; of `parce que` the first."""
    french = {plain_word(word.split()[0]): english for english, word in FRENCH.items()}
    return {**french, "retiens": "hold"}
