"""Chapter TRN, standing orders: the notation of an answer given in advance (TTS-TRN-11).

Words only: `decisions` finds the question that a standing order answers. The text of an answer is kept in its
canonical English form; `instruction` reads it again.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from msgspec import Struct

from domain.basics.commands import Standing
from domain.basics.errors import Refusal
from domain.games.to_the_strongest.state.ground import PIECES
from domain.games.to_the_strongest.state.roster import PROFILES
from domain.mechanics.conditions import (
    ALWAYS,
    Condition,
    Test,
    Vocabulary,
    bounded,
    can_hold,
    no_more,
    read_known,
    tests_of,
    words_of_condition,
)
from domain.mechanics.notation import Reader

YES, NO, ASK = "yes", "no", "ask"
LONGEST_VALUE = 150
"""Maximum characters of an answer in canonical form, so that its line can be read again."""
HEAVIER: Condition[Test] = Condition(wanted=(((False, ("heavier",)),),))
CLASSES = ("mounted", "foot", "light", "disordered")
"""What a charger may be called besides its id and its troop type."""
PLACES = ("n", "e", "s", "w", "open", "none")
FACINGS = frozenset("NESW")
TERRAIN = ("impassable", *sorted(PIECES.keys() - {"impassable"}))
"""The kinds of pieces that can be shifted (TTS-TER-10)."""


class Instruction(Struct, frozen=True, gc=False):
    """The content of a standing order.

    `answers` are the wished ones, the best first; none means `ask`. The first that fits is given if the
    `condition` holds, otherwise `otherwise` (no, or ask). `facing` and `sources` go with a yes.
    """

    answers: tuple[str, ...] = ()
    condition: Condition[Test] = ALWAYS
    otherwise: str = ASK
    facing: str = ""
    sources: tuple[str, ...] = ()


# --- what can be tested


def _charger(reader: Reader) -> tuple[str, ...]:
    """`charged by` an id, a troop type, or a class of troops; French has one word for `by` and `via`."""
    reader.need(("by", "via"))
    kind = reader.take(*CLASSES, *PROFILES)
    return ("by", kind or reader.id("the id of a unit, or a troop type"))


_NEEDS = bounded(1, 10)
_ODDS = bounded(1, 99)

VOCABULARIES: Mapping[str, Vocabulary] = {
    "evade": {
        "heavier": no_more,
        "charged": _charger,
        "needs": _NEEDS,
        "odds": _ODDS,
    },
    "replay": {
        "activation": no_more,
        "hit": no_more,
        "needs": _NEEDS,
        "odds": _ODDS,
        "replayed": bounded(0, 99),
        "disordered": no_more,
    },
    "join": {"disordered": no_more},
    "shift": dict.fromkeys(TERRAIN, no_more),
}
"""The tests of each kind of decision, by their first word.

Whether the unit charged is disordered is none of them: those who choose to evade never are (TTS-EVD-01).
"""


def excludes(one: Test, other: Test) -> bool:
    """Whether two tests cannot both hold for one question."""
    if one[0] in TERRAIN and other[0] in TERRAIN:
        return one != other
    if one[0] == other[0] == "charged":
        sorts = {_sort(one[2]), _sort(other[2])}
        return one[2] != other[2] and (sorts in ({"id"}, {"type"}) or {one[2], other[2]} == {"mounted", "foot"})
    return {one[0], other[0]} == {"activation", "hit"}


def _sort(charger: str) -> str:
    return "type" if charger in PROFILES else "class" if charger in CLASSES else "id"


# --- reading


def read_standing(reader: Reader) -> Standing:
    """Read a `standing` order after that word: the topic, the recipient, and the answer.

    Raises: Refusal (core.parse)
    """
    topic = reader.need(tuple(_READERS))
    subject = _subject(reader, topic)
    value = " ".join(words_of(topic, _READERS[topic](reader)))
    if len(value) > LONGEST_VALUE:
        raise reader.unreadable("a shorter answer")
    return Standing(topic, subject, value)


def _subject(reader: Reader, topic: str) -> str:
    """The recipient: "" is the whole side, or everything."""
    if topic == "join":
        return reader.id("the id of a general") if reader.take("general") else ""
    if topic == "shift" or reader.take("all") or reader.peek() in _BEGINNINGS[topic]:
        return ""
    return reader.id("the id of a unit, `all`, or an answer")


_CONDITIONAL = ("if", "unless")
_BEGINNINGS: Mapping[str, tuple[str, ...]] = {
    "evade": ("always", "never", "heavier", ASK, "facing", *_CONDITIONAL),
    "replay": ("always", "never", ASK, "with", *_CONDITIONAL),
}
"""The words with which an answer of yes or no begins; a unit that is called so cannot be named here."""


def _yes_no(reader: Reader, topic: str) -> Instruction:
    """`always`, `never`, `heavier`, `ask`, or under a condition; with a facing, or with a source."""
    word = reader.peek()
    if word not in _BEGINNINGS[topic]:
        raise reader.unreadable(*_BEGINNINGS[topic])
    if reader.take(ASK):
        return Instruction()
    if reader.take("heavier"):
        return Instruction((YES,), HEAVIER, NO)
    if reader.take("never"):
        condition = read_known(reader, VOCABULARIES[topic])
        _otherwise(reader, condition, ASK)
        return Instruction((NO,), condition)
    reader.take("always")
    facing = reader.facing() if topic == "evade" and reader.take("facing") else ""
    sources = _ids(reader, "a general, or HERO") if topic == "replay" and reader.take("with") else ()
    condition = read_known(reader, VOCABULARIES[topic])
    return Instruction((YES,), condition, _otherwise(reader, condition, "never", ASK), facing, sources)


def _otherwise(reader: Reader, condition: Condition[Test], *allowed: str) -> str:
    """The action where a condition does not hold: `else ask` asks; otherwise it is the first allowed."""
    if condition == ALWAYS:
        return ASK
    word = reader.need(allowed) if reader.take("else") else allowed[0]
    return NO if word == "never" else word


def _preferences(read: Callable[[Reader], tuple[str, ...]], topic: str) -> Callable[[Reader], Instruction]:
    def preferred(reader: Reader) -> Instruction:
        if reader.take(ASK):
            return Instruction()
        return Instruction(read(reader), read_known(reader, VOCABULARIES[topic]))

    return preferred


def _ids(reader: Reader, what: str) -> tuple[str, ...]:
    """One id or more, each once, up to a condition."""
    found: list[str] = []
    while not found or (reader.more() and reader.peek() not in _CONDITIONAL):
        if reader.peek() in (*_CONDITIONAL, "else"):
            raise reader.unreadable(what)
        found.append(reader.id(what))
    return tuple(dict.fromkeys(found))


def _places(reader: Reader) -> tuple[str, ...]:
    found = [reader.need(PLACES)]
    while reader.peek() in PLACES:
        found.append(reader.need(PLACES))
    return tuple(word.upper() if len(word) == 1 else word for word in dict.fromkeys(found))


_READERS: Mapping[str, Callable[[Reader], Instruction]] = {
    "evade": lambda reader: _yes_no(reader, "evade"),
    "replay": lambda reader: _yes_no(reader, "replay"),
    "join": _preferences(lambda reader: _ids(reader, "the id of a unit"), "join"),
    "shift": _preferences(_places, "shift"),
}
TOPICS = tuple(_READERS)


@lru_cache(maxsize=1024)
def instruction(topic: str, value: str) -> Instruction:
    """Parse the canonical text of a standing order.

    Raises: Refusal (core.parse) for an invalid text, and for an unknown topic
    """
    reader = Reader(value, {})
    if topic not in _READERS:
        raise Reader(topic, {}).unreadable(*TOPICS)
    read = _READERS[topic](reader)
    reader.end()
    return read


# --- writing


def words_of(topic: str, said: Instruction) -> tuple[str, ...]:
    """The canonical English words of an answer given in advance."""
    if not said.answers:
        return (ASK,)
    condition = words_of_condition(said.condition)
    if topic in ("join", "shift"):
        return (*said.answers, *condition)
    if said.answers == (NO,):
        return ("never", *condition)
    if topic == "evade" and said == Instruction((YES,), HEAVIER, NO):
        return ("heavier",)
    extra = ("facing", said.facing) if said.facing else ("with", *said.sources) if said.sources else ()
    if not condition:
        return ("always", *extra)
    return (*extra, *condition, *(("else", ASK) if said.otherwise == ASK else ()))


def write_standing(command: Standing, facing: Callable[[str], str]) -> list[str]:
    """The words of a standing order; `facing` marks those that are facings rather than ids."""
    subject = _written_subject(command.topic, command.unit)
    words = command.value.split()
    if command.topic == "shift":
        words = [facing(word) if word in FACINGS else word for word in words]
    elif command.topic == "evade":
        words = [facing(word) if at and words[at - 1] == "facing" else word for at, word in enumerate(words)]
    return ["standing", command.topic, *subject, *words]


def _written_subject(topic: str, unit: str) -> Iterable[str]:
    if topic == "evade":
        return (unit or "all",)
    if topic == "join" and unit:
        return ("general", unit)
    return (unit,) if unit else ()


# --- contradictions


def require_meaning(topic: str, said: Instruction) -> None:
    """Refuse a standing order that can never answer, because its condition contradicts itself."""
    if not can_hold(said.condition, excludes):
        raise never_holds(topic, words_of_condition(said.condition))


def never_holds(topic: str, words: tuple[str, ...]) -> Refusal:
    """The refusal of a condition that can never be true."""
    return Refusal("tts.never-holds", "TTS-TRN-11", topic=topic, condition=" ".join(words))


def named_chargers(said: Instruction) -> tuple[str, ...]:
    """The ids of the chargers that a condition names."""
    chargers = (test[2] for test in tests_of(said.condition) if test[0] == "charged")
    return tuple(name for name in chargers if _sort(name) == "id")
