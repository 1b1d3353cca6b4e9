"""The text of `help`: enough to play a whole battle by mail."""

from collections.abc import Callable, Mapping, Sequence

from domain.basics.errors import Refusal
from domain.basics.pace import PRESETS
from domain.contract.order_help import OrderForm
from domain.contract.ruleset import Ruleset
from replay.telling.words.sentences import fragment
from server.mail.blocks import Block, HeadingLine, Link, Listing, Paragraph
from server.mail.cut import CUT
from server.mail.desk.beside import beside, pair
from server.mail.desk.caller import Caller, Declined
from server.mail.desk.campaign_help import campaign_topic
from server.mail.desk.desk import Desk
from server.mail.desk.examples import SEVERAL, examples_of
from server.mail.desk.vocabulary import FRENCH, TOPIC_WORDS
from server.mail.verdict import MailRequest
from server.shown.notation import order_help
from server.spelling.words import folded
from server.time.vacations import MOST_AT_ONCE_DAYS, MOST_IN_A_YEAR_DAYS
from server.words import say

Usages = Callable[[str], Mapping[str, tuple[str, ...]]]

TOPICS = ("orders", "scripts", "standing", "time", "campaigns", "privacy", "commands")
TOPIC_NAMES = {
    "en": TOPICS,
    "fr": ("ordres", "scripts", "consignes", "temps", "campagnes", "confidentialité", "commandes"),
}
COMMON = ("orders", "board", "history", "why", "preview", "say", "settings")
"""The commands of which the first help tells."""
OF_CAMPAIGNS = ("campaigns", "enter", "next", "standings", "fixtures", "map", "ledger", "campaign", "club", "seat")
"""Those of campaigns and clubs."""


async def show_help(usages: Usages, desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """`help`, or `help TOPIC`; a stranger, who has no wishes, is answered in the language of their word for it.
    `usages` gives the examples of all commands in a language. The examples are of the game that the caller plays; a
    player of several battles who answers no letter, or of none, has those of all games or of none."""
    if not caller.account.player:
        return stranger_help(usages, FRENCH if FRENCH in request.args else caller.lang, desk.battles.settings.address)
    topic = next((TOPIC_WORDS[folded(word)] for word in request.args if folded(word) in TOPIC_WORDS), "")
    game = await _game_of(desk, caller)
    if topic:
        rulesets = [game] if game else [desk.battles.rulesets[code] for code in sorted(desk.battles.rulesets)]
        return _TOPICS[topic](usages, caller.lang, rulesets)
    return first_steps(usages, caller.lang, game)


async def _game_of(desk: Desk, caller: Caller) -> Ruleset | None:
    """The game that the caller means."""
    try:
        live, _ = await desk.seated(caller, "")
    except (Declined, Refusal):
        return None
    return live.ruleset


def stranger_help(usages: Usages, lang: str, url: str) -> list[Block]:
    """The help for somebody without an account; `url` where one is to be had, "" if unknown."""
    entrance: list[Block] = [Paragraph(say(lang, "desk.help.stranger"))]
    if url:
        entrance.append(Link(say(lang, "desk.help.stranger.link"), url))
    return [*entrance, *first_steps(usages, lang)]


# --- topics


def first_steps(usages: Usages, lang: str, game: Ruleset | None = None) -> list[Block]:
    """All that a newcomer needs: how to begin, unless a game is played already, how to answer, how its orders are
    written, where more is to be had."""
    examples = examples_of(game, lang)
    found: list[Block] = [HeadingLine(say(lang, "desk.help.start.title")), Paragraph(say(lang, "desk.help.start.what"))]
    if game is None:
        begin = usages(lang)["open"][-1:] + usages(lang)["battles"] + usages(lang)["join"][:1]
        found += [Paragraph(say(lang, "desk.help.start.begin")), Listing(begin)]
    found += [
        Paragraph(say(lang, "desk.help.start.answer", cut=CUT)),
        Listing(("4 16 37", *examples.orders)),
        Paragraph(say(lang, "desk.help.start.read")),
    ]
    if game is not None and examples.forms:
        goal = f"{say(lang, game.shown.goal)} " if game.shown.goal else ""
        found += [Paragraph(goal + say(lang, "desk.help.start.orders")), _listed(examples.forms)]
    return [
        *found,
        Paragraph(say(lang, "desk.help.start.commands")),
        beside([(usages(lang)[name][0], _does(name, lang)) for name in COMMON]),
        Paragraph(say(lang, "desk.help.start.chance")),
        Paragraph(say(lang, "desk.help.start.topics", topics=list(TOPIC_NAMES[lang]))),
    ]


def _does(name: str, lang: str) -> str:
    """What a command does."""
    return fragment(f"desk.does.{name}", {}, lang)


def _commands(usages: Usages, lang: str, rulesets: Sequence[Ruleset]) -> list[Block]:
    """Every command with what it does."""
    lines: list[str] = []
    for name, examples in usages(lang).items():
        *more, last = examples
        lines += [*more, *pair(last, _does(name, lang))]
    return [
        HeadingLine(say(lang, "desk.help.commands.title")),
        Paragraph(say(lang, "desk.help.commands.how")),
        Listing(tuple(lines)),
    ]


def _orders(usages: Usages, lang: str, rulesets: Sequence[Ruleset]) -> list[Block]:
    """How orders are written, game by game."""
    found: list[Block] = [
        HeadingLine(say(lang, "desk.help.orders.title")),
        Paragraph(say(lang, "desk.help.orders.how")),
    ]
    for ruleset in rulesets:
        for chapter in order_help(ruleset, lang):
            found += [HeadingLine(f"{ruleset.title}: {chapter.title}"), _listed(chapter.forms)]
    return found


def _scripts(usages: Usages, lang: str, rulesets: Sequence[Ruleset]) -> list[Block]:
    """A whole turn in one mail."""
    found: list[Block] = [
        HeadingLine(say(lang, "desk.help.scripts.title")),
        Paragraph(say(lang, "desk.help.scripts.how")),
    ]
    for name, lines in examples_of(rulesets[0] if len(rulesets) == 1 else None, lang).scripts:
        found += [Listing(lines), Paragraph(say(lang, f"desk.help.scripts.{name}"))]
    return [*found, Paragraph(say(lang, "desk.help.scripts.preview"))]


def _standing(usages: Usages, lang: str, rulesets: Sequence[Ruleset]) -> list[Block]:
    """Answers given in advance, game by game."""
    found: list[Block] = [
        HeadingLine(say(lang, "desk.help.standing.title")),
        Paragraph(say(lang, "desk.help.standing.how")),
    ]
    for ruleset in rulesets:
        standing = examples_of(ruleset, lang).standing
        if standing:
            found += [HeadingLine(ruleset.title), _listed(standing)] if len(rulesets) > 1 else [_listed(standing)]
    return [*found, Paragraph(say(lang, "desk.help.standing.secret"))]


def _listed(forms: Sequence[OrderForm]) -> Listing:
    """Orders, each with what it says."""
    return beside([(form.example, form.says) for form in forms])


def _time(usages: Usages, lang: str, rulesets: Sequence[Ruleset]) -> list[Block]:
    """Paces, flags, vacations, pauses."""
    days = {"at_once": MOST_AT_ONCE_DAYS, "in_a_year": MOST_IN_A_YEAR_DAYS}
    return [
        HeadingLine(say(lang, "desk.help.time.title")),
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
    """What each reader sees, whose word is taken, and how nobody can cheat."""
    parts = ("address", "sides", "log", "sender", "chance", "stop")
    told = (Paragraph(say(lang, f"desk.help.privacy.{part}")) for part in parts)
    return [HeadingLine(say(lang, "desk.help.privacy.title")), *told]


def _campaigns(usages: Usages, lang: str, rulesets: Sequence[Ruleset]) -> list[Block]:
    """Cups, ladders and clubs."""
    return campaign_topic([(usages(lang)[name][0], _does(name, lang)) for name in OF_CAMPAIGNS], lang)


_TOPICS: Mapping[str, Callable[[Usages, str, Sequence[Ruleset]], list[Block]]] = {
    "orders": _orders,
    "scripts": _scripts,
    "standing": _standing,
    "time": _time,
    "campaigns": _campaigns,
    "privacy": _privacy,
    "commands": _commands,
}
