# ruff: noqa: E501 (mails as mail programs write them)
"""Whole replies of people at real mail programs: one of each, with parts, encodings, signatures and advertisements.

Each quotes a real letter of ours as that program does. `PEOPLE` are name: (mail, the orders that are meant).
"""

import quopri
from base64 import encodebytes
from html import escape

from tests.server.mail.incoming.reading.corpus.shared import US, mail
from tests.support.letter_writing import SNAPSHOTS

LETTER = (SNAPSHOTS / "turn_en.txt").read_text(encoding="utf-8")
LIST = {1: "corps I", 2: "corps II", 3: "end turn", 4: "R1 ahead", 5: "R1 ahead-left", 15: "group R1 R2 ahead"}
LIST |= {16: "R2 ahead", 27: "R3 ahead", 47: "R4 shoot F4", 65: "R5 charge F4", 66: "R5 charge G4", 82: "R6 charge G4"}
NUMBERED = tuple(LIST.get(at, "R3 ahead-right") for at in range(1, 91))
"""The orders of the letter, by number."""

P = f"Phalera <{US}>"
LINK = f"Phalera &lt;<a href='mailto:{US}'>{US}</a>&gt;"
SUBJECT = "Skirmish at the two woods vs Bob: your turn 2"
CORPORATE = (
    "This e-mail and any attachments are confidential and may be privileged. If you are not the intended recipient,\n"
    "please notify the sender immediately and delete this e-mail. Unauthorised copying, disclosure or distribution\n"
    "of the material in this e-mail is strictly forbidden."
)


def quoted(mark: str = "> ") -> str:
    """The letter with a mark before each line; none behind the mark of an empty one."""
    return "\n".join(f"{mark}{line}".rstrip() for line in LETTER.splitlines())


def html_letter() -> str:
    """The letter as a mail program keeps it in HTML: paragraphs, its board and lists in tables."""
    rows = "".join(
        f"<tr><td>{escape(line)}</td></tr>" if line.startswith("|") else f"<p>{escape(line) or '&nbsp;'}</p>"
        for line in LETTER.splitlines()
    )
    return f"<table><tbody>{rows}</tbody></table>"


def alternative(plain: str, html: str, charset: str = "utf-8", encoding: str = "quoted-printable") -> bytes:
    """A mail with both texts, encoded as most programs do."""
    parts = ""
    for kind, text in (("plain", plain), ("html", html)):
        content = text.encode(charset)
        coded = encodebytes(content) if encoding == "base64" else quopri.encodestring(content)
        head = f'Content-Type: text/{kind}; charset="{charset}"\nContent-Transfer-Encoding: {encoding}'
        parts += f"--_000_DB9PR0{encoding[:1]}_\n{head}\n\n{coded.decode('ascii')}\n"
    return mail(
        f"{parts}--_000_DB9PR0{encoding[:1]}_--", type_=f'multipart/alternative; boundary="_000_DB9PR0{encoding[:1]}_"'
    )


def lines(text: str, tag: str = "div") -> str:
    """The lines of a text in elements of their own."""
    return "".join(f"<{tag}>{escape(line) or '<br>'}</{tag}>" for line in text.split("\n"))


def word(text: str) -> str:
    """The lines as Outlook on a desktop writes them."""
    return "".join(
        f"<p class=MsoNormal><span lang=DE style='font-size:11.0pt'>{escape(line) or '<o:p>&nbsp;</o:p>'}<o:p></o:p></span></p>"
        for line in text.split("\n")
    )


def outlook(orders: str, block: str, charset: str = "windows-1252") -> bytes:
    """Outlook on a desktop: both texts, the letter unmarked below a block of its fields."""
    told = "<br>".join(
        f"<b>{name}:</b>{value}" for name, _, value in (line.partition(":") for line in escape(block).split("\n"))
    )
    html = (
        "<html xmlns:o='urn:schemas-microsoft-com:office:office'><head><style><!-- p.MsoNormal {margin:0cm} --></style></head>"
        f"<body lang=DE link='#0563C1'><div class=WordSection1>{word(orders)}<p class=MsoNormal><o:p>&nbsp;</o:p></p>"
        "<div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'>"
        f"<p class=MsoNormal>{told}<o:p></o:p></p></div>{html_letter()}</div></body></html>"
    )
    plain = f"{orders}\n\n{block}\n\n{LETTER}"
    return alternative(
        plain.encode(charset, "replace").decode(charset),
        html.encode(charset, "xmlcharrefreplace").decode(charset),
        charset,
    )


def gmail(orders: str, said: str, signature: str = "") -> bytes:
    """Gmail: both texts, the letter quoted below a line that tells who wrote."""
    plain = f"{orders}\n\n{signature}\n\n{said}\n\n{quoted()}" if signature else f"{orders}\n\n{said}\n\n{quoted()}"
    sign = f"<br clear='all'><div class='gmail_signature' dir='ltr'>{lines(signature)}</div>" if signature else ""
    html = (
        f"<div dir='ltr'>{lines(orders)}</div>{sign}<br><div class='gmail_quote gmail_quote_container'>"
        f"<div dir='ltr' class='gmail_attr'>{escape(said)}<br></div><blockquote class='gmail_quote' "
        f"style='margin:0px 0px 0px 0.8ex'>{html_letter()}</blockquote></div>"
    )
    return alternative(plain, html)


def html_only(body: str, encoding: str = "quoted-printable") -> bytes:
    """A mail with nothing but HTML."""
    return mail(f"<html><head></head><body>{body}</body></html>", type_="text/html; charset=utf-8", encoding=encoding)


def phone(orders: str, sent_from: str, said: str) -> bytes:
    """Mail on a telephone of Apple's: nothing but HTML."""
    return html_only(
        f"<div dir='ltr'>{lines(orders)}<br id='lineBreakAtBeginningOfSignature'><div dir='ltr'>{sent_from}</div>"
        f"<div dir='ltr'><br><blockquote type='cite'>{said}<br><br></blockquote></div>"
        f"<blockquote type='cite'><div dir='ltr'>﻿{html_letter()}</div></blockquote></div>"
    )


CHARGE, SHOT, FIRST, SECOND, END = "R5 charge F4", "R4 shoot F4", "R1 ahead", "R2 ahead", "end turn"
BLOCK_DE = (
    f"Von: {P} \nGesendet: Montag, 7. Dezember 2026 10:12\nAn: Anna Berger <anna@example.org>\nBetreff: {SUBJECT}"
)
BLOCK_FR = f"De : {P} \nEnvoyé : lundi 7 décembre 2026 10:12\nÀ : Anna Dupont <anna@example.org>\nObjet : {SUBJECT}"
BLOCK_DA = f"Fra: {P} \nSendt: 7. december 2026 10:12\nTil: Anna Holm <anna@example.org>\nEmne: {SUBJECT}"
APPLE = f"On 7 Dec 2026, at 10:12, {P} wrote:"
INLINE = LETTER.splitlines()
HALF = next(at for at, line in enumerate(INLINE) if line.startswith("corps I,"))
"""Where the list of the second corps begins."""


def inline(mark: str = "> ") -> tuple[str, str]:
    """The letter quoted, in two halves."""
    halves = INLINE[:HALF], INLINE[HALF:]
    above, below = ("\n".join(f"{mark}{line}".rstrip() for line in half) for half in halves)
    return above, below


PEOPLE: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "outlook-desktop-de": (
        outlook(
            "Hallo zusammen,\n\nhier mein Zug:\nR5 charge F4\nR4 shoot F4\nend turn\n\nMit freundlichen Grüßen\nAnna Berger\n\nBerger & Söhne GmbH\nHauptstraße 12 | 10115 Berlin\nTel. +49 30 1234567\nwww.berger-soehne.example\nGeschäftsführer: Karl Berger, HRB 4711",
            BLOCK_DE,
        ),
        (CHARGE, SHOT, END),
    ),
    "outlook-desktop-fr": (
        outlook(
            "Bonjour,\n\nVoilà mes ordres :\n65\n47\n3\n\nBien cordialement,\n\nAnna DUPONT\nResponsable des achats\n01 42 34 56 78",
            BLOCK_FR,
        ),
        (CHARGE, SHOT, END),
    ),
    "outlook-desktop-da": (
        outlook(
            "Hej Bob\n\nR1 ahead\nR2 ahead\nend turn\n\nVenlig hilsen\n\nAnna Holm\nSkolevej 4, 8000 Aarhus C\nTlf. 12 34 56 78",
            BLOCK_DA,
        ),
        (FIRST, SECOND, END),
    ),
    "outlook-web-de": (
        html_only(
            f"<div class='elementToProof' style='font-family: Aptos'>4, 16, end</div><div class='elementToProof'>LG Anna</div><div id='appendonsend'></div><hr style='display:inline-block;width:98%'><div id='divRplyFwdMsg' dir='ltr'><b>Von:</b> {LINK}<br><b>Gesendet:</b> Montag, 7. Dezember 2026 10:12<br><b>An:</b> Anna<br><b>Betreff:</b> {SUBJECT}</div>{html_letter()}"
        ),
        (FIRST, SECOND, END),
    ),
    "outlook-mac-en": (
        mail(
            f"R5 charge F4\nend turn\n\nBest,\nAnna\n\n\nFrom: {P}\nDate: Monday, 7 December 2026 at 10:12\nTo: Anna <anna@example.org>\nSubject: {SUBJECT}\n\n{LETTER}",
            encoding="quoted-printable",
        ),
        (CHARGE, END),
    ),
    "outlook-ios-da": (
        alternative(
            f"R5 charge F4\nR4 shoot F4\nend turn\n\nHent Outlook til iOS<https://aka.ms/o0ukef>\n________________________________\n{BLOCK_DA}\n\n{LETTER}",
            "<p>x</p>",
        ),
        (CHARGE, SHOT, END),
    ),
    "outlook-android-de": (
        alternative(
            f"R5 charge F4\n47\n3\n\nHolen Sie sich Outlook für Android<https://aka.ms/AAb9ysg>\n________________________________\n{BLOCK_DE}\n\n{LETTER}",
            "<p>x</p>",
            encoding="base64",
        ),
        (CHARGE, SHOT, END),
    ),
    "windows-mail-fr": (
        mail(
            f"R1 avance\r\nR2 avance\r\nfin du tour\r\n\r\nProvenance : Courrier pour Windows\r\n\r\nDe : {P}\r\nEnvoyé le :lundi 7 décembre 2026 10:12\r\nÀ : Anna Dupont\r\nObjet :{SUBJECT}\r\n\r\n{LETTER}",
            encoding="base64",
        ),
        (FIRST, SECOND, END),
    ),
    "gmail-en": (
        gmail(
            "Ha, you'll regret that!\n\nR5 charge F4\nR4 shoot F4\nend turn",
            f"On Mon, Dec 7, 2026 at 10:12 AM Phalera <{US}> wrote:",
        ),
        (CHARGE, SHOT, END),
    ),
    "gmail-signature": (
        gmail(
            "R1 ahead\nR2 ahead\nend turn",
            f"On Mon, Dec 7, 2026 at 10:12 AM {P} wrote:",
            '-- \nAnna Smith\nPh.D. student, Department of Ancient History\nUniversity of Somewhere\n"Festina lente"',
        ),
        (FIRST, SECOND, END),
    ),
    "gmail-android-fr": (
        gmail(
            "Salut 😀\nR5 charge F4\nR4 tire F4\nfin du tour\nBisous",
            f"Le lun. 7 déc. 2026, 10:12, Phalera <\n{US}> a écrit :",
        ),
        (CHARGE, SHOT, END),
    ),
    "gmail-below": (
        mail(
            f"On Mon, Dec 7, 2026 at 10:12 AM Phalera <\n{US}> wrote:\n\n{quoted()}\n\nMy turn:\n\nR5 charge F4\nend turn\n"
        ),
        (CHARGE, END),
    ),
    "gmail-between": (
        mail(
            f"On Mon, Dec 7, 2026 at 10:12 AM {P} wrote:\n{inline()[0]}\n\nR5 charge F4\nR4 shoot F4\n\n{inline()[1]}\n\nR1 ahead\nend turn\n"
        ),
        (CHARGE, SHOT, FIRST, END),
    ),
    "gmail-corporate": (
        mail(f"65\n3\n\nOn Mon, 7 Dec 2026 at 10:12, {P} wrote:\n\n{quoted()}\n\n-- \n\n\n\n*{CORPORATE}*\n"),
        (CHARGE, END),
    ),
    "apple-mail-en": (
        mail(f"R5 charge F4\nR4 shoot F4\nend turn\n\n— Anna\n\n> {APPLE}\n> \n{quoted()}\n"),
        (CHARGE, SHOT, END),
    ),
    "apple-mail-fr": (
        mail(
            f"R1 avance.\nR2 avance.\nFin du tour.\n\nÀ bientôt,\nAnna\n\n> Le 7 déc. 2026 à 10:12, {P} a écrit :\n> \n{quoted()}\n",
            type_="text/plain; charset=utf-8; format=flowed; delsp=yes",
        ),
        (FIRST, SECOND, END),
    ),
    "apple-mail-between": (
        mail(f"\n\n> {APPLE}\n> \n{inline()[0]}\n\n65 please\n\n{inline()[1]}\n\nand then 3\n\nAnna"),
        (CHARGE, END),
    ),
    "iphone-de": (
        phone("R5 charge F4\nEnd turn", "Von meinem iPhone gesendet", f"Am 07.12.2026 um 10:12 schrieb {LINK}:"),
        (CHARGE, END),
    ),
    "iphone-en-quotes": (
        phone("R1 ahead \nR2 ahead \nEnd turn ", "Sent from my iPhone", f"On 7 Dec 2026, at 10:12, {LINK} wrote:"),
        (FIRST, SECOND, END),
    ),
    "ipad-da": (
        phone("4\n16\n3", "Sendt fra min iPad", f"Den 7. dec. 2026 kl. 10.12 skrev {LINK}:"),
        (FIRST, SECOND, END),
    ),
    "thunderbird-de-below": (
        mail(
            f"Am 07.12.26 um 10:12 schrieb Phalera:\n{quoted()}\n\nR5 charge F4\nR4 shoot F4\nend turn\n\nViele Grüße\nAnna\n\n-- \nAnna Berger · anna@example.org\nPGP: 0xDEADBEEF\n",
            type_="text/plain; charset=UTF-8; format=flowed",
        ),
        (CHARGE, SHOT, END),
    ),
    "thunderbird-en-html": (
        html_only(
            f"<p>Good morning!</p><p>group R1 R2 ahead<br>end turn</p><p>Anna</p><div class='moz-cite-prefix'>On 07/12/2026 10:12, Phalera wrote:<br></div><blockquote type='cite' cite='mid:1@phalera.example'><meta http-equiv='content-type' content='text/html; charset=UTF-8'>{html_letter()}</blockquote><div class='moz-signature'>-- <br>Anna Smith<br>31 Church Lane</div>"
        ),
        ("group R1 R2 ahead", END),
    ),
    "thunderbird-between": (
        mail(
            f"Hi,\n\nOn 07/12/2026 10:12, Phalera wrote:\n{inline()[0]}\nR5 charge F4, R4 shoot F4\n{inline()[1]}\nand end turn.\n\nCheers, Anna\n",
            type_="text/plain; charset=UTF-8; format=flowed",
        ),
        (CHARGE, SHOT, END),
    ),
    "yahoo-en": (
        alternative(
            f" R5 charge F4\nR4 shoot F4\nend turn\n    On Monday, December 7, 2026 at 10:12:00 AM GMT+1, Phalera <{US}> wrote:  \n \n {LETTER}  ",
            f"<div class='ydp1 yahoo-style-wrap'>{lines('R5 charge F4')}</div><div class='ydp2 yahoo_quoted' id='ydp2yahoo_quoted_1'>x</div>",
        ),
        (CHARGE, SHOT, END),
    ),
    "yahoo-android-fr": (
        mail(
            f"R1 avance\nR2 avance\nfin du tour\n\nEnvoyé depuis Yahoo Mail pour Android \n \n  Le lun., déc. 7, 2026 à 10:12, Phalera<{US}> a écrit :   {LETTER}\n"
        ),
        (FIRST, SECOND, END),
    ),
    "sfr": (
        html_only(
            f"{lines('Bonjour Bob !', 'p')}{lines('65', 'p')}{lines('fin du tour', 'p')}<p>Anna</p><blockquote style='border-left:2px solid #C00'><p>========================================</p><p>Message du : 07/12/2026 10:12<br>De : \"Phalera \" &lt;{US}&gt;<br>A : anna@example.org<br>Copie à : <br>Sujet : {SUBJECT}</p>{html_letter()}</blockquote>"
        ),
        (CHARGE, END),
    ),
    "sfr-plain": (
        mail(
            f'Bonjour Bob !\n\n65\nfin du tour\n\nAnna\n\n========================================\n\nMessage du : 07/12/2026 10:12\nDe : "Phalera " <{US}>\nA : anna@example.org\nCopie à : \nSujet : {SUBJECT}\n\n{LETTER}',
            type_="text/plain; charset=utf-8",
        ),
        (CHARGE, END),
    ),
    "orange": (
        mail(
            f'R5 charge F4\nfin du tour\n\n\n\n> Message du 07/12/26 10:12\n> De : "Phalera" <{US}>\n> A : anna@example.org\n> Copie à : \n> Objet : {SUBJECT}\n> \n{quoted()}\n'
        ),
        (CHARGE, END),
    ),
    "orange-new": (
        html_only(
            f"<div class='default-style'>4 16 fin du tour<br></div><div class='default-style'>Amicalement<br></div><blockquote type='cite'><div>envoyé : 7 décembre 2026 à 10:12<br>de : Phalera &lt;{US}&gt;<br>à : anna@example.org<br>objet : {SUBJECT}<br></div>{html_letter()}</blockquote>"
        ),
        (FIRST, SECOND, END),
    ),
    "orange-plain": (
        mail(
            f"4\n16\nfin du tour\n\n \n\n \n\nenvoyé : 7 décembre 2026 à 10:12\nde : Phalera <{US}>\nà : anna@example.org\nobjet : {SUBJECT}\n\n \n\n{LETTER}"
        ),
        (FIRST, SECOND, END),
    ),
    "laposte": (
        mail(
            f'R5 charge F4\nfin du tour\n\nDe: "Phalera" <{US}>\nÀ: "anna" <anna@example.org>\nEnvoyé: Lundi 7 Décembre 2026 10:12:00\nObjet: {SUBJECT}\n\n{LETTER}',
            type_="text/plain; charset=utf-8",
            encoding="quoted-printable",
        ),
        (CHARGE, END),
    ),
    "k9-en": (
        mail(
            f"R5 charge F4\nEnd turn\n\nOn 7 December 2026 10:12:00 CET, Phalera <{US}> wrote:\n{quoted('>')}\n\n-- \nSent from my Android device with K-9 Mail. Please excuse my brevity.\n",
            encoding="quoted-printable",
        ),
        (CHARGE, END),
    ),
    "k9-de": (
        mail(
            f"r5 charge f4\nr4 shoot f4\nend turn\n-- \nDiese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.\n\nAm 7. Dezember 2026 10:12:00 MEZ schrieb Phalera <{US}>:\n{quoted('>')}\n",
            encoding="base64",
        ),
        (CHARGE, SHOT, END),
    ),
    "mutt": (
        mail(
            f"* Phalera <{US}> [2026-12-07 10:12]:\n\n> | R5 cavalry with javelins F2: 65 charge F4 90%; 66 charge G4 69%; +14\n\n65\n\n> | R1 legionaries C3: 15 group R1 R2 ahead, 4 ahead 90%; 5 ahead-left 79%; +9\n\n4\nend turn\n\n-- \nAnna                              GPG 4096R/1234ABCD\n"
        ),
        (CHARGE, FIRST, END),
    ),
    "mutt-top": (
        mail(
            f"R1 ahead\nR2 ahead\nend turn\n\n--a\n\nOn Mon, Dec 07, 2026 at 10:12:00AM +0100, Phalera wrote:\n{quoted()}\n"
        ),
        (FIRST, SECOND, END),
    ),
    "samsung-de": (
        alternative(
            f"R5 charge F4\nend turn\n-------- Ursprüngliche Nachricht --------Von: Phalera <{US}> Datum: 07.12.26  10:12  (GMT+01:00) An: anna@example.org Betreff: {SUBJECT} {LETTER}",
            f"<div dir='auto'>R5 charge F4</div><div dir='auto'>end turn</div><div align='left' dir='auto' style='font-size:100%'><div>-------- Ursprüngliche Nachricht --------</div><div>Von: Phalera &lt;{US}&gt;</div></div>{html_letter()}",
            encoding="base64",
        ),
        (CHARGE, END),
    ),
    "samsung-da": (
        mail(
            f"4 16 3\n\n\nSendt fra min Galaxy\n\n\n-------- Oprindelig meddelelse --------\nFra: {P}\nDato: 07.12.2026 10.12 (GMT+01:00)\nTil: anna@example.org\nEmne: {SUBJECT}\n\n{LETTER}",
            encoding="base64",
        ),
        (FIRST, SECOND, END),
    ),
    "proton-de": (
        mail(
            f"R5 charge F4\r\nend turn\r\n\r\nMit der sicheren E-Mail von Proton Mail gesendet.\r\n\r\nMontag, 7. Dezember 2026 um 10:12, Phalera <{US}> schrieb:\r\n\r\n{quoted()}\r\n",
            encoding="quoted-printable",
        ),
        (CHARGE, END),
    ),
    "gmx-android": (
        mail(
            f"R5 charge F4 💪\nR4 shoot F4 🏹🏹\nend turn ✅\n\n-- \nDiese Nachricht wurde von meinem Android Mobiltelefon mit GMX Mail gesendet.\nAm 07.12.26, 10:12 schrieb Phalera <{US}>:\n{quoted('> ')}\n"
        ),
        (CHARGE, SHOT, END),
    ),
    "t-online": (
        mail(
            f'Moin,\n65\n47\nend turn\nGruß\nAnna\n\n-----Original-Nachricht-----\nBetreff: {SUBJECT}\nDatum: 2026-12-07T10:12:00+0100\nVon: "Phalera" <{US}>\nAn: "anna@example.org" <anna@example.org>\n\n{LETTER}'
        ),
        (CHARGE, SHOT, END),
    ),
    "em-client-de": (
        mail(
            f'R1 ahead\nR2 ahead\nend turn\n\n------ Originalnachricht ------\nVon "Phalera" <{US}>\nAn anna@example.org\nDatum 07.12.2026 10:12:00\nBetreff {SUBJECT}\n\n{quoted(">")}\n',
            type_="text/plain; format=flowed; charset=utf-8",
        ),
        (FIRST, SECOND, END),
    ),
    "bluemail": (
        mail(
            f"R5 charge F4\nthen end turn\n\nGet BlueMail for Android\nOn 7 Dec 2026, at 10:12, Phalera <{US}> wrote:\n{quoted('>')}\n"
        ),
        (CHARGE, END),
    ),
    "external-banner": (
        outlook(
            "R5 charge F4\nend turn\n\nKind regards\n\nAnna Smith | Senior Consultant\nT: +44 20 7946 0000 | M: +44 7700 900000\nPlease consider the environment before printing this e-mail.\n\n"
            + CORPORATE,
            f"From: {P} \nSent: 07 December 2026 10:12\nTo: Anna Smith <anna@example.org>\nSubject: [EXTERNAL] {SUBJECT}\n\nCAUTION: This email originated from outside of the organisation. Do not click links.",
        ),
        (CHARGE, END),
    ),
    "soft-breaks": (
        mail(
            b"Dear Bob, what a lovely position you have there, it would be a real pity if so=\nmeone were to charge it =E2=80=94 oh wait =F0=9F=98=88\n\nR5 charge=\n F4\nR4 sho=\not F4\nend=20turn\n\n=46rom my sofa\n\nOn Mon, 7 Dec 2026, 10:12 Phalera, <=\nplay@phalera.example> wrote:\n\n"
            + quopri.encodestring(quoted().encode())
        ).replace(b"Encoding: 8bit", b"Encoding: quoted-printable"),
        (CHARGE, SHOT, END),
    ),
    "bullets": (
        gmail(
            "My orders for this turn are:\n\n   - R5 charge F4\n   - R4 shoot F4\n   - end turn\n\nThanks,\nAnna",
            f"On Mon, Dec 7, 2026 at 10:12 AM {P} wrote:",
        ),
        (CHARGE, SHOT, END),
    ),
    "dictated": (
        phone("R1 ahead. R2 ahead. End turn.", "Get Outlook for iOS", f"On Dec 7, 2026, at 10:12 AM, {LINK} wrote:"),
        (FIRST, SECOND, END),
    ),
}
