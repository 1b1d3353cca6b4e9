"""Makes pieces of the page of a battle once, whoever's page they stand on.

What an order led to is told in the same words for ever, so that the next page has hardly anything new to say of it.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import jinja2
from markupsafe import Markup

from replay.remembered import Remembered
from server.shown.chronicle import LoggedTurn
from server.shown.story import OrderStory

HAPPENED_KEPT = 256
GROUPS_KEPT = 4096
"""Orders with all that followed, of one to two kilobytes each."""
TURN_BYTES = 16 << 20
"""The room for turns of the log that are over."""


def add_pieces(environment: jinja2.Environment) -> None:
    """Let the templates of an environment use the pieces."""
    macros: Any = None

    def macro(name: str) -> Callable[..., Markup]:
        nonlocal macros
        if macros is None:
            macros = environment.get_template("pieces.html").module
        made: Callable[..., Markup] = getattr(macros, name)
        return made

    @lru_cache(GROUPS_KEPT)
    def story_group(group: OrderStory, base: str, look: str, own: str, spoken: str) -> Markup:
        return macro("one_group")(group, base, look, own, spoken)

    turns: Remembered[Markup] = Remembered(TURN_BYTES, len)

    def logged_turn(turn: LoggedTurn, *where: str | bool) -> Markup:
        def made() -> Markup:
            return macro("logged_turn")(turn, *where)

        return turns.get((turn,), where, made) if turn.is_over else made()

    @lru_cache(HAPPENED_KEPT)
    def happened(groups: tuple[OrderStory, ...], spoken: str) -> Markup:
        return macro("happened")(groups, spoken)

    environment.globals["logged_turn"] = logged_turn
    environment.globals["story_group"] = story_group
    environment.globals["happened"] = happened
