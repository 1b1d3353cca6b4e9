"""The bulletins and the press of a campaign: as those of a club (`server.web.api.bulletins`)."""

from aiohttp import web

from server.web.api import bulletins


async def list_campaign_bulletins(request: web.Request) -> web.Response:
    """GET /api/v1/campaigns/{id}/bulletins"""
    return await bulletins.list_bulletins(request)


async def show_campaign_bulletin(request: web.Request) -> web.Response:
    """GET /api/v1/campaigns/{id}/bulletins/{place}"""
    return await bulletins.show_bulletin(request)


async def post_campaign_bulletin(request: web.Request) -> web.Response:
    """POST /api/v1/campaigns/{id}/bulletins/{place}"""
    return await bulletins.post_bulletin(request)


async def list_campaign_press(request: web.Request) -> web.Response:
    """GET /api/v1/campaigns/{id}/press"""
    return await bulletins.list_press(request)


async def post_campaign_press(request: web.Request) -> web.Response:
    """POST /api/v1/campaigns/{id}/press"""
    return await bulletins.post_press(request)


async def delete_campaign_press(request: web.Request) -> web.Response:
    """DELETE /api/v1/campaigns/{id}/press/{item}"""
    return await bulletins.delete_press(request)
