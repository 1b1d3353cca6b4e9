"""Read case files and print their results."""

from collections.abc import Iterator, Mapping
from typing import Any

from domain.basics.data import parse_toml
from domain.basics.decoding import convert
from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset
from domain.events.battle import Fact
from domain.run.decide import evolve
from domain.run.timeline import catalogue_of
from replay.bench.bench import CaseResult, UnreadableCase
from replay.telling.words import ENGLISH, phrase, tell


def read_case(content: bytes, name: str) -> dict[str, Any]:
    """Parse a case file into a table.

    Raises:  Refusal `core.bad-toml`; UnreadableCase if it is not text
    """
    try:
        return parse_toml(content.decode(), name)
    except UnicodeDecodeError:
        raise UnreadableCase("the file is not UTF-8 text") from None


def case_lines(case: Mapping[str, Any], result: CaseResult, lang: str = ENGLISH) -> Iterator[str]:
    """A case as lines to read: what happened, what was refused, and what should be different.

    Shape: `result` must be in the same language (`run_case`), because it quotes the refusals
    """
    if case.get("title"):
        yield f"{case['title']}\n"
    yield from _events(RULESETS[str(case["ruleset"])], result, lang)
    for rejection in result.rejections:
        order = case["orders"][rejection.order - 1]
        yield phrase("case.refused", {"order": rejection.order, "text": order, "said": rejection.message}, lang)
    yield ""
    yield from (phrase("case.failed", {"failure": failure}, lang) for failure in result.failures)
    count = len(result.failures)
    yield phrase("case.count", {"count": count}, lang) if count else phrase("case.ok", {}, lang)


def _events(ruleset: Ruleset, result: CaseResult, lang: str) -> Iterator[str]:
    catalogue = catalogue_of(ruleset)
    state: Any = ruleset.rules.initial
    for entry in result.events:
        event = convert(entry["data"], catalogue[entry["type"]])
        yield f"{entry['n']:>4}  {tell(ruleset, state, Fact(entry['by'], entry['rule'], event), lang)}"
        state = evolve(ruleset, state, event, entry["n"])
