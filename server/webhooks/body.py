"""What a webhook is told, in the form it wants.

Of a battle that anybody may read it has the title, the names and who has won. Of any other it says no more than what
has happened, at which event, and where: whoever reads there what a webhook says need not be its owner.
"""

import re
from typing import Any

from msgspec import json

from domain.basics.errors import Refusal
from domain.events.battle import BattleEnded
from replay.telling.words.names import name_in
from server.people.webhooks import DISCORD, TEST
from server.play.announcing import BATTLE
from server.play.live_battle import LiveBattle
from server.play.live_battles import LiveBattles
from server.play.seating import shown_name
from server.store.tables.closings import REMOVED
from server.store.tables.webhooks import OwnerKind, Told, Webhook
from server.words import say

PUBLIC = "public"
MOST_TEXT = 1500
"""Characters of the text; Discord takes 2,000, the link included."""
MARKS = re.compile(r"([\\`*_~|<>\[\]()#@:-])")
"""Letters by which a text of Discord becomes more than a text."""


async def body_of(battles: LiveBattles, hook: Webhook, told: Told) -> bytes | None:
    """The body for a webhook; None if there is nothing left to tell of."""
    address = battles.settings.address
    if told.what == TEST:
        text = say(hook.lang, "webhook.test", host=battles.settings.host)
        return written(hook, {"what": TEST, "n": 0, "link": f"{address}/settings/webhooks", "text": text})
    text = said_of(hook, told.what)
    if told.subject == BATTLE:
        live = await _open(battles, told.about)
        if live is None:
            return None
        text = text_about(live, hook, told.what)
    link = f"{address}/{told.subject}s/{told.about}"
    return written(hook, {"what": told.what, told.subject: told.about, "n": told.n, "link": link, "text": text})


async def _open(battles: LiveBattles, battle: str) -> LiveBattle | None:
    """A battle; None if it is not there, or was taken away."""
    try:
        live = await battles.get(battle)
    except Refusal:
        return None
    return None if live.closed == REMOVED else live


def written(hook: Webhook, message: dict[str, Any]) -> bytes:
    """A message in the form of a webhook, as JSON."""
    if hook.form != DISCORD:
        return json.encode(message)
    text = MARKS.sub(r"\\\1", message["text"])
    return json.encode({"content": f"{text}\n<{message['link']}>", "allowed_mentions": {"parse": []}})


def said_of(hook: Webhook, what: str) -> str:
    """What has happened, as it is said to the owner of a webhook: to a player as theirs."""
    return say(hook.lang, f"webhook.{'own' if hook.owner_kind == OwnerKind.ACCOUNT else 'other'}.{what}")


def text_about(live: LiveBattle, hook: Webhook, what: str) -> str:
    """What has happened in a battle, in a sentence or two; made from what a stranger may know."""
    said = said_of(hook, what)
    if live.recording.battle.readers != PUBLIC:
        return said
    names = [shown_name(seat.player, seat.name, hook.lang) for seat in live.recording.battle.seats.values()]
    title = name_in(getattr(live.known(""), "title", "") or live.ruleset.title, hook.lang)
    about = {"title": title, "names": names, "said": said}
    end = _end(live, hook.lang) if what == "ended" else ""
    return f"{say(hook.lang, 'webhook.about', **about)} {end}".strip()[:MOST_TEXT]


def _end(live: LiveBattle, lang: str) -> str:
    """The winner, in a sentence; "" where nobody says."""
    events = (recorded.event for recorded in reversed(live.recording.timeline.events))
    ended = next((event for event in events if isinstance(event, BattleEnded)), None)
    if ended is None:
        return ""
    seat = live.recording.battle.seats.get(ended.winner or "")
    return (
        say(lang, "webhook.won", name=shown_name(seat.player, seat.name, lang)) if seat else say(lang, "webhook.drawn")
    )
