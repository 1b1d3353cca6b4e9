"""Whose request it is, as an address: the peer's, or what a trusted proxy says.

Limits count by it. Nothing about an address is stored or logged here.
"""

from aiohttp import web

from server.web.keys import SERVER
from server.web.networks import is_address, is_within

FORWARDED = "X-Forwarded-For"
SAYING = (FORWARDED, "Forwarded", "X-Real-IP")
"""Fields in which proxies say whom they ask for; the first is believed of those that are trusted."""
ADDRESS: web.RequestKey[str] = web.RequestKey("address", str)
"""The member of a request that holds the address of its client: each limit asks for it."""
LONGEST_CHAIN = 32
"""Hops of a chain of proxies that are looked at."""


def client_address(request: web.Request) -> str:
    """The address of the client: the last hop that is not a trusted proxy; "" if there is none (a socket file)."""
    try:
        return request[ADDRESS]
    except KeyError:
        request[ADDRESS] = address = _address_of(request)
        return address


def unbelieved(request: web.Request) -> str:
    """The address that says whom it asks for and is not believed, because the settings do not name it as a trusted
    proxy; "" if there is none."""
    if not any(name in request.headers for name in SAYING):
        return ""
    peer, trusted = request.remote or "", request.app[SERVER].settings.trusted_proxies
    if not is_within(peer, trusted):
        return peer
    hops = _hops(request)
    last = client_address(request)
    return last if last in hops[1:] else ""


def _hops(request: web.Request) -> list[str]:
    """The chain of proxies as `X-Forwarded-For` has it, the client first."""
    chain = ",".join(request.headers.getall(FORWARDED, ())).split(",")
    return [hop.strip() for hop in chain[-LONGEST_CHAIN:]]


def _address_of(request: web.Request) -> str:
    peer, trusted = request.remote or "", request.app[SERVER].settings.trusted_proxies
    if not trusted or not is_within(peer, trusted):
        return peer
    last = next((hop for hop in reversed(_hops(request)) if not is_within(hop, trusted)), peer)
    return last if is_address(last) else peer  # what stands before a hop that is none may be anybody's word


def is_secure(request: web.Request) -> bool:
    """Whether the client came by TLS: so says the address of the server, or a trusted proxy."""
    settings = request.app[SERVER].settings
    if settings.url:
        return settings.url.startswith("https://")
    proxies = settings.trusted_proxies
    return is_within(request.remote or "", proxies) and request.headers.get("X-Forwarded-Proto") == "https"
