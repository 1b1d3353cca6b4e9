"""A player who knows nothing but the letter in front of them.

The captain copies orders from the list in the letter: he charges and shoots where it offers a charge or a shot, else
goes ahead, and writes a whole turn into one mail (`try` goes on where the rules refuse, `repeat` until it fails). He
never looks at the server.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

OFFER = re.compile(r"^\| (?P<order>\S.*?)[ \t]+# (?P<number>\d+)(?:: (?P<needs>.*))?$", re.M)
ATTACKS = (" charge ", " shoot ")
END = "end turn"


class Offer(NamedTuple):
    """A numbered order of a letter."""

    number: int
    order: str
    needs: str

    @property
    def unit(self) -> str:
        """Who acts."""
        return self.order.split()[0]


def offers(letter: str) -> list[Offer]:
    """The legal orders that a letter offers to copy, in its order."""
    found = OFFER.finditer(letter)
    return [Offer(int(each["number"]), each["order"], each["needs"] or "") for each in found]


def answer(letter: str) -> str:
    """The captain's reply to a letter; "" if it asks nothing of him."""
    offered = offers(letter)
    if not offered:
        return ""
    if all(offer.order != END for offer in offered):
        return offered[0].order  # a question: evade, replay a card …
    return "\n".join([*_turn(offered), f"try {END}"])  # it ends by itself where every corps is done


def _turn(offered: Sequence[Offer]) -> list[str]:
    """A line or two for each unit, attacks first: where one fails its corps is done, and the next has its turn."""
    attacks = [offer for offer in offered if any(word in offer.order for word in ATTACKS)]
    lines = {offer.unit: f"try repeat 3 {offer.order}" for offer in reversed(attacks)}
    for offer in offered:
        if offer.order == f"{offer.unit} ahead" and offer.unit not in lines:
            lines[offer.unit] = f"try repeat 2 {offer.order}"
    units = list(dict.fromkeys(offer.unit for offer in offered))
    return [lines[unit] for unit in units if unit in lines]
