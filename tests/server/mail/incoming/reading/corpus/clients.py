# ruff: noqa: E501 (a mail is easier to read on one line)
"""Answers to a letter as the mail programs of people write them."""

from tests.server.mail.incoming.reading.corpus.shared import (
    BLOCK_EN,
    BLOCK_FR,
    HTML,
    HTML_LETTER,
    HTML_ORDERS,
    LE,
    LETTER,
    ON,
    ORDERS,
    PLAIN,
    US,
    Case,
    mail,
    multi,
    quoted,
)

CLIENTS = [
    Case(
        "gmail-web",
        "Gmail on the web: above the quote, introduction over two lines",
        mail(f"{ORDERS}\n\n{ON}\n\n{quoted()}"),
        text=ORDERS,
    ),
    Case(
        "gmail-web-fr",
        "Gmail in French, text and HTML",
        multi(
            (PLAIN, f"{ORDERS}\n\n{LE}\n\n{quoted()}"),
            (
                HTML,
                f'{HTML_ORDERS}<div class="gmail_quote"><div class="gmail_attr">{LE}</div><blockquote>{HTML_LETTER}</blockquote></div>',
            ),
        ),
        text=ORDERS,
    ),
    Case(
        "gmail-android",
        "Gmail on Android, HTML only, quote in a container",
        mail(
            f'<div dir="auto">{HTML_ORDERS}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">{ON}<br></div><blockquote>{HTML_LETTER}</blockquote></div>',
            type_=HTML,
        ),
        text=ORDERS,
    ),
    Case("gmail-bottom", "Gmail, below the quote", mail(f"{ON}\n\n{quoted()}\n\n{ORDERS}"), text=ORDERS),
    Case(
        "gmail-base64",
        "Gmail in French: base64",
        mail(f"{ORDERS}\r\n\r\n{LE}\r\n\r\n{quoted()}", encoding="base64"),
        text=ORDERS,
    ),
    Case(
        "outlook-2016",
        "Outlook 2016: a block of header fields, nothing marked as quoted",
        mail(f"{ORDERS}\n\n{BLOCK_EN}\n{LETTER}"),
        text=ORDERS,
    ),
    Case(
        "outlook-2016-fr",
        "Outlook 2016 in French",
        mail(f"{ORDERS}\n\n{BLOCK_FR}\n{LETTER}", encoding="quoted-printable"),
        text=ORDERS,
    ),
    Case(
        "outlook-365",
        "Outlook 365: a rule of underscores above the block",
        mail(f"{ORDERS}\n\n________________________________\n{BLOCK_EN}\n{LETTER}"),
        text=ORDERS,
    ),
    Case(
        "outlook-365-html",
        "Outlook 365, HTML only, in a table",
        mail(
            f'<html><head><style>p{{color:red}}</style></head><body><table><tr><td>{HTML_ORDERS}</td></tr></table><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Phalera</div>{HTML_LETTER}</body></html>',
            type_=HTML,
        ),
        text=ORDERS,
    ),
    Case(
        "outlook-ios",
        "Outlook on a phone adds a line of its own",
        mail(
            f"{ORDERS}\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n________________________________\n{BLOCK_EN}\n{LETTER}"
        ),
        text=ORDERS,
    ),
    Case(
        "outlook-android-fr",
        "Outlook on a French phone",
        mail(
            f"{ORDERS}\n\nTélécharger Outlook pour Android<https://aka.ms/AAb9ysg>\n________________________________\n{BLOCK_FR}\n{LETTER}"
        ),
        text=ORDERS,
    ),
    Case(
        "outlook-original",
        "`-----Original Message-----` above the quote",
        mail(f"{ORDERS}\n\n-----Original Message-----\n{BLOCK_EN}\n{LETTER}"),
        text=ORDERS,
    ),
    Case(
        "outlook-original-fr",
        "`-----Message d'origine-----` above the quote",
        mail(f"{ORDERS}\n\n-----Message d'origine-----\n{BLOCK_FR}\n{LETTER}"),
        text=ORDERS,
    ),
    Case(
        "apple-mail",
        "Apple Mail: introduction on one line",
        mail(f"{ORDERS}\n\n> On 7 Dec 2026, at 10:12, Phalera <{US}> wrote:\n>\n{quoted()}"),
        text=ORDERS,
    ),
    Case(
        "apple-mail-fr",
        "Apple Mail in French, text between attachments",
        multi(
            (PLAIN, "R1 charge E4\n"),
            ("application/pdf; name=plan.pdf\nContent-Disposition: inline; filename=plan.pdf", "%PDF-"),
            (PLAIN, f"R2 move E5\nend turn\n\n> Le 7 déc. 2026 à 10:12, Phalera <{US}> a écrit :\n>\n{quoted()}"),
            kind="mixed",
        ),
        text="R1 charge E4\n\nR2 move E5\nend turn",
        also={"attachments": 1},
    ),
    Case(
        "apple-mail-html",
        "Apple Mail, HTML only",
        mail(
            f'<body>{HTML_ORDERS}<div><br><blockquote type="cite"><div>On 7 Dec 2026, Phalera wrote:</div>{HTML_LETTER}</blockquote></div></body>',
            type_=HTML,
        ),
        text=ORDERS,
    ),
    Case(
        "iphone",
        "iPhone: its own signature",
        mail(
            f"{ORDERS}\n\nSent from my iPhone\n\n> On 7 Dec 2026, at 10:12, Phalera <{US}> wrote:\n> \n> \ufeff{quoted()[2:]}"
        ),
        text=ORDERS,
    ),
    Case(
        "iphone-fr",
        "iPhone in French: signature, curly quotes, long dashes, unbreakable spaces",
        mail(
            f"R1\u00a0charge E4\nphrase l\u2019\u00e9t\u00e9 \u2014 \u201cdoux\u201d\n\nEnvoyé de mon iPhone\n\n> Le 7 déc. 2026 à 10:12, Phalera a écrit :\n>\n{quoted()}"
        ),
        text='R1 charge E4\nphrase l\'été - "doux"',
    ),
    Case(
        "thunderbird",
        "Thunderbird: below the quote, flowed",
        mail(f"On 07/12/2026 10:12, Phalera wrote:\n{quoted()}\n\n{ORDERS}\n", type_=f"{PLAIN}; format=flowed"),
        text=ORDERS,
    ),
    Case(
        "thunderbird-fr",
        "Thunderbird in French: above the quote, signature with two dashes",
        mail(f"{ORDERS}\n\n-- \nAnna Dupont\n06 12 34 56 78\n\nLe 07/12/2026 à 10:12, Phalera a écrit :\n{quoted()}"),
        text=ORDERS,
    ),
    Case(
        "thunderbird-html",
        "Thunderbird, HTML only, below the quote",
        mail(
            f'<body><div class="moz-cite-prefix">Le 07/12/2026 à 10:12, Phalera a écrit :<br></div><blockquote type="cite">{HTML_LETTER}</blockquote>{HTML_ORDERS}</body>',
            type_=HTML,
        ),
        text=ORDERS,
    ),
    Case(
        "mutt",
        "mutt: attribution, quote, answer below, signature",
        mail(f"On Mon, Dec 07, 2026 at 10:12:00AM +0100, Phalera wrote:\n{quoted()}\n\n{ORDERS}\n\n-- \nAnna"),
        text=ORDERS,
    ),
    Case(
        "mutt-top",
        "mutt: answer above",
        mail(f"{ORDERS}\n\nOn Mon, Dec 07, 2026 at 10:12:00AM +0100, Phalera wrote:\n{quoted()}"),
        text=ORDERS,
    ),
    Case(
        "mutt-between",
        "mutt: orders between the lines of the quote above the cut line",
        mail(f"> Hello Anna\nR1 charge E4\n> It is your turn\nR2 move E5\nend turn\n{quoted()}"),
        text=ORDERS,
    ),
    Case(
        "k9",
        "K-9 Mail: its own signature",
        mail(
            f"{ORDERS}\n\nOn 7 December 2026 10:12:00 CET, Phalera <{US}> wrote:\n{quoted('>')}\n-- \nSent from my Android device with K-9 Mail. Please excuse my brevity."
        ),
        text=ORDERS,
    ),
    Case(
        "k9-fr",
        "K-9 Mail in French",
        mail(
            f"{ORDERS}\n-- \nEnvoyé de mon appareil Android avec Courriel K-9 Mail. Veuillez excuser ma brièveté.\n\nLe 7 décembre 2026 10:12:00 GMT+01:00, Phalera <{US}> a écrit :\n{quoted('>')}"
        ),
        text=ORDERS,
    ),
    Case(
        "yahoo",
        "Yahoo: introduction, quote indented and unmarked",
        mail(
            f"{ORDERS}\n\n    On Monday, December 7, 2026 at 10:12:00 AM GMT+1, Phalera <{US}> wrote:  \n \n {quoted(' ')}"
        ),
        text=ORDERS,
    ),
    Case(
        "yahoo-android-html",
        "Yahoo on Android, HTML only",
        mail(
            f'{HTML_ORDERS}<div id="ymail_android_signature"><a href="x">Sent from Yahoo Mail on Android</a></div><blockquote><p>On Mon, Phalera wrote:</p>{HTML_LETTER}</blockquote>',
            type_=HTML,
        ),
        text=ORDERS,
    ),
    Case(
        "yahoo-fr-html",
        "Yahoo in French, HTML only",
        mail(
            f'{HTML_ORDERS}<div id="yahoo_quoted_1" class="yahoo_quoted"><div>Le lundi 7 décembre 2026 à 10:12, Phalera a écrit :</div>{HTML_LETTER}</div>',
            type_=HTML,
        ),
        text=ORDERS,
    ),
    Case(
        "proton",
        "Proton: its own signature, long introduction",
        mail(
            f"{ORDERS}\n\nSent with [Proton Mail](https://proton.me/) secure email.\n\nOn Monday, December 7th, 2026 at 10:12 AM, Phalera <{US}> wrote:\n\n{quoted()}"
        ),
        text=ORDERS,
    ),
    Case(
        "proton-fr",
        "Proton in French",
        mail(
            f"{ORDERS}\n\nEnvoyé avec la messagerie sécurisée [Proton Mail.](https://proton.me/)\n\nLe lundi 7 décembre 2026 à 10:12, Phalera <{US}> a écrit :\n\n{quoted()}"
        ),
        text=ORDERS,
    ),
    Case(
        "proton-html",
        "Proton, HTML only",
        mail(
            f'{HTML_ORDERS}<div class="protonmail_quote">On Monday, Phalera wrote:<br><blockquote class="protonmail_quote">{HTML_LETTER}</blockquote></div>',
            type_=HTML,
        ),
        text=ORDERS,
    ),
    Case(
        "roundcube",
        "Roundcube (Free, many hosts): above the quote",
        mail(f"{ORDERS}\n\nLe 2026-12-07 10:12, Phalera a écrit :\n{quoted()}", type_=f"{PLAIN}; format=flowed"),
        text=ORDERS,
    ),
    Case(
        "roundcube-html",
        "Roundcube, HTML only",
        mail(
            f'{HTML_ORDERS}<p id="reply-intro">Le 2026-12-07 10:12, Phalera a écrit :</p><blockquote>{HTML_LETTER}</blockquote>',
            type_=HTML,
        ),
        text=ORDERS,
    ),
    Case(
        "orange",
        "Orange on the web: `> Message du …` within the quote",
        mail(
            f'{ORDERS}\n\n\n> Message du 07/12/26 10:12\n> De : "Phalera" \n> A : anna@orange.fr\n> Objet : [G42] Cannae\n> \n{quoted()}'
        ),
        text=ORDERS,
    ),
    Case(
        "orange-app",
        "Orange: `message de …` between dashes, unmarked",
        mail(f"{ORDERS}\n\n----- Message d'origine -----\nDe: Phalera\nÀ: Anna\nDate: 07/12/2026\n\n{LETTER}"),
        text=ORDERS,
    ),
    Case(
        "free-zimbra",
        "Free on Zimbra: `----- Mail original -----`",
        mail(
            f'{ORDERS}\n\n----- Mail original -----\nDe: "Phalera" <{US}>\nÀ: "Anna" <anna@free.fr>\nEnvoyé: Lundi 7 Décembre 2026 10:12:12\nObjet: [G42] Cannae\n\n{LETTER}'
        ),
        text=ORDERS,
    ),
    Case(
        "samsung",
        "Samsung: signature and `-------- Original message --------`",
        mail(
            f"{ORDERS}\n\n\n\nSent from my Galaxy\n\n\n-------- Original message --------\nFrom: Phalera <{US}>\nDate: 07/12/2026 10:12 (GMT+01:00)\nTo: Anna <anna@example.org>\nSubject: [G42]\n\n{LETTER}"
        ),
        text=ORDERS,
    ),
    Case(
        "zoho",
        "Zoho: dashes around the introduction",
        mail(f"{ORDERS}\n\n\n---- On Mon, 07 Dec 2026 10:12:00 +0100 Phalera <{US}> wrote ----\n\n{quoted()}"),
        text=ORDERS,
    ),
    Case(
        "german",
        "a German Thunderbird",
        mail(f"{ORDERS}\n\nAm 07.12.2026 um 10:12 schrieb Phalera:\n{quoted()}"),
        text=ORDERS,
    ),
    Case("s-nail", "s-nail: no quote at all", mail(ORDERS), text=ORDERS),
]
