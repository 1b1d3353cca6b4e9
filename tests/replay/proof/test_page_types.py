"""The table of types in docs/record-format.md names the members that the verifier reads, and their types."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.catalogue import RULESETS
from replay.proof.claims import OF_A_SIDE, OF_THE_SERVER
from replay.proof.sealed import CORE_ROWS
from replay.proof.shapes import PROTOCOL_EVENTS
from tests.support.looping import some

PAGE = (Path(__file__).parents[3] / "docs" / "record-format.md").read_text()
INTEGERS = frozenset(
    (
        "t",
        "line",
        "serial",
        "n",
        "index",
        "generation",
        "epoch",
        "remaining",
        "size",
        "sides",
        "value",
        "face",
        "turn",
        "about",
        "set_by",
        "disputes_days",
        "to",
        "discard",
    )
)
REQUIRED_ELSEWHERE = {"BattleOpened": {"commitment", "keys"}, "SideJoined": {"player", "kind", "mode"}}
"""Members that an event of a game without a proof lacks; the checks of keys and seats ask for them."""


def told() -> dict[str, tuple[set[str], set[str]]]:
    """Of each type the members that it has, and those that it may have."""
    table = PAGE[PAGE.index("### Types") : PAGE.index("These members have these types")]
    found = {}
    for row in re.findall(r"^\| (`.*?) \|(.*)\|$", table, re.M):
        types, cells = re.findall(r"`(\w+)`", row[0]), row[1].split(";")
        for at, kind in enumerate(types):
            cell = row[1] if len(types) == 1 else cells[min(at, len(cells) - 1)]
            named = " ".join(re.findall(r"`([^`]+)`", cell.split("(")[0])).split()
            found[kind] = {one for one in named if one[-1] != "?"}, {one[:-1] for one in named if one[-1] == "?"}
    return found


@pytest.mark.parametrize("kind", sorted(PROTOCOL_EVENTS))
def test_the_page_has_the_members_of_each_type(kind: str):
    always, maybe = told()[kind]
    fields = {field.encode_name: field for field in msgspec.structs.fields(PROTOCOL_EVENTS[kind])}
    of_the_game = {"options", "stratagems", "sealed"} if kind == "BattleOpened" else set()
    assert (always | maybe) - of_the_game == set(fields)
    required = {name for name, field in fields.items() if field.required}
    assert always == required | REQUIRED_ELSEWHERE.get(kind, set())


@pytest.mark.parametrize("kind", sorted(PROTOCOL_EVENTS.keys() - {"BattleBegan"}))
def test_the_integers_of_the_page_are_integers_and_nothing_else_is(kind: str):
    shape: Any = PROTOCOL_EVENTS[kind]
    for field in some(msgspec.structs.fields(shape)):
        name = field.encode_name
        is_elsewhere = (name == "value" and kind != "DieRolled") or (name == "to" and kind != "Rewound")
        is_integer = field.type is int or str(field.type).startswith("int |")
        assert is_integer is (name in INTEGERS and not is_elsewhere), (kind, name)


def test_the_page_has_the_table_of_what_may_be_sealed():
    """That of every game in the catalogue: a verifier checks no other."""
    table = PAGE[PAGE.index("Only what follows may be sealed") : PAGE.index("*Blind deployment*")]
    told = {
        (game, kind, frozenset(" ".join(re.findall(r"`([^`]+)`", members)).split()))
        for game, kind, members in re.findall(r"^\| (?:(\w+) )?`(\w+)` \| (.*?) \|", table, re.M)
    }
    tables = {"": CORE_ROWS} | {code: game.secrets.rows for code, game in RULESETS.items()}
    rows = {
        (code, kind, frozenset(row.members))
        for code, table in tables.items()
        for kind, rows in table.items()
        for row in rows
    }
    assert told == rows


def test_the_page_has_the_rule_of_each_input_and_disclosure():
    table = PAGE[PAGE.index("| `rule` | of |") : PAGE.index("An integer has no other range")]
    told: dict[str, str] = {}
    for rules, types in re.findall(r"^\| (`CORE.*?) \| (.*) \|$", table, re.M):
        names = re.findall(r"`([^`]+)`", rules)
        cells = types.split(";") if len(names) > 1 else [types]
        told.update(
            (kind, rule) for rule, cell in zip(names, cells, strict=True) for kind in re.findall(r"`(\w+)`", cell)
        )
    written = (OF_A_SIDE | OF_THE_SERVER) - {"NonceDisclosed"}
    assert told == {kind: PROTOCOL_EVENTS[kind].RULE for kind in written}
