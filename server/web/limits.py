"""Count a request under the limits of rate (`server.web.rates`), by its address and its account."""

from contextlib import suppress

from aiohttp import web

from domain.engine.errors import Refusal
from domain.scripts.conditions import SCRIPT
from server.people.players import Player
from server.play.request import RequestAnswer
from server.web.address import client_address
from server.web.auth import caller
from server.web.keys import READING, rates_of
from server.web.reading_rate import SHARED_COST


def spend(request: web.Request, kind: str, player: Player | None = None) -> None:
    """Count what a request is about to do, or refuse it.

    Raises: Refusal core.too-many
    """
    rates_of(request).spend(kind, client_address(request), player.id if player else "")


def spend_reading(request: web.Request, cost: float = 1) -> None:
    """Count an answer that only shows something, or refuse it. Where an address has had its share, those of its readers
    who are logged in are counted by themselves: what the others behind it do is not theirs to answer for.

    Raises: Refusal core.too-many
    """
    reading = request.app[READING]
    try:
        reading.spend(client_address(request), cost)
    except Refusal:
        with suppress(Refusal):
            player = caller(request)
            if player is not None:
                reading.spend(player.id, cost)
                return
        reading.refused += 1
        raise


def spend_made(request: web.Request, player: Player | None, kind: str = "") -> None:
    """Count what is made anew of an answer that others may share, as one of a `kind`: its request was counted as a
    shared one.

    Raises: Refusal core.too-many
    """
    spend_reading(request, 1 - SHARED_COST)
    if kind:
        spend(request, kind, player)


def require_orders(request: web.Request, player: Player) -> None:
    """Count a request of orders, or refuse it: also if too many of the lines before it were refused.

    Raises: Refusal core.too-many
    """
    rates, address = rates_of(request), client_address(request)
    rates.require("refused", address, player.id)
    rates.spend("orders", address, player.id)


def count_refused(request: web.Request, player: Player, played: RequestAnswer) -> None:
    """Count the lines that were refused: the store keeps the answer to each, so that a repetition gets the same."""
    if not played.again:
        reasons = (outcome.refusal or outcome.why for outcome in played.outcomes)
        refused = sum(reason is not None and reason.rule != SCRIPT for reason in reasons)
        if refused:
            rates_of(request).count("refused", refused, client_address(request), player.id)


def require_room(request: web.Request, kind: str, player: Player | None = None) -> None:
    """Refuse what would be too often, without counting it.

    Raises: Refusal core.too-many
    """
    rates_of(request).require(kind, client_address(request), player.id if player else "")
