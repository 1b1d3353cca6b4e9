"""A turn on a map once more, written anew from the rules: plain tables, no class, and nothing of the project.

It knows units by (force, unit) with their points, one leader to a force, and no honours.
"""

RECOVER = {"lost": {"winner": 3, "draw": 4, "loser": 5}, "worn": {"winner": 1, "draw": 1, "loser": 2}}


class Turn:
    """A turn. `powers` id to (alliance, treasury); `areas` id to a table; `forces` id to `power area units hungry
    rests`, units id to points; `links` triples; `dice` gives a power's next die; `battle` gives (winner, how, fates)
    for an encounter. `events` are (type, values in the order of the members that matter)."""

    def __init__(self, powers, areas, forces, links, terms, dice, battle):
        self.alliance = {name: row[0] for name, row in powers.items()}
        self.money = {name: row[1] for name, row in powers.items()}
        self.order = list(dict.fromkeys(row[0] for row in powers.values()))
        self.areas, self.forces, self.terms = areas, forces, terms
        self.dice, self.battle = dice, battle
        self.ways = {}
        for one, other, kind in links:
            self.ways[one, other] = self.ways[other, one] = kind
        self.came = {}
        self.captives = []
        self.events = []

    # --- questions

    def of(self, force):
        return self.alliance[self.forces[force]["power"]]

    def here(self, area, alliance=None):
        found = [name for name in sorted(self.forces) if self.forces[name]["area"] == area]
        return [name for name in found if alliance in (None, self.of(name))]

    def enemies(self, area, alliance):
        return [name for name in self.here(area) if self.of(name) != alliance]

    def mine(self, area, alliance):
        owner = self.areas[area]["owner"]
        return owner != "" and self.alliance[owner] == alliance

    def closed(self, area, alliance):
        return self.areas[area]["city"] > 0 and not self.mine(area, alliance)

    def free(self, area, alliance):
        return not self.enemies(area, alliance) and not self.closed(area, alliance)

    def besieged(self, area):
        row = self.areas[area]
        side = self.alliance[row["owner"]] if row["owner"] else None
        return row["city"] > 0 and len(self.enemies(area, side)) > 0

    def weigh(self, forces):
        return sum(sum(self.forces[name]["units"].values()) for name in forces)

    # --- the turn

    def run(self, orders, recruits, dismissed):
        """`orders` force to (verb, areas); `recruits` (power, force, id, points) in order; `dismissed` by force and
        unit."""
        for force, unit in dismissed:
            del self.forces[force]["units"][unit]
            self.tell("UnitDismissed", force, unit)
        self.march({name: way for name, (verb, way) in orders.items() if verb == "march"})
        fought = {}
        for area in sorted(self.areas):
            result = self.contact(area, {name: way[0] for name, (verb, way) in orders.items() if verb == "avoid"})
            if result:
                fought[area] = result
        for area, (encounter, winner, how, fates) in fought.items():
            self.leave(area, encounter, winner, how, fates)
        for area, (encounter, winner, _, _) in fought.items():
            self.go_back(area, encounter, winner)
        storming = {name for name, (verb, _) in orders.items() if verb == "storm"}
        for area in sorted(self.areas):
            self.ground(area, storming)
        hungry = self.eat()
        for power in self.money:
            points = sum(
                row["income"] for area, row in self.areas.items() if row["owner"] == power and not self.besieged(area)
            )
            self.money[power] += points
            self.tell("IncomeTaken", power, points, self.money[power])
        for power, force, unit, points in recruits:
            self.raise_one(power, force, unit, points, hungry)

    def tell(self, *event):
        self.events.append(event)

    def march(self, ways):
        stopped = set()
        for step in (0, 1):
            legs = {}
            for name in sorted(ways):
                if name in stopped or len(ways[name]) <= step:
                    continue
                at = self.forces[name]["area"]
                if step == 1 and self.enemies(at, self.of(name)):
                    self.tell("ForceStopped", name, at, "contact")
                elif step == 1 and self.closed(at, self.of(name)):
                    self.tell("ForceStopped", name, at, "fortress")
                else:
                    legs[name] = (at, ways[name][step])
            for name, (at, to) in legs.items():
                with_me = [one for one in legs if legs[one] == (at, to) and self.of(one) == self.of(name)]
                against = [one for one in legs if legs[one] == (to, at) and self.of(one) != self.of(name)]
                if against and self.weigh(against) >= self.weigh(with_me):
                    stopped.add(name)
            for name in [name for name in legs if name in stopped]:
                self.tell("ForceStopped", name, legs[name][0], "met")
            for name in [name for name in legs if name not in stopped]:
                at, to = legs[name]
                self.forces[name]["area"], self.came[name] = to, at
                self.tell("ForceMoved", name, at, to, step + 1)

    def contact(self, area, avoiding):
        both = [alliance for alliance in self.order if self.here(area, alliance)]
        if len(both) < 2:
            return None
        new = [alliance for alliance in both if any(name in self.came for name in self.here(area, alliance))]
        attacker = new[0] if len(new) == 1 else ""
        south = next((alliance for alliance in both if alliance != attacker), both[0]) if attacker else both[0]
        north = next(alliance for alliance in both if alliance != south)
        if attacker:
            strong, weak = self.here(area, north), self.here(area, south)
            if self.weigh(strong) * 2 >= self.weigh(weak) * 3:
                for name in weak:
                    to = avoiding.get(name)
                    is_way = to and self.ways.get((area, to)) in ("road", "track") and self.free(to, south)
                    if is_way and all(self.came.get(one) != to for one in strong):
                        self.forces[name]["area"], self.came[name] = to, area
                        self.tell("ForceAvoided", name, area, to)
        sides = {"south": self.here(area, south), "north": self.here(area, north)}
        if not all(sides.values()):
            return None
        for light, heavy, alliance in (("south", "north", north), ("north", "south", south)):
            if self.weigh(sides[light]) * self.terms["overrun"] <= self.weigh(sides[heavy]):
                self.tell("ForceOverrun", area, alliance, tuple(sides[light]))
                for name in sides[light]:
                    for unit in list(self.forces[name]["units"]):
                        self.fare(name, unit, "worn", "loser")
                for name in sides[light]:
                    self.flee(name)
                return None
        fielded = {side: self.field(names) for side, names in sides.items()}
        self.tell("EncounterMade", area, attacker, south, north, sides, fielded)
        encounter = {"sides": sides, "fielded": fielded, "attacker": attacker}
        return (encounter, *self.battle(area, encounter))

    def field(self, names):
        units = [(name, unit) for name in names for unit in self.forces[name]["units"]]
        awake = [(name, unit) for name, unit in units if unit not in self.forces[name]["rests"]] or units
        left, found = self.terms["size"], []
        for name, unit in awake:
            points = self.forces[name]["units"][unit]
            if points <= left:
                left -= points
                found.append(f"{name}/{unit}")
        return found

    def fare(self, name, unit, fate, how):
        needed = RECOVER[fate][how]
        if needed == 1:
            self.tell("ElementFared", name, unit, fate, "fit")
            return
        die = self.die(name)
        now = "fit" if die >= needed else "gone"
        self.tell("ElementFared", name, unit, fate, now)
        if now == "gone":
            del self.forces[name]["units"][unit]

    def die(self, name):
        power = self.forces[name]["power"]
        value = self.dice(power)
        self.tell("DieRolled", f"dice:{power}", value)
        return value

    def leave(self, area, encounter, winner, how, fates):
        for side in ("south", "north"):
            came_out = "draw" if not winner else "winner" if winner == side else "loser"
            for name in encounter["sides"][side]:
                for unit in list(self.forces[name]["units"]):
                    fate = fates.get((name, unit))
                    if fate and f"{name}/{unit}" in encounter["fielded"][side]:
                        self.fare(name, unit, fate, came_out)
                is_there = any(one.startswith(f"{name}/") for one in encounter["fielded"][side])
                if came_out == "loser" and how == "medals" and is_there and self.die(name) == 1:
                    self.tell("ElementFared", name, "G1", "well", "captured")
                    self.tell("LeaderReplaced", name, "G1", "G1-2")

    def go_back(self, area, encounter, winner):
        if winner:
            beaten = ["north" if winner == "south" else "south"]
        else:
            beaten = ["north"] if encounter["attacker"] else ["south", "north"]
        for side in [side for side in ("south", "north") if side not in beaten]:
            for name in encounter["sides"][side]:
                if not self.forces[name]["units"]:
                    self.lose(name, "empty")
        for side in beaten:
            for name in encounter["sides"][side]:
                self.flee(name)

    def flee(self, name):
        row, alliance = self.forces[name], self.of(name)
        at = row["area"]
        if not row["units"]:
            self.lose(name, "empty")
            return
        back = self.came.get(name)
        if not (back and self.free(back, alliance)):
            used = {self.came.get(enemy) for enemy in self.enemies(at, alliance)}
            ways = [to for (one, to), kind in self.ways.items() if one == at and kind != "sea" and to not in used]
            ways = [to for to in ways if self.free(to, alliance)]
            own = sorted(to for to in ways if self.mine(to, alliance))
            back = (own + sorted(ways) + [None])[0]
        if back is None:
            self.lose(name, "surrounded")
            return
        row["area"], self.came[name] = back, at
        self.tell("ForceRetreated", name, at, back)

    def lose(self, name, reason):
        self.tell("ForceLost", name, self.forces[name]["area"], reason)
        self.forces[name].update(area="", units={})

    def ground(self, area, storming):
        row, here = self.areas[area], self.here(area)
        sides = {self.of(name) for name in here}
        alone = next(iter(sides)) if len(sides) == 1 else None
        if alone and self.closed(area, alone):
            row["siege"] += 1
            stormer = next((name for name in here if name in storming), None)
            die = self.die(here[0])
            total, needed = die + row["siege"] + (2 if stormer else 0), 4 + 2 * row["city"]
            self.tell("SiegeRolled", area, row["siege"], die, bool(stormer), total, needed)
            if stormer and die <= 3 and self.forces[stormer]["units"]:
                self.lose_cheapest(stormer, "storm")
            if total >= needed:
                self.take("CityFell", area, here[0])
                row["siege"] = 0
            return
        if row["siege"] and not self.besieged(area):
            self.tell("SiegeRaised", area)
            row["siege"] = 0
        if alone and row["city"] == 0 and not self.mine(area, alone):
            self.take("AreaTaken", area, here[0])

    def take(self, kind, area, force):
        was, self.areas[area]["owner"] = self.areas[area]["owner"], self.forces[force]["power"]
        self.tell(kind, area, self.forces[force]["power"], was)

    def lose_cheapest(self, name, cause):
        units = self.forces[name]["units"]
        least = min(units.values())
        unit = [unit for unit, points in units.items() if points == least][-1]
        del units[unit]
        self.tell("UnitLost", name, unit, cause)

    def eat(self):
        hungry = set()
        for name in sorted(self.forces):
            row = self.forces[name]
            if not row["area"]:
                continue
            if row["units"] and not self.fed(name):
                hungry.add(name)
                row["hungry"] += 1
                self.tell("ForceHungry", name, row["hungry"])
                if row["hungry"] > 1:
                    self.lose_cheapest(name, "hunger")
            elif row["units"]:
                row["hungry"] = 0
            if not row["units"]:
                self.lose(name, "empty")
        return hungry

    def fed(self, name):
        alliance, start = self.of(name), self.forces[name]["area"]
        far = {start: 0}
        queue = [start]
        while queue:
            at = queue.pop(0)
            if self.areas[at]["supply"] and self.mine(at, alliance) and not self.besieged(at):
                return True
            for one, to in self.ways:
                if one == at and to not in far and far[at] < self.terms["supply_range"] and self.free(to, alliance):
                    far[to] = far[at] + 1
                    queue.append(to)
        return False

    def raise_one(self, power, force, unit, points, hungry):
        row = self.forces[force]
        area = row["area"]
        if not area:
            reason = "gone"
        elif not self.areas[area]["city"] or not self.mine(area, self.of(force)):
            reason = "no-city"
        elif self.besieged(area):
            reason = "besieged"
        elif force in hungry:
            reason = "hungry"
        else:
            reason = "cannot-afford" if points > self.money[power] else ""
        if reason:
            self.tell("RecruitFailed", force, unit, reason)
            return
        self.money[power] -= points
        row["units"][unit] = points
        self.tell("UnitRaised", force, unit, points, self.money[power])
