"""The letter of a turn on a map: all that a power has to know for its orders (CAM-ORD-02)."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from domain.basics.pace import text_of
from domain.campaign.state import CampaignState
from domain.campaign.theatre.map_scene import MapForce, MapScene
from domain.events.event import Event
from replay.drawing.atlas.picture import letter_png
from replay.drawing.atlas.text import COLUMNS, board, signs_of
from replay.drawing.atlas.words import described, happened
from server.acts.plain_text import unlinked
from server.campaigns.maps import seen_map
from server.mail.blocks import Link, Listing, MapBlock, Paragraph
from server.mail.campaign_pieces import CampaignReader
from server.mail.outgoing.letters.pieces import LetterPicture, ListPiece, Piece
from server.shown.force_orders import ForceOrders, force_orders, names_ready
from server.shown.moments import moment_in_short
from server.words import say

MAP_ROWS, MOST_TOLD, MOST_FORCES, MOST_LINES = 15, 7, 8, 10
"""Rows of the map, sentences of what has happened, forces and lines of orders: the letter has sixty lines at most."""


def turn_pieces(events: Sequence[Event], state: CampaignState, reader: CampaignReader, page: str) -> Iterator[Piece]:
    """What has happened since the orders before, the map, the forces of a power, what it may order, who is ready.

    Shape: `events` all of the log so far, with the campaign after them; `page` the address of the map
    """
    lang = reader.lang
    scene = seen_map(events, state, reader.entrant)
    told = [unlinked(words) for words in happened(scene, lang)]
    if told:
        more = len(told) - MOST_TOLD
        lines = told if more <= 0 else [*told[: MOST_TOLD - 1], say(lang, "campaigns.letter.map-more", count=more + 1)]
        yield ListPiece(tuple((0, line) for line in lines))
    yield MapBlock(scene)
    orders = list(force_orders(state, scene, reader.entrant, lang))
    by_id = {force.id: force for force in scene.forces}
    forces = (_force_line(scene, by_id[one.force], lang) for one in orders[:MOST_FORCES])
    yield Listing((say(lang, "campaigns.letter.map-forces"), *forces))
    yield Paragraph(_standing(scene, state, reader))
    yield Listing((say(lang, "campaigns.letter.map-orders"), *_order_lines(orders)))
    yield Paragraph(say(lang, "campaigns.letter.map-then"))
    yield Link(say(lang, "campaigns.letter.map-link"), page)


def _force_line(scene: MapScene, force: MapForce, lang: str) -> str:
    """A force with its strength and supply."""
    kind = "hungry" if force.hungry else "fed" if force.supplied else "unfed"
    told = {"force": force.id, "area": scene.place(force.area).name, "strength": force.strength, "units": force.units}
    return say(lang, f"campaigns.letter.map-force-{kind}", turns=force.hungry, **told)


def _standing(scene: MapScene, state: CampaignState, reader: CampaignReader) -> str:
    """The treasury, the deadline, who is ready."""
    lang, deadline = reader.lang, state.rounds[-1].deadline
    names = ", ".join(map(unlinked, names_ready(state)))
    words = [say(lang, "campaigns.letter.map-treasury", points=scene.power(reader.entrant).treasury)]
    if deadline:
        at = moment_in_short(text_of(deadline), reader.zone, lang)
        words.append(say(lang, "campaigns.letter.map-deadline", at=at))
    ready = ("campaigns.map.are-ready", {"names": names}) if names else ("campaigns.map.nobody-ready", {})
    return " ".join([*words, say(lang, ready[0], **ready[1])])


def _order_lines(orders: Sequence[ForceOrders]) -> Iterator[str]:
    """The movements of each force that end in an area, as lines to copy: one word of each area."""
    lines = list[str]()
    for one in orders:
        ways = [choice.line.removeprefix(f"march {one.force} ") for choice in one.choices if choice.area]
        ways = [way for way in ways if not way.startswith("avoid")]  # it has the same areas once more
        lines += wrap(f"march {one.force} {' | '.join(ways)}", COLUMNS - 4, subsequent_indent="    ")[:2]
    yield from (f"| {line}" for line in lines[:MOST_LINES])


def map_of(scene: MapScene, cid: str, lang: str, is_wanted: bool) -> LetterPicture:
    """The map in a reader's language; it takes long to draw."""
    text = "\n".join([*board(scene, MAP_ROWS), "", *signs_of(scene, lang)])
    return LetterPicture(described(scene, lang), text, letter_png(scene, lang=lang) if is_wanted else b"", cid)
