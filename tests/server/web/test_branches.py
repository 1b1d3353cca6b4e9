"""Branches over HTTP: battles that begin where another one stood, with what their maker knows, listed there."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from domain.basics.data import scenario_names
from domain.catalogue import RULESETS
from replay.proof.heads import Evidence
from replay.proof.verify import NOT_ALL_JUDGED, OK, verify
from tests.server.web.pages.visiting import OWN, visitor_of
from tests.support.before_the_turns import PHASES
from tests.support.lanes import thinned
from tests.support.serving import BATTLES, PHRASE, Caller, Reply, RunningServer, serving

CODES = pytest.mark.parametrize("code", list(RULESETS))


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[RunningServer]:
    async with serving(tmp_path) as running:
        yield running


async def branch(caller: Caller, battle: str, n: int = 0, **more: Any) -> Reply:
    """Ask for a branch; without `n` after the last event."""
    n = n or (await caller.view(battle))["n"]
    return await caller.post(f"{BATTLES}/{battle}/branch", {"n": n, **more})


async def opened(caller: Caller, battle: str, n: int = 0, **more: Any) -> str:
    reply = await branch(caller, battle, n, **more)
    assert reply.status == 201, reply.text
    return str(reply.json["battle"])


async def tree(caller: Caller, battle: str) -> list[tuple[str, str, int]]:
    found = (await caller.get(f"{BATTLES}/{battle}/branches")).json
    return [(one["battle"], one["branch_of"], one["branch_n"]) for one in found["branches"]]


@pytest.mark.parametrize("code", thinned(RULESETS, len(RULESETS)))
async def test_a_battle_of_every_game_branches_and_is_played_on(server: RunningServer, code: str) -> None:
    anna, ben = await server.player("Anna"), await server.player("Ben")
    name = scenario_names(code)[0]
    battle = await server.battle(anna, ben, scenario=f"{code}/{name}")
    eve = await server.player("Eve")
    new = await opened(eve, battle)
    view = await eve.view(new)
    assert view["branch"]["battle"] == battle
    assert (view["begun"], view["to_act"]) == (False, [])
    assert (await eve.sit(new, "south")).status == 201
    assert (await eve.post(f"{BATTLES}/{new}/sides/north", {"bot": "random"})).status == 201
    view = await eve.view(new)
    assert view["begun"]
    assert view["phase"]
    source, content = await eve.export(battle), await eve.export(new)
    report = verify(content, source=Evidence("the source", source))
    assert (report.fault, report.is_of_source) == (None, True)
    assert report.exit in (OK, NOT_ALL_JUDGED)


async def test_where_it_can_begin_is_what_the_file_says(server: RunningServer) -> None:
    anna, ben = await server.player("Anna"), await server.player("Ben")
    battle = await server.battle(anna, ben)
    last = (await anna.view(battle))["n"]
    assert (await branch(anna, battle, last + 1)).code == "core.no-such-event"
    inside = [reply for n in range(1, last) if (reply := await branch(anna, battle, n)).status != 201]
    assert {reply.code for reply in inside} == {"core.branch-inside"}
    for bad in (0, -1, "1", None):
        assert (await anna.post(f"{BATTLES}/{battle}/branch", {"n": bad})).status == 422


async def test_who_is_not_logged_in_or_may_not_read_opens_none(server: RunningServer) -> None:
    anna, ben, eve = [await server.player(name) for name in ("Anna", "Ben", "Eve")]
    battle = await server.battle(anna, ben, readers="players")
    assert (await server.stranger.post(f"{BATTLES}/{battle}/branch", {"n": 1})).code == "core.not-signed-in"
    assert (await eve.post(f"{BATTLES}/{battle}/branch", {"n": 1})).code == "core.unknown-battle"
    assert (await eve.get(f"{BATTLES}/{battle}/branches")).code == "core.unknown-battle"


async def secret_battle(server: RunningServer) -> tuple[Caller, Caller, str]:
    """A battle in which South has something to hide."""
    anna, ben = await server.player("Anna"), await server.player("Ben")
    battle = await anna.open(scenario="", scenario_toml=PHASES)
    for side, caller in (("south", anna), ("north", ben)):
        assert (await caller.sit(battle, side, phrase=PHRASE)).status == 201
    assert (await anna.order(battle, "standing evade R1 always")).status in (200, 409)
    return anna, ben, battle


async def test_a_strangers_branch_of_a_running_battle_is_told_to_be_dealt_anew(server: RunningServer) -> None:
    _, _, battle = await secret_battle(server)
    eve = await server.player("Eve")
    new = await opened(eve, battle)
    view = await eve.view(new)
    assert view["branch"]["known"] == "stranger"
    assert view["readers"] == "public"


async def test_a_side_takes_along_what_it_knows_and_nobody_else_may_look(server: RunningServer) -> None:
    anna, ben, battle = await secret_battle(server)
    eve = await server.player("Eve")
    new = await opened(anna, battle, readers="public")
    assert (await anna.sit(new, "south")).status == 201
    view = await anna.view(new)
    assert (view["branch"]["known"], view["readers"]) == ("south", "players")
    for other in (ben, eve):
        assert (await other.get(f"{BATTLES}/{new}")).code == "core.unknown-battle"
        assert (await other.get(f"{BATTLES}/{new}/export")).code == "core.unknown-battle"
        assert (await other.sit(new, "north")).code == "core.branch-of-others"
        assert new not in {one for one, _, _ in await tree(other, battle)}
    assert new in {one for one, _, _ in await tree(anna, battle)}
    assert (await anna.post(f"{BATTLES}/{new}/sides/north", {"bot": "random"})).status == 201


# --- never wider than their source


WIDEST = ("players", "link", "public")  # the narrowest first


def readers_of(server: RunningServer, battle: str) -> str:
    stored = server.running.store.battle(battle)
    assert stored is not None
    return stored.readers


@pytest.mark.parametrize("source", WIDEST)
@pytest.mark.parametrize("wanted", WIDEST)
async def test_a_branch_has_no_readers_whom_its_source_has_not(server: RunningServer, source: str, wanted: str) -> None:
    anna, ben = await server.player("Anna"), await server.player("Ben")
    battle = await server.battle(anna, ben, readers=source)
    reply = await branch(anna, battle, readers=wanted)
    if WIDEST.index(wanted) <= WIDEST.index(source):
        assert reply.status == 201, reply.text
        assert readers_of(server, reply.json["battle"]) == wanted
    else:
        assert (reply.status, reply.code, reply.json["rule"]) == (403, "core.branch-wider", "CORE-BRANCH")
        assert len(server.running.store.battles()) == 1
    await opened(anna, battle)
    assert server.running.store.battles()[-1].readers == source


@pytest.mark.parametrize("who", ["south", "umpire"])
async def test_nobody_makes_a_private_battle_public_by_branching_it(server: RunningServer, who: str) -> None:
    """Nothing is sealed in it, so the branch holds all of it: by request, by the form of the page, by branching the
    branch, and when the battle is over."""
    anna, ben, judge, eve = [await server.player(name) for name in ("Anna", "Ben", "Judge", "Eve")]
    battle = await server.battle(anna, ben, readers="players", umpire="Judge")
    maker = anna if who == "south" else judge
    for readers in ("public", "link"):
        assert (await branch(maker, battle, readers=readers)).code == "core.branch-wider"
    new = await opened(maker, battle)
    visitor = await visitor_of(server, maker)
    page = await visitor.ask("POST", f"/battles/{battle}/branch", OWN, {"n": str((await maker.view(battle))["n"])})
    by_form = page.headers["Location"].removeprefix("/battles/")
    assert readers_of(server, by_form) == "players"
    for one in (new, by_form):
        await assert_closed_to(eve, one)
    assert (await anna.sit(new, "south")).status == 201
    below = await opened(anna, new)
    assert (await branch(anna, new, readers="public")).code == "core.branch-wider"
    await assert_closed_to(eve, below)
    assert (await anna.order(battle, "resign")).status == 200
    assert (await branch(maker, battle, 3, readers="public")).code in ("core.branch-wider", "core.branch-inside")
    assert readers_of(server, await opened(anna, new)) == "players"


async def assert_closed_to(eve: Caller, battle: str) -> None:
    """A stranger reads nothing of a branch, and comes in by none of its doors."""
    for path in ("", "/export", "/events", "/branches", "/report"):
        assert (await eve.get(f"{BATTLES}/{battle}{path}")).code == "core.unknown-battle", path
    for side in ("south", "north"):
        reply = await eve.sit(battle, side)
        assert (reply.status, reply.code) in ((403, "core.branch-private"), (404, "core.unknown-battle"))
    assert (await eve.get(f"{BATTLES}/{battle}")).code == "core.unknown-battle"


async def test_while_a_private_battle_goes_on_its_branch_is_played_by_its_readers(server: RunningServer) -> None:
    anna, ben, eve = [await server.player(name) for name in ("Anna", "Ben", "Eve")]
    battle = await server.battle(anna, ben, readers="players")
    new = await opened(anna, battle)
    below = await opened(anna, new) if (await anna.sit(new, "south")).status == 201 else ""
    assert (await eve.sit(new, "north")).code == "core.branch-private"
    assert (await eve.sit(below, "north")).code == "core.branch-private"
    assert (await ben.sit(new, "north")).status == 201
    for line in ("umpire Eve", "substitute north Eve", "substitute south Eve"):
        assert (await anna.order(new, line)).json["code"] == "core.branch-private"
    assert (await anna.order(battle, "resign")).status == 200
    assert (await anna.order(new, "umpire Eve")).status == 200
    assert (await eve.sit(below, "north")).code == "core.branch-private", "its source, a branch itself, goes on"
    assert (await anna.order(new, "resign")).status == 200
    assert (await eve.sit(below, "north")).status == 201, "players show a battle that is over to whom they like"


@pytest.mark.slow
async def test_the_tree_has_branches_of_branches_behind_their_source(server: RunningServer) -> None:
    anna, ben = await server.player("Anna"), await server.player("Ben")
    battle = await server.battle(anna, ben)
    n = (await anna.view(battle))["n"]
    first, second = await opened(anna, battle, n), await opened(ben, battle, n)
    below = await opened(ben, first, 1)
    hidden = await opened(ben, battle, n, readers="players")
    expected = {(battle, "", 0), (first, battle, n), (second, battle, n), (below, first, 1)}
    for asked in (battle, first, below):
        found = await tree(anna, asked)
        assert set(found) == expected
        assert found[0][0] == battle
        assert found.index((below, first, 1)) == found.index((first, battle, n)) + 1
    assert hidden in {one for one, _, _ in await tree(ben, battle)}
    listed = {one["battle"]: one for one in (await anna.get(BATTLES)).json["battles"]}
    assert (listed[first]["branch_of"], listed[first]["branch_n"]) == (battle, n)


async def test_an_ended_branch_is_no_result(server: RunningServer) -> None:
    anna, ben = await server.player("Anna"), await server.player("Ben")
    battle = await server.battle(anna, ben)
    new = await opened(anna, battle)
    for side in ("south", "north"):
        assert (await anna.sit(new, side)).status == 201
    for ended, loser in ((new, anna), (battle, anna)):
        assert (await loser.order(ended, "resign", side="south")).status == 200
    results = [one["battle"] for one in (await anna.get(f"{BATTLES}?ended")).json["battles"]]
    assert battle in results
    assert new not in results
    assert new in [one["battle"] for one in (await anna.get(f"{BATTLES}?mine")).json["battles"]]


async def test_an_ended_battle_branches_with_all_that_was_hidden(server: RunningServer) -> None:
    anna, ben, battle = await secret_battle(server)
    n = (await anna.view(battle))["n"]
    assert (await anna.order(battle, "resign", side="south")).status == 200
    assert (await branch(ben, battle)).code in ("core.branch-over", "core.branch-inside")
    view = await ben.view(await opened(ben, battle, n))
    assert view["branch"]["known"] == "all"


async def test_the_pages_lead_from_one_to_the_other(server: RunningServer) -> None:
    anna, ben = await server.player("Anna"), await server.player("Ben")
    battle = await server.battle(anna, ben)
    n = (await anna.view(battle))["n"]
    page = (await anna.get(f"/battles/{battle}?n={n - 1}")).text
    assert f'action="/battles/{battle}/branch"' in page
    assert f'href="/battles/{battle}/branches"' in page
    new = await opened(anna, battle, n)
    tree_page = (await anna.get(f"/battles/{battle}/branches")).text
    assert f'href="/battles/{new}"' in tree_page
    assert f"branch after event {n}" in tree_page
    assert f"branch after event {n}" in (await anna.get("/watch")).text
    assert "aria-current" in tree_page
    own = (await anna.get(f"/battles/{new}")).text
    assert f'href="/battles/{battle}?n={n}"' in own
    assert "counts nowhere" in own
    french = (await anna.get(f"/battles/{new}", headers={"Accept-Language": "fr"})).text
    assert "ne compte nulle part" in french


async def test_the_button_of_the_page_opens_a_branch(server: RunningServer) -> None:
    anna, ben = await server.player("Anna"), await server.player("Ben")
    battle = await server.battle(anna, ben)
    n = (await anna.view(battle))["n"]
    headers = {"Sec-Fetch-Site": "same-origin"}
    reply = await anna.ask("POST", f"/battles/{battle}/branch", headers, data={"n": str(n)}, allow_redirects=False)
    assert reply.status == 303, reply.text
    assert len(await tree(anna, battle)) == 2
    for bad in ("", "x", "1" * 30):
        reply = await anna.ask("POST", f"/battles/{battle}/branch", headers, data={"n": bad}, allow_redirects=False)
        assert reply.status == 422
    crossed = {"Sec-Fetch-Site": "cross-site"}
    assert (await anna.ask("POST", f"/battles/{battle}/branch", crossed, data={"n": str(n)})).status == 403
