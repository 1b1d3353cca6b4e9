"""Set up as last time: the orders that a player gave before the turns of an earlier battle, with the same force.

The force is the same if it has the same pieces by the same names: the same side of a scenario, or an army of the same
composition. Only the newest few battles of the player are looked at. Each line that the rules allow here becomes part
of a proposal; nothing is drawn, stored or sent.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from msgspec import UNSET, Struct

from domain.basics.errors import Refusal
from domain.contract.ruleset import Ruleset
from domain.events.inputs import OrderAccepted
from domain.log.chance import StreamChance
from domain.log.fairness import Stream
from domain.run.decide import decide, folded, to_act
from server.play.live_battle import LiveBattle
from server.play.live_battles import LiveBattles
from server.play.lobby import Lobby
from server.play.planning import Situation, is_placed

LOOKED_AT = 40
"""Of the player's battles, those that are looked at: the newest."""
READ = 4
"""Of those with the same game and side, those that are read."""
MOST = 200
"""Lines of an earlier set-up."""


class Fitted(Struct, frozen=True):
    """An earlier set-up in this battle: the lines that can be played one after the other, and those that do not fit."""

    lines: tuple[str, ...]
    left_out: tuple[str, ...]


async def earlier(lobby: Lobby, battles: LiveBattles, live: LiveBattle, side: str, player: str) -> tuple[str, ...]:
    """The orders of the player's newest other battle with the same force, in this phase; () if there is none.

    Raises: Refusal core.busy
    """
    entries = await lobby.battles("mine", player, LOOKED_AT)
    same = [entry.battle for entry in entries if entry.ruleset == live.ruleset.code and entry.battle != live.id]
    held = {entry.battle for entry in entries for seat in entry.seats if (seat.side, seat.player) == (side, player)}
    for battle in [battle for battle in same if battle in held][:READ]:
        other = await battles.get(battle)
        await other.remember()
        lines = past_orders(other, side, player, live.game.phase, force(live.ruleset, live.known(side), side))
        if lines:
            return lines
    return ()


def force(ruleset: Ruleset, known: Any, side: str) -> frozenset[tuple[str, str]]:
    """What a side has, on the table or beside it: each thing by its name, with what it is."""
    scene = ruleset.shown.view(known, side)
    return frozenset((token.id, token.type) for token in (*scene.tokens, *scene.aside) if token.side == side)


def past_orders(
    other: LiveBattle, side: str, player: str, phase: str, wanted: frozenset[tuple[str, str]]
) -> tuple[str, ...]:
    """The orders that a player gave in a phase before the turns, with that force; () if it was another."""
    recording, lines = other.recording, list[str]()
    for before, recorded in recording.timeline.along():
        if before.game.turn or len(lines) == MOST:
            break
        event = recorded.event
        if not isinstance(event, OrderAccepted) or (event.side, event.player) != (side, player):
            continue
        if before.game.phase != phase or not recording.timeline.counts(recorded.n):
            continue
        known = other.ruleset.secrets.known(before.game, side)
        if not lines and force(other.ruleset, known, side) != wanted:
            return ()
        text = getattr(recording.seen(side, recorded), "text", UNSET)
        if isinstance(text, str):
            lines.append(text)
    return tuple(lines)


def fitted(situation: Situation, wanted: Sequence[str]) -> Fitted:
    """The lines of an earlier set-up that place something here, one after the other; what closes a part of it stays
    between them. It ends where the other side acts. Computed in a worker."""
    ruleset, side, known = situation.ruleset, situation.side, situation.known
    phase, lines, left_out, last = known.phase, list[str](), list[str](), 0
    chance = StreamChance(Stream(sha256(f"again\n{situation.battle}\n{situation.n}\n{side}".encode()).digest()))
    for line in wanted:
        if known.phase != phase or known.waiting is not None or side not in to_act(ruleset, known):
            break
        options = ruleset.orders.options(known, side)
        places = {_begins(option.order) for option in options if is_placed(option)}
        if not places:
            break
        is_place = _begins(line)[:1] in {begins[:1] for begins in places}
        if not is_place and (not lines or line != options[-1].order):
            continue
        try:
            facts = decide(ruleset, known, side, ruleset.orders.parse(line), chance)
        except Refusal:
            if _begins(line) in places:  # else it stands already
                left_out.append(line)
            continue
        lines.append(line)
        last = len(lines) if is_place else last
        known = ruleset.secrets.known(folded(ruleset, known, facts), side)
    return Fitted(tuple(lines[:last]), tuple(dict.fromkeys(left_out)))


def _begins(order: str) -> tuple[str, ...]:
    """What an order does, and with which piece."""
    return tuple(order.split()[:2])
