"""The reader's part of the chance: phrase or seal, and the key that signs."""

from msgspec import Struct

from domain.log.record import PBEM_2_1
from server.play.live_battle import LiveBattle
from server.web.pages.battle.viewpoint import Viewpoint


class ChancePart(Struct, frozen=True):
    """`seen` is the newest head as forms send it. `phrase_due`, `seal_due`: the next order takes one with it;
    `contribution_due`: the side may give its part now; `owing`: a contribution goes with whatever the side orders next,
    whoever's turn it is. `anchor` is what the next seal of a sealed seat must hash to, "" for a plain one; `has_book`:
    the page keeps its book of seals. `signer` is the key of the seat, "" for none, `serial` its newest signature.
    `signs_all`: whoever brings a key signs whatever they do (PBEM-2.1)."""

    seen: str
    phrase_due: bool
    contribution_due: bool
    owing: bool
    sealed: bool
    anchor: str
    seal_due: bool
    has_book: bool
    signer: str
    serial: int
    signs_all: bool


def chance_part(seen: Viewpoint) -> ChancePart:
    """The part of the chance that the reader's side has to give."""
    live, side, now = seen.live, seen.side, seen.live.recording.battle
    mine, head = now.seats.get(side), live.recording.newest_head()
    is_sealed, is_plain = (mine is not None and mine.mode == mode for mode in ("sealed", "plain"))
    return ChancePart(
        seen=f"{head.n} {head.hash}" if head else "",
        phrase_due=is_plain and side in live.ruleset.rules.active(now.game) and now.owes(side),
        contribution_due=not seen.acts and side in now.owing and not now.waits_for_others(side),
        owing=side in now.owing,
        sealed=is_sealed,
        anchor=mine.anchor if mine else "",
        seal_due=is_sealed and _takes_seal(live, side),
        has_book=is_sealed and seen.is_newest and not (now.ended or live.closed),
        signer=mine.signer if mine else "",
        serial=now.serials.get(side, 0),
        signs_all=now.version >= PBEM_2_1,
    )


def _takes_seal(live: LiveBattle, side: str) -> bool:
    """Whether a seal goes with the next order of a sealed seat; a book's first waits for the other side."""
    now = live.recording.battle
    in_turn = side in now.owing or side in live.ruleset.rules.active(now.game)
    return in_turn and now.owes(side) and not now.waits_for_others(side)
