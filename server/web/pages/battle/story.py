"""What happened: the log by turns, and what is new since the reader looked last."""

from msgspec import Struct

from server.shown.chronicle import TurnChronicle, chronicle
from server.shown.story import OrderStory, since, story
from server.web.pages.battle.viewpoint import Viewpoint


class StoryPart(Struct, frozen=True):
    """`log` is the story up to the event that is shown, `result` what has happened since the event that the reader saw
    last."""

    log: TurnChronicle
    result: tuple[OrderStory, ...]


def story_part(seen: Viewpoint, after: int) -> StoryPart:
    """What happened, as the reader may hear it; `after` is the event that they saw last, 0 if that is not known."""
    recording, side, lang = seen.live.recording, seen.side, seen.lang
    told = story(recording, side, seen.n, lang=lang)
    return StoryPart(
        log=chronicle(recording, side, told, seen.scene, has_ended=seen.battle.ended),
        result=since(recording, side, after, lang) if after and seen.is_newest else (),
    )
