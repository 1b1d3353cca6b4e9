"""Which scenario a battle has: one that comes with this release, unchanged, or one of its own (header version 3)."""

import asyncio

from msgspec import Struct

from domain.basics.decoding import decode
from replay.proof.scenario import packaged
from replay.telling.words import phrase
from server.play.live_battle import LiveBattle


class _Members(Struct):
    scenario_hash: str = ""


class _ShownOpening(Struct):
    data: _Members


async def scenario_sentence(live: LiveBattle, lang: str) -> str:
    """The sentence that the verdict has, too; "" where event 1 does not say, as in a branch, or other rules than those
    of the battle are installed."""
    if live.recording.header.rules != live.ruleset.version:
        return ""
    _, _, opened = live.lines(0, 1)[0]
    found = decode(opened, _ShownOpening).data.scenario_hash
    if not found:
        return ""
    name = (await asyncio.to_thread(packaged, live.ruleset)).get(found, "")
    return phrase("verdict.scenario-packaged" if name else "verdict.scenario-own", {"name": name}, lang)
