"""A player who knows nothing but the letter in front of them.

The captain copies orders from the list in the letter: he charges and shoots where it offers a charge or a shot, else
goes ahead, and writes a whole turn into one mail (`try` goes on where the rules refuse, `repeat` until it fails). He
never looks at the server.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

LINE = re.compile(r"^\| (?!  )(?P<first>.*(?:\n\|   .*)*)$", re.M)
CHOICE = re.compile(r"(?P<number>\d+) (?P<order>.*?)(?: (?P<odds>\d+)%)?")
NAMED = re.compile(r"(?:.*? )?(?P<unit>[A-Z]+\d+) (?P<rest>\d+ .*)")
"""An order in a line of many units, behind the name of one: "light javelins B2 R3 27 ahead 90%"."""
ATTACKS = ("charge ", "shoot ")
END = "end turn"


class Offer(NamedTuple):
    """A numbered order of a letter, under the name of a unit ("" for the whole side)."""

    number: int
    unit: str
    order: str

    @property
    def whole(self) -> str:
        """The order as it is written."""
        return f"{self.unit} {self.order}" if self.unit and not self.order.startswith("group ") else self.order


def offers(letter: str) -> list[Offer]:
    """The legal orders that a letter lists: "R1 legionaries C3: 4 ahead 90%; 5 turn left, 6 turn right"."""
    found = []
    for line in LINE.finditer(letter):
        label, colon, words = line["first"].replace("\n|  ", "").rpartition(": ")
        unit = label.split()[0] if colon else ""
        for part in re.split(r"[,;] ", words):
            named = NAMED.fullmatch(part)
            unit = named["unit"] if named else unit
            if choice := CHOICE.fullmatch(named["rest"] if named else part):
                found.append(Offer(int(choice["number"]), unit, choice["order"]))
    return found


def answer(letter: str) -> str:
    """The captain's reply to a letter; "" if it asks nothing of him."""
    offered = offers(letter)
    if not offered:
        return ""
    if all(offer.order != END for offer in offered):
        return str(offered[0].number)  # a question: evade, replay a card …
    return "\n".join([*_turn(offered), f"try {END}"])  # it ends by itself where every corps is done


def _turn(offered: Sequence[Offer]) -> list[str]:
    """A line or two for each unit, attacks first: where one fails its corps is done, and the next has its turn."""
    attacks = [offer for offer in offered if offer.unit and offer.order.startswith(ATTACKS)]
    lines = {offer.unit: f"try repeat 3 {offer.whole}" for offer in reversed(attacks)}
    for offer in offered:
        if offer.order == "ahead" and offer.unit not in lines:
            lines[offer.unit] = f"try repeat 2 {offer.whole}"
    units = list(dict.fromkeys(offer.unit for offer in offered))
    return [lines[unit] for unit in units if unit in lines]
