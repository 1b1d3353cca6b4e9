"""What an event shows on the board: a line from one token to another, or a short mark at one.

A game says it as data (`Presentation.effects`): the members of the event that name tokens, or a cell. Whoever draws it
knows the kinds, and no game.
"""

from typing import Any, Literal

from msgspec import Struct

EffectKind = Literal[
    "shot", "charge", "hit", "miss", "save", "harm", "lost", "gone", "rally", "failed", "flees", "tally", "burned"
]
LINES = frozenset({"shot", "charge"})
"""Kinds that are lines, from a token to a target."""


class Effect(Struct, frozen=True):
    """One thing that an event shows.

    `kind`: a shot or a charge; at a token a `hit` or a `miss`, a `save`, a `harm` that stays, a part that is `lost`, a
    token that is `gone`, a `rally`, a draw that `failed`, one that `flees`, what is lost of the tally, a cell that was
    `burned`.
    `unit`, `target` and `count` are names of members: who it is shown at (one name or several, of tokens or cells),
    where its line leads, how many ("" for one); `is_half`: the count is of halves. With `given`, a member and its
    value, it is shown only then.
    """

    kind: EffectKind
    unit: str = "unit"
    target: str = ""
    count: str = ""
    is_half: bool = False
    given: tuple[str, Any] | None = None
