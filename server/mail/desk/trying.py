"""The answer to a script that is only previewed."""

from textwrap import wrap

from domain.basics.errors import Refusal
from domain.basics.message import Message
from replay.drawing.text.signs import WIDTH
from replay.telling.words.sentences import fragment
from server.mail.blocks import Block, HeadingLine, Listing, Paragraph
from server.mail.desk.caller import Caller, Declined
from server.mail.desk.desk import Desk
from server.mail.verdict import MailRequest
from server.play.outlook import PreviewLine
from server.play.preview import preview
from server.play.scripts import Unreadable
from server.shown.outcome import first_draw, percent, reason_of, shares
from server.words import say, sentence_of

INDENT = "    "


async def check(desk: Desk, request: MailRequest, caller: Caller, key: str) -> Message | None:
    """`preview`, and below it the lines to try.

    Raises: Declined desk.preview-what, desk.preview-unreadable; Refusal of the first line
    """
    live, side = await desk.own(caller, request.args[0])
    if not request.args[1:] or not request.args[1].strip():
        raise Declined("desk.preview-what", battle=live.id)
    try:
        await preview(desk.battles.workers.background, live, side, request.args[1], playouts=1)
    except Unreadable as unreadable:
        fault = unreadable.faults[0]
        said = sentence_of(fault.refusal, caller.lang)
        raise Declined("desk.preview-unreadable", line=fault.line.text[:200], said=said) from None
    return None


async def show_preview(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """What the orders would probably do."""
    live, side = await desk.own(caller, request.args[0])
    lang = caller.lang
    try:
        outlook = await preview(desk.battles.workers.background, live, side, request.args[1])
    except (Unreadable, Refusal):  # it could be tried when the mail was processed; the battle has gone on since
        return [Paragraph(say(lang, "desk.preview.stale", battle=live.id))]
    found: list[Block] = [HeadingLine(say(lang, "desk.preview.title", battle=live.id, n=live.n))]
    if outlook.first_draw is not None:
        found.append(Paragraph(first_draw(outlook.first_draw, lang)))
    for line in outlook.lines:
        found.append(Listing((f"> {line.order}", *_count_lines(line, outlook.playouts, lang))))
    found.append(Paragraph(say(lang, "desk.preview.method", playouts=outlook.playouts)))
    return found


def _count_lines(line: PreviewLine, playouts: int, lang: str) -> list[str]:
    """How often a line is accepted, refused, skipped or not reached, or waits; as wide as a mail may be."""
    counts = {"goes": line.accepted, "refused": line.refused, "skipped": line.skipped, "unreached": line.unreached}
    found = []
    for (name, count), share in zip(counts.items(), shares(tuple(counts.values()), lang), strict=True):
        if count or name == "goes":
            why = reason_of(line, lang) if name == ("refused" if line.refused else "skipped") else ""
            found.append(fragment(f"desk.preview.{name}", {"share": share, "why": why}, lang))
    if line.asked:  # one of the accepted ones
        found.append(fragment("desk.preview.asked", {"share": percent(line.asked, playouts, lang)}, lang))
    return [row for told in found for row in wrap(told, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT * 2)]
