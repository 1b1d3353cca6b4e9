"""Mails of up to 1 MiB that use the limits of reading up, one or several together."""

from server.mail.incoming.reading import caps
from tests.server.mail.incoming.reading.corpus.hostile import nested
from tests.server.mail.incoming.reading.corpus.machines import report
from tests.server.mail.incoming.reading.corpus.shared import HTML, ON, PLAIN, mail, multi

MIB = 1024 * 1024


def fill(raw: bytes, line: bytes, most: int = caps.MOST_LINES) -> bytes:
    """A mail filled up with a line to the last byte or line that is let in."""
    count = min(most - raw.count(b"\n"), (MIB - len(raw)) // (len(line) + 1))
    return raw + (line + b"\n") * count


FIELD = "text/plain" + "".join(f";a{n}=b" for n in range(150))
STARRED = "text/plain" + "".join(f";a*{n}*=b" for n in range(120))
WORDS = "text/plain; x=" + "=?utf-8?q?a?= " * 60
DATA = "application/octet-stream"
SIGNED = (
    "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.org; s=a; h=from; bh=eHg=; b=eHg=",
    "DKIM-Signature: v=1; a=rsa-sha256; c=simple/simple; d=example.org; s=a; h=from; bh=eHg=; b=eHg=",
    f"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/simple; d=example.org; s=a; h={'from:' * 900}from; bh=eHg=; b=eHg=",
)
DEEP = "<div>" * 150
AT_THE_LIMITS = {
    "lines below 19 boundaries": fill(nested(19), b"a" * 40),
    "lines like boundaries": fill(nested(19), b"- " * 20),
    "ten parts of many parameters": multi(*[(FIELD, "x")] * 9),
    "nine parts of different parameters": multi(*[(f"{FIELD};n={n}", "x") for n in range(9)]),
    "nine parts of different pieces": multi(*[(f"{STARRED};n={n}", "x") for n in range(9)]),
    "ten parts of encoded words": multi(*[(WORDS, "x")] * 9),
    "messages in messages": fill(mail("Content-Type: message/rfc822\n\n" * 300, type_="message/rfc822"), b"x"),
    "a report of many blocks": report("x").replace(b"Reporting-MTA", b"a:b\n\n" * 2000 + b"Reporting-MTA"),
    "fields": fill(mail("", *(f"X-{n}: x" for n in range(1500))), b"x"),
    "received fields": mail("", *(f"Received: by {'(' * 200}" for n in range(45))),
    "stamps": mail("x", *[f"Authentication-Results: mx; {'dkim=pass ' * 300}"] * 8, top="Received: by mx"),
    "addresses in From": mail("x", sender=", ".join(f"a{n}@example.org" for n in range(120))),
    "comments in From": mail("x", sender="(a" * 300 + ")" * 300 + " a@example.org"),
    "quotes in From": mail("x", sender='"\\"' * 600 + " a@example.org"),
    "encoded words in From": mail("x", sender="=?utf-8?q?a?= " * 140 + "<a@example.org>"),
    "groups in From": mail("x", sender="a:" * 900),
    "blanks in Subject": mail("x", subject="a" + " \t" * 3900),
    "HTML of many elements": mail("<p>a</p>" * 4900, type_=HTML),
    "HTML of many deep elements": mail(("<b>" * 190 + "x" + "</b>" * 190) * 25, type_=HTML),
    "HTML of many cells": mail("<table>" + "<tr><td>a<td>b" * 3300, type_=HTML),
    "HTML of many quotes": mail((DEEP + "<blockquote>x</blockquote>") * 60, type_=HTML),
    "HTML of many line ends": mail("<br>" * 9990, type_=HTML),
    "HTML of many classes": mail(("<p class='" + " a" * 12 + "'>x</p>") * 4900, type_=HTML),
    "HTML of many attributes": mail(("<p " + " ".join(f"a{n}=b" for n in range(300)) + ">x") * 120, type_=HTML),
    "HTML of attributes between brackets": mail("<p " + "".join(f"a{n}=<b" for n in range(9000)), type_=HTML),
    "HTML of misnested elements": mail("<b><i><u><a><p>" * 1990, type_=HTML),
    "HTML of entities": mail("&amp;" * 200_000, type_=HTML),
    "HTML of open entities": mail("&#x" * 300_000, type_=HTML),
    "HTML three times": multi(*[(HTML, "<p>a</p>" * 4900)] * 3, kind="mixed"),
    "flowed text": mail("a \n" * 1900, type_="text/plain; format=flowed"),
    "flowed base64": mail(" \n" * 300_000, type_="text/plain; format=flowed; delsp=yes", encoding="base64"),
    "lines that say when": mail("On 1.1.2026 at 10:00 a@b\n" * 1900),
    "lines that say who wrote": mail("On 1.1.2026 <a@b> said:\n" * 1900),
    "introductions": mail(f"{ON}\n> x\n" * 600),
    "blocks of fields": mail("From: x\nFrom: x\nTo: x\n" * 600),
    "rules and dashes": mail("_" * 390 + "\n" + "-" * 390 + "\n" + "-_" * 150 + "\n\n" * 2),
    "lines of dashes": mail(("-" * 399 + "\n") * 150),
    "lines of marks": mail((">" * 30 + "\n") * 1900),
    "blanks": mail(" " * 60_000 + "x"),
    "a line of dashes": mail("-" * 65_000),
    "a line of dashes and 8<": mail("-" * 30_000 + "8<" + "-" * 30_000),
    "accents upon accents": mail("a" + "\u0301" * 30_000),
    "a vacation note of days": mail("12 december 2026 " * 3000, "Auto-Submitted: auto-replied", subject="away"),
    "a vacation note of numbers": mail("1" * 60_000, "Auto-Submitted: auto-replied", subject="away"),
    "a bounce of addresses": mail("a" * 60 + "@" + "b." * 1000, "X-Failed-Recipients: " + "a@" * 500),
    "a bounce of at signs": mail("a@" * 30_000, "X-Failed-Recipients: x"),
    "uuencoded": mail("begin 644 x\n" + "M" * 60 + "\n", encoding="x-uuencode"),
    "a signature of blanks": mail(" " * 900_000, "DKIM-Signature: v=1; d=example.org; s=a; b=x"),
    "a signature of line ends": fill(mail("", "DKIM-Signature: v=1; d=example.org; s=a; b=x"), b""),
    "a signature of tags": mail("x", "DKIM-Signature: " + "d=example.org;" * 500),
    "a signature of short blanks": multi((PLAIN, "x"), (DATA, (" " * 99 + "x") * 10_000), kind="mixed", more=SIGNED),
    "a signature of lines": multi((PLAIN, "x"), (DATA, "x\n" * 19_900), kind="mixed", more=SIGNED),
    "a signature of closing lines": multi((PLAIN, "x"), (DATA, "x" + "\n" * 19_900), kind="mixed", more=SIGNED),
}
