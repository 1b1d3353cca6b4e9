"""Why an event happened, as far as one side may know."""

from msgspec.structs import replace

from domain.basics.errors import Refusal
from replay.telling.why import Explanation, explain
from replay.telling.words import ENGLISH
from server.play.live_battle import LiveBattle


def explained(live: LiveBattle, side: str, n: int, lang: str = ENGLISH) -> Explanation:
    """The rule, the number, the cards and the order behind event `n`, for a side ("" for a stranger).

    Raises: Refusal core.no-such-event
    """
    recording = live.recording
    if not 1 <= n <= live.n:
        raise Refusal("core.no-such-event", "CORE-ACCESS", n=n, last=live.n)
    events = recording.timeline.events
    before = live.ruleset.secrets.known(recording.timeline.at(n - 1).game, side)
    seen = replace(events[n - 1], event=recording.seen(side, events[n - 1]))
    return explain(live.ruleset, before, [*events[: n - 1], seen], events[n:], lang, live.id)
