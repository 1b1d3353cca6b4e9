"""Armies, invitations, complaints, tokens, vacations: what an account does beside its orders."""

from typing import Any

from server.acts.log_in import KIND
from server.people import players
from server.store.tables import accounts, outbox
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


async def lockers(anna: Any, battle: str) -> None:
    """A locker is kept, read whole, listed, and emptied with all others."""
    path = "/api/v1/account/lockers"
    locker = {"mark": "5f0a3b6c7d8e9f10", "version": 1, "content": "q83vEjRWeJCrze8SNFZ4kA=="}
    assert (await anna.post(f"{path}/seat/{battle}", locker)).status == 200
    await anna.get(f"{path}?place={battle}")
    await anna.get(path)
    assert (await anna.ask("DELETE", path)).status == 200


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
