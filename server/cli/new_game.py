"""A new game from the files in `new_game`: a small duel, to be changed rule by rule."""

import keyword
import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from server.cli.console import UNUSABLE, Failed

CODE = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
LONGEST = 32
ENDING = ".txt"
"""Behind the name of each file of the template, so that no tool takes it for a part of Phalera."""


def write_new(code: str, folder: Path) -> list[Path]:
    """The files of a new game, written into a folder that is not there yet.

    Raises: Failed for a code that is none or is taken, and for a folder that exists
    """
    require_free(code)
    if folder.exists():
        raise Failed(f"{folder} exists already.", UNUSABLE)
    written = []
    for name, text in template(code).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written


def require_free(code: str) -> None:
    """Raises: Failed for a code that no game may have, or that an installed game has"""
    from domain.catalogue import RULESETS

    if not CODE.fullmatch(code) or len(code) > LONGEST or keyword.iskeyword(code):
        raise Failed(f"“{code}” is no code of a game: small letters, digits and single hyphens, 32 at most.", UNUSABLE)
    if code in RULESETS:
        raise Failed(f"There is a game “{code}” already.", UNUSABLE)


def template(code: str) -> dict[str, str]:
    """The files of a new game: path below its folder to text."""
    package = f"phalera_{code.replace('-', '_')}"
    words = {"@CODE@": code, "@PACKAGE@": package, "@UPPER@": code.upper(), "@TITLE@": code.replace("-", " ").title()}
    found = {}
    for name, file in sorted(_files(files("server.cli").joinpath("new_game"), "")):
        text = file.read_text(encoding="utf-8")
        for word, meant in words.items():
            text = text.replace(word, meant)
        parts = [{"package": package}.get(part, part) for part in name.removesuffix(ENDING).split("/")]
        found["/".join(parts).replace("CODE.po", f"{code}.po")] = text
    return found


def _files(folder: Traversable, path: str) -> list[tuple[str, Traversable]]:
    found = []
    for entry in folder.iterdir():
        name = f"{path}{entry.name}"
        if entry.is_dir():
            found += _files(entry, f"{name}/")
        elif name.endswith(ENDING):
            found.append((name, entry))
    return found
