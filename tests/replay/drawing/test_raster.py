"""The picture of a board is the same bytes everywhere, light, with all its letters."""

import re
import struct
import subprocess
import sys
from importlib.resources import files
from io import BytesIO
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageFilter

from domain.basics.data import read_toml, scenario_text
from domain.basics.decoding import convert
from domain.catalogue import RULESETS
from domain.contract.scene import Arrow, Scene
from replay.drawing import layers, raster
from replay.drawing.canvas import LIGHT_WIDTH, canvas_of, light_width
from replay.drawing.flat import Flat, flat_of
from replay.drawing.layers import draw_layers
from replay.drawing.palette import DRESSES, tint_of
from replay.drawing.png import NONE, UP
from replay.drawing.raster import FONTS, draw_light_png, png_of
from replay.drawing.svg import DrawnPiece, draw_svg
from replay.remembered import Remembered
from replay.telling.words import worded
from tests.support.drilling import begun
from tests.support.lanes import thinned
from tests.support.scenes import battle, cannae, duel, hex_board, hexes, in_full_swing, open_table, view

ROOT = Path(__file__).parents[3]
MOST_BYTES, MOST_BYTES_AT_FIRST, MOST_BYTES_OF_HEXES = 20_000, 20_500, 28_000
"""Of a picture for a mail; of boards of hexes as they begin, and in full swing. Slanting lines do not shrink as well as
upright ones."""
COLOUR = re.compile("#[0-9a-f]{6}")
SEEN = 0.006
"""Of the pixels of a picture; so many may differ at edges, where rounding decides."""
SCENES = {
    "cannae": lambda: view(cannae()),
    "duel": duel,
    "full swing": lambda: view(in_full_swing()),
    "hexes": hexes,
    "a board of hexes": hex_board,
    "open table": open_table,
}
LETTERS = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 40"><rect width="200" height="40" fill="#fff"/>{}</svg>'
)
WORD = '<text x="5" y="30" font-size="28" font-weight="{}" font-family="Verdana, \'DejaVu Sans\', sans-serif">{}</text>'


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", png[16:24])


@pytest.mark.parametrize("name", sorted(SCENES))
@pytest.mark.slow
def test_a_picture_for_a_mail_is_light_and_drawn_alike_each_time(name):
    scene = SCENES[name]()
    png = draw_light_png(scene)
    assert size_of(png)[0] in (LIGHT_WIDTH, light_width(scene, canvas_of(scene)))
    assert len(png) <= (MOST_BYTES if scene.grid != "hex" else MOST_BYTES_OF_HEXES)
    assert draw_light_png(scene) == png


@pytest.mark.parametrize("scenario", ["skirmish", "issus", "gaugamela", "agincourt"])
@pytest.mark.slow
def test_the_largest_battles_are_light_too(scenario):
    scene = view(battle(read_toml("tts", "scenarios", f"{scenario}.toml")))
    assert len(draw_light_png(scene)) <= MOST_BYTES


@pytest.mark.parametrize("scenario", ["two-lines", "woods", "muster"])
@pytest.mark.slow
def test_boards_of_hexes_are_light_as_they_begin(scenario):
    game = RULESETS["singidunum"]
    scene = game.shown.view(begun(game, scenario_text("singidunum", scenario)), "south")
    assert len(draw_light_png(scene)) <= MOST_BYTES_AT_FIRST


@pytest.mark.slow
def test_a_light_picture_has_the_colours_of_the_drawing():
    """None is a blend of two others: a colour nobody has chosen, or that of another side."""
    scene = replace(SCENES["duel"](), lines=())
    seen = colours_of(draw_light_png(scene))
    chosen = set(COLOUR.findall(draw_svg(scene, captions=False, light=True)))
    assert {dress.strong for dress in DRESSES[:2]} <= seen
    assert len(seen - chosen) <= 6  # what can be seen through
    assert len(colours_of(png_of(draw_svg(scene, captions=False), LIGHT_WIDTH)) - chosen) > 60


def test_formations_have_colours_of_their_own():
    scene = worded(view(cannae()))
    for drawn in (draw_svg(scene, light=True), draw_svg(scene)):
        for token in scene.tokens:
            if token.form == "base":
                unit = drawn.partition(f'data-unit="{token.id}"')[2].partition("</g>")[0]
                assert tint_of(scene.formations, token.side, token.formation) in COLOUR.findall(unit)
    assert len({tint_of(scene.formations, "south", formation.id) for formation in scene.formations}) >= 4


def colours_of(png: bytes) -> set[str]:
    with Image.open(BytesIO(png)) as picture:
        pixels = picture.convert("RGB").tobytes()
    return {f"#{pixels[at : at + 3].hex()}" for at in range(0, len(pixels), 3)}


def pixels_of(png: bytes) -> bytes:
    with Image.open(BytesIO(png)) as picture:
        return picture.convert("RGB").tobytes()


def test_every_letter_of_every_language_is_in_the_font():
    blank = png_of(LETTERS.format(""), 200)
    for weight in ("normal", "bold"):
        missing = png_of(LETTERS.format(WORD.format(weight, "\ue0ff")), 200)
        for letter in "AÀÉÇŒß€№ÅŽ×½−♥♠…’«»★":
            drawn = png_of(LETTERS.format(WORD.format(weight, letter)), 200)
            assert drawn not in (blank, missing), (weight, letter)


@pytest.mark.slow
def test_the_fonts_of_the_machine_do_not_matter(tmp_path):
    """A process that sees no font of the system draws the same bytes."""
    code = "import sys; from replay.drawing.raster import png_of;sys.stdout.buffer.write(png_of(sys.stdin.read(), 200))"
    svg = LETTERS.format(WORD.format("bold", "R1 Éléphants"))
    bare = {"PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "FONTCONFIG_FILE": str(tmp_path / "none"), "PATH": ""}
    done = subprocess.run([sys.executable, "-c", code], input=svg.encode(), env=bare, capture_output=True, check=True)
    assert done.stdout == png_of(svg, 200)


def test_the_fonts_come_with_their_licence():
    folder = files("replay").joinpath("fonts")
    assert {place.name for place in folder.iterdir()} >= {*FONTS, "LICENSE.txt"}
    assert "Bitstream" in folder.joinpath("LICENSE.txt").read_text(encoding="utf-8")


def test_what_is_no_picture_is_refused():
    with pytest.raises(ValueError, match=r"\w"):
        png_of("no svg", 100)


@pytest.mark.slow
@pytest.mark.parametrize("name", thinned(["cannae", "full swing", "hexes"], 3))
def test_a_picture_in_layers_is_the_one_that_is_drawn_at_once(name):
    scene = worded(SCENES[name]())
    width = light_width(scene, canvas_of(scene))
    whole = raster._image(draw_svg(scene, captions=False, light=True), width).convert("RGB")
    laid = in_full(draw_layers(scene, width, raster._image))
    assert laid.size == whole.size
    differing = ImageChops.difference(whole, laid).convert("L").point(lambda value: 255 if value else 0)
    assert differing.filter(ImageFilter.MinFilter(3)).getbbox() is None  # edges, by a pixel
    assert differing.histogram()[255] < SEEN * whole.width * whole.height


def in_full(drawn):
    return drawn.full() if isinstance(drawn, Flat) else drawn


@pytest.mark.parametrize("name", ["duel", "hexes"])
def test_a_flat_picture_is_the_one_in_full_colour(name, monkeypatch):
    """Pixels that are counted by their places are those of the drawing."""
    scene = worded(SCENES[name]())
    flat = draw_layers(scene, LIGHT_WIDTH, raster._image)
    assert isinstance(flat, Flat)
    monkeypatch.setattr(layers, "flat_of", lambda picture: None)
    monkeypatch.setattr(layers, "_grounds", Remembered(0, lambda ground: 1))
    monkeypatch.setattr(layers, "_pieces", Remembered(0, lambda laid: 1))
    blended = draw_layers(scene, LIGHT_WIDTH, raster._image)
    assert isinstance(blended, Image.Image)
    assert flat.full().tobytes() == blended.tobytes()
    for filter_ in (NONE, UP):
        assert pixels_of(raster._in_its_colours(flat, filter_)) == pixels_of(raster._with_its_colours(blended, filter_))


def test_what_can_be_seen_through_is_blended():
    square = '<rect x="180" y="40" width="40" height="20" fill="red" opacity="{}"/>'
    pieces = [DrawnPiece(square.format(share), (200.0, 50.0), (40.0, 40.0)) for share in (1, 0.5)]
    laid = [one for piece in pieces if (one := layers._picture(piece, (1.0, 1.0), raster._image))]
    assert [isinstance(one.picture, Flat) for one in laid] == [True, False]
    ground = flat_of(Image.new("RGB", (400, 100), "white"))
    assert ground is not None
    blended = layers._in_full(ground, laid[1:])
    assert blended.getpixel((200, 50)) == (255, 127, 127)
    assert blended.getpixel((100, 50)) == (255, 255, 255)
    assert layers._in_full(ground, laid).getpixel((200, 50)) == (255, 0, 0)


@pytest.mark.slow
def test_what_was_drawn_before_leaves_no_trace(monkeypatch):
    scene = worded(SCENES["full swing"]())
    moved = replace(scene, tokens=scene.tokens[2:], arrows=(Arrow("move", ((150, 150), (350, 250)), "south"),))
    first = draw_layers(moved, LIGHT_WIDTH, raster._image)
    draw_layers(scene, LIGHT_WIDTH, raster._image)
    monkeypatch.setattr(layers, "_pieces", Remembered(0, lambda laid: 1))
    assert in_full(draw_layers(moved, LIGHT_WIDTH, raster._image)).tobytes() == in_full(first).tobytes()


@pytest.mark.slow
def test_a_second_picture_draws_only_what_has_moved(monkeypatch):
    monkeypatch.setattr(layers, "_pieces", Remembered(1 << 24, lambda laid: 1))
    scene = worded(SCENES["cannae"]())
    drawn = []

    def counted(svg, width):
        drawn.append(svg)
        return raster._image(svg, width)

    draw_layers(scene, LIGHT_WIDTH, counted)
    before = len(drawn)
    at = next(at for at, token in enumerate(scene.tokens) if token.form == "base")
    turned = replace(scene.tokens[at], facing=((scene.tokens[at].facing or 0) + 900) % 3600)
    draw_layers(replace(scene, tokens=(*scene.tokens[:at], turned, *scene.tokens[at + 1 :])), LIGHT_WIDTH, counted)
    assert before > 20
    assert 1 <= len(drawn) - before <= 4  # the unit and its general, each again where it needs more room


def test_a_piece_has_all_the_room_it_needs():
    square = '<rect x="0" y="40" width="400" height="20" fill="red"/>'
    laid = layers._picture(DrawnPiece(square, (200.0, 50.0), (20.0, 20.0)), (1.0, 1.0), raster._image)
    assert laid is not None
    assert (laid.mask.size, laid.corner) == ((400, 20), (0, 40))
    assert layers._picture(DrawnPiece("<g/>", (200.0, 50.0), (20.0, 20.0)), (1.0, 1.0), raster._image) is None


@pytest.mark.slow
def test_the_same_board_is_drawn_once_however_often_it_is_sent(monkeypatch):
    """A worker that makes letters gets each scene anew."""
    monkeypatch.setattr(layers, "_grounds", Remembered(1, lambda ground: 1))
    monkeypatch.setattr(layers, "_pieces", Remembered(1 << 10, lambda laid: 1))
    scene = worded(SCENES["duel"]())
    drawn = []

    def counted(svg, width):
        drawn.append(svg)
        return raster._image(svg, width)

    for _ in range(3):
        draw_layers(convert(msgspec.to_builtins(scene), Scene), LIGHT_WIDTH, counted)
    assert len(drawn) == len(set(drawn)) > 1
