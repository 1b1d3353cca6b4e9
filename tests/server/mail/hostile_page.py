"""The page of hostile mail on the site of the docs: which odd mails were tried, and what happens to each."""

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
from tests.server.mail.incoming.reading.corpus import OURS, TABLES, Case

LONGEST_SHOWN = 60
KIB = 1024

HEAD = f"""# Hostile and odd mail

Made from the corpus of the tests when the site of the docs is built.
The results are those of `server.mail.incoming.reading`, not what somebody meant it to give.

Reading a mail is one pure function of its bytes. It never fails, and the work that a mail of 1 MiB takes is bounded
(`tests/server/mail/incoming/reading/test_limits.py` counts it; under a second by `python -m benchmarks.intake`).
Nothing in a mail is executed, opened or unpacked; attachments are counted.

## Limits

A mail over a limit is refused as a whole: it is kept, nothing of it is played, and the answer names the limit. A list
of orders is never played in part because the rest was cut off.

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

Only lines of the writer's own: above the cut line (`-----8<-----`), or below a *quoted* cut line if nothing stands
above it. Quotes and their introductions, the signature, and what mail programs add are left out. The answer reports a
line that is left out but may have been meant as an order, and everything after a line `end` (or `fin`). A line that
begins with `| ` is a sample of ours and never an order. Below a quote without marks (Outlook) nothing is played, only
reported, because nothing distinguishes it from our own letter: there the answer must be written above.

Phones and word processors change what is typed: curly quotes, long dashes, no-break spaces, zero-width marks and
wide letters become plain ones again. Nothing else is changed; accents stay.

mail-parser-reply, a library that removes quotes, is not used. It is slow on some texts (quadratic), and takes a line
that begins with a dash, and all lines after it, for a signature. The marks of quotes in the languages of our readers
and a few more are in `server/mail/incoming/reading/quotes.py`.

## Who is believed

A From line proves nothing. `pass` needs a DMARC or DKIM verdict for the sender's own domain (or one above it) from a
mail server that the host has named in its settings, in an Authentication-Results field that this server put on top;
or, with the extra `dkim`, our own check. The named server must stamp **every** mail it hands on: where it stamps none,
a forged field on top could not be told from a true one. Of several fields with the same name only the topmost counts,
and none below an outside hop or among the fields of the mail as it was sent.

## What was tried

Mails with the same result share a row.
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for title, cases in TABLES.items():
        parts += [f"### {title}\n", "| result | mails |", "|---|---|"]
        by_result: dict[str, list[str]] = {}
        for case in cases:
            by_result.setdefault(_told(case), []).append(_escaped(case.about))
        parts += [f"| {told} | {' · '.join(mails)} |" for told, mails in by_result.items()]
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
        more.append(f"{len(reading.dropped)} reported as not read")
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
        more.append(f"{reading.bounce.recipient}, {reading.bounce.status}{', permanent' * reading.bounce.is_hard}")
    return "".join(f"; {word}" for word in more)


def _code(text: str) -> str:
    shown = text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
    return f"`{_escaped(shown)}`"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")
