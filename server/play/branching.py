"""Branches on a server: another battle that begins where one of its battles stood (docs/branches.md)."""

from typing import Any

from domain.engine.branching import facts_of_branch, knower, place_before, require_place
from domain.engine.errors import Refusal
from domain.engine.events import Branch
from domain.engine.positions import RULE
from domain.engine.state import SIDES
from server.people.players import Player
from server.play.access import side_for
from server.play.live_battle import LiveBattle
from server.play.live_battles import LiveBattles
from server.store.tables import holdings


async def open_branch(battles: LiveBattles, live: LiveBattle, player: Player, n: int, readers: str = "") -> LiveBattle:
    """Open a branch of a battle after event `n`, for a player who may read it; a side of theirs knows more there than a
    stranger. Who may read the branch is said by `readers`, "" for the readers of its source. A branch that holds what a
    side alone knows is its maker's own.

    Raises: Refusal core.no-such-event, core.branch-inside, core.branch-over, core.too-many-battles
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
    allowed = "players" if known in SIDES else readers or recording.battle.readers
    return await battles.open(live.ruleset.code, facts, allowed, opener=player)


def nearest_place(live: LiveBattle, n: int) -> int:
    """The last event up to `n` after which a branch may begin; 0 if there is none."""
    return place_before(live.recording.timeline.events, n)


def require_own_branch(live: LiveBattle, player: Player) -> None:
    """Refuse a person who takes a side of a branch that holds what somebody else alone knows.

    Raises: Refusal core.branch-of-others
    """
    branch = live.recording.battle.branch
    if branch is not None and branch.known in SIDES and holdings.opener(live.store, live.id) != player.id:
        raise Refusal("core.branch-of-others", RULE)
