"""No route says a byte of what one side hides: blind deployment, ambush, stratagems, what is armed.

Two battles are played that differ in nothing but one side's secrets; whatever the other side and a
stranger can ask for must then be the same text, but for ids, times, hashes and signatures.
"""

import re
import tomllib
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from domain.basics.toml_text import to_toml
from replay.writing.entropy import SeededEntropy
from server.mail.outgoing.letters import LetterWriter
from server.people.addresses import Addresses
from server.people.players import Player
from server.people.webhooks import FORMS, WHAT, owner_of
from server.play.announcing import BATTLE
from server.play.live_battle import SEALED
from server.store.tables import accounts, outbox, vault
from server.store.tables.webhooks import Told, Webhook
from server.web.pages.routes import PAGES
from server.web.routes import API
from server.webhooks.body import body_of
from tests.server.play.test_streams import frames
from tests.server.test_access import OF_A_BATTLE, READABLE
from tests.support.before_the_turns import PHASES
from tests.support.serving import BATTLES, PHRASE, Caller, RunningServer, serving

OF_PEOPLE = ("/bans", "/deeds", "/complaints", "/complaints/{complaint}")
"""Pages of the administration that show nothing of a battle but its id."""
ADMINISTERED = ("/battles", "/battles/{battle}")
"""The pages of the administration about battles."""


def scenario(options: dict[str, Any], hand: list[str]) -> dict[str, Any]:
    """The small battle of all phases, its terrain given."""
    given = tomllib.loads(PHASES)
    given["options"] = options
    given["terrain"] = [{"box": "B3", "kind": "wood"}, {"box": "C3", "kind": "wood"}, {"box": "F3", "kind": "marsh"}]
    given["sides"]["south"]["stratagems"] = hand
    given["sides"]["north"]["stratagems"] = []
    return given


def scrubbed(text: str, battle: str) -> str:
    """A text without what must differ: ids, times, hashes, salts, signatures."""
    text = text.replace(battle, "BATTLE")
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z?", "TIME", text)
    text = re.sub(r"[0-9a-f]{16,}", "HEX", text)
    text = re.sub(r"[A-Za-z0-9+/_=-]{40,}", "BASE64", text)
    return re.sub(r"\b\d\d:\d\d(:\d\d)?\b|\b\d\d? \w+ \d{4}\b", "WHEN", text)


async def everything(server: RunningServer, battle: str, callers: dict[str, Caller]) -> dict[str, str]:
    """What each caller can read of a battle anywhere, by address."""
    shown: dict[str, str] = {}
    for name, caller in callers.items():
        paths = [route.path.replace("{id}", battle).replace("{d}", "d1") for route in READABLE] + [f"/battles/{battle}"]
        n = (await caller.view(battle))["n"]
        some = sorted({*range(n, 0, -7), n - 1, n - 2})
        paths += [f"{BATTLES}/{battle}/board?n={at}" for at in some]
        paths += [f"/battles/{battle}?n={at}" for at in some] + [
            f"/battles/{battle}/curve",
        ]
        paths += [f"/battles/{battle}/moment?n={at}" for at in some]
        paths += [f"/battles/{battle}/why/{at}" for at in range(n, 0, -2)] + [
            f"/battles/{battle}/{talk}" for talk in ("words", "spectators", "spectators?part")
        ]
        paths += [
            f"/battles/{battle}/{page}"
            for page in ("armies", "disputes", "disputes/d1", "branches", "report", "film", "units")
        ]
        paths += [f"/battles/{battle}/{page}?unit={unit}" for page in ("reason", "ends") for unit in ("T1", "R1", "R2")]
        paths += [f"/battles/{battle}/together?units={units}" for units in ("R1+R2+T1", "T1+T2")]
        for path in paths:
            accepts = ("*/*", "image/svg+xml", "text/plain", "text/html") if "board" in path else ("*/*",)
            for accept in accepts:
                reply = await caller.get(path, {"Accept": accept})
                assert reply.status in (200, 401, 404, 406, 409), (path, reply)
                shown[f"{name} {accept} {path}".replace(battle, "BATTLE")] = scrubbed(reply.text, battle)
        async with server.client.get(f"{BATTLES}/{battle}/stream?after=0", headers=caller.headers) as response:
            shown[f"{name} stream"] = scrubbed(str(await frames(response, n)), battle)
    return shown


async def administered(server: RunningServer, battle: str) -> dict[str, str]:
    """What an administrator who does not play can read of a battle: what a stranger can, and the pages of theirs."""
    store = server.running.store
    administrator = await server.player("Livia")
    await store.write(accounts.promote(administrator.player))
    stranger, shown = server.stranger, {}
    for route in READABLE:
        path = route.path.replace("{id}", battle).replace("{d}", "d1")
        seen = [scrubbed((await caller.get(path)).text, battle) for caller in (administrator, stranger)]
        assert seen[0] == seen[1] or "not-signed-in" in seen[1], path
        shown[path.replace(battle, "BATTLE")] = seen[0]
    held = [account.player for account in accounts.listed(store)]
    paths = ["/admin", "/admin/players", "/admin/battles", f"/admin/battles?words={battle}", f"/admin/battles/{battle}"]
    for path in (*paths, *(f"/admin/players/{player}" for player in held), f"/battles/{battle}"):
        reply = await administrator.get(path)
        assert reply.status == 200, path
        shown[path.replace(battle, "BATTLE")] = re.sub(r"\d+ MiB", "MIB", scrubbed(reply.text, battle))
    return shown


async def refusals(caller: Caller, battle: str, probes: tuple[str, ...]) -> list[Any]:
    """What comes of orders that he may not give, asked as previews: nothing is played."""
    found = []
    for text in probes:
        reply = await caller.post(f"{BATTLES}/{battle}/preview", {"orders": text})
        found.append(scrubbed(reply.text, battle))
    return found


async def played(
    options: dict[str, Any], secrets: dict[str, str], hand: list[str], stop: str, south: Caller, north: Caller
) -> str:
    """A battle up to where south's secrets lie and north may look for them."""
    battle = await south.open("", scenario_toml=to_toml(scenario(options, hand)))
    assert (await south.sit(battle, "south", phrase=PHRASE)).status == 201
    assert (await north.sit(battle, "north", phrase=PHRASE)).status == 201
    steps = {
        "south": [
            [secrets.get(line, line) for line in ("deploy R1 D2", "deploy R3 C1", "deploy camp D1 fortified N")]
            + ["deploy G1 D2", secrets.get("deploy R2 E1", "deploy R2 E1"), "done"],
            ["deploy R4 E2", "deploy R5 F1", "done"],
        ],
        "north": [
            ["deploy T1 C7", "deploy T2 D7", "deploy T3 C8", "deploy G9 C7", "done"],
            ["deploy T4 F7", "deploy T5 G7", "deploy G8 F7", "done"],
        ],
    }
    callers = {"south": south, "north": north}
    while (view := await south.view(battle))["phase"] == "deployment":
        (side,) = view["to_act"]
        reply = await callers[side].order(battle, "\n".join(steps[side].pop(0)))
        assert [line["status"] for line in reply.json["lines"]] == ["accepted"] * len(reply.json["lines"]), reply.text
        if stop == "south's first step" and side == "south":
            break
    return battle


PROBES = (
    *("T1 ahead", "T1 charge D2", "T1 charge B3", "T1 to C6", "T3 shoot B3"),
    *("deploy T1 C2", "play water R1", "general G9 to C6"),
)


async def told(server: RunningServer, north: Caller, battle: str) -> Any:
    """All that north and a stranger are told of a battle now; nothing of it is only in the vault."""
    assert (await north.order(battle, "dispute 1 facts Something is hidden.")).status == 200
    shown = await everything(server, battle, {"north": north, "stranger": server.stranger})
    shown |= {f"administrator {path}": text for path, text in (await administered(server, battle)).items()}
    live = await server.running.battles.get(battle)
    store = server.running.store
    await store.write(outbox.post(battle, live.n, north.player, "pause:asked:south", server.running.clock.now()))
    composed = await LetterWriter(server.running.battles, Addresses("play@localhost", bytes(32))).compose(
        outbox.unsent(store)[-1]
    )
    assert composed is not None
    shown["webhooks"] = scrubbed(await webhooks_in(server, north, battle, live.n), battle)
    bodies = [part.get_content() for part in composed.message.walk() if part.get_content_maintype() == "text"]
    shown["mail"] = scrubbed(f"{composed.message.items()}{bodies}", battle)
    sealed = [secret for secret in vault.sealed(server.running.store, battle) if secret.kind == SEALED]
    assert [secret for secret in sealed if secret.seat == "south"]
    for text in shown.values():
        assert not [secret for secret in sealed if secret.seat == "south" and secret.salt.hex() in text]
    return shown, await refusals(north, battle, PROBES)


async def webhooks_in(server: RunningServer, north: Caller, battle: str, n: int) -> str:
    """All that webhooks may be told of a battle, in each form."""
    owner, told = owner_of(Player(north.player, "Bob")), []
    for form in FORMS:
        hook = Webhook("h", owner.kind, owner.id, "", "", form, "en", "", "")
        for what in WHAT:
            body = await body_of(server.running.battles, hook, Told(1, "h", what, BATTLE, battle, n, ""))
            assert body is not None
            told.append(body.decode())
    return "\n".join(told)


async def require_the_same(folder: Path, variants: list[Callable[[Caller, Caller], Awaitable[str]]]) -> None:
    """Play each variant on a server of the same entropy, so that the cards fall alike; compare what is told."""
    found = []
    for at, play in enumerate(variants):
        async with serving(folder / str(at), SeededEntropy("secrecy")) as server:
            south, north = await server.player("Anna"), await server.player("Bob")
            found.append(await told(server, north, await play(south, north)))
    (first, first_refusals), (second, second_refusals) = found
    assert first.keys() == second.keys()
    for path, text in first.items():
        assert text == second[path], path
    assert first_refusals == second_refusals


@pytest.mark.rule("TTS-DEP-07")
@pytest.mark.parametrize(
    "secrets", [{"deploy R3 C1": "deploy R3 C2"}, {"deploy camp D1 fortified N": "deploy camp E1 fortified N"}]
)
@pytest.mark.slow
async def test_a_blind_deployment_is_nowhere(tmp_path: Path, secrets: dict[str, str]) -> None:
    blind = {"blind_deployment": True}
    stop = "south's first step"
    await require_the_same(
        tmp_path,
        [partial(played, blind, {}, ["water"], stop), partial(played, blind, secrets, ["water"], stop)],
    )


@pytest.mark.rule("TTS-STR-01")
@pytest.mark.slow
async def test_a_hand_of_stratagems_is_nowhere(tmp_path: Path) -> None:
    await require_the_same(
        tmp_path, [partial(played, {}, {}, ["water", "arrows"], ""), partial(played, {}, {}, ["traitor", "oracle"], "")]
    )


@pytest.mark.rule("TTS-STR-04")
@pytest.mark.slow
async def test_an_ambush_is_nowhere(tmp_path: Path) -> None:
    hidden = ({"deploy R2 E1": f"play ambush R2 {box}"} for box in ("B3", "C3"))
    await require_the_same(tmp_path, [partial(played, {}, secrets, ["ambush"], "") for secrets in hidden])


@pytest.mark.rule("TTS-STR-09")
@pytest.mark.slow
async def test_what_lies_ready_is_nowhere(tmp_path: Path) -> None:
    async def armed(play: str, south: Caller, north: Caller) -> str:
        battle = await played({}, {}, ["hold", "false-orders"], "", south, north)
        if (await south.view(battle))["to_act"] == ["north"]:
            assert (await north.order(battle, "end turn")).status == 200
        reply = await south.order(battle, f"play {play}\nend turn")
        assert [line["status"] for line in reply.json["lines"]] == ["accepted"] * 2, reply.text
        return battle

    await require_the_same(tmp_path, [partial(armed, "hold R1"), partial(armed, "false-orders")])


def test_every_page_and_address_that_shows_a_battle_is_walked() -> None:
    """A new address must be added to `everything`, or be one of these."""
    read = {route.path for route in API if route.method == "GET" and route.path.startswith(OF_A_BATTLE)}
    assert read - {route.path for route in READABLE} == {"/api/v1/battles/{id}/stream"}
    pages = {path for method, path, _ in PAGES if method == "GET" and "{id}" in path and path[:11] != "/campaigns/"}
    walked = {"", "/why/{n:[0-9]+}", "/words", "/disputes", "/disputes/{d}", "/branches", "/report", "/film", "/reason"}
    walked |= {"/spectators", "/together", "/moment", "/curve", "/card.png", "/units", "/armies", "/ends"}
    administration = {path for method, path, _ in PAGES if method == "GET" and path.startswith("/admin")}
    assert administration == {
        f"/admin{part}" for part in ("", "/players", "/players/{player}", *ADMINISTERED, *OF_PEOPLE)
    }
    assert pages == {f"/battles/{{id}}{path}" for path in walked}


async def test_an_administrator_reads_no_private_battle(server: RunningServer) -> None:
    host = await server.administrator("Host")
    anna, bob = [await server.player(name) for name in ("Anna", "Bob")]
    battle = await server.battle(anna, bob, readers="players")
    listed = (await host.get("/admin/battles")).text
    assert battle in listed and "Skirmish" not in listed
    page = (await host.get(f"/admin/battles/{battle}")).text
    assert not [said for said in ("Skirmish", "Anna", "Bob", f'href="/battles/{battle}"') if said in page]
    for path in (
        f"/battles/{battle}",
        *(route.path.replace("{id}", battle).replace("{d}", "d1") for route in READABLE),
    ):
        assert (await host.get(path)).status == 404, path
