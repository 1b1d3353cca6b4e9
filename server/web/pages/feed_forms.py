"""The forms of feeds: Atom (RFC 4287) and calendars (RFC 5545). Whatever people wrote stays text in them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from xml.etree import ElementTree as ET

from msgspec import Struct

ATOM = "http://www.w3.org/2005/Atom"
ATOM_TYPE, CALENDAR_TYPE = "application/atom+xml", "text/calendar"
PRODUCT = "-//Phalera//Phalera//EN"
LONGEST_LINE = 75
"""Bytes of a line of a calendar; the rest goes on in the next."""
UNFIT = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold, however they are written."""


class FeedEntry(Struct, frozen=True):
    """An entry of an Atom feed; a program shows it as new when its `id` is new. `updated` as the log has it."""

    id: str
    title: str
    updated: str
    link: str
    summary: str


class FeedDate(Struct, frozen=True):
    """A date of a calendar, which moves when its `sequence` grows. `stamp` and `at` as the log has them."""

    uid: str
    stamp: str
    sequence: int
    at: str
    summary: str
    description: str
    link: str


def atom(entries: Sequence[FeedEntry], id_: str, here: str, title: str, lang: str) -> bytes:
    """Entries as an Atom feed."""
    feed = ET.Element("feed", {"xmlns": ATOM, "xml:lang": lang})
    add_words(feed, "id", id_)
    add_words(feed, "title", title)
    add_words(feed, "updated", max((entry.updated for entry in entries), default="1970-01-01T00:00:00Z"))
    ET.SubElement(feed, "link", {"rel": "self", "href": here})
    ET.SubElement(add_words(feed, "author", ""), "name").text = "Phalera"
    for entry in entries:
        one = ET.SubElement(feed, "entry")
        add_words(one, "id", entry.id)
        add_words(one, "title", entry.title)
        add_words(one, "updated", entry.updated)
        ET.SubElement(one, "link", {"href": entry.link})
        add_words(one, "summary", entry.summary)
    body: bytes = ET.tostring(feed, encoding="utf-8")
    return b'<?xml version="1.0" encoding="utf-8"?>\n' + body


def add_words(parent: ET.Element, tag: str, words: str) -> ET.Element:
    """Add an element with words, without the characters that XML cannot hold."""
    made = ET.SubElement(parent, tag)
    made.text = UNFIT.sub("\ufffd", words) or None
    return made


def calendar(dates: Iterable[FeedDate]) -> str:
    """Dates as a calendar."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:{PRODUCT}"]
    for date in dates:
        when = _instant(date.at)
        lines += [
            "BEGIN:VEVENT",
            f"UID:{date.uid}",
            f"DTSTAMP:{_instant(date.stamp)}",
            f"SEQUENCE:{date.sequence}",
            f"DTSTART:{when}",
            f"DTEND:{when}",
            f"SUMMARY:{_escaped(date.summary)}",
            f"DESCRIPTION:{_escaped(date.description)}",
            f"URL:{date.link}",
            "END:VEVENT",
        ]
    return "".join(f"{part}\r\n" for line in [*lines, "END:VCALENDAR"] for part in _folded(line))


def _instant(at: str) -> str:
    """A time of the log as a calendar has it: 20260301T120000Z."""
    return re.sub(r"[-:]", "", at.partition(".")[0]) + "Z"


def _escaped(words: str) -> str:
    words = UNFIT.sub("\ufffd", words).replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return " ".join(words.split())


def _folded(line: str) -> Iterator[str]:
    """A line in pieces of at most 75 bytes, none cut inside a character; those behind the first begin with a space."""
    piece = ""
    for letter in line:
        if len(f"{piece}{letter}".encode()) > LONGEST_LINE:
            yield piece
            piece = " "
        piece += letter
    yield piece
