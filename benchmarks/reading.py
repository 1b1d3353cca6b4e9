"""What does it cost to read a battle: fold, seek, verify, audit, options?

    python -m benchmarks.reading

The base is the least that a reader of the same lines can do: hash them and decode each to a dictionary.
"""

import tomllib
from hashlib import sha256

import msgspec

from benchmarks.measure import compare, show
from domain.battle import Timeline, catalogue_of, vault_of
from domain.catalogue import RULESETS
from domain.data import scenario_text
from domain.record import Recorded, decode
from domain.ruleset import Ruleset
from domain.rulesets.to_the_strongest.options import unit_options
from replay import chain
from replay.audit import audit
from server.offline import OfflineBattle, SeededClock, SeededEntropy

LONG = 5_000
TTS = RULESETS["tts"]


def long_battle(events: int = LONG) -> OfflineBattle:
    """A battle of two random bots with medals enough for `events` events, stopped there."""
    scenario = tomllib.loads(scenario_text("tts", "cannae"))
    scenario["options"] = {"turn_limit": 0}
    for side in scenario["sides"].values():
        side["medals"] = 9_999
    battle = OfflineBattle(TTS, scenario, SeededClock("bench"), SeededEntropy("bench"))
    battle.seat_bot("south", "random")
    battle.seat_bot("north", "random")
    while battle.recording.battle.n < events and battle.to_act:
        battle.bot_order()
    return battle


def main() -> None:
    content = long_battle().file()
    log = chain.open_file(content)
    catalogue = catalogue_of(TTS)
    events = [decode(line, catalogue) for line in log.lines]
    count = len(events)
    print(f"{count:,} events, {len(content) / count:.0f} bytes each in the file")
    _read(content, log.lines, events, TTS)
    _options()


def _read(content: bytes, lines: tuple[bytes, ...] | list[bytes], events: list[Recorded], ruleset: Ruleset) -> None:
    catalogue = catalogue_of(ruleset)
    plain = msgspec.json.Decoder()
    count = len(events)
    vault = vault_of(events)

    def base() -> int:
        head = b""
        for line in lines:
            head = sha256(head + line).digest()
            plain.decode(line)
        return count

    def fold() -> int:
        timeline = Timeline(ruleset, vault)
        for recorded in events:
            timeline.feed(recorded)
        return count

    def decode_and_fold() -> int:
        timeline = Timeline(ruleset, vault)
        for line in lines:
            timeline.feed(decode(line, catalogue))
        return count

    rows = compare(
        "hash and decode to dictionaries (base)",
        {
            "hash and decode to dictionaries (base)": base,
            "decode to events and fold": decode_and_fold,
            "fold alone": fold,
            "bytes and chain (open_file)": lambda: len(chain.open_file(content).lines),
            "audit by the rules": lambda: len(events) * bool(audit(ruleset, events)),
        },
    )
    show("Reading, per event", rows, {"fold alone": "≤ 5 µs", "audit by the rules": "≤ 300 µs"})
    timeline = Timeline(ruleset, vault)
    for recorded in events:
        timeline.feed(recorded)
    places = [count * at // 50 for at in range(1, 50)]

    def seek() -> int:
        for n in places:
            timeline.at(n)
        return len(places)

    def from_the_start() -> int:
        fold()
        return 1

    base_name = "fold the whole battle (base)"
    show(
        f"Seek in {count:,} events, per seek",
        compare(base_name, {base_name: from_the_start, "seek by keyframe": seek}),
        {"seek by keyframe": "≤ 20 ms"},
    )


def _options() -> None:
    battle = long_battle(400)
    state = battle.recording.battle.game
    side = state.active
    known = TTS.known(state, side)
    units = [unit for unit in known.units.values() if unit.side == side and unit.box]

    def of_units() -> int:
        for unit in units:
            unit_options(known, unit)
        return len(units)

    def copy() -> int:
        msgspec.json.encode(known.units)
        return 1

    base = "encode the units as JSON (base)"
    rows = compare(
        base,
        {base: copy, "options of a side": lambda: len(TTS.options(known, side)) and 1, "options of a unit": of_units},
    )
    show(
        f"Options in Cannae, {len(units)} units of the side",
        rows,
        {"options of a side": "≤ 10 ms", "options of a unit": "≤ 1 ms"},
    )


if __name__ == "__main__":
    main()
