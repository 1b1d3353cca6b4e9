"""The letter of a campaign: whom one meets, what was counted, who is late, what became of it."""

import asyncio
from collections.abc import Iterator

from domain.campaign.events import (
    BattleSet,
    ByeGiven,
    CampaignEnded,
    DefaultGiven,
    LateNoted,
    ResultChanged,
    ResultCounted,
    TableResult,
)
from domain.campaign.ladder_events import ChallengeEnded, ChallengeMade
from domain.campaign.standings import standings
from domain.campaign.state import CampaignState, contest_of
from domain.events.battle import Event
from server.acts.plain_text import unlinked
from server.campaigns.folding import folded_campaign
from server.campaigns.letters import entrants_of
from server.mail.blocks import Link, Paragraph
from server.mail.outgoing.letters.draft import LetterDraft
from server.mail.outgoing.letters.pieces import Lead, ListPiece, Piece
from server.mail.outgoing.letters.position import cut_of
from server.mail.outgoing.letters.reader import LetterReader
from server.play.live_battles import LiveBattles
from server.shown.moments import moment_in_short
from server.store.tables import correspondents
from server.words import say

COUNTED = (ResultCounted, ResultChanged, TableResult)
TABLE_ROWS = 12
"""Rows of the table in a letter."""


async def campaign_draft(battles: LiveBattles, about: str, reader: LetterReader) -> LetterDraft | None:
    """The letter about events `CAMPAIGN.FIRST.LAST`, as far as they concern its reader; None if none does."""
    campaign, first, last = about.split(".")
    read = await asyncio.to_thread(folded_campaign, battles.store, campaign, int(last))
    if read is None:
        return None
    events, state = read
    own, wishes = state.players.get(reader.player, ""), correspondents.find(battles.store, reader.player)
    lines = [line for event in events[int(first) - 1 :] for line in _lines(battles, event, state, own, reader)]
    if not own or not lines or wishes.stopped or wishes.delivery == "none":
        return None
    lang, title = reader.lang, unlinked(state.settings.title)
    pieces: list[Piece] = [
        Lead(say(lang, "campaigns.letter.lead", title=title)),
        cut_of(None, lang),
        ListPiece(tuple((0, line) for line in lines)),
    ]
    if state.is_cup and any(isinstance(event, (*COUNTED, CampaignEnded)) for event in events[int(first) - 1 :]):
        pieces += [Paragraph(say(lang, "campaigns.table")), ListPiece(tuple((0, row) for row in _table(state, own)))]
    pieces.append(Link(say(lang, "campaigns.letter.link"), f"{battles.settings.address}/campaigns/{campaign}"))
    return LetterDraft(title=say(lang, "campaigns.letter.subject", title=title), pieces=pieces)


def _lines(battles: LiveBattles, event: Event, state: CampaignState, own: str, reader: LetterReader) -> Iterator[str]:
    """What an event is to the reader, in a sentence."""
    if own not in entrants_of(event, state):
        return
    lang, names = reader.lang, state.entrants
    if isinstance(event, BattleSet):
        other = event.north if own == event.south else event.south
        told = {"board": event.board, "name": unlinked(names[other].name)}
        link = f"{battles.settings.address}/battles/{event.battle}"
        kind = "campaigns.letter.set" if event.board else "campaigns.letter.set-duel"
        yield say(lang, kind, side="south" if own == event.south else "north", link=link, **told)
    elif isinstance(event, ByeGiven):
        yield say(lang, "campaigns.letter.bye", round=event.round)
    elif isinstance(event, LateNoted):
        who = ", ".join(unlinked(names[one].name) for one in event.who)
        until = moment_in_short(event.until, reader.zone, lang)
        yield say(lang, f"campaigns.letter.late-{event.what}", names=who, board=event.board, at=until)
    elif isinstance(event, DefaultGiven):
        winner = unlinked(names[event.winner].name) if event.winner else ""
        yield say(lang, f"campaigns.letter.default{'' if winner else '-both'}", board=event.board, name=winner)
    elif isinstance(event, ChallengeMade | ChallengeEnded):
        yield _of_challenge(event, state, own, reader)
    elif isinstance(event, COUNTED):
        board = state.board_of(event.board, event.battle if isinstance(event, ResultCounted) else "")
        assert board is not None  # `entrants_of` has named its two
        winner = unlinked(names[board.victor].name) if board.victor else ""
        south, north = board.kept
        kind = f"campaigns.letter.{'counted' if event.board else 'duel'}{'' if winner else '-drawn'}"
        yield say(lang, kind, board=event.board, name=winner, south=south, north=north)
    elif isinstance(event, CampaignEnded):
        won = ", ".join(unlinked(names[one].name) for one in event.winners)
        yield say(lang, f"campaigns.letter.ended{'' if won else '-nobody'}", names=won)


def _of_challenge(event: ChallengeMade | ChallengeEnded, state: CampaignState, own: str, reader: LetterReader) -> str:
    """A challenge, or what has become of it."""
    other = state.entrants[event.challenged if own == event.challenger else event.challenger]
    told = {"name": unlinked(other.name), "entrant": other.id}
    if isinstance(event, ChallengeMade):
        until = moment_in_short(event.until, reader.zone, reader.lang)
        return say(reader.lang, "campaigns.letter.challenged", at=until, **told)
    return say(reader.lang, f"campaigns.letter.challenge-{event.reason}", **told)


def _table(state: CampaignState, own: str) -> Iterator[str]:
    """The first rows of the table, and the reader's own."""
    rows = standings(contest_of(state), state.cup.tiebreaks) if state.is_cup and state.order else ()
    for place, row in enumerate(rows, 1):
        if place <= TABLE_ROWS or row.entrant == own:
            yield f"{place}. {unlinked(state.entrants[row.entrant].name)}: {row.points}"
