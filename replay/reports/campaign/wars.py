"""The report of a campaign whose armies live on: what was ordered, fought and lost, who rose and who fell."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from domain.campaign.config import LINKED
from domain.campaign.forces.nodes import node_of, side_points
from domain.campaign.state import BoardState
from domain.campaign.theatre.aftermath import victory_points
from domain.contract.campaign_book import CAPTURED, FIT, GONE, RESTING
from domain.events.event import Event
from projections.ledger import records
from projections.ledger.records import CampaignLedger, ForceLedger, ServiceEntry, ServiceRecord
from replay.reports.campaign.course import told_event
from replay.reports.campaign.parts import ReportBoard, ReportTable, ReportTeller, Roll, ToldLine
from replay.reports.campaign.rounds import report_board
from replay.reports.campaign.stages import Stage
from replay.telling.service import ServiceTeller
from replay.telling.words.names import name_in

MOST_LISTED = 200
"""Lines of a roll."""


class WarTeller(Struct, frozen=True):
    """Tells a war: `report` its course, `service` its records."""

    report: ReportTeller
    service: ServiceTeller
    ledger: CampaignLedger


def war_teller(report: ReportTeller, ledger: CampaignLedger) -> WarTeller:
    """Who tells a war in the language of its report."""
    state = report.state
    names = {name: one.name for name, one in state.entrants.items()}
    powers = {force.force: force.power for force in ledger.forces}
    return WarTeller(report, ServiceTeller(state.ruleset, report.lang, names, powers), ledger)


def war_title(teller: ReportTeller, stage: Stage) -> str:
    """What a round is called: by its node; on a map it is a turn."""
    state = teller.state
    if stage.number == 0:
        return teller.say("chapter.before")
    if state.settings.kind != LINKED:
        return teller.say("chapter.turn", turn=stage.number)
    node = node_of(state.settings, state.rounds[stage.number - 1].node)
    return teller.say("chapter.node", round=stage.number, title=name_in(node.title or node.id.title(), teller.lang))


def war_lead(war: WarTeller, stage: Stage) -> Iterator[str]:
    """The armies at first; of a round what came before its battles, in a paragraph."""
    if stage.number == 0:
        for force in stage.after.theatre.forces.values():
            yield _army(war, force.id)
        return
    yield from _paragraph(war, _before_battles(stage))


def _army(war: WarTeller, name: str) -> str:
    force = war.ledger.force(name)
    assert force is not None
    army = war.report.state.theatre.forces[name].army
    title = name_in(str(army.get("name", "")), war.report.lang) if isinstance(army, dict) else ""
    units = sum(1 for one in force.units if not any(entry.what == records.RAISED for entry in one.entries))
    told = {"name": war.service.power(force.power), "force": name, "title": title, "units": units}
    return war.report.say("war.army", **told, points=force.first_points)


def _before_battles(stage: Stage) -> list[Event]:
    """The events of a round up to the first result."""
    found = list[Event]()
    for recorded in stage.events:
        if recorded.type in ("ResultCounted", "TableResult", "DefaultGiven"):
            break
        found.append(recorded.event)
    return found


def war_ends(war: WarTeller, stage: Stage) -> Iterator[str]:
    """What came behind the battles of a round: ground, sieges, supply, the way on."""
    before = len(_before_battles(stage))
    yield from _paragraph(war, [recorded.event for recorded in stage.events[before:]])


def _paragraph(war: WarTeller, events: Sequence[Event]) -> Iterator[str]:
    lines = [line for event in events if (line := told_event(war.report, war.service, event))]
    if lines:
        yield " ".join(lines)


def war_boards(war: WarTeller, stage: Stage) -> Iterator[ReportBoard]:
    """The battles of a round, each with what it left of both armies."""
    for name in stage.after.rounds[stage.number - 1].boards:
        board = war.report.state.boards[name]
        yield report_board(war.report, board, tuple(_left(war, board)))


def _left(war: WarTeller, board: BoardState) -> Iterator[ToldLine]:
    """Casualties, promotions and honours of a battle, force by force."""
    for force in war.ledger.forces:
        met = [(one, entry) for one in force.records for entry in one.entries if entry.battle == board.battle]
        fought = [(one, entry) for one, entry in met if entry.what == records.BATTLE]
        if not fought:
            continue
        words = {
            how: war.service.join([_with_die(war, one, entry) for one, entry in fought if _how(entry) == how])
            for how in ("gone", "back", "hurt", "taken")
        }
        if any(words.values()):
            yield ToldLine(war.report.say("war.left", name=war.service.power(force.power), **words))
        for one, entry in met:
            if entry.what == records.HONOUR:
                told = {"unit": war.service.called(one), "honour": war.service.honour(entry.honour)}
                yield ToldLine(war.report.say("war.honour", **told), war.report.battle(board.battle, entry.event))
        rose = [one for one, entry in fought for step in one.promotions if step.round == entry.round]
        for one in dict.fromkeys(rose):
            (step, *_) = [step for step in one.promotions if step.round == board.place.round]
            label = war.service.quality(step.now)
            yield ToldLine(war.report.say("war.rose", unit=war.service.called(one, step.was), now=label))


def _how(entry: ServiceEntry) -> str:
    """How an element came out of a battle, "" as it went in."""
    if entry.now in (GONE, CAPTURED):
        return {GONE: "gone", CAPTURED: "taken"}[entry.now]
    if entry.now == RESTING and entry.fate == "hurt":
        return "hurt"
    return "back" if entry.now == FIT and entry.fate in ("lost", "worn") else ""


def _with_die(war: WarTeller, record: ServiceRecord, entry: ServiceEntry) -> str:
    die = war.report.part("war.die", die=entry.die, needed=entry.needed) if entry.die else ""
    return war.report.part("war.who", unit=war.service.called(record), die=die)


# --- behind the story


def war_tables(war: WarTeller) -> Iterator[ReportTable]:
    """What each side has come to, and what its forces are."""
    teller = war.report
    if teller.state.settings.kind == LINKED:
        points = {teller.name(side): value for side, value in side_points(teller.state).items()}
    else:
        points = victory_points(teller.state.theatre)
    rows = sorted(points.items(), key=lambda row: -row[1])
    yield ReportTable(
        teller.say("war.points"),
        ("", teller.part("name"), teller.part("points")),
        tuple((str(place), name, str(value)) for place, (name, value) in enumerate(rows, 1)),
    )
    keys = ("force", "first", "now", "units", "battles", "won", "drawn", "lost", "honours")
    yield ReportTable(
        teller.say("war.forces"),
        (teller.part("name"), *(teller.part(f"war.head.{key}") for key in keys)),
        tuple(_force_row(war, force) for force in war.ledger.forces),
        name=0,
    )


def _force_row(war: WarTeller, force: ForceLedger) -> tuple[str, ...]:
    fared = [entry.fared for entry in force.battles.values()]
    ends = (str(fared.count(how)) for how in (records.WON, records.DRAWN, records.LOST_BATTLE))
    units = f"{len(force.present)} / {len(force.units)}"
    points = (str(force.first_points), str(force.points))
    honours = sum(len(record.honours) for record in force.records)
    return (war.service.power(force.power), force.force, *points, units, str(len(fared)), *ends, str(honours))


def war_rolls(war: WarTeller) -> Iterator[Roll]:
    """Who was honoured or rose, and who fell, power by power."""
    for title, lines in (("war.risen", _risen), ("war.fallen", _fallen)):
        groups = [
            (war.service.power(power), tuple(line for force in forces for line in lines(war, force))[:MOST_LISTED])
            for power, forces in groupby(war.ledger.forces, key=lambda force: force.power)
        ]
        found = tuple((name, told) for name, told in groups if told)
        if found:
            yield Roll(war.report.say(title), found)


def _risen(war: WarTeller, force: ForceLedger) -> Iterator[ToldLine]:
    for record in force.records:
        if record.honours or record.promotions:
            wheres = [f"{war.service.honour(one.honour)} ({war.service.where(one)})" for one in record.honours]
            was = war.service.quality(record.first) if record.first != record.label else ""
            told = {"unit": war.service.called(record), "was": was, "honours": war.service.join(wheres)}
            first = next(iter(record.honours), None)
            link = war.report.battle(first.battle, first.event) if first else ""
            yield ToldLine(war.report.say("war.risen.line", **told), link)


def _fallen(war: WarTeller, force: ForceLedger) -> Iterator[ToldLine]:
    for record in force.records:
        end = record.end
        if end is not None:
            told = {"unit": war.service.called(record), "how": war.service.line(end), "round": end.round}
            yield ToldLine(war.report.say("war.fallen.line", **told), war.report.battle(end.battle))
