"""The answer to a player's mail: the outcome of each line, and where the battle stands."""

from collections.abc import Awaitable, Callable, Sequence

from msgspec.structs import replace

from domain.basics.message import Message
from domain.scripts.conditions import SCRIPT
from replay.telling.words import order_in, phrase, refusal, sentence
from replay.telling.words.sentences import fragment
from server.mail.blocks import Block, HeadingLine, Link, Paragraph
from server.mail.desk.campaign_lines import campaign_named
from server.mail.desk.handbook import TOPIC_NAMES, TOPICS
from server.mail.desk.naming import as_written
from server.mail.desk.prose import topic_of
from server.mail.outgoing.letters.pending import PLAYED
from server.mail.outgoing.letters.pieces import EchoedLine, Lead, Piece
from server.mail.outgoing.letters.position import (
    TOLD_IN_SECTION,
    cut_of,
    ending,
    how_to,
    position,
    proof,
    wanted,
)
from server.mail.outgoing.letters.reader import LetterReader
from server.mail.verdict import LineVerdict, MailRequest, Verdict
from server.play.live_battle import LiveBattle
from server.words import say

COMMAND, HELD, AWAY, CLOSED = "command", "held", "vacation", "closed"
UNREADABLE, INVITATION, STRANGER = "unreadable", "invitation", "stranger"
TAKEN = frozenset({PLAYED, COMMAND})
"""The code of a mail that was carried out as it asks; an answer to any other has no envelope sender."""
KNOWN = frozenset(
    {
        PLAYED,
        COMMAND,
        HELD,
        AWAY,
        CLOSED,
        UNREADABLE,
        "refused",
        "no-question",
        "no-line",
        "empty",
        "words",
        STRANGER,
        "broken",
        "no-battle",
        "which-battle",
        "none-waits",
        "twice",
        "alone",
    }
)
LEFT = {"refused": "part", "unreadable": "part", "parked": "parked", "not-played": "less", "skipped": "less"}
"""What a played mail is told, by the status of a line that was not; a line whose condition was false is left out."""
DOUBTS = frozenset({"sender", "forged", "unsigned", "no-token", "confirm"})
WHICH_ORDER = "desk.which-order"
GIVEN_FIRST = "core.given-first"
EXPECTED = "expected"
"""The parameter of a refusal that lists the possible alternatives."""
OF_A_CAMPAIGN = frozenset(
    {"campaign", "enter", "fixtures", "ledger", "map", "next", "preview-lines", "standings", "why-campaign"}
)
"""Commands that come back with the id of their campaign."""
LONGEST = 300
"""Maximum letters of a player's line that are repeated to them."""

Show = Callable[[MailRequest], Awaitable[list[Block]]]
"""What the answer to a command shows (`server.mail.desk`)."""


async def answer(
    verdict: Verdict,
    live: LiveBattle | None,
    reader: LetterReader,
    at: str,
    confirm: tuple[str, str] | None,
    show: Show,
    link: str = "",
    is_section: bool = False,
) -> list[Piece]:
    """The answer to a mail. `confirm` (link, address) belongs to a held mail: then the answer shows what was written,
    and nothing that could be answered with orders; `link` to the battle file; `is_section`: it stands in an answer
    about several battles.

    Shape: `live` None if no battle is known, or the player holds no side of it
    """
    lang = reader.lang
    said = lead(verdict, lang)
    if live is not None and (verdict.what == PLAYED or (is_section and not confirm)):
        said = " ".join(part for part in (said, wanted(live, verdict.side, reader, at)) if part)
    pieces: list[Piece] = [Lead(said), cut_of(live, lang)]
    if verdict.lines and (confirm or not _went_well(verdict)):
        lines = verdict.lines if live is None else tuple(_asked_in(line, live, lang) for line in verdict.lines)
        pieces += [HeadingLine(say(lang, "letter.lines.held" if confirm else "letter.lines")), echo(lines, lang)]
    if confirm:
        link, address = confirm
        pieces += [Link(say(lang, "letter.confirm"), link)]
        pieces += [Paragraph(say(lang, f"letter.confirm.{'alone' if is_section else 'mail'}", address=address))]
    if live is not None:
        pieces += _mended(verdict, live, lang)
    pieces += _left_out(verdict, lang)
    if verdict.waiting:
        pieces.append(Paragraph(say(lang, "letter.go", lines=" / ".join(map(written, verdict.waiting)))))
    if offer := verdict.params.get("offer"):
        pieces.append(Paragraph(say(lang, "letter.offer", name=offer)))
    pieces += await _commands(verdict.requests, lang, show)
    if live is not None and verdict.side and verdict.what != COMMAND and not confirm:  # an answer would be the yes
        if live.recording.battle.ended:
            return [*pieces, *ending(live, verdict.side, reader, at), *proof(lang, link)]
        most = TOLD_IN_SECTION if is_section else None
        pieces += how_to(live, verdict.side, lang, is_section)
        pieces += position(live, verdict.side, reader, at, _since(verdict), most)
    return pieces


def _left_out(verdict: Verdict, lang: str) -> list[Piece]:
    """The lines of a mail that were no orders."""
    if not verdict.dropped:
        return []
    if verdict.what != PLAYED:
        return [
            HeadingLine(say(lang, "letter.dropped")),
            EchoedLine(tuple((written(line), "") for line in verdict.dropped)),
        ]
    pieces: list[Piece] = [  # the orders to come are worth more room
        Paragraph(say(lang, "letter.left-out", lines=" / ".join(map(written, verdict.dropped))))
    ]
    if topic := topic_of("\n".join(line for line in verdict.dropped if "?" in line)):
        pieces.append(Paragraph(say(lang, "letter.asked", topic=TOPIC_NAMES[lang][TOPICS.index(topic)])))
    return pieces


def told_to_stranger(verdict: Verdict) -> Verdict | None:
    """What of a verdict is told to somebody without an account: the help that they asked for, or that an invitation is
    over; None for nothing. Nothing that they wrote is in it."""
    if (verdict.what, verdict.why) == (CLOSED, INVITATION):
        return Verdict(what=CLOSED, why=INVITATION, params=verdict.params)
    is_asked = verdict.what == STRANGER and verdict.requests
    return Verdict(what=STRANGER, requests=verdict.requests) if is_asked else None


def _asked_in(said: LineVerdict, live: LiveBattle, lang: str) -> LineVerdict:
    """A line with more than one reading, with the orders that it may mean as its writer reads them."""
    if said.message is None or said.message.id != WHICH_ORDER:
        return said
    orders = "; ".join(order_in(live.ruleset, order, lang) for order in said.message.params["orders"])
    return replace(said, message=Message(WHICH_ORDER, {"orders": orders}))


def _mended(verdict: Verdict, live: LiveBattle, lang: str) -> list[Piece]:
    """What a mistyped line was read as, and what a word for several orders stands for."""
    read: dict[str, list[str]] = {}
    for line, order in verdict.mended:
        read.setdefault(line, []).append(order_in(live.ruleset, order, lang))
    return [
        Paragraph(say(lang, "letter.mended", said=written(line), order="; ".join(dict.fromkeys(orders))))
        for line, orders in read.items()
    ]


async def _commands(requests: Sequence[MailRequest], lang: str, show: Show) -> list[Piece]:
    """The result of each command, below the command itself if there are several. Blocks that would repeat
    (the settings) appear once, under the last of them."""
    pieces: list[Piece] = []
    shown = [await show(request) for request in requests]
    for at, (request, blocks) in enumerate(zip(requests, shown, strict=True)):
        told: list[Piece] = [Paragraph(sentence(request.message, lang))] if request.message is not None else []
        told += (echo(request.lines, lang),) if request.lines else ()
        told += blocks if blocks not in shown[at + 1 :] else ()
        if told and len(requests) > 1 and request.name != UNREADABLE:  # its sentence names the line
            pieces.append(HeadingLine(as_written(request, lang)))
        pieces += told
    return pieces


def _went_well(verdict: Verdict) -> bool:
    """Whether every line was played as written, or with the order that it needs: what came of them says enough."""
    return verdict.what == PLAYED and all(
        said.status == "ok" and (said.message is None or said.message.id == GIVEN_FIRST) for said in verdict.lines
    )


def lead(verdict: Verdict, lang: str) -> str:
    """A sentence on what became of the mail."""
    if verdict.what == PLAYED:
        done = sum(said.status == "ok" for said in verdict.lines)
        if verdict.waiting:
            which = "part" if done else "nothing"
            return say(lang, f"letter.answer.waits.{which}", done=done, count=len(verdict.lines))
        statuses = {said.status for said in verdict.lines if said.rule != SCRIPT or said.status != "skipped"}
        for status, which in LEFT.items():
            if status in statuses:
                return say(lang, f"letter.answer.played.{which}", done=done, count=len(verdict.lines))
        return say(lang, "letter.answer.played")
    if verdict.what == HELD:
        return say(lang, f"letter.answer.held.{verdict.why if verdict.why in DOUBTS else 'confirm'}")
    if verdict.what == AWAY:
        return say(lang, "letter.answer.vacation", back=verdict.params.get("back", ""))
    if verdict.what == CLOSED and verdict.why in ("seat", INVITATION):
        return say(lang, f"letter.answer.closed.{verdict.why}", **verdict.params)
    if (verdict.what, verdict.why) == (UNREADABLE, "asked"):
        return say(lang, "letter.answer.unreadable.asked")
    return say(
        lang, f"letter.answer.{verdict.what}" if verdict.what in KNOWN else "letter.answer.other", **verdict.params
    )


def echo(lines: tuple[LineVerdict, ...], lang: str) -> EchoedLine:
    """Each line of the mail with its result. Possible alternatives are listed for the first line that
    cannot be read, and not again for lines with the same alternatives."""
    told: list[object] = []
    echoed = []
    for said in lines:
        message = said.message
        if message is not None and message.params.get(EXPECTED) in told:
            params = {name: value for name, value in message.params.items() if name != EXPECTED}
            echoed.append((written(said.text), _became(replace(said, message=replace(message, params=params)), lang)))
            continue
        if message is not None and message.params.get(EXPECTED):
            told.append(message.params[EXPECTED])
        echoed.append((written(said.text), _became(said, lang)))
    return EchoedLine(tuple(echoed))


def _became(said: LineVerdict, lang: str) -> str:
    told = {"why": _why(said.message, said.rule, lang)} if said.message is not None else {}
    events = {"first": said.first, "last": said.last} if said.first else {}
    if said.first and said.first == said.last:
        events.pop("last")
    times = {"times": said.times} if said.times > 1 else {}
    return fragment(f"letter.line.{said.status}", {**told, **events, **times}, lang)


def _why(message: Message, rule: str, lang: str) -> str:
    """A refusal in words, with its rule; its id may have chosen the fault already."""
    fault = message.params.get("fault")
    if not rule:
        return sentence(message, lang)
    if fault and message.id.endswith(f".{fault}"):
        return f"{phrase(message.id, {**message.params, 'rule': rule}, lang)} [{rule}]"
    return refusal(message.id, rule, message.params, lang)


def written(line: str) -> str:
    """A line of a mail in a form fit to be repeated: printable, limited in length."""
    plain = "".join(letter if letter.isprintable() else " " for letter in line).strip()
    return plain if len(plain) <= LONGEST else f"{plain[:LONGEST]}…"


def _since(verdict: Verdict) -> int | None:
    """The event before the first that the mail caused; None if it caused none."""
    first = min((said.first for said in verdict.lines if said.first), default=0)
    return first - 1 if first else None


def has_seated(request: MailRequest) -> bool:
    """Whether a command has opened or joined a battle; what another shows, and a refusal, is the answer itself."""
    done = request.message.id if request.message is not None else ""
    return request.name in ("open", "join") and done.startswith("desk.did.")


def campaign_in(verdict: Verdict) -> str:
    """The campaign that the last command of a mail about one was about, "" without any: its answer can be answered."""
    asked = (request for request in verdict.requests if request.name in OF_A_CAMPAIGN)
    named = [id_ for request in asked if (id_ := campaign_named(request.args))]
    return named[-1] if named else ""
