"""The read models serve a game they have never heard of: dice, no medals, a secret first step."""

import hashlib
from contextlib import closing

from domain.engine.state import SIDES
from domain.log.record import Header
from domain.run.inputs import Entry
from domain.run.seats import Seat
from projections import inbox, lobby, statistics
from projections.database import ModelReader
from projections.runner import ProjectionRunner
from replay.writing.recording import Recording
from tests.projections.kept import all_rows, tallies
from tests.projections.played import MemoryLog
from tests.support import messages
from tests.toys.duel import TOY

AT = "2026-01-01T00:00:00.000Z"


class Duel:
    """A battle of the toy game; the log gets its lines as they come."""

    def __init__(self, log: MemoryLog) -> None:
        header = Header("duel0001", AT, "phalera-battle", "h.example", "h.example+0+key", "1", "toy", 2)
        salts = (hashlib.sha256(b"%d" % at).digest() for at in range(99))
        self._recording = Recording(header, b"\x02" * 32, TOY, salts.__next__)
        self._log = log
        self._take(self._recording.open({"ruleset": "toy"}, "public", AT))
        for side in ("south", "north"):
            phrases = messages.phrases(self._recording, SIDES, "a phrase of a side")
            self._take(self._recording.join(Seat(side, f"p-{side}", side), phrases, AT))

    def order(self, side: str, text: str) -> None:
        """One order."""
        self._take(self._recording.order(Entry(side, text, side, "api", phrase="sixteen bytes or more"), AT))

    @property
    def ended(self) -> bool:
        """Whether somebody was hit."""
        return self._recording.battle.ended

    def _take(self, batch) -> None:
        self._recording.adopt(batch)
        self._log.append("duel0001", *(line for _, line, _ in batch.rows))


def test_a_duel_from_its_secret_beginning_to_its_end(tmp_path) -> None:
    log, path = MemoryLog(), tmp_path / "live.db"
    with closing(ProjectionRunner(path, log, rulesets={"toy": TOY})) as runner, closing(ModelReader(path)) as reader:
        duel = Duel(log)

        def asked() -> dict[str, str]:
            runner.catch_up()
            return {question.side: question.kind for question in inbox.of_battle(reader, "duel0001")}

        assert asked() == {"south": "turn", "north": "turn"}
        duel.order("south", "choose bold")
        assert asked() == {"north": "turn"}
        assert "bold" not in repr(all_rows(path))
        duel.order("north", "choose wary")
        assert asked() == {"south": "turn"}
        for side in ("south", "north") * 2:
            duel.order(side, "walk 200")
        throws, thrower, other = 0, "north", "south"
        while not duel.ended:
            throws, thrower, other = throws + 1, other, thrower
            duel.order(thrower, "throw")
            if asked() == {other: "dodge"}:
                duel.order(other, "dodge no")
        assert asked() == {}
        entry = lobby.entry(reader, "duel0001")
        assert entry is not None and (entry.status, entry.winner, entry.how) == ("ended", thrower, "hit")
        assert entry.title == "Duel" and entry.to_act == ()
        found = statistics.of_battle(reader, "duel0001")
        assert sum(draws.count for side in found.counted for draws in side.draws) == throws
        assert [point.tally for point in tallies(reader, "duel0001") if point.side == "south"] == [
            100,
            300,
            500,
        ]
        live = all_rows(path)
        runner.rebuild()
        assert all_rows(path) == live
