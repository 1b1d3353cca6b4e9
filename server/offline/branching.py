"""A branch made on this machine: of a battle file, or of a case of the lab."""

from hashlib import sha256
from typing import Any

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset
from domain.engine.positions import RULE
from domain.events.battle import Branch, Fact
from domain.run.branching import ALL, facts_of_branch, knower, place_before, require_place
from replay import battle_file
from replay.battle_file import BattleFile
from replay.bench.bench import play_case
from replay.bench.case_file import read_case
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock
from server.clock import SystemClock
from server.entropy import SystemEntropy


class Beginning(Struct, frozen=True):
    """What a branch begins with: event 1 of its source, the state after event `branch.n`, and where that was."""

    ruleset: Ruleset
    opened: Any
    state: Any
    branch: Branch

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What opens the branch.

        Raises: Refusal core.branch-over
        """
        return facts_of_branch(self.ruleset, self.opened, self.state, self.branch)


def beginning(content: bytes, name: str, n: int, lang: str) -> Beginning:
    """What a branch of a file after event `n` begins with, 0 being the last event after which one can begin.

    Shape:  `name` is what the file is called; a case has an event after each order
    Raises: Refusal core.branch-inside; UnreadableFile, UnreadableCase
    """
    is_battle = content[:1] == b"{"
    return _of_battle(content, name, n, lang) if is_battle else _of_case(content, name, n)


def _of_battle(content: bytes, name: str, n: int, lang: str) -> Beginning:
    battle = battle_file.parse(content, name, lang=lang)
    return of_file(battle, battle.require_event(n, lang=lang) if n else place_before(battle.events, battle.last))


def of_file(battle: BattleFile, n: int) -> Beginning:
    """What a branch of a battle after event `n` begins with.

    Raises: Refusal core.branch-inside
    """
    header = battle.log.header
    require_place(battle.events, n)
    branch = Branch(header.battle, header.host, n, battle.log.hashes[n].hex(), knower(battle.timeline.now, n))
    return Beginning(battle.ruleset, battle.events[0].event, battle.timeline.at(n).game, branch)


def _of_case(content: bytes, name: str, n: int) -> Beginning:
    played = play_case(read_case(content, name), RULESETS)
    n = n or max(played.states)
    if n not in played.states:
        before = max((at for at in played.states if at < n), default=0)
        after = min((at for at in played.states if at > n), default=0)
        raise Refusal("core.branch-inside", RULE, n=n, before=before, after=after)
    branch = Branch("", "", n, sha256(content).hexdigest(), ALL)
    return Beginning(played.ruleset, played.opened, played.states[n], branch)


def branched(found: Beginning, seed: int | None) -> OfflineBattle:
    """The branch, nobody seated yet, with the readers of its source; without a seed chance is the machine's own."""
    readers = found.opened.readers or "public"
    if seed is None:
        return OfflineBattle(found.ruleset, found.facts, SystemClock(), SystemEntropy(), readers=readers)
    name = f"branch {found.branch.head} {found.branch.n} {seed}"
    return OfflineBattle(found.ruleset, found.facts, SeededClock(name), SeededEntropy(name), readers=readers)


def branch_file(battle: BattleFile, n: int) -> bytes:
    """The file of a branch of a battle after event `n`, which nobody has begun.

    Raises: Refusal core.branch-inside, core.branch-over
    """
    return branched(of_file(battle, n), None).file()
