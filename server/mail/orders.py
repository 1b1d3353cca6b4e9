"""The legal orders that a letter lists, with what each needs.

Each is written as it may be sent, in the reader's notation; after `#`, which begins a comment, comes the number that
a card must reach for it. Of orders that differ only in their place the first is written out, the others only by their
places.
"""

from collections.abc import Mapping
from textwrap import wrap

from domain.contract.option import Option
from domain.contract.ruleset import Ruleset
from domain.contract.scene import Scene
from replay.drawing.text.signs import NO_BREAK
from replay.telling.words import order_in
from replay.telling.words.sentences import fragment, phrase
from server.mail.blocks import OrdersBlock
from server.play.live_battle import LiveBattle
from server.shown.menus import HEAD, head
from server.shown.outcome import percent
from server.shown.picks import Picks, arranged, grouped

PLACES_WIDTH = 64
MOST_PLACES = 240


def orders_of(live: LiveBattle, side: str, scene: Scene, lang: str) -> OrdersBlock:
    """What a side may order now; `scene` is its worded view."""
    options = live.options(side)
    by_order = {option.order: option for option in options}
    places = {token.id: token.cell for token in scene.tokens if token.cell}
    groups = []
    for picks in grouped(options, scene, live.ruleset.shown.kinds, lang):
        lines = [_line(live.ruleset, by_order[pick.order], lang) for pick in picks.picks]
        lines += _menu(live.ruleset, by_order, picks, lang)
        groups.append((_title(live.ruleset, picks, by_order, places, lang), tuple(lines)))
    return OrdersBlock(tuple(groups))


def numbered(live: LiveBattle, side: str) -> dict[str, int]:
    """The number of every order that has one in the list; of a menu of places only the first has."""
    groups = arranged(live.options(side), live.ruleset.shown.kinds)
    listed = (option.order for group in groups for option in (*group.options, *group.menu[:1]))
    return {order: at for at, order in enumerate(listed, 1)}


def _title(ruleset: Ruleset, picks: Picks, by_order: Mapping[str, Option], places: Mapping[str, str], lang: str) -> str:
    """A unit with its box, or the common part of the orders."""
    options = [by_order[order] for order in _orders(picks)]
    if options[0].unit and options[0].unit == picks.id:
        where = {"what": picks.title, "cell": places.get(picks.id, "")}
        return fragment("letter.orders.unit", where, lang)
    if picks.urgent:
        return phrase("letter.orders.answer", {}, lang)
    if picks.menu:
        return " ".join(order_in(ruleset, options[-1].order, lang).split()[:HEAD])
    return phrase(ruleset.shown.kinds.get(options[0].kind, "letter.orders.side"), {}, lang)


def _orders(picks: Picks) -> list[str]:
    return [*(pick.order for pick in picks.picks), *(order for order, _ in picks.menu)]


def _line(ruleset: Ruleset, option: Option, lang: str) -> str:
    """An order, and what it needs after `#`."""
    order = order_in(ruleset, option.order, lang)
    if not option.needed:
        return order
    said: dict[str, object] = {"needed": option.needed, "how": option.how}
    if option.odds and option.odds[1]:
        good, left = option.odds
        said |= {"good": good, "left": left, "share": percent(good, left, lang).replace(" ", NO_BREAK)}
    return f"{order}  # {fragment('letter.orders.need', said, lang)}"


def _menu(ruleset: Ruleset, by_order: Mapping[str, Option], picks: Picks, lang: str) -> list[str]:
    """The first of many places, and the others below it as comments."""
    if not picks.menu:
        return []
    (first, _), *others = picks.menu
    tails = [_tail(ruleset, order, lang) for order, _ in others]
    said = {"count": len(tails), "head": head(by_order[first])}
    lines = [f"{order_in(ruleset, first, lang)}  # {fragment('letter.orders.places', said, lang)}"]
    told = tails[:MOST_PLACES] + (["…"] if len(tails) > MOST_PLACES else [])
    return lines + [f"# {line}" for line in wrap(", ".join(told), PLACES_WIDTH, break_on_hyphens=False)]


def _tail(ruleset: Ruleset, order: str, lang: str) -> str:
    return " ".join(order_in(ruleset, order, lang).split()[HEAD:])
