"""Name the legal order, or the word, that was probably meant by a line that cannot be read."""

from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.scripts.likeness import LANGUAGES, Vocabulary, meant, near_word, vocabulary
from domain.scripts.program import ScriptFault
from domain.scripts.reading import Unreadable
from server.play.live_battle import LiveBattle

MOST = 3
"""Lines of a request that are compared with the legal orders."""
PARSE = "core.parse"


def suggesting(live: LiveBattle, side: str, unreadable: Unreadable) -> Unreadable:
    """The same error; its first faults name the order that was probably meant, in the language of the line, else the
    word of the game that is nearest to the unknown one. An umpire orders nothing."""
    if side not in live.seats:
        return unreadable
    orders = live.ruleset.orders
    commands = [orders.parse(option.order) for option in live.options(side)]
    legal = list(dict.fromkeys(orders.write(command, lang) for lang in LANGUAGES for command in commands))
    words = vocabulary(live.ruleset)
    faults = [_suggested(fault, legal, words) for fault in unreadable.faults[:MOST]]
    return Unreadable(unreadable.script, (*faults, *unreadable.faults[MOST:]))


def _suggested(fault: ScriptFault, legal: list[str], words: Vocabulary) -> ScriptFault:
    refusal = fault.refusal
    if refusal.code != PARSE:
        return fault
    found = meant(fault.line.text, legal)
    if found:
        params = {**refusal.params, "expected": [], "meant": found}
    else:
        near = near_word(str(refusal.params.get("word", "")), _strings(refusal.params.get("expected")), words.all)
        if not near:
            return fault
        params = {**refusal.params, "near": near}
    return replace(fault, refusal=Refusal(refusal.code, refusal.rule, **params))


def _strings(value: object) -> list[str]:
    return [word for word in value if isinstance(word, str)] if isinstance(value, list | tuple) else []
