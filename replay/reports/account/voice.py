"""The words of a story: what is told of an event, who is named how, and in which of several turns of phrase.

A story has texts of its own for the events that it tells (`story.ID` in the catalogue, ID being the message of the
event), as clauses that others join to sentences; of variants (`story.ID~2` …) each is used in turn. Without a text an
event is not told. In them `{unit:who}` names units: with what they are when a paragraph names them first, then by
their ids alone. `{side:army}` is the name of an army.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from domain.basics.message import Message
from replay.reports.account.reading import ReportReading
from replay.telling.words import phrase, worded
from replay.telling.words.catalogue import find
from replay.telling.words.forms import Speaker
from replay.telling.words.names import name_in
from replay.telling.words.template import fill

STORY = "story"
VARIANT = "~"
KINDS = ("alone", "aside", "asides", "vain", "lull")
"""How an event is told otherwise: by itself, as an attack avoided (once or often), in vain, for want of more."""
SUBJECT = "{unit:who} "
"""What a clause begins with that can go on from another about the same unit."""


class Voice:
    """A teller in a language; what has been said is remembered, so that the next thing is said differently."""

    def __init__(self, reading: ReportReading, lang: str) -> None:
        self.reading = reading
        self.lang = lang
        self._introduced: set[str] = set()
        self._used: dict[str, int] = {}
        self._may_go_on = False  # the newest clause began with its subject
        opened = reading.battle.events[0].event
        sides: Mapping[str, Any] = getattr(opened, "sides", None) or {}
        self._armies = {side: name_in(str(getattr(one, "name", "") or ""), lang) for side, one in sides.items()}
        scenes = (reading.final, reading.opening)
        self._kinds = {token.id: token.type for scene in scenes for token in (*scene.tokens, *scene.aside)}
        formations = (one for scene in reversed(scenes) for one in worded(scene, lang).formations)
        self._titles = {(one.side, one.id): one.title for one in formations}  # the final board lacks those wiped out
        for scene in scenes:
            self._kinds |= {group.label: self._kinds.get(group.tokens[0], "") for group in scene.groups}

    def paragraph(self) -> None:
        """Begin a paragraph: everybody named in it is introduced again."""
        self._introduced.clear()

    # --- names

    def army(self, side: str) -> str:
        """What the army of a side is called, the side itself if it has no name."""
        return self._armies.get(side) or find(f"side.{side}", self.lang) or side

    def who(self, value: str | Iterable[str]) -> str:
        """Units by name: those that this paragraph has named already, then the others with what they are, kind by
        kind."""
        names = [value] if isinstance(value, str) else list(value)
        kinds: dict[str, list[str]] = {"": []}
        for name in names:
            kind = "" if name in self._introduced else self._kinds.get(name, "")
            kinds.setdefault(kind, []).append(name)
        self._introduced |= set(names)
        return self.join([self._called(units, kind) for kind, units in kinds.items() if units])

    def _called(self, units: Sequence[str], kind: str) -> str:
        named = self.join(units)
        if not kind:
            return named
        form = f"{STORY}.unit.{kind}"
        what = find(f"type.{kind}", self.lang) or kind
        return self._filled(
            find(form, self.lang) or find(f"{STORY}.unit", self.lang) or "{units}", units=named, what=what
        )

    def kind(self, unit: str) -> str:
        """What a unit is, "" if nobody knows."""
        kind = self._kinds.get(unit, "")
        return (find(f"type.{kind}", self.lang) or kind) if kind else ""

    def formation(self, unit: str, in_full: bool = False) -> str:
        """What the formation of a unit is called, in full or in short; "" for none."""
        side = self.reading.sides.get(unit, "")
        title = self._titles.get((side, self.reading.formations.get((side, unit), "")), "")
        return title if in_full else title.split(",")[0]

    def join(self, parts: Iterable[str], how: str = "and") -> str:
        """A list."""
        return Speaker({}, self.lang).join(parts, how)

    # --- texts

    def has(self, msgid: str) -> bool:
        """Whether a story says anything of a message."""
        return bool(self.found(msgid))

    def clause(self, message: Message) -> str:
        """What a story says of a message, as a clause; "" if it says nothing of it."""
        return self.say(message.id, message.params)

    def say(self, msgid: str, params: Mapping[str, Any], goes_on: bool = False) -> str:
        """A text of the story, the next of its variants; "" if there is none. One that `goes_on` follows a clause
        about the same units, and does not name them again."""
        found = self.found(msgid)
        if not found:
            return ""
        variants = [found, *(one for at in range(2, 9) if find(one := f"{found}{VARIANT}{at}", self.lang))]
        at = self._used.get(found, 0)
        self._used[found] = at + 1
        template = find(variants[at % len(variants)], self.lang) or ""
        goes_on = goes_on and self._may_go_on
        self._may_go_on = template.startswith(SUBJECT)
        return self._filled(template.removeprefix(SUBJECT) if goes_on else template, **params)

    def found(self, msgid: str) -> str:
        """The text that tells a message: its own, else that of its event, which tells nothing of what is sealed."""
        head, *parts = msgid.split(".")
        depth = 3 if head in KINDS else 2
        ids = [msgid] if msgid.endswith(".sealed") else [msgid, ".".join([head, *parts][:depth])]
        return next((f"{STORY}.{one}" for one in ids if find(f"{STORY}.{one}", self.lang)), "")

    def fill(self, msgid: str, params: Mapping[str, Any]) -> str:
        """A text without variants, by its whole id."""
        return self._filled(find(msgid, self.lang) or msgid, **params)

    def _filled(self, template: str, **params: Any) -> str:
        speaker = Speaker(params, self.lang)

        def said(form: str, value: Any) -> str:
            own = FORMS.get(form)
            return own(self, value) if own else speaker.say(form, value)

        return fill(template, params, said)


FORMS: Mapping[str, Callable[[Voice, Any], str]] = MappingProxyType({"who": Voice.who, "army": Voice.army})
"""The forms that only the texts of reports have, beside those of all sentences."""


def sentence(clause: str) -> str:
    """A clause as a sentence."""
    return f"{clause[:1].upper()}{clause[1:]}." if clause else ""


def heading(msgid: str, params: Mapping[str, Any], lang: str) -> str:
    """A heading, or another text of the report that has no variants."""
    return phrase(f"report.{msgid}", params, lang)
