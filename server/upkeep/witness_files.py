"""The files of the log of heads and of its witnesses, as the doctor reads them: nothing is written."""

import sqlite3
from collections.abc import Iterator

from domain.basics.pace import moment_of
from domain.log.entries import log_origin
from server.settings import Settings
from server.store.reader import StoreReader
from server.upkeep.contents import RESTORE
from server.upkeep.finding import DataFinding
from server.witness import log_file, state
from server.witness.parts import OLD_S, late_s

SIGNED = "SELECT key, max(size), max(time_s) FROM cosignatures WHERE origin=? GROUP BY key"


def witnesses(settings: Settings, host: str, now: str) -> Iterator[DataFinding]:
    """Whether the witnesses that are asked have signed the newest heads within a day; nothing where none is asked.
    `host` is the name of the key, "" if there is none."""
    files = [settings.data / name for name in (state.FILE, log_file.FILE)]
    if not all(path.is_file() for path in files):
        return
    try:
        with StoreReader(files[0]) as known, StoreReader(files[1]) as log:
            asked = known.rows("SELECT key, since_s FROM asked ORDER BY key")
            ((size,),) = log.rows("SELECT count(*) FROM entries")
            ((further,),) = log.rows("SELECT further FROM standing")
            signed = {key: (upto, time_s) for key, upto, time_s in log.rows(SIGNED, (log_origin(host),))}
    except sqlite3.Error as fault:
        yield DataFinding(
            "witnesses", False, f"the log of heads, or what is known of witnesses, is damaged: {fault}", RESTORE
        )
        return
    if further:
        said = f"the witness {further} knows more of the log of heads than this folder: nothing of it is signed"
        yield DataFinding("witnesses", False, said, "Put the newest copy of the folder back (docs/witnesses.md).")
    now_s, late = moment_of(now) // 1000, []
    for key, since_s in asked:
        upto, time_s = signed.get(key, (0, 0))
        if late_s(size, upto, time_s, since_s, now_s) > OLD_S:
            late.append(key.partition("+")[0])
    if late:
        said = f"nothing new of the log of heads was signed for more than a day by {', '.join(late)}"
        yield DataFinding("witnesses", False, said, "Ask its operator, or phalera witness remove NAME.")
    elif asked and not further:
        yield DataFinding("witnesses", True, f"no witness is more than a day behind, of {len(asked)} that are asked")
