"""Where a battle turned: the orders after which the lead had changed most, or in which luck weighed most."""

from fractions import Fraction

from msgspec import Struct

from replay.reports.account.reading import Exchange, ReportReading

LEAST = 1e-9


class Swing(Struct, frozen=True):
    """An exchange after which a side was better off by `swing`, a share of all that decides the game; southwards if it
    is positive. `luck` is what luck has brought the southern side in it, in what decides the game."""

    turn: int
    exchange: Exchange
    swing: float
    luck: Fraction
    weight: float


def swings(reading: ReportReading) -> list[Swing]:
    """All swings, the largest first; of equal ones the earlier."""
    found = [_swing(reading, part.turn, exchange) for part in reading.parts if part.turn for exchange in part.exchanges]
    return sorted((one for one in found if one.weight > LEAST), key=lambda one: (-one.weight, one.exchange.n))


def _swing(reading: ReportReading, turn: int, exchange: Exchange) -> Swing:
    """What an exchange weighs: by how much the lead has changed, or by luck if that is more."""
    swing = reading.lead(exchange.after) - reading.lead(exchange.before)
    luck = reading.luck_southwards(exchange)
    return Swing(turn, exchange, swing, luck, max(abs(swing), float(abs(luck)) / min(reading.wholes)))
