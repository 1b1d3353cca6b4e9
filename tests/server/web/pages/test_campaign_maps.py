"""The page of a map campaign is there for everybody, from its opening to its end, and tells no secret."""

from server.people.players import Player
from tests.support.served_maps import NAMES, ServedMap
from tests.support.serving import RunningServer


async def test_the_page_of_a_map_campaign_is_there_at_each_time(server: RunningServer) -> None:
    callers = [await server.player(name) for name in NAMES]
    people = [Player(caller.player, name) for caller, name in zip(callers, NAMES, strict=True)]
    served = await ServedMap.begun(server.running.steward, people)
    await served.say("red", "march F1 ford\nready")
    for path in ("", "/news.atom", "/calendar.ics"):
        shown = await server.stranger.get(f"/campaigns/{served.live.id}{path}")
        assert shown.status == 200, path
        assert "march F1" not in shown.text
    await served.say("blue", "march F3 ford\nready")
    await served.ready("rose")
    await served.steward.settle()
    shown = await server.stranger.get(f"/campaigns/{served.live.id}")
    assert shown.status == 200 and "1.1" in shown.text
    for path in ("fixtures", "standings", "why/1.1", "entrants/red", "why/red"):
        reply = await server.stranger.get(f"/api/v1/campaigns/{served.live.id}/{path}")
        assert reply.status == 200, (path, reply)
