"""The maps of campaigns for whoever may see them: drawn, written, as data."""

from collections.abc import Sequence

import msgspec

from domain.basics.errors import Refusal
from domain.campaign.known import alliance_of
from domain.campaign.map_shown import map_after, map_before
from domain.campaign.state import CampaignState
from domain.campaign.theatre.map_scene import MapScene
from domain.events.event import Event
from replay.drawing.atlas.picture import map_png
from replay.drawing.atlas.svg import draw_map
from replay.drawing.atlas.text import map_text


def seen_map(
    events: Sequence[Event],
    state: CampaignState,
    entrant: str,
    turn: int = 0,
    *,
    before: bool = False,
    fog: str = "",
) -> MapScene:
    """The map of a campaign as an entrant sees it ("" for anybody else). Under fog they see the forces of their
    alliance and what it has seen; at the end everything, or once more what a power saw then (`fog`).

    Shape:  `events` from the first on as the entrant may know them (`CampaignRecording.events_of`), and the campaign
            after them
    Raises: Refusal campaign.no-map, campaign.no-such-turn
    """
    table = state.settings.map
    if table is None:
        raise Refusal("campaign.no-map", "CAM-MAP-02", campaign=state.settings.title)
    seen_by = through_fog(state, entrant, fog)
    return (map_before if before else map_after)(events, turn, seen_by)


def through_fog(state: CampaignState, entrant: str, fog: str = "") -> str | None:
    """The alliance through whose fog an entrant sees the map, "" for anybody who is of none, None where nothing hides
    it. When it is over they may look through that of any power (CAM-FOG-04)."""
    if state.is_veiled:
        return alliance_of(state, entrant)
    return alliance_of(state, fog) if state.is_foggy and fog in state.theatre.powers else None


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
