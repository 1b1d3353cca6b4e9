"""The rule that each refusal names: the tables of to-the-strongest.md 3, by code."""

from collections.abc import Iterable, Iterator

from replay.lab.lab import Rejection

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
}
"""Code to the rules that it may name, without `TTS-`; some codes serve several orders."""


OTHER_PHASES = ("TTS-TER", "TTS-SCT", "TTS-DEP", "TTS-STR")
"""Before the turns, and for stratagems, the same codes serve other rules, which the table does not list."""


def wrong_rules(rejections: Iterable[Rejection]) -> Iterator[str]:
    """The refusals that name another rule than the table does."""
    for rejection in rejections:
        allowed = RULES.get(rejection.code)
        if rejection.rule.startswith(OTHER_PHASES):
            continue
        if allowed and rejection.rule.removeprefix("TTS-") not in allowed:
            yield f"{rejection.code} names {rejection.rule}, not {' or '.join(sorted(allowed))}"
