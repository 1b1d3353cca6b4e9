"""The types of events, their members and what may be sealed (docs/record-format.md 1 and 5)."""

import re
from typing import Any

from .file import Line
from .lines import Wrong

NAME = re.compile("([A-Z][A-Za-z0-9]{0,63})(?:@[1-9][0-9]{0,3})?")
ONLY_WHERE_TOLD = ("face", "opens", "sealed", "set_by", "shown")
SIGNED = "seen? serial? signature?"
TYPES = {
    "BattleOpened": "ruleset commitment? keys? readers? pace? takebacks? disputes_days? tags? campaign?"
    " unsigned_umpire? given? scenario_hash? branch? position?",
    "SideJoined": f"side name player? kind? mode? anchor? operator? signer? program? {SIGNED}",
    "SideLeft": f"side reason {SIGNED}",
    "BattleBegan": "",
    "ContributionGiven": f"side t kind value phrase? channel? {SIGNED}",
    "OrderAccepted": f"side t line player channel key text? command? bot? sealed? {SIGNED}",
    "ClockFired": f"what side text? {SIGNED}",
    "RulesChanged": "from to",
    "BattleStopped": "how reason?",
    "KeyChanged": "key signature",
    "Unsealed": "n salt content",
    "KeyDisclosed": "index key",
    "KeysContinued": "generation anchors",
    "MasterRevealed": "master",
    "DeckShuffled": "deck epoch size",
    "CardDrawn": "deck epoch index purpose unit scope t remaining card? discard? sealed?",
    "DieRolled": "scope t index sides value purpose unit face?",
    "PhaseBegan": "phase",
    "TurnBegan": "side turn",
    "TurnEnded": "side turn",
    "DecisionAsked": "side kind unit options pending?",
    "DecisionMade": "side kind unit answer standing set_by?",
    "DecisionWithdrawn": "side kind unit",
    "StandingOrderSet": "side topic unit? value? sealed?",
    "SideResigned": "side",
    "DrawOffered": "side",
    "DrawAccepted": "side",
    "DrawDeclined": "side",
    "DrawLapsed": "side",
    "BattleEnded": "winner how shares?",
    "DisputeRaised": "docket side about remedy? text? kind?",
    "DisputeAnswered": "docket by? text? halt?",
    "UmpireProposed": "side player signer?",
    "UmpireNamed": "player name how signer?",
    "SubstituteAgreed": "side player name? seat? silent?",
    "RemedyOffered": "docket side remedy text?",
    "DisputeSettled": "docket how",
    "RulingGiven": "docket ruling effect",
    "FlagRuled": "side effect ruling?",
    "Rewound": "to docket?",
    "Corrected": "docket facts",
}
INTEGERS = "t line serial n index generation epoch remaining size sides face turn about set_by disputes_days discard"
TRUTHS = ("standing", "halt", "operator", "program", "silent", "unsigned_umpire")
BRANCH = {"battle": str, "host": str, "n": int, "head": str, "known": str}
SEALED_TOO = {"tts": ("BattleOpened",), "singidunum": ("BattleOpened",)}

Row = tuple[str, str]
"""The members that are sealed together, and when."""
ROWS: dict[str, list[Row]] = {
    "OrderAccepted": [("text command signature", "")],
    "StandingOrderSet": [("unit value", "")],
}
ROWS_OF: dict[str, dict[str, list[Row]]] = {
    "tts": {
        "BattleOpened": [("stratagems", "")],
        "StratagemDrawn": [("cards", "")],
        "CardDrawn": [("card", "deck")],
        "StratagemPlayed": [("stratagem args card", "play"), ("shown", "oracle")],
        "UnitDeployed": [("unit box facing place", "blind")],
        "GeneralDeployed": [("general box unit", "blind")],
        "CampPlaced": [("corps box fortified boxes", "blind")],
        "CorpsDeployed": [("corps", "blind")],
    },
    "singidunum": {
        "BattleOpened": [("ambushes", "")],
        "ArmyComposed": [("units cost", "")],
        "UnitDeployed": [("unit hex", "")],
        "AmbushPlaced": [("unit", "")],
    },
    "warmaster-shooting": {},
}
NEVER = "SideJoined SideLeft BattleBegan ContributionGiven ClockFired RulesChanged BattleStopped KeyChanged Unsealed"
NEVER_SEALED = frozenset(
    f"{NEVER} KeyDisclosed KeysContinued MasterRevealed DieRolled TurnBegan TurnEnded BattleEnded".split()
)


KNOWN = {"tts": "1.1", "singidunum": "1.1", "warmaster-shooting": "1.1"}
"""The rules whose own events the page tells of."""
OPENING = {
    "tts": ("StratagemPlayed", "StratagemTriggered"),
    "singidunum": ("AmbushRevealed", "DeploymentRevealed"),
}


def _own_strays(game: str, kind: str) -> list[str]:
    """What an event of the game itself cannot have of the members that are never unknown."""
    own = {"sealed"} if kind in ROWS_OF[game] else set[str]()
    own |= {"opens"} if kind in OPENING.get(game, ()) else set()
    own |= {"shown"} if (game, kind) == ("tts", "StratagemPlayed") else set()
    return [name for name in ONLY_WHERE_TOLD if name not in own]


def require_shapes(events: list[Line], game: str, rules: str) -> None:
    """Check the type of each event, and those of its members."""
    for line in events:
        if line.type not in TYPES:
            found = NAME.fullmatch(line.type)
            if found is None or found[1] in TYPES or line.type == "NonceDisclosed":
                raise Wrong(line.n, "unknown-type")
            if KNOWN.get(game) == rules:
                _require_no(line, _own_strays(game, line.type))
            continue
        members = {one.rstrip("?"): one.endswith("?") for one in TYPES[line.type].split()}
        for name, may_miss in members.items():
            if name not in line.own:
                if not may_miss:
                    raise Wrong(line.n, "wrong-data")
            elif not _fits(line.type, name, line.own[name]):
                raise Wrong(line.n, "wrong-data")
        also = {"opens"} if line.type == "PhaseBegan" and game == "tts" else set()
        if line.type in SEALED_TOO.get(game, ()):
            also.add("sealed")
        if line.type == "RulesChanged":
            rules = line.own["to"]
        _require_no(line, [name for name in ONLY_WHERE_TOLD if name not in {*members, *also}])


def _require_no(line: Line, names: list[str]) -> None:
    stray = next((name for name in names if name in line.own), "")
    if stray:
        raise Wrong(line.n, "may-not-be-sealed" if stray == "sealed" else "wrong-data")


def _fits(kind: str, name: str, value: Any) -> bool:
    """Whether a member has its type."""
    if name in INTEGERS.split() or (name, kind) in (("value", "DieRolled"), ("to", "Rewound")):
        return type(value) is int
    if name in TRUTHS:
        return isinstance(value, bool)
    if name in ("command", "content"):
        return isinstance(value, dict)
    if name in ("options", "tags"):
        return isinstance(value, list) and all(isinstance(one, str) for one in value)
    if name in ("pending", "facts"):
        return isinstance(value, list) and all(_is_pair(one) for one in value)
    match name:
        case "anchors":
            return _are(value, str)
        case "given":
            return _are(value, int)
        case "keys":
            return isinstance(value, dict) and _are(value.get("anchors"), str) and type(value.get("length")) is int
        case "seen":
            return isinstance(value, dict) and isinstance(value.get("hash"), str) and type(value.get("n")) is int
        case "shares":
            return isinstance(value, dict) and all(_is_share(one) for one in value.values())
        case "branch":
            return isinstance(value, dict) and _has(value, BRANCH)
        case "campaign":
            return isinstance(value, dict) and _has(value, {"board": str, "id": str})
        case "position":
            return _is_position(value)
    return isinstance(value, str)


def _are(value: Any, kind: type) -> bool:
    return isinstance(value, dict) and all(type(one) is kind for one in value.values())


def _has(value: dict[str, Any], members: dict[str, type]) -> bool:
    return set(value) == set(members) and all(type(value[name]) is kind for name, kind in members.items())


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], dict)


def _is_share(value: Any) -> bool:
    return isinstance(value, list) and [type(one) for one in value] == [int, int]


def _is_position(value: Any) -> bool:
    members = {"rules": str, "t": int, "mover": str, "decks": dict, "state": dict}
    if not isinstance(value, dict) or not _has(value, members):
        return False
    return all(isinstance(deck, dict) and _is_deck(deck) for deck in value["decks"].values())


def _is_deck(deck: dict[str, Any]) -> bool:
    lists = deck.get("cards"), deck.get("kept", [])
    texts = all(isinstance(one, list) and all(isinstance(card, str) for card in one) for one in lists)
    return texts and type(deck.get("epoch")) is int and type(deck.get("drawn")) is int and len(deck) in (3, 4)


# --- what may be sealed


class Sealing:
    """The table of what may be sealed, for one battle."""

    def __init__(self, game: str, opening: dict[str, Any]) -> None:
        self.rows = None if game not in ROWS_OF else {**ROWS, **ROWS_OF[game]}
        options = opening.get("options")
        self.is_blind = isinstance(options, dict) and options.get("blind_deployment") is True

    def allows(self, line: Line, t: int, content: dict[str, Any] | None = None) -> bool:
        """Whether an event may seal something, or just this content."""
        if line.type in NEVER_SEALED:
            return False
        if self.rows is None and line.type not in ROWS:
            return True
        rows = (self.rows or ROWS).get(line.type, [])
        return any(self._fits(line, t, row.split(), when, content) for row, when in rows)

    def hides(self, line: Line, t: int, name: str) -> bool:
        """Whether it is this member that a sealed event hides."""
        rows = (self.rows or ROWS).get(line.type, [])
        return any(name in row.split() and self._fits(line, t, row.split(), when, None) for row, when in rows)

    def _fits(self, line: Line, t: int, row: list[str], when: str, content: dict[str, Any] | None) -> bool:
        if any(name in line.own for name in row):
            return False
        if content is not None:
            needed = {"OrderAccepted": {"text", "command"}, "StandingOrderSet": {"unit", "value"}}.get(line.type, set())
            if when == "play":
                needed = {"stratagem"}
            if not content or not needed <= set(content) <= set(row):
                return False
        is_blind = self.is_blind and t == 0
        if when == "play" and content is not None:
            return is_blind or content.get("stratagem") in ("ambush", "false-orders", "hold")
        return {
            "": True,
            "play": True,
            "deck": line.own.get("deck") == "stratagem",
            "oracle": line.own.get("stratagem") == "oracle",
            "blind": is_blind,
        }[when]
