"""Health, metrics, and the API's own description."""

from ipaddress import ip_address

from aiohttp import web
from msgspec.structs import replace

from domain.basics.errors import Refusal
from replay.proof.notes import Signer, Verifier
from server.people.keys import Keyring
from server.release import commit, release
from server.web.address import SAYING
from server.web.api.exchange import answer, language_of
from server.web.api.health_message import Health
from server.web.api.host_messages import Host, PublicKey
from server.web.keys import METRICS, NOTICE, READINESS, server_of, streams_of
from server.web.problems import RETRY_AFTER_S

TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8"


async def show_health(request: web.Request) -> web.Response:
    """GET /healthz"""
    status = "stopping" if streams_of(request).stopping else "ok"
    notice = request.app[NOTICE].text(language_of(request))
    return answer(Health(status, release(), commit(), server_of(request).store.committed, notice))


async def show_host(request: web.Request) -> web.Response:
    """GET /api/v1/host: the name of this host and the keys of its battles, those of former names too."""
    keys = server_of(request).keys
    return answer(Host(keys.current.name, tuple(_public(one, keys) for one in (keys.current, *reversed(keys.former)))))


def _public(signer: Signer, keys: Keyring) -> PublicKey:
    return PublicKey(signer.name, signer.key, Verifier(signer.key).fingerprint(), signer is keys.current)


async def show_readiness(request: web.Request) -> web.Response:
    """GET /readyz: 503, with the reasons, for a server that should get no requests now."""
    state = await request.app[READINESS].ask()
    if streams_of(request).stopping:
        state = replace(state, status="stopping")
    if state.status == "ready":
        return answer(state)
    return answer(state, 503, {"Retry-After": str(RETRY_AFTER_S["core.store-failed"])})


async def show_metrics(request: web.Request) -> web.Response:
    """GET /metrics, as Prometheus reads it: for programs on this machine, unless the settings say otherwise.

    Raises: Refusal core.host-only
    """
    if not server_of(request).settings.metrics_public:
        require_here(request)
    return web.Response(body=request.app[METRICS].text(), headers={"Content-Type": TEXT_FORMAT})


def require_here(request: web.Request) -> None:
    """Refuse a caller who is not a program on this machine. What comes through a proxy is somebody else's.

    Raises: Refusal core.host-only
    """
    try:
        here = ip_address(request.remote or "").is_loopback
    except ValueError:  # a socket file
        here = not request.remote
    if not here or any(name in request.headers for name in SAYING):
        raise Refusal("core.host-only", "CORE-ACCESS")
