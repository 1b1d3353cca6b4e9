"""Examples of how the orders of a game are written, for the help of pages and letters.

Examples, not a grammar: each can be read by its game's own `parse`, which a test sees to.
"""

from collections.abc import Mapping

from msgspec import Struct


class OrderForm(Struct, frozen=True):
    """An order as it could be written, and what it says."""

    example: str
    says: str


class Chapter(Struct, frozen=True):
    """Orders that belong together."""

    title: str
    forms: tuple[OrderForm, ...]


def _chapter(title: str, **said: str) -> Chapter:
    return Chapter(title, tuple(OrderForm(example, says) for example, says in said.items()))


TO_THE_STRONGEST = (
    _chapter(
        "Before the turns: terrain, deployment",
        **{
            "place wood D4": "also marsh, rocky, gentle_hill, steep_hill, building, impassable",
            "place stream D4/D5": "between two boxes; also ford, hedge, wall",
            "shift N": "where a piece goes that a card lets you shift: N E S W; or shift open, shift none",
            "deploy R1 D2": "into a box of your zone, facing the enemy; deploy R1 D2 E to face east",
            "deploy G1 D2": "a detached general near a unit of his corps",
            "deploy G1 with R1": "a general together with a unit",
            "deploy camp D1": "the camp of the corps; deploy camp D1 fortified N E; joined camps with all boxes: D1 E1",
            "done": "you have placed your terrain; the corps stands",
        },
    ),
    _chapter(
        "Stratagems: the page lists those that you hold, with what they do",
        **{
            "play scouts": "more points for scouting",
            "play ground wood D4": "hidden ground, while terrain is placed or before scouting",
            "play ambush R5 R6 D4": "one or two units hide in rough ground, while you deploy",
            "play flank-march II E": "a corps without camp comes later over the edge E or W, while you deploy",
            "play stakes D2 E2 F2": "stakes before one to three boxes, while you deploy",
            "play night-march I": "a corps goes ahead one box, before you open a corps in your first turn",
            "play water R1": "takes a disorder off a unit; also play hold R1, play inspired G1, play traitor N1",
            "play arrows": "more ammunition in reserve; also play false-orders",
            "play oracle": "you see your next cards; play oracle 3 1 2 puts them in another order",
        },
    ),
    _chapter(
        "Units",
        **{
            "R1 ahead": "one box ahead; also ahead-left, ahead-right, left, right, back",
            "R7 ahead 2 facing E": "two boxes, then face east",
            "R1 to E4": "into the box E4, if one order leads there",
            "R1 turn left then ahead": "turn (left, right, about, or N E S W), then go ahead",
            "R1 charge E5": "attack the enemy in E5, or name the unit",
            "R7 charge E5 halt": "attack, but do not pursue if the enemy evades",
            "R5 shoot E6": "shoot into E6; with x2 at the end twice",
            "R7 ahead then shoot E6": "lights with the right weapons; or shoot E6 then back",
            "R1 rally": "bring a unit back into order",
            "R5 replenish ammo": "take ammunition from the reserve; or lance, pilum",
            "R1 form shieldwall": "normal, shieldwall, tortoise, dismounted",
            "R1 march E6": "straight ahead far from the enemy",
            "R7 pass ahead": "through friends into the box beyond; or pass back",
            "R2 swap": "front and rear unit of a box change places",
            "R7 leave": "off the table; R7 return A1 comes back",
        },
    ),
    _chapter(
        "Groups, generals, corps",
        **{
            "group R1 R2 R3 ahead": "units side by side that face the same way, with one card",
            "group R1 R2 march": "the same on the march",
            "general G1 to E4 with R2": "ride to another box and join a unit there",
            "general G1 with R2": "join a unit of the same box; general G1 alone leaves it",
            "corps II": "activate the units of a corps",
            "done": "the corps has finished",
            "end turn": "your turn is over",
        },
    ),
    _chapter(
        "Answers",
        **{
            "evade yes facing W": "get out of the way of a charge, or evade no",
            "replay yes with G1": "draw the card again, or replay no",
            "join R2": "the unit that a general goes to",
        },
    ),
    _chapter(
        "Standing orders: answers given in advance, hidden from the other side",
        **{
            "standing evade R7 always": "always, never, heavier (only from a heavier charger), ask",
            "standing evade all if needs at most 5 unless charged by foot": "if …, unless …, else ask; and, or",
            "standing replay never": "always, never, ask; for one unit: standing replay R7 …",
            "standing replay with G1 if hit": "who is to replay, and when",
            "standing join R2 R3": "the units a general without a unit goes to, the best first",
            "standing shift open S": "where a piece of terrain goes, the best first",
        },
    ),
    _chapter(
        "At any time",
        **{
            "offer draw": "another order of yours takes the offer back",
            "accept draw": "ends the battle without a winner; or decline draw",
            "resign": "gives the battle up",
        },
    ),
)
NOTATIONS: Mapping[str, tuple[Chapter, ...]] = {"tts": TO_THE_STRONGEST}
"""By ruleset."""
