"""The command `phalera board`: the table at a moment as a picture, and a span of the battle as a clip.

Only typer is imported at the top, as in server.cli.main.
"""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.console import UNUSABLE, Failed, in_sentences, say, write_file
from server.cli.host import progress
from server.cli.options import Force, Lang, Out

if TYPE_CHECKING:
    from replay.battle_file import BattleFile

PIXELS = ("png", "gif", "webp")
STANDARD_OUTPUT = "-"
MANY_FRAMES = 20
"""So many that a progress bar is worth it."""


def add_to(main: typer.Typer) -> None:
    """Put the command beside the others."""
    main.command()(board)


@in_sentences
def board(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A battle file; - reads standard input.", show_default=False)
    ],
    at: Annotated[
        int, typer.Option(metavar="N", help="The event after which; 0 stands for the last.", show_default=False)
    ] = 0,
    to: Annotated[str, typer.Option(help="txt, svg, json, png, gif or webp.")] = "txt",
    first: Annotated[int, typer.Option("--from", metavar="N", help="A clip: its first event.", show_default=False)] = 0,
    last: Annotated[int, typer.Option("--until", metavar="N", help="A clip: its last event.", show_default=False)] = 0,
    speed: Annotated[float, typer.Option(metavar="X", help="A clip: frames in a second.")] = 1.0,
    out: Out = "-",
    force: Force = False,
    lang: Lang = "en",
    as_json: Annotated[bool, typer.Option("--json", help="The same as --to json.")] = False,
) -> None:
    """Draw the board after an event, or a clip of what happened.

    With --from or --until it is a clip (gif or webp): a frame for each event, or for each order where those are too
    many.
    """
    from replay import battle_file
    from replay.reports import plain

    to, is_clip = "json" if as_json else to, bool(first or last)
    if is_clip:
        _require_clip(to, speed)
    elif to not in plain.PICTURES:
        raise Failed(f"A board is drawn as {', '.join(plain.PICTURES)}, not as “{to}”.", UNUSABLE)
    if to in PIXELS and out == STANDARD_OUTPUT and sys.stdout.isatty():
        raise Failed("A picture of pixels does not go into a terminal: name a file with --out.", UNUSABLE)
    battle = battle_file.load(file, lang)
    if is_clip:
        content = _clip(battle, first or 1, last or battle.last, to, speed, lang)
    else:
        content = plain.picture(battle, battle.require_event(at or battle.last, lang=lang), to, lang)
    said = write_file(out, content, force)
    if said:
        say(said)


def _require_clip(to: str, speed: float) -> None:
    from replay.drawing.clip import FORMS, SPEEDS

    if to not in FORMS:
        raise Failed(f"A clip is drawn as {' or '.join(FORMS)}, not as “{to}”.", UNUSABLE)
    slowest, fastest = SPEEDS
    if not slowest <= speed <= fastest:
        raise Failed(f"A clip has {slowest:g} to {fastest:g} frames in a second, not {speed:g}.", UNUSABLE)


def _clip(battle: "BattleFile", first: int, last: int, to: str, speed: float, lang: str) -> bytes:
    from replay.drawing.clip import draw_clip
    from replay.reports import clips

    battle.require_event(first, lang=lang)
    battle.require_event(last, lang=lang)
    if last < first:
        raise Failed(f"A clip that begins with event {first} cannot end with event {last}.", UNUSABLE)
    try:
        frames = clips.frames(battle, first, last, lang=lang)
    except clips.TooLong as reason:
        raise Failed(str(reason), UNUSABLE) from None
    with progress(len(frames), MANY_FRAMES) as follow:
        return draw_clip(frames, to, speed, lang, follow)
