"""Commands by mail about clubs: show one, open battles between its members."""

from domain.basics.errors import Refusal
from domain.basics.message import Message
from replay.telling.words.sentences import fragment
from server.acts.clubs.pairing import Pairing, PairingList
from server.acts.clubs.reading import club_for, membership
from server.acts.clubs.seating import open_list
from server.acts.clubs.written import pairing_of, words_of
from server.acts.plain_text import unlinked
from server.mail.blocks import Block, HeadingLine, Link, Listing, Paragraph
from server.mail.desk.caller import Caller, Declined, message_of
from server.mail.desk.campaign_help import SEATING
from server.mail.desk.campaign_lines import SEAT
from server.mail.desk.desk import Desk
from server.mail.desk.phrases import tagged
from server.mail.verdict import LineVerdict, MailRequest
from server.store.tables import clubs
from server.store.tables.clubs import ORGANISER, Club
from server.words import say

MOST_LINES = 100
"""Lines that one mail may seat: each of them is answered."""


async def show_club(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """`club ID`: who is in it; alone it lists the caller's clubs."""
    lang = caller.lang
    if not request.args:
        lines = tuple(_row(desk, club, caller) for club in clubs.of_player(desk.store, caller.player.id))
        if not lines:
            return [Paragraph(say(lang, "desk.club.none"))]
        return [HeadingLine(say(lang, "desk.club.title")), Listing(lines), *_how(desk, caller)]
    club = club_for(desk, request.args[0].lower(), caller.player)
    link = Link(say(lang, "letter.seated.link"), f"{desk.battles.settings.address}/clubs/{club.club}")
    return [Paragraph(_row(desk, club, caller)), *_how(desk, caller), link]


def _row(desk: Desk, club: Club, caller: Caller) -> str:
    member = membership(desk, club, caller.player)
    role = {"organises": 1} if member is not None and member.role == ORGANISER else {}
    count = clubs.count(desk.store, club.club)
    return fragment(
        "desk.club.row", {"club": club.club, "name": unlinked(club.name), "count": count, **role}, caller.lang
    )


def _how(desk: Desk, caller: Caller) -> list[Block]:
    """How battles are opened, for who organises a club."""
    if not _organised(desk, caller):
        return []
    return [Paragraph(say(caller.lang, "desk.help.campaigns.club")), Listing(SEATING[caller.lang])]


def _organised(desk: Desk, caller: Caller) -> list[Club]:
    found = clubs.of_player(desk.store, caller.player.id)
    members = ((club, membership(desk, club, caller.player)) for club in found)
    return [club for club, member in members if member is not None and member.role == ORGANISER]


async def look_up(desk: Desk, request: MailRequest, caller: Caller, key: str) -> None:
    """Raises: Refusal club.unknown"""
    if request.args:
        club_for(desk, request.args[0].lower(), caller.player)


async def seat(desk: Desk, request: MailRequest, caller: Caller, key: str) -> MailRequest:
    """`seat A B SCENARIO`, as many lines as there are; all of them are checked before a battle is opened.

    Raises: Declined desk.which-club, desk.no-club, desk.too-many-seats; Refusal, as `open_list`
    """
    named, *words, text = request.args
    _, tags = tagged(words)
    club = named.lower() or _only(desk, caller)
    lines = text.split("\n")
    if len(lines) > MOST_LINES:
        raise Declined("desk.too-many-seats", most=MOST_LINES)
    pairings, faults = _read(desk, lines)
    if not faults:
        wanted = PairingList(club, tuple(pairings), " ".join(tags))
        try:
            battles = await open_list(desk, caller.player, wanted, key)
        except Refusal as refused:
            place = refused.params.get("pairing")
            if not isinstance(place, int):
                raise
            faults = {place: Refusal(refused.code, refused.rule, **_without_place(refused))}
        else:
            return MailRequest(SEAT, request.args, *_seated(lines, battles, club))
    verdicts = tuple(_verdict(line, faults.get(at)) for at, line in enumerate(lines, 1))
    return MailRequest(SEAT, request.args, Message("desk.seat-refused", {"count": len(lines)}), verdicts)


def _only(desk: Desk, caller: Caller) -> str:
    """The only club that the caller organises.

    Raises: Declined desk.which-club, desk.no-club
    """
    found = _organised(desk, caller)
    if not found:
        raise Declined("desk.no-club")
    if len(found) > 1:
        raise Declined("desk.which-club", clubs=[club.club for club in found], club=found[0].club)
    return found[0].club


def _read(desk: Desk, lines: list[str]) -> tuple[list[Pairing], dict[int, Refusal]]:
    """The pairings of lines, and why some are none, by their place from 1."""
    pairings, faults = list[Pairing](), dict[int, Refusal]()
    for at, line in enumerate(lines, 1):
        try:
            pairings.append(pairing_of(desk, words_of(line, at), at))
        except Refusal as refused:
            faults[at] = refused
    return pairings, faults


def _without_place(refused: Refusal) -> dict[str, object]:
    return {name: value for name, value in refused.params.items() if name != "pairing"}


def _seated(lines: list[str], battles: tuple[str, ...], club: str) -> tuple[Message, tuple[LineVerdict, ...]]:
    """What is said of a list that was opened: each line with its battle."""
    opened = [battle for battle in battles if battle]
    verdicts = (
        LineVerdict(line, "ok", Message("desk.seat.battle", {"battle": battle}))
        if battle
        else LineVerdict(line, "refused", Message("desk.seat.gone", {}))
        for line, battle in zip(lines, battles, strict=True)
    )
    return Message("desk.did.seat", {"count": len(opened), "club": club}), tuple(verdicts)


def _verdict(line: str, refused: Refusal | None) -> LineVerdict:
    if refused is None:
        return LineVerdict(line, "not-played")
    return LineVerdict(line, "refused", message_of(refused), refused.rule)
