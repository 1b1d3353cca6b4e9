"""How a command is written in its reader's language: the heading of its answer."""

from server.mail.desk.commands import usages
from server.mail.desk.reading import UNREADABLE
from server.mail.desk.vocabulary import FRENCH, ORDER
from server.mail.verdict import MailRequest

LONGEST = 60
"""Maximum letters of a heading; words to the other player and lines of a script are not repeated whole."""
FREE_WORDS = frozenset({"say", "preview", "preview-lines", "invite", "campaign", "seat"})
"""Commands whose last argument is text, or lines, of the player's own."""
WRITTEN_AS = {"preview-lines": "preview"}
"""Commands that are read from the word of another."""
NAME_ALONE = frozenset({"open", "accept"})
"""Commands returned with what they found in place of what was written with them."""


def as_written(request: MailRequest, lang: str) -> str:
    """A command as a line, `zone Europe/Paris`, with its battle."""
    args = [arg for arg in request.args if arg]
    if request.name == UNREADABLE:
        return _short(" ".join(args))
    if request.name == ORDER:
        return _short(_order(args[-1] if args else "", lang))
    name = WRITTEN_AS.get(request.name, request.name)
    word = usages(lang).get(name, (name,))[0].split()[0]
    if request.name in NAME_ALONE and request.message is not None:
        args = []
    if request.name in FREE_WORDS:
        args = args[:1] if request.args[:1] != ("",) else []
    if request.name == "help":
        args = [arg for arg in args if arg != FRENCH]
    return _short(" ".join([word, *args]))


def _order(text: str, lang: str) -> str:
    """An order that every game has, in the reader's words; a standing one as it was written."""
    known = dict(zip(usages("en")[ORDER], usages(lang)[ORDER], strict=True))
    return known.get(text, text)


def _short(line: str) -> str:
    plain = " ".join("".join(letter if letter.isprintable() else " " for letter in line).split())
    return plain if len(plain) <= LONGEST else f"{plain[: LONGEST - 1]}…"
