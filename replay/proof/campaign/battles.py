"""Compare what a campaign says of its battles with their files (CAM-LOG-06).

Each battle that is set is opened for its board, by the scenario that the campaign names, with the players whom it
names; nobody who came to it is said not to have come. Each that is counted has come to that by its own file, which is
verified too. A file that is not there is listed; one of a battle of which nothing was counted need not be there.
"""

from collections.abc import Mapping, Sequence, Set
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.campaign.boards import Place
from domain.campaign.config import CampaignConfig
from domain.campaign.events import BattleSet, ResultCounted
from domain.campaign.evolve import START, evolve
from domain.campaign.forces.fielding import Names, scenario_between
from domain.campaign.forces.nodes import carries
from domain.campaign.scenario import Scenario, armies_on, hash_of, scenario_of, scenario_of_points
from domain.campaign.state import CampaignState
from domain.campaign.theatre.books import on_tables
from domain.contract.ruleset import Ruleset
from domain.events.battle import Fact
from domain.log import record
from domain.log.record import FileFault, Recorded
from domain.run.inputs import facts_of_opening
from domain.run.scenario_told import scenario_hash as shown_hash
from domain.run.scenario_told import scenario_members
from domain.run.timeline import Timeline, vault_of
from replay.called_off import SIDES
from replay.proof import chain, shapes
from replay.proof.blocks import ProtocolFault
from replay.proof.campaign.duels import DuelsCompared, is_opened_for
from replay.proof.campaign.folder import Find
from replay.proof.campaign.left import told_left
from replay.proof.campaign.log import CampaignLog
from replay.proof.campaign.people import absent_in, commanders, has_come, is_seated_right
from replay.proof.campaign.results import counted
from replay.proof.campaign.seals import is_still_veiled
from replay.proof.chain import Log
from replay.proof.report import Report
from replay.proof.verify import FAULT, NOT_A_FILE, verify

COMPARED = ("n", "winner", "how", "kept", "rated")
"""What is counted and follows from the log of the battle."""


class BattlesCompared:
    """Compares the battles of one campaign. `compared` are those that were, `missing` those counted whose files are not
    there, `by_other_rules` those that this release cannot judge, `other_scenarios` those of which it does not know the
    scenario."""

    def __init__(
        self,
        log: CampaignLog,
        events: Sequence[Recorded],
        config: CampaignConfig,
        find: Find,
        rulesets: Mapping[str, Ruleset],
    ) -> None:
        """`events` are those of the log, those open that it opens."""
        self.compared: list[str] = []
        self.missing: list[str] = []
        self.by_other_rules: list[str] = []
        self.other_scenarios: list[str] = []
        self._log = log
        self._config = config
        self._find = find
        self._rulesets = rulesets
        self._on_board: dict[str, BattleSet] = {}
        self._commanders = commanders(log.events)
        self._files: dict[str, Log] = {}
        self._scenarios: dict[str, Scenario] = {}
        self._duels = DuelsCompared()
        self._events = events
        self._is_sealed = is_still_veiled(config, events)
        self._left: dict[int, Timeline] = {}
        self._state = START
        self._made: dict[str, tuple[dict[str, Any], Names]] = {}

    def check(self, cut: Set[int]) -> None:
        """Compare all, in the order of the log. Shape: `cut` are the results of battles that were cut off, by event

        Raises: ProtocolFault at the first event that is not as its battle is
        """
        for entry in self._events:
            before, self._state = self._state, evolve(self._state, entry.event)
            if isinstance(entry.event, BattleSet):
                self._make(entry.event)
                self._require_opened(entry, entry.event)
            elif isinstance(entry.event, ResultCounted):
                self._require_result(entry, entry.event, entry.n in cut)
                self._require_left(entry, entry.event, before)
            else:
                self._require_absent(entry)
            self._duels.feed(entry)

    # --- as it was set

    def _make(self, given: BattleSet) -> None:
        """The scenario between forces that a board stands for, by the state of the campaign."""
        ruleset = self._rulesets.get(self._config.ruleset)
        if given.fielded is UNSET or ruleset is None or ruleset.campaign is None or self._is_sealed:
            return
        board = self._state.boards[given.board]
        book = on_tables(ruleset.campaign)
        self._made[given.battle] = scenario_between(book, self._state.theatre, self._config, board)

    def _require_opened(self, entry: Recorded, given: BattleSet) -> None:
        self._on_board[given.board] = given
        content = self._find(given.battle)
        if content is None:
            return
        try:
            log = chain.open_file(content, allow_unfinished=True)
        except FileFault as fault:
            raise ProtocolFault(entry.n, "battle-file", battle=given.battle, kind=fault.what) from None
        header = log.header
        if (header.battle, header.host) != (given.battle, self._log.header.host):
            raise ProtocolFault(entry.n, "battle-head", battle=given.battle, found=header.battle)
        self._files[given.battle] = log
        self._require_scenario(entry, given, log)
        if not is_seated_right(log, self._commanders[given.battle]):
            raise ProtocolFault(entry.n, "battle-players", battle=given.battle, board=given.board)

    def _require_absent(self, entry: Recorded) -> None:
        """Nobody is late, or loses, for not having come who has, by the log of the battle (CAM-TIM-04)."""
        board, absent, member = absent_in(entry.event)
        given = self._on_board.get(board)
        log = self._files.get(given.battle) if given is not None else None
        if given is None or log is None:
            return
        for side, entrant in zip(SIDES, (given.south, given.north), strict=True):
            if entrant in absent and has_come(log, side, entry.at):
                raise ProtocolFault(entry.n, "battle-result", battle=given.battle, member=member)

    def _require_scenario(self, entry: Recorded, given: BattleSet, log: Log) -> None:
        """The battle was opened for this board, by the scenario whose hash the campaign names."""
        ruleset = self._rulesets.get(self._config.ruleset)
        wrong = ProtocolFault(entry.n, "battle-scenario", battle=given.battle, board=given.board)
        if log.header.ruleset != self._config.ruleset:
            raise wrong
        if ruleset is None or log.header.rules != ruleset.version:
            self.other_scenarios.append(given.battle)
            return
        shown = msgspec.json.decode(log.lines[0])["data"]
        board = {"board": given.board, "id": self._log.header.campaign}
        if shown.get("campaign") != board or "branch" in shown:
            raise wrong
        if self._is_sealed:  # recruits and casualties are, of which it is made
            self.other_scenarios.append(given.battle)
            return
        scenario = self._scenario(ruleset, given)
        digest = hash_of(scenario) if scenario is not None else ""
        if scenario is None or given.scenario != digest or not _is_opening(ruleset, scenario, shown):
            raise wrong

    def _scenario(self, ruleset: Ruleset, given: BattleSet) -> Scenario | None:
        """The table of the scenario of a board: of all boards, of one that a challenge has named, or between the armies
        of its two; None if this release does not know it, or the game does not allow it."""
        try:
            if given.battle in self._made:
                return self._made[given.battle][0]
            armies = armies_on(self._state, Place(given.board, given.round, given.south, given.north))
            if armies is not None and ruleset.armies is not None:
                return scenario_of_points(self._config, ruleset.armies, armies)
            named = self._duels.scenario(given)
            if given.board and self._state.has_forces:
                named = self._state.boards[given.board].named
            if named not in self._scenarios:
                self._scenarios[named] = scenario_of(self._config, named)
            return self._scenarios[named]
        except (Refusal, KeyError):
            return None

    # --- as it was counted

    def _require_result(self, entry: Recorded, result: ResultCounted, is_cut: bool) -> None:
        content = self._find(result.battle)
        if content is None:
            self.missing.append(result.battle)
            return
        log = self._files.get(result.battle)
        if log is None:  # a battle of a ladder, which no campaign has set
            log = _opened(entry, result, content)
            self._require_opened_in(entry, result, log)
        if not 0 < result.n < len(log.hashes) or log.hashes[result.n].hex() != result.hash:
            raise ProtocolFault(entry.n, "battle-head", battle=result.battle, found=log.header.battle)
        report = verify(content, rulesets=self._rulesets)
        if report.exit in (FAULT, NOT_A_FILE):
            raise ProtocolFault(entry.n, "battle-file", battle=result.battle, kind=_kind(report))
        ruleset = self._rulesets.get(log.header.ruleset)
        if ruleset is None or report.other_rules or report.later:
            self.by_other_rules.append(result.battle)
            return
        timeline = _timeline(log, ruleset)
        self._require_counted(entry, result, timeline, is_cut)
        self._left[entry.n] = timeline
        self.compared.append(result.battle)

    def _require_left(self, entry: Recorded, result: ResultCounted, before: CampaignState) -> None:
        """Fates and deeds are those of the battle (CAM-RND-04)."""
        timeline = self._left.pop(entry.n, None)
        if timeline is None or self._is_sealed:
            return
        expected = replace(result, fates=UNSET, deeds=UNSET)
        if result.board and carries(before, before.boards[result.board]):
            fates, deeds = told_left(timeline, result.n, self._made[result.battle][1])
            expected = replace(result, fates=fates, deeds=deeds)
        if expected != result:
            raise _left_differs(entry, result, expected)

    def _require_opened_in(self, entry: Recorded, result: ResultCounted, log: Log) -> None:
        """A battle that members have opened in a ladder names it, and is of its game; the scenario is theirs."""
        shown = msgspec.json.decode(log.lines[0])["data"]
        is_here = is_opened_for(shown, self._log.header.campaign) and "branch" not in shown
        if not is_here or log.header.ruleset != self._config.ruleset:
            raise ProtocolFault(entry.n, "battle-scenario", battle=result.battle, board=result.board)
        self.other_scenarios.append(result.battle)

    def _require_counted(self, entry: Recorded, result: ResultCounted, timeline: Timeline, is_cut: bool) -> None:
        found = counted(timeline, is_cut)
        if found is None:
            raise ProtocolFault(entry.n, "battle-result", battle=result.battle, member="winner")
        if not result.board:
            found = self._duels.expected(entry, result, timeline, found)
        for name in COMPARED:
            if getattr(found, name) != getattr(result, name):
                raise ProtocolFault(entry.n, "battle-result", battle=result.battle, member=name)


def _left_differs(entry: Recorded, result: ResultCounted, expected: ResultCounted) -> ProtocolFault:
    lines = (record.encode(1, entry.at, Fact(entry.by, entry.rule, one)).decode() for one in (expected, result))
    return ProtocolFault(entry.n, "casualties", **dict(zip(("expected", "found"), lines, strict=True)))


def _opened(entry: Recorded, result: ResultCounted, content: bytes) -> Log:
    try:
        return chain.open_file(content, allow_unfinished=True)
    except FileFault as fault:
        raise ProtocolFault(entry.n, "battle-file", battle=result.battle, kind=fault.what) from None


def _timeline(log: Log, ruleset: Ruleset) -> Timeline:
    """The battle of a log that was verified, from its beginning."""
    header = log.header
    events = shapes.read_events(log.lines, header.rules, ruleset, version=header.version)
    timeline = Timeline(ruleset, vault_of(list(events)), header.rules, header.version)
    for entry in events:
        timeline.feed(entry)
    return timeline


def _kind(report: Report) -> str:
    return report.fault.what if report.fault is not None else ""


def _is_opening(ruleset: Ruleset, table: Mapping[str, Any], shown: Mapping[str, Any]) -> bool:
    """Whether the public members of a first event are those that a scenario gives."""
    first: Any = facts_of_opening(ruleset, table)[0].event
    private = ruleset.secrets.fields(ruleset.rules.initial, first)
    return scenario_members(ruleset, first, private).get("scenario_hash") == shown_hash(shown)
