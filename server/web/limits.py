"""Count a request under the limits of rate (`server.web.rates`), by its address and its account."""

from contextlib import suppress

from aiohttp import web

from domain.basics.errors import Refusal
from domain.scripts.conditions import SCRIPT
from server.people.players import Player
from server.play.request import RequestAnswer
from server.web.address import client_address
from server.web.auth import caller
from server.web.keys import PUZZLES, READING, rates_of
from server.web.puzzles import bits_for
from server.web.reading_rate import SHARED_COST

MISS = "miss"
MISSES = frozenset({"core.unknown-battle", "core.login-used"})
"""Refusals of what somebody may have guessed."""


def spend(request: web.Request, kind: str, player: Player | None = None) -> None:
    """Count what a request is about to do, or refuse it.

    Raises: Refusal core.too-many
    """
    if player is not None and player.owner:
        rates_of(request).spend("program", "", player.id)
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
        player = known(request)
        if player is not None:
            with suppress(Refusal):
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


def require_puzzle(request: web.Request, ticket: str, solution: str) -> None:
    """Where many guests are made, of one address or in all, let a newcomer solve a puzzle, or wait.

    Raises: Refusal core.puzzle, core.too-many
    """
    rates, address = rates_of(request), client_address(request)
    rates.require("guest", address)
    times = rates.times_over("puzzle", address)
    if times:
        request.app[PUZZLES].require(address, ticket, solution, bits_for(times))
    rates.spend("guest", address)
    rates.note("puzzle", address)


def require_orders(request: web.Request, player: Player) -> None:
    """Count a request of orders, or refuse it: also if too many of the lines before it were refused.

    Raises: Refusal core.too-many
    """
    rates, address = rates_of(request), client_address(request)
    rates.require("refused", address, player.id)
    if player.owner:
        rates.spend("program", "", player.id)
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


def require_few_misses(request: web.Request) -> None:
    """Refuse whoever has guessed at many names and tokens; who is logged in is not refused for others of their address.

    Raises: Refusal core.too-many
    """
    try:
        require_room(request, MISS)
    except Refusal:
        player = known(request)
        if player is None:
            raise
        require_room(request, MISS, player)


def count_miss(request: web.Request, refusal: Refusal) -> None:
    """Count names and tokens that are not there: who tries many of them is guessing."""
    if refusal.code in MISSES:
        with suppress(Refusal):
            spend(request, MISS, known(request))


def known(request: web.Request) -> Player | None:
    """The player who is logged in; nobody if their token is none."""
    with suppress(Refusal):
        return caller(request)
    return None
