"""Battles of bots, honest and forged, with what playing them again finds.

    python -m tests.conformance.played

They lie in tests/conformance/bots/, beside manifest.json: tiny battles of *To the Strongest!*, in which one unit a side
plays two turns. Seeds and times are fixed, so that each run of one release writes the same bytes.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

from domain.events.battle import ContributionGiven, OrderAccepted
from domain.run.bots import bots_answer
from replay.writing import in_memory
from replay.writing.in_memory import OfflineBattle
from tests.conformance.battles import manifest as listed
from tests.replay.proof.test_bots import fought, small, to_the_end
from tests.support.tiny import TTS

FOLDER = Path(__file__).parent / "bots"
MANIFEST = "manifest.json"
OK, FAULT, OTHER, RUNNING = 0, 1, 3, 4
"""Exit codes: all holds, a fault, another version of a bot has played, not all can be judged yet."""

Story = Callable[[], OfflineBattle]


def seated() -> OfflineBattle:
    """Two bots have sat down."""
    battle = small()
    for side in ("south", "north"):
        battle.seat_bot(side, "random")
    return battle


def planted(name: str, value: Callable[..., Any]) -> OfflineBattle:
    """A host that makes something of its bots otherwise."""
    with patch.object(in_memory, name, value):
        return fought(small(), "random", "random")


def two_bots_of_two_kinds() -> OfflineBattle:
    return fought(small(), "easy", "random")


def a_bot_that_agrees_to_a_take_back() -> OfflineBattle:
    return take_back(is_forged=False)


def a_running_battle_of_bots() -> OfflineBattle:
    battle = seated()
    battle.bot_order()
    return battle


def bots_of_version_2() -> OfflineBattle:
    return fought(small(2), "random", "random")


def bots_of_another_version() -> OfflineBattle:
    return planted("bot_label", lambda _, bot: f"{bot} 0")


def an_order_that_the_bot_would_not_have_given() -> OfflineBattle:
    honest, forged = seated(), seated()
    options = [option.order for option in TTS.orders.options(honest.recording.known("south"), "south")]
    honest.bot_order()
    given = next(entry.event.text for entry in honest.events() if isinstance(entry.event, OrderAccepted))
    forged.order("south", next(order for order in options if order != given), "bot")
    return to_the_end(forged)


def a_bot_with_a_seed_of_the_hosts() -> OfflineBattle:
    return planted("order_seed", lambda *_: bytes(32))


def a_phrase_that_the_host_has_chosen() -> OfflineBattle:
    return planted("bot_phrase", lambda *_, **__: "f" * 32)


def orders_that_name_no_bot() -> OfflineBattle:
    return planted("bot_label", lambda *_: "")


def orders_that_name_another_bot() -> OfflineBattle:
    return planted("bot_label", lambda *_: "easy 1")


def a_bot_that_gives_up_unasked() -> OfflineBattle:
    battle = small()
    battle.seat_person("south", "Anna")
    battle.seat_bot("north", "random")
    battle.order("north", "resign", "bot")
    return battle


def a_bot_that_answers_otherwise_to_a_take_back() -> OfflineBattle:
    return take_back(is_forged=True)


def take_back(is_forged: bool) -> OfflineBattle:
    """Anna asks a bot for her last order."""
    battle = small()
    battle.seat_person("south", "Anna")
    battle.seat_bot("north", "random")
    battle.order("south", "standing evade R1 always")
    battle.order("south", "takeback")
    docket = battle.recording.battle.disputes.open[0]
    said = bots_answer(battle.recording.timeline, docket)
    battle.order("north", f"decline {docket.id}" if is_forged else said, "bot")
    for side in battle.recording.battle.owing:
        battle.contribute(side)
    battle.order("south", "resign")
    return battle


def orders(battle: OfflineBattle) -> list[tuple[int, str, str]]:
    """The orders of a battle: event, side, text."""
    return [(e.n, e.event.side, str(e.event.text)) for e in battle.events() if isinstance(e.event, OrderAccepted)]


def first_order(battle: OfflineBattle) -> int:
    return orders(battle)[0][0]


def first_answer(battle: OfflineBattle) -> int:
    return next(n for n, side, _ in orders(battle) if side == "north")


def first_contribution(battle: OfflineBattle) -> int:
    return next(e.n for e in battle.events() if isinstance(e.event, ContributionGiven))


def first_other_order(battle: OfflineBattle) -> int:
    """The first order that honest bots of the same battle would have given otherwise."""
    honest = orders(fought(small(), "random", "random"))
    return next(own[0] for own, theirs in zip(orders(battle), honest, strict=False) if own != theirs)


HONEST: Mapping[Story, tuple[int, str]] = {
    two_bots_of_two_kinds: (OK, ""),
    a_bot_that_agrees_to_a_take_back: (OK, ""),
    a_running_battle_of_bots: (RUNNING, "running"),
    bots_of_version_2: (OK, "header"),
    bots_of_another_version: (OTHER, "version"),
}
"""Stories without a fault: the exit code, and why orders of bots are left out, empty where they are played again."""
FORGED: Mapping[Story, tuple[str, Callable[[OfflineBattle], int]]] = {
    an_order_that_the_bot_would_not_have_given: ("bot-order-differs", first_order),
    a_bot_with_a_seed_of_the_hosts: ("bot-order-differs", first_other_order),
    a_phrase_that_the_host_has_chosen: ("bot-phrase-differs", first_contribution),
    orders_that_name_no_bot: ("bot-unnamed", first_order),
    orders_that_name_another_bot: ("bot-unnamed", first_order),
    a_bot_that_gives_up_unasked: ("bot-not-asked", first_answer),
    a_bot_that_answers_otherwise_to_a_take_back: ("bot-order-differs", first_answer),
}
"""Stories with a fault: its kind, and how its event is found in the battle."""


def counted(battle: OfflineBattle) -> list[tuple[str, int]]:
    """How many orders the bots of each side have given."""
    given = Counter(side for _, side, _ in orders(battle) if side in battle.bots)
    return sorted(given.items())


def made() -> tuple[dict[str, bytes], list[dict[str, Any]]]:
    """The files by name, and the entries of the manifest."""
    files: dict[str, bytes] = {}
    entries: list[dict[str, Any]] = []
    for story in (*HONEST, *FORGED):
        battle = story()
        name = story.__name__.replace("_", "-") + ".battle"
        files[name] = battle.file()
        code, left_out = HONEST.get(story, (FAULT, ""))
        kind, place = FORGED.get(story, ("", None))
        verdict = {"exit": code, "event": place(battle) if place else 0, "kind": kind}
        entries.append({"file": name, "rules": TTS.version, **verdict, "left_out": left_out, "orders": counted(battle)})
    return files, entries


def main() -> int:
    """Write the folder anew."""
    files, entries = made()
    for name, content in files.items():
        (FOLDER / name).write_bytes(content)
    (FOLDER / MANIFEST).write_text(listed(entries), encoding="utf-8")
    return 0


if __name__ == "__main__":
    main()
