"""The maps of campaigns for whoever may see them: drawn, written, as data."""

from collections.abc import Sequence

import msgspec

from domain.basics.errors import Refusal
from domain.campaign.map_shown import map_after, map_before
from domain.campaign.state import CampaignState
from domain.campaign.theatre.map_scene import MapScene, veiled
from domain.events.event import Event
from replay.drawing.atlas.picture import map_png
from replay.drawing.atlas.svg import draw_map
from replay.drawing.atlas.text import map_text


def seen_map(
    events: Sequence[Event], state: CampaignState, entrant: str, turn: int = 0, *, before: bool = False
) -> MapScene:
    """The map of a campaign as an entrant sees it ("" for anybody else). Under fog, until the end, they see no forces
    but those of their alliance.

    Shape:  `events` from the first on, with their private parts, and the campaign after them
    Raises: Refusal campaign.no-map, campaign.no-such-turn
    """
    table, powers = state.settings.map, state.theatre.powers
    if table is None:
        raise Refusal("campaign.no-map", "CAM-MAP-02", campaign=state.settings.title)
    scene = (map_before if before else map_after)(events, turn)
    if not table.fog or state.is_over:
        return scene
    return veiled(scene, state.theatre.alliance_of(entrant) if entrant in powers else "")


def map_in_form(scene: MapScene, form: str, lang: str) -> bytes:
    """A map as `svg`, `png`, `text`, or else as data."""
    match form:
        case "png":
            return map_png(scene, lang=lang)
        case "svg":
            return draw_map(scene, lang=lang, styled=True).encode()
        case "text":
            return map_text(scene, lang=lang).encode()
    return msgspec.json.encode(scene)
