"""Commands by mail about campaigns: list, enter, look, and give lines to one."""

from collections.abc import Sequence

from domain.basics.data import parse_toml
from domain.basics.errors import Refusal
from domain.basics.message import Message
from domain.campaign.notation import read_order
from domain.campaign.state import CampaignState
from replay.telling.words.sentences import fragment
from server.acts.campaigns.entering import CampaignEntry, enter_campaign
from server.acts.campaigns.lines import ACCEPTED_LINE, NOT_TRIED, AnsweredLine, give_lines
from server.acts.campaigns.reading import may_read, takes_part
from server.acts.campaigns.trying import try_lines
from server.acts.phrases import own_phrase
from server.acts.plain_text import unlinked
from server.armies import OwnArmy
from server.campaigns.live_campaign import LiveCampaign
from server.campaigns.summary import standing_of
from server.mail.blocks import Block, HeadingLine, Link, Listing, Paragraph
from server.mail.campaign_pieces import CampaignReader, board_blocks, own_boards, round_blocks, table_blocks
from server.mail.desk.caller import Caller, Declined, message_of
from server.mail.desk.campaign_help import campaign_answers
from server.mail.desk.campaign_lines import CAMPAIGN, is_final
from server.mail.desk.campaign_named import LISTED, campaign_and_rest, campaign_meant, own_campaigns
from server.mail.desk.desk import Desk
from server.mail.desk.looking import is_number, number_in
from server.mail.desk.phrases import parted
from server.mail.desk.vocabulary import AS, RESERVE
from server.mail.verdict import LineVerdict, MailRequest
from server.play.request import MAIL_CHANNEL
from server.spelling.words import folded
from server.store.tables import campaigns as table
from server.words import say

SEED_DIGITS = 8
"""Of the key of a mail: the seed of an army of which none is named."""
MOST_TABLE = 200
"""Rows of the table in an answer to `standings`."""
MOST_COLUMNS = 5
"""Tie-breaks in it."""
MOST_NEXT = 6
"""Boards of the caller's own that are told with everything."""


async def _public(desk: Desk, caller: Caller) -> list[LiveCampaign]:
    """Those that everybody may read and in which the caller takes no part, the newest first."""
    found = [await desk.steward.campaigns.get(one) for one in table.listed(desk.store, "public", "", LISTED)]
    return [live for live in found if may_read(live, caller.player) and not takes_part(live.state, caller.player.id)]


def reader_of(desk: Desk, caller: Caller, state: CampaignState) -> CampaignReader:
    """The caller as one to whom a campaign is told."""
    zone = desk.wishes(caller.account.player).zone
    return CampaignReader(state.players.get(caller.account.player, ""), zone, caller.lang)


# --- looking


async def show_campaigns(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """The caller's campaigns, and those that everybody may enter or read."""
    lang, found = caller.lang, list[Block]()
    for title, lives in (("mine", await own_campaigns(desk, caller)), ("public", await _public(desk, caller))):
        lines = [_row(live, caller) for live in lives]
        if lines:
            found += [HeadingLine(say(lang, f"campaigns.{title}")), Listing(tuple(lines))]
    return [*(found or [Paragraph(say(lang, "campaigns.none"))]), Paragraph(say(lang, "desk.campaigns.how"))]


def _row(live: LiveCampaign, caller: Caller) -> str:
    state = live.state
    own, title = state.players.get(caller.player.id, ""), unlinked(state.settings.title)
    told = {"campaign": live.id, "title": title, "own": own, "status": standing_of(state, caller.lang)}
    boards = [board.place.name for board in own_boards(state, own)]
    return fragment("desk.campaigns.row", {**told, "boards": boards}, caller.lang)


async def look_up(desk: Desk, request: MailRequest, caller: Caller, key: str) -> MailRequest:
    """`standings`, `fixtures`, `next`, with an id, a title, or nothing: which campaign is meant.

    Raises: as `campaign_meant`
    """
    live, rest = await campaign_and_rest(desk, caller, request.args, 1, is_number)
    return MailRequest(request.name, (live.id, *rest))


async def show_standings(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """The table."""
    live = await campaign_meant(desk, caller, request.args[:1])
    found = table_blocks(live.state, reader_of(desk, caller, live.state), MOST_TABLE, MOST_COLUMNS)
    return titled(desk, live, caller, found or [Paragraph(say(caller.lang, "desk.campaign.no-table"))])


async def show_fixtures(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """The boards of the newest round, or of the one that is named."""
    live = await campaign_meant(desk, caller, request.args[:1])
    number = (number_in(request.args[1]) if request.args[1:] else live.state.round) or 0
    rounds = [each for each in live.state.rounds if each.number == number]
    reader = reader_of(desk, caller, live.state)
    found = [block for each in rounds for block in round_blocks(live.state, each, reader)]
    return titled(desk, live, caller, found or [Paragraph(say(caller.lang, "desk.campaign.no-round"))])


async def show_next(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """The boards that the caller fights now, each with its battle."""
    live = await campaign_meant(desk, caller, request.args[:1])
    return titled(desk, live, caller, await _next(desk, live, caller))


async def _next(desk: Desk, live: LiveCampaign, caller: Caller) -> list[Block]:
    state, reader = live.state, reader_of(desk, caller, live.state)
    game = desk.battles.ruleset(state.ruleset).title
    found: list[Block] = []
    for board in own_boards(state, reader.entrant)[:MOST_NEXT]:
        asked = False
        if desk.store.header(board.battle) is not None:
            battle = await desk.battles.get(board.battle)
            asked = board.side_of(reader.entrant) in battle.to_act()
        found += board_blocks(state, board, reader, desk.battles.settings.address, game, asked)
    return found or [Paragraph(say(caller.lang, "desk.campaign.no-board"))]


async def show_campaign(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """A campaign: how it stands, the caller's boards, the table, what can be written to it."""
    live = await campaign_meant(desk, caller, request.args[:1])
    reader = reader_of(desk, caller, live.state)
    found: list[Block] = await _next(desk, live, caller) if reader.entrant and live.state.began else []
    found += table_blocks(live.state, reader)
    if takes_part(live.state, caller.player.id) and not live.state.is_over:
        found.append(HeadingLine(say(caller.lang, "campaigns.letter.write")))
        found.append(campaign_answers(live.state, reader.entrant, caller.lang))
    return titled(desk, live, caller, found)


def titled(desk: Desk, live: LiveCampaign, caller: Caller, blocks: Sequence[Block]) -> list[Block]:
    """Something of a campaign below its title and how it stands, and the address of its page."""
    status, title = standing_of(live.state, caller.lang), unlinked(live.state.settings.title)
    return [
        Paragraph(say(caller.lang, "desk.campaign.title", title=title, status=status, campaign=live.id)),
        *blocks,
        Link(say(caller.lang, "campaigns.letter.link"), f"{desk.battles.settings.address}/campaigns/{live.id}"),
    ]


# --- entering


async def enter(desk: Desk, request: MailRequest, caller: Caller, key: str) -> MailRequest:
    """`enter ID` or `enter TITLE`, then `reserve`, `as` an id, and a phrase; below it perhaps an army.

    Raises: Declined desk.enter-which; Refusal core.bad-toml; as `campaign_meant` and `enter_campaign`
    """
    army = request.args[-1].partition("army")[2] if request.args[1:] and request.args[-1].startswith("army") else None
    words, phrase, _ = parted(request.args if army is None else request.args[:-1])
    is_reserve = bool(words) and folded(words[-1]) in RESERVE
    words = words[:-1] if is_reserve else words
    entrant = words[-1].lower() if len(words) > 2 and folded(words[-2]) in AS else ""
    words = words[:-2] if entrant else words
    if not words and not caller.campaign:
        raise Declined("desk.enter-which")
    live = await campaign_meant(desk, caller, words)
    own = await _army(desk, army, key) if army is not None else None
    entry = CampaignEntry(entrant, phrase or own_phrase(key), is_reserve, channel=MAIL_CHANNEL, army=own)
    entered = await enter_campaign(desk.steward, caller.player, live, entry)
    told = {"title": unlinked(live.state.settings.title), "campaign": live.id, "entrant": entered}
    return MailRequest("enter", (live.id,), Message(f"desk.did.enter{'' if entered else '.reserve'}", told))


async def _army(desk: Desk, written: str, key: str) -> OwnArmy:
    """The army of an `enter`: the lines of its file, or the key of a list and perhaps a seed.

    Raises: Refusal core.bad-toml …
    """
    if written.startswith("\n"):
        return OwnArmy(table=await desk.battles.workers.people.run(parse_toml, written.strip(), "army"))
    named, _, last = written.strip().rpartition(" ")
    seed = number_in(last) if named else None
    return OwnArmy(
        "_".join((named if seed is not None else written).lower().split()),
        seed=int(key[:SEED_DIGITS], 16) if seed is None else seed,
    )


# --- lines


async def order(desk: Desk, request: MailRequest, caller: Caller, key: str) -> MailRequest:
    """Lines of a campaign, one after the other until one is refused; all can be read, or none is given.

    Raises: Declined desk.campaign-name; as `campaign_meant` and `give_lines`
    """
    named, text = request.args
    if not named and is_final(text):
        raise Declined("desk.campaign-name")
    live = await campaign_meant(desk, caller, [named] if named else ())
    if not text:
        return MailRequest(CAMPAIGN, (live.id, ""))
    faults = unreadable(text)
    if faults:
        return MailRequest(CAMPAIGN, (live.id, text), Message("desk.campaign.unreadable", {}), faults)
    answers = await give_lines(desk.steward, caller.player, live, text, key, MAIL_CHANNEL)
    done = sum(one.status == ACCEPTED_LINE for one in answers)
    told = {"title": unlinked(live.state.settings.title), "done": done, "count": len(answers)}
    message = Message("desk.did.lines" if done else "desk.campaign.refused", told)
    return MailRequest(CAMPAIGN, (live.id, text), message, _answered(text, answers))


async def preview(desk: Desk, request: MailRequest, caller: Caller, key: str) -> MailRequest:
    """`preview`, and below it lines of a campaign: whether each would be accepted. Nothing is given.

    Raises: Declined desk.preview-lines; as `campaign_meant` and `try_lines`
    """
    named, text = request.args
    if not text.strip():
        raise Declined("desk.preview-lines")
    live = await campaign_meant(desk, caller, [named] if named else ())
    faults = unreadable(text)
    if faults:
        return MailRequest(request.name, request.args, Message("desk.campaign.unreadable", {}), faults)
    answers = await try_lines(desk.steward, caller.player, live, text)
    message = Message("desk.did.preview-lines", {"title": unlinked(live.state.settings.title)})
    return MailRequest(request.name, request.args, message, _answered(text, answers))


def unreadable(text: str) -> tuple[LineVerdict, ...]:
    """The lines of a text with what is wrong with them, if one cannot be read; () if all can."""
    found, is_faulty = list[LineVerdict](), False
    for line in text.split("\n"):
        try:
            read_order(line)
        except Refusal as refused:
            found.append(LineVerdict(line, "unreadable", message_of(refused), refused.rule))
            is_faulty = True
        else:
            found.append(LineVerdict(line, "not-played"))
    return tuple(found) if is_faulty else ()


def _answered(text: str, answers: Sequence[AnsweredLine]) -> tuple[LineVerdict, ...]:
    """What became of each line, beside the line as it was written."""
    return tuple(_line(written, one) for written, one in zip(text.split("\n"), answers, strict=True))


def _line(written: str, one: AnsweredLine) -> LineVerdict:
    if one.refusal is not None:
        return LineVerdict(written, "refused", message_of(one.refusal), one.refusal.rule)
    if one.status == NOT_TRIED:
        return LineVerdict(written, "not-played")
    return LineVerdict(written, "ok", first=one.first, last=one.last)
