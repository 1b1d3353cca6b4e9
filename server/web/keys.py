"""What hangs in the web application: the server, and the parts of its mail that pages use."""

from aiohttp import web

from server.mail.assembly import MailParts
from server.running import Server

SERVER: web.AppKey[Server] = web.AppKey("server", Server)
MAIL: web.AppKey[MailParts] = web.AppKey("mail", MailParts)


def server_of(request: web.Request) -> Server:
    """The server that answers a request."""
    return request.app[SERVER]


def mail_of(request: web.Request) -> MailParts:
    """The parts of its mail; they exist even if it sends none."""
    return request.app[MAIL]
