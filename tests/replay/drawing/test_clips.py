"""Clips of a battle: which events have a frame, what stands on it, and that nothing grows without bounds."""

from functools import cache
from io import BytesIO

import pytest
from PIL import Image

from replay import battle_file
from replay.battle_file import BattleFile
from replay.drawing import clip
from replay.drawing.clip import MOST_FRAMES, WIDTH, draw_clip
from replay.reports import clips, plain
from tests.golden.__main__ import kept

GAMES = {"medals": (405, 409), "singidunum-goal": (252, 255), "warmaster-volleys": (64, 68)}


@cache
def battle(name: str) -> BattleFile:
    return battle_file.parse(kept(name).read_bytes())


def frames_of(content: bytes) -> list[tuple[Image.Image, int]]:
    """The frames of a clip, and how long each stays, in ms."""
    found = []
    with Image.open(BytesIO(content)) as picture:
        for at in range(getattr(picture, "n_frames", 1)):
            picture.seek(at)
            picture.load()
            found.append((picture.convert("RGB"), int(picture.info["duration"])))
    return found


def test_each_event_that_a_spectator_hears_has_a_frame():
    events = battle("medals").events[399:409]
    heard = [recorded.n for recorded in plain.plain_events(events)]
    assert clips.events_with_frames(events) == heard
    assert [frame.said.split()[0] for frame in clips.frames(battle("medals"), 400, 409)] == [str(n) for n in heard]


def test_where_they_are_too_many_each_order_has_one():
    events = battle("medals").events
    shown = clips.events_with_frames(events)
    assert len(list(plain.plain_events(events))) > MOST_FRAMES >= len(shown)
    assert shown == sorted(shown)
    inputs = [one.n for one in events if one.type in ("OrderAccepted", "SideJoined", "BattleBegan", "BattleOpened")]
    for first, following in zip(inputs, [*inputs[1:], len(events) + 1], strict=True):
        assert sum(first <= n < following for n in shown) <= 1


def test_what_is_too_long_even_so_is_refused(monkeypatch):
    monkeypatch.setattr(clips, "MOST_FRAMES", 20)
    for lang, said in (("en", "a clip has at most 20"), ("fr", "un film en a au plus 20")):
        with pytest.raises(clips.TooLong, match=said):
            clips.events_with_frames(battle("medals").events, lang)


def test_a_clip_of_what_nobody_hears_has_one_frame():
    n = next(one.n for one in battle("medals").events if one.type == "KeyDisclosed")
    assert clips.events_with_frames(battle("medals").events[n - 1 : n]) == [n]


def test_the_frames_are_as_a_side_knew_it_then():
    placed = next(one.n for one in battle("singidunum-goal").events if one.type == "UnitDeployed")
    seen = {side: clips.frames(battle("singidunum-goal"), placed, placed, side)[0] for side in ("south", "north", "")}
    assert len({len(frame.scene.tokens) for frame in seen.values()}) > 1
    assert seen["south"].said != seen[""].said or seen["north"].said != seen[""].said


def test_a_move_has_an_arrow_and_the_words_are_in_the_language_of_the_reader():
    n = next(one.n for one in battle("medals").events if one.type == "UnitMoved")
    (frame,) = clips.frames(battle("medals"), n, n, lang="fr")
    assert frame.scene.arrows
    assert "Tour" in frame.place


@pytest.mark.slow
@pytest.mark.parametrize("form", clip.FORMS)
@pytest.mark.parametrize("name", GAMES)
def test_a_clip_is_the_same_bytes_again_and_shows_each_frame(name, form):
    frames = clips.frames(battle(name), *GAMES[name])
    told: list[int] = []
    content = draw_clip(frames, form, 2.0, progress=told.append)
    assert content == draw_clip(frames, form, 2.0)
    assert told == list(range(1, len(frames) + 1))
    pictures = frames_of(content)
    assert {picture.size for picture, _ in pictures} == {pictures[0][0].size}
    assert pictures[0][0].width == WIDTH
    assert sum(shown_ms for _, shown_ms in pictures) == 500 * (len(frames) - 1) + 3000
    assert len(content) < 40_000 * len(frames)


@pytest.mark.slow
def test_a_table_that_is_high_makes_a_narrow_clip(monkeypatch):
    monkeypatch.setattr(clip, "TALLEST", 300)
    ((picture, _),) = frames_of(draw_clip(clips.frames(battle("medals"), 405, 405), "gif"))
    assert picture.width < WIDTH * 2 // 3
    assert picture.height < 400


@pytest.mark.slow
def test_words_that_are_too_long_for_the_strip_end_in_dots():
    (frame,) = clips.frames(battle("medals"), 405, 405)
    long = clip.ClipFrame(frame.scene, "<b>& " * 400, "x" * 4000)
    ((picture, _),) = frames_of(draw_clip([long], "gif"))
    assert picture.size == frames_of(draw_clip([frame], "gif"))[0][0].size
