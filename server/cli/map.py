"""The command `phalera map`: the map of a campaign at a turn, in letters or as a picture."""

from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.console import Failed, in_sentences, say, say_json, write_file
from server.cli.options import AsJson, Force, Lang

if TYPE_CHECKING:
    from domain.campaign.theatre.map_scene import MapScene


def add_to(main: typer.Typer) -> None:
    """Put the command beside the others."""
    main.command("map")(show_map)


@in_sentences
def show_map(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The log of a map campaign; - reads standard input.")],
    turn: Annotated[int, typer.Option(metavar="N", help="The turn; 0: the newest.", min=0)] = 0,
    before: Annotated[bool, typer.Option("--before", help="As it lay before the turn.")] = False,
    svg: Annotated[str, typer.Option(metavar="FILE", help="Draw it into a file instead; - writes it here.")] = "",
    png: Annotated[str, typer.Option(metavar="FILE", help="The same as pixels.")] = "",
    fog: Annotated[str, typer.Option(metavar="POWER", help="Under fog: as this power saw it.")] = "",
    force: Force = False,
    lang: Lang = "en",
    as_json: AsJson = False,
) -> None:
    """Show the map of a campaign, and what a turn has brought."""
    scene = _scene(file, turn, before, fog, lang)
    if as_json:
        say_json(scene)
    elif svg:
        from replay.drawing.atlas.svg import draw_map

        write_file(svg, f"{draw_map(scene, lang=lang, styled=True)}\n".encode(), force)
    elif png:
        from replay.drawing.atlas.picture import map_png

        write_file(png, map_png(scene, lang=lang), force)
    else:
        from replay.drawing.atlas.text import map_text

        say(map_text(scene, lang=lang).rstrip("\n"))


def _scene(file: str, turn: int, before: bool, fog: str, lang: str) -> "MapScene":
    """Raises: Failed for another file than that of a map campaign, for a turn or a power that there is not, and where
    what a power saw is still sealed"""
    from domain.basics.errors import Refusal
    from domain.campaign.map_shown import map_after, map_before
    from server.campaigns.maps import through_fog
    from server.cli.campaign_logs import campaign_log
    from server.words import say as told
    from server.words import sentence_of

    found = campaign_log(file, lang)
    if found.state.settings.map is None:
        raise Failed(told(lang, "campaigns.map.none"))
    events, state = [recorded.event for recorded in found.events], found.state
    if fog and fog not in state.theatre.powers:
        raise Failed(told(lang, "campaigns.map.fog-power", powers=", ".join(state.theatre.powers)))
    if fog and state.is_veiled:
        raise Failed(told(lang, "campaigns.map.fog-sealed"))
    seen_by = through_fog(state, "", fog)
    try:
        return (map_before if before else map_after)(events, turn, seen_by)
    except Refusal as refused:
        raise Failed(sentence_of(refused, lang)) from None
