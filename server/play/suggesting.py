"""Name the legal order that was probably meant by a line that cannot be read."""

from msgspec.structs import replace

from domain.engine.errors import Refusal
from domain.engine.state import SIDES
from domain.scripts.likeness import LANGUAGES, meant
from domain.scripts.program import ScriptFault
from domain.scripts.reading import Unreadable
from server.play.live_battle import LiveBattle

MOST = 3
"""Lines of a request that are compared with the legal orders."""
PARSE = "core.parse"


def suggesting(live: LiveBattle, side: str, unreadable: Unreadable) -> Unreadable:
    """The same error; its first faults name the order that was probably meant, in the language of the line. An umpire
    orders nothing."""
    if side not in SIDES:
        return unreadable
    orders = live.ruleset.orders
    commands = [orders.parse(option.order) for option in live.options(side)]
    legal = list(dict.fromkeys(orders.write(command, lang) for lang in LANGUAGES for command in commands))
    faults = [_suggested(fault, legal) for fault in unreadable.faults[:MOST]]
    return Unreadable(unreadable.script, (*faults, *unreadable.faults[MOST:]))


def _suggested(fault: ScriptFault, legal: list[str]) -> ScriptFault:
    refusal = fault.refusal
    found = meant(fault.line.text, legal) if refusal.code == PARSE else ""
    if not found:
        return fault
    params = {**refusal.params, "expected": [], "meant": found}
    return replace(fault, refusal=Refusal(refusal.code, refusal.rule, **params))
