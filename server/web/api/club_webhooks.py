"""The webhooks of a club, for its organisers: as those of an account (`server.web.api.webhooks`)."""

from aiohttp import web

from server.web.api import webhooks


async def list_club_webhooks(request: web.Request) -> web.Response:
    """GET /api/v1/clubs/{club}/webhooks"""
    return await webhooks.list_webhooks(request)


async def post_club_webhook(request: web.Request) -> web.Response:
    """POST /api/v1/clubs/{club}/webhooks"""
    return await webhooks.post_webhook(request)


async def post_club_test(request: web.Request) -> web.Response:
    """POST /api/v1/clubs/{club}/webhooks/{hook}/test"""
    return await webhooks.post_test(request)


async def post_club_on(request: web.Request) -> web.Response:
    """POST /api/v1/clubs/{club}/webhooks/{hook}/on"""
    return await webhooks.post_on(request)


async def delete_club_webhook(request: web.Request) -> web.Response:
    """DELETE /api/v1/clubs/{club}/webhooks/{hook}"""
    return await webhooks.delete_webhook(request)
