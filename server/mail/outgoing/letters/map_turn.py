"""The letter of a turn on a map: all that a power has to know for its orders (CAM-ORD-02)."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.basics.pace import text_of as moment_text
from domain.campaign.state import CampaignState
from domain.campaign.theatre.map_scene import MapForce, MapScene
from domain.events.event import Event
from replay.drawing.atlas.picture import letter_png
from replay.drawing.atlas.text import board, signs_of
from replay.drawing.atlas.words import described, happened
from server.acts.plain_text import unlinked
from server.campaigns.maps import seen_map
from server.mail.blocks import Link, Listing, MapBlock, Paragraph
from server.mail.campaign_pieces import CampaignReader
from server.mail.outgoing.letters.pieces import LetterPicture, ListPiece, Piece
from server.mail.outgoing.letters.text import text_of
from server.shown.force_orders import force_orders, march_lines, names_ready
from server.shown.moments import moment_in_short
from server.words import say

LONGEST, FOOT = 60, 3
"""Lines of the letter, and those that stand below it."""
MAP_ROWS, MOST_LINES = 15, 2
"""Rows of the map, lines of the orders of a force."""


class TurnRoom(Struct, frozen=True):
    """How much of each a letter has room for: sentences of what has happened, forces, lines of orders."""

    told: int
    forces: int
    lines: int


ROOMS = tuple(
    TurnRoom(*room) for room in ((7, 8, 10), (6, 6, 8), (4, 6, 6), (3, 4, 5), (2, 3, 4), (1, 2, 3), (1, 1, 1))
)
"""The first of which a letter does not grow too long is its room; the answer to `map` has everything."""


class MapTurnNews(Struct, frozen=True):
    """What the letter of a turn is about: `events` are all of the log so far, with the campaign after them; `page` the
    address of the map."""

    campaign: str
    events: Sequence[Event]
    state: CampaignState
    reader: CampaignReader
    page: str


def turn_pieces(news: MapTurnNews, above: Sequence[Piece]) -> list[Piece]:
    """What has happened since the orders before, the map, the forces of a power, what it may order, who is ready; below
    what stands `above`. What there is no room for is told in an answer to `map`."""
    scene = seen_map(news.events, news.state, news.reader.entrant)
    drawn = map_of(scene, "", news.reader.lang, is_wanted=False)
    found = list[Piece]()
    for room in ROOMS:
        found = [*above, *_pieces(news, scene, room)]
        shown = [drawn if isinstance(piece, MapBlock) else piece for piece in found]
        if text_of(shown, (), "", news.reader.lang).count("\n") + FOOT <= LONGEST:
            break
    return found


def _pieces(news: MapTurnNews, scene: MapScene, room: TurnRoom) -> Iterator[Piece]:
    state, reader, lang = news.state, news.reader, news.reader.lang
    told = [unlinked(words) for words in happened(scene, lang)]
    if told:
        kept, more = _folded(told, room.told)
        rest = [say(lang, "campaigns.letter.map-more", count=more)] if more else []
        yield ListPiece(tuple((0, line) for line in (*kept, *rest)))
    yield MapBlock(scene)
    orders = list(force_orders(state, scene, reader.entrant, lang))
    by_id = {force.id: force for force in scene.forces}
    forces, more = _folded([_force_line(scene, by_id[one.force], lang) for one in orders], room.forces)
    lines, left = _folded([f"| {line}" for line in march_lines(orders, MOST_LINES)], room.lines)
    if more or left:
        lines.append(say(lang, "campaigns.letter.map-ask", campaign=news.campaign))
    yield Listing((say(lang, "campaigns.letter.map-forces"), *forces))
    yield Paragraph(_standing(scene, state, reader))
    yield Listing((say(lang, "campaigns.letter.map-orders"), *lines))
    yield Paragraph(say(lang, "campaigns.letter.map-then"))
    yield Link(say(lang, "campaigns.letter.map-link"), news.page)


def _folded(lines: list[str], most: int) -> tuple[list[str], int]:
    """The lines that there is room for, and how many more there are: of those the room has a line, too."""
    return (lines, 0) if len(lines) <= most else (lines[: most - 1], len(lines) - most + 1)


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
        at = moment_in_short(moment_text(deadline), reader.zone, lang)
        words.append(say(lang, "campaigns.letter.map-deadline", at=at))
    ready = ("campaigns.map.are-ready", {"names": names}) if names else ("campaigns.map.nobody-ready", {})
    return " ".join([*words, say(lang, ready[0], **ready[1])])


def map_of(scene: MapScene, cid: str, lang: str, is_wanted: bool) -> LetterPicture:
    """The map in a reader's language; it takes long to draw."""
    text = "\n".join([*board(scene, MAP_ROWS), "", *signs_of(scene, lang)])
    return LetterPicture(described(scene, lang), text, letter_png(scene, lang=lang) if is_wanted else b"", cid)
