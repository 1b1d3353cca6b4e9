"""How the orders that every game has are read and written: resigning, and an agreed draw."""

from collections.abc import Callable, Mapping
from typing import Any

from domain.basics.commands import AcceptDraw, Command, DeclineDraw, OfferDraw, Resign
from domain.mechanics.notation import Reader


def _draw(command: type[Command]) -> Callable[[Reader], Command]:
    def read(reader: Reader) -> Command:
        reader.need(("draw",))
        return command()

    return read


READERS: Mapping[str, Callable[[Reader], Command]] = {
    "resign": lambda reader: Resign(),
    "offer": _draw(OfferDraw),
    "accept": _draw(AcceptDraw),
    "decline": _draw(DeclineDraw),
}
"""The first word of an order, and what reads the words after it."""
WRITERS: Mapping[type[Command], Callable[[Any], list[str]]] = {
    Resign: lambda command: ["resign"],
    OfferDraw: lambda command: ["offer", "draw"],
    AcceptDraw: lambda command: ["accept", "draw"],
    DeclineDraw: lambda command: ["decline", "draw"],
}
"""The canonical words of each."""
