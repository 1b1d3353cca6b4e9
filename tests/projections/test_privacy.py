"""Nothing sealed can be found in the read models."""

from contextlib import closing

import msgspec

from tests.projections.kept import all_rows, caught_up
from tests.projections.played import MemoryLog, Played


def hidden(played: Played) -> list[str]:
    """What the vault has and the log does not show: salts, orders and answers given in advance."""
    words = []
    for secret in played.recording.vault.values():
        words.append(secret.salt.hex())
        content = msgspec.json.decode(secret.content)
        words += [content[name] for name in ("text", "value") if name in content]
    return words


def test_no_sealed_content_is_ever_in_a_row(tmp_path) -> None:
    played, log = Played("aaaaaaaa", 5).begin(), MemoryLog()
    with closing(caught_up(tmp_path / "live.db", log)) as runner:
        played.order("south", "standing evade R6 heavier")
        played.order("south", "standing replay always")
        played.play(40)
        log.extend(played)
        runner.catch_up()
        words = hidden(played)
        assert "heavier" in words and "standing evade R6 heavier" in words
        runner.rebuild()
        shown = repr(all_rows(tmp_path / "live.db"))
        assert not [word for word in words if word in shown]


def test_two_logs_that_differ_only_in_what_is_sealed_give_the_same_rows(tmp_path) -> None:
    rows = []
    for answer in ("always", "never"):
        played = Played("aaaaaaaa").begin()
        played.order("south", f"standing evade R6 {answer}")
        played.order("south", "end turn")
        path = tmp_path / f"{answer}.db"
        caught_up(path, MemoryLog().extend(played)).close()
        rows.append(all_rows(path))
    assert rows[0] == rows[1]


def test_neither_phrases_nor_commitments_are_kept(tmp_path, three_battles) -> None:
    caught_up(tmp_path / "live.db", MemoryLog().extend(*three_battles)).close()
    content = (tmp_path / "live.db").read_bytes()
    assert b"phrase" not in content
    assert three_battles[0].recording.battle.commitment.encode() not in content
