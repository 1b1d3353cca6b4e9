"""A linked campaign of bots as a newcomer reads it: the armies, each node with its battles, what they leave."""

from collections.abc import Iterator, Sequence
from typing import Any

from domain.campaign.forces.nodes import node_of, side_points
from domain.campaign.theatre.events import (
    ElementFared,
    ElementPromoted,
    HonourWon,
    LeaderRansomed,
    LeaderReplaced,
    NodeChosen,
    PointsGiven,
    UnitRaised,
)
from domain.campaign.theatre.state import ElementState, ForceState
from domain.contract.campaign_book import CAPTURED, FIT, GONE, RESTING
from domain.events.event import Event
from server.offline.linked import OfflineLinked

WIDTH = 110
NOW = {FIT: "comes back", GONE: "is gone", CAPTURED: "is captured", RESTING: "rests from a wound"}
MOST_RECORDS = 5


def watch_linked(played: OfflineLinked) -> Iterator[str]:
    """A campaign as it is fought, node by node, as blocks of text."""
    yield from _beginning(played)
    while not played.state.is_over:
        each = played.state.rounds[-1]
        node = node_of(played.config, each.node)
        yield f"\n{each.number}. {node.title or node.id}"
        before = len(played.events)
        played.order()
        yield from map(_indented, _orders(played, played.events[before:]))
        for board in played.running():
            before = len(played.events)
            fought = played.fight(board)
            kept = " : ".join(map(str, fought.board.kept))
            names = (_name(played, entrant) for entrant in board.place.pair)
            yield f"  {board.title or board.named}: {' – '.join(names)}, kept {kept}. {fought.story}"
            yield from map(_indented, _left(played, played.events[before:]))
    yield from _end(played)


def _indented(text: str) -> str:
    return f"    {text}"


def _name(played: OfflineLinked, entrant: str) -> str:
    return played.state.entrants[entrant].name


def _beginning(played: OfflineLinked) -> Iterator[str]:
    yield f"{played.config.title}: {played.ruleset.title}, {len(played.config.nodes or ())} nodes."
    yield (
        "The winner of a node chooses the way. What is lost comes back by a die, or is gone; each side has points to "
        "make it\ngood, more if it is behind."
    )
    for force in played.state.theatre.standing():
        army = force.army.get("name", force.id)
        units, leaders = len(force.units), len(force.leaders)
        yield f"{_name(played, force.power)}: {army}, {force.weight} points, {units} units, {leaders} leaders."


def _orders(played: OfflineLinked, events: Sequence[Event]) -> Iterator[str]:
    """What was ordered in secret, once it is open."""
    raised = [event for event in events if isinstance(event, UnitRaised)]
    for force in played.state.theatre.standing():
        own = [f"{event.unit} ({event.troop}, {event.points})" for event in raised if event.force == force.id]
        if own:
            yield f"{_name(played, force.power)} recruits {', '.join(own)}."
    for event in events:
        if isinstance(event, LeaderRansomed):
            power = played.state.theatre.forces[event.force].power
            yield f"{_name(played, power)} ransoms {event.leader} for {event.points} points."


def _left(played: OfflineLinked, events: Sequence[Event]) -> Iterator[str]:
    """What a battle leaves of each army, who has earned what, and the way on."""
    for force in played.state.theatre.standing():
        told = [_fared(event) for event in events if isinstance(event, ElementFared) and event.force == force.id]
        if told:
            yield from _wrapped(f"{_name(played, force.power)}: {', '.join(told)}.")
    for event in events:
        if isinstance(event, HonourWon | ElementPromoted | LeaderReplaced):
            yield _rose(played, event)
        elif isinstance(event, NodeChosen):
            points = side_points(played.state)
            stand = ", ".join(f"{_name(played, side)} {value}" for side, value in points.items())
            yield f"{_name(played, event.winner) if event.winner else 'Nobody'} wins the node. Victory points: {stand}."
    given: dict[str, int] = {}
    for event in events:
        if isinstance(event, PointsGiven):
            given[event.entrant] = event.total
    if given:
        yield "To spend: " + ", ".join(f"{_name(played, side)} {points}" for side, points in given.items()) + "."


def _wrapped(text: str) -> Iterator[str]:
    """A text in lines of at most `WIDTH` characters, broken behind commas."""
    line = ""
    for part in text.split(", "):
        more = f"{line}, {part}" if line else part
        if len(more) > WIDTH and line:
            yield f"{line},"
            more = f"  {part}"
        line = more
    yield line


def _fared(event: ElementFared) -> str:
    die = f" ({event.die}, needs {event.needed})" if isinstance(event.die, int) else ""
    return f"{event.element} {event.fate}{die} {NOW[event.now]}"


def _rose(played: OfflineLinked, event: Any) -> str:
    force = played.state.theatre.forces[event.force]
    whose = _name(played, force.power)
    if isinstance(event, HonourWon):
        return f"{whose}: {event.element} earns the honour {event.honour} (event {event.n} of {event.battle})."
    if isinstance(event, ElementPromoted):
        return f"{whose}: {event.element} rises from {event.was} to {event.now}."
    return f"{whose}: {event.by} leads in the place of {event.leader}, who is {event.reason}."


def _end(played: OfflineLinked) -> Iterator[str]:
    winners = ", ".join(_name(played, one) for one in played.state.winners or ())
    yield f"\n{winners or 'Nobody'} has won the campaign."
    for force in played.state.theatre.standing():
        gone = sum(1 for each in force.elements.values() if each.now == GONE)
        yield f"{_name(played, force.power)} has {force.weight} points left, and has lost {gone} for good."
        yield from (f"  {_record(each)}" for each in _proudest(force))


def _proudest(force: ForceState) -> list[ElementState]:
    with_honours = [each for each in force.elements.values() if each.honours]
    return sorted(with_honours, key=lambda each: (-each.honours, each.element.id))[:MOST_RECORDS]


def _record(each: ElementState) -> str:
    unit = each.element
    fate = "" if each.is_here else f", {each.now}"
    honours = "one honour" if each.honours == 1 else f"{each.honours} honours"
    return f"{unit.id} {unit.troop} ({unit.label}): {honours}{fate}"
