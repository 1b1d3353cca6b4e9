# ruff: noqa: E501, PLE2502 (introductions as mail programs write them)
"""Replies of mail programs around the world: each style of quoting with several ways of writing orders.

All quote a real letter of ours. `REPLIES` are (name, mail, orders that are meant).
"""

from collections.abc import Iterator
from html import escape

from tests.server.mail.incoming.reading.corpus.shared import HTML, PLAIN, US, mail, multi
from tests.support.letter_writing import SNAPSHOTS

LETTER = (SNAPSHOTS / "turn_en.txt").read_text(encoding="utf-8")
LISTED = ("R1 ahead", "R2 ahead", "R3 ahead", "R4 ahead", "corps II", "end turn")
P = f"Phalera <{US}>"

MARKED = {
    "gmail-en-wrapped": f"On Mon, Dec 7, 2026 at 10:12 AM Phalera <\n{US}> wrote:",
    "gmail-fr-wrapped": f"Le lun. 7 déc. 2026 à 10:12, Phalera <\n{US}> a écrit :",
    "gmail-de": f"Am Mo., 7. Dez. 2026 um 10:12 Uhr schrieb {P}:",
    "gmail-es": f"El lun, 7 dic 2026 a las 10:12, Phalera (<{US}>) escribió:",
    "gmail-it-wrapped": f"Il giorno lun 7 dic 2026 alle ore 10:12 Phalera <\n{US}> ha scritto:",
    "gmail-nl": f"Op ma 7 dec 2026 om 10:12 schreef {P}:",
    "gmail-pt-br": f"Em seg., 7 de dez. de 2026 às 10:12, {P}\nescreveu:",
    "gmail-pl-wrapped": f"pon., 7 gru 2026 o 10:12 Phalera <\n{US}> napisał(a):",
    "gmail-cs-wrapped": f"po 7. 12. 2026 v 10:12 odesílatel Phalera <\n{US}> napsal:",
    "gmail-sk": f"po 7. 12. 2026 o 10:12 {P} napísal(a):",
    "gmail-hu": f"Phalera <{US}> ezt írta (időpont: 2026. dec. 7., H,\n10:12):",
    "gmail-ro": f"În lun., 7 dec. 2026 la 10:12, {P} a scris:",
    "gmail-ru-wrapped": f"пн, 7 дек. 2026 г. в 10:12, Phalera <\n{US}>:",
    "gmail-uk": f"пн, 7 груд. 2026 р. о 10:12 Phalera <\n{US}> пише:",
    "gmail-bg": f"На пн, 7.12.2026 г. в 10:12 Phalera <\n{US}> написа:",
    "gmail-el": f"Στις Δευ 7 Δεκ 2026 στις 10:12 π.μ., ο χρήστης Phalera <\n{US}> έγραψε:",
    "gmail-tr": f"{P}, 7 Ara 2026 Pzt,\n10:12 tarihinde şunu yazdı:",
    "gmail-fi": f"ma 7. jouluk. 2026 klo 10.12 Phalera (\n{US}) kirjoitti:",
    "gmail-sv": f"Den mån 7 dec. 2026 kl 10:12 skrev Phalera <\n{US}>:",
    "gmail-no-wrapped": f"man. 7. des. 2026 kl. 10:12 skrev Phalera <\n{US}>:",
    "gmail-da": f"Den man. 7. dec. 2026 kl. 10.12 skrev Phalera <\n{US}>:",
    "gmail-ja": f"2026年12月7日(月) 10:12 {P}:",
    "gmail-zh-cn": f"Phalera <{US}> 于2026年12月7日周一 10:12写道：",
    "gmail-zh-tw": f"Phalera <{US}> 於 2026年12月7日 週一 上午10:12寫道：",
    "gmail-ko": f"2026년 12월 7일 (월) 오전 10:12, {P}님이 작성:",
    "gmail-vi": f"Vào Th 2, 7 thg 12, 2026 vào lúc 10:12 Phalera <\n{US}> đã viết:",
    "gmail-id": f"Pada tanggal Sen, 7 Des 2026 pukul 10.12 {P}\nmenulis:",
    "gmail-th": f"ในวันที่ จ. 7 ธ.ค. 2026 เวลา 10:12 Phalera <\n{US}> เขียนว่า:",
    "gmail-he": f"‫בתאריך יום ב׳, 7 בדצמ׳ 2026 ב-10:12 מאת ‪Phalera‬‏ <‪{US}‬‏>:‬",
    "gmail-ar": f"في الاثنين، 7 ديسمبر 2026 في 10:12 ص تمت كتابة ما يلي بواسطة Phalera <\n{US}>:",
    "gmail-ca": f"Missatge de {P} del dia dl., 7 de des.\n2026 a les 10:12:",
    "gmail-hr": f"pon, 7. pro 2026. u 10:12 {P} napisao/la\nje:",
    "gmail-lt": f"2026-12-07, pr, 10:12 {P} rašė:",
    "gmail-et": f"Kuupäev E, 7. dets 2026 kell 10:12 kirjutas {P}:",
    "gmail-old": f"2026-12-07 10:12 GMT+01:00 {P}:",
    "apple-de": f"Am 07.12.2026 um 10:12 schrieb {P}:",
    "apple-it": f"Il giorno 7 dic 2026, alle ore 10:12, {P} ha scritto:",
    "apple-ja": f"2026/12/07 10:12、{P}のメール:",
    "tutanota": f"7 Dec 2026, 10:12 by {US}:",
    "spark": f"On 7 Dec 2026, 10:12 +0100, {P}, wrote:",
    "hey": f"On December 7, 2026, {P} wrote:",
    "fastmail": "On Mon, 7 Dec 2026, at 10:12 AM, Phalera wrote:",
    "evolution": "On Mon, 2026-12-07 at 10:12 +0100, Phalera wrote:",
    "kmail-de": "Am Montag, 7. Dezember 2026, 10:12:00 CET schrieb Phalera:",
    "alpine": "On Mon, 7 Dec 2026, Phalera wrote:",
    "gnus": f"{P} writes:",
    "horde-de": f"Zitat von {P}:",
    "roundcube-de": "Am 2026-12-07 10:12, schrieb Phalera:",
    "mail-ru": f"Понедельник, 7 декабря 2026, 10:12 +03:00 от {P}:",
    "yandex": f'07.12.2026, 10:12, "Phalera" <{US}>:',
    "proton-de": f"Phalera <{US}> schrieb am Montag, 7. Dezember 2026 um 10:12:",
    "zoho-fr": f"---- Le lun., 07 déc. 2026 10:12:00 +0100 {P} a écrit ----",
}
"""Introductions above a quote with `>`."""

UNMARKED = {
    "outlook-de": f"Von: {P}\nGesendet: Montag, 7. Dezember 2026 10:12\nAn: Anna <anna@example.org>\nBetreff: [G42] Cannae\n",
    "outlook-es": f"De: {P}\nEnviado el: lunes, 7 de diciembre de 2026 10:12\nPara: Anna\nAsunto: [G42] Cannae\n",
    "outlook-it": f"Da: {P}\nInviato: lunedì 7 dicembre 2026 10:12\nA: Anna\nOggetto: [G42] Cannae\n",
    "outlook-nl": f"Van: {P}\nVerzonden: maandag 7 december 2026 10:12\nAan: Anna\nOnderwerp: [G42] Cannae\n",
    "outlook-pt": f"De: {P}\nEnviado: 7 de dezembro de 2026 10:12\nPara: Anna\nAssunto: [G42] Cannae\n",
    "outlook-pl": f"Od: {P}\nWysłane: poniedziałek, 7 grudnia 2026 10:12\nDo: Anna\nTemat: [G42] Cannae\n",
    "outlook-da": "Fra: Phalera\nSendt: 7. december 2026 10:12\nTil: Anna\nEmne: [G42] Cannae\n",
    "outlook-sv": f"Från: {P}\nSkickat: den 7 december 2026 10:12\nTill: Anna\nÄmne: [G42] Cannae\n",
    "outlook-no": f"Fra: {P}\nSendt: mandag 7. desember 2026 10:12\nTil: Anna\nEmne: [G42] Cannae\n",
    "outlook-fi": "Lähettäjä: Phalera\nLähetetty: maanantai 7. joulukuuta 2026 10.12\nVastaanottaja: Anna\nAihe: [G42]\n",
    "outlook-cs": f"Od: {P}\nOdesláno: pondělí 7. prosince 2026 10:12\nKomu: Anna\nPředmět: [G42]\n",
    "outlook-hu": f"Feladó: {P}\nElküldve: 2026. december 7., hétfő 10:12\nCímzett: Anna\nTárgy: [G42]\n",
    "outlook-ru": f"От: {P}\nОтправлено: 7 декабря 2026 г. 10:12\nКому: Anna\nТема: [G42]\n",
    "outlook-tr": f"Kimden: {P}\nGönderildi: 7 Aralık 2026 Pazartesi 10:12\nKime: Anna\nKonu: [G42]\n",
    "outlook-el": f"Από: {P}\nΣτάλθηκε: Δευτέρα, 7 Δεκεμβρίου 2026 10:12\nΠρος: Anna\nΘέμα: [G42]\n",
    "outlook-ja": "差出人: Phalera\n送信日時: 2026年12月7日 10:12\n宛先: Anna\n件名: [G42]\n",
    "outlook-sl": f"Od: {P}\nPoslano: ponedeljek, 07. december 2026 10:12\nZa: Anna\nZadeva: [G42]\n",
    "qq": f"------------------ 原始邮件 ------------------\n发件人: {P}\n发送时间: 2026年12月7日 10:12\n收件人: Anna\n主题: [G42]\n",
    "naver": f"-----Original Message-----\nFrom: {P}\nTo: <anna@example.org>;\nCc:\nSent: 2026-12-07 (월) 10:12:00 (UTC+09:00)\nSubject: [G42]\n",
    "gmx": f'Gesendet: Montag, 07. Dezember 2026 um 10:12 Uhr\nVon: "Phalera" <{US}>\nAn: anna@example.org\nBetreff: [G42] Cannae\n',
    "sfr": f"========================================\nMessage du : 07/12/2026 10:12\nDe : {P}\nA : anna@example.org\nSujet : [G42]\n",
    "dashes-outlook": f"------------------------------\n*From:* {P}\n*Sent:* Monday, December 7, 2026 10:12 AM\n*To:* Anna\n*Subject:* [G42]\n",
    "em-client": f'------ Original Message ------\nFrom "Phalera" <{US}>\nTo anna@example.org\nDate 07/12/2026 10:12:00\nSubject [G42]\n',
    "lotus": f"-----Phalera <{US}> wrote: -----\nTo: Anna\nFrom: {P}\nDate: 12/07/2026 10:12AM\nSubject: [G42]\n",
    "blackberry": f"From: {P}\nSent: Monday, December 7, 2026 10:12 AM\nTo: Anna\nReply To: {US}\nSubject: [G42]\n",
    "huawei": f"-------- Original message --------\nFrom: {P}\nDate: Mon, 7 Dec 2026, 10:12\nTo: Anna\nSubject: [G42]\n",
    "zimbra": f'From: "Phalera" <{US}>\nTo: "Anna" <anna@example.org>\nSent: Monday, 7 December, 2026 10:12:00\nSubject: [G42]\n',
    "libero": f"Il 7 dicembre 2026 10:12 Phalera <{US}> ha scritto:\n\n",
}
"""Blocks above a quote without marks."""

WRITTEN = (
    ("R1 ahead\nR2 ahead\nend turn", ""),
    ("Hi Bob,\n\nR1 ahead\nR2 Ahead.\nend turn!", "Cheers,\nAnna"),
    ("1 2 end", "Sent from my iPhone"),
    ("| R1 ahead  # 2+: 72 of 80\n| R2 ahead  # 2+: 72 of 80\n| end turn", "Envoyé à partir de Outlook pour iOS"),
    ("- *R1 ahead*\n- *R2 ahead*\n- end turn", "-- \nAnna Dupont\nAcme, 75011 Paris\n+33 6 12 34 56 78"),
    ("R1: ahead\nR2 forward 🙂\nEnd Turn", "Von meinem iPhone gesendet"),
    ("Nice move last time!\n\nR1 avance\nR2 avance\nfin du tour", "Mvh, Anders"),
    ("1) R1 ahead\n2) R2 ahead\n3) end turn", "Sent from Superhuman for iOS"),
    ("Here is my turn:\nR1 ahead, R2 ahead, end turn", "-Abhishek"),
    (
        "R1 ahead\nmove R2 ahead\nend turn",
        "Bien à toi,\nJean-Pierre\n\nCe message est confidentiel. Si vous n'en êtes pas le destinataire, merci de le détruire.",
    ),
)
MEANT = ("R1 ahead", "R2 ahead", "end turn")


def quoted(mark: str = "> ") -> str:
    return "\n".join(f"{mark}{line}".rstrip() for line in LETTER.splitlines())


def _replies() -> Iterator[tuple[str, bytes]]:
    at = 0
    for name, introduction in MARKED.items():
        for way in ("above", "tight", "flowed"):
            orders, end = WRITTEN[at % len(WRITTEN)]
            body = f"{orders}\n{'' if way == 'tight' else chr(10)}{end}\n\n{introduction}\n{'' if way == 'tight' else chr(10)}{quoted()}"
            yield f"{name}-{way}", mail(body, type_=f"{PLAIN}; format=flowed" if way == "flowed" else PLAIN)
            at += 1
        if name.endswith(("de", "nus", "pine", "evolution")):
            yield f"{name}-below", mail(f"{introduction}\n{quoted()}\n\nR1 ahead\nR2 ahead\nend turn\n\n-- \nAnna")
    for name, block in UNMARKED.items():
        for way in ("plain", "ruled", "html"):
            orders, end = WRITTEN[at % len(WRITTEN)]
            at += 1
            if way == "html":
                divs = "".join(f"<div>{escape(line) or '<br>'}</div>" for line in f"{orders}\n\n{end}".split("\n"))
                told = "".join(f"{escape(line)}<br>" for line in f"{block}\n{LETTER}".split("\n"))
                yield f"{name}-html", mail(f"<html><body>{divs}<br><p>{told}</p></body></html>", type_=HTML)
                continue
            rule = "________________________________\n" if way == "ruled" else ""
            text = f"{orders}\n\n{end}\n\n{rule}{block}\n{LETTER}"
            yield f"{name}-{way}", multi((PLAIN, text), (HTML, "<p>x</p>")) if way == "ruled" else mail(text)


REPLIES = dict(_replies())
