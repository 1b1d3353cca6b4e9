"""The text of `help`: enough to play a whole battle by mail."""

from collections.abc import Callable, Mapping, Sequence
from textwrap import wrap

from domain.ruleset import Ruleset
from domain.time.pace import PRESETS
from replay.telling.words.sentences import fragment
from server.mail.blocks import Block, Heading, Link, Listing, Paragraph
from server.mail.cut import CUT
from server.mail.desk.caller import Caller
from server.mail.desk.desk import Desk
from server.mail.desk.usages import FIRST_ORDERS, SCRIPTS, SEVERAL, STANDING
from server.mail.desk.vocabulary import FRENCH, TOPIC_WORDS, folded
from server.mail.verdict import MailRequest
from server.shown.notation import order_help
from server.time.vacations import MOST_AT_ONCE_DAYS, MOST_IN_A_YEAR_DAYS
from server.words import say

Usages = Callable[[str], Mapping[str, tuple[str, ...]]]

TOPICS = ("orders", "scripts", "standing", "time", "privacy", "commands")
TOPIC_NAMES = {
    "en": TOPICS,
    "fr": ("ordres", "scripts", "consignes", "temps", "confidentialité", "commandes"),
}
BESIDE, WIDE = 30, 76
"""The column at which the meaning of an example begins, and the last column at which it may end."""


async def show_help(usages: Usages, desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """`help`, or `help TOPIC`; a stranger, who has no wishes, is answered in the language of their word for it.
    `usages` gives the examples of all commands in a language."""
    if not caller.account.player:
        return stranger_help(usages, FRENCH if FRENCH in request.args else caller.lang, desk.battles.settings.address)
    topic = next((TOPIC_WORDS[folded(word)] for word in request.args if folded(word) in TOPIC_WORDS), "")
    rulesets = [desk.battles.rulesets[code] for code in sorted(desk.battles.rulesets)]
    if topic:
        return _TOPICS[topic](usages, caller.lang, rulesets)
    return [*first_steps(usages, caller.lang), *_commands(usages, caller.lang, rulesets)]


def stranger_help(usages: Usages, lang: str, url: str) -> list[Block]:
    """The help for somebody without an account; `url` where one is to be had, "" if unknown."""
    entrance: list[Block] = [Paragraph(say(lang, "desk.help.stranger"))]
    if url:
        entrance.append(Link(say(lang, "desk.help.stranger.link"), url))
    return [*entrance, *first_steps(usages, lang), *_commands(usages, lang, ())]


# --- topics


def first_steps(usages: Usages, lang: str) -> list[Block]:
    """From nothing to the first answer."""
    paces = ", ".join(PRESETS)
    return [
        Heading(say(lang, "desk.help.start.title")),
        Paragraph(say(lang, "desk.help.start.what")),
        Paragraph(say(lang, "desk.help.start.begin")),
        Listing(usages(lang)["open"][-1:] + usages(lang)["battles"] + usages(lang)["join"][:1]),
        Paragraph(say(lang, "desk.help.start.answer", cut=CUT)),
        Listing(FIRST_ORDERS[lang]),
        Paragraph(say(lang, "desk.help.start.played")),
        Paragraph(say(lang, "desk.help.start.copy")),
        Paragraph(say(lang, "desk.help.start.phrase")),
        Paragraph(say(lang, "desk.help.start.newest")),
        Paragraph(say(lang, "desk.help.start.time", paces=paces)),
        Paragraph(say(lang, "desk.help.start.topics", topics=list(TOPIC_NAMES[lang]))),
    ]


def _commands(usages: Usages, lang: str, rulesets: Sequence[Ruleset]) -> list[Block]:
    """Every command with what it does."""
    lines: list[str] = []
    for name, examples in usages(lang).items():
        *more, last = examples
        lines += [*more, *_pair(last, fragment(f"desk.does.{name}", {}, lang))]
    return [
        Heading(say(lang, "desk.help.commands.title")),
        Paragraph(say(lang, "desk.help.commands.how")),
        Listing(tuple(lines)),
    ]


def _orders(usages: Usages, lang: str, rulesets: Sequence[Ruleset]) -> list[Block]:
    """How orders are written, game by game."""
    found: list[Block] = [
        Heading(say(lang, "desk.help.orders.title")),
        Paragraph(say(lang, "desk.help.orders.how")),
        Listing(FIRST_ORDERS[lang]),
    ]
    for ruleset in rulesets:
        for chapter in order_help(ruleset, lang):
            lines = [line for form in chapter.forms for line in _pair(form.example, form.says)]
            found += [Heading(f"{ruleset.title}: {chapter.title}"), Listing(tuple(lines))]
    return found


def _scripts(usages: Usages, lang: str, rulesets: Sequence[Ruleset]) -> list[Block]:
    """A whole turn in one mail."""
    found: list[Block] = [Heading(say(lang, "desk.help.scripts.title")), Paragraph(say(lang, "desk.help.scripts.how"))]
    for name, lines in SCRIPTS[lang]:
        found += [Listing(lines), Paragraph(say(lang, f"desk.help.scripts.{name}"))]
    return [*found, Paragraph(say(lang, "desk.help.scripts.preview"))]


def _standing(usages: Usages, lang: str, rulesets: Sequence[Ruleset]) -> list[Block]:
    """Answers given in advance."""
    lines: list[str] = []
    for name, order in STANDING[lang]:
        lines += _pair(order, fragment(f"desk.help.standing.{name}", {}, lang))
    return [
        Heading(say(lang, "desk.help.standing.title")),
        Paragraph(say(lang, "desk.help.standing.how")),
        Listing(tuple(lines)),
        Paragraph(say(lang, "desk.help.standing.secret")),
    ]


def _time(usages: Usages, lang: str, rulesets: Sequence[Ruleset]) -> list[Block]:
    """Paces, flags, vacations, pauses."""
    days = {"at_once": MOST_AT_ONCE_DAYS, "in_a_year": MOST_IN_A_YEAR_DAYS}
    return [
        Heading(say(lang, "desk.help.time.title")),
        Paragraph(say(lang, "desk.help.time.pace")),
        Listing(tuple(f"{name:<12}{pace}" for name, pace in PRESETS.items())),
        Paragraph(say(lang, "desk.help.time.flag")),
        Paragraph(say(lang, "desk.help.time.vacation", **days)),
        Paragraph(say(lang, "desk.help.time.pause")),
        Paragraph(say(lang, "desk.help.time.letters")),
        Paragraph(say(lang, "desk.help.time.several")),
        Listing(SEVERAL[lang]),
    ]


def _privacy(usages: Usages, lang: str, rulesets: Sequence[Ruleset]) -> list[Block]:
    """Who sees what, whose word is taken, and how nobody can cheat."""
    parts = ("address", "sides", "log", "sender", "chance", "stop")
    told = (Paragraph(say(lang, f"desk.help.privacy.{part}")) for part in parts)
    return [Heading(say(lang, "desk.help.privacy.title")), *told]


def _pair(example: str, says: str) -> list[str]:
    """An example, and its meaning next to it; below it if the example is long."""
    told = [f"{'':<{BESIDE}}{line}" for line in wrap(says, WIDE - BESIDE, break_on_hyphens=False)]
    if len(example) < BESIDE:
        told[0] = f"{example:<{BESIDE}}{told[0][BESIDE:]}"
        return told
    return [example, *told]


_TOPICS: Mapping[str, Callable[[Usages, str, Sequence[Ruleset]], list[Block]]] = {
    "orders": _orders,
    "scripts": _scripts,
    "standing": _standing,
    "time": _time,
    "privacy": _privacy,
    "commands": _commands,
}
