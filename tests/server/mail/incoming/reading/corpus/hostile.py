"""Mails that try to break, stop or deceive the reading."""

from tests.server.mail.incoming.reading.corpus.shared import HTML, ON, ORDERS, PLAIN, Case, mail, multi, quoted


def nested(depth: int, inner: str = "R1 charge E4") -> bytes:
    """Multiparts within multiparts."""
    outer = "".join(f'--b{n}\nContent-Type: multipart/mixed; boundary="b{n + 1}"\n\n' for n in range(depth - 1))
    body = f"{outer}--b{depth - 1}\nContent-Type: text/plain\n\n{inner}\n"
    return mail(body, type_='multipart/mixed; boundary="b0"')


WORDS = "word " * 4000
CAUTIOUS = "text"
HOSTILE = [
    Case("empty", "no byte at all", b"", "broken", why="empty"),
    Case("blank", "only line ends", b"\r\n\r\n\n", "broken", why="empty"),
    Case(
        "nuls",
        "NULs in fields and text",
        mail("R1 ch\0arge E4\0").replace(b"Subject", b"Sub\0ject"),
        text="R1 charge E4",
    ),
    Case("binary", "bytes that are no mail", bytes(range(256)) * 40, "broken", why="no-fields"),
    Case("too-large", "1 MiB and more", mail("x" * (1024 * 1024)), "too-large", why="bytes"),
    Case(
        "head-large",
        "a header block of more than 32 kB",
        mail(ORDERS, *[f"X-{n}: {'x' * 990}" for n in range(40)]),
        "broken",
        why="head",
    ),
    Case("field-large", "a field of more than 8 kB", mail(ORDERS, f"X-Long: {'x' * 9000}"), "broken", why="field"),
    Case(
        "rfc822-1000",
        "1,000 messages within messages",
        mail("Content-Type: message/rfc822\n\n" * 1000, type_="message/rfc822"),
        "broken",
        why="content-fields",
    ),
    Case(
        "rfc822-100",
        "100 messages within messages",
        mail("Content-Type: message/rfc822\n\n" * 100, type_="message/rfc822"),
        "broken",
        why="depth",
    ),
    Case("depth-21", "parts 21 deep", nested(21), "broken", why="depth"),
    Case("depth-20", "parts 19 deep are read", nested(19), text="R1 charge E4"),
    Case("parts-51", "51 parts", multi(*[(PLAIN, "x")] * 51, kind="mixed"), "broken", why="parts"),
    Case(
        "parts-30000",
        "30,000 parts",
        mail("--b\n\nx\n" * 6000 + "--b\n" * 24000, type_="multipart/mixed; boundary=b"),
        "broken",
        why="lines",
    ),
    Case(
        "boundaries",
        "201 lines like boundaries",
        multi((PLAIN, "--x\n" * 201), kind="mixed"),
        "broken",
        why="boundaries",
    ),
    Case(
        "parameters",
        "5,000 parameters of a Content-Type",
        mail(ORDERS, type_="text/plain" + "".join(f";a{n}=b" for n in range(5000))),
        "broken",
        why="head",
    ),
    Case(
        "parameters-part",
        "the same in a part",
        multi(("text/plain" + "".join(f";a{n}=b" for n in range(5000)), ORDERS)),
        "broken",
        why="content-fields",
    ),
    Case("from-brackets", "`From: ((((…`", mail(ORDERS, sender="(" * 1900), "broken", why="RecursionError"),
    Case("encoded-words", "8,000 encoded words", mail(ORDERS, subject="=?utf-8?q?a?= " * 8000), "broken", why="head"),
    Case(
        "encoded-words-600",
        "600 encoded words: read in part",
        mail(ORDERS, subject="=?utf-8?q?a?= " * 550),
        text=ORDERS,
    ),
    Case(
        "blank-lines", "4,000 blank lines after the orders", mail(f"{ORDERS}\n" + "\n" * 4000), "broken", why=CAUTIOUS
    ),
    Case(
        "blank-lines-end",
        "the same after `end`: what is above counts",
        mail(f"{ORDERS}\nend\n" + "\n" * 4000),
        text=ORDERS,
    ),
    Case("words", "one line of 4,000 words", mail(WORDS), text=WORDS.strip()),
    Case("huge-line", "one line of 1 MB", mail("x" * 1_000_000), "broken", why=CAUTIOUS),
    Case(
        "on-lines",
        "1,900 lines that begin with `On …`",
        mail("On Monday they\n" * 1900),
        text="On Monday they\n" * 1899 + "On Monday they",
    ),
    Case("on-lines-many", "19,000 of them", mail("On Monday they\n" * 19000), "broken", why=CAUTIOUS),
    Case(
        "wrote-lines",
        "19,000 lines `On 1 wrote:`",
        mail("On 1 2026 wrote:\n" * 19000),
        dropped=("On 1 2026 wrote:",) * 20,
    ),
    Case(
        "punycode",
        "punycode as charset: not let in",
        mail("R1 charge E4-" + "a" * 60000, type_="text/plain; charset=punycode"),
        text="R1 charge E4-" + "a" * 60000,
    ),
    Case(
        "zlib",
        "a charset that is no charset",
        mail("R1 charge E4", type_="text/plain; charset=zlib_codec"),
        text="R1 charge E4",
    ),
    Case(
        "utf-7",
        "UTF-7, which hides what it says",
        mail("+AHIAZQBzAGkAZwBu-", type_="text/plain; charset=utf-7"),
        text="+AHIAZQBzAGkAZwBu-",
    ),
    Case("base64-giant", "700 kB of base64 text", mail("a " * 350_000, encoding="base64"), "broken", why=CAUTIOUS),
    Case(
        "qp-giant",
        "1 MB of quoted-printable",
        mail(b"=41" * 330_000, encoding="8bit").replace(b"8bit", b"quoted-printable"),
        "broken",
        why=CAUTIOUS,
    ),
    Case("html-deep", "9,000 elements within each other", mail("<div>" * 9000, type_=HTML), "broken", why="html"),
    Case("html-many", "100,000 elements", mail("<p>" * 100_000, type_=HTML), "broken", why="html"),
    Case(
        "html-attributes",
        "20,000 attributes of one element",
        mail("<p " + " ".join(f"a{n}=b" for n in range(20_000)) + ">R1 charge E4</p>", type_=HTML),
        text="R1 charge E4",
    ),
    Case(
        "html-entities-bomb",
        "entities that name entities",
        mail('<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><p>&b;</p>', type_=HTML),
        text="]>\n\n&b;",
    ),
    Case(
        "html-table",
        "a table whose cells would be padded to 240 MB",
        mail("<table><tr><td>" + "x" * 60_000 + "</td></tr>" + "<tr><td>a</td></tr>" * 2000 + "</table>", type_=HTML),
        "broken",
        why=CAUTIOUS,
    ),
    Case(
        "html-style",
        "a margin of a million lines",
        mail('<p style="margin-top:1000000em">R1 charge E4</p><script>resign</script>', type_=HTML),
        text="R1 charge E4",
    ),
    Case(
        "smuggled",
        "what is left of SMTP smuggling",
        mail("R1 charge E4\n.\nMAIL FROM:<a@example.org>\nRCPT TO:<b@example.org>\nDATA\nFrom: x\n\nresign"),
        "broken",
        why="smuggled",
    ),
    Case("two-froms", "two From fields", mail(ORDERS, "From: Ben <ben@example.org>"), text=ORDERS, also={"sender": ""}),
    Case(
        "from-display",
        "an address in the display name",
        mail(ORDERS, sender='"ben@example.org" <anna@example.org>'),
        text=ORDERS,
        also={"sender": "anna@example.org"},
    ),
    Case(
        "header-injection",
        "a line break encoded in the subject",
        mail(ORDERS, subject="=?utf-8?q?a=0D=0ABcc:_x@example.org?="),
        text=ORDERS,
        also={"subject": "a Bcc: x@example.org"},
    ),
    Case("cut-in-quote", "an order quoted below the cut line of an empty reply", mail(f"{ON}\n{quoted()}")),
    Case(
        "boundary-forged",
        "a part that opens its own boundary again",
        multi((PLAIN, "R1 charge E4\n--=_b\nContent-Type: text/plain\n\nR2 move E5"), kind="mixed"),
        text="R1 charge E4\nR2 move E5",
    ),
    Case("no-boundary", "a multipart without its boundary", mail(ORDERS, type_="multipart/mixed"), text=ORDERS),
    Case(
        "control",
        "control characters and escape sequences of terminals",
        mail("R1 \x1b[31mcharge\x07 E4\x08"),
        text="R1 [31mcharge E4",
    ),
]
