"""How the battles of a store stand with this release: played on, only read, or not even that.

Works on a store of any format, before it is migrated.
"""

from msgspec import Struct

from domain.catalogue import RULESETS
from domain.log import record
from domain.log.record import FileFault
from server.play.rules_version import is_played_on, rules_in_force
from server.store.reader import StoreReader

CLOSINGS_SINCE = 3
"""The first format that has closed battles."""


class StoreStanding(Struct, frozen=True, kw_only=True):
    """Battles by what this release can do with them.

    `played_on` go on; `without_rules` are of a version of the rules that is not installed; `outdated` were opened under
    an earlier protocol, and are closed by the upgrade; `over` have ended or were closed. All these can be read, shown
    and exported. `unreadable` cannot, each with the reason.
    """

    played_on: tuple[str, ...] = ()
    without_rules: tuple[str, ...] = ()
    outdated: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    unreadable: tuple[tuple[str, str], ...] = ()


def standing(store: StoreReader, version: int) -> StoreStanding:
    """How all battles stand; `version` is the format of the store. Events are looked for by their type alone.

    Raises: sqlite3.Error
    """
    ended = _with_event(store, "MasterRevealed")
    changed = _with_event(store, "RulesChanged")
    closed = {row[0] for row in store.rows("SELECT battle FROM closings")} if version >= CLOSINGS_SINCE else set()
    found: dict[str, list[str]] = {"played_on": [], "without_rules": [], "outdated": [], "over": []}
    unreadable: list[tuple[str, str]] = []
    for battle, line in store.rows("SELECT battle, header FROM battles ORDER BY rowid"):
        try:
            header = record.decode_header(line)
        except FileFault as fault:
            unreadable.append((battle, fault.what))
            continue
        ruleset = RULESETS.get(header.ruleset)
        if ruleset is None:
            unreadable.append((battle, f"the game {header.ruleset} is not installed"))
        elif battle in ended or battle in closed:
            found["over"].append(battle)
        elif not is_played_on(header):
            found["outdated"].append(battle)
        else:
            lines = [line for _, _, line in store.read(battle)] if battle in changed else []
            installed = rules_in_force(header, lines) == ruleset.version
            found["played_on" if installed else "without_rules"].append(battle)
    return StoreStanding(unreadable=tuple(unreadable), **{name: tuple(battles) for name, battles in found.items()})


def _with_event(store: StoreReader, kind: str) -> set[str]:
    """The battles with an event of a type."""
    rows = store.rows("SELECT DISTINCT originator_id FROM stored_events WHERE topic=?", (kind,))
    return {battle for (battle,) in rows}
