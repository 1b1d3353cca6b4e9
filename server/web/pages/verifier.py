"""The one file that verifies: scripts, tables of all games and words in one HTML page that asks nobody for anything.

Modules of `static/` are put behind each other, each as a function that gives what it exports; nothing is shortened, so
that a reader finds in the file what stands in the repository. The same sources make the same bytes (decision 51).
"""

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from string import Template

from aiohttp import web

from server.web.pages.rendering import HEADERS
from server.web.pages.static_files import COMMENTS

NAME = "verifier.html"
WORKER, PAGE = "verifier_worker.js", "verifier_page.js"
_IMPORT = re.compile(r'^import \{ (?P<names>[^}]+) \} from "\./(?P<module>\w+)\.js";\n', re.M)
_PASSED_ON = re.compile(r'^export \{ (?P<names>[^}]+) \} from "\./(?P<module>\w+)\.js";\n', re.M)
_EXPORT = re.compile(r"^export (?P<kind>const|let|class|function|async function) (?P<name>\w+)", re.M)
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
    style, script = f"\n{_static('verifier.css')}", f"\n{_script()}"
    policy = (
        f"default-src 'none'; script-src 'sha256-{_digest(script)}'; style-src 'sha256-{_digest(style)}'; "
        "img-src data:; worker-src blob:"
    )
    return _PAGE.substitute(policy=policy, style=style, script=script).encode()


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


# --- modules put together


def _script() -> str:
    """What the page runs: its own modules, and those of the worker as a function whose text the worker gets."""
    worker, page = _joined(WORKER), _joined(PAGE)
    return (
        f'"use strict";\nconst core = () => {{\n{worker}}};\n{page}'
        f'of_{_stem(PAGE)}.startVerifier(`"use strict";(${{core}})()`);\n'
    )


def _joined(entry: str) -> str:
    """A module behind all that it imports, each once."""
    done: dict[str, str] = {}

    def add(name: str) -> None:
        if name in done:
            return
        text = _static(name)
        for found in (*_IMPORT.finditer(text), *_PASSED_ON.finditer(text)):
            add(f"{found['module']}.js")
        done[name] = _as_function(name, text)

    add(entry)
    return "".join(done.values())


def _as_function(name: str, text: str) -> str:
    """A module as a function that gives what it exports."""
    exports = {found["name"]: found["name"] for found in _EXPORT.finditer(text)}
    for found in _PASSED_ON.finditer(text):
        exports |= {one: f"of_{found['module']}.{one}" for one in _names(found["names"])}
    body = _IMPORT.sub(lambda found: f"const {{ {found['names']} }} = of_{found['module']};\n", text)
    body = _EXPORT.sub(lambda found: f"{found['kind']} {found['name']}", _PASSED_ON.sub("", body))
    if "import(" in body or re.search(r"^(import|export)\b", body, re.M):
        raise ValueError(f"{name} imports or exports in a way that one file cannot")
    given = ", ".join(f"{one}: {value}" for one, value in exports.items())
    return f"// {name}\nconst of_{_stem(name)} = (() => {{\n{body}return {{ {given} }};\n}})();\n"


def _names(listed: str) -> list[str]:
    return [name.strip() for name in listed.split(",")]


def _stem(name: str) -> str:
    return name.removesuffix(".js")


def _static(name: str) -> str:
    """A file of the pages without the lines that are nothing but comments."""
    text = files("server.web.pages").joinpath("static", name).read_text(encoding="utf-8")
    return re.sub(r"\n{2,}", "\n", COMMENTS.sub("", text)).lstrip("\n") if name.endswith(".js") else text


def _digest(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()
