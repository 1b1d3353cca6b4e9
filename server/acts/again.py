"""The same battle once more: how a battle was opened, as a wish for another."""

from msgspec import UNSET

from domain.events.battle import BattleOpened
from domain.run.inputs import facts_of_rematch
from domain.run.terms import USUAL_TERMS, Terms
from server.acts.open import Wish
from server.play.live_battle import LiveBattle


def opening_of(live: LiveBattle) -> BattleOpened:
    """The event with which a battle begins, with its sealed parts."""
    timeline = live.recording.timeline
    event = timeline.whole(timeline.events[0])
    assert isinstance(event, BattleOpened), "every log begins with it"
    return event


def wish_again(live: LiveBattle, event: BattleOpened, terms: Terms = USUAL_TERMS) -> Wish:
    """A battle for the same readers at the same pace, opened as an event says."""
    pace = "" if event.pace is UNSET else str(event.pace)
    return Wish(live.ruleset.code, facts_of_rematch(live.ruleset, event), live.recording.battle.readers, pace, terms)
