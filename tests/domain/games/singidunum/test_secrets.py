"""What each side knows: folding the log with one's own secrets gives the known state, after every order."""

import tomllib

import msgspec
import pytest
from msgspec import UNSET

from domain.basics.data import scenario_text
from domain.basics.errors import Refusal
from domain.contract.ruleset import NOBODY
from domain.games.singidunum import RULESET
from domain.games.singidunum.chapters.deployment import DeploymentRevealed
from domain.log.record import decode
from domain.run.timeline import Timeline, catalogue_of
from replay.proof import chain
from replay.proof.audit import audit
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock
from tests.support.proving import findings

READERS = ("south", "north", NOBODY)


class Folded:
    """The log as three readers fold it."""

    def __init__(self, battle):
        self.recording = battle.recording
        self.timelines = {reader: Timeline(RULESET) for reader in READERS}
        self.fed = 0

    def require_known(self):
        """Feed what is new, and compare."""
        for entry in self.recording.timeline.events[self.fed :]:
            for reader, timeline in self.timelines.items():
                if reader and self.recording.is_secret_of(reader, entry.n):
                    timeline.vault[entry.n] = msgspec.json.decode(self.recording.vault[entry.n].content)
                timeline.feed(entry)
            self.fed = entry.n
        for reader, timeline in self.timelines.items():
            assert timeline.now.game == self.recording.known(reader), (self.fed, reader)


def audited(battle):
    """The orders that an audit of the file so far has judged."""
    content = battle.file()
    log = chain.open_file(content, allow_unfinished=True)
    tally = findings(RULESET, content).tally
    assert tally.draws == tally.checked + tally.bound
    return audit(RULESET, [decode(line, catalogue_of(RULESET)) for line in log.lines]).judged


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["woods", "ambush"])
def test_the_fold_of_each_reader_is_what_they_know(scenario):
    table = tomllib.loads(scenario_text(RULESET.code, scenario))
    battle = OfflineBattle(RULESET, table, SeededClock(scenario), SeededEntropy(scenario))
    for side in ("south", "north"):
        battle.seat_bot(side, "random")
    folded, orders = Folded(battle), 0
    while not battle.recording.battle.ended:
        battle.bot_order()
        orders += 1
        folded.require_known()
        if orders % 40 == 0:
            assert audited(battle) > 0
    assert audited(battle) >= orders


def test_nothing_of_an_army_is_told_before_both_are_deployed():
    """PRG-ARM-06, -08: neither the orders nor what they name, until the deployment is revealed."""
    table = tomllib.loads(scenario_text(RULESET.code, "muster"))
    battle = OfflineBattle(RULESET, table, SeededClock("m"), SeededEntropy("m"))
    for side in ("south", "north"):
        battle.seat_person(side, side)
    battle.order("south", "army EL9 HI7")
    battle.order("south", "done")
    battle.order("north", "army HI6")
    battle.order("north", "done")
    battle.order("south", "deploy SEL9 E7")
    assert not any(word in battle.file() for word in (b"EL9", b"HI6", b"E7"))
    assert "SEL9" not in battle.recording.known("north").units
    battle.order("south", "deploy SHI7 D7")
    battle.order("south", "done")
    battle.order("north", "deploy NHI6 E3")
    battle.order("north", "done")
    assert battle.recording.known("north").units["SEL9"].hex == "E7"
    assert b"SEL9" in battle.file()


def test_a_list_is_not_betrayed_by_a_refusal():
    """An id that begins with the letter of the other side is theirs, whether there is such a unit or not."""
    table = tomllib.loads(scenario_text(RULESET.code, "muster"))
    battle = OfflineBattle(RULESET, table, SeededClock("m"), SeededEntropy("m"))
    for side in ("south", "north"):
        battle.seat_person(side, side)
    for side in ("south", "north"):
        battle.order(side, "army EL9")
        battle.order(side, "done")
    codes = []
    for name in ("SEL9", "SHI7"):
        with pytest.raises(Refusal) as refused:
            battle.order("north", f"deploy {name} E3")
        codes.append(refused.value.code)
    assert codes == ["core.not-yours"] * 2


AMBUSH_ON_E3 = {
    "ruleset": RULESET.code,
    "title": "In the wood",
    "first": "south",
    "options": {"modules": ["terrain"]},
    "marker": [{"hex": "E3", "kind": "forest"}],
    "sides": {"south": {}, "north": {}},
}


def test_what_was_laid_in_ambush_stays_closed_when_all_else_is_opened():
    """PRG-ARM-06, PRG-EXT-TER-05: nor does the place where a unit stood before it was laid there betray it."""
    battle = OfflineBattle(RULESET, AMBUSH_ON_E3, SeededClock("a"), SeededEntropy("a"))
    for side in ("south", "north"):
        battle.seat_person(side, side)
    for line in ("south: army EL9", "south: done", "north: army HI6 AR5", "north: done", "south: deploy SEL9 E7"):
        battle.order(*line.split(": "))
    for line in ("deploy NHI6 D2", "ambush NHI6 E3", "deploy NAR5 D3", "done"):
        battle.order("north", line)
    assert not any(word in battle.file() for word in (b"NHI6", b"NAR5", b"ambush"))
    battle.order("south", "done")
    events = {entry.n: entry.event for entry in battle.recording.timeline.events}
    revealed = next(event for event in events.values() if isinstance(event, DeploymentRevealed))
    assert revealed.opens is not UNSET
    opened = [type(events[n]).__name__ for n in revealed.opens]
    assert opened == ["ArmyComposed", "ArmyComposed", "UnitDeployed", "UnitDeployed"]
    assert not any(words in battle.file() for words in (b"ambush NHI6", b"deploy NHI6"))
    assert battle.recording.known("south").units["NHI6"].hex == ""
