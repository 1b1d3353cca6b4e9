"""Makes pieces of the page of a battle once, whoever's page they stand on.

What an order led to is told in the same words for ever, so that the next page has hardly anything new to say of it.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import jinja2
from markupsafe import Markup

from server.shown.story import Group

HAPPENED_KEPT = 256
GROUPS_KEPT = 4096
"""Orders with all that followed, of one to two kilobytes each."""


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
    def story_group(group: Group, base: str, look: str, own: str, spoken: str) -> Markup:
        return macro("story_group")(group, base, look, own, spoken)

    @lru_cache(HAPPENED_KEPT)
    def happened(groups: tuple[Group, ...], spoken: str) -> Markup:
        return macro("happened")(groups, spoken)

    environment.globals["story_group"] = story_group
    environment.globals["happened"] = happened
