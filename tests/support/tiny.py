"""The smallest whole battle of a real game: a few orders, a card, an end."""

from collections.abc import Callable
from functools import cache
from typing import Any

from msgspec import UNSET, structs

from domain.catalogue import RULESETS
from domain.events.battle import Fact, Seen
from domain.log import record
from domain.log.record import Header, Recorded
from replay.proof import chain, notes
from replay.proof.notes import Head
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock

TTS = RULESETS["tts"]


def tiny_scenario() -> dict[str, Any]:
    """One unit a side, far apart."""

    def side(name: str, unit: str, box: str, facing: str) -> dict[str, Any]:
        units = [{"id": unit, "type": "legionaries", "box": box, "facing": facing}]
        return {"name": name, "medals": 3, "corps": [{"id": "I", "units": units}]}

    sides = {"south": side("South", "R1", "D3", "N"), "north": side("North", "N1", "K8", "S")}
    return {"ruleset": "tts", "title": "Two units", "sides": sides}


def tiny_battle(seed: str = "tiny") -> OfflineBattle:
    """Both seats taken, nothing ordered yet."""
    battle = OfflineBattle(TTS, tiny_scenario(), SeededClock(seed), SeededEntropy(seed))
    battle.seat_person("south", "Anna")
    battle.seat_person("north", "Bob")
    return battle


def played_battle(seed: str = "tiny") -> OfflineBattle:
    """A standing order, a move, and a turn of each side."""
    battle = tiny_battle(seed)
    for side, text in (
        ("south", "standing evade R1 always"),
        ("south", "R1 ahead"),
        ("south", "end turn"),
        ("north", "N1 turn left"),
        ("north", "end turn"),
    ):
        if battle.to_act == (side,):  # a failed activation ends the turn by itself
            battle.order(side, text)
    return battle


def ended_battle(seed: str = "tiny") -> OfflineBattle:
    """The same, given up."""
    battle = played_battle(seed)
    battle.order("south", "resign")
    return battle


@cache
def ended_file() -> bytes:
    """The file of `ended_battle`."""
    return ended_battle().file()


def signed_again(
    battle: OfflineBattle,
    lie: Callable[[list[Recorded]], object],
    host: Callable[[Header], Header] = lambda header: header,
) -> bytes:
    """The file of a host that lies and signs its lies: every hash, every head quoted by a player (they are not
    signed here) and the checkpoint are right."""
    log = list(battle.events())
    lie(log)
    header = record.encode_header(host(battle.recording.header))
    hashes, lines = [record.first_hash(header)], []
    for n, one in enumerate(log, 1):
        seen: Any = getattr(one.event, "seen", UNSET)
        quoted = {} if seen is UNSET else {"seen": Seen(hashes[min(seen.n, n - 1)].hex(), min(seen.n, n - 1))}
        lines.append(record.encode(n, one.at, Fact(one.by, one.rule, structs.replace(one.event, **quoted))))
        hashes.append(record.next_hash(hashes[-1], lines[-1]))
    origin = notes.origin(battle.recording.header.host, battle.recording.gid)
    return chain.file_bytes(header, lines, notes.sign_head(battle.signer, Head(origin, len(lines), hashes[-1])))


def changed(log: list[Recorded], kind: str, **members: Any) -> int:
    """Tell the first event of a type with other members; gives its number."""
    n = next(one.n for one in log if one.type == kind)
    log[n - 1] = structs.replace(log[n - 1], event=structs.replace(log[n - 1].event, **members))
    return n
