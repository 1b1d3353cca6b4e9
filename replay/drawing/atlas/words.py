"""What a map says in words: each place, force, march and battle in a sentence."""

from collections.abc import Iterator

from domain.campaign.theatre.map_scene import (
    MapBattle,
    MapForce,
    MapLoss,
    MapMarch,
    MapPlace,
    MapPower,
    MapScene,
    shown_name,
)
from replay.telling.words.sentences import fragment, phrase


def turn_words(scene: MapScene, lang: str) -> str:
    """Which turn it is."""
    return phrase("map.turn", {"turn": scene.turn, "turns": scene.turns or None}, lang)


def force_words(scene: MapScene, force: MapForce, lang: str) -> str:
    """A force: whose, where, how strong, whether it has supply."""
    if force.band:
        names = {"power": scene.power(force.power).name, "area": scene.place(force.area).name}
        return phrase("map.seen", {**names, "band": fragment(f"map.band.{force.band}", {}, lang)}, lang)
    told = {
        "force": force.id,
        "power": scene.power(force.power).name,
        "area": scene.place(force.area).name,
        "strength": force.strength,
        "units": force.units,
        "hungry": force.hungry or None,
        "unfed": not force.supplied or None,
    }
    return phrase("map.force", told, lang)


def place_words(scene: MapScene, place: MapPlace, lang: str) -> str:
    """An area: its ground, its walls, its owner, what it is worth."""
    told = {
        "name": place.name,
        "ground": fragment(f"map.ground.{place.ground}", {}, lang),
        "city": fragment(f"map.city.{place.city}", {}, lang),
        "owner": scene.power(place.owner).name if place.owner else None,
        "supply": place.supply or None,
        "capital": place.capital or None,
        "besieged": place.besieged or None,
        "siege": place.siege or None,
    }
    return phrase("map.place", told, lang)


def power_words(power: MapPower, lang: str) -> str:
    """The alliance of a power, its areas and their victory points."""
    return phrase("map.power", {"alliance": shown_name(power.alliance), "areas": power.areas, "vp": power.vp}, lang)


def march_words(scene: MapScene, march: MapMarch, lang: str) -> str:
    """Where a force has gone."""
    start, end = (scene.place(name).name for name in march.ends)
    return phrase(f"map.{march.kind}", {"force": march.force, "start": start, "end": end}, lang)


def battle_words(scene: MapScene, battle: MapBattle, lang: str) -> str:
    """Who met whom, and who won."""
    south, north = map(shown_name, battle.sides)
    winner = shown_name(battle.winner) if battle.winner else None
    told = {"area": scene.place(battle.area).name, "south": south, "north": north, "winner": winner}
    return phrase(f"map.{battle.kind}", told, lang)


def loss_words(scene: MapScene, loss: MapLoss, lang: str) -> str:
    """Where a force was lost."""
    return phrase("map.loss", {"force": loss.force, "area": scene.place(loss.area).name, "reason": loss.reason}, lang)


def happened(scene: MapScene, lang: str) -> Iterator[str]:
    """What the turn has brought, a sentence each; the legs of a march are told as one."""
    legs: dict[str, MapMarch] = {}
    for march in scene.marches:
        before = legs.get(march.force)
        if before is not None and before.kind == march.kind and before.ends[1] == march.ends[0] and march.step:
            legs[march.force] = MapMarch(
                march.force, march.power, (before.ends[0], march.ends[1]), march.kind, march.step
            )
        else:
            if before is not None:
                yield march_words(scene, before, lang)
            legs[march.force] = march
    yield from (march_words(scene, march, lang) for march in legs.values())
    yield from (battle_words(scene, battle, lang) for battle in scene.battles)
    yield from (loss_words(scene, loss, lang) for loss in scene.losses)
    for place in scene.places:
        if place.owner and place.was != place.owner:
            was = scene.power(place.was).name if place.was else None
            yield phrase("map.taken", {"power": scene.power(place.owner).name, "area": place.name, "was": was}, lang)


def described(scene: MapScene, lang: str) -> str:
    """The whole map for anybody who cannot see it: forces, then what has happened."""
    return " ".join([*(force_words(scene, force, lang) for force in scene.forces), *happened(scene, lang)])
