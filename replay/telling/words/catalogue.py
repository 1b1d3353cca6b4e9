"""The message catalogues by language.

The catalogues are `.po` files, `replay/locale/LANG/LC_MESSAGES/phalera.po`, read as written (`words.po`). A msgid
is an id, never a sentence: `tts.UnitMoved.charge`, `tts.stack-full`, `aspect.flank`, `#point`. Packages above this one
bring catalogues of their own (`add`), and so does each installed game: `locale/LANG/LC_MESSAGES/CODE.po` in its
package, asked behind all others, so that no game changes what another one says.

A language that lacks an id borrows it from English. An id that English lacks too is a fault of ours:
it warns (`MissingSentence`, an error in the tests) and the reader gets id and parameters instead.
"""

import warnings
from collections.abc import Callable
from functools import cache
from importlib.resources import files

from domain.basics.installed import installed
from replay.telling.words.po import Catalogue, read_po

DOMAIN = "phalera"
ENGLISH = "en"


def _languages() -> tuple[str, ...]:
    folders = (folder for folder in files("replay").joinpath("locale").iterdir() if folder.is_dir())
    return tuple(sorted(folder.name for folder in folders))


LANGUAGES: tuple[str, ...] = _languages()
"""The languages that have a catalogue."""


_sources: list[tuple[str, str]] = [("replay", DOMAIN)]
"""Where catalogues are: (package, domain), those asked first at the front."""


def add(package: str, domain: str) -> None:
    """Let a package bring sentences of its own: `PACKAGE/locale/LANG/LC_MESSAGES/DOMAIN.po`, in every language."""
    if (package, domain) not in _sources:
        _sources.append((package, domain))
        forget_sentences()


def forget_sentences() -> None:
    """Make every sentence anew from now on, and tell again what is missing."""
    _loaded.cache_clear()
    for forget in _listeners:
        forget()


_listeners: list[Callable[[], None]] = []


def on_change(forget: Callable[[], None]) -> None:
    """Have something called whenever a package has brought sentences: what was made of the others is out of date."""
    _listeners.append(forget)


class MissingSentence(UserWarning):
    """A message has no sentence, or its sentence names what the message does not have."""


def find(msgid: str, lang: str) -> str | None:
    """The text of an id in a language, else in English, else None."""
    return next((one.texts[msgid][0] for one in _catalogues(lang) if msgid in one.texts), None)


def count(noun: str, number: int, lang: str) -> str:
    """A number with its noun: `count("point", 2, "en")` is "2 points"."""
    msgid = f"#{noun}"
    for one in _catalogues(lang):
        if msgid in one.texts:
            return one.texts[msgid][one.form(number)].replace("{}", str(number))
    report(msgid)
    return f"{number} {noun}"


def report(what: str) -> None:
    """Say that words are missing: an error in the tests, a warning elsewhere."""
    warnings.warn(what, MissingSentence, stacklevel=3)


def _catalogues(lang: str) -> tuple[Catalogue, ...]:
    """The catalogues in which a text of a language is looked for, the first that has it."""
    return _loaded(lang if lang in LANGUAGES else ENGLISH)


@cache
def _loaded(lang: str) -> tuple[Catalogue, ...]:
    own = tuple(_catalogue(package, domain, lang) for package, domain in _sources) + _of_games(lang)
    return own if lang == ENGLISH else own + _loaded(ENGLISH)


def shared_ids(lang: str) -> frozenset[str]:
    """The ids of all catalogues that are no game's."""
    return frozenset(msgid for package, domain in _sources for msgid in _catalogue(package, domain, lang).texts)


def _of_games(lang: str) -> tuple[Catalogue, ...]:
    """The catalogues of the installed games; one without words in a language, or without any, has none."""
    found = (game_catalogue(code, lang) for code in installed())
    return tuple(one for one in found if one is not None)


@cache
def game_catalogue(code: str, lang: str) -> Catalogue | None:
    """The catalogue of an installed game in a language; None without one; one that is unreadable warns."""
    folder = installed()[code][0].folder()
    place = folder.joinpath("locale", lang, "LC_MESSAGES", f"{code}.po") if folder else None
    if place is None or not place.is_file():
        return None
    try:
        return read_po(place.read_text(encoding="utf-8"))
    except ValueError as reason:  # also what is no UTF-8
        report(f"{code}.po ({lang}): {reason}")
        return None


@cache
def _catalogue(package: str, domain: str, lang: str) -> Catalogue:
    place = files(package).joinpath("locale", lang, "LC_MESSAGES", f"{domain}.po")
    return read_po(place.read_text(encoding="utf-8"))
