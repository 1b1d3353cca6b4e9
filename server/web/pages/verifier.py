"""The one file that verifies: scripts, tables of all games and words in one HTML page that asks nobody for anything.

It is put together by `one_file`; the same sources make the same bytes (decision 51).
"""

import re
from functools import cache
from hashlib import sha256
from string import Template

from aiohttp import web

from server.web.pages.one_file import policy_of, script_of, static_text
from server.web.pages.rendering import HEADERS

NAME = "verifier.html"
WORKER, PAGE = "verifier_worker.js", "verifier_page.js"
_PAGE = Template(
    """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="$policy">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Phalera</title>
<link rel="icon" href="data:,">
<style>$style</style>
</head>
<body>
<nav id="languages"></nav>
<main>
<h1 id="title"></h1>
<p id="what"></p>
<label id="drop"><span id="choose"></span><br><input id="file" type="file"></label>
<progress id="progress" max="1" hidden></progress>
<p id="told" role="status"></p>
<ul id="lines"></ul>
</main>
<footer><p id="hash"></p></footer>
<script>$script</script>
</body>
</html>
"""
)


@cache
def verifier_page() -> bytes:
    """The file, byte for byte the same from the same sources."""
    style, script = f"\n{static_text('verifier.css')}", script_of(PAGE, "startVerifier", WORKER)
    return _PAGE.substitute(policy=policy_of(script, style), style=style, script=script).encode()


def verifier_hash() -> str:
    """SHA-256 of the file, as the command prints it and the notes of a release have it."""
    return sha256(verifier_page()).hexdigest()


async def show_verifier(request: web.Request) -> web.Response:
    """GET /verifier.html: the file, under its own policy, to be kept and opened anywhere."""
    policy = re.search(r'Policy" content="([^"]+)"', verifier_page().decode())
    assert policy is not None
    headers = {
        **HEADERS,
        "Content-Security-Policy": f"{policy[1]}; frame-ancestors 'none'",
        "Cache-Control": "no-cache",
    }
    return web.Response(body=verifier_page(), content_type="text/html", charset="utf-8", headers=headers)
