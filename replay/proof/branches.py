"""Check what a battle that branches from another says of its beginning: that it hangs together, and that it is true.

Of the log alone: a position has the form of a state, and agrees with what stands beside it. Its truth lies in another
file, the source: with that the position is made again, and must be the same.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Protocol

from msgspec import UNSET
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.contract.ruleset import Ruleset
from domain.events.battle import Branch, PileLeft, Position
from domain.events.inputs import OF_ONE_BATTLE
from domain.log.limits import is_battle, is_host
from domain.log.record import FileFault, Recorded
from domain.run.branching import ALL, STRANGER, facts_of_branch, require_place, require_playable
from domain.run.timeline import Timeline, vault_of
from replay.bench.bench import UnreadableCase, play_case
from replay.bench.case_file import read_case
from replay.proof import chain, shapes
from replay.proof.blocks import ProtocolFault, octets
from replay.proof.piles import TEN_CARDS, Cards

HEAD_BYTES = 32


class BranchSource(Protocol):
    """What a branch may begin from: another battle, or a case."""

    battle: str
    host: str

    def head(self, n: int) -> str:
        """What a branch names as the head at event `n`, in hex; "" if there is no such event."""

    def opened(self) -> Any:
        """The first event."""

    def state(self, n: int) -> Any:
        """The state of the game after event `n`."""


def branch_of(events: Sequence[Recorded]) -> tuple[Branch, Position] | None:
    """Where a battle begins that is a branch, and with what; None for any other.

    Raises:  ProtocolFault `bad-branch`
    """
    opened: Any = events[0].event if events else None
    branch, position = getattr(opened, "branch", UNSET), getattr(opened, "position", UNSET)
    if (branch is UNSET) != (position is UNSET):
        raise ProtocolFault(1, "bad-branch", member="position" if position is UNSET else "branch")
    return None if branch is UNSET or position is UNSET else (branch, position)


def require_branch(branch: Branch, position: Position, names: tuple[str, ...]) -> None:
    """Refuse what no branch says of its source, or of turn and mover; `names` are the seats of the battle.

    Raises:  ProtocolFault `bad-branch`, `bad-hex`
    """
    is_of_a_case = not branch.battle and not branch.host
    octets(1, "head", branch.head, HEAD_BYTES)
    for member, is_right in (
        ("battle", is_of_a_case or is_battle(branch.battle)),
        ("host", is_of_a_case or is_host(branch.host)),
        ("n", branch.n >= 1),
        ("known", branch.known in (ALL, STRANGER, *names)),
        ("t", position.t >= 0),
        ("mover", position.mover in (names if position.t else ("", *names))),
    ):
        if not is_right:
            raise ProtocolFault(1, "bad-branch", member=member)


def require_piles(decks: Mapping[str, Cards], given: Mapping[str, PileLeft]) -> None:
    """Refuse decks of a position that cannot be left of the whole ones.

    Raises:  ProtocolFault `unknown-deck`, `bad-branch`
    """
    for deck, left in given.items():
        whole = decks.get(deck)
        if whole is None:
            raise ProtocolFault(1, "unknown-deck", deck=deck)
        there = set(left.cards)
        in_order = left.cards == tuple(card for card in whole if card in there)
        is_once = len({*left.cards, *left.kept}) == len(left.cards) + len(left.kept) and there.issubset(whole)
        is_endless = whole != TEN_CARDS or (left.cards == whole and not left.kept)
        numbers = left.epoch >= 1 and left.drawn >= 0
        if not (in_order and is_once and is_endless and numbers and set(left.kept).issubset(whole)):
            raise ProtocolFault(1, "bad-branch", member=f"decks.{deck}")


def require_position(ruleset: Ruleset, position: Position) -> None:
    """Refuse a position that is no state of the game, or another than what stands beside it says.

    Raises:  Refusal core.bad-position, ProtocolFault `bad-branch`
    """
    state = ruleset.thaw(position.state)
    require_playable(ruleset, state)
    for member, expected in (
        ("t", state.t),
        ("mover", state.mover),
        ("decks", dict(ruleset.branches.decks(state))),
    ):
        if getattr(position, member) != expected:
            raise ProtocolFault(1, "bad-branch", member=member)


def require_same(ruleset: Ruleset, opened: Any, source: BranchSource) -> None:
    """Refuse a branch that does not begin with what its source was after the event that it names.

    Shape:   `opened` is event 1 of the branch
    Raises:  ProtocolFault `other-source` with the `member` that differs, `other-position`
    """
    branch: Branch = opened.branch
    for member, found in (("battle", source.battle), ("host", source.host), ("head", source.head(branch.n))):
        if getattr(branch, member) != found:
            raise ProtocolFault(1, "other-source", member=member, expected=getattr(branch, member), found=found)
    try:
        first, state = source.opened(), source.state(branch.n)
        expected: Any = facts_of_branch(ruleset, first, state, branch)[0].event
        own: Any = replace(opened, **dict.fromkeys(OF_ONE_BATTLE, UNSET))
        is_same = ruleset.thaw(own.position.state) == ruleset.thaw(expected.position.state)
        own = replace(own, position=replace(own.position, state=expected.position.state))
    except Exception:  # a source may claim anything, and folding trusts what it claims
        raise ProtocolFault(1, "other-position") from None
    if not is_same or own != expected:
        raise ProtocolFault(1, "other-position")


def source_in(content: bytes, rulesets: Mapping[str, Ruleset]) -> BranchSource:
    """The source in the bytes of a file: a battle, or a case.

    Raises:  FileFault `not-a-source`, or what is wrong with a battle file
    """
    if content[:1] == b"{":
        return BattleSource(content, rulesets)
    try:
        return CaseSource(content, rulesets)
    except (Refusal, UnreadableCase):
        raise FileFault(0, "not-a-source") from None


class BattleSource:
    """The file of another battle, whose chain and signature hold.

    Raises:  FileFault
    """

    def __init__(self, content: bytes, rulesets: Mapping[str, Ruleset]) -> None:
        log = chain.open_file(content, allow_unfinished=True)
        self._log, self._ruleset = log, rulesets[log.header.ruleset]
        self._events = shapes.read_events(log.lines, log.header.rules, self._ruleset, version=log.header.version)
        self.battle, self.host = log.header.battle, log.header.host

    def head(self, n: int) -> str:
        """The hash of event `n`; "" if there is none."""
        return self._log.hashes[n].hex() if n < len(self._log.hashes) else ""

    def opened(self) -> Any:
        """Event 1."""
        return self._events[0].event

    def state(self, n: int) -> Any:
        """The state of the game after event `n`, as far as the file opens it."""
        require_place(self._events, n)
        header = self._log.header
        timeline = Timeline(self._ruleset, vault_of(list(self._events)), header.rules, header.version)
        for recorded in self._events:
            timeline.feed(recorded)
        return timeline.at(n).game


class CaseSource:
    """A case of `phalera lab`, played.

    Raises:  Refusal, UnreadableCase
    """

    battle = host = ""

    def __init__(self, content: bytes, rulesets: Mapping[str, Ruleset]) -> None:
        self._head = sha256(content).hexdigest()
        self.played = play_case(read_case(content, "the case"), rulesets)

    def head(self, n: int) -> str:
        """The SHA-256 of the file; "" for an event after which nobody was to act."""
        return self._head if n in self.played.states else ""

    def opened(self) -> Any:
        """Event 1."""
        return self.played.opened

    def state(self, n: int) -> Any:
        """The state after `n` events of the case."""
        return self.played.states[n]
