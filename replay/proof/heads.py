"""Check that a file continues what its host signed before.

A head that somebody kept (a receipt, the foot of a mail, an earlier export) proves that the file has
the same history, if its hash is the file's own at that event. Mails are read as mail programs leave
them: encoded, quoted, with lines broken.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from email import message_from_bytes, policy
from pathlib import Path

from msgspec import Struct

from domain.log.record import FileFault, checkpoint_note, split_file
from replay.proof import chain, notes
from replay.proof.chain import HeadedLog
from replay.proof.notes import BadNote, Head


class NoHead(Exception):
    """A piece of evidence has no signed head."""


class Evidence(Struct, frozen=True):
    """Something that contains signed heads; `source` is the name its owner gave it."""

    source: str
    content: bytes


def evidence(given: str) -> Evidence:
    """Read a command-line argument: the name of a file (note, mail, battle file), or a note.

    Raises:  OSError if it is neither
    """
    if "\n" in given.strip():
        return Evidence("the note", given.encode())
    return Evidence(given, Path(given).read_bytes())


def prove(log: HeadedLog, item: Evidence) -> list[Head]:
    """The heads of this battle in a piece of evidence, each proven to be a prefix of the log.

    Raises:  NoHead; BadNote and FileFault as `chain.require_prefix`
    """
    found = list(dict.fromkeys(notes_in(item.content)))
    if not found:
        raise NoHead
    own = [note for note in found if _origin(note) == log.origin]
    if not own:
        raise BadNote("other-battle")
    return [chain.require_prefix(log, note) for note in own]


def notes_in(content: bytes) -> Iterator[str]:
    """Every note over a head in a battle file, a mail or a text, exactly as it was signed."""
    if content.startswith(b'{"'):
        yield from _of_battle_file(content)
        return
    yield from _of_text(content.decode(errors="replace"))
    for text in _mail_texts(content):
        yield from _of_text(text)


def texts_in(content: bytes) -> Iterator[str]:
    """The text of a file, and the plain texts of the letter that it may be, without the marks of quoting."""
    for text in (content.decode(errors="replace"), *_mail_texts(content)):
        yield _QUOTED.sub("", text.replace("\r", ""))


def _of_battle_file(content: bytes) -> Iterator[str]:
    try:
        parts = split_file(content)
        if parts.checkpoint is not None:
            yield checkpoint_note(parts.checkpoint, len(parts.events) + 2)
    except FileFault:
        return


def _mail_texts(content: bytes) -> Iterator[str]:
    mail = message_from_bytes(content, policy=policy.default)
    for part in mail.walk():
        if part.get_content_type() == "text/plain":
            try:
                yield part.get_content()
            except (LookupError, ValueError):  # an unknown charset or encoding
                continue


_QUOTED = re.compile(r"^(?:[>|][ \t]?)+", re.MULTILINE)
_NOTE = re.compile(
    r"^(?P<origin>\S+/phalera/\S+)\n+(?P<n>\d{1,15})\n+(?P<hash>[A-Za-z0-9+/]{43}=)\n+"
    r"\N{EM DASH}\s+(?P<name>[^\s+]+)\s+(?P<signature>(?:[A-Za-z0-9+/]\s*){91}=)",
    re.MULTILINE,
)


def _of_text(text: str) -> Iterator[str]:
    lines = (line.strip() for line in _QUOTED.sub("", text.replace("\r", "")).split("\n"))
    for found in _NOTE.finditer("\n".join(lines)):
        signature = b64encode(b64decode("".join(found["signature"].split()))).decode("ascii")
        head = f"{found['origin']}\n{int(found['n'])}\n{found['hash']}\n"
        yield f"{head}\n{notes.DASH}{found['name']} {signature}\n"


def _origin(note: str) -> str:
    try:
        return notes.unverified_head(note).origin
    except BadNote:
        return ""
