"""Evidence on an event: true in every game, followed by hand with real programs, and safe whatever players write."""

import os
import re
import shutil
import subprocess
from functools import cache
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from domain.log.record import Recorded
from domain.run.rewind_points import before_block
from replay import battle_file
from replay.battle_file import UnreadableFile
from replay.proof import chain, notes
from replay.proof.heads import Evidence
from replay.proof.notes import Head, Signer
from replay.reports.evidence import EvidencePage, as_fragment, as_html, as_markdown, as_text, by_hand, evidence_of
from replay.reports.evidence.gather import block_of
from replay.reports.evidence.page import Code
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock
from tests.golden.__main__ import kept
from tests.replay.made_battle import BATTLE, MadeBattle, small_battle
from tests.support.disputing import Disputed
from tests.support.lanes import thinned
from tests.support.looping import some
from tests.support.tiny import TTS, changed, ended_battle, ended_file, played_battle, signed_again, tiny_scenario
from tests.support.waiting import LIMIT_S

GAMES = {"medals": (404, 405, 409), "singidunum-goal": (1, 253), "warmaster-volleys": (63, 68), "unfinished": (146,)}
LONG = chain.open_file(ended_file())
CARD = next(n for n, line in enumerate(LONG.lines, 1) if line.endswith(b'"type":"CardDrawn"}'))


@cache
def golden(name: str) -> bytes:
    return kept(name).read_bytes()


def part(text: str, title: str) -> str:
    """The part of a page under a title."""
    return text.partition(f"\n{title}\n---")[2].split("\n---")[0]


def flat(text: str) -> str:
    """A text without its lines."""
    return " ".join(text.split())


def head(n: int, log: chain.Log = LONG, signer: Signer | None = None) -> Evidence:
    note = notes.sign_head(signer or ended_battle().signer, Head(log.origin, n, log.hashes[n]))
    return Evidence("mail", f"Dear Anna,\n\n{note}\n".encode())


# --- what it says


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(("name", "n"), [(name, n) for name, events in GAMES.items() for n in events])
def test_every_game_has_it_in_every_form(name, n, lang):
    page = evidence_of(golden(name), n, lang=lang)
    text = as_text(page)
    assert not re.search("DIFF|FAULT|FAUTE|evidence\\.", text)
    assert len(page.parts) >= 8
    for part in page.parts:
        assert part.title in text
        assert f"## {part.title}" in as_markdown(page)
        assert part.title in as_html(page)


def test_it_has_the_order_the_rule_the_numbers_the_draw_and_the_verdict():
    text = as_text(evidence_of(golden("medals"), 409))
    assert "    N3 shoot F3\n" in text
    assert "- 409 → N3 (slingers) misses R5" in text
    assert "TTS-SHT-02, Shots hit on 8" in part(text, "The rules")
    assert "- Odds then: 9 in 31 (a card of 8 or more)." in part(text, "The numbers")
    table = part(text, "The table before and after")
    assert table.index("After event 402") < table.index("After event 409")
    assert "Number 11 of North's deck as it was, counted from 0, is 5c2." in part(text, "The draws, made again by hand")
    assert "decide exactly what the file has up to event 409" in flat(part(text, "The verdict of the rules"))


def test_each_modifier_stands_with_its_rule():
    numbers = flat(part(as_text(evidence_of(golden("medals"), 244)), "The numbers"))
    assert "- +1 diagonal: TTS-ACT-11, Diagonal. A move or charge whose first step is diagonal" in numbers
    assert "- +1 pilum: TTS-MEL-08, Pilum." in numbers


@pytest.mark.slow
def test_an_order_shows_what_followed_and_all_its_draws():
    page = as_text(evidence_of(golden("warmaster-volleys"), 63))
    assert page.count("counted from 0, is the face") == 3
    assert page.count("Commitment: event 1") == 1  # one seed, shown once


def test_a_block_is_an_input_and_what_follows_it():
    events = battle_file.parse(golden("medals")).events
    assert block_of(events, 1)[0] == 1
    assert {block_of(events, n) for n in range(403, 410)} == {(403, 409)}
    assert block_of(events, len(events))[1] == len(events)


def test_an_event_that_is_not_there_is_refused():
    with pytest.raises(UnreadableFile, match="761"):
        evidence_of(golden("medals"), 761)


# --- by hand


def test_the_commands_make_each_hash_again():
    """The whole chain from the commitment to the card, in a real shell."""
    for program in ("xxd", "openssl"):
        if shutil.which(program) is None:
            assert os.environ.get("CI") != "true", f"{program} is missing"
            pytest.skip(f"{program} is missing")
    commands = commands_of(evidence_of(golden("medals"), 409))
    assert len(commands) == 6  # commitment, key, two contributions, seed, word
    for command, result in commands:
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=LIMIT_S, check=True)
        assert done.stdout.strip().endswith(result)


def commands_of(page: EvidencePage) -> list[tuple[str, str]]:
    """The commands of a page, and what each must print."""
    codes = [block.lines for part in page.parts for block in part.blocks if isinstance(block, Code)]
    found = [(lines[lines.index("echo \\") : -1], lines[-1]) for lines in codes if "echo \\" in lines]
    return [("\n".join(f"    {line}" for line in command), result.removeprefix("= ")) for command, result in found]


def drawn(log: list[Recorded]) -> list[int]:
    return [one.n for one in log if one.type in ("CardDrawn", "DieRolled")]


@pytest.mark.parametrize(("north", "south"), [("sealed", "sealed"), ("plain", "sealed"), ("plain", "plain")])
def test_every_step_of_every_draw_holds(north, south):
    log = small_battle(north, south).log
    for n in some(drawn(log)):
        seed, steps = by_hand.steps(BATTLE, log, n, ())
        assert all(step.holds for step in steps)
        kinds = [step.what for step in steps]
        assert kinds[0] == "commitment"
        assert kinds[1] in ("key", "key-anchor")
        assert kinds[2:4] == ["seal" if mode == "sealed" else "plain" for mode in (north, south)]
        assert kinds[4:6] == ["seed", "word"]
        again, fewer = by_hand.steps(BATTLE, log, n, (), seed)
        assert (again, fewer) == (seed, steps[5:])


def test_a_card_of_a_hand_leads_back_to_its_own_chain():
    made = MadeBattle().started().first_turn("south")
    made.end_turn("south")
    with made.order("north", "look"):
        made.card("stratagem", scope="hand:north")
        (n,) = drawn(made.log)
        assert [step.what for step in by_hand.steps(BATTLE, made.log, n, ())[1]] == ["commitment", "key-later"]
    made.end("south")
    step = by_hand.steps(BATTLE, made.log, n, ())[1][1]
    assert (step.what, step.members["chain"], step.members["times"], step.holds) == ("key-far", "hand:north", 3, True)


def test_a_false_step_is_told():
    log = small_battle().log
    n = drawn(log)[0]
    log[n - 1] = replace(log[n - 1], event=replace(log[n - 1].event, scope="draw:north"))
    assert not by_hand.steps(BATTLE, log, n, ("1c1",) * 80)[1][-1].holds


# --- what is proven


def test_a_wrong_card_is_a_fault_of_its_block_and_not_of_the_one_before():
    lie = signed_again(ended_battle(), lambda log: changed(log, "CardDrawn", card="10c1"))
    text = as_text(evidence_of(lie, CARD))
    assert f"!! FAULT at event {CARD}" in part(text, "The verdict of the rules")
    assert "!! THIS DIFFERS from what the file has." in text
    before = part(as_text(evidence_of(lie, 2)), "The verdict of the rules")
    assert "decide exactly what the file has" in flat(before)
    assert f"!! The file is wrong later, at event {CARD}" in before
    behind = part(as_text(evidence_of(lie, len(LONG.lines))), "The verdict of the rules")
    assert f"!! Not judged: the file is wrong before it, at event {CARD}" in behind


def test_heads_that_somebody_kept_are_held_against_the_event():
    lie = chain.open_file(signed_again(ended_battle(), lambda log: changed(log, "CardDrawn", card="10c1")))
    others = [head(CARD, signer=Signer("localhost", b"\1" * 32)), Evidence("letter", b"Hello")]
    given = [head(CARD + 1), head(CARD - 1), head(CARD, lie), *others]
    text = flat(part(as_text(evidence_of(ended_file(), CARD, given)), "What signed heads prove"))
    assert f"So event {CARD} stood in the log then as it stands here." in text
    assert f"It is older than event {CARD} and proves nothing of it." in text
    assert f"!! mail: ANOTHER HISTORY. The host has signed a head of event {CARD}" in text
    assert "mail: the head in it is not of this battle" in text
    assert "letter: no signed head is in it" in text
    assert "No other head was given" not in text
    short = flat(as_text(evidence_of(played_battle().file(), CARD, [head(len(LONG.lines))])))
    assert f"it has the head of event {len(LONG.lines)}, and this file ends before that" in short


@pytest.mark.slow
def test_the_players_own_orders_vouch_for_the_event():
    text = flat(part(as_text(evidence_of(golden("medals"), 409)), "What signed heads prove"))
    assert "North: their order in event 410 names the head of event 409" in text
    assert "No other head was given" in text
    last = flat(as_text(evidence_of(golden("medals"), 760)))
    assert "South: no later order of theirs names a head at or behind event 760." in last


def test_what_is_sealed_stays_sealed():
    battle = played_battle()
    n = next(one.n for one in battle.events() if one.type == "StandingOrderSet")
    text = as_text(evidence_of(battle.file(), n))
    assert "evade R1" not in part(text, "What was ordered, and what followed")
    assert f"Event {n} is still sealed" in text
    assert "The battle is not over" in text
    assert "Not judged yet" in text
    assert "standing evade R1 always" in as_text(evidence_of(ended_file(), n))


# --- disputes


def test_a_docket_is_laid_out_with_what_was_said_and_what_came_of_it():
    battle = Disputed(umpire=True)
    n = battle.play()
    before = before_block(battle.battle.recording.timeline, n)
    battle.say(f"north: dispute {n} rules The box was taken.", "south: answer d1 It was not.")
    battle.say(f"umpire: rule d1 rewind {before} So be it.")
    content = battle.battle.file()
    page = evidence_of(content, docket="d1")
    text = flat(as_text(page))
    assert page.title.startswith(f"Evidence in d1: event {n} of ")
    assert "The box was taken." in text
    assert "It was not." in text
    assert "So be it." in text
    assert f"!! Event {n} does not count any more: a rewind took it back." in text
    assert f"- {n}~ →" in as_text(page)
    rewound = next(one.n for one in battle.battle.events() if one.type == "Rewound")
    ruling = flat(part(as_text(evidence_of(content, rewound)), "The verdict of the rules"))
    assert "What was done by agreement, by an umpire or by the host:" in ruling
    assert "by the umpire" in ruling
    assert "Pièce dans d1" in as_text(evidence_of(content, docket="d1", lang="fr"))
    for unknown in ("d2", "x", "d" * 5000):
        with pytest.raises(UnreadableFile, match="There is no docket"):
            evidence_of(content, docket=unknown)


# --- what players write


def test_nothing_that_players_write_is_markup_or_a_control_character():
    table = {**tiny_scenario(), "title": "<script>alert(1)</script> `rm` **b** \x1b[2J ]("}
    battle = OfflineBattle(TTS, table, SeededClock("x"), SeededEntropy("x"))
    battle.seat_person("south", "<img src=x>")
    battle.seat_person("north", "Bob")
    page = evidence_of(battle.file(), 2)
    html = as_html(page)
    ElementTree.fromstring(
        html.removeprefix("<!DOCTYPE html>")
        .replace('<meta charset="utf-8">', "")
        .replace('<meta name="viewport" content="width=device-width, initial-scale=1">', "")
    )
    assert "<script" not in html
    assert "<img" not in html
    for made in (as_text(page), as_markdown(page), html):
        assert "\x1b" not in made
    assert "<" not in re.sub(r"```.*?```", "", as_markdown(page), flags=re.S).replace("\\<", "")


@pytest.mark.parametrize("name", thinned(["medals", "singidunum-goal", "warmaster-volleys"], 2))
def test_the_document_needs_nothing_else(name):
    html = as_html(evidence_of(golden(name), GAMES[name][-1]))
    assert re.findall(r"(?:https?:)?//[\w.]+[^\s\"'<]*", html.replace("http://www.w3.org/2000/svg", "")) == []
    assert not re.search(r"<script|<link|@import|url\(", html)
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert len(html) < 400_000


@pytest.mark.slow
def test_a_fragment_has_the_headings_that_its_page_wants():
    fragment = as_fragment(evidence_of(golden("medals"), 409), level=4)
    assert fragment.count("<h4>") == len(evidence_of(golden("medals"), 409).parts)
    assert "<html" not in fragment
    assert "<style" not in fragment


@pytest.mark.slow
def test_text_for_letters_keeps_to_its_columns():
    for lang in ("en", "fr"):
        lines = as_text(evidence_of(golden("medals"), 409, lang=lang)).splitlines()
        assert max(map(len, lines)) <= 80
