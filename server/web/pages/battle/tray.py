"""The orders of the reader's side: what they may order, what waits, and what lets the battle go on."""

from msgspec import Struct

from domain.basics.commands import Standing
from replay.telling.words import order_in
from server.play.live_battle import LiveBattle
from server.play.planning import can_plan
from server.shown.picks import ANSWERS, Picks, grouped, in_language
from server.shown.targets import TargetShown, targets_of
from server.web.api.battles import parked_lines
from server.web.pages.battle.viewpoint import Viewpoint

ANSWERS_AT_HAND = 4
"""As many answers have a button beside those that send orders."""


class StandingShown(Struct, frozen=True):
    """A standing order of the reader's side."""

    order: str
    n: int


class TrayPart(Struct, frozen=True):
    """`picks` are the orders that can be chosen, `targets` where they lead, `onward` those that let the battle go on
    (answers, or what ends the turn), each with its label; `still` how many units could act before the turn is ended, 0
    where there is nothing to ask first. `can_plan`: the bot can propose how the side sets up;
    `can_repeat`: its player has set up the same force before. `in_hand` is what the side holds, `parked` are lines that
    wait for the other side's answer."""

    picks: tuple[Picks, ...]
    targets: tuple[TargetShown, ...]
    onward: tuple[tuple[str, str], ...]
    still: int
    can_plan: bool
    can_repeat: bool
    in_hand: tuple[str, ...]
    held_title: str
    standing: tuple[StandingShown, ...]
    parked: tuple[str, ...]
    draw_offer: str


def tray_part(seen: Viewpoint) -> TrayPart:
    """The orders of the reader's side; none for a stranger or after an event of before."""
    live, side, lang = seen.live, seen.side, seen.lang
    orders = bool(side) and seen.is_newest
    acts = orders and seen.acts
    picks = _picks(seen) if orders else ()
    return TrayPart(
        picks=picks,
        targets=targets_of(picks),
        onward=_onward(live, side, lang) if acts else (),
        still=_still(live, side) if acts else 0,
        can_plan=acts and can_plan(live.ruleset, live.known(side), live.options(side)),
        can_repeat=False,
        in_hand=seen.scene.held,
        held_title=live.ruleset.shown.held,
        standing=tuple(_standing(live, side, lang)),
        parked=parked_lines(live, side),
        draw_offer=live.recording.battle.game.draw_offer,
    )


def _picks(seen: Viewpoint) -> tuple[Picks, ...]:
    ruleset, lang = seen.live.ruleset, seen.lang
    options = in_language(seen.live.options(seen.side), ruleset, lang)
    return grouped(options, seen.scene, ruleset.shown.kinds, lang, ruleset.shown.notes)


def _onward(live: LiveBattle, side: str, lang: str) -> tuple[tuple[str, str], ...]:
    """The few answers to what is asked, else the order of the whole side that lets the battle go on; each with its
    label, the order in the reader's notation."""
    listed = live.options(side)
    answers = [option.order for option in listed if option.kind == "answer"]
    if not answers and listed:
        last = listed[-1]
        answers = [last.order] if not last.unit and last.target is None and last.kind not in ANSWERS else []
    if len(answers) > ANSWERS_AT_HAND:
        return ()
    return tuple((order, order_in(live.ruleset, order, lang)) for order in answers)


def _still(live: LiveBattle, side: str) -> int:
    listed = live.options(side)
    if any(option.kind == "answer" for option in listed):
        return 0
    return len({option.unit for option in listed if option.unit})


def _standing(live: LiveBattle, side: str, lang: str) -> list[StandingShown]:
    orders = getattr(live.known(side), "standing", ()) if side else ()
    return [
        StandingShown(live.ruleset.orders.write(Standing(order.topic, order.unit, order.value), lang), order.n)
        for order in orders
        if order.side == side
    ]
