"""A session that shows every member of the API: battles of each game, quarrels, armies, an account's affairs."""

from collections.abc import Mapping
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from domain.basics.decoding import decode
from domain.log.entries import battle_name
from domain.log.fairness import seal_chain, seal_text
from replay.telling.words import worded
from replay.writing.entropy import SeededEntropy
from server.people import players
from server.people.announcements import planned
from server.people.complaining import settled
from server.play.archive import import_battle
from server.play.stopping import stop
from server.settings import Settings
from server.shown.happened import span_of, with_happened
from server.store import EventStore
from server.store.tables import announcements, complaints
from server.store.tables.complaints import ComplaintOutcome
from server.web.api.exchange import encoded
from tests.api_examples.affairs import (
    affairs,
    armies,
    bulletins,
    campaigns,
    chores,
    clubs,
    foggy_map,
    ladders,
    maps,
    signed_campaign,
)
from tests.api_examples.quarrels import acts_signed, quarrels
from tests.api_examples.recording import RecordedCaller, Recorder
from tests.server.play.test_orders import CHARGE, EVADE
from tests.server.play.test_signed_seats import send, signature, sit_signed
from tests.support.before_the_turns import PHASES
from tests.support.clock import ManualClock
from tests.support.scenes import duel, hexes, open_table
from tests.support.serving import BATTLES, PHRASE, Caller, RunningServer, serving

SEED = "the examples of the API"
GOLDEN = Path(__file__).parents[1] / "golden"
FOUGHT = ("medals", "phases", "singidunum-goal", "warmaster-volleys", "warmaster-destroyed", "ruling")
"""Golden battles that the server brings along, each looked at here and there."""
LOOKS = 12
FREE = "crossroads"
FOUGHT_HERE = (
    ("warmaster-shooting", "charge-at-dawn", 50),
    ("warmaster-shooting", "engines", 30),
    ("singidunum", "woods", 30),
    ("tts", "cannae", 40),
)
"""Game, scenario, and the orders that are played of it."""


async def recorded() -> Mapping[str, Mapping[str, Any]]:
    """Examples by message and member, the same each time."""
    recorder = Recorder()
    with TemporaryDirectory() as folder:
        place, clock, entropy = Path(folder) / "data", ManualClock(), SeededEntropy(SEED)
        async with serving(place, entropy, clock, mail=True) as server:
            session = Session(recorder, server, clock)
            await ordinary(session)
            await sealed_and_signed(session)
            await quarrels(session)
            await armies(session)
            await affairs(session)
            for scenario in FOUGHT_HERE:
                await session.fight(*scenario)
            await session.fight("tts", "", 40, scenario_toml=PHASES)
            await dragged(session)
            await acts_signed(session)
            await session.look()
            await clubs(session)
            await campaigns(session)
            await signed_campaign(session)
            await ladders(session)
            await maps(session)
            await foggy_map(session)
            await chores(session)
            await bulletins(session)
            recorder.by_hand()
        brought = brought_along(place)
        async with serving(place, entropy, clock) as server:
            await Session(recorder, server, clock).show(brought)
    return {name: dict(sorted(kept.items())) for name, kept in sorted(recorder.examples.items())}


def brought_along(place: Path) -> list[str]:
    """Put battles that are over into a data folder; gives their ids."""
    settings = Settings.at(place, {}, synchronous="NORMAL")
    store = EventStore.open(settings.store())
    try:
        return [import_battle(store, (GOLDEN / f"{name}.battle").read_bytes()) for name in FOUGHT]
    finally:
        store.close()


class Session:
    """Who takes part: `recorder` keeps examples of what `player` and `stranger` send and get."""

    def __init__(self, recorder: Recorder, server: RunningServer, clock: ManualClock) -> None:
        self.recorder, self.server, self.clock = recorder, server, clock
        self.random = Random(SEED)
        self.stranger = RecordedCaller(recorder, server.client)
        self.people: list[RecordedCaller] = []

    async def player(self, name: str) -> RecordedCaller:
        """A new player."""
        running = self.server.running
        enrolled = players.enrol(running.clock, running.entropy, name, f"{name.lower()}@example.org")
        await running.store.write(*enrolled.statements)
        caller = RecordedCaller(self.recorder, self.server.client, enrolled.api_token, enrolled.account.player, name)
        self.people.append(caller)
        return caller

    async def two(self, *names: str, scenario: str = "skirmish", **more: Any) -> tuple[Any, Any, str]:
        """Two players in a battle that has begun."""
        south, north = [await self.player(name) for name in names]
        battle = await self.server.battle(south, north, scenario=scenario, **more)
        running = self.server.running
        if (
            not running.witness.has_log
        ):  # of the first battle alone, so that the example is the same in a longer session
            running.witness.log.follow(running.store)
        return south, north, battle

    async def settle(self) -> None:
        """An administrator settles the oldest complaint."""
        running = self.server.running
        oldest = complaints.waiting(running.store, 1)[0]
        by, at = self.people[0].player, self.clock.now()
        await running.store.write(*settled(oldest, ComplaintOutcome.ACTED, "They are warned.", by, at))

    async def look(self) -> None:
        """Take what pages add to the scenes of the API: what happened of late, and what the drawing points out."""
        scenes = [duel(), open_table(), hexes()]
        for live in self.server.running.battles.live():
            side, span = "south", span_of(live.recording.timeline.events, live.n)
            scenes.append(with_happened(live.recording, side, span, live.ruleset.shown.view(live.known(side), side)))
        for scene in scenes:
            self.recorder.take({"$ref": "#/components/schemas/Scene"}, decode(encoded(worded(scene)), Any))

    async def show(self, battles: list[str]) -> None:
        """What everybody may see of battles that are over, and of the server."""
        for battle in battles:
            path = f"{BATTLES}/{battle}"
            n = (await self.stranger.view(battle))["n"]
            for rest in ("/statistics", "/proof", "/disputes", "/branches", "/armies"):
                await self.stranger.get(path + rest)
            for at in range(LOOKS):
                await self.stranger.get(f"{path}/board?n={n * at // LOOKS + 1}", {"Accept": "application/json"})
        for path in ("/healthz", "/readyz", "/api/v1/host", "/api/v1/figures", "/api/v1/scenarios", BATTLES):
            await self.stranger.get(path)
        await self.show_log()

    async def show_log(self) -> None:
        """What the log of the host has of the battles."""
        running = self.server.running
        battle = running.store.battles()[0].battle
        first = running.store.read(battle, 0, 1)[0][1]
        await self.stranger.get(f"/api/v1/logged/{battle_name(first)}")
        await self.stranger.get(f"{BATTLES}/{battle}/proof")

    async def fight(self, game: str, scenario: str, orders: int, **more: Any) -> None:
        """A battle of a scenario, with orders of whoever is to act, each seen from both sides."""
        names = (f"{one} {len(self.people)}" for one in ("Ann", "Dan"))
        south, north, battle = await self.two(*names, ruleset=game, scenario=scenario, **more)
        await self.play(battle, south, north, orders)

    async def play(self, battle: str, south: Caller, north: Caller, orders: int) -> None:
        """Play some orders, chosen by chance."""
        for _ in range(orders):
            acting = (await south.view(battle))["to_act"]
            if not acting:
                return
            who = north if acting[0] == "north" else south
            options = (await who.get(f"{BATTLES}/{battle}/options")).json["options"]
            given = [one["order"] for one in options if one["order"]]
            chosen = self.random.choice(given) if given else "end turn"
            await who.order(battle, chosen)
            await north.view(battle)


async def ordinary(session: Session) -> None:
    """A battle with everything said at its opening, orders, a script, faults, a clock, its end and what follows."""
    anna, bob = await session.player("Anna"), await session.player("Bruno")
    await session.player("Ursula")
    terms: dict[str, Any] = {
        "umpire": "Ursula",
        "takebacks": "never",
        "disputes_days": 14,
        "tags": ["spring-league"],
        "options": {"turn_limit": 9},
    }
    battle = await anna.open(ruleset="tts", readers="link", pace="3d+7d", **terms)
    await anna.sit(battle, "south", mode="plain", name="Anna the Bold", phrase=PHRASE)
    await bob.sit(battle, "north", phrase=PHRASE)
    path = f"{BATTLES}/{battle}"
    await notice(session)
    for which in ("?mine", "?waiting", "?ended"):
        await anna.get(BATTLES + which)
    await anna.order(battle, "R1 ahead\nR1 fly")
    n = (await anna.view(battle))["n"]
    await anna.order(battle, "standing evade R6 never\nrepeat 2 R1 ahead\nR2 ahead", expect=n, side="south")
    await anna.order(battle, "R1 to A8")
    await anna.post(f"{path}/lines", {"orders": "R1 ahead", "seen": await anna.head(battle)})
    await bob.post(f"{path}/words", {"text": "A fine beginning.", "side": "north"})
    await anna.get(f"{path}/words")
    await bob.post(f"{path}/clock", {"do": "pause", "side": "north"})
    await bob.order(battle, "offer draw")
    await anna.view(battle)
    branch = (await anna.post(f"{path}/branch", {"n": n, "readers": "link"})).json
    for rest in ("", "/branches"):
        await anna.get(f"{BATTLES}/{branch['battle']}{rest}")
    await anna.get(f"{BATTLES}?mine")
    await anna.get(f"{path}/proof")
    await anna.post(f"{path}/preview", {"orders": "R2 ahead-left"})
    for unit in ("R2", "R3", "R4"):
        tried = (f"repeat 2 {unit} ahead", f"{unit} ahead", "R5 ahead-left", "R5 ahead", "R6 ahead", "end turn")
        await anna.post(f"{path}/preview", {"orders": "\n".join(tried)})
        await anna.order(battle, tried[0])
    await anna.order(battle, "resign")
    await anna.post(f"{path}/rematch", {"same_sides": False})
    await bob.get(path)
    closed = await anna.open()
    await anna.sit(closed, "north", bot="easy")
    await anna.get(BATTLES)
    await anna.ask("DELETE", f"{BATTLES}/{closed}")
    stopped = await anna.open()
    await stop(session.server.running.battles, stopped, "Its title was an insult.")
    await anna.view(stopped)


async def dragged(session: Session) -> None:
    """Units that are dragged over a table of free measure: to a place, anywhere, and one that may go nowhere."""
    south, north, battle = await session.two("Adela", "Berta", ruleset="stp", scenario=FREE)
    ends = f"{BATTLES}/{battle}/ends"
    await south.get(f"{ends}?unit=A1")
    for who in (south, north):
        await who.order(battle, "done")
    unit = (await south.view(battle))["board"]["tokens"][0]
    east, ahead = unit["at"]
    await south.get(f"{ends}?unit={unit['id']}&x={east}&y={ahead + 400}")
    await south.get(f"{ends}?unit={unit['id']}")


async def notice(session: Session) -> None:
    """The host tells everybody something, which the state of the server has."""
    now = session.clock.now()
    texts = {"en": "The server rests on Sunday from 6 to 7."}
    await session.server.running.store.write(*announcements.replace(planned(texts, "", "", now)))
    await session.stranger.get("/healthz")


async def sealed_and_signed(session: Session) -> None:
    """A seat with a book of seals and a key, and a decision of the other side for which a script waits."""
    anna, bob = await session.player("Antonia"), await session.player("Brutus")
    battle = await anna.open()
    first, second = (seal_chain(battle, "south", letter * 32, 20) for letter in (b"s", b"t"))
    await sit_signed(session.server, anna, battle, "Antonia", mode="sealed", anchor=first[0].hex())
    await bob.sit(battle, "north", phrase=PHRASE)
    await bob.order(battle, "")
    await send(anna, battle, ["end turn"], None, first[1], seal=seal_text(first[1]), phrase="")
    await anna.view(battle)
    seen, serial = await anna.head(battle), (await anna.view(battle))["seats"]["south"]["serial"] + 1
    given = {"anchor": second[0].hex(), "seen": seen, "signature": signature(battle, seen, serial, second[0])}
    assert (await anna.post(f"{BATTLES}/{battle}/sides/south/book", given)).status == 200
    anna, bob = await session.player("Atia"), await session.player("Bibulus")
    for _ in range(40):  # the charge needs a card
        battle = await session.server.battle(anna, bob, scenario="", scenario_toml=EVADE)
        reply = await anna.order(battle, CHARGE, battle)
        if reply.status == 200 and any(line["status"] == "parked" for line in reply.json["lines"]):
            break
    for who in (anna, bob):
        await who.view(battle)
