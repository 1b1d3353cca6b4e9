"""Where a battle turned: the orders after which the lead had changed most."""

from msgspec import Struct

from replay.reports.account.reading import Exchange, Reading

LEAST = 1e-9


class Swing(Struct, frozen=True):
    """An exchange after which a side was better off by `swing`, a share of all that decides the game; southwards if it
    is positive."""

    turn: int
    exchange: Exchange
    swing: float


def swings(reading: Reading) -> list[Swing]:
    """All swings, the largest first; of equal ones the earlier."""
    found = [
        Swing(part.turn, exchange, reading.lead(exchange.after) - reading.lead(exchange.before))
        for part in reading.parts
        if part.turn
        for exchange in part.exchanges
    ]
    return sorted((one for one in found if abs(one.swing) > LEAST), key=lambda one: (-abs(one.swing), one.exchange.n))
