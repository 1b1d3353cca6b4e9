"""Health, metrics, and the API's own description."""

from functools import cache
from importlib.metadata import PackageNotFoundError, version

from aiohttp import web

from server.web.api.exchange import answer
from server.web.api.messages import Health
from server.web.keys import server_of, streams_of

METRICS = "text/plain; version=0.0.4"


async def show_health(request: web.Request) -> web.Response:
    """GET /healthz"""
    status = "stopping" if streams_of(request).stopping else "ok"
    return answer(Health(status, release(), server_of(request).store.committed))


@cache
def release() -> str:
    """The version installed; read once, so that an answer needs no file."""
    try:
        return version("phalera")
    except PackageNotFoundError:
        return "0"


async def show_metrics(request: web.Request) -> web.Response:
    """GET /metrics, as Prometheus reads it."""
    server = server_of(request)
    counts, store = server.store.counts, server.store
    lines = [
        *_metric("phalera_events_total", "counter", "Events committed since the start.", counts.events),
        *_metric("phalera_commits_total", "counter", "Transactions of the store.", counts.batches),
        *_metric("phalera_store_jobs_total", "counter", "Jobs given to the store.", counts.jobs),
        *_metric("phalera_store_failures_total", "counter", "Jobs that the database refused.", counts.failed),
        *_metric("phalera_store_waiting", "gauge", "Jobs that wait for the store.", store.waiting),
        *_metric("phalera_position", "gauge", "Last event of all battles.", store.position()),
        *_metric("phalera_tables", "gauge", "Battles in memory.", len(server.battles.live())),
        *_metric("phalera_streams", "gauge", "Open event streams.", len(streams_of(request).bells)),
    ]
    return web.Response(body="\n".join([*lines, ""]).encode(), headers={"Content-Type": METRICS})


def _metric(name: str, kind: str, told: str, value: int) -> tuple[str, str, str]:
    return f"# HELP {name} {told}", f"# TYPE {name} {kind}", f"{name} {value}"
