"""Mails that say their sender is proven."""

from tests.server.mail.incoming.reading.corpus.shared import ORDERS, Case, mail

STAMP = "Authentication-Results: mx.phalera.example; "
OUTSIDE = "Received: from anna by mx.example.org; Mon, 7 Dec 2026 10:29:00 +0100"
INSIDE = "Received: from mx.example.org by mx.phalera.example with ESMTPS; Mon, 7 Dec 2026 10:30:00 +0100"
MX = ("mx.phalera.example",)
TRUST = [
    Case(
        "dmarc",
        "our server says dmarc=pass",
        mail(ORDERS, top=f"{STAMP}dmarc=pass (p=none) header.from=example.org\n{OUTSIDE}"),
        text=ORDERS,
        also={"trust": "pass", "signed": "example.org"},
        trusted=MX,
    ),
    Case(
        "dkim-aligned",
        "our server says dkim=pass for the sender's domain, below its Received",
        mail(ORDERS, top=f"{INSIDE}\n{STAMP}spf=pass smtp.mailfrom=x; dkim=pass header.d=example.org\n{OUTSIDE}"),
        text=ORDERS,
        also={"trust": "pass", "signed": "example.org"},
        trusted=MX,
    ),
    Case(
        "dkim-above",
        "a domain above the sender's signs",
        mail(ORDERS, sender="a@mail.example.org", top=f"{STAMP}dkim=pass header.i=@example.org"),
        text=ORDERS,
        also={"trust": "pass", "signed": "example.org"},
        trusted=MX,
    ),
    Case(
        "dkim-other",
        "another domain's signature proves nothing",
        mail(ORDERS, top=f"{STAMP}dkim=pass header.d=evil.example"),
        text=ORDERS,
        also={"trust": "none"},
        trusted=MX,
    ),
    Case(
        "dkim-top-level",
        "a signature of a top-level domain proves nothing",
        mail(ORDERS, top=f"{STAMP}dkim=pass header.d=org"),
        text=ORDERS,
        also={"trust": "none"},
        trusted=MX,
    ),
    Case(
        "dkim-suffix",
        "a domain that only ends alike proves nothing",
        mail(ORDERS, sender="a@notexample.org", top=f"{STAMP}dkim=pass header.d=example.org"),
        text=ORDERS,
        also={"trust": "none"},
        trusted=MX,
    ),
    Case(
        "dmarc-fail",
        "our server says dmarc=fail",
        mail(ORDERS, top=f"{STAMP}dmarc=fail header.from=example.org"),
        text=ORDERS,
        also={"trust": "fail"},
        trusted=MX,
    ),
    Case(
        "dkim-fail",
        "the sender's own signature is broken",
        mail(ORDERS, top=f"{STAMP}dkim=fail header.d=example.org"),
        text=ORDERS,
        also={"trust": "fail"},
        trusted=MX,
    ),
    Case(
        "stamp-untrusted",
        "a stamp of a server that nobody named",
        mail(ORDERS, top="Authentication-Results: mx.evil.example; dmarc=pass header.from=example.org"),
        text=ORDERS,
        also={"trust": "none"},
        trusted=MX,
    ),
    Case(
        "stamp-none-named",
        "no server is named",
        mail(ORDERS, top=f"{STAMP}dmarc=pass header.from=example.org"),
        text=ORDERS,
        also={"trust": "none"},
    ),
    Case(
        "stamp-forged-below",
        "a forged stamp right below the true one",
        mail(ORDERS, top=f"{STAMP}dkim=none\n{STAMP}dmarc=pass header.from=example.org"),
        text=ORDERS,
        also={"trust": "none"},
        trusted=MX,
    ),
    Case(
        "stamp-forged-outside",
        "a forged stamp below a hop outside",
        mail(ORDERS, top=f"{OUTSIDE}\n{STAMP}dmarc=pass header.from=example.org"),
        text=ORDERS,
        also={"trust": "none"},
        trusted=MX,
    ),
    Case(
        "stamp-forged-sent",
        "a forged stamp among the fields as sent",
        mail(ORDERS, f"{STAMP}dmarc=pass header.from=example.org"),
        text=ORDERS,
        also={"trust": "none"},
        trusted=MX,
    ),
    Case(
        "stamp-unreadable",
        "a true stamp that cannot be read does not let a forged one count",
        mail(ORDERS, top=f"{STAMP}(((\n{STAMP}dmarc=pass header.from=example.org"),
        text=ORDERS,
        also={"trust": "none"},
        trusted=MX,
    ),
    Case(
        "stamp-two-senders",
        "a pass for two senders in From",
        mail(ORDERS, sender="a@example.org, b@example.org", top=f"{STAMP}dmarc=pass header.from=example.org"),
        text=ORDERS,
        also={"trust": "none", "sender": ""},
        trusted=MX,
    ),
    Case(
        "stamp-other-from",
        "a pass for another From",
        mail(ORDERS, top=f"{STAMP}dmarc=pass header.from=evil.example"),
        text=ORDERS,
        also={"trust": "none"},
        trusted=MX,
    ),
    Case(
        "gmail-imap",
        "a mailbox at Gmail: hops without a name, the stamp below the last of them",
        mail(
            ORDERS,
            top="Received: by 2002:a05:6a10:9a09:b0:4f2:0:1 with SMTP id x\n"
            "Received: from mx.example.org by mx.google.com with ESMTPS\nReceived-SPF: pass\n"
            "Authentication-Results: mx.google.com; dkim=pass header.i=@example.org header.s=s1 header.b=abc;\n"
            " spf=pass (google.com: domain of a@example.org) smtp.mailfrom=a@example.org;\n"
            " dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=example.org",
        ),
        text=ORDERS,
        also={"trust": "pass", "signed": "example.org"},
        trusted=("mx.google.com",),
    ),
    Case(
        "stamp-neighbour",
        "a hop at another host of a public domain above ours is outside",
        mail(ORDERS, top=f"Received: by evil.example; x\n{STAMP}dmarc=pass header.from=example.org"),
        text=ORDERS,
        also={"trust": "none"},
        trusted=MX,
    ),
]
