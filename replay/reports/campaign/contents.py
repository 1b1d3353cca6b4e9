"""All that the report of a campaign says, in a language, before it is laid out as Markdown, HTML or PDF.

Nothing in it comes from anywhere but the log of the campaign and the files of its battles; what the log keeps sealed
is not in it.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from domain.campaign.config import LADDER
from domain.campaign.state import CampaignState
from domain.catalogue import RULESETS
from projections.ledger.book import ledger_of
from replay.campaign_file import CampaignFile, book_of
from replay.proof.campaign import verdict
from replay.proof.campaign.report import CampaignReport
from replay.reports.account.short import BattleInShort
from replay.reports.account.voice import heading
from replay.reports.campaign.cups import course_table, figures_of, lead_of, standing_after, standing_table
from replay.reports.campaign.duels import duel_chapters, ladder_table
from replay.reports.campaign.maps import map_after
from replay.reports.campaign.parts import ReportChapter, ReportTable, ReportTeller, Roll
from replay.reports.campaign.rolls import honours_of_battles
from replay.reports.campaign.rounds import boards_of, notes_of
from replay.reports.campaign.stages import Stage, stages, table_of
from replay.reports.campaign.wars import (
    WarTeller,
    war_boards,
    war_ends,
    war_lead,
    war_rolls,
    war_tables,
    war_teller,
    war_title,
)

HEADINGS = ("entrants", "story", "contents", "figures", "proof", "made", "board")
DAY = 10
"""Characters of a time stamp that name its day."""


class CampaignContents(Struct, frozen=True, kw_only=True):
    """The report of a campaign; `proof` are the lines of the proof box."""

    lang: str
    title: str
    subtitle: str
    result: str
    entrants: tuple[str, ...]
    chapters: tuple[ReportChapter, ...]
    tables: tuple[ReportTable, ...]
    rolls: tuple[Roll, ...]
    figures: tuple[str, ...]
    proof: tuple[str, ...]
    headings: Mapping[str, str]


def campaign_contents(
    file: CampaignFile, shorts: Mapping[str, BattleInShort], proof: CampaignReport, lang: str, base: str = ""
) -> CampaignContents:
    """The report of a campaign.

    Shape: `shorts` are its battles in short by id, as far as they are there, and `proof` what `verify_campaign` has
           found, both in the same language; `base` is the address of the server that has the battles, "" where
           nothing is linked
    """
    state = file.state
    teller = ReportTeller(state, shorts, lang, base)
    boards = [*(state.boards[name] for each in state.rounds for name in each.boards), *state.duels.values()]
    war = war_teller(teller, ledger_of(recorded.event for recorded in file.events))
    honours = None if war.ledger.forces else honours_of_battles(teller)
    return CampaignContents(
        lang=lang,
        title=state.settings.title,
        subtitle=teller.say("subtitle", game=_game(state), campaign=file.header.campaign, days=_days(teller, file)),
        result=_result(teller, len(file.events)),
        entrants=tuple(_entrants(teller)),
        chapters=tuple(_chapters(teller, file, war)),
        tables=tuple(_tables(teller, file, war)),
        rolls=(honours,) if honours else tuple(war_rolls(war)),
        figures=tuple(figures_of(teller, boards)),
        proof=(
            heading("head", {"n": proof.events, "head": proof.head, "host": proof.host}, lang),
            *verdict.lines(proof, lang),
        ),
        headings={name: teller.say(name) for name in HEADINGS},
    )


def _game(state: CampaignState) -> str:
    ruleset = RULESETS.get(state.ruleset)
    return ruleset.title if ruleset else state.ruleset


def _span(teller: ReportTeller, stage: Stage) -> str:
    """The days of a stage."""
    first, last = stage.events[0].at[:DAY], stage.events[-1].at[:DAY]
    return teller.part("days", first=first, last=last if last != first else "")


def _days(teller: ReportTeller, file: CampaignFile) -> str:
    first, last = file.events[0].at[:DAY], file.events[-1].at[:DAY]
    return teller.part("days", first=first, last=last if last != first else "")


def _result(teller: ReportTeller, last: int) -> str:
    state = teller.state
    if state.winners is None:
        return teller.say("result.goes-on", n=last)
    if not state.winners:
        return teller.say("result.nobody")
    return teller.say("result.won", names=teller.names(state.winners), several="s" if len(state.winners) > 1 else "")


def _entrants(teller: ReportTeller) -> Iterator[str]:
    """Who took part, in the order of joining."""
    for one in sorted(teller.state.entrants.values(), key=lambda one: one.first):
        left = teller.part(f"left.{one.left}") if one.left else ""
        kind = teller.part("bot") if one.kind == "bot" else ""
        yield teller.part("entrant", name=one.name, kind=kind, left=left)


def _chapters(teller: ReportTeller, file: CampaignFile, war: WarTeller) -> Iterator[ReportChapter]:
    if teller.state.settings.kind == LADDER:
        yield from duel_chapters(teller, file.events)
        return
    before: Stage | None = None
    for stage in stages(file.events):
        yield _chapter(teller, stage, before) if teller.state.is_cup else _war_chapter(war, stage)
        before = stage


def _war_chapter(war: WarTeller, stage: Stage) -> ReportChapter:
    return ReportChapter(
        war_title(war.report, stage),
        _span(war.report, stage),
        tuple(war_lead(war, stage)),
        tuple(war_boards(war, stage)) if stage.number else (),
        tuple(notes_of(war.report, stage)) if stage.number else (),
        tuple(war_ends(war, stage)) if stage.number else (),
        map_after(stage, dict(war.service.names)),
    )


def _chapter(teller: ReportTeller, stage: Stage, before: Stage | None) -> ReportChapter:
    return ReportChapter(
        teller.say("chapter.before") if before is None else teller.say("chapter.round", round=stage.number),
        _span(teller, stage),
        tuple(lead_of(teller, stage, before)),
        tuple(boards_of(teller, stage)) if before is not None else (),
        tuple(notes_of(teller, stage)) if before is not None else (),
        tuple(standing_after(teller, stage, before)) if before is not None else (),
    )


def _tables(teller: ReportTeller, file: CampaignFile, war: WarTeller) -> Iterator[ReportTable]:
    if war.ledger.forces:
        yield from war_tables(war)
    elif not teller.state.is_cup:
        rows = book_of(file).rows(file.events[-1].at)
        if rows:
            yield ladder_table(teller, rows)
    table = table_of(teller.state)
    if table:
        yield standing_table(teller, table)
        course = course_table(teller, table)
        if course is not None:
            yield course
