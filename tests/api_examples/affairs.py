"""Armies, invitations, complaints, tokens, vacations: what an account does beside its orders."""

from typing import Any

from domain.basics.toml_text import to_toml
from domain.events.battle import Seen
from replay.writing.clock import later
from server.acts.log_in import KIND
from server.people import players
from server.remote.signing import PlayerKey
from server.store.tables import accounts, outbox
from server.store.tables import webhooks as hooks
from server.store.tables.webhooks import HookOwner, OwnerKind
from tests.support.mapped import MAP as SMALL_MAP
from tests.support.mapped import TABLE as MAP_TABLE
from tests.support.serving import BATTLES, PHRASE

ARMIES = "/api/v1/armies"


async def armies(session: Any) -> None:
    """Lists, an army, what speaks against it, a battle between two, and another army that is brought to it."""
    stranger, anna, bob = session.stranger, await session.player("Agrippa"), await session.player("Brennus")
    await stranger.get(ARMIES)
    await stranger.get(f"{ARMIES}/gallic")
    made = await stranger.post(f"{ARMIES}/new", {"list": "gallic", "ruleset": "tts", "size": 130, "seed": 3})
    army = made.json["army"]
    await stranger.post(f"{ARMIES}/check", {"army": army})
    await stranger.post(f"{ARMIES}/check", {"army": {**army, "size": 60}})
    two = {"south": "gallic", "north": "caesarian_roman", "ruleset": "tts", "size": 130, "seed": 3}
    met = await stranger.post(f"{ARMIES}/battle", {**two, "options": {"turn_limit": 12}})
    battle = await anna.open("", scenario_toml=met.json["scenario_toml"])
    await anna.sit(battle, "south", phrase=PHRASE)
    path = f"{BATTLES}/{battle}/armies"
    await bob.get(path)
    brought = {"side": "north", "list": "gallic", "size": 130, "seed": 4}
    assert (await bob.post(path, brought)).status == 201
    await anna.get(path)
    opened = (await bob.get(f"{BATTLES}?mine")).json["battles"][0]["battle"]
    assert (await anna.post(f"{BATTLES}/{opened}/sides/south", {"seen": None})).status == 201
    other = await anna.open("", scenario_toml=met.json["scenario_toml"])
    await anna.sit(other, "south", phrase=PHRASE)
    assert (await bob.post(f"{BATTLES}/{other}/armies", {"army": army})).status == 201


async def affairs(session: Any) -> None:
    """Invitations, vacations, tokens, complaints and blocks, a move to another address, the end of the account."""
    anna, bob, battle = await session.two("Aemilia", "Balbus")
    free = await anna.open()
    await anna.sit(free, "south", phrase=PHRASE)
    friend = {"address": "friend@example.net", "side": "north", "message": "A battle, a turn to a message?"}
    assert (await anna.post(f"{BATTLES}/{free}/invitations", friend)).status == 201
    await anna.post("/api/v1/vacations", {"begins": "2027-07-01", "ends": "2027-07-14"})
    await anna.get("/api/v1/vacations")
    await anna.get("/api/v1/tokens")
    await bob.post(f"{BATTLES}/{battle}/words", {"text": "You play like a goose."})
    bot = (await anna.post("/api/v1/account/bots", {"name": "Rosa the Engine"})).json["player"]
    await anna.get("/api/v1/account/bots")
    assert (await anna.post(f"/api/v1/account/bots/{bot}/token", None)).status == 201
    await lockers(anna, battle)
    await webhooks(session)
    about = {"kind": "player", "player": bob.player, "why": "He is rude.", "block": True}
    await anna.post("/api/v1/complaints", about)
    await anna.post("/api/v1/complaints", {"kind": "battle", "battle": battle, "why": "Its title is an insult."})
    ((post,),) = session.server.running.store.rows("SELECT id FROM posts WHERE battle = ?", (battle,))
    said = {"kind": "post", "battle": battle, "item": str(post), "why": "That is no way to talk."}
    await anna.post("/api/v1/complaints", said)
    await session.settle()
    await anna.get("/api/v1/complaints")
    await anna.post("/api/v1/blocks", {"player": bob.player})
    await anna.get("/api/v1/blocks")
    eve = await session.player("Eve")
    await bob.order(battle, "substitute south Eve")
    await anna.get("/api/v1/account/removal")
    await guest(session, eve)
    await anna.post("/api/v1/account/address", {"address": "aemilia@example.net", "proof": await proof(session, anna)})
    name = {"name": "Balbus", "proof": await proof(session, bob)}
    assert (await bob.post("/api/v1/account/removal", name)).status == 200


CLUBS = "/api/v1/clubs"
CUP_OF_TWO = """
campaign = "cup"
title = "Spring Cup"
ruleset = "tts"
[cup]
system = "knock-out"
[time]
show = "3d"
grace = "1d"
[battle]
scenario = "skirmish"
"""
ROSTER = "name, address, zone\nCato, cato@example.net, Europe/Rome\nDido\nGaius, here"


async def clubs(session: Any) -> None:
    """A club is made and changed; somebody enters it by its link, others from a file; one is banned, one leaves."""
    anna, bob, eve = [await session.player(name) for name in ("Aquilia", "Bassus", "Eumachia")]
    made = {"club": "leeds", "name": "Leeds Night Owls", "readers": "public", "running": 6}
    token = (await anna.post(CLUBS, made)).json["token"]
    for caller in (bob, eve):
        assert (await caller.post(f"{CLUBS}/leeds/members", {"token": token})).status == 201
    assert (await anna.post(f"{CLUBS}/leeds/roster", {"csv": ROSTER})).status == 200
    await club_battles(anna, bob)
    await anna.post(f"{CLUBS}/leeds/members/{eve.player}", {"role": "banned"})
    await bob.post(f"{CLUBS}/leeds/members/{bob.player}", {"not_before": "2027-01-07"})
    league = {"name": "Spring League", "divisions": [["Aquilia", "Bassus"], []], "example": "league"}
    season = (await anna.post(f"{CLUBS}/leeds/seasons", league)).json["seasons"][0]
    await anna.post(f"{CAMPAIGNS}/{season['divisions'][0]['campaign']}/orders", {"orders": "begin"})
    table = CUP_OF_TWO.replace("knock-out", "round-robin")
    await anna.post(f"{CLUBS}/leeds/seasons", {"name": "Autumn League", "toml": table})
    await anna.get(f"{CLUBS}/leeds/seasons")
    changed = {"name": "Leeds Owls", "readers": "link", "running": 4, "renew": True}
    assert (await anna.post(f"{CLUBS}/leeds", changed)).status == 200
    await anna.post(CLUBS, {"club": "hull", "name": "Hull Legion"})
    await anna.get(CLUBS)
    await anna.get(f"{CLUBS}/leeds")
    assert (await bob.ask("DELETE", f"{CLUBS}/leeds/members")).status == 200


async def club_battles(anna: Any, bob: Any) -> None:
    """Two battles of the club, one of which is over."""
    seats = {"south": "Aquilia", "north": "Bassus"}
    armies = {"south": "gallic", "north": "caesarian_roman", "ruleset": "tts", "size": 130, "seed": 3}
    listed = [
        {"seats": seats, "scenario": "skirmish", "options": {"turn_limit": 12}},
        {"seats": seats, "armies": armies},
    ]
    wanted = {"club": "leeds", "tag": "spring round-1", "pace": "weekly", "pairings": listed}
    battle = (await anna.post(f"{BATTLES}/bulk", wanted)).json["battles"][0]
    assert (await bob.order(battle, "resign")).status == 200
    assert (await anna.get(f"{CLUBS}/leeds/table")).json["rows"]


async def bulletins(session: Any) -> None:
    """A week of a club with a post in its press, and its bulletin, amended and sent."""
    anna, bob = [await session.player(name) for name in ("Caelia", "Dentatus")]
    token = (await anna.post(CLUBS, {"club": "bath", "name": "Bath Vexillation"})).json["token"]
    await bob.post(f"{CLUBS}/bath/members", {"token": token})
    listed = [{"seats": {"south": "Dentatus", "north": "Caelia"}, "scenario": "skirmish"}]
    battle = (await anna.post(f"{BATTLES}/bulk", {"club": "bath", "pairings": listed})).json["battles"][0]
    assert (await bob.order(battle, "resign")).status == 200
    assert (await bob.post(f"{CLUBS}/bath/press", {"text": "Next time with elephants."})).status == 201
    session.clock.wait(days=7)
    await session.server.running.bulletins.tick(session.clock.now())
    (row,) = (await anna.get(f"{CLUBS}/bath/bulletins")).json["bulletins"]
    path = f"{CLUBS}/bath/bulletins/{row['place']}"
    assert (await anna.post(path, {"do": "send", "words": "A short week."})).status == 200
    await bob.get(path)


async def chores(session: Any) -> None:
    """A cup that enough have entered needs its organiser, who begins it."""
    anna, bob = [await session.player(name) for name in ("Avitus", "Blaesus")]
    cup = (await anna.post("/api/v1/campaigns", {"toml": CUP_OF_TWO})).json["campaign"]
    for one in (anna, bob):
        assert (await one.post(f"/api/v1/campaigns/{cup}/entrants", {})).status == 201
    (chore,) = (await anna.get("/api/v1/organising")).json["chores"]
    assert (await anna.post("/api/v1/organising", {"owner": cup, **chore["acts"][0]})).status == 200
    await session.server.running.steward.settle()
    session.clock.wait(days=3, hours=1)
    await session.server.running.steward.settle()
    token = (await anna.post(CLUBS, {"club": "york", "name": "York Cohort"})).json["token"]
    await bob.post(f"{CLUBS}/york/members", {"token": token})
    listed = [{"seats": {"south": "Blaesus", "north": "Avitus"}, "scenario": "skirmish"}]
    battle = (await anna.post(f"{BATTLES}/bulk", {"club": "york", "pairings": listed})).json["battles"][0]
    assert (await bob.order(battle, "dispute 1 facts It was so.")).status == 200
    assert len((await anna.get("/api/v1/organising")).json["chores"]) == 2


async def lockers(anna: Any, battle: str) -> None:
    """A locker is kept, read whole, listed, and emptied with all others."""
    path = "/api/v1/account/lockers"
    locker = {"mark": "5f0a3b6c7d8e9f10", "version": 1, "content": "q83vEjRWeJCrze8SNFZ4kA=="}
    assert (await anna.post(f"{path}/seat/{battle}", locker)).status == 200
    await anna.get(f"{path}?place={battle}")
    await anna.get(path)
    assert (await anna.ask("DELETE", path)).status == 200


async def webhooks(session: Any) -> None:
    """Two webhooks: one is told something, one fails until it is off, is switched on again, and removed."""
    kara, running, path = await session.player("Kara"), session.server.running, "/api/v1/account/webhooks"
    owner, now = HookOwner(OwnerKind.ACCOUNT, kara.player), running.clock.now()
    good, bad = [await webhook(session, kara, host) for host in ("hooks.example", "gone.example")]
    assert (await kara.post(f"{path}/{good}/test", None)).status == 202
    told = hooks.first_for(running.store, good)
    assert told is not None
    await running.store.write(*hooks.delivered(told, now, 204))
    await running.store.write(hooks.tell_one(owner, bad, hooks.HookNews("turn", "battle", "b", 1), now))
    told = hooks.first_for(running.store, bad)
    assert told is not None
    await running.store.write(hooks.failed(told, now, 0, "timeout", later(now, 60)))
    await kara.get(path)
    await running.store.write(*hooks.switch_off(bad, now))
    await kara.get(path)
    assert (await kara.post(f"{path}/{bad}/on", None)).status == 200
    assert (await kara.ask("DELETE", f"{path}/{bad}")).status == 200


async def webhook(session: Any, who: Any, host: str) -> str:
    """The id of a new webhook."""
    running = session.server.running
    secret, issued = players.new_token(running.clock, running.entropy, who.player, "login")
    await running.store.write(issued)
    wanted = {"url": f"https://{host}/phalera?room=7", "what": ["turn", "ended"], "proof": secret}
    made = await who.post("/api/v1/account/webhooks", wanted | {"form": "plain", "lang": "en"})
    assert made.status == 201, made
    return str(made.json["id"])


async def guest(session: Any, eve: Any) -> None:
    """Somebody without an address says what theirs is: they write from there before anything is sent."""
    running = session.server.running
    secret, issued = players.new_token(running.clock, running.entropy, eve.player, "login")
    await running.store.write(accounts.move(eve.player, ""), issued)
    await eve.post("/api/v1/account/address", {"address": "eve@example.net", "proof": secret})


async def proof(session: Any, who: Any) -> str:
    """The secret of a login link that somebody has had sent to themselves."""
    assert (await who.post("/api/v1/account/proof", {})).status == 202
    kinds = [row.kind for row in outbox.unsent(session.server.running.store) if row.recipient == who.player]
    (link,) = [kind.partition(":")[2] for kind in kinds if kind.startswith(f"{KIND}:")]
    return str(session.server.running.acts.addresses.token(KIND, link))


CAMPAIGNS = "/api/v1/campaigns"
CUP_OF_POINTS = """
campaign = "cup"
title = "Cup of Points"
ruleset = "tts"
entry = { armies = { size = 130 } }
cup = { system = "knock-out" }
"""
SPRING_CUP = """
campaign = "cup"
title = "Spring Cup"
ruleset = "tts"
[cup]
system = "swiss"
rounds = 2
[time]
show = "3d"
[battle]
scenario = "skirmish"
"""


MARCH_LADDER = """
campaign = "ladder"
title = "March Ladder"
ruleset = "tts"
[battle]
scenario = "skirmish"
"""


async def ladders(session: Any) -> None:
    """A ladder of three: one rated battle, and a challenge that waits."""
    steward = session.server.running.steward
    members = [await session.player(f"Drusa {n}") for n in ("I", "II", "III")]
    ladder = (await members[0].post(CAMPAIGNS, {"toml": MARCH_LADDER})).json["campaign"]
    path = f"{CAMPAIGNS}/{ladder}"
    for member in members:
        await member.post(f"{path}/entrants", {})
    await members[0].post(f"{path}/orders", {"orders": "challenge p2"})
    await members[1].post(f"{path}/orders", {"orders": "accept p1"})
    await members[0].post(f"{path}/orders", {"orders": "challenge p3 cannae"})
    await steward.settle()
    (board,) = (await members[0].get(f"{path}/fixtures")).json["rounds"][0]["boards"]
    for member in members[:2]:
        await member.order(board["battle"], "")
    for _ in range(2):
        for member in members[:2]:
            await member.order(board["battle"], "end turn")
    await members[1].order(board["battle"], "resign")
    await steward.settle()
    await members[0].get(path)
    await members[0].get(f"{path}/fixtures")
    await members[0].get(f"{path}/ratings")
    await members[0].get(f"{path}/ratings/p1")
    await members[0].post("/api/v1/battles", {"scenario": "skirmish", "campaign": ladder})


async def maps(session: Any) -> None:
    """Sicily, with a player who leads Rome and two bots: a turn of orders, a preview, the map before and after it."""
    steward = session.server.running.steward
    gaia = await session.player("Gaia")
    sicily = (await gaia.post(CAMPAIGNS, {"example": "sicily"})).json["campaign"]
    path = f"{CAMPAIGNS}/{sicily}"
    await gaia.post(f"{path}/entrants", {"entrant": "rome", "phrase": PHRASE})
    for power in ("carthage", "hiero"):
        await gaia.post(f"{path}/entrants", {"entrant": power, "bot": "sensible"})
    await gaia.post(f"{path}/orders", {"orders": "begin"})
    await steward.settle()
    await gaia.get(f"{path}/options")
    await gaia.post(f"{path}/preview", {"orders": "march R1 mylae tyndaris"})
    await gaia.get(f"{path}/map")
    await gaia.post(f"{path}/orders", {"orders": "march R1 mylae tyndaris\nready", "phrase": PHRASE})
    await steward.settle()
    await gaia.get(f"{path}/map?turn=1")
    await gaia.get(f"{path}/forces")
    await gaia.get(f"{path}/tree")


async def foggy_map(session: Any) -> None:
    """A small map under fog, with a bot and an enemy who holds: what is seen of that one."""
    hilda, ida = await session.player("Hilda"), await session.player("Ida")
    text = to_toml({"campaign": "map", "title": "A ford in the fog", **MAP_TABLE, "map": {**SMALL_MAP, "fog": True}})
    path = f"{CAMPAIGNS}/{(await hilda.post(CAMPAIGNS, {'toml': text})).json['campaign']}"
    await hilda.post(f"{path}/entrants", {"entrant": "red", "phrase": PHRASE})
    await hilda.post(f"{path}/entrants", {"entrant": "rose", "bot": "sensible"})
    await ida.post(f"{path}/entrants", {"entrant": "blue", "phrase": PHRASE})
    await hilda.post(f"{path}/orders", {"orders": "begin"})
    await hilda.post(f"{path}/orders", {"orders": "march F1 ford\nready", "phrase": PHRASE})
    await ida.post(f"{path}/orders", {"orders": "ready", "phrase": PHRASE})
    await session.server.running.steward.settle()
    await hilda.get(f"{path}/map?turn=1")


async def signed_campaign(session: Any) -> None:
    """A cup whose organiser has a key: opening it, entering it, naming an umpire and beginning are signed."""
    key = PlayerKey(bytes(range(32)))
    flora = await session.player("Flora")
    cup = (await flora.post(CAMPAIGNS, {"toml": SPRING_CUP, "signer": key.public})).json["campaign"]
    path = f"{CAMPAIGNS}/{cup}"

    async def say(what: str, wanted: dict[str, Any], rest: str, **more: Any) -> None:
        asked = (await flora.post(f"{path}/lines", {what: wanted["orders"] if what == "orders" else wanted})).json
        (line,) = asked["lines"]
        giving = wanted.get("phrase", "").encode() if line["brings"] else b""
        seen = Seen(**asked["seen"])
        signed = key.sign(cup, line["seat"], line["serial"], seen, giving, line["text"])
        reply = await flora.post(f"{path}/{rest}", {**wanted, **more, "seen": asked["seen"], "signatures": [signed]})
        assert reply.status in (200, 201), reply

    await say("enter", {"signer": key.public, "phrase": PHRASE}, "entrants", entrant="p1")
    await say("role", {"role": "umpire", "name": session.people[0].name}, "roles")
    await say("orders", {"orders": "withdraw"}, "orders")


async def campaigns(session: Any) -> None:
    """A cup of five with a reserve: a bot that is expelled, one who leaves, a battle on a table, one who is late."""
    steward = session.server.running.steward
    anna, *others, late = [await session.player(f"Cassia {n}") for n in ("I", "II", "III", "IV", "V", "VI")]
    cup = (await anna.post(CAMPAIGNS, {"toml": SPRING_CUP})).json["campaign"]
    await anna.post(CAMPAIGNS, {"example": "league"})
    path = f"{CAMPAIGNS}/{cup}"
    await anna.post(f"{path}/entrants", {"entrant": "legio-x", "phrase": PHRASE})
    await anna.post(f"{path}/entrants", {"bot": "sensible"})
    for other in others:
        await other.post(f"{path}/entrants", {})
    await anna.post(f"{path}/roles", {"role": "umpire", "name": "Cassia I"})
    await late.post(f"{path}/entrants", {"reserve": True})
    await anna.post(f"{path}/orders", {"orders": "expel p1 because its engine is loud\nbegin"})
    await steward.settle()
    board = (await anna.get(f"{path}/fixtures?round=1")).json["rounds"][0]["boards"][0]
    fought = {"legio-x": anna, **{f"p{n}": other for n, other in enumerate(others, 2)}}
    for entrant in (board["south"], board["north"]):
        line = f"table {board['board']} {board['south']} kept 640 210"
        await fought[entrant].post(f"{path}/orders", {"orders": line})
    for one in (anna, *others):
        await one.get(f"{CAMPAIGNS}/waiting")
    session.clock.wait(days=4)
    await steward.settle()
    await anna.get(f"{CAMPAIGNS}/waiting")
    await anna.get(f"{path}/fixtures")
    await others[0].post(f"{path}/orders", {"orders": "extend 1 7d\nwithdraw"})
    await others[0].post(f"{path}/orders", {"orders": "withdraw"})
    await anna.get(f"{path}/standings")
    await anna.get(f"{path}/why/1.1")
    await anna.get(f"{path}/entrants/legio-x")
    await anna.get(f"{path}/ledger")
    await anna.post(f"{path}/orders", {"orders": "result 1.1 draw because they agree"})
    await steward.settle()
    await anna.get(path)
    await session.stranger.get(f"{CAMPAIGNS}?limit=1")
    await anna.get(f"{CAMPAIGNS}?mine")
    await anna.post(f"{path}/orders", {"orders": "end because it rains"})
    short = (await anna.post(CAMPAIGNS, {"example": "weekend-cup"})).json["campaign"]
    path = f"{CAMPAIGNS}/{short}"
    for one in others[1:3]:
        await one.post(f"{path}/entrants", {})
    await anna.post(f"{path}/orders", {"orders": "begin\ndefault 1.1 p2 because they sleep"})
    await anna.get(path)
    await steward.settle()
    points = (await anna.post(CAMPAIGNS, {"toml": CUP_OF_POINTS})).json["campaign"]
    path = f"{CAMPAIGNS}/{points}"
    made = await anna.post("/api/v1/armies/new", {"list": "gallic", "size": 130, "seed": 3})
    await anna.post(f"{path}/entrants", {"army": made.json["army"]})
    await others[0].post(f"{path}/entrants", {"list": "caesarian_roman", "seed": 3})
