"""Mails from machines."""

from tests.server.mail.incoming.reading.corpus.shared import (
    BOUNCE,
    HTML,
    LETTER_ID,
    ON,
    ORDERS,
    OURS,
    PLAIN,
    TOKEN,
    US,
    Case,
    mail,
    multi,
    quoted,
)


def report(status: str, action: str = "failed", code: str = "5.1.1", returned: str = "") -> bytes:
    """A delivery report (RFC 3464) to the address its letter came from."""
    body = (
        f"--r\nContent-Type: text/plain\n\n{status}\n--r\nContent-Type: message/delivery-status\n\n"
        f"Reporting-MTA: dns; mx.example.org\n\nFinal-Recipient: rfc822; Anna@example.org\nAction: {action}\n"
        f"Status: {code}\nDiagnostic-Code: smtp; 550 {code} no such user\n\n"
        f"--r\nContent-Type: text/rfc822-headers\n\n{returned}\n--r--\n"
    )
    kind = 'multipart/report; report-type=delivery-status; boundary="r"'
    return mail(
        body,
        "Auto-Submitted: auto-replied",
        sender="MAILER-DAEMON@mx.example.org",
        to=OURS.to(BOUNCE),
        subject="Undelivered Mail Returned to Sender",
        type_=kind,
        top="Return-Path: <>",
        thread=False,
    )


def told(text: str, subject: str, *more: str, sender: str = "MAILER-DAEMON@mx.example.org") -> bytes:
    """A bounce in words."""
    to = OURS.to(BOUNCE)
    return mail(text, *more, sender=sender, to=to, subject=subject, top="Return-Path: <>", thread=False)


def away(text: str, *more: str, subject: str = "Automatic reply: [G42] Cannae", top: str = "") -> bytes:
    """An automatic answer to a letter."""
    return mail(text, *(more or ("Auto-Submitted: auto-replied",)), subject=subject, top=top)


QMAIL = """Hi. This is the qmail-send program at mx.example.org.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<anna@example.org>:
Sorry, no mailbox here by that name. (#5.1.1)
"""
LATER = "The mail system will try again."
MACHINES = [
    Case(
        "report",
        "a delivery report",
        report("No such user."),
        "bounce",
        why="delivery-status",
        also={"bounce": ((BOUNCE,), "anna@example.org", "5.1.1", True)},
    ),
    Case(
        "report-full",
        "a report of a full mailbox, given up: not for ever",
        report("Full.", code="4.2.2"),
        "bounce",
        why="delivery-status",
        also={"bounce": ((BOUNCE,), "anna@example.org", "4.2.2", False)},
    ),
    Case(
        "report-returned",
        "a report to another address; the returned fields name the letter",
        report("No.", returned=f"Message-ID: {LETTER_ID}\nTo: anna@example.org").replace(
            OURS.to(BOUNCE).encode(), b"play@phalera.example"
        ),
        "bounce",
        why="delivery-status",
        also={"bounce": ((TOKEN,), "anna@example.org", "5.1.1", True)},
    ),
    Case(
        "report-delayed",
        "a report that the letter is late: no bounce",
        report(LATER, "delayed", "4.4.1"),
        "automatic",
        why="delivery-status delayed",
    ),
    Case(
        "report-read",
        "a receipt that it was read",
        mail(
            "--r\nContent-Type: text/plain\n\nIt was read.\n--r--",
            type_="multipart/report; report-type=disposition-notification; boundary=r",
        ),
        "automatic",
        why="multipart/report",
    ),
    Case(
        "qmail",
        "a bounce in words (qmail)",
        told(QMAIL, "failure notice"),
        "bounce",
        why="From",
        also={"bounce": ((BOUNCE,), "anna@example.org", "5.1.1", True)},
    ),
    Case(
        "exim",
        "a bounce with X-Failed-Recipients (Exim)",
        told(
            "550 5.7.1 rejected by policy",
            "Mail delivery failed: returning message to sender",
            "X-Failed-Recipients: anna@example.org",
            "Auto-Submitted: auto-replied",
        ),
        "bounce",
        why="X-Failed-Recipients",
        also={"bounce": ((BOUNCE,), "anna@example.org", "5.7.1", True)},
    ),
    Case(
        "old-bounce",
        "a bounce from an ordinary sender, empty envelope",
        told(
            "anna@example.org: 452 mailbox full",
            "Undeliverable: [G42]",
            sender="System Administrator <admin@example.org>",
        ),
        "bounce",
        why="Return-Path",
        also={"bounce": ((BOUNCE,), "anna@example.org", "4.0.0", False)},
    ),
    Case(
        "vacation-exchange",
        "Exchange's note that somebody is away; no day",
        away("I am away.", "Auto-Submitted: auto-generated", "X-Auto-Response-Suppress: All", top="Return-Path: <>"),
        "vacation",
        why="Auto-Submitted",
    ),
    Case(
        "vacation-day",
        "a note with a day in English",
        away("I am out of the office until 12 January 2027."),
        "vacation",
        why="Auto-Submitted",
        also={"back": "2027-01-12"},
    ),
    Case(
        "vacation-fr",
        "a note with a day in French, without a year",
        away("Je suis absente du 3 au 12 janvier.", subject="Réponse automatique : [G42]"),
        "vacation",
        why="Auto-Submitted",
        also={"back": "2027-01-12"},
    ),
    Case(
        "vacation-iso",
        "a note with two days: the return counts",
        away("On vacation from 2026-12-20. I will be back on 2027-01-04."),
        "vacation",
        why="Auto-Submitted",
        also={"back": "2027-01-04"},
    ),
    Case(
        "vacation-unclear",
        "3/4/2027: nobody knows which is the month",
        away("Out of office until 3/4/2027"),
        "vacation",
        why="Auto-Submitted",
    ),
    Case(
        "vacation-classic",
        "vacation(1): Precedence: junk",
        away("R1 charge E4\nI am away", "Precedence: junk", subject="away from my mail"),
        "vacation",
        why="Precedence",
    ),
    Case(
        "vacation-header", "X-Vacation", away("x", "X-Vacation: yes", subject="Re: [G42]"), "vacation", why="X-Vacation"
    ),
    Case(
        "vacation-suppress",
        "a subject of an automatic answer together with X-Auto-Response-Suppress",
        away("back on 2 February 2027", "X-Auto-Response-Suppress: All"),
        "vacation",
        why="X-Auto-Response-Suppress",
        also={"back": "2027-02-02"},
    ),
    Case(
        "ticket",
        "a ticket system thanks for the mail",
        away("Your request was received.", subject="[#123] Received"),
        "automatic",
        why="Auto-Submitted",
    ),
    Case("auto-no", "Auto-Submitted: no is a person", mail(ORDERS, "Auto-Submitted: no"), text=ORDERS),
    Case("bulk", "Precedence: bulk", mail(ORDERS, "Precedence: Bulk"), "automatic", why="Precedence"),
    Case("list", "a mailing list", mail(ORDERS, "List-Id: <x.example.org>"), "automatic", why="List-ID"),
    Case("autorespond", "X-Autorespond", mail(ORDERS, "X-Autorespond: 1"), "automatic", why="X-Autorespond"),
    Case("no-reply", "a no-reply sender", mail(ORDERS, sender="no-reply@example.org"), "automatic", why="From"),
    Case("postmaster", "postmaster", mail(ORDERS, sender="Postmaster@example.org"), "automatic", why="From"),
    Case(
        "empty-envelope",
        "an empty envelope sender",
        mail(ORDERS, top="Return-Path: <>"),
        "automatic",
        why="Return-Path",
    ),
    Case("loop-self", "our own address as sender", mail(ORDERS, sender=f"Phalera <{US}>"), "loop", why="From"),
    Case("loop-x", "X-Loop of ours", mail(ORDERS, "X-Loop: play@phalera.example"), "loop", why="X-Loop"),
    Case(
        "loop-id",
        "a letter of ours comes back",
        mail(ORDERS).replace(b"<one@example.org>", LETTER_ID.encode()),
        "loop",
        why="Message-ID",
    ),
    Case("loop-hops", "more than 50 hops", mail(ORDERS, *["Received: by x.example"] * 51), "loop", why="Received"),
    Case(
        "machine-too-large",
        "a machine's mail of more than 1 MiB is a machine's, and not answered",
        mail("x" * 1100000, "Auto-Submitted: auto-replied"),
        "automatic",
        why="Auto-Submitted",
    ),
    Case(
        "machine-broken",
        "a machine's mail that cannot be parsed",
        mail("\n" * 30000, "List-Id: x"),
        "automatic",
        why="List-ID",
    ),
    Case(
        "vacation-icloud",
        "iCloud's vacation note",
        mail("I am out until Monday.", "X-Apple-Action: VACATION", subject="Auto reply: [G42] Cannae"),
        "vacation",
        why="X-Apple-Action",
    ),
    Case(
        "vacation-subject",
        "a vacation note without any field, known by its subject alone",
        mail("I am out of the office until further notice.", subject="Out of Office"),
        "vacation",
        why="Subject",
    ),
    Case(
        "vacation-subject-colon",
        "the same with the subject of our letter behind it",
        mail("Ich bin nicht im Büro.", subject="Automatische Antwort: [G42] Cannae"),
        "vacation",
        why="Subject",
    ),
    Case(
        "reaction-gmail",
        "a reaction by Gmail",
        multi(
            (PLAIN, f"👍\n\nAnna reacted via Gmail\n\n{ON}\n{quoted()}"),
            ("text/vnd.google.email-reaction+json; charset=utf-8", '{"version":1,"emoji":"👍"}'),
            (HTML, "<div>👍</div>"),
        ),
        "automatic",
        why="reaction",
    ),
    Case(
        "reaction-words",
        "a reaction in words",
        mail(f"Anna reacted to your message: 👍\n\n{ON}\n{quoted()}"),
        "automatic",
        why="reaction",
    ),
    Case(
        "calendar-reply",
        "an invitation accepted by a click",
        multi(
            (PLAIN, "Anna has accepted this invitation."),
            ("text/calendar; charset=utf-8; method=REPLY", "BEGIN:VCALENDAR\nMETHOD:REPLY\nEND:VCALENDAR"),
        ),
        "automatic",
        why="text/calendar",
    ),
]
