"""Terrain, scouting, deployment and stratagems in words: made from what happens in the acceptance cases."""

import re
import tomllib
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from domain.basics.errors import Refusal
from domain.events.battle import Fact
from domain.games.to_the_strongest import RULESET
from domain.games.to_the_strongest.state.stratagems import STRATAGEMS
from domain.log.chance import StackedChance
from domain.log.record import sealed
from domain.run.decide import beginning, decide, evolve, opening, proceeding
from replay.lab.lab import CASE_KEYS
from replay.telling.words import refusal_sentence, sentence, worded
from replay.telling.words.catalogue import find
from tests.support.cases import case_files, number_of
from tests.support.french import english_in, names_in
from tests.support.lanes import thinned
from tests.support.looping import some

NUMBERS = range(500, 600)
"""The cases of terrain, scouting, deployment and stratagems."""
PLAYS = " ".join(f"tts.StratagemPlayed.{key}" for key in STRATAGEMS)
TOLD = f"""core.PhaseBegan.terrain core.PhaseBegan.scouting core.PhaseBegan.deployment core.PhaseBegan.turns
core.CardDrawn.terrain core.CardDrawn.stratagem core.CardDrawn.scouting core.CardDrawn.arrival core.CardDrawn.traitor
core.DecisionAsked.shift core.DecisionMade.shift tts.SideDone.terrain tts.SideDone.scouting
tts.TerrainPlaced tts.TerrainKept tts.TerrainRemoved tts.TerrainMoved tts.StratagemDrawn {PLAYS}
tts.StratagemTriggered.ambush tts.StratagemTriggered.flank-march tts.StratagemTriggered.false-orders
tts.StratagemTriggered.hold tts.ReserveChanged tts.ScoutingDrawn tts.ScoutingTied tts.ScoutingWon
tts.UnitDeployed tts.GeneralDeployed tts.CampPlaced tts.CorpsDeployed tts.UnitMoved.stratagem"""
SEALED = """core.BattleOpened.sealed core.CardDrawn.stratagem.sealed tts.StratagemDrawn.sealed
tts.StratagemPlayed.sealed tts.StratagemPlayed.oracle.sealed tts.UnitDeployed.sealed tts.GeneralDeployed.sealed
tts.CampPlaced.sealed tts.CorpsDeployed.sealed core.OrderAccepted.sealed"""
REFUSED = """tts.corps-incomplete tts.outside-deployment-zone tts.camp-row tts.camp-terrain tts.too-many-fortifications
tts.camp-not-touched tts.general-out-of-radius tts.too-many-pieces tts.box-taken tts.no-such-stratagem
tts.stratagem-not-now tts.stratagem-target tts.bad-shift tts.not-current-corps tts.general-attached
tts.general-no-such-company tts.too-early tts.not-on-edge"""


GENERAL_AND_AMBUSH = """
# TTS-STR-04: a general finds an ambush in the box that he rides to.
ruleset = "tts"
title = "A general before an ambush"
cards = { south = [2], north = [9] }
orders = ["south: play ambush R1 C4", "south: deploy R3 D1", "south: done", "north: corps I", "north: general G9 to C4"]
[[terrain]]
box = "C4"
kind = "wood"
[sides.south]
name = "South"
stratagems = ["ambush"]
[[sides.south.corps]]
id = "I"
units = [{ id = "R1", type = "auxilia" }, { id = "R3", type = "legionaries" }]
[sides.north]
name = "North"
stratagems = []
[[sides.north.corps]]
id = "I"
general = { id = "G9", box = "C5" }
units = [{ id = "N2", type = "warriors", box = "E7", facing = "W" }]
"""


class Happened(NamedTuple):
    """A fact of a case, and the state before it."""

    case: str
    before: Any
    fact: Fact


def played(name: str, text: str, refused: list[tuple[str, Refusal]]) -> Iterator[Happened]:
    """Everything that happens in a case; what is refused is put into a list."""
    case = tomllib.loads(text)
    chance, state, n = StackedChance(RULESET.draws.stacked(case)), RULESET.rules.initial, 0

    def take(facts: tuple[Fact, ...]) -> Iterator[Happened]:
        nonlocal state, n
        for fact in facts:
            n += 1
            yield Happened(name, state, fact)
            state = evolve(RULESET, state, fact.event, n)

    scenario = {key: value for key, value in case.items() if key not in CASE_KEYS}
    yield from take(opening(RULESET, scenario))
    yield from take(beginning(RULESET, state))
    yield from take(proceeding(RULESET, state, chance))
    for line in case.get("orders", ()):
        side, _, order = line.partition(":")
        try:
            yield from take(decide(RULESET, state, side.strip(), RULESET.orders.parse(order.strip()), chance))
        except Refusal as refusal:
            refused.append((name, refusal))


@pytest.fixture(scope="module")
def cases() -> tuple[list[Happened], list[tuple[str, Refusal]]]:
    refused: list[tuple[str, Refusal]] = []
    paths = [path for path in case_files() if number_of(path) in NUMBERS]
    texts = {path.stem: path.read_text(encoding="utf-8") for path in paths} | {"general": GENERAL_AND_AMBUSH}
    return [happened for name, text in texts.items() for happened in played(name, text, refused)], refused


def messages(happened: list[Happened]) -> dict[str, list[Any]]:
    told: dict[str, list[Any]] = {}
    for _, before, fact in happened:
        message = RULESET.shown.narrate(before, fact)
        told.setdefault(message.id, []).append(message)
    return told


# --- what is told


@pytest.mark.slow
def test_everything_that_happens_is_told_in_both_languages(cases):
    happened, _ = cases
    told = messages(happened)
    assert sorted(set(TOLD.split()) - set(told)) == []
    for msgid in TOLD.split():
        assert find(msgid, "en") and find(msgid, "fr"), msgid
        for message in told[msgid]:
            english, french = sentence(message), sentence(message, "fr")
            assert english != french
            assert "UNSET" not in english + french and "{" not in english + french
            assert english_in(french, names_in(message.params)) == [], french


@pytest.mark.parametrize(
    ("msgid", "english", "french"),
    thinned(
        [
            (
                "tts.ScoutingDrawn",
                r"counts [\d¼½¾]+ for scouting.*: [\d¼½¾]+ in all",
                r"en reconnaissance.*: [\d¼½¾]+ en tout",
            ),
            ("tts.TerrainMoved", r"is shifted from .* to .* \((A|[\d]+)♦\)", r"passe de .* en .* \((A|[\d]+)♦\)"),
            ("tts.StratagemPlayed.ambush", r"lays .* in ambush in [A-L]\d", r"met en embuscade .* en [A-L]\d"),
            ("tts.StratagemPlayed.flank-march", r"over the (east|west) edge", r"par le bord situé à l’(est|ouest)"),
            (
                "tts.StratagemPlayed.oracle",
                r"asks the oracle and sees its next cards: \d+",
                r"voit ses prochaines cartes",
            ),
            ("tts.StratagemPlayed.ground", r"hidden ground: an? .* in [A-L]\d", r"terrain caché.*: une? .* en [A-L]\d"),
            ("core.DecisionAsked.shift", r"which way is it shifted 2 boxes\?", r"de 2 cases.\?"),
            ("core.DecisionAsked.shift", r"is it turned to open ground\?", r"devient-il du terrain ouvert.\?"),
            ("tts.TerrainRemoved", r"is turned to open ground \([JQK]♦\)", r"devient du terrain ouvert \([VDR]♦\)"),
            ("tts.TerrainRemoved", r"off the board or onto another piece", r"sortirait du plateau"),
            ("tts.UnitDeployed", r"comes out of its ambush", r"sort de son embuscade"),
            ("tts.UnitDeployed", r"is moved from [A-L]\d to [A-L]\d", r"est déplacée de [A-L]\d en [A-L]\d"),
            ("tts.UnitRallied", r"is rallied by water", r"est ralliée par l’eau"),
            ("tts.UnitReturned", r"enters the field from its flank march", r"arrive de sa marche de flanc"),
            ("tts.GeneralMoved.command", r"finds the way barred by an ambush", r"trouve une embuscade sur son chemin"),
            ("tts.CardReplayed", r"General \w+, inspired, replaces the card drawn", r"inspiré, fait rejouer une carte"),
            ("core.CardDrawn.traitor", r"for general \w+ to escape the traitor", r"échappe au traître"),
            ("tts.GeneralSaved", r"comes through on \d+: 2 was needed", r"il lui fallait 2"),
            ("core.CardDrawn.arrival", r"to see whether corps \w+ arrives: 6 needed", r"arrive.: il faut 6"),
            ("core.PhaseBegan.turns", r"drawn up, in full view of each other", r"rangées, et chacun voit où"),
        ],
        6,
    ),
)
def test_a_sentence_says_what_matters(cases, msgid, english, french):
    told = [(sentence(message), sentence(message, "fr")) for message in messages(cases[0])[msgid]]
    assert any(re.search(english, one) and re.search(french, other) for one, other in told), told


# --- what is sealed


def secrets_of(value: Any) -> Iterator[str]:
    """The words of what a side keeps to itself."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from secrets_of(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from secrets_of(inner)


def hidden(happened: list[Happened]) -> Iterator[tuple[Any, Fact, set[str]]]:
    """Every fact with a private part: the state before it, its public form, and what is secret of it."""
    for _, before, fact in happened:
        private = RULESET.secrets.fields(before, fact.event)
        if private:
            event = sealed(fact.event, private, bytes(32))
            secret = {word for name in private for word in secrets_of(getattr(fact.event, name))}
            yield before, Fact(fact.by, fact.rule, event), secret - {""}


def test_what_is_sealed_is_told_without_an_id_a_box_a_card_or_a_name(cases):
    seen = set()
    for before, fact, secret in hidden(cases[0]):
        readers = {"", "south", "north"} - {getattr(fact.event, "side", fact.by)}
        for side in readers:
            message = RULESET.shown.narrate(RULESET.secrets.known(before, side), fact)
            seen.add(message.id)
            assert find(message.id, "en"), message.id
            for lang in ("en", "fr"):
                told = sentence(message, lang)
                spoken = {find(f"{form}.{word}", lang) or word for word in secret for form in ("stratagem", "type")}
                leaked = [word for word in secret | spoken if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", told)]
                assert leaked == [], told
            if message.id.startswith("tts."):
                assert not re.search(r"\b[A-L]\d|[♣♦♥♠]", sentence(message)), sentence(message)
                assert secret.isdisjoint(secrets_of(list(message.params.values()))), message
    assert sorted(set(SEALED.split()) - {"core.OrderAccepted.sealed"} - seen) == []


def test_its_side_hears_what_is_sealed(cases):
    drawn = [(before, fact) for _, before, fact in cases[0] if type(fact.event).__name__ == "StratagemDrawn"]
    told = [
        sentence(RULESET.shown.narrate(RULESET.secrets.known(before, fact.event.side), fact)) for before, fact in drawn
    ]
    assert told
    assert all(re.search(r"(draws|is given) \d+ stratagems?( by the scenario)?: [A-Z]", line) for line in told), told
    given = [not before.armies[fact.event.side].draws for before, fact in drawn]
    assert given == ["is given" in line for line in told] and {*given} == {True, False}


# --- what is refused


def test_every_refusal_is_told_in_both_languages(cases):
    _, refused = cases
    found = {refusal.code for _, refusal in refused}
    assert sorted(set(REFUSED.split()) - found) == []
    for case, refusal in refused:
        if refusal.code not in REFUSED.split():
            continue
        english, french = refusal_sentence(refusal), refusal_sentence(refusal, "fr")
        assert english != french
        assert "[]" not in english and "on  " not in english and ": ." not in english, (case, english)
        assert english_in(french) == [], (case, french)


# --- what is seen


@pytest.mark.slow
def test_below_the_board_stands_what_a_side_may_know_and_no_more(cases):
    for _, before, _ in some(cases[0]):
        if not before.armies:
            continue
        for side in ("", "south", "north"):
            known = RULESET.secrets.known(before, side)
            scene = worded(RULESET.shown.view(known, side), "fr")
            assert all(words for _, words in scene.captions)
            for other in {"south", "north"} - {side}:
                own = {unit for ambush in before.ambushes if ambush.side == other for unit in ambush.units}
                assert own.isdisjoint(token.id for token in scene.tokens)
            cards = len(known.armies[side].hand) if side else 0
            assert len(scene.held) <= cards
