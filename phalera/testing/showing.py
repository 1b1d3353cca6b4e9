"""Checks of what readers see: sentences without gaps, explanations, boards, statistics, rules, sheets."""

from collections.abc import Callable, Iterator
from warnings import catch_warnings, simplefilter

from domain.basics.data import scenario_names
from domain.basics.installed import installed
from domain.contract.ruleset import NOBODY
from phalera.testing.check import asked
from phalera.testing.game import Game, require
from projections.statistics import battle_statistics
from replay.catalogue import shown_of
from replay.drawing.svg import draw_svg
from replay.drawing.text import draw_text
from replay.reports import plain
from replay.telling.rulebook import rule
from replay.telling.why import explain, to_text
from replay.telling.words import MissingSentence, phrase, worded
from replay.telling.words.catalogue import forget_sentences, game_catalogue, shared_ids

LANGUAGES = ("en", "fr")
WIDEST = 80
"""Columns of a board of text."""


def _missing(tell: Callable[[], object]) -> list[str]:
    """What has no sentence while something is told."""
    forget_sentences()  # a sentence that was asked for before would be missing in silence
    with catch_warnings(record=True) as warned:
        simplefilter("always", MissingSentence)
        tell()
    return sorted({str(one.message) for one in warned if issubclass(one.category, MissingSentence)})


def _sentences(game: Game, lang: str) -> Iterator[str]:
    for battle in game.battles:
        yield from (event.said for event in plain.lines(battle, 1, battle.last, lang))
    if game.ruleset.shown.goal:
        yield phrase(game.ruleset.shown.goal, {}, lang)
    yield phrase(game.ruleset.shown.tallied, {}, lang)


@asked()
def it_is_told_without_an_error(game: Game) -> None:
    """each event of its battles is told, in words or by its id"""
    for lang in LANGUAGES:
        with catch_warnings():
            simplefilter("ignore", MissingSentence)
            require(all(_sentences(game, lang)), "an event without a word")


@asked("words")
def it_is_told_in_sentences(game: Game) -> None:
    """each event of its battles has a sentence, whose gaps the event fills"""
    missing = _missing(lambda: list(_sentences(game, "en")))
    require(not missing, "; ".join(missing))


@asked("french")
def its_words_are_the_same_in_french(game: Game) -> None:
    """each id of the English catalogue is in the French one, and no other"""
    english, french = (game_catalogue(game.code, lang) for lang in LANGUAGES)
    assert english and french
    require(
        english.texts.keys() == french.texts.keys(),
        f"not in both: {sorted(english.texts.keys() ^ french.texts.keys())}",
    )


@asked("words")
def its_words_are_its_own(game: Game) -> None:
    """no id of its catalogue is one that all games share, or that another installed game has"""
    own = game_catalogue(game.code, "en")
    assert own
    others = [game_catalogue(code, "en") for code in installed() if code != game.code]
    taken = {*shared_ids("en"), *(msgid for one in others if one for msgid in one.texts)}
    require(not own.texts.keys() & taken, f"taken: {sorted(own.texts.keys() & taken)}; begin ids with {game.code}")


@asked("rules")
def every_rule_that_it_cites_has_a_sentence(game: Game) -> None:
    """data/rules.toml has a text for the rule of each event in each language"""
    cited = {entry.rule for battle in game.battles for entry in battle.events if entry.rule}
    for lang in LANGUAGES:
        bare = sorted(one for one in cited if not rule(game.code, one, lang).text)
        require(not bare, f"without a text: {', '.join(bare)}")


@asked()
def every_event_is_explained(game: Game) -> None:
    """`why` answers of each event"""
    battle = game.battle
    with catch_warnings():
        simplefilter("ignore", MissingSentence)
        for before, entry in battle.timeline.along(1, battle.last):
            known = battle.ruleset.secrets.known(before.game, NOBODY)
            explained = explain(battle.ruleset, known, battle.events[: entry.n], battle.events[entry.n :])
            require(to_text(explained), f"no answer of event {entry.n}")


@asked()
def its_draws_are_counted(game: Game) -> None:
    """statistics are made of its battle"""
    require(battle_statistics(game.ruleset, game.battle.events).counted, "no statistics")


@asked("trials")
def its_tests_are_counted(game: Game) -> None:
    """statistics have the tests that its trials tell"""
    counted = battle_statistics(game.ruleset, game.battle.events).counted
    require(any(side.trials for side in counted), "no test was counted")


@asked()
def everybody_sees_a_board(game: Game) -> None:
    """all sides and a stranger see a picture, and a board of text at most 80 columns wide"""
    state = game.battle.timeline.now.game
    with catch_warnings():
        simplefilter("ignore", MissingSentence)
        for side in (*game.ruleset.seats.names, NOBODY):
            scene = worded(game.ruleset.shown.view(game.ruleset.secrets.known(state, side), side), "en")
            require(draw_svg(scene).startswith("<svg"), "no picture")
            text = draw_text(scene)
            require(text, "no board of text")
            require(max(map(len, text.splitlines())) <= WIDEST, f"its board of text is wider than {WIDEST}")


@asked("scenarios")
def every_scenario_is_drawn(game: Game) -> None:
    """the board of each scenario is drawn before the first order"""
    with catch_warnings():
        simplefilter("ignore", MissingSentence)
        for name in scenario_names(game.code):
            first = game.ruleset.seats.names[0]
            known = game.seated(name).recording.known(first)
            require(draw_svg(worded(game.ruleset.shown.view(known, first), "en")), f"{name}: no picture")


@asked("sheets")
def every_sheet_is_made(game: Game) -> None:
    """each play-aid sheet has a title and tables, in each of its languages"""
    shown = shown_of(game.code)
    for name, make in shown.sheets.items():
        for lang in shown.languages:
            sheet = make(lang)
            require(sheet.title and sheet.tables, f"{name} ({lang}): empty")
