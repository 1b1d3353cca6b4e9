"""The lines with which mail programs mark quotes and footers.

Nothing here examines more than a few lines at a time, so a mail of any shape is read in one pass.
"""

import re
from collections.abc import Sequence

LONGEST_MARK = 400
"""A line longer than this is never a mark."""
LONGEST_INTRODUCTION = 4

_BEGINS = re.compile(
    r"(?:on|le|am|el|il|op|em|den|dne|dnia|w dniu|quoting|citando|-{2,}|\* ?)(?=[\s,.:])|"
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|"
    r"[\"'<]?\w[^\d]{0,80}<\S{1,200}@",
    re.I,
)
_SAYS = re.compile(
    r"\b(?:wrote|writes|a écrit|a ecrit|écrivait|schrieb|escribió|escreveu|ha scritto|schreef|skrev|napsal(?:\(a\))?|"
    r"napisał(?:\(a\))?|nadesłał|quoting|citando|mailto)\b|писал|写道|kirjoitti|írta|yazdı|<\S{1,200}@\S{1,200}>\s*:$",
    re.I,
)
_PROOF = re.compile(r"@|\b\d{1,2} ?[:.h] ?\d{2}\b|\b20\d\d\b|\b\d{1,2}[/.]\d{1,2}[/.]\d{2}")
_ENDS = re.compile(r"(?:[:：]|wrote ?-{2,}|a écrit ?-{2,})$", re.I)

_SEPARATES = re.compile(
    r"\s*(?:[-_=]{2,}\s*"
    r"(?:original message|message d'origine|message original|message initial|mail original|"
    r"e-mail d'origine|courriel original|original appointment|forwarded message|message transféré|"
    r"message réexpédié|reply message|"
    r"ursprüngliche nachricht|original-?nachricht|originalnachricht|mensaje original|messaggio originale|"
    r"oorspronkelijk bericht|mensagem original|original e-?mail|message de)\b.{0,100}|"
    r"(?:begin forwarded message|début du message (?:transféré|réexpédié)|message du \d.{0,60})\s*:?)\s*$",
    re.I,
)
_FROM = re.compile(r"\s*[*_]{0,2}(?:from|de|von|da|van|från|fra|od|expéditeur)\s?[*_]{0,2}:[*_]{0,2}\s*\S", re.I)
_FIELD = re.compile(
    r"\s*[*_]{0,2}(?:sent|date|to|cc|subject|reply-to|importance|envoyé(?: le)?|à|a|objet|copie(?: à)?|répondre à|"
    r"gesendet|an|betreff|datum|enviado(?: el)?|para|asunto|fecha|inviato|oggetto|data|verzonden|aan|"
    r"onderwerp|skickat|till|ämne|"
    r"assunto|destinataire)\s?[*_]{0,2}:",
    re.I,
)
_FURTHER = 6

_RULED = re.compile(r"\s*_{8,}\s*$")
_DEVICE = re.compile(
    r"\s*<?(?:sent (?:from|with|via|by)|get (?:outlook|bluemail|aquamail|mail)|envoyé (?:de|depuis|à partir d|"
    r"avec|via|par)|"
    r"envoyée? de|obtenez|obtenir|télécharge[rz]|provenance :|gesendet (?:von|mit)|enviado (?:desde|do|con)|"
    r"inviato (?:da|con)|verzonden (?:vanaf|met)|wysłan[oe] z|skickat från|sendt fra)\b.{0,200}$",
    re.I,
)
_DEVICE_NAMED = re.compile(
    r"my\b|mon\b|ma\b|mein|mi\b|mio|mijn|min\b|iphone|ipad|android|samsung|galaxy|huawei|mobile|portable|smartphone|"
    r"téléphone|tablet|outlook|yahoo|proton|gmail|k-9|bluemail|blackberry|thunderbird|fairemail|orange|"
    r"laposte|sfr|free|courrier|"
    r"mail|courriel|messagerie",
    re.I,
)
_ADDED = re.compile(
    r"\s*(?:\[(?:cid:[^\]]{1,200}|image: [^\]]{0,200}|inline image)\]\s*|"
    r"(?:virus-free|garanti sans virus|sans virus|virenfrei|libre de virus)\b.{0,100}|"
    r"(?:please )?excuse my brevity\.?|veuillez excuser ma brièveté\.?)$",
    re.I,
)


def is_quoted(line: str) -> bool:
    """Whether a line begins with `>`."""
    return line.lstrip().startswith(">")


def introduction(lines: Sequence[str], at: int) -> int:
    """The number of lines from `at` on that introduce a quote (`On … wrote:`), at most four; 0 if they do not.

    They must contain a date or an address; or the next line is quoted, and then the last of them suffices.
    """
    if len(lines[at]) <= LONGEST_MARK and _says_all(lines[at].strip()) and _is_quoted_after(lines, at):
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


def _says_all(line: str) -> bool:
    return bool(_ENDS.search(line) and _SAYS.search(line))


def _is_quoted_after(lines: Sequence[str], at: int) -> bool:
    """Whether the next non-empty line is quoted, within the next three."""
    return is_quoted(next((line for line in lines[at + 1 : at + 4] if line.strip()), ""))


def begins_unmarked_quote(lines: Sequence[str], at: int) -> bool:
    """Whether everything from here on is quoted without marks: `-----Original Message-----`, or a block of header
    fields."""
    line = lines[at]
    if len(line) > LONGEST_MARK:
        return False
    if _SEPARATES.match(line):
        return True
    if not _FROM.match(line):
        return False
    return sum(1 for after in lines[at + 1 : at + _FURTHER] if _FIELD.match(after[:LONGEST_MARK])) >= 2


def is_ruled(line: str) -> bool:
    """Whether a line consists of underscores: what follows was added by a list, an office or Outlook."""
    return bool(_RULED.match(line[:LONGEST_MARK]))


def is_added(line: str) -> bool:
    """Whether the line was added by the mail program: `Sent from my …`, the place of a picture."""
    if len(line) > LONGEST_MARK:
        return False
    return bool((_DEVICE.match(line) and _DEVICE_NAMED.search(line)) or _ADDED.match(line))
