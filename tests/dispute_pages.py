"""The page of disputes on the site of the docs: the questions of each game, their rulings, and a battle for each.

python -m tests.dispute_pages     # keep it anew, after a change of a ruling, its case, or of `why`

The rulings are read from `rules.toml` and told by `phalera why` about the case of each question.
"""

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from typer.testing import CliRunner

from replay import battle_file
from replay.battle_file import BattleFile
from replay.reports.plain import known_at
from replay.telling.why import Explanation, ToldRuling, explain
from server.cli.main import main as phalera
from tests.support import case_battle
from tests.support.case_battle import case
from tests.support.cases import case_path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "tests" / "replay" / "telling" / "disputes.md"
FIRST_CASE = 701
"""The case of question 1; the others follow."""
RISES: tuple[tuple[int, str, dict[str, Any]], ...] = (
    (1, "CardReplayed", {}),
    (2, "TurnBegan", {"side": "north"}),
    (3, "ActivationFailed", {}),
    (4, "ActivationPassed", {"needed": 5}),
    (5, "MoraleFailed", {}),
    (6, "RallyFailed", {}),
    (7, "EvadeFailed", {}),
    (8, "ChargeDeclared", {"unit": "R1"}),
    (9, "AttackBegan", {"attacker": "R1"}),
    (10, "AttackBegan", {"kind": "second"}),
    (11, "AttackBegan", {"kind": "reply"}),
    (12, "UnitMoved", {}),
    (13, "ShotDeclared", {}),
    (14, "MedalsTransferred", {"reason": "return"}),
    (15, "ActivationPassed", {"unit": "R3"}),
    (15, "GeneralSaved", {}),
    (15, "GeneralJoined", {}),
)
"""For each question, and each side of one that has several, the event of its case that is asked about."""
SINGIDUNUM: tuple[tuple[int, int, str, dict[str, Any]], ...] = (
    (1, 1, "AttackDeclared", {}),
    (1, 21, "CombatForced", {}),
    (2, 12, "ShotDeclared", {}),
    (3, 5, "SecondRetreatRefused", {}),
    (4, 11, "UnitFled", {}),
    (4, 203, "UnitEliminated", {"cause": "fall"}),
    (5, 17, "BurnBlocked", {"reason": "retreated"}),
    (6, 6, "DecisionAsked", {"kind": "pursuit"}),
)
"""The same of the six questions of Singidunum, with the case in which each arises."""


class Shown(Struct, frozen=True):
    """A question asked of a kept battle, whose file holds to the last draw."""

    number: int
    file: str
    event: str
    members: dict[str, Any]
    lang: str = "en"


SHOWN = (
    Shown(8, "tests/golden/phases.battle", "ChargeDeclared", {"aspect": "flank"}),
    Shown(3, "tests/golden/medals.battle", "ActivationFailed", {}, "fr"),
)

HEAD = """# What people dispute

Made from rules, cases and `phalera why` by `python -m tests.dispute_pages`; a test fails when it is out of date.

Where a question that comes up at every table arises in a battle, `phalera why FILE N` answers it below the explanation
of event `N`, after the words "Often asked", with the options of that battle.

*Asked of* is the type of the event that is explained in the case.

## To the Strongest!

Fifteen questions; the rules are in [rules/tts.md](rules/tts.md).

"""
TABLE = """| # | question | answer in that case | rules | case | asked of |
|---|---|---|---|---|---|
"""
SINGIDUNUM_HEAD = """
## Singidunum

Six questions; the rules are in [rules/singidunum.md](rules/singidunum.md).

"""
EXAMPLES = """
## Two examples

The battles of [tests/golden](../../tests/golden) are complete and fair: `phalera verify` proves them.
"""


def event_of(battle: BattleFile, event: str, members: dict[str, Any]) -> int:
    """The number of the first event of a type that has these members.

    Raises:  LookupError
    """
    for recorded in battle.events:
        data = msgspec.to_builtins(recorded.event)
        if recorded.type == event and all(data.get(name) == value for name, value in members.items()):
            return recorded.n
    raise LookupError(f"no {event} with {members}")


def ruling_of(number: int, event: str, members: dict[str, Any], of_case: int = 0, game: str = "tts") -> ToldRuling:
    """The answer that is given to a question at an event of a case; without one, of the case made for it."""
    table = case(of_case or FIRST_CASE + number - 1, game=game)
    battle = battle_file.parse(case_battle.battle_file(table))
    n = event_of(battle, event, members)
    (ruling,) = [ruling for ruling in _told(battle, n).rulings if ruling.number == number]
    return ruling


def _told(battle: BattleFile, n: int) -> Explanation:
    return explain(battle.ruleset, known_at(battle, n - 1), battle.events[:n], battle.events[n:])


def page() -> str:
    """The whole page."""
    first = "".join(_row(number, FIRST_CASE + number - 1, event, members) for number, event, members in RISES)
    second = "".join(_row(*asked, game="singidunum") for asked in SINGIDUNUM)
    return HEAD + TABLE + first + SINGIDUNUM_HEAD + TABLE + second + EXAMPLES + "".join(map(_example, SHOWN))


def _row(number: int, of_case: int, event: str, members: dict[str, Any], game: str = "tts") -> str:
    ruling = ruling_of(number, event, members, of_case, game)
    path = case_path(of_case, game)
    shown = f"[{path.name.partition('-')[0]}](../../{path.relative_to(ROOT).as_posix()})"
    return f"| {number} | {ruling.question} | {ruling.text} | {', '.join(ruling.rules)} | {shown} | `{event}` |\n"


def _example(shown: Shown) -> str:
    """The command, and what it prints.

    Raises:  LookupError if it does not answer the question
    """
    path = ROOT / shown.file
    battle = battle_file.load(str(path))
    n = event_of(battle, shown.event, shown.members)
    lang = [] if shown.lang == "en" else ["--lang", shown.lang]
    printed = CliRunner(env={"PHALERA_LANG": None}).invoke(phalera, ["why", str(path), str(n), *lang]).stdout
    answered = [ruling.number for ruling in _told(battle, n).rulings]
    if shown.number not in answered:
        raise LookupError(f"question {shown.number} is not answered at event {n} of {shown.file}")
    command = " ".join(["phalera why", shown.file, str(n), *lang])
    return f"\nQuestion {shown.number}:\n\n```sh\n{command}\n```\n\n```text\n{printed.rstrip()}\n```\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
