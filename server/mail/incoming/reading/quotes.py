"""The lines with which mail programs mark quotes and footers.

Nothing here examines more than a few lines at a time, so a mail of any shape is read in one pass.
"""

import re
from collections.abc import Callable, Sequence

LONGEST_MARK = 400
"""A line longer than this is never a mark."""
LONGEST_INTRODUCTION = 4
LONGEST_BLOCK = 6
"""Lines in which a block of header fields names its sender."""
LONGEST_END = 60
"""Characters of the last line of a wrapped introduction."""

NamesUs = Callable[[str], bool]
"""Whether a text names an address of this server."""


def names_nobody(text: str) -> bool:
    """No address is known."""
    return False


_BEGINS = re.compile(
    r"(?:on|le|am|el|il|op|em|den|dne|dnia|w dniu|på|pe|στις|в|у|va|kl|quoting|citando|-{2,}|\* ?)(?=[\s,.:])|"
    r"\d{1,4}[-/.年]\s?\d{1,2}[-/.月]\s?\d{1,4}|"
    r"[^\W\d]{2,12}[.,]{0,2} \d{1,2}\.? [^\W\d]{3,12}\.?,? 20\d\d|"
    r"[\"'<]?\w[^\d]{0,80}<\S{1,200}@",
    re.I,
)
_SAYS = re.compile(
    r"\b(?:wrote|writes|a écrit|a ecrit|écrivait|schrieb|escribió|escreveu|ha scritto|schreef|skrev|napsal(?:\(a\))?|"
    r"napisał(?:\(a\))?|nadesłał|napísal(?:\(a\))?|napisao(?:/la)?|a scris|va escriure|escrigué|idatzi zuen|menulis|"
    r"đã viết|skreiv|skrifaði|rašė|rakstīja|kirjutas|quoting|citando|mailto)\b|писал|пише|написа|έγραψε|γράφει|"
    r"写道|寫道|のメール|書きました|작성|kirjoitti|írta|yazdı|şunu yazdı|כתב|كتب|เขียน|<\S{1,200}@\S{1,200}>\s*:$",
    re.I,
)
_SAYS_HERE = re.compile(rf"(?:{_SAYS.pattern})\s?:", re.I)
_PROOF = re.compile(r"@|\b\d{1,2} ?[:.h] ?\d{2}\b|\b20\d\d\b|\b\d{1,2}[/.]\d{1,2}[/.]\d{2}")
_ENDS = re.compile(r"(?:[:：]|(?:wrote|a écrit|schrieb|schreef|escribió|skrev) ?-{2,})$", re.I)

_SEPARATES = re.compile(
    r"\s*(?:[-_=]{2,}\s*"
    r"(?:original message|message d'origine|message original|message initial|mail original|"
    r"e-mail d'origine|courriel original|original appointment|forwarded message|message transféré|"
    r"message réexpédié|reply message|"
    r"ursprüngliche nachricht|original-?nachricht|originalnachricht|mensaje original|messaggio originale|"
    r"oorspronkelijk bericht|mensagem original|original e-?mail|message de|oprindelig (?:besked|meddelelse)|"
    r"opprinnelig melding|ursprungligt meddelande|originalmeddelande|alkuperäinen viesti|wiadomość oryginalna|"
    r"původní (?:zpráva|e-mail)|eredeti üzenet|mesaj original|исходное сообщение|пересылаемое сообщение|"
    r"αρχικό μήνυμα|orijinal mesaj|원본 메시지|原始邮件|原始郵件|元のメッセージ|weitergeleitete nachricht)"
    r"(?!\w).{0,100}|"
    r"(?:begin forwarded message|début du message (?:transféré|réexpédié)|"
    r"message du\s*:?\s*\d.{0,60}|reply above this line)\s*:?)\s*$",
    re.I,
)
_ONE_LINE = re.compile(r"\s*-{4,} ?[^\W\d][^\d:@]{3,40}-{4,} ?[^\W\d]{2,16} ?[:：]")
_FROM = re.compile(
    r"\s*[*_]{0,2}(?:from|de|von|da|van|från|fra|od|ot|от|від|από|lähettäjä|feladó|kimden|gönderen|expéditeur|"
    r"expeditor|发件人|寄件者|差出人|보낸 사람|מאת|من)\s?[*_]{0,2}[:：][*_]{0,2}\s*\S",
    re.I,
)
_FIELD = re.compile(
    r"\s*[*_]{0,2}(?:sent|date|to|cc|subject|reply-to|importance|envoyé(?: le)?|à|a|objet|copie(?: à)?|répondre à|"
    r"gesendet|an|betreff|datum|enviado(?: el)?|para|asunto|fecha|inviato|oggetto|data|verzonden|aan|"
    r"onderwerp|skickat|till|ämne|"
    r"assunto|destinataire|sendt|til|emne|dato|kopi|kopia|lähetetty|vastaanottaja|aihe|wysłano?|do|temat|odesláno|komu|"
    r"předmět|elküldve|címzett|tárgy|gönderildi|tarih|kime|konu|trimis|către|subiect|отправлено|дата|кому|тема|"
    r"надіслано|στάλθηκε|προς|θέμα|ημερομηνία|发送时间|日期|收件人|主题|寄件日期|收件者|主旨|送信日時|日付|宛先|件名|"
    r"보낸 날짜|받는 사람|제목)\s?[*_]{0,2}[:：]",
    re.I,
)
_FURTHER = 6
_LABEL = re.compile(r"\s*[*_]{0,2}[^\W\d][^\d:：@]{0,24}?[*_]{0,2}[:：][*_]{0,2}\s*\S")
LEAST_LABELS = 3
"""Lines like header fields that make a block of them."""

_RULE = re.compile(r"\s*(?:-{4,}|={4,}|\*{4,}|~{4,}|[-=*~_]{6,})\s*$")
_RULED = re.compile(r"\s*_{8,}\s*$")
_DEVICE = re.compile(
    r"\s*[<\[(]?(?:sent (?:from|with|via|by|using)|get (?:outlook|bluemail|aquamail|mail|typeapp|spark)|"
    r"envoyé (?:de|depuis|à partir (?:de|d'|du)|avec|via|par)|dieser nachricht|diese nachricht wurde|"
    r"von meine[mr]|"
    r"envoyée? de|obtenez|obtenir|télécharge[rz]|provenance\s?:|gesendet (?:von|mit|aus|über)|"
    r"enviad[oa] (?:desde|do|con|a partir)|"
    r"inviato (?:da|con)|verzonden (?:vanaf|met)|wysłan[oe] z|skickat från|sendt fra|lähetetty|odesláno z|"
    r"küldve|отправлено (?:из|с)|надіслано з|iphone から送信|发自我的|iphone에서 보냄|trimis de pe)"
    r"(?:(?<=')|(?<=:)|(?!\w))"
    r".{0,200}$",
    re.I,
)
_DEVICE_NAMED = re.compile(
    r"my\b|mon\b|ma\b|mein|mi\b|mio|mijn|min\b|iphone|ipad|android|samsung|galaxy|huawei|mobile|portable|smartphone|"
    r"téléphone|tablet|outlook|yahoo|proton|gmail|k-9|bluemail|blackberry|thunderbird|fairemail|orange|"
    r"laposte|sfr|free|courrier|"
    r"mail|courriel|messagerie|spark|superhuman|airmail|typeapp|nine\b|canary|edison|aquamail|windows|boomerang|"
    r"mobil|gerät|meine[mr]|телефон|айфон|我的|から送信|보냄",
    re.I,
)
_ADDED = re.compile(
    r"\s*(?:\[(?:cid:[^\]]{1,200}|image: [^\]]{0,200}|inline image)\]\s*|"
    r"(?:virus-free|garanti sans virus|sans virus|virenfrei|libre de virus)\b.{0,100}|"
    r"(?:please )?excuse my brevity\.?|veuillez excuser ma brièveté\.?|"
    r"bitte entschuldigen sie (?:die|meine) kürze\.?)$",
    re.I,
)


def is_quoted(line: str) -> bool:
    """Whether a line begins with `>`."""
    return line.lstrip().startswith(">")


def introduction(lines: Sequence[str], at: int) -> int:
    """The number of lines from `at` on that introduce a quote (`On … wrote:`), at most four; 0 if they do not.

    They must contain a date or an address; or the next line is quoted, and then the last of them suffices.
    """
    line = lines[at].strip()
    is_dated = bool(_ENDS.search(line[-LONGEST_END:]) and _PROOF.search(line[:LONGEST_MARK]))
    if len(line) <= LONGEST_MARK and (is_dated or _says_all(line)) and _is_quoted_after(lines, at):
        return 1
    if not _BEGINS.match(lines[at].lstrip()[:LONGEST_MARK]):
        return 0
    joined = ""
    for end in range(at, min(at + LONGEST_INTRODUCTION, len(lines))):
        line = lines[end].strip()
        if not line or is_quoted(line) or len(joined) + len(line) > LONGEST_MARK:
            return 0
        if joined and _BEGINS.match(line):  # the introduction begins here: what is above is the writer's own
            return 0
        joined = f"{joined} {line}".strip()
        if _ENDS.search(line) and _SAYS.search(joined):
            return end + 1 - at if _is_quoted_after(lines, end) or _PROOF.search(joined) else 0
    return 0


def names_us(lines: Sequence[str], at: int, is_ours: NamesUs) -> int:
    """The number of lines from `at` on that introduce a quote of ours in whatever language: they name our own address,
    with a date or a name before it, and end with a colon or stand above a quote; 0 if they do not."""
    for end in range(at, min(at + LONGEST_INTRODUCTION, len(lines))):
        line = lines[end].strip()
        if not line or is_quoted(line) or len(line) > LONGEST_MARK:
            return 0
        if not is_ours(" ".join(lines[at : end + 1])):
            if not (_PROOF.search(line) or line.endswith(("<", ",", "+")) or "<" in line):
                return 0  # not yet the introduction: a line of the writer's own
            continue
        after = lines[end + 1].strip() if end + 1 < len(lines) else ""
        has_tail = after and not is_quoted(after) and len(after) <= LONGEST_END and _ENDS.search(after)
        last = end + 1 if has_tail else end
        is_marked = _is_quoted_after(lines, last) or bool(_ENDS.search(lines[last].strip()))
        return last + 1 - at if is_marked else 0
    return 0


def _says_all(line: str) -> bool:
    return bool(_ENDS.search(line) and _SAYS.search(line))


def _is_quoted_after(lines: Sequence[str], at: int) -> bool:
    """Whether the next non-empty line is quoted, within the next three."""
    return is_quoted(next((line for line in lines[at + 1 : at + 4] if line.strip()), ""))


def begins_unmarked_quote(lines: Sequence[str], at: int, is_ours: NamesUs = names_nobody) -> bool:
    """Whether everything from here on is quoted without marks: `-----Original Message-----`, or a block of header
    fields, in whatever language if it names us."""
    line = lines[at]
    if _goes_on(line[:LONGEST_MARK], is_ours):
        return True
    if len(line) > LONGEST_MARK:
        return False
    if _SEPARATES.match(line):
        return True
    if _LABEL.match(line) and not is_quoted(line):
        block = [after[:LONGEST_MARK] for after in lines[at : at + LONGEST_BLOCK]]
        labelled = sum(bool(_LABEL.match(after)) for after in block)
        if labelled >= LEAST_LABELS and is_ours(" ".join(block)):
            return True
    if not _FROM.match(line):
        return False
    return sum(1 for after in lines[at + 1 : at + _FURTHER] if _FIELD.match(after[:LONGEST_MARK])) >= 2


def _goes_on(line: str, is_ours: NamesUs) -> bool:
    """Whether a line begins like an introduction, or like a block of header fields, that names us, and the quote goes
    on behind it: Yahoo and Samsung break no line there."""
    is_begun = _ONE_LINE.match(line) or (_BEGINS.match(line.lstrip()) and _SAYS_HERE.search(line))
    return bool(is_begun) and is_ours(line)


def is_ruled(line: str) -> bool:
    """Whether a line consists of underscores: what follows was added by a list, an office or Outlook."""
    return bool(_RULED.match(line[:LONGEST_MARK]))


def is_rule(line: str) -> bool:
    """Whether a line is a rule of dashes, equals signs or the like: mail programs put it above a quote."""
    return bool(_RULE.match(line[:LONGEST_MARK]))


def is_added(line: str) -> bool:
    """Whether the line was added by the mail program: `Sent from my …`, the place of a picture."""
    if len(line) > LONGEST_MARK:
        return False
    return bool((_DEVICE.match(line) and _DEVICE_NAMED.search(line)) or _ADDED.match(line))
