"""Two files of a battle are compared: the last event that they share, who contradicts which kept head."""

import pytest

from replay import battle_file
from replay.proof import chain, notes
from replay.proof.differences import BEYOND, CONTRADICTED, FOREIGN, HOLDS, compare, lines
from replay.proof.heads import Evidence
from replay.proof.notes import BadNote, Head, Signer
from replay.reports import compared
from tests.support.tiny import changed, ended_battle, ended_file, played_battle, signed_again

LONG = chain.open_file(ended_file())
SHORT = chain.open_file(played_battle().file())
LIE = signed_again(ended_battle(), lambda log: changed(log, "CardDrawn", card="10c1"))
OTHER = chain.open_file(LIE)
CARD = next(n for n, line in enumerate(LONG.lines, 1) if line.endswith(b'"type":"CardDrawn"}'))


def head(n: int, log: chain.Log = LONG, signer: Signer | None = None) -> Evidence:
    note = notes.sign_head(signer or ended_battle().signer, Head(log.origin, n, log.hashes[n]))
    return Evidence("mail", f"Dear Anna,\n\n{note}\n".encode())


def test_a_longer_file_continues_a_shorter_one():
    for one, other in ((LONG, SHORT), (SHORT, LONG)):
        found = compare(one, other)
        assert (found.common, found.differs, found.has_forked) == (len(SHORT.lines), None, False)
    assert not compare(LONG, LONG).has_forked


def test_a_fork_is_found_at_its_event_and_proven_by_both_signatures():
    found = compare(LONG, OTHER)
    assert (found.common, found.differs, found.is_proven, found.has_forked) == (CARD - 1, CARD, True, True)
    unsigned = chain.open_file(LIE[: LIE.rfind(b"\n", 0, -1) + 1], allow_unfinished=True)
    assert not compare(LONG, unsigned).is_proven


def test_each_head_is_held_against_both_files():
    for item, expected in (
        (head(CARD - 1), (HOLDS, HOLDS)),
        (head(CARD), (HOLDS, CONTRADICTED)),
        (head(CARD, OTHER), (CONTRADICTED, HOLDS)),
        (head(CARD, signer=Signer("localhost", b"\1" * 32)), (FOREIGN, FOREIGN)),
    ):
        (kept,) = compare(LONG, OTHER, [item]).heads
        assert (kept.one, kept.other) == expected
    (kept,) = compare(LONG, SHORT, [head(len(LONG.lines))]).heads
    assert (kept.one, kept.other) == (HOLDS, BEYOND)


def test_a_head_can_show_a_fork_that_the_files_do_not():
    found = compare(LONG, SHORT, [head(CARD, OTHER)])
    assert found.differs is None
    assert found.has_forked


def test_evidence_without_a_head_is_named():
    assert compare(LONG, SHORT, [Evidence("letter", b"Hello")]).without == ("letter",)


def test_other_battles_are_not_compared():
    with pytest.raises(BadNote, match="other-battle"):
        compare(LONG, chain.open_file(ended_battle("other").file()))


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_lines_name_files_and_heads(lang):
    found = compare(LONG, OTHER, [head(CARD), Evidence("\x1b[2J", b"")])
    told = list(lines(found, "a.battle", "b.battle", lang))
    assert str(CARD - 1) in told[0]
    assert told[1].startswith("a.battle")
    assert told[2].startswith("b.battle")
    assert "b.battle" in told[4]
    assert told[5].startswith("\\x1b[2J")


def test_the_events_after_the_last_common_one_are_told():
    one, other = battle_file.parse(ended_file()), battle_file.parse(LIE)
    text = "\n".join(compared.as_text(compare(one.log, other.log), one, other, ("a", "b")))
    assert text.count(f"\n  {CARD} ") == 2
    assert "10 (10c1)" in text
    data = compared.as_data(compare(one.log, other.log), one, other)
    assert data["one_after"][0].n == CARD
    assert data["forked"]
