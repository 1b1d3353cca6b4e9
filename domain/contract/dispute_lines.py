"""The order lines of disputes: how a player writes them, and how the log has them (docs/disputes.md).

`lines_of` are the canonical lines, letter by letter. The engine writes them, and a verifier reads them: what an order
settles is what its line says, and nothing else. Players also write them in French, in any case and without accents.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from unicodedata import normalize

from msgspec.structs import asdict

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.basics.seats import SOUTH_AND_NORTH, Seats
from domain.basics.spelling import plain_word
from domain.log.limits import unfit_text

RULE = "CORE-DSP"
KINDS = ("rules", "facts", "conduct", "time")
"""What a dispute may be about; the first if it is not said."""
NONE, DRAW, CORRECT, REWIND, AWARD = "none", "draw", "correct", "rewind", "award"
SUBSTITUTE = "substitute"
LOST, MORE = "lost", "more"
"""What an umpire rules on a fallen flag, beside `DRAW`: its side has lost, or gets more time."""
LONGEST_TEXT = 800
"""Characters of what is said in one line."""
LONGEST_SHOWN = 80
"""Characters of a line that cannot be read, as a refusal quotes it."""
LINES_KEPT, LONGEST_KEPT, SEATS_KEPT = 1024, 200, 64
"""Lines whose reading is remembered, and their characters: on its way into the log an order is read six times; and
how many sets of seats have their patterns kept, as a file of an unknown game may name any."""

_PLAYER = r"(?P<player>[A-Za-z0-9][A-Za-z0-9._-]{0,63})"
_DOCKET = r"(?P<docket>d[1-9][0-9]*)"
_TEXT = r"(?: (?P<text>.+))?"
PLAYER = re.compile(_PLAYER)
"""The id of a player."""
_SIGNER = r"[A-Za-z0-9+/]{43}="
SIGNER = re.compile(_SIGNER)
"""The key of an umpire: base64 of 32 bytes."""


class DisputeOrder(Command, frozen=True, gc=False, omit_defaults=True, tag="dispute"):
    """A line of a dispute. `verb` is how its canonical line begins, "" for none; the others are what it names, `side`
    whose flag has fallen, or whose seat somebody is to take: "" in a `substitute` of an earlier release; `signer` the
    key of an umpire."""

    FREE = True

    verb: str = ""
    docket: str = ""
    about: int = 0
    kind: str = ""
    remedy: str = ""
    player: str = ""
    text: str = ""
    side: str = ""
    signer: str = ""


NO_WORDS = DisputeOrder()


@lru_cache(SEATS_KEPT)
def lines_of(seats: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """The order lines of disputes in a battle of these seats, letter by letter."""
    side = f"(?P<side>{'|'.join(seats)})"
    remedy = rf"none|rewind [1-9][0-9]*|draw|award (?:{'|'.join(seats)})"
    lines = (
        f"(?P<verb>dispute) (?P<about>[1-9][0-9]*) (?P<kind>{'|'.join(KINDS)}){_TEXT}",
        f"(?P<verb>takeback){_TEXT}",
        f"(?P<verb>answer) {_DOCKET}{_TEXT}",
        f"(?P<verb>umpire) {_PLAYER}(?: (?P<signer>{_SIGNER}))?",
        f"(?P<verb>substitute) {_PLAYER}",
        f"(?P<verb>substitute) {side} {_PLAYER}",
        "(?P<verb>agree umpire)",
        f"(?P<verb>agree|decline|withdraw|halt|go on) {_DOCKET}",
        f"(?P<verb>offer) {_DOCKET} (?P<remedy>{remedy}){_TEXT}",
        f"(?P<verb>rule) {_DOCKET} (?P<remedy>{remedy}|correct){_TEXT}",
        f"(?P<verb>flag) {side} (?P<remedy>{LOST}|{DRAW}|{MORE}){_TEXT}",
    )
    return tuple(re.compile(line, re.DOTALL) for line in lines)


def words_of(line: object, seats: tuple[str, ...] = SOUTH_AND_NORTH.names) -> DisputeOrder:
    """What a canonical order line says in a battle of these seats; `NO_WORDS` if it is not one of `lines_of`."""
    found = (pattern.fullmatch(line) for pattern in lines_of(seats)) if isinstance(line, str) else iter(())
    match = next((match for match in found if match), None)
    if match is None:
        return NO_WORDS
    said = {name: value or "" for name, value in match.groupdict().items()}
    about = int(said.pop("about", "0"))
    return DisputeOrder(about=about, **said)


def write(order: DisputeOrder, lang: str = "en") -> str:
    """An order as a line, in a language; the English one is canonical."""
    words = asdict(order)
    french = lang == "fr"
    said = [_FRENCH_VERBS[order.verb] if french else order.verb]
    said += [str(words[name]) for name in ("docket", "about") if words[name]]
    if order.kind:
        said.append(_FRENCH[order.kind] if french else order.kind)
    if order.side:
        said.append(_FRENCH.get(order.side, order.side) if french else order.side)
    if order.remedy:
        said += [_FRENCH.get(word, word) if french else word for word in order.remedy.split()]
    said += [words[name] for name in ("player", "signer", "text") if words[name]]
    return " ".join(said)


# --- reading what a player writes

_FRENCH_VERBS = {
    "dispute": "litige",
    "takeback": "reprise",
    "answer": "réponds",
    "offer": "propose",
    "agree": "accepte",
    "agree umpire": "accepte arbitre",
    "decline": "décline",
    "withdraw": "retire",
    "halt": "halte",
    "go on": "continue",
    "umpire": "arbitre",
    "substitute": "remplaçant",
    "rule": "tranche",
    "flag": "drapeau",
}
_FRENCH = {
    "rules": "règles",
    "facts": "faits",
    "conduct": "conduite",
    "time": "temps",
    "none": "rien",
    "draw": "nulle",
    "correct": "corrige",
    "rewind": "retour",
    "award": "accorde",
    LOST: "perdu",
    MORE: "délai",
    "north": "nord",
    "south": "sud",
}
_VERBS: Mapping[str, str] = {
    **{verb: verb for verb in _FRENCH_VERBS if " " not in verb},
    **{plain_word(french): verb for verb, french in _FRENCH_VERBS.items() if " " not in verb},
    **dict.fromkeys(("take-back", "undo", "annule"), "takeback"),
    **dict.fromkeys(("accept", "accord", "d'accord", "d’accord"), "agree"),
    **dict.fromkeys(("suspend", "arrete"), "halt"),
    **dict.fromkeys(("reponse", "repond"), "answer"),
    **dict.fromkeys(("offre", "propose"), "offer"),
    "conteste": "dispute",
    "juge": "rule",
    "resume": "go on",
}
_WORDS: Mapping[str, str] = {
    **{word: word for word in _FRENCH},
    **{plain_word(french): word for word, french in _FRENCH.items()},
    "aucun": NONE,
    "attribue": AWARD,
    "arbitre": "umpire",
    "umpire": "umpire",
}
_ID = re.compile(r"[dD]([1-9][0-9]{0,5})")
_NUMBER = re.compile(r"([1-9][0-9]{0,6})")
FORMS: Mapping[str, str] = {
    "dispute": "dispute EVENT [rules|facts|conduct|time] TEXT",
    "answer": "answer DOCKET TEXT",
    "offer": "offer DOCKET none|rewind EVENT|draw|award SIDE",
    "agree": "agree DOCKET",
    "decline": "decline DOCKET",
    "withdraw": "withdraw DOCKET",
    "halt": "halt DOCKET",
    "go on": "go on DOCKET",
    "umpire": "umpire PLAYER [KEY]",
    "substitute": "substitute SIDE PLAYER",
    "rule": "rule DOCKET none|rewind EVENT|draw|award SIDE TEXT",
    "flag": "flag SIDE lost|draw|more TEXT",
}
"""How the lines are written that can be begun and not be readable."""
_SHARED = frozenset({"offer", "decline", "agree", "halt", "answer"})
"""Verbs that an order of a game may begin with: without a docket they are the game's to read."""


def read(line: str, seats: Seats = SOUTH_AND_NORTH) -> DisputeOrder | None:
    """A line of a dispute as a player writes it in a battle of these seats; None if it is not one. The lines behind
    `rule D correct` belong to it.

    Raises: Refusal core.docket-text for what is too long, or cannot stand in a log
    """
    return _read_lately(line, seats) if len(line) <= LONGEST_KEPT else _order_in(line, seats)


def _order_in(line: str, seats: Seats) -> DisputeOrder | None:
    words = normalize("NFC", "; ".join(line.splitlines()).partition("#")[0]).split()
    if not words:
        return None
    verb, rest = _verb(words)
    order = _READERS[verb](verb, rest, seats) if verb else None
    if order is not None and order.text:
        _require_text(order.text)
    return order


_read_lately = lru_cache(LINES_KEPT)(_order_in)


def read_or(line: str, parse: Callable[[str], Command], seats: Seats) -> Command:
    """A line of a dispute, or else of a game, which `parse` reads.

    Raises: Refusal core.docket-line, core.docket-text; those of the game
    """
    order = read(line, seats)
    if order is not None:
        return order
    try:
        return parse(line)
    except Refusal:
        form = form_of(line)
        if not form:
            raise
    raise Refusal("core.docket-line", RULE, line=line[:LONGEST_SHOWN], form=form)


def write_or(command: Command, lang: str, written: Callable[[Command, str], str]) -> str:
    """A command of a dispute as a line, or else one of a game, as `written` by it."""
    return write(command, lang) if isinstance(command, DisputeOrder) else written(command, lang)


def form_of(line: str) -> str:
    """How a line is written that begins like one of a dispute, and is none; "" if it does not."""
    words = line.split()
    verb, rest = _verb(words) if words else ("", [])
    if not verb or (verb in _SHARED and not (rest and _ID.fullmatch(rest[0]))):
        return ""
    return FORMS.get(verb, "")


def _verb(words: Sequence[str]) -> tuple[str, list[str]]:
    """The verb of a line, and the words behind it."""
    first, rest = plain_word(words[0]), list(words[1:])
    second = plain_word(rest[0]) if rest else ""
    if first == "go" and second == "on":
        return "go on", rest[1:]
    if first == "take" and second == "back":
        return "takeback", rest[1:]
    return _VERBS.get(first, ""), rest


def _word(words: Sequence[str], at: int = 0) -> str:
    return _WORDS.get(plain_word(words[at]), "") if at < len(words) else ""


def _side(words: Sequence[str], at: int, seats: Seats) -> str:
    """The seat that a word names, in either language; "" if it names none."""
    word = plain_word(words[at]) if at < len(words) else ""
    named = word if word in seats else _WORDS.get(word, "")
    return named if named in seats else ""


def _docket(words: Sequence[str]) -> str:
    found = _ID.fullmatch(words[0]) if words else None
    return f"d{found[1]}" if found else ""


def _remedy(words: list[str], rules: bool, seats: Seats) -> tuple[str, str] | None:
    """The remedy at the beginning of some words, and the text behind it."""
    what = _word(words)
    if what in (NONE, DRAW) or (what == CORRECT and rules):
        return what, " ".join(words[1:])
    if what == REWIND and len(words) > 1 and (found := _NUMBER.fullmatch(words[1])):
        return f"{what} {found[1]}", " ".join(words[2:])
    if what == AWARD and (side := _side(words, 1, seats)):
        return f"{what} {side}", " ".join(words[2:])
    return None


def _dispute(verb: str, words: list[str], seats: Seats) -> DisputeOrder | None:
    found = _NUMBER.fullmatch(words[0]) if words else None
    kind = _word(words, 1) if len(words) > 1 else ""
    is_said = kind in KINDS
    text = " ".join(words[2 if is_said else 1 :])
    if found is None or not text:
        return None
    return DisputeOrder(verb, about=int(found[1]), kind=kind if is_said else KINDS[0], text=text)


def _takeback(verb: str, words: list[str], seats: Seats) -> DisputeOrder | None:
    return DisputeOrder(verb, text=" ".join(words))


def _answer(verb: str, words: list[str], seats: Seats) -> DisputeOrder | None:
    docket, text = _docket(words), " ".join(words[1:])
    return DisputeOrder(verb, docket, text=text) if docket and text else None


def _alone(verb: str, words: list[str], seats: Seats) -> DisputeOrder | None:
    if verb == "agree" and len(words) == 1 and _word(words) == "umpire":
        return DisputeOrder("agree umpire")
    docket = _docket(words)
    return DisputeOrder(verb, docket) if docket and len(words) == 1 else None


def _person(verb: str, words: list[str], seats: Seats) -> DisputeOrder | None:
    return DisputeOrder(verb, player=" ".join(words)) if words else None


def _umpire(verb: str, words: list[str], seats: Seats) -> DisputeOrder | None:
    """The player, and the key with which they sign, if it is said."""
    has_key = len(words) > 1 and SIGNER.fullmatch(words[-1]) is not None
    if not has_key:
        return _person(verb, words, seats)
    return DisputeOrder(verb, player=" ".join(words[:-1]), signer=words[-1])


def _substitute(verb: str, words: list[str], seats: Seats) -> DisputeOrder | None:
    """The side whose seat it is, and the player; the player alone in the logs of earlier releases."""
    side = _side(words, 0, seats) if len(words) > 1 else ""
    if side:
        return DisputeOrder(verb, player=" ".join(words[1:]), side=side)
    return _person(verb, words, seats)


def _with_remedy(verb: str, words: list[str], seats: Seats) -> DisputeOrder | None:
    docket, found = _docket(words), _remedy(words[1:], verb == "rule", seats)
    return DisputeOrder(verb, docket, remedy=found[0], text=found[1]) if docket and found else None


def _flag(verb: str, words: list[str], seats: Seats) -> DisputeOrder | None:
    side, what = _side(words, 0, seats), _word(words, 1)
    if not side or what not in (LOST, DRAW, MORE):
        return None
    return DisputeOrder(verb, side=side, remedy=what, text=" ".join(words[2:]))


_READERS = {
    "dispute": _dispute,
    "takeback": _takeback,
    "answer": _answer,
    "offer": _with_remedy,
    "rule": _with_remedy,
    "flag": _flag,
    "umpire": _umpire,
    "substitute": _substitute,
    **dict.fromkeys(("agree", "decline", "withdraw", "halt", "go on"), _alone),
}


def _require_text(text: str) -> None:
    reason = unfit_text(text)
    if reason or len(text) > LONGEST_TEXT:
        raise Refusal("core.docket-text", RULE, most=LONGEST_TEXT, given=len(text), reason=reason or "")
