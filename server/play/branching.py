"""Branches on a server: another battle that begins where one of its battles stood (docs/branches.md).

What holds: a branch has no readers whom its source has not. The host shows nobody a battle that only its players read
because one of them, or its umpire, has branched it; and while that battle goes on its branch is played by its readers.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from domain.basics.decoding import decoder
from domain.basics.errors import Refusal
from domain.engine.positions import RULE
from domain.events.battle import Branch
from domain.log.record import decode_header
from domain.run.branching import facts_of_branch, knower, place_before, require_place
from server.people.players import Player
from server.play.access import may_read, side_for
from server.play.live_battle import LiveBattle
from server.play.live_battles import READERS, LiveBattles
from server.play.stopping import OPEN, status_of
from server.store import EventStore
from server.store.tables import holdings

PLAYERS = READERS[-1]
"""The narrowest readers: the players of a battle alone."""


class _Opening(Struct):
    """What is asked of event 1 of a battle."""

    branch: Branch | None = None


class _First(Struct):
    data: _Opening


_FIRST = decoder(_First)


async def open_branch(battles: LiveBattles, live: LiveBattle, player: Player, n: int, readers: str = "") -> LiveBattle:
    """Open a branch of a battle after event `n`, for a player who may read it; a side of theirs knows more there than a
    stranger. `readers` says who may read the branch, "" for the readers of its source; it never has more than those.
    A branch that holds what a side alone knows is its maker's own.

    Raises: Refusal core.no-such-event, core.branch-inside, core.branch-over, core.branch-wider, core.too-many-battles
    """
    await live.remember()
    recording = live.recording
    if not 1 <= n <= live.n:
        raise Refusal("core.no-such-event", RULE, n=n, last=live.n)
    require_place(recording.timeline.events, n)
    known = knower(recording.battle, n, side_for(live, player))
    branch = Branch(live.id, recording.header.host, n, recording.head_at(n).hash, known)
    opened: Any = recording.timeline.events[0].event
    state = recording.timeline.at(n).game

    facts = facts_of_branch(live.ruleset, opened, state, branch)
    allowed = PLAYERS if known in live.seats else _readers_of_branch(live, readers)
    return await battles.open(live.ruleset.code, facts, allowed, opener=player, not_before=recording.newest_at)


def _readers_of_branch(live: LiveBattle, wanted: str) -> str:
    """The readers of a branch of a battle: those who are wanted, if its source has them too.

    Raises: Refusal core.branch-wider
    """
    battle = live.recording.battle
    most = max(battle.readers, readers_at_most(live.store, battle.branch), key=READERS.index)
    if wanted and READERS.index(wanted) < READERS.index(most):
        raise Refusal("core.branch-wider", RULE, readers=wanted, most=most)
    return wanted or most


def _sources(store: EventStore, branch: Branch | None) -> Iterator[tuple[str, str]]:
    """The battles here that a branch goes back to, the nearest first, each with its readers."""
    before = set[str]()
    while branch is not None and branch.battle and branch.battle not in before:
        found = store.battle(branch.battle)
        if found is None or decode_header(found.header).host != branch.host:
            return
        yield found.battle, found.readers
        before.add(found.battle)
        branch = _FIRST.decode(store.lines(found.battle, 0, 1)[0]).data.branch


def readers_at_most(store: EventStore, branch: Branch | None) -> str:
    """The readers of a branch at most: those of whichever battle here that it goes back to has the fewest."""
    return max((READERS[0], *(readers for _, readers in _sources(store, branch))), key=READERS.index)


def private_sources(live: LiveBattle) -> list[str]:
    """The battles that a branch goes back to which go on, and which only their players read."""
    sources = _sources(live.store, live.recording.battle.branch)
    return [id_ for id_, readers in sources if readers == PLAYERS and status_of(live.store, id_) == OPEN]


def require_nobody_else(live: LiveBattle) -> None:
    """Refuse to call somebody in to a branch of a battle that goes on and that only its players read.

    Raises: Refusal core.branch-private
    """
    if private_sources(live):
        raise Refusal("core.branch-private", RULE)


async def require_reader_of_sources(live: LiveBattle, player: Player) -> None:
    """Refuse who takes a side of a branch and may not read a battle that it goes back to, while that one goes on.

    Raises: Refusal core.branch-private
    """
    for id_ in private_sources(live):
        if not may_read(await live.other(id_), player):
            raise Refusal("core.branch-private", RULE)


def nearest_place(live: LiveBattle, n: int) -> int:
    """The last event up to `n` after which a branch may begin; 0 if there is none."""
    return place_before(live.recording.timeline.events, n)


def require_own_branch(live: LiveBattle, player: Player) -> None:
    """Refuse a person who takes a side of a branch that holds what somebody else alone knows.

    Raises: Refusal core.branch-of-others
    """
    branch = live.recording.battle.branch
    if branch is not None and branch.known in live.seats and holdings.opener(live.store, live.id) != player.id:
        raise Refusal("core.branch-of-others", RULE)
