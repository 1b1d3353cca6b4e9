"""What lets a browser install the site and read kept battles without it: manifest, service worker, offline page."""

from aiohttp import web

from server.web.api.exchange import encoded
from server.web.keys import server_of
from server.web.pages.language import page_language
from server.web.pages.rendering import HEADERS, PRIVATE, page
from server.web.pages.static_files import static_content, static_link
from server.words import say

ICONS = {"icon-192.png": "192x192", "icon-512.png": "512x512"}
MANIFEST_TYPE = "application/manifest+json"
GROUND, MAIN = "#f6efdf", "#7a2d12"
"""The colours of the pages in `page.css`."""
WORKER = "worker.js"


async def show_manifest(request: web.Request) -> web.Response:
    """GET /manifest.webmanifest: name, icons and colours of the site as an app."""
    base = server_of(request).settings.base
    icons = [
        {"src": base + static_link(name), "sizes": sizes, "type": "image/png", "purpose": "any"}
        for name, sizes in ICONS.items()
    ]
    lang = page_language(request)
    manifest = {
        "id": f"{base}/",
        "name": "Phalera",
        "short_name": "Phalera",
        "description": say(lang, "pages.play.title"),
        "lang": lang,
        "start_url": f"{base}/",
        "scope": f"{base}/",
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": MAIN,
        "icons": icons,
    }
    headers = {**HEADERS, "Cache-Control": PRIVATE, "Vary": "Cookie, Accept-Language"}
    return web.Response(body=encoded(manifest), content_type=MANIFEST_TYPE, headers=headers)


async def show_worker(request: web.Request) -> web.Response:
    """GET /worker.js: the service worker, beside the entrance page, so that it may answer for all of the site."""
    headers = {**HEADERS, "Cache-Control": "no-cache"}
    return web.Response(body=static_content(WORKER), content_type="text/javascript", charset="utf-8", headers=headers)


async def show_offline(request: web.Request) -> web.Response:
    """GET /offline: what a reader sees of the site while the server cannot be reached. It is the same for everybody:
    their device keeps it."""
    return page(request, "offline.html")
