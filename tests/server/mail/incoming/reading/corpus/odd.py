# ruff: noqa: E501 (a mail is easier to read on one line)
"""Odd mails that honest people send."""

from base64 import b64encode
from email.header import Header

from tests.server.mail.incoming.reading.corpus.shared import (
    HEAD,
    HTML,
    HTML_LETTER,
    HTML_ORDERS,
    LE,
    LETTER,
    ON,
    ORDERS,
    PLAIN,
    TOKEN,
    US,
    Case,
    mail,
    multi,
    quoted,
)

NESTED = "> > "
ODD = [
    Case(
        "empty-line-noise",
        "blank lines and trailing blanks around the orders",
        mail("\n\n  R1 charge E4   \n\n\n\nR2 move E5\n \n"),
        text="R1 charge E4\n\nR2 move E5",
    ),
    Case(
        "end",
        "what follows a line `end` is not read, but told",
        mail("R1 charge E4\nEND\nsee you\nAnna"),
        text="R1 charge E4",
        dropped=("see you", "Anna"),
    ),
    Case(
        "fin",
        "the same in French",
        mail(f"R1 charge E4\nfin\nBonne soirée\n\n{LE}\n{quoted()}"),
        text="R1 charge E4",
        dropped=("Bonne soirée",),
    ),
    Case(
        "end-turn",
        "`end turn` is an order and ends nothing",
        mail("end turn\nR1 charge E4"),
        text="end turn\nR1 charge E4",
    ),
    Case(
        "sample",
        "a line of our list copied with its bar is the writer's",
        mail("| 1. R1 charge E4\nR2 move E5"),
        text="| 1. R1 charge E4\nR2 move E5",
    ),
    Case(
        "both",
        "orders above, and a line below the quoted cut line: told, not played",
        mail(f"R1 charge E4\n\n{ON}\n{quoted()}\nR2 move E5"),
        text="R1 charge E4",
        dropped=("R2 move E5",),
    ),
    Case(
        "below-unmarked",
        "nothing above an unmarked quote: nothing is played, the last lines are told",
        mail(f"{LETTER}\nR1 charge E4"),
        text="",
        dropped=None,
    ),
    Case(
        "two-dashes",
        "`--` without its blank: what follows is told",
        mail("R1 charge E4\n--\nAnna"),
        text="R1 charge E4",
        dropped=("Anna",),
    ),
    Case(
        "ruled-footer",
        "a footer of a list or an office under a line of underscores: told",
        mail("R1 charge E4\n________________________________\nThis mail is confidential."),
        text="R1 charge E4",
        dropped=("This mail is confidential.",),
    ),
    Case(
        "twice-quoted",
        "a cut line behind two quote marks",
        mail(f"R1 charge E4\n{quoted(NESTED)}"),
        text="R1 charge E4",
    ),
    Case(
        "not-an-introduction",
        "a line that begins with `On` and names no day is not taken for an introduction",
        mail("phrase On we go, as Anna wrote:\nR1 charge E4\nOn the left they wrote:\nR2 move E5"),
        text="phrase On we go, as Anna wrote:\nR1 charge E4\nOn the left they wrote:\nR2 move E5",
    ),
    Case(
        "dash-list",
        "orders as a list with dashes stay orders",
        mail("- R1 charge E4\n- R2 move E5"),
        text="- R1 charge E4\n- R2 move E5",
    ),
    Case(
        "html-list",
        "orders as a list in HTML",
        mail("<ul><li>R1 charge E4</li><li>R2 move E5</li></ul>", type_=HTML),
        text="R1 charge E4\nR2 move E5",
    ),
    Case(
        "html-entities",
        "entities and unbreakable spaces in HTML",
        mail("<p>R1&nbsp;charge&#32;E4<br>say a &amp; b &lt;c&gt;</p>", type_=HTML),
        text="R1 charge E4\nsay a & b <c>",
    ),
    Case(
        "html-cut",
        "the cut line in HTML without any mark of a quote",
        mail(f"{HTML_ORDERS}<hr>{HTML_LETTER}", type_=HTML),
        text=ORDERS,
    ),
    Case(
        "html-hidden",
        "hidden HTML is not read",
        mail('<p>R1 charge E4</p><p style="DISPLAY: none">resign</p>', type_=HTML),
        text="R1 charge E4",
    ),
    Case(
        "empty-text-part",
        "an empty text beside the HTML: the HTML counts",
        multi((PLAIN, " \n"), (HTML, HTML_ORDERS)),
        text=ORDERS,
    ),
    Case(
        "flowed",
        "flowed: soft line ends, stuffed spaces",
        mail("phrase one two \nthree\n From here\n>> old \n>> text\nR1 charge E4", type_=f"{PLAIN}; format=flowed"),
        text="phrase one two three\nFrom here\nR1 charge E4",
    ),
    Case(
        "flowed-delsp",
        "flowed with DelSp",
        mail("phrase un \ndeux\nR1 charge E4", type_=f"{PLAIN}; format=Flowed; delsp=yes"),
        text="phrase undeux\nR1 charge E4",
    ),
    Case(
        "qp-soft",
        "quoted-printable with soft line ends",
        mail(b"phrase l'=C3=A9=\nt=C3=A9\nR1 charge=20E4", encoding="7bit\nX-Old: 1").replace(
            b"Encoding: 7bit", b"Encoding: quoted-printable"
        ),
        text="phrase l'été\nR1 charge E4",
    ),
    Case(
        "bad-qp",
        "broken quoted-printable",
        mail(b"R1 charge E4 =ZZ=\nR2=", encoding="7bit").replace(b"Encoding: 7bit", b"Encoding: quoted-printable"),
        text="R1 charge E4 =ZZR2",
    ),
    Case(
        "bad-base64",
        "broken base64",
        mail(b"UjEgY2hhcmdlIEU0!!!*", encoding="7bit").replace(b"Encoding: 7bit", b"Encoding: base64"),
        text="R1 charge E4",
    ),
    Case(
        "latin-1",
        "windows-1252 that calls itself iso-8859-1",
        mail("phrase l\u2019\u00e9t\u00e9".encode("cp1252"), type_="text/plain; charset=iso-8859-1"),
        text="phrase l'été",
    ),
    Case(
        "no-charset",
        "8 bits without a charset, not UTF-8",
        mail("phrase été".encode("latin-1"), type_="text/plain"),
        text="phrase été",
    ),
    Case(
        "no-charset-utf8",
        "UTF-8 that calls itself us-ascii",
        mail("phrase été", type_="text/plain; charset=us-ascii"),
        text="phrase été",
    ),
    Case(
        "unknown-charset",
        "an unknown charset",
        mail("R1 charge E4", type_="text/plain; charset=x-martian"),
        text="R1 charge E4",
    ),
    Case(
        "shift-jis",
        "a Japanese charset, wide letters",
        mail("Ｒ１　ｃｈａｒｇｅ　Ｅ４".encode("shift_jis"), type_="text/plain; charset=shift_jis"),
        text="R1 charge E4",
    ),
    Case(
        "zero-width",
        "zero-width and direction marks, a byte order mark",
        mail("\ufeffR\u200b1 ch\u00adarge \u200eE4\u202c"),
        text="R1 charge E4",
    ),
    Case("decomposed", "letters composed of two (macOS)", mail("phrase e\u0301te\u0301"), text="phrase été"),
    Case("crlf", "CRLF line ends", mail(f"{ORDERS}\n\n{ON}\n{quoted()}").replace(b"\n", b"\r\n"), text=ORDERS),
    Case("lone-cr", "line ends of old Macs", mail(ORDERS).replace(b"\n", b"\r"), text=ORDERS),
    Case(
        "mbox",
        "the `From ` line of an mbox in front",
        b"From anna@example.org Mon Dec  7 10:30:00 2026\n" + mail(ORDERS),
        text=ORDERS,
    ),
    Case(
        "no-mime",
        "no MIME fields at all",
        f"From: anna@example.org\nTo: {US}\n\nR1 charge E4\n".encode(),
        text="R1 charge E4",
    ),
    Case(
        "attachment-only",
        "the orders are an attachment: never opened",
        multi(
            ("text/plain; name=orders.txt\nContent-Disposition: attachment; filename=orders.txt", ORDERS), kind="mixed"
        ),
        also={"attachments": 1},
    ),
    Case(
        "zip",
        "a zip beside the orders",
        multi(
            (PLAIN, ORDERS),
            (
                "application/zip; name=bomb.zip\nContent-Transfer-Encoding: base64",
                b64encode(b"PK\x03\x04" * 50).decode(),
            ),
            kind="mixed",
        ),
        text=ORDERS,
        also={"attachments": 1},
    ),
    Case(
        "forwarded-inside",
        "another mail attached: its text is somebody else's",
        multi((PLAIN, ORDERS), ("message/rfc822", "From: ben@example.org\nSubject: x\n\nresign"), kind="mixed"),
        text=ORDERS,
        also={"attachments": 1},
    ),
    Case(
        "pgp-signed",
        "OpenPGP within the text",
        mail(
            f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{ORDERS}\n- -- \nAnna\n-----BEGIN PGP SIGNATURE-----\n\niQ==\n-----END PGP SIGNATURE-----"
        ),
        text=ORDERS,
    ),
    Case(
        "signed",
        "multipart/signed",
        multi((PLAIN, ORDERS), ("application/pgp-signature; name=signature.asc", "iQ=="), kind="signed"),
        text=ORDERS,
        also={"attachments": 1},
    ),
    Case(
        "encrypted",
        "encrypted: cannot be read, and says so",
        multi(("application/pgp-encrypted", "Version: 1"), ("application/octet-stream", "x"), kind="encrypted"),
        why="encrypted",
        also={"attachments": 2},
    ),
    Case(
        "no-token",
        "Exchange without `+` addresses: the token is found in References",
        mail(ORDERS, to="play@phalera.example"),
        text=ORDERS,
        also={"tokens": (TOKEN,), "heads": (HEAD.hex()[:16],)},
    ),
    Case(
        "upper-case-token",
        "the address in capitals",
        mail(ORDERS, to=US.upper(), thread=False),
        text=ORDERS,
        also={"tokens": (TOKEN,)},
    ),
    Case(
        "two-senders",
        "two addresses in From: no sender",
        mail(ORDERS, sender="a@example.org, b@example.org"),
        text=ORDERS,
        also={"sender": ""},
    ),
    Case("no-sender", "no From", mail(ORDERS, sender=""), text=ORDERS, also={"sender": ""}),
    Case(
        "encoded-subject",
        "an encoded subject",
        mail(ORDERS, subject=Header("Ré : été", "utf-8").encode()),
        text=ORDERS,
        also={"subject": "Ré : été"},
    ),
    Case(
        "subject-vacation",
        "a person whose subject says `Out of office` plays all the same",
        mail(ORDERS, subject="Out of office? not me"),
        text=ORDERS,
    ),
    Case(
        "suppress",
        "Exchange puts X-Auto-Response-Suppress on mails of people, too",
        mail(ORDERS, "X-Auto-Response-Suppress: OOF"),
        text=ORDERS,
    ),
    Case(
        "utf-16",
        "UTF-16 with its mark, base64",
        mail(ORDERS.encode("utf-16"), type_="text/plain; charset=utf-16", encoding="base64"),
        text=ORDERS,
    ),
    Case(
        "utf-16-lost",
        "UTF-16 in 8 bits, of which a transport has lost the zeros",
        mail(ORDERS.encode("utf-16"), type_="text/plain"),
        text=ORDERS,
    ),
]
