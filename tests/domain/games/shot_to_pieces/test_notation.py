"""The notation of orders: what is written reads back to the same command, in both languages (chapter ORD)."""

import tomllib
from pathlib import Path

import pytest

from domain.basics.commands import Standing
from domain.basics.errors import Refusal
from domain.games.shot_to_pieces.orders.notation import parse, write
from domain.games.shot_to_pieces.state.commands import (
    About,
    BreakOff,
    Charge,
    DeployAt,
    EvadeCharge,
    Face,
    Fire,
    Heading,
    MoveAsGroup,
    MoveStraight,
    OrderCorps,
    Prolong,
    SendGeneral,
    Strafe,
    Together,
)
from tests.support.looping import some

CASES = Path(__file__).parents[3] / "cases" / "stp"


@pytest.mark.parametrize(
    ("line", "command", "french"),
    [
        ("order I advance to 90 12.5", OrderCorps("I", "advance", (9000, 1250)), "ordre I avancer vers 90 12.5"),
        ("u1 face left 90", Face("U1", Heading("left", 9000)), "U1 face gauche 90"),
        ("U1 face about move 15,00", MoveStraight("U1", 1500, Heading("about")), "U1 face demi-tour avance 15"),
        ("U1 move 5 right 22.5 engage C1", MoveStraight("U1", 500, None, "right", 2250, "C1"),
         "U1 avance 5 droite 22.5 engage C1"),
        ("V1 about left move 3", About("V1", "left", 300), "V1 demi-tour gauche avance 3"),
        ("G1 prolong 3 360", Prolong("G1", 300, 0), "G1 prolonge 3 0"),
        ("V1 charge E1 face at E2 left 10 all-out",
         Charge("V1", "E1", Heading("at", unit="E2"), "left", 1000, "all-out"),
         "V1 charge E1 face sur E2 gauche 10 à-fond"),
        ("V1 break right 5", BreakOff("V1", "right", 500), "V1 rompt droite 5"),
        ("group U1 U2 wheel left 30 move 2", MoveAsGroup(("U1", "U2"), 200, "", 0, "left", 3000),
         "groupe U1 U2 pivote gauche 30 avance 2"),
        ("group U1 move 2 + U2 move 3", Together((MoveStraight("U1", 200), MoveStraight("U2", 300))),
         "groupe U1 avance 2 + U2 avance 3"),
        ("fire U1 U2 at C1", Fire(("U1", "U2"), "C1"), "tire U1 U2 sur C1"),
        ("general GS to 90 30", SendGeneral("GS", (9000, 3000)), "général GS vers 90 30"),
        ("strafe from 60 0 to 60 120", Strafe((6000, 0), (6000, 12000)), "mitraille de 60 0 vers 60 120"),
        ("deploy U1 at 90 10 face 10 in line", DeployAt("U1", (9000, 1000), 1000, "line"),
         "déploie U1 sur 90 10 face 10 en ligne"),
        ("evade yes left 10", EvadeCharge("yes", "left", 1000), "esquive oui gauche 10"),
        ("standing fire all hold", Standing("fire", "", "hold"), "consigne tire tous retient"),
        ("standing evade T1 close", Standing("evade", "T1", "close"), "consigne esquive T1 dense"),
    ],
)  # fmt: skip
def test_an_order_is_read_and_written_in_both_languages(line, command, french):
    """STP-ORD-02 to -08."""
    assert parse(line) == command
    assert write(command, "fr") == french
    assert parse(french) == command
    assert parse(write(command, "en")) == command


@pytest.mark.parametrize(
    "line",
    ["U1", "U1 move", "U1 move -3", "U1 move 3.123", "U1 face 360.01", "group U1 move 3", "end", "deploy U1 en 60 10",
     "U1 charge", "fire U1 C1", "standing evade maybe"],
)  # fmt: skip
def test_what_is_no_order_is_refused(line):
    with pytest.raises(Refusal) as refused:
        parse(line)
    assert refused.value.code == "core.parse"


def test_every_order_of_the_cases_reads_back():
    for path in some(CASES.glob("*.toml")):
        case = tomllib.loads(path.read_text())
        unreadable = {entry["order"] for entry in case.get("reject", ()) if entry["code"] == "core.parse"}
        for at, line in enumerate(case["orders"], 1):
            if at not in unreadable:
                command = parse(line.partition(":")[2].strip())
                assert parse(write(command, "en")) == command
                assert parse(write(command, "fr")) == command
