"""Writes docs/generated/hostile-mail.md: which hostile and odd mails were tried, and what happens to each.

python -m tests.server.mail.hostile_page     # after a change of the corpus
"""

from pathlib import Path

from server.mail.incoming.reading import read_mail
from server.mail.incoming.reading.caps import (
    MOST_BOUNDARIES,
    MOST_BYTES,
    MOST_CONTENT_FIELD,
    MOST_CONTENT_FIELDS,
    MOST_DEPTH,
    MOST_FIELD,
    MOST_HEAD,
    MOST_HTML,
    MOST_HTML_DEPTH,
    MOST_LINES,
    MOST_PARTS,
    MOST_REPORT_LINES,
    MOST_TAGS,
    MOST_TEXT,
    MOST_TEXT_LINES,
)
from server.mail.verdict import MailReading
from tests.server.mail.reading.corpus import OURS, TABLES, Case

PAGE = Path(__file__).parents[3] / "docs" / "generated" / "hostile-mail.md"
LONGEST_SHOWN = 60
KIB = 1024

HEAD = f"""# Hostile and odd mail

Made from the corpus of the tests by `python -m tests.server.mail.hostile_page`; a test fails when it is out of date.
What stands under "what happens" is what `server.mail.incoming.reading` gave, not what somebody meant it to give.

Reading a mail is one pure function of its bytes. It never fails, and takes less than a second of computing for any
mail of 1 MiB (`tests/server/mail/reading/test_time.py`). Nothing of a mail is executed, opened or unpacked;
attachments are counted.

## Limits

Over a limit a mail is refused as a whole: it is kept, nothing of it is played, and the answer names the limit. Part
of an order list is never played for the whole of it.

| what | at most | `why` |
|---|---|---|
| the mail | {MOST_BYTES // KIB:,} kB | `bytes` (`too-large`) |
| its header fields / one of them | {MOST_HEAD // KIB} kB / {MOST_FIELD // KIB} kB | `head` / `field` |
| a Content-… field / all | {MOST_CONTENT_FIELD // KIB} kB / {MOST_CONTENT_FIELDS // KIB} kB | `content-fields` |
| lines / lines of a delivery report | {MOST_LINES:,} / {MOST_REPORT_LINES:,} | `lines` / `report` |
| lines that begin with two dashes, in a mail of parts | {MOST_BOUNDARIES} | `boundaries` |
| parts / parts within parts | {MOST_PARTS} / {MOST_DEPTH} | `parts` / `depth` |
| text: size / lines, up to the cut line or `end` | {MOST_TEXT // KIB} kB / {MOST_TEXT_LINES:,} | `text` |
| HTML: elements / elements within each other | {MOST_TAGS:,} / {MOST_HTML_DEPTH} | `html` |
| HTML: size looked at | {MOST_HTML // KIB} kB | `text`, if the cut line is not in it |

## What is an order

Only lines that the writer wrote himself: above the cut line (`-----8<-----`), or below a *quoted* cut line if nothing
stands above. Quotes and their introductions, the signature, and what mail programs add are left out. A line that
might have been meant and is left out is told in the answer; what follows a line `end` (or `fin`) is told, too. A line
that begins with `| ` is a sample of ours and never an order. A person who writes below a quote without marks
(Outlook) must write above it: such lines are told, not played, because nothing tells them from our own letter.

Phones and word processors change what is typed: curly quotes, long dashes, unbreakable spaces, zero-width marks and
wide letters become plain ones again. Nothing else is changed; letters with accents stay what they are.

mail-parser-reply, a library that cuts quotes off, is not used. It is slow on some texts (quadratic), and takes a line
that begins with a dash, and all lines after it, for a signature. The marks of quotes in the languages of our readers
and a few more are in `server/mail/incoming/reading/quotes.py`.

## Who is believed

A From line proves nothing. `pass` needs a DMARC or DKIM verdict for the sender's own domain (or one above it), by a
mail server that the host has named in its settings, in an Authentication-Results field that this server put on top;
or, with the extra `dkim`, our own check. The name must be of a server that stamps **every** mail it hands on: where
it stamps none, a forged field on top could not be told from a true one. Of several fields with the same name the
topmost counts alone, and none that stands below a hop outside or among the fields of the mail as it was sent.
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for title, cases in TABLES.items():
        parts += [f"## {title}\n", "| the mail | what happens |", "|---|---|"]
        parts += [f"| {_escaped(case.about)} | {_told(case)} |" for case in cases]
        parts.append("")
    return "\n".join(parts)


def _told(case: Case) -> str:
    reading = read_mail(case.raw, OURS, case.trusted)
    if reading.what != "mail":
        return f"`{reading.what}`: {_code(reading.why)}{_more(reading)}"
    lines = [line for line in reading.text.split("\n") if line]
    count = f"{len(lines)} line{'s' * (len(lines) != 1)} read"
    return (
        f"{count}: {_code(lines[0])}{' …' * (len(lines) > 1)}{_more(reading)}"
        if lines
        else f"nothing read{_more(reading)}"
    )


def _more(reading: MailReading) -> str:
    more = []
    if reading.dropped:
        more.append(f"{len(reading.dropped)} told as not read")
    if reading.attachments:
        more.append(f"{reading.attachments} not opened")
    if reading.trust != "none":
        more.append(f"sender: `{reading.trust}`")
    if reading.what == "mail" and not reading.sender:
        more.append("no sender")
    if reading.why and reading.what == "mail":
        more.append(f"`{reading.why}`")
    if reading.back:
        more.append(f"back on {reading.back}")
    if reading.bounce:
        more.append(f"{reading.bounce.recipient}, {reading.bounce.status}{', for ever' * reading.bounce.is_hard}")
    return "".join(f"; {word}" for word in more)


def _code(text: str) -> str:
    shown = text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
    return f"`{_escaped(shown)}`"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page())
