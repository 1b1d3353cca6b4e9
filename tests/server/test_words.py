"""The server says the same in every language, all of what it needs, and nothing else.

Its catalogues are `server/locale/LANG/LC_MESSAGES/DOMAIN.po`. An id is used where the sources of the server name it
whole, or by the beginning that an f-string gives it; `weekday.3` is one of an entry that a sentence names by its form.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from replay.telling.words import LANGUAGES
from replay.telling.words.po import read_po
from server.words import DOMAINS, say
from tests.support.french import english_in
from tests.support.looping import some

ROOT = Path(__file__).parents[2]
LOCALE = ROOT / "server" / "locale"
SAMPLE = re.compile(r"\{[^{}]*\}")
FORM = re.compile(r"\{[^{}:]*:(?:or |and |comma )?~?([a-z_.-]+)\}")
COUNT = re.compile(r"\{[^{}:]*:#([a-z_]+)\}")
PAIRS = [(lang, domain) for lang in sorted(LANGUAGES) for domain in DOMAINS]
TEMPLATES = sorted((ROOT / "server").rglob("*.html"))
QUOTED = re.compile(r"""["']([a-z]+\.[\w.-]*)["']""")
SAYS = frozenset({"say", "phrase", "fragment"})


def texts(lang: str, domain: str) -> dict[str, str]:
    """The texts by id; those of plural forms below one another."""
    path = LOCALE / lang / "LC_MESSAGES" / f"{domain}.po"
    return {msgid: "\n".join(forms) for msgid, forms in read_po(path.read_text(encoding="utf-8")).texts.items()}


def sources() -> Iterator[ast.AST]:
    for path in sorted((ROOT / "server").rglob("*.py")):
        yield ast.parse(path.read_text(encoding="utf-8"))


@cache
def literals() -> tuple[set[str], set[str], set[str]]:
    """The texts in the sources, the beginnings of f-strings, and the ids that are said."""
    whole: set[str] = set(QUOTED.findall("".join(path.read_text(encoding="utf-8") for path in TEMPLATES)))
    beginnings: set[str] = {text for text in whole if text.endswith(".")}
    said: set[str] = set()
    for tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                whole.add(node.value)
            elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                beginnings.add(str(node.values[0].value))
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAYS:
                given = {str(arg.value) for arg in node.args[:2] if isinstance(arg, ast.Constant)}
                said |= {text for text in given if "." in text}
    return whole, {text for text in beginnings if text.endswith(".")}, said


@pytest.mark.parametrize("domain", DOMAINS)
def test_all_languages_have_the_same_ids(domain):
    english, *others = [set(texts(lang, domain)) for lang in ("en", *sorted(set(LANGUAGES) - {"en"}))]
    assert all(other == english for other in others)


@pytest.mark.parametrize(("lang", "domain"), PAIRS)
def test_no_text_is_missing_and_gaps_are_those_of_the_english(lang, domain):
    english = texts("en", domain)
    for msgid, text in some(texts(lang, domain).items()):
        assert text.strip(), msgid
        names = {gap.strip("{}").partition(":")[0] for gap in SAMPLE.findall(text)}
        assert names == {gap.strip("{}").partition(":")[0] for gap in SAMPLE.findall(english[msgid])}, msgid


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_id_is_used(domain):
    whole, beginnings, _ = literals()
    english = texts("en", domain)
    forms = {form for text in english.values() for form in FORM.findall(text)}
    counts = {noun for text in english.values() for noun in COUNT.findall(text)}
    unused = [
        msgid
        for msgid in english
        if msgid not in whole
        and not any(msgid.startswith(beginning) for beginning in beginnings)
        and msgid.rpartition(".")[0] not in forms
        and not (msgid.startswith("#") and (msgid[1:] in counts or msgid[1:] in whole))
    ]
    assert unused == []


def test_every_id_that_is_said_has_its_sentence():
    known = {msgid for domain in DOMAINS for msgid in texts("en", domain)}
    prefixes = {msgid.partition(".")[0] for msgid in known}
    _, _, said = literals()
    missing = [msgid for msgid in said if msgid.partition(".")[0] in prefixes - {"core"} and msgid not in known]
    assert missing == []


@pytest.mark.parametrize("domain", DOMAINS)
def test_french_is_french(domain):
    for msgid, text in some(texts("fr", domain).items()):
        plain = re.sub(r"“[^”]*”|«[^»]*»|`[^`]*`|\{[^{}]*\}|https?:\S+|--\w+|[A-Z]{2,}", "", text)
        assert english_in(plain) == [], msgid


def test_a_sentence_begins_with_a_capital_in_both():
    assert say("en", "letter.foot.head", n=3) == "Keep this mail: it ends with the signed head of the log at event 3."
    assert say("fr", "letter.foot.head", n=3).startswith("Gardez ce courriel")
    assert say("tlh", "letter.foot.head", n=3) == say("en", "letter.foot.head", n=3)
