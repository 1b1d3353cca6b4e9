"""The command `open`: what it is read to, what has come of it, and what can be opened.

A phrase may come with the command. If none does, a digest of the mail's own id takes its place: it was made by the
player's mail program, so the server does not make phrases up (fairness.md 2).
"""

from domain.basics.data import read_toml, scenario_words
from domain.basics.message import Message
from domain.basics.pace import PRESETS
from domain.contract.ruleset import Ruleset
from domain.run.bots import USUAL, offered
from domain.run.inputs import Phrase
from domain.run.terms import Terms
from replay.telling.words.names import name_in
from replay.telling.words.sentences import fragment
from server.acts import open as acts
from server.acts.open import USUAL_READERS, Wish, packaged
from server.acts.phrases import own_phrase
from server.mail.blocks import Block, HeadingLine, Listing, Paragraph
from server.mail.desk.caller import Caller, Declined
from server.mail.desk.desk import Desk
from server.mail.desk.phrases import parted, tagged
from server.mail.desk.vocabulary import BOT_WORDS, READER_WORDS, SEALED, STRENGTH_WORDS, side_named
from server.mail.verdict import MailRequest
from server.play.request import MAIL_CHANNEL
from server.shown.listing import title_of
from server.spelling.words import folded
from server.words import say


async def open_battle(desk: Desk, request: MailRequest, caller: Caller, key: str) -> MailRequest:
    """`open SCENARIO`, then in any order: a side, `bot` and its strength, who may read, a pace, tags, a phrase.
    With `sealed` the opener takes no side yet: a book of seals is for one battle, whose id they learn from the answer.

    Raises: Declined desk.open-what; Refusal core.unknown-scenario, core.which-scenario, core.bad-pace, core.bad-tags …
    """
    words, phrase, _ = parted(request.args)
    if not words:
        raise Declined("desk.open-what")
    wish = _wish(desk, words, Phrase(phrase or own_phrase(key), MAIL_CHANNEL))
    opened = await acts.open_battle(desk, caller.player, wish, key)
    params = {"battle": opened.live.id, "title": title_of(opened.live), "tags": ", ".join(wish.terms.tags)}
    if not opened.side:
        return MailRequest("open", (opened.live.id,), Message("desk.did.open.sealed", params))
    params |= {"side": opened.side} | ({"bot": opened.bot} if opened.bot else {})
    done = Message("desk.did.open.bot" if opened.bot else "desk.did.open", params)
    return MailRequest("open", (opened.live.id, opened.side), done)


def _wish(desk: Desk, words: list[str], phrase: Phrase) -> Wish:
    """The battle that the words of a command ask for."""
    code, scenario = packaged(desk, folded(words[0]))
    seats = desk.battles.ruleset(code).seats
    side, readers, bot, pace, mode = seats.names[0], USUAL_READERS, "", [], ""
    others, tags = tagged(words[1:])
    for plain in map(folded, others):
        if named := side_named(plain, seats):
            side = named
        elif plain in READER_WORDS:
            readers = READER_WORDS[plain]
        elif plain in SEALED:
            mode = "sealed"
        elif plain in BOT_WORDS:
            bot = bot or USUAL
        elif plain in STRENGTH_WORDS:
            bot = STRENGTH_WORDS[plain]
        else:
            pace.append(plain)
    terms = Terms(tags=tags)
    return Wish(code, scenario, readers, " ".join(pace), terms, side=side, bot=bot, mode=mode, phrase=phrase)


# --- what can be opened


async def show_scenarios(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """What `open` can open, and how to use it."""
    games = [block for ruleset in desk.battles.rulesets.values() for block in _scenarios_of(desk, ruleset, caller.lang)]
    paces = tuple(f"{name:<15} {pace}" for name, pace in PRESETS.items())
    return [
        HeadingLine(say(caller.lang, "desk.scenarios.title")),
        *games,
        Paragraph(say(caller.lang, "desk.scenarios.begin")),
        Listing(tuple(say(caller.lang, "desk.scenarios.example").split("\n"))),
        Paragraph(say(caller.lang, "desk.scenarios.how")),
        Listing(paces),
    ]


def _scenarios_of(desk: Desk, ruleset: Ruleset, lang: str) -> list[Block]:
    """The scenarios of a game, each with its title and, below it, how large it is; then the bots of the game."""
    lines = []
    for word, code, name in scenario_words(desk.battles.rulesets):
        if code != ruleset.code:
            continue
        table = read_toml(code, "scenarios", f"{name}.toml")
        lines.append(f"{word:<15} {name_in(str(table.get('title', name)), lang)}")
        size = ruleset.shown.size(table)
        shown = dict(zip(("south", "north"), size.points, strict=False)) | ({"turns": size.turns} if size.turns else {})
        unit = "cm" if size.is_cm else "cells"
        shown |= {"columns": size.columns, "rows": size.rows}
        lines.append(f"{'':<15} {fragment(f'desk.scenario.size.{unit}', shown, lang)}")
    bots = ", ".join(fragment(f"desk.strength.{bot}", {}, lang) for bot in offered(ruleset))
    told = Paragraph(say(lang, "desk.scenarios.bots", bots=bots))
    return [Paragraph(ruleset.title), Listing(tuple(lines)), told] if lines else []
