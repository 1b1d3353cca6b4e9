"""What an umpire sets: from the lines of a ruling to the facts of a `Corrected` (docs/corrections.md).

The order line is `rule D correct TEXT`. TEXT is what `canonical` makes of what the umpire wrote: the lines that set
something, in canonical English and separated by `; `, and behind them ` because ` and the umpire's words, if there are
any:

    rule d1 correct set R1 losses 0; set turn ended because the charge was misread

It is the `ruling` of the `RulingGiven`, letter by letter, and `corrected` makes the facts from it and from the state
before the order. A verifier does the same and compares: the umpire's line says everything, the host adds nothing.

Facts are made and checked on the state as everybody knows it, so that whoever reads the log comes to the same. Nothing
is drawn. The agenda is never half-way behind a correction: it stands between two orders, and while a decision waits it
must be withdrawn with what was left to do behind it.
"""

import re
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from domain.basics.errors import Refusal
from domain.contract.ruleset import NOBODY, Ruleset
from domain.contract.settable import (
    RULE,
    EndTurn,
    Setting,
    WithdrawDecision,
    begins_setting,
    read_setting,
    write_setting,
)
from domain.engine.state import GameState, require_lasting
from domain.events.battle import Corrected, DecisionWithdrawn, Event, Fact, TurnBegan, TurnEnded
from domain.log.record import type_name

MOST_LINES = 60
"""Lines of one ruling."""
_CUT = re.compile(r"[;\n]")
_BECAUSE = re.compile(r"(?:^|\s)(?:because|car)\s", re.IGNORECASE)


class Ruling(Struct, frozen=True):
    """What stands behind `rule D correct`: what it sets, and the umpire's words."""

    settings: tuple[Setting, ...]
    words: str = ""


def read_ruling(ruleset: Ruleset, text: str) -> Ruling:
    """The text behind `rule D correct`, as the umpire wrote it or in canonical form.

    Each line, or part between semicolons, that begins with `set` (`fixe`) sets something. What stands behind
    `because` (`car`) in it, and all other lines, are the umpire's words. Behind a `#` stands a comment.

    Raises: Refusal core.parse, core.not-correctable, core.correct-nothing, core.correct-too-much
    """
    settings, words = list[Setting](), list[str]()
    for line in _CUT.split(text):
        part = line.partition("#")[0]
        if not begins_setting(part):
            words.append(part)
            continue
        setting, *said = _BECAUSE.split(part, maxsplit=1)
        words += said
        if len(settings) == MOST_LINES:
            raise Refusal("core.correct-too-much", RULE, most=MOST_LINES)
        settings.append(read_line(ruleset, setting.strip()))
    if not settings:
        raise Refusal("core.correct-nothing", RULE)
    told = " ".join(" ".join(words).split())
    return Ruling(tuple(settings), _BECAUSE.sub("", told, count=1) if _BECAUSE.match(told) else told)


def read_line(ruleset: Ruleset, line: str) -> Setting:
    """One `set` line of a game.

    Raises: Refusal core.parse, core.not-correctable
    """
    return read_setting(line, ruleset.corrections.french, ruleset.corrections.read)


def write_line(ruleset: Ruleset, setting: Setting, lang: str = "en") -> str:
    """The canonical line of a setting, in a language."""
    return write_setting(setting, ruleset.corrections.french, ruleset.corrections.write, lang)


def canonical(ruleset: Ruleset, text: str) -> str:
    """The one way to write a ruling; `canonical` of it is itself.

    Raises: as `read_ruling`
    """
    return in_language(ruleset, text, "en")


def in_language(ruleset: Ruleset, text: str, lang: str) -> str:
    """A ruling in the words of a language.

    Raises: as `read_ruling`
    """
    return _ruling_text(ruleset, read_ruling(ruleset, text), lang)


def _ruling_text(ruleset: Ruleset, ruling: Ruling, lang: str) -> str:
    lines = "; ".join(write_line(ruleset, setting, lang) for setting in ruling.settings)
    because = "car" if lang == "fr" else "because"
    return f"{lines} {because} {ruling.words}" if ruling.words else lines


def corrected(ruleset: Ruleset, state: Any, docket: str, text: str) -> tuple[Fact, ...]:
    """What follows from `rule DOCKET correct TEXT`, behind its `RulingGiven`: a `Corrected`, and behind it `TurnEnded`
    and `TurnBegan` if it ends the turn.

    Shape:  `state` is the game's before the order, with all that the caller knows; `text` is canonical
    Raises: Refusal, as `read_ruling`; core.not-canonical; core.battle-ended, core.not-begun, core.correct-phase;
            core.correct-pending, core.correct-no-decision, core.correct-unchanged, core.correct-last; those of the
            game; core.correct-hidden if something set cannot be, for a reason that not everybody knows
    """
    ruling = read_ruling(ruleset, text)
    form = _ruling_text(ruleset, ruling, "en")
    if form != text:
        raise Refusal("core.not-canonical", "CORE-ORDER", text=form)
    _require_time(ruleset, state, ruling.settings)
    rules = ruleset.corrections
    seen = ruleset.secrets.known(state, NOBODY)
    facts: list[Event] = []
    turn: tuple[Event, ...] = ()
    for at, setting in enumerate(ruling.settings):
        line = write_line(ruleset, setting)
        if turn:
            raise Refusal("core.correct-last", RULE, line=line)
        if isinstance(setting, EndTurn):
            set_now, turn = _cut_turn(rules.end_turn(seen))
        else:
            set_now = _withdrawn(seen) if isinstance(setting, WithdrawDecision) else rules.decide(seen, setting)
        after = _applied(ruleset, seen, set_now)
        if after == seen and not turn:
            raise Refusal("core.correct-unchanged", RULE, line=line, at=at + 1)
        facts += set_now
        seen = after
    told = Corrected(docket, tuple((type_name(type(fact)), _plain(fact)) for fact in facts))
    _require_sound(ruleset, state, seen, (told, *turn))
    cited = ruleset.rules.cited
    return (
        Fact("server", RULE, told),
        *(Fact("server", cited.get(type(event).__name__, event.RULE), event) for event in turn),
    )


def _require_time(ruleset: Ruleset, state: GameState, settings: Sequence[Setting]) -> None:
    """Refuse what is not between two orders of a battle that is being played."""
    require_lasting(state)
    if not state.phase:
        raise Refusal("core.not-begun", "CORE-BEGIN")
    if state.phase not in ruleset.corrections.phases or not state.t:
        raise Refusal("core.correct-phase", RULE, phase=state.phase, phases=sorted(ruleset.corrections.phases))
    waiting = state.waiting
    if waiting and not any(isinstance(setting, WithdrawDecision) for setting in settings):
        raise Refusal("core.correct-pending", RULE, side=waiting.side, kind=waiting.kind, unit=waiting.unit)


def _withdrawn(state: GameState) -> tuple[Event, ...]:
    waiting = state.waiting
    if waiting is None:
        raise Refusal("core.correct-no-decision", RULE)
    return (DecisionWithdrawn(waiting.side, waiting.kind, waiting.unit),)


def _plain(fact: Event) -> dict[str, Any]:
    """A fact as plain data, as a reader of the log will find it."""
    members: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(fact))
    return members


def _cut_turn(events: tuple[Event, ...]) -> tuple[tuple[Event, ...], tuple[Event, ...]]:
    """What is set before the turn ends, and the events that stand behind the correction."""
    ends = [at for at, event in enumerate(events) if isinstance(event, TurnEnded | TurnBegan)]
    return events[: ends[0]], events[ends[0] :]


def _applied(ruleset: Ruleset, state: Any, events: Sequence[Event]) -> Any:
    for event in events:
        state = ruleset.evolutions[type(event)](state, event)
    return state


def _require_sound(ruleset: Ruleset, state: Any, seen: Any, events: Sequence[Event]) -> None:
    """Check the invariants on what everybody knows, then on all that is known here: what is hidden may stand in the
    way, and must not be told."""
    require = ruleset.corrections.require
    known, whole = _applied(ruleset, seen, events[1:]), _applied(ruleset, state, events)
    require(known)
    try:
        if whole != known:
            require(whole)
    except Refusal:
        raise Refusal("core.correct-hidden", RULE) from None
