"""How are the orders of a game written? The page that a player opens beside the order box."""

from aiohttp import web
from msgspec import Struct

from domain.errors import Refusal
from server.house import house_of
from server.pages.paper import page


class Form(Struct, frozen=True):
    """A kind of order: an example, and what it says."""

    example: str
    says: str


class Chapter(Struct, frozen=True):
    """Orders that belong together."""

    title: str
    forms: tuple[Form, ...]


def _chapter(title: str, **_: object) -> Chapter:
    return Chapter(title, ())


COMMON = Chapter(
    "In every game",
    (
        Form("standing", "answers a question before it is asked; the other side does not see it"),
        Form("offer draw", "offers a draw; any later order of yours takes the offer back"),
        Form("accept draw", "ends the battle without a winner; or `decline draw`"),
        Form("resign", "gives the battle up"),
    ),
)
