"""The chance of bots from header version 3 on: it follows from the log and from keys that the host has bound.

What holds (fairness.md 11):
- The choices of a bot come from the scope `bot:SIDE` of the public chain, and the phrases that it gives from the same
  key. So a host cannot choose for its bot, and whoever has the master can play the bot again.
- Each order of a bot has a stream of its own, by the number of the orders that its side has given in the period: a bot
  that thinks twice, or in another process, comes to the same order.
- A phrase enters the seeds of draws together with the contributions of the others, so it needs none of theirs.

Rejected: one stream for a period (it would have to be stored where it stands); the number of the newest event in the
seed (the host writes events that nobody has ordered, such as those of the clock).
"""

from collections.abc import Sequence

from domain.events.battle import OrderAccepted, Rewound, TurnBegan
from domain.log import fairness
from domain.log.fairness import scope_label
from domain.log.keys import HostKeys
from domain.log.record import PBEM_2_1, Recorded
from domain.run.seats import Battle

PHRASE_BYTES = 16


def is_recomputable(battle: Battle) -> bool:
    """Whether the chance of its bots follows from the log."""
    return battle.version >= PBEM_2_1


def orders_in_period(events: Sequence[Recorded], side: str) -> int:
    """How many orders a side has given since the newest period began."""
    count = 0
    for at in range(len(events) - 1, -1, -1):
        event = events[at].event
        if isinstance(event, (TurnBegan, Rewound)):
            break
        count += isinstance(event, OrderAccepted) and event.side == side
    return count


def order_seed(keys: HostKeys, names: Sequence[str], battle: Battle, side: str, given: int) -> bytes:
    """The seed of the next order of a bot, in the state that it answers: 32 bytes.

    Shape: `names` the seats in the order of seeding, `given` as `orders_in_period` counts them
    """
    scope = scope_label(f"bot:{side}", battle.game.rewinds)
    seats = [battle.seats.get(name) for name in names]
    newest = [bytes.fromhex(seat.contribution) if seat else b"" for seat in seats]
    seed = fairness.seed(keys.key(scope, battle.period), keys.battle, battle.period, scope, newest)
    return fairness.M(seed, "pbem/2 bot order", given)


def bot_phrase(keys: HostKeys, battle: Battle, side: str, *, rewound: bool = False) -> str:
    """The phrase of a contribution of a bot in the present period, or in the one that a rewind begins now: 32 hex
    digits. The first of a seat is that of period 0: it is given as the seat is taken, when nobody knows in which period
    the battle will begin."""
    is_first = side not in battle.given
    period, rewinds = (0, 0) if is_first else (battle.period + rewound, battle.game.rewinds + rewound)
    scope = scope_label(f"bot:{side}", rewinds)
    key = keys.key(scope, period)
    return fairness.M(key, "pbem/2 bot phrase", keys.battle, period, scope)[:PHRASE_BYTES].hex()
