"""Scripts and styles of the pages put into one HTML file that asks nobody for anything.

Modules of `static/` are put behind each other, each as a function that gives what it exports; nothing is shortened, so
that a reader finds in the file what stands in the repository. The same sources make the same bytes (decision 51).
"""

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

from server.web.pages.static_files import COMMENTS

_IMPORT = re.compile(r'^import \{ (?P<names>[^}]+) \} from "\./(?P<module>\w+)\.js";\n', re.M)
_PASSED_ON = re.compile(r'^export \{ (?P<names>[^}]+) \} from "\./(?P<module>\w+)\.js";\n', re.M)
_EXPORT = re.compile(r"^export (?P<kind>const|let|class|function|async function) (?P<name>\w+)", re.M)


def policy_of(script: str, style: str) -> str:
    """What the file may do: run its script, use its style, and start the worker whose text it holds."""
    return (
        f"default-src 'none'; script-src 'sha256-{_digest(script)}'; style-src 'sha256-{_digest(style)}'; "
        "img-src data:; worker-src blob:"
    )


def script_of(page: str, start: str, worker: str) -> str:
    """What a page of one file runs: its own modules, and those of the worker as a function whose text the worker gets.
    `start` is the function of `page` that is called with it.
    """
    return (
        f'\n"use strict";\nconst core = () => {{\n{joined(worker)}}};\n{joined(page)}'
        f'of_{_stem(page)}.{start}(`"use strict";(${{core}})()`);\n'
    )


@cache
def joined(entry: str) -> str:
    """A module behind all that it imports, each once."""
    done: dict[str, str] = {}

    def add(name: str) -> None:
        if name in done:
            return
        text = static_text(name)
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


def static_text(name: str) -> str:
    """A file of the pages without the lines that are nothing but comments."""
    text = files("server.web.pages").joinpath("static", name).read_text(encoding="utf-8")
    return re.sub(r"\n{2,}", "\n", COMMENTS.sub("", text)).lstrip("\n") if name.endswith(".js") else text


def _digest(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()
