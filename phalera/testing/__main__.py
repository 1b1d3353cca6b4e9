"""`python -m phalera.testing CODE`: the checks of an installed game, and what it lacks (`phalera game check`)."""

import json
import sys
from collections.abc import Sequence
from typing import Any

from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from phalera.testing import Check, Game, checks_of, missing
from replay.telling.words import refusal_sentence

OK, FAILED, UNUSABLE = 0, 1, 2


def fault_of(check: Check) -> str:
    """What does not hold, in a line; "" if it does."""
    try:
        check.run()
    except Refusal as refusal:
        return refusal_sentence(refusal)
    except AssertionError as fault:
        return str(fault) or "it does not hold"
    except Exception as error:  # a game under test may fail in any way
        return f"{type(error).__name__}: {error}"
    return ""


def results_of(code: str) -> dict[str, Any]:
    """All that the checks of a game find, as plain values."""
    game = Game(code)
    checks = [{"check": str(check), "says": check.rule.says, "fault": fault_of(check)} for check in checks_of(code)]
    lacking = [{"ability": one.name, "declared": one.declared, "gives": one.gives} for one in missing(game)]
    return {"game": code, "title": game.ruleset.title, "checks": checks, "missing": lacking}


def text_of(results: dict[str, Any]) -> list[str]:
    """The results as lines."""
    lines = [f"{results['title']} ({results['game']})", ""]
    for row in results["checks"]:
        lines.append(f"{'FAILS' if row['fault'] else 'holds'}  {row['says']}")
        lines += [f"       {line}" for line in row["fault"].splitlines()]
    if results["missing"]:
        lines += ["", "It lacks, and may lack:"]
        lines += [f"  {row['ability'].ljust(10)} {row['declared']}: gives {row['gives']}" for row in results["missing"]]
    faults = sum(bool(row["fault"]) for row in results["checks"])
    return [*lines, "", f"{len(results['checks'])} checks, {faults} do not hold."]


def main(arguments: Sequence[str]) -> int:
    """The exit code; the results are printed."""
    code, *options = arguments or ("",)
    if code not in RULESETS:
        print(f"phalera: there is no game “{code}” here; there are {', '.join(RULESETS)}.", file=sys.stderr)
        return UNUSABLE
    try:
        results = results_of(code)
    except Refusal as refusal:
        print(f"phalera: {refusal_sentence(refusal)}", file=sys.stderr)
        return FAILED
    told = json.dumps(results, ensure_ascii=False, indent=2) if "--json" in options else "\n".join(text_of(results))
    print(told)
    return FAILED if any(row["fault"] for row in results["checks"]) else OK


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
