"""The page of a map campaign is there for everybody, from its opening to its end, and tells no secret."""

from server.people.players import Player
from tests.server.web.pages.visiting import visitor_of
from tests.support.ladders import key_in
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


async def test_a_unit_is_raised_from_a_list_at_its_price(server: RunningServer) -> None:
    callers = [await server.player(name) for name in NAMES]
    people = [Player(caller.player, name) for caller, name in zip(callers, NAMES, strict=True)]
    served = await ServedMap.begun(server.running.steward, people)
    path, anna = f"/campaigns/{served.live.id}/map", await visitor_of(server, callers[0])
    page = await anna.get(path)
    line = "recruit F1 I light_javelin as R7"
    assert f'<option value="{line}">Light javelins in I, 4 points<' in page.text
    page = await anna.send(path, **{"army-F1-recruit": line, "force-F1": "march F1 ford"}, key=key_in(page.text))
    assert page.status == 200
    assert "<li><code>recruit F1 I light_javelin standard as R7</code></li>" in page.text
    assert [each.element.id for each in served.live.state.ordering.turn.recruits] == ["R7"]
    assert "light_javelin" not in (await (await visitor_of(server, callers[1])).get(path)).text
