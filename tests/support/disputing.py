"""A battle with disputes, played offline: two persons, an umpire if wanted, and its file checked."""

from random import Random
from typing import Any

from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.engine.dockets import UMPIRE, Docket
from domain.log.record import Recorded
from domain.run.terms import Terms
from replay.proof.verify import NOT_ALL_JUDGED, OK, Report, verify
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock
from tests.golden.__main__ import SCRIPT_KEYS, script

JUDGE = "pjudge"
DAY_MS = 24 * 60 * 60 * 1000


class Disputed:
    """A battle in which south is to act; `play` gives orders, `say` lines of disputes (`south: takeback`)."""

    def __init__(
        self,
        umpire: bool = False,
        pace: str = "",
        bot: str = "",
        seed: str = "a",
        name: str = "resignation",
        **terms: Any,
    ) -> None:
        scenario = {key: value for key, value in script(name).items() if key not in SCRIPT_KEYS}
        opened = Terms(umpire=JUDGE if umpire else "", name="Judge" if umpire else "", **terms)
        self.clock = SeededClock(seed)
        ruleset = RULESETS[scenario["ruleset"]]
        self.battle = OfflineBattle(ruleset, scenario, self.clock, SeededEntropy(seed), pace, opened)
        self.random = Random(seed)
        self.battle.seat_person("south", "Anna")
        if bot:
            self.battle.seat_bot("north", bot)
        else:
            self.battle.seat_person("north", "Bruno")

    # --- what happens

    def say(self, *lines: str) -> tuple[Recorded, ...]:
        """Lines, each with whoever says it; returns the events of the last."""
        events: tuple[Recorded, ...] = ()
        for line in lines:
            side, _, text = line.partition(": ")
            events = self.battle.order(side, text)
        return events

    def play(self, orders: int = 1) -> int:
        """Orders of whoever is to act, of those that are legal; returns the number of the last."""
        n = 0
        for _ in range(orders):
            for owing in self.now.owing:
                self.battle.contribute(owing)
            side = self.battle.to_act[0]
            options = [option for option in self.battle.ruleset.orders.options(self.known(side), side) if option.order]
            events = self.battle.order(side, self.random.choice(options).order)
            n = next(one.n for one in events if one.type == "OrderAccepted")
        return n

    def named(self) -> None:
        """Both sides name the umpire."""
        self.say(f"south: umpire {JUDGE}", "north: agree umpire")

    # --- what is so

    def known(self, side: str) -> Any:
        return self.battle.recording.known(side)

    @property
    def now(self) -> Any:
        """The battle."""
        return self.battle.recording.battle

    @property
    def n(self) -> int:
        """Its last event."""
        return int(self.now.n)

    def docket(self, name: str = "d1") -> Docket:
        found = self.now.disputes.docket(name)
        assert found is not None
        return found

    def types(self, events: tuple[Recorded, ...]) -> list[str]:
        """The types of some events, disclosures left out."""
        return [one.type for one in events if one.type not in ("KeyDisclosed", "KeysContinued", "Unsealed")]

    def refused(self, line: str) -> str:
        """The code with which a line is refused, which then has changed nothing; "" if it is not."""
        n = self.n
        try:
            self.say(line)
        except Refusal as refusal:
            assert self.n == n
            assert refusal.rule.startswith("CORE-")
            return refusal.code
        return ""

    def report(self) -> Report:
        """The verdict on the file."""
        return verify(self.battle.file())

    def assert_right(self) -> Report:
        """Nothing is wrong with the file."""
        report = self.report()
        assert report.fault is None, report.fault
        assert report.exit in (OK, NOT_ALL_JUDGED)
        assert not report.corrected
        return report


__all__ = ["DAY_MS", "JUDGE", "UMPIRE", "Disputed"]
