"""What the limits hold and refuse, as Prometheus reads it: each limit can be seen at work before anybody writes."""

from collections.abc import Iterator
from typing import Any

from aiohttp import web

from server.store.tables import accounts
from server.web.crowd import CROWD
from server.web.keys import CONNECTIONS, MAKING, PUZZLES, RATES, READING, SERVER, TURNS
from server.web.places import Doing


def limit_families(app: web.Application) -> Iterator[Any]:
    """The families of figures: what each limit allows, what is counted under it now, and what was refused."""
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

    labels = ["what", "who"]
    most = GaugeMetricFamily("phalera_limit", "What a limit allows.", labels=[*labels, "per_s"])
    held = GaugeMetricFamily(
        "phalera_limit_held", "What is counted now: of one address, how many are at it.", labels=labels
    )
    limited = CounterMetricFamily("phalera_limited", "What was refused, by the limit.", labels=labels)
    for what, who, per_s, value in _allowed(app):
        most.add_metric([what, who, per_s], value)
    for what, who, value in (*app[RATES].figures(), *_held(app)):
        held.add_metric([what, who], value)
    places, reading = app[CONNECTIONS].places, app[READING]
    connections = {("connections", who): count for who, count in places.refused.items()}
    for (what, who), count in {**app[RATES].hits, **connections, ("read", "address"): reading.refused}.items():
        limited.add_metric([what, who], count)
    gave_way = CounterMetricFamily("phalera_connections_gave_way", "Connections that gave way.", labels=["doing"])
    for doing in Doing:
        gave_way.add_metric([doing.name.lower()], places.gave_way[doing])
    puzzles = CounterMetricFamily("phalera_puzzles", "Tickets of newcomers.", labels=["came"])
    for came in ("asked", "solved", "waited"):
        puzzles.add_metric([came], getattr(app[PUZZLES], came))
    shared = CounterMetricFamily("phalera_answers_shared", "Answers that another reader had made.")
    shared.add_metric([], app[MAKING].shared)
    yield from (most, held, limited, gave_way, puzzles, shared)


def _allowed(app: web.Application) -> Iterator[tuple[str, str, str, float]]:
    limits = app[SERVER].settings.limits
    yield "connections", "server", "", limits.connections
    yield "connections", "address", "", limits.connections_per_address
    yield "read", "address", "1", limits.reads.per_s
    yield "guests", "server", "", limits.guests
    yield "turns", "server", "", app[TURNS].most_in_all
    yield from app[RATES].amounts()


def _held(app: web.Application) -> Iterator[tuple[str, str, float]]:
    places = app[CONNECTIONS].places
    yield "connections", "server", len(places)
    yield "connections", "address", places.most_of_one()
    yield "read", "address", app[READING].exhausted()
    yield "guests", "server", accounts.guests(app[SERVER].store)
    yield "turns", "server", app[TURNS].waiting
    yield "crowd", "server", len(app[CROWD])
