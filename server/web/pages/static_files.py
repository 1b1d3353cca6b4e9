"""The files that pages are shown with: scripts, style sheets, faces, icons, each under an address that changes with it.

No bundler makes them (decision 44): a script is served as it stands in `static/`, but for its comments, and for the
addresses of those that it imports.
"""

import gzip
import re
from functools import cache
from hashlib import sha256
from importlib.resources import files

PICTURE, FACE = "image/png", "font/woff2"
BYTES = (PICTURE, FACE)
"""Types of files that are no text, and compressed already."""
PARTS = ("text/css", "text/javascript")
KINDS = {"css": PARTS[0], "js": PARTS[1], "svg": "image/svg+xml", "png": PICTURE, "woff2": FACE, "txt": "text/plain"}
STATIC = {
    file.name: KINDS[file.name.rpartition(".")[2]] for file in files("server.web.pages").joinpath("static").iterdir()
}
"""The files of the pages, with their types."""
SCRIPTS = tuple(sorted(name for name, kind in STATIC.items() if kind == KINDS["js"]))

_IMPORTED = re.compile(r'(?<= from ")\./(\w+\.js)(?=";)')
_LATER = re.compile(r'(?<=\bimport\(")\./(\w+\.js)(?="\))')
"""In a script: another that comes with it, and one that is fetched when it is asked for."""
_FACES = re.compile(r'(?<=url\(")\./([\w-]+\.woff2)(?="\))')
"""In a style sheet: the faces that it asks for."""
STYLE_COMMENTS = re.compile(r" */\*.*?\*/", re.S)
COMMENTS = re.compile(
    r"^[ \t]*(?://[^\n]*|/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*)$"
    r"|/\*\* @type \{[^\n]*?\} \*/ "
    r"|(?<=[;{]) // [^\n`\"']*$",
    re.M,
)
"""In a script: lines that are comments and nothing else, types within a line, what is said behind a statement. They are
a sixth of what would be transferred; the numbers of the lines stay."""
WORKERS = ("proof_worker.js", "watch_worker.js", "worker.js")
"""The scripts that run by themselves, under the policy of their own answer; for the others that of their page
holds, and their answers have the short default headers: a first view fetches many of them."""


@cache
def content_of(name: str) -> tuple[bytes, str]:
    """A file and the beginning of its digest. A script imports the others by the addresses of their newest content, and
    leaves its comments here; a style sheet asks for faces in the same way, and leaves its comments, too."""
    content = files("server.web.pages").joinpath("static", name).read_bytes()
    if name in SCRIPTS:
        text = COMMENTS.sub(lambda found: "\n" * found[0].count("\n"), content.decode())
        for other in (_IMPORTED, _LATER):
            text = other.sub(lambda found: f"./{found[1]}?v={content_of(found[1])[1]}", text)
        content = text.encode()
    elif STATIC[name] == KINDS["css"]:
        text = STYLE_COMMENTS.sub("", content.decode())
        content = _FACES.sub(lambda found: f"./{found[1]}?v={content_of(found[1])[1]}", text).encode()
    return content, sha256(content).hexdigest()[:12]


@cache
def packed_static(name: str) -> bytes:
    """A file as it is served, compressed."""
    return gzip.compress(content_of(name)[0], mtime=0)


@cache
def imported(name: str) -> tuple[str, ...]:
    """The scripts that one imports, and those that they import: a browser that knows them asks for all at once."""
    found: dict[str, None] = {}
    left = [name]
    while left:
        text = files("server.web.pages").joinpath("static", left.pop()).read_text()
        new = [script for script in _IMPORTED.findall(text) if script != name and script not in found]
        found |= dict.fromkeys(new)
        left += new
    return tuple(found)


def static_content(name: str) -> bytes:
    """A file as it is served."""
    return content_of(name)[0]


def static_link(name: str) -> str:
    """The address of a file; it changes with its content."""
    return f"/static/{name}?v={content_of(name)[1]}"
