"""The form that a value takes in a sentence.

`{card}` as it is, a list joined with "and", or as `{cards:or}` with "or"; `{unit:unit}` an id with
its troop type, "R1 (heavy foot)"; `{unit:at}` the box where it stands; `{factors:sum}` a reckoning
without rule IDs, "7, +1 cover"; `{factors:reasons}` only what they are for; `{n:#point}` a
number with its noun; `{reserve:stocks}` markers with their numbers, "arrows 2 and bolts 1";
`{size:+taken}` the sum with another member; `{points:quarters}` quarter points as points;
`{card:card}` a card by rank and suit, "K♥"; `{remedy:remedy}` what a dispute comes to;
`{text:spoken}` one of several texts, by the reader's language;
`{length_hcm:hundredths}` hundredths as decimals, "12.5", those of a point with a slash between them;
`{attack:score}` a score with what it is made of, "3, +1 elite, die 4".
Any other form names entries of the catalogue: `{aspect:aspect}` is what stands there under
`aspect.flank`, `{allowed:or facing}` several joined with "or". With a tilde, `{by:~side}`, a value
without an entry stands as it is. `{factors:sum}` is the reckoning of a number, of all that the message
brings for it: `needed`, `base`, `sign`, `last` and `factors`.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from domain.mechanics.notation import decimal_text
from replay.telling.words.catalogue import ENGLISH, count, find, report
from replay.telling.words.names import name_in

QUARTERS = ("", "¼", "½", "¾")
SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
CARD = re.compile(r"(10|[1-9AJQKX])([cdhs]?)")


class Speaker:
    """The forms of one message in one language; `params` are what the message tells."""

    def __init__(self, params: Mapping[str, Any], lang: str) -> None:
        self._params = params
        self._lang = lang

    def say(self, form: str, value: Any) -> str:
        """A value in a form."""
        special = _SPECIAL.get(form)
        if special:
            return special(self, value)
        if form.startswith("#"):
            return count(form[1:], value, self._lang)
        if form.startswith("+"):
            return str(value + self._params[form[1:]])
        how, _, words = form.rpartition(" ")
        return self.join([self.word(words, item) for item in _items(value)], how or "and")

    def word(self, form: str, value: Any) -> str:
        """A value under its entry in the catalogue; "" leaves it as it is."""
        plain = _plain(value)
        if not form:
            return plain
        text = find(f"{form.lstrip('~')}.{plain}", self._lang)
        if text is None and not form.startswith("~"):
            report(f"{form}.{plain}")
        return plain if text is None else text

    def join(self, items: Iterable[str], how: str = "and") -> str:
        """A list: "R1, R2 and R3"."""
        *most, last = list(items) or [""]
        if not most:
            return last
        return (find(f"list.{how}", self._lang) or "{}, {}").format(", ".join(most), last)

    def any_of(self, value: Any) -> str:
        """A list: "R1, R2 or R3"."""
        return self.join([_plain(item) for item in _items(value)], "or")

    def unit(self, value: Any) -> str:
        """Ids, each with its troop type where the message knows it."""
        kinds = self._params.get("kinds", {})
        return self.join([self._unit(item, kinds.get(item, "")) for item in _items(value)])

    def _unit(self, name: str, kind: str) -> str:
        return f"{name} ({self.word('type', kind)})" if kind else name

    def place(self, value: Any) -> str:
        """The box where a piece stands."""
        return self._params.get("places", {}).get(value) or "?"

    def sum(self, _: Any) -> str:
        """A reckoning without rule IDs: "7, less 1: light"."""
        said = self._params
        lines, sign, needed = said.get("factors", ()), said.get("sign", 1), said.get("needed")
        base = said.get("base")
        if base is None and needed is not None:
            base = needed - sign * sum(line["plus"] for line in lines)
        return ", ".join(self.reckoned(base, lines, needed, sign, said.get("last", 0)))

    def reckoned(
        self,
        base: int | None,
        lines: Sequence[Mapping[str, Any]],
        needed: int | None = None,
        sign: int = 1,
        last: int = 0,
        cite: bool = False,
    ) -> list[str]:
        """The parts of a reckoning, the first being what it starts from.

        Shape: needed = base + sign × Σ plus, kept within what the rule allows; `last` is the card that had to be
               beaten, 0 for none; with `cite` each line names its rule
        """
        parts = [] if base is None else [self._sum("last", last=last) if last and base == last + 1 else str(base)]
        for line in lines:
            effect, why = sign * line["plus"], self.word("why", line["why"])
            said = self._sum("less" if effect < 0 else "more", plus=abs(effect), why=why)
            parts.append(f"{said} [{line['rule']}]" if cite else said)
        if lines and base is not None and needed is not None:
            over = base + sign * sum(line["plus"] for line in lines) - needed
            parts += [self._sum("at-least" if over < 0 else "at-most", needed=needed)] if over else []
        return parts

    def _sum(self, part: str, **gaps: Any) -> str:
        return (find(f"sum.{part}", self._lang) or part).format(**gaps)

    def stocks(self, value: Any) -> str:
        """Markers, each with its number: "arrows 2 and bolts 1"."""
        return self.join([f"{self.word('stock', marker)} {number}" for marker, number in value.items()])

    def reasons(self, value: Any) -> str:
        """What the factors are for."""
        return self.join([self.word("why", line["why"]) for line in value])

    def quarters(self, value: Any) -> str:
        """Quarter points as points: 6 is "1½"."""
        whole, rest = divmod(value, 4)
        return f"{whole or ''}{QUARTERS[rest]}" or "0"

    def hundredths(self, value: Any) -> str:
        """Hundredths with the decimal mark of the language: 1250 is "12.5"; the two of a point, "90 / 42.5"."""
        mark = find("number.mark", self._lang) or "."
        return " / ".join(decimal_text(item, 2).replace(".", mark) for item in _items(value))

    def score(self, value: Any) -> str:
        """What a score is made of, given as `base`, `factors` and `die`: "3, +1 elite, die 4"."""
        parts = self.reckoned(value["base"], value["factors"])
        return ", ".join([*parts, self._sum("die", die=value["die"])])

    def card(self, value: Any) -> str:
        """Cards by rank and suit; court cards have names of their own in each language."""
        return self.join([self._card(str(item)) for item in _items(value)])

    def _card(self, code: str) -> str:
        read = CARD.match(code)
        return self.word("~rank", read[1]) + SUITS.get(read[2], "") if read else code

    def remedy(self, value: Any) -> str:
        """A remedy of a dispute: "play goes back to event 57"."""
        what, _, of = str(value).partition(" ")
        text = find(f"remedy.{what}", self._lang)
        return str(value) if text is None else text.format(to=of, side=self.word("~side", of))

    def name(self, value: Any) -> str:
        """What a packaged scenario calls a battle, a side or a part of one."""
        return name_in(str(value), self._lang)

    def spoken(self, value: Any) -> str:
        """One of several texts by language, which the data of a game brings."""
        return str(value.get(self._lang) or value[ENGLISH])


def _items(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


_SPECIAL: dict[str, Callable[[Speaker, Any], str]] = {
    "or": Speaker.any_of,
    "unit": Speaker.unit,
    "at": Speaker.place,
    "sum": Speaker.sum,
    "stocks": Speaker.stocks,
    "reasons": Speaker.reasons,
    "quarters": Speaker.quarters,
    "hundredths": Speaker.hundredths,
    "score": Speaker.score,
    "card": Speaker.card,
    "remedy": Speaker.remedy,
    "spoken": Speaker.spoken,
    "name": Speaker.name,
}
