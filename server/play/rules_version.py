"""Play on under the rules that a battle names, or not at all.

A release may change the rules of a game. A battle that has begun is judged by the version that its log names: the
header, or the newest `RulesChanged` behind it. What is over is only read, and may be.
"""

from collections.abc import Mapping, Sequence

import msgspec

from domain.basics.decoding import decode
from domain.basics.errors import Refusal
from domain.contract.ruleset import Ruleset
from domain.events.battle import Fact, RulesChanged
from domain.log import record
from domain.log.record import Header
from domain.run.timeline import catalogue_of
from server.store import Append, EventStore

CHANGED, OVER = b'"type":"RulesChanged"}', b'"type":"MasterRevealed"}'


class NotChanged(Exception):
    """The rules of a battle stay as they are; the text is a sentence."""


class _To(msgspec.Struct):
    to: str


class _RulesLine(msgspec.Struct):
    data: _To


def is_played_on(header: Header) -> bool:
    """Whether battles with such a header can be played on: those of an earlier protocol are read only (decision 33)."""
    return header.version > record.FIRST_VERSION


def rules_in_force(header: Header, lines: Sequence[bytes]) -> str:
    """The version by which the next order of a battle is judged; "" if it is over.

    Shape: `lines` all stored lines from event 1 on; or the newest ones, the header naming the version before them
    """
    if lines and lines[-1].endswith(OVER):
        return ""
    changed = next((line for line in reversed(lines) if line.endswith(CHANGED)), None)
    return header.rules if changed is None else decode(changed, _RulesLine).data.to


def require_installed(header: Header, lines: Sequence[bytes], ruleset: Ruleset) -> None:
    """Refuse a battle in progress whose version of the rules is not installed.

    Raises: Refusal core.rules-not-installed
    """
    version = rules_in_force(header, lines)
    if version and version != ruleset.version:
        raise Refusal(
            "core.rules-not-installed", "CORE-RULES", battle=header.battle, rules=version, installed=ruleset.version
        )


def change_rules(store: EventStore, battle: str, rulesets: Mapping[str, Ruleset], at: str) -> int:
    """Let a battle go on under the version of the rules that is installed; returns the number of the event.

    Whoever orders on, having seen that event, agrees (fairness.md 5).

    Raises: NotChanged; FileFault if the installed rules do not know an event; StoreError
    """
    line = store.header(battle)
    if line is None:
        raise NotChanged(f"There is no battle {battle}.")
    header, rows = record.decode_header(line), store.read(battle)
    version, ruleset = rules_in_force(header, [line for _, _, line in rows]), rulesets.get(header.ruleset)
    if not version:
        raise NotChanged(f"Battle {battle} is over.")
    if not is_played_on(header):
        raise NotChanged(f"Battle {battle} is of an earlier protocol, so it is not played on: branch it.")
    if ruleset is None:
        raise NotChanged(f"Battle {battle} is of a game that is not here: {header.ruleset}.")
    if version == ruleset.version:
        raise NotChanged(f"Battle {battle} goes on under the rules that are installed already, {version}.")
    for _, _, line in rows:
        record.decode(line, catalogue_of(ruleset))
    head, n = store.head(battle), len(rows) + 1
    assert head is not None
    fact = Fact("server", "CORE-RULES", RulesChanged(version, ruleset.version))
    newest = record.time_of(rows[-1][2])
    line = record.encode(n, max(at, newest), fact, newest)
    row = (record.type_name(RulesChanged), line, record.next_hash(head.hash, line))
    store.append_now(Append(battle, head.n, [row], prev=head.hash))
    return n
