"""The message catalogues by language.

The catalogues are gettext's: `replay/locale/LANG/LC_MESSAGES/phalera.po` is the source, the `.mo`
beside it what is read. A msgid is an id, never a sentence: `tts.UnitMoved.charge`, `tts.stack-full`,
`aspect.flank`, `#medal`. After a change of a `.po`: `pybabel compile -D phalera -d replay/locale`. Packages above
this one bring catalogues of their own (`add`).

A language that lacks an id borrows it from English. An id that English lacks too is a fault of ours:
it warns (`MissingSentence`, an error in the tests) and the reader gets id and parameters instead.
"""

import gettext
import warnings
from functools import cache
from importlib.resources import files

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
    """Let a package bring sentences of its own: `PACKAGE/locale/LANG/LC_MESSAGES/DOMAIN.mo`, in every language."""
    if (package, domain) not in _sources:
        _sources.append((package, domain))
        _loaded.cache_clear()


class MissingSentence(UserWarning):
    """A message has no sentence, or its sentence names what the message does not have."""


def find(msgid: str, lang: str) -> str | None:
    """The text of an id in a language, else in English, else None."""
    text = _catalogue(lang).gettext(msgid)
    return None if text == msgid else text


def count(noun: str, number: int, lang: str) -> str:
    """A number with its noun: `count("medal", 2, "en")` is "2 medals"."""
    msgid = f"#{noun}"
    text = _catalogue(lang).ngettext(msgid, msgid, number)
    if text == msgid:
        report(msgid)
        return f"{number} {noun}"
    return text.replace("{}", str(number))


def report(what: str) -> None:
    """Say that words are missing: an error in the tests, a warning elsewhere."""
    warnings.warn(what, MissingSentence, stacklevel=3)


def _catalogue(lang: str) -> gettext.NullTranslations:
    return _loaded(lang if lang in LANGUAGES else ENGLISH)


@cache
def _loaded(lang: str) -> gettext.NullTranslations:
    first, *others = (_read(package, domain, lang) for package, domain in _sources)
    for other in others:
        first.add_fallback(other)
    if lang != ENGLISH:
        first.add_fallback(_loaded(ENGLISH))
    return first


def _read(package: str, domain: str, lang: str) -> gettext.GNUTranslations:
    place = files(package).joinpath("locale", lang, "LC_MESSAGES", f"{domain}.mo")
    with place.open("rb") as file:
        return gettext.GNUTranslations(file)
