"""Play on under the rules that a battle names, or not at all.

A release may change the rules of a game. A battle that has begun is judged by the version that its log names: the
header, or the newest `RulesChanged` behind it. What is over is only read, and may be.
"""

from collections.abc import Sequence

import msgspec

from domain.engine.errors import Refusal
from domain.log.record import Header
from domain.ruleset import Ruleset

CHANGED, OVER = b'"type":"RulesChanged"}', b'"type":"MasterRevealed"}'


class _To(msgspec.Struct):
    to: str


class _Line(msgspec.Struct):
    data: _To


def rules_in_force(header: Header, lines: Sequence[bytes]) -> str:
    """The version by which the next order of a battle is judged; "" if it is over.

    Shape: `lines` all stored lines from event 1 on
    """
    if lines and lines[-1].endswith(OVER):
        return ""
    changed = next((line for line in reversed(lines) if line.endswith(CHANGED)), None)
    return header.rules if changed is None else msgspec.json.decode(changed, type=_Line).data.to


def require_installed(header: Header, lines: Sequence[bytes], ruleset: Ruleset) -> None:
    """Refuse a battle in progress whose version of the rules is not installed.

    Raises: Refusal core.rules-not-installed
    """
    version = rules_in_force(header, lines)
    if version and version != ruleset.version:
        raise Refusal(
            "core.rules-not-installed", "CORE-RULES", battle=header.battle, rules=version, installed=ruleset.version
        )
