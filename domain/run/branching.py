"""Branches: a battle that begins where another one stood (docs/branches.md).

What holds:
- The state of a branch is that of its source after event n, apart from the log it came from: numbers of events are
  those of another log (0 and below), looks are forgotten, dice and rewinds are counted from nothing.
- Nothing is in it that its brancher does not know. What they do not know is dealt anew, from a stream of the head that
  it begins at: all who branch there with the same knowledge, and whoever has the source, make the same position.
- It begins after a block: in the middle of one, rules are still at work on an order.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.contract.ruleset import NOBODY, Ruleset
from domain.engine.positions import RULE, bad_position, freeze
from domain.engine.state import GameState, in_its_phase
from domain.events.battle import BattleOpened, Branch, Fact, Position
from domain.events.inputs import OF_ONE_BATTLE
from domain.log.fairness import H, Stream
from domain.log.record import Recorded
from domain.run.decide import to_act
from domain.run.rewind_points import ends_block
from domain.run.seats import Battle

ALL, STRANGER = "all", "stranger"
"""Who knows everything of an ended battle, and who knows nothing that is hidden in a running one."""


# --- where


def require_place(events: Sequence[Recorded], n: int) -> None:
    """Refuse an event after which no branch can begin: one within a block, or the end of the battle.

    Shape:  `n` is an event of the log
    Raises: Refusal core.branch-inside, core.branch-over
    """
    if not ends_block(events, n):
        before, after = place_before(events, n), place_after(events, n)
        raise Refusal("core.branch-inside", RULE, n=n, before=before, after=after)


def place_before(events: Sequence[Recorded], n: int) -> int:
    """The last event up to `n` after which a branch may begin; 0 if there is none."""
    return next((at for at in range(n, 0, -1) if ends_block(events, at)), 0)


def place_after(events: Sequence[Recorded], n: int) -> int:
    """The first event from `n` on after which a branch may begin; 0 if there is none."""
    return next((at for at in range(n, len(events) + 1) if ends_block(events, at)), 0)


# --- what


def knower(now: Battle, n: int, side: str = NOBODY) -> str:
    """The knower of the start of a branch after event `n`, if `side` makes it: all, where nothing up to it is sealed
    any more in the battle as it is `now`."""
    is_open = now.ended or all(sealed > n for sealed in now.sealed)
    return ALL if is_open else side or STRANGER


def branched(ruleset: Ruleset, state: GameState, branch: Branch) -> Any:
    """The state with which a branch begins, of that of its source after event `branch.n`.

    Raises: Refusal core.branch-over
    """
    if state.winner is not None:
        raise Refusal("core.branch-over", RULE, n=branch.n)
    state = in_its_phase(state)
    hidden: tuple[str, ...] = ()
    if branch.known != ALL:
        side = NOBODY if branch.known == STRANGER else branch.known
        state = ruleset.secrets.known(state, side)
        hidden = tuple(other for other in ruleset.seats.names if other != side)

    def renumbered(n: int) -> int:
        return n and n - branch.n - 1

    standing = tuple(replace(order, n=renumbered(order.n)) for order in state.standing)
    state = ruleset.branches.detached(replace(state, standing=standing, n=0, rewinds=0, rolled={}), renumbered)
    return ruleset.branches.dealt(state, hidden, Stream(H("branch", bytes.fromhex(branch.head))).below)


def position_of(ruleset: Ruleset, state: GameState) -> Position:
    """A state of `branched` as the log of the branch has it."""
    decks = dict(ruleset.branches.decks(state))
    return Position(ruleset.version, state.t, state.mover, decks, freeze(state))


def facts_of_branch(ruleset: Ruleset, opened: BattleOpened, state: GameState, branch: Branch) -> tuple[Fact, ...]:
    """The facts that open a branch; `opened` is event 1 of its source, and `state` that after event `branch.n`.

    Raises: Refusal core.branch-over
    """
    private = dict.fromkeys(ruleset.secrets.fields(ruleset.rules.initial, opened), UNSET)
    if "sealed" in opened.__struct_fields__:
        private["sealed"] = UNSET
    fresh = replace(opened, **private, **dict.fromkeys(OF_ONE_BATTLE, UNSET))
    position = position_of(ruleset, branched(ruleset, state, branch))
    rule = ruleset.rules.cited.get("BattleOpened", fresh.RULE)
    return (Fact("server", rule, replace(fresh, branch=branch, position=position)),)


def require_playable(ruleset: Ruleset, state: GameState) -> None:
    """Refuse a position from elsewhere that the game cannot show, or of which it cannot say what may be ordered there.

    Raises: Refusal core.bad-position
    """
    state = in_its_phase(state)
    try:
        for side in (*ruleset.seats.names, NOBODY):
            known = ruleset.secrets.known(state, side)
            ruleset.shown.view(known, side)
            if side in to_act(ruleset, state):
                ruleset.orders.options(known, side)
    except Exception:  # a state that no game ever made may break any rule, in any way
        raise bad_position("", "shape") from None
