"""The battle files of the suite, with the verdict on each: python -m tests.conformance.battles

They lie in tests/conformance/battles/, beside manifest.json and a README for whoever writes a verifier. They are made
from fixed keys, secrets and times, so that each run writes the same bytes.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from tests.conformance.silences import SILENCES, Story
from tests.conformance.spoiled import SPOILED
from tests.conformance.version_3 import VERSION_3
from tests.replay.made_battle import MadeBattle, small_battle
from tests.replay.proof.test_disclosures import secret_battle
from tests.replay.proof.test_forgeries import test_a_forgery_is_refused_where_it_shows
from tests.replay.proof.test_messages import signed_battle

FOLDER = Path(__file__).parent / "battles"
MANIFEST = "manifest.json"
FAULT, NO_RULES = 1, 3
"""Exit codes: a fault, and nothing wrong where no release of the rules is at hand."""


def a_whole_battle_of_sealed_seats() -> tuple[MadeBattle, int]:
    return small_battle(), 0


def a_whole_battle_of_plain_seats() -> tuple[MadeBattle, int]:
    return small_battle("plain", "plain"), 0


def a_running_battle_of_a_sealed_and_a_plain_seat() -> tuple[MadeBattle, int]:
    return small_battle("sealed", "plain", over=False), 0


def a_signed_seat() -> tuple[MadeBattle, int]:
    return signed_battle(), 0


def a_sealed_standing_order_that_is_opened() -> tuple[MadeBattle, int]:
    return secret_battle()[0], 0


HONEST = dict.fromkeys(
    (
        a_whole_battle_of_sealed_seats,
        a_whole_battle_of_plain_seats,
        a_running_battle_of_a_sealed_and_a_plain_seat,
        a_signed_seat,
        a_sealed_standing_order_that_is_opened,
    ),
    "",
)


def stories() -> Mapping[Story, str]:
    """Every story of the suite with the kind of its fault, empty if it has none."""
    (forged,) = test_a_forgery_is_refused_where_it_shows.pytestmark
    return {**HONEST, **dict(forged.args[1]), **SILENCES, **VERSION_3}


def made() -> tuple[dict[str, bytes], list[dict[str, object]]]:
    """The files by name, and the entries of the manifest in the same order."""
    files: dict[str, bytes] = {}
    entries: list[dict[str, object]] = []
    for story, kind in stories().items():
        battle, event = story()
        name = story.__name__.replace("_", "-") + ".battle"
        files[name] = battle.file()
        exit_code = FAULT if kind else NO_RULES
        entries.append(
            {"file": name, "version": battle.version, "exit": exit_code, "event": event if kind else 0, "kind": kind}
        )
    for raw, kind in SPOILED.items():
        content, event = raw()
        name = raw.__name__.replace("_", "-") + ".battle"
        files[name] = content
        entries.append({"file": name, "version": 2, "exit": FAULT, "event": event, "kind": kind})
    return files, entries


def manifest(entries: list[dict[str, object]]) -> str:
    """The manifest as a text: JSON, one entry to a line."""
    lines = ",\n".join(json.dumps(entry) for entry in entries)
    return f"[\n{lines}\n]\n"


def main() -> int:
    """Write the folder anew."""
    files, entries = made()
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.battle"):
        old.unlink()
    for name, content in files.items():
        (FOLDER / name).write_bytes(content)
    (FOLDER / MANIFEST).write_text(manifest(entries), encoding="utf-8")
    return 0


if __name__ == "__main__":
    main()
