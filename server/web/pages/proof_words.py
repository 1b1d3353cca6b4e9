"""The words of a verdict for the check of the proof in a browser: a script made from the catalogues.

The lines are those of `phalera verify`, in every language, so that a page and one file alone can say them without
asking a host. `python -m tests.proof_tables` makes `proof_words.js`, and a test compares it with the catalogues.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset
from replay.telling.words.catalogue import LANGUAGES, find
from replay.telling.words.sentences import fragment
from server.web.pages.rendering import SCRIPT_WORDS

FIRST_LINE = (
    "// Made from the catalogues by `python -m tests.proof_tables`: the words of a verdict, in every language.\n"
)
ALL_AND_NONE = ("all", "stranger")
"""Those who may know the beginning of a branch, beside the seats."""
OFFICES = ("umpire", "server")
"""Those who act in a battle without a seat."""
VERDICT = (
    *("not-a-file", "ended", "running", "host-kid", "own-key", "draws", "draws-in-part", "continued"),
    *("seat", "holder", "seat-plain", "seat-sealed", "seat-bot", "seat-operator", "seat-program"),
    *("seat-without-phrase", "seat-unsigned", "seat-kid", "seat-signed", "listed", "umpire-unsigned", "holds", "open"),
    *("scenario-packaged", "scenario-own", "given", "keys-to-come", "umpire-key"),
    *("branch", "branch-of-case", "on-trust"),
)
"""The lines of a verdict that a browser can say: nothing of the moves, of heads or of other files."""
ACTS = (
    *(
        "umpire",
        "umpire-said",
        "ruling",
        "flag",
        "settled",
        "rewound",
        "corrected",
        "left",
        "substitute",
        "substitute-asked",
    ),
    *("substitute-silent", "stopped", "cancelled", "rules", "key", "book", "clock-claim", "clock-vacation"),
    *("clock-vacation-over", "clock-pause-asked", "clock-pause", "clock-pause-over", "clock-deadline", "called-off"),
    *("own-claim", "own-vacation", "own-pause-asked", "own-pause", "own-left"),
)
AUTHORITIES = (
    *("opening", "agreement", "agreed", "withdrawn", "declined", "lapsed", "ruled", "umpire", "own", "host", "clock"),
    *("ordering-on", "old-key"),
)
VERIFIER = (
    *("title", "what", "choose", "again", "other-version", "unknown-game", "own-hash", "too-large"),
    *("lang", "progress"),
)
"""The sentences of the one file that verifies (`pages.verifier.NAME`)."""


def words_script(rulesets: Mapping[str, Ruleset] = RULESETS) -> str:
    """The script, byte for byte the same from the same catalogues and the same seats of the games."""
    seats = sorted({seat for ruleset in rulesets.values() for seat in ruleset.seats.names})
    words = {lang: _words(lang, seats) for lang in sorted(LANGUAGES)}
    return (
        f"{FIRST_LINE}/** @type {{any}} */\nexport const WORDS = {json.dumps(words, ensure_ascii=False, indent=0)};\n"
    )


def _words(lang: str, seats: Sequence[str]) -> Mapping[str, Any]:
    ids = [*VERDICT, *(f"act-{act}" for act in ACTS), *(f"authority-{one}" for one in AUTHORITIES)]
    lines = {name: find(f"verdict.{name}", lang) or "" for name in ids}
    script = {name: find(f"pages.script.{name}", lang) for name in sorted(SCRIPT_WORDS) if name.startswith("proof-")}
    own = {name: find(f"pages.verifier.{name}", lang) for name in VERIFIER}
    sides = {form: _sides(form, lang, (*seats, *OFFICES)) for form in ("side", "~side")}
    known = {who: find(f"known.{who}", lang) for who in (*ALL_AND_NONE, *seats)}
    sides["known"] = {who: text for who, text in known.items() if text is not None}
    return {"verdict": lines, "sides": sides, "script": script, "verifier": own}


def _sides(form: str, lang: str, sides: Sequence[str]) -> Mapping[str, str]:
    """How a sentence names each side, the seats of the games and those who are none."""
    found = {"side": "verdict.seat", "~side": "verdict.act-clock-claim"}
    template = find(found[form], lang) or ""
    gap = "{side:side}" if form == "side" else "{who:~side}"
    before, _, after = template.partition(gap)
    return {side: _named(found[form], side, before, after, lang) for side in sides}


def _named(msgid: str, side: str, before: str, after: str, lang: str) -> str:
    text = fragment(msgid, {"side": side, "who": side, "n": 1}, lang)
    return text.removeprefix(before.replace("{n}", "1")).removesuffix(after)
