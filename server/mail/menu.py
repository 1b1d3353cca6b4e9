"""The legal orders for a short list.

Orders are grouped by formation and unit and have the numbers of the whole list (`server.mail.orders`), under which they
may be sent. A game says which kinds of order a reader in a hurry wants first; the formation that acts now comes before
those that are yet to act, and units that can attack before the others.
"""

from collections.abc import Sequence
from itertools import groupby

from domain.contract.option import Option
from domain.contract.scene import Formation, Scene, Token
from replay.drawing.palette import tint_of
from replay.drawing.text.signs import NO_BREAK
from replay.telling.words import order_in
from replay.telling.words.catalogue import find
from replay.telling.words.sentences import fragment
from server.mail.blocks import Choice, MenuBlock, MenuLine
from server.mail.orders import numbered
from server.play.live_battle import LiveBattle
from server.shown.menus import menus
from server.shown.outcome import percent

Ranked = dict[str, list[Option]]
"""The options of each unit ("" for the whole side), the most wanted first."""


def menu_of(live: LiveBattle, side: str, scene: Scene, lang: str) -> MenuBlock:
    """The orders of a side; `scene` is its worded view."""
    ruleset, options = live.ruleset, live.options(side)
    numbers = numbered(live, side)
    ranked = _ranked([option for option in options if option.order in numbers], ruleset.shown.useful)
    titles = _Titles(scene, side, lang)
    places = {run[0].order: len(run) - 1 for run in menus(options).values()}

    def line(unit: str) -> MenuLine:
        choices = (
            Choice(
                numbers[option.order],
                _words(order_in(ruleset, option.order, lang), titles.named(unit, lang), places.get(option.order, 0)),
                _odds(option, lang),
            )
            for option in ranked[unit]
        )
        return MenuLine(titles.label(unit), tuple(choices), unit)

    units = titles.sorted([unit for unit in ranked if unit], ranked, ruleset.shown.useful)
    groups: list[tuple[str, tuple[MenuLine, ...]]] = [("", (line(""),))] if "" in ranked else []
    tints = [""] * len(groups)
    for (heading, tint), named in groupby(units, key=lambda unit: (titles.heading(unit), titles.tint(unit))):
        groups.append((heading, tuple(map(line, named))))
        tints.append(tint)
    return MenuBlock(tuple(groups), tuple(tints), live.id)


def _ranked(options: Sequence[Option], useful: Sequence[str]) -> Ranked:
    """The options by unit, each with the most wanted kind first, of a kind the likeliest."""
    ranked: Ranked = {}
    for option in options:
        ranked.setdefault(option.unit, []).append(option)
    for listed in ranked.values():
        listed.sort(key=lambda option: (_rank(option, useful), -_chance(option)))
    return ranked


def _rank(option: Option, useful: Sequence[str]) -> int:
    return useful.index(option.kind) if option.kind in useful else len(useful)


def _chance(option: Option) -> int:
    """How likely the first draw passes, in thousandths."""
    good, left = option.odds if option.needed and option.odds and option.odds[1] else (1, 1)
    return 1000 * good // left


class _Titles:
    """How units and their formations are called."""

    def __init__(self, scene: Scene, side: str, lang: str) -> None:
        self.side, self.lang = side, lang
        self.tokens: dict[str, Token] = {}
        for token in (*scene.aside, *scene.tokens):
            if token.side == side and token.form != "site":
                self.tokens[token.id] = token
        for group in scene.groups:
            if group.tokens[0] in self.tokens:
                self.tokens.setdefault(group.label, self.tokens[group.tokens[0]])
        self.formations = {formation.id: formation for formation in scene.formations if formation.side == side}

    def label(self, unit: str) -> str:
        """A unit with what it is and where: "R1 bowmen C3"."""
        token = self.tokens.get(unit) if unit else None
        what = find(f"type.{token.type}", self.lang) if token and token.type else ""
        return " ".join(part for part in (unit, what or "", token.cell if token else "") if part)

    def named(self, unit: str, lang: str) -> str:
        """How an order to a unit begins: with its name, of a person with what they are before it."""
        token = self.tokens.get(unit)
        kind = find(f"type.{token.type}", lang) if token and token.form == "emblem" else ""
        return f"{kind} {unit}" if kind else unit

    def formation(self, unit: str) -> Formation:
        """That of a unit, if it belongs to one."""
        token = self.tokens.get(unit)
        found = self.formations.get(token.formation) if token else None
        return found or Formation("", "")

    def heading(self, unit: str) -> str:
        """The name of a unit's formation, and whether it acts now."""
        formation = self.formation(unit)
        if not formation.title:
            return ""
        return fragment("letter.menu.formation", {"title": formation.title, "state": formation.state}, self.lang)

    def tint(self, unit: str) -> str:
        """The colour of a unit's formation in the picture of the board, "" if it has none."""
        return tint_of(tuple(self.formations.values()), self.side, self.formation(unit).id)

    def sorted(self, units: Sequence[str], ranked: Ranked, useful: Sequence[str]) -> list[str]:
        """Units: those whose formation acts now first, then by the most that any of their formation can do."""
        best = {unit: _rank(options[0], useful) for unit, options in ranked.items() if unit}
        together: dict[str, int] = {}
        for unit, rank in best.items():
            formation = self.formation(unit).id
            together[formation] = min(rank, together.get(formation, rank))
        order = list(self.formations)

        def key(unit: str) -> tuple[bool, int, int, int]:
            formation = self.formation(unit)
            at = order.index(formation.id) if formation.id in order else -1
            return formation.state != "open", together[formation.id], at, best[unit]

        return sorted(units, key=key)


def _words(order: str, unit: str, places: int) -> str:
    """An order without the words that name the unit under which it is listed, and how many other places there are for
    it."""
    words = order.removeprefix(f"{unit} ") if unit else order
    return f"{words} (+{places})" if places else words


def _odds(option: Option, lang: str) -> str:
    if not option.needed or not option.odds or not option.odds[1]:
        return ""
    return percent(*option.odds, lang).replace(" ", NO_BREAK)
