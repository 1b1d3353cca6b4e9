"""The catalogues as their sources have them."""

from pathlib import Path

from babel.messages.pofile import read_po

LOCALE = Path(__file__).parents[2] / "replay" / "locale"


def read_po_file(path):
    with path.open("rb") as file:
        return read_po(file)


def texts(lang: str) -> dict[str, tuple[str, ...]]:
    """Each id with its text, one for each number form."""
    messages = [message for message in read_po_file(LOCALE / lang / "LC_MESSAGES" / "phalera.po") if message.id]
    return {_id(message.id): _forms(message.string) for message in messages}


def _id(msgid) -> str:
    return msgid if isinstance(msgid, str) else msgid[0]


def _forms(text) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)
