"""The page of a battle is made of parts: each has a struct, a module and a template of one name."""

from importlib import import_module
from pathlib import Path
from typing import get_type_hints

import pytest
from jinja2 import Environment, meta

from server.web.pages import rendering
from server.web.pages.battle.page import BattlePage
from tests.support.looping import some

TEMPLATES = Path(rendering.__file__).parent / "templates" / "battle"
PARTS = {
    name: kind
    for name, kind in get_type_hints(BattlePage).items()
    if getattr(kind, "__module__", "").startswith("server.web.pages.battle.")
}
PARSER = Environment(autoescape=True)
MOST_FIELDS = 12
"""Of a part; one that needs more is two."""


def includes(template: str) -> set[str]:
    """A template and all that it is made of."""
    found, left = set[str](), [template]
    while left:
        name = left.pop()
        found.add(name)
        named = meta.find_referenced_templates(PARSER.parse((TEMPLATES.parent / name).read_text()))
        left += [one for one in named if one and one not in found]
    return found


@pytest.mark.parametrize("name", sorted(PARTS))
def test_a_part_has_a_module_and_a_template_of_its_name(name: str) -> None:
    module = import_module(f"server.web.pages.battle.{name}")
    assert PARTS[name] is getattr(module, f"{name.capitalize()}Part")
    assert f"battle/{name}.html" in includes("battle/page.html")
    assert f"page.{name}." in "".join(path.read_text() for path in TEMPLATES.glob("*.html"))


def test_no_part_is_a_page_of_its_own() -> None:
    assert {"board", "tray", "story", "proof", "talk", "sides"} <= set(PARTS)
    for kind in some(PARTS.values()):
        assert len(kind.__struct_fields__) <= MOST_FIELDS


def test_every_template_of_the_page_is_used() -> None:
    used = includes("battle/page.html") | includes("battle/moment.html")
    assert {f"battle/{path.name}" for path in TEMPLATES.glob("*.html")} <= used
