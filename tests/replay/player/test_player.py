"""Every key of the player does what the help says, on screens of any size, and each game looks as it should.

The screens kept beside this file are made again with `python -m tests.replay.player.screens`.
"""

import pytest
from PIL import Image
from textual.pilot import Pilot
from textual.widgets import Input

from replay import battle_file
from replay.player.app import ReplayPlayer
from replay.player.dialogs import Ask, TextDialog
from replay.player.keys import KEYS, WRITTEN
from replay.player.marks import LONGEST, Marks
from replay.player.panes import SentencesPane
from replay.reports import clips
from replay.search import FIELDS, NUMBERS
from tests.replay.player.screens import GOLDEN, KEPT, SCREENS, made, playing, screen
from tests.support.disputing import Disputed

pytestmark = pytest.mark.slow

FILE = GOLDEN / "medals.battle"


def types(app: ReplayPlayer) -> str:
    return app.playback.now.type


async def typed(pilot: Pilot[None], text: str) -> None:
    await pilot.press(*("space" if letter == " " else letter for letter in text), "enter")
    await pilot.pause()


async def until(pilot: Pilot[None], text: str) -> None:
    """Wait for a text on the screen."""
    for _ in range(1000):
        await pilot.pause()
        if text in screen(pilot.app):
            return
    raise AssertionError(f"{text!r} is not on the screen:\n{screen(pilot.app)}")


# --- going


async def test_arrows_go_from_event_to_event(tmp_path):
    async with playing(tmp_path) as (app, pilot):
        await pilot.press("right", "right", "left")
        assert app.playback.n == 2
        await pilot.press("left", "left", "left")
        assert app.playback.n == 1


async def test_up_and_down_go_from_input_to_input(tmp_path):
    async with playing(tmp_path, at=11) as (app, pilot):
        await pilot.press("down", "down")
        assert types(app) == "OrderAccepted"
        there = app.playback.n
        await pilot.press("down", "up")
        assert app.playback.n == there


async def test_brackets_go_from_turn_to_turn_and_braces_from_phase_to_phase(tmp_path):
    async with playing(tmp_path, "warmaster-volleys") as (app, pilot):
        await pilot.press("right_square_bracket", "right_square_bracket")
        assert types(app) == "TurnBegan"
        second = app.playback.n
        await pilot.press("left_square_bracket")
        assert app.playback.n < second
        await pilot.press("right_curly_bracket")
        assert types(app) == "PhaseBegan"
        await pilot.press("left_curly_bracket")
        assert types(app) == "TurnBegan"


async def test_home_and_end(tmp_path):
    async with playing(tmp_path) as (app, pilot):
        await pilot.press("end")
        assert app.playback.n == app.playback.last
        await pilot.press("right")
        assert app.playback.n == app.playback.last
        await pilot.press("home")
        assert app.playback.n == 1


async def test_g_goes_to_a_number_and_says_what_is_none(tmp_path):
    async with playing(tmp_path) as (app, pilot):
        await pilot.press("g")
        await typed(pilot, "405")
        assert app.playback.n == 405
        await pilot.press("g")
        await typed(pilot, "99999")
        assert app.playback.n == app.playback.last
        await pilot.press("g")
        await typed(pilot, "x")
        assert "Type a number from 1 to 760." in screen(app)
        await pilot.press("g", "4", "escape")
        assert app.playback.n == app.playback.last


async def test_what_is_typed_is_bounded(tmp_path):
    async with playing(tmp_path, "warmaster-volleys") as (app, pilot):
        await pilot.press("g")
        field = app.screen.query_one(Input)
        field.insert_text_at_cursor("1" * 5000)
        assert field.value == ""
        field.insert_text_at_cursor("1" * LONGEST)
        await pilot.press("enter")
        await pilot.pause()
        assert app.playback.n == app.playback.last


async def test_a_search_goes_to_what_it_finds_and_n_to_the_next(tmp_path):
    async with playing(tmp_path) as (app, pilot):
        await pilot.press("slash")
        await typed(pilot, "unit:r1 card:10")
        assert app.playback.n == 221
        assert "Found: 3 events" in screen(app)
        await pilot.press("n")
        assert app.playback.n == 527
        await pilot.press("n", "n")
        assert app.playback.n == 221
        await pilot.press("N")
        assert app.playback.n == 663
        await pilot.press("slash")
        await typed(pilot, "odds>1")
        assert "is not a field to search by" in screen(app)
        await pilot.press("slash")
        await typed(pilot, "hurricane")
        assert "No event is found." in screen(app)


async def test_f_follows_a_unit(tmp_path):
    async with playing(tmp_path) as (app, pilot):
        await pilot.press("f")
        await typed(pilot, "R1")
        await pilot.press("right", "right")
        assert "following R1" in screen(app)
        assert "R1" in app.playback.said(app.playback.n)
        before = app.playback.n
        await pilot.press("right")
        assert app.playback.n > before + 1 or "R1" in app.playback.said(app.playback.n)
        await pilot.press("f")
        assert "following" not in screen(app)
        await pilot.press("f")
        await typed(pilot, "X9")
        assert "No event names “X9”." in screen(app)


async def test_it_plays_by_itself_faster_and_slower(tmp_path):
    async with playing(tmp_path) as (app, pilot):
        await pilot.press("plus", "plus", "plus", "plus")
        assert "16 a second" in screen(app)
        await pilot.press("space")
        assert "Playing, 16 a second" in screen(app)
        app._play()
        app._play()
        assert app.playback.n >= 3
        await pilot.press("minus")
        assert "Playing, 8 a second" in screen(app)
        await pilot.press("space")
        assert "Stopped." in screen(app)
        await pilot.press("end", "space")
        app._play()
        assert app._playing is None


# --- looking


async def test_1_2_0_show_what_each_knew_then(tmp_path):
    async with playing(tmp_path, "singidunum-goal", at=30) as (app, pilot):
        stranger = screen(app)
        await pilot.press("1")
        south = screen(app)
        await pilot.press("2")
        north = screen(app)
        assert "as South knew it then" in south
        assert "as North knew it then" in north
        assert app.playback.said(8) != app.playback.said(9)
        await pilot.press("1")
        assert "army HI7" in app.playback.said(8)
        await pilot.press("0")
        assert "army HI7" not in app.playback.said(8)
        assert screen(app) == stranger
        assert south.splitlines()[1:12] != north.splitlines()[1:12]


async def test_w_shows_all_reasons(tmp_path):
    async with playing(tmp_path, at=405) as (app, pilot):
        await pilot.press("w")
        assert isinstance(app.screen, TextDialog)
        assert "See also" in screen(app)
        await pilot.press("w")
        assert not isinstance(app.screen, TextDialog)


async def test_v_verifies_and_the_draws_are_marked(tmp_path):
    async with playing(tmp_path, at=404) as (app, pilot):
        assert "◐" in screen(app)
        await pilot.press("v")
        await until(pilot, "Everything that the protocol checks holds.")
        await pilot.press("escape")
        assert "● recomputed and right" in screen(app)
        assert "◐" not in screen(app)


async def test_m_writes_a_note_beside_the_file_and_never_into_it(tmp_path):
    async with playing(tmp_path, at=405) as (app, pilot):
        await pilot.press("m")
        await typed(pilot, "the turning point")
        assert "* the turning point" in screen(app)
        assert (tmp_path / "medals.battle.notes").read_text() == "405: the turning point\n"
        assert (tmp_path / "medals.battle").read_bytes() == FILE.read_bytes()
        assert Marks.beside(str(tmp_path / "medals.battle")).notes == {405: "the turning point"}


async def test_e_writes_a_picture_and_never_over_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    async with playing(tmp_path, at=405) as (app, pilot):
        await pilot.press("e", "enter")
        await pilot.pause()
        assert (tmp_path / "medals-405.png").read_bytes().startswith(b"\x89PNG")
        await pilot.press("e", "enter")
        await pilot.pause()
        assert "Not written" in screen(app)
        app._export("board.svg")
        assert (tmp_path / "board.svg").read_bytes().startswith(b"<svg")
        app._export("BOARD.TXT")
        assert "R1" in (tmp_path / "BOARD.TXT").read_text(encoding="utf-8")
        app._export("a\0b.png")
        await pilot.pause()
        assert "Not written" in screen(app)
        app._export("board.bmp")
        await pilot.pause()
        assert "ends in .png, .svg, .txt, .gif, .webp" in screen(app)


async def test_e_writes_a_clip_of_the_turn_or_of_a_span_while_keys_work(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    async with playing(tmp_path, at=402) as (app, pilot):
        app._export("turn.gif")
        await pilot.press("right")
        assert app.playback.n == 403
        await until(pilot, "Written: turn.gif")
        app._export("span.webp 409-405")
        await until(pilot, "Written: span.webp")
        app._export("turn.gif")
        await until(pilot, "Not written")
        events = app.playback.battle.events
    turn = max(one.n for one in events[:402] if one.type == "TurnBegan")
    for name, first, last in (("turn.gif", turn, 402), ("span.webp", 405, 409)):
        with Image.open(tmp_path / name) as clip:
            assert getattr(clip, "n_frames", 1) == len(clips.events_with_frames(events[first - 1 : last]))


async def test_a_clip_that_is_too_long_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(clips, "MOST_FRAMES", 3)
    async with playing(tmp_path, at=405) as (app, pilot):
        app._export("all.gif 1-760")
        await until(pilot, "a clip has at most 3")
    assert not (tmp_path / "all.gif").exists()


async def test_d_shows_what_is_disputed_and_the_log_marks_it(tmp_path):
    battle = Disputed(umpire=True)
    n = battle.play()
    battle.say(f"north: dispute {n} rules The box was taken.", "umpire: rule d1 none It was not.")
    app = ReplayPlayer(battle_file.parse(battle.battle.file()), str(tmp_path / "x.battle"), at=n)
    async with app.run_test(size=(100, 40)) as pilot:
        await until(pilot, f">{n} !")
        await pilot.press("d")
        await until(pilot, "The box was taken.")
        assert "It was not." in screen(app)
        assert "follows from the rules installed" in screen(app)
        await pilot.press("d")
        await until(pilot, f">{n} !")
    async with playing(tmp_path) as (app, pilot):
        await pilot.press("d")
        assert "Nothing is disputed." in screen(app)


async def test_b_writes_a_branch_of_the_place_before_the_event_and_never_over_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    async with playing(tmp_path, at=231) as (app, pilot):
        await pilot.press("b", "enter")
        await until(pilot, "branch-229.battle begins after event 229")
        branch = battle_file.load(str(tmp_path / "branch-229.battle"))
        assert getattr(branch.timeline.now.branch, "n", 0) == 229
        before = (tmp_path / "branch-229.battle").read_bytes()
        await pilot.press("b", "enter")
        await until(pilot, "Not written")
        assert (tmp_path / "branch-229.battle").read_bytes() == before
        app.go(app.playback.last)
        await pilot.press("b", "enter")
        await until(pilot, "the battle is over")


async def test_help_names_every_key(tmp_path):
    async with playing(tmp_path, size=(100, 40)) as (app, pilot):
        await pilot.press("question_mark")
        assert all(line in screen(app) for line in WRITTEN.values())
        assert {what for _, _, what in KEYS if what} == set(WRITTEN)
        assert "la touche" not in screen(app)
        assert all(f"{name}:" in screen(app) for name in FIELDS) and all(f"{name}>" in screen(app) for name in NUMBERS)
        await pilot.press("escape")
        await pilot.press("q")
        assert app._exit


async def test_control_and_c_leave_it(tmp_path):
    async with playing(tmp_path) as (app, pilot):
        await pilot.press("ctrl+c")
        assert app._exit


@pytest.mark.parametrize("size", [(80, 24), (140, 45)])
async def test_the_mouse_chooses_an_event_and_its_wheel_steps(tmp_path, size):
    async with playing(tmp_path, size=size, at=100) as (app, pilot):
        log = app.query_one("#log", SentencesPane)
        row = log.numbers.index(102)
        await pilot.click("#log", offset=(10, row))
        assert app.playback.n == 102
        app.on_mouse_scroll_down()
        assert app.playback.n == 103
        app.on_mouse_scroll_up()
        assert app.playback.n == 102
        await pilot.press("w")
        app.on_mouse_scroll_down()
        assert app.playback.n == 102


async def test_a_question_can_be_left(tmp_path):
    async with playing(tmp_path) as (app, pilot):
        before = type(app.screen)
        await pilot.press("slash")
        assert type(app.screen) is Ask
        await pilot.press("a", "escape")
        assert type(app.screen) is before
        assert app.playback.found == []


async def test_it_speaks_french(tmp_path):
    async with playing(tmp_path, lang="fr", at=405) as (app, _):
        assert "tel que le savait un inconnu" in screen(app)
        assert "Événement 405 sur 760" in screen(app)


@pytest.mark.parametrize("size", [(20, 6), (40, 10), (60, 60), (300, 80)])
async def test_any_window_will_do(tmp_path, size):
    async with playing(tmp_path, size=size, at=405) as (app, pilot):
        await pilot.press("right", "end", "w", "escape", "home")
        assert app.playback.n == 1


async def test_it_follows_the_size_of_the_window(tmp_path):
    async with playing(tmp_path, at=405) as (_, pilot):
        await pilot.resize_terminal(150, 45)
        await until(pilot, "│▲R1")
        await pilot.resize_terminal(80, 24)
        await until(pilot, " ▲R1 ")


async def test_the_event_that_is_looked_at_is_told_whole_and_a_click_below_it_goes_to_the_right_one(tmp_path):
    async with playing(tmp_path, at=405) as (app, pilot):
        assert "4 was needed (last card 3, +1 to beat\n          it)." in screen(app)
        log = app.query_one("#log", SentencesPane)
        assert log.numbers.count(405) == 2
        assert len(log.numbers) == 10
        await pilot.click("#log", offset=(10, log.numbers.index(407)))
        assert app.playback.n == 407
        for n in (1, 760):
            app.go(n)
            assert n in log.numbers


async def test_a_part_of_the_last_line_that_does_not_fit_is_left_out(tmp_path):
    async with playing(tmp_path, at=405) as (app, pilot):
        assert "cards left:" not in screen(app)
        assert "…" not in screen(app).splitlines()[-2]
        await pilot.resize_terminal(110, 24)
        await until(pilot, "cards left: North 31, South 32")


async def test_a_page_that_scrolls_says_so(tmp_path):
    async with playing(tmp_path) as (app, pilot):
        await pilot.press("question_mark")
        assert "↑ ↓ scroll   Esc closes" in screen(app)
        assert "│          outside" in screen(app)  # a long line goes on below its beginning


# --- how it looks


@pytest.mark.parametrize("name", SCREENS)
async def test_the_screen_of_each_game_is_as_it_was(name):
    assert await made(name) == (KEPT / f"{name}.txt").read_text(encoding="utf-8")
