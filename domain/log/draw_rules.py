"""Say what is wrong with a draw where it stands: the host asks before it writes one, the verifier of what it reads.

Both bring what they know themselves, the host from its state and the verifier from the log alone; the rule is one, so
that nothing is written which a reader would refuse (fairness.md 2, 11). What fell is not judged here: the host draws
it from its keys, and the verifier recomputes it.

What holds:
- Dice fall under `dice:…`, the deck of a seat under a scope of its own, a deck of all under `common` or a hand.
- Nothing new is drawn before each seat has contributed, and in a period begun by `TurnBegan` not before its mover has.
- Scopes `open:SIDE` are for what falls between `TurnBegan` and the mover's first order: cards, from header version 3
  on dice as well.
- A card names the epoch of its deck, its number there, and how many are left behind it. A shuffle begins the next
  epoch, with the whole deck less what is kept.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import UNSET, Struct

from domain.log.fairness import scope_label

DICE = "dice"
"""What dice are called beside the decks."""
OPEN_DICE = 3
"""The version of the header from which on dice fall under `open:SIDE`."""
SIDES_LIMIT = 1 << 53

Flaw = tuple[str, Mapping[str, Any]]
"""What is wrong: a stable code, and its details."""
Faces = Mapping[int, tuple[tuple[int, ...], ...]]
"""What the faces of the special dice of a game may count, by number of sides (`domain.contract.ruleset.DrawRules`)."""


class ScopeRules(Struct, frozen=True, gc=False):
    """Which scopes a battle may draw from: its seats, and the version of its header."""

    names: tuple[str, ...]
    version: int

    def flaw(self, what: str, scope: str, rewinds: int) -> Flaw | None:
        """What is wrong with drawing `what` under a scope: its name and label, or that it is another thing's.

        Shape: `what` is `dice` or a deck; the deck of a seat is named after it
        """
        return self.label_flaw(scope, rewinds) or self.kind_flaw(what, scope)

    def label_flaw(self, scope: str, rewinds: int) -> Flaw | None:
        """What is wrong with the name of a scope, or with its number of rewinds."""
        label = scope_label("", rewinds)
        base = scope.removesuffix(label)
        if scope == base + label and base in _scopes_of(self.names):
            return None
        return "scope-label", {"scope": scope, "expected": base.partition("/")[0] + label}

    def kind_flaw(self, what: str, scope: str) -> Flaw | None:
        """Whether a scope is that of another thing: else a host could choose among streams that it knows."""
        kind, _, seat = scope.partition("/")[0].partition(":")
        if what == DICE:
            fits = kind == DICE or (kind == "open" and self.version >= OPEN_DICE)
        elif what in self.names:
            fits = seat == what and kind != DICE
        else:
            fits = kind in ("common", "hand")
        return None if fits else ("other-scope", {"scope": scope, "of": what})


@cache
def _scopes_of(names: tuple[str, ...]) -> frozenset[str]:
    """The scopes that a battle of these seats may draw from, without the number of rewinds."""
    own = (f"{what}:{seat}" for what in ("draw", "dice", "hand", "open") for seat in names)
    return frozenset(("common", "dice:common", *own))


def is_open(scope: str) -> bool:
    """Whether a scope is drawn from before the mover's contribution."""
    return scope.startswith("open:")


def too_early(scope: str, began: bool, waiting: Sequence[str], mover: str) -> Flaw | None:
    """What is wrong with a scope being drawn from for the first time in its period.

    Shape: `waiting` are the seats that owe their entry; `mover` the side that has begun the period by `TurnBegan` and
           not contributed to it yet, "" if there is none
    """
    if not began:
        return "draw-before-start", {"scope": scope}
    late = waiting[0] if waiting else "" if is_open(scope) else mover
    return ("draw-before-contribution", {"scope": scope, "side": late}) if late else None


def turn_flaw(t: int, now: int) -> Flaw | None:
    """What is wrong with the player-turn that a draw names."""
    return None if t == now else ("other-turn", {"expected": now, "found": t})


def die_flaw(die: Any, faces: Faces) -> Flaw | None:
    """What is wrong with a `DieRolled` in itself: its number of sides, or what a table makes of its face."""
    if not 1 <= die.sides < SIDES_LIMIT:
        return "die-without-sides", {"found": die.sides}
    counts = faces.get(die.sides, ())
    if counts and die.face is not UNSET:
        allowed = [values[die.face - 1] if 1 <= die.face <= die.sides else 0 for values in counts]
        if die.value not in allowed:
            return "value-differs", {"expected": allowed[0], "found": die.value}
    return None


def index_flaw(index: int, before: int) -> Flaw | None:
    """What is wrong with the number of a draw behind `before` others."""
    return None if index == before + 1 else ("index-differs", {"expected": before + 1, "found": index})


def card_flaw(card: Any, epoch: int, before: int, left: int, *, is_endless: bool = False) -> Flaw | None:
    """What is wrong with the place of a `CardDrawn` in its deck: in epoch `epoch`, behind `before` others, from a pile
    of `left` cards, which an endless one keeps."""
    if card.epoch != epoch:
        return "epoch-differs", {"expected": epoch, "found": card.epoch}
    flaw = index_flaw(card.index, before)
    if flaw is not None:
        return flaw
    if left < 1:
        return "deck-exhausted", {"deck": card.deck}
    remaining = left if is_endless else left - 1
    if card.remaining != remaining:
        return "remaining-differs", {"expected": remaining, "found": card.remaining}
    return None


def shuffle_flaw(shuffled: Any, epoch: int, size: int) -> Flaw | None:
    """What is wrong with a `DeckShuffled` behind epoch `epoch`, 0 for none, that makes a pile of `size` cards."""
    if shuffled.epoch != epoch + 1:
        return "epoch-differs", {"expected": epoch + 1, "found": shuffled.epoch}
    return None if shuffled.size == size else ("size-differs", {"expected": size, "found": shuffled.size})
