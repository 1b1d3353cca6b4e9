"""People who play over the API: when they look, what they order, and what they do when no answer comes.

What they know is what they have been answered. Who has sent orders and has no answer sends the same again, under the
same key; some click twice, some have two devices, some go on vacation, some never come back.
"""

import asyncio
import random
from collections.abc import Coroutine
from typing import Any

from msgspec import Struct, field

from domain.basics.pace import DAY_MS, text_of
from tests.simulation.wire import LostConnection, WireAnswer
from tests.simulation.world import DAY_S, HOUR_S, MINUTE_S, Account, Broken, World

BATTLES = "/api/v1/battles"
VACATIONS = "/api/v1/vacations"
SCENARIOS = {
    "tts": ("skirmish",),
    "singidunum": ("quick", "two-lines"),
    "warmaster-shooting": ("two-lines", "the-wall"),
    "stp": ("crossroads",),
}
"""Small battles of each game."""
PACES = ("1d+2d", "12h+2d", "1d+3d weekdays", "3d+7d", "2d+4d", "6h+1d")
BOTS = ("random", "easy")
MOST_ORDERS = 4
ENDS = ("end turn", "end phase", "done", "pass")
GIVES_UP = frozenset({"resign"})
TAKEN_BACK = ("draw", "offer draw")


class PlayedBattle(Struct):
    """A battle as the world knows it: who sits where, and who may be called to help."""

    id: str
    game: str
    pace: str
    seats: dict[str, str]


class Sent(Struct, frozen=True):
    """Orders on their way: the battle, the key and the body of the request."""

    battle: str
    key: str
    body: dict[str, Any]
    heads: int = 0


class Acknowledged(Struct, frozen=True):
    """Orders that were acknowledged: the key of the request in the log, the head that was told, the event before it
    that was expected (-1: none was named), and the events of each accepted line."""

    battle: str
    player: str
    key: str
    n: int
    hash: str
    expected: int
    events: tuple[tuple[int, str], ...]
    orders: int
    again: bool


class ApiPlayer(Struct):
    """Somebody who looks every so often; `gone_s` the moment from which on they never do."""

    account: Account
    every_s: float
    gone_s: float
    battles: list[PlayedBattle]
    unanswered: list[Sent] = field(default_factory=list)
    keys: int = 0
    away_s: float = 0.0


class Crowd:
    """All who play over the API."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.players: dict[str, ApiPlayer] = {}
        self.battles: list[PlayedBattle] = []
        self.acknowledged: list[Acknowledged] = []

    def begin(self) -> None:
        """Accounts, and battles between them. Nothing goes wrong yet."""
        world = self.world
        for number in range(world.setting.players):
            self.add(f"P{number}")
        games = world.setting.games or tuple(SCENARIOS)
        people = list(self.players.values())
        for number in range(world.setting.battles):
            chance = world.chance("battle", number)
            south, north = chance.sample(people, 2)
            game = games[(world.seed + number) % len(games)]
            world.up.loop.do(self._open(chance, game, south, north, chance.random() < 0.2))
        for player in people:
            self.look_later(player)

    def add(self, name: str) -> ApiPlayer:
        """A new player."""
        world, chance = self.world, self.world.chance("player", name)
        gone_s = chance.uniform(2, 20) * DAY_S if world.strikes("vanish", name) else 1e12
        player = ApiPlayer(world.enrol(name), chance.choice((5.0, 12.0, 24.0, 40.0)) * HOUR_S, gone_s, [])
        self.players[player.account.player] = player
        return player

    async def _open(self, chance: random.Random, game: str, south: ApiPlayer, north: ApiPlayer, has_bot: bool) -> None:
        scenario, pace = chance.choice(SCENARIOS[game]), chance.choice(PACES)
        wish = {"ruleset": game, "scenario": scenario, "pace": pace, "readers": chance.choice(("public", "link"))}
        opened = await self._surely(south, "POST", BATTLES, wish)
        battle = str(opened.json["battle"])
        await self._sit(south, battle, "south", {"phrase": _phrase(chance)})
        seats = {"south": south.account.player}
        if has_bot:
            await self._sit(south, battle, "north", {"bot": chance.choice(BOTS)})
        else:
            await self._sit(north, battle, "north", {"phrase": _phrase(chance)})
            seats["north"] = north.account.player
        played = PlayedBattle(battle, game, pace, seats)
        self.battles.append(played)
        for player in (south, north)[: len(seats)]:
            player.battles.append(played)

    async def _sit(self, player: ApiPlayer, battle: str, side: str, wish: dict[str, str]) -> None:
        view = (await self._surely(player, "GET", f"{BATTLES}/{battle}")).json
        await self._surely(player, "POST", f"{BATTLES}/{battle}/sides/{side}", {**wish, "seen": view["head"]})

    async def _surely(self, player: ApiPlayer, method: str, path: str, body: Any = None) -> WireAnswer:
        """Ask until there is an answer, which says that it is done."""
        for _ in range(20):
            try:
                answer = await self.world.ask(player.account, method, path, body)
            except LostConnection:
                continue
            if answer.status in (200, 201) or answer.code in ("core.seat-taken", "core.side-taken"):
                return answer
            raise Broken("SIM-HURT", f"{method} {path}: {answer.status} {answer.body[:200]!r}")
        raise Broken("SIM-HURT", f"{method} {path}: no answer")

    # --- looking

    def look_later(self, player: ApiPlayer, soonest_s: float = 0.0) -> None:
        """They will look again, unless they are gone for ever."""
        world = self.world
        chance = world.chance("look", player.account.name, world.steps, player.keys)
        at_s = max(world.now_s + soonest_s, player.away_s) + player.every_s * chance.uniform(0.2, 1.8)
        if at_s < player.gone_s:
            world.at(at_s, player.account.name, lambda: self.look(player), lambda: self.look_later(player, MINUTE_S))

    async def look(self, player: ApiPlayer) -> None:
        """Look at all one's battles, and do what there is to do."""
        if player.gone_s <= self.world.now_s:
            return
        try:
            for sent in tuple(player.unanswered):
                await self._send(player, sent)
            for battle in tuple(player.battles):
                await self._look_at(player, battle)
            await self._aside(player)
        except LostConnection:
            self.look_later(player, -player.every_s * 0.1)
            return
        self.look_later(player)

    async def _look_at(self, player: ApiPlayer, battle: PlayedBattle) -> None:
        world = self.world
        answer = await world.ask(player.account, "GET", f"{BATTLES}/{battle.id}")
        if answer.status != 200:
            raise Broken("SIM-HURT", f"{battle.id} cannot be seen: {answer.body[:200]!r}")
        view = answer.json
        chance = world.chance("sitting", player.account.name, battle.id, view["n"], world.steps)
        if view["winner"] is not None or view["closed"]:
            player.battles.remove(battle)
            return
        if not view["side"] or not view["begun"]:
            return
        await self._time(player, battle, view, chance)
        side = view["side"]
        owes = view["seats"][side]["owes"]
        if side not in view["to_act"] and not owes:
            return
        told = await world.ask(player.account, "GET", f"{BATTLES}/{battle.id}/options")
        options = [option["order"] for option in told.json.get("options", ())] if told.status == 200 else []
        lines = self._lines(options, chance) if side in view["to_act"] else []
        if not lines and not owes:
            return
        await self._order(player, battle, view, lines, chance)

    def _lines(self, options: list[str], chance: random.Random) -> list[str]:
        """Some orders that were offered, and the end of the turn."""
        rest = [order for order in options if not order.startswith(TAKEN_BACK) and order not in GIVES_UP]
        ends = [order for order in rest if order.startswith(ENDS)]
        orders = [order for order in rest if order not in ends]
        if chance.random() < 0.01:
            return ["resign"]
        lines = [f"try {order}" for order in chance.sample(orders, min(len(orders), chance.randint(1, MOST_ORDERS)))]
        if len(orders) == len(lines) == 1 or (orders and not ends):
            return [lines[0].removeprefix("try ")]
        if ends and (not lines or chance.random() < 0.7):
            lines.append(ends[0])
        return lines

    # --- ordering

    async def _order(
        self, player: ApiPlayer, battle: PlayedBattle, view: Any, lines: list[str], chance: random.Random
    ) -> None:
        world = self.world
        player.keys += 1
        body: dict[str, Any] = {"orders": "\n".join(lines), "phrase": _phrase(chance), "seen": view["head"]}
        body["side"] = view["side"]
        if chance.random() < 0.6:
            body["expect"] = view["n"]
        about = player.account.name, battle.id, view["n"], player.keys
        if world.strikes("stale", *about) and view["n"] > 3:
            body["expect"] = view["n"] - 2
        sent = Sent(battle.id, f"key {player.keys}", body)
        player.unanswered.append(sent)
        tries = [self._send(player, sent)]
        if world.strikes("double click", *about):
            tries.append(self._send(player, sent))
        if world.strikes("two devices", *about):
            player.keys += 1
            other = Sent(battle.id, f"key {player.keys}", {**body, "phrase": _phrase(chance), "expect": view["n"]})
            player.unanswered.append(other)
            tries.append(self._send(player, other))
        await _all(tries)

    async def _send(self, player: ApiPlayer, sent: Sent) -> None:
        """Send orders, and note what was answered."""
        world, path = self.world, f"{BATTLES}/{sent.battle}/orders"
        answer = await world.ask(player.account, "POST", path, sent.body, sent.key)
        if sent in player.unanswered:
            player.unanswered.remove(sent)
        world.count[f"orders {answer.status}"] += 1
        world.count["order " + (answer.code or "given")] += 1
        if answer.status == 200:
            self._acknowledge(player, sent, answer.json)

    def _acknowledge(self, player: ApiPlayer, sent: Sent, told: Any) -> None:
        events = tuple(
            (event["n"], event["hash"]) for line in told["lines"] for event in line.get("events", ()) if "hash" in event
        )
        given = sum(event.get("type") == "OrderAccepted" for line in told["lines"] for event in line.get("events", ()))
        self.acknowledged.append(
            Acknowledged(
                sent.battle,
                player.account.player,
                sent.key,
                told["head"]["n"],
                told["head"]["hash"],
                sent.body.get("expect", -1),
                events,
                given,
                told["again"],
            )
        )

    # --- time

    async def _time(self, player: ApiPlayer, battle: PlayedBattle, view: Any, chance: random.Random) -> None:
        """What somebody does about time: claims, pauses, calls a substitute."""
        world, path = self.world, f"{BATTLES}/{battle.id}/clock"
        about = player.account.name, battle.id, view["n"]
        others = {side: clock for side, clock in view["clocks"].items() if side != view["side"]}
        do = ""
        if any(clock["flagged"] for clock in others.values()):
            if world.strikes("substitute", battle.id):
                await self._substitute(player, battle, view, next(iter(others)))
            elif world.strikes("claim", battle.id):
                do = "claim"
        elif world.strikes("pause", *about) or view["pause_asked"] not in ("", view["side"]):
            do = chance.choice(("pause", "pause", "resume"))
        elif any(clock["paused"] for clock in view["clocks"].values()) and chance.random() < 0.3:
            do = "resume"
        if do:
            answer = await world.ask(player.account, "POST", path, {"do": do, "seen": view["head"]})
            world.count[f"{do} {answer.status}"] += 1

    async def _substitute(self, player: ApiPlayer, battle: PlayedBattle, view: Any, side: str) -> None:
        """Somebody who is not there is replaced: the other side names a newcomer, who takes the seat."""
        world = self.world
        free = [one for one in self.players.values() if one.account.player not in battle.seats.values()]
        free = [one for one in free if one.gone_s > world.now_s]
        if not free:
            return
        chosen = world.chance("substitute", battle.id).choice(free)
        path = f"{BATTLES}/{battle.id}/disputes/substitutes"
        named = {"seat": side, "player": chosen.account.player, "seen": view["head"]}
        answer = await world.ask(player.account, "POST", path, named)
        world.count[f"substitute named {answer.status} {answer.code}"] += 1
        if answer.status != 200:
            return
        seen = (await world.ask(chosen.account, "GET", f"{BATTLES}/{battle.id}")).json
        wish = {"phrase": _phrase(world.chance("sub", battle.id)), "seen": seen.get("head")}
        sat = await world.ask(chosen.account, "POST", f"{BATTLES}/{battle.id}/sides/{side}", wish)
        world.count[f"substitute seated {sat.status} {sat.code}"] += 1
        if sat.status == 201:
            before = self.players.get(battle.seats.get(side, ""))
            if before is not None and battle in before.battles:
                before.battles.remove(battle)
            battle.seats[side] = chosen.account.player
            chosen.battles.append(battle)

    async def _aside(self, player: ApiPlayer) -> None:
        """Now and then somebody goes on vacation."""
        world = self.world
        if not world.strikes("vacation", player.account.name, world.steps):
            return
        chance = world.chance("away", player.account.name, world.steps)
        begins = world.clock.true_ms + chance.randint(0, 3) * DAY_MS
        ends = begins + chance.randint(1, 6) * DAY_MS
        wish = {"begins": text_of(begins)[:10], "ends": text_of(ends)[:10]}
        answer = await world.ask(player.account, "POST", VACATIONS, wish)
        world.count[f"vacation {answer.status} {answer.code}"] += 1
        if answer.status == 201 and chance.random() < 0.8:
            player.away_s = world.now_s + (ends - world.clock.true_ms) / 1000


async def _all(tries: list[Coroutine[Any, Any, None]]) -> None:
    """Do all at once; a connection that was cut is told when all have ended."""
    ended = await asyncio.gather(*tries, return_exceptions=True)
    for failure in ended:
        if isinstance(failure, BaseException):
            raise failure


def _phrase(chance: random.Random) -> str:
    return f"a phrase of my own {chance.getrandbits(64):016x}"
