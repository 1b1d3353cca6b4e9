"""The one table of refusals: the rule that each refusal of an order names, by code (to-the-strongest.md 3,
singidunum.md 13, warmaster-shooting.md 3, shot-to-pieces.md 3).

Pages, cases and chapters are compared with it. `raised` and `shown` compare all codes of the program, those of umpires,
accounts and servers too, with the cases and tests that show them.
"""

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator, Set
from pathlib import Path

from replay.lab.lab import Rejection
from tests.support.cases import GAMES, case_files

RULES = {
    "tts.unit-gone": {"DIS-03"},
    "tts.never-holds": {"TRN-11"},
    "tts.corps-ended": {"TRN-04"},
    "tts.not-current-corps": {"TRN-04"},
    "tts.corps-empty": {"TRN-05"},
    "tts.no-corps-open": {"TRN-04"},
    "tts.not-off-field": {"MOV-12"},
    "tts.illegal-move": {"MOV-02", "GRP-01", "GRP-10"},
    "tts.bad-path": {"MOV-02"},
    "tts.bad-facing": {"MOV-05", "EVD-05"},
    "tts.same-facing": {"MOV-06"},
    "tts.held-by-zoc": {"ZOC-03", "ZOC-04", "ZOC-06"},
    "tts.must-face-holder": {"ZOC-03"},
    "tts.must-charge-holder": {"ZOC-03"},
    "tts.leaves-board": {"MOV-03"},
    "tts.impassable": {"MOV-03"},
    "tts.box-has-enemy": {"MOV-03"},
    "tts.diagonal-blocked": {"GEO-12"},
    "tts.stack-full": {"STK-01", "STK-02"},
    "tts.facing-mismatch": {"STK-04", "MOV-06"},
    "tts.cannot-charge": {"MEL-03"},
    "tts.not-in-front-zone": {"GEO-14"},
    "tts.no-target": {"MEL-01"},
    "tts.not-first-target": {"STK-05"},
    "tts.light-frontal": {"MEL-03"},
    "tts.no-missiles": {"SHT-03"},
    "tts.no-ammo": {"SHT-05"},
    "tts.no-double-shot": {"SHT-08"},
    "tts.no-shoot-and-move": {"SHT-09"},
    "tts.has-moved": {"SHT-11"},
    "tts.out-of-range": {"SHT-03"},
    "tts.out-of-arc": {"GEO-10"},
    "tts.no-line-of-sight": {"SHT-06"},
    "tts.alone-in-box": {"MOV-07"},
    "tts.not-disordered": {"RLY-02"},
    "tts.last-medal": {"RLY-04"},
    "tts.nothing-to-replenish": {"SHT-12", "SHT-13"},
    "tts.reserve-empty": {"SHT-12", "SHT-13"},
    "tts.no-such-formation": {"MOV-10"},
    "tts.march-not-first": {"GRP-10"},
    "tts.march-enemy-near": {"GRP-10"},
    "tts.march-not-open": {"GRP-10"},
    "tts.march-not-allowed": {"GRP-10"},
    "tts.not-light": {"MOV-08"},
    "tts.nobody-to-pass": {"MOV-08"},
    "tts.not-on-edge": {"MOV-11", "MOV-12"},
    "tts.too-early": {"MOV-12", "STR-05"},
    "tts.need-over-10": {"ACT-04"},
    "tts.group-size": {"GRP-01"},
    "tts.group-facing": {"GRP-02"},
    "tts.group-not-contiguous": {"GRP-02"},
    "tts.group-out-of-command": {"GRP-02"},
    "tts.group-disordered": {"GRP-02"},
    "tts.group-held": {"GRP-02"},
    "tts.group-activated": {"GRP-02"},
    "tts.group-artillery": {"GRP-02"},
    "tts.group-blocked": {"GRP-04"},
    "tts.general-gone": {"GEN-07", "GEN-04"},
    "tts.general-attached": {"GEN-04", "GEN-01"},
    "tts.general-moved": {"GEN-02"},
    "tts.general-not-his-corps": {"GEN-02"},
    "tts.general-too-far": {"GEN-02"},
    "tts.general-path": {"GEN-02"},
    "tts.general-no-such-company": {"GEN-03", "GEN-01"},
    "tts.camp-boxes": {"CMP-04"},
    "tts.camp-not-touched": {"CMP-04"},
    "tts.not-a-source": {"GEN-11"},
    "tts.not-a-candidate": {"GEN-08"},
    "singidunum.not-a-candidate": {"RET-02"},
    "singidunum.bad-retreat": {"RET-02"},
    "singidunum.army-closed": {"ARM-08"},
    "singidunum.deployment-closed": {"ARM-10"},
    "singidunum.no-such-counter": {"ARM-08", "EXT-TER-05"},
    "singidunum.module-off": {"ARM-08"},
    "singidunum.over-budget": {"ARM-04"},
    "singidunum.outside-zone": {"ARM-10"},
    "singidunum.terrain-closed": {"EXT-TER-01"},
    "singidunum.occupied": {"BRD-05", "MOV-02"},
    "singidunum.incomplete": {"ARM-08", "ARM-10"},
    "singidunum.not-a-general": {"EXT-GE-03"},
    "singidunum.general-activated": {"EXT-GE-04"},
    "singidunum.unit-gone": {"SEQ-02"},
    "singidunum.unit-activated": {"SEQ-02"},
    "singidunum.not-an-enemy": {"CBT-01"},
    "singidunum.bad-double": {"CBT-02"},
    "singidunum.general-range": {"EXT-GE-03"},
    "singidunum.bad-path": {"MOV-01"},
    "singidunum.not-plain": {"MOV-03"},
    "singidunum.contact-to-contact": {"MOV-05"},
    "singidunum.contact-stops": {"MOV-07"},
    "singidunum.two-enemies": {"MOV-06"},
    "singidunum.second-step-contact": {"EXT-LI-01"},
    "singidunum.may-not-attack": {"EXT-HA-01", "EXT-TER-02"},
    "singidunum.not-in-contact": {"CBT-01"},
    "singidunum.not-isolated": {"CBT-03"},
    "singidunum.not-archers": {"SHT-01"},
    "singidunum.shooter-in-contact": {"SHT-01"},
    "singidunum.out-of-range": {"SHT-02"},
    "singidunum.base-shot": {"SHT-04"},
    "singidunum.no-line": {"SHT-03"},
    "singidunum.no-stakes": {"EXT-TER-03"},
    "wms.not-nearest": {"TGT-03", "TGT-04", "TGT-05"},
    "wms.bad-removal": {"CAS-02"},
    "wms.not-in-queue": {"SEQ-05"},
    "wms.was-in-contact": {"CCF-02"},
    "wms.single-stands": {"SEQ-03", "CCF-08"},
    "wms.unit-gone": {"CAS-03"},
    "wms.no-missiles": {"SEQ-01"},
    "wms.already-shot": {"SEQ-01"},
    "wms.engaged": {"SEQ-02", "CCF-10"},
    "wms.not-a-target": {"TGT-01", "CCF-10"},
    "wms.not-its-stand": {"TGT-07"},
    "wms.no-target": {"TGT-02"},
    "wms.cannot-charge": {"CCF-10"},
    "wms.confused": {"CNF-07"},
    "wms.too-far": {"CCF-10"},
    "wms.off-table": {"CCF-10"},
    "wms.path-blocked": {"CCF-10"},
    "wms.no-contact": {"CCF-10"},
    "stp.already-fired": {"SEQ-02"},
    "stp.already-moved": {"ACT-08"},
    "stp.bad-direction": {"EVD-07", "MOV-02", "MOV-03"},
    "stp.bad-formation": {"FRM-01", "GAP-25"},
    "stp.battery-split": {"ART-03", "ART-04"},
    "stp.cannot-back": {"MOV-06"},
    "stp.charge-due": {"ZOC-05", "GSC-04", "EVT-03"},
    "stp.charge-forbidden": {"MEL-09", "CHG-03"},
    "stp.charge-limit": {"CHG-02"},
    "stp.charges-pending": {"SEQ-07"},
    "stp.corps-broken": {"MOR-03", "MOR-04"},
    "stp.crossing-charge": {"MOV-01"},
    "stp.dead-zone": {"ACW-02", "F70-03", "WW1-08"},
    "stp.deployment-incomplete": {"GAP-25"},
    "stp.direct-target-exists": {"ART-02"},
    "stp.flank-in-zoc": {"ZOC-09"},
    "stp.flank-needed": {"MOV-03"},
    "stp.general-gone": {"GAP-07"},
    "stp.graze": {"ZOC-02"},
    "stp.immobilised": {"ZOC-04", "EVT-12"},
    "stp.in-zoc": {"FRM-04"},
    "stp.insufficient-points": {"ACT-03"},
    "stp.interdicted": {"ZOC-07"},
    "stp.leaves-table": {"GEO-01"},
    "stp.limit-reached": {"ACW-05"},
    "stp.march-column": {"FRM-03"},
    "stp.melee-closed": {"MEL-06"},
    "stp.mixed-orders": {"ACT-05"},
    "stp.mixed-salvo": {"FIR-04"},
    "stp.moved-too-far": {"MOV-15"},
    "stp.no-fire-value": {"FIR-01"},
    "stp.no-general": {"CMD-02"},
    "stp.no-indirect": {"ART-02"},
    "stp.no-interpenetration": {"ACW-05"},
    "stp.no-lane": {"GEO-07"},
    "stp.no-strafe": {"WW1-11"},
    "stp.no-such-place-to-go": {"ORD-10"},
    "stp.not-a-candidate": {"DEC-01"},
    "stp.not-a-group": {"ACT-05", "EMP-10"},
    "stp.not-abutting": {"FIR-04"},
    "stp.not-an-enemy": {"CHG-01"},
    "stp.not-artillery": {"MOV-15"},
    "stp.not-attached": {"CMD-06"},
    "stp.not-behind": {"MOV-04"},
    "stp.not-eligible": {"CHG-07", "CHG-09", "EVD-10", "BLD-01"},
    "stp.not-emplaced": {"WW1-08"},
    "stp.not-his-corps": {"CMD-06"},
    "stp.not-nearest": {"FIR-02", "GSC-04", "ACT-11"},
    "stp.not-on-edge": {"WW1-11"},
    "stp.not-visible": {"VIS-01"},
    "stp.option-off": {"OPT-07"},
    "stp.order-already-tried": {"CMD-02"},
    "stp.order-quota": {"CMD-03", "CMD-04"},
    "stp.out-of-arc": {"GEO-06"},
    "stp.out-of-range": {"FIR-02"},
    "stp.out-of-reach": {"CHG-06"},
    "stp.outside-deployment-zone": {"GAP-02"},
    "stp.overlap": {"GEO-02"},
    "stp.partial-detachment": {"OPT-07"},
    "stp.path-blocked": {"GEO-02", "GEO-21", "CHG-01", "CHG-10", "ACW-05"},
    "stp.pinned": {"MEL-12", "MEL-20"},
    "stp.same-order": {"CMD-02"},
    "stp.target-engaged": {"MEL-07"},
    "stp.target-gone": {"CHG-01"},
    "stp.too-far": {"MOV-01", "MOV-06", "MOV-07", "MOV-12", "MOV-15", "ACT-04"},
    "stp.unit-engaged": {"MEL-10", "MEL-07"},
    "stp.unit-gone": {"RES-09"},
    "stp.unit-shaken": {"MOV-14"},
    "stp.wrong-step": {"SEQ-07"},
}
"""Code to the rules that it may name, without the prefix of the game; some codes serve several orders."""


OTHER_PHASES = ("TTS-TER", "TTS-SCT", "TTS-DEP", "TTS-STR")
"""Before the turns, and for stratagems, the same codes serve other rules, which the table does not list."""


def wrong_rules(rejections: Iterable[Rejection]) -> Iterator[str]:
    """The refusals that name another rule than the table does."""
    for rejection in rejections:
        if rejection.rule.startswith(OTHER_PHASES) or rejection.code.startswith("core."):
            continue
        allowed = RULES.get(rejection.code)
        if allowed is None:
            yield f"{rejection.code} is in no table (refusal_rules.RULES)"
        elif rejection.rule.partition("-")[2] not in allowed:
            yield f"{rejection.code} names {rejection.rule}, not {' or '.join(sorted(allowed))}"


CODE = re.compile(r"(tts|singidunum|wms|stp)\.[a-z0-9-]+")
OF_AN_UMPIRE = re.compile(r"[a-z]+\.correct-")
"""Refusals of corrections: no order of a case is one, so that tests alone show them."""


def codes_in(source: str) -> set[str]:
    """The codes of a game that a module names."""
    texts = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    return {text for text in texts if isinstance(text, str) and CODE.fullmatch(text)}


def codes_of_cases() -> set[str]:
    """The codes that a case of any game is refused with."""
    files = (path for game in GAMES.iterdir() if game.is_dir() for path in case_files(game))
    return {entry["code"] for path in files for entry in tomllib.loads(path.read_text()).get("reject", ())}


def without_a_case(source: str, seen: set[str]) -> set[str]:
    """The codes of a module of the rules that no case is refused with."""
    return {code for code in codes_in(source) - seen if not OF_AN_UMPIRE.match(code)}


# --- all codes of the program

ROOT = Path(__file__).parents[2]
PROGRAM = ("domain", "replay", "projections", "server", "phalera")
ANY_CODE = re.compile(r"(core|campaign|club|tts|singidunum|wms|stp)\.[a-z][a-z0-9-]*")
LISTS = frozenset({"refusal_rules.py", "test_words.py"})
"""Tests that name codes for their sentences, and raise none."""
NAMED_SHORT = frozenset({"refused", "match"})
"""Functions and keywords that take a code without its prefix."""


def raised(source: str) -> set[str]:
    """The codes with which a module refuses: in `Refusal(…)`; where a code is computed, every code that it names."""
    tree = ast.parse(source)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _name(node.func) == "Refusal"]
    given = [_texts(node.args[0]) for node in calls if node.args]
    if all(given):
        return {code for texts in given for code in texts if ANY_CODE.fullmatch(code)}
    return {text for text in _texts(tree) if ANY_CODE.fullmatch(text)}


def raised_by_the_program() -> dict[str, str]:
    """Every code to a module that refuses with it."""
    modules = [path for folder in PROGRAM for path in sorted((ROOT / folder).rglob("*.py"))]
    return {code: path.relative_to(ROOT).as_posix() for path in modules for code in raised(path.read_text())}


def shown(source: str) -> set[str]:
    """The codes that a test names; `.code` for one that it names without its prefix."""
    tree = ast.parse(source)
    whole = {code[0] for text in _texts(tree) for code in ANY_CODE.finditer(text.replace("\\", ""))}
    short: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg in NAMED_SHORT:
            short |= _texts(node.value)
        if isinstance(node, ast.Call) and _name(node.func) in NAMED_SHORT:
            short |= {text for given in node.args for text in _texts(given)}
    return whole | {f".{text}" for text in short}


def shown_by_tests() -> set[str]:
    """The codes of all cases and tests."""
    tests = [path for path in sorted((ROOT / "tests").rglob("*.py")) if path.name not in LISTS]
    return codes_of_cases() | {code for path in tests for code in shown(path.read_text())}


def unshown(raised_: Iterable[str], seen: Set[str]) -> set[str]:
    """The codes that no case and no test shows."""
    return {code for code in raised_ if code not in seen and f".{code.partition('.')[2]}" not in seen}


def _name(node: ast.expr) -> str:
    return str(getattr(node, "id", getattr(node, "attr", "")))


def _texts(node: ast.AST) -> set[str]:
    found = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
    texts = (text.decode(errors="replace") if isinstance(text, bytes) else text for text in found)
    return {text for text in texts if isinstance(text, str)}
